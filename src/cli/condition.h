// condition.h - expressions and conditions on the command line, for the verbs that take them.
#ifndef CLI_CONDITION_H
#define CLI_CONDITION_H
#include "cli/verb.h"
#include "expr/prove.h"

// What such a verb works on. Variables are int64 and shared by all texts.
typedef struct cli_expressions {
    expr_session *s; // closed by the caller
    text_map vars;
    facts *given;
    diag *d;
} cli_expressions;

// The option table row that cli_given reads.
#define CLI_GIVEN                                                                                                      \
    {.name = "given",                                                                                                  \
     .letter = 'g',                                                                                                    \
     .value = "CONDITIONS",                                                                                            \
     .repeat = true,                                                                                                   \
     .doc = "what holds, separated by commas: \"n >= 1, n % 8 == 0\""}

cli_expressions cli_expressions_open(const cli_args *a);
// Reads the text, or stdin for "-". NULL after reporting what is malformed.
const expr *cli_expression(const cli_args *a, cli_expressions *x, const char *words);
// Assumes all conditions of --given. False after reporting.
bool cli_given(const cli_args *a, cli_expressions *x);
#endif
