// parse.h - reads scalar expressions from text: for `relax prove`, rule tables, compute text, bounds on the command
// line.
//
// (Programs are read by text/, whose names have other scopes; both share the operator table of this parser.)
#ifndef EXPR_PARSE_H
#define EXPR_PARSE_H
#include "base/lexer.h"
#include "expr/expr.h"

// Binary operators by spelling, with Python's precedences (higher binds tighter).
typedef struct expr_operator {
    const char *spelling; // "//", "<=", "and", …
    expr_op op;
    int precedence;
} expr_operator;
const expr_operator *expr_operator_find(const token *t); // NULL if t is no binary operator
enum { EXPR_MAX_NESTING = 200 };                         // nesting of brackets and operators in text; deeper is refused

// Reads one expression over int64 variables; unknown names become new variables, kept in `vars`. Comparison chains
// (0 <= j < 4), min, max, intrinsics, T.-prefixed spelling, Python's and/or/not. NULL after reporting.
const expr *expr_parse(expr_session *s, const source *src, text_map *vars, diag *d);
#endif
