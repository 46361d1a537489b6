// access_inside.c - proofs that an index lies inside or outside of its dim, at one place of a program.
#include "loop/access_inside.h"

enum { FEW_LOOPS = 4, LANES_MOST = 64 };

static const expr *binary(access_scope *in, expr_op op, const expr *a, const expr *b) {
    return expr_binary(in->s, op, a, b);
}

static const expr *in_loops(access_scope *in, const expr *e) { return expr_substitute(in->s, e, &in->meaning); }

// --- Vectors: an index of several lanes is one of a variable that counts them.

typedef struct lanes {
    const expr *number; // the variable; NULL: one lane
    unsigned count;
} lanes;

static bool is_scalar(const expr *e) { return dtype_lanes(e->type) == 1; }

// The lane `number` of e; NULL where it is not built of ramps and lane-by-lane operations.
static const expr *lane_of(access_scope *in, const expr *e, const expr *number) {
    if (is_scalar(e)) return e;
    if (e->op == EXPR_BROADCAST) return e->in[0];
    if (e->op == EXPR_RAMP) {
        const expr *at = expr_cast(in->s, e->in[0]->type, number);
        return binary(in, EXPR_ADD, e->in[0], binary(in, EXPR_MUL, at, e->in[1]));
    }
    bool by_lane = e->op == EXPR_CAST || (e->count == 2 && e->op >= EXPR_ADD && e->op <= EXPR_MAX);
    const expr *part[2];
    for (uint32_t i = 0; by_lane && i < e->count; i++) by_lane = (part[i] = lane_of(in, e->in[i], number)) != NULL;
    if (!by_lane) return NULL;
    return e->op == EXPR_CAST ? expr_cast(in->s, dtype_scalar(e->type), part[0]) : binary(in, e->op, part[0], part[1]);
}

// --- Types: what is compared is of one type.

static const expr *to_index(access_scope *in, const expr *e) {
    int64_t value;
    return expr_const_int(e, &value) ? expr_i64(in->s, value) : expr_cast(in->s, DTYPE_OF(I64), e);
}

typedef struct question {
    const expr *value, *low, *end;
    lanes lane;
} question;

// False where the value is of a kind we know nothing about.
static bool put_question(access_scope *in, const access_wish *w, question *q) {
    *q = (question){w->value, w->low, w->end, {NULL, dtype_lanes(w->value->type)}};
    if (q->lane.count > 1) {
        q->lane.number = expr_new_var(in->s, "lane", DTYPE_OF(I64));
        q->value = lane_of(in, w->value, q->lane.number);
    }
    if (!q->value || !expr_is_index(q->value) || !expr_is_index(q->low) || !expr_is_index(q->end)) return false;
    if (dtype_equal(q->value->type, q->low->type) && dtype_equal(q->value->type, q->end->type)) return true;
    q->value = to_index(in, q->value);
    q->low = to_index(in, q->low);
    q->end = to_index(in, q->end);
    return true;
}

// --- What is known.

void access_loop(access_scope *in, const expr *var, const expr *min, const expr *extent, bool stable) {
    if (!expr_is_index(min) || !expr_is_index(extent) || !dtype_equal(min->type, extent->type)) return;
    if (!dtype_equal(var->type, min->type)) return;
    if (stable) {
        in->known = facts_push(in->known);
        facts_range(in->known, var, min, extent);
    }
    VEC_PUSH(in->mem, &in->rounds, ((rounds){var, in_loops(in, min), in_loops(in, extent)}));
}

void access_let(access_scope *in, const expr *var, const expr *value, bool stable) {
    if (stable && dtype_equal(var->type, value->type))
        map_put(&in->meaning, MAP_KEY(var), (void *)(uintptr_t)in_loops(in, value));
}

void access_assume(access_scope *in, const expr *condition, bool stable) {
    const expr *there = in_loops(in, condition);
    VEC_PUSH(in->mem, &in->conditions, there);
    if (!stable) return;
    in->known = facts_push(in->known);
    facts_assume(in->known, condition);
    if (there != condition) facts_assume(in->known, there);
}

// --- Proofs.

static bool lies_inside(access_scope *in, const question *q, const facts *f) {
    return prove_less_equal(in->s, q->low, q->value, f) && prove_less(in->s, q->value, q->end, f);
}

static const facts *with_lanes(access_scope *in, const question *q) {
    if (!q->lane.number) return in->known;
    facts *f = facts_push(in->known);
    facts_range(f, q->lane.number, expr_i64(in->s, 0), expr_i64(in->s, q->lane.count));
    return f;
}

bool access_holds(access_scope *in, const access_wish *wish) {
    question q;
    if (!put_question(in, wish, &q)) return false;
    const facts *f = with_lanes(in, &q);
    if (lies_inside(in, &q, f)) return true;
    const question there = {in_loops(in, q.value), in_loops(in, q.low), in_loops(in, q.end), q.lane};
    return there.value != q.value && lies_inside(in, &there, f);
}

const expr *access_condition(access_scope *in, const access_wish *wish) {
    question q;
    if (!put_question(in, wish, &q) || q.lane.count > LANES_MOST) return NULL;
    const expr *all = NULL;
    for (unsigned i = 0; i < q.lane.count; i++) {
        const expr *value = q.value;
        map lane = MAP_IN(in->mem);
        if (q.lane.number) {
            map_put(&lane, MAP_KEY(q.lane.number), (void *)(uintptr_t)expr_i64(in->s, i));
            value = expr_substitute(in->s, value, &lane);
        }
        const expr *inside = binary(in, EXPR_AND, binary(in, EXPR_LE, q.low, value), binary(in, EXPR_LT, value, q.end));
        all = all ? binary(in, EXPR_AND, all, inside) : inside;
    }
    return all;
}

