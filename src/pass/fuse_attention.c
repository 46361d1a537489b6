// fuse_attention.c - FuseAttention: attention in single operators becomes one.
//
//   before:  kt = R.permute_dims(R.repeat(k, 3, axis=1), [0, 1, 3, 2])     after:  y = R.rx.dense_attention(q, k, v,
//            s = R.matmul(q, kt) * 0.125                                               scale=0.125, causal_mask=…)
//            p = R.nn.softmax(R.where(columns <= rows, s, -1e38))
//            y = R.matmul(p, R.repeat(v, 3, axis=1))
//
// Its program writes no scores to memory, and computes none that the mask hides. Without a repeat, a factor (or a
// divisor), and a mask as well; factors of the keys, too. Masks that let a token see the places up to its own, where
// the last token is the last place (comparisons of R.arange, of which one is a column), are known to the operator, with
// what is added to the scores, R.add(s, bias), beside them if it need be. Others become a bias: of 0 and what hides,
// which is added to the scores where it is so low that nothing is left of them, else is the score (hidden=-10000.0). A
// token that sees nothing gives all places one weight then, as before.
//
// Needs dataflow blocks, float32 or halves, and numbers as heads and sizes. Halves are not rounded on the way. Keeps
// results but for rounding. What nothing uses any more is left to DeadCodeElimination; values that others use as well
// are not touched.
#include "ops/ops.h"
#include "pass/clone.h"
#include "pass/product.h"
#include <math.h>

#define UNSEEN (-1e9)  // beside the score of what a token sees, the weight of such a one is 0
#define LOWEST (-1e30) // added to a score, nothing is left of that
#define LOWEST_HALF (-65504.0)

typedef struct fusing {
    module *m;
    builder *scratch;
    clone c;
    const uint32_t *uses; // by id
} fusing;

typedef struct attention {
    const node *query, *keys, *values;
    const node *mask, *hidden; // where it is false, scores are hidden; NULL: none
    const node *bias;          // added to the scores; NULL: none
    bool inside;               // the mask hides the bias, too; else that is added to what hides
    double scale, low;         // low: what hidden scores are
    bool causal;               // the mask lets a token see the places up to its own, and is part of the operator
} attention;

static bool is_alone(const fusing *z, const node *n) { return z->uses[n->id] == 1; }

static bool is_number(const node *n, double *out) {
    if (n->op->form != FORM_CONSTANT || n->as.constant->rank) return false;
    *out = tensor_get_float(n->as.constant, 0);
    return true;
}

