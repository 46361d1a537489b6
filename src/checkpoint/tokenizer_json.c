// tokenizer_json.c - reads the parts of tokenizer.json: the model's vocabulary and merges, added tokens, and what is
// done to a text before and after, which has to be one of the ways that are known here.
#include "checkpoint/tokenizer_json.h"
#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"
#include <string.h>

// tokenizer.ggml.token_type.
enum { TYPE_NORMAL = 1, TYPE_CONTROL = 3, TYPE_USER = 4, TYPE_UNUSED = 5, TYPE_BYTE = 6 };

typedef struct reader {
    arena *mem;
    const json_value *root, *model;
    tokenizer_json *out;
    const char **token;
    uint8_t *type;
    uint32_t limit;
    bool over_bytes;
    char *why;
} reader;

static rx_status bad(const reader *r, const char *part, const char *wanted) {
    return why_fail(r->why, RX_BAD_FILE, "tokenizer.json: %.100s: want %s", part, wanted);
}

static rx_status unsupported(const reader *r, const char *part, const char *what) {
    return why_fail(r->why, RX_UNSUPPORTED, "tokenizer.json: %s %.100s is not supported", part, what);
}

static bool is_list(const json_value *v, json_kind kind) { return v && v->kind == kind; }

// --- Parts in a row: a Sequence is what it holds.

enum { MOST_PARTS = 16 };
typedef struct part_list {
    const json_value *at[MOST_PARTS];
    uint32_t count;
} part_list;

// False: more parts than any tokenizer has. As deep as the JSON, which is bounded.
static bool collect(const json_value *part, part_list *out) {
    // Normalizers, pre-tokenizers, post-processors and decoders each have a word of their own for it.
    static const char *const inside[] = {"normalizers", "pretokenizers", "processors", "decoders"};
    if (!part) return true;
    if (strcmp(json_text(part, "type", ""), "Sequence") != 0) {
        if (out->count == MOST_PARTS) return false;
        out->at[out->count++] = part;
        return true;
    }
    for (size_t k = 0; k < COUNT(inside); k++) {
        const json_value *list = json_find(part, inside[k]);
        for (uint32_t i = 0; is_list(list, JSON_LIST) && i < list->count; i++)
            if (!collect(&list->item[i], out)) return false;
    }
    return true;
}

// A part that is null or absent does nothing.
static rx_status parts_of(const reader *r, const char *name, part_list *out) {
    *out = (part_list){0};
    return collect(json_find(r->root, name), out) ? RX_OK : bad(r, name, "fewer parts");
}

static bool has_part(const part_list *p, const char *type) {
    for (uint32_t i = 0; i < p->count; i++)
        if (strcmp(json_text(p->at[i], "type", ""), type) == 0) return true;
    return false;
}

// --- Tokens.

// A double holds every number that passes exactly.
static rx_status check_id(const reader *r, const json_value *number, const char *token, uint64_t most, uint32_t *id) {
    bool whole = number && number->kind == JSON_NUMBER && number->number >= 0 && number->number <= (double)most;
    *id = whole ? (uint32_t)number->number : 0;
    return whole && (double)*id == number->number ? RX_OK : bad(r, token, "the number of a token");
}

static rx_status count_tokens(reader *r, const json_value *vocab, const json_value *added) {
    // Numbers may have holes, but a file can't ask for more memory than it is large.
    uint64_t entries = vocab->count + (uint64_t)(added ? added->count : 0), most = 4 * entries + 1024;
    uint32_t id;
    for (uint32_t i = 0; i < vocab->count; i++) {
        RX_TRY(check_id(r, &vocab->item[i], vocab->key[i], most, &id));
        if (id >= r->out->count) r->out->count = id + 1;
    }
    for (uint32_t i = 0; added && i < added->count; i++) {
        RX_TRY(check_id(r, json_find(&added->item[i], "id"), "added_tokens", most, &id));
        if (id >= r->out->count && id < r->limit) r->out->count = id + 1;
    }
    return r->out->count ? RX_OK : bad(r, "vocab", "a token");
}

