// access_inside.c - proofs that an index lies inside or outside of its dim, at one place of a program.
#include "loop/access_inside.h"

enum { FEW_LOOPS = 4, LANES_MOST = 64 };

static const expr *binary(access_scope *in, expr_op op, const expr *a, const expr *b) {
    return expr_binary(in->s, op, a, b);
}

static const expr *in_loops(access_scope *in, const expr *e) { return expr_substitute(in->s, e, &in->meaning); }

// --- Loads. The prover knows nothing of what is computed from them, since it may wrap. What is only compared, clamped
// or divided can't: there each load is a variable like others.

static bool has_load(access_scope *in, const expr *e) {
    expr_walk w = expr_walk_from(in->mem, e);
    const expr *n;
    while ((n = expr_walk_next(&w)) && n->op != EXPR_LOAD) continue;
    return n != NULL;
}

static const expr *as_variable(access_scope *in, const expr *load) {
    const expr *var = map_find(&in->loaded, MAP_KEY(load));
    if (var) return var;
    var = expr_new_var(in->s, expr_to_text(in->mem, load), load->type);
    map_put(&in->loaded, MAP_KEY(load), (void *)(uintptr_t)var);
    return var;
}

static const expr *with_variables(access_scope *in, const expr *e) {
    map with = MAP_IN(in->mem);
    expr_walk w = expr_walk_from(in->mem, e);
    for (const expr *n = expr_walk_next(&w); n; n = expr_walk_next(&w)) {
        if ((n->op == EXPR_ADD || n->op == EXPR_SUB || n->op == EXPR_MUL) && has_load(in, n)) return e;
        if (n->op == EXPR_LOAD && expr_is_index(n) && dtype_bits(n->type) >= 32)
            map_put(&with, MAP_KEY(n), (void *)(uintptr_t)as_variable(in, n));
    }
    return with.len ? expr_substitute(in->s, e, &with) : e;
}

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

const expr *access_index(access_scope *in, const expr *e) {
    int64_t value;
    return expr_const_int(e, &value) ? expr_i64(in->s, value) : expr_cast(in->s, DTYPE_OF(I64), e);
}

typedef struct question {
    const expr *value, *low, *end;
    lanes lane;
    bool reaches;
} question;

// False where the value is of a kind we know nothing about.
static bool put_question(access_scope *in, const access_wish *w, question *q) {
    *q = (question){w->value, w->low, w->end, {NULL, dtype_lanes(w->value->type)}, w->reaches};
    if (w->reaches) q->end = binary(in, EXPR_ADD, w->end, expr_int(in->s, w->end->type, 1));
    if (q->lane.count > 1) {
        q->lane.number = expr_new_var(in->s, "lane", DTYPE_OF(I64));
        q->value = lane_of(in, w->value, q->lane.number);
    }
    if (!q->value || !expr_is_index(q->value) || !expr_is_index(q->low) || !expr_is_index(q->end)) return false;
    if (dtype_equal(q->value->type, q->low->type) && dtype_equal(q->value->type, q->end->type)) return true;
    q->value = access_index(in, q->value);
    q->low = access_index(in, q->low);
    q->end = access_index(in, q->end);
    return true;
}

static question put_in(access_scope *in, const question *q, const map *with) {
    question now = *q;
    now.value = with_variables(in, expr_substitute(in->s, q->value, with));
    now.low = expr_substitute(in->s, q->low, with);
    now.end = with_variables(in, expr_substitute(in->s, q->end, with));
    return now;
}

// As it is written, and in the words of the loops.
static question plainly(access_scope *in, const question *q) {
    const map nothing = MAP_IN(in->mem);
    return put_in(in, q, &nothing);
}

static question told_by_loops(access_scope *in, const question *q) { return put_in(in, q, &in->meaning); }

// --- What is known. Products are as deep as the reader lets them be.

// A product of sizes that is not 0, since something is counted up to it, has no factor that is 0.
static void know_factors(access_scope *in, const expr *product) {
    if (product->op != EXPR_MUL || !expr_is_index(product)) return;
    const expr *zero = expr_int(in->s, product->type, 0);
    for (uint32_t i = 0; i < 2; i++)
        if (!prove_less_equal(in->s, zero, product->in[i], in->known)) return;
    for (uint32_t i = 0; i < 2; i++) {
        facts_assume(in->known, binary(in, EXPR_LT, zero, product->in[i]));
        know_factors(in, product->in[i]);
    }
}

void access_loop(access_scope *in, const expr *var, const expr *min, const expr *extent, bool stable) {
    if (!expr_is_index(min) || !expr_is_index(extent) || !dtype_equal(min->type, extent->type)) return;
    if (!dtype_equal(var->type, min->type)) return;
    if (stable) {
        in->known = facts_push(in->known);
        facts_range(in->known, var, min, extent);
        know_factors(in, extent);
    }
    VEC_PUSH(in->mem, &in->rounds, ((rounds){var, in_loops(in, min), in_loops(in, extent)}));
}

