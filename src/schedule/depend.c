// depend.c - may the iterations of a loop change places, or run at once?
//
// Two accesses of different iterations x and x' never meet if some index differs: the index moves by c with x, and what
// else moves it (loops inside, another access's offset) stays below c. Where that simple test fails, the prover is
// asked whether equal indices imply x == x'.
#include "base/size.h"
#include "schedule/inside.h"
#include <string.h>

// One question: do iterations of x that differ meet?
typedef struct question {
    schedule *sch;
    const stmt *x;
    const expr *other; // x of the other iteration
    map rename;        // loops inside: their variables of the other iteration
    facts *facts;      // ranges of x, of loops around and, of both iterations, inside; NULL: not needed yet
    const stmt_list *path;
    const accesses *all;
    VEC(conflict) apart; // pairs of accesses that were found to be separate
} question;

static const expr *renamed(const question *q, const expr *e) { return expr_substitute(q->sch->s, e, &q->rename); }

static facts *known(question *q) {
    if (q->facts) return q->facts;
    q->facts = path_facts(q->sch, q->path);
    for (uint32_t i = 0; i < q->all->loops.len; i++) {
        const stmt *l = q->all->loops.at[i];
        const expr *var = l->as.loop.var, *min = l->as.loop.min, *extent = l->as.loop.extent;
        facts_range(q->facts, var, min, extent);
        facts_range(q->facts, renamed(q, var), renamed(q, min), renamed(q, extent));
    }
    return q->facts;
}

static bool below(int64_t low, int64_t high, int64_t step) {
    if (step < 0) step = -step;
    return low > -step && high < step;
}

// Whether what else moves the two indices stays below the step: 1 yes, 0 no, -1 not a simple case.
static int rests_stay_below(const question *q, const expr *a, const expr *b, int64_t step) {
    reach x, y;
    if (!linear_reach(q->sch, a, &q->all->loops, &x) || !linear_reach(q->sch, b, &q->all->loops, &y)) return -1;
    int64_t low, high, apart = 0, k;
    if (x.base != y.base) {
        if (!expr_const_int(x.base, &apart) || !expr_const_int(y.base, &k) || !int_add(apart, -k, &apart)) return -1;
    } else if (renamed(q, x.base) != x.base) {
        return -1;
    }
    if (!int_add(x.low - y.high, apart, &low) || !int_add(x.high - y.low, apart, &high)) return -1;
    return below(low, high, step);
}

// The index without what loops add to it in whole multiples of `period`.
static const expr *within_period(const question *q, const expr *e, int64_t period) {
    for (uint32_t i = 0; i < q->all->loops.len; i++) {
        linear l;
        const expr *var = q->all->loops.at[i]->as.loop.var;
        if (expr_uses_var(e, var) && linear_in(q->sch, e, var, &l) && l.step % period == 0) e = l.rest;
    }
    return e;
}

// (i * 8 + x) * 2 + k: what x moves repeats with a period, and what else moves the indices is below x's step.
static bool is_digit(const question *q, const expr *a, const expr *b, const linear *x) {
    int64_t extent, period;
    if (!expr_const_int(q->x->as.loop.extent, &extent) || !int_mul(x->step, extent, &period) || period < 1)
        return false;
    return rests_stay_below(q, within_period(q, a, period), within_period(q, b, period), x->step) == 1;
}

// Both indices move by the same step with `var`, and what else moves them stays below it: where they are equal, so is
// the variable.
static bool dim_determines(question *q, const expr *a, const expr *b, const expr *var) {
    schedule *sch = q->sch;
    linear la, lb;
    if (!linear_in(sch, a, var, &la) || !linear_in(sch, b, var, &lb) || !la.step || la.step != lb.step) return false;
    int simple = rests_stay_below(q, la.rest, lb.rest, la.step);
    if (simple == 1 || (var == q->x->as.loop.var && is_digit(q, la.rest, lb.rest, &la))) return true;
    if (simple == 0) return false;
    const expr *rest = renamed(q, lb.rest);
    if (rest == la.rest) return true;
    if (!dtype_equal(rest->type, la.rest->type)) return false;
    const expr *offset = expr_simplify(sch->s, expr_binary(sch->s, EXPR_SUB, la.rest, rest), known(q));
    interval v = expr_bounds(sch->s, offset, known(q));
    return v.has_low && v.has_high && below(v.low, v.high, la.step);
}

