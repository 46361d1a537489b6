// fuse_attention.c - FuseAttention: attention in single operators becomes one.
//
//   before:  kt = R.permute_dims(R.repeat(k, 3, axis=1), [0, 1, 3, 2])     after:  y = R.rx.dense_attention(q, k, v,
//            s = R.matmul(q, kt) * 0.125                                               scale=0.125, causal_mask=…)
//            p = R.nn.softmax(R.where(columns <= rows, s, -1e38))
//            y = R.matmul(p, R.repeat(v, 3, axis=1))
//
// Its program writes no scores to memory, and computes none that the mask hides. Without a repeat, a factor (or a
// divisor), and a mask as well. Masks are those that let a token see the places up to its own, where the last token is
// the last place: comparisons of R.arange, of which one is a column. What is hidden must be so low that its weight is
// 0.
//
// Needs dataflow blocks, float32, and numbers as heads and sizes. Keeps results but for rounding. What nothing uses
// any more is left to DeadCodeElimination; values that others use as well are not touched.
#include "ops/ops.h"
#include "pass/clone.h"
#include "pass/product.h"

#define LOWEST (-1e30) // no score is as low, and none differs from it by less than what makes a weight 0

typedef struct fusing {
    module *m;
    builder *scratch;
    clone c;
    const uint32_t *uses; // by id
} fusing;

typedef struct attention {
    const node *query, *keys, *values, *mask; // mask NULL: none
    double scale;
} attention;

static bool is_alone(const fusing *z, const node *n) { return z->uses[n->id] == 1; }

static bool is_number(const node *n, double *out) {
    if (n->op->form != FORM_CONSTANT || n->as.constant->rank) return false;
    *out = tensor_get_float(n->as.constant, 0);
    return true;
}

static bool is_tensor4(const node *n) {
    const ann *a = n->type;
    return a->kind == ANN_TENSOR && a->rank == 4 && a->dim && dtype_equal(a->type, DTYPE_OF(F32));
}

static bool axis_is(const node *n, int64_t wanted, int64_t rank) {
    int64_t axis;
    return attr_get_int(node_attr(n, "axis"), &axis) && (axis == wanted || axis == wanted - rank);
}

// --- What is multiplied.

// What is repeated so that each head has its own; itself where nothing is.
static const node *shared_heads(const fusing *z, const node *n) {
    return n->op == &op_repeat && axis_is(n, 1, 4) && is_alone(z, n) ? n->in[0] : n;
}

static bool find_products(const fusing *z, const node *dots, attention *a) {
    if (dots->op != &op_matmul || !is_alone(z, dots)) return false;
    const node *turned = dots->in[1];
    a->query = dots->in[0];
    if (!is_tensor4(turned) || !is_transposed(turned) || !is_alone(z, turned)) return false;
    a->keys = shared_heads(z, turned->in[0]);
    return is_tensor4(a->query) && is_tensor4(a->keys);
}

// dots * number, number * dots, dots / number, dots.
static const node *without_factor(const fusing *z, const node *n, double *scale) {
    *scale = 1;
    if (!is_alone(z, n)) return n;
    if (n->op == &op_multiply && is_number(n->in[1], scale)) return n->in[0];
    if (n->op == &op_multiply && is_number(n->in[0], scale)) return n->in[1];
    if (n->op != &op_divide || !is_number(n->in[1], scale) || *scale == 0) return n;
    *scale = 1 / *scale;
    return n->in[0];
}

// --- Masks.

// The range that a row or a column of numbers counts through, and how many.
typedef struct counting {
    const expr *first, *count;
    bool column;
} counting;

static bool find_counting(const node *n, counting *out) {
    const ann *a = n->type;
    const expr *one = NULL;
    while (n->op == &op_reshape || n->op == &op_expand_dims) n = n->in[0];
    if (n->op != &op_arange || a->kind != ANN_TENSOR || !a->dim || a->rank < 2 || !dtype_equal(n->type->type, a->type))
        return false;
    if (dtype_bits(a->type) < 32) return false; // places wrap, or several are one number, early enough to matter
    for (uint32_t i = 0; i < n->count; i++)
        if (n->in[i]->op->form != FORM_PRIM) return false;
    for (int32_t i = 0; i + 2 < a->rank; i++)
        if (!expr_is_int(a->dim[i], 1)) return false;
    const expr *rows = a->dim[a->rank - 2], *columns = a->dim[a->rank - 1];
    out->column = expr_is_int(columns, 1);
    one = out->column ? columns : rows;
    out->count = out->column ? rows : columns;
    out->first = n->in[0]->as.value;
    return expr_is_int(one, 1) && dtype_is_int(out->first->type) && expr_is_int(n->in[2]->as.value, 1);
}

