// static_memory.c - memory that a file says stays for good is taken when its context is made, not in the first call.
//
// With bounds on every size the compiler gives the activations of a function one block of constant size. The largest of
// these is taken into the heap here, where whichever function runs finds it. What it plans for recorded launches is a
// function without parameters that allocates storages and gives them in a tuple, called by `cached`. Such functions are
// run here; others wait for their first use. So a machine that has too little memory for a model says so before
// anything runs, and the first call costs what all others do.
#include "vm/static_memory.h"
#include "base/count_noun.h"
#include "base/size.h"

// Only allocations and what hands them on: nothing that could take long or fail for another reason than memory.
static bool only_allocates(const executable *e, const exec_function *f) {
    const uint32_t *code = e->code + f->code;
    if (f->params) return false;
    for (uint32_t at = 0; at < f->words; at += op_words(code[at])) {
        opcode op = (opcode)(code[at] & 0xff);
        if (op != OP_ALLOC_STORAGE && op != OP_TUPLE && op != OP_COPY && op != OP_KILL && op != OP_RET) return false;
    }
    return true;
}

static rx_status take(rx_context *c, uint32_t function, uint32_t number) {
    vm_value v = {0};
    uint32_t body = c->body ? c->body[function] : function;
    if (body == EXEC_NONE || c->cached[number].kind != VM_NULL || !only_allocates(c->exe, &c->exe->function[body]))
        return RX_OK;
    RX_TRY(vm_enter(c, function));
    RX_TRY(vm_finish(c, NULL, &v));
    c->cached[number] = v;
    return RX_OK;
}

// Of the storages of constant size in functions that can be called from outside.
static size_t largest_block(const rx_context *c) {
    const executable *e = c->exe;
    size_t most = 0;
    for (uint32_t i = 0; i < e->functions; i++) {
        const exec_function *f = &e->function[c->body && c->body[i] != EXEC_NONE ? c->body[i] : i];
        const uint32_t *code = e->code + f->code;
        for (uint32_t at = 0; (e->function[i].flags & FUNCTION_PUBLIC) && at < f->words; at += op_words(code[at])) {
            const exec_program *p = &e->program[(code[at] & 0xff) == OP_ALLOC_STORAGE ? code[at + 2] : 0];
            size_t size;
            if ((code[at] & 0xff) != OP_ALLOC_STORAGE || p->kind != PROGRAM_CONST) continue;
            if (size_from_dim(p->value, &size) && size > most) most = size;
        }
    }
    return most;
}

static rx_status take_largest(rx_context *c) {
    size_t size = largest_block(c);
    vm_storage *s;
    if (!size) return RX_OK;
    rx_status status = heap_storage(c->heap, size, &s);
    if (status != RX_OK)
        return vm_fail(c, status, "no memory for the %s that a function works in", COUNTED(size, "byte"));
    object_release(c->heap, &s->head);
    return RX_OK;
}

rx_status static_memory_take(rx_context *c) {
    const executable *e = c->exe;
    for (uint32_t i = 0; i < e->functions; i++) {
        const uint32_t *code = e->code + e->function[i].code;
        if (c->body && c->body[i] != i) continue; // another variant's
        for (uint32_t at = 0; e->caches && at < e->function[i].words; at += op_words(code[at]))
            if ((code[at] & 0xff) == OP_CACHED) RX_TRY(take(c, code[at + 2], code[at + 3]));
    }
    return take_largest(c);
}
