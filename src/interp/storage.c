// storage.c - tracked memory, and tensors over it.
#define _POSIX_C_SOURCE 200809L
#include "interp/storage.h"
#include "base/size.h"
#include <stdlib.h>
#include <string.h>

// Counted, because tensors of the result outlive the run.
budget *budget_new(size_t bytes) {
    budget *b = malloc(sizeof *b);
    if (b) *b = (budget){.refs = 1, .left = bytes};
    return b;
}

void budget_release(budget *b) {
    if (b && --b->refs == 0) free(b);
}

// One bit per byte costs an eighth of the memory.
static bool fill(storage *s, size_t bytes, bool track) {
    size_t room;
    void *data = NULL;
    if (!size_align(bytes ? bytes : 1, TENSOR_ALIGN, &room) || posix_memalign(&data, TENSOR_ALIGN, room)) return false;
    memset(data, 0, room);
    s->data = data;
    if (track) s->written = calloc(room / 8, 1);
    return !track || s->written;
}

// Only what is alive counts against the budget.
storage *storage_new(budget *from, size_t bytes, bool track) {
    if (bytes > from->left) return NULL;
    storage *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    if (!fill(s, bytes, track)) {
        free(s->data);
        free(s);
        return NULL;
    }
    s->refs = 1;
    s->bytes = bytes;
    s->from = from;
    from->refs++;
    from->left -= bytes;
    return s;
}

storage *storage_retain(storage *s) {
    if (s) s->refs++;
    return s;
}

void storage_release(storage *s) {
    if (!s || --s->refs) return;
    s->from->left += s->bytes;
    budget_release(s->from);
    free(s->written);
    free(s->data);
    free(s);
}

// --- Bits. An element of 1, 2, 4 or 8 bytes at a multiple of its size lies in one byte of bits.

// Then one mask tests or sets all of its bits.
static bool in_one_byte(size_t at, size_t bytes) { return bytes <= 8 && (at & 7) + bytes <= 8; }
static uint8_t bits_of(size_t at, size_t bytes) { return (uint8_t)(((1u << bytes) - 1) << (at & 7)); }

bool storage_has(const uint8_t *written, size_t at, size_t bytes) {
    if (in_one_byte(at, bytes)) return !(bits_of(at, bytes) & ~written[at >> 3]);
    for (size_t i = at; i < at + bytes; i++)
        if (!(written[i >> 3] >> (i & 7) & 1)) return false;
    return true;
}

void storage_mark(uint8_t *written, size_t at, size_t bytes) {
    if (in_one_byte(at, bytes)) {
        written[at >> 3] = (uint8_t)(written[at >> 3] | bits_of(at, bytes));
        return;
    }
    for (size_t i = at; i < at + bytes; i++) written[i >> 3] = (uint8_t)(written[i >> 3] | 1u << (i & 7));
}

// Whole bytes of bits at once where they are not shared with neighbours.
void storage_forget(storage *s, size_t at, size_t bytes) {
    for (size_t i = at; s->written && i < at + bytes;) {
        bool whole = !(i & 7) && i + 8 <= at + bytes;
        s->written[i >> 3] = (uint8_t)(whole ? 0 : s->written[i >> 3] & ~(1u << (i & 7)));
        i += whole ? 8 : 1;
    }
}

// --- Tensors.

// The storage's own reference for the tensor.
static void drop(void *user, void *data) {
    (void)data;
    storage_release(user);
}

rx_status storage_tensor(storage *s, size_t at, dtype type, uint32_t rank, const int64_t *dim, tensor **out) {
    tensor *t;
    if (at > s->bytes) return RX_INVALID_ARGUMENT;
    RX_TRY(tensor_wrap(type, rank, dim, s->data + at, drop, s, &t));
    storage_retain(s);
    if (t->bytes > s->bytes - at) {
        tensor_release(t);
        return RX_INVALID_ARGUMENT;
    }
    return *out = t, RX_OK;
}

// Told by the function that frees it, which no other tensor has.
storage *storage_of(const tensor *t) { return t->free_data == drop ? t->user : NULL; }

void storage_all_written(const tensor *t) {
    storage *s = storage_of(t);
    if (s && s->written) storage_mark(s->written, (size_t)((uint8_t *)t->data - s->data), t->bytes);
}

// Eight bytes at a time while they are whole.
size_t storage_first_unwritten(const tensor *t) {
    const storage *s = storage_of(t);
    if (!s || !s->written) return t->bytes;
    size_t first = (size_t)((uint8_t *)t->data - s->data), end = first + t->bytes;
    for (size_t i = first; i < end;) {
        bool whole = !(i & 7) && i + 8 <= end && s->written[i >> 3] == 0xff;
        if (!whole && !(s->written[i >> 3] >> (i & 7) & 1)) return i - first;
        i += whole ? 8 : 1;
    }
    return t->bytes;
}
