// span.c - interval arithmetic whose bounds are expressions.
#include "loop/span.h"

static const span unknown = {0};

span_scope span_scope_new(expr_session *s, arena *mem, const facts *known) {
    return (span_scope){.s = s, .mem = mem, .facts = known, .vars = MAP_IN(mem)};
}

void span_put(span_scope *in, const expr *var, span range_of_var) {
    span *copy = ARENA_NEW(in->mem, span, 1);
    *copy = range_of_var;
    map_put(&in->vars, MAP_KEY(var), copy);
}

static span point(const expr *e) { return (span){e, e}; }

static bool is_point(span a) { return a.low && a.low == a.high; }

static const expr *binary(span_scope *in, expr_op op, const expr *a, const expr *b) {
    return expr_binary(in->s, op, a, b);
}

static bool same_types(span a, span b) {
    return a.low && b.low && dtype_equal(a.low->type, b.low->type) && dtype_lanes(a.low->type) == 1;
}

static bool at_least(span_scope *in, const expr *e, int64_t least) {
    return prove_less_equal(in->s, expr_int(in->s, e->type, least), e, in->facts);
}

static bool at_most(span_scope *in, const expr *e, int64_t most) {
    return prove_less_equal(in->s, e, expr_int(in->s, e->type, most), in->facts);
}

// Integers all the way down, without loads.
static bool is_pure_index(span_scope *in, const expr *root) {
    map seen = MAP_IN(in->mem);
    expr_list todo = {0};
    VEC_PUSH(in->mem, &todo, root);
    while (todo.len) {
        const expr *e = todo.at[--todo.len];
        if (map_has(&seen, MAP_KEY(e))) continue;
        map_put(&seen, MAP_KEY(e), in);
        if (e->op == EXPR_LOAD || dtype_is_float(e->type)) return false;
        for (uint32_t i = 0; i < e->count; i++) VEC_PUSH(in->mem, &todo, e->in[i]);
    }
    return true;
}

// --- Operations.

static span both(span_scope *in, expr_op op, span a, span b) {
    return (span){binary(in, op, a.low, b.low), binary(in, op, a.high, b.high)};
}

static bool is_zero(span a) { return a.low == a.high && expr_is_int(a.low, 0); }

span span_add(span_scope *in, span a, span b) {
    if (!same_types(a, b)) return unknown;
    if (is_zero(a)) return b;
    return is_zero(b) ? a : both(in, EXPR_ADD, a, b);
}

static span subtract(span_scope *in, span a, span b) {
    return (span){binary(in, EXPR_SUB, a.low, b.high), binary(in, EXPR_SUB, a.high, b.low)};
}

// By a factor that does not vary and whose sign is known.
static span scale(span_scope *in, span a, const expr *factor, bool factor_first) {
    const expr *low = a.low, *high = a.high;
    if (at_most(in, factor, 0)) {
        low = a.high;
        high = a.low;
    } else if (!at_least(in, factor, 0)) {
        return unknown;
    }
    if (factor_first) return (span){binary(in, EXPR_MUL, factor, low), binary(in, EXPR_MUL, factor, high)};
    return (span){binary(in, EXPR_MUL, low, factor), binary(in, EXPR_MUL, high, factor)};
}

static span multiply(span_scope *in, span a, span b) {
    if (is_point(b)) return scale(in, a, b.low, false);
    return is_point(a) ? scale(in, b, a.low, true) : unknown;
}

static span divide(span_scope *in, span a, span b) {
    return is_point(b) && at_least(in, b.low, 1) ? both(in, EXPR_FLOOR_DIV, a, b) : unknown;
}

// Within one period the remainder grows with the dividend; otherwise it is anything below the divisor.
static span modulo(span_scope *in, span a, span b) {
    if (!is_point(b) || !at_least(in, b.low, 1)) return unknown;
    const expr *first = binary(in, EXPR_FLOOR_DIV, a.low, b.low), *last = binary(in, EXPR_FLOOR_DIV, a.high, b.low);
    if (prove_equal(in->s, first, last, in->facts)) return both(in, EXPR_FLOOR_MOD, a, b);
    const expr *one = expr_int(in->s, b.low->type, 1);
    return (span){expr_int(in->s, b.low->type, 0), binary(in, EXPR_SUB, b.low, one)};
}

// The smaller or larger of two, written out where neither is provably it; NULL where that would not be an index
// expression (a position computed in floats, an element of a table): such a box is better given up.
static const expr *extreme(span_scope *in, const expr *a, const expr *b, bool largest) {
    if (prove_less_equal(in->s, a, b, in->facts)) return largest ? b : a;
    if (prove_less_equal(in->s, b, a, in->facts)) return largest ? a : b;
    if (!is_pure_index(in, a) || !is_pure_index(in, b)) return NULL;
    return binary(in, largest ? EXPR_MAX : EXPR_MIN, a, b);
}

