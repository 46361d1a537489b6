// opt.c - `relax opt`: runs passes over a module in text form and prints what comes out.
#include "cli/opt_dump.h"
#include "cli/verb.h"
#include "graph/verify.h"
#include "interp/interp.h"
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
    double seconds, total;
    opt_dump dump;
} opting;

// --- Listings.

// As they are written on the command line, with their defaults.
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

// By the name of the pass, each time it runs.
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
    o->seconds = seconds;
    o->total += seconds;
    text_format(&o->times, "%-28s %s\n", step->pass->name, text_seconds(seconds, spelled));
    if (!is_asked(o, step->pass->name)) return;
    text t = TEXT_IN(o->a->mem);
    text_format(&t, "# after %s\n", step->pass->name);
    script_print(&t, m, NULL);
    cli_print(&t);
}

// Printing is a copy of the module: passes change it in place.
static const char *printed(const opting *o) {
    text t = TEXT_IN(o->a->mem);
    script_print(&t, o->m, NULL);
    return text_get(&t);
}

// The public functions of the module before and after a pass give equal results on random inputs.
static bool same_numbers(opting *o, const char *before, const char *pass_name) {
    source *src = ARENA_NEW(o->a->mem, source, 1); // as long as the diagnostics
    *src = (source){.name = "<before the pass>", .bytes = before, .size = strlen(before)};
    module *m = script_parse(src, o->d);
    bool same = m != NULL;
    for (uint32_t i = 0; same && i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        bool public = f->kind == FUNC_GRAPH && !f->graph->is_private && module_find(o->m, f->name);
        text report = TEXT_IN(o->a->mem);
        if (!public || interp_equal(m, o->m, f->name, &(equal_options){0}, &report) != EQUAL_DIFFERENT) continue;
        same = diag_error(o->d, f->at, "%s changes what %s computes: %s", pass_name, f->name, text_get(&report));
    }
    module_free(m);
    return same;
}

// Steps run one by one, since dumps and comparisons need the module between them.
static bool run_step(opting *o, const pass_step *step) {
    pass_list one = {.at = &(pass_step){step->pass, step->options, step->named}, .len = 1, .room = 1};
    pass_observer observer = {.verify = cli_flag(o->a, "verify"), .after = after, .user = o};
    bool numbers = cli_flag(o->a, "verify-numerics");
    const char *before = numbers ? printed(o) : NULL;
    if (!pass_run(o->m, &one, o->target, &observer, o->d)) return false;
    if (numbers && !same_numbers(o, before, step->pass->name)) return false;
    return !o->dump.dir || opt_dump_stage(&o->dump, step->pass->name, printed(o), o->seconds);
}

// Before anything runs: a slip would only show as missing output.
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

// --time takes the place of the module, so that both can be piped.
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

// What the verifier says of the input is the input's fault, not that of the first pass.
static bool read_module(opting *o, const source *src) {
    o->m = script_parse(src, o->d);
    return o->m && module_verify(o->m, o->d);
}

static bool run_steps(opting *o) {
    if (o->dump.dir && !opt_dump_stage(&o->dump, "input", printed(o), 0)) return false;
    for (uint32_t i = 0; i < o->steps.len; i++)
        if (!run_step(o, &o->steps.at[i])) return false;
    return !o->dump.dir || opt_dump_index(&o->dump);
}

static int optimise(opting *o) {
    const source *src = cli_source(o->a, o->a->positional[0]);
    if (!src) return CLI_WRONG;
    bool fine = read_module(o, src) && run_steps(o);
    int code = cli_report(o->d);
    if (code == CLI_DONE) code = fine ? print_result(o) : CLI_WRONG;
    module_free(o->m);
    return code;
}

static int run(const cli_args *a) {
    if (cli_flag(a, "list")) return list_passes(a);
    if (!a->count) return cli_usage(a, "want a file");
    opting o = {.a = a, .d = diag_new(a->mem), .times = TEXT_IN(a->mem)};
    o.dump = (opt_dump){.mem = a->mem, .dir = cli_value(a, "dump-ir")};
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
    {.name = "dump-ir", .value = "DIR", .doc = "write the module after each pass that changed it, and index.html"},
    {.name = "time", .doc = "print how long each pass took instead of the module"},
    {.name = "verify", .doc = "check the rules of modules after each pass"},
    {.name = "verify-numerics", .doc = "run public functions before and after each pass on random inputs"},
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
