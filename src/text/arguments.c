// arguments.c - the arguments of one call: read once, then asked for by position and name.
#include "base/count_noun.h"
#include "text/reader.h"
#include <string.h>

typedef struct argument_list {
    VEC(value) value;
    VEC(const char *) key;
} argument_list;

// Positional arguments stop at the first keyword, and a keyword is given once, as in Python.
static bool read_argument(reader *r, argument_list *list) {
    const char *key = NULL;
    loc at = peek(r)->at;
    if (peek(r)->kind == TOKEN_NAME && token_is(lexer_peek(r->lex, 1), "=")) {
        key = take_name(r, NULL);
        take(r, "=");
    } else if (list->key.len && list->key.at[list->key.len - 1]) {
        return syntax_error(r, at, "an argument without a name follows one with a name");
    }
    for (uint32_t i = 0; key && i < list->key.len; i++)
        if (list->key.at[i] == key) return syntax_error(r, at, "argument '%s' is given twice", key);
    VEC_PUSH(r->scratch, &list->value, read_expression(r));
    VEC_PUSH(r->scratch, &list->key, key);
    return !r->failed;
}

// Values are read before anyone knows what they are for; `used` tells args_done what nobody asked for.
bool read_arguments(reader *r, const char *callee, loc at, arguments *out) {
    argument_list list = {0};
    *out = (arguments){.at = at, .callee = callee};
    if (!expect(r, "(")) return false;
    while (!at_op(r, ")")) {
        if (!read_argument(r, &list)) return false;
        if (!take(r, ",")) break;
    }
    if (!expect(r, ")")) return false;
    out->count = list.value.len;
    out->value = list.value.at;
    out->key = list.key.at;
    out->used = ARENA_NEW(r->scratch, bool, list.value.len);
    return true;
}

// Asking marks an argument as used, whether its value is any good or not.
const value *arg_named(arguments *a, const char *name) {
    for (uint32_t i = 0; i < a->count; i++)
        if (a->key[i] && strcmp(a->key[i], name) == 0) return a->used[i] = true, &a->value[i];
    return NULL;
}

// By position where it has no name, else by name: f(x, axis=1) and f(x, 1) give the same.
const value *arg_at(arguments *a, uint32_t position, const char *name) {
    if (position < a->count && !a->key[position]) return a->used[position] = true, &a->value[position];
    return name ? arg_named(a, name) : NULL;
}

// After a syntax error nothing is missing: what was to come has not been read.
const value *arg_need(reader *r, arguments *a, uint32_t position, const char *name) {
    const value *v = arg_at(a, position, name);
    if (!v && !r->failed) diag_error(r->d, a->at, "%s: argument %u, '%s', is missing", a->callee, position + 1, name);
    return v;
}

// What is left over was misspelled or is too much. Called last, when all have been asked for.
bool args_done(reader *r, arguments *a) {
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->used[i]) continue;
        if (a->key[i]) return diag_error(r->d, a->value[i].at, "%s: has no argument '%s'", a->callee, a->key[i]);
        return diag_error(r->d, a->value[i].at, "%s: has at most %s here, got %u", a->callee, COUNTED(i, "argument"),
                          a->count);
    }
    return true;
}
