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
    dtype type = in[1]->as.type;
    if (!shape->dim) return NULL;
    const expr *bytes = tensor_bytes(b->m->exprs, type, shape->dim, (uint32_t)shape->rank);
    const node *storage = build_alloc_storage(b, "storage", bytes, DTYPE_OF(U8));
    return build_tensor_in(b, old->name, storage, expr_i64(b->m->exprs, 0), in[0], type);
}

static bool lower_alloc_tensor(module *m, const pass_ctx *c) { return rebuild_functions(m, lower, NULL, c->d); }

const pass pass_lower_alloc_tensor = {
    .name = "LowerAllocTensor",
    .doc = "gives each tensor that is not planned a storage of its own",
    .run = lower_alloc_tensor,
};
