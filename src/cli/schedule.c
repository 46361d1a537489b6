// schedule.c - `relax schedule`: transforms the loops of a module's programs, by a trace or by the rules.
#include "schedule/schedule.h"
#include "base/file.h"
#include "base/suggest.h"
#include "cli/verb.h"
#include "interp/interp.h"
#include "text/script.h"
#include <string.h>

typedef struct scheduling {
    const cli_args *a;
    const source *src;
    module *m;
    const arch *target;
    const char *trace; // NULL: the rules
    diag *d;
    text out;
} scheduling;

// --- One program.

// As comments in a module, so that what is printed can be read again.
static void put_trace(scheduling *x, const char *name, const char *rule, const schedule *sch) {
    text trace = TEXT_IN(x->a->mem);
    schedule_trace(sch, &trace);
    const char *mark = cli_flag(x->a, "show") ? "" : "# ";
    text_format(&x->out, "# %s: %s\n", name, rule);
    for (const char *line = text_get(&trace); *line;) {
        size_t size = strcspn(line, "\n");
        text_format(&x->out, "%s%.*s\n", mark, (int)size, line);
        line += size + (line[size] == '\n');
    }
}

// A module of the file alone in which `f` stands for the function of its name.
static bool equals(scheduling *x, const loop_func *f, const char *what) {
    module *was = script_parse(x->src, x->d);
    const equal_options o = {.seed = 1};
    text report = TEXT_IN(x->a->mem);
    if (!was) return false;
    equal_result r = interp_equal(was, x->m, f->name, &o, &report);
    module_free(was);
    if (r == EQUAL_SAME) return true;
    diag_error(x->d, f->at, "%s: %s: %s", f->name,
               r == EQUAL_DIFFERENT ? "the result differs" : "the result could not be compared", text_get(&report));
    return diag_note(x->d, f->at, "%s", what);
}

// Loops that are said to be parallel must not care for their order: run backwards they give the same.
static bool check(scheduling *x, const loop_func *now) {
    if (!cli_flag(x->a, "check")) return true;
    const loop_func *back = schedule_backwards(x->m->exprs, x->m->mem, now);
    bool same = equals(x, now, "the scheduled program");
    module_put_loop(x->m, back);
    same = same && equals(x, now, "its parallel loops run backwards");
    module_put_loop(x->m, now);
    return same;
}

// A trace that fails leaves the module as it was.
static bool schedule_one(scheduling *x, const loop_func *f) {
    const char *rule = "trace";
    schedule *sch;
    if (x->trace) {
        sch = schedule_new(x->m->exprs, x->m->mem, f, x->d);
        if (!schedule_replay(sch, x->trace)) return false;
    } else {
        sch = schedule_by_rules(x->m->exprs, x->m->mem, f, x->target, (schedule_limits){0}, x->d, &rule);
    }
    const loop_func *now = schedule_func(sch);
    module_put_loop(x->m, now);
    put_trace(x, f->name, rule, sch);
    return check(x, now);
}

// --- The module.

// With a trace: the function named, or the only one.
static bool wanted(const scheduling *x, const module_func *f) {
    const char *name = cli_value(x->a, "func");
    return f->kind == FUNC_LOOP && f->loop->s_tir && (!name || strcmp(name, f->loop->name) == 0);
}

static int no_program(const scheduling *x, const char *name) {
    VEC(const char *) known = {0};
    for (uint32_t i = 0; i < x->m->funcs.len; i++) {
        const module_func *f = x->m->funcs.entry[i].value;
        if (f->kind == FUNC_LOOP && f->loop->s_tir) VEC_PUSH(x->a->mem, &known, f->loop->name);
    }
    const char *near = text_nearest(name, known.at, known.len);
    return cli_error("there is no loop program %s with blocks in the module%s", name,
                     text_suggest(x->a->mem, near, "", ""));
}

static int schedule_all(scheduling *x) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->m->funcs.len; i++) count += wanted(x, x->m->funcs.entry[i].value);
    const char *name = cli_value(x->a, "func");
    if (!count && name) return no_program(x, name);
    if (count > 1 && x->trace) return cli_usage(x->a, "the module has %u loop programs; name one with --func", count);
    for (uint32_t i = 0; i < x->m->funcs.len; i++) {
        const module_func *f = x->m->funcs.entry[i].value;
        if (wanted(x, f) && !schedule_one(x, f->loop)) break;
    }
    int code = cli_report(x->d);
    if (code != CLI_DONE) return code;
    if (!cli_flag(x->a, "show")) script_print(&x->out, x->m, NULL);
    return cli_print(&x->out);
}

// --do has it on the command line, --trace in a file.
static int read_trace(scheduling *x) {
    const char *path = cli_value(x->a, "trace");
    x->trace = cli_value(x->a, "do");
    if (path && x->trace) return cli_usage(x->a, "--trace and --do: want one of them");
    if (!path) return CLI_DONE;
    const source *src = cli_source(x->a, path);
    if (!src) return CLI_WRONG;
    x->trace = arena_copy(x->a->mem, src->bytes, src->size);
    return CLI_DONE;
}

static int run(const cli_args *a) {
    scheduling x = {.a = a, .d = diag_new(a->mem), .out = TEXT_IN(a->mem)};
    char why[256];
    x.target = arch_parse(a->mem, cli_value(a, "target"), why);
    if (!x.target) return cli_usage(a, "--target: %s", why);
    int code = read_trace(&x);
    if (code != CLI_DONE) return code;
    x.src = cli_source(a, a->positional[0]);
    if (!x.src) return CLI_WRONG;
    x.m = script_parse(x.src, x.d);
    if (!x.m) return cli_report(x.d);
    code = schedule_all(&x);
    module_free(x.m);
    return code;
}

static const cli_option options[] = {
    {.name = "func", .letter = 'f', .value = "NAME", .doc = "this program alone"},
    {.name = "trace", .value = "FILE", .doc = "apply the primitives in a file (-: stdin) instead of the rules"},
    {.name = "do", .value = "TEXT", .doc = "apply these primitives, separated by semicolons"},
    {.name = "show", .doc = "print the traces alone"},
    {.name = "check", .doc = "compare with the program as it was, interpreted on random inputs"},
    {.name = "target", .value = "NAME", .preset = "cpu", .doc = "what the rules schedule for"},
    {0}};

const cli_verb verb_schedule = {
    .name = "schedule",
    .summary = "transforms the loops of programs, by a trace or by the rules",
    .usage = "FILE [--func NAME] [--trace FILE | --do TEXT]",
    .least = 1,
    .most = 1,
    .options = options,
    .details = "Prints the module with the traces as comments. docs/schedules.md lists the primitives.",
    .examples = "  relax schedule mlp.py --func matmul\n"
                "  relax schedule mlp.py --func matmul --show > matmul.trace\n"
                "  relax schedule mlp.py --func matmul --trace matmul.trace --check\n"
                "  relax schedule add.py --do 'b0 = block(\"add\"); l1 = loop(b0, 0); parallel(l1)'\n",
    .run = run,
};
