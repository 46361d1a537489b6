// work.c - counts operations and bytes of a program.
#include "loop/work.h"
#include "loop/span.h"

enum { MAX_PLACES = 128 }; // of one buffer that are told apart; beyond, all of it counts

// The elements of a parameter that the program touches.
typedef struct touched {
    const buffer *buf;
    uint32_t places;
    const expr *const *place[MAX_PLACES]; // indices seen so far
    const expr *elements;                 // over all places
    bool all;
} touched;

typedef struct counter {
    expr_session *s;
    arena *mem;
    span_scope spans;
    map origin;      // MAP_KEY(var) -> const expr *: what lets and block variables stand for
    map extent;      // MAP_KEY(var) -> const expr *: how many values loop and block variables take
    expr_list loops; // variables of the open loops
    map buffers;     // MAP_KEY(handle of a parameter) -> touched *
    bool lost;
    const expr *sum[WORK_BYTES];
} counter;

static const expr *times(counter *c, const expr *a, const expr *b) {
    return expr_simplify(c->s, expr_binary(c->s, EXPR_MUL, a, b), c->spans.facts);
}

static const expr *plus(counter *c, const expr *a, const expr *b) {
    return expr_simplify(c->s, expr_binary(c->s, EXPR_ADD, a, b), c->spans.facts);
}

static const expr *larger(counter *c, const expr *a, const expr *b) {
    return expr_simplify(c->s, expr_binary(c->s, EXPR_MAX, a, b), c->spans.facts);
}

// The most an extent comes to, over the sizes alone; NULL if nothing is known.
static const expr *most(counter *c, const expr *extent) {
    span sp = span_of(&c->spans, extent);
    return sp.high ? expr_simplify(c->s, expr_cast(c->s, DTYPE_OF(I64), sp.high), c->spans.facts) : NULL;
}

// --- Bytes.

// How many values the variables of an index take together; NULL if unknown.
static const expr *values_of(counter *c, const expr *const *index, uint32_t rank) {
    const expr *all = expr_i64(c->s, 1);
    map seen = MAP_IN(c->mem);
    expr_list vars = {0};
    for (uint32_t i = 0; i < rank; i++) expr_free_vars(index[i], c->mem, &vars);
    for (uint32_t i = 0; i < vars.len && all; i++) {
        const expr *extent = map_find(&c->extent, MAP_KEY(vars.at[i])),
                   *origin = map_find(&c->origin, MAP_KEY(vars.at[i]));
        if (map_has(&seen, MAP_KEY(vars.at[i]))) continue;
        map_put(&seen, MAP_KEY(vars.at[i]), c);
        if (extent)
            all = times(c, all, extent);
        else if (map_has(&c->extent, MAP_KEY(vars.at[i])))
            all = NULL;
        else if (origin)
            expr_free_vars(origin, c->mem, &vars);
    }
    return all;
}

static bool place_known(const touched *t, const expr *const *index) {
    for (uint32_t i = 0; i < t->places; i++) {
        uint32_t d = 0;
        while (d < t->buf->rank && t->place[i][d] == index[d]) d++;
        if (d == t->buf->rank) return true;
    }
    return false;
}

static void touch(counter *c, const buffer *b, const expr *const *index, uint32_t rank) {
    touched *t = map_find(&c->buffers, MAP_KEY(b->data));
    if (!t || t->all) return;
    if (b != t->buf || rank != b->rank) { // another view of the memory
        t->all = true;
        return;
    }
    if (place_known(t, index)) return;
    const expr *more = t->places < MAX_PLACES ? values_of(c, index, rank) : NULL;
    t->all = !more;
    if (!more) return;
    t->place[t->places++] = index;
    t->elements = plus(c, t->elements, more);
}

static void touch_loads(counter *c, const expr *e) {
    expr_walk w = expr_walk_from(c->mem, e);
    for (const expr *x = expr_walk_next(&w); x; x = expr_walk_next(&w))
        if (x->op == EXPR_LOAD) touch(c, x->as.buffer, x->in, x->count);
}

static void touch_match(counter *c, const buffer_match *m) {
    touched *t = map_find(&c->buffers, MAP_KEY(m->source.buf->data));
    if (t) t->all = true;
}

