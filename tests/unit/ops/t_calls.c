// t_calls.c - deduction and linear use of calls of programs, packed functions and closures.
#include "graph/build.h"
#include "graph/verify.h"
#include "ops/ops.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    module *m;
    diag *d;
    builder *b;
    const node *x, *y; // parameters (n, 4) of float32
} fixture;

// append(x: (m, 4), y: (m, 4)): a loop program of two buffers; its body does not matter here.
static void put_program(fixture *f, const char *name, uint32_t buffers, bool has_scalar) {
    expr_session *s = f->m->exprs;
    const expr *m = expr_new_var(s, "m", DTYPE_OF(I64)), *const dims[] = {m, expr_i64(s, 4)};
    loop_param *param = ARENA_NEW(f->m->mem, loop_param, buffers + 1);
    for (uint32_t i = 0; i < buffers; i++)
        param[i] = (loop_param){.var = expr_new_var(s, "h", DTYPE_OF(HANDLE)),
                                .buf = buffer_new(s, "B", DTYPE_OF(F32), dims, 2, "global")};
    param[buffers] = (loop_param){.var = expr_new_var(s, "k", DTYPE_OF(I64))};
    loop_func *func = ARENA_NEW(f->m->mem, loop_func, 1);
    *func = (loop_func){.name = name,
                        .params = buffers + has_scalar,
                        .param = param,
                        .body = stmt_evaluate(f->m->mem, expr_int(s, DTYPE_OF(I32), 0))};
    module_put_loop(f->m, func);
}

static int open_fixture(void **state) {
    fixture *f = test_calloc(1, sizeof *f);
    f->m = module_new();
    f->d = diag_new(f->m->mem);
    f->b = build_func(f->m, "main", f->d);
    const expr *const dims[] = {expr_new_var(f->m->exprs, "n", DTYPE_OF(I64)), expr_i64(f->m->exprs, 4)};
    f->x = build_param(f->b, "x", ann_tensor(f->m->mem, DTYPE_OF(F32), dims, 2));
    f->y = build_param(f->b, "y", f->x->type);
    put_program(f, "append", 2, false);
    put_program(f, "scale", 2, true);
    *state = f;
    return 0;
}

static int close_fixture(void **state) {
    fixture *f = *state;
    module_free(f->m);
    test_free(f);
    return 0;
}

static void check_first_error(fixture *f, const char *message) {
    assert_true(f->d->errors > 0);
    assert_string_equal(f->d->record[0].message, message);
}

static const node *call_inplace(fixture *f, const char *name, const ann *out, const int64_t *places, uint32_t count) {
    const node *args = build_tuple(f->b, NULL, (const node *const[]){f->x, f->y}, 2);
    const attr *indices = attr_ints(f->m->mem, places, count);
    return build_call(f->b, name,
                      &(call_parts){.op = &op_call_tir_inplace,
                                    .in = (const node *const[]){build_global(f->b, "append"), args},
                                    .count = 2,
                                    .attr = &indices,
                                    .type_arg = &out,
                                    .type_args = 1});
}

static void a_program_may_write_over_an_input(void **state) {
    fixture *f = *state;
    const node *z = call_inplace(f, "z", f->x->type, (const int64_t[]){0}, 1);
    assert_false(node_is_poison(z));
    module_put_graph(f->m, build_finish(f->b, z));
    assert_true(module_verify(f->m, f->d));
}

static void what_it_wrote_over_is_gone(void **state) {
    fixture *f = *state;
    const node *z = call_inplace(f, "z", f->x->type, (const int64_t[]){0}, 1);
    module_put_graph(f->m, build_finish(f->b, build_tuple(f->b, NULL, (const node *const[]){z, f->x}, 2)));
    assert_false(module_verify(f->m, f->d));
    check_first_error(f, "x is used after R.call_tir_inplace took its memory over; use the call's result");
}

static void places_are_inputs(void **state) {
    fixture *f = *state;
    call_inplace(f, "z", f->x->type, (const int64_t[]){2}, 1);
    check_first_error(f, "call_tir_inplace: inplace_indices: want the number of an input (of 2) or -1, got 2");
}

