// context.c - making and unmaking a context: kernels for this machine, imports, constants, weights.
#include "vm/context.h"
#include "base/cpu.h"
#include "base/file.h"
#include "base/versions.h"
#include "device/cpu.h"
#include "vm/external.h"
#include "vm/instructions.h"
#include "vm/static_memory.h"
#include "vm/weights_once.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rx_status vm_fail(rx_context *c, rx_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(c->message, sizeof c->message, format, args);
    va_end(args);
    return status;
}

#ifdef RELAX_DEBUG
// Nothing can be trusted after that, and no status would reach whoever did it.
void vm_misused(const char *done) {
    fprintf(stderr,
            "relax: a context is %s while a call on it is on its way; a context belongs to one thread at a time: make "
            "one per thread (relax/runtime.h)\n",
            done);
    abort();
}
#endif

rx_status vm_no_memory(rx_context *c) { return vm_fail(c, RX_OUT_OF_MEMORY, "no memory"); }

// ---- kernels ----

static unsigned count_bits(uint64_t x) { return (unsigned)__builtin_popcountll(x); }

// The variant that asks for most of what this machine has; NULL if none can run.
static const exec_variant *choose_variant(const executable *e, const char *machine, uint64_t features) {
    const exec_variant *best = NULL;
    for (uint32_t i = 0; i < e->variants; i++) {
        const exec_variant *v = &e->variant[i];
        if (strcmp(exec_string(e, v->device), machine) != 0 || v->unknown || (v->required & ~features)) continue;
        if (!best || count_bits(v->required) > count_bits(best->required)) best = v;
    }
    return best;
}

// Names what is missing for each variant there is.
// snprintf returns what it would have written: `at` past the end stops the loops.
static rx_status fail_variants(rx_context *c, const char *machine, uint64_t features) {
    const executable *e = c->exe;
    int at = snprintf(c->message, RX_MESSAGE, "no kernels in this file run on this machine (%s):", machine);
    for (uint32_t i = 0; i < e->variants && at < RX_MESSAGE - 1; i++) {
        const exec_variant *v = &e->variant[i];
        char missing[256];
        cpu_features_text(v->required & ~features, missing, sizeof missing);
        if (strcmp(exec_string(e, v->device), machine) != 0) snprintf(missing, sizeof missing, "another device");
        at +=
            snprintf(c->message + at, RX_MESSAGE - (size_t)at, "%s %s needs %s%s%s", i ? ";" : "",
                     exec_string(e, v->arch), missing, v->unknown && *missing ? "," : "", v->unknown ? v->unknown : "");
    }
    return RX_UNSUPPORTED;
}

// Functions that were lowered for each machine: those of this one.
static bool choose_bodies(rx_context *c) {
    const executable *e = c->exe;
    if (!e->replacements) return true;
    c->body = heap_memory(c->heap, e->functions * sizeof *c->body);
    if (c->body) exec_bodies(e, (uint32_t)(c->variant - e->variant), c->body);
    return c->body != NULL;
}

// The widest launch decides how long c->buffer and c->scalar are, so that no launch allocates.
static rx_status load_kernels(rx_context *c) {
    const executable *e = c->exe;
    char why[DEVICE_WHY];
    if (!e->kernels) return RX_OK;
    device_properties p = c->f->properties(c->dev);
    c->variant = choose_variant(e, p.name, p.features);
    if (!c->variant) return fail_variants(c, p.name, p.features);
    rx_status status =
        c->f->load(c->dev, c->variant->image.at, c->variant->image.size, c->variant->entry, e->kernels, &c->code, why);
    if (status != RX_OK) return vm_fail(c, status, "%s: %s", exec_string(e, c->variant->arch), why);
    if (!choose_bodies(c)) return vm_no_memory(c);
    for (uint32_t i = 0; i < e->kernels; i++) {
        if (e->kernel[i].buffers > c->widest_buffers) c->widest_buffers = e->kernel[i].buffers;
        if (e->kernel[i].scalars > c->widest_scalars) c->widest_scalars = e->kernel[i].scalars;
    }
    return RX_OK;
}

// ---- imports ----

