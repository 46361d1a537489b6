// combine_parallel_matmul.c - CombineParallelMatmul: matmuls of one left factor become one.
//
//   before:  q = R.matmul(x, wq)         after:  w = R.concat((wq, wk), axis=1)
//            k = R.matmul(x, wk)                 y = R.matmul(x, w)
//                                                p = R.split(y, [n], axis=1)
//                                                q = p[0]; k = p[1]
//
// Needs nothing. Keeps results (each element is the same sum). Joins matmuls whose right factors have equal dims but
// for the last, of which at most one may be symbolic (it goes last), and whose results have one dtype. A bias and an
// activation that all branches have, and nobody else looks under, are joined as well. What a right factor needs is
// moved in front of the first branch where that is possible.
#include "ops/ops.h"
#include "pass/clone.h"

typedef struct branch {
    const node *matmul, *bias, *activation; // the additions after it; NULL: none
    uint32_t at;                            // of the matmul in its block
} branch;
typedef VEC(branch) branch_list;

typedef struct combining {
    module *m;
    builder *scratch;
    clone c;
    const uint32_t *uses; // by id
    map single;           // MAP_KEY(node) -> its only user, in the block at hand
    map place;            // MAP_KEY(node) -> its index in the block + 1
    const binding_block *run;
    node_list *order; // of the block
    bool *placed;     // by index
} combining;

// --- Which matmuls go together.

static bool same_dims(const combining *z, const ann *a, const ann *b, int32_t rank) {
    for (int32_t i = 0; i < rank; i++)
        if (!prove_equal(z->m->exprs, a->dim[i], b->dim[i], NULL)) return false;
    return true;
}

static bool is_candidate(const node *n) {
    if (n->op != &op_matmul) return false;
    const ann *right = n->in[1]->type;
    return n->in[0]->type->kind == ANN_TENSOR && right->rank >= 2 && right->dim && n->type->dim;
}

static bool fits(const combining *z, const node *a, const node *b) {
    const ann *left = a->in[1]->type, *right = b->in[1]->type;
    return a->in[0] == b->in[0] && left->rank == right->rank && dtype_equal(left->type, right->type) &&
           dtype_equal(a->type->type, b->type->type) && same_dims(z, left, right, left->rank - 1);
}

static const expr *columns(const node *matmul) { return matmul->in[1]->type->dim[matmul->in[1]->type->rank - 1]; }

static const node *bias_of(const combining *z, const node *n) {
    const node *user = map_find(&z->single, MAP_KEY(n));
    if (!user || user->op != &op_add || user->in[0] != n) return NULL;
    const ann *bias = user->in[1]->type;
    bool fits_columns = bias->rank == 1 && bias->dim && prove_equal(z->m->exprs, bias->dim[0], columns(n), NULL);
    return fits_columns ? user : NULL;
}

static const node *activation_of(const combining *z, const node *n) {
    const node *user = n ? map_find(&z->single, MAP_KEY(n)) : NULL;
    return user && (user->op == &op_nn_relu || user->op == &op_nn_gelu || user->op == &op_nn_silu) ? user : NULL;
}

static branch branch_at(const combining *z, uint32_t i) {
    const node *n = z->run->bound[i];
    branch b = {.matmul = n, .at = i, .bias = bias_of(z, n)};
    b.activation = activation_of(z, b.bias);
    return b;
}

// Biases and activations count only where all branches have the same.
static void agree(branch_list *list) {
    bool bias = true, activation = true;
    for (uint32_t i = 0; i < list->len; i++) {
        bias &= list->at[i].bias != NULL;
        activation &= list->at[i].activation && list->at[i].activation->op == list->at[0].activation->op;
    }
    for (uint32_t i = 0; i < list->len; i++) {
        if (!bias) list->at[i].bias = NULL;
        if (!bias || !activation) list->at[i].activation = NULL;
    }
}

// --- Moving what right factors and biases need in front of the first branch.

// What n reads that is not placed yet; through what is written in place, as the tuple of arguments of a call.
static void push_open(const combining *z, const node *n, node_list *todo) {
    for (uint32_t i = 0; i < n->count; i++) {
        const node *in = n->in[i];
        uintptr_t at = (uintptr_t)map_find(&z->place, MAP_KEY(in));
        if (!in->name)
            push_open(z, in, todo);
        else if (at && !z->placed[at - 1])
            VEC_PUSH(z->m->mem, todo, in);
    }
}

