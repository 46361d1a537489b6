// rules.h - rewriting by the rows of rules.def. For the files of expr/ and their tests.
#ifndef EXPR_RULES_H
#define EXPR_RULES_H
#include "base/diag.h"
#include "expr/facts.h"

typedef struct rule_row {
    const char *name, *from, *to, *when; // as in rules.def
    bool wraps;                          // holds for integers that wrap, too
} rule_row;
extern const rule_row rule_table[];
extern const uint32_t rule_table_count;

// A row, read. The names c, d, k stand for constants, p, q, r for conditions, u, v, w for anything, others for
// integers.
typedef struct rule {
    const rule_row *row;
    const expr *from, *to, *when; // `when` may be NULL: always
} rule;

typedef struct rule_set {
    const rule *at; // in the order of their operators, else as listed
    uint32_t len;
    uint32_t first[EXPR_OPS + 1]; // those for operator o: first[o] .. first[o + 1] - 1
} rule_set;

// NULL after reporting what is malformed: a text that can't be read, a name in `to` that `from` does not bind.
const rule_set *rules_read(expr_session *s, const rule_row *row, uint32_t count, diag *d);
const rule_set *rules_of(expr_session *s); // those of rules.def, read once

// What the first rule that fits makes of e (not of its operands); NULL if none does.
const expr *rules_apply(expr_session *s, const rule_set *set, const expr *e, const facts *f, const rule **which);

// Applies rules to e alone until none fits. After RULES_MAX_STEPS it stops; then, if `cycle` is given, *cycle is the
// names of the rules that undo one another ("a -> b -> a"), allocated in the session, else NULL.
enum { RULES_MAX_STEPS = 64 };
const expr *rules_rewrite(expr_session *s, const rule_set *set, const expr *e, const facts *f, const char **cycle);
#endif