// --- Fused loops: x is seen through x // m and x % m.

static bool is_part_of_fused(const expr *e, const expr *x) {
    return (e->op == EXPR_FLOOR_DIV || e->op == EXPR_FLOOR_MOD) && expr_uses_var(e, x);
}

static void find_parts(const question *q, const expr *e, expr_list *out) {
    const expr *x = q->x->as.loop.var;
    if (!expr_uses_var(e, x)) return;
    if (!is_part_of_fused(e, x)) {
        for (uint32_t i = 0; i < e->count; i++) find_parts(q, e->in[i], out);
        return;
    }
    for (uint32_t i = 0; i < out->len; i++)
        if (out->at[i] == e) return;
    VEC_PUSH(q->sch->mem, out, e);
}

// The question with each part as a variable of its own.
static question over_parts(question *q, const expr_list *parts, map *with, expr_list *vars) {
    question now = *q;
    schedule *sch = q->sch;
    now.rename = MAP_IN(sch->mem);
    for (uint32_t i = 0; i < q->rename.len; i++) map_put(&now.rename, q->rename.entry[i].key, q->rename.entry[i].value);
    for (uint32_t i = 0; i < parts->len; i++) {
        const expr *var = expr_new_var(sch->s, "part", parts->at[i]->type);
        map_put(with, MAP_KEY(parts->at[i]), (void *)(uintptr_t)var);
        map_put(&now.rename, MAP_KEY(var), (void *)(uintptr_t)expr_new_var(sch->s, "part", var->type));
        VEC_PUSH(sch->mem, vars, var);
    }
    return now;
}

// Assumes that the parts some index determines are equal in both iterations; false if there are none.
static bool parts_determine(question *q, const access *a, const access *b, facts *f) {
    expr_list parts = {0}, vars = {0};
    map with = MAP_IN(q->sch->mem);
    bool any = false;
    for (uint32_t i = 0; i < a->count; i++) find_parts(q, a->index[i], &parts);
    if (!parts.len) return false;
    question over = over_parts(q, &parts, &with, &vars);
    for (uint32_t k = 0; k < parts.len; k++) {
        bool found = false;
        for (uint32_t i = 0; i < a->count && !found; i++)
            found = dim_determines(&over, expr_substitute(q->sch->s, a->index[i], &with),
                                   expr_substitute(q->sch->s, b->index[i], &with), vars.at[k]);
        if (found) facts_assume(f, expr_binary(q->sch->s, EXPR_EQ, parts.at[k], renamed(q, parts.at[k])));
        any |= found;
    }
    return any;
}

static bool parts_separate(question *q, const access *a, const access *b) {
    facts *f = facts_push(q->sch->facts); // ranges would only distract
    return parts_determine(q, a, b, f) && prove_equal(q->sch->s, q->x->as.loop.var, q->other, f);
}

// --- Anything else.

static bool prover_separates(question *q, const access *a, const access *b) {
    schedule *sch = q->sch;
    const expr *x = q->x->as.loop.var;
    bool moves = false;
    for (uint32_t i = 0; i < a->count; i++) moves |= expr_uses_var(a->index[i], x) || expr_uses_var(b->index[i], x);
    if (!moves) return false;
    facts *f = facts_push(known(q));
    for (uint32_t i = 0; i < a->count; i++) {
        const expr *there = renamed(q, b->index[i]);
        if (dtype_equal(a->index[i]->type, there->type) && expr_is_index(there))
            facts_assume(f, expr_binary(sch->s, EXPR_EQ, a->index[i], there));
    }
    return prove_equal(sch->s, x, q->other, f);
}

// Where an index is read from memory that changes below, equal expressions need not be equal indices.
static bool index_changes(const question *q, const access *a) {
    map loaded = MAP_IN(q->sch->mem);
    for (uint32_t i = 0; i < a->count; i++) expr_loaded_buffers(a->index[i], &loaded);
    for (uint32_t i = 0; loaded.len && i < q->all->list.len; i++)
        if (q->all->list.at[i].writes && map_has(&loaded, MAP_KEY(q->all->list.at[i].buf))) return true;
    return false;
}

static bool same_indices(const access *a, const access *b) {
    return a->count == b->count && memcmp(a->index, b->index, a->count * sizeof *a->index) == 0;
}

