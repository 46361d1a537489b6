// pack_quantized_weights.c - PackQuantizedWeights: products with quantised weights become dot products of bytes.
//
//   before:  d = R.rx.dequantize(w, format="q4_0")     after:  q = R.rx.pack_quants(w, …); s = R.rx.pack_scales(w, …)
//            y = R.einsum((x, d), "ay,zy->az")                 a = R.rx.quantize_int8(x)
//                                                              y = R.rx.packed_matmul(a[0], a[1], a[2], q, s, …)
//
// Also R.matmul(x, R.permute_dims(d)), R.rx.grouped_matmul(x, d, experts), whose matrices are laid out under each other
// for R.rx.packed_grouped_matmul; and R.take(d, rows) of such a weight, an embedding, becomes R.rx.packed_take
// (its bytes may be taken first). An RMS norm of x is done by R.rx.quantize_int8, and so is the product of the two
// halves of a row, the first one activated; R.rx.attention rounds its own result.
// Looks at weights that rx.bound_weights names, and such weights under each other (R.concat, axis=0): packing them is
// lifted out of the calls afterwards (LiftTransformParams); others are decoded where they are used. Activations lose
// precision: 32 neighbours share a step of 1/127 of the largest. Matmuls of one left factor share its integers.
// activations=f32 leaves everything as it is, activations=f16 rounds left factors to float16 and multiplies in float32:
//
//   after:   h = R.astype(x, "float16"); f = R.astype(h, "float32"); y = R.einsum((f, d), "ay,zy->az")
#include "ops/infer.h"
#include "ops/ops.h"
#include "ops/packed.h"
#include "ops/rounding.h"
#include "pass/clone.h"
#include "pass/product.h"
#include <string.h>

typedef struct packing_pass {
    module *m;
    const graph_func *f;
    builder *scratch;
    clone c;
    map bound;    // MAP_KEY(parameter) -> non-NULL: a weight with data
    map packed;   // MAP_KEY(parameter) -> non-NULL: it is the matrix of a product
    map shared;   // MAP_KEY(node) -> non-NULL: read more than once
    map parts[2]; // MAP_KEY(parameter) -> its quants, scales in the block at hand
    map under;    // MAP_KEY(parameter of matrices) -> these under each other
    map made;     // MAP_KEY(x) -> the first of its `rounded` in the block at hand; of halves the rounded value
    bool half;    // activations=f16
} packing_pass;

// R.rx.quantize_int8 of a left factor: one for each kind of sums that formats want.
typedef struct rounded {
    struct rounded *next;
    uint32_t unit, turns;
    int32_t low;
    const node *call;
} rounded;

// A product's left factor, and what is done to it before it is rounded: an RMS norm (weight NULL: none), or a gate.
typedef struct left_factor {
    const node *x, *weight;
    const attr *epsilon;
    const char *gate; // NULL: none
} left_factor;

// One product: x times the transpose of a weight in blocks, or, with experts, of one of its matrices.
typedef struct product {
    const node *x, *bytes, *experts;
    const block_format *format;
} product;

// --- What is rewritten.

// A weight with data, or several under each other: joined when the file is written.
static bool is_stored(const packing_pass *z, const node *bytes) {
    int64_t axis;
    if (bytes->op != &op_concat) return map_has(&z->bound, MAP_KEY(bytes));
    bool rows = attr_get_int(node_attr(bytes, "axis"), &axis) && axis == 0 && bytes->in[0]->op->form == FORM_TUPLE;
    for (uint32_t i = 0; rows && i < bytes->in[0]->count; i++) rows = map_has(&z->bound, MAP_KEY(bytes->in[0]->in[i]));
    return rows;
}

// The weight of a product, its rows decoded; NULL: n is none.
static const node *decoded_weight(const node *n, product *out) {
    bool transposed;
    *out = (product){0};
    if (n->op == &op_rx_grouped_matmul) {
        out->x = n->in[0], out->experts = n->in[2];
        return n->in[1];
    }
    const node *w = product_weight(n, &out->x, &transposed);
    return w && transposed ? w : NULL;
}

