// random_expr.c - random expressions, facts and values.
#include "random_expr.h"

enum { VALUE_TRIES = 60 };

uint64_t random_next(random_source *r) {
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state >> 3;
}

random_source random_start(expr_session *s, uint64_t seed) {
    static const char *const name[RANDOM_VARS] = {"n", "m", "i", "j"};
    random_source r = {.s = s, .state = seed};
    for (int i = 0; i < RANDOM_VARS; i++) r.var[i] = expr_new_var(s, name[i], DTYPE_OF(I64));
    return r;
}

static const expr *random_leaf(random_source *r) {
    static const int64_t numbers[] = {0, 1, 2, 3, 4, 5, 7, 8, 12, 16, -1, -2, -3, -4, -7};
    uint64_t k = random_next(r);
    if (k % 5 < 3) return r->var[k / 5 % RANDOM_VARS];
    return expr_i64(r->s, numbers[k / 5 % COUNT(numbers)]);
}

const expr *random_integer_expr(random_source *r, int depth) {
    static const expr_op ops[] = {EXPR_ADD,       EXPR_ADD,       EXPR_SUB, EXPR_SUB, EXPR_MUL,       EXPR_FLOOR_DIV,
                                  EXPR_FLOOR_DIV, EXPR_FLOOR_MOD, EXPR_MIN, EXPR_MAX, EXPR_TRUNC_DIV, EXPR_TRUNC_MOD};
    uint64_t k = random_next(r);
    if (!depth || k % 8 == 0) return random_leaf(r);
    if (k % 16 == 1) {
        const expr *c = random_condition(r, depth - 1);
        const expr *a = random_integer_expr(r, depth - 1), *b = random_integer_expr(r, depth - 1);
        return expr_select(r->s, c, a, b);
    }
    expr_op op = ops[k / 16 % COUNT(ops)];
    const expr *a = random_integer_expr(r, depth - 1);
    bool by_number = op == EXPR_MUL || (op >= EXPR_FLOOR_DIV && op <= EXPR_TRUNC_MOD);
    int64_t number = (int64_t)(random_next(r) % 16) - 3;
    if (by_number && k / 1024 % 4) return expr_binary(r->s, op, a, expr_i64(r->s, number ? number : 4));
    return expr_binary(r->s, op, a, random_integer_expr(r, depth - 1));
}

const expr *random_condition(random_source *r, int depth) {
    uint64_t k = random_next(r);
    if (depth && k % 6 == 0) return expr_not(r->s, random_condition(r, depth - 1));
    if (depth && k % 6 == 1) {
        const expr *a = random_condition(r, depth - 1), *b = random_condition(r, depth - 1);
        return expr_binary(r->s, k / 6 % 2 ? EXPR_AND : EXPR_OR, a, b);
    }
    const expr *a = random_integer_expr(r, depth), *b = random_integer_expr(r, depth ? depth - 1 : 0);
    return expr_binary(r->s, (expr_op)(EXPR_EQ + k / 6 % 6), a, b);
}

// A range, a multiple, an order of two variables, or any small condition.
static const expr *random_fact(random_source *r) {
    uint64_t k = random_next(r);
    const expr *v = r->var[k % RANDOM_VARS], *w = r->var[k / 4 % RANDOM_VARS];
    const expr *number = expr_i64(r->s, (int64_t)(k / 64 % 9) - 2), *zero = expr_i64(r->s, 0);
    switch (k / 1024 % 6) {
    case 0: return expr_binary(r->s, EXPR_LE, number, v);
    case 1: return expr_binary(r->s, EXPR_LT, v, expr_i64(r->s, (int64_t)(k / 64 % 20)));
    case 2:
        return expr_binary(r->s, EXPR_EQ, expr_binary(r->s, EXPR_FLOOR_MOD, v, expr_i64(r->s, 2 << k / 64 % 3)), zero);
    case 3: return expr_binary(r->s, EXPR_LT, v, w == v ? number : w);
    case 4: return expr_binary(r->s, EXPR_NE, v, number);
    default: return random_condition(r, 1);
    }
}

facts *random_facts(random_source *r) {
    facts *f = facts_new(r->s);
    r->facts = (uint32_t)(random_next(r) % (RANDOM_FACTS + 1));
    for (uint32_t i = 0; i < r->facts; i++) {
        r->fact[i] = random_fact(r);
        facts_assume(f, r->fact[i]);
    }
    return f;
}

static bool satisfied(const random_source *r, const expr_env *env) {
    scalar v;
    for (uint32_t i = 0; i < r->facts; i++)
        if (expr_eval(r->fact[i], env, &v) != EXPR_DONE || !v.i) return false;
    return true;
}

bool random_values(random_source *r, expr_env *env) {
    for (int i = 0; i < VALUE_TRIES; i++) {
        for (int j = 0; j < RANDOM_VARS; j++) {
            uint64_t k = random_next(r);
            int64_t v = (int64_t)(k / 8 % 23) - 7;
            if (k % 8 == 0) v *= 8;
            if (k % 8 == 1) v = (int64_t)(k / 8 % 100000) - 50000;
            expr_env_set(env, r->var[j], (scalar){.i = v});
        }
        if (satisfied(r, env)) return true;
    }
    return false;
}
