// compute_arith.c - building expressions of the compute language: folding, types, conditions, safe division.
#include "ops/compute_nest.h"

dtype accumulator(dtype type) { return dtype_is_float(type) && dtype_bits(type) < 32 ? DTYPE_OF(F32) : type; }

// --- Whole numbers, folded as they are built so that programs read well.
static const expr *fold_constants(program *p, expr_op what, const expr *a, const expr *b) {
    scalar in[2] = {{.i = a->as.ival}, {.i = b->as.ival}}, out;
    const expr *e = expr_binary(p->s, what, a, b);
    if (a->op != EXPR_INT || b->op != EXPR_INT || expr_apply(e, in, &out) != EXPR_DONE) return e;
    return expr_int(p->s, e->type, out.i);
}

const expr *program_index(program *p, expr_op what, const expr *a, const expr *b) {
    bool zero_a = expr_is_int(a, 0), zero_b = expr_is_int(b, 0), one_a = expr_is_int(a, 1), one_b = expr_is_int(b, 1);
    if ((what == EXPR_ADD || what == EXPR_SUB) && zero_b) return a;
    if (what == EXPR_ADD && zero_a) return b;
    if (what == EXPR_MUL && (one_b || zero_a)) return a;
    if (what == EXPR_MUL && (one_a || zero_b)) return b;
    if ((what == EXPR_FLOOR_DIV || what == EXPR_TRUNC_DIV) && one_b) return a;
    if ((what == EXPR_FLOOR_MOD || what == EXPR_TRUNC_MOD) && one_b) return expr_int(p->s, a->type, 0);
    return fold_constants(p, what, a, b);
}

bool nest_is_truth(const expr *e, bool value) {
    return e->op == EXPR_INT && dtype_family_of(e->type) == FAMILY_BOOL && (e->as.ival != 0) == value;
}

const expr *nest_logic(program *p, expr_op what, const expr *a, const expr *b) {
    bool stops = what == EXPR_OR; // true ends an `or`, false an `and`
    if (nest_is_truth(a, stops) || nest_is_truth(b, !stops)) return a;
    if (nest_is_truth(b, stops) || nest_is_truth(a, !stops)) return b;
    return expr_binary(p->s, what, a, b);
}

// Arithmetic on values of any type; on bools sums and maxima are or, products and minima and, differences unequal.
const expr *nest_arith(nest *z, expr_op what, const expr *a, const expr *b) {
    bool is_bool = dtype_family_of(a->type) == FAMILY_BOOL;
    if (is_bool && (what == EXPR_ADD || what == EXPR_MAX)) return nest_logic(z->p, EXPR_OR, a, b);
    if (is_bool && (what == EXPR_MUL || what == EXPR_MIN)) return nest_logic(z->p, EXPR_AND, a, b);
    if (is_bool && what == EXPR_SUB) what = EXPR_NE;
    if (expr_op_allows(what, a->type))
        return dtype_is_int(a->type) ? program_index(z->p, what, a, b) : expr_binary(z->p->s, what, a, b);
    char spelled[32];
    nest_fail(z, (loc){0}, "%s does not take %s", expr_op_name(what), dtype_spell(a->type, spelled));
    return a;
}

const expr *nest_convert(nest *z, const expr *e, dtype type) {
    if (!type.kind || dtype_equal(e->type, type)) return e;
    const expr *number = expr_number(z->p->s, e, type);
    return number ? number : expr_cast(z->p->s, type, e);
}

// --- Conditions.
static const expr_op negation[] = {[EXPR_EQ] = EXPR_NE, [EXPR_NE] = EXPR_EQ, [EXPR_LT] = EXPR_GE,
                                   [EXPR_GE] = EXPR_LT, [EXPR_GT] = EXPR_LE, [EXPR_LE] = EXPR_GT};

// The ranges of the statement's indices, made when first asked for.
static const facts *nest_facts(nest *z) {
    if (z->facts) return z->facts;
    z->facts = facts_new(z->p->s);
    for (uint32_t i = 0; i < z->element.len; i++)
        if (z->element.at[i].extent)
            facts_range(z->facts, z->element.at[i].var, expr_i64(z->p->s, 0), z->element.at[i].extent);
    return z->facts;
}

// A condition that the ranges of the indices decide becomes true or false.
const expr *nest_decided(nest *z, const expr *c) {
    expr_session *s = z->p->s;
    if (c->op < EXPR_EQ || c->op > EXPR_GE || !expr_is_index(c->in[0])) return c;
    if (prove_true(s, c, nest_facts(z))) return expr_bool(s, true);
    const expr *opposite = expr_binary(s, negation[c->op], c->in[0], c->in[1]);
    return prove_true(s, opposite, nest_facts(z)) ? expr_bool(s, false) : c;
}

// Whole numbers divided so that no value of b traps: by 0 gives 0, by -1 the negative, wrapping.
static const expr *safe_division(nest *z, expr_op what, const expr *a, const expr *b) {
    expr_session *s = z->p->s;
    bool remainder = what == EXPR_TRUNC_MOD || what == EXPR_FLOOR_MOD;
    const expr *zero = expr_int(s, a->type, 0), *one = expr_int(s, a->type, 1);
    if (b->op == EXPR_INT && b->as.ival != 0 && b->as.ival != -1) return program_index(z->p, what, a, b);
    const expr *odd = expr_binary(s, EXPR_EQ, b, zero), *result;
    if (dtype_family_of(a->type) == FAMILY_UINT) {
        result = expr_binary(s, what, a, expr_select(s, odd, one, b));
        return expr_select(s, odd, zero, result);
    }
    const expr *minus = expr_binary(s, EXPR_EQ, b, expr_int(s, a->type, -1));
    result = expr_binary(s, what, a, expr_select(s, expr_binary(s, EXPR_OR, odd, minus), one, b));
    const expr *negative = remainder ? zero : expr_binary(s, EXPR_SUB, zero, a);
    return expr_select(s, odd, zero, expr_select(s, minus, negative, result));
}

static const expr *float_division(nest *z, expr_op what, const expr *a, const expr *b) {
    expr_session *s = z->p->s;
    if (what == EXPR_TRUNC_DIV) return expr_binary(s, EXPR_DIV, a, b);
    const expr *quotient = expr_binary(s, EXPR_DIV, a, b);
    if (what == EXPR_FLOOR_DIV) return expr_call(s, intrinsic_get(INTRIN_FLOOR), (dtype){0}, &quotient, 1);
    const expr *left = expr_call(s, intrinsic_get(INTRIN_FMOD), (dtype){0}, (const expr *[]){a, b}, 2);
    if (what == EXPR_TRUNC_MOD) return left;
    const expr *zero = expr_float(s, a->type, 0.0);
    const expr *signs = expr_binary(s, EXPR_NE, expr_binary(s, EXPR_LT, left, zero), expr_binary(s, EXPR_LT, b, zero));
    const expr *moves = expr_binary(s, EXPR_AND, expr_binary(s, EXPR_NE, left, zero), signs);
    return expr_select(s, moves, expr_binary(s, EXPR_ADD, left, b), left);
}

// Division of values of any type; of bools as of 0 and 1.
const expr *nest_division(nest *z, expr_op what, const expr *a, const expr *b) {
    bool remainder = what == EXPR_TRUNC_MOD || what == EXPR_FLOOR_MOD;
    if (dtype_is_float(a->type)) return float_division(z, what, a, b);
    if (dtype_is_int(a->type)) return safe_division(z, what, a, b);
    return remainder ? expr_bool(z->p->s, false) : nest_logic(z->p, EXPR_AND, a, b);
}
