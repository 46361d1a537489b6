// memory.c - what the memory and lowering passes share.
#include "pass/memory.h"
#include "base/size.h"
#include "ops/builtin_call.h"
#include "ops/ops.h"

// call_tir_with_grad differs from call_tir only in what differentiation sees.
bool is_call_tir(const node *n) {
    return n->op == &op_call_tir || n->op == &op_call_tir_inplace || n->op == &op_call_tir_with_grad ||
           n->op == &op_call_dps_packed;
}

// The operators whose elements keep their order; `view` marks those that say so in their descriptor.
bool is_view(const node *n) {
    static const op *const same_order[] = {&op_reshape, &op_flatten, &op_nn_batch_flatten, &op_expand_dims,
                                           &op_squeeze};
    for (size_t i = 0; i < COUNT(same_order); i++)
        if (n->op == same_order[i]) return true;
    return n->op->view;
}

// Folds as it builds: dims are mostly constants, and sizes are printed in plans.
const expr *times(expr_session *s, const expr *a, const expr *b) {
    int64_t x, y, product;
    bool one = expr_const_int(a, &x), other = expr_const_int(b, &y);
    if (one && other && int_mul(x, y, &product)) return expr_int(s, a->type, product);
    if (one && x == 1) return b;
    if (other && y == 1) return a;
    if ((one && x == 0) || (other && y == 0)) return expr_int(s, a->type, 0);
    return expr_binary(s, EXPR_MUL, a, b);
}

// Types of less than a byte are packed over the whole tensor, not row by row.
const expr *tensor_bytes(expr_session *s, dtype type, const expr *const *dim, uint32_t rank) {
    unsigned bits = dtype_bits(type) * dtype_lanes(type);
    const expr *size = expr_i64(s, bits % 8 ? bits : bits / 8);
    for (uint32_t i = 0; i < rank; i++) size = times(s, size, expr_cast(s, DTYPE_OF(I64), dim[i]));
    if (bits % 8 == 0) return size;
    const expr *up = expr_binary(s, EXPR_ADD, size, expr_i64(s, 7));
    return expr_simplify(s, expr_binary(s, EXPR_FLOOR_DIV, up, expr_i64(s, 8)), NULL);
}

static const node *number(builder *b, int64_t value) { return build_prim(b, expr_i64(b->m->exprs, value)); }
static const node *global_scope(builder *b) { return build_string(b, "global", sizeof "global" - 1); }

const node *build_alloc_tensor(builder *b, const char *name, const ann *type) {
    const node *shape = type->shape ? type->shape : build_shape(b, type->dim, (uint32_t)type->rank);
    const node *in[] = {shape, build_dtype(b, type->type), number(b, 0), global_scope(b)};
    return build_op(b, name, &op_builtin_alloc_tensor, in, COUNT(in));
}

// Attributes became numbers when the form was made; operands stay what they are.
static const node *scalar_argument(builder *b, const builtin_scalar *s, const node *const *in) {
    return s->operand < 0 ? number(b, s->value) : in[s->operand];
}

// A tensor that is not wanted is an empty tuple: positions must not shift.
const node *build_builtin_call(builder *b, const char *name, const builtin_form *form, const node *const *in,
                               const node *const *out, const ann *type) {
    VEC(const node *) arg = {0};
    arena *mem = b->m->mem;
    VEC_PUSH(mem, &arg, build_extern(b, arena_format(mem, BUILTIN_PREFIX "%s", form->name)));
    for (uint32_t i = 0; i < form->tensors; i++) VEC_PUSH(mem, &arg, in[i]);
    for (uint32_t i = 0; i < form->scalars; i++) VEC_PUSH(mem, &arg, scalar_argument(b, &form->scalar[i], in));
    for (uint32_t i = 0; i < form->outs; i++)
        VEC_PUSH(mem, &arg, form->wanted[i] ? out[i] : build_tuple(b, NULL, NULL, 0));
    const call_parts c = {
        .op = &op_call_packed, .in = arg.at, .count = arg.len, .type_arg = &type, .type_args = type ? 1 : 0};
    return build_call(b, name, &c);
}
