// append.c - the loop program between the projections and attention: queries and keys turned by their positions, keys
// and values written into the cache.
//
//   for i in T.parallel(t):
//       for h in range(heads): query[i, h, :] = turned(rows of queries)
//       slot = slots[i]                                   page * page size + place in it
//       if 0 <= slot < g * page size:
//           for h in range(kv_heads): k_pages[slot // page size, slot % page size, h, :] = turned(rows of keys)
//           for h in range(kv_heads): v_pages[slot // page size, slot % page size, h, :] = rows of values
//
// One launch, which reads the results of the projections where they lie, joined or apart. A slot outside of the cache
// is passed over: nothing is ever written outside of it. Tokens have different slots.
#include "nn/nn_inside.h"

enum { MOST_LANES = 16, QUERIES = 0, KEYS = 1, VALUES = 2, MOST_BUFFERS = 9 };

typedef VEC(const stmt *) stmt_list;

typedef struct appending {
    expr_session *s;
    arena *mem;
    const nn_placing *p;
    const buffer *k_pages, *v_pages, *source[3], *cos, *sin, *slots, *query;
    const expr *token; // of the block
} appending;

static const expr *i64(const appending *a, int64_t value) { return expr_i64(a->s, value); }
static const expr *op2(const appending *a, expr_op what, const expr *x, const expr *y) {
    return expr_binary(a->s, what, x, y);
}
static const expr *plus(const appending *a, const expr *x, int64_t y) { return op2(a, EXPR_ADD, x, i64(a, y)); }
static const expr *load2(const appending *a, const buffer *b, const expr *i, const expr *k) {
    return expr_load(a->s, b, b->type, (const expr *[]){i, k}, 2);
}
static const stmt *loop(const appending *a, for_kind kind, const expr *var, const expr *extent, const stmt *body) {
    return stmt_for(a->mem, kind, var, i64(a, 0), extent, body);
}

// As wide as the parts of a head allow that are treated alike.
static int64_t lanes_of(const nn_placing *p) {
    int64_t lanes = MOST_LANES, turned = p->interleaved ? p->turned : p->turned / 2;
    while (p->size % lanes || turned % lanes) lanes /= 2;
    return lanes;
}

// Element k of head h of queries, keys or values.
static const expr *element(const appending *a, int what, const expr *h, const expr *k) {
    const nn_rows *r = &a->p->from[what];
    const expr *head = op2(a, EXPR_MUL, h, i64(a, a->p->size));
    return load2(a, a->source[r->source], a->token, op2(a, EXPR_ADD, plus(a, head, r->first), k));
}

// x[k] cos[pair] - x[other] sin[pair], or the sum of both.
static const expr *mixed(const appending *a, int what, const expr *h, const expr *k, const expr *other,
                         const expr *pair, expr_op sign) {
    const expr *own = op2(a, EXPR_MUL, element(a, what, h, k), load2(a, a->cos, a->token, pair));
    return op2(a, sign, own, op2(a, EXPR_MUL, element(a, what, h, other), load2(a, a->sin, a->token, pair)));
}

// Element k, in the part of the head that begins at `first`, turned as R.rx.rotate does it.
static const expr *turned(const appending *a, int what, const expr *h, const expr *k, int64_t first) {
    int64_t half = a->p->turned / 2;
    if (what == VALUES || first >= a->p->turned) return element(a, what, h, k);
    if (!a->p->interleaved && first < half) return mixed(a, what, h, k, plus(a, k, half), k, EXPR_SUB);
    if (!a->p->interleaved) return mixed(a, what, h, k, plus(a, k, -half), plus(a, k, -half), EXPR_ADD);
    const expr *pair = op2(a, EXPR_FLOOR_DIV, k, i64(a, 2));
    const expr *even = op2(a, EXPR_EQ, op2(a, EXPR_FLOOR_MOD, k, i64(a, 2)), i64(a, 0));
    const expr *side[] = {even, mixed(a, what, h, k, plus(a, k, 1), pair, EXPR_SUB),
                          mixed(a, what, h, k, plus(a, k, -1), pair, EXPR_ADD)};
    return expr_call(a->s, intrinsic_get(INTRIN_IF_THEN_ELSE), (dtype){0}, side, 3);
}

// All heads of one token into `to`, whose last two dims are heads and their elements; `place` leads to them.
static const stmt *heads(const appending *a, int what, int64_t count, const buffer *to, const expr *const *place) {
    const expr *h = expr_new_var(a->s, "h", DTYPE_OF(I64)), *index[4];
    int64_t lanes = lanes_of(a->p);
    stmt_list list = {0};
    for (uint32_t i = 0; i + 2 < to->rank; i++) index[i] = place[i];
    index[to->rank - 2] = h;
    for (int64_t first = 0; first < a->p->size; first += lanes) {
        const expr *lane = expr_new_var(a->s, "lane", DTYPE_OF(I64)), *k = plus(a, lane, first);
        index[to->rank - 1] = k;
        const expr *value = expr_cast(a->s, to->type, turned(a, what, h, k, first));
        const stmt *store = stmt_store(a->mem, to, index, to->rank, value);
        store = loop(a, lanes > 1 ? FOR_VECTORIZED : FOR_SERIAL, lane, i64(a, lanes), store);
        VEC_PUSH(a->mem, &list, store);
    }
    return loop(a, FOR_SERIAL, h, i64(a, count), stmt_seq(a->mem, list.at, list.len));
}

