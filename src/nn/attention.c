// attention.c - rotary embedding, and attention over a cache in pages.
#include "nn/nn_inside.h"
#include "ops/ops.h"
#include <math.h>
#include <string.h>

// --- Rotary embedding.

// Of a head; the readers of configurations allow heads of 2048 elements.
enum { MOST_PAIRS = 1024 };

// Frequencies in double, rounded once: (pairs,).
static const node *frequencies(nn *n, const nn_rope *r, int64_t dims) {
    double value[MOST_PAIRS];
    CHECK(dims / 2 <= MOST_PAIRS);
    for (int64_t i = 0; i < dims / 2; i++) {
        value[i] = pow(r->base, -2.0 * (double)i / (double)dims) * (r->scale > 0 ? r->scale : 1);
        if (r->factor && !r->factors.param) value[i] /= r->factor[i];
    }
    const node *plain = nn_constant(n, value, (uint32_t)(dims / 2));
    if (!r->factors.param) return plain;
    const node *in[] = {plain, nn_weight_value(n, r->factors)};
    return nn_call(n, "divide", in, 2, NULL, 0);
}

nn_angles nn_rope_angles(nn *n, const nn_rope *r, int64_t head_size, const node *positions) {
    const named_attr type = {"dtype", attr_dtype(n->mem, DTYPE_OF(F32))};
    const node *place = nn_reshape_from(n, nn_call(n, "astype", &positions, 1, &type, 1), 1, (const int64_t[]){1}, 1);
    const node *angle = nn_multiply(n, place, frequencies(n, r, r->dims ? r->dims : head_size));
    double amplitude = r->amplitude > 0 ? r->amplitude : 1;
    return (nn_angles){.cos = nn_scale(n, nn_call(n, "cos", &angle, 1, NULL, 0), amplitude),
                       .sin = nn_scale(n, nn_call(n, "sin", &angle, 1, NULL, 0), amplitude)};
}

const node *nn_rope_apply(nn *n, const nn_rope *r, const node *x, const nn_angles *angles) {
    const char *pairing = r->interleaved ? "interleaved" : "half";
    const named_attr attrs[] = {{"pairing", attr_string(n->mem, pairing, strlen(pairing))}};
    const node *in[] = {x, angles->cos, angles->sin};
    return nn_call(n, "rx.rotate", in, 3, attrs, 1);
}

// Factors are compared as pointers: layers of one model share them.
static bool same_rope(const nn_rope *a, const nn_rope *b) {
    return a->base == b->base && a->dims == b->dims && a->scale == b->scale && a->amplitude == b->amplitude &&
           a->factors.param == b->factors.param && a->factor == b->factor;
}

// The angles of a layer: those of the layer before it where they are the same.
static const nn_angles *angles_of(nn *n, const nn_rope *r, int64_t head_size, nn_batch *batch) {
    bool known = batch->angles.cos && batch->rope_size == head_size && same_rope(r, &batch->rope);
    if (!known) batch->angles = nn_rope_angles(n, r, head_size, batch->positions);
    batch->rope = *r;
    batch->rope_size = head_size;
    return &batch->angles;
}

// --- The batch.

nn_batch nn_batch_new(nn *n, const nn_cache *c) {
    const char *type = c->half ? "float16" : "float32";
    const char *pages = arena_format(n->mem, "g, %lld, %lld, %lld", (long long)c->page, (long long)c->kv_heads,
                                     (long long)c->head_size);
    nn_batch b = {.layers = c->layers,
                  .keys = ARENA_NEW(n->mem, const node *, c->layers),
                  .values = ARENA_NEW(n->mem, const node *, c->layers)};
    b.tokens = nn_input(n, "tokens", "int32", "t");
    b.positions = nn_input(n, "positions", "int32", "t");
    b.starts = nn_input(n, "starts", "int32", "b + 1");
    b.page_table = nn_input(n, "page_table", "int32", "b, p");
    b.slots = nn_input(n, "slots", "int32", "t");
    b.rows = nn_input(n, "rows", "int32", "r");
    for (uint32_t i = 0; i < c->layers; i++)
        b.keys[i] = nn_input(n, arena_format(n->mem, "k_pages_%u", i), type, pages);
    for (uint32_t i = 0; i < c->layers; i++)
        b.values[i] = nn_input(n, arena_format(n->mem, "v_pages_%u", i), type, pages);
    return b;
}

// --- Attention.

nn_attention nn_attention_new(nn_scope s, int64_t size, const nn_attention *like, bool qkv_bias, bool out_bias) {
    nn_attention a = *like;
    int64_t q = a.heads * a.head_size, kv = a.kv_heads * a.head_size;
    a.q = nn_linear_new(nn_in(s, "q_proj"), size, q, qkv_bias);
    a.k = nn_linear_new(nn_in(s, "k_proj"), size, kv, qkv_bias);
    a.v = nn_linear_new(nn_in(s, "v_proj"), size, kv, qkv_bias);
    a.o = nn_linear_new(nn_in(s, "o_proj"), q, size, out_bias);
    return a;
}

