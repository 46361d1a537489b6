// parse.h - reads scalar expressions from text: for `relax prove`, rule tables, compute text, bounds on the command
// line.
//
// (Programs are read by text/, whose names have other scopes; both share the operator table of this parser.)
#ifndef EXPR_PARSE_H
#define EXPR_PARSE_H
#include "base/lexer.h"
#include "expr/expr.h"

// How tightly an expression binds, as in Python. An operand that binds less tightly needs parentheses.
typedef enum expr_precedence {
    BIND_ANY,
    BIND_OR,
    BIND_AND,
    BIND_NOT, // prefix
    BIND_COMPARE,
    BIND_BIT_OR,
    BIND_BIT_XOR,
    BIND_BIT_AND,
    BIND_SHIFT,
    BIND_SUM,
    BIND_PRODUCT,
    BIND_SIGN, // prefix - + ~
    BIND_PRIMARY,
} expr_precedence;

// Binary operators by spelling, with Python's precedences (higher binds tighter). All associate to the left, but
// comparisons form chains.
typedef struct expr_operator {
    const char *spelling; // "//", "<=", "and", …
    expr_op op;           // EXPR_CALL: the intrinsic `call`
    int precedence;       // expr_precedence
    intrinsic_id call;
} expr_operator;
const expr_operator *expr_operator_find(const token *t); // NULL if t is no binary operator
const expr_operator *expr_operator_of(expr_op op);       // how op prints between operands; NULL if as a function

// Operations whose spelling is a function: T.max(a, b), T.truncdiv(a, b), T.Select(c, a, b), and all others as TVM's
// class names (T.Add, T.FloorDiv). `name` is without "T.". False if it is none of them.
bool expr_op_by_function_name(const char *name, expr_op *op);
const char *expr_op_function_name(expr_op op); // as TVM prints it: "max", "Div"; NULL if op prints otherwise

// T.NAME(...) as a reader builds it: an operation's function, an intrinsic, a type (T.int64(4) is a constant,
// T.int64(i) a cast), T.ceildiv, T.max_value("float16"). `type` is the leading type string of Cast, reinterpret,
// call_extern, … (void: there was none). Of Ramp and Broadcast the last argument is the number of lanes. Mixed types
// promote as TVM's do. NULL with `why` where TVM would refuse. Shuffle and Let have shapes of their own and are built
// by their builders.
const expr *expr_build_call(expr_session *s, const char *name, dtype type, const expr *const *arg, uint32_t count,
                            char why[128]);
// Is NAME in T.NAME("type", ...) one whose first argument is a type?
bool expr_call_leads_with_type(const char *name);
// Makes both of one type and number of lanes, by TVM's promotion.
bool expr_match_types(expr_session *s, const expr **a, const expr **b, char why[128]);

// `a o b` as a reader builds it: expr_arith, or the operator's intrinsic.
const expr *expr_apply_operator(expr_session *s, const expr_operator *o, const expr *a, const expr *b, char why[128]);
enum { EXPR_MAX_NESTING = 200 }; // nesting of brackets and operators in text; deeper is refused

// Reads one expression over int64 variables; unknown names become new variables, kept in `vars`. Comparison chains
// (0 <= j < 4), min, max, intrinsics, T.-prefixed spelling, Python's and/or/not. NULL after reporting.
const expr *expr_parse(expr_session *s, const source *src, text_map *vars, diag *d);
#endif
