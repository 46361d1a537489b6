// memory.c - operators of explicit memory, made by the lowering: allocation, tensors in storage, and their ends.
#include "ops/table.h"

// The dtype an operand states; void where it is no R.dtype(...).
static dtype stated_dtype(const node *n, uint32_t i) {
    if (i >= n->count) return (dtype){0};
    return n->in[i]->op->form == FORM_DTYPE ? n->in[i]->as.type : (dtype){0};
}

static const ann *tensor_of(infer_ctx *c, const node *n, uint32_t shape, uint32_t type) {
    const ann *s = infer_in(n, shape);
    if (n->type_args) return n->type_arg[0];
    dtype t = stated_dtype(n, type);
    return has_dims(s) ? infer_tensor(c, NULL, t, s->dim, (uint32_t)s->rank) : infer_rank(c, NULL, t, s->rank);
}

static const ann *infer_alloc(infer_ctx *c, const node *n) { return tensor_of(c, n, 0, 1); }
static const ann *infer_in_storage(infer_ctx *c, const node *n) { return tensor_of(c, n, 2, 3); }
static const ann *infer_nothing(infer_ctx *c, const node *n) { return (void)n, ann_tuple(c->mem, NULL, 0); }

// R.memory.view: R.tuple() stands for what stays as it is.
static bool is_left_out(const node *n, uint32_t i) { return i >= n->count || n->in[i]->type->kind == ANN_TUPLE; }

static bool whole_bytes(infer_ctx *c, const ann *a, const expr **out) {
    if (!has_dims(a) || !a->type.kind || dtype_bits(a->type) % 8) return false;
    const expr *bytes = dim_int(c, dtype_bits(a->type) / 8 * dtype_lanes(a->type));
    *out = dim_op(c, EXPR_MUL, dims_product(c, a->dim, (uint32_t)a->rank), bytes);
    return true;
}

static bool view_fits(infer_ctx *c, const node *n, const ann *from, const ann *to) {
    const expr *have, *need, *offset = is_left_out(n, 3) ? dim_int(c, 0) : infer_index(c, n, 3);
    if (!offset || !whole_bytes(c, from, &have) || !whole_bytes(c, to, &need)) return true;
    need = dim_op(c, EXPR_ADD, need, offset);
    if (!prove_less(c->exprs, have, need, c->facts)) return true;
    return infer_error(c, n, "the view needs %s, x has %s", counted_text(c, need, "byte"), expr_to_text(c->mem, have)),
           false;
}

static const ann *infer_view(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *out = x;
    if (!is_left_out(n, 2) && n->in[2]->op->form == FORM_STRING)
        return infer_error(c, n, "dtype: want R.dtype(...) or R.tuple(), got a string");
    if (!is_left_out(n, 2)) out = infer_like(c, out, stated_dtype(n, 2));
    if (!is_left_out(n, 1)) {
        const ann *s = infer_in(n, 1);
        if (s->kind != ANN_SHAPE)
            return infer_error(c, n, "shape: want a shape or R.tuple(), got %s", ann_to_text(c->mem, s));
        out = has_dims(s) ? infer_tensor(c, x, out->type, s->dim, (uint32_t)s->rank)
                          : infer_rank(c, x, out->type, s->rank);
    }
    return view_fits(c, n, x, out) ? out : NULL;
}

#define STORAGE IN("storage", ANY, "from alloc_storage")
#define DEVICE_IN IN_OPTIONAL("runtime_device_ind", PRIM, "which device; -1 the host")

