// external.c - the registry of external functions and the calls of them.
#include "vm/external.h"
#include "exec/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct registry_entry {
    char *name;
    rx_external *call;
    void *user;
} registry_entry;

struct rx_registry {
    growing entry; // of registry_entry
};

enum { INLINE_ARGS = 64 }; // calls with more arguments take memory

struct rx_call {
    rx_context *c;
    object **arg;
    uint32_t count;
    object *result;
    char *message; // of the context
    const char *name;
    bool failed;
};

// With malloc and not the caller's allocator: a registry belongs to the program, not to a context.
rx_status rx_registry_new(rx_registry **out) {
    if (!out) return RX_INVALID_ARGUMENT;
    *out = calloc(1, sizeof **out);
    if (!*out) return RX_OUT_OF_MEMORY;
    (*out)->entry.item = sizeof(registry_entry);
    return RX_OK;
}

void rx_registry_release(rx_registry *r) {
    if (!r) return;
    for (size_t i = 0; i < r->entry.len; i++) free(((registry_entry *)r->entry.at)[i].name);
    growing_free(&r->entry);
    free(r);
}

// Programs register a handful, and a context looks each up once.
static registry_entry *find(const rx_registry *r, const char *name) {
    registry_entry *e = r->entry.at;
    for (size_t i = 0; i < r->entry.len; i++)
        if (strcmp(e[i].name, name) == 0) return &e[i];
    return NULL;
}

rx_status rx_registry_add(rx_registry *r, const char *name, rx_external *function, void *user) {
    if (!r || !name || !function) return RX_INVALID_ARGUMENT;
    registry_entry *e = find(r, name);
    if (!e) {
        char *copy = malloc(strlen(name) + 1);
        e = copy ? growing_add(&r->entry, 1) : NULL;
        if (!e) {
            free(copy);
            r->entry.failed = false; // nothing was added
            return RX_OUT_OF_MEMORY;
        }
        e->name = strcpy(copy, name);
    }
    e->call = function;
    e->user = user;
    return RX_OK;
}

// A registry is optional: without one every external function is missing.
bool registry_find(const rx_registry *r, const char *name, rx_external **call, void **user) {
    const registry_entry *e = r ? find(r, name) : NULL;
    if (!e) return false;
    *call = e->call;
    *user = e->user;
    return true;
}

uint32_t rx_call_count(const rx_call *c) { return c ? c->count : 0; }

// Borrowed: it lives until the function returns.
rx_value *rx_call_arg(const rx_call *c, uint32_t i) { return i < rx_call_count(c) ? c->arg[i] : NULL; }

// The last value returned counts.
void rx_call_return(rx_call *c, rx_value *v) {
    if (!c) return;
    if (v) object_retain(v);
    if (c->result) object_release(NULL, c->result);
    c->result = v;
}

rx_status rx_call_fail(rx_call *c, rx_status status, const char *message) {
    if (!c) return RX_INVALID_ARGUMENT;
    c->failed = true;
    status = status == RX_OK ? RX_INTERNAL : vm_status_of_caller(status);
    return vm_fail(c->c, status, "%s: %s", c->name, message ? message : "it failed");
}

// Boxes the arguments; false: no memory (those made so far are in the call).
static bool box_arguments(rx_call *call, const uint32_t *reg, uint32_t count, const vm_value *r) {
    for (; call->count < count; call->count++)
        if (!value_box(call->c->heap, &r[reg[call->count]], &call->arg[call->count])) return false;
    return true;
}

// What the function returned is what counts: after RX_OK nothing is left of a failure that it told and then mended.
static rx_status finish_call(const rx_call *call, rx_status status) {
    rx_context *c = call->c;
    if (status == RX_OK) {
        c->message[0] = 0;
        return RX_OK;
    }
    rx_status known = vm_status_of_caller(status);
    if (call->failed) return known;
    if (known != status) return vm_fail(c, known, "%s: it returned %d, which is no status", call->name, (int)status);
    return vm_fail(c, known, "%s: it returned %s", call->name, rx_status_name(status));
}

// Arguments are boxed for the call: a function outside knows no registers.
rx_status external_call(rx_context *c, const vm_import *f, const char *name, const uint32_t *reg, uint32_t count,
                        const vm_value *r, vm_value *out) {
    object *few[INLINE_ARGS];
    rx_call call = {.c = c, .arg = few, .name = name};
    if (count > INLINE_ARGS) call.arg = heap_memory(c->heap, count * sizeof *call.arg);
    bool boxed = call.arg && box_arguments(&call, reg, count, r);
    rx_status status = boxed ? f->call(f->user, &call) : vm_no_memory(c);
    if (boxed) status = finish_call(&call, status);
    for (uint32_t i = 0; i < call.count; i++)
        if (call.arg[i]) object_release(c->heap, call.arg[i]);
    if (call.arg && call.arg != few) heap_memory_free(c->heap, call.arg, count * sizeof *call.arg);
    if (status == RX_OK) *out = value_unbox(call.result);
    if (call.result) object_release(c->heap, call.result);
    return status;
}
