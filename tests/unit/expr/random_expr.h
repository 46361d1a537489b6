// random_expr.h - random expressions over a few variables, random facts about them, and values that satisfy the facts.
#ifndef TESTS_UNIT_EXPR_RANDOM_EXPR_H
#define TESTS_UNIT_EXPR_RANDOM_EXPR_H
#include "expr/prove.h"
#include "fixture.h"

enum { RANDOM_VARS = 4, RANDOM_FACTS = 4 };

typedef struct random_source {
    expr_session *s;
    uint64_t state; // any number but 0; the same one gives the same expressions
    const expr *var[RANDOM_VARS];
    const expr *fact[RANDOM_FACTS];
    uint32_t facts;
} random_source;

uint64_t random_next(random_source *r);
random_source random_start(expr_session *s, uint64_t seed);
const expr *random_integer_expr(random_source *r, int depth);
const expr *random_condition(random_source *r, int depth);
// Draws new facts; what they say is also assumed in the result.
facts *random_facts(random_source *r);
// Fills in values of the variables that satisfy the facts. False if none were found soon.
bool random_values(random_source *r, expr_env *env);
#endif
