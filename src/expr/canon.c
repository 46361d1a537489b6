// canon.c - the canonical form of each node, computed once, operands first, and kept in a table by node id.
//
// The stack of waiting nodes is a list, not the machine's: expressions may be as deep as memory allows.
#include "expr/canon.h"
#include "base/size.h"
#include "expr/facts.h"
#include <string.h>

enum { INLINE_OPERANDS = 8, MAX_COST = 1 << 30 };

// Chunks never move, so an entry stays valid while others are added. Ids are dense: few chunks are half empty.
canon_entry *canon_add_chunk(expr_session *s, const expr *e) {
    if (!s->canon) {
        s->canon = ARENA_NEW(s->mem, struct canon_table, 1);
        s->canon->ranges = MAP_IN(s->mem);
    }
    struct canon_table *t = s->canon;
    uint32_t chunk = e->id >> CANON_CHUNK_BITS;
    if (chunk >= t->chunks) {
        uint32_t chunks = chunk < 32 ? 64 : chunk * 2;
        canon_entry **grown = ARENA_NEW(s->mem, canon_entry *, chunks);
        if (t->chunks) memcpy(grown, t->chunk, t->chunks * sizeof(canon_entry *));
        t->chunk = grown;
        t->chunks = chunks;
    }
    if (!t->chunk[chunk]) t->chunk[chunk] = ARENA_NEW(s->mem, canon_entry, CANON_CHUNK);
    return &t->chunk[chunk][e->id & (CANON_CHUNK - 1)];
}

// ---- single nodes ----

// It is its own folded form.
static poly *new_monomial(expr_session *s, const expr *mono) {
    poly *p = arena_take(s->mem, 1, sizeof *p + sizeof *p->term);
    p->type = mono->type;
    p->count = 1;
    p->term[0] = (poly_term){mono, 1};
    p->folded = p;
    return p;
}

// Flags go up: what holds data or an effect makes everything above it so.
static uint8_t flags_of(expr_session *s, const expr *e) {
    uint8_t flags = 0;
    bool from_float = false;
    for (uint32_t i = 0; i < e->count; i++) {
        flags |= canon_at(s, e->in[i])->flags;
        from_float = from_float || (e->op >= EXPR_CAST && dtype_is_float(e->in[i]->type));
    }
    bool divides = e->op >= EXPR_FLOOR_DIV && e->op <= EXPR_TRUNC_MOD;
    if (divides && (e->in[1]->op != EXPR_INT || !e->in[1]->as.ival)) flags |= NODE_PARTIAL;
    if (e->op < EXPR_CAST) return flags & (NODE_DATA | NODE_EFFECT | NODE_PARTIAL);
    if (e->op == EXPR_LOAD || (from_float && dtype_is_int(e->type))) flags |= NODE_DATA;
    if (e->op == EXPR_CALL_FUNC || (e->op == EXPR_CALL && !e->as.intrin->pure)) flags |= NODE_EFFECT;
    if (e->op == EXPR_LOAD || e->op == EXPR_CALL || e->op == EXPR_CALL_FUNC) flags |= NODE_PARTIAL;
    return flags & (NODE_DATA | NODE_EFFECT | NODE_PARTIAL);
}

// Of all atoms in a sum: what a form rendered from it holds.
static uint8_t flags_in(expr_session *s, const poly *p) {
    const expr *factor[POLY_MAX_DEGREE];
    uint8_t flags = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t count = mono_factors(s, p->term[i].mono, factor);
        for (uint32_t j = 0; j < count; j++) flags |= canon_at(s, factor[j])->flags;
    }
    return flags & (NODE_DATA | NODE_EFFECT | NODE_PARTIAL);
}

// Atoms are their own canonical form.
const poly *canon_monomial(expr_session *s, const expr *atom) {
    canon_entry *entry = canon_at(s, atom);
    if (entry->sum) return entry->sum;
    uint8_t flags = flags_of(s, atom);
    poly *p = new_monomial(s, atom);
    p->form = atom;
    entry = canon_at(s, atom);
    entry->sum = p;
    entry->form = atom;
    entry->flags |= flags | NODE_SETTLED;
    return p;
}

