// lower_alloc_tensor.c - LowerAllocTensor: a tensor that no plan placed gets a storage of its own.
//
//   before:  alloc = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
//   after:   storage = R.memory.alloc_storage(R.shape([4 * n * 4]), R.prim_value(0), R.str("global"), R.dtype("uint8"))
//            alloc = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 4]), R.dtype("float32"), …)
//
// Needs nothing. Keeps everything else. A tensor whose dims are only known as a shape value is left to the machine.
#include "ops/ops.h"
#include "pass/memory.h"

static const node *lower(builder *b, const node *old, const node *const *in, void *user) {
    (void)user;
    if (old->op != &op_builtin_alloc_tensor) return NULL;
    const ann *shape = in[0]->type;
    if (!shape->dim) return NULL;
    const expr *bytes = tensor_bytes(b->m->exprs, in[1]->as.type, shape->dim, (uint32_t)shape->rank);
    // Device and memory scope are the tensor's.
    const node *size[] = {build_shape(b, &bytes, 1), in[2], in[3], build_dtype(b, DTYPE_OF(U8))};
    const node *storage = build_op(b, "storage", &op_memory_alloc_storage, size, COUNT(size));
    const node *place[] = {storage, build_prim(b, expr_i64(b->m->exprs, 0)), in[0], in[1], in[2]};
    return build_op(b, old->name, &op_memory_alloc_tensor, place, COUNT(place));
}

static bool lower_alloc_tensor(module *m, const pass_ctx *c) { return rebuild_functions(m, lower, NULL, c->d); }

const pass pass_lower_alloc_tensor = {
    .name = "LowerAllocTensor",
    .doc = "gives each tensor that is not planned a storage of its own",
    .run = lower_alloc_tensor,
};
