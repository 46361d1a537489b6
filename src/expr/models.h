// models.h - a few values of all variables that satisfy the facts: what is false for one of them needs no proof
// attempt. For the files of expr/ alone.
#ifndef EXPR_MODELS_H
#define EXPR_MODELS_H
#include "expr/facts.h"

// True if some values satisfy the facts and make the condition on the sum false. Cheap; false says nothing.
bool models_refute(expr_session *s, const facts *f, fact_kind kind, poly_view v);
#endif
