// gguf_bytes.c - numbers and texts of GGUF files, taken one after another, and names in order.
#include "checkpoint/gguf_inside.h"
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 80 }; // bytes of a name in a message

// --- Reading the bytes.

rx_status gguf_bad(const gguf_reader *r, const char *sentence) {
    int size = r->what.size < SHOWN ? (int)r->what.size : SHOWN;
    return why_fail(r->why, RX_BAD_FILE, "gguf: %.*s%s%s", size, r->what.at ? r->what.at : "", size ? ": " : "",
                    sentence);
}

// Byte by byte: files promise no alignment, and machines may be big-endian.
uint64_t gguf_number(const uint8_t *at, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;) value = value << 8 | at[i];
    return value;
}

rx_status gguf_take(gguf_reader *r, size_t bytes, uint64_t *out) {
    if ((size_t)(r->end - r->at) < bytes) return gguf_bad(r, "the file ends inside its metadata; was it cut off?");
    *out = gguf_number(r->at, bytes);
    r->at += bytes;
    return RX_OK;
}

// The length is compared with what is left, never added to a place.
rx_status gguf_take_text(gguf_reader *r, text_span *out) {
    uint64_t size = 0;
    RX_TRY(gguf_take(r, 8, &size));
    if (size > (size_t)(r->end - r->at)) return gguf_bad(r, "the file ends inside a text; was it cut off?");
    *out = (text_span){(const char *)r->at, (size_t)size};
    r->at += size;
    return RX_OK;
}

text_span gguf_text_at(const uint8_t *at) { return (text_span){(const char *)at + 8, (size_t)gguf_number(at, 8)}; }

// --- Names in order.

// Bytes in order, then length: no locale, no UTF-8.
static int compare_spans(text_span a, text_span b) {
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common ? memcmp(a.at, b.at, common) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int by_text(const void *a, const void *b) {
    return compare_spans(gguf_text_at(*(const uint8_t *const *)a), gguf_text_at(*(const uint8_t *const *)b));
}

rx_status gguf_sort(const uint8_t **list, size_t count, const char *kind, char *why) {
    qsort(list, count, sizeof *list, by_text);
    for (size_t i = 1; i < count; i++) {
        if (by_text(&list[i - 1], &list[i]) != 0) continue;
        text_span name = gguf_text_at(list[i]);
        return why_fail(why, RX_BAD_FILE, "gguf: two %s are called '%.*s'", kind,
                        name.size < SHOWN ? (int)name.size : SHOWN, name.at);
    }
    return RX_OK;
}

// Names are looked up by the hundred for each model, and files have up to thousands: sorted pointers, no table beside
// the file.
const uint8_t *gguf_search(const uint8_t *const *list, size_t count, const char *name) {
    text_span wanted = span_of(name);
    for (size_t low = 0, high = count; low < high;) {
        size_t middle = low + (high - low) / 2;
        int order = compare_spans(gguf_text_at(list[middle]), wanted);
        if (order == 0) return list[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
