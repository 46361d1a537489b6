// t_graph.c - graph functions: boundary checks, branches, closures, recursion, calls of programs.
#include "programs.h"
#include "test.h"
#include <stdio.h>
#include <string.h>

static void expect_vector(value v, uint32_t n, const double *want) {
    assert_int_equal(v.kind, VALUE_TENSOR);
    assert_int_equal(tensor_count(v.as.tensor), n);
    for (uint32_t i = 0; i < n; i++) assert_float_equal(tensor_get_float(v.as.tensor, i), want[i], 1e-6);
}

static void release(value *arg, size_t count) {
    for (size_t i = 0; i < count; i++) interp_release(&arg[i]);
}

static value matrix(int64_t rows, int64_t columns) {
    return floats(DTYPE_OF(F32), 2, (int64_t[]){rows, columns}, NULL);
}

// --- The boundary.

static const char boundary_text[] =
    MODULE "    @R.function\n"
           "    def main(a: R.Tensor((\"n\", 4), \"float32\"), b: R.Tensor((\"n\",), \"float32\"), "
           "c: R.Tensor((\"n * 2\",), \"float32\")) -> R.Tensor((\"n\", 4), \"float32\"):\n"
           "        n = T.int64()\n"
           "        return a\n";

static void refuse(program_text *p, value a, value b, value c, const char *want) {
    value arg[3] = {a, b, c};
    run_refused(p, "main", arg, 3, NULL, want);
    release(arg, 3);
}

static void boundary(void **state) {
    (void)state;
    program_text p = open_program("main.py", boundary_text);
    refuse(&p, matrix(3, 4), vector_f32(7, NULL), vector_f32(6, NULL),
           "main: b.shape[0] is 7, but n is 3, bound by a.shape[0]");
    refuse(&p, matrix(3, 4), vector_f32(3, NULL), vector_f32(7, NULL),
           "main: c.shape[0] is 7, but n * 2 is 6, as n is 3, bound by a.shape[0]");
    refuse(&p, matrix(3, 5), vector_f32(3, NULL), vector_f32(6, NULL), "main: a.shape[1] is 5, but must be 4");
    refuse(&p, vector_f32(3, NULL), vector_f32(3, NULL), vector_f32(6, NULL), "main: a has 1 dim, but must have 2");
    refuse(&p, floats(DTYPE_OF(F16), 2, (int64_t[]){3, 4}, NULL), vector_f32(3, NULL), vector_f32(6, NULL),
           "main: a has dtype float16, but must have float32");
    refuse(&p, integer(3), vector_f32(3, NULL), vector_f32(6, NULL), "main: a is a number, but must be a tensor");
    close_program(&p);
}

// n * 2 alone binds n; a tuple's fields have names; shapes and numbers bind too.
static void binding(void **state) {
    (void)state;
    program_text p = open_program(
        "main.py", MODULE
        "    @R.function\n"
        "    def main(t: R.Tuple(R.Tensor((\"n * 2\",), \"float32\"), R.Shape([\"m\"])), k: R.Prim(\"int64\")) -> "
        "R.Shape(ndim=3):\n"
        "        n = T.int64()\n"
        "        m = T.int64()\n"
        "        s = R.shape([n, m, n + m])\n"
        "        return s\n");
    int64_t dim = 5;
    value item[2] = {vector_f32(6, NULL), {.kind = VALUE_SHAPE, .as.shape = {&dim, 1}}};
    value arg[2] = {{.kind = VALUE_TUPLE, .as.tuple = {item, 2}}, integer(1)};
    value result = run_ok(&p, "main", arg, 2);
    assert_int_equal(result.kind, VALUE_SHAPE);
    assert_int_equal(result.as.shape.dim[0], 3);
    assert_int_equal(result.as.shape.dim[1], 5);
    assert_int_equal(result.as.shape.dim[2], 8);
    interp_release(&item[0]);
    item[0] = vector_f32(5, NULL);
    run_refused(&p, "main", arg, 2, NULL, "main: t[0].shape[0] is 5, and no n is found for which n * 2 is that");
    interp_release(&item[0]);
    close_program(&p);
}

static void bounds(void **state) {
    (void)state;
    program_text p = open_program("main.py", MODULE "    @R.function\n"
                                                    "    def main(x: R.Tensor((\"n\",), \"float32\")):\n"
                                                    "        n = T.int64()\n"
                                                    "        R.func_attr({\"tir_var_upper_bound\": {\"n\": 4}, "
                                                    "\"tir_var_lower_bound\": {\"n\": 2}})\n"
                                                    "        return x\n");
    value x = vector_f32(5, NULL), y = vector_f32(1, NULL);
    run_refused(&p, "main", &x, 1, NULL, "main: x.shape[0] is 5, but n must be at most 4");
    run_refused(&p, "main", &y, 1, NULL, "main: x.shape[0] is 1, but n must be at least 2");
    interp_release(&x);
    interp_release(&y);
    close_program(&p);
}

