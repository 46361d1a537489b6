// lower_runtime_builtin.c - LowerRuntimeBuiltin: what is left of operators becomes what the machine has.
//
//   before:  storage = R.memory.alloc_storage(R.shape([4 * n]), R.prim_value(0), R.str("global"), R.dtype("float32"))
//            y = R.reshape(x, R.shape([n, 4]))
//            R.memory.kill_tensor(x)
//   after:   storage = R.vm.alloc_storage(R.shape([4 * n]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
//            y = R.call_packed("vm.builtin.reshape", x, R.shape([n, 4]), sinfo_args=(R.Tensor((n, 4), …),))
//            R.vm.kill_object(x)
//
// Needs functions in which effects are allowed. Keeps the order of bindings. Operators that allocate their results in
// the runtime (unique) are called as R.call_packed("rx.builtin.unique", …).
#include "ops/builtin_call.h"
#include "ops/ops.h"
#include "pass/memory.h"

static const node *packed(builder *b, const node *old, const char *name, const node *const *arg, uint32_t args,
                          const ann *type) {
    const node **in = ARENA_NEW(b->m->mem, const node *, args + 1);
    in[0] = build_extern(b, name);
    for (uint32_t i = 0; i < args; i++) in[i + 1] = arg[i];
    const call_parts c = {.op = &op_call_packed, .in = in, .count = args + 1, .type_arg = &type, .type_args = 1};
    return build_call(b, old->name, &c);
}

static const node *lower_storage(builder *b, const node *old, const node *const *in) {
    const node *arg[] = {in[0], in[1], build_dtype(b, DTYPE_OF(U8)), in[2]};
    return build_op(b, old->name, &op_vm_alloc_storage, arg, COUNT(arg));
}

static const node *lower_tensor(builder *b, const node *old, const node *const *in) {
    return build_op(b, old->name, &op_vm_alloc_tensor, in, old->count);
}

static const node *lower_kill(builder *b, const node *old, const node *const *in) {
    return build_op(b, old->name, &op_vm_kill_object, in, 1);
}

static const node *lower_make_closure(builder *b, const node *old, const node *const *in) {
    VEC(const node *) arg = {0};
    VEC_PUSH(b->m->mem, &arg, in[0]);
    for (uint32_t i = 0; in[1]->op->form == FORM_TUPLE && i < in[1]->count; i++)
        VEC_PUSH(b->m->mem, &arg, in[1]->in[i]);
    return packed(b, old, "vm.builtin.make_closure", arg.at, arg.len, old->type);
}

// The arguments of a call behind the closure, as one tuple or each on its own.
static const node *lower_invoke(builder *b, const node *old, const node *const *in) {
    VEC(const node *) arg = {0};
    VEC_PUSH(b->m->mem, &arg, in[0]);
    for (uint32_t i = 0; in[1]->op->form == FORM_TUPLE && i < in[1]->count; i++)
        VEC_PUSH(b->m->mem, &arg, in[1]->in[i]);
    return packed(b, old, "vm.builtin.invoke_closure", arg.at, arg.len, old->type);
}

static const node *lower_shape_of(builder *b, const node *old, const node *const *in) {
    return packed(b, old, "vm.builtin.shape_of", in, 1, old->type);
}

typedef const node *lowering(builder *b, const node *old, const node *const *in);

static const struct {
    const op *op;
    lowering *lower;
} rows[] = {
    {&op_memory_alloc_storage, lower_storage},
    {&op_memory_alloc_tensor, lower_tensor},
    {&op_memory_kill_storage, lower_kill},
    {&op_memory_kill_tensor, lower_kill},
    {&op_make_closure, lower_make_closure},
    {&op_invoke_closure, lower_invoke},
    {&op_shape_of, lower_shape_of},
};

// A shape with a name stays, as long as it says what the result's dims are: -1 and 0 are resolved in the type alone.
static bool is_shape_with(const node *shape, const ann *type) {
    const ann *a = shape->type;
    bool same = a->kind == ANN_SHAPE && a->dim && type->dim && a->rank == type->rank;
    for (int32_t i = 0; same && i < a->rank; i++) same = a->dim[i] == type->dim[i];
    return same;
}

// The same memory under other dims.
static const node *lower_view(builder *b, const node *old, const node *const *in) {
    const ann *type = old->type;
    const node *arg[2] = {in[0], NULL};
    if (old->count == 2 && is_shape_with(in[1], type))
        arg[1] = in[1];
    else if (type->dim || type->rank == 0)
        arg[1] = build_shape(b, type->dim, (uint32_t)type->rank);
    else if (old->count == 2 && in[1]->type->kind == ANN_SHAPE)
        arg[1] = in[1];
    return arg[1] ? packed(b, old, "vm.builtin.reshape", arg, 2, type) : NULL;
}

static const node *lower(builder *b, const node *old, const node *const *in, void *user) {
    (void)user;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].op == old->op) return rows[i].lower(b, old, in);
    if (old->op != &op_memory_view && is_view(old)) return lower_view(b, old, in);
    if (!old->op->alloc) return NULL;
    builtin_form form = builtin_form_of(b->m->mem, old);
    return build_builtin_call(b, old->name, &form, in, NULL, old->type);
}

static bool lower_runtime_builtin(module *m, const pass_ctx *c) { return rebuild_functions(m, lower, NULL, c->d); }

const pass pass_lower_runtime_builtin = {
    .name = "LowerRuntimeBuiltin",
    .doc = "turns operators that are no programs into calls of the machine's functions",
    .needs = NEEDS_EFFECTS,
    .run = lower_runtime_builtin,
};
