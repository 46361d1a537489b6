// fmt.c - `relax fmt`: module texts in one layout.
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "cli/verb.h"
#include "text/script.h"
#include <stdio.h>
#include <string.h>

static int write_back(const source *src, const text *formatted) {
    char why[FILE_WHY];
    if (file_write(src->name, formatted->at, formatted->len, why) != RX_OK) return cli_error("%s", why);
    return CLI_DONE;
}

static bool is_changed(const source *src, const text *formatted) {
    return src->size != formatted->len || memcmp(src->bytes, text_get(formatted), src->size) != 0;
}

// The text with our layout, or the module as it is understood.
static bool lay_out(const cli_args *a, const source *src, text *out, diag *d) {
    if (!cli_flag(a, "canonical")) return script_format(src, out, d);
    module *m = script_parse_as_written(src, d);
    if (m) script_print(out, m, NULL);
    module_free(m);
    return m != NULL;
}

// A file that is laid out already is not written: its time stays.
static int format_one(const cli_args *a, const char *path) {
    const source *src = cli_source(a, path);
    if (!src) return CLI_WRONG;
    diag *d = diag_new(a->mem);
    text formatted = TEXT_IN(a->mem);
    if (!lay_out(a, src, &formatted, d)) return cli_report(d);
    bool changed = is_changed(src, &formatted);
    if (cli_flag(a, "check")) {
        if (changed) fprintf(stderr, "%s: relax fmt would change it\n", src->name);
        return changed ? CLI_WRONG : CLI_DONE;
    }
    if (!cli_flag(a, "in-place")) return cli_print(&formatted);
    return changed ? write_back(src, &formatted) : CLI_DONE;
}

static int run(const cli_args *a) {
    int code = CLI_DONE;
    for (uint32_t i = 0; i < a->count; i++) {
        if (cli_flag(a, "in-place") && strcmp(a->positional[i], "-") == 0)
            return cli_usage(a, "-i can't write back to stdin");
        int one = format_one(a, a->positional[i]);
        if (one > code) code = one;
    }
    return code;
}

static const cli_option options[] = {
    {.name = "in-place", .letter = 'i', .doc = "write the files back instead of printing them"},
    {.name = "check", .doc = "print nothing; exit 1 and name the files that would change"},
    {.name = "canonical", .doc = "print the module in today's spelling, with all annotations, without comments"},
    {0},
};

const cli_verb verb_fmt = {
    .name = "fmt",
    .summary = "lays out module texts: one statement a line, four spaces a level",
    .usage = "FILE...",
    .least = 1,
    .most = UINT32_MAX,
    .options = options,
    .details =
        "Comments stay before the statement they precede, or behind it on its line. Nothing but spaces, line\n"
        "ends and semicolons changes; old spellings are kept but with --canonical. Texts with errors are reported\n"
        "and left alone. \"-\" reads stdin.",
    .examples = "  relax fmt model.py\n"
                "  relax fmt -i *.py\n"
                "  relax fmt --check *.py\n"
                "  relax fmt --canonical old.py > new.py\n",
    .run = run,
};
