// t_threads.c - programs over the threads of a block: barriers, memory of a block and of a thread; and calls.
#include "programs.h"
#include "test.h"
#include <stdio.h>
#include <string.h>

// Each block turns its four elements round, through memory that its threads share.
static void barrier(void **state) {
    (void)state;
    static const char script[] =
        MODULE FUNC "    def f(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"
                    "        bx = T.launch_thread(\"blockIdx.x\", 2)\n"
                    "        tx = T.launch_thread(\"threadIdx.x\", 4)\n"
                    "        S_1 = T.alloc_buffer((4,), scope=\"shared\")\n"
                    "        S_1[tx] = A[bx * 4 + tx]\n"
                    "        T.tvm_storage_sync(\"shared\")\n"
                    "        B[bx * 4 + tx] = S_1[3 - tx]\n";
    value a[] = {vector_f32(8, (double[]){1, 2, 3, 4, 5, 6, 7, 8}), vector_f32(8, NULL)};
    check_program(script, a, 2, (double[]){4, 3, 2, 1, 8, 7, 6, 5});
}

// Without the barrier the first thread would read what nobody has written.
static void no_barrier(void **state) {
    (void)state;
    static const char script[] =
        MODULE FUNC "    def f(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n"
                    "        S_1 = T.alloc_buffer((4,), scope=\"shared\")\n"
                    "        tx = T.launch_thread(\"threadIdx.x\", 4)\n"
                    "        S_1[tx] = A[tx]\n"
                    "        B[tx] = S_1[3 - tx]\n";
    value a[] = {vector_f32(4, NULL), vector_f32(4, NULL)};
    refuse_program(script, a, 2, "f: read of S_1[3], which was never written");
}

static void divergent(void **state) {
    (void)state;
    static const char script[] = MODULE FUNC "    def f(B: T.Buffer((4,), \"float32\")):\n"
                                             "        tx = T.launch_thread(\"threadIdx.x\", 4)\n"
                                             "        if tx < 2:\n"
                                             "            T.tvm_storage_sync(\"shared\")\n"
                                             "        B[tx] = T.float32(1)\n";
    value a[] = {vector_f32(4, NULL)};
    refuse_program(script, a, 1, "f: thread (0, 0, 0) waits at a barrier that thread (2, 0, 0) does not reach");
}

// A tree of sums: barriers in a loop; two dims of threads.
static void tree(void **state) {
    (void)state;
    static const char script[] =
        MODULE FUNC "    def f(A: T.Buffer((2, 8), \"float32\"), B: T.Buffer((2,), \"float32\")):\n"
                    "        with T.launch_thread(\"threadIdx.y\", 2) as ty:\n"
                    "            tx = T.launch_thread(\"threadIdx.x\", 8)\n"
                    "            S_1 = T.alloc_buffer((2, 8), scope=\"shared\")\n"
                    "            S_1[ty, tx] = A[ty, tx]\n"
                    "            for step in range(3):\n"
                    "                T.tvm_storage_sync(\"shared\")\n"
                    "                if tx < T.shift_right(4, step):\n"
                    "                    S_1[ty, tx] = S_1[ty, tx] + S_1[ty, tx + T.shift_right(4, step)]\n"
                    "            if tx == 0:\n"
                    "                B[ty] = S_1[ty, 0]\n";
    double number[16];
    for (int i = 0; i < 16; i++) number[i] = i;
    value a[] = {floats(DTYPE_OF(F32), 2, (int64_t[]){2, 8}, number), vector_f32(2, NULL)};
    check_program(script, a, 2, (double[]){28, 92});
}

// Local memory from outside of the threads is each thread's own.
static void local(void **state) {
    (void)state;
    static const char script[] = MODULE FUNC "    def f(B: T.Buffer((4,), \"float32\")):\n"
                                             "        L_1 = T.alloc_buffer((1,), scope=\"local\")\n"
                                             "        tx = T.launch_thread(\"threadIdx.x\", 4)\n"
                                             "        L_1[0] = T.Cast(\"float32\", tx)\n"
                                             "        T.tvm_storage_sync(\"shared\")\n"
                                             "        B[tx] = L_1[0]\n";
    value a[] = {vector_f32(4, NULL)};
    check_program(script, a, 1, (double[]){0, 1, 2, 3});
}

// A loop over the threads inside of one over the same threads: each does its share, between barriers.
static void cooperative(void **state) {
    (void)state;
    static const char script[] =
        MODULE FUNC "    def f(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n"
                    "        with T.sblock(\"root\"):\n"
                    "            S = T.sblock_alloc_buffer((4,), scope=\"shared\")\n"
                    "            N = T.sblock_alloc_buffer((1,), \"int32\", scope=\"shared\")\n"
                    "            N[0] = 0\n"
                    "            for tx in T.thread_binding(4, thread=\"threadIdx.x\"):\n"
                    "                for t2 in T.thread_binding(4, thread=\"threadIdx.x\"):\n"
                    "                    S[t2] = A[t2]\n"
                    "                    N[0] = N[0] + 1\n"
                    "                B[tx] = S[3 - tx] + T.Cast(\"float32\", N[0]) * T.float32(10)\n";
    value a[] = {vector_f32(4, (double[]){1, 2, 3, 4}), vector_f32(4, NULL)};
    check_program(script, a, 2,
                  (double[]){44, 43, 42, 41}); // four threads copied one element each, not four times four
}

