// fuzz_checkpoint_safetensors.c - any bytes as a safetensors file: refused with a sentence, or entries that lie inside.
#include "checkpoint/safetensors.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds) {
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char why[FILE_WHY] = "";
    safetensors *s;
    uint64_t sum = 0;
    if (safetensors_parse(data, size, &s, why) != RX_OK) {
        must(!s && why[0] && memchr(why, 0, sizeof why));
        return 0;
    }
    for (size_t i = 0; i < safetensors_count(s); i++) {
        const safetensors_entry *e = safetensors_at(s, i);
        must(e->data >= data && e->bytes <= size && e->data + e->bytes <= data + size);
        for (size_t k = 0; k < e->bytes; k++) sum += e->data[k];
        must(safetensors_find(s, e->name) == e);
    }
    const char *value;
    for (size_t i = 0; safetensors_metadata(s, i, &value); i++) sum += strlen(value);
    safetensors_close(s);
    return sum == UINT64_MAX;
}
