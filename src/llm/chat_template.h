// chat_template.h - the template that turns a conversation into the text a model was trained on.
//
// Templates are Jinja, as Transformers runs it (docs/templates.md says what of it is covered). They come with models,
// from strangers: rendering is bounded in steps, memory, depth and length of text, and reaches nothing outside.
#ifndef LLM_CHAT_TEMPLATE_H
#define LLM_CHAT_TEMPLATE_H
#include "base/span.h"
#include "llm/fail.h"
#include <stdint.h>

// A parsed template. It never changes: threads may share it.
typedef struct chat_template chat_template;

// RX_INVALID_ARGUMENT for what isn't a template; RX_UNSUPPORTED, naming it, for a construct that isn't covered.
// `source` isn't kept. On success *out is freed by chat_template_free.
RX_MUST_USE rx_status chat_template_new(text_span source, chat_template **out, char why[FILE_WHY]);
void chat_template_free(chat_template *t); // NULL is allowed

// What a rendering is given. Zero limits: the presets.
typedef struct chat_input {
    // A JSON dict: messages, tools, add_generation_prompt, … as the template's variables; or a list: the messages.
    // Without add_generation_prompt it is true.
    text_span json;
    text_span bos, eos;    // bos_token, eos_token, unless the JSON has them
    int64_t now;           // for strftime_now: seconds since 1970, as if local time were UTC
    uint64_t steps;        // preset 20 million
    size_t output, memory; // bytes; preset 64 MiB, 512 MiB
} chat_input;

// The text goes to *out (malloc'd, with a NUL after its *size bytes). What the template raises is RX_INVALID_ARGUMENT
// with its own words alone.
RX_MUST_USE rx_status chat_template_render(const chat_template *t, const chat_input *input, char **out, size_t *size,
                                           char why[FILE_WHY]);
#endif
