// dense.c - Llama as tools/decoder writes it, built with operators by name: matrices as (in, out), rotary embedding by
// halves, attention over all tokens with a mask.
#include "dense.h"
#include <math.h>
#include <string.h>

enum { VOCAB = 256, SIZE = 64, HEADS = 4, KV_HEADS = 2, HEAD = 16, INNER = 128, LAYERS = 2 };

// The operator's operands end at a NULL.
static const node *call(nn *n, const char *name, const named_attr *attrs, uint32_t given, const node *a, const node *b,
                        const node *c) {
    const node *in[] = {a, b, c};
    return nn_call(n, name, in, c ? 3 : b ? 2 : 1, attrs, given);
}
static const node *unary(nn *n, const char *name, const node *a) { return call(n, name, NULL, 0, a, NULL, NULL); }
static const node *matmul(nn *n, const node *a, const node *b) { return call(n, "matmul", NULL, 0, a, b, NULL); }

static named_attr ints(nn *n, const char *name, const int64_t *value, uint32_t count) {
    return (named_attr){name, attr_ints(nn_builder(n)->m->mem, value, count)};
}
static named_attr number(nn *n, const char *name, int64_t value) {
    return (named_attr){name, attr_int(nn_builder(n)->m->mem, value)};
}
static const node *with_axis(nn *n, const char *name, const node *a, int64_t axis) {
    const named_attr at = number(n, "axis", axis);
    return call(n, name, &at, 1, a, NULL, NULL);
}
static const node *permuted(nn *n, const node *x, int64_t i, int64_t k) {
    const int64_t axes[] = {0, i, k, 6 - i - k};
    const named_attr at = ints(n, "axes", axes, 4);
    return call(n, "permute_dims", &at, 1, x, NULL, NULL);
}
static const node *pair(nn *n, const node *a, const node *b) {
    return build_tuple(nn_builder(n), NULL, (const node *const[]){a, b}, 2);
}

// Symbols and numbers: 0 is b, -1 is s.
static const node *reshaped(nn *n, const node *x, const int64_t *dim, uint32_t rank) {
    const expr *all[4];
    expr_session *s = nn_builder(n)->m->exprs;
    for (uint32_t i = 0; i < rank; i++)
        all[i] = dim[i] == 0 ? nn_size(n, "b") : dim[i] == -1 ? nn_size(n, "s") : expr_i64(s, dim[i]);
    return call(n, "reshape", NULL, 0, x, build_shape(nn_builder(n), all, rank), NULL);
}

static const node *scalar_of(nn *n, double value) {
    tensor *t;
    if (tensor_new(DTYPE_OF(F32), 0, NULL, &t) != RX_OK) return build_poison(nn_builder(n));
    tensor_set_float(t, 0, value);
    const node *c = build_constant(nn_builder(n), t);
    tensor_release(t);
    return c;
}

// 0, 1, … s - 1 in float32.
static const node *places(nn *n, const int64_t *dim) {
    builder *b = nn_builder(n);
    const named_attr type = {"dtype", attr_dtype(b->m->mem, DTYPE_OF(F32))};
    const node *end = build_prim(b, nn_size(n, "s")), *one = build_prim(b, expr_i64(b->m->exprs, 1));
    return reshaped(n, call(n, "arange", &type, 1, build_prim(b, expr_i64(b->m->exprs, 0)), end, one), dim, 2);
}

typedef struct tables {
    const node *cos, *sin, *mask;
} tables;

static tables positions(nn *n) {
    double turn[HEAD / 2];
    const named_attr type = {"dtype", attr_dtype(nn_builder(n)->m->mem, DTYPE_OF(F32))};
    for (int i = 0; i < HEAD / 2; i++) turn[i] = pow(10000, -2.0 * i / (double)HEAD);
    const node *rows = places(n, (const int64_t[]){-1, 1});
    const node *turns = nn_multiply(n, rows, nn_constant(n, turn, HEAD / 2));
    const node *angles = with_axis(n, "concat", pair(n, turns, turns), 1);
    tables t = {.cos = call(n, "astype", &type, 1, unary(n, "cos", angles), NULL, NULL)};
    t.sin = call(n, "astype", &type, 1, unary(n, "sin", angles), NULL, NULL);
    t.mask = call(n, "less_equal", NULL, 0, places(n, (const int64_t[]){1, -1}), rows, NULL);
    return t;
}

static const node *heads_of(nn *n, const node *x, const node *weight, int64_t heads) {
    return permuted(n, reshaped(n, matmul(n, x, weight), (const int64_t[]){0, -1, heads, HEAD}, 4), 2, 1);
}