// The node with its operands in canonical form.
static const expr *with_canonical_operands(expr_session *s, const expr *e) {
    if (!e->count) return e;
    const expr *few[INLINE_OPERANDS];
    const expr **in = e->count <= INLINE_OPERANDS ? few : ARENA_NEW(s->mem, const expr *, e->count);
    bool same = true;
    for (uint32_t i = 0; i < e->count; i++) {
        in[i] = expr_canon(s, e->in[i]);
        same = same && in[i] == e->in[i];
    }
    return same ? e : expr_with(s, e, in);
}

// An operand without a sum of its own type never reaches these: all are exact and free of data.
static poly_view operand(expr_session *s, const expr *e, uint32_t i) { return poly_see(canon_sum(s, e->in[i])); }

// One function per operator follows: out (zero, of e's type) becomes the canonical sum of e. The operands are settled,
// exact and free of data.
static void canon_int(expr_session *s, const expr *e, poly_sum *out) {
    (void)s;
    sum_add_constant(out, e->as.ival);
}

static void canon_add(expr_session *s, const expr *e, poly_sum *out) {
    sum_set(out, operand(s, e, 0));
    sum_add(out, operand(s, e, 1), 1);
}

static void canon_sub(expr_session *s, const expr *e, poly_sum *out) {
    sum_set(out, operand(s, e, 0));
    sum_add(out, operand(s, e, 1), -1);
}

static void canon_mul(expr_session *s, const expr *e, poly_sum *out) {
    sum_add_product(s, out, operand(s, e, 0), operand(s, e, 1), 1);
}

static void canon_div(expr_session *s, const expr *e, poly_sum *out) {
    add_quotient(s, out, operand(s, e, 0), operand(s, e, 1), 1, NULL);
}

static void canon_mod(expr_session *s, const expr *e, poly_sum *out) {
    add_remainder(s, out, operand(s, e, 0), operand(s, e, 1), 1, NULL);
}

// The node itself, with canonical operands, as one more term. That node may have been seen, with a shorter sum.
static void add_atom(expr_session *s, const expr *e, poly_sum *out) {
    const expr *atom = with_canonical_operands(s, e);
    if (atom != e && canon_at(s, atom)->sum) {
        sum_add(out, poly_see(canon_at(s, atom)->sum), 1);
        return;
    }
    sum_add_term(out, atom, 1);
}

// Operands that are minima themselves are gathered into one flat list; a list too long for that stays nested.
static void canon_extremum(expr_session *s, const expr *e, poly_sum *out) {
    extremum x = {.op = (expr_op)e->op};
    if (extremum_gather(s, &x, canon_sum(s, e->in[0])) && extremum_gather(s, &x, canon_sum(s, e->in[1])))
        add_extremum(s, out, &x, 1, NULL);
    else
        add_atom(s, e, out);
}

static void canon_select(expr_session *s, const expr *e, poly_sum *out) {
    const expr *c = expr_canon(s, e->in[0]);
    if (c->op == EXPR_INT)
        sum_add(out, operand(s, e, c->as.ival ? 1 : 2), 1);
    else if (poly_equal(operand(s, e, 1), operand(s, e, 2)))
        sum_add(out, operand(s, e, 1), 1);
    else
        add_atom(s, e, out);
}

static bool is_nonnegative(expr_session *s, poly_view v) { return sum_range(s, v, NULL).low >= 0; }

// Where nothing is negative, truncating division is floor division.
static void canon_truncated(expr_session *s, const expr *e, poly_sum *out) {
    poly_view a = operand(s, e, 0), b = operand(s, e, 1);
    int64_t k;
    if (!a.count && !b.count &&
        (e->op == EXPR_TRUNC_DIV ? int_trunc_div(a.constant, b.constant, &k)
                                 : int_trunc_mod(a.constant, b.constant, &k)))
        sum_add_constant(out, k);
    else if (!is_nonnegative(s, a) || !is_nonnegative(s, b))
        add_atom(s, e, out);
    else if (e->op == EXPR_TRUNC_DIV)
        add_quotient(s, out, a, b, 1, NULL);
    else
        add_remainder(s, out, a, b, 1, NULL);
}

