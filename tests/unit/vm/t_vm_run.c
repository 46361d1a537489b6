// t_vm_run.c - every instruction, run.
#include "base/cpu.h"
#include "base/postfix.h"
#include "fixture.h"
#include "support/kernels.h"
#include <stdlib.h>
#include <string.h>

static const dtype f32 = {.kind = DTYPE_F32, .lanes = 1};

// main(a: (n, 4), b: (n, 4)): one storage, two tensors in it in turn; a + b, then added to a.
static fixture adding(void) {
    fixture f = fixture_new();
    fixture_kernels(&f);
    const char *dims[] = {"!n", "4"}, *again[] = {"n", "4"};
    exec_param p[] = {param(&f, "a", tensor_of(&f, "R.Tensor((n, 4), dtype=\"float32\")", f32, 2, dims)),
                      param(&f, "b", tensor_of(&f, "R.Tensor((n, 4), dtype=\"float32\")", f32, 2, again))};
    function(&f, "main", p, 2, 6);
    uint8_t n16[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SMALL, 16, POSTFIX_MUL};
    uint8_t n4[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SMALL, 4, POSTFIX_MUL};
    uint32_t bytes = exec_writer_program(f.w, n16, sizeof n16), count = exec_writer_program(f.w, n4, sizeof n4);
    uint32_t n = exec_writer_slot(f.w, 0), four = exec_writer_int(f.w, 4), zero = exec_writer_int(f.w, 0);
    EMIT(&f, OP_ALLOC_STORAGE, 2, bytes);
    EMIT(&f, OP_ALLOC_TENSOR, 3, 2, zero, op_dtype(f32), 2, n, four);
    EMIT(&f, OP_SLOT, 4, count);
    emit_launch(&f, K_ADD, 3, (uint32_t[]){0, 1, 3}, 1, (uint32_t[]){exec_writer_slot(f.w, 4)});
    EMIT(&f, OP_ALLOC_STORAGE, 4, bytes);
    EMIT(&f, OP_ALLOC_TENSOR, 5, 4, zero, op_dtype(f32), 2, n, four);
    EMIT(&f, OP_KILL, 2, 2, 4);
    emit_launch(&f, K_ADD, 3, (uint32_t[]){0, 3, 5}, 1, (uint32_t[]){exec_writer_slot(f.w, 4)});
    EMIT(&f, OP_RET, 5);
    return f;
}

static void test_add(void **state) {
    (void)state;
    fixture f = adding();
    fixture_load(&f, NULL);
    for (int64_t n = 0; n < 1000; n = n * 3 + 1) {
        rx_value *arg[] = {counting(2, (int64_t[]){n, 4}, 0), counting(2, (int64_t[]){n, 4}, 10)}, *out;
        if (rx_context_call(f.ctx, "main", arg, 2, &out) != RX_OK) fail_msg("%s", rx_context_message(f.ctx));
        assert_int_equal(rx_value_kind(out), RX_TENSOR);
        assert_int_equal(rx_tensor_dims(out)[0], n);
        assert_int_equal(rx_tensor_bytes(out), n * 16);
        for (int64_t i = 0; i < n * 4; i++) assert_float_equal(element(out, (size_t)i), 3 * (float)i + 10, 0);
        for (int i = 0; i < 2; i++) rx_value_release(arg[i]);
        rx_value_release(out);
    }
    fixture_free(&f);
}

// ---- functions of a variant ----

// main gives x; a private function gives x + x, in the place of main or of nothing, where `variant` was chosen.
static float run_replaced(uint32_t variant, bool own) {
    fixture f = fixture_new();
    fixture_kernels(&f);
    const char *dims[] = {"!n"};
    exec_param p = param(&f, "x", tensor_of(&f, "R.Tensor((n,), dtype=\"float32\")", f32, 1, dims));
    uint32_t main_ = function(&f, "main", &p, 1, 2);
    exec_writer_begin(f.w, main_);
    EMIT(&f, OP_RET, 0);
    uint32_t by = exec_writer_function(f.w, &(exec_function){.name = exec_writer_string(f.w, "main"),
                                                             .params = 1,
                                                             .num_input = 1,
                                                             .param = &p,
                                                             .result = EXEC_NONE,
                                                             .registers = 3,
                                                             .slots = 3});
    exec_writer_begin(f.w, by);
    uint32_t bytes = exec_writer_int(f.w, 64), n = exec_writer_slot(f.w, 0), zero = exec_writer_int(f.w, 0);
    EMIT(&f, OP_ALLOC_STORAGE, 1, bytes);
    EMIT(&f, OP_ALLOC_TENSOR, 2, 1, zero, op_dtype(f32), 1, n);
    emit_launch(&f, K_ADD, 3, (uint32_t[]){0, 0, 2}, 1, (uint32_t[]){n});
    EMIT(&f, OP_RET, 2);
    exec_writer_replacement(f.w, &(exec_replacement){variant, own ? by : main_, by});
    fixture_load(&f, NULL);
    rx_value *arg = counting(1, (int64_t[]){4}, 1), *out;
    if (rx_context_call(f.ctx, "main", &arg, 1, &out) != RX_OK) fail_msg("%s", rx_context_message(f.ctx));
    float first = element(out, 0);
    rx_value_release(arg);
    rx_value_release(out);
    fixture_free(&f);
    return first;
}

static void test_functions_of_a_variant(void **state) {
    (void)state;
    assert_float_equal(run_replaced(0, false), 2, 0); // x + x in the place of x
    assert_float_equal(run_replaced(0, true), 1, 0);  // a private function that is nobody's stand-in
}

// ---- values ----

static rx_value *call(fixture *f, const char *name, rx_value *const *arg, uint32_t count) {
    rx_value *out;
    if (rx_context_call(f->ctx, name, arg, count, &out) != RX_OK) fail_msg("%s: %s", name, rx_context_message(f->ctx));
    return out;
}

// The text of a call's result, in `out`.
static const char *printed(fixture *f, const char *name, rx_value *const *arg, uint32_t count, char out[512]) {
    rx_value *v = call(f, name, arg, count);
    rx_value_print(v, out, 512);
    rx_value_release(v);
    return out;
}

static void expect_failure(fixture *f, const char *name, rx_value *const *arg, uint32_t count, rx_status want,
                           const char *message) {
    rx_value *out;
    assert_int_equal(rx_context_call(f->ctx, name, arg, count, &out), want);
    assert_null(out);
    assert_string_equal(rx_context_message(f->ctx), message);
}

static uint32_t string_constant(fixture *f, const char *text) {
    return exec_writer_constant(
        f->w, &(exec_constant){.kind = CONSTANT_STRING, .bytes = {(const uint8_t *)text, strlen(text)}});
}

