// reduce.c - canonical sums made smaller under facts.
#include "expr/reduce.h"

enum { MAX_DEPTH = 24 }; // of atoms inside atoms; deeper ones stay

typedef struct reducing {
    expr_session *s;
    const facts *f;
    bool deep;
    unsigned depth;
} reducing;

// Reducing an atom reduces the sums it is made of: the functions below call each other down to MAX_DEPTH.
static void reduce_into(reducing r, poly_sum *out, poly_view v);

// The reduced sum of an operand.
static bool reduce_operand(reducing r, const expr *e, poly_sum *out) {
    reduce_into(r, out, poly_see(canon_sum(r.s, e)));
    return !out->failed;
}

// Divides the reduced operands again, now with facts: that is where (i*4 + j) // 4 becomes i.
static bool reduce_division(reducing r, const expr *atom, poly_sum *out) {
    poly_sum a, b;
    if (!reduce_operand(r, atom->in[0], &a) || !reduce_operand(r, atom->in[1], &b)) return false;
    if (atom->op == EXPR_FLOOR_DIV) {
        add_quotient(r.s, out, sum_see(&a), sum_see(&b), 1, r.f);
        return true;
    }
    bool truncates = atom->op == EXPR_TRUNC_DIV || atom->op == EXPR_TRUNC_MOD;
    if (!truncates || sum_range(r.s, sum_see(&a), r.f).low < 0 || sum_range(r.s, sum_see(&b), r.f).low < 0)
        return false;
    if (atom->op == EXPR_TRUNC_DIV)
        add_quotient(r.s, out, sum_see(&a), sum_see(&b), 1, r.f);
    else
        add_remainder(r.s, out, sum_see(&a), sum_see(&b), 1, r.f);
    return true;
}

// Is `a` useless beside `b`, as the prover can show?
static bool loses(reducing r, expr_op op, const poly *a, const poly *b) {
    poly_sum less;
    sum_set(&less, poly_see(op == EXPR_MIN ? a : b));
    sum_add(&less, poly_see(op == EXPR_MIN ? b : a), -1);
    return !less.failed && prove_not_negative(r.s, sum_see(&less), r.f);
}

// Each pair is asked once; the prover is bounded, and so are the operands.
static void drop_proved_losers(reducing r, extremum *x) {
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t j = 0; j < x->count && x->count > 1; j++) {
            if (i == j || !loses(r, x->op, x->operand[i], x->operand[j])) continue;
            x->operand[i] = x->operand[--x->count];
            i--;
            break;
        }
}

// The operands live on in the table of canonical forms, hence the session's memory.
static bool reduce_extremum(reducing r, const expr *atom, poly_sum *out) {
    extremum x = {.op = (expr_op)atom->op};
    for (const expr *e = atom; e; e = e->op == atom->op ? e->in[0] : NULL) {
        poly_sum side;
        if (!reduce_operand(r, e->op == atom->op ? e->in[1] : e, &side)) return false;
        if (!extremum_gather(r.s, &x, poly_new(r.s->mem, &side))) return false;
    }
    if (r.deep) drop_proved_losers(r, &x);
    add_extremum(r.s, out, &x, 1, r.f);
    return true;
}

// What a comparison comes to by ranges alone: 1 true, 0 false, -1 unknown.
static int decide_by_range(reducing r, const expr *condition) {
    poly_sum v;
    fact_kind kind;
    if (condition->op == EXPR_INT) return condition->as.ival != 0;
    if (!condition_sum(r.s, condition, &kind, &v)) return facts_say_true(r.f, condition) ? 1 : -1;
    fold_mods(r.s, &v);
    range known = sum_range(r.s, sum_see(&v), r.f);
    bool not_zero = known.low > 0 || known.high < 0, zero = known.low == 0 && known.high == 0;
    if (kind == FACT_NOT_NEGATIVE) return known.low >= 0 ? 1 : known.high < 0 ? 0 : -1;
    if (!zero && !not_zero) return -1;
    return zero == (kind == FACT_ZERO);
}

// The prover is asked both ways, after the ranges.
static int decide(reducing r, const expr *condition) {
    int known = decide_by_range(r, condition);
    if (known >= 0 || !r.deep) return known;
    if (prove_true(r.s, condition, r.f)) return 1;
    return prove_true(r.s, negate_condition(r.s, condition), r.f) ? 0 : -1;
}