// Experts' rows are whole groups of lanes, so that each expert begins with one; halves are of no use to them.
static bool fits_experts(const packing_pass *z, const node *w) {
    int64_t experts, rows;
    return !z->half && w->in[0]->op != &op_concat && w->type->rank == 3 && w->type->dim &&
           expr_const_int(w->type->dim[0], &experts) && experts > 0 && expr_const_int(w->type->dim[1], &rows) &&
           rows % PACKED_LANES == 0;
}

static bool find_product(const packing_pass *z, const node *n, product *out) {
    const node *w = decoded_weight(n, out);
    int64_t size, rows;
    if (!w || w->op != &op_rx_dequantize || !is_stored(z, w->in[0])) return false;
    if (out->experts ? !fits_experts(z, w) : w->type->rank != 2) return false;
    out->bytes = w->in[0];
    out->format = format_find(node_attr(w, "format")->as.text);
    const ann *x = out->x->type;
    if (!format_packs(out->format) || x->kind != ANN_TENSOR || x->rank < 1 || !x->dim || !n->type->dim) return false;
    if (!w->type->dim || !expr_const_int(w->type->dim[w->type->rank - 2], &rows) || !dtype_is_float(x->type))
        return false;
    return expr_const_int(x->dim[x->rank - 1], &size) && size % ACTIVATION_GROUP == 0 && size > 0 && rows > 0;
}

// --- What it becomes.

static const node *call(packing_pass *z, const op *o, const node *const *in, uint32_t count, const named_attr *attrs,
                        uint32_t given, node_list *out) {
    const node *n = build_op_with(z->scratch, "lv", o, in, count, attrs, given);
    VEC_PUSH(z->m->mem, out, n);
    return n;
}

static named_attr format_attr(const packing_pass *z, const block_format *f) {
    return (named_attr){"format", attr_string(z->m->mem, f->name, strlen(f->name))};
}

// [experts, rows, bytes] as [experts * rows, bytes].
static const node *under_each_other(packing_pass *z, const node *bytes, node_list *out) {
    const node *known = map_find(&z->under, MAP_KEY(bytes));
    if (known) return known;
    int64_t size[2] = {1, 1}; // known, by fits_experts
    for (uint32_t i = 0; i < 2; i++) expr_const_int(bytes->type->dim[i], &size[i]);
    const expr *dim[] = {expr_i64(z->m->exprs, size[0] * size[1]), bytes->type->dim[2]};
    const node *in[] = {bytes, build_shape(z->scratch, dim, 2)};
    const node *n = call(z, &op_reshape, in, 2, NULL, 0, out);
    map_put(&z->under, MAP_KEY(bytes), (void *)(uintptr_t)n);
    return n;
}

static const node *packed(packing_pass *z, const op *o, const product *p, node_list *out) {
    map *parts = &z->parts[o == &op_rx_pack_scales];
    const node *known = map_find(parts, MAP_KEY(p->bytes));
    if (known) return known;
    const named_attr format = format_attr(z, p->format);
    const node *rows = p->experts ? under_each_other(z, p->bytes, out) : p->bytes;
    const node *n = call(z, o, &rows, 1, &format, 1, out);
    map_put(parts, MAP_KEY(p->bytes), (void *)(uintptr_t)n);
    return n;
}

// The name of the activation that rounding can do.
static const char *gate_of(const node *n) {
    static const op *const known[] = {&op_nn_silu, &op_nn_gelu, &op_nn_gelu_tanh, &op_nn_relu};
    for (size_t i = 0; i < COUNT(known); i++)
        if (n->op == known[i]) return n->op->name + strlen("nn.");
    return NULL;
}

// The part of a row that is cut in half: the row, or NULL.
static const node *half_of(const node *n, uint32_t which) {
    if (n->op->form != FORM_ITEM || n->as.index != which || n->in[0]->op != &op_split) return NULL;
    const node *cut = n->in[0], *all = cut->in[0];
    int64_t half, other, whole;
    if (cut->type->count != 2 || !dtype_equal(n->type->type, DTYPE_OF(F32)) || !all->type->dim) return NULL;
    uint32_t last = (uint32_t)all->type->rank - 1;
    const ann *const *part = cut->type->field;
    bool known = part[0]->dim && part[1]->dim && expr_const_int(part[0]->dim[last], &half) &&
                 expr_const_int(part[1]->dim[last], &other) && expr_const_int(all->type->dim[last], &whole);
    return known && half == other && half * 2 == whole ? all : NULL;
}