static uint32_t prim_constant(fixture *f, dtype t, int64_t bits) {
    return exec_writer_constant(f->w, &(exec_constant){.kind = CONSTANT_PRIM, .type = t, .bits = bits});
}

static uint32_t anything(fixture *f) {
    return exec_writer_annotation(f->w, &(exec_annotation){.rank = -1, .text = exec_writer_string(f->w, "R.Object")});
}

static const dtype i64 = {.kind = DTYPE_I64, .lanes = 1}, boolean = {.kind = DTYPE_BOOL, .lanes = 1};

static void test_constants_and_tuples(void **state) {
    (void)state;
    fixture f = fixture_new();
    float data[] = {1.5f, -2, 3};
    uint32_t t = exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_TENSOR,
                                                            .type = f32,
                                                            .dims = 1,
                                                            .dim = (int64_t[]){3},
                                                            .bytes = {(const uint8_t *)data, 12}});
    uint32_t s =
        exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_SHAPE, .dims = 2, .dim = (int64_t[]){0, 7}});
    uint32_t none = exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_NULL});
    function(&f, "main", NULL, 0, 8);
    EMIT(&f, OP_CONST, 0, t);
    EMIT(&f, OP_CONST, 1, s);
    EMIT(&f, OP_CONST, 2, string_constant(&f, "text"));
    EMIT(&f, OP_CONST, 3, prim_constant(&f, i64, -5));
    EMIT(&f, OP_CONST, 4, none);
    EMIT(&f, OP_TUPLE, 5, 2, 0, 1);
    EMIT(&f, OP_TUPLE, 6, 5, 5, 2, 3, 4, 5);
    EMIT(&f, OP_ITEM, 7, 6, 0);
    EMIT(&f, OP_ITEM, 7, 7, 1);
    EMIT(&f, OP_COPY, 7, 7);
    EMIT(&f, OP_TUPLE, 0, 2, 6, 7);
    EMIT(&f, OP_RET, 0);
    fixture_load(&f, NULL);
    char text[512];
    assert_string_equal(
        printed(&f, "main", NULL, 0, text),
        "(((float32[3] = 1.5, -2, 3, (0, 7)), 'text', -5, null, (float32[3] = 1.5, -2, 3, (0, 7))), (0, 7))");
    // Values outlive their context and their file's handle.
    rx_value *v = call(&f, "main", NULL, 0);
    rx_context_release(f.ctx);
    rx_executable_release(f.exe);
    f.ctx = NULL;
    f.exe = NULL;
    rx_value_print(v, text, sizeof text);
    assert_non_null(strstr(text, "float32[3] = 1.5, -2, 3"));
    rx_value_release(v);
    fixture_free(&f);
}

// sizes(s: Shape((n, m))): the slot, prim and shape instructions; the prim goes back into a slot.
static void test_shapes_and_scalars(void **state) {
    (void)state;
    fixture f = fixture_new();
    exec_param p[] = {param(&f, "s", shape_of(&f, "R.Shape([n, m])", 2, (const char *[]){"!n", "!m"}))};
    uint8_t sum[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SLOT, 1, 0, 0, 0, POSTFIX_ADD};
    function(&f, "sizes", p, 1, 4);
    EMIT(&f, OP_PRIM, 1, op_dtype(i64), exec_writer_program(f.w, sum, sizeof sum));
    EMIT(&f, OP_SLOT_PRIM, 5, 1);
    EMIT(&f, OP_SHAPE, 2, 3, exec_writer_slot(f.w, 5), exec_writer_slot(f.w, 0), exec_writer_int(f.w, 1000));
    EMIT(&f, OP_TUPLE, 3, 2, 1, 2);
    EMIT(&f, OP_RET, 3);
    fixture_load(&f, NULL);
    char text[512];
    rx_value *s;
    assert_int_equal(rx_shape_new(2, (int64_t[]){3, 0}, &s), RX_OK);
    assert_string_equal(printed(&f, "sizes", &s, 1, text), "(3, (3, 3, 1000))");
    rx_value_release(s);
    assert_int_equal(rx_shape_new(2, (int64_t[]){INT64_MAX, 1}, &s), RX_OK);
    expect_failure(&f, "sizes", &s, 1, RX_INVALID_ARGUMENT,
                   "sizes: n + m leaves the range of int64, as n is 9223372036854775807 and m is 1");
    rx_value_release(s);
    fixture_free(&f);
}

// ---- control flow ----

// choose(c: bool): "yes" or "no"; small(s: (n,)): whether n <= 8.
static void test_branches(void **state) {
    (void)state;
    fixture f = fixture_new();
    exec_param c[] = {param(&f, "c", anything(&f))};
    uint32_t yes = string_constant(&f, "yes"), no = string_constant(&f, "no");
    function(&f, "choose", c, 1, 2);
    uint32_t otherwise = exec_writer_label(f.w), end = exec_writer_label(f.w);
    EMIT(&f, OP_IF, 0);
    exec_writer_jump(f.w, otherwise);
    EMIT(&f, OP_CONST, 1, yes);
    exec_writer_op(f.w, OP_GOTO);
    exec_writer_jump(f.w, end);
    exec_writer_place(f.w, otherwise);
    EMIT(&f, OP_CONST, 1, no);
    exec_writer_place(f.w, end);
    EMIT(&f, OP_RET, 1);
    exec_param s[] = {param(&f, "s", shape_of(&f, "R.Shape([n])", 1, (const char *[]){"!n"}))};
    uint8_t le[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SMALL, 8, POSTFIX_LE};
    function(&f, "small", s, 1, 2);
    otherwise = exec_writer_label(f.w);
    EMIT(&f, OP_WHEN, exec_writer_program(f.w, le, sizeof le));
    exec_writer_jump(f.w, otherwise);
    EMIT(&f, OP_CONST, 1, yes);
    EMIT(&f, OP_RET, 1);
    exec_writer_place(f.w, otherwise);
    EMIT(&f, OP_CONST, 1, no);
    EMIT(&f, OP_RET, 1);
    fixture_load(&f, NULL);
    char text[512];
    for (int i = 0; i < 2; i++) {
        rx_value *v, *t;
        assert_int_equal(rx_int_new("bool", i, &v), RX_OK);
        assert_int_equal(rx_tensor_new("bool", 0, NULL, NULL, &t), RX_OK);
        *(uint8_t *)rx_tensor_data(t) = (uint8_t)i;
        assert_string_equal(printed(&f, "choose", &v, 1, text), i ? "'yes'" : "'no'");
        assert_string_equal(printed(&f, "choose", &t, 1, text), i ? "'yes'" : "'no'");
        rx_value_release(v);
        rx_value_release(t);
        assert_int_equal(rx_shape_new(1, (int64_t[]){8 + !i}, &v), RX_OK);
        assert_string_equal(printed(&f, "small", &v, 1, text), i ? "'yes'" : "'no'");
        expect_failure(&f, "choose", &v, 1, RX_INVALID_ARGUMENT,
                       "choose: the condition of an if is a shape, want one bool");
        rx_value_release(v);
    }
    fixture_free(&f);
}