// "<0x0A>" stands for a byte where the model says so.
static bool is_byte(const reader *r, const char *token) {
    return !r->over_bytes && strlen(token) == 6 && text_starts(token, "<0x") && token[5] == '>';
}

// Added tokens come second: what they say of a token that the vocabulary has as well counts.
static rx_status place_tokens(reader *r, const json_value *vocab, const json_value *added) {
    for (uint32_t i = 0; i < vocab->count; i++) {
        uint32_t id = (uint32_t)vocab->item[i].number;
        // Two tokens of one number: one of them could never be printed.
        if (r->token[id]) return bad(r, vocab->key[i], "a number that no other token has");
        r->token[id] = vocab->key[i];
        r->type[id] = is_byte(r, vocab->key[i]) ? TYPE_BYTE : TYPE_NORMAL;
    }
    for (uint32_t i = 0; added && i < added->count; i++) {
        const char *content = json_text(&added->item[i], "content", "");
        uint32_t id = (uint32_t)json_number(&added->item[i], "id", 0);
        if (!*content) return bad(r, "added_tokens", "the content of every token");
        // One that the model has no row for.
        if (id >= r->out->count) continue;
        r->token[id] = content;
        r->type[id] = json_truth(&added->item[i], "special", false) ? TYPE_CONTROL : TYPE_USER;
    }
    for (uint32_t i = 0; i < r->out->count; i++)
        if (!r->token[i]) r->token[i] = "", r->type[i] = TYPE_UNUSED;
    return RX_OK;
}

static rx_status read_tokens(reader *r) {
    const json_value *vocab = json_find(r->model, "vocab"), *added = json_find(r->root, "added_tokens");
    if (!is_list(vocab, JSON_OBJECT)) return bad(r, "model.vocab", "an object of tokens with their numbers");
    if (added && added->kind != JSON_LIST) return bad(r, "added_tokens", "a list");
    RX_TRY(count_tokens(r, vocab, added));
    r->out->token = r->token = ARENA_NEW(r->mem, const char *, r->out->count);
    r->out->type = r->type = ARENA_NEW(r->mem, uint8_t, r->out->count);
    RX_TRY(place_tokens(r, vocab, added));
    const char *unknown = json_text(r->model, "unk_token", NULL);
    r->out->unknown = unknown ? tokenizer_json_find(r->out, unknown) : TOKEN_ABSENT;
    return RX_OK;
}

// "left right", or a list of the two.
static rx_status read_merge(const reader *r, const json_value *merge, const char **out) {
    if (merge->kind == JSON_STRING) return *out = merge->text, RX_OK;
    bool pair = merge->kind == JSON_LIST && merge->count == 2 && merge->item[0].kind == JSON_STRING &&
                merge->item[1].kind == JSON_STRING;
    // Neither kind of BPE has a space in its tokens: bytes are written as letters, and U+2581 stands for a space.
    if (!pair || strchr(merge->item[0].text, ' ') || strchr(merge->item[1].text, ' '))
        return bad(r, "model.merges", "two tokens without spaces in every merge");
    *out = arena_format(r->mem, "%s %s", merge->item[0].text, merge->item[1].text);
    return RX_OK;
}

static rx_status read_merges(reader *r) {
    const json_value *list = json_find(r->model, "merges");
    if (!is_list(list, JSON_LIST)) return bad(r, "model.merges", "a list");
    const char **merge = ARENA_NEW(r->mem, const char *, list->count);
    for (uint32_t i = 0; i < list->count; i++) RX_TRY(read_merge(r, &list->item[i], &merge[i]));
    r->out->merge = merge;
    r->out->merges = list->count;
    return RX_OK;
}

// --- BPE over bytes: which pre-tokenizer is it?

#define LLAMA3(digits)                                                                                                 \
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}" digits                                         \
    "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