// R.multiply(R.nn.silu(halves[0]), halves[1]): one product gave both.
static bool is_gated(const node *n, left_factor *out) {
    if (n->op != &op_multiply) return false;
    for (uint32_t i = 0; i < 2; i++) {
        const node *act = n->in[i], *all = half_of(n->in[1 - i], 1);
        const char *gate = gate_of(act);
        if (!gate || !all || half_of(act->in[0], 0) != all) continue;
        *out = (left_factor){.x = all, .gate = gate};
        return true;
    }
    return false;
}

// The norm of rows, or what gates them, is done with the rounding.
static left_factor left_factor_of(const product *p) {
    left_factor a = {.x = p->x};
    const ann *x = p->x->type;
    if (is_gated(p->x, &a)) return a;
    if (p->x->op != &op_nn_rms_norm || x->rank < 2 || !dtype_equal(x->type, DTYPE_OF(F32))) return a;
    const attr *axes = node_attr(p->x, "axes");
    int64_t axis;
    if (axes->kind == ATTR_LIST && axes->count == 1) axes = axes->list[0];
    if (!attr_get_int(axes, &axis) || (axis != -1 && axis != x->rank - 1)) return a;
    return (left_factor){p->x->in[0], p->x->in[1], node_attr(p->x, "epsilon"), NULL};
}

// The attention whose heads are the row, where nobody else looks at it and it can round.
static const node *attention_of(const packing_pass *z, const product *p, const packing *want) {
    const node *row = p->x, *seen = row->op == &op_reshape ? row->in[0] : NULL;
    int64_t heads, width;
    if (!seen || seen->op != &op_rx_attention || seen->type->kind != ANN_TENSOR) return NULL;
    if (map_has(&z->shared, MAP_KEY(row)) || map_has(&z->shared, MAP_KEY(seen))) return NULL;
    if (!rounding_fits_heads(seen, want->turns, p->format->low, &heads)) return NULL;
    if (row->type->rank != 2 || !expr_const_int(row->type->dim[1], &width) || width != heads) return NULL;
    return dtype_equal(seen->type->type, DTYPE_OF(F32)) ? seen : NULL;
}

// The same attention, which rounds its result: `how` has the attributes that say so.
static const node *rounded_attention(packing_pass *z, const node *seen, const named_attr how[3], node_list *out) {
    named_attr attrs[OP_MAX_ATTRS];
    for (uint32_t i = 0; i < op_attrs(seen->op); i++) {
        const char *name = seen->op->attr[i].name;
        attrs[i] = (named_attr){name, node_attr(seen, name)};
        for (uint32_t k = 0; k < 3; k++)
            if (strcmp(how[k].name, name) == 0) attrs[i].value = how[k].value;
    }
    return call(z, seen->op, seen->in, seen->count, attrs, op_attrs(seen->op), out);
}

static const node *integers(packing_pass *z, const product *p, node_list *out) {
    const packing want = packing_of(p->format);
    rounded *first = map_find(&z->made, MAP_KEY(p->x)), *r = first;
    while (r && (r->unit != want.unit || r->turns != want.turns || r->low != p->format->low)) r = r->next;
    if (r) return r->call;
    const left_factor a = left_factor_of(p);
    const node *in[] = {a.x, a.weight};
    named_attr attrs[4] = {{"unit", attr_int(z->m->mem, want.unit)},
                           {"low", attr_int(z->m->mem, p->format->low)},
                           {"turns", attr_int(z->m->mem, want.turns)}};
    uint32_t given = 3;
    if (a.weight) attrs[given++] = (named_attr){"epsilon", a.epsilon};
    if (a.gate) attrs[given++] = (named_attr){"gate", attr_string(z->m->mem, a.gate, strlen(a.gate))};
    r = ARENA_NEW(z->m->mem, rounded, 1);
    *r = (rounded){.next = first, .unit = want.unit, .turns = want.turns, .low = p->format->low};
    const node *seen = attention_of(z, p, &want);
    r->call = seen ? rounded_attention(z, seen, attrs, out)
                   : call(z, &op_rx_quantize_int8, in, a.weight ? 2 : 1, attrs, given, out);
    map_put(&z->made, MAP_KEY(p->x), r);
    return r->call;
}

