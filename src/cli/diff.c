// diff.c - `relax diff`: whether two module texts mean the same, and where they first differ.
#include "cli/verb.h"
#include "text/script.h"
#include <string.h>

static module *read_module(const cli_args *a, const char *path) {
    const source *src = cli_source(a, path);
    if (!src) return NULL;
    diag *d = diag_new(a->mem);
    module *m = script_parse_as_written(src, d);
    cli_report(d);
    return m;
}

static int run(const cli_args *a) {
    bool same_stream = strcmp(a->positional[0], "-") == 0 && strcmp(a->positional[1], "-") == 0;
    if (same_stream) return cli_usage(a, "only one of the files may be \"-\": standard input can be read once");
    module *first = read_module(a, a->positional[0]), *second = read_module(a, a->positional[1]);
    text difference = TEXT_IN(a->mem);
    int code = CLI_WRONG;
    if (first && second) code = module_equal(first, second, &difference) ? CLI_DONE : CLI_WRONG;
    module_free(first);
    module_free(second);
    int printed = cli_print(&difference);
    return printed > code ? printed : code;
}

const cli_verb verb_diff = {
    .name = "diff",
    .summary = "compares two module texts up to renaming",
    .usage = "FILE FILE",
    .least = 2,
    .most = 2,
    .details =
        "Names of local variables, loop variables and symbols don't count, nor does the order of functions; names of\n"
        "functions do. Prints the first difference with what stands before it and exits 1; prints nothing and exits 0\n"
        "if the modules are equal. One of the files may be \"-\".",
    .examples = "  relax diff before.py after.py\n",
    .run = run,
};