static const stmt *into_cache(const appending *a) {
    const expr *page = a->k_pages->dim[1], *room = op2(a, EXPR_MUL, a->k_pages->dim[0], page);
    const expr *slot = expr_cast(a->s, DTYPE_OF(I64), expr_load(a->s, a->slots, a->slots->type, &a->token, 1));
    const expr *inside = op2(a, EXPR_AND, op2(a, EXPR_LE, i64(a, 0), slot), op2(a, EXPR_LT, slot, room));
    const expr *there = expr_new_var(a->s, "slot", DTYPE_OF(I64));
    const expr *place[] = {op2(a, EXPR_FLOOR_DIV, there, page), op2(a, EXPR_FLOOR_MOD, there, page)};
    const stmt *both[] = {heads(a, KEYS, a->p->kv_heads, a->k_pages, place),
                          heads(a, VALUES, a->p->kv_heads, a->v_pages, place)};
    return stmt_if(a->mem, inside, stmt_let(a->mem, there, slot, stmt_seq(a->mem, both, 2)), NULL);
}

static const stmt *loops(appending *a, const expr *tokens) {
    const expr *i = expr_new_var(a->s, "i", DTYPE_OF(I64));
    iter *iters = ARENA_NEW(a->mem, iter, 1);
    a->token = expr_new_var(a->s, "v_i", DTYPE_OF(I64));
    iters[0] = (iter){a->token, ITER_SPATIAL, {i64(a, 0), tokens}, i};
    const stmt *cache = into_cache(a), *both[] = {NULL, cache};
    if (a->query) both[0] = heads(a, QUERIES, a->p->heads, a->query, &a->token);
    const block inner = {
        .name = "append", .iters = 1, .iter = iters, .body = a->query ? stmt_seq(a->mem, both, 2) : cache};
    const block root = {.name = "root", .body = loop(a, FOR_PARALLEL, i, tokens, stmt_block(a->mem, &inner))};
    return stmt_block(a->mem, &root);
}

static const buffer *rows_of(const appending *a, const char *name, const expr *tokens, int64_t width) {
    return buffer_new(a->s, name, DTYPE_OF(F32), (const expr *[]){tokens, i64(a, width)}, 2, "global");
}

// In the order of the program's parameters. Returns their number.
static uint32_t make_buffers(appending *a, const expr *tokens, const buffer **all) {
    const nn_placing *p = a->p;
    uint32_t count = 0;
    const expr *pages = expr_new_var(a->s, "g", DTYPE_OF(I64));
    const expr *dim[] = {pages, i64(a, p->page), i64(a, p->kv_heads), i64(a, p->size)};
    const expr *query[] = {tokens, i64(a, p->heads), dim[3]};
    all[count++] = a->k_pages = buffer_new(a->s, "k_pages", p->type, dim, 4, "global");
    all[count++] = a->v_pages = buffer_new(a->s, "v_pages", p->type, dim, 4, "global");
    for (uint32_t i = 0; i < p->sources; i++)
        all[count++] = a->source[i] = rows_of(a, arena_format(a->mem, "rows%u", i), tokens, p->width[i]);
    if (p->turned) all[count++] = a->cos = rows_of(a, "cos", tokens, p->turned / 2);
    if (p->turned) all[count++] = a->sin = rows_of(a, "sin", tokens, p->turned / 2);
    all[count++] = a->slots = buffer_new(a->s, "slots", DTYPE_OF(I32), &tokens, 1, "global");
    if (p->gives_query) all[count++] = a->query = buffer_new(a->s, "query", DTYPE_OF(F32), query, 3, "global");
    return count;
}

static const loop_func *make(nn *n, const char *name, const nn_placing *p) {
    expr_session *s = n->m->exprs;
    const expr *tokens = expr_new_var(s, "t", DTYPE_OF(I64));
    appending a = {.s = s, .mem = n->mem, .p = p};
    const buffer *all[MOST_BUFFERS];
    uint32_t count = make_buffers(&a, tokens, all);
    loop_param *param = ARENA_NEW(n->mem, loop_param, count);
    for (uint32_t i = 0; i < count; i++)
        param[i] = (loop_param){.var = expr_new_var(s, arena_format(n->mem, "var_%s", all[i]->name), DTYPE_OF(HANDLE)),
                                .buf = all[i]};
    loop_func *f = ARENA_NEW(n->mem, loop_func, 1);
    *f = (loop_func){.name = name, .is_private = true, .s_tir = true, .params = count, .param = param};
    f->attrs = attr_with(n->mem, NULL, "tirx.noalias", attr_bool(n->mem, true));
    f->body = loops(&a, tokens);
    return f;
}

// One program for all layers that do the same.
const char *nn_append_program(nn *n, const nn_placing *p) {
    char type[32];
    text key = TEXT_IN(n->mem);
    text_format(&key, "%s %d %d", dtype_spell(p->type, type), p->interleaved, p->gives_query);
    const int64_t sizes[] = {p->page, p->heads, p->kv_heads, p->size, p->turned};
    for (size_t i = 0; i < COUNT(sizes); i++) text_format(&key, " %lld", (long long)sizes[i]);
    for (uint32_t i = 0; i < p->sources; i++) text_format(&key, " of %lld", (long long)p->width[i]);
    for (int i = p->gives_query ? QUERIES : KEYS; i <= VALUES; i++)
        text_format(&key, " at %u %lld", p->from[i].source, (long long)p->from[i].first);
    const char *known = text_map_find(&n->programs, text_get(&key));
    if (known) return known;
    const char *name = module_fresh_name(n->m, p->turned ? "turn_append" : "append");
    module_put_loop(n->m, make(n, name, p));
    text_map_put(&n->programs, text_get(&key), (void *)(uintptr_t)name);
    return name;
}
