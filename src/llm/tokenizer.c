// tokenizer.c - text to tokens: special tokens first, then the model's own way for what lies between them.
#include "llm/tokenizer.h"
#include "base/count_noun.h"
#include "base/utf8.h"
#include "llm/merge.h"
#include "llm/pretokenize.h"
#include "llm/specials.h"
#include "llm/wordpiece.h"
#include <stdlib.h>

struct tokenizer {
    const vocabulary *v;
    word_splitter *splitter; // of BPE
};

// One call of tokenizer_encode.
typedef struct encoding {
    const tokenizer *t;
    const vocabulary *v;
    token_list *out;
    merge_room room;
    char *scratch; // v->longest + 4 bytes (BPE: a word in its alphabet), or the rewritten text (SPM)
    size_t scratch_room;
} encoding;

rx_status token_list_add(token_list *list, uint32_t id, char *why) {
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 64;
        uint32_t *bigger = realloc(list->at, room * sizeof *bigger);
        if (!bigger) return llm_no_memory(why, "tokenizer");
        list->at = bigger;
        list->room = room;
    }
    list->at[list->count++] = id;
    return RX_OK;
}

void token_list_free(token_list *list) {
    free(list->at);
    *list = (token_list){0};
}

// The contents are not kept: each use begins anew.
static bool reserve(encoding *e, size_t size) {
    if (size <= e->scratch_room) return true;
    char *bigger = realloc(e->scratch, size);
    if (!bigger) return false;
    e->scratch = bigger;
    e->scratch_room = size;
    return true;
}

// The tokens of the bytes of `text`, or the unknown token where there is none.
static rx_status add_bytes(encoding *e, text_span text, char *why) {
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = (uint8_t)text.at[i];
        uint32_t id = e->v->byte_token[byte];
        if (id == TOKEN_NONE) id = e->v->unknown;
        if (id == TOKEN_NONE)
            return why_fail(why, RX_INVALID_ARGUMENT, "tokenizer: the vocabulary has no token for byte 0x%02x", byte);
        RX_TRY(token_list_add(e->out, id, why));
    }
    return RX_OK;
}

// What was not merged into a token goes byte by byte.
static rx_status add_pieces(encoding *e, text_span word, char *why) {
    for (uint32_t at = e->room.pieces ? 0 : PIECE_NONE; at != PIECE_NONE; at = e->room.piece[at].next) {
        const merge_piece *p = &e->room.piece[at];
        if (p->id != TOKEN_NONE)
            RX_TRY(token_list_add(e->out, p->id, why));
        else
            RX_TRY(add_bytes(e, (text_span){word.at + p->start, p->size}, why));
    }
    return RX_OK;
}

// --- Byte-level BPE.

static bool merge_by_rank(const vocabulary *v, text_span word, const merge_piece *left, const merge_piece *right,
                          merge_candidate *out) {
    (void)word;
    const token_merge *m = vocabulary_merge(v, left->id, right->id);
    if (m) out->key = m->rank, out->id = m->id;
    return m;
}

// The token that is the whole word, or TOKEN_NONE.
static uint32_t find_word(encoding *e, text_span word) {
    size_t size = 0;
    if (word.size > e->v->longest || !reserve(e, e->v->longest + 4)) return TOKEN_NONE;
    for (size_t i = 0; i < word.size; i++) {
        if (size > e->v->longest) return TOKEN_NONE;
        size += utf8_encode(vocabulary_byte_point((uint8_t)word.at[i]), e->scratch + size);
    }
    return vocabulary_find(e->v, (text_span){e->scratch, size});
}

static rx_status take_word(void *context, text_span word, char *why) {
    encoding *e = context;
    // A single byte needs no merging.
    if (e->v->pre->whole_words || word.size == 1) {
        uint32_t id = find_word(e, word);
        if (id != TOKEN_NONE) return token_list_add(e->out, id, why);
    }
    merge_clear(&e->room);
    for (size_t i = 0; i < word.size; i++)
        RX_TRY(merge_add(&e->room, (uint32_t)i, 1, e->v->byte_token[(uint8_t)word.at[i]], why));
    RX_TRY(merge_run(&e->room, e->v, word, merge_by_rank, why));
    return add_pieces(e, word, why);
}

// --- SentencePiece BPE.

// Orders floats like unsigned integers, the largest first.
static uint32_t key_of_score(float score) {
    uint32_t bits;
    score += 0.0f; // -0 is 0
    memcpy(&bits, &score, sizeof bits);
    return ~(bits & 0x80000000u ? ~bits : bits | 0x80000000u);
}

static bool merge_by_score(const vocabulary *v, text_span word, const merge_piece *left, const merge_piece *right,
                           merge_candidate *out) {
    uint32_t id = vocabulary_find(v, (text_span){word.at + left->start, (size_t)left->size + right->size});
    if (id == TOKEN_NONE) return false;
    out->key = key_of_score(v->score[id]);
    out->id = id;
    return true;
}

