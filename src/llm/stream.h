// stream.h - the text of an answer as it grows: whole characters, held back while it could become a stop string.
#ifndef LLM_STREAM_H
#define LLM_STREAM_H
#include "llm/tokenizer.h"

typedef struct text_stream {
    detokenizer tokens;
    const char *const *stop;
    size_t stops;
    char *held; // text that was not given out yet
    size_t size, room;
    size_t given; // bytes at its beginning that the last call gave out
    bool stopped; // a stop string came
} text_stream;

// `v` and `stop` must outlive it. RX_INVALID_ARGUMENT for an empty stop string.
RX_MUST_USE rx_status text_stream_init(text_stream *s, const vocabulary *v, const char *const *stop, size_t stops,
                                       char *why);
// What can be given out after the next token, valid until the next call. Empty once `stopped`.
RX_MUST_USE rx_status text_stream_push(text_stream *s, uint32_t token, text_span *out, char *why);
// The rest, when no more tokens come.
RX_MUST_USE rx_status text_stream_finish(text_stream *s, text_span *out, char *why);
void text_stream_free(text_stream *s);
#endif
