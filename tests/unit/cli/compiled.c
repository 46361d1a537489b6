// compiled.c - the same function interpreted and compiled, on the same arguments.
#define _GNU_SOURCE
#include "compiled.h"
#include "base/file.h"
#include "cli/eval_value.h"
#include "graph/verify.h"
#include "ops/ops.h"
#include "remote.h"
#include "support/guarded.h"
#include "text/op_sample.h"
#include "text/script.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ARGS = 64 };

static const unsigned thread_counts[] = {1, 2, 3, 4, 8};

// One function on one draw of arguments.
typedef struct trial {
    compiled_check *c;
    const module *m;
    const char *func;
    rx_context *context;       // NULL: a runner runs `path`
    rx_context *const *others; // one for each of thread_counts; NULL: none
    const char *path;
    value *arg;
    uint32_t count;
    bool sets; // arguments are set one by one, then the function runs
    text symbols;
} trial;

static bool tell(const trial *t, const char *what) {
    text_format(&t->c->report, "%s with %s: %s\n", t->func, text_get(&t->symbols), what);
    return false;
}

static bool tell_diag(compiled_check *c, const diag *d) {
    diag_print(d, &c->report, false);
    return false;
}

// --- Comparing.

static void tolerance(dtype t, double *rtol, double *atol) {
    unsigned bits = dtype_bits(t);
    *rtol = bits >= 64 ? 1e-9 : bits == 32 ? 2e-5 : bits == 16 ? 1e-2 : 0.13;
    *atol = bits >= 64 ? 1e-9 : bits == 32 ? 2e-5 : bits == 16 ? 4e-3 : 0.13;
    if (t.kind == DTYPE_BF16) *rtol = 3e-2, *atol = 3e-2;
}

static bool same_value(const trial *t, const char *name, rx_value *got, rx_value *want) {
    char why[RX_MESSAGE];
    double rtol = 1e-5, atol = 1e-5;
    dtype type;
    const char *spelled = rx_tensor_dtype(want);
    if (spelled && dtype_parse(spelled, strlen(spelled), &type)) tolerance(type, &rtol, &atol);
    if (rx_value_compare(got, want, rtol, atol, why) == RX_OK) return true;
    return tell(t, arena_format(t->c->mem, "%s: %s", name, why));
}

static bool same_result(const trial *t, rx_value *got, rx_value *want) {
    if (rx_value_kind(want) != RX_TUPLE) return same_value(t, "the result", got, want);
    if (rx_value_count(got) != rx_value_count(want)) return tell(t, "another number of results");
    bool same = true;
    for (uint32_t i = 0; i < rx_value_count(want) && same; i++) {
        rx_value *a = NULL, *b = NULL;
        same = rx_value_item(got, i, &a) == RX_OK && rx_value_item(want, i, &b) == RX_OK;
        same = same && same_result(t, a, b);
        rx_value_release(a);
        rx_value_release(b);
    }
    return same;
}

// --- Running.

static rx_status set_and_run(trial *t, rx_value **arg, rx_value **out) {
    rx_status status = RX_OK;
    for (uint32_t i = 0; i < t->count && status == RX_OK; i++)
        status = rx_context_set_input(t->context, t->func, i, arg[i]);
    if (status == RX_OK) status = rx_context_run(t->context, t->func, out);
    for (uint32_t i = 0; i < t->count; i++)
        if (rx_context_set_input(t->context, t->func, i, NULL) != RX_OK) return RX_INTERNAL;
    return status;
}

static bool call_compiled(trial *t, rx_value **arg, rx_value **out) {
    rx_status status = t->sets ? set_and_run(t, arg, out) : rx_context_call(t->context, t->func, arg, t->count, out);
    return status == RX_OK || tell(t, rx_context_message(t->context));
}

// The same function on other numbers of threads gives the same bits.
static bool same_on_threads(trial *t, rx_value **arg, rx_value *want) {
    bool same = true;
    for (size_t i = 0; i < COUNT(thread_counts) && t->others && same; i++) {
        char why[RX_MESSAGE];
        rx_value *got = NULL;
        if (rx_context_call(t->others[i], t->func, arg, t->count, &got) != RX_OK)
            same = tell(t, rx_context_message(t->others[i]));
        else if (rx_value_compare(got, want, 0, 0, why) != RX_OK)
            same = tell(t, arena_format(t->c->mem, "on %u threads: %s", thread_counts[i], why));
        rx_value_release(got);
    }
    return same;
}

// The interpreter may write into donated arguments: the compiled function gets copies made before, aligned to no more
// than their elements.
static rx_value *copy_of(const value *v) {
    rx_value *boxed = eval_to_runtime(v), *copy = NULL;
    dtype type;
    const char *spelled = rx_tensor_dtype(boxed);
    if (rx_value_kind(boxed) != RX_TENSOR || !dtype_parse(spelled, strlen(spelled), &type)) return boxed;
    size_t align = (dtype_bits(type) + 7) / 8;
    guarded *g = guarded_new(rx_tensor_bytes(boxed), align & (align - 1) ? 1 : align);
    if (g->size) memcpy(g->data, rx_tensor_data(boxed), g->size);
    if (rx_tensor_wrap(spelled, rx_tensor_rank(boxed), rx_tensor_dims(boxed), g->data, guarded_free, g, &copy) != RX_OK)
        guarded_free(g, g->data);
    rx_value_release(boxed);
    return copy;
}