// Places a binding, or what a value written in place needs, after all it needs. False where it needs one of the
// branches.
static bool place(combining *z, const node *n, const map *branches) {
    node_list todo = {0};
    VEC_PUSH(z->m->mem, &todo, n);
    while (todo.len) {
        const node *now = todo.at[todo.len - 1];
        uintptr_t at = (uintptr_t)map_find(&z->place, MAP_KEY(now));
        if (map_has(branches, MAP_KEY(now))) return false;
        uint32_t before = todo.len;
        if (!now->name || (at && !z->placed[at - 1])) push_open(z, now, &todo);
        if (todo.len > before) continue;
        todo.len--;
        if (!at || z->placed[at - 1]) continue;
        z->placed[at - 1] = true;
        VEC_PUSH(z->m->mem, z->order, now);
    }
    return true;
}

// Whether n needs a branch, without placing anything.
static bool needs(const combining *z, const node *n, const map *branches) {
    node_list todo = {0};
    map seen = MAP_IN(z->m->mem);
    VEC_PUSH(z->m->mem, &todo, n);
    while (todo.len) {
        const node *now = todo.at[--todo.len];
        if (map_has(branches, MAP_KEY(now))) return true;
        if (map_has(&seen, MAP_KEY(now)) || (now->name && !map_has(&z->place, MAP_KEY(now)))) continue;
        map_put(&seen, MAP_KEY(now), &todo);
        for (uint32_t i = 0; i < now->count; i++) VEC_PUSH(z->m->mem, &todo, now->in[i]);
    }
    return false;
}

// --- Building.

static const node *join(combining *z, const node_list *parts, int64_t axis, node_list *out) {
    const node *tuple = build_tuple(z->scratch, NULL, parts->at, parts->len);
    const named_attr along = {"axis", attr_int(z->m->mem, axis)};
    const node *joined = build_op_with(z->scratch, "lv", &op_concat, &tuple, 1, &along, 1);
    VEC_PUSH(z->m->mem, out, joined);
    return joined;
}

static const attr *cuts(combining *z, const branch_list *list) {
    VEC(const attr *) at = {0};
    int64_t sum = 0, dim;
    for (uint32_t i = 0; i + 1 < list->len; i++) {
        CHECK(expr_const_int(columns(list->at[i].matmul), &dim));
        sum += dim;
        const attr *place = attr_int(z->m->mem, sum);
        VEC_PUSH(z->m->mem, &at, place);
    }
    return attr_list(z->m->mem, at.at, at.len);
}

static const node *joined_matmul(combining *z, const branch_list *list, node_list *out) {
    node_list right = {0};
    const node *first = list->at[0].matmul;
    for (uint32_t i = 0; i < list->len; i++) VEC_PUSH(z->m->mem, &right, list->at[i].matmul->in[1]);
    const node *in[2] = {first->in[0], join(z, &right, first->in[1]->type->rank - 1, out)};
    const named_attr type = {"out_dtype", attr_dtype(z->m->mem, first->type->type)};
    const node *y = build_op_with(z->scratch, "lv", &op_matmul, in, 2, &type, 1);
    VEC_PUSH(z->m->mem, out, y);
    return y;
}

static const node *joined_epilogue(combining *z, const branch_list *list, const node *y, node_list *out) {
    if (!list->at[0].bias) return y;
    node_list bias = {0};
    for (uint32_t i = 0; i < list->len; i++) VEC_PUSH(z->m->mem, &bias, list->at[i].bias->in[1]);
    const node *in[2] = {y, join(z, &bias, 0, out)};
    y = build_op(z->scratch, "lv", &op_add, in, 2);
    VEC_PUSH(z->m->mem, out, y);
    if (!list->at[0].activation) return y;
    y = build_op(z->scratch, "lv", list->at[0].activation->op, &y, 1);
    VEC_PUSH(z->m->mem, out, y);
    return y;
}

