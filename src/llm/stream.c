// stream.c - stop strings in text that comes in pieces.
#include "llm/stream.h"
#include <stdlib.h>

rx_status text_stream_init(text_stream *s, const vocabulary *v, const char *const *stop, size_t stops, char *why) {
    *s = (text_stream){.tokens = DETOKENIZER(v), .stop = stop, .stops = stops};
    for (size_t i = 0; i < stops; i++)
        if (!stop[i] || !stop[i][0]) return why_fail(why, RX_INVALID_ARGUMENT, "a stop string is empty");
    return RX_OK;
}

void text_stream_free(text_stream *s) {
    detokenizer_free(&s->tokens);
    free(s->held);
    *s = (text_stream){0};
}

static rx_status hold(text_stream *s, text_span piece, char *why) {
    if (s->size + piece.size > s->room) {
        size_t room = 2 * (s->size + piece.size) + 64;
        char *bigger = realloc(s->held, room);
        if (!bigger) return llm_no_memory(why, "text");
        s->held = bigger, s->room = room;
    }
    if (piece.size) memcpy(s->held + s->size, piece.at, piece.size);
    s->size += piece.size;
    return RX_OK;
}

// Whether stop string i stands at `at`, or, with `part`, as much of it as the text has.
static bool stands_at(const text_stream *s, size_t i, size_t at, bool part) {
    size_t size = strlen(s->stop[i]), left = s->size - at;
    return (part || size <= left) && memcmp(s->held + at, s->stop[i], size < left ? size : left) == 0;
}

// Where the earliest stop string begins, whole or, at the end of the text, in part; the size if there is none.
// Quadratic only in what is held back, which is shorter than the longest stop string, and in one token's text.
static size_t find_stop(const text_stream *s, bool *whole) {
    for (int part = 0; part < 2; part++)
        for (size_t at = 0; at < s->size; at++)
            for (size_t i = 0; i < s->stops; i++)
                if (stands_at(s, i, at, part)) return *whole = !part, at;
    return *whole = false, s->size;
}

// What was given out stays readable until the next call.
static void drop_given(text_stream *s) {
    s->size -= s->given;
    if (s->given) memmove(s->held, s->held + s->given, s->size);
    s->given = 0;
}

rx_status text_stream_push(text_stream *s, uint32_t token, text_span *out, char *why) {
    text_span piece;
    *out = (text_span){0};
    drop_given(s);
    if (s->stopped) return RX_OK;
    RX_TRY(detokenizer_push(&s->tokens, token, &piece, why));
    RX_TRY(hold(s, piece, why));
    // Held back is what could still become a stop string.
    s->given = find_stop(s, &s->stopped);
    *out = (text_span){s->held, s->given};
    return RX_OK;
}

rx_status text_stream_finish(text_stream *s, text_span *out, char *why) {
    *out = (text_span){0};
    drop_given(s);
    if (s->stopped) return RX_OK;
    RX_TRY(hold(s, detokenizer_finish(&s->tokens), why));
    s->given = find_stop(s, &s->stopped);
    if (!s->stopped) s->given = s->size; // the beginning of a stop string that never came
    *out = (text_span){s->held, s->given};
    return RX_OK;
}
