// jinja_evaluate.c - the value of an expression.
#include "llm/jinja.h"

// A template is a program from a stranger. Each loop ends, but loops within loops need not do so in useful time: all
// work is counted, and the budget (chat_template.c) refuses what takes too long.
void jinja_step(jinja *j, uint64_t steps) {
    if (steps > j->steps) heap_fail(j->heap, RX_UNSUPPORTED, "the template takes too many steps");
    j->steps -= steps;
}

// As Transformers renders: an undefined name is fine to test and to print, and an error where its value matters.
void jinja_fail_undefined(jinja *j, value v) {
    int size = v.as.text.size < 80 ? (int)v.as.text.size : 80;
    heap_fail(j->heap, RX_INVALID_ARGUMENT, "'%.*s' is undefined", size, v.as.text.at ? v.as.text.at : "");
}

// True and False count as 1 and 0.
int64_t jinja_want_int(jinja *j, value v, const char *what) {
    if (v.kind == V_UNDEFINED) jinja_fail_undefined(j, v);
    if (v.kind == V_BOOL) return v.as.flag;
    if (v.kind != V_INT) heap_fail(j->heap, RX_INVALID_ARGUMENT, "%s: want an int, got %s", what, jvalue_type_name(v));
    return v.as.integer;
}

text_span jinja_want_text(jinja *j, value v, const char *what) {
    if (v.kind == V_UNDEFINED) jinja_fail_undefined(j, v);
    if (v.kind != V_TEXT) heap_fail(j->heap, RX_INVALID_ARGUMENT, "%s: want a str, got %s", what, jvalue_type_name(v));
    return v.as.text;
}

// From the innermost scope outwards, then what Jinja and Transformers always define. A variable may hide a function.
static value find_name(jinja *j, text_span name) {
    for (scope *s = j->scope; s; s = s->outer) {
        const value *found = dict_find_text(&s->names, name);
        jinja_step(j, s->names.count / 8);
        if (found) return *found;
    }
    const function *f = jinja_find_global(name);
    return f ? (value){.kind = V_FUNCTION, .as.function = f} : jvalue_undefined(name);
}

static value make_list(jinja *j, const node *n, value_kind kind) {
    value list = jvalue_new_list(j->heap, kind);
    for (const node *item = n->first; item; item = item->next) list_add(j->heap, list.as.list, jinja_evaluate(j, item));
    return list;
}

// Keys and values alternate in the list of parts.
static value make_dict(jinja *j, const node *n) {
    value dict = jvalue_new_dict(j->heap, V_DICT);
    for (const node *key = n->first; key; key = key->next->next) {
        value k = jinja_evaluate(j, key);
        dict_put(j->heap, dict.as.dict, k, jinja_evaluate(j, key->next));
    }
    return dict;
}

static value negate(jinja *j, value v) {
    if (v.kind == V_FLOAT) return jvalue_float(-v.as.real);
    if (v.kind == V_UNDEFINED) jinja_fail_undefined(j, v);
    if (!jvalue_is_number(v))
        heap_fail(j->heap, RX_INVALID_ARGUMENT, "'-' wants a number, got %s", jvalue_type_name(v));
    // From zero, so that the overflow of -2^63 is found in one place.
    return jinja_binary(j, '-', jvalue_int(0), v);
}

// The operator ~ prints its sides and joins them.
static value concat(jinja *j, const node *n) {
    jinja_text out = {0};
    for (const node *part = n->first; part; part = part->next) jvalue_print(j->heap, &out, jinja_evaluate(j, part));
    return jvalue_text(jinja_span(&out));
}

// Equality and membership take undefined values, order does not.
static bool compare(jinja *j, compare_op op, value a, value b) {
    bool order = op != C_EQUAL && op != C_UNEQUAL && op != C_IN && op != C_NOT_IN;
    if (order && a.kind == V_UNDEFINED) jinja_fail_undefined(j, a);
    if (order && b.kind == V_UNDEFINED) jinja_fail_undefined(j, b);
    switch (op) {
    case C_EQUAL: return jvalue_equal(j->heap, a, b);
    case C_UNEQUAL: return !jvalue_equal(j->heap, a, b);
    case C_LESS: return jvalue_compare(j->heap, a, b) < 0;
    case C_LESS_EQUAL: return jvalue_compare(j->heap, a, b) <= 0;
    case C_GREATER: return jvalue_compare(j->heap, a, b) > 0;
    case C_GREATER_EQUAL: return jvalue_compare(j->heap, a, b) >= 0;
    case C_IN: return jinja_contains(j, a, b);
    case C_NOT_IN: return !jinja_contains(j, a, b);
    }
    return false;
}

// a < b < c as Python means it.
static value compare_all(jinja *j, const node *n) {
    value left = jinja_evaluate(j, n->in[0]);
    for (const node *step = n->first; step; step = step->next) {
        value right = jinja_evaluate(j, step->in[0]);
        if (!compare(j, (compare_op)step->op, left, right)) return jvalue_bool(false);
        left = right;
    }
    return jvalue_bool(true);
}