// With a condition that is decided only one side counts; else both sides may still come to the same.
static bool reduce_select(reducing r, const expr *atom, poly_sum *out) {
    poly_sum a, b;
    int known = decide(r, atom->in[0]);
    if (known >= 0) return reduce_operand(r, atom->in[known ? 1 : 2], out);
    if (!reduce_operand(r, atom->in[1], &a) || !reduce_operand(r, atom->in[2], &b)) return false;
    if (!poly_equal(sum_see(&a), sum_see(&b))) return false;
    sum_add(out, sum_see(&a), 1);
    return true;
}

// False: nothing is known that helps.
static bool reduce_by_structure(reducing r, const expr *atom, poly_sum *out) {
    if (r.depth > MAX_DEPTH || canon_at(r.s, atom)->flags & NODE_DATA) return false;
    r.depth++;
    if (atom->op == EXPR_MIN || atom->op == EXPR_MAX) return reduce_extremum(r, atom, out);
    if (atom->op >= EXPR_FLOOR_DIV && atom->op <= EXPR_TRUNC_MOD) return reduce_division(r, atom, out);
    bool chooses = atom->op == EXPR_SELECT || (atom->op == EXPR_CALL && atom->as.intrin->id == INTRIN_IF_THEN_ELSE);
    return chooses && reduce_select(r, atom, out);
}

// Remembered per scope; ranges-only and deep results apart.
static const poly *reduce_atom(reducing r, const expr *atom) {
    facts_cache *cache = facts_cached(r.f);
    uint64_t key = MAP_KEY(atom) + r.deep; // nodes are aligned
    const poly *known = map_find(&cache->reduced, key);
    if (known) return known;
    poly_sum sum;
    int64_t k;
    sum_start(&sum, atom->type);
    if (range_constant(mono_range(r.s, atom, r.f), &k)) {
        sum_add_constant(&sum, k);
    } else if (!canon_is_exact(atom->type) || !reduce_by_structure(r, atom, &sum) || sum.failed) {
        sum_start(&sum, atom->type);
        sum_add_term(&sum, atom, 1);
    }
    poly *p = poly_new(r.f->mem, &sum);
    map_put(&facts_cached(r.f)->reduced, key, p);
    return p;
}

// Nothing was reduced: the atom stands alone with coefficient 1.
static bool is_itself(const poly *p, const expr *atom) {
    return p->count == 1 && !p->constant && p->term[0].mono == atom && p->term[0].coef == 1;
}

// Multiplies the reduced factors, unless none of them changed.
static void reduce_term(reducing r, poly_sum *out, poly_term t) {
    const expr *factor[POLY_MAX_DEGREE];
    const poly *part[POLY_MAX_DEGREE];
    int64_t k;
    uint32_t count = mono_factors(r.s, t.mono, factor);
    bool same = true;
    if (range_constant(mono_range(r.s, t.mono, r.f), &k)) {
        poly_view constant = {.type = out->type, .constant = k};
        sum_add(out, constant, t.coef);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        part[i] = reduce_atom(r, factor[i]);
        same = same && is_itself(part[i], factor[i]);
    }
    if (same) {
        sum_add_term(out, t.mono, t.coef);
        return;
    }
    poly_sum product, next;
    sum_set(&product, poly_see(part[0]));
    for (uint32_t i = 1; i < count && !product.failed; i++) {
        sum_start(&next, out->type);
        sum_add_product(r.s, &next, sum_see(&product), poly_see(part[i]), 1);
        sum_set(&product, sum_see(&next));
        product.failed = next.failed;
    }
    out->failed = out->failed || product.failed;
    sum_add(out, sum_see(&product), t.coef);
}

static void reduce_into(reducing r, poly_sum *out, poly_view v) {
    sum_start(out, v.type);
    sum_add_constant(out, v.constant);
    for (uint32_t i = 0; i < v.count && !out->failed; i++) reduce_term(r, out, v.term[i]);
}

// Without facts nothing can get smaller than its canonical form, and what overflowed stays as it was.
void reduce_sum(expr_session *s, poly_sum *out, poly_view v, const facts *f, bool deep) {
    if (f) reduce_into((reducing){.s = s, .f = f, .deep = deep}, out, v);
    if (!f || out->failed) sum_set(out, v);
}
