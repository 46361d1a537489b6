// plan.c - `relax plan`: the memory a module needs: each block, who lives in it when, the peak.
#include "base/file.h"
#include "cli/bounds.h"
#include "cli/language.h"
#include "cli/verb.h"
#include "driver/driver.h"
#include "pass/plan_view.h"
#include <string.h>

typedef struct planning_verb {
    const cli_args *a;
    const module *m;
    int64_t typical, limit; // limit 0: none
    VEC(plan_view) views;
} planning_verb;

// --- Text.

static const char *spelled(const planning_verb *p, const expr *e) { return expr_to_text(p->a->mem, e); }

// "n * 1088 bytes (4.3 MiB)", or a number alone.
static void put_size(const planning_verb *p, text *t, const expr *e, int64_t bytes) {
    char size[32];
    bool number = expr_const_int(e, &(int64_t){0});
    if (!number) text_format(t, "%s bytes (", spelled(p, e));
    text_format(t, "%s%s", text_bytes((uint64_t)bytes, size), number ? "" : ")");
}

// Positions count bindings; in brackets stands which binding that is.
static void put_tensor(const planning_verb *p, const plan_view *v, const tensor_view *x, text *t) {
    text_format(t, "    %-16s ", x->name);
    put_size(p, t, x->bytes, x->size);
    text_format(t, " at %s, from %u (%s) to %u (%s)\n", spelled(p, x->offset), x->from, v->what[x->from], x->to,
                v->what[x->to]);
}

// Expressions first, since they hold for every size; numbers take symbols without a bound as --typical.
static void put_view(const planning_verb *p, const plan_view *v, text *t) {
    char size[32];
    text_format(t, "%s%s\n", v->f->name, v->f->is_private ? " (private)" : "");
    for (uint32_t i = 0; i < v->storages.len; i++) {
        const storage_view *s = &v->storages.at[i];
        text_format(t, "  %-18s ", s->name);
        put_size(p, t, s->bytes, s->size);
        text_put(t, s->result ? ", part of the result\n" : "\n");
        for (uint32_t k = 0; k < s->tensors.len; k++) put_tensor(p, v, &s->tensors.at[k], t);
    }
    text_put(t, "  peak               ");
    put_size(p, t, v->peak, v->peak_bytes);
    text_format(t, ", at %u (%s)\n", v->peak_at, v->what[v->peak_at]);
    text_format(t, "  least possible     %s\n", text_bytes((uint64_t)v->lower_bound, size));
    text_format(t, "  without sharing    %s\n", text_bytes((uint64_t)v->unplanned, size));
    if (v->bounded)
        text_put(t, "  (in brackets: the most that the bounds allow)\n");
    else
        text_format(t, "  (in brackets: with every size that has no --bound as %lld)\n", (long long)p->typical);
}

static void put_json_tensor(const planning_verb *p, const plan_view *v, const tensor_view *x, text *t) {
    text_put(t, "{\"name\": ");
    cli_json_string(t, x->name, strlen(x->name));
    text_format(t, ", \"offset\": \"%s\", \"bytes\": \"%s\"", spelled(p, x->offset), spelled(p, x->bytes));
    text_format(t, ", \"start\": %lld, \"size\": %lld, \"from\": %u, \"to\": %u, \"first\": ", (long long)x->start,
                (long long)x->size, x->from, x->to);
    cli_json_string(t, v->what[x->from], strlen(v->what[x->from]));
    text_put(t, "}");
}

static void put_json_view(const planning_verb *p, const plan_view *v, text *t) {
    text_put(t, "{\"function\": ");
    cli_json_string(t, v->f->name, strlen(v->f->name));
    text_format(t, ", \"bounded\": %s, \"peak\": \"%s\", \"peak_bytes\": %lld, \"lower_bound_bytes\": %lld",
                v->bounded ? "true" : "false", spelled(p, v->peak), (long long)v->peak_bytes,
                (long long)v->lower_bound);
    text_format(t, ", \"unplanned_bytes\": %lld, \"storages\": [", (long long)v->unplanned);
    for (uint32_t i = 0; i < v->storages.len; i++) {
        const storage_view *s = &v->storages.at[i];
        text_format(t, "%s{\"bytes\": \"%s\", \"size\": %lld, \"result\": %s, \"tensors\": [", i ? ", " : "",
                    spelled(p, s->bytes), (long long)s->size, s->result ? "true" : "false");
        for (uint32_t k = 0; k < s->tensors.len; k++) {
            if (k) text_put(t, ", ");
            put_json_tensor(p, v, &s->tensors.at[k], t);
        }
        text_put(t, "]}");
    }
    text_put(t, "]}");
}

