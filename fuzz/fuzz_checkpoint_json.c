// fuzz_checkpoint_json.c - any bytes as JSON: refused with a sentence, or values that can be walked.
#include "checkpoint/json.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t walk(const json_value *v) {
    size_t sum = v->kind == JSON_STRING ? strlen(v->text) : 0;
    for (uint32_t i = 0; i < v->count; i++) {
        sum += walk(&v->item[i]);
        if (v->kind == JSON_OBJECT) sum += json_find(v, v->key[i]) != NULL;
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char why[FILE_WHY] = "";
    arena *mem = arena_new();
    const json_value *v = json_parse(mem, (const char *)data, size, why);
    if (!v && (!why[0] || !memchr(why, 0, sizeof why))) abort();
    size_t sum = v ? walk(v) : 0;
    arena_free(mem);
    return sum == SIZE_MAX;
}