static const expr *bytes_of(counter *c, const touched *t) {
    const expr *size = expr_i64(c->s, 1), *n = t->elements;
    for (uint32_t i = 0; i < t->buf->rank; i++) size = times(c, size, expr_cast(c->s, DTYPE_OF(I64), t->buf->dim[i]));
    n = t->all ? size : expr_binary(c->s, EXPR_MIN, n, size);
    uint32_t bits = dtype_bits(t->buf->type);
    if (bits >= 8) return times(c, n, expr_i64(c->s, bits / 8));
    n = plus(c, times(c, n, expr_i64(c->s, bits)), expr_i64(c->s, 7));
    return expr_simplify(c->s, expr_binary(c->s, EXPR_FLOOR_DIV, n, expr_i64(c->s, 8)), c->spans.facts);
}

// --- Operations.

static int64_t operations_of(const expr *x) {
    bool real = dtype_is_float(x->type);
    switch ((expr_op)x->op) {
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_FLOOR_DIV:
    case EXPR_FLOOR_MOD:
    case EXPR_TRUNC_DIV:
    case EXPR_TRUNC_MOD:
    case EXPR_MIN:
    case EXPR_MAX: return dtype_lanes(x->type);
    case EXPR_CALL:
        if (x->as.intrin->id == INTRIN_DP4A) return 8 * (int64_t)dtype_lanes(x->type);
        if (x->as.intrin->id == INTRIN_FMA) return 2 * (int64_t)dtype_lanes(x->type);
        return real && x->as.intrin->takes == TAKES_FLOATS ? dtype_lanes(x->type) : 0;
    case EXPR_INT:
    case EXPR_FLOAT:
    case EXPR_STRING:
    case EXPR_VAR:
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
    case EXPR_SELECT:
    case EXPR_CAST:
    case EXPR_CALL_FUNC:
    case EXPR_LOAD:
    case EXPR_RAMP:
    case EXPR_BROADCAST:
    case EXPR_SHUFFLE:
    case EXPR_LET:
    case EXPR_OPS: break;
    }
    return 0;
}

static work_kind kind_of(const expr *x) {
    if (x->op == EXPR_CALL && x->as.intrin->id == INTRIN_DP4A) return WORK_DOTS;
    return dtype_is_float(x->type) && dtype_bits(x->type) == 64 ? WORK_DOUBLES : WORK_FLOPS;
}

// What only chooses (conditions) and what only says where (indices) is no work.
static void count_value(counter *c, const expr *value, const expr *often) {
    int64_t count[WORK_BYTES] = {0};
    expr_walk w = expr_walk_from(c->mem, value);
    touch_loads(c, value);
    for (const expr *x = expr_walk_next(&w); x; x = expr_walk_next(&w)) {
        bool chooses = x->op == EXPR_SELECT || (x->op == EXPR_CALL && x->as.intrin->id == INTRIN_IF_THEN_ELSE);
        if (x->op == EXPR_LOAD)
            for (uint32_t i = 0; i < x->count; i++) expr_walk_skip(&w, x->in[i]);
        if (chooses) expr_walk_skip(&w, x->in[0]);
        count[kind_of(x)] += operations_of(x);
    }
    for (int k = 0; k < WORK_BYTES; k++)
        if (count[k]) c->sum[k] = plus(c, c->sum[k], times(c, often, expr_i64(c->s, count[k])));
}

// --- How often.

static void open_variable(counter *c, const expr *var, range r) {
    const expr *extent = most(c, r.extent);
    map_put(&c->extent, MAP_KEY(var), (void *)(uintptr_t)extent);
    span_put(&c->spans, var, span_of_range(&c->spans, r));
    c->lost = c->lost || !extent;
}

static void mark_origins(counter *c, const expr *e, map *used) {
    expr_list vars = {0};
    expr_free_vars(e, c->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        const expr *origin = map_find(&c->origin, MAP_KEY(vars.at[i]));
        if (map_has(used, MAP_KEY(vars.at[i]))) continue;
        map_put(used, MAP_KEY(vars.at[i]), c);
        if (origin) expr_free_vars(origin, c->mem, &vars);
    }
}

