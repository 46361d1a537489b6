// calls.c - the instructions that leave bytecode: kernels, builtins, external functions.
#include "base/count_noun.h"
#include "base/size.h"
#include "tensor/index_range.h"
#include "vm/check_index.h"
#include "vm/external.h"
#include "vm/frames.h"
#include "vm/instructions.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- kernels ----

// Scratch for all workers of a launch; grows to what the largest one needs and then stays.
static rx_status reserve_workers(rx_context *c, size_t scratch) {
    size_t bytes;
    if (!size_mul(scratch, c->threads, &bytes)) return vm_no_memory(c);
    if (bytes <= c->workers_room) return RX_OK;
    uint8_t *at = heap_memory(c->heap, bytes);
    if (!at) return vm_no_memory(c);
    heap_memory_free(c->heap, c->workers, c->workers_room);
    c->workers = at;
    c->workers_room = bytes;
    return RX_OK;
}

rx_status vm_fail_kernel(rx_context *c, uint32_t kernel, int32_t failed, const tensor *first) {
    const exec_kernel *k = &c->exe->kernel[kernel];
    const char *name = exec_string(c->exe, k->name);
    bool known = failed >= 1 && (uint32_t)failed <= k->asserts;
    const char *sentence = known ? exec_string(c->exe, k->assertion[failed - 1]) : "";
    if (k->extent && strstr(sentence, INDEX_SENTENCE)) {
        char text[RX_MESSAGE];
        vm_say_index(c, k, sentence, first, text, sizeof text);
        return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s", here(c), text);
    }
    if (known) return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s: %s", here(c), name, sentence);
    return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s: assertion %" PRId32 " failed", here(c), name, failed);
}

static rx_status fail_read_only(rx_context *c, const char *name) {
    return vm_fail(c, RX_BAD_FILE, "%s: %s would write into a constant or a weight of the file", here(c), name);
}

// Addresses and scalars of a launch into c->buffer and c->scalar; the buffers' bytes are added up.
static rx_status gather(rx_context *c, const uint32_t *code, const vm_value *r, const int64_t *s, size_t *bytes) {
    uint32_t buffers = code[2], scalars = code[3 + buffers], inputs = buffers - c->exe->kernel[code[1]].outputs;
    const uint32_t *reg = code + 3, *program = reg + buffers + 1;
    for (uint32_t i = 0; i < buffers; i++) {
        const vm_value *v = &r[reg[i]];
        if (v->kind != VM_TENSOR) return fail_register(c, code, reg[i], v, VM_TENSOR);
        if (i >= inputs && v->obj->read_only)
            return fail_read_only(c, exec_string(c->exe, c->exe->kernel[code[1]].name));
        c->buffer[i] = tensor_object(v)->t.data;
        *bytes += tensor_object(v)->t.bytes;
    }
    for (uint32_t i = 0; i < scalars; i++) RX_TRY(vm_eval(c, program[i], s, &c->scalar[i]));
    return RX_OK;
}

// The hot path: no allocation, no lock, one indirect call.
rx_status do_launch(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    const exec_kernel *k = &c->exe->kernel[code[1]];
    device_launch l = {.kernel = code[1],
                       .buffers = k->buffers,
                       .scalars = k->scalars,
                       .phased = k->phase != 0,
                       .mark = k->phase ? c->mark : NULL};
    int64_t scratch;
    int32_t failed = 0;
    RX_TRY(gather(c, code, r, s, &l.bytes));
    if (!l.bytes && k->buffers && !k->asserts) return RX_OK; // as many rows of nothing as there may be
    RX_TRY(vm_eval(c, k->grid, c->scalar, &l.grid));
    RX_TRY(vm_eval(c, k->scratch, c->scalar, &scratch));
    if (!size_from_dim(scratch, &l.scratch) || !size_align(l.scratch, DEVICE_ALIGN, &l.scratch)) return vm_no_memory(c);
    l.buffer = c->buffer;
    l.scalar = c->scalar;
    if (c->recording) {
        rx_status status = c->f->record(c->recording, c->code, &l);
        return status == RX_OK ? RX_OK : vm_no_memory(c);
    }
    if (l.scratch) {
        RX_TRY(reserve_workers(c, l.scratch));
        l.workers = c->workers;
    }
    c->launches++;
    rx_status status = c->f->launch(c->dev, c->code, &l, &failed);
    if (status == RX_OK) return RX_OK;
    if (!failed) return vm_fail(c, status, "%s: a kernel could not be run", here(c));
    return vm_fail_kernel(c, code[1], failed, code[2] ? &tensor_object(&r[code[3]])->t : NULL);
}

// ---- builtins ----

// Where the results of an allocating builtin are made: in the heap of the context, so that they are reused and counted.
typedef struct made_results {
    rx_context *c;
    vm_value item[BUILTIN_MAX_OUT];
    uint32_t count;
} made_results;

static rx_status make_result(void *user, dtype t, uint32_t rank, const int64_t *dim, tensor **out) {
    made_results *m = user;
    RX_TRY(vm_new_tensor(m->c, t, rank, dim, &m->item[m->count]));
    *out = &tensor_object(&m->item[m->count++])->t;
    return RX_OK;
}

