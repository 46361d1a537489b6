// jinja_json.c - JSON as a template's values. Not checkpoint/json's tree: templates tell 2 from 2.0, and print them
// differently, and their texts may hold U+0000.
#include "base/json_lex.h"
#include "llm/jinja_value.h"

typedef struct reader {
    jinja_heap *h;
    json_lexer words;
    const char *what; // begins messages
} reader;

RX_NORETURN static void bad(const reader *r) {
    heap_fail(r->h, RX_INVALID_ARGUMENT, "%s: want %s at byte %zu of the JSON", r->what, r->words.wanted,
              json_place(&r->words));
}

static value text_value(reader *r, const json_string *s) {
    char *made = heap_get(r->h, s->written.size + 1);
    return jvalue_text((text_span){made, json_decode(s, made)});
}

static value number_value(reader *r, const json_digits *n) {
    if (!n->whole) return jvalue_float(json_value_of(n));
    // -2^63 has no positive counterpart.
    if (!n->fits || n->magnitude > (uint64_t)INT64_MAX + n->minus) {
        json_fail(&r->words, "an integer of 64 bits before what stands");
        bad(r);
    }
    return jvalue_int(n->minus ? (int64_t)(0 - n->magnitude) : (int64_t)n->magnitude);
}

static value take_value(reader *r);

static value take_list(reader *r) {
    value list = jvalue_new_list(r->h, V_LIST);
    for (bool first = true; json_more(&r->words, ']', first); first = false)
        list_add(r->h, list.as.list, take_value(r));
    if (r->words.wanted) bad(r);
    return list;
}

static value take_dict(reader *r) {
    value dict = jvalue_new_dict(r->h, V_DICT);
    for (bool first = true; json_more(&r->words, '}', first); first = false) {
        json_string name;
        if (!json_take_key(&r->words, &name)) bad(r);
        value key = text_value(r, &name);
        dict_put(r->h, dict.as.dict, key, take_value(r));
    }
    if (r->words.wanted) bad(r);
    return dict;
}

static value take_inside(reader *r) {
    json_word word;
    if (!json_take_word(&r->words, &word)) bad(r);
    switch (word.kind) {
    case JSON_NULL: return jvalue_none();
    case JSON_BOOL: return jvalue_bool(word.truth);
    case JSON_NUMBER: return number_value(r, &word.number);
    case JSON_STRING: return text_value(r, &word.string);
    case JSON_LIST: return take_list(r);
    case JSON_OBJECT: return take_dict(r);
    }
    CHECK(false); // no other kinds
    return jvalue_none();
}

static value take_value(reader *r) {
    heap_enter(r->h);
    value v = take_inside(r);
    heap_leave(r->h);
    return v;
}

value jvalue_read_json(jinja_heap *h, text_span json, const char *what) {
    reader r = {h, json_lex(json.at, json.size), what};
    value v = take_value(&r);
    if (!json_take_end(&r.words)) bad(&r);
    return v;
}
