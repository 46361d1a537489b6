// driver.c - the stages of a compilation, one after the other.
#define _POSIX_C_SOURCE 200809L
#include "driver/driver.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/map.h"
#include "driver/emit.h"
#include "driver/weights.h"
#include "graph/verify.h"
#include "pass/plan_view.h"
#include "text/script.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TARGETS = 16 };

// One compilation.
typedef struct compilation {
    const driver_options *o;
    diag *d;
    module *m;
    module *lowered[MAX_TARGETS];       // per target: m for the first one, forks of it that were scheduled otherwise
    const arch *arch;                   // of the module that the pipeline works on; NULL: it serves all targets
    target_linker *linker[MAX_TARGETS]; // NULL: not started
    stage_clock clock;
    weight_file *weights; // NULL: none
    uint32_t step;        // of the pipeline, for the names of dumps
} compilation;

static void stage_start(stage_clock *c) { c->since = clock_seconds(); }

static void stage_note(stage_clock *c, const char *name, double seconds) {
    if (!c->o) return;
    if (c->o->stages) VEC_PUSH(c->mem, c->o->stages, ((driver_stage){name, seconds}));
    if (c->o->progress) c->o->progress(c->o->progress_user, name, 1);
}

void stage_end(stage_clock *c, const char *name) {
    double now = clock_seconds();
    stage_note(c, name, now - c->since);
    c->since = now;
}

static compilation open_compilation(const driver_options *o, diag *d) {
    return (compilation){.o = o, .d = d, .clock = {.o = o, .mem = d->mem}};
}

// --- Dumps: NN.Pass.py in a folder.

static void dump(compilation *c, const module *m, const char *name) {
    char why[FILE_WHY];
    text t = TEXT_IN(c->m->mem);
    script_print(&t, m, NULL);
    const char *path = arena_format(c->m->mem, "%s/%02u.%s.py", c->o->dump, c->step++, name);
    rx_status status = file_write(path, text_get(&t), t.len, why);
    if (status != RX_OK) diag_refused(c->d, status, "%s", why);
}

// Passes that run once for each target are told apart.
static void after_pass(void *user, const module *m, const pass_step *step, double seconds) {
    compilation *c = user;
    const char *name = step->pass->name;
    if (c->arch && c->clock.o) name = arena_format(c->d->mem, "%s for %s", name, c->arch->name);
    stage_note(&c->clock, name, seconds);
    if (c->o->dump) dump(c, m, c->arch ? arena_format(c->d->mem, "%s.%s", step->pass->name, c->arch->name) : name);
}

// --- The front half.

// Where activations are rounded, more than float16 in the cache would not be noticed: half of its memory, which
// steps of long conversations spend most of their time to read.
static bool rounds_activations(const driver_options *o) {
    return !o->activations || strcmp(o->activations, "f32") != 0;
}

static bool has_blocks(const checkpoint *from) {
    for (size_t i = 0; i < checkpoint_count(from); i++)
        if (checkpoint_at(from, i)->format) return true;
    return false;
}

// A checkpoint's own module.
static bool import_model(compilation *c) {
    decoder_config config;
    decoder_options options = c->o->decoder;
    c->m = module_new();
    c->weights = weights_open(c->o->model, c->d);
    const checkpoint *from = c->weights ? weights_checkpoint(c->weights) : NULL;
    if (!from) return c->weights && diag_error(c->d, (loc){0}, "%s: want a checkpoint", c->o->model);
    options.half_cache |= rounds_activations(c->o) && has_blocks(from);
    return decoder_read_config(from, c->m->mem, &config, c->d) && decoder_build(c->m, &config, &options, from, c->d);
}

static bool parse(compilation *c, const source *src) {
    c->m = script_parse(src, c->d);
    if (!c->m) return false;
    if (c->o->weights) c->weights = weights_open(c->o->weights, c->d);
    return !c->o->weights || c->weights;
}

static bool read_module(compilation *c, const source *src) {
    if (!(c->o->model ? import_model(c) : parse(c, src)) || !module_verify(c->m, c->d)) return false;
    stage_end(&c->clock, c->o->model ? "import" : "parse");
    for (uint32_t i = 0; i < c->o->bounds; i++)
        if (!driver_apply_bound(c->m, &c->o->bound[i], c->d)) return false;
    if (!driver_apply_shapes(c->m, c->o->shape, c->o->shapes, c->d)) return false;
    return !c->weights || weights_announce(c->weights, c->m, c->o->run != NULL, c->d);
}