static int print_views(const planning_verb *p) {
    text t = TEXT_IN(p->a->mem);
    bool json = cli_flag(p->a, "json");
    if (json) text_put(&t, "[");
    for (uint32_t i = 0; i < p->views.len; i++) {
        if (json && i) text_put(&t, ", ");
        if (json)
            put_json_view(p, &p->views.at[i], &t);
        else
            put_view(p, &p->views.at[i], &t);
    }
    if (json) text_put(&t, "]\n");
    return cli_print(&t);
}

// --- The limit.

// Every function that exceeds it is named.
static int check_limit(const planning_verb *p) {
    int code = CLI_DONE;
    for (uint32_t i = 0; p->limit && i < p->views.len; i++) {
        const char *excess = plan_view_excess(&p->views.at[i], p->limit, p->a->mem);
        if (excess) code = cli_error("%s", excess);
    }
    return code;
}

// --- The picture: of the function with the largest peak.

static int write_picture(const planning_verb *p, const char *path) {
    char why[FILE_WHY];
    const plan_view *largest = NULL;
    for (uint32_t i = 0; i < p->views.len; i++)
        if (!largest || p->views.at[i].peak_bytes > largest->peak_bytes) largest = &p->views.at[i];
    if (!largest) return cli_error("no function of the module allocates memory, so there is nothing to draw");
    text t = TEXT_IN(p->a->mem);
    plan_view_svg(largest, &t);
    return file_write(path, text_get(&t), t.len, why) == RX_OK ? CLI_DONE : cli_error("%s", why);
}

// --- The verb.

// Functions that allocate nothing are left out, unless one was asked for.
static void list_views(planning_verb *p) {
    const char *only = cli_value(p->a, "func");
    for (uint32_t i = 0; i < p->m->funcs.len; i++) {
        const module_func *f = p->m->funcs.entry[i].value;
        if (f->kind != FUNC_GRAPH || (only && strcmp(only, f->name) != 0)) continue;
        plan_view v = plan_view_of(p->m, f->graph, p->typical, p->a->mem);
        if (v.storages.len || only) VEC_PUSH(p->a->mem, &p->views, v);
    }
}

// The plan is printed even where it exceeds the limit: it says what to lower.
static int show(planning_verb *p) {
    const char *only = cli_value(p->a, "func"), *picture = cli_value(p->a, "svg");
    list_views(p);
    if (only && !p->views.len) return cli_error("the module has no function '%s'", only);
    int code = print_views(p);
    if (code == CLI_DONE && picture) code = write_picture(p, picture);
    return code == CLI_DONE ? check_limit(p) : code;
}

static int run(const cli_args *a) {
    planning_verb p = {.a = a};
    driver_options o = {0};
    char why[256];
    uint64_t limit;
    if (!cli_int(a, "typical", 1, INT32_MAX, &p.typical) || !cli_bounds(a, &o) || !cli_pipeline(a, &o) ||
        !language_size(a, "mem-limit", &limit) || !cli_apart(a, cli_value(a, "svg"), a->positional[0]))
        return CLI_USAGE;
    p.limit = limit < INT64_MAX ? (int64_t)limit : INT64_MAX;
    const arch *target = arch_parse(a->mem, cli_value(a, "target"), why);
    if (!target) return cli_usage(a, "--target: %s", why);
    const source *src = cli_source(a, a->positional[0]);
    if (!src) return CLI_WRONG;
    diag *d = diag_new(a->mem);
    module *m = driver_lower(src, &o, target, d);
    p.m = m;
    int code = m ? show(&p) : CLI_WRONG, reported = cli_report(d);
    module_free(m);
    return code == CLI_DONE ? reported : code;
}

static const cli_option options[] = {
    CLI_BOUND,
    CLI_SHAPES,
    {.name = "func", .letter = 'f', .value = "NAME", .doc = "this function alone"},
    {.name = "svg", .value = "FILE", .doc = "draws the memory over time of the function with the largest peak"},
    {.name = "mem-limit", .value = "SIZE", .doc = "exit code 1 if the peak is larger than this: 500M, 2G"},
    {.name = "typical", .value = "N", .preset = "512", .doc = "what sizes without a bound count as in numbers"},
    {.name = "target", .value = "TARGET", .preset = "cpu", .doc = "what the module is compiled for"},
    CLI_PIPELINE,
    {.name = "json", .doc = "print for programs"},
    {0}};

const cli_verb verb_plan = {
    .name = "plan",
    .summary = "shows the memory that a module needs, block by block",
    .usage = "FILE.py [--bound N=LOW..HIGH]... [--svg FILE]",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "Positions count the bindings of the lowered function (`relax compile --emit ir`). The least possible is\n"
        "what lives at once at the worst moment; no plan can do with less.",
    .examples = "  relax plan mlp.py --bound n=1..4096\n"
                "  relax plan model.py --bound t=1..2048 --svg plan.svg --mem-limit 200M\n",
    .run = run,
};
