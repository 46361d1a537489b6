// t_loop.c - loop programs: values, blocks, and the checks of every access.
#include "programs.h"
#include "test.h"
#include <math.h>
#include <string.h>

static value array(const char *type, uint32_t n, const double *number) {
    dtype t;
    assert_true(dtype_parse(type, strlen(type), &t));
    return floats(t, 1, (int64_t[]){n}, number);
}

static const char matmul_text[] = MODULE FUNC "    def mm(var_x: T.handle, var_w: T.handle, var_y: T.handle):\n"
                                              "        n = T.int64()\n"
                                              "        k = T.int64()\n"
                                              "        X = T.match_buffer(var_x, (n, k))\n"
                                              "        W = T.match_buffer(var_w, (k, T.int64(3)))\n"
                                              "        Y = T.match_buffer(var_y, (n, T.int64(3)))\n"
                                              "        for i, j, l in T.grid(n, T.int64(3), k):\n"
                                              "            with T.sblock(\"mm\"):\n"
                                              "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, l])\n"
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
    run_refused(&p, "mm", arg, 2, NULL, "mm: want 3 arguments, got 2");
    release_all(arg, 3);
    close_program(&p);
}

// A reduction without steps is what it starts from, not what was in memory.
static void empty_reduction(void **state) {
    (void)state;
    program_text p = open_program("mm.py", matmul_text);
    value arg[3] = {floats(DTYPE_OF(F32), 2, (int64_t[]){2, 0}, NULL),
                    floats(DTYPE_OF(F32), 2, (int64_t[]){0, 3}, NULL),
                    floats(DTYPE_OF(F32), 2, (int64_t[]){2, 3}, (double[]){1, 2, 3, 4, 5, 6})};
    value result = run_ok(&p, "mm", arg, 3);
    for (size_t i = 0; i < 6; i++) assert_float_equal(tensor_get_float(arg[2].as.tensor, i), 0, 0);
    interp_release(&result);
    release_all(arg, 3);
    close_program(&p);
}

// Split in two, guarded, and with the steps outside of the rows.
static void empty_split_reduction(void **state) {
    (void)state;
    static const char script[] =
        MODULE FUNC "    def f(var_x: T.handle, Y: T.Buffer((2,), \"float32\")):\n"
                    "        k = T.int64()\n"
                    "        X = T.match_buffer(var_x, (k,))\n"
                    "        for k0, i, k1 in T.grid((k + T.int64(3)) // T.int64(4), 2, T.int64(4)):\n"
                    "            with T.sblock(\"sum\"):\n"
                    "                vi = T.axis.spatial(2, i)\n"
                    "                vk = T.axis.reduce(k, k0 * T.int64(4) + k1)\n"
                    "                T.where(k0 * T.int64(4) + k1 < k and i < 1)\n"
                    "                with T.init():\n"
                    "                    Y[vi] = T.float32(7)\n"
                    "                Y[vi] = Y[vi] + X[vk]\n";
    value none[] = {array("float32", 0, NULL), array("float32", 2, (double[]){1, 2})};
    check_program(script, none, 2, (double[]){7, 2});
    value five[] = {array("float32", 5, (double[]){1, 2, 3, 4, 5}), array("float32", 2, (double[]){1, 2})};
    check_program(script, five, 2, (double[]){22, 2});
}

static void out_of_range(void **state) {
    (void)state;
    static const char read[] =
        MODULE FUNC "    def f(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n"
                    "        for i in range(4):\n"
                    "            B[i] = A[i + 1]\n";
    value a[] = {array("float32", 4, NULL), array("float32", 4, NULL)};
    refuse_program(read, a, 2, "f.py:6:");
    value b[] = {array("float32", 4, NULL), array("float32", 4, NULL)};
    refuse_program(read, b, 2, "f: read of A[4]: index 0 is 4, outside of the extent 4");
    static const char write[] = MODULE FUNC "    def f(A: T.Buffer((4, 2), \"float32\")):\n"
                                            "        for i in range(4):\n"
                                            "            A[i, i - 1] = T.float32(0)\n";
    value c[] = {floats(DTYPE_OF(F32), 2, (int64_t[]){4, 2}, NULL)};
    refuse_program(write, c, 1, "f: write to A[0, -1]: index 1 is -1, outside of the extent 2");
}

static void unwritten(void **state) {
    (void)state;
    static const char script[] = MODULE FUNC "    def f(B: T.Buffer((4,), \"float32\")):\n"
                                             "        with T.sblock(\"root\"):\n"
                                             "            A = T.sblock_alloc_buffer((4,))\n"
                                             "            for i in range(3):\n"
                                             "                A[i] = T.float32(1)\n"
                                             "            for i in range(4):\n"
                                             "                B[i] = A[i]\n";
    value a[] = {array("float32", 4, NULL)};
    refuse_program(script, a, 1, "f: read of A[3], which was never written");
    program_text p = open_program("f.py", script);
    value b = array("float32", 4, NULL), result;
    interp_options lax = {.allow_uninitialised = true};
    assert_true(interp_run(p.m, "f", &b, 1, &lax, p.mem, &result, p.d));
    interp_release(&b);
    close_program(&p);
}