// --- Calls.

static void programs_call(void **state) {
    (void)state;
    static const char script[] = MODULE "    @T.prim_func(private=True)\n"
                                        "    def twice(var_x: T.handle, var_y: T.handle, add: T.float32):\n"
                                        "        m = T.int64()\n"
                                        "        X = T.match_buffer(var_x, (m,))\n"
                                        "        Y = T.match_buffer(var_y, (m,))\n"
                                        "        for i in range(m):\n"
                                        "            Y[i] = X[i] * T.float32(2) + add\n"
                                        "    @T.prim_func\n"
                                        "    def f(var_x: T.handle, var_y: T.handle):\n"
                                        "        m = T.int64()\n"
                                        "        X = T.match_buffer(var_x, (m,))\n"
                                        "        Y = T.match_buffer(var_y, (m,))\n"
                                        "        if m <= T.int64(2):\n"
                                        "            Module.twice(var_x, var_y, T.float32(1))\n"
                                        "        else:\n"
                                        "            Module.twice(var_x, var_y, T.float32(100))\n";
    value a[] = {vector_f32(2, (double[]){1, 2}), vector_f32(2, NULL)};
    check_program(script, a, 2, (double[]){3, 5});
    value b[] = {vector_f32(3, (double[]){1, 2, 3}), vector_f32(3, NULL)};
    check_program(script, b, 2, (double[]){102, 104, 106});
}

static void endless(void **state) {
    (void)state;
    static const char script[] = MODULE "    @T.prim_func\n"
                                        "    def f(var_x: T.handle):\n"
                                        "        X = T.match_buffer(var_x, (4,))\n"
                                        "        Module.f(var_x)\n";
    value a[] = {vector_f32(4, NULL)};
    refuse_program(script, a, 1, "f: calls are nested more than 1000 deep");
}

static bool reverse(value *arg, uint32_t count, value *result, char why[256]) {
    (void)result;
    if (count != 2 || arg[0].kind != VALUE_TENSOR || arg[1].kind != VALUE_TENSOR)
        return snprintf(why, 256, "want two tensors"), false;
    const tensor *from = arg[0].as.tensor;
    for (int64_t i = 0, n = tensor_count(from); i < n; i++)
        tensor_set_float(arg[1].as.tensor, (size_t)(n - 1 - i), tensor_get_float(from, (size_t)i));
    return true;
}

static void externals(void **state) {
    (void)state;
    static const char script[] =
        MODULE FUNC "    def f(A: T.Buffer((3,), \"float32\"), B: T.Buffer((3,), \"float32\")):\n"
                    "        T.call_packed(\"my.reverse\", T.tvm_stack_make_array(A.data, T.tvm_stack_make_shape(3), "
                    "0, 1, T.float32(0), 0), "
                    "T.tvm_stack_make_array(B.data, T.tvm_stack_make_shape(3), 0, 1, T.float32(0), 0))\n";
    static const interp_binding own = {"my.reverse", reverse};
    program_text p = open_program("f.py", script);
    interp_options o = {.externals = &own, .external_count = 1};
    value a[] = {vector_f32(3, (double[]){1, 2, 3}), vector_f32(3, NULL)}, result;
    if (!interp_run(p.m, "f", a, 2, &o, p.mem, &result, p.d)) fail_msg("%s", messages(&p));
    assert_float_equal(tensor_get_float(a[1].as.tensor, 0), 3, 0);
    run_refused(&p, "f", a, 2, NULL, "my.reverse: no function of this name; give it as an external");
    interp_release(&a[0]);
    interp_release(&a[1]);
    close_program(&p);
}

static void returns(void **state) {
    (void)state;
    static const char script[] = MODULE "    @T.prim_func\n"
                                        "    def f(n: T.int32) -> T.int32:\n"
                                        "        T.ret(n * 3)\n";
    program_text p = open_program("f.py", script);
    value n = integer(5), result = run_ok(&p, "f", &n, 1);
    assert_int_equal(result.kind, VALUE_PRIM);
    assert_int_equal(result.as.prim.scalar.i, 15);
    close_program(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barrier),       cmocka_unit_test(no_barrier), cmocka_unit_test(divergent),
        cmocka_unit_test(tree),          cmocka_unit_test(local),      cmocka_unit_test(cooperative),
        cmocka_unit_test(programs_call), cmocka_unit_test(endless),    cmocka_unit_test(externals),
        cmocka_unit_test(returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
