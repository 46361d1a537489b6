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

// What a layer does between its projections and attention: the projections' results, each [t, width].
typedef struct projected {
    const node *source[3];
    nn_placing p;
} projected;

static int64_t width_of(const node *x) {
    int64_t width = 0;
    CHECK(expr_const_int(x->type->dim[x->type->rank - 1], &width));
    return width;
}

static uint32_t add_source(projected *r, const node *x) {
    if (node_is_poison(x)) x = NULL; // the layer's result will be poison as well
    r->source[r->p.sources] = x;
    r->p.width[r->p.sources] = x ? width_of(x) : 0;
    return r->p.sources++;
}

// [t, heads * 3 * size] seen as [t, heads, 3 * size], cut along the last dim.
static void project_by_heads(nn *n, const nn_attention *a, const node *x, projected *r) {
    const node *part[3];
    const int64_t size[] = {a->head_size, a->head_size, a->head_size}, heads[] = {a->heads, 3 * a->head_size};
    nn_split(n, nn_reshape_from(n, nn_linear_apply(n, &a->qkv, x), 1, heads, 2), size, 3, part);
    for (uint32_t i = 0; i < 3; i++)
        r->p.from[i].source =
            add_source(r, nn_reshape_from(n, part[i], 1, (const int64_t[]){a->heads * a->head_size}, 1));
}

// Queries, keys and values of x, those beside each other in one product whose weights can be joined.
static void project(nn *n, const nn_attention *a, const node *x, projected *r) {
    const int64_t width[] = {a->heads * a->head_size, a->kv_heads * a->head_size};
    const nn_linear *own[] = {&a->q, &a->k, &a->v};
    if (a->by_heads) {
        project_by_heads(n, a, x, r);
        return;
    }
    bool one = a->qkv.weight.param != NULL;
    if (one) add_source(r, nn_linear_apply(n, &a->qkv, x));
    for (uint32_t i = 0, count = 1; !one && i < 3; i += count) {
        for (count = 1; i + count < 3 && nn_linear_joins(own[i], own[i + count]);) count++;
        const uint32_t number = add_source(r, nn_linear_joined(n, own + i, count, x));
        for (uint32_t k = i; k < i + count; k++) r->p.from[k].source = number;
    }
    for (uint32_t i = 1; i < 3; i++) {
        const nn_rows *before = &r->p.from[i - 1];
        if (r->p.from[i].source == before->source) r->p.from[i].first = before->first + width[i - 1 > 0];
    }
}

// A part of a source as a tensor of its own, [t, heads, size].
static const node *part_of(nn *n, const projected *r, uint32_t what) {
    const nn_rows *rows = &r->p.from[what];
    const node *x = r->source[rows->source], *part[3];
    int64_t heads = what ? r->p.kv_heads : r->p.heads, width = heads * r->p.size, all = r->p.width[rows->source];
    const int64_t size[] = {rows->first, width, all - rows->first - width};
    bool head = size[0] > 0, tail = size[2] > 0;
    if (!x) return build_poison(n->b);
    if (head || tail) {
        nn_split(n, x, size + !head, 1 + head + tail, part);
        x = part[head];
    }
    return nn_reshape_from(n, x, 1, (const int64_t[]){heads, r->p.size}, 2);
}

// Of each head before it turns. The normed rows are a source of their own.
static void norm_heads(nn *n, const nn_attention *a, projected *r) {
    const nn_norm *norm[] = {&a->q_norm, &a->k_norm};
    const node *part[3];
    if (!a->q_norm.weight.param && !a->k_norm.weight.param) return;
    for (uint32_t i = 0; i < 3; i++) {
        part[i] = part_of(n, r, i);
        if (i < 2 && norm[i]->weight.param) part[i] = nn_norm_apply(n, norm[i], part[i]);
        part[i] = nn_reshape_from(n, part[i], 1, (const int64_t[]){(i ? a->kv_heads : a->heads) * a->head_size}, 1);
    }
    r->p.sources = 0;
    for (uint32_t i = 0; i < 3; i++) r->p.from[i] = (nn_rows){add_source(r, part[i]), 0};
}

