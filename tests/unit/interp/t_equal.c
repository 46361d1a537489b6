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

// The report on two modules given as the body of a program.
static equal_result compare(arena *mem, const char *before, const char *after, text *report) {
    static const char start[] = "@I.ir_module\n"
                                "class Module:\n";
    program_text a = open_program("a.py", arena_format(mem, "%s%s", start, before));
    program_text b = open_program("b.py", arena_format(mem, "%s%s", start, after));
    equal_result result = interp_equal(a.m, b.m, "main", NULL, report);
    close_program(&a);
    close_program(&b);
    return result;
}

#define IN_PLACE(body)                                                                                                 \
    "    @T.prim_func\n"                                                                                               \
    "    def main(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n"                                      \
    "        for i in range(4):\n"                                                                                     \
    "            " body "\n"

// Programs are compared by what they write; integers are of both signs.
static void written(void **state) {
    (void)state;
    arena *mem = arena_new();
    text report = TEXT_IN(mem);
    assert_int_equal(compare(mem, IN_PLACE("B[i] = A[i] // 2"), IN_PLACE("B[i] = T.shift_right(A[i], 1)"), &report),
                     EQUAL_SAME);
    assert_int_equal(compare(mem, IN_PLACE("B[i] = A[i] // 2"), IN_PLACE("B[i] = T.truncdiv(A[i], 2)"), &report),
                     EQUAL_DIFFERENT);
    assert_non_null(strstr(text_get(&report), "main: argument 1["));
    arena_free(mem);
}

// An index that the first draw has out of range is drawn again; what then fails only after is different.
static void indices(void **state) {
    (void)state;
    arena *mem = arena_new();
    text report = TEXT_IN(mem);
    assert_int_equal(compare(mem, IN_PLACE("B[i] = B[A[i]]"), IN_PLACE("B[i] = B[A[i]]"), &report), EQUAL_SAME);
    assert_int_equal(compare(mem, IN_PLACE("B[i] = B[A[i]]"), IN_PLACE("B[i] = B[A[i] + 4]"), &report),
                     EQUAL_DIFFERENT);
    assert_non_null(strstr(text_get(&report), "main: fails after, not before: "));
    assert_int_equal(compare(mem, IN_PLACE("B[i] = B[i + 4]"), IN_PLACE("B[i] = 0"), &report), EQUAL_NOT_RUN);
    assert_non_null(strstr(text_get(&report), "main: not run: "));
    arena_free(mem);
}

#define RETURNS(result)                                                                                                \
    "    @R.function\n"                                                                                                \
    "    def main(x: R.Tensor((\"n\", 2), \"float32\")):\n"                                                            \
    "        n = T.int64()\n"                                                                                          \
    "        y = " result "\n"                                                                                         \
    "        return y\n"

static void shapes(void **state) {
    (void)state;
    arena *mem = arena_new();
    text report = TEXT_IN(mem);
    assert_int_equal(compare(mem, RETURNS("(x, R.shape([n]))"), RETURNS("(x, R.shape([n * 1]))"), &report), EQUAL_SAME);
    assert_int_equal(compare(mem, RETURNS("(x, R.shape([n]))"), RETURNS("(x, R.shape([n + 1]))"), &report),
                     EQUAL_DIFFERENT);
    assert_non_null(strstr(text_get(&report), "main with n = 3: out.1 is another value, or of another kind"));
    assert_int_equal(compare(mem, RETURNS("R.add(x, x)"), RETURNS("R.permute_dims(x)"), &report), EQUAL_DIFFERENT);
    assert_non_null(strstr(text_get(&report), "out is float32(3, 2) before and float32(2, 3) after"));
    arena_free(mem);
}

static void endless(void **state) {
    (void)state;
    arena *mem = arena_new();
    text report = TEXT_IN(mem);
    static const char forever[] = "    @T.prim_func\n"
                                  "    def main(A: T.Buffer((1,), \"int32\")):\n"
                                  "        while A[0] == A[0]:\n"
                                  "            A[0] = 0\n";
    assert_int_equal(compare(mem, forever, forever, &report), EQUAL_NOT_RUN);
    assert_non_null(strstr(text_get(&report), "stopped after 1000000 steps"));
    arena_free(mem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds),  cmocka_unit_test(written), cmocka_unit_test(indices),
        cmocka_unit_test(shapes), cmocka_unit_test(endless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
