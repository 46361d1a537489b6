// dlpack.c - tensors from and to other libraries, without copies where the layout allows.
#include "vm/dlpack.h"
#include "base/size.h"
#include "tensor/shape.h"
#include "vm/object.h"
#include <stdlib.h>
#include <string.h>

// What an import looked at.
typedef struct dl_view {
    dtype type;
    uint32_t rank;
    const int64_t *dim, *stride;
    uint8_t *data; // of element (0, 0, …)
    size_t element, bytes;
    bool compact;
} dl_view;

// Strides of dims with one element mean nothing.
static bool is_compact(const dlpack_tensor *t) {
    int64_t expected = 1;
    if (!t->strides) return true;
    for (int32_t i = t->ndim; i-- > 0; expected *= t->shape[i])
        if (t->shape[i] != 1 && t->strides[i] != expected) return false;
    return true;
}

// Elements between the first and the last one stay within int64 in bytes, so that walking them can't overflow.
static bool strides_fit(const dl_view *v) {
    int64_t reach = 0;
    for (uint32_t i = 0; i < v->rank; i++) {
        int64_t stride = v->stride[i] < 0 ? -(v->stride[i] + 1) : v->stride[i], step;
        if (!int_mul(v->dim[i] - 1, stride, &step) || !int_add(reach, step, &reach)) return false;
    }
    return int_mul(reach, (int64_t)v->element * 2, &reach);
}

// Everything that can be wrong with a tensor of somebody else is found here, before a byte of it is read.
static rx_status look(const dlpack_tensor *t, dl_view *v) {
    *v = (dl_view){.rank = (uint32_t)t->ndim, .dim = t->shape, .stride = t->strides};
    if (t->device.type != DLPACK_CPU) return RX_UNSUPPORTED;
    if (t->ndim < 0 || t->ndim > TENSOR_MAX_RANK || (t->ndim && !t->shape)) return RX_INVALID_ARGUMENT;
    if (!dtype_from_dlpack(t->dtype.code, t->dtype.bits, t->dtype.lanes, &v->type) || dtype_lanes(v->type) != 1)
        return RX_UNSUPPORTED;
    for (int32_t i = 0; i < t->ndim; i++)
        if (t->shape[i] < 0) return RX_INVALID_ARGUMENT;
    if (!shape_bytes(v->type, v->rank, v->dim, &v->bytes)) return RX_INVALID_ARGUMENT;
    if (!t->data && v->bytes) return RX_INVALID_ARGUMENT;
    unsigned bits = dtype_bits(v->type);
    v->element = (bits + 7) / 8;
    v->data = t->data ? (uint8_t *)t->data + t->byte_offset : NULL;
    v->compact = !v->bytes || is_compact(t);
    // Elements that share bytes can't be walked by strides.
    if (!v->compact && (bits % 8 || !strides_fit(v))) return RX_UNSUPPORTED;
    return RX_OK;
}

// Copies elements in row-major order, whatever their strides.
static void gather(const dl_view *v, uint8_t *to) {
    int64_t index[TENSOR_MAX_RANK] = {0};
    for (size_t done = 0; done < v->bytes; done += v->element) {
        int64_t at = 0;
        for (uint32_t i = 0; i < v->rank; i++) at += index[i] * v->stride[i];
        memcpy(to + done, v->data + at * (int64_t)v->element, v->element);
        for (uint32_t i = v->rank; i-- > 0;) {
            if (++index[i] < v->dim[i]) break;
            index[i] = 0;
        }
    }
}

// A tensor from a view; `release(user)` is for the no-copy case. *copied: the caller's tensor isn't needed any more.
// Misaligned data is copied too: kernels load whole elements.
static rx_status import(const dlpack_tensor *t, void (*release)(void *user, void *data), void *user, rx_value **out,
                        bool *copied) {
    dl_view v;
    vm_tensor *o;
    *out = NULL;
    RX_TRY(look(t, &v));
    *copied = !v.compact || (uintptr_t)v.data % v.element;
    if (*copied) {
        RX_TRY(vm_tensor_new(v.type, v.rank, v.dim, v.bytes, NULL, &o));
        if (v.compact)
            memcpy(o->t.data, v.data, v.bytes);
        else
            gather(&v, o->t.data);
    } else {
        o = tensor_object_new(NULL, NULL, v.type, v.rank, v.dim, v.data, v.bytes);
        if (!o) return RX_OUT_OF_MEMORY;
        o->release = release;
        o->user = user;
    }
    *out = &o->head;
    return RX_OK;
}

