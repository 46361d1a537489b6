// t_loop.c - loop programs: building, children, replacing, refreshing, signatures.
#include "loop/walk.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct fixture {
    expr_session *s;
    arena *mem;
} fixture;

static int open_fixture(void **state) {
    fixture *f = test_malloc(sizeof *f);
    f->s = expr_open();
    f->mem = arena_new();
    *state = f;
    return 0;
}

static int close_fixture(void **state) {
    fixture *f = *state;
    expr_close(f->s);
    arena_free(f->mem);
    test_free(f);
    return 0;
}

static const expr *i64(fixture *f, int64_t value) { return expr_i64(f->s, value); }

static const expr *var(fixture *f, const char *name) { return expr_new_var(f->s, name, DTYPE_OF(I64)); }

// A[i] = A[i] + 1.0 over a buffer of n elements.
static const stmt *increment(fixture *f, const buffer *b, const expr *i) {
    const expr *old = expr_load(f->s, b, DTYPE_OF(F32), &i, 1);
    const expr *sum = expr_binary(f->s, EXPR_ADD, old, expr_float(f->s, DTYPE_OF(F32), 1));
    return stmt_store(f->mem, b, &i, 1, sum);
}

static void sequences_are_flat(void **state) {
    fixture *f = *state;
    const expr *n = var(f, "n");
    const buffer *a = buffer_new(f->s, "A", DTYPE_OF(F32), &n, 1, "global");
    const stmt *one = increment(f, a, i64(f, 0)), *two = increment(f, a, i64(f, 1));
    assert_ptr_equal(stmt_seq(f->mem, &one, 1), one);
    const stmt *pair = stmt_seq(f->mem, (const stmt *const[]){one, two}, 2);
    const stmt *all = stmt_seq(f->mem, (const stmt *const[]){pair, one, pair}, 3);
    assert_int_equal(all->as.seq.count, 5);
    assert_ptr_equal(stmt_child(all, 3), one);
    assert_null(stmt_child(all, 5));
}

static void children_come_in_order(void **state) {
    fixture *f = *state;
    const expr *n = var(f, "n"), *i = var(f, "i"), *vi = var(f, "vi");
    const buffer *a = buffer_new(f->s, "A", DTYPE_OF(F32), &n, 1, "global");
    const stmt *init = increment(f, a, vi), *body = increment(f, a, vi);
    iter it = {.var = vi, .kind = ITER_SPATIAL, .dom = {i64(f, 0), n}, .value = i};
    const stmt *blk = stmt_block(f->mem, &(block){.name = "b", .iters = 1, .iter = &it, .init = init, .body = body});
    assert_ptr_equal(stmt_child(blk, 0), init);
    assert_ptr_equal(stmt_child(blk, 1), body);
    assert_null(stmt_child(blk, 2));
    const stmt *loop = stmt_for(f->mem, FOR_SERIAL, i, i64(f, 0), n, blk);
    assert_ptr_equal(stmt_with_children(f->mem, loop, &blk), loop);
    const stmt *other = stmt_with_children(f->mem, blk, (const stmt *const[]){body, init});
    assert_ptr_equal(other->as.block->init, body);
    assert_ptr_equal(blk->as.block->init, init);
    const stmt *branch = stmt_if(f->mem, expr_bool(f->s, true), body, NULL);
    assert_ptr_equal(stmt_child(branch, 0), body);
    assert_null(stmt_child(branch, 1));
}

static void replacing_reaches_declared_buffers(void **state) {
    fixture *f = *state;
    const expr *n = var(f, "n"), *m = var(f, "m"), *i = var(f, "i");
    const buffer *local = buffer_new(f->s, "L", DTYPE_OF(F32), &n, 1, "local");
    const buffer *out = buffer_new(f->s, "O", DTYPE_OF(F32), &m, 1, "global");
    const stmt *body = stmt_seq(f->mem, (const stmt *const[]){increment(f, local, i), increment(f, out, i)}, 2);
    const buffer *const allocs[] = {local};
    const stmt *root = stmt_block(f->mem, &(block){.name = "root",
                                                   .allocs = 1,
                                                   .alloc = allocs,
                                                   .body = stmt_for(f->mem, FOR_SERIAL, i, i64(f, 0), n, body)});
    map with = MAP_IN(f->mem);
    map_put(&with, MAP_KEY(n), (void *)(uintptr_t)m);
    const stmt *now = stmt_replace(f->s, f->mem, root, &with, NULL);
    const buffer *new_local = now->as.block->alloc[0];
    assert_ptr_not_equal(new_local, local);
    assert_ptr_equal(new_local->dim[0], m);
    const stmt *loop = now->as.block->body;
    assert_ptr_equal(loop->as.loop.extent, m);
    assert_ptr_equal(stmt_child(loop->as.loop.body, 0)->as.store.buf, new_local);
    assert_ptr_equal(stmt_child(loop->as.loop.body, 1), stmt_child(body, 1)); // untouched: shared
    map none = MAP_IN(f->mem);
    assert_ptr_equal(stmt_replace(f->s, f->mem, root, &none, NULL), root);
}