static void there_is_a_place_for_each_output(void **state) {
    fixture *f = *state;
    call_inplace(f, "z", f->x->type, (const int64_t[]){0, 1}, 2);
    check_first_error(f, "call_tir_inplace: inplace_indices: want one per output (1), got 2");
}

static void an_output_fits_the_place_it_takes(void **state) {
    fixture *f = *state;
    const ann *half = ann_tensor(f->m->mem, DTYPE_OF(F16), f->x->type->dim, 2);
    call_inplace(f, "z", half, (const int64_t[]){0}, 1);
    check_first_error(f,
                      "call_tir_inplace: output 1 is R.Tensor((n, 4), dtype=\"float16\"), but input 1, whose place it "
                      "takes, is R.Tensor((n, 4), dtype=\"float32\")");
}

static void scalars_follow_the_buffers(void **state) {
    fixture *f = *state;
    const expr *seven = expr_i64(f->m->exprs, 7);
    assert_false(node_is_poison(build_call_tir(f->b, "z", "scale", &f->x, 1, f->x->type, &seven, 1)));
    build_call_tir(f->b, "z", "scale", &f->x, 1, f->x->type, NULL, 0);
    check_first_error(f, "call_tir: scale takes 3 parameters, got 2: inputs 1, outputs 1, scalars (tir_vars) 0");
}

static const node *call_named(fixture *f, const op *o, const ann *const *stated, uint32_t count) {
    return build_call(f->b, "z",
                      &(call_parts){.op = o,
                                    .in = (const node *const[]){build_extern(f->b, "my.f"), f->x},
                                    .count = 2,
                                    .type_arg = stated,
                                    .type_args = count});
}

static void packed_calls_return_what_they_state(void **state) {
    fixture *f = *state;
    const ann *const both[] = {f->x->type, ann_object()};
    assert_int_equal(call_named(f, &op_call_packed, NULL, 0)->type->kind, ANN_OBJECT);
    assert_ptr_equal(call_named(f, &op_call_packed, both, 1)->type, f->x->type);
    assert_int_equal(call_named(f, &op_call_packed, both, 2)->type->count, 2);
    assert_int_equal(f->d->errors, 0);
    call_named(f, &op_call_pure_packed, NULL, 0);
    check_first_error(f, "call_pure_packed: sinfo_args= must say what is returned");
}

static void packed_calls_have_effects(void **state) {
    fixture *f = *state;
    module_put_graph(f->m, build_finish(f->b, call_named(f, &op_call_packed, NULL, 0)));
    assert_false(module_verify(f->m, f->d));
    check_first_error(f, "z: the call may have effects, but main is pure; say @R.function(pure=False)");
}

static void libraries_write_into_destinations(void **state) {
    fixture *f = *state;
    const node *args = build_tuple(f->b, NULL, &f->x, 1);
    call_parts c = {
        .op = &op_call_dps_packed, .in = (const node *const[]){build_extern(f->b, "my.f"), args}, .count = 2};
    c.type_arg = &f->x->type;
    c.type_args = 1;
    assert_ptr_equal(build_call(f->b, "z", &c)->type, f->x->type);
    c.type_args = 0;
    build_call(f->b, "z", &c);
    check_first_error(f, "call_dps_packed: out_sinfo= must say what is computed");
}

static void operators_are_found_by_name(void **state) {
    (void)state;
    uint32_t count;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++) assert_ptr_equal(op_find(all[i]->name), all[i]);
    assert_null(op_find("no.such"));
}

#define CALL_TEST(f) cmocka_unit_test_setup_teardown(f, open_fixture, close_fixture)

int main(void) {
    const struct CMUnitTest tests[] = {
        CALL_TEST(a_program_may_write_over_an_input),
        CALL_TEST(what_it_wrote_over_is_gone),
        CALL_TEST(places_are_inputs),
        CALL_TEST(there_is_a_place_for_each_output),
        CALL_TEST(an_output_fits_the_place_it_takes),
        CALL_TEST(scalars_follow_the_buffers),
        CALL_TEST(packed_calls_return_what_they_state),
        CALL_TEST(packed_calls_have_effects),
        CALL_TEST(libraries_write_into_destinations),
        cmocka_unit_test(operators_are_found_by_name),
    };
    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
