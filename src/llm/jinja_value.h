// jinja_value.h - the values of the template language: Python's, as far as chat templates use them.
//
// Values live in a heap (jinja_heap.h) and never change, except namespaces. Text is UTF-8; lengths and indices of text
// count code points.
#ifndef LLM_JINJA_VALUE_H
#define LLM_JINJA_VALUE_H
#include "llm/jinja_heap.h"

typedef enum value_kind {
    V_ABSENT,    // no value at all: an argument that wasn't given
    V_UNDEFINED, // `text` is the name of what isn't there
    V_NONE,
    V_BOOL,
    V_INT,
    V_FLOAT,
    V_TEXT,
    V_LIST,
    V_TUPLE,
    V_DICT,
    V_NAMESPACE,
    V_FUNCTION, // one of ours
    V_METHOD,   // a method of a value, by name
    V_MACRO,
    V_LOOP, // the variable `loop`
} value_kind;

typedef struct value value;

typedef struct value_list {
    value *at;
    size_t count, room;
} value_list;

typedef struct value_dict { // in order of insertion
    value *key, *at;
    size_t count, room;
} value_dict;

struct value {
    value_kind kind;
    union {
        bool flag;
        int64_t integer;
        double real;
        text_span text;   // V_TEXT, V_UNDEFINED
        value_list *list; // V_LIST, V_TUPLE
        value_dict *dict; // V_DICT, V_NAMESPACE
        const struct function *function;
        struct bound_method *method;
        struct macro *macro;
        struct loop *loop;
    } as;
};

typedef struct bound_method {
    value self;
    text_span name;
} bound_method;

value jvalue_text(text_span s);
value jvalue_bool(bool flag);
value jvalue_int(int64_t n);
value jvalue_float(double x);
value jvalue_none(void);
value jvalue_undefined(text_span name);
value jvalue_new_list(jinja_heap *h, value_kind kind); // V_LIST or V_TUPLE, empty
value jvalue_new_dict(jinja_heap *h, value_kind kind); // V_DICT or V_NAMESPACE, empty
void list_add(jinja_heap *h, value_list *list, value item);
void dict_put(jinja_heap *h, value_dict *d, value key, value item); // replaces
// The item, or NULL. Fails for a key that can't be one (a list).
const value *dict_find(jinja_heap *h, const value_dict *d, value key);
const value *dict_find_text(const value_dict *d, text_span key);

bool jvalue_true(value v);
bool jvalue_given(value v); // an argument: None counts as not given
bool jvalue_equal(jinja_heap *h, value a, value b);
// Below, at or above 0 as a is less than b; fails for values without an order.
int jvalue_compare(jinja_heap *h, value a, value b);
// "str", "list", …: Python's names, for messages.
const char *jvalue_type_name(value v);
bool jvalue_is_number(value v); // bools are

// Python's str() and repr().
void jvalue_print(jinja_heap *h, jinja_text *out, value v);
void jvalue_repr(jinja_heap *h, jinja_text *out, value v);
text_span jvalue_to_text(jinja_heap *h, value v); // str() as a span

// JSON as Python's json.dumps writes it, without escaping what isn't ASCII unless `ascii`; `indent` < 0: one line.
typedef struct json_style {
    int indent;
    bool ascii, sort;
    text_span between, after_key; // ", " and ": "
} json_style;
void jvalue_put_json(jinja_heap *h, jinja_text *out, value v, const json_style *style);
// Reads JSON; fails with a message that begins with `what`.
value jvalue_read_json(jinja_heap *h, text_span json, const char *what);

// What a for loop goes through: items, keys, characters. Fails for what can't be gone through.
value_list *jvalue_items(jinja_heap *h, value v);

// Code points of text, and the byte offset of the n-th (which may be the end).
size_t text_points(text_span s);
size_t text_offset(text_span s, size_t point);
#endif
