// executable.c - the public face of executables: loading and looking.
#include "base/file.h"
#include "base/versions.h"
#include "exec/exec.h"
#include "exec/memory.h"
#include "vm/context.h"
#include "vm/vm.h"
#include <stdio.h>
#include <string.h>

// The public handle is the executable itself under another name.
static const executable *of(const rx_executable *e) { return (const executable *)(const void *)e; }
const executable *vm_executable(const rx_executable *e) { return of(e); }

bool vm_check_allocator(const rx_allocator *a, char *message) {
    if (memory_is_whole(a)) return true;
    why_fail(message, RX_INVALID_ARGUMENT, "the allocator has one of take and give; want both, or none");
    return false;
}

static bool read_options(const rx_load_options *from, rx_load_options *o, char *message) {
    static const struct_versions versions = {"rx_load_options", {sizeof(rx_load_options)}};
    return struct_read(&versions, o, from, message) && vm_check_allocator(&o->allocator, message);
}

// Hands out what was loaded, and the sentence if it wasn't.
static rx_status finish(rx_status status, executable *e, const char *why, rx_executable **out, char *message) {
    *out = (rx_executable *)(void *)e;
    if (message) snprintf(message, RX_MESSAGE, "%s", status == RX_OK ? "" : why);
    return status;
}

rx_status rx_executable_load(const char *path, const rx_load_options *options, rx_executable **out, char *message) {
    executable *e = NULL;
    char why[EXEC_WHY] = "";
    rx_load_options o;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (!path) return why_fail(message, RX_INVALID_ARGUMENT, "want the path of a file, got NULL");
    if (!read_options(options, &o, message)) return RX_INVALID_ARGUMENT;
    rx_status status = exec_load(path, &o.allocator, &e, why);
    return finish(status, e, why, out, message);
}

// The bytes are borrowed: the caller keeps them until the last reference to the executable is gone.
rx_status rx_executable_load_memory(const void *bytes, size_t size, const rx_load_options *options, rx_executable **out,
                                    char *message) {
    executable *e = NULL;
    char why[EXEC_WHY] = "";
    rx_load_options o;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (!bytes) return why_fail(message, RX_INVALID_ARGUMENT, "want the bytes of a file, got NULL");
    if (!read_options(options, &o, message)) return RX_INVALID_ARGUMENT;
    rx_status status = exec_load_memory(bytes, size, &o.allocator, &e, why);
    return finish(status, e, why, out, message);
}

rx_executable *rx_executable_retain(rx_executable *e) {
    if (e) exec_retain(of(e));
    return e;
}

void rx_executable_release(rx_executable *e) {
    if (e) exec_release(of(e));
}

// The public function of a number; NULL past the last.
static const exec_function *public_function(const executable *e, uint32_t number) {
    for (uint32_t i = 0; e && i < e->functions; i++)
        if ((e->function[i].flags & FUNCTION_PUBLIC) && number-- == 0) return &e->function[i];
    return NULL;
}

// To callers a private function does not exist.
static const exec_function *find_public(const executable *e, const char *name) {
    uint32_t i = e && name ? exec_find_function(e, name) : EXEC_NONE;
    return i != EXEC_NONE && (e->function[i].flags & FUNCTION_PUBLIC) ? &e->function[i] : NULL;
}

uint32_t rx_executable_function_count(const rx_executable *e) {
    uint32_t count = 0;
    for (uint32_t i = 0; e && i < of(e)->functions; i++) count += of(e)->function[i].flags & FUNCTION_PUBLIC;
    return count;
}

const char *rx_executable_function_name(const rx_executable *e, uint32_t function) {
    const exec_function *f = public_function(of(e), function);
    return f ? exec_string(of(e), f->name) : NULL;
}

const char *rx_executable_signature(const rx_executable *e, const char *function) {
    const exec_function *f = find_public(of(e), function);
    return f ? f->text : NULL;
}

uint32_t vm_caller_params(const exec_function *f, uint32_t limit) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < limit; p++) count += f->param[p].weight == EXEC_NONE;
    return count;
}

uint32_t vm_caller_param(const exec_function *f, uint32_t i) {
    for (uint32_t p = 0; p < f->params; p++)
        if (f->param[p].weight == EXEC_NONE && i-- == 0) return p;
    return EXEC_NONE;
}

// NULL for an unknown function and past the last parameter.
static const exec_param *find_param(const rx_executable *e, const char *function, uint32_t param) {
    const exec_function *f = find_public(of(e), function);
    uint32_t p = f ? vm_caller_param(f, param) : EXEC_NONE;
    return p == EXEC_NONE ? NULL : &f->param[p];
}

uint32_t rx_executable_param_count(const rx_executable *e, const char *function) {
    const exec_function *f = find_public(of(e), function);
    return f ? vm_caller_params(f, f->params) : 0;
}

const char *rx_executable_param_name(const rx_executable *e, const char *function, uint32_t param) {
    const exec_param *p = find_param(e, function, param);
    return p ? exec_string(of(e), p->name) : NULL;
}

const char *rx_executable_param_annotation(const rx_executable *e, const char *function, uint32_t param) {
    const exec_param *p = find_param(e, function, param);
    if (!p) return NULL;
    uint32_t text = of(e)->annotation[p->annotation].text;
    return text == EXEC_NONE ? "R.Object" : exec_string(of(e), text);
}

const char *rx_executable_result_annotation(const rx_executable *e, const char *function) {
    const exec_function *f = find_public(of(e), function);
    if (!f) return NULL;
    uint32_t text = f->result == EXEC_NONE ? EXEC_NONE : of(e)->annotation[f->result].text;
    return text == EXEC_NONE ? "R.Object" : exec_string(of(e), text);
}

int rx_executable_param_is_donated(const rx_executable *e, const char *function, uint32_t param) {
    const exec_param *p = find_param(e, function, param);
    return p && (p->flags & PARAM_DONATED);
}

// By number; the first one out of range says how many there are.
rx_status rx_executable_symbol(const rx_executable *e, const char *function, uint32_t index, rx_symbol *out) {
    const exec_function *f = find_public(of(e), function);
    if (!out) return RX_INVALID_ARGUMENT;
    if (!f || index >= f->symbols) return RX_NOT_FOUND;
    const exec_symbol *s = &f->symbol[index];
    *out =
        (rx_symbol){.name = exec_string(of(e), s->name), .lower = s->lower, .upper = s->upper, .multiple = s->multiple};
    return RX_OK;
}

const void *rx_executable_metadata(const rx_executable *e, const char *key, size_t *size) {
    const exec_metadata *m = e && key ? exec_find_metadata(of(e), key) : NULL;
    if (size) *size = m ? m->value.size : 0;
    return m ? m->value.at : NULL;
}
