// layers.c - operators by name, and the layers that work on the last dim: linear, embedding, norms, MLP.
#include "nn/nn_inside.h"
#include "ops/ops.h"
#include "ops/packed.h"
#include <string.h>

// --- Operators.

// The first call ends the declaring of parameters.
const node *nn_call(nn *n, const char *name, const node *const *in, uint32_t count, const named_attr *attrs,
                    uint32_t given) {
    const op *o = op_find(name);
    CHECK(o); // a name without an operator is a mistake of ours, not of a checkpoint
    nn_begin(n);
    return build_op_with(n->b, NULL, o, in, count, attrs, given);
}

const node *nn_add(nn *n, const node *a, const node *b) {
    return nn_call(n, "add", (const node *const[]){a, b}, 2, NULL, 0);
}

const node *nn_multiply(nn *n, const node *a, const node *b) {
    return nn_call(n, "multiply", (const node *const[]){a, b}, 2, NULL, 0);
}

const node *nn_activate(nn *n, nn_activation act, const node *x) {
    static const char *const name[] = {
        [NN_SILU] = "nn.silu", [NN_GELU] = "nn.gelu", [NN_GELU_TANH] = "nn.gelu_tanh", [NN_RELU] = "nn.relu"};
    return nn_call(n, name[act], &x, 1, NULL, 0);
}

const node *nn_silu(nn *n, const node *x) { return nn_activate(n, NN_SILU, x); }

// No operation for a factor of 1.
const node *nn_scale(nn *n, const node *x, double factor) {
    return factor == 1 ? x : nn_multiply(n, x, nn_constant(n, &factor, 1));
}

const node *nn_cap(nn *n, const node *x, double cap) {
    const node *part = nn_scale(n, x, 1 / cap);
    return nn_scale(n, nn_call(n, "tanh", &part, 1, NULL, 0), cap);
}

// By the places of the cuts, which are one fewer than the parts.
void nn_split(nn *n, const node *x, const int64_t *size, uint32_t parts, const node **out) {
    int64_t ends[TENSOR_MAX_RANK] = {0}, end = 0;
    CHECK(parts >= 1 && parts <= TENSOR_MAX_RANK);
    for (uint32_t i = 0; i < parts; i++) ends[i] = end += size[i];
    const named_attr attrs[] = {{"indices_or_sections", attr_ints(n->mem, ends, parts - 1)},
                                {"axis", attr_int(n->mem, -1)}};
    const node *all = nn_call(n, "split", &x, 1, attrs, 2);
    for (uint32_t i = 0; i < parts; i++) out[i] = node_is_poison(all) ? all : build_item(n->b, NULL, all, i);
}

const node *nn_take(nn *n, const node *table, const node *rows) {
    const named_attr axis = {"axis", attr_int(n->mem, 0)};
    return nn_call(n, "take", (const node *const[]){table, rows}, 2, &axis, 1);
}

// The dims kept may be symbols; those that come are numbers.
const node *nn_reshape_from(nn *n, const node *x, uint32_t keep, const int64_t *dim, uint32_t count) {
    const expr *all[TENSOR_MAX_RANK];
    if (node_is_poison(x)) return x;
    CHECK(x->type->dim && keep <= (uint32_t)x->type->rank && keep + count <= TENSOR_MAX_RANK);
    for (uint32_t i = 0; i < keep; i++) all[i] = x->type->dim[i];
    for (uint32_t i = 0; i < count; i++) all[keep + i] = expr_i64(n->m->exprs, dim[i]);
    const node *in[] = {x, build_shape(n->b, all, keep + count)};
    return nn_call(n, "reshape", in, 2, NULL, 0);
}

// --- Linear.

nn_linear nn_linear_new(nn_scope s, int64_t in, int64_t out, bool bias) {
    nn_linear l = {.weight = nn_weight_new(s, "weight", (const int64_t[]){out, in}, 2)};
    if (bias) l.bias = nn_weight_new(s, "bias", &out, 1);
    return l;
}

// x[..., k] weight[n, k] summed over k. The letters before the last two are for the dims in front.
// einsum and not matmul of a transposed weight: both matrices are read along their rows, as they are stored.
static const node *times_transposed(nn *n, const node *x, nn_weight weight) {
    static const char letters[] = "abcdefghij";
    if (node_is_poison(x)) return x;
    int rank = x->type->rank - 1;
    CHECK(rank >= 0 && rank < (int)sizeof letters);
    const char *sum = arena_format(n->mem, "%.*sy,zy->%.*sz", rank, letters, rank, letters);
    const node *both[] = {x, nn_weight_value(n, weight)};
    const node *operands = build_tuple(n->b, NULL, both, 2);
    const named_attr subscripts = {"subscripts", attr_string(n->mem, sum, strlen(sum))};
    return nn_call(n, "einsum", &operands, 1, &subscripts, 1);
}

const node *nn_linear_apply(nn *n, const nn_linear *l, const node *x) {
    const node *y = times_transposed(n, x, l->weight);
    return l->bias.param ? nn_add(n, y, nn_weight_value(n, l->bias)) : y;
}

