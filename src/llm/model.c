// model.c - opening a compiled model: its function, its tokenizer, its template.
#define _DEFAULT_SOURCE // timegm
#include "llm/model.h"
#include "base/count_noun.h"
#include "base/versions.h"
#include "vm/vm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Tokens that families of models end a turn with, where the file's own keys name only one of several.
static const char *const end_texts[] = {
    "<|im_end|>",      "<|eot_id|>", "<|end|>",    "<end_of_turn>", "<|endoftext|>", "<|end_of_text|>",
    "<|endofprompt|>", "<EOT>",      "<|eom_id|>", "</s>",          "<eos>"};

static void add_end(rx_llm *m, uint32_t token) {
    for (uint32_t i = 0; i < m->ends; i++)
        if (m->end[i] == token) return;
    if (token != TOKEN_NONE && m->ends < COUNT(m->end)) m->end[m->ends++] = token;
}

// Only control tokens: the same characters may be an ordinary token of another model.
static void find_ends(rx_llm *m) {
    add_end(m, m->vocabulary->eos);
    add_end(m, m->vocabulary->end_of_turn);
    for (size_t i = 0; i < COUNT(end_texts); i++) {
        uint32_t token = vocabulary_find(m->vocabulary, span_of(end_texts[i]));
        if (token != TOKEN_NONE && m->vocabulary->type[token] == TOKEN_CONTROL) add_end(m, token);
    }
}

static char *copy_text(text_span s) {
    char *copy = malloc(s.size + 1);
    if (!copy) return NULL;
    if (s.size) memcpy(copy, s.at, s.size);
    copy[s.size] = 0;
    return copy;
}

// Names are for people; a file without them is as good.
static rx_status read_names(rx_llm *m, char *why) {
    gguf_pair p;
    text_span name = {0}, architecture = {0};
    if (m->source && gguf_find(m->source, "general.name", &p) && !gguf_text(&p, &name)) name = (text_span){0};
    if (m->source && gguf_find(m->source, "general.architecture", &p) && !gguf_text(&p, &architecture))
        architecture = (text_span){0};
    m->name = copy_text(name);
    m->architecture = copy_text(architecture);
    return m->name && m->architecture ? RX_OK : llm_no_memory(why, "model");
}

// A model whose texts can't be used still works on token numbers.
static rx_status read_tokenizer(rx_llm *m) {
    char *why = m->no_tokenizer;
    if (!m->source) return why_fail(why, RX_NOT_FOUND, "the model has no tokenizer");
    RX_TRY(vocab_gguf_read(m->source, &m->vocab, why));
    // Fewer tokens than logits are usual: tables are padded to round sizes.
    if (m->vocab.source.count > m->forward.vocabulary)
        return why_fail(why, RX_BAD_FILE, "the tokenizer has %s, but the model has logits for %u",
                        COUNTED(m->vocab.source.count, "token"), m->forward.vocabulary);
    RX_TRY(vocabulary_new(&m->vocab.source, &m->vocabulary, why));
    RX_TRY(tokenizer_new(m->vocabulary, &m->tokenizer, why));
    find_ends(m);
    return RX_OK;
}

// Without a tokenizer a template is of no use.
static rx_status read_template(rx_llm *m) {
    char *why = m->no_template;
    if (!m->tokenizer) return why_fail(why, RX_NOT_FOUND, "%s", m->no_tokenizer);
    if (!m->vocab.chat_template.size) return why_fail(why, RX_NOT_FOUND, "the model has no chat template");
    return chat_template_new(m->vocab.chat_template, &m->template, why);
}

// A tokenizer or template that can't be used is remembered with its reason, and told to who asks for it.
static rx_status read_all(rx_llm *m, char *why) {
    size_t size = 0;
    const void *keys = rx_executable_metadata(m->exe, GGUF_METADATA, &size);
    RX_TRY(forward_read(m->exe, &m->forward, why));
    if (keys) RX_TRY(gguf_parse(keys, size, &m->source, why));
    RX_TRY(read_names(m, why));
    rx_status status = read_tokenizer(m);
    if (status == RX_OUT_OF_MEMORY) return llm_no_memory(why, "model");
    return read_template(m) == RX_OUT_OF_MEMORY ? llm_no_memory(why, "model") : RX_OK;
}

rx_status rx_llm_load(const char *path, rx_llm **out, char *message) {
    char why[FILE_WHY] = "", inside[RX_MESSAGE] = "";
    if (!out) return llm_missing(message, "the place of the model");
    *out = NULL;
    if (message) message[0] = 0;
    rx_llm *m = calloc(1, sizeof *m);
    if (!m) return llm_no_memory(message, "model");
    m->users = 1;
    rx_status status = rx_executable_load(path, NULL, &m->exe, inside);
    if (status == RX_OK) {
        status = read_all(m, why);
        snprintf(inside, sizeof inside, "%s: %s", path, why);
    }
    if (status == RX_OK) return *out = m, RX_OK;
    if (message) memcpy(message, inside, RX_MESSAGE);
    rx_llm_release(m);
    return status;
}

rx_llm *rx_llm_retain(rx_llm *m) {
    if (!m) return NULL;
    __atomic_fetch_add(&m->users, 1, __ATOMIC_RELAXED);
    return m;
}

void rx_llm_release(rx_llm *m) {
    // The last one frees: release so that what others wrote is seen, acquire so that it is seen here.
    if (!m || __atomic_sub_fetch(&m->users, 1, __ATOMIC_ACQ_REL)) return;
    chat_template_free(m->template);
    tokenizer_free(m->tokenizer);
    vocabulary_free(m->vocabulary);
    vocab_gguf_free(&m->vocab);
    gguf_close(m->source);
    rx_executable_release(m->exe);
    free(m->name);
    free(m->architecture);
    free(m);
}