static span extremes(span_scope *in, const expr *low_a, const expr *low_b, bool low_largest, const expr *high_a,
                     const expr *high_b, bool high_largest) {
    span out = {extreme(in, low_a, low_b, low_largest), extreme(in, high_a, high_b, high_largest)};
    return out.low && out.high ? out : unknown;
}

span span_union(span_scope *in, span a, span b) {
    if (a.low && a.low == b.low && a.high == b.high) return a;
    if (!same_types(a, b)) return unknown;
    if (is_point(a) && is_point(b) && prove_equal(in->s, a.low, b.low, in->facts)) return a;
    return extremes(in, a.low, b.low, false, a.high, b.high, true);
}

static span clamp(span_scope *in, expr_op op, span a, span b) {
    bool largest = op == EXPR_MAX;
    return extremes(in, a.low, b.low, largest, a.high, b.high, largest);
}

static span cast(span_scope *in, dtype type, span a) {
    if (!a.low || !dtype_is_int(type) || !dtype_is_int(a.low->type)) return unknown;
    return (span){expr_cast(in->s, type, a.low), expr_cast(in->s, type, a.high)};
}

// base, base + stride, …: from base to base + (lanes - 1) * stride.
static span ramp(span_scope *in, const expr *e, span base) {
    int64_t stride;
    if (!base.low || !expr_const_int(e->in[1], &stride) || stride < 0) return unknown;
    const expr *reach = expr_int(in->s, base.low->type, stride * (int64_t)(dtype_lanes(e->type) - 1));
    return (span){base.low, binary(in, EXPR_ADD, base.high, reach)};
}

// --- Whole expressions, bottom-up without recursion.

static span operation(span_scope *in, const expr *e, span a, span b) {
    if (!same_types(a, b)) return unknown;
    if (e->op == EXPR_ADD) return span_add(in, a, b);
    if (e->op == EXPR_SUB) return subtract(in, a, b);
    if (e->op == EXPR_MUL) return multiply(in, a, b);
    if (e->op == EXPR_FLOOR_DIV) return divide(in, a, b);
    if (e->op == EXPR_FLOOR_MOD) return modulo(in, a, b);
    return e->op == EXPR_MIN || e->op == EXPR_MAX ? clamp(in, e->op, a, b) : unknown;
}

static span *find(const map *done, const expr *e) { return map_find(done, MAP_KEY(e)); }

// Where no operand varies, neither does the result: the same expression over what the operands stand for.
static span combine_points(span_scope *in, const expr *e, const map *done) {
    const expr **operand = ARENA_NEW(in->mem, const expr *, e->count);
    bool differs = false;
    for (uint32_t i = 0; i < e->count; i++) {
        operand[i] = find(done, e->in[i])->low;
        differs |= operand[i] != e->in[i];
    }
    return point(differs ? expr_with(in->s, e, operand) : e);
}

static span combine(span_scope *in, const expr *e, const map *done) {
    if (e->op == EXPR_RAMP) return ramp(in, e, *find(done, e->in[0]));
    if (e->op == EXPR_BROADCAST) return *find(done, e->in[0]);
    bool points = true;
    for (uint32_t i = 0; i < e->count; i++) points &= is_point(*find(done, e->in[i]));
    if (points) return combine_points(in, e, done);
    if (e->op == EXPR_CAST) return cast(in, e->type, *find(done, e->in[0]));
    if (e->op == EXPR_SELECT || expr_is_choice(e)) return span_union(in, *find(done, e->in[1]), *find(done, e->in[2]));
    return e->count == 2 && expr_is_index(e) ? operation(in, e, *find(done, e->in[0]), *find(done, e->in[1])) : unknown;
}

span span_of(span_scope *in, const expr *index) {
    const span *known = map_find(&in->vars, MAP_KEY(index));
    if (known) return *known;
    if (!index->count) return point(index);
    map done = MAP_IN(in->mem);
    expr_list todo = {0};
    VEC_PUSH(in->mem, &todo, index);
    while (todo.len) {
        const expr *e = todo.at[todo.len - 1];
        uint32_t waiting = todo.len;
        for (uint32_t i = 0; i < e->count; i++)
            if (!map_has(&done, MAP_KEY(e->in[i]))) VEC_PUSH(in->mem, &todo, e->in[i]);
        if (todo.len > waiting) continue;
        todo.len--;
        span *out = ARENA_NEW(in->mem, span, 1);
        known = map_find(&in->vars, MAP_KEY(e));
        *out = known ? *known : e->count ? combine(in, e, &done) : point(e);
        map_put(&done, MAP_KEY(e), out);
    }
    return *find(&done, index);
}

