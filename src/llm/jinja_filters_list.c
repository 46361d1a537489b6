// jinja_filters_list.c - filters of lists and dicts.
#include "llm/jinja_filters.h"
#include "llm/jinja_text.h"

static value new_list(jinja *j) { return jvalue_new_list(j->heap, V_LIST); }

// Always a new list: the caller may sort it in place.
static value to_list(jinja *j, value v, const arguments *a) {
    value list = new_list(j);
    const value_list *items = jvalue_items(j->heap, v);
    (void)a;
    for (size_t i = 0; i < items->count; i++) list_add(j->heap, list.as.list, items->at[i]);
    return list;
}

// "a.b.0" of an item: attributes and indices one after the other.
static value get_attribute(jinja *j, value item, value path) {
    if (path.kind == V_INT) return jinja_item(j, item, path);
    text_span s = jinja_want_text(j, path, "attribute");
    while (s.size) {
        const char *dot = memchr(s.at, '.', s.size);
        size_t size = dot ? (size_t)(dot - s.at) : s.size;
        int64_t index = 0;
        // Of ten digits or more it can't be an index.
        bool number = size > 0 && size < 10;
        for (size_t i = 0; number && i < size; i++) {
            number = s.at[i] >= '0' && s.at[i] <= '9';
            index = index * 10 + (s.at[i] - '0');
        }
        item = jinja_item(j, item, number ? jvalue_int(index) : jvalue_text((text_span){s.at, size}));
        s = (text_span){s.at + size + (dot != NULL), s.size - size - (dot != NULL)};
    }
    return item;
}

// Anything that can be printed is joined, as Jinja does; Python's method wants text.
static value join(jinja *j, value v, const arguments *a) {
    value_list *items = jvalue_items(j->heap, v);
    text_span between = a->at[0].kind == V_ABSENT ? (text_span){0} : jvalue_to_text(j->heap, a->at[0]);
    if (!jvalue_given(a->at[1])) return jinja_join(j, between, items);
    value some = new_list(j);
    for (size_t i = 0; i < items->count; i++) list_add(j->heap, some.as.list, get_attribute(j, items->at[i], a->at[1]));
    return jinja_join(j, between, some.as.list);
}

static value items(jinja *j, value v, const arguments *a) {
    const function *f = jinja_find_method(v, span_of("items"));
    // Jinja lets an undefined value have no items.
    if (v.kind == V_UNDEFINED) return new_list(j);
    if (!f) heap_fail(j->heap, RX_INVALID_ARGUMENT, "Can only get item pairs from a mapping.");
    return f->call(j, v, a);
}

// --- select, reject, selectattr, rejectattr.

// Whether the test named by the arguments from `from` on holds; without one, whether the value is true.
static bool holds(jinja *j, value v, const value_list *all, size_t from) {
    if (all->count <= from) return jvalue_true(v);
    value_list rest = {.at = all->at + from + 1, .count = all->count - from - 1};
    return jinja_apply_test(j, jinja_want_text(j, all->at[from], "the name of a test"), v, &rest);
}

// One function for the four: what is asked of an item, and which answer keeps it.
static value choose(jinja *j, value v, const arguments *a, bool by_attribute, bool wanted) {
    value some = new_list(j);
    const value_list *all = jvalue_items(j->heap, v);
    if (by_attribute && !a->all.count) heap_fail(j->heap, RX_INVALID_ARGUMENT, "want the name of an attribute");
    if (a->named.count) heap_fail(j->heap, RX_UNSUPPORTED, "named arguments of select and reject are not supported");
    for (size_t i = 0; i < all->count; i++) {
        value asked = by_attribute ? get_attribute(j, all->at[i], a->all.at[0]) : all->at[i];
        jinja_step(j, 1);
        if (holds(j, asked, &a->all, by_attribute) == wanted) list_add(j->heap, some.as.list, all->at[i]);
    }
    return some;
}

static value select_(jinja *j, value v, const arguments *a) { return choose(j, v, a, false, true); }
static value reject(jinja *j, value v, const arguments *a) { return choose(j, v, a, false, false); }
static value selectattr(jinja *j, value v, const arguments *a) { return choose(j, v, a, true, true); }
static value rejectattr(jinja *j, value v, const arguments *a) { return choose(j, v, a, true, false); }

