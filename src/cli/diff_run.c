// diff_run.c - `relax diff-run`: two builds of one module on the same arguments, compared binding by binding.
#include "base/count_noun.h"
#include "base/map.h"
#include "base/text.h"
#include "cli/distance.h"
#include "cli/run_inputs.h"
#include "cli/sites.h"
#include "vm/vm.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

// What was compared: one output of a piece of work, or one part of the result.
typedef struct row {
    const char *place, *name; // "main mlp.py:14 lv3" and the kernel in the second build; or "out0" and NULL
    const char *shape;        // "float32[7, 10]"
    const char *at;           // the index of the worst element, or of the first differing one
    const char *why;          // what differs if no elements can be compared; else NULL
    distance d;
} row;

typedef struct build {
    const char *path;
    struct comparison *all;
    rx_executable *exe;
    rx_context *context;
    site_list sites;
    uint32_t *turns; // by site: how often it ran
    rx_value *result;
} build;

typedef struct comparison {
    const cli_args *a;
    const char *func;
    int64_t seed, threads;
    double rtol, atol;
    build before, after;
    VEC(rx_value *) kept; // copies of what the first build gave, until they are compared
    text_map kept_at;     // site, turn and output -> index in kept + 1
    VEC(row) rows;
    uint32_t alone; // outputs of the second build that have no counterpart
} comparison;

// --- Tensors.

static const char *shape_text(const comparison *c, const tensor *t) {
    char name[32];
    text s = TEXT_IN(c->a->mem);
    text_format(&s, "%s[", dtype_spell(t->type, name));
    for (uint32_t i = 0; i < t->rank; i++) text_format(&s, "%s%" PRId64, i ? ", " : "", t->dim[i]);
    text_put_char(&s, ']');
    return text_get(&s);
}

static rx_value *copy_of(const rx_value *v) {
    rx_value *copy = NULL;
    if (rx_tensor_new(rx_tensor_dtype(v), rx_tensor_rank(v), rx_tensor_dims(v), NULL, &copy) != RX_OK) return NULL;
    memcpy(rx_tensor_data(copy), rx_tensor_data(v), rx_tensor_bytes(v));
    return copy;
}

// Compares two tensors into r. False: there was no memory.
static bool measure(const comparison *c, rx_value *before, rx_value *after, row *r) {
    char index[256];
    tensor *x = vm_tensor_of_value(before), *y = vm_tensor_of_value(after);
    bool ok = x && y;
    if (ok) {
        r->d = distance_of(x, y, c->rtol, c->atol);
        r->shape = shape_text(c, y);
        if (!r->d.alike) r->why = arena_format(c->a->mem, "%s before, %s after", shape_text(c, x), r->shape);
        size_t at = r->d.differing ? r->d.first : r->d.worst;
        r->at = r->d.count ? arena_format(c->a->mem, "%s", distance_index(y, at, index)) : "";
    }
    tensor_release(x);
    tensor_release(y);
    return ok;
}

// --- The work of both builds.

// A site is one instruction; in loops and calls it takes several turns.
static const char *key_of(const comparison *c, const site *s, uint32_t turn, uint32_t output) {
    return arena_format(c->a->mem, "%p %u %u", (const void *)s, turn, output);
}

// Copied at once: the memory of a binding is used again as soon as it is dead.
static rx_status keep(comparison *c, const site *s, uint32_t turn, uint32_t output, const rx_value *v) {
    rx_value *copy = copy_of(v);
    if (!copy) return RX_OUT_OF_MEMORY;
    VEC_PUSH(c->a->mem, &c->kept, copy);
    text_map_put(&c->kept_at, key_of(c, s, turn, output), (void *)(uintptr_t)c->kept.len);
    return RX_OK;
}

