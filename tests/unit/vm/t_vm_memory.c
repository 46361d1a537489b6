// t_vm_memory.c - memory: every allocation fails once, a warm call allocates nothing, varying shapes don't accumulate.
#define _POSIX_C_SOURCE 200809L
#include "base/postfix.h"
#include "fixture.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const dtype f32 = {.kind = DTYPE_F32, .lanes = 1}, i64 = {.kind = DTYPE_I64, .lanes = 1};

// An allocator that counts what is out and fails at one call.
typedef struct counter {
    size_t calls, fail_at, live, live_bytes;
} counter;

static void *take(void *user, size_t size) {
    counter *c = user;
    void *at = NULL;
    if (++c->calls == c->fail_at || posix_memalign(&at, 64, size)) return NULL;
    c->live++;
    c->live_bytes += size;
    memset(at, 0xAB, size);
    return at;
}

static void give(void *user, void *at, size_t size) {
    counter *c = user;
    c->live--;
    c->live_bytes -= size;
    free(at);
}

// main(x: (n, 4)): two blocks, kernels, a view, a tuple, a list, a closure call, an external, a scalar, a cached and a
// captured part.
static fixture everything(void) {
    fixture f = fixture_new();
    fixture_kernels(&f);
    exec_param p[] = {
        param(&f, "x", tensor_of(&f, "R.Tensor((n, 4), dtype=\"float32\")", f32, 2, (const char *[]){"!n", "4"}))};
    uint32_t any = exec_writer_annotation(f.w, &(exec_annotation){.rank = -1, .text = EXEC_NONE});
    exec_param q[] = {param(&f, "v", any), param(&f, "w", any)};
    uint8_t n16[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SMALL, 16, POSTFIX_MUL};
    uint32_t bytes = exec_writer_program(f.w, n16, sizeof n16), zero = exec_writer_int(f.w, 0),
             n = exec_writer_slot(f.w, 0);
    uint32_t four = exec_writer_int(f.w, 4), one = exec_writer_int(f.w, 1);
    uint32_t block = function(&f, "block", NULL, 0, 2);
    EMIT(&f, OP_ALLOC_STORAGE, 0, four);
    EMIT(&f, OP_ALLOC_TENSOR, 1, 0, zero, op_dtype(f32), 1, one);
    EMIT(&f, OP_RET, 1);
    uint32_t region = function(&f, "region", q, 1, 2);
    emit_launch(&f, K_COUNT, 1, (uint32_t[]){0}, 0, NULL);
    EMIT(&f, OP_RET, 0);
    uint32_t pair = function(&f, "pair", q, 2, 3);
    EMIT(&f, OP_TUPLE, 2, 2, 0, 1);
    EMIT(&f, OP_RET, 2);
    uint32_t prim = exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_PRIM, .type = i64, .bits = 7});
    uint32_t text =
        exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_STRING, .bytes = {(const uint8_t *)"text", 4}});
    uint32_t external = exec_writer_import(f.w, IMPORT_EXTERNAL, "my.nothing", 0);
    function(&f, "main", p, 1, 12);
    EMIT(&f, OP_ALLOC_STORAGE, 1, bytes);
    EMIT(&f, OP_ALLOC_TENSOR, 2, 1, zero, op_dtype(f32), 1, n);
    emit_launch(&f, K_ROW_SUM, 2, (uint32_t[]){0, 2}, 2, (uint32_t[]){n, four});
    EMIT(&f, OP_RESHAPE, 3, 2, 2, n, one);
    EMIT(&f, OP_CONST, 4, prim);
    EMIT(&f, OP_BUILTIN, 5, exec_writer_import(f.w, IMPORT_BUILTIN, "vm.list_new", 1), 0);
    for (int i = 0; i < 6; i++)
        EMIT(&f, OP_BUILTIN, NO_REGISTER, exec_writer_import(f.w, IMPORT_BUILTIN, "vm.list_push", 1), 2, 5, 3);
    EMIT(&f, OP_BUILTIN, 6, exec_writer_import(f.w, IMPORT_BUILTIN, "vm.copy_tensor", 1), 1, 0);
    EMIT(&f, OP_CLOSURE, 7, pair, 1, 5);
    EMIT(&f, OP_INVOKE, 7, 7, 1, 6);
    EMIT(&f, OP_EXTERN, NO_REGISTER, external, 3, 4, 7, 3);
    EMIT(&f, OP_CACHED, 8, block, 0);
    EMIT(&f, OP_CAPTURE, 9, region, 1, 1, 8, 0);
    EMIT(&f, OP_SHAPE, 10, 2, n, four);
    EMIT(&f, OP_CONST, 11, text);
    EMIT(&f, OP_TUPLE, 1, 5, 3, 4, 7, 10, 11);
    EMIT(&f, OP_RET, 1);
    return f;
}

