// jinja_tests.c - what stands behind `is`.
#include "llm/jinja_text.h"

// An absent key of a dict is undefined, None is not.
static value is_defined(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(v.kind != V_UNDEFINED);
}

static value is_undefined(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(v.kind == V_UNDEFINED);
}

static value is_none(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(v.kind == V_NONE);
}

static value is_text(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(v.kind == V_TEXT);
}

static value is_mapping(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(v.kind == V_DICT);
}

// Jinja asks for a length and for items, which Undefined has as well.
static value is_sequence(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    bool holds = v.kind == V_TEXT || v.kind == V_LIST || v.kind == V_TUPLE || v.kind == V_DICT;
    return jvalue_bool(holds || v.kind == V_UNDEFINED);
}

// A loop variable can be gone through in Jinja, though nobody does.
static value is_iterable(jinja *j, value v, const arguments *a) {
    return jvalue_bool(v.kind == V_LOOP || is_sequence(j, v, a).as.flag);
}

static value is_boolean(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(v.kind == V_BOOL);
}

static value is_true(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(v.kind == V_BOOL && v.as.flag);
}

static value is_false(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(v.kind == V_BOOL && !v.as.flag);
}

// In Python a bool is an int: `true is number` holds, `true is integer` does not in Jinja.
static value is_number(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(jvalue_is_number(v));
}

static value is_integer(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(v.kind == V_INT);
}

static value is_float(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(v.kind == V_FLOAT);
}

static value is_callable(jinja *j, value v, const arguments *a) {
    (void)j, (void)a;
    return jvalue_bool(v.kind == V_FUNCTION || v.kind == V_METHOD || v.kind == V_MACRO);
}

// The remainder of a negative number is negative in C: only its being zero is asked for.
static value is_odd(jinja *j, value v, const arguments *a) {
    (void)a;
    return jvalue_bool(jinja_want_int(j, v, "odd") % 2 != 0);
}

static value is_even(jinja *j, value v, const arguments *a) {
    (void)a;
    return jvalue_bool(jinja_want_int(j, v, "even") % 2 == 0);
}

static value is_divisible(jinja *j, value v, const arguments *a) {
    int64_t by = jinja_want_int(j, a->at[0], "divisibleby");
    if (by == 0) heap_fail(j->heap, RX_INVALID_ARGUMENT, "division by zero");
    // By -1 everything divides, and the remainder of -2^63 by it would overflow.
    return jvalue_bool(by == -1 || jinja_want_int(j, v, "divisibleby") % by == 0);
}

// Without parentheses or a value behind it: `x is eq`.
static value want_other(jinja *j, const arguments *a) {
    if (a->at[0].kind == V_ABSENT) heap_fail(j->heap, RX_INVALID_ARGUMENT, "the test wants a value to compare with");
    return a->at[0];
}

static value is_equal(jinja *j, value v, const arguments *a) {
    return jvalue_bool(jvalue_equal(j->heap, v, want_other(j, a)));
}

static value is_unequal(jinja *j, value v, const arguments *a) {
    return jvalue_bool(!jvalue_equal(j->heap, v, want_other(j, a)));
}

static value is_less(jinja *j, value v, const arguments *a) {
    return jvalue_bool(jvalue_compare(j->heap, v, want_other(j, a)) < 0);
}

static value is_less_equal(jinja *j, value v, const arguments *a) {
    return jvalue_bool(jvalue_compare(j->heap, v, want_other(j, a)) <= 0);
}

static value is_greater(jinja *j, value v, const arguments *a) {
    return jvalue_bool(jvalue_compare(j->heap, v, want_other(j, a)) > 0);
}

static value is_greater_equal(jinja *j, value v, const arguments *a) {
    return jvalue_bool(jvalue_compare(j->heap, v, want_other(j, a)) >= 0);
}

static value is_in(jinja *j, value v, const arguments *a) {
    return jvalue_bool(jinja_contains(j, v, want_other(j, a)));
}

// Whether text has letters and all of them are of one case.
static value has_case(value v, value changed, value other) {
    return jvalue_bool(span_equal(v.as.text, changed.as.text) && !span_equal(v.as.text, other.as.text));
}

static value is_lower(jinja *j, value v, const arguments *a) {
    (void)a;
    v = jvalue_text(jvalue_to_text(j->heap, v));
    return has_case(v, jinja_lower(j, v.as.text), jinja_upper(j, v.as.text));
}

static value is_upper(jinja *j, value v, const arguments *a) {
    (void)a;
    v = jvalue_text(jvalue_to_text(j->heap, v));
    return has_case(v, jinja_upper(j, v.as.text), jinja_lower(j, v.as.text));
}

// Name, what it does, names of its arguments, whether it takes any number of them.
static const function table[] = {
    {"defined", is_defined, {0}, false},
    {"undefined", is_undefined, {0}, false},
    {"none", is_none, {0}, false},
    {"string", is_text, {0}, false},
    {"mapping", is_mapping, {0}, false},
    {"sequence", is_sequence, {0}, false},
    {"iterable", is_iterable, {0}, false},
    {"boolean", is_boolean, {0}, false},
    {"true", is_true, {0}, false},
    {"false", is_false, {0}, false},
    {"number", is_number, {0}, false},
    {"integer", is_integer, {0}, false},
    {"float", is_float, {0}, false},
    {"callable", is_callable, {0}, false},
    {"odd", is_odd, {0}, false},
    {"even", is_even, {0}, false},
    {"divisibleby", is_divisible, {"num"}, false},
    {"eq", is_equal, {"other"}, false},
    {"equalto", is_equal, {"other"}, false},
    {"==", is_equal, {"other"}, false},
    {"ne", is_unequal, {"other"}, false},
    {"!=", is_unequal, {"other"}, false},
    {"lt", is_less, {"other"}, false},
    {"lessthan", is_less, {"other"}, false},
    {"<", is_less, {"other"}, false},
    {"le", is_less_equal, {"other"}, false},
    {"<=", is_less_equal, {"other"}, false},
    {"gt", is_greater, {"other"}, false},
    {"greaterthan", is_greater, {"other"}, false},
    {">", is_greater, {"other"}, false},
    {"ge", is_greater_equal, {"other"}, false},
    {">=", is_greater_equal, {"other"}, false},
    {"in", is_in, {"seq"}, false},
    {"lower", is_lower, {0}, false},
    {"upper", is_upper, {0}, false},
};

const function *jinja_find_test(text_span name) { return jinja_find_in(table, COUNT(table), name); }

// For select, reject and the like, which are given a test by its name.
bool jinja_apply_test(jinja *j, text_span name, value self, const value_list *given) {
    const function *f = jinja_find_test(name);
    arguments a;
    if (!f)
        heap_fail(j->heap, RX_UNSUPPORTED, "the test '%.*s' is not supported", name.size < 60 ? (int)name.size : 60,
                  name.at);
    jinja_bind(j, f, given, &(value_dict){0}, &a);
    return f->call(j, self, &a).as.flag;
}