static bool keeps_limit(const compilation *c, const module *m) {
    enum { TYPICAL = 512 }; // for sizes without a bound
    bool fits = true;
    for (uint32_t i = 0; c->o->mem_limit && i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind != FUNC_GRAPH) continue;
        plan_view v = plan_view_of(m, f->graph, TYPICAL, m->mem);
        const char *excess = plan_view_excess(&v, c->o->mem_limit, m->mem);
        if (excess) fits = diag_error(c->d, (loc){0}, "%s", excess);
    }
    return fits;
}

static void choose_activations(compilation *c, pass_list *steps) {
    arena *mem = c->m->mem;
    for (uint32_t i = 0; c->o->activations && i < steps->len; i++)
        if (steps->at[i].pass == &pass_pack_quantized_weights)
            steps->at[i].options = attr_with(mem, steps->at[i].options, "activations",
                                             attr_string(mem, c->o->activations, strlen(c->o->activations)));
}

static void choose_schedules(compilation *c, pass_list *steps) {
    for (uint32_t i = 0; c->o->batch_invariant && i < steps->len; i++)
        if (steps->at[i].pass == &pass_apply_schedules)
            steps->at[i].options =
                attr_with(c->m->mem, steps->at[i].options, "batch_invariant", attr_string(c->m->mem, "true", 4));
}

// What is written in a text may leave its buffers; the operators' programs, which come later, and those of a model's
// layers are made so that they don't.
static void guard_first(compilation *c, pass_list *steps) {
    VEC_PUSH(c->m->mem, steps, ((pass_step){0}));
    memmove(steps->at + 1, steps->at, (steps->len - 1) * sizeof *steps->at);
    steps->at[0] = (pass_step){.pass = &pass_guard_programs};
}

static bool find_steps(compilation *c, pass_list *steps) {
    if (!pipeline_find(c->o->pipeline ? c->o->pipeline : "default", c->m->mem, steps, c->d)) return false;
    if (!c->o->model) guard_first(c, steps);
    choose_activations(c, steps);
    choose_schedules(c, steps);
    return true;
}

// Up to the schedules, which depend on the target, the work is done once.
static pass_list split_steps(pass_list *steps) {
    uint32_t first = 0;
    while (first < steps->len && steps->at[first].pass != &pass_apply_schedules) first++;
    pass_list rest = *steps;
    rest.at += first;
    rest.len -= first;
    steps->len = first;
    return rest;
}

static bool same_text(const module *a, const module *b) {
    text t = TEXT_IN(a->mem), u = TEXT_IN(a->mem);
    script_print(&t, a, NULL);
    script_print(&u, b, NULL);
    return strcmp(text_get(&t), text_get(&u)) == 0;
}

// Targets whose schedules are the same share a module.
static void share_module(compilation *c, uint32_t t) {
    for (uint32_t i = 0; i < t; i++)
        if (same_text(c->lowered[i], c->lowered[t])) {
            c->lowered[t] = c->lowered[i];
            return;
        }
}

static bool run_steps(compilation *c, const arch *const *target, uint32_t targets) {
    const pass_observer observer = {.after = after_pass, .user = c};
    pass_list steps = {0};
    if (!find_steps(c, &steps)) return false;
    pass_list rest = split_steps(&steps);
    bool ok = pass_run(c->m, &steps, target[0], &observer, c->d);
    for (uint32_t t = 0; t < targets && ok; t++) c->lowered[t] = t ? module_fork(c->m) : c->m;
    for (uint32_t t = 0; t < targets && ok; t++) {
        c->arch = targets > 1 ? target[t] : NULL;
        ok = pass_run(c->lowered[t], &rest, target[t], &observer, c->d);
        if (t) module_join(c->m, c->lowered[t]);
        if (ok) share_module(c, t);
    }
    stage_start(&c->clock);
    return ok;
}

static bool run_pipeline(compilation *c, const arch *const *target, uint32_t targets) {
    char why[FILE_WHY];
    rx_status status = c->o->dump ? folder_make(c->o->dump, why) : RX_OK;
    if (status != RX_OK) return diag_refused(c->d, status, "%s", why);
    if (c->o->dump) dump(c, c->m, "parsed");
    bool ok = run_steps(c, target, targets);
    for (uint32_t t = 0; t < targets && ok; t++) ok = keeps_limit(c, c->lowered[t]);
    return ok;
}

