// facts.h - how facts are held. For the files of expr/ alone.
#ifndef EXPR_FACTS_H
#define EXPR_FACTS_H
#include "expr/range.h"

typedef enum fact_kind {
    FACT_NOT_NEGATIVE, // sum >= 0
    FACT_ZERO,         // sum == 0
    FACT_NOT_ZERO,     // sum != 0
    FACT_TRUE,         // a bool expression, in canonical form, that is none of these
} fact_kind;

typedef struct fact {
    fact_kind kind;
    const poly *sum;  // canonical; NULL for FACT_TRUE
    const expr *cond; // FACT_TRUE only
    uint64_t vars;    // of the sum: a bit for each, which several may share
    uint32_t seen;    // how many changes of its scope it has been asked about, and 1; 0: none yet (spread)
} fact;

typedef VEC(fact) fact_list;

struct facts {
    expr_session *s;
    arena *mem;         // of the lists and maps
    const facts *outer; // NULL: none
    fact_list list;
    expr_list given;          // the conditions as assumed
    map ranges;               // MAP_KEY(mono) -> range *: what single monomials are known to be
    uint32_t version;         // counts assumptions and changes
    VEC(uint64_t) changes;    // of ranges, one after the other: the variables of the monomial
    VEC(uint32_t) outer_seen; // as `seen`, of the facts of outer scopes
    uint64_t outer_stamp;     // of outer scopes when that was noted
    struct facts_cache *cache;
    bool contradictory; // they can't all hold: everything may be proved
    bool supposed;      // learnt sums that are in no condition of `given`
};

// Results under these facts; forgotten when one of the scopes learns something.
typedef struct facts_cache {
    uint64_t stamp;
    map ranges;                 // MAP_KEY(mono) -> range *
    map reduced;                // MAP_KEY(canonical sum) -> poly *
    map failed;                 // keys of questions that were not proved (prove.c)
    map simplified;             // MAP_KEY(node) -> expr (simplify.c)
    struct fact_models *models; // models.c
} facts_cache;
facts_cache *facts_cached(const facts *f);
facts *facts_push_in(arena *mem, expr_session *s, const facts *outer); // outer may be NULL

// Is the sum, or its negative, among the facts "is not zero"?
bool facts_say_not_zero(const facts *f, poly_view v);
bool facts_say_true(const facts *f, const expr *canonical); // the bool expression was assumed
bool facts_contradict(const facts *f);
// Assumes sum >= 0, sum == 0, sum != 0.
void facts_learn(facts *f, fact_kind kind, const poly *sum);
// The bool condition as a sum and what it says of it: a < b is b - a - 1 >= 0. False where it is no comparison of
// index expressions.
bool condition_sum(expr_session *s, const expr *condition, fact_kind *kind, poly_sum *out);
const expr *negate_condition(expr_session *s, const expr *condition);
#endif
