// vocabulary.c - builds a vocabulary's tables and looks things up in them.
#include "llm/vocabulary.h"
#include "base/count_noun.h"
#include "base/size.h"
#include "base/utf8.h"
#include "llm/pretokenize.h"
#include "llm/specials.h"
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN = 40 }; // bytes of a name from the file that a message shows

static int shown(text_span s) { return s.size < SHOWN ? (int)s.size : SHOWN; }

// --- Byte-level BPE's alphabet. Printable bytes stand for themselves, the others for U+0100 and up, in order.

static bool is_plain(unsigned byte) {
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
}

// 256, 257, … in the order of the bytes that aren't plain (GPT-2's bytes_to_unicode).
uint32_t vocabulary_byte_point(uint8_t byte) {
    uint32_t others = 0;
    if (is_plain(byte)) return byte;
    for (unsigned b = 0; b < byte; b++) others += !is_plain(b);
    return 256 + others;
}

int vocabulary_point_byte(uint32_t point) {
    if (point < 256) return is_plain(point) ? (int)point : -1;
    uint32_t left = point - 256;
    for (unsigned b = 0; b < 256; b++) {
        if (!is_plain(b) && left-- == 0) return (int)b;
    }
    return -1;
}

// --- Looking up.

text_span vocabulary_text(const vocabulary *v, uint32_t id) {
    return (text_span){v->bytes + v->start[id], (size_t)(v->start[id + 1] - v->start[id])};
}

// FNV-1a with a last mix, so that the low bits depend on every byte.
static uint64_t hash_text(text_span s) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < s.size; i++) h = (h ^ (uint8_t)s.at[i]) * 0x100000001b3u;
    return h ^ (h >> 32);
}

// A multiplication spreads the bits upwards; the shift brings them back down to where the mask looks.
static uint64_t hash_pair(uint64_t pair) {
    pair *= 0x9e3779b97f4a7c15u;
    return pair ^ (pair >> 32);
}

static uint32_t *find_slot(const vocabulary *v, text_span text) {
    uint32_t mask = v->slots - 1, at = (uint32_t)hash_text(text) & mask;
    while (v->slot[at] && !span_equal(vocabulary_text(v, v->slot[at] - 1), text)) at = (at + 1) & mask;
    return &v->slot[at];
}

// Most of what BPE asks for is too long for any token: no hash is computed for it.
uint32_t vocabulary_find(const vocabulary *v, text_span text) {
    if (text.size > v->longest) return TOKEN_NONE;
    uint32_t found = *find_slot(v, text);
    return found ? found - 1 : TOKEN_NONE;
}

static token_merge *find_merge(const vocabulary *v, uint64_t pair) {
    uint32_t mask = v->merge_slots - 1, at = (uint32_t)hash_pair(pair) & mask;
    while (v->merge[at].pair != UINT64_MAX && v->merge[at].pair != pair) at = (at + 1) & mask;
    return &v->merge[at];
}

const token_merge *vocabulary_merge(const vocabulary *v, uint32_t left, uint32_t right) {
    if (!v->merge_slots || left == TOKEN_NONE || right == TOKEN_NONE) return NULL;
    const token_merge *m = find_merge(v, (uint64_t)left << 32 | right);
    return m->pair == UINT64_MAX ? NULL : m;
}

// --- Building.

// A table at most half full.
static uint32_t slots_for(uint32_t count) {
    uint32_t slots = 16;
    while (slots / 2 < count) slots *= 2;
    return slots;
}

// Offsets of 64 bits: a vocabulary's texts may be more than 4 GiB in a hostile file, which memory then refuses.
static rx_status copy_texts(vocabulary *v, const vocabulary_source *s, char *why) {
    size_t total = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (!size_add(total, s->tokens[i].size, &total)) return llm_no_memory(why, "vocabulary");
        if (s->tokens[i].size > v->longest) v->longest = s->tokens[i].size;
    }
    v->bytes = malloc(total + 1);
    v->start = malloc(((size_t)s->count + 1) * sizeof *v->start);
    if (!v->bytes || !v->start) return llm_no_memory(why, "vocabulary");
    v->start[0] = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->tokens[i].size) memcpy(v->bytes + v->start[i], s->tokens[i].at, s->tokens[i].size);
        v->start[i + 1] = v->start[i] + s->tokens[i].size;
    }
    return RX_OK;
}