// The expression that a widening cast of arithmetic is: the same arithmetic on widened operands. NULL: it is none.
static const expr *pushed_cast(expr_session *s, const expr *e) {
    const expr *a = expr_canon(s, e->in[0]);
    if (a->op < EXPR_ADD || a->op > EXPR_MAX || !canon_is_exact(a->type)) return NULL;
    if (canon_at(s, a)->flags & NODE_DATA) return NULL;
    return expr_binary(s, (expr_op)a->op, expr_cast(s, e->type, a->in[0]), expr_cast(s, e->type, a->in[1]));
}

// int32 to int64, or no change at all: the value stays.
static bool widens(const expr *e) { return e->type.kind == DTYPE_I64 || dtype_equal(e->type, e->in[0]->type); }

static void canon_cast(expr_session *s, const expr *e, poly_sum *out) {
    int64_t k;
    const expr *pushed = widens(e) ? pushed_cast(s, e) : NULL;
    if (pushed)
        sum_add(out, poly_see(canon_sum(s, pushed)), 1);
    else if (expr_const_int(expr_canon(s, e->in[0]), &k) && e->in[0]->type.kind != DTYPE_U64 &&
             dtype_wrap(e->type, k) == k)
        sum_add_constant(out, k);
    else
        add_atom(s, e, out);
}

// Two to the power of a constant amount below 62. 0 where the amount is none.
static int64_t power_of_two(poly_view amount) {
    return !amount.count && amount.constant >= 0 && amount.constant < 62 ? (int64_t)1 << amount.constant : 0;
}

// The modulus that & with a constant of the form 2**n - 1 stands for; 0 where it is none.
static int64_t low_bits(poly_view mask) {
    int64_t k = mask.constant;
    return !mask.count && k >= 0 && k < INT64_MAX && !(k & (k + 1)) ? k + 1 : 0;
}

// Shifts and masks by constants are arithmetic; other calls are atoms.
static void canon_call(expr_session *s, const expr *e, poly_sum *out) {
    intrinsic_id f = (intrinsic_id)e->as.intrin->id;
    if (f == INTRIN_IF_THEN_ELSE) {
        canon_select(s, e, out);
        return;
    }
    bool shifts = f == INTRIN_SHIFT_LEFT || f == INTRIN_SHIFT_RIGHT;
    int64_t k = shifts ? power_of_two(operand(s, e, 1)) : f == INTRIN_BITWISE_AND ? low_bits(operand(s, e, 1)) : 0;
    poly_view factor = {.type = e->type, .constant = k};
    if (k && f == INTRIN_SHIFT_LEFT)
        sum_add_product(s, out, operand(s, e, 0), factor, 1);
    else if (k && f == INTRIN_SHIFT_RIGHT)
        add_quotient(s, out, operand(s, e, 0), factor, 1, NULL);
    else if (k)
        add_remainder(s, out, operand(s, e, 0), factor, 1, NULL);
    else
        add_atom(s, e, out);
}

typedef void canon_function(expr_session *s, const expr *e, poly_sum *out);
static canon_function *const canon_of[EXPR_OPS] = {
    [EXPR_INT] = canon_int,
    [EXPR_ADD] = canon_add,
    [EXPR_SUB] = canon_sub,
    [EXPR_MUL] = canon_mul,
    [EXPR_FLOOR_DIV] = canon_div,
    [EXPR_FLOOR_MOD] = canon_mod,
    [EXPR_MIN] = canon_extremum,
    [EXPR_MAX] = canon_extremum,
    [EXPR_SELECT] = canon_select,
    [EXPR_TRUNC_DIV] = canon_truncated,
    [EXPR_TRUNC_MOD] = canon_truncated,
    [EXPR_CAST] = canon_cast,
    [EXPR_CALL] = canon_call,
};

// ---- conditions ----

// Operands in order of their ids: a and b is b and a.
static const expr *canon_logic(expr_session *s, const expr *e) {
    const expr *a = expr_canon(s, e->in[0]), *b = expr_canon(s, e->in[1]);
    bool neutral = e->op == EXPR_AND; // true and x == x, false or x == x
    if (a == b || expr_is_int(b, neutral)) return a;
    if (expr_is_int(a, neutral)) return b;
    if (expr_is_int(a, !neutral) || expr_is_int(b, !neutral)) return expr_bool(s, !neutral);
    return a->id < b->id ? expr_binary(s, (expr_op)e->op, a, b) : expr_binary(s, (expr_op)e->op, b, a);
}

