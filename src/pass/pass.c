// pass.c - the table of passes and pipelines, the reader of pass lists, and the loop that runs them.
#include "pass/pass.h"
#include "base/clock.h"
#include "base/suggest.h"
#include "graph/verify.h"
#include "pass/contract.h"
#include "pass/precision.h"
#include <string.h>

static const pass *const passes[] = {
#define PASS(name) &pass_##name,
#include "pass/pass.def"
};

typedef struct pipeline {
    const char *name, *doc, *steps;
} pipeline;
// Rows of pipelines.def: a name, a sentence, the steps as a user could write them.
static const pipeline pipelines[] = {
#define PIPELINE(name, doc, steps) {name, doc, steps},
#include "pass/pipelines.def"
};

const pass *const *pass_all(uint32_t *count) {
    *count = COUNT(passes);
    return passes;
}

const pass *pass_find(const char *name) {
    for (size_t i = 0; i < COUNT(passes); i++)
        if (strcmp(passes[i]->name, name) == 0) return passes[i];
    return NULL;
}

// Options are few: a walk over them is quick enough.
static const pass_option *option_find(const pass *p, const char *name) {
    for (const pass_option *o = p->option; o < p->option + PASS_MAX_OPTIONS && o->name; o++)
        if (strcmp(o->name, name) == 0) return o;
    return NULL;
}

// A pass may ask only for options it declares; what the user wrote was checked when the list was read.
const char *pass_get(const pass_ctx *c, const pass *p, const char *option) {
    const attr *written = attr_find(c->options, option);
    const pass_option *o = option_find(p, option);
    CHECK(o);
    return written ? written->as.text : o->preset;
}

// A name with a slip gets the name that was meant.
static bool refuse_pass(const char *name, diag *d) {
    const char *known[COUNT(passes)];
    for (size_t i = 0; i < COUNT(passes); i++) known[i] = passes[i]->name;
    const char *near = text_nearest(name, known, COUNT(known));
    if (!*name) return diag_error(d, (loc){0}, "want the name of a pass, got an empty one");
    return diag_error(d, (loc){0}, "there is no pass '%s'%s", name, text_suggest(d->mem, near, "'", "'"));
}

// The nearest option there is, as for names of passes.
static bool refuse_option(const pass *p, const char *name, diag *d) {
    const char *known[PASS_MAX_OPTIONS];
    size_t count = 0;
    while (count < PASS_MAX_OPTIONS && p->option[count].name) {
        known[count] = p->option[count].name;
        count++;
    }
    const char *near = text_nearest(name, known, count);
    if (!count) return diag_error(d, (loc){0}, "%s takes no options, got '%s'", p->name, name);
    return diag_error(d, (loc){0}, "%s has no option '%s'%s", p->name, name, text_suggest(d->mem, near, "'", "'"));
}

// Cuts `list` at the first separator that stands outside of brackets and quotes; what follows it, or NULL.
static char *cut(char *list, char separator) {
    int depth = 0;
    char quote = 0;
    for (; *list; list++) {
        if (quote || *list == '"' || *list == '\'') {
            quote = !quote ? *list : quote == *list ? 0 : quote;
            continue;
        }
        if (!depth && *list == separator) {
            *list = 0;
            return list + 1;
        }
        if (strchr("([{", *list)) depth++;
        if (strchr(")]}", *list)) depth--;
    }
    return NULL;
}

// "k=v;k=v" of one pass into a dict of strings.
static bool read_options(const pass *p, char *list, arena *mem, const attr **out, diag *d) {
    for (char *next; list; list = next) {
        next = cut(list, ';');
        char *value = strchr(list, '=');
        if (!value) return diag_error(d, (loc){0}, "%s: want options as name=value, got '%s'", p->name, list);
        *value++ = 0;
        if (!option_find(p, list)) return refuse_option(p, list, d);
        *out = attr_with(mem, *out, arena_copy(mem, list, strlen(list)), attr_string(mem, value, strlen(value)));
    }
    return true;
}