static rx_status copy_kinds(vocabulary *v, const vocabulary_source *s, char *why) {
    v->score = calloc(s->count, sizeof *v->score);
    v->type = malloc(s->count);
    v->eats_space = calloc(s->count, sizeof *v->eats_space);
    if (!v->score || !v->type || !v->eats_space) return llm_no_memory(why, "vocabulary");
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->scores) v->score[i] = s->scores[i] == s->scores[i] ? s->scores[i] : 0; // a NaN has no order
        v->type[i] = s->types ? s->types[i] : TOKEN_NORMAL;
        if (v->type[i] >= TOKEN_TYPES)
            return why_fail(why, RX_BAD_FILE, "vocabulary: token %u has type %u, of 0 to %d", i, v->type[i],
                            TOKEN_TYPES - 1);
    }
    return RX_OK;
}

// Of several tokens with one text the first is found.
static rx_status index_texts(vocabulary *v, char *why) {
    v->slots = slots_for(v->count);
    v->slot = calloc(v->slots, sizeof *v->slot);
    if (!v->slot) return llm_no_memory(why, "vocabulary");
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t *slot = find_slot(v, vocabulary_text(v, i));
        if (!*slot) *slot = i + 1;
    }
    return RX_OK;
}

// Byte-level BPE has a letter for every byte, SentencePiece a token called "<0x0A>".
static void index_bytes(vocabulary *v) {
    for (unsigned b = 0; b < 256; b++) {
        char name[8];
        size_t size = v->model == VOCABULARY_BPE ? utf8_encode(vocabulary_byte_point((uint8_t)b), name)
                                                 : (size_t)snprintf(name, sizeof name, "<0x%02X>", b);
        v->byte_token[b] = vocabulary_find(v, (text_span){name, size});
    }
}

// Cuts "left right" at the first space that isn't its first byte, and joins the two. `room` holds v->longest bytes.
static bool read_merge(const vocabulary *v, text_span text, char *room, token_merge *out) {
    const char *space = text.size > 2 ? memchr(text.at + 1, ' ', text.size - 1) : NULL;
    if (!space || text.size - 1 > v->longest) return false;
    size_t left = (size_t)(space - text.at), right = text.size - left - 1;
    memcpy(room, text.at, left);
    memcpy(room + left, space + 1, right);
    uint32_t a = vocabulary_find(v, (text_span){room, left}), b = vocabulary_find(v, (text_span){room + left, right});
    out->pair = (uint64_t)a << 32 | b;
    out->id = vocabulary_find(v, (text_span){room, left + right});
    return a != TOKEN_NONE && b != TOKEN_NONE && out->id != TOKEN_NONE;
}

static rx_status index_merges(vocabulary *v, const vocabulary_source *s, char *why) {
    v->merge_slots = slots_for(s->merge_count);
    v->merge = malloc(v->merge_slots * sizeof *v->merge);
    char *room = malloc(v->longest + 1);
    rx_status status = v->merge && room ? RX_OK : llm_no_memory(why, "vocabulary");
    if (v->merge) memset(v->merge, 0xff, v->merge_slots * sizeof *v->merge);
    for (uint32_t i = 0; status == RX_OK && i < s->merge_count; i++) {
        token_merge m = {.rank = i};
        if (!read_merge(v, s->merges[i], room, &m)) {
            status = why_fail(why, RX_BAD_FILE, "vocabulary: merge %u is '%.*s', not two tokens that make a third", i,
                              shown(s->merges[i]), s->merges[i].at);
            break;
        }
        token_merge *row = find_merge(v, m.pair);
        if (row->pair == UINT64_MAX) *row = m;
    }
    free(room);
    return status;
}

static rx_status check_ids(const vocabulary *v, char *why) {
    const struct {
        const char *name;
        uint32_t id;
    } named[] = {{"bos", v->bos},
                 {"eos", v->eos},
                 {"end-of-turn", v->end_of_turn},
                 {"unknown", v->unknown},
                 {"separator", v->separator},
                 {"classification", v->classify}};
    for (size_t i = 0; i < COUNT(named); i++) {
        if (named[i].id != TOKEN_NONE && named[i].id >= v->count)
            return why_fail(why, RX_BAD_FILE, "vocabulary: the %s token is %u, but there are %s", named[i].name,
                            named[i].id, COUNTED(v->count, "token"));
    }
    if (v->add_bos && v->bos == TOKEN_NONE)
        return why_fail(why, RX_BAD_FILE, "vocabulary: text begins with a bos token, but none is named");
    if (v->add_eos && v->eos == TOKEN_NONE)
        return why_fail(why, RX_BAD_FILE, "vocabulary: text ends with an eos token, but none is named");
    return RX_OK;
}