static void match_cast(void **state) {
    (void)state;
    program_text p = open_program(
        "main.py", MODULE "    @R.function\n"
                          "    def main(x: R.Tensor(ndim=2, dtype=\"float32\"), y: R.Tensor((\"k\",), \"float32\")):\n"
                          "        k = T.int64()\n"
                          "        n = T.int64()\n"
                          "        z = R.match_cast(x, R.Tensor((n, k), \"float32\"))\n"
                          "        s = R.shape([n, k])\n"
                          "        return s\n");
    value arg[2] = {matrix(3, 4), vector_f32(4, NULL)}, result = run_ok(&p, "main", arg, 2);
    assert_int_equal(result.as.shape.dim[0], 3);
    interp_release(&arg[1]);
    arg[1] = vector_f32(5, NULL);
    run_refused(&p, "main", arg, 2, NULL, "main: x.shape[1] is 4, but k is 5, bound by y.shape[0]");
    release(arg, 2);
    close_program(&p);
}

// --- Control.

#define COUNT_DOWN                                                                                                     \
    "    @T.prim_func(private=True)\n"                                                                                 \
    "    def dec(A: T.Buffer((), \"int64\"), B: T.Buffer((), \"int64\")):\n"                                           \
    "        B[()] = A[()] - T.int64(1)\n"                                                                             \
    "    @T.prim_func(private=True)\n"                                                                                 \
    "    def positive(A: T.Buffer((), \"int64\"), B: T.Buffer((), \"bool\")):\n"                                       \
    "        B[()] = A[()] > T.int64(0)\n"                                                                             \
    "    @T.prim_func(private=True)\n"                                                                                 \
    "    def add(A: T.Buffer((), \"int64\"), B: T.Buffer((), \"int64\"), C: T.Buffer((), \"int64\")):\n"               \
    "        C[()] = A[()] + B[()]\n"

static value scalar_i64(int64_t i) {
    value v = floats(DTYPE_OF(I64), 0, NULL, NULL);
    tensor_set_int(v.as.tensor, 0, i);
    return v;
}

// A loop written as a self tail call; 100000 steps would not fit on any stack.
static void tail_calls(void **state) {
    (void)state;
    program_text p = open_program(
        "main.py", MODULE COUNT_DOWN
        "    @R.function\n"
        "    def main(i: R.Tensor((), \"int64\"), s: R.Tensor((), \"int64\")) -> R.Tensor((), \"int64\"):\n"
        "        cls = Module\n"
        "        c = R.call_tir(cls.positive, (i,), out_sinfo=R.Tensor((), \"bool\"))\n"
        "        if c:\n"
        "            j = R.call_tir(cls.dec, (i,), out_sinfo=R.Tensor((), \"int64\"))\n"
        "            t = R.call_tir(cls.add, (s, i), out_sinfo=R.Tensor((), \"int64\"))\n"
        "            r: R.Tensor((), \"int64\") = cls.main(j, t)\n"
        "        else:\n"
        "            r: R.Tensor((), \"int64\") = s\n"
        "        return r\n");
    value arg[2] = {scalar_i64(20000), scalar_i64(0)}, result = run_ok(&p, "main", arg, 2);
    assert_int_equal(tensor_get_int(result.as.tensor, 0), 200010000);
    interp_release(&result);
    release(arg, 2);
    close_program(&p);
}

// The same without a tail call: bounded, with a message.
static const char deep_text[] =
    MODULE COUNT_DOWN "    @R.function\n"
                      "    def main(i: R.Tensor((), \"int64\")) -> R.Tensor((), \"int64\"):\n"
                      "        cls = Module\n"
                      "        c = R.call_tir(cls.positive, (i,), out_sinfo=R.Tensor((), \"bool\"))\n"
                      "        if c:\n"
                      "            j = R.call_tir(cls.dec, (i,), out_sinfo=R.Tensor((), \"int64\"))\n"
                      "            k: R.Tensor((), \"int64\") = cls.main(j)\n"
                      "            r = R.call_tir(cls.add, (k, i), out_sinfo=R.Tensor((), \"int64\"))\n"
                      "        else:\n"
                      "            r: R.Tensor((), \"int64\") = i\n"
                      "        return r\n";