// A self tail call as a jump: counts slot 5 from n down to 0 and adds up in slot 6; the loop-carried shape is matched
// again.
static fixture looping(void) {
    fixture f = fixture_new();
    uint32_t a = shape_of(&f, "R.Shape([n])", 1, (const char *[]){"!n"});
    exec_param p[] = {param(&f, "s", a)};
    uint8_t positive[] = {POSTFIX_SMALL, 0, POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_LT};
    uint8_t minus[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SMALL, 1, POSTFIX_SUB};
    uint8_t plus[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SLOT, 6, 0, 0, 0, POSTFIX_ADD};
    function(&f, "main", p, 1, 3);
    uint32_t head = exec_writer_label(f.w), done = exec_writer_label(f.w);
    exec_writer_place(f.w, head);
    EMIT(&f, OP_WHEN, exec_writer_program(f.w, positive, sizeof positive));
    exec_writer_jump(f.w, done);
    EMIT(&f, OP_SLOT, 6, exec_writer_program(f.w, plus, sizeof plus));
    EMIT(&f, OP_SHAPE, 1, 1, exec_writer_program(f.w, minus, sizeof minus));
    EMIT(&f, OP_COPY, 0, 1);
    EMIT(&f, OP_MATCH, 0, a, string_constant(&f, "s"));
    exec_writer_op(f.w, OP_GOTO);
    exec_writer_jump(f.w, head);
    exec_writer_place(f.w, done);
    EMIT(&f, OP_PRIM, 2, op_dtype(i64), exec_writer_slot(f.w, 6));
    EMIT(&f, OP_RET, 2);
    return f;
}

static void test_loop(void **state) {
    (void)state;
    fixture f = looping();
    fixture_load(&f, &(rx_context_options){.struct_size = sizeof(rx_context_options), .step_limit = 1000000});
    char text[512];
    rx_value *s;
    assert_int_equal(rx_shape_new(1, (int64_t[]){1000}, &s), RX_OK);
    assert_string_equal(printed(&f, "main", &s, 1, text), "500500");
    rx_value_release(s);
    assert_int_equal(rx_shape_new(1, (int64_t[]){1000000000}, &s), RX_OK);
    expect_failure(&f, "main", &s, 1, RX_CANCELLED, "main: stopped at the limit of 1000000 instructions");
    rx_context_cancel(f.ctx); // before the call: forgotten when it returns
    expect_failure(&f, "main", &s, 1, RX_CANCELLED, "cancelled");
    rx_value_release(s);
    fixture_free(&f);
}

// Every instruction counts, in a straight line too; an inner call's arguments as well.
static void test_step_limit(void **state) {
    (void)state;
    enum { COPIES = 9, INNER = 1 + 1, OUTER = COPIES + 1 + 1 }; // an argument and `ret`; the copies, `call` and `ret`
    for (uint64_t limit = 1; limit <= OUTER + INNER + 1; limit++) {
        fixture f = fixture_new();
        exec_param p[] = {param(&f, "x", anything(&f))};
        uint32_t same = function(&f, "same", p, 1, 1);
        EMIT(&f, OP_RET, 0);
        function(&f, "main", p, 1, 2);
        for (int i = 0; i < COPIES; i++) EMIT(&f, OP_COPY, 1, 0);
        EMIT(&f, OP_CALL, 1, same, 1, 0);
        EMIT(&f, OP_RET, 1);
        fixture_load(&f, &(rx_context_options){.struct_size = sizeof(rx_context_options), .step_limit = limit});
        rx_value *s, *out = NULL;
        assert_int_equal(rx_shape_new(1, (int64_t[]){1}, &s), RX_OK);
        for (int call = 0; call < 2; call++) { // counted anew in each
            rx_status got = rx_context_call(f.ctx, "main", &s, 1, &out);
            assert_int_equal(got, limit < OUTER + INNER ? RX_CANCELLED : RX_OK);
            rx_value_release(out);
            out = NULL;
        }
        rx_value_release(s);
        fixture_free(&f);
    }
}

// ---- functions ----

// twice(g, x) calls g(g(x)); main makes a closure that appends a captured string to its argument in a tuple.
static void test_closures(void **state) {
    (void)state;
    fixture f = fixture_new();
    exec_param pair[] = {param(&f, "x", anything(&f)), param(&f, "captured", anything(&f))};
    uint32_t with = function(&f, "with", pair, 2, 3);
    EMIT(&f, OP_TUPLE, 2, 2, 0, 1);
    EMIT(&f, OP_RET, 2);
    uint32_t callable =
        exec_writer_annotation(f.w, &(exec_annotation){.kind = ANNOTATION_CALLABLE,
                                                       .rank = -1,
                                                       .fields = 2,
                                                       .field = (uint32_t[]){anything(&f), anything(&f)},
                                                       .text = exec_writer_string(f.w, "R.Callable")});
    exec_param g[] = {param(&f, "g", callable), param(&f, "x", anything(&f))};
    uint32_t twice = function(&f, "twice", g, 2, 3);
    EMIT(&f, OP_INVOKE, 2, 0, 1, 1);
    EMIT(&f, OP_INVOKE, 2, 0, 1, 2);
    EMIT(&f, OP_RET, 2);
    function(&f, "main", NULL, 0, 4);
    EMIT(&f, OP_CONST, 0, string_constant(&f, "kept"));
    EMIT(&f, OP_CLOSURE, 1, with, 1, 0);
    EMIT(&f, OP_CONST, 2, prim_constant(&f, i64, 1));
    EMIT(&f, OP_CALL, 3, twice, 2, 1, 2);
    EMIT(&f, OP_CALL, NO_REGISTER, twice, 2, 1, 2);
    EMIT(&f, OP_RET, 3);
    function(&f, "wrong", NULL, 0, 2);
    EMIT(&f, OP_CLOSURE, 0, with, 0);
    EMIT(&f, OP_INVOKE, 1, 0, 1, 0);
    EMIT(&f, OP_RET, 1);
    function(&f, "wrong2", NULL, 0, 2);
    EMIT(&f, OP_CALL, 1, twice, 2, 0, 0);
    EMIT(&f, OP_RET, 1);
    fixture_load(&f, NULL);
    char text[512];
    assert_string_equal(printed(&f, "main", NULL, 0, text), "((1, 'kept'), 'kept')");
    expect_failure(&f, "wrong", NULL, 0, RX_INVALID_ARGUMENT, "wrong: a function is called with 1 argument, wants 2");
    expect_failure(&f, "wrong2", NULL, 0, RX_INVALID_ARGUMENT, "twice: g is null, but must be R.Callable");
    assert_string_equal(printed(&f, "main", NULL, 0, text), "((1, 'kept'), 'kept')");
    fixture_free(&f);
}

