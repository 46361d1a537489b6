// call_tir_rewrite.c - CallTIRRewrite: destinations become explicit.
//
//   before:  y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n, 4), "float32"))
//   after:   alloc = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), …)
//            cls.f(x, alloc)
//            y = alloc
//
// Needs functions without dataflow blocks in which effects are allowed (RemovePurityChecking). Keeps the order of
// bindings. Scalars (tir_vars) go last, through R.vm.call_tir_dyn. Of call_tir_inplace, results that take an input's
// place are that input; library functions (call_dps_packed) are called by R.call_packed, and so are operators that are
// builtins of the runtime (sort): R.call_packed("rx.builtin.sort", x, axis, descending, alloc).
#include "ops/builtin_call.h"
#include "ops/ops.h"
#include "pass/memory.h"

// A call on its way to one with explicit destinations.
typedef struct rewriting {
    builder *b;
    const node *old;
    const node *const *in;
    node_list args;    // of the new call
    node_list results; // one per output
} rewriting;

static void add_inputs(rewriting *r) {
    const node *tuple = r->in[1];
    for (uint32_t i = 0; i < tuple->type->count; i++) {
        bool literal = tuple->op->form == FORM_TUPLE && !tuple->name;
        const node *arg = literal ? tuple->in[i] : build_item(r->b, "arg", tuple, i);
        VEC_PUSH(r->b->m->mem, &r->args, arg);
    }
}

// The input whose place output i takes; -1: none.
static int64_t place_of(const node *old, uint32_t i) {
    int64_t input = -1;
    if (old->op == &op_call_tir_inplace) attr_get_int(node_attr(old, "inplace_indices")->list[i], &input);
    return input;
}

static void add_destinations(rewriting *r) {
    const ann *out = r->old->type_arg[0];
    uint32_t outs = out->kind == ANN_TUPLE ? out->count : 1;
    for (uint32_t i = 0; i < outs; i++) {
        int64_t input = place_of(r->old, i);
        const ann *type = out->kind == ANN_TUPLE ? out->field[i] : out;
        const node *made = input >= 0 ? r->args.at[input] : build_alloc_tensor(r->b, "alloc", type);
        VEC_PUSH(r->b->m->mem, &r->results, made);
        if (input < 0) VEC_PUSH(r->b->m->mem, &r->args, made);
    }
}

static const node *call_library(rewriting *r) {
    const node **in = ARENA_NEW(r->b->m->mem, const node *, r->args.len + 1);
    in[0] = r->in[0];
    for (uint32_t i = 0; i < r->args.len; i++) in[i + 1] = r->args.at[i];
    return build_op(r->b, "_", &op_call_packed, in, r->args.len + 1);
}

static const node *call_with_scalars(rewriting *r) {
    VEC_PUSH(r->b->m->mem, &r->args, r->in[2]);
    const node *in[] = {r->in[0], build_tuple(r->b, NULL, r->args.at, r->args.len)};
    return build_op(r->b, "_", &op_vm_call_tir_dyn, in, COUNT(in));
}

static const node *call_program(rewriting *r) {
    if (r->old->op == &op_call_dps_packed) return call_library(r);
    if (r->old->count > 2) return call_with_scalars(r);
    return build_call_func(r->b, "_", r->in[0], r->args.at, r->args.len);
}

static bool has_dims(const ann *a) { return a->kind == ANN_TENSOR && (a->dim || a->rank == 0 || a->shape); }

static bool all_have_dims(const ann *a) {
    if (a->kind != ANN_TUPLE) return has_dims(a);
    for (uint32_t i = 0; i < a->count; i++)
        if (!has_dims(a->field[i])) return false;
    return true;
}

// Destinations for what is wanted of a builtin, in the order of the result's fields.
static const node *call_builtin(builder *b, const node *old, const node *const *in) {
    const node *out[BUILTIN_CALL_MAX] = {0}, *results[BUILTIN_CALL_MAX];
    const ann *type = old->type;
    builtin_form form = builtin_form_of(b->m->mem, old);
    uint32_t count = 0;
    if (!all_have_dims(type)) return NULL;
    for (uint32_t i = 0; i < form.outs; i++)
        if (form.wanted[i]) {
            out[i] = build_alloc_tensor(b, "alloc", type->kind == ANN_TUPLE ? type->field[count] : type);
            results[count++] = out[i];
        }
    if (node_is_poison(build_builtin_call(b, "_", &form, in, out, NULL))) return build_poison(b);
    if (type->kind == ANN_TUPLE) return build_tuple(b, old->name, results, count);
    return build_bind(b, old->name, results[0], NULL);
}

static const node *make_explicit(builder *b, const node *old, const node *const *in, void *user) {
    (void)user;
    if (old->op->call) return call_builtin(b, old, in);
    if (!is_call_tir(old)) return NULL;
    rewriting r = {.b = b, .old = old, .in = in};
    add_inputs(&r);
    add_destinations(&r);
    if (node_is_poison(call_program(&r))) return build_poison(b);
    if (old->type_arg[0]->kind == ANN_TUPLE) return build_tuple(b, old->name, r.results.at, r.results.len);
    return build_bind(b, old->name, r.results.at[0], NULL);
}

static bool call_tir_rewrite(module *m, const pass_ctx *c) { return rebuild_functions(m, make_explicit, NULL, c->d); }

const pass pass_call_tir_rewrite = {
    .name = "CallTIRRewrite",
    .doc = "allocates the results of programs in the graph and passes them as destinations",
    .needs = NEEDS_NO_DATAFLOW | NEEDS_EFFECTS,
    .run = call_tir_rewrite,
};
