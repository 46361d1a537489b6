// host.c - functions found by name: the user's externals, then what lowered modules call of the runtime.
#include "interp/host.h"
#include "interp/builtin_op.h"
#include <string.h>

static const char runtime_prefix[] = "rx.builtin."; // what lowered modules call of the runtime

// A user's function comes before one of ours with the same name.
static interp_extern *find_external(const interp_binding *list, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0) return list[i].call;
    return NULL;
}

// What an external returns is its own: shapes and tuples are copied, references of tensors taken over.
static bool run_external(run *r, interp_extern *call, const char *name, const value *arg, uint32_t count, value *result,
                         loc at) {
    char why[256] = "it failed";
    value raw = {.kind = VALUE_NULL};
    if (!call((value *)(uintptr_t)arg, count, &raw, why)) return diag_error(r->d, at, "%s: %s", name, why);
    for (uint32_t i = 0; i < count; i++) // it may have written any of them
        if (arg[i].kind == VALUE_TENSOR) storage_all_written(arg[i].as.tensor);
    bool done = value_import(r, &raw, result);
    interp_release(&raw);
    return done;
}

// A call counts as one step, whatever it does.
bool host_run(run *r, const char *name, const value *arg, uint32_t count, value *result, loc at) {
    *result = (value){.kind = VALUE_NULL};
    interp_extern *call = find_external(r->o->externals, r->o->external_count, name);
    if (!interp_steps(r, 1, at)) return false;
    if (call) return run_external(r, call, name, arg, count, result, at);
    const host_call c = {.r = r, .name = name, .arg = arg, .count = count, .at = at};
    const host_function *f = host_find(name);
    if (f) return f->call(&c, result);
    const builtin *b = text_starts(name, runtime_prefix) ? builtin_find(name + sizeof runtime_prefix - 1) : NULL;
    if (b) return host_runtime(&c, b, result);
    return diag_error(r->d, at, "%s: no function of this name; give it as an external", name);
}
