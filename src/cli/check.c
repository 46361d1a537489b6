// check.c - `relax check`: reads module texts and reports every error the reader or a verifier finds.
#include "cli/verb.h"
#include "graph/verify.h"
#include "text/script.h"

// The verifier looks at what the reader could make sense of, so both kinds of errors come at once.
static int check_one(const cli_args *a, const char *path) {
    const source *src = cli_source(a, path);
    if (!src) return CLI_WRONG;
    diag *d = diag_new(a->mem);
    module *m = script_parse(src, d);
    if (m) module_verify(m, d);
    module_free(m);
    return cli_report(d);
}

static int run(const cli_args *a) {
    int code = CLI_DONE;
    for (uint32_t i = 0; i < a->count; i++) {
        int one = check_one(a, a->positional[i]);
        if (one > code) code = one;
    }
    return code;
}

const cli_verb verb_check = {
    .name = "check",
    .summary = "reads module texts and reports all errors",
    .usage = "FILE...",
    .least = 1,
    .most = UINT32_MAX,
    .details =
        "A text that can be read is verified too: definitions before use, dataflow blocks, callees and arguments,\n"
        "annotations, every loop program. At most 20 errors are shown for each file. \"-\" reads stdin. Exit code 1\n"
        "if there is any error.",
    .examples = "  relax check model.py\n",
    .run = run,
};