static void rewrite_product(packing_pass *z, const node *n, const product *p) {
    node_list *out = ARENA_NEW(z->m->mem, node_list, 1);
    const node *a = integers(z, p, out), *in[6] = {[5] = p->experts};
    for (uint32_t i = 0; i < 3; i++) {
        in[i] = build_item(z->scratch, "lv", a, i);
        VEC_PUSH(z->m->mem, out, in[i]);
    }
    in[3] = packed(z, &op_rx_pack_quants, p, out);
    in[4] = packed(z, &op_rx_pack_scales, p, out);
    int64_t columns = 0;
    expr_const_int(n->type->dim[n->type->rank - 1], &columns);
    const named_attr attrs[] = {{"columns", attr_int(z->m->mem, columns)}, format_attr(z, p->format)};
    const op *o = p->experts ? &op_rx_packed_grouped_matmul : &op_rx_packed_matmul;
    const node *y = call(z, o, in, p->experts ? 6 : 5, attrs, 2, out);
    if (!dtype_equal(n->type->type, DTYPE_OF(F32))) {
        const named_attr type = {"dtype", attr_dtype(z->m->mem, n->type->type)};
        y = call(z, &op_astype, &y, 1, &type, 1, out);
    }
    out->len--; // the last one stands in n's place
    map_put(&z->c.before, MAP_KEY(n), out);
    map_put(&z->c.instead, MAP_KEY(n), (void *)(uintptr_t)y);
}

// --- The same with halves.

static const node *halves(packing_pass *z, const node *x, node_list *out) {
    const node *known = map_find(&z->made, MAP_KEY(x));
    if (known) return known;
    const named_attr half = {"dtype", attr_dtype(z->m->mem, DTYPE_OF(F16))};
    const named_attr full = {"dtype", attr_dtype(z->m->mem, x->type->type)};
    const node *narrow = call(z, &op_astype, &x, 1, &half, 1, out);
    const node *wide = call(z, &op_astype, &narrow, 1, &full, 1, out);
    map_put(&z->made, MAP_KEY(x), (void *)(uintptr_t)wide);
    return wide;
}

static void round_product(packing_pass *z, const node *n, const product *p) {
    node_list *out = ARENA_NEW(z->m->mem, node_list, 1);
    const node *x = halves(z, p->x, out), *in[2] = {x};
    if (n->op == &op_matmul)
        in[1] = n->in[1];
    else
        in[0] = build_tuple(z->scratch, NULL, (const node *[]){x, n->in[0]->in[1]}, 2);
    map_put(&z->c.before, MAP_KEY(n), out);
    map_put(&z->c.instead, MAP_KEY(n), (void *)(uintptr_t)build_copy(z->scratch, n, in));
}

// --- Embeddings.

// R.take(R.rx.dequantize(w), rows), or R.rx.dequantize(R.take(w, rows)).
static bool find_rows(const packing_pass *z, const node *n, product *out) {
    int64_t axis = -1;
    bool decoded_first = n->op == &op_take && n->in[0]->op == &op_rx_dequantize;
    if (!decoded_first && (n->op != &op_rx_dequantize || n->in[0]->op != &op_take)) return false;
    const node *take = decoded_first ? n : n->in[0], *decode = decoded_first ? n->in[0] : n;
    if (!attr_get_int(node_attr(take, "axis"), &axis) || axis != 0) return false;
    *out = (product){.x = take->in[1], .bytes = decoded_first ? decode->in[0] : take->in[0]};
    out->format = format_find(node_attr(decode, "format")->as.text);
    return attr_text_is(take, "mode", "fast") && map_has(&z->packed, MAP_KEY(out->bytes)) &&
           dtype_equal(n->type->type, DTYPE_OF(F32));
}