static bool is_tensor4(const node *n) {
    const ann *a = n->type;
    bool fits = dtype_equal(a->type, DTYPE_OF(F32)) || dtype_equal(a->type, DTYPE_OF(F16)) ||
                dtype_equal(a->type, DTYPE_OF(BF16));
    return a->kind == ANN_TENSOR && a->rank == 4 && a->dim && fits;
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

// number * n, n * number, n / number, n.
static const node *without_factor(const fusing *z, const node *n, double *scale) {
    *scale = 1;
    if (!is_alone(z, n)) return n;
    if (n->op == &op_multiply && is_number(n->in[1], scale)) return n->in[0];
    if (n->op == &op_multiply && is_number(n->in[0], scale)) return n->in[1];
    if (n->op != &op_divide || !is_number(n->in[1], scale) || *scale == 0) return n;
    *scale = 1 / *scale;
    return n->in[0];
}

static bool find_products(const fusing *z, const node *scores, attention *a) {
    double factor;
    const node *dots = without_factor(z, scores, &a->scale);
    if (dots->op != &op_matmul || !is_alone(z, dots)) return false;
    const node *turned = without_factor(z, dots->in[1], &factor);
    a->scale *= factor;
    a->query = dots->in[0];
    if (!is_tensor4(turned) || !is_transposed(turned) || !is_alone(z, turned)) return false;
    a->keys = shared_heads(z, turned->in[0]);
    return is_tensor4(a->query) && is_tensor4(a->keys);
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

// Whether scores that are hidden have no weight beside one that is seen. A bias may hide what is seen as well: then
// only what is -inf has none.
static bool has_no_weight(const attention *a) {
    bool half = dtype_equal(a->hidden->type->type, DTYPE_OF(F16)); // no score of these is lower
    return a->low <= (a->bias ? -(double)INFINITY : half ? LOWEST_HALF : UNSEEN);
}

// Whether a score that it is added to is it: so are -inf and, of halves, nothing else.
static bool absorbs(const attention *a) {
    bool half = dtype_equal(a->hidden->type->type, DTYPE_OF(F16));
    return a->low <= (half ? -(double)INFINITY : LOWEST);
}

// Where the mask is a bias, one beside it is added to what hides, too, or is a number that may be what hides.
static bool hides(const attention *a) { return a->causal || absorbs(a) || (!a->bias && a->low < 0); }

// R.where(mask, scores, hidden), scores + bias, bias + scores, in any order, each once: what is left is what was made
// of products.
static bool find_scores(const fusing *z, const node *n, attention *a) {
    if (n->op == &op_where && !a->mask && is_alone(z, n)) {
        a->mask = n->in[0], a->hidden = n->in[2];
        return is_number(a->hidden, &a->low) && find_scores(z, n->in[1], a);
    }
    for (uint32_t i = 0; n->op == &op_add && !a->bias && is_alone(z, n) && i < 2; i++) {
        attention with = *a;
        with.bias = n->in[1 - i], with.inside = a->mask;
        if (find_scores(z, n->in[i], &with)) return *a = with, true;
    }
    return find_products(z, n, a);
}

// --- The whole.

static bool broadcasts(const node *n) { return n->type->kind == ANN_TENSOR && n->type->dim && n->type->rank <= 4; }

// The scores are those of each head of the query, token and place: no bias or mask has more of something.
static bool scores_fit(const fusing *z, const attention *a, const ann *scores) {
    const expr *const *q = a->query->type->dim, *const *k = a->keys->type->dim;
    const expr *want[] = {q[0], q[1], q[2], k[2]};
    bool good = true;
    for (uint32_t i = 0; i < COUNT(want); i++) good = good && prove_equal(z->m->exprs, scores->dim[i], want[i], NULL);
    dtype t = a->query->type->type; // of everything: products may be asked for in another type
    good = good && dtype_equal(scores->type, t) && dtype_equal(a->keys->type->type, t) &&
           dtype_equal(a->values->type->type, t);
    return good && (!a->bias || broadcasts(a->bias)) && (!a->mask || broadcasts(a->mask));
}

// Products give one query's head to each of many keys' heads too, which the operator doesn't: `out` has the query's.
static bool fits(const fusing *z, const attention *a, const ann *out) {
    expr_session *s = z->m->exprs;
    const expr *const *q = a->query->type->dim, *const *k = a->keys->type->dim, *const *v = a->values->type->dim;
    int64_t heads, shared, size;
    if (!expr_const_int(q[1], &heads) || !expr_const_int(k[1], &shared) || shared < 1 || heads % shared) return false;
    if (!expr_is_int(out->dim[1], heads) || !dtype_equal(out->type, a->query->type->type)) return false;
    if (!expr_const_int(q[3], &size) || !expr_const_int(v[3], &size) || !expr_is_int(v[1], shared)) return false;
    return prove_equal(s, q[0], k[0], NULL) && prove_equal(s, q[0], v[0], NULL) && prove_equal(s, k[2], v[2], NULL);
}

static bool find_attention(const fusing *z, const node *n, attention *a) {
    *a = (attention){0};
    if (n->op != &op_matmul || !is_tensor4(n)) return false;
    const node *weights = n->in[0];
    a->values = shared_heads(z, n->in[1]);
    if (weights->op != &op_nn_softmax || !is_tensor4(weights) || !is_tensor4(a->values)) return false;
    if (!axis_is(weights, 3, 4) || !is_alone(z, weights) || !is_tensor4(weights->in[0])) return false;
    const node *scores = weights->in[0];
    if (!find_scores(z, scores, a) || !fits(z, a, n->type) || !scores_fit(z, a, scores->type)) return false;
    if (!a->mask) return true;
    const expr *tokens = a->query->type->dim[2], *places = a->keys->type->dim[2];
    a->causal = has_no_weight(a) && sees_up_to_itself(z, a->mask, tokens, places);
    return hides(a);
}

// 0 of the type of what is hidden; NULL without memory.
static const node *zero_like(const fusing *z, const node *hidden) {
    tensor *zero = NULL;
    if (tensor_new(hidden->type->type, 0, NULL, &zero) != RX_OK) return NULL;
    tensor_set_float(zero, 0, 0.0);
    const node *n = build_constant(z->scratch, zero);
    tensor_release(zero);
    return n;
}

// R.where(mask, bias or 0, hidden), or R.where(mask, 0, hidden) + bias, bound in front of the attention n; NULL without
// memory.
static const node *mask_as_bias(fusing *z, const node *n, const attention *a) {
    node_list *before = ARENA_NEW(z->m->mem, node_list, 1);
    const char *name = arena_format(z->m->mem, "%s_bias", n->name);
    const node *shown = a->inside ? a->bias : zero_like(z, a->hidden);
    if (!shown) return NULL;
    const node *bias = build_op(z->scratch, name, &op_where, (const node *[]){a->mask, shown, a->hidden}, 3);
    VEC_PUSH(z->m->mem, before, bias);
    if (a->bias && !a->inside) {
        bias = build_op(z->scratch, name, &op_add, (const node *[]){bias, a->bias}, 2);
        VEC_PUSH(z->m->mem, before, bias);
    }
    map_put(&z->c.before, MAP_KEY(n), before);
    return bias;
}

static void fuse(fusing *z, const node *n, const attention *a) {
    arena *mem = z->m->mem;
    const node *bias = a->mask && !a->causal ? mask_as_bias(z, n, a) : a->bias;
    if (a->mask && !a->causal && !bias) return;
    const node *in[] = {a->query, a->keys, a->values, bias};
    named_attr how[3] = {{"scale", attr_float(mem, a->scale)}};
    uint32_t said = 1;
    if (a->causal) how[said++] = (named_attr){"causal_mask", attr_string(mem, "BottomRight", 11)};
    // Beside a bias only what absorbs: else the score itself, which an infinity or NaN among the products doesn't move.
    if (a->mask && !a->causal && !a->bias) how[said++] = (named_attr){"hidden", attr_float(mem, a->low)};
    const node *y = build_op_with(z->scratch, n->name, &op_rx_dense_attention, in, bias ? 4 : 3, how, said);
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