// Packed weights lie in groups of so many rows: only behind whole groups can another weight's begin.
bool nn_linear_joins(const nn_linear *a, const nn_linear *b) {
    const nn_weight *w[] = {&a->weight, &b->weight};
    int64_t rows;
    for (int i = 0; i < 2; i++)
        if (!w[i]->param || node_is_poison(w[i]->param) || !w[i]->format) return false;
    return strcmp(w[0]->format, w[1]->format) == 0 && !a->bias.param == !b->bias.param &&
           expr_const_int(w[0]->param->type->dim[0], &rows) && rows % PACKED_LANES == 0;
}

static const node *joined(nn *n, const node *const *part, uint32_t count) {
    const node *tuple = build_tuple(n->b, NULL, part, count);
    const named_attr along = {"axis", attr_int(n->mem, 0)};
    return nn_call(n, "concat", &tuple, 1, &along, 1);
}

// One weight of all rows, as they are stored; joining them happens while the file is written.
const node *nn_linear_joined(nn *n, const nn_linear *const *l, uint32_t count, const node *x) {
    const node *weight[3], *bias[3];
    CHECK(count && count <= COUNT(weight));
    if (count == 1 || node_is_poison(x)) return nn_linear_apply(n, l[0], x);
    nn_begin(n);
    for (uint32_t i = 0; i < count; i++) weight[i] = l[i]->weight.param;
    const node *y = times_transposed(n, x, (nn_weight){joined(n, weight, count), l[0]->weight.format});
    if (!l[0]->bias.param) return y;
    for (uint32_t i = 0; i < count; i++) bias[i] = nn_weight_value(n, l[i]->bias);
    return nn_add(n, y, joined(n, bias, count));
}

// --- Embedding.

nn_embedding nn_embedding_new(nn_scope s, int64_t count, int64_t size) {
    return (nn_embedding){nn_weight_new(s, "weight", (const int64_t[]){count, size}, 2)};
}

// Rows are taken from the table as it is stored, and only those are decoded.
const node *nn_embedding_apply(nn *n, const nn_embedding *e, const node *ids) {
    return nn_weight_rows(n, e->weight, ids);
}

const node *nn_embedding_head(nn *n, const nn_embedding *e, const node *x) { return times_transposed(n, x, e->weight); }

// --- Norms.

nn_norm nn_rms_norm_new(nn_scope s, int64_t size, double epsilon) {
    return (nn_norm){.weight = nn_weight_new(s, "weight", &size, 1), .epsilon = epsilon};
}

nn_norm nn_layer_norm_new(nn_scope s, int64_t size, double epsilon) {
    nn_norm l = nn_rms_norm_new(s, size, epsilon);
    l.bias = nn_weight_new(s, "bias", &size, 1);
    return l;
}

// 1 + weight depends on weights alone: it is computed when the file is made.
const node *nn_norm_apply(nn *n, const nn_norm *l, const node *x) {
    const named_attr attrs[] = {{"axes", attr_ints(n->mem, (const int64_t[]){-1}, 1)},
                                {"epsilon", attr_float(n->mem, l->epsilon)}};
    const double one = 1;
    const node *weight = nn_weight_value(n, l->weight);
    if (l->one_more) weight = nn_add(n, weight, nn_constant(n, &one, 1));
    const node *in[] = {x, weight, l->bias.param ? nn_weight_value(n, l->bias) : NULL};
    return l->bias.param ? nn_call(n, "nn.layer_norm", in, 3, attrs, 2) : nn_call(n, "nn.rms_norm", in, 2, attrs, 2);
}

// --- MLP.

nn_mlp nn_gated_mlp_new(nn_scope s, int64_t size, int64_t inner, nn_activation act, bool bias) {
    return (nn_mlp){.gate = nn_linear_new(nn_in(s, "gate_proj"), size, inner, bias),
                    .up = nn_linear_new(nn_in(s, "up_proj"), size, inner, bias),
                    .down = nn_linear_new(nn_in(s, "down_proj"), inner, size, bias),
                    .inner = inner,
                    .act = act};
}

nn_mlp nn_fused_mlp_new(nn_scope s, int64_t size, int64_t inner, nn_activation act, bool bias) {
    return (nn_mlp){.gate_up = nn_linear_new(nn_in(s, "gate_up_proj"), size, 2 * inner, bias),
                    .down = nn_linear_new(nn_in(s, "down_proj"), inner, size, bias),
                    .inner = inner,
                    .act = act};
}

// part[0] is gated by the activation, part[1] is not. Gate and up are one product where they can be.
const node *nn_mlp_apply(nn *n, const nn_mlp *l, const node *x) {
    const nn_linear *both[] = {&l->gate, &l->up};
    const node *part[2] = {NULL};
    if (l->gate_up.weight.param) {
        nn_split(n, nn_linear_apply(n, &l->gate_up, x), (const int64_t[]){l->inner, l->inner}, 2, part);
    } else if (nn_linear_joins(&l->gate, &l->up)) {
        nn_split(n, nn_linear_joined(n, both, 2, x), (const int64_t[]){l->inner, l->inner}, 2, part);
    } else {
        if (l->gate.weight.param) part[0] = nn_linear_apply(n, &l->gate, x);
        part[1] = nn_linear_apply(n, &l->up, x);
    }
    const node *inner =
        part[0] ? nn_multiply(n, nn_activate(n, l->act, part[0]), part[1]) : nn_activate(n, l->act, part[1]);
    return nn_linear_apply(n, &l->down, inner);
}
