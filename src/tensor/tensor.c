// tensor.c - host tensors: one block for header, dims and data; reference counting; element access.
#include "tensor/tensor.h"
#include "base/size.h"
#include "tensor/shape.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// What every new tensor goes through, so that later code multiplies dims without checks. Only a size that overflows
// is memory that nobody has; the other mistakes are the caller's.
static rx_status check_shape(dtype type, uint32_t rank, const int64_t *dim, size_t *bytes) {
    if (rank > TENSOR_MAX_RANK || dtype_family_of(type) == FAMILY_NONE) return RX_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < rank; i++)
        if (dim[i] < 0) return RX_INVALID_ARGUMENT;
    return shape_bytes(type, rank, dim, bytes) ? RX_OK : RX_OUT_OF_MEMORY;
}

// A zeroed block with room for the dims and `extra` bytes more. calloc leaves large zeros to the operating system.
static tensor *new_block(dtype type, uint32_t rank, const int64_t *dim, size_t extra) {
    size_t size;
    if (!size_add(sizeof(tensor) + rank * sizeof *dim, extra, &size)) return NULL;
    tensor *t = calloc(1, size);
    if (!t) return NULL;
    atomic_init(&t->refs, 1);
    t->type = type;
    t->rank = rank;
    t->dim = (int64_t *)(t + 1);
    if (rank) memcpy(t->dim, dim, rank * sizeof *dim);
    return t;
}

rx_status tensor_new(dtype type, uint32_t rank, const int64_t *dim, tensor **out) {
    size_t bytes, room;
    RX_TRY(check_shape(type, rank, dim, &bytes));
    if (!size_add(bytes, TENSOR_ALIGN, &room)) return RX_OUT_OF_MEMORY;
    tensor *t = new_block(type, rank, dim, room);
    if (!t) return RX_OUT_OF_MEMORY;
    uint8_t *free_space = (uint8_t *)(t->dim + rank);
    t->data = free_space + (-(uintptr_t)free_space & (TENSOR_ALIGN - 1));
    t->bytes = bytes;
    *out = t;
    return RX_OK;
}

rx_status tensor_wrap(dtype type, uint32_t rank, const int64_t *dim, void *data,
                      void (*free_data)(void *user, void *data), void *user, tensor **out) {
    size_t bytes;
    RX_TRY(check_shape(type, rank, dim, &bytes));
    if (!data && bytes) return RX_INVALID_ARGUMENT;
    tensor *t = new_block(type, rank, dim, 0);
    if (!t) return RX_OUT_OF_MEMORY;
    t->data = data ? data : t; // never NULL
    t->bytes = bytes;
    t->free_data = free_data;
    t->user = user;
    *out = t;
    return RX_OK;
}

// From here on the count no longer moves.
static const uint32_t immortal = UINT32_MAX / 2 + 1;

tensor *tensor_retain(tensor *t) {
    uint32_t before = atomic_load_explicit(&t->refs, memory_order_relaxed);
    do {
        if (before >= immortal) break;
    } while (!atomic_compare_exchange_weak_explicit(&t->refs, &before, before + 1, memory_order_relaxed,
                                                    memory_order_relaxed));
    return t;
}

// True if this was the last reference.
static bool drop_reference(tensor *t) {
    uint32_t before = atomic_load_explicit(&t->refs, memory_order_relaxed);
    do {
        if (before >= immortal) return false;
    } while (!atomic_compare_exchange_weak_explicit(&t->refs, &before, before - 1, memory_order_acq_rel,
                                                    memory_order_relaxed));
    return before == 1;
}

void tensor_release(tensor *t) {
    if (!t || !drop_reference(t)) return;
    if (t->free_data) t->free_data(t->user, t->data == t ? NULL : t->data);
    free(t);
}

void tensor_release_at(tensor **t) { tensor_release(*t); }

int64_t tensor_count(const tensor *t) {
    int64_t count = 1;
    for (uint32_t i = 0; i < t->rank; i++) {
        if (t->dim[i] == 0) return 0;
    }
    for (uint32_t i = 0; i < t->rank; i++) count *= t->dim[i]; // fits: checked when the tensor was made
    return count;
}

// Bits first, then their meaning: the same two steps for every type, packed or not.
double tensor_get_float(const tensor *t, size_t index) {
    return dtype_decode_float(t->type, dtype_load_bits(t->type, t->data, index));
}

int64_t tensor_get_int(const tensor *t, size_t index) {
    uint64_t bits = dtype_load_bits(t->type, t->data, index);
    if (!dtype_is_float(t->type)) return dtype_wrap(t->type, (int64_t)bits);
    return dtype_float_to_int(DTYPE_OF(I64), dtype_decode_float(t->type, bits));
}

void tensor_set_float(tensor *t, size_t index, double value) {
    dtype_store_bits(t->type, t->data, index, dtype_encode_float(t->type, value));
}

void tensor_set_int(tensor *t, size_t index, int64_t value) {
    if (dtype_is_float(t->type)) {
        tensor_set_float(t, index, dtype_int_to_float(t->type, value, false));
    } else {
        dtype_store_bits(t->type, t->data, index, (uint64_t)dtype_wrap(t->type, value));
    }
}
