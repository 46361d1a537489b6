// tokenize.c - `relax tokenize`: text to token ids and back, with the tokenizer of a model.
#include "base/text.h"
#include "cli/numbers.h"
#include "cli/verb.h"
#include "llm/text_source.h"
#include "llm/tokenizer.h"
#include <stdlib.h>
#include <string.h>

enum { TEXT_LIMIT = 512 << 20 };

// What the verb holds; all freed by close_all.
typedef struct holdings {
    text_source from;
    vocabulary *vocabulary;
    tokenizer *tokenizer;
    token_list ids;
    char *input;
} holdings;

static void close_all(holdings *h) {
    free(h->input);
    token_list_free(&h->ids);
    tokenizer_free(h->tokenizer);
    vocabulary_free(h->vocabulary);
    text_source_close(&h->from);
}

// From a model of any kind: a GGUF file, a compiled one, a folder.
static rx_status open_all(holdings *h, const char *path, char *why) {
    char inside[FILE_WHY] = "";
    RX_TRY(text_source_open(path, &h->from, why));
    rx_status status = vocabulary_new(&h->from.vocab.source, &h->vocabulary, inside);
    if (status == RX_OK) status = tokenizer_new(h->vocabulary, &h->tokenizer, inside);
    return status == RX_OK ? RX_OK : why_fail(why, status, "%.200s: %s", path, inside);
}

// The argument, or all of standard input, byte for byte: a line end at its end is a token too.
static rx_status take_input(holdings *h, const cli_args *a, text_span *out, char *why) {
    const char *given = a->count > 1 ? a->positional[1] : "-";
    if (strcmp(given, "-") != 0) return *out = span_of(given), RX_OK;
    size_t size;
    cli_awaits("-", "the text");
    RX_TRY(file_read("-", TEXT_LIMIT, &h->input, &size, why));
    *out = (text_span){h->input, size};
    return RX_OK;
}

static rx_status decode_token(detokenizer *d, uint32_t id, text *t, char *why) {
    text_span piece;
    RX_TRY(detokenizer_push(d, id, &piece, why));
    text_put_n(t, piece.at, piece.size);
    return RX_OK;
}

static rx_status read_ids(text_span input, token_list *out, char *why) {
    out->at = numbers_read(input.at, input.size, TOKEN_NONE - 1, &out->count, why);
    out->room = out->count;
    return out->at ? RX_OK : RX_INVALID_ARGUMENT;
}

// Bytes of characters that several tokens share come out when they are complete.
static rx_status decode(holdings *h, text_span input, text *t, char *why) {
    detokenizer d = DETOKENIZER(h->vocabulary);
    d.show_special = true;
    rx_status status = read_ids(input, &h->ids, why);
    for (size_t i = 0; status == RX_OK && i < h->ids.count; i++) status = decode_token(&d, h->ids.at[i], t, why);
    text_span left = detokenizer_finish(&d);
    text_put_n(t, left.at, left.size);
    detokenizer_free(&d);
    return status;
}

static rx_status put_json(const holdings *h, text *t, char *why) {
    detokenizer d = DETOKENIZER(h->vocabulary);
    rx_status status = RX_OK;
    d.show_special = d.raw = d.begun = true;
    text_put(t, "[");
    for (size_t i = 0; status == RX_OK && i < h->ids.count; i++) {
        text_span token;
        status = detokenizer_push(&d, h->ids.at[i], &token, why);
        if (i) text_put(t, ", ");
        if (status != RX_OK) break;
        text_format(t, "{\"id\": %u, ", h->ids.at[i]);
        cli_json_token(t, token);
        text_put(t, "}");
    }
    text_put(t, "]\n");
    detokenizer_free(&d);
    return status;
}

static rx_status encode(holdings *h, const cli_args *a, text_span input, text *t, char *why) {
    unsigned flags = (cli_flag(a, "ends") ? TOKENIZE_ADD_ENDS : 0) | (cli_flag(a, "special") ? TOKENIZE_SPECIAL : 0);
    RX_TRY(tokenizer_encode(h->tokenizer, input, flags, &h->ids, why));
    if (cli_flag(a, "json")) return put_json(h, t, why);
    for (size_t i = 0; i < h->ids.count; i++) text_format(t, "%s%u", i ? " " : "", h->ids.at[i]);
    text_put(t, "\n");
    return RX_OK;
}

static rx_status answer(holdings *h, const cli_args *a, text *t, char *why) {
    text_span input;
    RX_TRY(open_all(h, a->positional[0], why));
    RX_TRY(take_input(h, a, &input, why));
    if (!cli_flag(a, "decode")) return encode(h, a, input, t, why);
    text plain = TEXT_IN(a->mem);
    RX_TRY(decode(h, input, &plain, why));
    if (!cli_flag(a, "json")) return text_put_n(t, text_get(&plain), plain.len), RX_OK;
    cli_json_string(t, text_get(&plain), plain.len);
    text_put(t, "\n");
    return RX_OK;
}

static int run(const cli_args *a) {
    char why[FILE_WHY] = "";
    holdings h = {0};
    text t = TEXT_IN(a->mem);
    rx_status status = answer(&h, a, &t, why);
    int code = status == RX_OK ? cli_print(&t) : cli_error("%s", why);
    close_all(&h);
    return code;
}

static const cli_option options[] = {
    {.name = "decode", .letter = 'd', .doc = "the text is token ids: print what they stand for"},
    {.name = "ends", .doc = "add the tokens that the model wants at the beginning and end of a text"},
    {.name = "special", .doc = "control tokens such as <|im_start|> written in the text are those tokens"},
    {.name = "json",
     .doc = "print for programs: ids with the text of each (and its bytes where they are no UTF-8), or the text as a "
            "string"},
    {0},
};

const cli_verb verb_tokenize = {
    .name = "tokenize",
    .summary = "turns text into token ids, or back",
    .usage = "FILE [TEXT|-] [--decode] [--ends] [--special] [--json]",
    .least = 1,
    .most = 2,
    .options = options,
    .details =
        "FILE is a compiled model (.rlx), a .gguf file, which needs no more than a vocabulary, or a folder with\n"
        "tokenizer.json. Without TEXT, or with -, standard input is read, to its last byte. Ids are printed in\n"
        "one line.\n",
    .examples = "  relax tokenize model.gguf \"Hello world\"\n"
                "  relax tokenize model.gguf --decode \"9906 1917\"\n"
                "  relax tokenize model.gguf --json - <text.txt\n",
    .run = run,
};
