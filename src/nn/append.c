// append.c - the loop program between the projections and attention: queries and keys turned by their positions, keys
// and values written into the cache.
//
//   for i in T.parallel(t):
//       the lines of slots[i] in the cache are asked for
//       for h in range(heads): query[i, h, :] = turned(rows of queries)
//       slot = slots[i]                                   page * page size + place in it
//       if 0 <= slot < g * page size:
//           for h in range(kv_heads): k_pages[slot // page size, slot % page size, h, :] = turned(rows of keys)
//           for h in range(kv_heads): v_pages[slot // page size, slot % page size, h, :] = rows of values
//
// One launch, which reads the results of the projections where they lie, joined or apart. A slot outside of the cache
// is passed over: nothing is ever written outside of it. Tokens have different slots.
#include "loop/writer.h"
#include "nn/nn_inside.h"

typedef VEC(const stmt *) stmt_list;

typedef struct appending {
    writer w;
    const nn_placing *p;
    const buffer *k_pages, *v_pages, *source[NN_PROJECTIONS], *cos, *sin, *slots, *query;
    const buffer *asked; // what is read ahead goes nowhere
    const expr *token;   // of the block
} appending;

// As wide as the parts of a head allow that are treated alike.
static int64_t lanes_of(const nn_placing *p) {
    int64_t turned = write_width(p->interleaved ? p->turned : p->turned / 2), all = write_width(p->size);
    return p->turned && turned < all ? turned : all;
}

// Element k of head h of queries, keys or values.
static const expr *element(const appending *a, uint32_t what, const expr *h, const expr *k) {
    const writer *w = &a->w;
    const nn_rows *r = &a->p->from[what];
    const expr *head = write_op(w, EXPR_MUL, h, write_int(w, a->p->size));
    return write_load2(w, a->source[r->source], a->token, write_op(w, EXPR_ADD, write_plus(w, head, r->first), k));
}

// x[k] cos[pair] - x[other] sin[pair], or the sum of both.
static const expr *mixed(const appending *a, uint32_t what, const expr *h, const expr *k, const expr *other,
                         const expr *pair, expr_op sign) {
    const writer *w = &a->w;
    const expr *own = write_op(w, EXPR_MUL, element(a, what, h, k), write_load2(w, a->cos, a->token, pair));
    return write_op(w, sign, own,
                    write_op(w, EXPR_MUL, element(a, what, h, other), write_load2(w, a->sin, a->token, pair)));
}

// Element k, in the part of the head that begins at `first`, turned as R.rx.rotate does it.
static const expr *turned(const appending *a, uint32_t what, const expr *h, const expr *k, int64_t first) {
    const writer *w = &a->w;
    int64_t half = a->p->turned / 2;
    if (what == NN_VALUES || first >= a->p->turned) return element(a, what, h, k);
    if (!a->p->interleaved && first < half) return mixed(a, what, h, k, write_plus(w, k, half), k, EXPR_SUB);
    if (!a->p->interleaved) return mixed(a, what, h, k, write_plus(w, k, -half), write_plus(w, k, -half), EXPR_ADD);
    const expr *pair = write_op(w, EXPR_FLOOR_DIV, k, write_int(w, 2));
    const expr *even = write_op(w, EXPR_EQ, write_op(w, EXPR_FLOOR_MOD, k, write_int(w, 2)), write_int(w, 0));
    const expr *side[] = {even, mixed(a, what, h, k, write_plus(w, k, 1), pair, EXPR_SUB),
                          mixed(a, what, h, k, write_plus(w, k, -1), pair, EXPR_ADD)};
    return expr_call(w->s, intrinsic_get(INTRIN_IF_THEN_ELSE), (dtype){0}, side, 3);
}

// All heads of one token into `to`, whose last two dims are heads and their elements; `place` leads to them.
static const stmt *heads(const appending *a, uint32_t what, int64_t count, const buffer *to, const expr *const *place) {
    const writer *w = &a->w;
    const expr *h = write_index(w, "h"), *index[4];
    int64_t width = lanes_of(a->p);
    stmt_list list = {0};
    for (uint32_t i = 0; i + 2 < to->rank; i++) index[i] = place[i];
    index[to->rank - 2] = h;
    for (int64_t first = 0; first < a->p->size; first += width) {
        const expr *lane = write_index(w, "lane"), *k = write_plus(w, lane, first);
        index[to->rank - 1] = k;
        const expr *value = expr_cast(w->s, to->type, turned(a, what, h, k, first));
        const stmt *store = write_store_at(w, to, index, value);
        store = write_lanes(w, lane, width, store);
        VEC_PUSH(w->mem, &list, store);
    }
    return write_loop(w, h, write_int(w, count), write_seq(w, list.at, list.len));
}

// Asks for the lines of a token's place. They were last looked at a step ago, and to find them the processor walks page
// tables that have left the caches too, which stores wait for: 0.5 of 2.0 us a layer of SmolLM2.
static const stmt *ask_for(const appending *a, const buffer *pages, const expr *const *place) {
    enum { LINE_BITS = 64 * 8 };
    const writer *w = &a->w;
    const expr *h = write_index(w, "h"), *line = write_index(w, "line");
    int64_t step = LINE_BITS / dtype_bits(pages->type);
    const expr *index[] = {place[0], place[1], h, write_op(w, EXPR_MUL, line, write_int(w, step))};
    const expr *word = expr_cast(w->s, w->real, write_load_at(w, pages, index));
    const stmt *lines =
        write_loop(w, line, write_int(w, (a->p->size + step - 1) / step), write_store(w, a->asked, NULL, word));
    return write_mark(w, write_loop(w, h, write_int(w, a->p->kv_heads), lines), "asked");
}