static void recursion(void **state) {
    (void)state;
    program_text p = open_program("main.py", deep_text);
    value some = scalar_i64(100), result = run_ok(&p, "main", &some, 1), many = scalar_i64(5000);
    assert_int_equal(tensor_get_int(result.as.tensor, 0), 5050);
    run_refused(&p, "main", &many, 1, NULL, "main: calls are nested more than 1000 deep");
    interp_release(&result);
    interp_release(&some);
    interp_release(&many);
    close_program(&p);
}

// A closure keeps what it captured, calls itself, and is passed on.
static void closures(void **state) {
    (void)state;
    program_text p = open_program(
        "main.py", MODULE COUNT_DOWN
        "    @R.function\n"
        "    def main(i: R.Tensor((), \"int64\"), step: R.Tensor((), \"int64\")) -> R.Tensor((), \"int64\"):\n"
        "        cls = Module\n"
        "        @R.function\n"
        "        def sum(k: R.Tensor((), \"int64\"), s: R.Tensor((), \"int64\")) -> R.Tensor((), \"int64\"):\n"
        "            c = R.call_tir(cls.positive, (k,), out_sinfo=R.Tensor((), \"bool\"))\n"
        "            if c:\n"
        "                j = R.call_tir(cls.dec, (k,), out_sinfo=R.Tensor((), \"int64\"))\n"
        "                t = R.call_tir(cls.add, (s, step), out_sinfo=R.Tensor((), \"int64\"))\n"
        "                r: R.Tensor((), \"int64\") = sum(j, t)\n"
        "            else:\n"
        "                r: R.Tensor((), \"int64\") = s\n"
        "            return r\n"
        "        f = sum\n"
        "        y: R.Tensor((), \"int64\") = f(i, i)\n"
        "        return y\n");
    value arg[2] = {scalar_i64(2000), scalar_i64(3)}, result = run_ok(&p, "main", arg, 2);
    assert_int_equal(tensor_get_int(result.as.tensor, 0), 8000);
    interp_release(&result);
    release(arg, 2);
    close_program(&p);
}

// --- Calls.

static void programs(void **state) {
    (void)state;
    program_text p = open_program(
        "main.py", MODULE
        "    @T.prim_func(private=True)\n"
        "    def scale(X: T.Buffer((3,), \"float32\"), Y: T.Buffer((3,), \"float32\"), Z: T.Buffer((3,), "
        "\"float32\"), k: T.int64):\n"
        "        for i in range(3):\n"
        "            Y[i] = X[i] * T.Cast(\"float32\", k)\n"
        "            Z[i] = X[i] + T.Cast(\"float32\", k)\n"
        "    @T.prim_func(private=True)\n"
        "    def bump(X: T.Buffer((3,), \"float32\")):\n"
        "        for i in range(3):\n"
        "            X[i] = X[i] + T.float32(1)\n"
        "    @R.function\n"
        "    def main(x: R.Tensor((3,), \"float32\"), s: R.Shape([\"k\"])):\n"
        "        k = T.int64()\n"
        "        cls = Module\n"
        "        t = R.call_tir(cls.scale, (x,), out_sinfo=[R.Tensor((3,), \"float32\"), R.Tensor((3,), "
        "\"float32\")], tir_vars=R.shape([k + 1]))\n"
        "        y = t[0]\n"
        "        z = R.call_tir_inplace(cls.bump, (y,), inplace_indices=[0], out_sinfo=R.Tensor((3,), \"float32\"))\n"
        "        w = t[1]\n"
        "        return (z, w)\n");
    int64_t k = 9;
    value arg[2] = {vector_f32(3, (double[]){1, 2, 3}), {.kind = VALUE_SHAPE, .as.shape = {&k, 1}}};
    value result = run_ok(&p, "main", arg, 2);
    assert_int_equal(result.kind, VALUE_TUPLE);
    expect_vector(result.as.tuple.item[0], 3, (double[]){11, 21, 31});
    expect_vector(result.as.tuple.item[1], 3, (double[]){11, 12, 13});
    interp_release(&result);
    interp_release(&arg[0]);
    close_program(&p);
}

static bool square(value *arg, uint32_t count, value *result, char why[256]) {
    (void)result;
    if (count != 2) return snprintf(why, 256, "want two arguments"), false;
    for (size_t i = 0; i < (size_t)tensor_count(arg[0].as.tensor); i++) {
        double x = tensor_get_float(arg[0].as.tensor, i);
        tensor_set_float(arg[1].as.tensor, i, x * x);
    }
    return true;
}