static rx_status nothing(void *user, rx_call *c) {
    (void)user;
    return rx_call_count(c) == 3 ? RX_OK : RX_INTERNAL;
}

static rx_registry *registry(void) {
    rx_registry *r;
    assert_int_equal(rx_registry_new(&r), RX_OK);
    assert_int_equal(rx_registry_add(r, "my.nothing", nothing, NULL), RX_OK);
    return r;
}

// Loads, makes a context, calls three times; whichever allocation fails, the status says so and nothing stays behind.
static rx_status whole_life(const fixture *f, const rx_registry *r, counter *c, rx_value *x) {
    rx_allocator a = {take, give, c};
    rx_executable *exe = NULL;
    rx_context *ctx = NULL;
    rx_value *out = NULL;
    char message[RX_MESSAGE] = "";
    rx_load_options load = {sizeof load, a};
    rx_context_options o = {.struct_size = sizeof o, .threads = 2, .registry = r, .allocator = a};
    rx_status status = rx_executable_load_memory(f->bytes, f->size, &load, &exe, message);
    if (status == RX_OK) status = rx_context_new(exe, &o, &ctx, message);
    for (int i = 0; i < 3 && status == RX_OK; i++) {
        rx_value_release(out);
        status = rx_context_call(ctx, "main", &x, 1, &out);
        if (status != RX_OK) assert_true(*rx_context_message(ctx) != 0);
    }
    if (status != RX_OK && !ctx) assert_true(*message != 0);
    rx_context_release(ctx);
    rx_executable_release(exe);
    rx_value_release(out); // after its context
    return status;
}

static void test_every_allocation_fails(void **state) {
    (void)state;
    fixture f = everything();
    char message[RX_MESSAGE];
    assert_int_equal(exec_writer_bytes(f.w, &f.bytes, &f.size, message), RX_OK);
    rx_registry *r = registry();
    rx_value *x = counting(2, (int64_t[]){3, 4}, 0);
    counter all = {0};
    assert_int_equal(whole_life(&f, r, &all, x), RX_OK);
    assert_int_equal(all.live, 0);
    assert_int_equal(all.live_bytes, 0);
    assert_true(all.calls > 30);
    for (size_t i = 1; i <= all.calls; i++) {
        counter c = {.fail_at = i};
        rx_status status = whole_life(&f, r, &c, x);
        if (status != RX_OUT_OF_MEMORY && status != RX_OK) fail_msg("allocation %zu: %s", i, rx_status_name(status));
        assert_int_equal(c.live, 0);
        assert_int_equal(c.live_bytes, 0);
    }
    rx_value_release(x);
    rx_registry_release(r);
    fixture_free(&f);
}

// After a failure a context goes on working.
static void test_context_survives(void **state) {
    (void)state;
    fixture f = everything();
    rx_registry *r = registry();
    counter c = {0};
    fixture_load(&f, &(rx_context_options){
                         .struct_size = sizeof(rx_context_options), .registry = r, .allocator = {take, give, &c}});
    rx_value *x = counting(2, (int64_t[]){3, 4}, 0), *out;
    for (size_t ahead = 1; ahead < 12; ahead++) {
        c.fail_at = c.calls + ahead;
        rx_status status = rx_context_call(f.ctx, "main", &x, 1, &out);
        rx_value_release(out);
        assert_true(status == RX_OK || status == RX_OUT_OF_MEMORY);
        c.fail_at = 0;
        assert_int_equal(rx_context_call(f.ctx, "main", &x, 1, &out), RX_OK);
        rx_value_release(out);
    }
    rx_value_release(x);
    rx_registry_release(r);
    fixture_free(&f);
    assert_int_equal(c.live, 0);
}

static uint64_t allocations(const rx_context *c) {
    rx_stats s = {.struct_size = sizeof s};
    rx_context_stats(c, &s);
    return s.allocations;
}