// --- map

static value map_attribute(jinja *j, value item, const arguments *a, value attribute) {
    const value *otherwise = dict_find_text(&a->named, span_of("default"));
    value v = get_attribute(j, item, attribute);
    return v.kind == V_UNDEFINED && otherwise ? *otherwise : v;
}

// The name comes first, then what the filter itself takes.
static value map_filter(jinja *j, value item, const arguments *a) {
    text_span name = a->all.count ? jinja_want_text(j, a->all.at[0], "map") : (text_span){0};
    const function *f = jinja_find_filter(name);
    arguments bound;
    if (!a->all.count) heap_fail(j->heap, RX_INVALID_ARGUMENT, "map wants the name of a filter or attribute='NAME'");
    if (!f)
        heap_fail(j->heap, RX_UNSUPPORTED, "the filter '%.*s' is not supported", name.size < 60 ? (int)name.size : 60,
                  name.size ? name.at : "");
    value_list rest = {.at = a->all.at + 1, .count = a->all.count - 1};
    jinja_bind(j, f, &rest, &a->named, &bound);
    return f->call(j, item, &bound);
}

static value map(jinja *j, value v, const arguments *a) {
    const value *attribute = dict_find_text(&a->named, span_of("attribute"));
    const value_list *all = jvalue_items(j->heap, v);
    value out = new_list(j);
    heap_enter(j->heap); // a filter may be map again
    for (size_t i = 0; i < all->count; i++) {
        jinja_step(j, 1);
        list_add(j->heap, out.as.list,
                 attribute ? map_attribute(j, all->at[i], a, *attribute) : map_filter(j, all->at[i], a));
    }
    heap_leave(j->heap);
    return out;
}

// --- Order.

// Text without regard to case, unless told otherwise: Jinja's default.
static value sort_key(jinja *j, value item, value attribute, bool exact) {
    value key = jvalue_given(attribute) ? get_attribute(j, item, attribute) : item;
    return key.kind == V_TEXT && !exact ? jinja_lower(j, key.as.text) : key;
}

// Sorts `list` by `key` (as many), stably, in O(n log n): runs of doubling length are merged.
static void sort_by(jinja *j, value_list *list, value *key, bool reverse) {
    size_t count = list->count;
    value *item_room = heap_get(j->heap, count * sizeof(value)), *key_room = heap_get(j->heap, count * sizeof(value));
    for (size_t run = 1; run < count; run *= 2) {
        jinja_step(j, count);
        for (size_t begin = 0; begin < count; begin += 2 * run) {
            size_t middle = begin + run < count ? begin + run : count;
            size_t end = middle + run < count ? middle + run : count;
            for (size_t out = begin, a = begin, b = middle; out < end; out++) {
                // Of equal keys the left one goes first, also in reverse: both directions are stable.
                int order = a < middle && b < end ? jvalue_compare(j->heap, key[b], key[a]) : a < middle ? 1 : -1;
                bool right = a >= middle || (b < end && (reverse ? order > 0 : order < 0));
                size_t from = right ? b++ : a++;
                item_room[out] = list->at[from];
                key_room[out] = key[from];
            }
        }
        memcpy(list->at, item_room, count * sizeof(value));
        memcpy(key, key_room, count * sizeof(value));
    }
}

static value sorted(jinja *j, value v, bool reverse, bool exact, value attribute) {
    value list = to_list(j, v, NULL);
    value *key = heap_get(j->heap, list.as.list->count * sizeof *key);
    for (size_t i = 0; i < list.as.list->count; i++) key[i] = sort_key(j, list.as.list->at[i], attribute, exact);
    sort_by(j, list.as.list, key, reverse);
    return list;
}

static value sort(jinja *j, value v, const arguments *a) {
    return sorted(j, v, jvalue_true(a->at[0]), jvalue_true(a->at[1]), a->at[2]);
}