// --- Refutations.

bool access_contradicts(access_scope *in, const facts *f) {
    return prove_less_equal(in->s, expr_i64(in->s, 1), expr_i64(in->s, 0), f);
}

static bool lies_outside(access_scope *in, const question *q, const facts *f) {
    return prove_less(in->s, q->value, q->low, f) || prove_less_equal(in->s, q->end, q->value, f);
}

// The first or last round of each loop, as `which` says: bit i is the i-th loop that the value uses, the next one all
// others. What each loop variable is then; false where a round is not known to be run.
static bool choose_rounds(access_scope *in, const question *q, unsigned which, facts *sizes, map *chosen) {
    unsigned used = 0;
    for (uint32_t i = 0; i < in->rounds.len; i++) {
        const rounds *r = &in->rounds.at[i];
        const expr *min = expr_substitute(in->s, r->min, chosen), *extent = expr_substitute(in->s, r->extent, chosen);
        const expr *one = expr_int(in->s, extent->type, 1);
        bool depends = extent != r->extent;
        if (depends && !prove_less_equal(in->s, one, extent, sizes)) return false;
        if (!depends) facts_assume(sizes, binary(in, EXPR_LE, one, extent));
        unsigned bit = expr_uses_var(q->value, r->var) && used < FEW_LOOPS ? used++ : FEW_LOOPS;
        const expr *last = binary(in, EXPR_SUB, binary(in, EXPR_ADD, min, extent), one);
        const expr *at = which >> bit & 1 ? expr_simplify(in->s, last, sizes) : min;
        map_put(chosen, MAP_KEY(r->var), (void *)(uintptr_t)at);
    }
    if (q->lane.number)
        map_put(chosen, MAP_KEY(q->lane.number),
                (void *)(uintptr_t)expr_i64(in->s, which >> FEW_LOOPS & 1 ? q->lane.count - 1 : 0));
    return !access_contradicts(in, sizes);
}

static bool is_reached(access_scope *in, const map *chosen, const facts *f) {
    for (uint32_t i = 0; i < in->conditions.len; i++)
        if (!prove_true(in->s, expr_substitute(in->s, in->conditions.at[i], chosen), f)) return false;
    return true;
}

const char *access_shown(access_scope *in, const expr *e) {
    const expr_print_options style = {.graph = !dtype_equal(e->type, DTYPE_OF(I32))};
    text t = TEXT_IN(in->mem);
    expr_print(&t, e, &style);
    return text_get(&t);
}

static const char *shown(access_scope *in, const expr *e, const facts *f) {
    return access_shown(in, expr_simplify(in->s, e, f));
}

// "is n where i = n - 1, outside of the extent n"
static const char *tell(access_scope *in, const question *q, const map *chosen, const facts *f) {
    text t = TEXT_IN(in->mem);
    text_format(&t, "is %s", shown(in, expr_substitute(in->s, q->value, chosen), f));
    const char *between = " where";
    for (uint32_t i = 0; i < in->rounds.len; i++) {
        const expr *var = in->rounds.at[i].var;
        if (!expr_uses_var(q->value, var)) continue;
        text_format(&t, "%s %s = %s", between, var->as.var->name, shown(in, map_find(chosen, MAP_KEY(var)), f));
        between = ",";
    }
    if (expr_is_int(q->low, 0))
        text_format(&t, ", outside of the extent %s", shown(in, q->end, f));
    else
        text_format(&t, ", outside of [%s, %s)", shown(in, q->low, f), shown(in, q->end, f));
    return text_get(&t);
}

static const char *fails_in_round(access_scope *in, const question *q, unsigned which) {
    facts *sizes = facts_push(in->sizes);
    map chosen = MAP_IN(in->mem);
    if (!choose_rounds(in, q, which, sizes, &chosen) || !is_reached(in, &chosen, sizes)) return NULL;
    const question at = {expr_substitute(in->s, q->value, &chosen),
                         expr_substitute(in->s, q->low, &chosen),
                         expr_substitute(in->s, q->end, &chosen),
                         {0}};
    return lies_outside(in, &at, sizes) ? tell(in, &(question){q->value, at.low, at.end, {0}}, &chosen, sizes) : NULL;
}

static unsigned used_loops(access_scope *in, const expr *value) {
    unsigned used = 0;
    for (uint32_t i = 0; i < in->rounds.len; i++) used += expr_uses_var(value, in->rounds.at[i].var);
    return used < FEW_LOOPS ? used : FEW_LOOPS;
}

const char *access_fails(access_scope *in, const access_wish *wish) {
    question q;
    if (!put_question(in, wish, &q)) return NULL;
    const question there = {in_loops(in, q.value), in_loops(in, q.low), in_loops(in, q.end), q.lane};
    for (unsigned rest = 0; rest < 2; rest++)
        for (unsigned which = 0; which < 1u << used_loops(in, there.value); which++) {
            const char *why = fails_in_round(in, &there, rest << FEW_LOOPS | which);
            if (why) return why;
        }
    const facts *f = with_lanes(in, &q);
    if (access_contradicts(in, f)) return NULL;
    if (!lies_outside(in, &q, f) && !lies_outside(in, &there, f)) return NULL;
    return arena_format(in->mem, "is %s, never within the extent %s", shown(in, q.value, f), shown(in, q.end, f));
}
