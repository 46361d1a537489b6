// meshgrid.c - R.meshgrid: vectors as the coordinates of a grid.
#include "ops/table.h"

static bool swaps(const node *n) { return attr_text_is(n, "indexing", "xy") && n->in[0]->type->count > 1; }

// Which dim of the grid vector i runs along.
static uint32_t dim_of(const node *n, uint32_t i) { return swaps(n) && i < 2 ? 1 - i : i; }

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *t = infer_in(n, 0), *out[INFER_MAX_RANK];
    const expr *dim[INFER_MAX_RANK];
    bool known = true;
    if (t->count == 0 || t->count > INFER_MAX_RANK) return infer_error(c, n, "want 1 to %d vectors", INFER_MAX_RANK);
    dtype type = t->field[0]->type;
    for (uint32_t i = 0; i < t->count; i++) {
        const ann *v = t->field[i];
        if (has_rank(v) && v->rank != 1) return infer_error(c, n, "want vectors, got %s", ann_to_text(c->mem, v));
        if (type.kind && v->type.kind && !dtype_equal(type, v->type))
            return infer_error(c, n, "want vectors of one dtype");
        known &= has_dims(v);
        if (has_dims(v)) dim[dim_of(n, i)] = v->dim[0];
    }
    for (uint32_t i = 0; i < t->count; i++)
        out[i] = known ? infer_tensor(c, t->field[i], t->field[i]->type, dim, t->count)
                       : infer_rank(c, t->field[i], t->field[i]->type, (int32_t)t->count);
    return ann_tuple(c->mem, out, t->count);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    uint32_t count = n->in[0]->type->count;
    text meaning = TEXT_IN(c->mem), index = TEXT_IN(c->mem);
    for (uint32_t i = 0; i < count; i++) text_format(&index, "%si%u", i ? ", " : "", i);
    for (uint32_t i = 0; i < count; i++)
        text_format(&meaning, "out%u[%s] = tensors%u[i%u];", i, text_get(&index), i, dim_of(n, i));
    return compute_build(c, n, text_get(&meaning), NULL, 0);
}

const op op_meshgrid = {
    .name = "meshgrid",
    .doc = "For each vector a grid over all of them with its values along its own dim.",
    .input = {IN("tensors", TENSORS, "vectors of one dtype")},
    .attr = {ATTR_AT("indexing", STRING, "\"ij\"", "\"ij\": vector i along dim i; \"xy\": the first two swapped",
                     .range = "ij|xy")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n] y=f32[3] | R.meshgrid((x, y), indexing=\"xy\")"},
};
