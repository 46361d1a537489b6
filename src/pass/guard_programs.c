// guard_programs.c - GuardPrograms: what a text's own loop programs do outside of their buffers, and indices out of
// range, are found when it happens.
//
//   before:  B[vi] = A[I[vi]]                            after:  assert 0 <= I[vi] and I[vi] < n, "index 0 of A is …"
//                                                                B[vi] = A[I[vi]]
//            for i in T.vectorized(8): y[i + 1] = y[i]   after:  for i in range(8): y[i + 1] = y[i]
//            y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((m,)))
//                                                        after:  gv = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n *
//                                                        2,)))
//                                                                y = R.match_cast(gv, R.Tensor((m,)))
//            y = R.take(x, i, axis=0)                    after:  gv = R.rx.check_index(i, R.shape([n]), what="take: …")
//                                                                y = R.take(x, gv, axis=0)
//
// Needs nothing. Keeps values; what is proved stays as it is. It is for programs as they are written: `relax compile`
// begins with it where it reads a text. Programs of operators are
// bounded where they are made.
#include "graph/deduce.h"
#include "graph/sizes.h"
#include "loop/access.h"
#include "ops/ops.h"
#include "pass/programs.h"
#include "schedule/schedule.h"
#include <string.h>

// --- Accesses.

// Before there are guards, which would stand between the loops.
static void run_in_order(module *m) {
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        const loop_func *now = f->kind == FUNC_LOOP ? schedule_in_order(m->exprs, m->mem, f->loop) : NULL;
        if (now && now != f->loop) module_put_loop(m, now);
    }
}

static bool guard_accesses(module *m, diag *d) {
    uint32_t errors = d->errors;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind != FUNC_LOOP) continue;
        const loop_func *now = loop_guard(m->exprs, m->mem, f->loop, d);
        if (now && now != f->loop) module_put_loop(m, now);
    }
    return d->errors == errors;
}

// --- Calls.

// The arguments of one call: inputs, destinations of their own, scalars; annotations as they are, and as the program
// wants them. A result that is written over an input has that input's place.
typedef struct arguments {
    const loop_func *func;
    uint32_t inputs, outs, tensors; // tensors: inputs and destinations
    uint32_t *place;                // of each result among the tensors
    program_arg *arg;
    const ann **is, **wanted; // of the tensors; wanted NULL: as it is
} arguments;

static const loop_func *program_of(const module *m, const node *call) {
    const module_func *f = deduce_loop(m, call->in[0]);
    return f ? f->loop : NULL;
}

static const ann *result_of(const ann *out, uint32_t i) { return out->kind == ANN_TUPLE ? out->field[i] : out; }

static void place_results(arena *mem, const node *old, arguments *a) {
    const attr *inplace = old->op == &op_call_tir_inplace ? node_attr(old, "inplace_indices") : NULL;
    a->place = ARENA_NEW(mem, uint32_t, a->outs);
    for (uint32_t i = 0; i < a->outs; i++) {
        int64_t over = -1;
        if (inplace && inplace->kind == ATTR_LIST && i < inplace->count) attr_get_int(inplace->list[i], &over);
        a->place[i] = over >= 0 && over < a->inputs ? (uint32_t)over : a->tensors++;
    }
}

// False where dims are not known or the program's parameters stand in another order: such a call is left alone.
static bool list_arguments(builder *b, const node *old, const node *const *in, arguments *a) {
    arena *mem = b->m->mem;
    const ann *from = in[1]->type, *to = old->type_arg[0];
    uint32_t scalars = old->count > 2 ? (uint32_t)in[2]->type->rank : 0;
    a->func = program_of(b->m, old);
    a->inputs = a->tensors = from->count;
    a->outs = to->kind == ANN_TUPLE ? to->count : 1;
    place_results(mem, old, a);
    if (!a->func || a->tensors + scalars != a->func->params) return false;
    a->arg = ARENA_NEW(mem, program_arg, a->func->params);
    a->is = ARENA_NEW(mem, const ann *, a->tensors);
    a->wanted = ARENA_NEW(mem, const ann *, a->tensors);
    for (uint32_t i = 0; i < a->inputs; i++) a->is[i] = from->field[i];
    for (uint32_t i = 0; i < a->outs; i++)
        if (a->place[i] >= a->inputs) a->is[a->place[i]] = result_of(to, i);
    for (uint32_t i = 0; i < a->func->params; i++) {
        if ((i < a->tensors) != (a->func->param[i].buf != NULL)) return false;
        if (i >= a->tensors)
            a->arg[i].value = in[2]->type->dim[i - a->tensors];
        else if (a->is[i]->kind != ANN_TENSOR || !(a->arg[i].dim = a->is[i]->dim))
            return false;
    }
    return true;
}

static bool same_dims(builder *b, const ann *x, const ann *y) {
    if (x->rank != y->rank || !x->dim || !y->dim) return false;
    for (int32_t i = 0; i < x->rank; i++)
        if (!prove_equal(b->m->exprs, x->dim[i], y->dim[i], b->facts)) return false;
    return true;
}

// The dims that the program has there, in the caller's symbols; NULL where the argument provably has them.
static const ann *wanted(builder *b, const buffer *of, const ann *is, const map *worth) {
    expr_session *s = b->m->exprs;
    const expr **dim = ARENA_NEW(b->m->mem, const expr *, of->rank);
    for (uint32_t i = 0; i < of->rank; i++) {
        dim[i] = expr_substitute(s, of->dim[i], worth);
        if (!dtype_equal(dim[i]->type, is->dim[i]->type)) dim[i] = expr_cast(s, is->dim[i]->type, dim[i]);
    }
    const ann *now = ann_tensor(b->m->mem, is->type, dim, of->rank);
    return same_dims(b, now, is) ? NULL : now;
}