// The pages with the new rows in their places, and the queries, turned. The new state of the pages is a value of its
// own in the graph: linear use (the old one is never read again) lets it be written in place.
static const node *append(nn *n, const nn_attention *a, projected *r, nn_batch *batch, uint32_t layer) {
    const node *args[9] = {batch->keys[layer], batch->values[layer]}, *query;
    const ann *out[3];
    uint32_t count = 2, outs = 0;
    r->p.gives_query = r->p.turned || r->p.from[1].source == r->p.from[0].source;
    query = r->p.gives_query ? NULL : part_of(n, r, 0);
    for (uint32_t i = 0; i < r->p.sources; i++) args[count++] = r->source[i];
    if (r->p.turned) {
        const nn_angles *angles = angles_of(n, &a->rope, a->head_size, batch);
        args[count++] = angles->cos, args[count++] = angles->sin;
    }
    args[count++] = batch->slots;
    for (uint32_t i = 0; i < count; i++)
        if (!args[i] || node_is_poison(args[i])) return build_poison(n->b);
    const expr *dim[] = {batch->slots->type->dim[0], expr_i64(n->m->exprs, a->heads),
                         expr_i64(n->m->exprs, a->head_size)};
    if (r->p.gives_query) out[outs++] = ann_tensor(n->mem, DTYPE_OF(F32), dim, 3);
    out[outs++] = args[0]->type, out[outs++] = args[1]->type;
    const ann *type = ann_tuple(n->mem, out, outs);
    const attr *over = attr_ints(n->mem, (const int64_t[]){-1, 0, 1} + 3 - outs, outs);
    const node *in[] = {build_global(n->b, nn_append_program(n, &r->p)), build_tuple(n->b, NULL, args, count)};
    const node *made = build_call(
        n->b, NULL,
        &(call_parts){
            .op = &op_call_tir_inplace, .in = in, .count = 2, .attr = &over, .type_arg = &type, .type_args = 1});
    if (node_is_poison(made)) return made;
    batch->keys[layer] = build_item(n->b, "lv", made, outs - 2);
    batch->values[layer] = build_item(n->b, "lv", made, outs - 1);
    return r->p.gives_query ? build_item(n->b, "lv", made, 0) : query;
}

static projected new_projected(const nn_attention *a, const nn_batch *batch, uint32_t layer) {
    const ann *pages = batch->keys[layer]->type;
    projected r = {.p = {.type = pages->type,
                         .heads = a->heads,
                         .kv_heads = a->kv_heads,
                         .size = a->head_size,
                         .interleaved = a->rope.interleaved}};
    CHECK(expr_const_int(pages->dim[1], &r.p.page));
    if (a->rope.base > 0) r.p.turned = a->rope.dims ? a->rope.dims : a->head_size;
    return r;
}

// Keys go into the cache turned, so that nothing of the past is turned again. Values of this step are in the pages
// before they are attended to: a token sees itself there like the others.
const node *nn_attention_apply(nn *n, const nn_attention *a, const node *x, nn_batch *batch, uint32_t layer) {
    CHECK(layer < batch->layers);
    projected r = new_projected(a, batch, layer);
    project(n, a, x, &r);
    norm_heads(n, a, &r);
    const node *q = append(n, a, &r, batch, layer);
    double scale = a->scale > 0 ? a->scale : 1 / sqrt((double)a->head_size);
    const named_attr attrs[] = {{"scale", attr_float(n->mem, scale)},
                                {"window", attr_int(n->mem, a->window)},
                                {"soft_cap", attr_float(n->mem, a->soft_cap)}};
    const node *in[] = {
        q, batch->keys[layer], batch->values[layer], batch->positions, batch->starts, batch->page_table};
    const node *seen = nn_call(n, "rx.attention", in, 6, attrs, 3);
    return nn_linear_apply(n, &a->o, nn_reshape_from(n, seen, 1, (const int64_t[]){a->heads * a->head_size}, 1));
}
