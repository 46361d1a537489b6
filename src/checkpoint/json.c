// json.c - a tree of the words that base/json_lex gives, by recursive descent with a bound on its depth.
#include "checkpoint/json.h"
#include "base/vec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    arena *mem;
    json_lexer words;
    uint32_t depth; // of nesting
} reader;

// The names and texts of a tree end at a NUL, so none may be inside.
static bool copy_string(reader *r, const json_string *s, const char **out) {
    if (s->zero) return json_fail(&r->words, "a character other than U+0000");
    if (s->half) return json_fail(&r->words, "the other half of a surrogate pair");
    char *made = ARENA_NEW(r->mem, char, s->written.size + 1);
    made[json_decode(s, made)] = 0;
    *out = made;
    return true;
}

static bool take_value(reader *r, json_value *out);

static bool take_list(reader *r, json_value *out) {
    // They grow in the arena: what a list outgrew stays there, at most as much as it takes itself.
    VEC(json_value) items = {0};
    VEC(const char *) keys = {0};
    bool object = out->kind == JSON_OBJECT;
    if (++r->depth > JSON_DEPTH) return json_fail(&r->words, "less nesting");
    for (bool first = true; json_more(&r->words, object ? '}' : ']', first); first = false) {
        json_value item = {0};
        json_string written;
        const char *key = NULL;
        if (object && !(json_take_key(&r->words, &written) && copy_string(r, &written, &key))) return false;
        if (object) VEC_PUSH(r->mem, &keys, key);
        if (!take_value(r, &item)) return false;
        VEC_PUSH(r->mem, &items, item);
    }
    r->depth--;
    out->count = items.len;
    out->item = items.at;
    out->key = keys.at;
    return !r->words.wanted;
}

static bool take_value(reader *r, json_value *out) {
    json_word word;
    if (!json_take_word(&r->words, &word)) return false;
    *out = (json_value){.kind = word.kind};
    if (word.kind == JSON_LIST || word.kind == JSON_OBJECT) return take_list(r, out);
    if (word.kind == JSON_STRING) return copy_string(r, &word.string, &out->text);
    if (word.kind == JSON_NUMBER) out->number = json_value_of(&word.number);
    if (word.kind == JSON_BOOL) out->number = word.truth;
    return true;
}

const json_value *json_parse(arena *mem, const char *bytes, size_t size, char why[FILE_WHY]) {
    reader r = {.mem = mem, .words = json_lex(bytes, size)};
    json_value *value = ARENA_NEW(mem, json_value, 1);
    if (take_value(&r, value) && json_take_end(&r.words)) return value;
    if (why) snprintf(why, FILE_WHY, "byte %zu of the JSON: want %s", json_place(&r.words), r.words.wanted);
    return NULL;
}

// The file is freed here: all texts of the tree are copies.
const json_value *json_read(arena *mem, const char *path, size_t limit, char why[FILE_WHY]) {
    char inside[FILE_WHY];
    char *bytes;
    size_t size;
    if (file_read(path, limit, &bytes, &size, why) != RX_OK) return NULL;
    const json_value *value = json_parse(mem, bytes, size, inside);
    free(bytes);
    if (!value && why) snprintf(why, FILE_WHY, "%s: %.400s", path, inside);
    return value;
}

// --- Looking.

// From the end, as of equal names the last one counts.
const json_value *json_find(const json_value *object, const char *key) {
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (uint32_t i = object->count; i-- > 0;)
        if (strcmp(object->key[i], key) == 0) return object->item[i].kind == JSON_NULL ? NULL : &object->item[i];
    return NULL;
}

double json_number(const json_value *object, const char *key, double otherwise) {
    const json_value *v = json_find(object, key);
    return v && v->kind == JSON_NUMBER ? v->number : otherwise;
}

// 9e15 is below 2^53: every whole number up to there is a double of its own.
int64_t json_int(const json_value *object, const char *key, int64_t otherwise) {
    const json_value *v = json_find(object, key);
    bool whole = v && v->kind == JSON_NUMBER && v->number >= -9e15 && v->number <= 9e15;
    return whole && (double)(int64_t)v->number == v->number ? (int64_t)v->number : otherwise;
}

bool json_truth(const json_value *object, const char *key, bool otherwise) {
    const json_value *v = json_find(object, key);
    return v && v->kind == JSON_BOOL ? v->number != 0 : otherwise;
}

const char *json_text(const json_value *object, const char *key, const char *otherwise) {
    const json_value *v = json_find(object, key);
    return v && v->kind == JSON_STRING ? v->text : otherwise;
}