static void rewrite_rows(packing_pass *z, const node *n, const product *p) {
    node_list *out = ARENA_NEW(z->m->mem, node_list, 1);
    const node *in[] = {packed(z, &op_rx_pack_quants, p, out), packed(z, &op_rx_pack_scales, p, out), p->x};
    int64_t rows = 0;
    expr_const_int(p->bytes->type->dim[0], &rows);
    const named_attr attrs[] = {{"rows", attr_int(z->m->mem, rows)}, format_attr(z, p->format)};
    const node *y = call(z, &op_rx_packed_take, in, 3, attrs, 2, out);
    out->len--;
    map_put(&z->c.before, MAP_KEY(n), out);
    map_put(&z->c.instead, MAP_KEY(n), (void *)(uintptr_t)y);
}

// --- The pass.

// Weights that are in products: what else reads them reads the same layout. Matrices of experts have another one, in
// which a row of R.take, a whole matrix, is none.
static void find_packed(packing_pass *z, const graph_body *body) {
    z->packed = MAP_IN(z->m->mem);
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            product p;
            if (run->dataflow && find_product(z, run->bound[i], &p) && !p.experts)
                map_put(&z->packed, MAP_KEY(p.bytes), z);
        }
}

static void count_uses(packing_pass *z, map *read, const node *n) {
    if (n->op->form == FORM_TUPLE && !n->name) {
        for (uint32_t i = 0; i < n->count; i++) count_uses(z, read, n->in[i]);
        return;
    }
    if (map_has(read, MAP_KEY(n))) map_put(&z->shared, MAP_KEY(n), z);
    map_put(read, MAP_KEY(n), z);
}

static void find_shared(packing_pass *z, const graph_body *body) {
    map read = MAP_IN(z->m->mem);
    z->shared = MAP_IN(z->m->mem);
    for (const binding_block *run = body->first; run; run = run->next) {
        for (uint32_t i = 0; i < run->len; i++)
            for (uint32_t k = 0; k < run->bound[i]->count; k++) count_uses(z, &read, run->bound[i]->in[k]);
        for (uint32_t i = 0; i < run->outputs; i++) count_uses(z, &read, run->output[i]);
    }
    if (body->result) count_uses(z, &read, body->result);
}

static void rewrite_body(packing_pass *z, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next) {
        z->made = z->under = z->parts[0] = z->parts[1] = MAP_IN(z->m->mem);
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            product p;
            if (!run->dataflow) continue;
            if (find_product(z, n, &p)) (z->half ? round_product : rewrite_product)(z, n, &p);
            if (!z->half && find_rows(z, n, &p)) rewrite_rows(z, n, &p);
        }
    }
}

static bool find_bound(packing_pass *z) {
    z->bound = MAP_IN(z->m->mem);
    for (uint32_t i = 0; i < z->f->params; i++)
        if (is_bound_weight(z->f, z->f->param[i]->name)) map_put(&z->bound, MAP_KEY(z->f->param[i]), z);
    return z->bound.len > 0;
}

static bool run(module *m, const pass_ctx *c) {
    uint32_t errors = c->d->errors;
    func_list list = {0};
    const char *activations = pass_get(c, &pass_pack_quantized_weights, "activations");
    if (strcmp(activations, "f32") == 0) return true;
    bool half = strcmp(activations, "f16") == 0;
    if (!half && strcmp(activations, "int8") != 0)
        return diag_error(c->d, (loc){0}, "PackQuantizedWeights: activations: want int8, f16 or f32, got %s",
                          activations);
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        packing_pass z = {.m = m, .f = list.at[i], .half = half};
        if (!find_bound(&z)) continue;
        z.scratch = scratch_like(m, z.f, c->d);
        z.c = clone_tables(m);
        find_packed(&z, &z.f->body);
        find_shared(&z, &z.f->body);
        rewrite_body(&z, &z.f->body);
        if (z.c.instead.len) module_put_graph(m, clone_func(&z.c, m, z.f, c->d));
    }
    return c->d->errors == errors;
}

const pass pass_pack_quantized_weights = {
    .name = "PackQuantizedWeights",
    .doc = "products with quantised weights become dot products of bytes, the weights laid out ahead of time",
    .option = {{"activations", "int8",
                "what the other factor becomes: int8; f16, products in float32; f32: nothing changes"}},
    .run = run,
};
