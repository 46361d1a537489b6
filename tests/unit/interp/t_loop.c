// t_loop.c - loop programs: values, blocks, checks of every access, threads.
#include "programs.h"
#include "test.h"

#define MODULE "@I.ir_module\nclass Module:\n"

static const char matmul_text[] =
    MODULE "    @T.prim_func\n"
           "    def mm(var_x: T.handle, W: T.Buffer((T.int64(2), T.int64(3)), \"float32\"), var_y: T.handle):\n"
           "        n = T.int64()\n"
           "        X = T.match_buffer(var_x, (n, T.int64(2)))\n"
           "        Y = T.match_buffer(var_y, (n, T.int64(3)))\n"
           "        for i, j, k in T.grid(n, T.int64(3), T.int64(2)):\n"
           "            with T.sblock(\"mm\"):\n"
           "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
           "                with T.init():\n"
           "                    Y[vi, vj] = T.float32(0)\n"
           "                Y[vi, vj] = Y[vi, vj] + X[vi, vk] * W[vk, vj]\n";

static void matmul(void **state) {
    (void)state;
    program_text p = open_program("mm.py", matmul_text);
    value arg[3] = {floats(DTYPE_OF(F32), 2, (int64_t[]){2, 2}, (double[]){1, 2, 3, 4}),
                    floats(DTYPE_OF(F32), 2, (int64_t[]){2, 3}, (double[]){1, 0, 2, 0, 1, 3}),
                    floats(DTYPE_OF(F32), 2, (int64_t[]){2, 3}, NULL)};
    value result = run_ok(&p, "mm", arg, 3);
    static const double want[] = {1, 2, 8, 3, 4, 18};
    for (size_t i = 0; i < 6; i++) assert_float_equal(tensor_get_float(arg[2].as.tensor, i), want[i], 0);
    interp_release(&result);
    arg[2].as.tensor->dim[0] = 1;
    run_refused(&p, "mm", arg, 3, NULL, "mm: Y.shape[0] is 1, but n is 2");
    for (size_t i = 0; i < 3; i++) interp_release(&arg[i]);
    close_program(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matmul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
