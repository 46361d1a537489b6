// run.c - one run of the interpreters: its limits, and the way in.
#include "interp/run.h"
#include "base/count_noun.h"
#include "interp/frame.h"
#include "tensor/shape.h"
#include <stdlib.h>

// Limits for callers that name none: minutes of work, and less memory than most machines have.
static const uint64_t default_steps = 1000000000;
static const size_t default_bytes = (size_t)4 << 30;

// The arena is the run's: compiled programs and lowered operators die with it.
static run *interp_open(const module *m, const interp_options *o, diag *d) {
    static const interp_options none = {0};
    arena *mem = arena_new();
    run *r = ARENA_NEW(mem, run, 1);
    *r = (run){.m = m, .o = o ? o : &none, .d = d, .mem = mem};
    r->programs = r->lowered = r->undecided = r->uses = r->captures = MAP_IN(mem);
    r->concrete = TEXT_MAP_IN(mem);
    r->max_steps = r->o->max_steps ? r->o->max_steps : default_steps;
    r->memory = budget_new(r->o->max_bytes ? r->o->max_bytes : default_bytes);
    if (r->memory) return r;
    diag_error(d, (loc){0}, "no memory to run %s", m->name);
    arena_free(mem);
    return NULL;
}

static void interp_close(run *r) {
    if (!r) return;
    budget_release(r->memory);
    arena_free(r->mem);
}

// Said once, however many frames it passes on the way out.
bool interp_steps(run *r, uint64_t count, loc at) {
    r->steps += count;
    if (r->steps <= r->max_steps) return true;
    if (!r->out_of_steps) diag_error(r->d, at, "stopped after %s", COUNTED(r->max_steps, "step"));
    r->out_of_steps = true;
    return false;
}

// Counted against the run's budget; elements remember whether they were written unless the options forbid it.
tensor *interp_tensor(run *r, dtype type, uint32_t rank, const int64_t *dim, loc at) {
    tensor *t = NULL;
    char spelled[32];
    size_t bytes;
    // Before anything is allocated, so that a hostile shape is only refused.
    if (!shape_bytes(type, rank, dim, &bytes)) {
        diag_error(r->d, at, "no tensor of %s can have this shape", dtype_spell(type, spelled));
        return NULL;
    }
    storage *s = storage_new(r->memory, bytes, !r->o->allow_uninitialised);
    if (!s || storage_tensor(s, 0, type, rank, dim, &t) != RX_OK)
        diag_error(r->d, at, "no memory for a tensor of %s", COUNTED(bytes, "byte"));
    storage_release(s);
    return t;
}

// The entry of a run: by name, whatever kind of function it is.
static bool interp_function(run *r, const char *name, const value *arg, uint32_t count, value *result) {
    const module_func *f = module_find(r->m, name);
    if (!f) return diag_error(r->d, (loc){0}, "%s: no such function in module %s", name, r->m->name);
    if (f->kind == FUNC_GRAPH) return interp_graph(r, f->graph, arg, count, result);
    if (f->kind == FUNC_LOOP) return interp_loop(r, f->loop, arg, count, result, f->at);
    return host_run(r, f->symbol, arg, count, result, f->at);
}

// What a function returns is read by its caller. Of a tuple in tuples the outer level is named.
static bool check_written(run *r, const char *func, const value *v, uint32_t index) {
    if (v->kind == VALUE_TUPLE) {
        for (uint32_t i = 0; i < v->as.tuple.count; i++)
            if (!check_written(r, func, &v->as.tuple.item[i], i)) return false;
        return true;
    }
    if (v->kind != VALUE_TENSOR) return true;
    const tensor *t = v->as.tensor;
    size_t at = storage_first_unwritten(t), bits = dtype_bits(t->type) * dtype_lanes(t->type);
    if (at == t->bytes) return true;
    return diag_error(r->d, module_find(r->m, func)->at, "%s: element %zu of result %u was never written", func,
                      at * 8 / bits, index);
}

// Values of the user have no counts: they are copied at the border, tensors shared.
static bool run_imported(run *r, const char *func, const value *arg, uint32_t count, arena *mem, value *result) {
    value *own = calloc(count + 1, sizeof *own), out = {.kind = VALUE_NULL};
    uint32_t taken = 0;
    if (!own) return diag_error(r->d, (loc){0}, "no memory to run %s", func);
    while (taken < count && value_import(r, &arg[taken], &own[taken])) taken++;
    bool done = taken == count && interp_function(r, func, own, count, &out) && value_export(r, &out, mem, result);
    if (done && !check_written(r, func, result, 0)) {
        interp_release(result);
        done = false;
    }
    for (uint32_t i = 0; i < taken; i++) value_drop(&own[i]);
    value_drop(&out);
    free(own);
    return done;
}

// *result is a null value unless it ran.
bool interp_run(const module *m, const char *func, value *arg, uint32_t count, const interp_options *o, arena *mem,
                value *result, diag *d) {
    run *r = interp_open(m, o, d);
    *result = (value){.kind = VALUE_NULL};
    bool done = r && run_imported(r, func, arg, count, mem, result);
    interp_close(r);
    return done;
}