// Spaces become U+2581, with one more in front when `prefix`. Into e->scratch.
static bool mark_spaces(encoding *e, text_span text, bool prefix, text_span *out) {
    size_t size = 0;
    if (!reserve(e, 3 * text.size + 3)) return false;
    if (prefix) memcpy(e->scratch, "\xe2\x96\x81", 3), size = 3;
    for (size_t i = 0; i < text.size; i++) {
        if (text.at[i] == ' ')
            memcpy(e->scratch + size, "\xe2\x96\x81", 3), size += 3;
        else
            e->scratch[size++] = text.at[i];
    }
    *out = (text_span){e->scratch, size};
    return true;
}

// `first`: the text begins here.
static rx_status encode_spm(encoding *e, text_span text, bool first, char *why) {
    text_span word;
    uint32_t point;
    bool prefix = e->v->add_space_prefix && (first || !e->v->only_first_prefix);
    if (!mark_spaces(e, text, prefix, &word)) return llm_no_memory(why, "tokenizer");
    merge_clear(&e->room);
    for (size_t at = 0, size; at < word.size; at += size) {
        size = utf8_decode(word.at + at, word.size - at, &point);
        uint32_t id = vocabulary_find(e->v, (text_span){word.at + at, size});
        RX_TRY(merge_add(&e->room, (uint32_t)at, (uint32_t)size, id, why));
    }
    RX_TRY(merge_run(&e->room, e->v, word, e->v->merge_slots ? merge_by_rank : merge_by_score, why));
    return add_pieces(e, word, why);
}

// --- Special tokens, and what lies between.

static rx_status encode_plain(encoding *e, text_span text, bool first, char *why) {
    if (!text.size) return RX_OK;
    switch (e->v->model) {
    case VOCABULARY_BPE: return word_splitter_run(e->t->splitter, text, take_word, e, why);
    case VOCABULARY_SPM: return encode_spm(e, text, first, why);
    case VOCABULARY_WORDPIECE: return wordpiece_encode(e->v, text, e->out, why);
    }
    return why_fail(why, RX_INTERNAL, "tokenizer: no such model");
}

// strchr finds the NUL as well, hence the second question.
static size_t skip_space(text_span text, size_t at) {
    while (at < text.size && strchr(" \t\n\v\f\r", text.at[at]) && text.at[at]) at++;
    return at;
}

// Special tokens cut the text; merges never go across one.
static rx_status encode(encoding *e, text_span text, bool control, char *why) {
    size_t done = 0, at = 0, size = 0;
    while (at < text.size) {
        uint32_t id = specials_match(e->v, (text_span){text.at + at, text.size - at}, control, &size);
        if (id == TOKEN_NONE) {
            at++;
            continue;
        }
        RX_TRY(encode_plain(e, (text_span){text.at + done, at - done}, !done, why));
        RX_TRY(token_list_add(e->out, id, why));
        at += size;
        if (e->v->eats_space[id]) at = skip_space(text, at);
        done = at;
    }
    return encode_plain(e, (text_span){text.at + done, text.size - done}, !done, why);
}

rx_status tokenizer_encode(const tokenizer *t, text_span text, unsigned flags, token_list *out, char why[FILE_WHY]) {
    size_t bad = utf8_first_bad(text.at, text.size), before = out->count;
    if (bad < text.size) return why_fail(why, RX_INVALID_ARGUMENT, "tokenizer: the text is not UTF-8 at byte %zu", bad);
    // SentencePiece writes three bytes for a space, and places are 32 bits.
    if (text.size > INT32_MAX / 3)
        return why_fail(why, RX_INVALID_ARGUMENT, "tokenizer: a text of %s; want at most %d",
                        COUNTED(text.size, "byte"), INT32_MAX / 3);
    encoding e = {.t = t, .v = t->v, .out = out};
    bool ends = flags & TOKENIZE_ADD_ENDS;
    rx_status status = ends && e.v->add_bos ? token_list_add(out, e.v->bos, why) : RX_OK;
    if (status == RX_OK) status = encode(&e, text, flags & TOKENIZE_SPECIAL, why);
    if (status == RX_OK && ends && e.v->add_eos) status = token_list_add(out, e.v->eos, why);
    // What the list held before stays.
    if (status != RX_OK) out->count = before;
    merge_free(&e.room);
    free(e.scratch);
    return status;
}

rx_status tokenizer_new(const vocabulary *v, tokenizer **out, char why[FILE_WHY]) {
    tokenizer *t = calloc(1, sizeof *t);
    if (!t) return llm_no_memory(why, "tokenizer");
    t->v = v;
    rx_status status = v->pre ? word_splitter_new(v->pre, &t->splitter, why) : RX_OK;
    if (status == RX_OK)
        *out = t;
    else
        tokenizer_free(t);
    return status;
}

void tokenizer_free(tokenizer *t) {
    if (!t) return;
    word_splitter_free(t->splitter);
    free(t);
}
