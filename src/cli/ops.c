// ops.c - `relax ops`: the operators, what they take and what they mean.
#include "ops/ops.h"
#include "cli/ops_example.h"
#include "cli/verb.h"
#include "ops/page.h"
#include <string.h>

static int unknown(const cli_args *a, const char *name) {
    uint32_t count;
    const op *const *all = op_all(&count);
    const char **names = ARENA_NEW(a->mem, const char *, count);
    for (uint32_t i = 0; i < count; i++) names[i] = all[i]->name;
    const char *near = text_nearest_dotted(name, names, count);
    return near ? cli_error("there is no operator '%s'; did you mean '%s'?", name, near)
                : cli_error("there is no operator '%s'; `relax ops` lists them", name);
}

static void put_all_json(text *t) {
    uint32_t count;
    const op *const *all = op_all(&count);
    text_put(t, "[\n");
    for (uint32_t i = 0; i < count; i++) {
        op_page_json(t, all[i]);
        text_put(t, i + 1 < count ? ",\n" : "\n");
    }
    text_put(t, "]\n");
}

// docs/operators.md is what this prints; a test compares them.
static void put_markdown(text *t) {
    uint32_t count;
    const op *const *all = op_all(&count);
    op_page_markdown_head(t);
    for (uint32_t i = 0; i < count; i++) op_page_section(t, all[i], ops_example(t->mem, all[i]));
}

// With or without the R. that calls have.
static int run_one(const cli_args *a, const char *name) {
    text t = TEXT_IN(a->mem);
    if (strncmp(name, "R.", 2) == 0) name += 2;
    const op *o = op_find(name);
    if (!o) return unknown(a, name);
    if (cli_flag(a, "json")) {
        op_page_json(&t, o);
        text_put(&t, "\n");
    } else {
        op_page(&t, o);
    }
    return cli_print(&t);
}

static int run(const cli_args *a) {
    text t = TEXT_IN(a->mem);
    if (cli_flag(a, "markdown") && (a->count || cli_flag(a, "json"))) return cli_usage(a, "--markdown stands alone");
    if (a->count) return run_one(a, a->positional[0]);
    if (cli_flag(a, "markdown"))
        put_markdown(&t);
    else if (cli_flag(a, "json"))
        put_all_json(&t);
    else
        op_page_list(&t);
    return cli_print(&t);
}

static const cli_option options[] = {{.name = "json", .doc = "print for programs"},
                                     {.name = "markdown", .doc = "print the reference page of all operators"},
                                     {0}};

const cli_verb verb_ops = {
    .name = "ops",
    .summary = "lists the operators, or explains one",
    .usage = "[NAME]",
    .most = 1,
    .options = options,
    .details =
        "A page has the operator's inputs and attributes as calls spell them, its meaning, and samples of calls.",
    .examples = "  relax ops\n"
                "  relax ops nn.softmax\n"
                "  relax ops matmul --json\n",
    .run = run,
};
