// jinja_globals.c - the functions every template knows: Jinja's and those that Transformers adds.
#define _POSIX_C_SOURCE 200809L
#include "base/size.h"
#include "llm/jinja.h"
#include <time.h>

enum { LONGEST_RANGE = 100000, FORMATTED = 512 }; // the first is the limit of Jinja's sandbox

// One argument is the end, two are begin and end.
static value range(jinja *j, value self, const arguments *a) {
    bool one = a->at[1].kind == V_ABSENT;
    int64_t from = one ? 0 : jinja_want_int(j, a->at[0], "range"), to = jinja_want_int(j, a->at[one ? 0 : 1], "range");
    int64_t step = a->at[2].kind == V_ABSENT ? 1 : jinja_want_int(j, a->at[2], "range");
    value list = jvalue_new_list(j->heap, V_LIST);
    (void)self;
    if (step == 0) heap_fail(j->heap, RX_INVALID_ARGUMENT, "range: the step can't be zero");
    while (step > 0 ? from < to : from > to) {
        if (list.as.list->count == LONGEST_RANGE)
            heap_fail(j->heap, RX_INVALID_ARGUMENT, "range: more than %d numbers", LONGEST_RANGE);
        list_add(j->heap, list.as.list, jvalue_int(from));
        if (!int_add(from, step, &from)) break;
    }
    return list;
}

static void put_all(jinja *j, value_dict *into, const value_dict *from) {
    for (size_t i = 0; i < from->count; i++) dict_put(j->heap, into, from->key[i], from->at[i]);
}

// dict() and namespace() take dicts and named values alike, later ones win.
static value make(jinja *j, value_kind kind, const arguments *a) {
    value made = jvalue_new_dict(j->heap, kind);
    for (size_t i = 0; i < a->all.count; i++) {
        if (a->all.at[i].kind != V_DICT) heap_fail(j->heap, RX_INVALID_ARGUMENT, "want a dict or named values");
        put_all(j, made.as.dict, a->all.at[i].as.dict);
    }
    put_all(j, made.as.dict, &a->named);
    return made;
}

static value make_namespace(jinja *j, value self, const arguments *a) {
    (void)self;
    return make(j, V_NAMESPACE, a);
}

static value make_dict(jinja *j, value self, const arguments *a) {
    (void)self;
    return make(j, V_DICT, a);
}

// A template refuses a conversation (roles that don't alternate, say) with its own words, which come out without a
// line number.
static value raise_exception(jinja *j, value self, const arguments *a) {
    (void)self;
    heap_raise(j->heap, jvalue_to_text(j->heap, a->at[0]));
}

// j->now is local time as if it were UTC, so that gmtime gives what the user's clock shows.
static value strftime_now(jinja *j, value self, const arguments *a) {
    text_span format = jinja_want_text(j, a->at[0], "strftime_now");
    char wanted[FORMATTED], *out = heap_get(j->heap, FORMATTED);
    time_t now = (time_t)j->now;
    struct tm parts;
    (void)self;
    if (format.size >= sizeof wanted - 1 || !gmtime_r(&now, &parts))
        heap_fail(j->heap, RX_UNSUPPORTED, "strftime_now: the format is too long");
    // A mark in front tells an empty result from a failure.
    wanted[0] = '.';
    if (format.size) memcpy(wanted + 1, format.at, format.size);
    wanted[format.size + 1] = 0;
    size_t size = strftime(out, FORMATTED, wanted, &parts);
    if (!size) heap_fail(j->heap, RX_UNSUPPORTED, "strftime_now: the result is too long");
    return jvalue_text((text_span){out + 1, size - 1});
}

// Name, what it does, names of its arguments, whether it takes any number of named ones.
static const function table[] = {
    {"range", range, {"start", "stop", "step"}, false},
    {"namespace", make_namespace, {0}, true},
    {"dict", make_dict, {0}, true},
    {"raise_exception", raise_exception, {"message"}, false},
    {"strftime_now", strftime_now, {"format"}, false},
};

const function *jinja_find_global(text_span name) { return jinja_find_in(table, COUNT(table), name); }