// A function that calls itself without end is refused, not a crash.
static void test_endless_recursion(void **state) {
    (void)state;
    fixture f = fixture_new();
    uint32_t self = function(&f, "main", NULL, 0, 3);
    EMIT(&f, OP_CALL, 0, self, 0);
    EMIT(&f, OP_RET, 0);
    fixture_load(&f, NULL);
    expect_failure(&f, "main", NULL, 0, RX_OUT_OF_MEMORY, "main: calls are nested too deep (10000)");
    fixture_free(&f);
}

static uint32_t builtin_of(fixture *f, const char *name) { return exec_writer_import(f->w, IMPORT_BUILTIN, name, 1); }

static void test_lists(void **state) {
    (void)state;
    fixture f = fixture_new();
    function(&f, "main", NULL, 0, 6);
    EMIT(&f, OP_BUILTIN, 0, builtin_of(&f, "vm.list_new"), 0);
    EMIT(&f, OP_CONST, 1, string_constant(&f, "item"));
    EMIT(&f, OP_CONST, 2, prim_constant(&f, i64, 3));
    for (int i = 0; i < 6; i++) EMIT(&f, OP_BUILTIN, NO_REGISTER, builtin_of(&f, "vm.list_push"), 2, 0, 1);
    EMIT(&f, OP_BUILTIN, NO_REGISTER, builtin_of(&f, "vm.list_set"), 3, 0, 2, 2);
    EMIT(&f, OP_BUILTIN, 3, builtin_of(&f, "vm.list_get"), 2, 0, 2);
    EMIT(&f, OP_BUILTIN, 4, builtin_of(&f, "vm.list_count"), 1, 0);
    EMIT(&f, OP_BUILTIN, 5, builtin_of(&f, "vm.list_to_tuple"), 1, 0);
    EMIT(&f, OP_TUPLE, 5, 4, 0, 3, 4, 5);
    EMIT(&f, OP_RET, 5);
    function(&f, "past", NULL, 0, 3);
    EMIT(&f, OP_BUILTIN, 0, builtin_of(&f, "vm.list_new"), 0);
    EMIT(&f, OP_CONST, 1, prim_constant(&f, i64, 0));
    EMIT(&f, OP_BUILTIN, 2, builtin_of(&f, "vm.list_get"), 2, 0, 1);
    EMIT(&f, OP_RET, 2);
    function(&f, "cycle", NULL, 0, 3);
    EMIT(&f, OP_BUILTIN, 0, builtin_of(&f, "vm.list_new"), 0);
    EMIT(&f, OP_TUPLE, 1, 1, 0);
    EMIT(&f, OP_BUILTIN, 2, builtin_of(&f, "vm.list_push"), 2, 0, 1);
    EMIT(&f, OP_RET, 2);
    fixture_load(&f, NULL);
    char text[512];
    assert_string_equal(
        printed(&f, "main", NULL, 0, text),
        "(['item', 'item', 'item', 3, 'item', 'item'], 3, 6, ('item', 'item', 'item', 3, 'item', 'item'))");
    expect_failure(&f, "past", NULL, 0, RX_INVALID_ARGUMENT, "past: vm.list_get: index 0 of a list of 0");
    expect_failure(&f, "cycle", NULL, 0, RX_UNSUPPORTED,
                   "cycle: vm.list_push: a list can't hold lists, functions or nested tuples");
    fixture_free(&f);
}

// ---- tensors ----

static void test_views(void **state) {
    (void)state;
    fixture f = fixture_new();
    exec_param p[] = {
        param(&f, "x", tensor_of(&f, "R.Tensor((n, 4), dtype=\"float32\")", f32, 2, (const char *[]){"!n", "4"}))};
    uint8_t n4[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SMALL, 4, POSTFIX_MUL};
    uint32_t flat = exec_writer_program(f.w, n4, sizeof n4), four = exec_writer_int(f.w, 4),
             eight = exec_writer_int(f.w, 8);
    function(&f, "flatten", p, 1, 2);
    EMIT(&f, OP_RESHAPE, 1, 0, 1, flat);
    EMIT(&f, OP_RET, 1);
    function(&f, "to_eight", p, 1, 2);
    EMIT(&f, OP_RESHAPE, 1, 0, 1, eight);
    EMIT(&f, OP_RET, 1);
    function(&f, "part", p, 1, 2); // the third and fourth element
    EMIT(&f, OP_VIEW, 1, 0, eight, op_dtype(f32), 1, exec_writer_int(f.w, 2));
    EMIT(&f, OP_RET, 1);
    function(&f, "dynamic", p, 1, 3);
    EMIT(&f, OP_SHAPE, 1, 2, four, exec_writer_slot(f.w, 0));
    EMIT(&f, OP_BUILTIN, 2, builtin_of(&f, "vm.reshape"), 2, 0, 1);
    EMIT(&f, OP_BUILTIN, 1, builtin_of(&f, "vm.shape_of"), 1, 2);
    EMIT(&f, OP_BUILTIN, 0, builtin_of(&f, "vm.copy_tensor"), 1, 2);
    EMIT(&f, OP_TUPLE, 2, 2, 0, 1);
    EMIT(&f, OP_RET, 2);
    fixture_load(&f, NULL);
    char text[512];
    rx_value *x = counting(2, (int64_t[]){2, 4}, 0);
    assert_string_equal(printed(&f, "flatten", &x, 1, text), "float32[8] = 0, 1, 2, 3, 4, 5, ...");
    assert_string_equal(printed(&f, "to_eight", &x, 1, text), "float32[8] = 0, 1, 2, 3, 4, 5, ...");
    assert_string_equal(printed(&f, "part", &x, 1, text), "float32[2] = 2, 3");
    assert_string_equal(printed(&f, "dynamic", &x, 1, text), "(float32[4, 2] = 0, 1, 2, 3, 4, 5, ..., (4, 2))");
    // No copy: the view reads the argument's memory and keeps it alive.
    rx_value *v = call(&f, "flatten", &x, 1);
    assert_ptr_equal(rx_tensor_data(v), rx_tensor_data(x));
    rx_value_release(x);
    assert_float_equal(element(v, 7), 7, 0);
    rx_value_release(v);
    x = counting(2, (int64_t[]){3, 4}, 0);
    expect_failure(&f, "to_eight", &x, 1, RX_SHAPE_MISMATCH,
                   "to_eight: reshape of (3, 4) (12 elements) to (8,) changes the number of elements");
    rx_value_release(x);
    x = counting(2, (int64_t[]){0, 4}, 0);
    expect_failure(&f, "part", &x, 1, RX_INVALID_ARGUMENT,
                   "part: a float32 tensor of shape (2,) at byte 8 doesn't fit into 0 bytes");
    rx_value_release(x);
    fixture_free(&f);
}