static const ann *dims_at(const arguments *a, uint32_t i) { return a->wanted[i] ? a->wanted[i] : a->is[i]; }

static bool any_wanted(builder *b, arguments *a, const ann *said) {
    map worth;
    bool any = false;
    if (!program_worth(b->m->exprs, b->m->mem, a->func, a->arg, &worth)) return false;
    for (uint32_t i = 0; i < a->tensors; i++) {
        a->wanted[i] = wanted(b, a->func->param[i].buf, a->is[i], &worth);
        any |= a->wanted[i] != NULL;
    }
    for (uint32_t i = 0; i < a->outs; i++) any |= !same_dims(b, dims_at(a, a->place[i]), result_of(said, i));
    return any;
}

static const node *cast_inputs(builder *b, const arguments *a, const node *tuple) {
    const node **field = ARENA_NEW(b->m->mem, const node *, a->inputs);
    for (uint32_t i = 0; i < a->inputs; i++) {
        field[i] = tuple->op->form == FORM_TUPLE ? tuple->in[i] : build_item(b, "arg", tuple, i);
        if (a->wanted[i]) field[i] = build_match_cast(b, "arg", field[i], a->wanted[i]);
    }
    return build_tuple(b, NULL, field, a->inputs);
}

// What the program writes; `said` where that is it.
static const ann *destinations(builder *b, const arguments *a, const ann *said) {
    const ann **field = ARENA_NEW(b->m->mem, const ann *, a->outs);
    bool same = true;
    for (uint32_t i = 0; i < a->outs; i++) {
        const ann *now = dims_at(a, a->place[i]), *was = result_of(said, i);
        bool fits = same_dims(b, now, was);
        field[i] = fits ? was : ann_tensor(b->m->mem, was->type, now->dim, (uint32_t)now->rank);
        same &= fits;
    }
    if (same) return said;
    return said->kind == ANN_TUPLE ? ann_tuple(b->m->mem, field, a->outs) : field[0];
}

static const node *guard_call(builder *b, const node *old, const node *const *in, void *user) {
    (void)user;
    arguments a = {0};
    if (old->op != &op_call_tir && old->op != &op_call_tir_inplace) return NULL;
    const ann *said = old->type_arg[0];
    if (!list_arguments(b, old, in, &a) || !any_wanted(b, &a, said)) return NULL;
    const ann *out = destinations(b, &a, said);
    const node *operand[] = {in[0], cast_inputs(b, &a, in[1]), old->count > 2 ? in[2] : NULL};
    const call_parts c = {
        .op = old->op, .in = operand, .count = old->count, .attr = old->attr, .type_arg = &out, .type_args = 1};
    const node *call = build_call(b, out == said ? old->name : "gv", &c);
    return out == said ? call : build_match_cast(b, old->name, call, said);
}

// --- Indices of operators.

static const node *check_index(builder *b, const node *old, const op_indices *i, const char *what, const node *value) {
    const attr *name = attr_string(b->m->mem, what, strlen(what));
    const node *in[] = {value, build_shape(b, i->extent, i->count)};
    const call_parts c = {.op = &op_rx_check_index, .in = in, .count = 2, .attr = &name};
    return build_call(b, old->name, &c);
}

// The operand with those indices checked: itself, or one field of the tuple that it is.
static const node *with_checked(builder *b, const node *old, const op_indices *i, const node *operand) {
    const char *row = old->op->input[i->operand].name;
    if (i->field < 0) return check_index(b, old, i, arena_format(b->m->mem, "%s: %s", old->op->name, row), operand);
    uint32_t count = operand->type->count;
    const node **field = ARENA_NEW(b->m->mem, const node *, count);
    for (uint32_t k = 0; k < count; k++)
        field[k] = operand->op->form == FORM_TUPLE ? operand->in[k] : build_item(b, old->name, operand, k);
    const char *what = arena_format(b->m->mem, "%s: %s[%d]", old->op->name, row, (int)i->field);
    field[i->field] = check_index(b, old, i, what, field[i->field]);
    return build_tuple(b, NULL, field, count);
}

static bool known(const ann *a) {
    bool all = a->kind == ANN_TENSOR && a->type.kind && (a->dim || !a->rank);
    for (uint32_t i = 0; a->kind == ANN_TUPLE && i < a->count; i++)
        if (!known(a->field[i])) return false;
    return all || a->kind == ANN_TUPLE;
}

static const node *guard_indices(builder *b, const node *old, const node *const *in, diag *d) {
    const lower_ctx c = {.m = b->m, .mem = b->m->mem, .exprs = b->m->exprs, .d = d};
    op_indices_list list = {0};
    old->op->indices(&c, old, &list);
    if (!list.len) return NULL;
    const node **operand = ARENA_NEW(b->m->mem, const node *, old->count);
    for (uint32_t i = 0; i < old->count; i++) operand[i] = in[i];
    for (uint32_t i = 0; i < list.len; i++) {
        uint32_t at = list.at[i].operand;
        if (known(operand[at]->type)) operand[at] = with_checked(b, old, &list.at[i], operand[at]);
    }
    return build_copy(b, old, operand);
}

static const node *guard_node(builder *b, const node *old, const node *const *in, void *user) {
    return old->op->indices ? guard_indices(b, old, in, user) : guard_call(b, old, in, user);
}

static bool guard_programs(module *m, const pass_ctx *c) {
    run_in_order(m);
    return guard_accesses(m, c->d) && rebuild_functions(m, guard_node, c->d, c->d);
}

const pass pass_guard_programs = {
    .name = "GuardPrograms",
    .doc = "asks at run time what is not proved of a text's own loop programs: indices, sizes; orders their loops; "
           "refuses indices of operators that are out of range",
    .run = guard_programs,
};