// Finds one import; false if it is missing or too old.
// Builtins that see values come first; the others work on host tensors and are shared with the interpreter.
static bool resolve(const executable *e, const exec_import *i, const rx_registry *r, vm_import *out) {
    const char *name = exec_string(e, i->name);
    if (i->kind == IMPORT_EXTERNAL) return registry_find(r, name, &out->call, &out->user);
    out->values = vm_builtin_find(name);
    if (out->values) return out->values->version >= i->version;
    out->tensors = builtin_find(name);
    return out->tensors && out->tensors->version >= i->version;
}

// All that are missing are listed at once.
static rx_status resolve_imports(rx_context *c, const rx_registry *r) {
    const executable *e = c->exe;
    int at = 0;
    for (uint32_t i = 0; i < e->imports; i++) {
        if (resolve(e, &e->import[i], r, &c->import[i]) || at >= RX_MESSAGE - 1) continue;
        const char *kind = e->import[i].kind == IMPORT_EXTERNAL ? "external function" : "builtin";
        at += snprintf(c->message + at, RX_MESSAGE - (size_t)at, "%s%s %s", at ? ", " : "missing: ", kind,
                       exec_string(e, e->import[i].name));
        if (e->import[i].version && at < RX_MESSAGE - 1)
            at += snprintf(c->message + at, RX_MESSAGE - (size_t)at, " (version %u)", e->import[i].version);
    }
    if (at && at < RX_MESSAGE - 1)
        snprintf(c->message + at, RX_MESSAGE - (size_t)at, "; register external functions, or use a newer runtime");
    return at ? RX_NOT_FOUND : RX_OK;
}

// ---- constants and weights ----

// A tensor over bytes of the file; the executable outlives the context, and values that outlive both hold it.
static void release_executable(void *user, void *data) {
    (void)data;
    exec_release(user);
}

static bool file_tensor(rx_context *c, dtype t, uint32_t rank, const int64_t *dim, const uint8_t *data, size_t bytes,
                        vm_value *out) {
    vm_tensor *o = tensor_object_new(c->heap, NULL, t, rank, dim, (void *)(uintptr_t)data, bytes);
    if (!o) return false;
    o->head.read_only = 1; // mapped without the right to write
    o->release = release_executable;
    o->user = exec_retain(c->exe);
    *out = value_of(&o->head);
    return true;
}

// Bytes are used where the file is mapped; small values become objects of the context's heap.
static bool make_constant(rx_context *c, const exec_constant *k, vm_value *out) {
    object *o = NULL;
    switch (k->kind) {
    case CONSTANT_TENSOR: return file_tensor(c, k->type, k->dims, k->dim, k->bytes.at, k->bytes.size, out);
    case CONSTANT_PRIM: *out = prim_value(k->type, k->bits); return true;
    case CONSTANT_SHAPE: o = (object *)shape_new(c->heap, NULL, k->dims, k->dim); break;
    case CONSTANT_STRING: o = (object *)string_new(c->heap, NULL, (const char *)k->bytes.at, k->bytes.size); break;
    case CONSTANT_NULL:
    case CONSTANT_KINDS: return true;
    }
    if (o) *out = value_of(o);
    return o != NULL;
}

// Nothing is read yet: weights are paged in by the first kernels that touch them.
static rx_status make_values(rx_context *c) {
    const executable *e = c->exe;
    for (uint32_t i = 0; i < e->constants; i++)
        if (!make_constant(c, &e->constant[i], &c->constant[i])) return vm_no_memory(c);
    for (uint32_t i = 0; i < e->weights; i++) {
        const exec_weight *w = &e->weight[i];
        if (!file_tensor(c, w->type, w->dims, w->dim, w->data, (size_t)w->bytes, &c->weight[i])) return vm_no_memory(c);
    }
    return RX_OK;
}

// ---- arrays ----

static void *zeroed(rx_context *c, size_t count, size_t size) {
    void *at = heap_memory(c->heap, count * size);
    if (at && count) memset(at, 0, count * size);
    return at;
}