static void test_steady_state(void **state) {
    (void)state;
    fixture f = everything();
    rx_registry *r = registry();
    counter c = {0};
    fixture_load(&f, &(rx_context_options){
                         .struct_size = sizeof(rx_context_options), .registry = r, .allocator = {take, give, &c}});
    rx_value *x = counting(2, (int64_t[]){3, 4}, 0), *out;
    uint64_t before = 0;
    for (int i = 0; i < 200; i++) {
        if (i == 3) before = allocations(f.ctx), c.calls = 0;
        assert_int_equal(rx_context_call(f.ctx, "main", &x, 1, &out), RX_OK);
        rx_value_release(out);
    }
    assert_int_equal(allocations(f.ctx), before);
    assert_int_equal(c.calls, 0);
    rx_value_release(x);
    rx_registry_release(r);
    fixture_free(&f);
}

// Objects too large for the chunks are kept for reuse as well.
static void test_large_objects(void **state) {
    (void)state;
    enum { ITEMS = 3000 };
    static uint32_t word[ITEMS + 2];
    fixture f = fixture_new();
    uint32_t any = exec_writer_annotation(f.w, &(exec_annotation){.rank = -1, .text = EXEC_NONE});
    exec_param p[] = {param(&f, "x", any)};
    function(&f, "main", p, 1, 2);
    word[0] = 1;
    word[1] = ITEMS;
    emit(&f, OP_TUPLE, word, ITEMS + 2);
    EMIT(&f, OP_RET, 1);
    fixture_load(&f, NULL);
    rx_value *x = counting(1, (int64_t[]){1}, 0), *out;
    uint64_t before = 0;
    for (int i = 0; i < 20; i++) {
        if (i == 3) before = allocations(f.ctx);
        assert_int_equal(rx_context_call(f.ctx, "main", &x, 1, &out), RX_OK);
        assert_int_equal(rx_value_count(out), ITEMS);
        rx_value_release(out);
    }
    assert_int_equal(allocations(f.ctx), before);
    rx_value_release(x);
    fixture_free(&f);
}

// What is held after many shapes is what the largest needed, in whatever order they come.
static void test_many_shapes(void **state) {
    (void)state;
    fixture f = fixture_new();
    exec_param p[] = {param(&f, "s", shape_of(&f, "R.Shape([n])", 1, (const char *[]){"!n"}))};
    uint8_t bytes[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_CONST, 0, 0x10, 0, 0, 0, 0, 0, 0, POSTFIX_MUL};
    uint32_t size = exec_writer_program(f.w, bytes, sizeof bytes);
    function(&f, "main", p, 1, 4); // n pages, three times
    for (uint32_t i = 1; i < 4; i++) EMIT(&f, OP_ALLOC_STORAGE, i, size);
    EMIT(&f, OP_RET, 0);
    fixture_load(&f, NULL);
    rx_stats s = {.struct_size = sizeof s};
    uint64_t limit = 3 * (900 * 4096 + 900 * 4096 / 16) + (1 << 20);
    for (int64_t i = 0; i < 900; i++) {
        rx_value *shape, *out;
        int64_t n = i * 571 % 900 + 1;
        assert_int_equal(rx_shape_new(1, &n, &shape), RX_OK);
        assert_int_equal(rx_context_call(f.ctx, "main", &shape, 1, &out), RX_OK);
        rx_value_release(shape);
        rx_value_release(out);
        rx_context_stats(f.ctx, &s);
        assert_true(s.bytes <= limit);
    }
    assert_true(s.peak_bytes <= limit);
    rx_context_trim(f.ctx);
    rx_context_stats(f.ctx, &s);
    assert_int_equal(s.bytes, 0);
    fixture_free(&f);
}