static void combine(combining *z, const branch_list *list, const node *first) {
    node_list *out = ARENA_NEW(z->m->mem, node_list, 1);
    const node *y = joined_epilogue(z, list, joined_matmul(z, list, out), out);
    const named_attr where[] = {{"indices_or_sections", cuts(z, list)},
                                {"axis", attr_int(z->m->mem, y->type->rank - 1)}};
    const node *parts = build_op_with(z->scratch, "lv", &op_split, &y, 1, where, 2);
    VEC_PUSH(z->m->mem, out, parts);
    map_put(&z->c.before, MAP_KEY(first), out);
    for (uint32_t i = 0; i < list->len; i++) {
        const branch *b = &list->at[i];
        const node *last = b->activation ? b->activation : b->bias ? b->bias : b->matmul;
        const node *item = build_item(z->scratch, last->name, parts, i);
        map_put(&z->c.instead, MAP_KEY(last), (void *)(uintptr_t)item);
        if (b->bias) map_put(&z->c.drop, MAP_KEY(b->matmul), z);
        if (b->activation) map_put(&z->c.drop, MAP_KEY(b->bias), z);
    }
}

// --- One block.

static void note_block(combining *z) {
    z->place = z->single = MAP_IN(z->m->mem);
    z->order = ARENA_NEW(z->m->mem, node_list, 1);
    z->placed = ARENA_NEW(z->m->mem, bool, z->run->len);
    for (uint32_t i = 0; i < z->run->len; i++) {
        const node *n = z->run->bound[i];
        map_put(&z->place, MAP_KEY(n), (void *)(uintptr_t)(i + 1));
        for (uint32_t k = 0; k < n->count; k++)
            if (n->in[k]->name && z->uses[n->in[k]->id] == 1)
                map_put(&z->single, MAP_KEY(n->in[k]), (void *)(uintptr_t)n);
    }
}

// The matmuls that go with the one at i, it first; static widths before the symbolic one.
static branch_list branches_at(combining *z, uint32_t i, const bool *taken) {
    branch_list list = {0};
    map branches = MAP_IN(z->m->mem);
    const node *first = z->run->bound[i];
    uint32_t symbolic = UINT32_MAX;
    map_put(&branches, MAP_KEY(first), z);
    for (uint32_t k = i; k < z->run->len; k++) {
        const node *n = z->run->bound[k];
        if (taken[k] || !is_candidate(n) || !fits(z, first, n)) continue;
        bool fixed = columns(n)->op == EXPR_INT;
        if ((!fixed && symbolic != UINT32_MAX) || (k > i && needs(z, n->in[1], &branches))) continue;
        if (!fixed) symbolic = k;
        map_put(&branches, MAP_KEY(n), z);
        if (fixed) VEC_PUSH(z->m->mem, &list, branch_at(z, k));
    }
    if (symbolic != UINT32_MAX) VEC_PUSH(z->m->mem, &list, branch_at(z, symbolic));
    agree(&list);
    for (uint32_t k = 0; k < list.len; k++)
        if (list.at[k].bias && needs(z, list.at[k].bias->in[1], &branches)) list.at[0].bias = NULL;
    agree(&list);
    return list;
}

static void emit(combining *z, const node *n) {
    static const map none = {0};
    place(z, n, &none);
}

static void combine_block(combining *z) {
    note_block(z);
    bool *taken = ARENA_NEW(z->m->mem, bool, z->run->len);
    for (uint32_t i = 0; i < z->run->len; i++) {
        const node *n = z->run->bound[i];
        if (!taken[i] && is_candidate(n)) {
            branch_list list = branches_at(z, i, taken);
            for (uint32_t k = 0; list.len > 1 && k < list.len; k++) {
                taken[list.at[k].at] = true;
                emit(z, list.at[k].matmul->in[1]);
                if (list.at[k].bias) emit(z, list.at[k].bias->in[1]);
            }
            if (list.len > 1) combine(z, &list, n);
        }
        emit(z, n);
    }
    map_put(&z->c.order, MAP_KEY(z->run), z->order);
}

static void combine_body(combining *z, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next) {
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) combine_body(z, &n->as.branch[side]);
        }
        z->run = run;
        combine_block(z);
    }
}

static bool run(module *m, const pass_ctx *c) {
    uint32_t errors = c->d->errors;
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        combining z = {.m = m, .scratch = scratch_like(m, list.at[i], c->d), .c = clone_tables(m)};
        z.uses = graph_uses(list.at[i], m->mem);
        combine_body(&z, &list.at[i]->body);
        if (z.c.before.len) module_put_graph(m, clone_func(&z.c, m, list.at[i], c->d));
    }
    return c->d->errors == errors;
}

const pass pass_combine_parallel_matmul = {
    .name = "CombineParallelMatmul",
    .doc = "joins matmuls of one left factor",
    .run = run,
};
