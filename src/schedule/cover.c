// cover.c - what a block's loops run over, and whether what is read was written before.
#include "schedule/inside.h"

stmt_list loops_between(const schedule *sch, const stmt_list *path, uint32_t from) {
    stmt_list loops = {0};
    for (uint32_t i = from + 1; i < path->len; i++)
        if (path->at[i]->kind == STMT_FOR) VEC_PUSH(sch->mem, &loops, path->at[i]);
    return loops;
}

static const expr *bound_guard(schedule *sch, const stmt_list *path) {
    map env = bindings_around(sch, path);
    const expr *where = path_end(path)->as.block->where;
    return where ? expr_substitute(sch->s, where, &env) : NULL;
}

// A guard of an outer block may leave iterations out.
static bool guarded_around(const stmt_list *path, uint32_t from) {
    for (uint32_t i = from + 1; i + 1 < path->len; i++)
        if (path->at[i]->kind == STMT_BLOCK && path->at[i]->as.block->where) return true;
    return in_the_way(path, from + 1, path->len) != NULL;
}

bool runs_over_domain(schedule *sch, const stmt_list *path, uint32_t from, const char **name) {
    const block *b = path_end(path)->as.block;
    const expr **value = bound_values(sch, path);
    stmt_list loops = loops_between(sch, path, from);
    bool *used = ARENA_NEW(sch->mem, bool, loops.len + 1);
    stretch *of = ARENA_NEW(sch->mem, stretch, b->iters + 1);
    facts *f = path_facts(sch, path);
    bool good = !guarded_around(path, from);
    const char *unknown = NULL;
    for (uint32_t i = 0; i < b->iters && good; i++) {
        unknown = b->iter[i].var->as.var->name;
        good = stretch_of(sch, value[i], &loops, used, &of[i]);
    }
    good = good && stretch_guard(sch, bound_guard(sch, path), value, of, b->iters, &loops, f);
    for (uint32_t i = 0; i < b->iters && good; i++) {
        const expr *min = b->iter[i].dom.min, *end = expr_binary(sch->s, EXPR_ADD, min, b->iter[i].dom.extent);
        unknown = b->iter[i].var->as.var->name;
        good = prove_equal(sch->s, of[i].low, min, f) && !of[i].start &&
               prove_equal(sch->s, of[i].end ? of[i].end : expr_binary(sch->s, EXPR_ADD, min, of[i].extent), end, f);
        if (good && of[i].end)
            good = prove_less_equal(sch->s, end, expr_binary(sch->s, EXPR_ADD, of[i].low, of[i].extent), f);
    }
    for (uint32_t i = 0; i < loops.len && good; i++) good = used[i] || expr_is_int(loops.at[i]->as.loop.extent, 1);
    if (name) *name = unknown ? unknown : b->name;
    return good;
}

// --- Written first.

typedef struct cover_question {
    schedule *sch;
    const buffer *buf;
    uint32_t loop; // length of the path down to the loop
} cover_question;

static uint32_t common(const stmt_list *a, const stmt_list *b) {
    uint32_t n = 0;
    while (n < a->len && n < b->len && a->at[n] == b->at[n]) n++;
    return n;
}

static bool comes_before(const stmt_list *a, const stmt_list *b, uint32_t n) {
    if (n >= a->len || n >= b->len || a->at[n - 1]->kind != STMT_SEQ) return false;
    const stmt *seq = a->at[n - 1];
    for (uint32_t i = 0; i < seq->as.seq.count; i++) {
        if (seq->as.seq.list[i] == a->at[n]) return true;
        if (seq->as.seq.list[i] == b->at[n]) return false;
    }
    return false;
}

// Steps of the reduction outside of the loops below path->at[from] would find what earlier runs left.
static bool reduces_outside(const cover_question *q, const stmt_list *path, uint32_t from) {
    const block *b = path_end(path)->as.block;
    const expr **value = bound_values(q->sch, path);
    for (uint32_t i = 0; i < b->iters; i++)
        for (uint32_t k = 0; k <= from && b->iter[i].kind == ITER_REDUCE; k++)
            if (path->at[k]->kind == STMT_FOR && expr_uses_var(value[i], path->at[k]->as.loop.var)) return true;
    return false;
}

// A block that writes every element of a box on its own account: no value of before shows.
static bool writes_anew(const cover_question *q, const stmt_list *path, uint32_t from, block_shape *shape) {
    const block *b = path_end(path)->as.block;
    if (!block_understand(q->sch, b, shape) || shape->out != q->buf || shape->store->as.store.predicate) return false;
    if (shape->reduction && !b->init) return false;
    map loaded = MAP_IN(q->sch->mem);
    expr_loaded_buffers(shape->store->as.store.value, &loaded);
    if (!b->init && map_has(&loaded, MAP_KEY(q->buf))) return false;
    return (b->init || b->body == shape->store) && !reduces_outside(q, path, from) && !guarded_around(path, from);
}