// Messages want a string and a tuple, assertions one bool; a file may bring anything.
static void test_messages(void **state) {
    (void)state;
    fixture f = fixture_new();
    uint32_t any = exec_writer_annotation(f.w, &(exec_annotation){.rank = -1, .text = EXEC_NONE});
    exec_param p[] = {param(&f, "x", any)};
    function(&f, "says", p, 1, 2);
    EMIT(&f, OP_BUILTIN, 1, builtin_of(&f, "vm.print"), 2, 0, 0);
    EMIT(&f, OP_RET, 1);
    function(&f, "holds", p, 1, 2);
    EMIT(&f, OP_BUILTIN, 1, builtin_of(&f, "vm.assert"), 3, 0, 0, 0);
    EMIT(&f, OP_RET, 1);
    function(&f, "shaped", p, 1, 2);
    EMIT(&f, OP_BUILTIN, 1, builtin_of(&f, "vm.tensor_to_shape"), 1, 0);
    EMIT(&f, OP_RET, 1);
    function(&f, "listed", p, 1, 2);
    EMIT(&f, OP_BUILTIN, 1, builtin_of(&f, "vm.shape_to_tensor"), 1, 0);
    EMIT(&f, OP_RET, 1);
    fixture_load(&f, NULL);
    rx_value *x = counting(2, (int64_t[]){2, 4}, 0);
    expect_failure(&f, "says", &x, 1, RX_INVALID_ARGUMENT,
                   "says: vm.print: want a string and a tuple, got a tensor and a tensor");
    expect_failure(&f, "holds", &x, 1, RX_INVALID_ARGUMENT, "holds: assert_op: want one bool as the condition");
    expect_failure(&f, "shaped", &x, 1, RX_SHAPE_MISMATCH,
                   "shaped: vm.tensor_to_shape: want a vector of at most 16 integers");
    expect_failure(&f, "listed", &x, 1, RX_INVALID_ARGUMENT, "listed: vm.shape_to_tensor: got a tensor, want a shape");
    rx_value_release(x);
    fixture_free(&f);
}

static void test_storage_limits(void **state) {
    (void)state;
    fixture f = fixture_new();
    exec_param p[] = {param(&f, "s", shape_of(&f, "R.Shape([n])", 1, (const char *[]){"!n"}))};
    uint32_t n = exec_writer_slot(f.w, 0), zero = exec_writer_int(f.w, 0), k = exec_writer_int(f.w, 1000);
    uint8_t minus[] = {POSTFIX_SMALL, 10, POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SUB};
    function(&f, "main", p, 1, 3); // n floats in 1000 bytes
    EMIT(&f, OP_ALLOC_STORAGE, 1, k);
    EMIT(&f, OP_ALLOC_TENSOR, 2, 1, zero, op_dtype(f32), 1, n);
    EMIT(&f, OP_RET, 2);
    function(&f, "bytes", p, 1, 3); // 10 - n bytes
    EMIT(&f, OP_ALLOC_STORAGE, 1, exec_writer_program(f.w, minus, sizeof minus));
    EMIT(&f, OP_RET, 1);
    function(&f, "large", p, 1, 3);
    EMIT(&f, OP_ALLOC_STORAGE, 1, n);
    EMIT(&f, OP_RET, 1);
    fixture_load(&f, &(rx_context_options){.struct_size = sizeof(rx_context_options), .memory_limit = 1 << 20});
    rx_value *s[4];
    int64_t sizes[] = {250, 251, 11, 1 << 21};
    for (int i = 0; i < 4; i++) assert_int_equal(rx_shape_new(1, &sizes[i], &s[i]), RX_OK);
    rx_value_release(call(&f, "main", &s[0], 1));
    expect_failure(&f, "main", &s[1], 1, RX_INVALID_ARGUMENT,
                   "main: a float32 tensor of shape (251,) at byte 0 doesn't fit into 1000 bytes");
    expect_failure(&f, "bytes", &s[2], 1, RX_INVALID_ARGUMENT, "bytes: a storage of -1 bytes");
    expect_failure(&f, "large", &s[3], 1, RX_OUT_OF_MEMORY, "large: no memory for a tensor of 2097152 bytes");
    rx_value *v = call(&f, "large", &s[0], 1);
    assert_int_equal(rx_value_kind(v), RX_STORAGE);
    rx_value_release(v);
    for (int i = 0; i < 4; i++) rx_value_release(s[i]);
    fixture_free(&f);
}

// ---- kernels ----