// GGUF's names for the kinds of tokenizers.
static rx_status choose_model(vocabulary *v, const vocabulary_source *s, char *why) {
    static const char *const names[] = {
        [VOCABULARY_BPE] = "gpt2", [VOCABULARY_SPM] = "llama", [VOCABULARY_WORDPIECE] = "bert"};
    size_t m = 0;
    while (m < COUNT(names) && !span_is(s->model, names[m])) m++;
    if (m == COUNT(names))
        return why_fail(why, RX_UNSUPPORTED,
                        "vocabulary: tokenizer model '%.*s' is not supported; known are gpt2 (byte-level BPE), llama "
                        "(SentencePiece BPE), bert (WordPiece)",
                        shown(s->model), s->model.at);
    v->model = (vocabulary_model)m;
    if (v->model != VOCABULARY_BPE) return RX_OK;
    v->pre = pre_tokenizer_find(s->pre);
    if (v->pre) return RX_OK;
    char known[300];
    pre_tokenizer_names(known, sizeof known);
    return why_fail(why, RX_UNSUPPORTED, "vocabulary: pre-tokenizer '%.*s' is not known; known are %s", shown(s->pre),
                    s->pre.at, known);
}

static bool or_default(int flag, bool preset) { return flag < 0 ? preset : flag != 0; }

// What a file doesn't say follows from its kind, as in llama.cpp.
static void choose_flags(vocabulary *v, const vocabulary_source *s) {
    bool spm = v->model == VOCABULARY_SPM, wordpiece = v->model == VOCABULARY_WORDPIECE;
    v->bos = s->bos, v->eos = s->eos, v->end_of_turn = s->end_of_turn, v->unknown = s->unknown;
    v->separator = s->separator, v->classify = s->classify;
    // BERT's files name their first and last token [CLS] and [SEP].
    if (wordpiece && v->bos == TOKEN_NONE) v->bos = v->classify;
    if (wordpiece && v->eos == TOKEN_NONE) v->eos = v->separator;
    v->add_bos = or_default(s->add_bos, spm || (wordpiece && v->bos != TOKEN_NONE) || (v->pre && v->pre->adds_bos));
    v->add_eos = or_default(s->add_eos, wordpiece && v->eos != TOKEN_NONE);
    v->add_space_prefix = or_default(s->add_space_prefix, spm);
    v->only_first_prefix = s->only_first_prefix == 1;
}

// Phi-3's tokenizer drops white space after its special tokens, except after the first three.
static void choose_eaters(vocabulary *v, const vocabulary_source *s) {
    if (v->model != VOCABULARY_SPM || !span_is(s->architecture, "phi3")) return;
    for (uint32_t i = 0; i < v->count; i++) {
        text_span text = vocabulary_text(v, i);
        bool keeps = span_is(text, "<unk>") || span_is(text, "<s>") || span_is(text, "<|endoftext|>");
        v->eats_space[i] = (v->type[i] == TOKEN_CONTROL || v->type[i] == TOKEN_USER) && !keeps;
    }
}

static rx_status fill(vocabulary *v, const vocabulary_source *s, char *why) {
    if (!s->count) return why_fail(why, RX_BAD_FILE, "vocabulary: there are no tokens");
    if (s->count > INT32_MAX || s->merge_count > INT32_MAX)
        return why_fail(why, RX_UNSUPPORTED, "vocabulary: %s, %u merges are too many", COUNTED(s->count, "token"),
                        s->merge_count);
    v->count = s->count;
    RX_TRY(choose_model(v, s, why));
    choose_flags(v, s);
    RX_TRY(check_ids(v, why));
    RX_TRY(copy_texts(v, s, why));
    RX_TRY(copy_kinds(v, s, why));
    RX_TRY(index_texts(v, why));
    index_bytes(v);
    choose_eaters(v, s);
    // SentencePiece's vocabularies have scores in GGUF, and merges in tokenizer.json.
    if (v->model == VOCABULARY_BPE || (v->model == VOCABULARY_SPM && s->merge_count && !s->scores))
        RX_TRY(index_merges(v, s, why));
    return specials_build(v, why);
}

rx_status vocabulary_new(const vocabulary_source *source, vocabulary **out, char why[FILE_WHY]) {
    vocabulary *v = calloc(1, sizeof *v);
    if (!v) return llm_no_memory(why, "vocabulary");
    rx_status status = fill(v, source, why);
    if (status == RX_OK)
        *out = v;
    else
        vocabulary_free(v);
    return status;
}

void vocabulary_free(vocabulary *v) {
    if (!v) return;
    free(v->bytes), free(v->start), free(v->score), free(v->type);
    free(v->eats_space), free(v->slot), free(v->merge), free(v->node);
    free(v);
}
