// prove.c - `relax prove`: shows that a condition over integers always holds, or gives values for which it does not.
#include "cli/condition.h"
#include <string.h>

typedef struct answer {
    bool proved, contradictory, found;
    const char *counterexample;
} answer;

// Where no counterexample was found: what the prover was left with.
static void put_canonical(text *t, cli_expressions *x, const expr *condition) {
    const expr *form = expr_canon(x->s, condition);
    text_put(t, "canonical form: ");
    expr_print(t, form, NULL);
    text_put(t, "\n");
}

static void put_plain(text *t, cli_expressions *x, const expr *condition, const answer *r) {
    text_put(t, r->proved ? "proved" : "not proved");
    if (r->contradictory) text_put(t, " (the given conditions contradict one another)");
    text_put(t, "\n");
    if (r->proved) return;
    if (r->found)
        text_format(t, "counterexample: %s\n", *r->counterexample ? r->counterexample : "it is false");
    else
        put_canonical(t, x, condition);
}

static void put_json(text *t, cli_expressions *x, const expr *condition, const answer *r) {
    text canonical = TEXT_IN(t->mem);
    expr_print(&canonical, expr_canon(x->s, condition), NULL);
    text_format(t, "{\"proved\": %s, \"contradictory\": %s, \"counterexample\": ", r->proved ? "true" : "false",
                r->contradictory ? "true" : "false");
    if (r->found)
        cli_json_string(t, r->counterexample, strlen(r->counterexample));
    else
        text_put(t, "null");
    text_put(t, ", \"canonical\": ");
    cli_json_string(t, text_get(&canonical), canonical.len);
    text_put(t, "}\n");
}

// A counterexample is only looked for when there is no proof; contradictory facts prove anything, so that is told.
static answer prove(const cli_args *a, cli_expressions *x, const expr *condition) {
    text found = TEXT_IN(a->mem);
    scalar known; // what has no variables is computed
    bool constant = expr_eval(condition, NULL, &known) == EXPR_DONE;
    answer r = {.proved = (constant && known.i) || prove_true(x->s, condition, x->given)};
    r.contradictory = prove_true(x->s, expr_bool(x->s, false), x->given);
    r.found = !r.proved && find_counterexample(x->s, condition, x->given, &found);
    r.counterexample = text_get(&found);
    return r;
}

// Malformed input is wrong usage here, as 1 means "not proved".
static int answer_question(const cli_args *a, cli_expressions *x) {
    const expr *condition = cli_expression(a, x, a->positional[0]);
    if (!condition) return CLI_USAGE;
    if (dtype_family_of(condition->type) != FAMILY_BOOL)
        return cli_usage(a, "want a condition such as n + 1 <= m, got the value '%s'", a->positional[0]);
    if (!cli_given(a, x)) return CLI_USAGE;
    answer r = prove(a, x, condition);
    text t = TEXT_IN(a->mem);
    if (cli_flag(a, "json"))
        put_json(&t, x, condition, &r);
    else
        put_plain(&t, x, condition, &r);
    int code = cli_print(&t);
    return code == CLI_DONE && !r.proved ? CLI_WRONG : code;
}

static int run(const cli_args *a) {
    cli_expressions x = cli_expressions_open(a);
    int code = answer_question(a, &x);
    expr_close(x.s);
    return code;
}

static const cli_option options[] = {CLI_GIVEN, {.name = "json", .doc = "print for programs"}, {0}};

const cli_verb verb_prove = {
    .name = "prove",
    .summary = "proves a condition on sizes and indices, or gives a counterexample",
    .usage = "CONDITION [--given CONDITIONS]",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "Variables are 64-bit integers and operations don't wrap; // and % round down, as in Python. Chains such\n"
        "as 0 <= j < 4 are accepted, so are min, max, and, or, not and T. functions. \"-\" reads the condition from\n"
        "stdin; put -- before a condition that begins with a minus.\n\n"
        "Exit code 0: proved. 1: not proved; prints values for which it is false, or else its canonical form.\n"
        "2: malformed.",
    .examples = "  relax prove '(n+1)*4 == 4*n + 4'\n"
                "  relax prove 'n*2 % 16 == 0' --given 'n % 8 == 0'\n"
                "  relax prove 'io*16 + ii < n' --given '0 <= io < n//16, 0 <= ii < 16'\n",
    .run = run,
};
