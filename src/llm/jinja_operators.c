// jinja_operators.c - arithmetic, items, slices, membership: Python's rules.
#define _GNU_SOURCE // memmem
#include "base/size.h"
#include "llm/jinja.h"
#include <math.h>

// Python's integers have no bound; no template seen needs more than 64 bits, and wrapping would be wrong silently.
static value overflow(jinja *j) {
    heap_fail(j->heap, RX_UNSUPPORTED, "integers of more than 64 bits are not supported");
}

static value integer_power(jinja *j, int64_t base, int64_t exponent) {
    int64_t n = 1;
    if (exponent < 0) return jvalue_float(pow((double)base, (double)exponent));
    // Any base of two or more overflows by 2^64; the others only know odd and even.
    if (exponent > 64 && base != 0 && base != 1 && base != -1) return overflow(j);
    for (int64_t i = 0; i < (exponent > 64 ? 64 + exponent % 2 : exponent); i++) {
        if (!int_mul(n, base, &n)) return overflow(j);
    }
    return jvalue_int(n);
}

// 'd' is //, 'p' is **; / gives a float even where it divides.
static value on_integers(jinja *j, int op, int64_t a, int64_t b) {
    int64_t n = 0;
    bool fits = true;
    if (strchr("/d%", op) && b == 0) heap_fail(j->heap, RX_INVALID_ARGUMENT, "division by zero");
    switch (op) {
    case '+': fits = int_add(a, b, &n); break;
    case '-': fits = int_sub(a, b, &n); break;
    case '*': fits = int_mul(a, b, &n); break;
    case 'd': fits = int_floor_div(a, b, &n); break;
    // By -1 the remainder is 0, but -2^63 by -1 has no quotient.
    case '%': fits = b == -1 || int_floor_mod(a, b, &n); break;
    case '/': return jvalue_float((double)a / (double)b);
    case 'p': return integer_power(j, a, b);
    }
    return fits ? jvalue_int(n) : overflow(j);
}

// The remainder has the sign of the divisor.
static value on_floats(jinja *j, int op, double a, double b) {
    if (strchr("/d%", op) && b == 0) heap_fail(j->heap, RX_INVALID_ARGUMENT, "division by zero");
    switch (op) {
    case '+': return jvalue_float(a + b);
    case '-': return jvalue_float(a - b);
    case '*': return jvalue_float(a * b);
    case '/': return jvalue_float(a / b);
    case 'd': return jvalue_float(floor(a / b));
    case '%': return jvalue_float(a - b * floor(a / b));
    }
    return jvalue_float(pow(a, b));
}

static double as_real(value v) {
    return v.kind == V_FLOAT ? v.as.real : v.kind == V_BOOL ? (double)v.as.flag : (double)v.as.integer;
}

static value join_lists(jinja *j, value a, value b) {
    value all = jvalue_new_list(j->heap, a.kind);
    jinja_step(j, a.as.list->count + b.as.list->count);
    for (size_t i = 0; i < a.as.list->count; i++) list_add(j->heap, all.as.list, a.as.list->at[i]);
    for (size_t i = 0; i < b.as.list->count; i++) list_add(j->heap, all.as.list, b.as.list->at[i]);
    return all;
}

static value join_texts(jinja *j, text_span a, text_span b) {
    char *at = heap_get(j->heap, a.size + b.size);
    if (a.size) memcpy(at, a.at, a.size);
    if (b.size) memcpy(at + a.size, b.at, b.size);
    return jvalue_text((text_span){at, a.size + b.size});
}

// A negative count gives nothing. The heap's limit and the steps end what is too long.
static value repeat(jinja *j, value v, int64_t times) {
    if (v.kind == V_TEXT) {
        jinja_text out = {0};
        for (int64_t i = 0; v.as.text.size && i < times; i++) jinja_put(j->heap, &out, v.as.text);
        return jvalue_text(jinja_span(&out));
    }
    value all = jvalue_new_list(j->heap, v.kind);
    for (int64_t i = 0; v.as.list->count && i < times; i++) {
        jinja_step(j, v.as.list->count);
        for (size_t k = 0; k < v.as.list->count; k++) list_add(j->heap, all.as.list, v.as.list->at[k]);
    }
    return all;
}

static bool is_sequence(value v) { return v.kind == V_TEXT || v.kind == V_LIST || v.kind == V_TUPLE; }

