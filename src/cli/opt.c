// opt.c - `relax opt`: runs passes over a module in text form and prints what comes out.
#include "cli/verb.h"
#include "pass/pass.h"
#include "text/script.h"
#include <string.h>

typedef struct opting {
    const cli_args *a;
    module *m;
    diag *d;
    pass_list steps;
    const arch *target;
    text times; // one line per step
    double total;
} opting;

// --- Listings.

static void put_options(text *t, const pass *p) {
    for (const pass_option *o = p->option; o < p->option + PASS_MAX_OPTIONS && o->name; o++) {
        const char *preset = *o->preset ? o->preset : "None";
        text_format(t, "    %s=%s  %s\n", o->name, preset, o->doc);
    }
}

static int list_passes(const cli_args *a) {
    text t = TEXT_IN(a->mem);
    uint32_t count;
    const pass *const *all = pass_all(&count);
    text_put(&t, "passes\n");
    for (uint32_t i = 0; i < count; i++) {
        text_format(&t, "  %-28s %s\n", all[i]->name, all[i]->doc);
        put_options(&t, all[i]);
    }
    text_put(&t, "pipelines\n");
    for (uint32_t i = 0; i < pipeline_count(); i++) {
        const char *doc, *steps, *name = pipeline_name(i, &doc, &steps);
        text_format(&t, "  %-28s %s\n    %s\n", name, doc, steps);
    }
    return cli_print(&t);
}

// --- What is done after each step.

static bool is_asked(const opting *o, const char *pass_name) {
    uint32_t count;
    const char *const *names = cli_values(o->a, "print-after", &count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], pass_name) == 0 || strcmp(names[i], "all") == 0) return true;
    return false;
}

static void after(void *user, const module *m, const pass_step *step, double seconds) {
    opting *o = user;
    char spelled[32];
    o->total += seconds;
    text_format(&o->times, "%-28s %s\n", step->pass->name, text_seconds(seconds, spelled));
    if (!is_asked(o, step->pass->name)) return;
    text t = TEXT_IN(o->a->mem);
    text_format(&t, "# after %s\n", step->pass->name);
    script_print(&t, m, NULL);
    cli_print(&t);
}

static bool check_names(const cli_args *a) {
    uint32_t count;
    const char *const *names = cli_values(a, "print-after", &count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], "all") != 0 && !pass_find(names[i])) {
            cli_usage(a, "--print-after: there is no pass '%s'; `relax opt --list` shows them", names[i]);
            return false;
        }
    return true;
}

// --- The run.

static bool read_steps(opting *o) {
    uint32_t count;
    const char *const *passes = cli_values(o->a, "pass", &count);
    const char *pipeline = cli_value(o->a, "pipeline");
    if (pipeline && !pipeline_find(pipeline, o->a->mem, &o->steps, o->d)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!pass_parse(passes[i], o->a->mem, &o->steps, o->d)) return false;
    return true;
}

static int print_result(opting *o) {
    text t = TEXT_IN(o->a->mem);
    char spelled[32];
    if (cli_flag(o->a, "time")) {
        text_format(&o->times, "%-28s %s\n", "total", text_seconds(o->total, spelled));
        text_put(&t, text_get(&o->times));
    } else {
        script_print(&t, o->m, NULL);
    }
    return cli_print(&t);
}

static int optimise(opting *o) {
    const source *src = cli_source(o->a, o->a->positional[0]);
    if (!src) return CLI_WRONG;
    o->m = script_parse(src, o->d);
    if (!o->m) return cli_report(o->d);
    pass_observer observer = {.verify = cli_flag(o->a, "verify"), .after = after, .user = o};
    bool fine = pass_run(o->m, &o->steps, o->target, &observer, o->d);
    int code = cli_report(o->d);
    if (fine && code == CLI_DONE) code = print_result(o);
    module_free(o->m);
    return code;
}

static int run(const cli_args *a) {
    if (cli_flag(a, "list")) return list_passes(a);
    if (!a->count) return cli_usage(a, "want a file");
    opting o = {.a = a, .d = diag_new(a->mem), .times = TEXT_IN(a->mem)};
    char why[256];
    o.target = arch_parse(a->mem, cli_value(a, "target"), why);
    if (!o.target) return cli_usage(a, "--target: %s", why);
    if (!check_names(a)) return CLI_USAGE;
    if (!read_steps(&o)) {
        cli_report(o.d);
        return CLI_USAGE;
    }
    return optimise(&o);
}

static const cli_option options[] = {
    {.name = "pass",
     .letter = 'p',
     .value = "LIST",
     .doc = "passes in order: A:option=value;option=value,B",
     .repeat = true},
    {.name = "pipeline", .value = "NAME", .doc = "the passes of a pipeline, before those of --pass"},
    {.name = "target", .value = "NAME", .preset = "cpu", .doc = "what the module is for"},
    {.name = "list", .doc = "list all passes with their options, and all pipelines"},
    {.name = "print-after",
     .value = "PASS",
     .doc = "print the module after this pass too; all: after each",
     .repeat = true},
    {.name = "time", .doc = "print how long each pass took instead of the module"},
    {.name = "verify", .doc = "check the rules of modules after each pass"},
    {0}};

const cli_verb verb_opt = {
    .name = "opt",
    .summary = "runs passes over a module",
    .usage = "FILE [--pass LIST] [--pipeline NAME]",
    .least = 0,
    .most = 1,
    .options = options,
    .details = "Passes and their options are named as in TVM. Values with commas stand in brackets or braces.",
    .examples = "  relax opt --pass LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR mlp.py\n"
                "  relax opt --pipeline default --time mlp.py\n"
                "  relax opt --pass 'DeadCodeElimination:entry_functions=[helper]' -\n"
                "  relax opt --list\n",
    .run = run,
};