// Moves what is subtracted to the other side: 4 - n >= 0 reads n <= 4.
static bool split_sides(poly_view v, poly_sum *left, poly_sum *right) {
    sum_start(left, v.type);
    sum_start(right, v.type);
    for (uint32_t i = 0; i < v.count; i++) {
        int64_t k = v.term[i].coef;
        if (k == INT64_MIN) return false;
        sum_add_term(k > 0 ? right : left, v.term[i].mono, k > 0 ? k : -k);
    }
    if (v.constant == INT64_MIN) return false;
    sum_add_constant(v.constant > 0 ? right : left, v.constant > 0 ? v.constant : -v.constant);
    return true;
}

// v >= 0, v == 0 or v != 0 as a comparison. NULL where a coefficient has no negative in int64.
static const expr *render_condition(expr_session *s, fact_kind kind, poly_sum *v) {
    static const expr_op spelled[] = {[FACT_NOT_NEGATIVE] = EXPR_LE, [FACT_ZERO] = EXPR_EQ, [FACT_NOT_ZERO] = EXPR_NE};
    poly_sum left, right;
    fold_mods(s, v);
    if (!split_sides(sum_see(v), &left, &right)) return NULL;
    const expr *a = poly_render(s, sum_see(&left)), *b = poly_render(s, sum_see(&right));
    return kind == FACT_NOT_NEGATIVE ? expr_binary(s, EXPR_LE, a, b) : expr_binary(s, spelled[kind], b, a);
}

// Coefficients must be constants of the sum's type, or it could not be written as an expression.
static bool sum_fits(const poly_sum *p) {
    if (p->failed) return false;
    if (p->type.kind != DTYPE_I32) return true;
    bool fits = p->constant == (int32_t)p->constant;
    for (uint32_t i = 0; i < p->count && fits; i++) fits = p->term[i].coef == (int32_t)p->term[i].coef;
    return fits;
}

// NULL where it is no comparison of exact index expressions.
static const expr *canon_comparison(expr_session *s, const expr *e) {
    poly_sum sum;
    fact_kind kind;
    if (!condition_sum(s, e, &kind, &sum) || !sum_fits(&sum)) return NULL;
    if (sum.count) return render_condition(s, kind, &sum);
    bool holds = kind == FACT_NOT_NEGATIVE ? sum.constant >= 0 : (sum.constant == 0) == (kind == FACT_ZERO);
    return expr_bool(s, holds);
}

// Conditions, floats, handles, vectors: canonical operands, and what holds of conditions.
static const expr *canon_plain(expr_session *s, const expr *e) {
    if (e->op == EXPR_AND || e->op == EXPR_OR) return canon_logic(s, e);
    if (e->op == EXPR_NOT) {
        const expr *negated = negate_condition(s, expr_canon(s, e->in[0]));
        const expr *known = negated->op == EXPR_NOT ? NULL : canon_comparison(s, negated);
        return known ? known : negated;
    }
    const expr *known = e->op >= EXPR_EQ && e->op <= EXPR_GE ? canon_comparison(s, e) : NULL;
    return known ? known : with_canonical_operands(s, e);
}

// ---- the walk ----

static bool is_settled(expr_session *s, const expr *e) { return canon_at(s, e)->flags & NODE_SETTLED; }

// Puts on the stack what must be known before e: its operands, and what a widening cast turns into. False: nothing.
static bool wait_for_operands(expr_session *s, const expr *e) {
    expr_list *stack = &s->canon->stack;
    uint32_t before = stack->len;
    for (uint32_t i = 0; i < e->count; i++)
        if (!is_settled(s, e->in[i])) VEC_PUSH(s->mem, stack, e->in[i]);
    if (stack->len > before) return true;
    if (e->op != EXPR_CAST || e->type.kind != DTYPE_I64) return false;
    const expr *pushed = pushed_cast(s, e);
    if (!pushed || is_settled(s, pushed)) return false;
    VEC_PUSH(s->mem, stack, pushed);
    return true;
}

