// check_index.c - which index is out of range, once a kernel that looks at indices has found that one is.
//
// Its sentence is "take: indices: {s0}an index is out of range: …": within braces is the extent as a program over the
// kernel's scalars, in the words of listings; the slot behind them is the place along the last dim. The first buffer
// holds the indices. The braces never reach a reader.
#include "vm/check_index.h"
#include "base/postfix.h"
#include "tensor/index_range.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXTENT_BYTES = 256 };

typedef struct extent {
    uint8_t at[EXTENT_BYTES];
    size_t size;
} extent;

static size_t put_word(const char *word, size_t length, uint8_t out[POSTFIX_LONGEST]) {
    char number[24] = "", *end;
    bool slot = *word == 's' && length > 1 && word[1] >= '0' && word[1] <= '9';
    if (length < sizeof number) memcpy(number, word + slot, length - slot);
    int64_t x = strtoll(number, &end, 10);
    if (end != number && !*end) return slot ? postfix_put(POSTFIX_SLOT, x, out) : postfix_put_int(x, out);
    for (unsigned op = POSTFIX_ADD; op < POSTFIX_OPS; op++) {
        const char *spelling = postfix_get((postfix_op)op)->spelling;
        if (strlen(spelling) == length && !memcmp(spelling, word, length)) return postfix_put((postfix_op)op, 0, out);
    }
    return 0;
}

// From the words up to `end`; false if they are no program over so many slots.
static bool read_extent(const char *word, const char *end, uint32_t slots, extent *out) {
    out->size = 0;
    while (word < end) {
        size_t length = 0;
        while (word + length < end && word[length] != ' ') length++;
        if (!length || out->size > EXTENT_BYTES - POSTFIX_LONGEST) return false;
        size_t bytes = put_word(word, length, out->at + out->size);
        if (!bytes) return false;
        out->size += bytes;
        word += length + (word + length < end);
    }
    return postfix_check(out->at, out->size, slots);
}

bool vm_is_index_check(const char *sentence) { return strchr(sentence, '{') && strstr(sentence, "}an index is "); }

void vm_say_index(const char *sentence, const tensor *t, const int64_t *scalar, uint32_t scalars, char *out,
                  size_t room) {
    const char *from = strchr(sentence, '{'), *end = strstr(sentence, "}an index is ");
    int64_t slot[INDEX_CHECK_SCALARS + 1], most;
    char why[INDEX_RANGE_WHY];
    extent e;
    snprintf(out, room, "%.*s%s", (int)(from - sentence), sentence, end + 1);
    if (!t || !dtype_is_int(t->type) || scalars > INDEX_CHECK_SCALARS) return;
    if (!read_extent(from + 1, end, scalars + 1, &e)) return;
    for (uint32_t i = 0; i < scalars; i++) slot[i] = scalar[i];
    int64_t count = tensor_count(t), last = t->rank ? t->dim[t->rank - 1] : 1;
    for (int64_t k = 0; k < count; k++) {
        slot[scalars] = k % last;
        if (postfix_run(e.at, e.size, slot, &most) != POSTFIX_DONE || most < 0) return;
        if (index_in_range(t, k, most)) continue;
        snprintf(out, room, "%.*s%s", (int)(from - sentence), sentence, index_out_of_range(t, k, most, why));
        return;
    }
}