// Whether token i of S sees the places up to i + T - S of T, and there is one of them at least.
static bool sees_up_to_itself(const fusing *z, const node *mask, const expr *tokens, const expr *places) {
    counting row, column;
    expr_session *s = z->m->exprs;
    if (mask->op != &op_less_equal && mask->op != &op_greater_equal) return false;
    bool less = mask->op == &op_less_equal;
    if (!find_counting(mask->in[less ? 0 : 1], &row) || !find_counting(mask->in[less ? 1 : 0], &column)) return false;
    const expr *before = expr_binary(s, EXPR_SUB, places, tokens), *zero = expr_i64(s, 0);
    return !row.column && column.column && prove_equal(s, row.first, zero, NULL) &&
           prove_equal(s, row.count, places, NULL) && prove_equal(s, column.count, tokens, NULL) &&
           prove_equal(s, column.first, before, NULL) && prove_less_equal(s, zero, before, z->scratch->facts);
}

// What the mask hides has no weight.
static const node *without_mask(const fusing *z, const node *n, attention *a) {
    double hidden;
    if (n->op != &op_where || !is_alone(z, n) || !is_number(n->in[2], &hidden) || !(hidden <= LOWEST)) return n;
    a->mask = n->in[0];
    return n->in[1];
}

// --- The whole.

// Products give one query's head to each of many keys' heads too, which the operator doesn't: `out` has the query's.
static bool fits(const fusing *z, const attention *a, const ann *out) {
    expr_session *s = z->m->exprs;
    const expr *const *q = a->query->type->dim, *const *k = a->keys->type->dim, *const *v = a->values->type->dim;
    int64_t heads, shared, size;
    if (!expr_const_int(q[1], &heads) || !expr_const_int(k[1], &shared) || shared < 1 || heads % shared) return false;
    if (!expr_is_int(out->dim[1], heads)) return false;
    if (!expr_const_int(q[3], &size) || !expr_const_int(v[3], &size) || !expr_is_int(v[1], shared)) return false;
    return prove_equal(s, q[0], k[0], NULL) && prove_equal(s, q[0], v[0], NULL) && prove_equal(s, k[2], v[2], NULL) &&
           (!a->mask || sees_up_to_itself(z, a->mask, q[2], k[2]));
}

static bool find_attention(const fusing *z, const node *n, attention *a) {
    *a = (attention){0};
    if (n->op != &op_matmul || !is_tensor4(n)) return false;
    const node *weights = n->in[0];
    a->values = shared_heads(z, n->in[1]);
    if (weights->op != &op_nn_softmax || !is_tensor4(weights) || !is_tensor4(a->values)) return false;
    if (!axis_is(weights, 3, 4) || !is_alone(z, weights) || !is_tensor4(weights->in[0])) return false;
    const node *scores = without_mask(z, weights->in[0], a);
    return find_products(z, without_factor(z, scores, &a->scale), a) && fits(z, a, n->type);
}

static void fuse(fusing *z, const node *n, const attention *a) {
    arena *mem = z->m->mem;
    const node *in[] = {a->query, a->keys, a->values};
    const named_attr how[] = {{"scale", attr_float(mem, a->scale)},
                              {"causal_mask", attr_string(mem, "BottomRight", 11)}};
    const node *y = build_op_with(z->scratch, n->name, &op_rx_dense_attention, in, COUNT(in), how, a->mask ? 2 : 1);
    map_put(&z->c.instead, MAP_KEY(n), (void *)(uintptr_t)y);
}

static void fuse_body(fusing *z, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            attention a;
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) fuse_body(z, &n->as.branch[side]);
            if (run->dataflow && find_attention(z, n, &a)) fuse(z, n, &a);
        }
}

static bool run(module *m, const pass_ctx *c) {
    uint32_t errors = c->d->errors;
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        fusing z = {.m = m, .scratch = scratch_like(m, list.at[i], c->d), .c = clone_tables(m)};
        z.uses = graph_uses(list.at[i], m->mem);
        fuse_body(&z, &list.at[i]->body);
        if (z.c.instead.len) module_put_graph(m, clone_func(&z.c, m, list.at[i], c->d));
    }
    return c->d->errors == errors;
}

const pass pass_fuse_attention = {
    .name = "FuseAttention",
    .doc = "attention in single operators becomes one",
    .run = run,
};