// A failed sum makes the node an atom. A sum of one plain atom is shared with that atom.
static const poly *finish_sum(expr_session *s, const expr *e, const poly_sum *sum) {
    bool unit = sum->count == 1 && !sum->constant && sum->term[0].coef == 1;
    if (sum_fits(sum)) return unit ? canon_monomial(s, sum->term[0].mono) : poly_new(s->mem, sum);
    const expr *atom = with_canonical_operands(s, e);
    return canon_monomial(s, atom);
}

// Wrapping arithmetic (narrow types, data) is an atom; so is what has no function in canon_of.
static void settle_index(expr_session *s, const expr *e, bool data) {
    poly_sum sum;
    sum_start(&sum, e->type);
    canon_function *f = data || !canon_is_exact(e->type) ? NULL : canon_of[e->op];
    if (e->op == EXPR_INT && e->type.kind != DTYPE_U64) f = canon_int;
    if (f)
        f(s, e, &sum);
    else
        add_atom(s, e, &sum);
    const poly *p = finish_sum(s, e, &sum);
    canon_entry *entry = canon_at(s, e);
    if (!entry->sum) entry->sum = p;
}

static void settle_node(expr_session *s, const expr *e) {
    uint8_t flags = flags_of(s, e);
    canon_at(s, e)->flags |= flags;
    if (canon_is_exact(e->type) || expr_is_index(e)) {
        settle_index(s, e, flags & NODE_DATA);
    } else {
        const expr *form = canon_plain(s, e);
        canon_at(s, e)->form = form;
        canon_entry *other = canon_at(s, form);
        other->form = form;
        other->flags |= flags | NODE_SETTLED;
    }
    canon_at(s, e)->flags |= NODE_SETTLED;
}

// Depth first from a list: expressions may be a million levels deep.
static void settle(expr_session *s, const expr *root) {
    canon_at(s, root);
    expr_list *stack = &s->canon->stack;
    uint32_t base = stack->len;
    VEC_PUSH(s->mem, stack, root);
    while (stack->len > base) {
        const expr *e = stack->at[stack->len - 1];
        if (!is_settled(s, e)) {
            if (wait_for_operands(s, e)) continue;
            settle_node(s, e);
        }
        stack->len--;
    }
}

const poly *canon_sum(expr_session *s, const expr *e) {
    canon_entry *entry = canon_at(s, e);
    if (entry->sum) return entry->sum;
    if (!(entry->flags & NODE_SETTLED)) settle(s, e);
    return canon_at(s, e)->sum;
}

// Rendering folds remainders, then tells the table what the rendered node means: it is never computed again.
// `written` may be NULL, or what may be the canonical form itself.
static const expr *render_form(expr_session *s, const poly *p, const expr *written) {
    const poly *folded = canon_folded(s, p);
    bool is_form = written && poly_reads(written, poly_see(folded));
    const expr *form = is_form ? written : poly_render(s, poly_see(folded));
    ((poly *)(uintptr_t)p)->form = form; // a cache: the sum itself stays
    uint8_t flags = flags_in(s, p);
    canon_entry *entry = canon_at(s, form);
    if (!entry->sum) entry->sum = p;
    entry->form = form;
    entry->flags |= flags | NODE_SETTLED;
    return form;
}

const expr *canon_form(expr_session *s, const poly *p) { return p->form ? p->form : render_form(s, p, NULL); }

// The form is rendered only when somebody asks: most sums are only compared.
const expr *expr_canon(expr_session *s, const expr *e) {
    canon_entry *entry = canon_at(s, e);
    if (entry->form) return entry->form;
    if (!(entry->flags & NODE_SETTLED)) settle(s, e);
    entry = canon_at(s, e);
    if (entry->form) return entry->form;
    const expr *form = entry->sum->form ? entry->sum->form : render_form(s, entry->sum, e);
    canon_at(s, e)->form = form;
    return form;
}

bool canon_has_effect(expr_session *s, const expr *e) {
    if (!is_settled(s, e)) settle(s, e);
    return canon_at(s, e)->flags & NODE_EFFECT;
}

bool canon_is_partial(expr_session *s, const expr *e) {
    if (!is_settled(s, e)) settle(s, e);
    return canon_at(s, e)->flags & NODE_PARTIAL;
}