static void refreshing_renames_all_that_is_bound(void **state) {
    fixture *f = *state;
    const expr *n = var(f, "n"), *i = var(f, "i"), *x = var(f, "x");
    const buffer *local = buffer_new(f->s, "L", DTYPE_OF(F32), &n, 1, "local");
    const buffer *const allocs[] = {local};
    const stmt *inner = stmt_let(f->mem, x, i, increment(f, local, x));
    const stmt *loop = stmt_for(f->mem, FOR_SERIAL, i, i64(f, 0), n, inner);
    const stmt *root = stmt_block(f->mem, &(block){.name = "root", .allocs = 1, .alloc = allocs, .body = loop});
    const stmt *now = stmt_refresh(f->s, f->mem, root);
    const stmt *new_loop = now->as.block->body, *new_let = new_loop->as.loop.body, *store = new_let->as.let.body;
    assert_ptr_not_equal(new_loop->as.loop.var, i);
    assert_ptr_equal(new_let->as.let.value, new_loop->as.loop.var);
    assert_ptr_not_equal(new_let->as.let.var, x);
    assert_ptr_equal(store->as.store.index[0], new_let->as.let.var);
    assert_ptr_equal(store->as.store.buf, now->as.block->alloc[0]);
    assert_ptr_not_equal(store->as.store.buf, local);
    assert_ptr_not_equal(store->as.store.buf->data, local->data);
    assert_ptr_equal(store->as.store.value->in[0]->as.buffer, store->as.store.buf);
    assert_ptr_equal(new_loop->as.loop.extent, n); // free: kept
}

static void signature_variables_leave_scalars_out(void **state) {
    fixture *f = *state;
    const expr *n = var(f, "n"), *m = var(f, "m");
    const expr *const dims[] = {n, expr_binary(f->s, EXPR_MUL, m, n)};
    const buffer *a = buffer_new(f->s, "A", DTYPE_OF(F32), dims, 2, "global");
    const loop_param params[] = {{.var = expr_new_var(f->s, "a", DTYPE_OF(HANDLE)), .buf = a}, {.var = m}};
    loop_func func = {.name = "f", .params = 2, .param = params, .body = increment(f, a, n)};
    expr_list vars = {0};
    loop_func_dim_vars(&func, f->mem, &vars);
    assert_int_equal(vars.len, 1);
    assert_ptr_equal(vars.at[0], n);
    const buffer *const *buffers;
    assert_int_equal(loop_func_buffers(&func, f->mem, &buffers), 1);
    assert_ptr_equal(buffers[0], a);
}

// A hundred thousand nested lets must not need a hundred thousand stack frames.
static void depth_needs_no_stack(void **state) {
    fixture *f = *state;
    const expr *n = var(f, "n"), *m = var(f, "m");
    const buffer *a = buffer_new(f->s, "A", DTYPE_OF(F32), &n, 1, "global");
    const stmt *st = increment(f, a, n);
    enum { DEPTH = 100000 };
    for (int d = 0; d < DEPTH; d++) st = stmt_let(f->mem, var(f, "x"), n, st);
    map with = MAP_IN(f->mem);
    map_put(&with, MAP_KEY(n), (void *)(uintptr_t)m);
    const stmt *now = stmt_replace(f->s, f->mem, stmt_refresh(f->s, f->mem, st), &with, NULL);
    uint32_t lets = 0;
    for (stmt_walk w = stmt_walk_from(f->mem, now); stmt_walk_next(&w);)
        if (!w.leaving && w.st->kind == STMT_LET) {
            assert_ptr_equal(w.st->as.let.value, m);
            lets++;
        }
    assert_int_equal(lets, DEPTH);
}

static void walking_skips_and_leaves(void **state) {
    fixture *f = *state;
    const expr *n = var(f, "n"), *i = var(f, "i");
    const buffer *a = buffer_new(f->s, "A", DTYPE_OF(F32), &n, 1, "global");
    const stmt *loop = stmt_for(f->mem, FOR_SERIAL, i, i64(f, 0), n, increment(f, a, i));
    const stmt *all = stmt_seq(f->mem, (const stmt *const[]){loop, increment(f, a, n)}, 2);
    uint32_t entered = 0, left = 0, skipped = 0;
    for (stmt_walk w = stmt_walk_from(f->mem, all); stmt_walk_next(&w);) {
        entered += !w.leaving;
        left += w.leaving;
        if (!w.leaving && w.st->kind == STMT_FOR) w.skip = ++skipped;
        if (!w.leaving && w.st != all) assert_ptr_equal(stmt_walk_open(&w, 0), all);
    }
    assert_int_equal(entered, 3);
    assert_int_equal(left, 3);
    assert_int_equal(skipped, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sequences_are_flat, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(children_come_in_order, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(replacing_reaches_declared_buffers, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(refreshing_renames_all_that_is_bound, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(signature_variables_leave_scalars_out, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(depth_needs_no_stack, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(walking_skips_and_leaves, open_fixture, close_fixture),
    };
    return cmocka_run_group_tests_name("loop", tests, NULL, NULL);
}
