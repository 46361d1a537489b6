// fuzz_checkpoint_gguf.c - any bytes as a GGUF file: refused with a sentence, or keys and tensors that lie inside.
#include "checkpoint/gguf.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds) {
    if (!holds) abort();
}

// Adds up all bytes of a value, so that the sanitizer sees each.
static uint64_t read_pair(const gguf_pair *p) {
    uint64_t sum = 0;
    int64_t whole = 0;
    double number = 0;
    bool flag = false;
    text_span text;
    const uint8_t *at = p->data;
    for (uint64_t i = 0; i < p->count; i++) {
        if (p->type == GGUF_TEXT) {
            text = gguf_next_text(p, &at);
            for (size_t k = 0; k < text.size; k++) sum += (uint8_t)text.at[k];
        }
        if (gguf_int(p, i, &whole)) sum += (uint64_t)whole;
        if (gguf_float(p, i, &number)) sum += number > 0;
        if (gguf_bool(p, i, &flag)) sum += flag;
    }
    must(!gguf_int(p, p->count, &whole) && gguf_value_name(p->type));
    return sum;
}

static uint64_t read_all(const gguf *g, const uint8_t *data, size_t size) {
    uint64_t sum = 0;
    for (size_t i = 0; i < gguf_pair_count(g); i++) {
        gguf_pair p = gguf_pair_at(g, i);
        sum += read_pair(&p);
    }
    for (size_t i = 0; i < gguf_tensor_count(g); i++) {
        gguf_tensor t = gguf_tensor_at(g, i);
        if (!t.type) continue;
        must(t.data >= data && t.bytes <= size && t.data + t.bytes <= data + size);
        for (size_t k = 0; k < t.bytes; k++) sum += t.data[k];
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char why[FILE_WHY] = "";
    gguf *g, *again = NULL;
    uint8_t *copy;
    size_t copied;
    if (gguf_parse(data, size, &g, why) != RX_OK) {
        must(!g && why[0] && memchr(why, 0, sizeof why));
        return 0;
    }
    uint64_t sum = read_all(g, data, size);
    // What a compiled model keeps can be read again.
    must(gguf_copy_pairs(g, &copy, &copied, NULL) == RX_OK && gguf_parse(copy, copied, &again, why) == RX_OK);
    must(gguf_pair_count(again) == gguf_pair_count(g) && gguf_tensor_count(again) == 0);
    gguf_close(again);
    gguf_close(g);
    free(copy);
    return sum == UINT64_MAX;
}
