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

// One compilation.
typedef struct compilation {
    const driver_options *o;
    diag *d;
    module *m;
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

static void dump(compilation *c, const char *name) {
    char why[FILE_WHY];
    text t = TEXT_IN(c->m->mem);
    script_print(&t, c->m, NULL);
    const char *path = arena_format(c->m->mem, "%s/%02u.%s.py", c->o->dump, c->step++, name);
    if (file_write(path, text_get(&t), t.len, why) != RX_OK) diag_error(c->d, (loc){0}, "%s", why);
}

static void after_pass(void *user, const module *m, const pass_step *step, double seconds) {
    compilation *c = user;
    (void)m;
    stage_note(&c->clock, step->pass->name, seconds);
    if (c->o->dump) dump(c, step->pass->name);
}

// --- The front half.

// A checkpoint's own module.
static bool import_model(compilation *c) {
    decoder_config config;
    c->m = module_new();
    c->weights = weights_open(c->o->model, c->d);
    const checkpoint *from = c->weights ? weights_checkpoint(c->weights) : NULL;
    if (!from) return c->weights && diag_error(c->d, (loc){0}, "%s: want a checkpoint", c->o->model);
    return decoder_read_config(from, c->m->mem, &config, c->d) &&
           decoder_build(c->m, &config, &c->o->decoder, from, c->d);
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
    for (uint32_t i = 0; i < c->o->shapes; i++)
        if (!driver_apply_shape(c->m, &c->o->shape[i], c->d)) return false;
    return !c->weights || weights_announce(c->weights, c->m, c->o->run != NULL, c->d);
}

static bool keeps_limit(compilation *c) {
    enum { TYPICAL = 512 }; // for sizes without a bound
    bool fits = true;
    for (uint32_t i = 0; c->o->mem_limit && i < c->m->funcs.len; i++) {
        const module_func *f = c->m->funcs.entry[i].value;
        if (f->kind != FUNC_GRAPH) continue;
        plan_view v = plan_view_of(c->m, f->graph, TYPICAL, c->m->mem);
        const char *excess = plan_view_excess(&v, c->o->mem_limit, c->m->mem);
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

static bool run_pipeline(compilation *c, const arch *a) {
    pass_list steps = {0};
    const pass_observer observer = {.after = after_pass, .user = c};
    char why[FILE_WHY];
    if (c->o->dump && folder_make(c->o->dump, why) != RX_OK) return diag_error(c->d, (loc){0}, "%s", why);
    if (c->o->dump) dump(c, "parsed");
    if (!pipeline_find(c->o->pipeline ? c->o->pipeline : "default", c->m->mem, &steps, c->d)) return false;
    choose_activations(c, &steps);
    choose_schedules(c, &steps);
    bool ok = pass_run(c->m, &steps, a, &observer, c->d);
    stage_start(&c->clock);
    return ok && keeps_limit(c);
}

// The weights' file stays open: the caller closes it.
static module *lower(compilation *c, const source *src, const arch *a) {
    stage_start(&c->clock);
    if (read_module(c, src) && run_pipeline(c, a)) return c->m;
    module_free(c->m);
    return c->m = NULL;
}

module *driver_lower(const source *src, const driver_options *o, const arch *a, diag *d) {
    compilation c = open_compilation(o, d);
    module *m = lower(&c, src, a);
    weights_close(c.weights);
    return m;
}

// --- Targets.

enum { MAX_TARGETS = 16 };

static uint32_t find_targets(const driver_options *o, arena *mem, const arch *out[MAX_TARGETS], diag *d) {
    char why[256];
    if (!o->targets) return arch_defaults(mem, out, MAX_TARGETS);
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

static bool save_with_transforms(emission *e, weight_file *w, const driver_options *o, const char *output, char *why) {
    if (exec_writer_start(e->w, output, why) != RX_OK) return false;
    *why = 0;
    return weights_transform(e, w, o) && exec_writer_finish(e->w, why) == RX_OK;
}

static bool save(emission *e, weight_file *w, const driver_options *o, const char *output) {
    char why[EXEC_WHY] = "";
    bool ok =
        weights_wait(e) ? save_with_transforms(e, w, o, output, why) : exec_writer_save(e->w, output, why) == RX_OK;
    bool named = strncmp(why, output, strlen(output)) == 0; // by what failed on the file itself
    if (!ok && *why) diag_error(e->d, (loc){0}, "%s%s%s", named ? "" : output, named ? "" : ": ", why);
    return ok;
}

// What the file keeps of its checkpoint beside the weights: tokenizer, template and the like as a GGUF file of keys
// alone, and a hash of its tensors' bytes.
static bool describe_source(compilation *c, emission *e) {
    const checkpoint *from = c->o->model ? weights_checkpoint(c->weights) : NULL;
    char why[FILE_WHY], hash[17];
    uint8_t *keys = NULL;
    size_t size = 0;
    uint64_t sum = 0;
    if (!from) return true;
    for (size_t i = 0; i < checkpoint_count(from); i++)
        sum = hash_bytes(checkpoint_at(from, i)->data, checkpoint_at(from, i)->bytes, sum);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)sum);
    const char *slash = strrchr(c->o->model, '/'), *name = slash && slash[1] ? slash + 1 : c->o->model;
    exec_writer_metadata(e->w, "source", name, strlen(name));
    exec_writer_metadata(e->w, "source.hash", hash, strlen(hash));
    rx_status status = checkpoint_keys(from, &keys, &size, why);
    if (status == RX_NOT_FOUND) return true; // it works on numbers of tokens
    if (status != RX_OK) return diag_error(c->d, (loc){0}, "%s", why);
    exec_writer_metadata(e->w, GGUF_METADATA, keys, size);
    free(keys);
    return true;
}

static bool write_file(compilation *c, const arch *const *target, uint32_t targets, const char *output) {
    emission e = emission_open(c->m, c->d);
    bool ok = e.w != NULL || diag_error(c->d, (loc){0}, "out of memory");
    ok = ok && weights_bind(&e, c->weights) && emit_module(&e) && describe_source(c, &e);
    stage_end(&c->clock, "bytecode");
    ok = ok && kernels_compile(&e, c->o, target, targets, &c->clock);
    ok = ok && save(&e, c->weights, c->o, output);
    stage_end(&c->clock, "write");
    exec_writer_free(e.w);
    return ok;
}

bool driver_compile(const source *src, const driver_options *o, const char *output, diag *d) {
    compilation c = open_compilation(o, d);
    const arch *target[MAX_TARGETS];
    arena *mem = arena_new();
    uint32_t targets = find_targets(o, mem, target, d);
    bool ok = targets && lower(&c, src, target[0]) && write_file(&c, target, targets, output);
    weights_close(c.weights);
    module_free(c.m);
    arena_free(mem);
    return ok;
}

static bool print_module(compilation *c, compiled *out) {
    text t = TEXT_IN(c->m->mem);
    script_print(&t, c->m, NULL);
    *out = (compiled){.bytes = malloc(t.len + 1), .size = t.len};
    if (!out->bytes) return diag_error(c->d, (loc){0}, "out of memory");
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
    bool ok = find_targets(o, mem, target, d) && lower(&c, src, target[0]);
    if (ok) ok = o->emit == EMIT_IR ? print_module(&c, out) : print_kernels(&c, target[0], out);
    weights_close(c.weights);
    module_free(c.m);
    arena_free(mem);
    return ok;
}