static const node *turned(nn *n, const node *x, const tables *t) {
    const named_attr halves[] = {number(n, "indices_or_sections", 2), number(n, "axis", -1)};
    const node *parts = call(n, "split", halves, 2, x, NULL, NULL);
    const node *left = build_item(nn_builder(n), "left", parts, 0),
               *right = build_item(nn_builder(n), "right", parts, 1);
    const node *other = with_axis(n, "concat", pair(n, unary(n, "negative", right), left), -1);
    const node *kept = nn_multiply(n, x, t->cos);
    return nn_add(n, kept, nn_multiply(n, other, t->sin));
}

static const node *repeated(nn *n, const node *x) {
    const named_attr at[] = {number(n, "repeats", HEADS / KV_HEADS), number(n, "axis", 1)};
    return call(n, "repeat", at, 2, x, NULL, NULL);
}

enum { Q, K, V, O, GATE, UP, DOWN, MATRICES };
typedef struct dense_layer {
    nn_weight matrix[MATRICES];
    nn_norm norm[2];
} dense_layer;

static dense_layer new_layer(nn_scope s) {
    static const char *const name[] = {"q", "k", "v", "o", "gate", "up", "down"};
    static const int64_t dim[][2] = {{SIZE, HEADS * HEAD}, {SIZE, KV_HEADS * HEAD}, {SIZE, KV_HEADS * HEAD},
                                     {HEADS * HEAD, SIZE}, {SIZE, INNER},           {SIZE, INNER},
                                     {INNER, SIZE}};
    dense_layer l;
    for (int i = 0; i < MATRICES; i++) l.matrix[i] = nn_weight_new(nn_in(s, name[i]), "weight", dim[i], 2);
    l.norm[0] = nn_rms_norm_new(nn_in(s, "norm1"), SIZE, 1e-5);
    l.norm[1] = nn_rms_norm_new(nn_in(s, "norm2"), SIZE, 1e-5);
    return l;
}

static const node *attention(nn *n, const dense_layer *l, const node *x, const tables *t) {
    const node *q = turned(n, heads_of(n, x, l->matrix[Q].param, HEADS), t);
    const node *k = turned(n, heads_of(n, x, l->matrix[K].param, KV_HEADS), t);
    const node *v = heads_of(n, x, l->matrix[V].param, KV_HEADS);
    k = repeated(n, k);
    v = repeated(n, v);
    const node *dots = matmul(n, q, permuted(n, k, 1, 3));
    const node *scaled = nn_multiply(n, dots, scalar_of(n, 0.25));
    const node *seen = with_axis(n, "nn.softmax", call(n, "where", NULL, 0, t->mask, scaled, scalar_of(n, -3e38)), -1);
    const node *back = permuted(n, matmul(n, seen, v), 2, 1);
    return matmul(n, reshaped(n, back, (const int64_t[]){0, -1, HEADS * HEAD}, 3), l->matrix[O].param);
}

static const node *apply(nn *n, const dense_layer *l, const node *x, const tables *t) {
    x = nn_add(n, x, attention(n, l, nn_norm_apply(n, &l->norm[0], x), t));
    const node *in = nn_norm_apply(n, &l->norm[1], x);
    const node *gate = matmul(n, in, l->matrix[GATE].param), *up = matmul(n, in, l->matrix[UP].param);
    return nn_add(n, x, matmul(n, nn_multiply(n, nn_silu(n, gate), up), l->matrix[DOWN].param));
}

bool dense_decoder(module *m, diag *d) {
    nn *n = nn_new(m, "main", (nn_source){0}, d);
    const node *tokens = nn_input(n, "tokens", "int32", "b, s");
    nn_scope root = nn_root(n);
    nn_embedding embedding = nn_embedding_new(nn_in(root, "embed"), VOCAB, SIZE);
    dense_layer layer[LAYERS];
    for (uint32_t i = 0; i < LAYERS; i++) layer[i] = new_layer(nn_item(nn_in(root, "layers"), i));
    nn_norm last = nn_rms_norm_new(nn_in(root, "norm"), SIZE, 1e-5);
    nn_weight head = nn_weight_new(nn_in(root, "head"), "weight", (const int64_t[]){SIZE, VOCAB}, 2);

    tables t = positions(n);
    const expr *all = expr_binary(m->exprs, EXPR_MUL, nn_size(n, "b"), nn_size(n, "s"));
    const node *ids = call(n, "reshape", NULL, 0, tokens, build_shape(nn_builder(n), &all, 1), NULL);
    const node *x = reshaped(n, nn_embedding_apply(n, &embedding, ids), (const int64_t[]){0, -1, SIZE}, 3);
    for (uint32_t i = 0; i < LAYERS; i++) x = apply(n, &layer[i], x, &t);
    const node *logits = matmul(n, nn_norm_apply(n, &last, x), head.param);
    return nn_finish(n, &logits, 1);
}