static void precision(void **state) {
    (void)state;
    static const char half[] =
        MODULE FUNC "    def f(A: T.Buffer((3,), \"float16\"), B: T.Buffer((3,), \"float16\")):\n"
                    "        for i in range(3):\n"
                    "            B[i] = A[i] * A[i] + T.float16(1)\n";
    value a[] = {array("float16", 3, (double[]){300, 0.001, 45.25}), array("float16", 3, NULL)};
    // 300 * 300 overflows; 1 + 1e-6 is 1; 45.25 squared is 2047.5625, which rounds to 2048, then 2049 to 2048
    check_program(half, a, 2, (double[]){(double)INFINITY, 1, 2048});
    static const char wraps[] = MODULE FUNC "    def f(A: T.Buffer((2,), \"int8\"), B: T.Buffer((2,), \"int8\")):\n"
                                            "        for i in range(2):\n"
                                            "            B[i] = A[i] * T.int8(2) + T.int8(100)\n";
    value b[] = {array("int8", 2, (double[]){100, -3}), array("int8", 2, NULL)};
    check_program(wraps, b, 2, (double[]){44, 94});
    static const char wide[] = MODULE FUNC "    def f(A: T.Buffer((1,), \"int32\"), B: T.Buffer((1,), \"int32\")):\n"
                                           "        B[0] = A[0] * A[0]\n";
    value c[] = {array("int32", 1, (double[]){65537}), array("int32", 1, NULL)};
    check_program(wide, c, 2, (double[]){131073});
    static const char index[] = MODULE FUNC "    def f(A: T.Buffer((1,), \"int64\")):\n"
                                            "        A[0] = A[0] * T.int64(3)\n";
    value d[] = {array("int64", 1, (double[]){4611686018427387904.0})};
    refuse_program(index, d, 1, "f: 4611686018427387904 * 3 leaves the range of int64");
}

static void divisions(void **state) {
    (void)state;
    static const char script[] = MODULE FUNC
        "    def f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), C: T.Buffer((4, 4), \"int32\")):\n"
        "        for i in range(4):\n"
        "            C[0, i] = A[i] // B[i]\n"
        "            C[1, i] = A[i] % B[i]\n"
        "            C[2, i] = T.truncdiv(A[i], B[i])\n"
        "            C[3, i] = T.truncmod(A[i], B[i])\n";
    value a[] = {array("int32", 4, (double[]){7, -7, 7, -7}), array("int32", 4, (double[]){2, 2, -2, -2}),
                 floats(DTYPE_OF(I32), 2, (int64_t[]){4, 4}, NULL)};
    check_program(script, a, 3, (double[]){3, -4, -4, 3, 1, 1, -1, -1, 3, -3, -3, 3, 1, -1, 1, -1});
    value b[] = {array("int32", 4, (double[]){7, -7, 7, -7}), array("int32", 4, NULL),
                 floats(DTYPE_OF(I32), 2, (int64_t[]){4, 4}, NULL)};
    refuse_program(script, b, 3, "f: floordiv divides by zero");
}

static void domains(void **state) {
    (void)state;
    static const char script[] = MODULE FUNC "    def f(A: T.Buffer((8,), \"float32\")):\n"
                                             "        for i in range(8):\n"
                                             "            with T.sblock(\"half\"):\n"
                                             "                vi = T.axis.spatial(4, i)\n"
                                             "                A[vi] = T.float32(1)\n";
    value a[] = {array("float32", 8, NULL)};
    refuse_program(script, a, 1, "block half: an iteration variable is 4, outside of its domain [0, 4)");
    static const char guarded[] = MODULE FUNC "    def f(A: T.Buffer((6,), \"float32\")):\n"
                                              "        for i, j in T.grid(2, 4):\n"
                                              "            with T.sblock(\"guarded\"):\n"
                                              "                vi = T.axis.spatial(6, i * 4 + j)\n"
                                              "                T.where(i * 4 + j < 6)\n"
                                              "                A[vi] = T.Cast(\"float32\", vi)\n";
    value b[] = {array("float32", 6, NULL)};
    check_program(guarded, b, 1, (double[]){0, 1, 2, 3, 4, 5});
}

