// reduce.h - canonical sums made smaller under facts. For the files of expr/ alone.
#ifndef EXPR_REDUCE_H
#define EXPR_REDUCE_H
#include "expr/facts.h"

// out = v wherever the facts hold: atoms of one value become it, quotients whose numerator is known to be small go,
// operands that cannot win leave min and max, decided selects choose. `deep` asks the prover too, else only ranges.
void reduce_sum(expr_session *s, poly_sum *out, poly_view v, const facts *f, bool deep);

// --- What provers of single conditions ask of one another.
bool prove_not_negative(expr_session *s, poly_view v, const facts *f);
bool prove_zero(expr_session *s, poly_view v, const facts *f);
bool prove_not_zero(expr_session *s, poly_view v, const facts *f);
#endif