// The weights' file stays open: the caller closes it.
static module *lower(compilation *c, const source *src, const arch *const *target, uint32_t targets) {
    stage_start(&c->clock);
    if (read_module(c, src) && run_pipeline(c, target, targets)) return c->m;
    module_free(c->m);
    return c->m = NULL;
}

module *driver_lower(const source *src, const driver_options *o, const arch *a, diag *d) {
    compilation c = open_compilation(o, d);
    module *m = lower(&c, src, &a, 1);
    weights_close(c.weights);
    return m;
}

// --- Targets.

static uint32_t find_targets(const driver_options *o, arena *mem, const arch *out[MAX_TARGETS], diag *d) {
    char why[256];
    if (!o->targets) return arch_defaults(mem, o->model != NULL, out, MAX_TARGETS);
    if (o->targets > MAX_TARGETS) {
        diag_error(d, (loc){0}, "at most %d targets go into one file, got %u", MAX_TARGETS, o->targets);
        return 0;
    }
    for (uint32_t i = 0; i < o->targets; i++) {
        out[i] = arch_parse(mem, o->target[i], why);
        if (out[i]) continue;
        diag_error(d, (loc){0}, "%s", why);
        return 0;
    }
    return o->targets;
}

// --- The back half.

// RX_INTERNAL: a transformation failed, which has been reported.
static rx_status save_with_transforms(emission *e, weight_file *w, const driver_options *o, const char *output,
                                      char *why) {
    RX_TRY(exec_writer_start(e->w, output, why));
    *why = 0;
    return weights_transform(e, w, o) ? exec_writer_finish(e->w, why) : RX_INTERNAL;
}

static bool save(emission *e, weight_file *w, const driver_options *o, const char *output) {
    char why[EXEC_WHY] = "";
    rx_status status =
        weights_wait(e) ? save_with_transforms(e, w, o, output, why) : exec_writer_save(e->w, output, why);
    bool named = strncmp(why, output, strlen(output)) == 0; // by what failed on the file itself
    if (status != RX_OK && *why) diag_refused(e->d, status, "%s%s%s", named ? "" : output, named ? "" : ": ", why);
    return status == RX_OK;
}

static uint64_t hash_weights(const checkpoint *from) {
    uint64_t sum = 0;
    size_t read = 0;
    for (size_t i = 0; i < checkpoint_count(from); i++) {
        const checkpoint_tensor *t = checkpoint_at(from, i);
        sum = hash_bytes(t->data, t->bytes, sum);
        read += t->bytes;
        if (read < WEIGHTS_IN_MEMORY) continue;
        checkpoint_forget(from);
        read = 0;
    }
    return sum;
}

// What the file keeps of its checkpoint beside the weights: tokenizer, template and the like as a GGUF file of keys
// alone, and a hash of its tensors' bytes.
static bool describe_source(compilation *c, emission *e) {
    const checkpoint *from = c->o->model ? weights_checkpoint(c->weights) : NULL;
    char why[FILE_WHY], hash[17];
    uint8_t *keys = NULL;
    size_t size = 0;
    if (!from) return true;
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)hash_weights(from));
    const char *slash = strrchr(c->o->model, '/'), *name = slash && slash[1] ? slash + 1 : c->o->model;
    exec_writer_metadata(e->w, "source", name, strlen(name));
    exec_writer_metadata(e->w, "source.hash", hash, strlen(hash));
    rx_status status = checkpoint_keys(from, &keys, &size, why);
    if (status == RX_NOT_FOUND) return true; // it works on numbers of tokens
    if (status != RX_OK) return diag_refused(c->d, status, "%s", why);
    exec_writer_metadata(e->w, GGUF_METADATA, keys, size);
    free(keys);
    return true;
}