static void drop_managed(void *user, void *data) {
    struct DLManagedTensor *t = user;
    (void)data;
    if (t->deleter) t->deleter(t);
}

static void drop_versioned(void *user, void *data) {
    struct DLManagedTensorVersioned *t = user;
    (void)data;
    if (t->deleter) t->deleter(t);
}

// On failure the caller keeps its tensor; on success we own it, copied or not.
rx_status rx_tensor_from_dlpack(struct DLManagedTensor *t, rx_value **out) {
    bool copied;
    if (!t || !out) return RX_INVALID_ARGUMENT;
    RX_TRY(import(&t->dl_tensor, drop_managed, t, out, &copied));
    if (copied) drop_managed(t, NULL);
    return RX_OK;
}

rx_status rx_tensor_from_dlpack_versioned(struct DLManagedTensorVersioned *t, rx_value **out) {
    bool copied;
    if (!t || !out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (t->major != DLPACK_MAJOR) return RX_UNSUPPORTED; // another ABI: only the version can be read
    RX_TRY(import(&t->dl_tensor, drop_versioned, t, out, &copied));
    (*out)->read_only = !copied && (t->flags & DLPACK_READ_ONLY);
    if (copied) drop_versioned(t, NULL);
    return RX_OK;
}

// ---- export ----

// Both kinds of managed tensor with room for shape and strides.
typedef struct exported {
    union {
        struct DLManagedTensor plain;
        struct DLManagedTensorVersioned versioned;
    };
    int64_t shape[TENSOR_MAX_RANK], stride[TENSOR_MAX_RANK];
} exported;

static void delete_plain(struct DLManagedTensor *t) {
    rx_value_release(t->manager_ctx);
    free(t);
}

static void delete_versioned(struct DLManagedTensorVersioned *t) {
    rx_value_release(t->manager_ctx);
    free(t);
}

// Strides are written out: some importers don't take NULL.
static void fill(const tensor *t, exported *e, dlpack_tensor *out) {
    int64_t stride = 1;
    for (uint32_t i = t->rank; i-- > 0;) {
        e->shape[i] = t->dim[i];
        e->stride[i] = stride;
        stride *= t->dim[i] ? t->dim[i] : 1;
    }
    *out = (dlpack_tensor){.data = t->data,
                           .device = {.type = DLPACK_CPU},
                           .ndim = (int32_t)t->rank,
                           .dtype = {.code = dtype_dlpack_code(t->type),
                                     .bits = (uint8_t)dtype_bits(t->type),
                                     .lanes = (uint16_t)dtype_lanes(t->type)},
                           .shape = e->shape,
                           .strides = e->stride};
}

static rx_status prepare(rx_value *v, exported **out) {
    if (!v || v->kind != VM_TENSOR) return RX_INVALID_ARGUMENT;
    *out = calloc(1, sizeof **out);
    return *out ? RX_OK : RX_OUT_OF_MEMORY;
}

// The old struct has no flag for read-only memory, so such tensors need the versioned one.
rx_status rx_tensor_to_dlpack(rx_value *v, struct DLManagedTensor **out) {
    exported *e;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (rx_tensor_is_read_only(v)) return RX_UNSUPPORTED;
    RX_TRY(prepare(v, &e));
    fill(&((const vm_tensor *)v)->t, e, &e->plain.dl_tensor);
    e->plain.manager_ctx = rx_value_retain(v);
    e->plain.deleter = delete_plain;
    *out = &e->plain;
    return RX_OK;
}

rx_status rx_tensor_to_dlpack_versioned(rx_value *v, struct DLManagedTensorVersioned **out) {
    exported *e;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    RX_TRY(prepare(v, &e));
    e->versioned.major = DLPACK_MAJOR;
    e->versioned.minor = DLPACK_MINOR;
    e->versioned.flags = v->read_only ? DLPACK_READ_ONLY : 0;
    fill(&((const vm_tensor *)v)->t, e, &e->versioned.dl_tensor);
    e->versioned.manager_ctx = rx_value_retain(v);
    e->versioned.deleter = delete_versioned;
    *out = &e->versioned;
    return RX_OK;
}