// A block with variables runs once for all their values, and that for all values of the loops that they don't look at.
static const expr *instances(counter *c, const block *b) {
    map used = MAP_IN(c->mem);
    const expr *often = expr_i64(c->s, 1);
    for (uint32_t i = 0; i < b->iters; i++) mark_origins(c, b->iter[i].value, &used);
    for (uint32_t i = 0; i < c->loops.len; i++) {
        const expr *extent = map_find(&c->extent, MAP_KEY(c->loops.at[i]));
        if (!map_has(&used, MAP_KEY(c->loops.at[i])) && extent) often = times(c, often, extent);
    }
    for (uint32_t i = 0; i < b->iters; i++) {
        open_variable(c, b->iter[i].var, b->iter[i].dom);
        map_put(&c->origin, MAP_KEY(b->iter[i].var), (void *)(uintptr_t)b->iter[i].value);
        const expr *extent = map_find(&c->extent, MAP_KEY(b->iter[i].var));
        if (extent) often = times(c, often, extent);
    }
    return often;
}

// --- Statements.

static void count(counter *c, const stmt *st, const expr *often);

static void count_children(counter *c, const stmt *st, const expr *often) {
    for (uint32_t i = 0; stmt_child(st, i) && !c->lost; i++) count(c, stmt_child(st, i), often);
}

static void count_loop(counter *c, const stmt *st, const expr *often) {
    const expr *var = st->as.loop.var;
    open_variable(c, var, (range){st->as.loop.min, st->as.loop.extent});
    const expr *extent = map_find(&c->extent, MAP_KEY(var));
    if (!extent) return;
    VEC_PUSH(c->mem, &c->loops, var);
    count(c, st->as.loop.body, times(c, often, extent));
    c->loops.len--;
}

static void count_let(counter *c, const stmt *st, const expr *often) {
    map_put(&c->origin, MAP_KEY(st->as.let.var), (void *)(uintptr_t)st->as.let.value);
    span_put(&c->spans, st->as.let.var, span_of(&c->spans, st->as.let.value));
    if (dtype_is_float(st->as.let.var->type)) count_value(c, st->as.let.value, often);
    count(c, st->as.let.body, often);
}

// Tails are cut off by branches: either side is what there is to do.
static void count_branch(counter *c, const stmt *st, const expr *often) {
    const expr *before[WORK_BYTES], *then[WORK_BYTES];
    for (int k = 0; k < WORK_BYTES; k++) before[k] = c->sum[k], c->sum[k] = expr_i64(c->s, 0);
    count(c, st->as.branch.then, often);
    for (int k = 0; k < WORK_BYTES; k++) then[k] = c->sum[k], c->sum[k] = expr_i64(c->s, 0);
    if (st->as.branch.otherwise) count(c, st->as.branch.otherwise, often);
    for (int k = 0; k < WORK_BYTES; k++) c->sum[k] = plus(c, before[k], larger(c, then[k], c->sum[k]));
}

static void count(counter *c, const stmt *st, const expr *often) {
    const block *b = st->kind == STMT_BLOCK ? st->as.block : NULL;
    switch (st->kind) {
    case STMT_FOR: count_loop(c, st, often); return;
    case STMT_LET: count_let(c, st, often); return;
    case STMT_IF: count_branch(c, st, often); return;
    case STMT_STORE:
        touch(c, st->as.store.buf, st->as.store.index, st->as.store.count);
        for (uint32_t i = 0; i < st->as.store.count; i++) touch_loads(c, st->as.store.index[i]);
        count_value(c, st->as.store.value, often);
        return;
    case STMT_BLOCK:
        for (uint32_t i = 0; i < b->matches; i++) touch_match(c, &b->match[i]);
        count(c, b->body, b->iters ? instances(c, b) : often);
        return;
    case STMT_WHILE: c->lost = true; return;
    case STMT_SEQ:
    case STMT_EVALUATE:
    case STMT_ALLOCATE:
    case STMT_DECL_BUFFER:
    case STMT_ATTR:
    case STMT_ASSERT: count_children(c, st, often); return;
    }
}