// With the largest shape first, 900 others move what the process holds by less than 1 MiB either way.
static void test_shapes_settle(void **state) {
    (void)state;
    enum { SHAPES = 900, ROOM = 1 << 20 };
    fixture f = fixture_new();
    exec_param p[] = {param(&f, "s", shape_of(&f, "R.Shape([n])", 1, (const char *[]){"!n"}))};
    uint8_t bytes[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_CONST, 0, 0x10, 0, 0, 0, 0, 0, 0, POSTFIX_MUL};
    uint32_t size = exec_writer_program(f.w, bytes, sizeof bytes);
    function(&f, "main", p, 1, 4); // n pages, three times, the second over the first
    for (uint32_t i = 1; i < 4; i++) EMIT(&f, OP_ALLOC_STORAGE, i / 2 + 1, size);
    EMIT(&f, OP_RET, 0);
    counter c = {0};
    fixture_load(&f, &(rx_context_options){.struct_size = sizeof(rx_context_options), .allocator = {take, give, &c}});
    size_t before = 0;
    for (int64_t i = 0; i <= SHAPES; i++) {
        rx_value *shape, *out;
        int64_t n = i ? i * 571 % SHAPES + 1 : SHAPES;
        assert_int_equal(rx_shape_new(1, &n, &shape), RX_OK);
        assert_int_equal(rx_context_call(f.ctx, "main", &shape, 1, &out), RX_OK);
        rx_value_release(shape);
        rx_value_release(out);
        if (!i) before = c.live_bytes;
        if (c.live_bytes > before + ROOM || c.live_bytes + ROOM < before)
            fail_msg("%zu bytes after the first call, %zu after that with n = %lld", before, c.live_bytes,
                     (long long)n);
    }
    assert_true(before > (size_t)SHAPES * 2 * 4096);
    fixture_free(&f);
}

// A block of constant size, which a function with bounds has, is there before the first call.
static void test_block_at_load(void **state) {
    (void)state;
    enum { BLOCK = 3 << 20 };
    fixture f = fixture_new();
    exec_param p[] = {param(&f, "s", shape_of(&f, "R.Shape([n])", 1, (const char *[]){"!n"}))};
    uint32_t size = exec_writer_int(f.w, BLOCK);
    function(&f, "main", p, 1, 2);
    EMIT(&f, OP_ALLOC_STORAGE, 1, size);
    EMIT(&f, OP_RET, 0);
    fixture_load(&f, NULL);
    rx_stats s = {.struct_size = sizeof s};
    rx_value *shape, *out;
    rx_context_stats(f.ctx, &s);
    assert_true(s.bytes >= BLOCK);
    uint64_t bytes = s.bytes;
    assert_int_equal(rx_shape_new(1, (int64_t[]){1}, &shape), RX_OK);
    assert_int_equal(rx_context_call(f.ctx, "main", &shape, 1, &out), RX_OK);
    rx_context_stats(f.ctx, &s);
    assert_int_equal(s.bytes, bytes);
    assert_int_equal(s.peak_bytes, bytes);
    rx_value_release(shape);
    rx_value_release(out);

    rx_context *small = NULL;
    char message[RX_MESSAGE];
    rx_context_options o = {.struct_size = sizeof o, .memory_limit = BLOCK - 1};
    assert_int_equal(rx_context_new(f.exe, &o, &small, message), RX_OUT_OF_MEMORY);
    assert_string_equal(message, "no memory for the 3145728 bytes that a function works in");
    fixture_free(&f);
}

// Results dropped by another thread come home; those alive when the context goes keep its memory.
static void *drop(void *user) {
    rx_value_release(user);
    return NULL;
}

static void test_other_threads_drop(void **state) {
    (void)state;
    fixture f = everything();
    rx_registry *r = registry();
    fixture_load(&f, &(rx_context_options){.struct_size = sizeof(rx_context_options), .registry = r});
    rx_value *x = counting(2, (int64_t[]){3, 4}, 0), *out[8];
    for (int round = 0; round < 20; round++) {
        pthread_t t[8];
        for (int i = 0; i < 8; i++) assert_int_equal(rx_context_call(f.ctx, "main", &x, 1, &out[i]), RX_OK);
        if (round == 19) {
            rx_context_release(f.ctx);
            f.ctx = NULL;
        }
        for (int i = 0; i < 8; i++) assert_int_equal(pthread_create(&t[i], NULL, drop, out[i]), 0);
        for (int i = 0; i < 8; i++) pthread_join(t[i], NULL);
    }
    rx_value_release(x);
    rx_registry_release(r);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation_fails),
        cmocka_unit_test(test_context_survives),
        cmocka_unit_test(test_large_objects),
        cmocka_unit_test(test_steady_state),
        cmocka_unit_test(test_many_shapes),
        cmocka_unit_test(test_shapes_settle),
        cmocka_unit_test(test_block_at_load),
        cmocka_unit_test(test_other_threads_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
