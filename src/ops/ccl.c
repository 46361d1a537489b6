// ccl.c - R.ccl.*: collectives over the workers of one program. A program runs on one device here, so there is one
// worker: what it gives is what it gets. Calls that count on more are deduced, and refused by name where they must run.
#include "base/count_noun.h"
#include "ops/table.h"

static const ann *infer_all_gather(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const expr *dim[INFER_MAX_RANK];
    if (x->rank == 0) return infer_error(c, n, "x: want at least one dim");
    if (!has_dims(x)) return x;
    for (int32_t i = 0; i < x->rank; i++) dim[i] = x->dim[i];
    dim[0] = dim_op(c, EXPR_MUL, dim[0], dim_int(c, attr_int_of(n, "num_workers")));
    return infer_tensor(c, x, x->type, dim, (uint32_t)x->rank);
}

const ann *infer_scattered(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const expr *dim[INFER_MAX_RANK], *workers = dim_int(c, attr_int_of(n, "num_workers"));
    uint32_t axis;
    if (!has_rank(x)) return x;
    if (!infer_axis(c, n, attr_int_of(n, "axis"), x->rank, &axis)) return NULL;
    if (!has_dims(x)) return x;
    for (int32_t i = 0; i < x->rank; i++) dim[i] = x->dim[i];
    if (dims_differ(c, dim_op(c, EXPR_FLOOR_MOD, dim[axis], workers), dim_int(c, 0)))
        return infer_error(c, n, "dim %u, %s, is no multiple of the %s", axis, expr_to_text(c->mem, dim[axis]),
                           COUNTED(attr_int_of(n, "num_workers"), "worker"));
    dim[axis] = dim_op(c, EXPR_FLOOR_DIV, dim[axis], workers);
    return infer_tensor(c, x, x->type, dim, (uint32_t)x->rank);
}

static const loop_func *lower_single(const lower_ctx *c, const node *n) {
    int64_t workers = attr_int_of(n, "num_workers");
    if (workers == 1) return compute_build(c, n, "out[i...] = x[i...]", NULL, 0);
    return diag_error(c->d, n->at, "%s: %s are wanted, a program here has 1", n->op->name, COUNTED(workers, "worker")),
           NULL;
}

#define IN_GROUP ATTR("in_group", BOOL, "True", "within the group of the worker")
#define WORKERS ATTR_AT("num_workers", INT, NULL, "how many workers", .range = "[1, inf)")

const op op_ccl_allreduce = {
    .name = "ccl.allreduce",
    .doc = "The tensors of all workers joined element by element.",
    .input = {IN("x", TENSOR, "of the same shape on each worker")},
    .attr = {ATTR_AT("op_type", STRING, "\"sum\"", "how values join", .range = "sum|prod|min|max|avg"), IN_GROUP},
    .infer = infer_same_as_first,
    .compute = "out[i...] = x[i...]",
    .samples = {"x=f32[n,4] | R.ccl.allreduce(x)", "x=f32[3] | R.ccl.allreduce(x, op_type=\"avg\")"},
};
const op op_ccl_allgather = {
    .name = "ccl.allgather",
    .doc = "The tensors of all workers one after another along dim 0.",
    .input = {IN("x", TENSOR, "of the same shape on each worker")},
    .attr = {WORKERS, IN_GROUP},
    .infer = infer_all_gather,
    .lower = lower_single,
    .samples = {"x=f32[n,4] | R.ccl.allgather(x, num_workers=1)"},
};
const op op_ccl_broadcast_from_worker0 = {
    .name = "ccl.broadcast_from_worker0",
    .doc = "Worker 0's tensor on every worker.",
    .input = {IN("x", TENSOR, "any shape")},
    .infer = infer_same_as_first,
    .compute = "out[i...] = x[i...]",
    .samples = {"x=f32[n,4] | R.ccl.broadcast_from_worker0(x)"},
};
const op op_ccl_scatter_from_worker0 = {
    .name = "ccl.scatter_from_worker0",
    .doc = "An equal part of worker 0's tensor on every worker.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {WORKERS, ATTR_AT("axis", INT, "0", "the dim that is split")},
    .infer = infer_scattered,
    .lower = lower_single,
    .samples = {"x=f32[4,n] | R.ccl.scatter_from_worker0(x, num_workers=1)"},
};