// Workspaces may have a shape of their own in each build: only what is alike can be compared.
static rx_status compare(comparison *c, const site *s, const site *partner, uint32_t turn, uint32_t output,
                         const rx_event *e) {
    rx_value *v = rx_event_tensor(e, e->values - e->outputs + output);
    uintptr_t at = (uintptr_t)text_map_find(&c->kept_at, key_of(c, partner, turn, output));
    if (!at) {
        c->alone++;
        return RX_OK;
    }
    row r = {.place = arena_format(c->a->mem, "%s %s", s->function, s->place),
             .name = arena_format(c->a->mem, "%s", e->name)};
    if (!measure(c, c->kept.at[at - 1], v, &r)) return RX_OUT_OF_MEMORY;
    rx_value_release(c->kept.at[at - 1]);
    c->kept.at[at - 1] = NULL;
    if (r.d.alike)
        VEC_PUSH(c->a->mem, &c->rows, r);
    else
        c->alone++;
    return RX_OK;
}

// The first build runs alone and is remembered; the second is compared as it runs.
static rx_status observe(void *user, const rx_event *e, char *message) {
    build *b = user;
    comparison *c = b->all;
    bool first = b == &c->before;
    site *s = site_find(&b->sites, e->function, e->word);
    const site *partner = s ? site_partner(s, first ? &c->after.sites : &c->before.sites) : NULL;
    (void)message;
    if (!partner) {
        c->alone += first ? 0 : e->outputs;
        return RX_OK;
    }
    uint32_t turn = b->turns[s - b->sites.at]++;
    for (uint32_t i = 0; i < e->outputs; i++) {
        const rx_value *v = rx_event_tensor(e, e->values - e->outputs + i);
        if (!v) continue;
        RX_TRY(first ? keep(c, s, turn, i, v) : compare(c, s, partner, turn, i, e));
    }
    return RX_OK;
}

// --- Results.

// Results that are no tensors are compared as values, without counting elements.
static void add_result(comparison *c, const named_value *before, const named_value *after) {
    char why[RX_MESSAGE];
    row r = {.place = after->name};
    bool tensors = rx_value_kind(before->v) == RX_TENSOR && rx_value_kind(after->v) == RX_TENSOR;
    if (tensors && measure(c, before->v, after->v, &r)) {
        VEC_PUSH(c->a->mem, &c->rows, r);
        return;
    }
    if (rx_value_compare(before->v, after->v, c->rtol, c->atol, why) != RX_OK)
        r.why = arena_format(c->a->mem, "%s", why);
    r.d.alike = !r.why;
    r.shape = r.at = "";
    VEC_PUSH(c->a->mem, &c->rows, r);
}

// By position: names of results are made from it.
static void compare_results(comparison *c) {
    value_list before = run_results(c->a->mem, c->before.result), after = run_results(c->a->mem, c->after.result);
    for (uint32_t i = 0; i < before.len && i < after.len; i++) add_result(c, &before.at[i], &after.at[i]);
    const char *why = arena_format(c->a->mem, "%s before, %u after", COUNTED(before.len, "result"), after.len);
    bool same = before.len == after.len;
    run_results_release(&before);
    run_results_release(&after);
    if (!same) VEC_PUSH(c->a->mem, &c->rows, ((row){.place = "results", .shape = "", .at = "", .why = why}));
}

// --- What is printed.

static bool differs(const row *r) { return r->why || r->d.differing; }

// In the order of execution of the second build: the cause comes before its consequences.
static const row *first_difference(const comparison *c) {
    for (uint32_t i = 0; i < c->rows.len; i++)
        if (differs(&c->rows.at[i])) return &c->rows.at[i];
    return NULL;
}

static const row *largest_difference(const comparison *c) {
    const row *found = NULL;
    for (uint32_t i = 0; i < c->rows.len; i++)
        if (!found || c->rows.at[i].d.most > found->d.most) found = &c->rows.at[i];
    return found;
}

static const char *title(const comparison *c, const row *r) {
    return r->name ? arena_format(c->a->mem, "%s (%s)", r->place, r->name) : r->place;
}

static void put_difference(const comparison *c, const row *r, text *t) {
    text_format(t, "first difference: %s: ", title(c, r));
    if (r->why) {
        text_format(t, "%s\n", r->why);
        return;
    }
    text_format(t, "element %s of %s is %.9g before, %.9g after; %zu of %zu elements differ, by at most %.3g", r->at,
                r->shape, r->d.first_a, r->d.first_b, r->d.differing, r->d.count, r->d.most);
    text_format(t, r->d.ulp ? " (%" PRIu64 " ulp)\n" : "\n", r->d.ulp);
}

