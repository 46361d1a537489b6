// capture.c - regions of launches that are recorded once and replayed while what they work on stays the same.
//
// A key is: the values of the instruction's programs, then for each argument the address of its data and its dims.
// Other values than tensors, storages, shapes and scalars can't be compared and are refused.
#include "vm/instructions.h"
#include <string.h>

// Words a value needs in a key; must agree with put_value.
static uint32_t key_size_of(const vm_value *v) {
    if (v->kind == VM_TENSOR) return 2 + tensor_object(v)->t.rank;
    if (v->kind == VM_SHAPE) return 1 + ((const vm_shape *)v->obj)->rank;
    return v->kind == VM_STORAGE ? 2 : 1;
}

static int64_t *put_dims(int64_t *key, uint32_t rank, const int64_t *dim) {
    *key++ = rank;
    for (uint32_t i = 0; i < rank; i++) *key++ = dim[i];
    return key;
}

// Data addresses are part of the key, because the recorded launches hold them.
static int64_t *put_value(int64_t *key, const vm_value *v) {
    if (v->kind == VM_TENSOR) {
        const tensor *t = &tensor_object(v)->t;
        *key++ = (int64_t)(uintptr_t)t->data;
        return put_dims(key, t->rank, t->dim);
    }
    if (v->kind == VM_SHAPE) return put_dims(key, ((const vm_shape *)v->obj)->rank, ((const vm_shape *)v->obj)->dim);
    if (v->kind == VM_STORAGE) {
        *key++ = (int64_t)(uintptr_t)((const vm_storage *)v->obj)->data;
        *key++ = (int64_t)((const vm_storage *)v->obj)->bytes;
    } else {
        *key++ = v->bits; // a scalar
    }
    return key;
}

// The key of this call in new memory; NULL after a failure.
static rx_status make_key(rx_context *c, const uint32_t *code, const vm_value *r, const int64_t *s, int64_t **out,
                          uint32_t *len) {
    uint32_t args = code[4], programs = code[5 + args], size = programs;
    const uint32_t *arg = code + 5, *program = arg + args + 1;
    for (uint32_t i = 0; i < args; i++) size += key_size_of(&r[arg[i]]);
    int64_t *key = heap_memory(c->heap, (size + 1) * sizeof *key), *at = key;
    *out = key;
    *len = size;
    if (!key) return vm_no_memory(c);
    for (uint32_t i = 0; i < programs; i++, at++) {
        rx_status status = vm_eval(c, program[i], s, at);
        if (status == RX_OK) continue;
        heap_memory_free(c->heap, key, (size + 1) * sizeof *key);
        return status;
    }
    for (uint32_t i = 0; i < args; i++) at = put_value(at, &r[arg[i]]);
    return RX_OK;
}

// Compares without memory: the steady state allocates nothing.
static rx_status key_equal(rx_context *c, const vm_capture *e, const uint32_t *code, const vm_value *r,
                           const int64_t *s, bool *equal) {
    uint32_t args = code[4], programs = code[5 + args], at = 0;
    const uint32_t *arg = code + 5, *program = arg + args + 1;
    *equal = false;
    for (uint32_t i = 0; i < programs; i++, at++) {
        int64_t x;
        RX_TRY(vm_eval(c, program[i], s, &x));
        if (at >= e->key_len || e->key[at] != x) return RX_OK;
    }
    for (uint32_t i = 0; i < args; i++) {
        int64_t part[2 + TENSOR_MAX_RANK];
        uint32_t size = key_size_of(&r[arg[i]]);
        put_value(part, &r[arg[i]]);
        if (size > e->key_len - at || memcmp(&e->key[at], part, size * sizeof *part) != 0) return RX_OK;
        at += size;
    }
    *equal = at == e->key_len;
    return RX_OK;
}

void capture_free(rx_context *c, vm_capture *e) {
    c->f->list_free(e->list);
    if (e->key) heap_memory_free(c->heap, e->key, (e->key_len + 1) * sizeof *e->key);
    value_release(c->heap, &e->result);
    *e = (vm_capture){0};
}

// The entry to fill: a free one, else the one that was not used for longest.
static vm_capture *choose(rx_context *c, uint32_t number) {
    vm_capture *oldest = &c->capture[number][0];
    for (uint32_t i = 0; i < VM_CAPTURES; i++) {
        vm_capture *e = &c->capture[number][i];
        if (!e->list) return e;
        if (e->used < oldest->used) oldest = e;
    }
    capture_free(c, oldest);
    return oldest;
}

static rx_status check_arguments(rx_context *c, const uint32_t *code, const vm_value *r) {
    for (uint32_t i = 0; i < code[4]; i++) {
        const vm_value *v = &r[code[5 + i]];
        if (v->kind == VM_TENSOR || v->kind == VM_STORAGE || v->kind == VM_SHAPE || v->kind == VM_PRIM) continue;
        return vm_fail(c, RX_UNSUPPORTED, "%s: a capture can't depend on %s", here(c), kind_name(v->kind));
    }
    return RX_OK;
}

rx_status capture_begin(rx_context *c, const uint32_t *code, vm_value *r, int64_t *s, vm_capture **entry, bool *hit) {
    uint32_t number = code[3];
    RX_TRY(check_arguments(c, code, r));
    if (c->recording) return vm_fail(c, RX_UNSUPPORTED, "%s: a capture within a capture", here(c));
    for (uint32_t i = 0; i < VM_CAPTURES; i++) {
        vm_capture *e = *entry = &c->capture[number][i];
        if (!e->list) continue;
        RX_TRY(key_equal(c, e, code, r, s, hit));
        if (*hit) return RX_OK;
    }
    *hit = false;
    vm_capture *e = choose(c, number);
    RX_TRY(make_key(c, code, r, s, &e->key, &e->key_len));
    if (c->f->list_new(c->dev, &e->list) != RX_OK) {
        capture_free(c, e);
        return vm_no_memory(c);
    }
    c->recording = e->list;
    *entry = e;
    return RX_OK;
}

rx_status capture_replay(rx_context *c, vm_capture *e) {
    uint32_t kernel = 0;
    int32_t failed = 0;
    e->used = ++c->launches;
    rx_status status = c->f->replay(c->dev, e->list, &kernel, &failed);
    if (status == RX_OK) return RX_OK;
    return failed ? vm_fail_kernel(c, kernel, failed, NULL)
                  : vm_fail(c, status, "%s: captured kernels could not be run", here(c));
}

// Recording runs nothing, so the first replay is what this call was for.
rx_status capture_end(rx_context *c, vm_capture *e, const vm_value *result) {
    c->recording = NULL;
    e->result = value_retain(*result);
    return capture_replay(c, e);
}