void access_let(access_scope *in, const expr *var, const expr *value, bool stable) {
    if (stable && dtype_equal(var->type, value->type))
        map_put(&in->meaning, MAP_KEY(var), (void *)(uintptr_t)in_loops(in, value));
}

void access_assume(access_scope *in, const expr *condition, bool stable) {
    condition = with_variables(in, condition);
    const expr *there = with_variables(in, in_loops(in, condition));
    VEC_PUSH(in->mem, &in->conditions, there);
    if (!stable) return;
    in->known = facts_push(in->known);
    facts_assume(in->known, condition);
    if (there != condition) facts_assume(in->known, there);
    if (condition->op != EXPR_LT || !expr_is_index(condition->in[0])) return;
    if (prove_less_equal(in->s, expr_int(in->s, condition->in[0]->type, 0), condition->in[0], in->known))
        know_factors(in, condition->in[1]);
}

// --- Proofs.

// a // b < end where a < end * b, for b above 0.
static bool lies_below(access_scope *in, const expr *value, const expr *end, const facts *f) {
    if (prove_less(in->s, value, end, f)) return true;
    if (value->op != EXPR_FLOOR_DIV || !dtype_equal(value->type, end->type)) return false;
    const expr *divisor = value->in[1];
    return prove_less(in->s, expr_int(in->s, divisor->type, 0), divisor, f) &&
           prove_less(in->s, value->in[0], binary(in, EXPR_MUL, end, divisor), f);
}

static bool lies_inside(access_scope *in, const question *q, const facts *f) {
    return prove_less_equal(in->s, q->low, q->value, f) && lies_below(in, q->value, q->end, f);
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
    const question here = plainly(in, &q), there = told_by_loops(in, &q);
    return lies_inside(in, &here, f) || (there.value != here.value && lies_inside(in, &there, f));
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

// "outside of the extent n"; where the value may be the end itself, the end stands in the interval.
static const char *limits(access_scope *in, const question *q, const char *how, const facts *f) {
    const expr *one = expr_int(in->s, q->end->type, 1), *last = binary(in, EXPR_SUB, q->end, one);
    if (q->reaches) return arena_format(in->mem, "%s [0, %s]", how, shown(in, last, f));
    if (expr_is_int(q->low, 0)) return arena_format(in->mem, "%s the extent %s", how, shown(in, q->end, f));
    return arena_format(in->mem, "%s [%s, %s)", how, shown(in, q->low, f), shown(in, q->end, f));
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
    text_format(&t, ", %s", limits(in, q, "outside of", f));
    return text_get(&t);
}

static const char *fails_in_round(access_scope *in, const question *q, unsigned which) {
    facts *sizes = facts_push(in->sizes);
    map chosen = MAP_IN(in->mem);
    if (!choose_rounds(in, q, which, sizes, &chosen) || !is_reached(in, &chosen, sizes)) return NULL;
    const question at = {expr_substitute(in->s, q->value, &chosen),
                         expr_substitute(in->s, q->low, &chosen),
                         expr_substitute(in->s, q->end, &chosen),
                         {0},
                         q->reaches};
    return lies_outside(in, &at, sizes)
               ? tell(in, &(question){q->value, at.low, at.end, {0}, q->reaches}, &chosen, sizes)
               : NULL;
}

static unsigned used_loops(access_scope *in, const expr *value) {
    unsigned used = 0;
    for (uint32_t i = 0; i < in->rounds.len; i++) used += expr_uses_var(value, in->rounds.at[i].var);
    return used < FEW_LOOPS ? used : FEW_LOOPS;
}

// All values lie outside: that says something of places that are reached. Of sizes and loop variables a condition may
// say that this one is not, without a proof that we find.
static bool may_be_unreached(access_scope *in) {
    for (uint32_t i = 0; i < in->conditions.len; i++)
        if (!has_load(in, in->conditions.at[i])) return true;
    return false;
}

const char *access_fails(access_scope *in, const access_wish *wish) {
    question q;
    if (!put_question(in, wish, &q)) return NULL;
    const question here = plainly(in, &q), there = told_by_loops(in, &q);
    for (unsigned rest = 0; rest < 2; rest++)
        for (unsigned which = 0; which < 1u << used_loops(in, there.value); which++) {
            const char *why = fails_in_round(in, &there, rest << FEW_LOOPS | which);
            if (why) return why;
        }
    const facts *f = with_lanes(in, &q);
    if (may_be_unreached(in) || access_contradicts(in, f)) return NULL;
    if (!lies_outside(in, &here, f) && !lies_outside(in, &there, f)) return NULL;
    return arena_format(in->mem, "is %s, never %s", shown(in, q.value, f), limits(in, &q, "within", f));
}
