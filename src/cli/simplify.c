// simplify.c - `relax simplify`: a shorter expression of the same value.
#include "cli/condition.h"

// With the bounds of the value; null for an open side.
static void put_json(text *t, cli_expressions *x, const expr *e) {
    text simple = TEXT_IN(t->mem);
    interval r = expr_bounds(x->s, e, x->given);
    expr_print(&simple, e, NULL);
    text_put(t, "{\"simplified\": ");
    cli_json_string(t, text_get(&simple), simple.len);
    text_put(t, ", \"low\": ");
    if (r.has_low)
        text_format(t, "%lld", (long long)r.low);
    else
        text_put(t, "null");
    text_put(t, ", \"high\": ");
    if (r.has_high)
        text_format(t, "%lld", (long long)r.high);
    else
        text_put(t, "null");
    text_format(t, ", \"multiple\": %lld, \"remainder\": %lld}\n", (long long)r.multiple, (long long)r.remainder);
}

// Conditions are read after the expression: both share their variables.
static int simplify(const cli_args *a, cli_expressions *x) {
    const expr *e = cli_expression(a, x, a->positional[0]);
    if (!e || !cli_given(a, x)) return CLI_USAGE;
    const expr *simple = expr_simplify(x->s, e, x->given);
    text t = TEXT_IN(a->mem);
    if (cli_flag(a, "json")) {
        put_json(&t, x, simple);
    } else {
        expr_print(&t, cli_flag(a, "canonical") ? expr_canon(x->s, e) : simple, NULL);
        text_put(&t, "\n");
    }
    return cli_print(&t);
}

static int run(const cli_args *a) {
    cli_expressions x = cli_expressions_open(a);
    int code = simplify(a, &x);
    expr_close(x.s);
    return code;
}

static const cli_option options[] = {CLI_GIVEN,
                                     {.name = "canonical", .doc = "print the canonical form instead"},
                                     {.name = "json", .doc = "print for programs, with the bounds of the value"},
                                     {0}};

const cli_verb verb_simplify = {
    .name = "simplify",
    .summary = "simplifies an expression over sizes and indices",
    .usage = "EXPRESSION [--given CONDITIONS]",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "Variables are 64-bit integers and operations don't wrap; // and % round down, as in Python. The result has\n"
        "the same value wherever the expression has one and the given conditions hold. \"-\" reads the expression\n"
        "from stdin; put -- before one that begins with a minus.",
    .examples = "  relax simplify 'n*4 + (n + 1)*4 - 4'\n"
                "  relax simplify '(i*4 + j)//4' --given '0 <= j < 4'\n",
    .run = run,
};