// --- Ranges.

span span_of_range(span_scope *in, range r) {
    if (expr_is_int(r.extent, 1)) return span_of(in, r.min);
    span low = span_of(in, r.min), extent = span_of(in, r.extent);
    if (!same_types(low, extent)) return unknown;
    const expr *one = expr_int(in->s, r.min->type, 1);
    const expr *end = expr_is_int(low.high, 0) ? extent.high : binary(in, EXPR_ADD, low.high, extent.high);
    return (span){low.low, expr_simplify(in->s, binary(in, EXPR_SUB, end, one), in->facts)};
}

range span_range(span_scope *in, span sp) {
    const expr *one = expr_int(in->s, sp.low->type, 1);
    if (is_point(sp)) return (range){sp.low, one};
    if (prove_equal(in->s, sp.low, sp.high, in->facts)) return (range){expr_simplify(in->s, sp.low, in->facts), one};
    const expr *extent = binary(in, EXPR_SUB, binary(in, EXPR_ADD, sp.high, one), sp.low);
    return (range){expr_simplify(in->s, sp.low, in->facts), expr_simplify(in->s, extent, in->facts)};
}

// --- Conditions.

static void set_span(span_scope *in, const expr *var, span *old, span now) {
    VEC_PUSH(in->mem, &in->undo, ((span_undo){.var = var, .before = old}));
    span_put(in, var, now);
}

// var <= limit, or var >= limit where `below` is false.
static void bound(span_scope *in, const expr *var, const expr *limit, bool below) {
    span *old = map_find(&in->vars, MAP_KEY(var));
    if (!old || !old->low || old->low == old->high || !dtype_equal(limit->type, old->low->type)) return;
    span to = span_of(in, limit);
    if (!is_point(to)) return; // the other side varies as well
    span now = *old;
    if (below && prove_less_equal(in->s, to.low, old->high, in->facts)) now.high = to.low;
    if (!below && prove_less_equal(in->s, old->low, to.low, in->facts)) now.low = to.low;
    if (now.low != old->low || now.high != old->high) set_span(in, var, old, now);
}

static const expr *shift(span_scope *in, const expr *e, int64_t by) {
    return expr_simplify(in->s, binary(in, EXPR_ADD, e, expr_int(in->s, e->type, by)), in->facts);
}

// a < b or a <= b, from both sides.
static void bound_order(span_scope *in, const expr *a, const expr *b, bool strict) {
    if (!expr_is_index(a) || !expr_is_index(b)) return;
    if (a->op == EXPR_VAR) bound(in, a, strict ? shift(in, b, -1) : b, true);
    if (b->op == EXPR_VAR) bound(in, b, strict ? shift(in, a, 1) : a, false);
}

static void bound_equal(span_scope *in, const expr *a, const expr *b) {
    bound_order(in, a, b, false);
    bound_order(in, b, a, false);
}

static void narrow(span_scope *in, const expr *c, bool holds) {
    expr_op op = c->op;
    if (op == EXPR_NOT) {
        narrow(in, c->in[0], !holds);
    } else if (op == (holds ? EXPR_AND : EXPR_OR)) {
        narrow(in, c->in[0], holds);
        narrow(in, c->in[1], holds);
    } else if (op == (holds ? EXPR_EQ : EXPR_NE)) {
        bound_equal(in, c->in[0], c->in[1]);
    } else if (op == EXPR_LT || op == EXPR_LE) {
        if (holds)
            bound_order(in, c->in[0], c->in[1], op == EXPR_LT);
        else
            bound_order(in, c->in[1], c->in[0], op == EXPR_LE);
    } else if (op == EXPR_GT || op == EXPR_GE) {
        if (holds)
            bound_order(in, c->in[1], c->in[0], op == EXPR_GT);
        else
            bound_order(in, c->in[0], c->in[1], op == EXPR_GE);
    }
}

uint32_t span_narrow(span_scope *in, const expr *condition, bool holds) {
    uint32_t mark = in->undo.len;
    narrow(in, condition, holds);
    return mark;
}

void span_restore(span_scope *in, uint32_t mark) {
    while (in->undo.len > mark) {
        const span_undo *u = &in->undo.at[--in->undo.len];
        map_put(&in->vars, MAP_KEY(u->var), u->before);
    }
}