const op op_builtin_alloc_tensor = {
    .name = "builtin.alloc_tensor",
    .doc = "A new tensor.",
    .input = {IN("shape", SHAPE, "its shape"), IN("dtype", DTYPE, "its dtype"),
              IN("runtime_device_index", PRIM, "which device"),
              IN_OPTIONAL("storage_scope", STRING, "where on the device: \"global\"")},
    .fresh = true,
    .type_args = 1,
    .infer = infer_alloc,
    .vm = true,
};
const op op_builtin_stop_lift_params = {
    .name = "builtin.stop_lift_params",
    .doc = "The value itself; what depends on it is not lifted into the transformation of weights.",
    .input = {IN("x", TENSOR, "any value")},
    .infer = infer_same_as_first,
    .view = true,
    .samples = {"x=f32[n,4] | R.builtin.stop_lift_params(x)"},
};
const op op_memory_alloc_storage = {
    .name = "memory.alloc_storage",
    .doc = "Memory for tensors.",
    .input = {IN("size", SHAPE, "one dim: bytes"), IN("virtual_device_index", PRIM, "which device"),
              IN("storage_scope", STRING, "where on the device"), IN("dtype", DTYPE, "of what it is for")},
    .fresh = true,
    .infer = infer_stated_object,
    .vm = true,
};
const op op_memory_alloc_tensor = {
    .name = "memory.alloc_tensor",
    .doc = "A tensor in a storage.",
    .input = {STORAGE, IN("offset", PRIM, "bytes into it"), IN("shape", SHAPE, "the tensor's shape"),
              IN("dtype", DTYPE, "its dtype"), DEVICE_IN},
    .fresh = true,
    .type_args = 1,
    .infer = infer_in_storage,
    .vm = true,
};
const op op_memory_kill_storage = {
    .name = "memory.kill_storage",
    .doc = "The end of a storage's life.",
    .input = {STORAGE},
    .impure = true,
    .infer = infer_nothing,
    .vm = true,
};
const op op_memory_kill_tensor = {
    .name = "memory.kill_tensor",
    .doc = "The end of a tensor's life.",
    .input = {IN("tensor", ANY, "the tensor")},
    .impure = true,
    .infer = infer_nothing,
    .vm = true,
};
const op op_memory_ensure_zero_offset = {
    .name = "memory.ensure_zero_offset",
    .doc = "The tensor with its elements at the start of its memory; ours always are.",
    .input = {IN("data", TENSOR, "any shape")},
    .infer = infer_same_as_first,
    .view = true,
    .samples = {"x=f32[n,4] | R.memory.ensure_zero_offset(x)"},
};
const op op_memory_view = {
    .name = "memory.view",
    .doc = "The same memory as another shape, dtype and place.",
    .input = {IN("data", TENSOR, "any shape"), IN_OPTIONAL("shape", ANY, "the new shape; R.tuple(): as it is"),
              IN_OPTIONAL("dtype", ANY, "the new dtype; R.tuple(): as it is"),
              IN_OPTIONAL("relative_byte_offset", ANY, "bytes into x; R.tuple(): 0")},
    .infer = infer_view,
    .view = true,
    .samples = {"x=f32[n,4] | R.memory.view(x, R.shape([4, n]))"},
};
const op op_vm_alloc_storage = {
    .name = "vm.alloc_storage",
    .doc = "Memory for tensors, as the virtual machine allocates it.",
    .input = {IN("shape", SHAPE, "one dim: bytes"), IN("runtime_device_index", PRIM, "which device"),
              IN("dtype", DTYPE, "of what it is for"), IN_OPTIONAL("storage_scope", STRING, "where on the device")},
    .fresh = true,
    .infer = infer_stated_object,
    .vm = true,
};
const op op_vm_alloc_tensor = {
    .name = "vm.alloc_tensor",
    .doc = "A tensor in a storage, as the virtual machine makes it.",
    .input = {STORAGE, IN("offset", PRIM, "bytes into it"), IN("shape", SHAPE, "the tensor's shape"),
              IN("dtype", DTYPE, "its dtype"), DEVICE_IN},
    .fresh = true,
    .type_args = 1,
    .infer = infer_in_storage,
    .vm = true,
};
const op op_vm_kill_object = {
    .name = "vm.kill_object",
    .doc = "Empties a register of the virtual machine.",
    .input = {IN("obj", ANY, "the value")},
    .impure = true,
    .infer = infer_nothing,
    .vm = true,
};
const op op_vm_call_tir_dyn = {
    .name = "vm.call_tir_dyn",
    .doc = "Calls a program whose last argument is a shape: its dims become scalar arguments.",
    .input = {IN("func", FUNC, "the program"), IN("args", TUPLE, "inputs, destinations, then R.shape([scalars])")},
    .impure = true,
    .infer = infer_nothing,
    .vm = true,
};