static void exactly(dtype t, double *rtol, double *atol) {
    (void)t;
    *rtol = *atol = 0;
}

// On numbers of threads without common divisors; an emulator takes long.
static bool same_on_remote_threads(const trial *t, remote_run r) {
    static const unsigned other[] = {3, 8};
    r.threads = 1;
    rx_value *one = remote_result(t->c->mem, &r);
    const char *why = one ? NULL : "no result on one thread";
    for (size_t i = 0; i < COUNT(other) && !why; i++) {
        r.threads = other[i];
        why = remote_differs(t->c->mem, &r, one, exactly);
        if (why) why = arena_format(t->c->mem, "on %u threads: %s", r.threads, why);
    }
    rx_value_release(one);
    return !why || tell(t, why);
}

// -1: the module calls functions that relax-run hasn't got; 0: differs; 1: equal.
static int run_remotely(const trial *t, rx_value *const *arg, rx_value *want) {
    const remote_run r = {.runner = t->c->runner, .path = t->path, .func = t->func, .arg = arg, .count = t->count};
    const char *why = remote_differs(t->c->mem, &r, want, tolerance);
    if (why && strstr(why, "missing: external function")) return -1;
    return why ? tell(t, why) : !t->c->all_threads || same_on_remote_threads(t, r);
}

// -1: the interpreter can't run it; 0: differs; 1: equal.
static int run_trial(trial *t) {
    rx_value *arg[MAX_ARGS] = {0}, *got = NULL, *want = NULL;
    value result = {0};
    diag *d = diag_new(t->c->mem);
    for (uint32_t i = 0; i < t->count; i++) arg[i] = copy_of(&t->arg[i]);
    const interp_options o = {.max_steps = 50 * 1000 * 1000};
    int outcome = -1;
    if (interp_run(t->m, t->func, t->arg, t->count, &o, t->c->mem, &result, d)) {
        want = eval_to_runtime(&result);
        outcome = !t->context
                      ? run_remotely(t, arg, want)
                      : call_compiled(t, arg, &got) && same_result(t, got, want) && same_on_threads(t, arg, got);
        interp_release(&result);
    }
    rx_value_release(want);
    rx_value_release(got);
    for (uint32_t i = 0; i < t->count; i++) rx_value_release(arg[i]);
    return outcome;
}

// Arguments of the sizes that are given, or of drawn ones.
static bool draw(trial *t, uint32_t i, uint32_t draw) {
    const compiled_check *c = t->c;
    if (!c->symbol) return interp_draw(t->m, t->func, 11 + i, draw, c->mem, &t->arg, &t->count, &t->symbols);
    diag *d = diag_new(c->mem);
    const interp_symbol *symbol = c->symbol + draw * c->symbols;
    t->count = module_find(t->m, t->func)->graph->params;
    t->arg = ARENA_NEW(c->mem, value, t->count + 1);
    bool *given = ARENA_NEW(c->mem, bool, t->count + 1);
    for (uint32_t k = 0; k < c->symbols; k++) text_format(&t->symbols, " %s=%d", symbol[k].name, (int)symbol[k].number);
    return interp_draw_rest(t->m, t->func, 11 + i, symbol, c->symbols, c->mem, t->arg, given, d) || tell_diag(t->c, d);
}

static bool run_function(compiled_check *c, const module *m, const char *func, rx_context *const *context,
                         const char *path) {
    uint32_t rounds = c->rounds ? c->rounds : 1;
    for (uint32_t i = 0; i < c->draws * rounds; i++) {
        trial t = {.c = c, .m = m, .func = func, .path = path, .sets = i % 2, .symbols = TEXT_IN(c->mem)};
        if (context) t.context = context[0];
        if (context && c->all_threads) t.others = context + 1;
        if (!draw(&t, i, i / rounds) || t.count > MAX_ARGS) return !c->symbol;
        int outcome = run_trial(&t);
        for (uint32_t k = 0; k < t.count; k++) interp_release(&t.arg[k]);
        c->ran += outcome == 1;
        if (outcome == 0) return false;
    }
    return true;
}

static bool run_all(compiled_check *c, const module *m, rx_context *const *context, const char *path) {
    bool ok = true;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind == FUNC_GRAPH && !f->graph->is_private) ok = run_function(c, m, f->name, context, path) && ok;
    }
    return ok;
}

// --- Memory of contexts: every block between pages that can't be touched.

typedef struct guarded_heap {
    arena *mem;
    map blocks; // address -> guarded *
} guarded_heap;

static void *take_guarded(void *user, size_t size) {
    guarded_heap *h = user;
    guarded *g = guarded_new(size, 64);
    map_put(&h->blocks, MAP_KEY(g->data), g);
    return g->data;
}

