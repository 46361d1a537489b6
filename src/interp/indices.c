// indices.c - indices of operators that are out of range, refused as R.rx.check_index does in compiled code.
#include "interp/frame.h"
#include "ops/ops.h"
#include "tensor/index_range.h"

static const tensor *indices_in(const op_indices *i, const value *in) {
    const value *v = &in[i->operand];
    if (i->field >= 0) {
        if (v->kind != VALUE_TUPLE || (uint32_t)i->field >= v->as.tuple.count) return NULL;
        v = &v->as.tuple.item[i->field];
    }
    return v->kind == VALUE_TENSOR && dtype_is_int(v->as.tensor->type) ? v->as.tensor : NULL;
}

static bool fail_index(frame *fr, const node *n, const op_indices *i, const tensor *t, int64_t at, int64_t extent) {
    char why[INDEX_RANGE_WHY];
    const char *row = n->op->input[i->operand].name;
    const char *which = i->field < 0 ? row : arena_format(fr->mem, "%s[%d]", row, (int)i->field);
    return frame_fail(fr, n->at, "%s: %s: %s", n->op->name, which, index_out_of_range(t, at, extent, why));
}

static bool check_one(frame *fr, const node *n, const op_indices *i, const value *in) {
    const tensor *t = indices_in(i, in);
    int64_t count = t ? tensor_count(t) : 0, *extent = ARENA_NEW(fr->mem, int64_t, i->count);
    if (!frame_dims(fr, i->extent, i->count, extent, n->at)) return false;
    for (int64_t k = 0; k < count; k++) {
        int64_t most = extent[k % i->count];
        if (!index_in_range(t, k, most)) return fail_index(fr, n, i, t, k, most);
    }
    return true;
}

bool check_indices(frame *fr, const node *n, const value *in) {
    const node *now = n->op->indices ? frame_known_node(fr, n, in) : NULL;
    if (!now) return !n->op->indices;
    const lower_ctx c = {.m = (module *)(uintptr_t)fr->r->m, .mem = fr->mem, .exprs = fr->r->m->exprs, .d = fr->r->d};
    op_indices_list list = {0};
    n->op->indices(&c, now, &list);
    for (uint32_t i = 0; i < list.len; i++)
        if (!check_one(fr, n, &list.at[i], in)) return false;
    return true;
}