static void test_launches(void **state) {
    (void)state;
    fixture f = fixture_new();
    fixture_kernels(&f);
    uint32_t a = tensor_of(&f, "R.Tensor((n, m), dtype=\"float32\")", f32, 2, (const char *[]){"!n", "!m"});
    exec_param p[] = {param(&f, "x", a)};
    exec_param scaled[] = {
        param(&f, "x", a),
        param(&f, "by",
              exec_writer_annotation(f.w, &(exec_annotation){.kind = ANNOTATION_PRIM,
                                                             .type = f32,
                                                             .rank = -1,
                                                             .dims = 1,
                                                             .dim = &(exec_dim){DIM_BIND, 7, EXEC_NONE},
                                                             .text = exec_writer_string(f.w, "R.Prim(\"float32\")")}))};
    uint32_t n = exec_writer_slot(f.w, 0), m = exec_writer_slot(f.w, 1), zero = exec_writer_int(f.w, 0),
             size = exec_writer_slot(f.w, 4);
    uint8_t nm[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SLOT, 1, 0, 0, 0, POSTFIX_MUL, POSTFIX_SMALL, 4, POSTFIX_MUL};
    uint32_t bytes = exec_writer_program(f.w, nm, sizeof nm), count = exec_writer_program(f.w, nm, sizeof nm - 3);
    function(&f, "sums", p, 1, 3);
    EMIT(&f, OP_ALLOC_STORAGE, 1, bytes);
    EMIT(&f, OP_ALLOC_TENSOR, 2, 1, zero, op_dtype(f32), 1, n);
    emit_launch(&f, K_ROW_SUM, 2, (uint32_t[]){0, 2}, 2, (uint32_t[]){n, m});
    EMIT(&f, OP_RET, 2);
    function(&f, "check", p, 1, 1);
    EMIT(&f, OP_SLOT, 4, count);
    emit_launch(&f, K_POSITIVE, 1, (uint32_t[]){0}, 1, (uint32_t[]){size});
    EMIT(&f, OP_RET, 0);
    function(&f, "table", p, 1, 3);
    EMIT(&f, OP_ALLOC_STORAGE, 1, bytes);
    EMIT(&f, OP_ALLOC_TENSOR, 2, 1, zero, op_dtype(f32), 1, n);
    emit_launch(&f, K_TABLE, 1, (uint32_t[]){2}, 1, (uint32_t[]){n});
    EMIT(&f, OP_RET, 2);
    function(&f, "scale", scaled, 2, 4);
    EMIT(&f, OP_SLOT, 4, count);
    EMIT(&f, OP_ALLOC_STORAGE, 2, bytes);
    EMIT(&f, OP_ALLOC_TENSOR, 3, 2, zero, op_dtype(f32), 2, n, m);
    emit_launch(&f, K_SCALE, 2, (uint32_t[]){0, 3}, 2, (uint32_t[]){size, exec_writer_slot(f.w, 7)});
    EMIT(&f, OP_RET, 3);
    fixture_load(&f, &(rx_context_options){.struct_size = sizeof(rx_context_options), .threads = 3});
    char text[512];
    rx_value *x[2] = {counting(2, (int64_t[]){5, 3}, 1)};
    assert_string_equal(printed(&f, "sums", x, 1, text), "float32[5] = 6, 15, 24, 33, 42");
    assert_string_equal(printed(&f, "table", x, 1, text), "float32[5] = 1, 2, 3, 1, 2");
    assert_int_equal(rx_float_new("float32", 0.5, &x[1]), RX_OK);
    assert_string_equal(printed(&f, "scale", x, 2, text), "float32[5, 3] = 0.5, 1, 1.5, 2, 2.5, 3, ...");
    rx_value_release(call(&f, "check", x, 1));
    ((float *)rx_tensor_data(x[0]))[7] = -1;
    expect_failure(&f, "check", x, 1, RX_INVALID_ARGUMENT, "check: positive: elements must not be negative");
    for (int i = 0; i < 2; i++) rx_value_release(x[i]);
    fixture_free(&f);
}

// ---- external functions ----

static rx_status twice_it(void *user, rx_call *c) {
    rx_value *v;
    int64_t x;
    if (rx_call_count(c) != 1 || rx_value_int(rx_call_arg(c, 0), &x) != RX_OK) return RX_INVALID_ARGUMENT;
    if (x < 0) return rx_call_fail(c, RX_UNSUPPORTED, "no negative numbers, please");
    if (rx_int_new("int64", x * *(int *)user, &v) != RX_OK) return RX_OUT_OF_MEMORY;
    rx_call_return(c, v);
    rx_value_release(v);
    return RX_OK;
}

static void test_external(void **state) {
    (void)state;
    fixture f = fixture_new();
    exec_param p[] = {param(&f, "x", anything(&f))};
    uint32_t twice = exec_writer_import(f.w, IMPORT_EXTERNAL, "my.twice", 0);
    exec_writer_import(f.w, IMPORT_EXTERNAL, "my.other", 0);
    exec_writer_import(f.w, IMPORT_BUILTIN, "vm.shape_of", 99);
    function(&f, "main", p, 1, 2);
    EMIT(&f, OP_EXTERN, 1, twice, 1, 0);
    EMIT(&f, OP_RET, 1);
    char message[RX_MESSAGE];
    assert_int_equal(exec_writer_bytes(f.w, &f.bytes, &f.size, message), RX_OK);
    assert_int_equal(rx_executable_load_memory(f.bytes, f.size, NULL, &f.exe, message), RX_OK);
    assert_int_equal(rx_context_new(f.exe, NULL, &f.ctx, message), RX_NOT_FOUND);
    assert_string_equal(
        message, "missing: external function my.twice, external function my.other, builtin vm.shape_of (version 99); "
                 "register external functions, or use a newer runtime");
    fixture_free(&f);

    f = fixture_new();
    exec_param q[] = {param(&f, "x", anything(&f))};
    twice = exec_writer_import(f.w, IMPORT_EXTERNAL, "my.twice", 0);
    function(&f, "main", q, 1, 2);
    EMIT(&f, OP_EXTERN, 1, twice, 1, 0);
    EMIT(&f, OP_EXTERN, NO_REGISTER, twice, 1, 0);
    EMIT(&f, OP_RET, 1);
    rx_registry *r;
    int factor = 2;
    assert_int_equal(rx_registry_new(&r), RX_OK);
    assert_int_equal(rx_registry_add(r, "my.twice", twice_it, NULL), RX_OK);
    assert_int_equal(rx_registry_add(r, "my.twice", twice_it, &factor), RX_OK);
    fixture_load(&f, &(rx_context_options){.struct_size = sizeof(rx_context_options), .registry = r});
    rx_registry_release(r);
    rx_value *x;
    char text[512];
    assert_int_equal(rx_int_new("int64", 21, &x), RX_OK);
    assert_string_equal(printed(&f, "main", &x, 1, text), "42");
    rx_value_release(x);
    assert_int_equal(rx_int_new("int64", -1, &x), RX_OK);
    expect_failure(&f, "main", &x, 1, RX_UNSUPPORTED, "my.twice: no negative numbers, please");
    rx_value_release(x);
    assert_int_equal(rx_string_new("x", 1, &x), RX_OK);
    expect_failure(&f, "main", &x, 1, RX_INVALID_ARGUMENT, "my.twice: it returned INVALID_ARGUMENT");
    rx_value_release(x);
    fixture_free(&f);
}

// What an external function returns is what counts, whatever it told before.
enum { MENDED, OUTSIDE, TOLD_OUTSIDE };
static rx_status return_odd(void *user, rx_call *c) {
    int what = *(int *)user;
    if (what == OUTSIDE) return (rx_status)77;
    if (what == TOLD_OUTSIDE) return rx_call_fail(c, (rx_status)-5, "it broke");
    rx_call_fail(c, RX_IO, "for a moment");
    return RX_OK;
}

static void test_odd_statuses(void **state) {
    (void)state;
    fixture f = fixture_new();
    int what = MENDED;
    uint32_t odd = exec_writer_import(f.w, IMPORT_EXTERNAL, "my.odd", 0);
    function(&f, "main", NULL, 0, 1);
    EMIT(&f, OP_EXTERN, 0, odd, 0);
    EMIT(&f, OP_RET, 0);
    rx_registry *r;
    rx_value *out = NULL;
    assert_int_equal(rx_registry_new(&r), RX_OK);
    assert_int_equal(rx_registry_add(r, "my.odd", return_odd, &what), RX_OK);
    fixture_load(&f, &(rx_context_options){.struct_size = sizeof(rx_context_options), .registry = r});
    rx_registry_release(r);
    assert_int_equal(rx_context_call(f.ctx, "main", NULL, 0, &out), RX_OK);
    assert_string_equal(rx_context_message(f.ctx), "");
    rx_value_release(out);
    what = OUTSIDE;
    expect_failure(&f, "main", NULL, 0, RX_INTERNAL, "my.odd: it returned 77, which is no status");
    what = TOLD_OUTSIDE;
    expect_failure(&f, "main", NULL, 0, RX_INTERNAL, "my.odd: it broke");
    fixture_free(&f);
}

