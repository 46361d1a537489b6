// condition.c - expressions and conditions on the command line.
#include "cli/condition.h"
#include "expr/parse.h"
#include <string.h>

// One session and one set of names for all texts of a command.
cli_expressions cli_expressions_open(const cli_args *a) {
    expr_session *s = expr_open();
    return (cli_expressions){.s = s, .vars = TEXT_MAP_IN(a->mem), .given = facts_new(s), .d = diag_new(a->mem)};
}

// Numbers are int64, as variables are: what is larger would be of another type, of which nothing is proved.
static bool fits_int64(const cli_args *a, cli_expressions *x, const expr *e) {
    expr_walk w = expr_walk_from(a->mem, e);
    for (const expr *n = expr_walk_next(&w); n; n = expr_walk_next(&w))
        if (n->op == EXPR_INT && n->type.kind == DTYPE_U64)
            return diag_error(x->d, (loc){0}, "the number %llu does not fit in int64", (unsigned long long)n->as.ival);
    return true;
}

static const expr *read_text(const cli_args *a, cli_expressions *x, const char *name, const char *bytes, size_t size) {
    source *src = ARENA_NEW(a->mem, source, 1);
    *src = (source){.name = name, .bytes = bytes, .size = size};
    const expr *e = expr_parse(x->s, src, &x->vars, x->d);
    return e && fits_int64(a, x, e) ? e : NULL;
}

const expr *cli_expression(const cli_args *a, cli_expressions *x, const char *words) {
    const source *in = strcmp(words, "-") == 0 ? cli_source(a, words) : NULL;
    if (strcmp(words, "-") == 0 && !in) return NULL;
    const expr *e =
        in ? read_text(a, x, in->name, in->bytes, in->size) : read_text(a, x, "<expression>", words, strlen(words));
    if (!e) cli_report(x->d);
    return e;
}

// The length of the text before the next comma that stands in no brackets.
static size_t to_comma(const char *words) {
    size_t i = 0;
    for (int depth = 0; words[i] && (depth > 0 || words[i] != ','); i++)
        depth += (words[i] == '(' || words[i] == '[') - (words[i] == ')' || words[i] == ']');
    return i;
}

// Conditions separated by commas; commas inside brackets belong to calls.
static bool assume_all(const cli_args *a, cli_expressions *x, const char *words) {
    for (;; words++) {
        size_t size = to_comma(words);
        const expr *e = read_text(a, x, "<given>", words, size);
        if (!e) {
            cli_report(x->d);
            return false;
        }
        if (dtype_family_of(e->type) != FAMILY_BOOL) {
            cli_usage(a, "--given: want a condition such as n >= 1, got '%.*s'", (int)size, words);
            return false;
        }
        facts_assume(x->given, e);
        words += size;
        if (!*words) return true;
    }
}

bool cli_given(const cli_args *a, cli_expressions *x) {
    uint32_t count;
    const char *const *given = cli_values(a, "given", &count);
    for (uint32_t i = 0; i < count; i++)
        if (!assume_all(a, x, given[i])) return false;
    return true;
}