// Every output that has a counterpart, equal ones too.
static void put_table(const comparison *c, text *t) {
    text_format(t, "%10s %8s %12s  %s\n", "largest", "ulp", "differing", "binding");
    for (uint32_t i = 0; i < c->rows.len; i++) {
        const row *r = &c->rows.at[i];
        text_format(t, "%10.3g %8" PRIu64 " %12zu  %s %s%s%s\n", r->d.most, r->d.ulp, r->d.differing, title(c, r),
                    r->shape, r->d.most > 0 ? " at " : "", r->d.most > 0 ? r->at : "");
    }
}

// "12 tensors were compared: 10 of bindings, 2 of the result"
static void put_counts(const comparison *c, text *t) {
    uint32_t bindings = 0;
    for (uint32_t i = 0; i < c->rows.len; i++) bindings += c->rows.at[i].name != NULL;
    text_format(t, "compared: %s of bindings, %u of the result", COUNTED(bindings, "tensor"), c->rows.len - bindings);
    if (c->alone)
        text_format(t, "; %s of %s %s no counterpart in %s, whose kernels are others", COUNTED(c->alone, "tensor"),
                    c->after.path, c->alone == 1 ? "has" : "have", c->before.path);
    text_put(t, "\n");
}

static void put_plain(const comparison *c, text *t) {
    const row *first = first_difference(c), *largest = largest_difference(c);
    uint32_t differing = 0;
    for (uint32_t i = 0; i < c->rows.len; i++) differing += differs(&c->rows.at[i]);
    if (cli_flag(c->a, "all")) put_table(c, t);
    if (first) {
        put_difference(c, first, t);
        text_format(t, "differing: %u of %u tensors\n", differing, c->rows.len);
    } else if (largest && largest->d.most > 0) {
        text_format(t, "same: the largest difference is %.3g (%" PRIu64 " ulp), in %s at %s\n", largest->d.most,
                    largest->d.ulp, title(c, largest), largest->at);
    } else {
        text_put(t, "same: no element differs\n");
    }
    put_counts(c, t);
}

// JSON has no infinity.
static void put_number(text *t, const char *name, double value) {
    text_format(t, isfinite(value) ? ", \"%s\": %.17g" : ", \"%s\": \"%.17g\"", name, value);
}

static void put_text(text *t, const char *name, const char *value) {
    text_format(t, "\"%s\": ", name);
    if (value)
        cli_json_string(t, value, strlen(value));
    else
        text_put(t, "null");
}

static void put_row(const row *r, text *t) {
    text_put(t, "{");
    put_text(t, "binding", r->place);
    text_put(t, ", ");
    put_text(t, "kernel", r->name);
    text_put(t, ", ");
    put_text(t, "shape", r->shape);
    text_format(t, ", \"same\": %s, \"elements\": %zu, \"differing\": %zu, \"ulp\": %" PRIu64,
                differs(r) ? "false" : "true", r->d.count, r->d.differing, r->d.ulp);
    put_number(t, "largest", r->d.most);
    text_put(t, ", ");
    put_text(t, "at", r->at);
    put_number(t, "before", r->d.differing ? r->d.first_a : r->d.a);
    put_number(t, "after", r->d.differing ? r->d.first_b : r->d.b);
    text_put(t, ", ");
    put_text(t, "why", r->why);
    text_put(t, "}");
}

static void put_json(const comparison *c, text *t) {
    const row *first = first_difference(c);
    text_format(t, "{\"same\": %s, \"first\": ", first ? "false" : "true");
    if (first)
        text_format(t, "%d", (int)(first - c->rows.at));
    else
        text_put(t, "null");
    text_format(t, ", \"without_counterpart\": %u, \"outputs\": [", c->alone);
    for (uint32_t i = 0; i < c->rows.len; i++) {
        text_put(t, i ? ",\n " : "\n ");
        put_row(&c->rows.at[i], t);
    }
    text_put(t, "]}\n");
}

// --- The verb.