// An external function that calls its own context is refused.
static rx_status call_back(void *user, rx_call *c) {
    rx_context *const *context = user;
    rx_value *out;
    (void)c;
    return rx_context_call(*context, "main", NULL, 0, &out);
}

static void test_reentrance(void **state) {
    (void)state;
    fixture f = fixture_new();
    uint32_t back = exec_writer_import(f.w, IMPORT_EXTERNAL, "my.back", 0);
    function(&f, "main", NULL, 0, 1);
    EMIT(&f, OP_EXTERN, 0, back, 0);
    EMIT(&f, OP_RET, 0);
    rx_registry *r;
    rx_context *context = NULL;
    assert_int_equal(rx_registry_new(&r), RX_OK);
    assert_int_equal(rx_registry_add(r, "my.back", call_back, &context), RX_OK);
    fixture_load(&f, &(rx_context_options){.struct_size = sizeof(rx_context_options), .registry = r});
    context = f.ctx;
    expect_failure(&f, "main", NULL, 0, RX_INVALID_ARGUMENT, "my.back: it returned INVALID_ARGUMENT");
    rx_registry_release(r);
    fixture_free(&f);
}

// ---- variants ----

static void add_variant(fixture *f, const char *arch, uint64_t required) {
    size_t size;
    uint8_t *image = test_kernels(&size);
    if (!image) skip();
    exec_writer_variant(f->w, "cpu", arch, required, image, size, NULL);
    free(image);
}

static fixture with_variants(unsigned first, unsigned count) {
    static const struct {
        const char *arch;
        uint64_t required;
    } variant[] = {
        {"cpu:never", CPU_BIT(RVV)},
        {"cpu:baseline", 0},
        {"cpu:better", CPU_BIT(SSE3) | CPU_BIT(POPCNT)},
        {"cpu:good", CPU_BIT(SSE3)},
    };
    fixture f = fixture_new();
    exec_writer_kernel(f.w, &(exec_kernel){.name = exec_writer_string(f.w, "count_calls"),
                                           .buffers = 1,
                                           .outputs = 1,
                                           .grid = exec_writer_int(f.w, 1),
                                           .scratch = exec_writer_int(f.w, 0)});
    for (unsigned i = first; i < first + count; i++) add_variant(&f, variant[i].arch, variant[i].required);
    function(&f, "main", NULL, 0, 1);
    EMIT(&f, OP_RET, 0);
    return f;
}

static void test_variants(void **state) {
    (void)state;
    if (cpu_host_machine() != CPU_X86) skip();
    fixture f = with_variants(0, 4);
    fixture_load(&f, NULL);
    rx_stats s = {.struct_size = sizeof s};
    rx_context_stats(f.ctx, &s);
    assert_string_equal(s.variant, "cpu:better"); // what asks for most of what the machine has
    fixture_free(&f);
    f = with_variants(0, 2);
    fixture_load(&f, NULL);
    rx_context_stats(f.ctx, &s);
    assert_string_equal(s.variant, "cpu:baseline");
    fixture_free(&f);
    f = with_variants(0, 1);
    char message[RX_MESSAGE];
    assert_int_equal(exec_writer_bytes(f.w, &f.bytes, &f.size, message), RX_OK);
    assert_int_equal(rx_executable_load_memory(f.bytes, f.size, NULL, &f.exe, message), RX_OK);
    assert_int_equal(rx_context_new(f.exe, NULL, &f.ctx, message), RX_UNSUPPORTED);
    assert_string_equal(message, "no kernels in this file run on this machine (cpu): cpu:never needs v");
    fixture_free(&f);
}

// ---- cached values and captured launches ----

static void test_capture(void **state) {
    (void)state;
    fixture f = fixture_new();
    fixture_kernels(&f);
    uint32_t zero = exec_writer_int(f.w, 0), four = exec_writer_int(f.w, 4), one = exec_writer_int(f.w, 1);
    uint32_t private_block = function(&f, "block", NULL, 0, 2);
    EMIT(&f, OP_ALLOC_STORAGE, 0, four);
    EMIT(&f, OP_ALLOC_TENSOR, 1, 0, zero, op_dtype(f32), 1, one);
    EMIT(&f, OP_RET, 1);
    exec_param p[] = {param(&f, "x", anything(&f))};
    uint32_t region = function(&f, "region", p, 1, 2); // counts twice, returns a view
    emit_launch(&f, K_COUNT, 1, (uint32_t[]){0}, 0, NULL);
    emit_launch(&f, K_COUNT, 1, (uint32_t[]){0}, 0, NULL);
    EMIT(&f, OP_RESHAPE, 1, 0, 2, one, one);
    EMIT(&f, OP_RET, 1);
    uint32_t greedy = function(&f, "greedy", p, 1, 2);
    EMIT(&f, OP_ALLOC_STORAGE, 1, four);
    EMIT(&f, OP_RET, 0);
    function(&f, "kept", NULL, 0, 1); // the same block each time
    EMIT(&f, OP_CACHED, 0, private_block, 0);
    EMIT(&f, OP_RET, 0);
    function(&f, "main", p, 1, 2);
    EMIT(&f, OP_CAPTURE, 1, region, 1, 1, 0, 1, one);
    EMIT(&f, OP_RET, 1);
    function(&f, "refused", p, 1, 2);
    EMIT(&f, OP_CAPTURE, 1, greedy, 2, 1, 0, 0);
    EMIT(&f, OP_RET, 1);
    fixture_load(&f, NULL);
    rx_value *a = call(&f, "kept", NULL, 0), *b = call(&f, "kept", NULL, 0);
    assert_ptr_equal(a, b);
    rx_value_release(a);
    *(float *)rx_tensor_data(b) = 0;
    rx_stats warm = {.struct_size = sizeof warm}, after = {.struct_size = sizeof after};
    for (int i = 0; i < 20; i++) {
        if (i == 2) rx_context_stats(f.ctx, &warm);
        rx_value *v = call(&f, "main", &b, 1);
        assert_ptr_equal(rx_tensor_data(v), rx_tensor_data(b));
        assert_int_equal(rx_tensor_rank(v), 2);
        rx_value_release(v);
    }
    assert_float_equal(element(b, 0), 40, 0); // 20 calls of two kernels, the first one included
    rx_context_stats(f.ctx, &after);
    assert_int_equal(after.allocations, warm.allocations); // what is replayed allocates nothing
    assert_int_equal(after.launches - warm.launches, 18);  // a list counts once
    // Other memory: recorded anew; more kinds than are kept push the oldest out.
    rx_value *many[12];
    for (int i = 0; i < 12; i++) many[i] = counting(1, (int64_t[]){1}, 0);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 12; i++) rx_value_release(call(&f, "main", &many[i], 1));
    for (int i = 0; i < 12; i++) {
        assert_float_equal(element(many[i], 0), 6, 0);
        rx_value_release(many[i]);
    }
    expect_failure(&f, "refused", &b, 1, RX_UNSUPPORTED, "greedy: memory is allocated within a capture");
    rx_value_release(call(&f, "main", &b, 1));
    assert_float_equal(element(b, 0), 42, 0);
    rx_value_release(b);
    fixture_free(&f);
}

