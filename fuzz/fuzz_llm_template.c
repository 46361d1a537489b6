// fuzz_llm_template.c - any bytes as a chat template, and as messages where a NUL divides them: refused with a
// sentence, or rendered within the limits.
#include "llm/chat_template.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char conversation[] =
    "{\"messages\": [{\"role\": \"system\", \"content\": \"s\"}, {\"role\": \"user\", \"content\": \"h\\u00e9 \\n\"},"
    " {\"role\": \"assistant\", \"content\": null, \"tool_calls\": [{\"function\": {\"name\": \"f\", \"arguments\": "
    "{\"a\": 1, \"b\": [1.5, true]}}}]}], \"tools\": [{\"type\": \"function\"}]}";

static void must(bool holds) {
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char why[FILE_WHY] = "", *out;
    size_t out_size;
    chat_template *t;
    const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
    text_span source = {(const char *)data, nul ? (size_t)(nul - data) : size};
    chat_input input = {.json = span_of(conversation), .bos = span_of("<s>"), .eos = span_of("</s>")};
    if (nul) input.json = (text_span){(const char *)nul + 1, size - source.size - 1};
    input.steps = 20000, input.output = 1 << 20, input.memory = 8 << 20;
    if (chat_template_new(source, &t, why) != RX_OK) {
        must(why[0]);
        return 0;
    }
    if (chat_template_render(t, &input, &out, &out_size, why) == RX_OK) {
        must(out_size <= (1 << 20) && out[out_size] == 0);
        free(out);
    }
    chat_template_free(t);
    return 0;
}