static void control(void **state) {
    (void)state;
    static const char script[] = MODULE FUNC "    def f(A: T.Buffer((6,), \"int32\")):\n"
                                             "        for i in range(6):\n"
                                             "            if i < 2:\n"
                                             "                A[i] = i\n"
                                             "            else:\n"
                                             "                A[i] = T.if_then_else(i < 5, A[i - 1] + A[i - 2], A[0])\n"
                                             "        while A[5] < 10:\n"
                                             "            A[5] = A[5] + 4\n";
    value a[] = {array("int32", 6, NULL)};
    check_program(script, a, 1, (double[]){0, 1, 1, 2, 3, 12});
    static const char jumps[] = MODULE FUNC "    def f(A: T.Buffer((6,), \"int32\")):\n"
                                            "        for i in range(6):\n"
                                            "            if i == 1:\n"
                                            "                T.continue_loop()\n"
                                            "            if i == 4:\n"
                                            "                T.break_loop()\n"
                                            "            A[i] = i + 10\n";
    value b[] = {array("int32", 6, NULL)};
    check_program(jumps, b, 1, (double[]){10, 0, 12, 13, 0, 0});
    static const char asserts[] = MODULE FUNC "    def f(A: T.Buffer((2,), \"int32\")):\n"
                                              "        assert A[0] == 1, \"A must begin with 1\"\n"
                                              "        A[1] = 5\n";
    value c[] = {array("int32", 2, (double[]){1, 0})};
    check_program(asserts, c, 1, (double[]){1, 5});
    value d[] = {array("int32", 2, NULL)};
    refuse_program(asserts, d, 1, "f: assertion failed: A must begin with 1");
    static const char forever[] = MODULE FUNC "    def f(A: T.Buffer((2,), \"int32\")):\n"
                                              "        while A[0] == 0:\n"
                                              "            A[1] = A[1] + 1\n";
    value e[] = {array("int32", 2, NULL)};
    refuse_program(forever, e, 1, "stopped after 100000 steps");
}

static void vectors(void **state) {
    (void)state;
    static const char script[] =
        MODULE FUNC "    def f(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"
                    "        B[0:4] = A[0:4] + T.Broadcast(T.float32(1), 4)\n"
                    "        B[4:8] = A[T.Ramp(7, -1, 4)]\n"
                    "        for i in T.vectorized(4):\n"
                    "            B[i] = B[i] * T.float32(2)\n"
                    "        B[1:8] = B[0:7]\n";
    value a[] = {array("float32", 8, (double[]){1, 2, 3, 4, 5, 6, 7, 8}), array("float32", 8, NULL)};
    check_program(script, a, 2, (double[]){4, 4, 6, 8, 10, 8, 7, 6});
}

static void views(void **state) {
    (void)state;
    static const char script[] =
        MODULE FUNC "    def f(A: T.Buffer((4, 4), \"float32\"), B: T.Buffer((2, 2), \"float32\")):\n"
                    "        for i, j in T.grid(2, 2):\n"
                    "            with T.sblock(\"corner\"):\n"
                    "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                    "                s = T.int32()\n"
                    "                S = T.match_buffer(A[vi * 2:vi * 2 + 2, vj * 2:vj * 2 + 2], (2, 2), strides=[s, "
                    "1], offset_factor=1)\n"
                    "                B[vi, vj] = S[0, 0] + S[1, 1] + T.Cast(\"float32\", s) * T.float32(100)\n";
    double number[16];
    for (int i = 0; i < 16; i++) number[i] = i;
    value a[] = {floats(DTYPE_OF(F32), 2, (int64_t[]){4, 4}, number),
                 floats(DTYPE_OF(F32), 2, (int64_t[]){2, 2}, NULL)};
    check_program(script, a, 2, (double[]){405, 409, 421, 425});
    static const char declared[] = MODULE FUNC "    def f(A: T.Buffer((2, 3), \"float32\")):\n"
                                               "        B = T.decl_buffer((6,), data=A.data)\n"
                                               "        for i in range(6):\n"
                                               "            B[i] = T.Cast(\"float32\", i)\n";
    value b[] = {floats(DTYPE_OF(F32), 2, (int64_t[]){2, 3}, NULL)};
    check_program(declared, b, 1, (double[]){0, 1, 2, 3, 4, 5});
    static const char too_large[] = MODULE FUNC "    def f(A: T.Buffer((2, 3), \"float32\")):\n"
                                                "        B = T.decl_buffer((7,), data=A.data)\n"
                                                "        B[6] = T.float32(0)\n";
    value c[] = {floats(DTYPE_OF(F32), 2, (int64_t[]){2, 3}, NULL)};
    refuse_program(too_large, c, 1, "f: write to B[6]: outside of the memory behind the buffer");
}

// What is stored in less than a byte keeps its neighbours.
static void packed(void **state) {
    (void)state;
    static const char script[] = MODULE FUNC "    def f(A: T.Buffer((5,), \"int4\")):\n"
                                             "        for i in range(5):\n"
                                             "            if i != 2:\n"
                                             "                A[i] = T.Cast(\"int4\", i * 3)\n";
    value a[] = {array("int4", 5, (double[]){1, 1, 7, 1, 1})};
    check_program(script, a, 1, (double[]){0, 3, 7, -7, -4});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matmul),       cmocka_unit_test(empty_reduction), cmocka_unit_test(empty_split_reduction),
        cmocka_unit_test(out_of_range), cmocka_unit_test(unwritten),       cmocka_unit_test(precision),
        cmocka_unit_test(divisions),    cmocka_unit_test(domains),         cmocka_unit_test(control),
        cmocka_unit_test(vectors),      cmocka_unit_test(views),           cmocka_unit_test(packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
