// t_regions.c - what blocks read and write, in the boxes that TVM 0.25 prints for the same blocks.
#include "loop/regions.h"
#include "loop/span.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct fixture {
    expr_session *s;
    arena *mem;
    const expr *n, *vi, *vj;
    const buffer *a, *b; // (n, 64) of float32
    map names;           // of buffers, for printing
} fixture;

static const expr *i64(fixture *f, int64_t value) { return expr_i64(f->s, value); }

static const expr *var(fixture *f, const char *name) { return expr_new_var(f->s, name, DTYPE_OF(I64)); }

static const expr *two(fixture *f, expr_op op, const expr *a, const expr *b) { return expr_binary(f->s, op, a, b); }

static int open_fixture(void **state) {
    fixture *f = test_malloc(sizeof *f);
    f->s = expr_open();
    f->mem = arena_new();
    f->names = MAP_IN(f->mem);
    f->n = var(f, "n");
    f->vi = var(f, "vi");
    f->vj = var(f, "vj");
    const expr *const dims[] = {f->n, i64(f, 64)};
    f->a = buffer_new(f->s, "A", DTYPE_OF(F32), dims, 2, "global");
    f->b = buffer_new(f->s, "B", DTYPE_OF(F32), dims, 2, "global");
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

static const expr *load(fixture *f, const expr *i, const expr *j) {
    return expr_load(f->s, f->a, DTYPE_OF(F32), (const expr *const[]){i, j}, 2);
}

static const stmt *store(fixture *f, const expr *i, const expr *j, const expr *value) {
    return stmt_store(f->mem, f->b, (const expr *const[]){i, j}, 2, value);
}

static const stmt *loop(fixture *f, const expr *k, const expr *extent, const stmt *body) {
    return stmt_for(f->mem, FOR_SERIAL, k, i64(f, 0), extent, body);
}

static block block_of(fixture *f, const stmt *body) {
    iter *its = ARENA_NEW(f->mem, iter, 2);
    its[0] = (iter){.var = f->vi, .dom = {i64(f, 0), f->n}, .value = f->vi};
    its[1] = (iter){.var = f->vj, .dom = {i64(f, 0), i64(f, 64)}, .value = f->vj};
    return (block){.name = "x", .iters = 2, .iter = its, .body = body};
}

// A[vi, 0:64], B[…]: as T.reads writes them.
static char *spell(fixture *f, const region_list *list) {
    text out = TEXT_IN(f->mem);
    expr_print_options options = {.graph = true, .buffer_names = &f->names};
    for (uint32_t i = 0; i < list->len; i++) {
        text_format(&out, "%s%s[", i ? ", " : "", list->at[i].buf->name);
        for (uint32_t d = 0; d < list->at[i].buf->rank; d++) {
            range r = list->at[i].dim[d];
            text_put(&out, d ? ", " : "");
            expr_print(&out, r.min, &options);
            if (expr_is_int(r.extent, 1)) continue;
            text_put(&out, ":");
            expr_print(&out, expr_simplify(f->s, two(f, EXPR_ADD, r.min, r.extent), NULL), &options);
        }
        text_put(&out, "]");
    }
    return arena_copy(f->mem, text_get(&out), out.len);
}

static void check_block(fixture *f, const block *b, const char *reads, const char *writes) {
    region_list r = {0}, w = {0};
    block_regions(f->s, f->mem, b, &r, &w);
    assert_string_equal(spell(f, &r), reads);
    assert_string_equal(spell(f, &w), writes);
}

static void check_regions(fixture *f, const stmt *body, const char *reads, const char *writes) {
    block b = block_of(f, body);
    check_block(f, &b, reads, writes);
}

static void points_stay_as_written(void **state) {
    fixture *f = *state;
    const expr *odd = two(f, EXPR_FLOOR_MOD, two(f, EXPR_FLOOR_DIV, f->vj, i64(f, 4)), f->n);
    check_regions(f, store(f, f->vi, f->vj, load(f, odd, two(f, EXPR_ADD, f->vj, i64(f, 0)))), "A[vj // 4 % n, vj + 0]",
                  "B[vi, vj]");
}

static void neighbours_become_one_box(void **state) {
    fixture *f = *state;
    const expr *sum = two(f, EXPR_ADD, load(f, f->vi, f->vj), load(f, f->vi, two(f, EXPR_ADD, f->vj, i64(f, 1))));
    check_regions(f, store(f, f->vi, f->vj, sum), "A[vi, vj:vj + 2]", "B[vi, vj]");
}

static void unordered_points_are_bounded_by_min_and_max(void **state) {
    fixture *f = *state;
    region_list r = {0}, w = {0};
    block b = block_of(f, store(f, f->vi, f->vj, two(f, EXPR_ADD, load(f, f->vi, f->vj), load(f, f->vj, f->vi))));
    block_regions(f->s, f->mem, &b, &r, &w);
    assert_string_equal(expr_to_text(f->mem, r.at[0].dim[0].min), "T.min(vi, vj)");
    assert_string_equal(expr_to_text(f->mem, r.at[0].dim[0].extent), "T.max(vi, vj) + 1 - T.min(vi, vj)");
    assert_string_equal(expr_to_text(f->mem, r.at[0].dim[1].min), "T.min(vj, vi)");
}

static void loops_inside_are_widened(void **state) {
    fixture *f = *state;
    const expr *k = var(f, "k"), *sixteen = i64(f, 16);
    const expr *strided = two(f, EXPR_ADD, two(f, EXPR_MUL, k, i64(f, 4)), two(f, EXPR_FLOOR_MOD, f->vj, i64(f, 4)));
    check_regions(f, loop(f, k, sixteen, store(f, f->vi, k, load(f, f->vi, strided))), "A[vi, vj % 4:vj % 4 + 61]",
                  "B[vi, 0:16]");
    const expr *quarter = two(f, EXPR_FLOOR_DIV, k, i64(f, 4));
    const expr *ends = two(f, EXPR_ADD, load(f, f->vi, two(f, EXPR_FLOOR_MOD, k, i64(f, 4))),
                           load(f, f->vi, two(f, EXPR_SUB, i64(f, 63), k)));
    check_regions(f, loop(f, k, sixteen, store(f, f->vi, quarter, ends)), "A[vi, 0:64]", "B[vi, 0:4]");
    check_regions(f, loop(f, k, f->vj, store(f, f->vi, k, load(f, f->vi, f->vj))), "A[vi, vj]", "B[vi, 0:vj]");
}

static void conditions_narrow_loops(void **state) {
    fixture *f = *state;
    const expr *k = var(f, "k"), *small = two(f, EXPR_LT, k, i64(f, 5));
    const stmt *body = stmt_if(f->mem, small, store(f, f->vi, k, load(f, f->vi, k)), NULL);
    check_regions(f, loop(f, k, i64(f, 16), body), "A[vi, 0:5]", "B[vi, 0:5]");
    const expr *zero = expr_float(f->s, DTYPE_OF(F32), 0);
    const expr *choice[] = {small, load(f, f->vi, k), zero};
    const expr *value = expr_call(f->s, intrinsic_get(INTRIN_IF_THEN_ELSE), DTYPE_OF(F32), choice, 3);
    check_regions(f, loop(f, k, i64(f, 16), store(f, f->vi, k, value)), "A[vi, 0:5]", "B[vi, 0:16]");
    body = stmt_if(f->mem, small, store(f, f->vi, k, zero), store(f, f->vi, f->vj, load(f, f->vi, k)));
    check_regions(f, loop(f, k, i64(f, 16), body), "A[vi, 5:16]", "B[vi, T.min(0, vj):T.max(4, vj) + 1]");
}

static void loads_in_indices_count_too(void **state) {
    fixture *f = *state;
    const buffer *idx = buffer_new(f->s, "idx", DTYPE_OF(I64), (const expr *const[]){i64(f, 16)}, 1, "global");
    map_put(&f->names, MAP_KEY(idx), (void *)(uintptr_t)idx->name);
    const expr *row = expr_load(f->s, idx, DTYPE_OF(I64), &f->vj, 1);
    check_regions(f, store(f, f->vi, f->vj, load(f, row, f->vj)), "A[idx[vj], vj], idx[vj]", "B[vi, vj]");
    const expr *k = var(f, "k"), *any = expr_load(f->s, idx, DTYPE_OF(I64), &k, 1);
    check_regions(f, loop(f, k, i64(f, 16), store(f, f->vi, f->vj, load(f, any, f->vj))), "A[0:n, vj], idx[0:16]",
                  "B[vi, vj]");
}

static void buffers_without_dims_count(void **state) {
    fixture *f = *state;
    const buffer *scalar_buffer = buffer_new(f->s, "S", DTYPE_OF(F32), NULL, 0, "global");
    check_regions(f, store(f, f->vi, f->vj, expr_load(f->s, scalar_buffer, DTYPE_OF(F32), NULL, 0)), "S[]",
                  "B[vi, vj]");
}

// Rows found by tables are points; two of them have no box but the whole buffer.
static void tables_have_no_order(void **state) {
    fixture *f = *state;
    const buffer *idx = buffer_new(f->s, "idx", DTYPE_OF(I64), (const expr *const[]){i64(f, 16)}, 1, "global");
    map_put(&f->names, MAP_KEY(idx), (void *)(uintptr_t)idx->name);
    const expr *row = expr_load(f->s, idx, DTYPE_OF(I64), &f->vj, 1);
    check_regions(f, store(f, f->vi, f->vj, two(f, EXPR_ADD, load(f, row, f->vj), load(f, f->vi, f->vj))),
                  "A[0:n, vj], idx[vj]", "B[vi, vj]");
}

static void a_reduction_does_not_read_what_it_writes(void **state) {
    fixture *f = *state;
    const expr *old = expr_load(f->s, f->b, DTYPE_OF(F32), (const expr *const[]){f->vi, f->vj}, 2);
    block b = block_of(f, store(f, f->vi, f->vj, two(f, EXPR_ADD, old, load(f, f->vi, f->vj))));
    check_block(f, &b, "B[vi, vj], A[vi, vj]", "B[vi, vj]");
    b.init = store(f, f->vi, f->vj, expr_float(f->s, DTYPE_OF(F32), 0));
    check_block(f, &b, "A[vi, vj]", "B[vi, vj]");
}

static void lets_and_vectors_are_looked_through(void **state) {
    fixture *f = *state;
    const expr *x = var(f, "x");
    check_regions(f, stmt_let(f->mem, x, two(f, EXPR_ADD, f->vi, i64(f, 1)), store(f, f->vi, f->vj, load(f, x, f->vj))),
                  "A[vi + 1, vj]", "B[vi, vj]");
    const expr *lanes = expr_ramp(f->s, two(f, EXPR_MUL, f->vj, i64(f, 4)), i64(f, 1), 4);
    const expr *value = expr_load(f->s, f->a, dtype_vector(DTYPE_OF(F32), 4), (const expr *const[]){f->vi, lanes}, 2);
    check_regions(f, store(f, f->vi, lanes, value), "A[vi, vj * 4:vj * 4 + 4]", "B[vi, vj * 4:vj * 4 + 4]");
}

// Blocks inside count with their regions over the loops around them; what is allocated here is nobody else's.
static void inner_blocks_and_local_buffers(void **state) {
    fixture *f = *state;
    const expr *four = i64(f, 4), *k = var(f, "k"), *vk = var(f, "vk");
    const buffer *c = buffer_new(f->s, "C", DTYPE_OF(F32), &four, 1, "local");
    const expr *column = two(f, EXPR_ADD, two(f, EXPR_MUL, f->vj, four), vk);
    const stmt *in = stmt_store(f->mem, c, &vk, 1, load(f, f->vi, column));
    const iter it = {.var = vk, .dom = {i64(f, 0), four}, .value = k};
    const stmt *first =
        loop(f, k, four, stmt_block(f->mem, &(block){.name = "in", .iters = 1, .iter = &it, .body = in}));
    const stmt *out = store(f, f->vi, column, expr_load(f->s, c, DTYPE_OF(F32), &vk, 1));
    const stmt *second =
        loop(f, k, four, stmt_block(f->mem, &(block){.name = "out", .iters = 1, .iter = &it, .body = out}));
    block b = block_of(f, stmt_seq(f->mem, (const stmt *const[]){first, second}, 2));
    b.allocs = 1;
    b.alloc = &c;
    check_block(f, &b, "A[vi, vj * 4:vj * 4 + 4]", "B[vi, vj * 4:vj * 4 + 4]");
}

static void matched_buffers_are_boxes_of_their_source(void **state) {
    fixture *f = *state;
    const expr *k = var(f, "k"), *const dims[] = {i64(f, 1), i64(f, 16)};
    const buffer *c = buffer_new(f->s, "C", DTYPE_OF(F32), dims, 2, "global");
    const range box[] = {{f->vi, i64(f, 1)}, {i64(f, 8), i64(f, 16)}};
    const buffer_match match = {.inner = c, .source = {f->a, box}};
    const expr *value = expr_load(f->s, c, DTYPE_OF(F32), (const expr *const[]){i64(f, 0), k}, 2);
    block b = block_of(f, loop(f, k, i64(f, 16), store(f, f->vi, k, value)));
    b.matches = 1;
    b.match = &match;
    check_block(f, &b, "A[vi, 8:24]", "B[vi, 0:16]");
}

static void written_regions_of_inner_blocks_count(void **state) {
    fixture *f = *state;
    const range box[] = {{f->vi, i64(f, 1)}, {i64(f, 0), i64(f, 8)}};
    const region writes = {f->b, box};
    const stmt *inner = stmt_block(f->mem, &(block){.name = "opaque",
                                                    .writes = 1,
                                                    .write = &writes,
                                                    .regions_written = true,
                                                    .body = store(f, f->vi, f->vj, load(f, f->vi, f->vj))});
    check_regions(f, inner, "", "B[vi, 0:8]");
}

static void facts_order_the_ends(void **state) {
    fixture *f = *state;
    region_list r = {0}, w = {0};
    const expr *zero = expr_float(f->s, DTYPE_OF(F32), 0);
    const stmt *both =
        stmt_seq(f->mem, (const stmt *const[]){store(f, f->vi, f->vj, zero), store(f, f->vi, i64(f, 0), zero)}, 2);
    facts *known = facts_new(f->s);
    facts_range(known, f->vj, i64(f, 0), i64(f, 64));
    stmt_regions(f->s, f->mem, both, known, &r, &w);
    assert_string_equal(spell(f, &w), "B[vi, 0:vj + 1]");
    region joined = region_union(f->s, f->mem, w.at[0], w.at[0], known);
    assert_string_equal(expr_to_text(f->mem, joined.dim[1].extent), "vj + 1");
}

#define REGION_TEST(f) cmocka_unit_test_setup_teardown(f, open_fixture, close_fixture)

int main(void) {
    const struct CMUnitTest tests[] = {
        REGION_TEST(points_stay_as_written),
        REGION_TEST(neighbours_become_one_box),
        REGION_TEST(unordered_points_are_bounded_by_min_and_max),
        REGION_TEST(loops_inside_are_widened),
        REGION_TEST(conditions_narrow_loops),
        REGION_TEST(loads_in_indices_count_too),
        REGION_TEST(buffers_without_dims_count),
        REGION_TEST(tables_have_no_order),
        REGION_TEST(a_reduction_does_not_read_what_it_writes),
        REGION_TEST(lets_and_vectors_are_looked_through),
        REGION_TEST(inner_blocks_and_local_buffers),
        REGION_TEST(matched_buffers_are_boxes_of_their_source),
        REGION_TEST(written_regions_of_inner_blocks_count),
        REGION_TEST(facts_order_the_ends),
    };
    return cmocka_run_group_tests_name("regions", tests, NULL, NULL);
}