// "Name" or "Name:options".
static bool read_step(char *item, arena *mem, pass_step *step, diag *d) {
    char *options = strchr(item, ':');
    if (options) *options++ = 0;
    step->pass = pass_find(item);
    return step->pass ? read_options(step->pass, options, mem, &step->options, d) : refuse_pass(item, d);
}

// `named`: the user wrote the list, so each pass acts even where a pipeline would let it be.
static bool read_list(const char *spelling, bool named, arena *mem, pass_list *out, diag *d) {
    char *item = arena_copy(mem, spelling, strlen(spelling));
    for (char *next; item; item = next) {
        next = cut(item, ',');
        pass_step step = {.named = named};
        if (!read_step(item, mem, &step, d)) return false;
        VEC_PUSH(mem, out, step);
    }
    return true;
}

// "FuseOps,FuseTIR:option=value;other=value". `spelling` is copied: steps keep pointing into the copy.
bool pass_parse(const char *spelling, arena *mem, pass_list *out, diag *d) {
    return read_list(spelling, true, mem, out, d);
}

// A pipeline is a list as a user would write it, so that it can be copied and changed.
bool pipeline_find(const char *name, arena *mem, pass_list *out, diag *d) {
    const char *known[COUNT(pipelines)];
    for (size_t i = 0; i < COUNT(pipelines); i++) {
        if (strcmp(pipelines[i].name, name) == 0) return read_list(pipelines[i].steps, false, mem, out, d);
        known[i] = pipelines[i].name;
    }
    const char *near = text_nearest(name, known, COUNT(known));
    if (near) return diag_error(d, (loc){0}, "there is no pipeline '%s'; did you mean '%s'?", name, near);
    text all = TEXT_IN(mem);
    for (size_t i = 0; i < COUNT(known); i++) text_format(&all, "%s%s", i ? ", " : "", known[i]);
    return diag_error(d, (loc){0}, "there is no pipeline '%s'; there are %s", name, text_get(&all));
}

uint32_t pipeline_count(void) { return COUNT(pipelines); }

const char *pipeline_name(uint32_t i, const char **doc, const char **steps) {
    *doc = pipelines[i].doc;
    *steps = pipelines[i].steps;
    return pipelines[i].name;
}

#ifdef RELAX_DEBUG
static const bool always_verify = true;
#else
static const bool always_verify = false;
#endif

// What a pass leaves keeps the rules of a module, and says no less of any value.
static bool check_step(const module *m, const pass_step *step, const known_funcs *before, arena *mem, diag *d) {
    uint32_t errors = d->errors;
    if (module_verify_forms(m, d)) return step->pass->erases || precision_kept(before, m, mem, step->pass->name, d);
    if (d->errors > errors) diag_note(d, (loc){0}, "found after the pass %s", step->pass->name);
    return false;
}

// What is known before the pass dies with this step; the module's own memory lives on.
static bool run_step(module *m, const pass_step *step, const arch *target, const pass_observer *o, diag *d) {
    const pass_ctx c = {.d = d, .target = target, .options = step->options, .named = step->named};
    if (!contract_check(m, step->pass, d)) return false;
    bool checks = always_verify || (o && o->verify);
    arena *mem = arena_new();
    known_funcs before = {0};
    if (checks) precision_note(m, mem, &before);
    double start = clock_seconds();
    bool good = step->pass->run(m, &c);
    double seconds = clock_seconds() - start;
    good = good && (!checks || check_step(m, step, &before, mem, d));
    arena_free(mem);
    if (good && o && o->after) o->after(o->user, m, step, seconds);
    return good;
}

// The first failure ends the list: later passes would meet a module that breaks their contracts.
bool pass_run(module *m, const pass_list *steps, const arch *target, const pass_observer *o, diag *d) {
    for (uint32_t i = 0; i < steps->len; i++)
        if (!run_step(m, &steps->at[i], target, o, d)) return false;
    return true;
}