static void give_guarded(void *user, void *at, size_t size) {
    guarded_heap *h = user;
    (void)size;
    guarded_free(map_find(&h->blocks, MAP_KEY(at)), at);
}

// --- Compiling.

// Externals that nobody registers make a context impossible: such a module is passed over.
static bool open_and_run(compiled_check *c, const module *m, const char *path) {
    char why[RX_MESSAGE];
    rx_executable *exe = NULL;
    rx_context *context[1 + COUNT(thread_counts)] = {NULL};
    if (rx_executable_load(path, NULL, &exe, why) != RX_OK) {
        text_format(&c->report, "%s\n", why);
        return false;
    }
    guarded_heap heap = {.mem = c->mem, .blocks = MAP_IN(c->mem)};
    rx_context_options o = {.struct_size = sizeof o, .threads = 2, .allocator = {take_guarded, give_guarded, &heap}};
    rx_status status = rx_context_new(exe, &o, &context[0], why);
    for (size_t i = 0; i < COUNT(thread_counts) && c->all_threads && status == RX_OK; i++) {
        o.threads = thread_counts[i];
        status = rx_context_new(exe, &o, &context[1 + i], why);
    }
    bool ok = status == RX_NOT_FOUND;
    if (status == RX_OK)
        ok = run_all(c, m, context, path);
    else if (!ok)
        text_format(&c->report, "%s\n", why);
    for (size_t i = 0; i < COUNT(context); i++) rx_context_release(context[i]);
    rx_executable_release(exe);
    return ok;
}

static bool check_in(compiled_check *c, const source *src, const char *path) {
    diag *d = diag_new(c->mem);
    const char *target = c->target ? c->target : "cpu:host";
    const driver_options o = {.target = &target,
                              .targets = 1,
                              .pipeline = c->pipeline,
                              .bound = &c->bound,
                              .bounds = c->bound.symbol != NULL,
                              .code = {.level = 2},
                              .jobs = 2};
    if (!driver_compile(src, &o, path, d)) return tell_diag(c, d);
    module *m = script_parse(src, d);
    bool ok =
        m && module_verify(m, d) ? c->runner ? run_all(c, m, NULL, path) : open_and_run(c, m, path) : tell_diag(c, d);
    module_free(m);
    return ok;
}

bool compiled_equals_interpreted(compiled_check *c, const source *src) {
    // In memory where there is such a folder: files are flushed to disk when they are complete.
    char memory[] = "/dev/shm/relax-compiled-XXXXXX", disk[] = "/tmp/relax-compiled-XXXXXX";
    const char *folder = mkdtemp(memory) ? memory : mkdtemp(disk);
    if (!folder) return false;
    const char *path = arena_format(c->mem, "%s/m.rlx", folder);
    bool ok = check_in(c, src, path);
    unlink(path);
    rmdir(folder);
    return ok;
}

// --- Many modules.

void compiled_module(const source *src, const char *target, const char *runner, uint32_t draws, compiled_tally *t) {
    arena *mem = arena_new();
    compiled_check c = {.target = target, .runner = runner, .draws = draws, .mem = mem, .report = TEXT_IN(mem)};
    bool ok = compiled_equals_interpreted(&c, src), refused = !ok && strstr(text_get(&c.report), "has no code on");
    // QEMU 7.2 stops at vfcvt.rtz.x.f.v, which the RISC-V vector extension has, with this assertion.
    bool unheard = !ok && strstr(text_get(&c.report), "decode_save_opc: Assertion");
    if (!ok) printf("%s: %s\n", src->name, text_get(&c.report));
    t->ran += c.ran;
    t->refused += refused;
    t->unheard += unheard;
    t->failed += !ok && !refused && !unheard;
    arena_free(mem);
}

static void check_file(const char *path, const char *target, const char *runner, uint32_t draws, compiled_tally *t) {
    char why[FILE_WHY], *bytes;
    source src = {.name = path};
    if (file_read(path, 1 << 20, &bytes, &src.size, why) != RX_OK) {
        printf("%s\n", why);
        t->failed++;
        return;
    }
    src.bytes = bytes;
    compiled_module(&src, target, runner, draws, t);
    free(bytes);
}

bool compiled_folder(const char *folder, const char *target, const char *runner, uint32_t draws, compiled_tally *t) {
    char path[4096];
    struct dirent **entry;
    bool found = false;
    int entries = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < entries; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (text_ends(path, ".py")) {
            found = true;
            check_file(path, target, runner, draws, t);
        }
        free(entry[i]);
    }
    if (entries >= 0) free(entry);
    return found;
}

void compiled_operators(const char *target, const char *runner, uint32_t draws, compiled_tally *t) {
    uint32_t count;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; (all[i]->compute || all[i]->lower) && k < COUNT(all[i]->samples) && all[i]->samples[k];
             k++) {
            arena *mem = arena_new();
            source src = {.name = all[i]->name, .bytes = op_sample_text(mem, all[i]->samples[k])};
            src.size = strlen(src.bytes);
            compiled_module(&src, target, runner, draws, t);
            arena_free(mem);
        }
}