// Both builds get equal inputs: random ones depend on the seed and the name alone.
static int open_build(comparison *c, build *b, const char *path) {
    char why[RX_MESSAGE];
    const rx_context_options o = {
        .struct_size = sizeof o, .threads = (unsigned)c->threads, .observer = observe, .observer_user = b};
    *b = (build){.path = path, .all = c};
    if (rx_executable_load(path, NULL, &b->exe, why) != RX_OK) return cli_error("%s", why);
    if (rx_context_new(b->exe, &o, &b->context, why) != RX_OK) return cli_error("%s: %s", path, why);
    b->sites = sites_of(c->a->mem, b->exe, b->context);
    b->turns = ARENA_NEW(c->a->mem, uint32_t, b->sites.len + 1);
    return run_inputs_set(&(run_inputs){c->a, b->context, c->func, (uint64_t)c->seed});
}

static int run_build(const comparison *c, build *b) {
    if (rx_context_run(b->context, c->func, &b->result) == RX_OK) return CLI_DONE;
    return run_failed(b->context, b->path, "diff-run");
}

static void close_build(build *b) {
    rx_value_release(b->result);
    rx_context_release(b->context);
    rx_executable_release(b->exe);
}

static int compare_builds(comparison *c) {
    int code = open_build(c, &c->before, c->a->positional[0]);
    if (code == CLI_DONE) code = open_build(c, &c->after, c->a->positional[1]);
    if (code == CLI_DONE) code = run_build(c, &c->before);
    if (code == CLI_DONE) code = run_build(c, &c->after);
    if (code != CLI_DONE) return code;
    compare_results(c);
    text t = TEXT_IN(c->a->mem);
    if (cli_flag(c->a, "json"))
        put_json(c, &t);
    else
        put_plain(c, &t);
    code = cli_print(&t);
    return code == CLI_DONE && first_difference(c) ? CLI_WRONG : code;
}

static int run(const cli_args *a) {
    comparison c = {.a = a, .func = cli_value(a, "func"), .kept_at = TEXT_MAP_IN(a->mem)};
    if (!cli_int(a, "seed", 0, INT64_MAX, &c.seed) || !cli_int(a, "threads", 0, RX_MAX_THREADS, &c.threads) ||
        !cli_tolerance(a, "rtol", &c.rtol) || !cli_tolerance(a, "atol", &c.atol))
        return CLI_USAGE;
    int code = compare_builds(&c);
    for (uint32_t i = 0; i < c.kept.len; i++) rx_value_release(c.kept.at[i]);
    close_build(&c.before);
    close_build(&c.after);
    return code;
}

static const cli_option options[] = {
    {.name = "func", .letter = 'f', .value = "NAME", .preset = "main", .doc = "the function to run"},
    {.name = "input", .letter = 'i', .value = "[NAME=]VALUE", .repeat = true, .doc = "an argument by name or position"},
    {.name = "rtol", .value = "X", .preset = "1e-4", .doc = "relative tolerance"},
    {.name = "atol",
     .value = "X",
     .preset = "1e-5",
     .doc = "absolute tolerance; 0 for both: every bit of a float counts"},
    {.name = "all", .doc = "a line for each output, not only for the first that differs"},
    {.name = "seed", .value = "N", .preset = "0", .doc = "of random inputs", .env = "RELAX_SEED"},
    CLI_THREADS,
    {.name = "json", .doc = "print for programs"},
    {0}};

const cli_verb verb_diff_run = {
    .name = "diff-run",
    .summary = "compares two builds of a module binding by binding",
    .usage = "BEFORE.rlx AFTER.rlx [--input NAME=VALUE]... [options]",
    .least = 2,
    .most = 2,
    .options = options,
    .details =
        "Both run on the same arguments. What a kernel gives is compared with what the other build gives for the same\n"
        "line and binding of the module; where fusion has made one kernel of several, the last of them counts. Names\n"
        "the first that differs: element, values, how many, the largest difference, also in units of the last place\n"
        "(ulp). Exits 0 if all agree within the tolerance, 1 if not. The first build's tensors are kept in memory.",
    .examples = "  relax diff-run v3.rlx v4.rlx -i x=f32[7,128] -i w1=@w1.npy\n"
                "  relax diff-run old.rlx new.rlx -i x=@x.npy --rtol 1e-3 --all\n"
                "  relax diff-run old.rlx new.rlx -i x=@x.npy --json\n",
    .run = run,
};