// Where a token's keys and values go, if that is in the cache: asked for, or written.
static const stmt *in_cache(const appending *a, bool written) {
    const writer *w = &a->w;
    const expr *page = a->k_pages->dim[1], *room = write_op(w, EXPR_MUL, a->k_pages->dim[0], page);
    const expr *slot = write_as_int(w, write_load(w, a->slots, a->token));
    const expr *inside =
        write_op(w, EXPR_AND, write_op(w, EXPR_LE, write_int(w, 0), slot), write_op(w, EXPR_LT, slot, room));
    const expr *there = write_index(w, "slot");
    const expr *place[] = {write_op(w, EXPR_FLOOR_DIV, there, page), write_op(w, EXPR_FLOOR_MOD, there, page)};
    const stmt *both[] = {
        written ? heads(a, NN_KEYS, a->p->kv_heads, a->k_pages, place) : ask_for(a, a->k_pages, place),
        written ? heads(a, NN_VALUES, a->p->kv_heads, a->v_pages, place) : ask_for(a, a->v_pages, place)};
    return stmt_if(w->mem, inside, stmt_let(w->mem, there, slot, write_seq(w, both, 2)), NULL);
}

static const stmt *loops(appending *a, const expr *tokens) {
    const writer *w = &a->w;
    const expr *i = write_index(w, "i");
    iter *iters = ARENA_NEW(w->mem, iter, 1);
    a->token = write_index(w, "v_i");
    iters[0] = (iter){a->token, ITER_SPATIAL, {write_int(w, 0), tokens}, i};
    a->asked = buffer_new(w->s, "asked", w->real, NULL, 0, "local");
    const stmt *cache = in_cache(a, true), *all[3] = {NULL, NULL, cache};
    if (a->query) all[0] = in_cache(a, false), all[1] = heads(a, NN_QUERIES, a->p->heads, a->query, &a->token);
    const block inner = {.name = "append",
                         .iters = 1,
                         .iter = iters,
                         .alloc = &a->asked,
                         .allocs = a->query ? 1 : 0,
                         .body = a->query ? write_seq(w, all, 3) : cache};
    const block root = {.name = "root",
                        .body = stmt_for(w->mem, FOR_PARALLEL, i, write_int(w, 0), tokens, stmt_block(w->mem, &inner))};
    return stmt_block(w->mem, &root);
}

static const buffer *rows_of(const appending *a, const char *name, const expr *tokens, int64_t width) {
    const writer *w = &a->w;
    return buffer_new(w->s, name, DTYPE_OF(F32), (const expr *[]){tokens, write_int(w, width)}, 2, "global");
}

// In the order of the program's parameters. Returns their number.
static uint32_t make_buffers(appending *a, const expr *tokens, const buffer **all) {
    const writer *w = &a->w;
    const nn_placing *p = a->p;
    uint32_t count = 0;
    const expr *pages = write_index(w, "g");
    const expr *dim[] = {pages, write_int(w, p->page), write_int(w, p->kv_heads), write_int(w, p->size)};
    const expr *query[] = {tokens, write_int(w, p->heads), dim[3]};
    all[count++] = a->k_pages = buffer_new(w->s, "k_pages", p->type, dim, 4, "global");
    all[count++] = a->v_pages = buffer_new(w->s, "v_pages", p->type, dim, 4, "global");
    for (uint32_t i = 0; i < p->sources; i++)
        all[count++] = a->source[i] = rows_of(a, arena_format(w->mem, "rows%u", i), tokens, p->width[i]);
    if (p->turned) all[count++] = a->cos = rows_of(a, "cos", tokens, p->turned / 2);
    if (p->turned) all[count++] = a->sin = rows_of(a, "sin", tokens, p->turned / 2);
    all[count++] = a->slots = buffer_new(w->s, "slots", DTYPE_OF(I32), &tokens, 1, "global");
    if (p->gives_query) all[count++] = a->query = buffer_new(w->s, "query", DTYPE_OF(F32), query, 3, "global");
    return count;
}

static const loop_func *make(nn *n, const char *name, const nn_placing *p) {
    expr_session *s = n->m->exprs;
    const expr *tokens = expr_new_var(s, "t", DTYPE_OF(I64));
    appending a = {.w = {.s = s, .mem = n->mem, .real = DTYPE_OF(F32)}, .p = p};
    const buffer *all[NN_APPEND_MOST];
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
    for (int i = p->gives_query ? NN_QUERIES : NN_KEYS; i <= NN_VALUES; i++)
        text_format(&key, " at %u %lld", p->from[i].source, (long long)p->from[i].first);
    const char *known = text_map_find(&n->programs, text_get(&key));
    if (known) return known;
    const char *name = module_fresh_name(n->m, p->turned ? "turn_append" : "append");
    module_put_loop(n->m, make(n, name, p));
    text_map_put(&n->programs, text_get(&key), (void *)(uintptr_t)name);
    return name;
}
