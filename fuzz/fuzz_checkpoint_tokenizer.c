// fuzz_checkpoint_tokenizer.c - any JSON as tokenizer.json: refused with a sentence, or every token is there, and what
// is asked for is found.
#include "base/attributes.h"
#include "checkpoint/tokenizer_json.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Unlike CHECK it aborts, so that libFuzzer keeps the input.
static void must(bool holds) {
    if (!holds) abort();
}

static void walk(const tokenizer_json *t) {
    size_t sum = strlen(t->model) + (t->pre ? strlen(t->pre) : 0);
    for (uint32_t i = 0; i < t->count; i++) {
        sum += strlen(t->token[i]);
        must(t->type[i] < 7);
    }
    for (uint32_t i = 0; i < t->merges; i++) must(strchr(t->merge[i], 0) != NULL);
    must(t->unknown == TOKEN_ABSENT || t->unknown < t->count);
    must(t->count && tokenizer_json_find(t, t->token[sum % t->count]) <= sum % t->count + (size_t)TOKEN_ABSENT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char why[FILE_WHY] = "";
    tokenizer_json t;
    arena *mem = arena_new();
    const json_value *root = json_parse(mem, (const char *)data, size, NULL);
    if (root && tokenizer_json_read(root, mem, 1000, &t, why) == RX_OK)
        walk(&t);
    else
        must(!root || (why[0] && memchr(why, 0, sizeof why)));
    arena_free(mem);
    return 0;
}
