// t_verify.c - one breach per rule of the loop verifier.
#include "loop/verify.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    expr_session *s;
    arena *mem;
    diag *d;
    const expr *n, *i, *vi;
    const buffer *a, *b; // (n,) of float32: the parameters
    loop_func func;
    loop_param param[3];
} fixture;

static const expr *i64(fixture *f, int64_t value) { return expr_i64(f->s, value); }

static const expr *var(fixture *f, const char *name) { return expr_new_var(f->s, name, DTYPE_OF(I64)); }

static const expr *handle(fixture *f, const char *name) { return expr_new_var(f->s, name, DTYPE_OF(HANDLE)); }

static int open_fixture(void **state) {
    fixture *f = test_calloc(1, sizeof *f);
    f->s = expr_open();
    f->mem = arena_new();
    f->d = diag_new(f->mem);
    f->n = var(f, "n");
    f->i = var(f, "i");
    f->vi = var(f, "vi");
    f->a = buffer_new(f->s, "A", DTYPE_OF(F32), &f->n, 1, "global");
    f->b = buffer_new(f->s, "B", DTYPE_OF(F32), &f->n, 1, "global");
    f->param[0] = (loop_param){.var = handle(f, "var_A"), .buf = f->a};
    f->param[1] = (loop_param){.var = handle(f, "var_B"), .buf = f->b};
    f->func = (loop_func){.name = "f", .params = 2, .param = f->param};
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

static const stmt *copy(fixture *f, const expr *i) {
    return stmt_store(f->mem, f->b, &i, 1, expr_load(f->s, f->a, DTYPE_OF(F32), &i, 1));
}

static const stmt *loop(fixture *f, const stmt *body) {
    return stmt_for(f->mem, FOR_SERIAL, f->i, i64(f, 0), f->n, body);
}

// The copy in a block of one iteration variable, with regions as given.
static block block_of(fixture *f, const stmt *body) {
    iter *it = ARENA_NEW(f->mem, iter, 1);
    *it = (iter){.var = f->vi, .dom = {i64(f, 0), f->n}, .value = f->i};
    return (block){.name = "copy", .iters = 1, .iter = it, .body = body};
}

static const stmt *in_block(fixture *f, const stmt *body) {
    block b = block_of(f, body);
    return loop(f, stmt_block(f->mem, &b));
}

static void accepts(fixture *f, const stmt *body) {
    f->func.body = body;
    bool good = loop_verify(&f->func, f->s, f->d);
    if (!good) print_message("%s\n", f->d->record[0].message);
    assert_true(good);
}

static void refuses(fixture *f, const stmt *body, const char *message) {
    f->func.body = body;
    assert_false(loop_verify(&f->func, f->s, f->d));
    assert_string_equal(f->d->record[0].message, message);
    assert_int_equal(f->d->errors, 1);
}

static void good_programs_pass(void **state) {
    fixture *f = *state;
    accepts(f, loop(f, copy(f, f->i)));
    accepts(f, in_block(f, copy(f, f->vi)));
    const buffer *local = buffer_new(f->s, "L", DTYPE_OF(F32), &f->vi, 1, "local");
    block b = block_of(f, copy(f, f->vi));
    b.allocs = 1;
    b.alloc = &local;
    accepts(f, loop(f, stmt_block(f->mem, &b)));
}

static void variables_are_defined(void **state) {
    fixture *f = *state;
    refuses(f, stmt_seq(f->mem, (const stmt *const[]){loop(f, copy(f, f->i)), copy(f, f->i)}, 2),
            "the variable i is not defined here");
}

static void buffers_are_defined(void **state) {
    fixture *f = *state;
    const buffer *c = buffer_new(f->s, "C", DTYPE_OF(F32), &f->n, 1, "global");
    refuses(f, loop(f, stmt_store(f->mem, c, &f->i, 1, expr_load(f->s, f->a, DTYPE_OF(F32), &f->i, 1))),
            "the buffer C is not defined here");
}

static void local_buffers_stay_inside(void **state) {
    fixture *f = *state;
    const buffer *local = buffer_new(f->s, "L", DTYPE_OF(F32), &f->n, 1, "local");
    block b = block_of(f, copy(f, f->vi));
    b.allocs = 1;
    b.alloc = &local;
    const expr *value = expr_load(f->s, local, DTYPE_OF(F32), &f->n, 1);
    const stmt *after = stmt_store(f->mem, f->b, &f->n, 1, value);
    refuses(f, stmt_seq(f->mem, (const stmt *const[]){loop(f, stmt_block(f->mem, &b)), after}, 2),
            "the buffer L is not defined here");
}

static void indices_fit_the_rank(void **state) {
    fixture *f = *state;
    const expr *const two[] = {f->n, f->n};
    refuses(f, stmt_store(f->mem, f->b, two, 2, expr_float(f->s, DTYPE_OF(F32), 0)), "B has 1 dim, got 2 indices");
}

static void indices_are_integers(void **state) {
    fixture *f = *state;
    const expr *zero = expr_float(f->s, DTYPE_OF(F32), 0);
    refuses(f, stmt_store(f->mem, f->b, &zero, 1, zero), "index 0 of B: want an integer, got float32");
}

static void stores_fit_their_buffer(void **state) {
    fixture *f = *state;
    refuses(f, stmt_store(f->mem, f->b, &f->n, 1, f->n), "store to B: want float32, got int64");
}

static void loads_fit_their_buffer(void **state) {
    fixture *f = *state;
    refuses(f, stmt_evaluate(f->mem, expr_load(f->s, f->a, DTYPE_OF(F16), &f->n, 1)),
            "a load from A gives float16, but its elements are float32");
}

static void vectors_have_the_lanes_of_their_index(void **state) {
    fixture *f = *state;
    const expr *lanes = expr_ramp(f->s, i64(f, 0), i64(f, 1), 4), *one = expr_float(f->s, DTYPE_OF(F32), 1);
    accepts(f, stmt_store(f->mem, f->b, &lanes, 1, expr_broadcast(f->s, one, 4)));
    refuses(f, stmt_store(f->mem, f->b, &lanes, 1, one),
            "store to B: want float32 with the lanes of the index, got float32");
}

static void loops_are_of_one_type(void **state) {
    fixture *f = *state;
    const expr *ten = expr_int(f->s, DTYPE_OF(I32), 10);
    refuses(f, stmt_for(f->mem, FOR_SERIAL, f->i, i64(f, 0), ten, copy(f, f->i)),
            "loop over i: variable, start and extent must be of one integer type, got int64, int64 and int32");
}

static void threads_have_names(void **state) {
    fixture *f = *state;
    refuses(f, stmt_for(f->mem, FOR_THREAD, f->i, i64(f, 0), f->n, copy(f, f->i)),
            "loop over i: a thread-bound loop must name its thread (thread=\"threadIdx.x\")");
}

static const stmt *thread_loop(fixture *f, const expr *v, int64_t extent, const stmt *body) {
    stmt *st = ARENA_NEW(f->mem, stmt, 1);
    *st = *stmt_for(f->mem, FOR_THREAD, v, i64(f, 0), i64(f, extent), body);
    st->as.loop.thread = "threadIdx.x";
    return st;
}

static void threads_have_one_extent(void **state) {
    fixture *f = *state;
    const expr *j = var(f, "j");
    accepts(f, thread_loop(f, j, 8, thread_loop(f, f->i, 8, copy(f, f->i))));
    refuses(f, thread_loop(f, j, 16, thread_loop(f, f->i, 8, copy(f, f->i))),
            "threadIdx.x has extent 8 here and 16 in a loop around it");
}

static void variables_are_bound_once_at_a_time(void **state) {
    fixture *f = *state;
    refuses(f, loop(f, loop(f, copy(f, f->i))), "the variable i is bound again inside its own scope");
}

static void conditions_are_bools(void **state) {
    fixture *f = *state;
    refuses(f, stmt_if(f->mem, f->n, copy(f, f->n), NULL), "if: want a bool, got int64");
}

static void lets_have_the_type_of_their_value(void **state) {
    fixture *f = *state;
    refuses(f, stmt_let(f->mem, var(f, "x"), expr_float(f->s, DTYPE_OF(F32), 1), copy(f, f->n)),
            "x is int64, but its value is float32");
}

static void iteration_variables_are_bound(void **state) {
    fixture *f = *state;
    block b = block_of(f, copy(f, f->vi));
    iter it = {.var = f->vi, .dom = {i64(f, 0), f->n}};
    b.iter = &it;
    refuses(f, loop(f, stmt_block(f->mem, &b)), "block copy: the iteration variable vi is bound to nothing");
}

static void blocks_use_their_own_variables(void **state) {
    fixture *f = *state;
    refuses(f, in_block(f, copy(f, f->i)),
            "the loop variable i is used inside a block; bind an iteration variable to it "
            "(T.axis.spatial or T.axis.reduce)");
}

static void loops_inside_a_block_are_free(void **state) {
    fixture *f = *state;
    const expr *k = var(f, "k");
    accepts(f, in_block(f, stmt_for(f->mem, FOR_SERIAL, k, i64(f, 0), f->n, copy(f, k))));
}

static block with_regions(fixture *f, const buffer *reads, int64_t first, int64_t extent) {
    block b = block_of(f, copy(f, f->vi));
    range *box = ARENA_NEW(f->mem, range, 2);
    box[0] = (range){expr_binary(f->s, EXPR_ADD, f->vi, i64(f, first)), i64(f, extent)};
    box[1] = (range){f->vi, i64(f, 1)};
    region *r = ARENA_NEW(f->mem, region, 2);
    r[0] = (region){reads, &box[0]};
    r[1] = (region){f->b, &box[1]};
    b.reads = b.writes = 1;
    b.read = &r[0];
    b.write = &r[1];
    b.regions_written = true;
    return b;
}

static void written_regions_cover_the_accesses(void **state) {
    fixture *f = *state;
    block good = with_regions(f, f->a, -1, 3), missing = with_regions(f, f->b, 0, 1),
          beside = with_regions(f, f->a, 1, 1);
    accepts(f, loop(f, stmt_block(f->mem, &good)));
    refuses(f, loop(f, stmt_block(f->mem, &missing)), "block copy accesses A, which is missing in T.reads");
    f->d->errors = f->d->len = 0;
    refuses(f, loop(f, stmt_block(f->mem, &beside)),
            "block copy: dim 0 of A in T.reads leaves out what the block accesses");
}

// T.reads() and T.writes() alike empty: a program that was never made of blocks, so nothing is claimed.
static void two_empty_lists_claim_nothing(void **state) {
    fixture *f = *state;
    block b = block_of(f, copy(f, f->vi));
    b.regions_written = true;
    accepts(f, loop(f, stmt_block(f->mem, &b)));
}

static void dims_are_bound_by_the_signature(void **state) {
    fixture *f = *state;
    const expr *m = var(f, "m"), *twice = expr_binary(f->s, EXPR_MUL, m, i64(f, 2));
    const buffer *c = buffer_new(f->s, "C", DTYPE_OF(F32), &twice, 1, "global");
    f->param[2] = (loop_param){.var = handle(f, "var_C"), .buf = c};
    f->func.params = 3;
    refuses(f, loop(f, copy(f, f->i)), "the variable m is not defined here");
    f->d->errors = f->d->len = 0;
    f->param[1] = (loop_param){.var = m};
    f->func.params = 3;
    f->func.body = stmt_evaluate(f->mem, m);
    assert_true(loop_verify(&f->func, f->s, f->d));
}

// --- Launches.

static const stmt *parallel(fixture *f, const expr *v) {
    return stmt_for(f->mem, FOR_PARALLEL, v, i64(f, 0), f->n, copy(f, v));
}

static void a_launch_has_one_nest(void **state) {
    fixture *f = *state;
    const stmt *one = parallel(f, f->i), *two = parallel(f, var(f, "j"));
    f->func.body = one;
    assert_true(loop_verify_launch(&f->func, f->d));
    f->func.body = stmt_if(f->mem, expr_binary(f->s, EXPR_LE, f->n, i64(f, 8)), one, two); // alternatives
    assert_true(loop_verify_launch(&f->func, f->d));
    f->func.body = stmt_seq(f->mem, (const stmt *const[]){one, two}, 2);
    assert_false(loop_verify_launch(&f->func, f->d));
    assert_string_equal(f->d->record[0].message, "f: a launch has one parallel loop nest, this is the second");
}

// In a serial program, and inside of the parallel loop, it is one unit's own.
static void a_launch_allocates_nothing_global(void **state) {
    fixture *f = *state;
    const buffer *work = buffer_new(f->s, "work", DTYPE_OF(F32), &f->n, 1, "global");
    block root = {.name = "root", .allocs = 1, .alloc = &work, .body = loop(f, copy(f, f->i))};
    f->func.body = stmt_block(f->mem, &root);
    assert_true(loop_verify_launch(&f->func, f->d));
    f->func.body = stmt_for(f->mem, FOR_PARALLEL, f->vi, i64(f, 0), f->n, f->func.body);
    assert_true(loop_verify_launch(&f->func, f->d));
    root.body = parallel(f, f->i);
    f->func.body = stmt_block(f->mem, &root);
    assert_false(loop_verify_launch(&f->func, f->d));
    assert_string_equal(f->d->record[0].message,
                        "f: a launch can't allocate global memory (work) around its parallel loop; lift it out as a "
                        "workspace parameter");
}

#define LOOP_TEST(f) cmocka_unit_test_setup_teardown(f, open_fixture, close_fixture)

int main(void) {
    const struct CMUnitTest tests[] = {
        LOOP_TEST(good_programs_pass),
        LOOP_TEST(variables_are_defined),
        LOOP_TEST(buffers_are_defined),
        LOOP_TEST(local_buffers_stay_inside),
        LOOP_TEST(indices_fit_the_rank),
        LOOP_TEST(indices_are_integers),
        LOOP_TEST(stores_fit_their_buffer),
        LOOP_TEST(loads_fit_their_buffer),
        LOOP_TEST(vectors_have_the_lanes_of_their_index),
        LOOP_TEST(loops_are_of_one_type),
        LOOP_TEST(threads_have_names),
        LOOP_TEST(threads_have_one_extent),
        LOOP_TEST(variables_are_bound_once_at_a_time),
        LOOP_TEST(conditions_are_bools),
        LOOP_TEST(lets_have_the_type_of_their_value),
        LOOP_TEST(iteration_variables_are_bound),
        LOOP_TEST(blocks_use_their_own_variables),
        LOOP_TEST(loops_inside_a_block_are_free),
        LOOP_TEST(written_regions_cover_the_accesses),
        LOOP_TEST(two_empty_lists_claim_nothing),
        LOOP_TEST(dims_are_bound_by_the_signature),
        LOOP_TEST(a_launch_has_one_nest),
        LOOP_TEST(a_launch_allocates_nothing_global),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