nn_attention nn_fused_attention_new(nn_scope s, int64_t size, const nn_attention *like, bool bias) {
    nn_attention a = *like;
    int64_t q = a.heads * a.head_size, kv = a.kv_heads * a.head_size;
    a.qkv = nn_linear_new(nn_in(s, "qkv_proj"), size, q + 2 * kv, bias);
    a.o = nn_linear_new(nn_in(s, "o_proj"), q, size, bias);
    return a;
}

// Of one matrix, whose result has them head by head.
// [t, heads * 3 * size] seen as [t, heads, 3 * size], cut along the last dim.
static void project_by_heads(nn *n, const nn_attention *a, const node *x, const node *out[3]) {
    const int64_t size[] = {a->head_size, a->head_size, a->head_size}, heads[] = {a->heads, 3 * a->head_size};
    nn_split(n, nn_reshape_from(n, nn_linear_apply(n, &a->qkv, x), 1, heads, 2), size, 3, out);
}

// Queries, keys and values of x, each [t, heads, size].
static void project(nn *n, const nn_attention *a, const node *x, const node *out[3]) {
    const int64_t heads[] = {a->heads, a->kv_heads, a->kv_heads};
    const int64_t size[] = {heads[0] * a->head_size, heads[1] * a->head_size, heads[2] * a->head_size};
    const nn_linear *own[] = {&a->q, &a->k, &a->v};
    if (a->by_heads) {
        project_by_heads(n, a, x, out);
        return;
    }
    if (a->qkv.weight.param) nn_split(n, nn_linear_apply(n, &a->qkv, x), size, 3, out);
    for (uint32_t i = 0; i < 3; i++) {
        const node *flat = a->qkv.weight.param ? out[i] : nn_linear_apply(n, own[i], x);
        out[i] = nn_reshape_from(n, flat, 1, (const int64_t[]){heads[i], a->head_size}, 2);
    }
}

// Turned queries or keys.
static const node *turned(nn *n, const nn_attention *a, const node *x, const nn_norm *norm, nn_batch *batch) {
    if (norm->weight.param) x = nn_norm_apply(n, norm, x);
    if (a->rope.base <= 0) return x;
    return nn_rope_apply(n, &a->rope, x, angles_of(n, &a->rope, a->head_size, batch));
}

// The pages with the rows written over their places.
// The new state of the pages is a value of its own in the graph: linear use (the old one is never read again) lets it
// be written in place.
static const node *append(nn *n, const node *pages, const node *rows, const node *slots) {
    if (node_is_poison(pages) || node_is_poison(rows)) return build_poison(n->b);
    int64_t size[3];
    for (uint32_t i = 0; i < 3; i++) CHECK(expr_const_int(pages->type->dim[i + 1], &size[i]));
    const node *args[] = {pages, rows, slots};
    const node *in[] = {build_global(n->b, nn_append_program(n, pages->type->type, size[0], size[1], size[2])),
                        build_tuple(n->b, NULL, args, 3)};
    const attr *over = attr_ints(n->mem, (const int64_t[]){0}, 1);
    return build_call(
        n->b, NULL,
        &(call_parts){
            .op = &op_call_tir_inplace, .in = in, .count = 2, .attr = &over, .type_arg = &pages->type, .type_args = 1});
}

// Keys go into the cache turned, so that nothing of the past is turned again. Values of this step are in the pages
// before they are attended to: a token sees itself there like the others.
const node *nn_attention_apply(nn *n, const nn_attention *a, const node *x, nn_batch *batch, uint32_t layer) {
    const node *qkv[3];
    project(n, a, x, qkv);
    const node *q = turned(n, a, qkv[0], &a->q_norm, batch), *k = turned(n, a, qkv[1], &a->k_norm, batch);
    CHECK(layer < batch->layers);
    batch->keys[layer] = append(n, batch->keys[layer], k, batch->slots);
    batch->values[layer] = append(n, batch->values[layer], qkv[2], batch->slots);
    double scale = a->scale > 0 ? a->scale : 1 / sqrt((double)a->head_size);
    const named_attr attrs[] = {{"scale", attr_float(n->mem, scale)},
                                {"window", attr_int(n->mem, a->window)},
                                {"soft_cap", attr_float(n->mem, a->soft_cap)}};
    const node *in[] = {
        q, batch->keys[layer], batch->values[layer], batch->positions, batch->starts, batch->page_table};
    const node *seen = nn_call(n, "rx.attention", in, 6, attrs, 3);
    return nn_linear_apply(n, &a->o, nn_reshape_from(n, seen, 1, (const int64_t[]){a->heads * a->head_size}, 1));
}