static bool size(value *arg, uint32_t count, value *result, char why[256]) {
    static int64_t dim;
    if (count != 1 || arg[0].kind != VALUE_TENSOR) return snprintf(why, 256, "want a tensor"), false;
    dim = tensor_count(arg[0].as.tensor);
    *result = (value){.kind = VALUE_SHAPE, .as.shape = {&dim, 1}};
    return true;
}

static void externals(void **state) {
    (void)state;
    static const interp_binding own[] = {{"my.square", square}, {"my.size", size}};
    program_text p = open_program(
        "main.py", MODULE "    @R.function(pure=False)\n"
                          "    def main(x: R.Tensor((\"n\",), \"float32\")):\n"
                          "        n = T.int64()\n"
                          "        y = R.call_dps_packed(\"my.square\", (x,), out_sinfo=R.Tensor((n,), \"float32\"))\n"
                          "        s = R.call_packed(\"my.size\", x, sinfo_args=(R.Shape(ndim=1),))\n"
                          "        return (y, s)\n");
    interp_options o = {.externals = own, .external_count = 2};
    value x = vector_f32(3, (double[]){1, 2, 3}), result;
    if (!interp_run(p.m, "main", &x, 1, &o, p.mem, &result, p.d)) fail_msg("%s", messages(&p));
    expect_vector(result.as.tuple.item[0], 3, (double[]){1, 4, 9});
    assert_int_equal(result.as.tuple.item[1].as.shape.dim[0], 3);
    interp_release(&result);
    run_refused(&p, "main", &x, 1, NULL, "my.square: no function of this name");
    interp_release(&x);
    close_program(&p);
}

// An operator whose operand is only known by rank runs over what it is.
static void operators(void **state) {
    (void)state;
    program_text p = open_program(
        "main.py", MODULE "    @R.function\n"
                          "    def main(x: R.Tensor((\"n\",), \"float32\"), y: R.Tensor(ndim=1, dtype=\"float32\")):\n"
                          "        n = T.int64()\n"
                          "        a = R.add(x, x)\n"
                          "        b = R.multiply(y, R.const(3, \"float32\"))\n"
                          "        c = R.negative(b)\n"
                          "        return (a, c)\n");
    value arg[2] = {vector_f32(2, (double[]){1, 2}), vector_f32(3, (double[]){1, 2, 3})};
    value result = run_ok(&p, "main", arg, 2);
    expect_vector(result.as.tuple.item[0], 2, (double[]){2, 4});
    expect_vector(result.as.tuple.item[1], 3, (double[]){-3, -6, -9});
    interp_release(&result);
    release(arg, 2);
    close_program(&p);
}

// What a program leaves unwritten is noticed by the next one that reads it.
static void unwritten(void **state) {
    (void)state;
    program_text p =
        open_program("main.py", MODULE "    @T.prim_func(private=True)\n"
                                       "    def half(X: T.Buffer((4,), \"float32\"), Y: T.Buffer((4,), \"float32\")):\n"
                                       "        for i in range(2):\n"
                                       "            Y[i] = X[i]\n"
                                       "    @T.prim_func(private=True)\n"
                                       "    def copy(X: T.Buffer((4,), \"float32\"), Y: T.Buffer((4,), \"float32\")):\n"
                                       "        for i in range(4):\n"
                                       "            Y[i] = X[i]\n"
                                       "    @R.function\n"
                                       "    def main(x: R.Tensor((4,), \"float32\")):\n"
                                       "        cls = Module\n"
                                       "        y = R.call_tir(cls.half, (x,), out_sinfo=R.Tensor((4,), \"float32\"))\n"
                                       "        z = R.call_tir(cls.copy, (y,), out_sinfo=R.Tensor((4,), \"float32\"))\n"
                                       "        return z\n"
                                       "    @R.function\n"
                                       "    def half_of(x: R.Tensor((4,), \"float32\")):\n"
                                       "        cls = Module\n"
                                       "        y = R.call_tir(cls.half, (x,), out_sinfo=R.Tensor((4,), \"float32\"))\n"
                                       "        return (x, y)\n");
    value x = vector_f32(4, NULL);
    run_refused(&p, "main", &x, 1, NULL, "copy: read of X[2], which was never written");
    run_refused(&p, "half_of", &x, 1, NULL, "half_of: element 2 of result 1 was never written");
    interp_release(&x);
    close_program(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boundary),   cmocka_unit_test(binding),    cmocka_unit_test(bounds),
        cmocka_unit_test(match_cast), cmocka_unit_test(tail_calls), cmocka_unit_test(recursion),
        cmocka_unit_test(closures),   cmocka_unit_test(programs),   cmocka_unit_test(externals),
        cmocka_unit_test(operators),  cmocka_unit_test(unwritten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