// What was asked for, as one value: a tensor, or a tuple. Takes over the items.
static rx_status collect_results(rx_context *c, made_results *m, vm_value *out) {
    if (m->count == 1) {
        *out = m->item[0];
        return RX_OK;
    }
    vm_tuple *t = tuple_new(c->heap, NULL, VM_TUPLE, m->count);
    if (!t) {
        for (uint32_t i = 0; i < m->count; i++) value_release(c->heap, &m->item[i]);
        return vm_no_memory(c);
    }
    memcpy(t->item, m->item, m->count * sizeof *m->item);
    *out = value_of(&t->head);
    return RX_OK;
}

enum { TENSOR_ARGS = 16, SCALAR_ARGS = 16 };

// What a builtin on tensors gets, picked from registers.
typedef struct tensor_args {
    const tensor *in[TENSOR_ARGS];
    int64_t arg[SCALAR_ARGS];
    tensor *out[BUILTIN_MAX_OUT];
} tensor_args;

// Arguments in order: input tensors, scalars, then outputs unless the builtin makes them. A null output isn't wanted.
static rx_status pick_arguments(rx_context *c, const builtin *b, const uint32_t *code, const vm_value *r,
                                tensor_args *a) {
    for (uint32_t i = 0; i < code[3]; i++) {
        uint32_t reg = code[4 + i];
        const vm_value *v = &r[reg];
        bool scalar = i >= b->ins && i < b->ins + b->args, output = i >= b->ins + b->args;
        unsigned want = scalar ? VM_PRIM : VM_TENSOR;
        if (output && v->kind == VM_NULL) continue;
        if (v->kind != want) return fail_register(c, code, reg, v, want);
        if (output && v->obj->read_only) return fail_read_only(c, b->name);
        if (scalar)
            a->arg[i - b->ins] = v->bits;
        else if (output)
            a->out[i - b->ins - b->args] = &tensor_object(v)->t;
        else
            a->in[i] = &tensor_object(v)->t;
    }
    return RX_OK;
}

static rx_status run_tensor_builtin(rx_context *c, const builtin *b, const uint32_t *code, const vm_value *r,
                                    vm_value *out) {
    tensor_args a = {0};
    made_results made = {.c = c};
    char why[BUILTIN_WHY] = "";
    RX_TRY(pick_arguments(c, b, code, r, &a));
    builtin_call call = {.in = a.in,
                         .ins = b->ins,
                         .arg = a.arg,
                         .args = b->args,
                         .out = a.out,
                         .outs = b->outs,
                         .make = make_result,
                         .user = &made,
                         .why = why};
    rx_status status = b->run(&call);
    if (status == RX_OK) return b->allocates ? collect_results(c, &made, out) : RX_OK;
    for (uint32_t i = 0; i < made.count; i++) value_release(c->heap, &made.item[i]);
    return vm_fail(c, status, "%s: %s: %s", here(c), b->name, *why ? why : rx_status_name(status));
}

// Arguments are passed by address: nothing is copied or counted.
static rx_status run_value_builtin(rx_context *c, const vm_builtin *b, const uint32_t *code, const vm_value *r,
                                   vm_value *out) {
    const vm_value *arg[VM_BUILTIN_ARGS];
    for (uint32_t i = 0; i < code[3]; i++) arg[i] = &r[code[4 + i]];
    return b->run(c, arg, out);
}

// A result that nobody wants is dropped at once.
static void store_result(rx_context *c, const uint32_t *code, vm_value *r, vm_value v) {
    if (code[1] == NO_REGISTER)
        value_release(c->heap, &v);
    else
        set_register(c, &r[code[1]], v);
}

rx_status do_builtin(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    (void)s;
    const vm_import *b = &c->import[code[2]];
    uint32_t want = b->values ? b->values->args
                              : b->tensors->ins + b->tensors->args + (b->tensors->allocates ? 0 : b->tensors->outs);
    vm_value v = {0};
    if (c->recording) return vm_fail(c, RX_UNSUPPORTED, "%s: a builtin can't be captured", here(c));
    if (code[3] != want)
        return vm_fail(c, RX_BAD_FILE, "%s: builtin %s takes %s, got %u", here(c),
                       exec_string(c->exe, c->exe->import[code[2]].name), COUNTED(want, "argument"), code[3]);
    RX_TRY(b->values ? run_value_builtin(c, b->values, code, r, &v) : run_tensor_builtin(c, b->tensors, code, r, &v));
    store_result(c, code, r, v);
    return RX_OK;
}

// ---- external functions ----

rx_status do_extern(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    (void)s;
    vm_value v = {0};
    if (c->recording) return vm_fail(c, RX_UNSUPPORTED, "%s: an external function can't be captured", here(c));
    RX_TRY(external_call(c, &c->import[code[2]], exec_string(c->exe, c->exe->import[code[2]].name), code + 4, code[3],
                         r, &v));
    store_result(c, code, r, v);
    return RX_OK;
}
