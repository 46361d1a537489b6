// weights_once.c - what depends on weights alone is computed once, when weights are arguments that stay set.
//
// Beside a function of inputs and weights the compiler puts one of the weights and one that takes what that one gives
// in their place (LiftTransformParams:inputs=true). Weights that are set and stay set go through the first in the first
// call, and again after one of them was set anew; calls run the second. Calls that bring their weights along run the
// function itself: whether their contents changed nobody knows.
#include "vm/weights_once.h"
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_BYTES = 256 };

static uint32_t weights_of(const exec_function *f) { return f->params - f->num_input; }

// What is written into, or lies in the file, is not for this.
static bool can_be_kept(const exec_function *f) {
    for (uint32_t p = f->num_input; p < f->params; p++)
        if ((f->param[p].flags & PARAM_DONATED) || f->param[p].weight != EXEC_NONE) return false;
    return f->num_input < f->params;
}

// One line: three names. False: they can't be.
static bool read_line(rx_context *c, const char *line) {
    char name[3][NAME_MAX_BYTES];
    uint32_t f[3];
    if (sscanf(line, "%255s %255s %255s", name[0], name[1], name[2]) != 3) return false;
    for (int i = 0; i < 3; i++) {
        f[i] = exec_find_function(c->exe, name[i]);
        if (f[i] == EXEC_NONE) return false;
    }
    const exec_function *function = &c->exe->function[f[0]];
    if (!(function->flags & FUNCTION_PUBLIC) || c->inputs[f[0]].once) return false;
    if (c->exe->function[f[1]].params != 1 || c->exe->function[f[2]].params <= function->num_input) return false;
    vm_once *once = can_be_kept(function) ? heap_memory(c->heap, sizeof *once) : NULL;
    if (once) *once = (vm_once){.transform = f[1], .variant = f[2]};
    c->inputs[f[0]].once = once; // without memory calls do without it
    return true;
}

rx_status weights_once_open(rx_context *c) {
    const exec_metadata *m = exec_find_metadata(c->exe, "weights.once");
    char line[3 * NAME_MAX_BYTES];
    for (size_t at = 0; m && at < m->value.size;) {
        const char *from = (const char *)m->value.at + at, *end = memchr(from, '\n', m->value.size - at);
        size_t size = end ? (size_t)(end - from) : m->value.size - at;
        if (size >= sizeof line) return vm_fail(c, RX_BAD_FILE, "metadata weights.once: a line is too long");
        memcpy(line, from, size);
        line[size] = 0;
        if (!read_line(c, line)) return vm_fail(c, RX_BAD_FILE, "metadata weights.once: no such functions: %s", line);
        at += size + 1;
    }
    return RX_OK;
}

void weights_once_close(rx_context *c) {
    for (uint32_t i = 0; c->inputs && i < c->exe->functions; i++) {
        vm_once *once = c->inputs[i].once;
        if (!once) continue;
        value_release(c->heap, &once->kept);
        heap_memory_free(c->heap, once, sizeof *once);
    }
}

void weights_once_forget(rx_context *c, uint32_t function, uint32_t param) {
    vm_once *once = c->inputs[function].once;
    if (once && param >= c->exe->function[function].num_input) value_release(c->heap, &once->kept);
}

// The weights as one tuple: what the function of the weights takes.
static vm_tuple *tuple_of_weights(rx_context *c, uint32_t function) {
    const exec_function *f = &c->exe->function[function];
    const vm_value *value = c->inputs[function].value + f->num_input;
    for (uint32_t i = 0; i < weights_of(f); i++)
        if (value[i].kind == VM_NULL) return NULL;
    vm_tuple *t = tuple_new(c->heap, NULL, VM_TUPLE, weights_of(f));
    for (uint32_t i = 0; t && i < weights_of(f); i++) t->item[i] = value_retain(value[i]);
    return t;
}

static bool compute(rx_context *c, uint32_t function, vm_once *once) {
    vm_tuple *weights = tuple_of_weights(c, function);
    vm_value v, result = {0};
    if (!weights) return false;
    v = value_of(&weights->head);
    if (vm_enter(c, once->transform) != RX_OK) {
        value_release(c->heap, &v);
        return false;
    }
    vm_parameters(c)[0] = v;
    if (vm_finish(c, NULL, &result) != RX_OK) return false;
    uint32_t want = c->exe->function[once->variant].params - c->exe->function[function].num_input;
    bool fits = result.kind == VM_TUPLE && ((const vm_tuple *)result.obj)->count == want;
    if (fits)
        once->kept = result;
    else
        value_release(c->heap, &result);
    return fits;
}

bool weights_once_enter(rx_context *c, uint32_t function) {
    vm_once *once = c->inputs[function].once;
    if (!once || (once->kept.kind == VM_NULL && !compute(c, function, once))) return false;
    if (vm_enter(c, once->variant) != RX_OK) return false;
    const vm_tuple *t = (const vm_tuple *)once->kept.obj;
    vm_value *r = vm_parameters(c) + c->exe->function[function].num_input;
    for (uint32_t i = 0; i < t->count; i++) r[i] = value_retain(t->item[i]);
    return true;
}