// Numbers first, then text and lists: + joins, * repeats. Lists and tuples don't mix, as in Python.
value jinja_binary(jinja *j, int op, value a, value b) {
    if (a.kind == V_UNDEFINED) jinja_fail_undefined(j, a);
    if (b.kind == V_UNDEFINED) jinja_fail_undefined(j, b);
    bool numbers = jvalue_is_number(a) && jvalue_is_number(b);
    if (numbers && (a.kind == V_FLOAT || b.kind == V_FLOAT)) return on_floats(j, op, as_real(a), as_real(b));
    if (numbers) return on_integers(j, op, jinja_want_int(j, a, ""), jinja_want_int(j, b, ""));
    if (op == '+' && a.kind == b.kind && a.kind == V_TEXT) return join_texts(j, a.as.text, b.as.text);
    if (op == '+' && a.kind == b.kind && (a.kind == V_LIST || a.kind == V_TUPLE)) return join_lists(j, a, b);
    if (op == '*' && is_sequence(a) && b.kind == V_INT) return repeat(j, a, b.as.integer);
    if (op == '*' && is_sequence(b) && a.kind == V_INT) return repeat(j, b, a.as.integer);
    if (op == '%' && a.kind == V_TEXT) heap_fail(j->heap, RX_UNSUPPORTED, "formatting text with '%%' is not supported");
    const char shown[3] = {op == 'd' ? '/' : op == 'p' ? '*' : (char)op, op == 'd' ? '/' : op == 'p' ? '*' : 0};
    heap_fail(j->heap, RX_INVALID_ARGUMENT, "unsupported operand types for %s: '%s' and '%s'", shown,
              jvalue_type_name(a), jvalue_type_name(b));
}

// The empty text is in every text.
static bool contains_text(text_span part, text_span in) {
    return !part.size || (in.size >= part.size && memmem(in.at, in.size, part.at, part.size));
}

// `in` looks among the keys of a dict, the items of a list, and for a part of a text.
bool jinja_contains(jinja *j, value item, value in) {
    if (in.kind == V_UNDEFINED) return false;
    if (in.kind == V_TEXT) {
        jinja_step(j, in.as.text.size / 64);
        return contains_text(jinja_want_text(j, item, "in"), in.as.text);
    }
    if (in.kind == V_DICT) {
        jinja_step(j, in.as.dict->count / 8);
        return dict_find(j->heap, in.as.dict, item);
    }
    if (in.kind != V_LIST && in.kind != V_TUPLE)
        heap_fail(j->heap, RX_INVALID_ARGUMENT, "argument of type '%s' is not iterable", jvalue_type_name(in));
    jinja_step(j, in.as.list->count);
    for (size_t i = 0; i < in.as.list->count; i++) {
        if (jvalue_equal(j->heap, item, in.as.list->at[i])) return true;
    }
    return false;
}

// --- Items and attributes.

static value point_at(text_span s, size_t index) {
    size_t from = text_offset(s, index), to = text_offset(s, index + 1);
    return jvalue_text((text_span){s.at + from, to - from});
}

// Negative ones count from the end. Beyond an end it is undefined in Jinja, and no error.
static value by_index(jinja *j, value of, int64_t index) {
    int64_t count = 0;
    if (of.kind == V_TEXT) {
        jinja_step(j, of.as.text.size / 16);
        count = (int64_t)text_points(of.as.text);
    } else {
        count = (int64_t)of.as.list->count;
    }
    if (index < 0) index += count;
    if (index < 0 || index >= count) return jvalue_undefined(span_of("an item beyond the end"));
    return of.kind == V_TEXT ? point_at(of.as.text, (size_t)index) : of.as.list->at[index];
}

static value method_of(jinja *j, value of, text_span name) {
    bound_method *m = heap_get(j->heap, sizeof *m);
    *m = (bound_method){of, name};
    return (value){.kind = V_METHOD, .as.method = m};
}

static value loop_item(const loop *l, size_t index) {
    return index < l->items->count ? l->items->at[index] : jvalue_undefined(span_of("the item beside the loop's end"));
}

// What Jinja defines inside of a loop.
static value loop_attribute(jinja *j, value self, text_span name) {
    loop *l = self.as.loop;
    int64_t index = (int64_t)l->index, count = (int64_t)l->items->count;
    if (span_is(name, "index")) return jvalue_int(index + 1);
    if (span_is(name, "index0")) return jvalue_int(index);
    if (span_is(name, "revindex")) return jvalue_int(count - index);
    if (span_is(name, "revindex0")) return jvalue_int(count - index - 1);
    if (span_is(name, "first")) return jvalue_bool(index == 0);
    if (span_is(name, "last")) return jvalue_bool(index == count - 1);
    if (span_is(name, "length")) return jvalue_int(count);
    if (span_is(name, "depth")) return jvalue_int(1); // it counts recursive loops
    if (span_is(name, "depth0")) return jvalue_int(0);
    if (span_is(name, "nextitem")) return loop_item(l, l->index + 1);
    if (span_is(name, "previtem")) return loop_item(l, l->index - 1); // of the first: beyond every end
    return jinja_find_method(self, name) ? method_of(j, self, name) : jvalue_undefined(name);
}