// Whether index is in the stretch, as far as it is within the buffer.
static bool within(const cover_question *q, const stretch *of, const expr *index, const expr *dim, facts *f) {
    expr_session *s = q->sch->s;
    const expr *zero = expr_int(s, index->type, 0), *end = expr_binary(s, EXPR_ADD, of->low, of->extent);
    if (!dtype_equal(index->type, of->low->type)) return false;
    dim = expr_cast(s, index->type, dim);
    facts_assume(f, expr_binary(s, EXPR_LE, zero, index));
    facts_assume(f, expr_binary(s, EXPR_LT, index, dim));
    if (!prove_less_equal(s, of->low, index, f) || !prove_less(s, index, end, f)) return false;
    if (of->start && !expr_is_int(of->start, 0) && !prove_less_equal(s, of->start, index, f)) return false;
    return !of->end || prove_less_equal(s, dim, of->end, f) || prove_less(s, index, of->end, f);
}

static bool is_part(const expr *part, const expr *of) {
    return of && (part == of || (of->op == EXPR_AND && (is_part(part, of->in[0]) || is_part(part, of->in[1]))));
}

// The parts of a guard that the other one does not have; NULL: none.
static const expr *not_among(const schedule *sch, const expr *where, const expr *other) {
    if (!where || is_part(where, other)) return NULL;
    if (where->op != EXPR_AND) return where;
    const expr *a = not_among(sch, where->in[0], other), *b = not_among(sch, where->in[1], other);
    return a && b ? expr_binary(sch->s, EXPR_AND, a, b) : a ? a : b;
}

// Whether the writer at `w`, run before the reader at `r`, wrote what the access reads.
static bool covers(const cover_question *q, const stmt_list *w, const stmt_list *r, const access *read) {
    schedule *sch = q->sch;
    block_shape shape;
    uint32_t n = common(w, r);
    if (n < q->loop || !comes_before(w, r, n) || !writes_anew(q, w, n - 1, &shape)) return false;
    stmt_list loops = loops_between(sch, w, n - 1);
    const block *b = path_end(w)->as.block;
    const expr **bound = bound_values(sch, w);
    map env = MAP_IN(sch->mem);
    for (uint32_t i = 0; i < b->iters; i++) map_put(&env, MAP_KEY(b->iter[i].var), (void *)(uintptr_t)bound[i]);
    bool *used = ARENA_NEW(sch->mem, bool, loops.len + 1);
    stretch *of = ARENA_NEW(sch->mem, stretch, shape.rank + 1);
    const expr **value = ARENA_NEW(sch->mem, const expr *, shape.rank + 1);
    for (uint32_t i = 0; i < shape.rank; i++) {
        value[i] = expr_substitute(sch->s, shape.written[i], &env);
        if (!stretch_of(sch, value[i], &loops, used, &of[i])) return false;
    }
    facts *f = path_facts(sch, r), *both = facts_push(f); // what holds for the reader, and for the writer's own loops
    for (uint32_t i = 0; i < loops.len; i++)
        facts_range(both, loops.at[i]->as.loop.var, loops.at[i]->as.loop.min, loops.at[i]->as.loop.extent);
    const expr *where = not_among(sch, bound_guard(sch, w), bound_guard(sch, r));
    if (!stretch_guard(sch, where, value, of, shape.rank, &loops, both)) return false;
    for (uint32_t i = 0; i < shape.rank; i++)
        if (!within(q, &of[i], read->index[i], q->buf->dim[i], f)) return false;
    return true;
}

// A reduction that initialises reads back only what it wrote itself in the same iteration.
static bool own_steps(const cover_question *q, const accesses *all, const access *read, const stmt_list *r) {
    block_shape shape;
    const block *b = path_end(r)->as.block;
    if (!b->init || !block_understand(q->sch, b, &shape) || shape.out != q->buf) return false;
    for (uint32_t i = 0; i < all->list.len; i++) {
        const access *a = &all->list.at[i];
        if (a->leaf != read->leaf || a->buf != q->buf) continue;
        for (uint32_t k = 0; k < a->count; k++)
            if (a->index[k] != read->index[k]) return false;
    }
    return !reduces_outside(q, r, q->loop - 1);
}

bool written_first(schedule *sch, const stmt_list *path, const buffer *buf) {
    const cover_question q = {.sch = sch, .buf = buf, .loop = path->len};
    accesses all = accesses_below(sch, path);
    VEC(stmt_list) writers = {0};
    const stmt *last = NULL;
    if (all.opaque) return false;
    for (uint32_t i = 0; i < all.list.len; i++) {
        const access *a = &all.list.at[i];
        if (a->buf != buf) continue;
        stmt_list r = {0};
        if (!a->leaf || !is_leaf(sch, a->leaf) || !path_to_block(sch, a->leaf->as.block->name, &r)) return false;
        if (a->writes) {
            if (a->leaf != last) VEC_PUSH(sch->mem, &writers, r);
            last = a->leaf;
            continue;
        }
        bool found = own_steps(&q, &all, a, &r);
        for (uint32_t k = 0; k < writers.len && !found; k++) found = covers(&q, &writers.at[k], &r, a);
        if (!found) return false;
    }
    return true;
}
