// move.c - a block leaves its loops and gets new ones, over a box, inside another loop.
#include "schedule/move.h"

// --- Opening.

static uint32_t child_index(const stmt *seq, const stmt *child) {
    uint32_t i = 0;
    while (seq->as.seq.list[i] != child) i++;
    return i;
}

// Both paths share their beginning; where they part there must be a sequence, whose children run in order.
static bool find_split(move *m) {
    uint32_t n = 0;
    while (n < m->from.len && n < m->to.len && m->from.at[n] == m->to.at[n]) n++;
    const char *name = path_end(&m->from)->as.block->name;
    if (n == m->from.len || n == m->to.len)
        return refuse(m->sch, m->primitive, "block %s is already inside loop %s", name,
                      path_end(&m->to)->as.loop.var->as.var->name);
    CHECK(n && m->from.at[n - 1]->kind == STMT_SEQ);
    m->split = n;
    m->here = child_index(m->from.at[n - 1], m->from.at[n]);
    m->there = child_index(m->from.at[n - 1], m->to.at[n]);
    return true;
}

// The block has its loops for itself, and around the loop it goes to, below the parting, are loops alone.
static bool places_fit(const move *m) {
    const char *name = path_end(&m->from)->as.block->name;
    for (uint32_t i = m->split; i + 1 < m->from.len; i++)
        if (m->from.at[i]->kind != STMT_FOR || m->from.at[i]->as.loop.kind == FOR_THREAD)
            return refuse(m->sch, m->primitive, "block %s does not have plain loops of its own", name);
    for (uint32_t i = m->split; i < m->to.len; i++) {
        const stmt *st = m->to.at[i];
        if (st->kind != STMT_FOR && st->kind != STMT_SEQ)
            return refuse(m->sch, m->primitive, "more than loops stands around the place block %s goes to", name);
        if (st->kind == STMT_FOR && st->as.loop.kind == FOR_VECTORIZED)
            return refuse(m->sch, m->primitive, "loop %s is vectorized", st->as.loop.var->as.var->name);
    }
    return true;
}

static bool block_fits(const move *m) {
    const block *b = path_end(&m->from)->as.block;
    map loaded = MAP_IN(m->sch->mem);
    expr_loaded_buffers(m->shape.store->as.store.value, &loaded);
    if (b->init) return true;
    if (m->shape.reduction) return refuse(m->sch, m->primitive, "block %s adds to what another one started", b->name);
    return !map_has(&loaded, MAP_KEY(m->shape.out)) ||
           refuse(m->sch, m->primitive, "block %s reads %s, which it writes", b->name, m->shape.out->name);
}

// A loop around both places that moves the block runs it for a part of its range only, each time.
static bool whole_each_time(const move *m) {
    const block *b = path_end(&m->from)->as.block;
    const expr **value = bound_values(m->sch, &m->from);
    for (uint32_t k = 0; k < m->split; k++)
        for (uint32_t i = 0; m->from.at[k]->kind == STMT_FOR && i < b->iters; i++)
            if (expr_uses_var(value[i], m->from.at[k]->as.loop.var))
                return refuse(m->sch, m->primitive, "loop %s around both moves block %s",
                              m->from.at[k]->as.loop.var->as.var->name, b->name);
    return true;
}

bool move_open(move *m, block_ref which, loop_ref at) {
    schedule *sch = m->sch;
    const char *unknown;
    if (!must_block(sch, which, m->primitive, &m->from) || !must_loop(sch, at, m->primitive, &m->to)) return false;
    const block *b = path_end(&m->from)->as.block;
    if (!block_understand(sch, b, &m->shape) || m->shape.store->as.store.predicate)
        return refuse(sch, m->primitive,
                      "block %s does not write one element of one buffer at its own spatial variables", b->name);
    if (!block_fits(m) || !find_split(m) || !places_fit(m) || !whole_each_time(m)) return false;
    if (!runs_over_domain(sch, &m->from, m->split - 1, &unknown))
        return refuse(sch, m->primitive, "the loops of block %s do not run over the whole range of %s", b->name,
                      unknown);
    if (summary_of(sch, m->from.at[m->split - 1])->opaque)
        return refuse(sch, m->primitive, "%s is on the way", summary_of(sch, m->from.at[m->split - 1])->opaque);
    m->facts = path_facts(sch, &m->to);
    return true;
}

