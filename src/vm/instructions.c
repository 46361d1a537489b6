// instructions.c - the instructions that make, take apart and look at values.
#include "vm/instructions.h"
#include "base/count_noun.h"
#include "base/size.h"
#include "tensor/shape.h"
#include "vm/frames.h"
#include <inttypes.h>
#include <stdio.h>

// For messages: the function the failure happened in.
const char *here(const rx_context *c) {
    return c->frames ? exec_string(c->exe, c->exe->function[c->frame[c->frames - 1].function].name) : "(no function)";
}

rx_status fail_register(rx_context *c, const uint32_t *code, uint32_t reg, const vm_value *v, unsigned want) {
    return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s: %%%u is %s, want %s", here(c),
                   opcode_get((opcode)(code[0] & 0xff))->spelling, reg, kind_name(v->kind), kind_name(want));
}

// The verifier has bounded the count by the highest rank.
static rx_status eval_dims(rx_context *c, const uint32_t *program, uint32_t count, const int64_t *s, int64_t *out) {
    for (uint32_t i = 0; i < count; i++) RX_TRY(vm_eval(c, program[i], s, &out[i]));
    return RX_OK;
}

// "(3, 4)" for messages.
static const char *dims_text(uint32_t rank, const int64_t *dim, char out[160]) {
    int at = snprintf(out, 160, "(");
    for (uint32_t i = 0; i < rank && at < 130; i++)
        at += snprintf(out + at, 160 - (size_t)at, "%s%" PRId64, i ? ", " : "", dim[i]);
    snprintf(out + at, 160 - (size_t)at, rank == 1 ? ",)" : ")");
    return out;
}

// ---- shapes, tuples, closures ----

rx_status do_shape(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    int64_t dim[TENSOR_MAX_RANK];
    RX_TRY(eval_dims(c, code + 3, code[2], s, dim));
    vm_shape *shape = shape_new(c->heap, NULL, code[2], dim);
    if (!shape) return vm_no_memory(c);
    set_register(c, &r[code[1]], value_of(&shape->head));
    return RX_OK;
}

// The items share ownership with the registers they come from.
rx_status do_tuple(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    (void)s;
    vm_tuple *t = tuple_new(c->heap, NULL, VM_TUPLE, code[2]);
    if (!t) return vm_no_memory(c);
    for (uint32_t i = 0; i < code[2]; i++) t->item[i] = value_retain(r[code[3 + i]]);
    set_register(c, &r[code[1]], value_of(&t->head));
    return RX_OK;
}

rx_status do_item(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    (void)s;
    const vm_value *v = &r[code[2]];
    if (v->kind != VM_TUPLE) return fail_register(c, code, code[2], v, VM_TUPLE);
    const vm_tuple *t = (const vm_tuple *)v->obj;
    if (code[3] >= t->count)
        return vm_fail(c, RX_INVALID_ARGUMENT, "%s: item %u of a tuple of %u", here(c), code[3], t->count);
    set_register(c, &r[code[1]], value_retain(t->item[code[3]]));
    return RX_OK;
}

// A closure is a tuple of captured values that knows its function; they become its last parameters.
rx_status do_closure(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    (void)s;
    vm_tuple *t = tuple_new(c->heap, NULL, VM_CLOSURE, code[3]);
    if (!t) return vm_no_memory(c);
    t->function = code[2];
    for (uint32_t i = 0; i < code[3]; i++) t->item[i] = value_retain(r[code[4 + i]]);
    set_register(c, &r[code[1]], value_of(&t->head));
    return RX_OK;
}

// Checks that the compiler could not decide; the message names the dims as the module wrote them.
rx_status do_assert(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    (void)r;
    int64_t x;
    RX_TRY(vm_eval(c, code[1], s, &x));
    if (x) return RX_OK;
    return vm_fail(c, RX_INVALID_ARGUMENT, "%s: %s", here(c), (const char *)c->exe->constant[code[2]].bytes.at);
}

// A tensor without dims is read on the host: a device with other memory would have to copy it first.
rx_status read_condition(rx_context *c, const vm_value *v, bool *out) {
    if (v->kind == VM_PRIM && v->type == DTYPE_BOOL) {
        *out = v->bits != 0;
        return RX_OK;
    }
    const tensor *t = v->kind == VM_TENSOR ? &tensor_object(v)->t : NULL;
    if (!t || t->type.kind != DTYPE_BOOL || t->bytes != 1)
        return vm_fail(c, RX_INVALID_ARGUMENT, "%s: the condition of an if is %s, want one bool", here(c),
                       kind_name(v->kind));
    if (c->recording) return vm_fail(c, RX_UNSUPPORTED, "%s: an if on a tensor can't be captured", here(c));
    *out = *(const uint8_t *)t->data != 0;
    return RX_OK;
}

// ---- tensors ----

// A captured region runs again without this instruction, so its memory has to come from outside.
static rx_status new_storage(rx_context *c, size_t bytes, vm_storage **out) {
    *out = NULL;
    if (c->recording) return vm_fail(c, RX_UNSUPPORTED, "%s: memory is allocated within a capture", here(c));
    rx_status status = heap_storage(c->heap, bytes, out);
    if (status != RX_OK) return vm_fail(c, status, "%s: no memory for a tensor of %s", here(c), COUNTED(bytes, "byte"));
    return RX_OK;
}

