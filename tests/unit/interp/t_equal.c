// t_equal.c - random equality finds what differs, and says where.
#include "programs.h"
#include "test.h"
#include <string.h>

static const char head[] = "@I.ir_module\n"
                           "class Module:\n"
                           "    @T.prim_func(private=True, s_tir=True)\n"
                           "    def scale(var_x: T.handle, var_y: T.handle):\n"
                           "        n = T.int64()\n"
                           "        X = T.match_buffer(var_x, (n,))\n"
                           "        Y = T.match_buffer(var_y, (n,))\n"
                           "        for i in range(n):\n"
                           "            with T.sblock(\"scale\"):\n"
                           "                vi = T.axis.spatial(n, i)\n"
                           "                Y[vi] = X[vi] * T.float32(";
static const char tail[] = ")\n"
                           "    @R.function\n"
                           "    def main(x: R.Tensor((\"n\",), \"float32\")) -> R.Tensor((\"n\",), \"float32\"):\n"
                           "        n = T.int64()\n"
                           "        cls = Module\n"
                           "        with R.dataflow():\n"
                           "            y = R.call_tir(cls.scale, (x,), out_sinfo=R.Tensor((n,), \"float32\"))\n"
                           "            R.output(y)\n"
                           "        return y\n";

static program_text scaled(arena *mem, const char *factor) {
    return open_program("scale.py", arena_format(mem, "%s%s%s", head, factor, tail));
}

static void finds(void **state) {
    (void)state;
    arena *mem = arena_new();
    text report = TEXT_IN(mem);
    program_text a = scaled(mem, "2"), b = scaled(mem, "2.0"), c = scaled(mem, "2.5");
    assert_int_equal(interp_equal(a.m, b.m, "main", NULL, &report), EQUAL_SAME);
    assert_int_equal(report.len, 0);
    assert_int_equal(interp_equal(a.m, c.m, "main", NULL, &report), EQUAL_DIFFERENT);
    assert_non_null(strstr(text_get(&report), "main with n = 3: out[0] is "));
    assert_int_equal(interp_equal(a.m, c.m, "nothing", NULL, &report), EQUAL_NOT_RUN);
    close_program(&a);
    close_program(&b);
    close_program(&c);
    arena_free(mem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