// What a part does, as a letter: D cuts off every digit, G is GPT-2's expression, L Llama 3's, Q Qwen2's, B no more
// than the alphabet of bytes. '?': unknown.
static char letter_of(const json_value *part) {
    static const struct {
        const char *expression;
        char letter;
    } known[] = {
        {"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", 'G'},
        {"'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", 'G'},
        {LLAMA3("{1,3}"), 'L'},
        {LLAMA3(""), 'Q'},
        {"\\p{N}", 'D'},
    };
    const char *type = json_text(part, "type", "");
    if (strcmp(type, "ByteLevel") == 0)
        return json_truth(part, "add_prefix_space", false) ? '?' : json_truth(part, "use_regex", true) ? 'G' : 'B';
    if (strcmp(type, "Digits") == 0) return json_truth(part, "individual_digits", false) ? 'D' : '?';
    const char *expression = json_text(json_find(part, "pattern"), "Regex", "");
    bool cuts = strcmp(json_text(part, "behavior", ""), "Isolated") == 0 && !json_truth(part, "invert", false);
    for (size_t i = 0; strcmp(type, "Split") == 0 && cuts && i < COUNT(known); i++)
        if (strcmp(known[i].expression, expression) == 0) return known[i].letter;
    return '?';
}

static rx_status read_byte_level(reader *r) {
    static const struct {
        const char *letters;
        bool whole_words; // tokens that are whole words win over merges
        const char *pre;
    } ways[] = {{"G", false, "gpt-2"},       {"GB", false, "gpt-2"},    {"DG", false, "starcoder"},
                {"DGB", false, "starcoder"}, {"LB", true, "llama-bpe"}, {"LB", false, "dbrx"},
                {"QB", false, "qwen2"}};
    part_list before, normal;
    char letters[MOST_PARTS + 1] = "";
    RX_TRY(parts_of(r, "pre_tokenizer", &before));
    RX_TRY(parts_of(r, "normalizer", &normal));
    // NFC changes nothing of text that is composed, as text from keyboards and files is; GGUF leaves it out as well.
    for (uint32_t i = 0; i < normal.count; i++)
        if (strcmp(json_text(normal.at[i], "type", ""), "NFC") != 0)
            return unsupported(r, "normalizer", json_text(normal.at[i], "type", ""));
    for (uint32_t i = 0; i < before.count; i++) {
        letters[i] = letter_of(before.at[i]);
        if (letters[i] == '?')
            return unsupported(r, "this form of pre-tokenizer", json_text(before.at[i], "type", "(without a type)"));
    }
    // Llama 3 takes words that are tokens whole, others with its expression don't.
    bool whole = json_truth(r->model, "ignore_merges", false);
    for (size_t i = 0; i < COUNT(ways); i++)
        if (strcmp(ways[i].letters, letters) == 0 && ways[i].whole_words == whole) {
            r->out->model = "gpt2";
            r->out->pre = ways[i].pre;
            return RX_OK;
        }
    return unsupported(r, "pre_tokenizer", "of this combination of parts");
}

// --- BPE over characters: spaces become U+2581.

#define MARK "\xe2\x96\x81"

static bool marks_spaces(const json_value *part) {
    return strcmp(json_text(part, "type", ""), "Replace") == 0 &&
           strcmp(json_text(json_find(part, "pattern"), "String", ""), " ") == 0 &&
           strcmp(json_text(part, "content", ""), MARK) == 0;
}

// The newer way to say Prepend and Replace.
static rx_status read_metaspace(reader *r, const json_value *part) {
    const char *scheme =
        json_text(part, "prepend_scheme", json_truth(part, "add_prefix_space", true) ? "always" : "never");
    if (strcmp(json_text(part, "replacement", ""), MARK) != 0 || json_truth(part, "split", false))
        return unsupported(r, "this form of pre-tokenizer", "Metaspace");
    r->out->space_prefix = strcmp(scheme, "never") != 0;
    r->out->only_first_prefix = strcmp(scheme, "first") == 0;
    return RX_OK;
}

// A cut at spaces, of which there are none any more.
static bool cuts_nothing(const json_value *part) {
    return strcmp(json_text(part, "type", ""), "Split") == 0 &&
           strcmp(json_text(json_find(part, "pattern"), "String", ""), " ") == 0;
}