// One emission for each module that the targets have.
static bool emit_all(const compilation *c, emission *first, emission **e, const arch *const *target, uint32_t targets) {
    e[0] = first;
    if (!emit_module(first)) return false;
    for (uint32_t t = 1; t < targets; t++) {
        for (uint32_t i = 0; i < t; i++)
            if (c->lowered[i] == c->lowered[t]) e[t] = e[i];
        if (e[t]) continue;
        e[t] = ARENA_NEW(first->mem, emission, 1);
        *e[t] = emission_beside(first, c->lowered[t]);
        weights_share(e[t]);
        if (!emit_module(e[t])) return false;
    }
    emit_bindings(first, NULL);
    for (uint32_t t = 1; t < targets; t++)
        if (e[t]->first) emit_bindings(e[t], target[t]->name);
    return true;
}

static bool goes_on(const compilation *c) { return !c->o->interrupted || !c->o->interrupted(c->o->progress_user); }

static bool write_file(compilation *c, const arch *const *target, uint32_t targets, const char *output) {
    emission first = emission_open(c->m, c->d), *e[MAX_TARGETS] = {0};
    bool ok = first.w != NULL || diag_refused(c->d, RX_OUT_OF_MEMORY, "out of memory");
    ok = ok && weights_bind(&first, c->weights) && emit_all(c, &first, e, target, targets);
    ok = ok && describe_source(c, &first);
    stage_end(&c->clock, "bytecode");
    ok = ok && kernels_compile(e, c->o, target, targets, c->linker, &c->clock);
    if (ok) emit_replacements(e, targets);
    ok = ok && goes_on(c) && save(&first, c->weights, c->o, output);
    stage_end(&c->clock, "write");
    exec_writer_free(first.w);
    return ok;
}

// Starting a linker takes longer than linking. Where machine code is kept from earlier it may not be needed.
static void start_linkers(compilation *c, const arch *const *target, uint32_t targets) {
    for (uint32_t t = 0; t < targets && !c->o->cache; t++) c->linker[t] = target_linker_start(target[t], &c->o->code);
}

// A file is what its public functions are: one without any could do nothing.
static bool has_public(const compilation *c, const source *src) {
    for (uint32_t i = 0; i < c->m->funcs.len; i++) {
        const module_func *f = c->m->funcs.entry[i].value;
        if (f->kind == FUNC_GRAPH && !f->graph->is_private) return true;
    }
    return c->o->model || diag_error(c->d, (loc){0},
                                     "%s: no function in it is public: a compiled file would have nothing "
                                     "to call (private=True hides a function, loop programs are called "
                                     "by functions)",
                                     src->name);
}

bool driver_compile(const source *src, const driver_options *o, const char *output, diag *d) {
    compilation c = open_compilation(o, d);
    const arch *target[MAX_TARGETS];
    arena *mem = arena_new();
    uint32_t targets = find_targets(o, mem, target, d);
    start_linkers(&c, target, targets);
    bool ok = targets && lower(&c, src, target, targets) && has_public(&c, src) && goes_on(&c) &&
              write_file(&c, target, targets, output);
    for (uint32_t t = 0; t < targets; t++) target_linker_free(c.linker[t]);
    weights_close(c.weights);
    module_free(c.m);
    arena_free(mem);
    return ok;
}

static bool print_module(compilation *c, compiled *out) {
    text t = TEXT_IN(c->m->mem);
    script_print(&t, c->m, NULL);
    *out = (compiled){.bytes = malloc(t.len + 1), .size = t.len};
    if (!out->bytes) return diag_refused(c->d, RX_OUT_OF_MEMORY, "out of memory");
    memcpy(out->bytes, text_get(&t), t.len);
    return true;
}

static bool print_kernels(compilation *c, const arch *target, compiled *out) {
    static const target_output form[] = {
        [EMIT_LLVM] = TARGET_LLVM_TEXT, [EMIT_ASM] = TARGET_ASM, [EMIT_OBJECT] = TARGET_OBJECT};
    emission e = emission_open(c->m, c->d);
    bool ok = emit_module(&e) && kernels_print(&e, c->o, target, form[c->o->emit], out);
    exec_writer_free(e.w);
    return ok;
}

bool driver_print(const source *src, const driver_options *o, compiled *out, diag *d) {
    compilation c = open_compilation(o, d);
    const arch *target[MAX_TARGETS];
    arena *mem = arena_new();
    *out = (compiled){0};
    bool ok = find_targets(o, mem, target, d) && lower(&c, src, target, 1);
    if (ok) ok = o->emit == EMIT_IR ? print_module(&c, out) : print_kernels(&c, target[0], out);
    weights_close(c.weights);
    module_free(c.m);
    arena_free(mem);
    return ok;
}
