// detokenize.c - tokens to text, whole characters only.
#include "base/utf8.h"
#include "llm/tokenizer.h"
#include <stdlib.h>

#define REPLACEMENT "\xef\xbf\xbd" // U+FFFD

static bool put(detokenizer *d, const char *s, size_t size) {
    if (d->size + size > d->room) {
        size_t room = 2 * (d->size + size) + 16;
        char *bigger = realloc(d->at, room);
        if (!bigger) return false;
        d->at = bigger;
        d->room = room;
    }
    memcpy(d->at + d->size, s, size);
    d->size += size;
    return true;
}

// Whether more bytes can complete `s`, which is not a character yet: some last byte or bytes make it one.
static bool can_complete(const char *s, unsigned size) {
    static const unsigned char fill[] = {0x80, 0x90, 0xa0, 0xbf};
    char tried[4];
    uint32_t point;
    memcpy(tried, s, size);
    for (size_t i = 0; i < COUNT(fill); i++) {
        memset(tried + size, fill[i], sizeof tried - size);
        if (utf8_decode(tried, sizeof tried, &point) > size) return true;
    }
    return false;
}

// One byte more. What can't become a character comes out as one U+FFFD, and the byte begins anew.
static bool put_byte(detokenizer *d, char byte) {
    uint32_t point;
    if (d->raw) return put(d, &byte, 1);
    d->pending[d->pendings++] = byte;
    if (utf8_decode(d->pending, d->pendings, &point) == d->pendings) {
        unsigned size = d->pendings;
        d->pendings = 0;
        return put(d, d->pending, size);
    }
    if (d->pendings < 4 && can_complete(d->pending, d->pendings)) return true;
    bool alone = d->pendings == 1;
    d->pendings = 0;
    return put(d, REPLACEMENT, 3) && (alone || put_byte(d, byte));
}

static bool put_bytes(detokenizer *d, const char *s, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (!put_byte(d, s[i])) return false;
    }
    return true;
}

// Byte-level BPE: each code point is a byte; one that isn't is left as it is.
// The reverse of vocabulary_byte_point.
static bool put_alphabet(detokenizer *d, text_span text) {
    uint32_t point;
    for (size_t at = 0, size; at < text.size; at += size) {
        size = utf8_decode(text.at + at, text.size - at, &point);
        int byte = size ? vocabulary_point_byte(point) : -1;
        if (!size) size = 1;
        bool done = byte >= 0 ? put_byte(d, (char)byte) : put_bytes(d, text.at + at, size);
        if (!done) return false;
    }
    return true;
}

// SentencePiece and WordPiece: U+2581 is a space, but not the very first.
static bool put_marked(detokenizer *d, text_span text, bool first) {
    for (size_t at = 0; at < text.size;) {
        bool mark = text.size - at >= 3 && memcmp(text.at + at, "\xe2\x96\x81", 3) == 0;
        bool dropped = mark && first && at == 0;
        if (!dropped && !(mark ? put_byte(d, ' ') : put_byte(d, text.at[at]))) return false;
        at += mark ? 3 : 1;
    }
    return true;
}

// User-defined tokens are text as they stand, with their spaces.
static bool put_token(detokenizer *d, uint32_t id) {
    const vocabulary *v = d->vocabulary;
    text_span text = vocabulary_text(v, id);
    // The space that tokenizing adds in front of a text is taken off again.
    bool first = !d->begun && (v->model == VOCABULARY_WORDPIECE || v->add_space_prefix);
    if (v->type[id] == TOKEN_CONTROL || v->type[id] == TOKEN_UNKNOWN)
        return !d->show_special || put_bytes(d, text.at, text.size);
    d->begun = true;
    if (v->type[id] == TOKEN_USER) return put_bytes(d, text.at, text.size);
    if (v->model == VOCABULARY_BPE) return put_alphabet(d, text);
    unsigned byte;
    if (v->type[id] == TOKEN_BYTE && text.size == 6) {
        char digits[3] = {text.at[3], text.at[4], 0};
        byte = (unsigned)strtoul(digits, NULL, 16);
        return put_byte(d, (char)byte);
    }
    return put_marked(d, text, first);
}

rx_status detokenizer_push(detokenizer *d, uint32_t id, text_span *out, char why[FILE_WHY]) {
    if (id >= d->vocabulary->count)
        return why_fail(why, RX_INVALID_ARGUMENT, "there is no token %u: the vocabulary has %u, from 0", id,
                        d->vocabulary->count);
    d->size = 0;
    if (!put_token(d, id)) return llm_no_memory(why, "detokenizer");
    *out = (text_span){d->at, d->size};
    return RX_OK;
}

// Bytes of a character that never came to its end.
text_span detokenizer_finish(detokenizer *d) {
    text_span left = {REPLACEMENT, d->pendings ? 3 : 0};
    d->pendings = 0;
    return left;
}

void detokenizer_free(detokenizer *d) {
    free(d->at);
    *d = (detokenizer){0};
}