static rx_status read_marked(reader *r) {
    part_list before, normal;
    bool marked = false;
    RX_TRY(parts_of(r, "normalizer", &normal));
    RX_TRY(parts_of(r, "pre_tokenizer", &before));
    // Characters without a token would be lost, and with them what a model is told.
    if (!json_truth(r->model, "byte_fallback", false)) return unsupported(r, "model BPE", "without byte_fallback");
    if (json_truth(r->model, "ignore_merges", false)) return unsupported(r, "model BPE", "with ignore_merges");
    for (uint32_t i = 0; i < normal.count; i++) {
        const char *type = json_text(normal.at[i], "type", "");
        bool prefix = strcmp(type, "Prepend") == 0 && strcmp(json_text(normal.at[i], "prepend", ""), MARK) == 0;
        r->out->space_prefix = r->out->space_prefix || prefix;
        marked = marked || marks_spaces(normal.at[i]);
        if (!prefix && !marks_spaces(normal.at[i])) return unsupported(r, "normalizer", type);
    }
    for (uint32_t i = 0; i < before.count; i++) {
        const char *type = json_text(before.at[i], "type", "");
        bool meta = strcmp(type, "Metaspace") == 0;
        if (meta) RX_TRY(read_metaspace(r, before.at[i]));
        if (!meta && !(marked && cuts_nothing(before.at[i]))) return unsupported(r, "pre-tokenizer", type);
        marked = true;
    }
    r->out->model = "llama";
    return marked ? RX_OK : unsupported(r, "model BPE", "without marks for spaces");
}

// --- What stands before and behind a text.

static const char *special_of(const json_value *step) { return json_text(json_find(step, "SpecialToken"), "id", NULL); }

static rx_status read_ends(reader *r) {
    part_list after;
    RX_TRY(parts_of(r, "post_processor", &after));
    for (uint32_t i = 0; i < after.count; i++) {
        const char *type = json_text(after.at[i], "type", "");
        const json_value *single = json_find(after.at[i], "single");
        if (strcmp(type, "ByteLevel") == 0) continue; // concerns offsets alone
        if (strcmp(type, "TemplateProcessing") != 0) return unsupported(r, "post-processor", type);
        if (!is_list(single, JSON_LIST) || !single->count) return bad(r, "post_processor.single", "a list");
        r->out->first = special_of(&single->item[0]);
        // [first, text], [text, last] or all three: what isn't the text has a SpecialToken.
        if (single->count > 1) r->out->last = special_of(&single->item[single->count - 1]);
    }
    return RX_OK;
}

// --- All.

static rx_status check_model(reader *r) {
    static const char *const unused[] = {"continuing_subword_prefix", "end_of_word_suffix"};
    r->model = json_find(r->root, "model");
    if (!is_list(r->model, JSON_OBJECT)) return bad(r, "model", "an object");
    const char *type = json_text(r->model, "type", "BPE"); // old files leave it out
    if (strcmp(type, "BPE") != 0)
        return why_fail(r->why, RX_UNSUPPORTED, "tokenizer.json: model %.50s is not supported; BPE is", type);
    // WordPiece-like marks of GPT's predecessors.
    for (size_t i = 0; i < COUNT(unused); i++)
        if (*json_text(r->model, unused[i], "")) return unsupported(r, "model BPE with", unused[i]);
    return RX_OK;
}

rx_status tokenizer_json_read(const json_value *root, arena *mem, uint32_t limit, tokenizer_json *out,
                              char why[FILE_WHY]) {
    reader r = {.mem = mem, .root = root, .limit = limit, .out = out, .why = why};
    part_list before, decoder;
    *out = (tokenizer_json){.unknown = TOKEN_ABSENT};
    RX_TRY(check_model(&r));
    RX_TRY(parts_of(&r, "pre_tokenizer", &before));
    RX_TRY(parts_of(&r, "decoder", &decoder));
    r.over_bytes = has_part(&before, "ByteLevel") || has_part(&decoder, "ByteLevel");
    RX_TRY(r.over_bytes ? read_byte_level(&r) : read_marked(&r));
    RX_TRY(read_tokens(&r));
    RX_TRY(read_merges(&r));
    return read_ends(&r);
}

uint32_t tokenizer_json_find(const tokenizer_json *t, const char *token) {
    for (uint32_t i = 0; token && *token && i < t->count; i++)
        if (strcmp(t->token[i], token) == 0) return i;
    return TOKEN_ABSENT;
}