rx_status rx_llm_get_info(const rx_llm *m, rx_llm_info *out) {
    static const struct_versions versions = {"rx_llm_info", {sizeof(rx_llm_info)}};
    if (!m || !out) return RX_INVALID_ARGUMENT;
    const forward_shape *f = &m->forward;
    const executable *e = vm_executable(m->exe);
    rx_llm_info all = {.name = m->name,
                       .architecture = m->architecture,
                       .vocabulary = f->vocabulary,
                       .context = (uint64_t)f->most_pages * f->page_tokens,
                       .batch = f->most_tokens,
                       .layers = f->layers,
                       .has_tokenizer = m->tokenizer != NULL,
                       .has_template = m->template != NULL,
                       .page_tokens = f->page_tokens,
                       .page_bytes = (uint64_t)f->page_bytes * 2 * f->layers,
                       .activation_bytes = forward_activations(m->exe)};
    for (uint32_t i = 0; i < e->weights; i++) all.weight_bytes += e->weight[i].bytes;
    return struct_fill(&versions, out, &all, NULL) ? RX_OK : RX_INVALID_ARGUMENT;
}

int rx_llm_is_end(const rx_llm *m, uint32_t token) {
    for (uint32_t i = 0; m && i < m->ends; i++)
        if (m->end[i] == token) return 1;
    return 0;
}

// --- Text.

rx_status rx_llm_tokenize(const rx_llm *m, const char *text, size_t size, unsigned flags, uint32_t **tokens,
                          size_t *count, char *message) {
    token_list list = {0};
    unsigned inside =
        (flags & RX_LLM_ADD_ENDS ? TOKENIZE_ADD_ENDS : 0u) | (flags & RX_LLM_SPECIAL ? TOKENIZE_SPECIAL : 0u);
    if (!tokens || !count) return llm_missing(message, "the place of the tokens");
    *tokens = NULL, *count = 0;
    if (!m || (!text && size)) return llm_missing(message, m ? "the text" : "the model");
    if (!m->tokenizer) return why_fail(message, RX_NOT_FOUND, "%s", m->no_tokenizer);
    rx_status status = tokenizer_encode(m->tokenizer, (text_span){text, size}, inside, &list, message);
    if (status != RX_OK) return token_list_free(&list), status;
    *tokens = list.at, *count = list.count;
    return RX_OK;
}

// A text that grows.
typedef struct growing {
    char *at;
    size_t size, room;
} growing;

// There is always room for the NUL behind it.
static bool put(growing *g, text_span piece) {
    if (piece.size >= g->room - g->size) {
        size_t room = (g->size + piece.size) * 2 + 64;
        char *bigger = realloc(g->at, room);
        if (!bigger) return false;
        g->at = bigger, g->room = room;
    }
    if (piece.size) memcpy(g->at + g->size, piece.at, piece.size);
    g->size += piece.size;
    g->at[g->size] = 0;
    return true;
}

rx_status rx_llm_detokenize(const rx_llm *m, const uint32_t *token, size_t count, unsigned flags, char **text,
                            size_t *size, char *message) {
    growing g = {0};
    text_span piece = {0};
    if (!text || !size) return llm_missing(message, "the place of the text");
    *text = NULL, *size = 0;
    if (!m || (!token && count)) return llm_missing(message, m ? "the list of tokens" : "the model");
    if (!m->tokenizer) return why_fail(message, RX_NOT_FOUND, "%s", m->no_tokenizer);
    detokenizer d = DETOKENIZER(m->vocabulary);
    d.show_special = flags & RX_LLM_SPECIAL;
    rx_status status = put(&g, piece) ? RX_OK : llm_no_memory(message, "text");
    for (size_t i = 0; status == RX_OK && i < count; i++) {
        status = detokenizer_push(&d, token[i], &piece, message);
        if (status == RX_OK && !put(&g, piece)) status = llm_no_memory(message, "text");
    }
    if (status == RX_OK && !put(&g, detokenizer_finish(&d))) status = llm_no_memory(message, "text");
    detokenizer_free(&d);
    if (status != RX_OK) return free(g.at), status;
    *text = g.at, *size = g.size;
    return RX_OK;
}

// Local time as if it were UTC: what strftime_now prints.
static int64_t local_now(void) {
    time_t now = time(NULL);
    struct tm parts;
    return localtime_r(&now, &parts) ? (int64_t)timegm(&parts) : (int64_t)now;
}

static text_span token_text(const rx_llm *m, uint32_t id) {
    return id == TOKEN_NONE ? (text_span){0} : vocabulary_text(m->vocabulary, id);
}

rx_status rx_llm_apply_template(const rx_llm *m, const char *json, size_t json_size, char **text, size_t *size,
                                char *message) {
    if (!text || !size) return llm_missing(message, "the place of the text");
    *text = NULL, *size = 0;
    if (!m || (!json && json_size)) return llm_missing(message, m ? "the conversation" : "the model");
    if (!m->template) return why_fail(message, RX_NOT_FOUND, "%s", m->no_template);
    const chat_input input = {.json = {json, json_size},
                              .bos = token_text(m, m->vocabulary->bos),
                              .eos = token_text(m, m->vocabulary->eos),
                              .now = local_now()};
    return chat_template_render(m->template, &input, text, size, message);
}