// A block reads what it updates, at the same place.
static bool known_separate(const question *q, const access *a, const access *b) {
    for (uint32_t i = 0; i < q->apart.len; i++)
        if (same_indices(q->apart.at[i].a, a) && same_indices(q->apart.at[i].b, b)) return true;
    return false;
}

static bool find_separate(question *q, const access *a, const access *b) {
    if (a->count != b->count || index_changes(q, a) || index_changes(q, b)) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (dim_determines(q, a->index[i], b->index[i], q->x->as.loop.var)) return true;
    return parts_separate(q, a, b) || prover_separates(q, a, b);
}

static bool separate(question *q, const access *a, const access *b) {
    if (known_separate(q, a, b)) return true;
    if (!find_separate(q, a, b)) return false;
    VEC_PUSH(q->sch->mem, &q->apart, ((conflict){a, b}));
    return true;
}

// Steps of one reduction: the same block updates the same element, and x is a loop of its reduction.
static bool is_step(const question *q, const access *a, const access *b) {
    const expr *x = q->x->as.loop.var;
    if (a->leaf != b->leaf || !a->leaf || a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->index[i] != b->index[i] || expr_uses_var(a->index[i], x)) return false;
    const block *bl = a->leaf->as.block;
    for (uint32_t i = 0; i < bl->iters; i++)
        if (bl->iter[i].kind == ITER_REDUCE && expr_uses_var(bl->iter[i].value, x)) return true;
    return false;
}

static question ask(schedule *sch, const stmt_list *path, const accesses *all, const stmt *x) {
    question q = {.sch = sch, .x = x, .rename = MAP_IN(sch->mem), .path = path, .all = all};
    for (uint32_t i = 0; i < all->loops.len; i++) {
        const expr *var = all->loops.at[i]->as.loop.var, *copy = expr_new_var(sch->s, var->as.var->name, var->type);
        if (var == x->as.loop.var) q.other = copy;
        map_put(&q.rename, MAP_KEY(var), (void *)(uintptr_t)copy);
    }
    CHECK(q.other);
    return q;
}

bool iterations_conflict(schedule *sch, const stmt_list *path, const accesses *all, const stmt *x, bool reductions_free,
                         conflict *out) {
    if (expr_is_int(x->as.loop.extent, 1) || expr_is_int(x->as.loop.extent, 0)) return false;
    question q = ask(sch, path, all, x);
    for (uint32_t i = 0; i < all->list.len; i++)
        for (uint32_t k = i; k < all->list.len; k++) {
            const access *a = &all->list.at[i], *b = &all->list.at[k];
            if (a->buf != b->buf || !(a->writes || b->writes) || map_has(&all->owned, MAP_KEY(a->buf))) continue;
            if ((reductions_free && is_step(&q, a, b)) || separate(&q, a, b)) continue;
            *out = (conflict){a, b};
            return true;
        }
    return false;
}

bool parts_conflict(schedule *sch, const stmt_list *path, const accesses *all, const stmt *x, const map *first,
                    conflict *out) {
    question q = ask(sch, path, all, x);
    for (uint32_t i = 0; i < all->list.len; i++)
        for (uint32_t k = i + 1; k < all->list.len; k++) {
            const access *a = &all->list.at[i], *b = &all->list.at[k];
            if (a->buf != b->buf || !(a->writes || b->writes) || map_has(&all->owned, MAP_KEY(a->buf))) continue;
            if (map_has(first, MAP_KEY(a->leaf)) == map_has(first, MAP_KEY(b->leaf)) || separate(&q, a, b)) continue;
            *out = (conflict){a, b};
            return true;
        }
    return false;
}

static const char *who(schedule *sch, const access *a) {
    const char *verb = a->writes ? "writes" : "reads";
    if (!a->leaf) return arena_format(sch->mem, "it %s %s", verb, a->buf->name);
    return arena_format(sch->mem, "block %s %s %s", a->leaf->as.block->name, verb, a->buf->name);
}

const char *describe_conflict(schedule *sch, const stmt *x, const conflict *c) {
    const access *a = c->a->writes ? c->a : c->b, *b = c->a->writes ? c->b : c->a;
    return arena_format(sch->mem, "%s in one iteration of loop %s, and %s there in another", who(sch, a),
                        x->as.loop.var->as.var->name, who(sch, b));
}