// `a if b` without an else is undefined when b is false.
static value choose(jinja *j, const node *n) {
    if (jvalue_true(jinja_evaluate(j, n->in[0]))) return jinja_evaluate(j, n->in[1]);
    return n->in[2] ? jinja_evaluate(j, n->in[2]) : jvalue_undefined(span_of("the other side of an inline if"));
}

static value evaluate_or_none(jinja *j, const node *n) { return n ? jinja_evaluate(j, n) : jvalue_none(); }

static value slice(jinja *j, const node *n) {
    value of = jinja_evaluate(j, n->in[0]), from = evaluate_or_none(j, n->in[1]), to = evaluate_or_none(j, n->in[2]);
    return jinja_slice(j, of, from, to, evaluate_or_none(j, n->in[3]));
}

RX_NORETURN static void refuse_name(jinja *j, const char *what, text_span name) {
    int size = name.size < 80 ? (int)name.size : 80;
    heap_fail(j->heap, RX_UNSUPPORTED, "the %s '%.*s' is not supported", what, size, name.at);
}

// A method of a value is looked up when it is called: `x.strip` alone is a value like others.
static value call_method(jinja *j, const bound_method *m, const node *first) {
    const function *f = jinja_find_method(m->self, m->name);
    char what[40] = "method of ";
    if (!f) refuse_name(j, strcat(what, jvalue_type_name(m->self)), m->name);
    return jinja_call_function(j, f, m->self, first);
}

static value call(jinja *j, const node *n) {
    value callee = jinja_evaluate(j, n->in[0]);
    if (callee.kind == V_FUNCTION) return jinja_call_function(j, callee.as.function, jvalue_none(), n->first);
    if (callee.kind == V_METHOD) return call_method(j, callee.as.method, n->first);
    if (callee.kind == V_MACRO) return jinja_call_macro(j, callee.as.macro, n->first);
    if (callee.kind == V_UNDEFINED) jinja_fail_undefined(j, callee);
    heap_fail(j->heap, RX_INVALID_ARGUMENT, "'%s' object is not callable", jvalue_type_name(callee));
}

// Names of filters and tests are looked up here and not by the parser, so that a template with one that is missing
// still renders where it isn't reached.
static value filter(jinja *j, const node *n) {
    const function *f = jinja_find_filter(n->name);
    value self = jinja_evaluate(j, n->in[0]);
    if (!f) refuse_name(j, "filter", n->name);
    return jinja_call_function(j, f, self, n->first);
}

static value test(jinja *j, const node *n) {
    const function *f = jinja_find_test(n->name);
    value self = jinja_evaluate(j, n->in[0]);
    if (!f) refuse_name(j, "test", n->name);
    return jinja_call_function(j, f, self, n->first);
}

static value evaluate(jinja *j, const node *n) {
    value a;
    switch (n->kind) {
    case N_CONST: return n->constant;
    case N_NAME: return find_name(j, n->name);
    case N_LIST: return make_list(j, n, V_LIST);
    case N_TUPLE: return make_list(j, n, V_TUPLE);
    case N_DICT: return make_dict(j, n);
    case N_NOT: return jvalue_bool(!jvalue_true(jinja_evaluate(j, n->in[0])));
    case N_NEGATE: return negate(j, jinja_evaluate(j, n->in[0]));
    // As in Python, `and` and `or` give one of their sides, not a truth value.
    case N_AND: a = jinja_evaluate(j, n->in[0]); return jvalue_true(a) ? jinja_evaluate(j, n->in[1]) : a;
    case N_OR: a = jinja_evaluate(j, n->in[0]); return jvalue_true(a) ? a : jinja_evaluate(j, n->in[1]);
    case N_BINARY: a = jinja_evaluate(j, n->in[0]); return jinja_binary(j, n->op, a, jinja_evaluate(j, n->in[1]));
    case N_CONCAT: return concat(j, n);
    case N_COMPARE: return compare_all(j, n);
    case N_CHOICE: return choose(j, n);
    case N_ATTRIBUTE: return jinja_attribute(j, jinja_evaluate(j, n->in[0]), n->name);
    case N_ITEM: a = jinja_evaluate(j, n->in[0]); return jinja_item(j, a, jinja_evaluate(j, n->in[1]));
    case N_SLICE: return slice(j, n);
    case N_CALL: return call(j, n);
    case N_FILTER: return filter(j, n);
    case N_TEST: return test(j, n);
    case N_TEXT:
    case N_OUTPUT:
    case N_IF:
    case N_FOR:
    case N_SET:
    case N_SET_BLOCK:
    case N_MACRO:
    case N_FILTER_BLOCK:
    case N_GENERATION:
    case N_BREAK:
    case N_CONTINUE: break; // statements; the parser puts none here
    }
    heap_fail(j->heap, RX_INTERNAL, "a statement where an expression belongs");
}

value jinja_evaluate(jinja *j, const node *n) {
    // The line stands in the heap for messages; a call comes back to the caller's.
    uint32_t line = j->heap->line;
    heap_enter(j->heap);
    jinja_step(j, 1);
    j->heap->line = n->line;
    value v = evaluate(j, n);
    j->heap->line = line;
    heap_leave(j->heap);
    return v;
}