// A dict's own methods win over its keys: `message.items` is the method, `message["items"]` the key. Jinja does the
// same.
value jinja_attribute(jinja *j, value of, text_span name) {
    if (of.kind == V_UNDEFINED) jinja_fail_undefined(j, of);
    if (of.kind == V_LOOP) return loop_attribute(j, of, name);
    if (jinja_is_python_method(of, name)) return method_of(j, of, name);
    if (of.kind != V_DICT && of.kind != V_NAMESPACE) return jvalue_undefined(name);
    jinja_step(j, of.as.dict->count / 8);
    const value *found = dict_find_text(of.as.dict, name);
    return found ? *found : jvalue_undefined(name);
}

// x["name"] looks for a key first, then for an attribute: the other way round than x.name.
value jinja_item(jinja *j, value of, value key) {
    if (of.kind == V_UNDEFINED) jinja_fail_undefined(j, of);
    bool indexed = of.kind == V_TEXT || of.kind == V_LIST || of.kind == V_TUPLE;
    if (indexed && (key.kind == V_INT || key.kind == V_BOOL)) return by_index(j, of, jinja_want_int(j, key, "index"));
    if (of.kind == V_DICT) {
        jinja_step(j, of.as.dict->count / 8);
        const value *found = dict_find(j->heap, of.as.dict, key);
        if (found) return *found;
    }
    return key.kind == V_TEXT ? jinja_attribute(j, of, key.as.text) : jvalue_undefined(jvalue_to_text(j->heap, key));
}

// --- Slices.

typedef struct range {
    int64_t from, to, step;
} range;

// Into [low, high]; -1 stands for the place before the first item, where a backward slice ends.
static int64_t clamp(int64_t n, int64_t count, int64_t low, int64_t high) {
    if (n < 0) n = n < -count ? -1 : n + count;
    return n < low ? low : n > high ? high : n;
}

// Python's slice.indices().
static range slice_range(jinja *j, value from, value to, value step, int64_t count) {
    range r = {.step = step.kind == V_NONE ? 1 : jinja_want_int(j, step, "slice")};
    if (r.step == 0) heap_fail(j->heap, RX_INVALID_ARGUMENT, "a slice's step can't be zero");
    int64_t low = r.step > 0 ? 0 : -1, high = r.step > 0 ? count : count - 1;
    r.from = r.step > 0 ? low : high;
    r.to = r.step > 0 ? high : low;
    if (from.kind != V_NONE) r.from = clamp(jinja_want_int(j, from, "slice"), count, low, high);
    if (to.kind != V_NONE) r.to = clamp(jinja_want_int(j, to, "slice"), count, low, high);
    return r;
}

static value slice_list(jinja *j, value of, range r) {
    value out = jvalue_new_list(j->heap, of.kind);
    const value_list *list = of.as.list;
    for (int64_t i = r.from; r.step > 0 ? i < r.to : i > r.to;) {
        jinja_step(j, 1);
        list_add(j->heap, out.as.list, list->at[i]);
        // A step of 2^62 passes the end by overflowing.
        if (!int_add(i, r.step, &i)) break;
    }
    return out;
}

static value join_items(jinja *j, const value_list *items) {
    jinja_text out = {0};
    for (size_t i = 0; i < items->count; i++) jinja_put(j->heap, &out, items->at[i].as.text);
    return jvalue_text(jinja_span(&out));
}

value jinja_slice(jinja *j, value of, value from, value to, value step) {
    if (of.kind == V_UNDEFINED) jinja_fail_undefined(j, of);
    if (of.kind == V_LIST || of.kind == V_TUPLE)
        return slice_list(j, of, slice_range(j, from, to, step, (int64_t)of.as.list->count));
    if (of.kind != V_TEXT) return jvalue_undefined(span_of("a slice of what is no sequence"));
    text_span s = of.as.text;
    range r = slice_range(j, from, to, step, (int64_t)text_points(s));
    jinja_step(j, s.size / 16);
    // The usual case: a part of the same bytes, nothing is copied.
    if (r.step == 1) {
        size_t begin = text_offset(s, (size_t)r.from), end = r.to > r.from ? text_offset(s, (size_t)r.to) : begin;
        return jvalue_text((text_span){s.at + begin, end - begin});
    }
    value points = {.kind = V_LIST, .as.list = jvalue_items(j->heap, of)};
    return join_items(j, slice_list(j, points, r).as.list);
}
