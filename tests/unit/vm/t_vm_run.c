// t_vm_run.c - every instruction, run.
#include "base/postfix.h"
#include "fixture.h"
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