bool move_crosses(const move *m, const buffer *buf, bool any, uint32_t first, uint32_t last) {
    const stmt *seq = m->from.at[m->split - 1];
    for (uint32_t i = first; i <= last; i++)
        if (writes_buffer(m->sch, seq->as.seq.list[i], buf) || (any && touches(m->sch, seq->as.seq.list[i], buf)))
            return true;
    return false;
}

// --- The new nest.

// The dimension of the link that a variable of the moved block runs over; rank if none.
static uint32_t dim_of(const move *m, const expr *var) {
    uint32_t d = 0;
    while (d < m->link->rank && m->access[d] != var) d++;
    return d;
}

// A guard that keeps the value within the variable's domain, where the box may reach out of it.
static const expr *keep_inside(const move *m, const iter *it, const expr *where) {
    expr_session *s = m->sch->s;
    const expr *end = expr_simplify(s, expr_binary(s, EXPR_ADD, it->dom.min, it->dom.extent), m->sch->facts);
    const expr *part[] = {expr_binary(s, EXPR_LE, it->dom.min, it->value), expr_binary(s, EXPR_LT, it->value, end)};
    for (uint32_t i = 0; i < 2; i++) {
        const expr *in = simpler_guard(m->sch, part[i], m->facts);
        if (in && it->value->op == EXPR_VAR && prove_true(s, in, m->facts)) in = NULL; // the loop's own range says so
        if (in) where = where ? expr_binary(s, EXPR_AND, where, in) : in;
    }
    return where;
}

static const stmt *nest(move *m) {
    schedule *sch = m->sch;
    block b = *path_end(&m->from)->as.block;
    iter *iters = ARENA_NEW(sch->mem, iter, b.iters + 1);
    const expr **var = ARENA_NEW(sch->mem, const expr *, b.iters + 1);
    const expr **extent = ARENA_NEW(sch->mem, const expr *, b.iters + 1);
    b.where = NULL;
    for (uint32_t i = 0; i < b.iters; i++) {
        dtype type = b.iter[i].var->type;
        uint32_t d = dim_of(m, b.iter[i].var);
        const range r = d < m->link->rank ? m->box.dim[d] : b.iter[i].dom;
        const expr *low = expr_simplify(sch->s, expr_cast(sch->s, type, r.min), m->facts);
        extent[i] = expr_simplify(sch->s, expr_cast(sch->s, type, r.extent), m->facts);
        iters[i] = b.iter[i];
        iters[i].value = low;
        if (!expr_is_int(extent[i], 1)) {
            var[i] = new_loop_var(sch, arena_format(sch->mem, "ax%u", i), type);
            facts_range(m->facts, var[i], expr_int(sch->s, type, 0), extent[i]);
            iters[i].value = expr_simplify(sch->s, expr_binary(sch->s, EXPR_ADD, low, var[i]), m->facts);
        }
        if (d < m->link->rank) b.where = keep_inside(m, &iters[i], b.where);
    }
    b.iter = iters;
    const stmt *body = stmt_block(sch->mem, &b);
    for (uint32_t i = b.iters; i-- > 0;)
        if (var[i]) body = stmt_for(sch->mem, FOR_SERIAL, var[i], expr_int(sch->s, var[i]->type, 0), extent[i], body);
    return body;
}

// The old place goes first: where it was the only block of a loop, the loop goes with it.
void move_finish(move *m, uint32_t slot) {
    schedule *sch = m->sch;
    const stmt *loop = path_end(&m->to), *body = loop->as.loop.body;
    bool seq = body->kind == STMT_SEQ;
    uint32_t count = seq ? body->as.seq.count : 1;
    const stmt *const *child = seq ? body->as.seq.list : &body;
    const stmt **now = ARENA_NEW(sch->mem, const stmt *, count + 1);
    const expr *var = loop->as.loop.var;
    for (uint32_t i = 0; i <= count; i++) now[i] = i < slot ? child[i] : i == slot ? nest(m) : child[i - 1];
    tree_replace(sch, &m->from, NULL);
    m->to.len = 0;
    CHECK(path_to_loop(sch, var, &m->to));
    tree_replace(sch, &m->to, loop_with_body(sch, loop, stmt_seq(sch->mem, now, count + 1)));
}