// Only public functions can be called from outside.
static bool make_inputs(rx_context *c) {
    const executable *e = c->exe;
    c->inputs = zeroed(c, e->functions, sizeof *c->inputs);
    for (uint32_t i = 0; c->inputs && i < e->functions; i++) {
        uint32_t params = e->function[i].flags & FUNCTION_PUBLIC ? e->function[i].params : 0;
        c->inputs[i].value = zeroed(c, params, sizeof(vm_value));
        c->inputs[i].accepted = zeroed(c, params, 1);
        if (!c->inputs[i].value || !c->inputs[i].accepted) return false;
    }
    return c->inputs != NULL;
}

static bool number_functions(rx_context *c) {
    const executable *e = c->exe;
    c->public_function = zeroed(c, e->functions, sizeof *c->public_function);
    for (uint32_t i = 0; c->public_function && i < e->functions; i++)
        if (e->function[i].flags & FUNCTION_PUBLIC) c->public_function[c->publics++] = i;
    return c->public_function != NULL;
}

static bool make_arrays(rx_context *c) {
    const executable *e = c->exe;
    c->buffer = zeroed(c, c->widest_buffers, sizeof *c->buffer);
    c->scalar = zeroed(c, c->widest_scalars, sizeof *c->scalar);
    c->constant = zeroed(c, e->constants, sizeof *c->constant);
    c->weight = zeroed(c, e->weights, sizeof *c->weight);
    c->import = zeroed(c, e->imports, sizeof *c->import);
    c->cached = zeroed(c, e->caches, sizeof *c->cached);
    c->capture = zeroed(c, e->caches, sizeof *c->capture);
    return c->buffer && c->scalar && c->constant && c->weight && c->import && c->cached && c->capture &&
           make_inputs(c) && number_functions(c);
}

static void release_values(rx_context *c, vm_value *v, size_t count) {
    for (size_t i = 0; v && i < count; i++) value_release(c->heap, &v[i]);
    heap_memory_free(c->heap, v, count * sizeof *v);
}

static void free_inputs(rx_context *c) {
    const executable *e = c->exe;
    for (uint32_t i = 0; c->inputs && i < e->functions; i++) {
        uint32_t params = e->function[i].flags & FUNCTION_PUBLIC ? e->function[i].params : 0;
        release_values(c, c->inputs[i].value, params);
        heap_memory_free(c->heap, c->inputs[i].accepted, params);
    }
    heap_memory_free(c->heap, c->inputs, e->functions * sizeof *c->inputs);
}

// Also of a context that was only half made: arrays that were not reached are NULL.
static void free_arrays(rx_context *c) {
    const executable *e = c->exe;
    for (uint32_t i = 0; c->capture && i < e->caches; i++)
        for (uint32_t k = 0; k < VM_CAPTURES; k++) capture_free(c, &c->capture[i][k]);
    heap_memory_free(c->heap, c->capture, e->caches * sizeof *c->capture);
    release_values(c, c->cached, e->caches);
    release_values(c, c->constant, e->constants);
    release_values(c, c->weight, e->weights);
    weights_once_close(c);
    free_inputs(c);
    heap_memory_free(c->heap, c->public_function, e->functions * sizeof *c->public_function);
    heap_memory_free(c->heap, c->body, e->functions * sizeof *c->body);
    heap_memory_free(c->heap, c->import, e->imports * sizeof *c->import);
    heap_memory_free(c->heap, c->buffer, c->widest_buffers * sizeof *c->buffer);
    heap_memory_free(c->heap, c->scalar, c->widest_scalars * sizeof *c->scalar);
    heap_memory_free(c->heap, c->workers, c->workers_room);
    heap_memory_free(c->heap, c->reg, c->reg_room * sizeof *c->reg);
    heap_memory_free(c->heap, c->slot, c->slot_room * sizeof *c->slot);
    heap_memory_free(c->heap, c->frame, c->frame_room * sizeof *c->frame);
}

// ---- the context ----

// Sharing the device shares its thread pool.
static rx_status open_device(rx_context *c, const rx_context_options *o) {
    char why[DEVICE_WHY];
    if (o->share_threads) {
        c->dev = device_retain(o->share_threads->dev);
    } else {
        rx_status status = device_open(o->device ? o->device : "cpu", o->threads, &c->dev, why);
        if (status != RX_OK) return vm_fail(c, status, "%s", why);
    }
    c->f = c->dev->f;
    c->threads = c->f->properties(c->dev).threads;
    return RX_OK;
}