static void test_tensor_builtins(void **state) {
    (void)state;
    fixture f = fixture_new();
    exec_param p[] = {
        param(&f, "x", tensor_of(&f, "R.Tensor((n,), dtype=\"float32\")", f32, 1, (const char *[]){"!n"}))};
    uint8_t n4[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SMALL, 4, POSTFIX_MUL};
    uint32_t m = tensor_of(&f, "R.Tensor((m,), dtype=\"float32\")", f32, 1, (const char *[]){"!m"});
    function(&f, "main", p, 1, 8);
    EMIT(&f, OP_CONST, 1, prim_constant(&f, i64, 0));
    EMIT(&f, OP_CONST, 2, prim_constant(&f, boolean, 1));
    EMIT(&f, OP_ALLOC_STORAGE, 3, exec_writer_program(f.w, n4, sizeof n4));
    EMIT(&f, OP_ALLOC_TENSOR, 4, 3, exec_writer_int(f.w, 0), op_dtype(f32), 1, exec_writer_slot(f.w, 0));
    EMIT(&f, OP_BUILTIN, NO_REGISTER, builtin_of(&f, "sort"), 4, 0, 1, 2, 4);
    EMIT(&f, OP_CONST, 6, prim_constant(&f, i64, INT64_MIN));
    EMIT(&f, OP_BUILTIN, 5, builtin_of(&f, "unique"), 5, 0, 1, 1, 1, 6);
    EMIT(&f, OP_BUILTIN, 7, builtin_of(&f, "unique"), 5, 0, 2, 2, 2, 6);
    EMIT(&f, OP_MATCH, 5, m, string_constant(&f, "u"));
    EMIT(&f, OP_SHAPE, 6, 2, exec_writer_slot(f.w, 0), exec_writer_slot(f.w, 1));
    EMIT(&f, OP_TUPLE, 7, 4, 4, 5, 6, 7);
    EMIT(&f, OP_RET, 7);
    function(&f, "axis", p, 1, 8);
    EMIT(&f, OP_CONST, 1, prim_constant(&f, i64, 3));
    EMIT(&f, OP_BUILTIN, NO_REGISTER, builtin_of(&f, "sort"), 4, 0, 1, 1, 0);
    EMIT(&f, OP_RET, 1);
    fixture_load(&f, NULL);
    rx_value *x = counting(1, (int64_t[]){5}, 0);
    memcpy(rx_tensor_data(x), (float[]){3, 1, 3, -2, 1}, 20);
    char text[512];
    assert_string_equal(
        printed(&f, "main", &x, 1, text),
        "(float32[5] = 3, 3, 1, 1, -2, float32[3] = -2, 1, 3, (5, 3), (float32[3] = -2, 1, 3, int64[3] = 3, 1, 0, "
        "int64[5] = 2, 1, 2, 0, 1, int64[3] = 1, 2, 2))");
    expect_failure(&f, "axis", &x, 1, RX_INVALID_ARGUMENT, "axis: sort: axis 3 of a tensor with 1 dim");
    rx_value_release(x);
    fixture_free(&f);
}

static void test_assert_and_kinds(void **state) {
    (void)state;
    fixture f = fixture_new();
    exec_param p[] = {param(&f, "x", anything(&f))};
    uint32_t zero = exec_writer_int(f.w, 0), one = exec_writer_int(f.w, 1);
    function(&f, "never", NULL, 0, 1);
    EMIT(&f, OP_ASSERT, one, string_constant(&f, "fine"));
    EMIT(&f, OP_ASSERT, zero, string_constant(&f, "n must be even"));
    EMIT(&f, OP_RET, 0);
    function(&f, "item", p, 1, 2);
    EMIT(&f, OP_ITEM, 1, 0, 2);
    EMIT(&f, OP_RET, 1);
    function(&f, "tensor", p, 1, 2);
    EMIT(&f, OP_ALLOC_TENSOR, 1, 0, zero, op_dtype(f32), 1, one);
    EMIT(&f, OP_RET, 1);
    uint8_t division[] = {POSTFIX_SMALL, 1, POSTFIX_SMALL, 0, POSTFIX_FLOOR_DIV};
    function(&f, "divide", NULL, 0, 1);
    EMIT(&f, OP_SLOT, 0, exec_writer_program(f.w, division, sizeof division));
    EMIT(&f, OP_RET, 0);
    fixture_load(&f, NULL);
    rx_value *pair, *s;
    assert_int_equal(rx_string_new("s", 1, &s), RX_OK);
    assert_int_equal(rx_tuple_new((rx_value *[]){s, NULL}, 2, &pair), RX_OK);
    expect_failure(&f, "never", NULL, 0, RX_INVALID_ARGUMENT, "never: n must be even");
    expect_failure(&f, "item", &pair, 1, RX_INVALID_ARGUMENT, "item: item 2 of a tuple of 2");
    expect_failure(&f, "item", &s, 1, RX_INVALID_ARGUMENT, "item: item: %0 is a string, want a tuple");
    expect_failure(&f, "tensor", &s, 1, RX_INVALID_ARGUMENT, "tensor: alloc_tensor: %0 is a string, want a storage");
    expect_failure(&f, "divide", NULL, 0, RX_INVALID_ARGUMENT, "divide: 1 // 0 divides by zero");
    rx_value_release(pair);
    rx_value_release(s);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_functions_of_a_variant),
        cmocka_unit_test(test_constants_and_tuples),
        cmocka_unit_test(test_shapes_and_scalars),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_step_limit),
        cmocka_unit_test(test_closures),
        cmocka_unit_test(test_endless_recursion),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_storage_limits),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_external),
        cmocka_unit_test(test_odd_statuses),
        cmocka_unit_test(test_reentrance),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_capture),
        cmocka_unit_test(test_tensor_builtins),
        cmocka_unit_test(test_assert_and_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