// By key, or by value: index 0 or 1 of the pairs.
static value dictsort(jinja *j, value v, const arguments *a) {
    bool by_value = jvalue_given(a->at[1]) && span_is(jinja_want_text(j, a->at[1], "dictsort"), "value");
    if (v.kind == V_UNDEFINED) jinja_fail_undefined(j, v);
    return sorted(j, items(j, v, a), jvalue_true(a->at[2]), jvalue_true(a->at[0]), jvalue_int(by_value));
}

// The first of equal ones stays. Quadratic, and counted as steps.
static value unique(jinja *j, value v, const arguments *a) {
    const value_list *all = jvalue_items(j->heap, v);
    value some = new_list(j), seen = new_list(j);
    for (size_t i = 0; i < all->count; i++) {
        value key = sort_key(j, all->at[i], a->at[1], jvalue_true(a->at[0]));
        if (jinja_contains(j, key, seen)) continue;
        list_add(j->heap, seen.as.list, key);
        list_add(j->heap, some.as.list, all->at[i]);
    }
    return some;
}

// `wanted` 1: the largest, -1: the smallest; of equal ones the first.
static value extreme(jinja *j, value v, const arguments *a, int wanted) {
    const value_list *all = jvalue_items(j->heap, v);
    if (!all->count) return jvalue_undefined(span_of("the extreme of an empty list"));
    size_t best = 0;
    value best_key = sort_key(j, all->at[0], a->at[1], jvalue_true(a->at[0]));
    for (size_t i = 1; i < all->count; i++) {
        value key = sort_key(j, all->at[i], a->at[1], jvalue_true(a->at[0]));
        jinja_step(j, 1);
        if (jvalue_compare(j->heap, key, best_key) * wanted > 0) best = i, best_key = key;
    }
    return all->at[best];
}

static value min(jinja *j, value v, const arguments *a) { return extreme(j, v, a, -1); }
static value max(jinja *j, value v, const arguments *a) { return extreme(j, v, a, 1); }

static value first(jinja *j, value v, const arguments *a) {
    const value_list *all = jvalue_items(j->heap, v);
    (void)a;
    return all->count ? all->at[0] : jvalue_undefined(span_of("the first of an empty list"));
}

static value last(jinja *j, value v, const arguments *a) {
    const value_list *all = jvalue_items(j->heap, v);
    (void)a;
    return all->count ? all->at[all->count - 1] : jvalue_undefined(span_of("the last of an empty list"));
}

static value reverse(jinja *j, value v, const arguments *a) {
    (void)a;
    value none = jvalue_none();
    return jinja_slice(j, v.kind == V_DICT ? to_list(j, v, NULL) : v, none, none, jvalue_int(-1));
}

static value sum(jinja *j, value v, const arguments *a) {
    const value_list *all = jvalue_items(j->heap, v);
    value total = a->at[1].kind == V_ABSENT ? jvalue_int(0) : a->at[1];
    for (size_t i = 0; i < all->count; i++)
        total =
            jinja_binary(j, '+', total, jvalue_given(a->at[0]) ? get_attribute(j, all->at[i], a->at[0]) : all->at[i]);
    return total;
}

static const function table[] = {
    {"list", to_list, {0}, false},
    {"join", join, {"d", "attribute"}, false},
    {"items", items, {0}, false},
    {"select", select_, {0}, true},
    {"reject", reject, {0}, true},
    {"selectattr", selectattr, {0}, true},
    {"rejectattr", rejectattr, {0}, true},
    {"map", map, {0}, true},
    {"sort", sort, {"reverse", "case_sensitive", "attribute"}, false},
    {"dictsort", dictsort, {"case_sensitive", "by", "reverse"}, false},
    {"unique", unique, {"case_sensitive", "attribute"}, false},
    {"min", min, {"case_sensitive", "attribute"}, false},
    {"max", max, {"case_sensitive", "attribute"}, false},
    {"first", first, {0}, false},
    {"last", last, {0}, false},
    {"reverse", reverse, {0}, false},
    {"sum", sum, {"attribute", "start"}, false},
};

const function *jinja_find_list_filter(text_span name) { return jinja_find_in(table, COUNT(table), name); }
