// soundness.c - what is proved, bounded or simplified holds on random values.
#include "soundness.h"
#include "random_expr.h"

enum { EXPRESSIONS = 60, VALUES = 100 };

// What was claimed of one pair of expressions.
typedef struct claims {
    const expr *a, *b, *condition;
    const expr *canonical, *simple, *simple_condition;
    interval bounds;
    int64_t divisor;
    bool equal, less_equal, less, divides, condition_true, condition_false;
} claims;

typedef struct tally {
    uint32_t trials, proofs;
} tally;

static claims make_claims(random_source *r, const facts *f) {
    expr_session *s = r->s;
    claims c = {.a = random_integer_expr(r, 4), .condition = random_condition(r, 2)};
    int64_t apart = (int64_t)(random_next(r) % 5) - 2;
    const expr *like = random_next(r) % 2 ? expr_simplify(s, c.a, f) : expr_canon(s, c.a);
    c.b = random_next(r) % 2 ? random_integer_expr(r, 3) : expr_binary(s, EXPR_ADD, like, expr_i64(s, apart));
    c.divisor = (int64_t)(random_next(r) % 8) + 2;
    c.canonical = expr_canon(s, c.a);
    c.simple = expr_simplify(s, c.a, f);
    c.simple_condition = expr_simplify(s, c.condition, f);
    c.bounds = expr_bounds(s, c.a, f);
    c.equal = prove_equal(s, c.a, c.b, f);
    c.less_equal = prove_less_equal(s, c.a, c.b, f);
    c.less = prove_less(s, c.a, c.b, f);
    c.divides = prove_divides(s, c.divisor, c.a, f);
    c.condition_true = prove_true(s, c.condition, f);
    c.condition_false = prove_true(s, expr_not(s, c.condition), f);
    return c;
}

static bool within(const interval *r, int64_t v) {
    if ((r->has_low && v < r->low) || (r->has_high && v > r->high)) return false;
    return r->multiple ? (v - r->remainder) % r->multiple == 0 : v == r->remainder;
}

static void fail_claim(random_source *r, const expr_env *env, const char *what, const expr *a, const expr *b) {
    arena *mem = expr_arena(r->s);
    for (int i = 0; i < RANDOM_VARS; i++)
        print_message("%s = %lld\n", r->var[i]->as.var->name, (long long)env->value[r->var[i]->as.var->id].i);
    for (uint32_t i = 0; i < r->facts; i++) print_message("given %s\n", expr_to_text(mem, r->fact[i]));
    fail_msg("%s: %s and %s", what, expr_to_text(mem, a), expr_to_text(mem, b));
}

// The value of another form of e, where e has one: the same. (Overflow on the way is no value.)
static bool keeps_value(const expr *e, const expr *other, const expr_env *env) {
    scalar v, w;
    if (expr_eval(e, env, &v) != EXPR_DONE) return true;
    expr_status status = expr_eval(other, env, &w);
    return status == EXPR_OVERFLOW || (status == EXPR_DONE && v.i == w.i);
}

static void check_pair(random_source *r, const claims *c, const expr_env *env) {
    scalar a, b;
    if (expr_eval(c->a, env, &a) != EXPR_DONE) return;
    if (!within(&c->bounds, a.i)) fail_claim(r, env, "bounds", c->a, c->a);
    if (c->divides && a.i % c->divisor) fail_claim(r, env, "divides", c->a, expr_i64(r->s, c->divisor));
    if (expr_eval(c->b, env, &b) != EXPR_DONE) return;
    if (c->equal && a.i != b.i) fail_claim(r, env, "equal", c->a, c->b);
    if (c->less_equal && a.i > b.i) fail_claim(r, env, "less or equal", c->a, c->b);
    if (c->less && a.i >= b.i) fail_claim(r, env, "less", c->a, c->b);
}

static void check_claims(random_source *r, const claims *c, const expr_env *env) {
    scalar v;
    if (!keeps_value(c->a, c->canonical, env)) fail_claim(r, env, "canonical form", c->a, c->canonical);
    if (!keeps_value(c->a, c->simple, env)) fail_claim(r, env, "simplified", c->a, c->simple);
    if (!keeps_value(c->condition, c->simple_condition, env))
        fail_claim(r, env, "simplified", c->condition, c->simple_condition);
    check_pair(r, c, env);
    if (expr_eval(c->condition, env, &v) != EXPR_DONE) return;
    if (v.i ? c->condition_false : c->condition_true) fail_claim(r, env, "condition", c->condition, c->condition);
}

static void check_session(uint64_t seed, tally *t) {
    expr_session *s = expr_open();
    random_source r = random_start(s, seed);
    arena *mem = arena_new();
    for (int i = 0; i < EXPRESSIONS; i++) {
        facts *f = random_facts(&r);
        claims c = make_claims(&r, f);
        t->proofs += c.equal + c.less_equal + c.less + c.divides + c.condition_true + c.condition_false;
        expr_env env = expr_env_new(mem, s);
        for (int j = 0; j < VALUES && random_values(&r, &env); j++) {
            check_claims(&r, &c, &env);
            t->trials++;
        }
    }
    arena_free(mem);
    expr_close(s);
}

void check_soundness(uint32_t sessions, uint32_t least_trials, uint32_t least_proofs) {
    tally t = {0};
    for (uint64_t i = 0; i < sessions; i++) check_session(0x9E3779B97F4A7C15u * (i + 1) | 1, &t);
    print_message("%u trials of %u expressions, %u proofs\n", t.trials, sessions * EXPRESSIONS, t.proofs);
    assert_true(t.trials >= least_trials);
    assert_true(t.proofs >= least_proofs); // else it shows nothing
}