// --- A program.

static void open_buffers(counter *c, const loop_func *f) {
    const buffer *const *list;
    uint32_t buffers = loop_func_buffers(f, c->mem, &list);
    for (uint32_t i = 0; i < buffers; i++) {
        touched *t = ARENA_NEW(c->mem, touched, 1);
        *t = (touched){.buf = list[i], .elements = expr_i64(c->s, 0)};
        map_put(&c->buffers, MAP_KEY(list[i]->data), t);
    }
}

static const expr *all_bytes(counter *c) {
    const expr *sum = expr_i64(c->s, 0);
    for (uint32_t i = 0; i < c->buffers.len; i++) sum = plus(c, sum, bytes_of(c, c->buffers.entry[i].value));
    return sum;
}

loop_work loop_work_of(expr_session *s, arena *mem, const loop_func *f) {
    loop_work w = {{NULL}};
    expr_list dims = {0};
    facts *known = facts_new(s);
    loop_func_dim_vars(f, mem, &dims);
    for (uint32_t i = 0; i < dims.len; i++) facts_range(known, dims.at[i], expr_int(s, dims.at[i]->type, 0), NULL);
    counter c = {.s = s, .mem = mem, .spans = span_scope_new(s, mem, known)};
    c.origin = MAP_IN(mem), c.extent = MAP_IN(mem), c.buffers = MAP_IN(mem);
    for (int k = 0; k < WORK_BYTES; k++) c.sum[k] = expr_i64(s, 0);
    open_buffers(&c, f);
    count(&c, f->body, expr_i64(s, 1));
    if (c.lost) return w;
    for (int k = 0; k < WORK_BYTES; k++) w.amount[k] = c.sum[k];
    w.amount[WORK_BYTES] = all_bytes(&c);
    return w;
}

// --- The attribute.

// In a text symbols come after attributes, so the list has variables of its own.
const attr *loop_work_attr(expr_session *s, arena *mem, const loop_func *f, const loop_work *w) {
    const expr *amount[WORK_KINDS];
    expr_list scalars = {0}, vars = {0};
    map own = MAP_IN(mem);
    loop_func_scalars(f, mem, &scalars);
    for (uint32_t i = 0; i < scalars.len; i++) {
        dtype t = scalars.at[i]->type;
        const expr *var = expr_new_var(s, scalars.at[i]->as.var->name, DTYPE_OF(I64));
        VEC_PUSH(mem, &vars, var);
        if (dtype_is_int(t)) map_put(&own, MAP_KEY(scalars.at[i]), (void *)(uintptr_t)expr_cast(s, t, var));
    }
    for (int k = 0; k < WORK_KINDS; k++)
        amount[k] = w->amount[k] ? expr_substitute(s, w->amount[k], &own) : expr_i64(s, -1);
    return attr_with(mem, f->attrs, WORK_ATTR, attr_index_map(mem, vars.at, vars.len, amount, WORK_KINDS));
}

loop_work loop_work_find(expr_session *s, arena *mem, const loop_func *f) {
    const attr *a = attr_find(f->attrs, WORK_ATTR);
    expr_list scalars = {0};
    map own = MAP_IN(mem);
    loop_work w = {{NULL}};
    loop_func_scalars(f, mem, &scalars);
    if (!a || a->kind != ATTR_INDEX_MAP || a->list[0]->count != scalars.len || a->list[1]->count != WORK_KINDS)
        return loop_work_of(s, mem, f);
    for (uint32_t i = 0; i < scalars.len; i++)
        if (dtype_is_int(scalars.at[i]->type) && dtype_equal(a->list[0]->list[i]->as.e->type, DTYPE_OF(I64)))
            map_put(&own, MAP_KEY(a->list[0]->list[i]->as.e),
                    (void *)(uintptr_t)expr_cast(s, DTYPE_OF(I64), scalars.at[i]));
    for (int k = 0; k < WORK_KINDS; k++) {
        const expr *amount = expr_substitute(s, a->list[1]->list[k]->as.e, &own);
        if (!expr_is_int(amount, -1)) w.amount[k] = expr_simplify(s, amount, NULL);
    }
    return w;
}
