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

static nn_angles new_angles(nn *n, const nn_rope *r, int64_t head_size, const node *positions) {
    const named_attr type = {"dtype", attr_dtype(n->mem, DTYPE_OF(F32))};
    const node *place = nn_reshape_from(n, nn_call(n, "astype", &positions, 1, &type, 1), 1, (const int64_t[]){1}, 1);
    const node *angle = nn_multiply(n, place, frequencies(n, r, r->dims ? r->dims : head_size));
    double amplitude = r->amplitude > 0 ? r->amplitude : 1;
    return (nn_angles){.cos = nn_scale(n, nn_call(n, "cos", &angle, 1, NULL, 0), amplitude),
                       .sin = nn_scale(n, nn_call(n, "sin", &angle, 1, NULL, 0), amplitude)};
}

// Factors are compared as pointers: layers of one model share them.
static bool same_rope(const nn_rope *a, const nn_rope *b) {
    return a->base == b->base && a->dims == b->dims && a->scale == b->scale && a->amplitude == b->amplitude &&
           a->factors.param == b->factors.param && a->factor == b->factor;
}

// The angles of a layer: those of the layer before it where they are the same.
static const nn_angles *angles_of(nn *n, const nn_rope *r, int64_t head_size, nn_batch *batch) {
    bool known = batch->angles.cos && batch->rope_size == head_size && same_rope(r, &batch->rope);
    if (!known) batch->angles = new_angles(n, r, head_size, batch->positions);
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

// What a layer does between its projections and attention.
typedef struct projected {
    const nn_attention *a;
    nn_batch *batch;
    uint32_t layer;
    const node *source[NN_PROJECTIONS]; // the projections' results, each [t, width]
    nn_placing p;
} projected;

static projected new_projected(const nn_attention *a, nn_batch *batch, uint32_t layer) {
    const ann *pages = batch->keys[layer]->type;
    projected r = {.a = a,
                   .batch = batch,
                   .layer = layer,
                   .p = {.type = pages->type,
                         .heads = a->heads,
                         .kv_heads = a->kv_heads,
                         .size = a->head_size,
                         .interleaved = a->rope.interleaved}};
    CHECK(expr_const_int(pages->dim[1], &r.p.page));
    if (a->rope.base > 0) r.p.turned = a->rope.dims ? a->rope.dims : a->head_size;
    return r;
}

static int64_t heads_of(const projected *r, uint32_t what) { return what == NN_QUERIES ? r->p.heads : r->p.kv_heads; }
static int64_t width_of(const projected *r, uint32_t what) { return heads_of(r, what) * r->p.size; }

static uint32_t add_source(projected *r, const node *x) {
    uint32_t number = r->p.sources++;
    bool poison = node_is_poison(x); // so the layer's result will be
    r->source[number] = poison ? NULL : x;
    r->p.width[number] = 0;
    if (!poison) CHECK(expr_const_int(x->type->dim[x->type->rank - 1], &r->p.width[number]));
    return number;
}

// [t, heads * 3 * size] seen as [t, heads, 3 * size], cut along the last dim.
static void project_by_heads(nn *n, const node *x, projected *r) {
    const node *part[NN_PROJECTIONS];
    const int64_t size[] = {r->p.size, r->p.size, r->p.size}, heads[] = {r->p.heads, 3 * r->p.size};
    const int64_t width = width_of(r, NN_QUERIES);
    nn_split(n, nn_reshape_from(n, nn_linear_apply(n, &r->a->qkv, x), 1, heads, 2), size, NN_PROJECTIONS, part);
    for (uint32_t i = 0; i < NN_PROJECTIONS; i++)
        r->p.from[i].source = add_source(r, nn_reshape_from(n, part[i], 1, &width, 1));
}

// Queries, keys and values of x, those beside each other in one product whose weights can be joined.
static void project(nn *n, const node *x, projected *r) {
    const nn_linear *own[] = {&r->a->q, &r->a->k, &r->a->v};
    bool one = r->a->qkv.weight.param != NULL;
    if (one) add_source(r, nn_linear_apply(n, &r->a->qkv, x));
    for (uint32_t i = 0, count = 1; !one && i < NN_PROJECTIONS; i += count) {
        for (count = 1; i + count < NN_PROJECTIONS && nn_linear_joins(own[i], own[i + count]);) count++;
        const uint32_t number = add_source(r, nn_linear_joined(n, own + i, count, x));
        for (uint32_t k = i; k < i + count; k++) r->p.from[k].source = number;
    }
    for (uint32_t i = 1; i < NN_PROJECTIONS; i++) {
        const nn_rows *before = &r->p.from[i - 1];
        if (r->p.from[i].source == before->source) r->p.from[i].first = before->first + width_of(r, i - 1);
    }
}

// A part of a source as a tensor of its own, [t, heads, size].
static const node *part_of(nn *n, const projected *r, uint32_t what) {
    const nn_rows *rows = &r->p.from[what];
    const node *x = r->source[rows->source], *part[3];
    int64_t width = width_of(r, what), all = r->p.width[rows->source];
    const int64_t size[] = {rows->first, width, all - rows->first - width};
    bool head = size[0] > 0, tail = size[2] > 0;
    if (!x) return build_poison(n->b);
    if (head || tail) {
        nn_split(n, x, size + !head, 1 + head + tail, part);
        x = part[head];
    }
    return nn_reshape_from(n, x, 1, (const int64_t[]){heads_of(r, what), r->p.size}, 2);
}

// Of each head before it turns. The normed rows are a source of their own.
static void norm_heads(nn *n, projected *r) {
    const nn_norm *norm[] = {[NN_QUERIES] = &r->a->q_norm, [NN_KEYS] = &r->a->k_norm};
    const node *part[NN_PROJECTIONS];
    if (!r->a->q_norm.weight.param && !r->a->k_norm.weight.param) return;
    for (uint32_t i = 0; i < NN_PROJECTIONS; i++) {
        part[i] = part_of(n, r, i);
        if (i != NN_VALUES && norm[i]->weight.param) part[i] = nn_norm_apply(n, norm[i], part[i]);
        part[i] = nn_reshape_from(n, part[i], 1, (const int64_t[]){width_of(r, i)}, 1);
    }
    r->p.sources = 0;
    for (uint32_t i = 0; i < NN_PROJECTIONS; i++) r->p.from[i] = (nn_rows){add_source(r, part[i]), 0};
}

// In the order of the program's parameters (nn_append_program). NULL: one of them is poison.
static const node *append_arguments(nn *n, const projected *r) {
    const node *all[NN_APPEND_MOST];
    uint32_t count = 0;
    all[count++] = r->batch->keys[r->layer];
    all[count++] = r->batch->values[r->layer];
    for (uint32_t i = 0; i < r->p.sources; i++) all[count++] = r->source[i];
    if (r->p.turned) {
        const nn_angles *angles = angles_of(n, &r->a->rope, r->p.size, r->batch);
        all[count++] = angles->cos;
        all[count++] = angles->sin;
    }
    all[count++] = r->batch->slots;
    for (uint32_t i = 0; i < count; i++)
        if (!all[i] || node_is_poison(all[i])) return NULL;
    return build_tuple(n->b, NULL, all, count);
}

// The pages with the new rows in their places, and the queries, turned. The new state of the pages is a value of its
// own in the graph: linear use (the old one is never read again) lets it be written in place.
static const node *append(nn *n, projected *r) {
    r->p.gives_query = r->p.turned || r->p.from[NN_KEYS].source == r->p.from[NN_QUERIES].source;
    const node *query = r->p.gives_query ? NULL : part_of(n, r, NN_QUERIES), *arguments = append_arguments(n, r);
    if (!arguments) return build_poison(n->b);
    const node **keys = &r->batch->keys[r->layer], **values = &r->batch->values[r->layer];
    const expr *dim[] = {r->batch->slots->type->dim[0], expr_i64(n->m->exprs, r->p.heads),
                         expr_i64(n->m->exprs, r->p.size)};
    const ann *out[] = {ann_tensor(n->mem, DTYPE_OF(F32), dim, 3), (*keys)->type, (*values)->type};
    const int64_t written[] = {-1, 0, 1}; // the argument that each result lies in; -1: memory of its own
    uint32_t first = r->p.gives_query ? 0 : 1, outs = COUNT(out) - first;
    const ann *type = ann_tuple(n->mem, out + first, outs);
    const attr *over = attr_ints(n->mem, written + first, outs);
    const node *in[] = {build_global(n->b, nn_append_program(n, &r->p)), arguments};
    const node *made = build_call(
        n->b, NULL,
        &(call_parts){
            .op = &op_call_tir_inplace, .in = in, .count = 2, .attr = &over, .type_arg = &type, .type_args = 1});
    if (node_is_poison(made)) return made;
    *keys = build_item(n->b, "lv", made, 1 - first);
    *values = build_item(n->b, "lv", made, 2 - first);
    return query ? query : build_item(n->b, "lv", made, 0);
}

// Keys go into the cache turned, so that nothing of the past is turned again. Values of this step are in the pages
// before they are attended to: a token sees itself there like the others.
const node *nn_attention_apply(nn *n, const nn_attention *a, const node *x, nn_batch *batch, uint32_t layer) {
    CHECK(layer < batch->layers);
    projected r = new_projected(a, batch, layer);
    if (a->by_heads)
        project_by_heads(n, x, &r);
    else
        project(n, x, &r);
    norm_heads(n, &r);
    const node *q = append(n, &r);
    double scale = a->scale > 0 ? a->scale : 1 / sqrt((double)a->head_size);
    const named_attr attrs[] = {{"scale", attr_float(n->mem, scale)},
                                {"window", attr_int(n->mem, a->window)},
                                {"soft_cap", attr_float(n->mem, a->soft_cap)}};
    const node *in[] = {
        q, batch->keys[layer], batch->values[layer], batch->positions, batch->starts, batch->page_table};
    const node *seen = nn_call(n, "rx.attention", in, 6, attrs, 3);
    return nn_linear_apply(n, &a->o, nn_reshape_from(n, seen, 1, (const int64_t[]){width_of(&r, NN_QUERIES)}, 1));
}
