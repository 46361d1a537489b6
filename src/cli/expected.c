// expected.c - reads what a model is expected to say.
#include "cli/expected.h"
#include "base/text.h"
#include "base/vec.h"
#include "checkpoint/json.h"

enum { MAX_JSON = 64 << 20 };

typedef struct case_reader {
    const char *path;
    arena *mem;
    diag *d;
    const safetensors *file;
} case_reader;

static bool fail(const case_reader *r, const char *name, const char *wanted) {
    return diag_error(r->d, (loc){0}, "%s: %s: want %s", r->path, name, wanted);
}

// --- safetensors.

// Elements of an entry as floats, copied: offsets in a file promise no alignment.
static float *floats_of(const case_reader *r, const safetensors_entry *e, int64_t count) {
    float *out = ARENA_NEW(r->mem, float, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        out[i] = (float)dtype_decode_float(e->type, dtype_load_bits(e->type, e->data, (size_t)i));
    return out;
}

// An entry that is missing leaves *out empty: most are optional.
static bool take_rows(const case_reader *r, const char *name, float_rows *out) {
    const safetensors_entry *e = safetensors_find(r->file, name);
    if (!e) return true;
    if (e->rank != 2 || !dtype_is_float(e->type)) return fail(r, name, "a matrix of floats");
    *out = (float_rows){floats_of(r, e, e->dim[0] * e->dim[1]), e->dim[0], e->dim[1]};
    return true;
}

// int32 or int64 in the file, whatever the reference's framework prefers.
static bool take_tokens(const case_reader *r, const char *name, bool needed, const int32_t **out, uint32_t *count) {
    const safetensors_entry *e = safetensors_find(r->file, name);
    if (!e && !needed) return true;
    int64_t all = e && dtype_is_int(e->type) ? (int64_t)(e->bytes * 8 / dtype_bits(e->type)) : 0;
    if (all < 1 || all > INT32_MAX) return fail(r, name, "a list of tokens");
    int32_t *list = ARENA_NEW(r->mem, int32_t, (size_t)all);
    for (int64_t i = 0; i < all; i++)
        list[i] = (int32_t)dtype_wrap(e->type, (int64_t)dtype_load_bits(e->type, e->data, (size_t)i));
    *out = list;
    *count = (uint32_t)all;
    return true;
}

// hidden.0 is the embedding, hidden.N the stream after block N; as many as there are.
static bool take_hidden(const case_reader *r, expected_case *c) {
    VEC(float_rows) list = {0};
    for (;;) {
        float_rows h = {0};
        if (!take_rows(r, arena_format(r->mem, "hidden.%u", list.len), &h)) return false;
        if (!h.at) break;
        if (h.rows != c->prompt_len) return fail(r, "hidden", "a row for every token of input_ids");
        VEC_PUSH(r->mem, &list, h);
    }
    c->hidden = list.at;
    c->hiddens = list.len;
    return true;
}

// One case: what a reference implementation saved with its tensors.
static bool read_tensors(case_reader *r, expected *out) {
    expected_case *c = ARENA_NEW(r->mem, expected_case, 1);
    *out = (expected){c, 1};
    if (!take_tokens(r, "input_ids", true, &c->prompt, &c->prompt_len)) return false;
    if (!take_rows(r, "prefill_logits", &c->logits) || !take_hidden(r, c)) return false;
    if (!c->logits.at || c->logits.rows != c->prompt_len)
        return fail(r, "prefill_logits", "a row for every token of input_ids");
    if (!take_tokens(r, "decode_tokens", false, &c->greedy, &c->greedy_len)) return false;
    if (!take_rows(r, "decode_logits", &c->decoded)) return false;
    bool fits = !c->decoded.at || (c->decoded.rows == c->greedy_len && c->decoded.size == c->logits.size);
    return fits || fail(r, "decode_logits", "a row for every one of decode_tokens");
}

// --- JSON.

static bool token_at(const json_value *list, uint32_t i, int32_t *out) {
    double n = list->item[i].number;
    bool whole = list->item[i].kind == JSON_NUMBER && n >= 0 && n <= INT32_MAX && n == (double)(int32_t)n;
    if (whole) *out = (int32_t)n;
    return whole;
}

// Doubles hold all ids exactly.
static bool json_tokens(const case_reader *r, const json_value *c, const char *key, const int32_t **out,
                        uint32_t *count) {
    const json_value *list = json_find(c, key);
    if (!list || list->kind != JSON_LIST || !list->count) return fail(r, key, "a list of tokens");
    int32_t *token = ARENA_NEW(r->mem, int32_t, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        if (!token_at(list, i, &token[i])) return fail(r, key, "a list of tokens");
    *out = token;
    *count = list->count;
    return true;
}

static bool json_top(const case_reader *r, const json_value *c, expected_case *out) {
    const json_value *list = json_find(c, "top10");
    if (!list || list->kind != JSON_LIST) return fail(r, "top10", "a list of [token, logit]");
    int32_t *token = ARENA_NEW(r->mem, int32_t, list->count);
    float *logit = ARENA_NEW(r->mem, float, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const json_value *pair = &list->item[i];
        if (pair->kind != JSON_LIST || pair->count != 2 || !token_at(pair, 0, &token[i]))
            return fail(r, "top10", "a list of [token, logit]");
        logit[i] = (float)pair->item[1].number;
    }
    out->top = token;
    out->top_logit = logit;
    out->tops = list->count;
    return true;
}

// Several cases, each with the ten likeliest tokens only: small enough for a repository.
static bool read_json(const case_reader *r, expected *out) {
    char why[FILE_WHY];
    const json_value *list = json_read(r->mem, r->path, MAX_JSON, why);
    if (!list) return diag_error(r->d, (loc){0}, "%s", why);
    if (list->kind != JSON_LIST || !list->count) return fail(r, "the file", "a list of cases");
    expected_case *c = ARENA_NEW(r->mem, expected_case, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const json_value *one = &list->item[i];
        if (!json_tokens(r, one, "ids", &c[i].prompt, &c[i].prompt_len)) return false;
        if (!json_tokens(r, one, "greedy", &c[i].greedy, &c[i].greedy_len) || !json_top(r, one, &c[i])) return false;
    }
    *out = (expected){c, list->count};
    return true;
}

bool expected_read(const char *path, arena *mem, expected *out, diag *d) {
    char why[FILE_WHY];
    safetensors *s;
    case_reader r = {.path = path, .mem = mem, .d = d};
    if (text_ends(path, ".json")) return read_json(&r, out);
    if (safetensors_open(path, &s, why) != RX_OK) return diag_error(d, (loc){0}, "%s", why);
    r.file = s;
    bool ok = read_tensors(&r, out);
    safetensors_close(s);
    return ok;
}
