// codec.c - fields to bytes and back.
#include "exec/codec.h"
#include "base/bytes.h"
#include <string.h>

// After a failure every read gives zero, so that callers need to look only once, at the end.
static bool fine(const codec *c) { return !c->bad && !c->no_memory; }

static void put(codec *c, const void *bytes, size_t size) {
    void *to = growing_add(c->out, size);
    if (!to)
        c->no_memory = true;
    else if (size)
        memcpy(to, bytes, size);
}

// The next `size` bytes, or NULL.
static const uint8_t *get(codec *c, size_t size) {
    if (!fine(c) || (size_t)(c->end - c->at) < size) {
        c->bad = true;
        return NULL;
    }
    const uint8_t *at = c->at;
    c->at += size;
    return at;
}

// A number of `size` bytes.
static uint64_t code_number(codec *c, uint64_t x, size_t size) {
    uint8_t bytes[8];
    bytes_put(bytes, x, size);
    if (c->writing) {
        put(c, bytes, size);
        return x;
    }
    const uint8_t *from = get(c, size);
    return from ? bytes_get(from, size) : 0;
}

// What is written is only read: it may be constant.
void code_u32(codec *c, uint32_t *x) {
    uint32_t read = (uint32_t)code_number(c, *x, 4);
    if (!c->writing) *x = read;
}

void code_u64(codec *c, uint64_t *x) {
    uint64_t read = code_number(c, *x, 8);
    if (!c->writing) *x = read;
}

void code_i64(codec *c, int64_t *x) {
    int64_t read = (int64_t)code_number(c, (uint64_t)*x, 8);
    if (!c->writing) *x = read;
}

// One word, as in instructions.
void code_dtype(codec *c, dtype *t) {
    uint32_t word = op_dtype(*t);
    code_u32(c, &word);
    if (word >> 24) c->bad = true;
    if (!c->writing) *t = op_dtype_of(word);
}

// `size` bytes and the NUL behind them, where they are.
static void take_bytes(codec *c, uint64_t size, exec_bytes *b) {
    if (size >= SIZE_MAX) c->bad = true;
    const uint8_t *at = get(c, c->bad ? 1 : (size_t)size + 1);
    if (at && at[size]) c->bad = true;
    *b = (exec_bytes){.at = fine(c) ? at : (const uint8_t *)"", .size = fine(c) ? (size_t)size : 0};
}

void code_bytes(codec *c, exec_bytes *b) {
    uint64_t size = b->size;
    code_u64(c, &size);
    if (c->writing) {
        put(c, b->at, b->size);
        put(c, "", 1);
        return;
    }
    take_bytes(c, size, b);
}

// The bytes between here and the next multiple of 64 are zero.
static void code_padding(codec *c) {
    static const uint8_t zeros[MEMORY_ALIGN];
    size_t at = c->writing ? c->out->len : (size_t)(c->at - c->start), size = -at % MEMORY_ALIGN;
    if (c->writing) {
        put(c, zeros, size);
        return;
    }
    const uint8_t *from = get(c, size);
    if (from && size && memcmp(from, zeros, size) != 0) c->bad = true;
}

void code_aligned_bytes(codec *c, exec_bytes *b) {
    code_padding(c);
    uint64_t size = b->size;
    uint8_t head[MEMORY_ALIGN] = {0};
    code_u64(c, &size);
    if (c->writing) {
        put(c, head, MEMORY_ALIGN - sizeof size);
        put(c, b->at, b->size);
        put(c, "", 1);
        return;
    }
    get(c, MEMORY_ALIGN - sizeof size);
    take_bytes(c, size, b);
}

void *code_array(codec *c, const void *array, uint32_t *count, size_t size) {
    code_u32(c, count);
    if (c->writing) return (void *)(uintptr_t)array;
    // Every element takes at least four bytes of the file, so a forged count can't ask for much memory.
    if (*count > (size_t)(c->end - c->at) / 4) c->bad = true;
    if (!fine(c)) *count = 0;
    if (!*count) return NULL;
    void *room = blocks_take(c->mem, *count, size);
    if (room) return room;
    c->no_memory = true;
    *count = 0;
    return NULL;
}

void code_u32s(codec *c, const uint32_t **array, uint32_t *count) {
    uint32_t *at = code_array(c, *array, count, sizeof *at);
    for (uint32_t i = 0; i < *count; i++) code_u32(c, &at[i]);
    *array = at;
}

void code_i64s(codec *c, const int64_t **array, uint32_t *count) {
    int64_t *at = code_array(c, *array, count, sizeof *at);
    for (uint32_t i = 0; i < *count; i++) code_i64(c, &at[i]);
    *array = at;
}