rx_status do_alloc_storage(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    int64_t bytes;
    size_t size;
    vm_storage *storage;
    RX_TRY(vm_eval(c, code[2], s, &bytes));
    if (!size_from_dim(bytes, &size))
        return vm_fail(c, RX_INVALID_ARGUMENT, "%s: a storage of %s", here(c), COUNTED(bytes, "byte"));
    value_release(c->heap, &r[code[1]]); // what is replaced may be what we need
    RX_TRY(new_storage(c, size, &storage));
    r[code[1]] = value_of(&storage->head);
    return RX_OK;
}

static rx_status fail_shape(rx_context *c, dtype t, uint32_t rank, const int64_t *dim) {
    char text[160], name[32];
    return vm_fail(c, RX_INVALID_ARGUMENT, "%s: there is no %s tensor of shape %s", here(c), dtype_spell(t, name),
                   dims_text(rank, dim, text));
}

// Storage and tensor are two objects: views and reshapes share the storage and die on their own.
rx_status vm_new_tensor(rx_context *c, dtype t, uint32_t rank, const int64_t *dim, vm_value *out) {
    size_t bytes;
    vm_storage *storage;
    if (!shape_bytes(t, rank, dim, &bytes)) return fail_shape(c, t, rank, dim);
    RX_TRY(new_storage(c, bytes, &storage));
    vm_tensor *o = tensor_object_new(c->heap, NULL, t, rank, dim, storage->data, bytes);
    if (!o) {
        object_release(c->heap, &storage->head);
        return vm_no_memory(c);
    }
    o->owner = &storage->head;
    *out = value_of(&o->head);
    return RX_OK;
}

// A tensor over `room` bytes of `owner` at `data`, from the operands that follow: offset, dtype, dims.
// The bounds are looked at each time: offset and dims are computed from symbols.
static rx_status place_tensor(rx_context *c, const uint32_t *code, vm_value *r, const int64_t *s, object *owner,
                              uint8_t *data, size_t room) {
    int64_t dim[TENSOR_MAX_RANK], offset;
    size_t start, bytes, end;
    dtype t = op_dtype_of(code[4]);
    uint32_t rank = code[5];
    RX_TRY(vm_eval(c, code[3], s, &offset));
    RX_TRY(eval_dims(c, code + 6, rank, s, dim));
    if (!shape_bytes(t, rank, dim, &bytes)) return fail_shape(c, t, rank, dim);
    if (!size_from_dim(offset, &start) || !size_add(start, bytes, &end) || end > room) {
        char text[160], name[32];
        return vm_fail(c, RX_INVALID_ARGUMENT, "%s: a %s tensor of shape %s at byte %" PRId64 " doesn't fit into %s",
                       here(c), dtype_spell(t, name), dims_text(rank, dim, text), offset, COUNTED(room, "byte"));
    }
    vm_tensor *o = tensor_object_new(c->heap, NULL, t, rank, dim, data + start, bytes);
    if (!o) return vm_no_memory(c);
    o->head.read_only = owner->kind == VM_TENSOR && owner->read_only;
    o->owner = owner;
    object_retain(owner);
    set_register(c, &r[code[1]], value_of(&o->head));
    return RX_OK;
}

// No memory is taken: the planner has placed the tensor in the storage.
rx_status do_alloc_tensor(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    const vm_value *v = &r[code[2]];
    if (v->kind != VM_STORAGE) return fail_register(c, code, code[2], v, VM_STORAGE);
    vm_storage *storage = (vm_storage *)v->obj;
    return place_tensor(c, code, r, s, &storage->head, storage->data, storage->bytes);
}

rx_status do_view(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    const vm_value *v = &r[code[2]];
    if (v->kind != VM_TENSOR) return fail_register(c, code, code[2], v, VM_TENSOR);
    vm_tensor *t = tensor_object(v);
    return place_tensor(c, code, r, s, &t->head, t->t.data, t->t.bytes);
}

// The same memory under other dims; the old tensor is kept alive by the new one.
rx_status vm_reshape(rx_context *c, vm_tensor *from, uint32_t rank, const int64_t *dim, vm_value *out) {
    int64_t count;
    if (!shape_count(rank, dim, &count) || count != tensor_count(&from->t)) {
        char before[160], after[160];
        return vm_fail(c, RX_SHAPE_MISMATCH, "%s: reshape of %s (%s) to %s changes the number of elements", here(c),
                       dims_text(from->t.rank, from->t.dim, before), COUNTED(tensor_count(&from->t), "element"),
                       dims_text(rank, dim, after));
    }
    vm_tensor *o = tensor_object_new(c->heap, NULL, from->t.type, rank, dim, from->t.data, from->t.bytes);
    if (!o) return vm_no_memory(c);
    o->head.read_only = from->head.read_only;
    o->owner = &from->head;
    object_retain(&from->head);
    *out = value_of(&o->head);
    return RX_OK;
}

rx_status do_reshape(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s) {
    int64_t dim[TENSOR_MAX_RANK];
    vm_value v = {0};
    if (r[code[2]].kind != VM_TENSOR) return fail_register(c, code, code[2], &r[code[2]], VM_TENSOR);
    RX_TRY(eval_dims(c, code + 4, code[3], s, dim));
    RX_TRY(vm_reshape(c, tensor_object(&r[code[2]]), code[3], dim, &v));
    set_register(c, &r[code[1]], v);
    return RX_OK;
}
