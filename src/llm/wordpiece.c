// wordpiece.c - normalisation and cutting of words as BERT does it.
#include "llm/wordpiece.h"
#include "base/utf8.h"
#include <stdlib.h>
#include <utf8proc.h>

// Characters of a word in BERT's own tokenizer; bytes of U+2581, which GGUF puts where ## is not; parts a code point
// is taken apart into.
enum { LONGEST_WORD = 100, MARK = 3, MOST_PARTS = 32 };

// A word being collected, after the U+2581 it begins with.
typedef struct word_room {
    const vocabulary *v;
    token_list *out;
    char *at;
    size_t size, points;
} word_room;

static bool is_space(uint32_t c) {
    utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)c);
    return c == '\t' || c == '\n' || c == '\r' || kind == UTF8PROC_CATEGORY_ZS || kind == UTF8PROC_CATEGORY_ZL ||
           kind == UTF8PROC_CATEGORY_ZP;
}

// Controls, marks that are left over when accents are taken off, and U+FFFD.
static bool is_dropped(uint32_t c) {
    utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)c);
    return c == 0 || c == 0xfffd || kind == UTF8PROC_CATEGORY_MN ||
           (kind >= UTF8PROC_CATEGORY_CC && kind <= UTF8PROC_CATEGORY_CO) || kind == UTF8PROC_CATEGORY_CN;
}

// BERT's table of ideographs, which have no spaces between words.
static bool is_chinese(uint32_t c) {
    static const uint32_t range[][2] = {{0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xf900, 0xfaff},
                                        {0x20000, 0x2a6df}, {0x2a700, 0x2ebef}, {0x2f800, 0x2fa1f}};
    for (size_t i = 0; i < COUNT(range); i++) {
        if (c >= range[i][0] && c <= range[i][1]) return true;
    }
    return false;
}

// Stands alone as a word. BERT counts all of ASCII that is neither letter, digit nor space.
static bool is_alone(uint32_t c) {
    utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)c);
    bool ascii = c < 0x7f && c > ' ' && !(c >= '0' && c <= '9') && !((c | 32) >= 'a' && (c | 32) <= 'z');
    return ascii || (kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO) || is_chinese(c);
}

// The end of the longest token at `from`, and the token.
static size_t longest_piece(const word_room *w, size_t from, uint32_t *id) {
    size_t end = w->size - from > w->v->longest ? from + w->v->longest : w->size;
    for (; end > from; end--) {
        *id = vocabulary_find(w->v, (text_span){w->at + from, end - from});
        if (*id != TOKEN_NONE) return end;
    }
    return from;
}

static rx_status end_word(word_room *w, char *why) {
    size_t before = w->out->count, at = 0;
    uint32_t id = TOKEN_NONE;
    if (w->size == MARK) return RX_OK;
    while (at < w->size && w->points <= LONGEST_WORD) {
        size_t end = longest_piece(w, at, &id);
        if (end == at || end == MARK) break; // a lone U+2581 is no piece of a word
        RX_TRY(token_list_add(w->out, id, why));
        at = end;
    }
    bool whole = at == w->size;
    w->size = MARK;
    w->points = 0;
    if (whole) return RX_OK;
    // A word with a piece that is unknown is unknown as a whole.
    w->out->count = before;
    if (w->v->unknown == TOKEN_NONE)
        return why_fail(why, RX_INVALID_ARGUMENT, "tokenizer: a word has no tokens, and there is no unknown token");
    return token_list_add(w->out, w->v->unknown, why);
}

// Words over the limit are the unknown token whatever they hold, so their rest is only counted.
static rx_status add_point(word_room *w, uint32_t point, char *why) {
    if (is_space(point)) return end_word(w, why);
    if (is_dropped(point)) return RX_OK;
    bool alone = is_alone(point);
    if (alone) RX_TRY(end_word(w, why));
    if (w->points++ <= LONGEST_WORD) w->size += utf8_encode(point, w->at + w->size);
    return alone ? end_word(w, why) : RX_OK;
}

rx_status wordpiece_encode(const vocabulary *v, text_span text, token_list *out, char *why) {
    char buffer[MARK + 4 * (LONGEST_WORD + 2)] = "\xe2\x96\x81";
    word_room w = {.v = v, .out = out, .at = buffer, .size = MARK};
    uint32_t point;
    for (size_t at = 0, size; at < text.size; at += size) {
        size = utf8_decode(text.at + at, text.size - at, &point);
        utf8proc_int32_t part[MOST_PARTS];
        int bound = 0;
        utf8proc_ssize_t parts =
            // Canonical decomposition takes accents off their letters (NFD).
            utf8proc_decompose_char((utf8proc_int32_t)point, part, MOST_PARTS, UTF8PROC_DECOMPOSE, &bound);
        if (parts < 0 || parts > MOST_PARTS) parts = 1, part[0] = (utf8proc_int32_t)point;
        for (utf8proc_ssize_t i = 0; i < parts; i++) RX_TRY(add_point(&w, (uint32_t)utf8proc_tolower(part[i]), why));
    }
    return end_word(&w, why);
}