// The order matters for messages: the machine first, then what is missing, then memory.
static rx_status fill(rx_context *c, const rx_context_options *o) {
    RX_TRY(open_device(c, o));
    c->heap = heap_new(&o->allocator, c->dev, o->memory_limit);
    if (!c->heap) return vm_no_memory(c);
    RX_TRY(load_kernels(c));
    if (!make_arrays(c)) return vm_no_memory(c);
    RX_TRY(resolve_imports(c, o->registry));
    RX_TRY(make_values(c));
    RX_TRY(weights_once_open(c));
    return static_memory_take(c);
}

rx_status vm_read_options(const rx_executable *e, const rx_context_options *from, rx_context_options *out,
                          char *message) {
    static const struct_versions versions = {"rx_context_options", {sizeof(rx_context_options)}};
    if (!struct_read(&versions, out, from, message) || !vm_check_allocator(&out->allocator, message))
        return RX_INVALID_ARGUMENT;
    if (!e) return why_fail(message, RX_INVALID_ARGUMENT, "want an executable, got NULL");
    if (!out->share_threads && out->threads > RX_MAX_THREADS)
        return why_fail(message, RX_INVALID_ARGUMENT, "threads: want 0 to %d, got %u", RX_MAX_THREADS, out->threads);
    return RX_OK;
}

// Values go before the heap they live in, the heap before the device, code after everything that could run.
static void free_context(rx_context *c) {
    if (c->heap) {
        free_arrays(c);
        heap_close(c->heap);
    }
    if (c->code) c->f->unload(c->code);
    device_release(c->dev);
    exec_release(c->exe);
}

// Everything that could fail later for lack of a kernel, an import or memory for static things fails here.
rx_status rx_context_new(rx_executable *e, const rx_context_options *options, rx_context **out, char *message) {
    rx_context_options o;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    RX_TRY(vm_read_options(e, options, &o, message));
    rx_context *c = memory_take(&o.allocator, sizeof *c);
    if (!c) return why_fail(message, RX_OUT_OF_MEMORY, "no memory for a context");
    memset(c, 0, sizeof *c);
    atomic_init(&c->cancelled, false);
    atomic_init(&c->runner, 0);
    c->exe = exec_retain((const executable *)(const void *)e);
    c->allocator = o.allocator;
    c->step_limit = o.step_limit ? o.step_limit : UINT64_MAX;
    c->observer = o.observer;
    c->observer_user = o.observer_user;
    rx_status status = fill(c, &o);
    if (status == RX_OK) {
        *out = c;
        return RX_OK;
    }
    if (message) memcpy(message, c->message, RX_MESSAGE);
    free_context(c);
    memory_give(&o.allocator, c, sizeof *c);
    return status;
}

void rx_context_release(rx_context *c) {
    if (!c) return;
    vm_check_alone(c, "released");
    rx_allocator a = c->allocator;
    free_context(c);
    memory_give(&a, c, sizeof *c);
}

const char *rx_device_name(uint32_t index) { return device_name(index); }

const char *rx_context_message(const rx_context *c) { return c ? c->message : ""; }

// The one function other threads may call; the loop looks at it (check_cancelled).
void rx_context_cancel(rx_context *c) {
    if (c) atomic_store_explicit(&c->cancelled, true, memory_order_relaxed);
}

void rx_context_trim(rx_context *c) {
    if (!c) return;
    vm_check_alone(c, "trimmed");
    heap_trim(c->heap);
}

rx_status rx_context_stats(const rx_context *c, rx_stats *out) {
    static const struct_versions versions = {"rx_stats", {sizeof(rx_stats)}};
    if (!c || !out) return RX_INVALID_ARGUMENT;
    heap_counts n = heap_count(c->heap);
    const rx_stats all = {.calls = c->calls,
                          .allocations = n.allocations,
                          .bytes = n.bytes,
                          .peak_bytes = n.peak,
                          .launches = c->launches,
                          .variant = c->variant ? exec_string(c->exe, c->variant->arch) : "",
                          .threads = c->threads};
    return struct_fill(&versions, out, &all, NULL) ? RX_OK : RX_INVALID_ARGUMENT;
}
