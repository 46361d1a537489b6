// arguments.c - the arguments of one call: read once, then asked for by position and name.
#include "text/reader.h"
#include <string.h>

typedef struct argument_list {
    VEC(value) value;
    VEC(const char *) key;
} argument_list;

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

const value *arg_named(arguments *a, const char *name) {
    for (uint32_t i = 0; i < a->count; i++)
        if (a->key[i] && strcmp(a->key[i], name) == 0) return a->used[i] = true, &a->value[i];
    return NULL;
}

const value *arg_at(arguments *a, uint32_t position, const char *name) {
    if (position < a->count && !a->key[position]) return a->used[position] = true, &a->value[position];
    return name ? arg_named(a, name) : NULL;
}

const value *arg_need(reader *r, arguments *a, uint32_t position, const char *name) {
    const value *v = arg_at(a, position, name);
    if (!v && !r->failed) diag_error(r->d, a->at, "%s: argument %u, '%s', is missing", a->callee, position + 1, name);
    return v;
}

bool args_done(reader *r, arguments *a) {
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->used[i]) continue;
        if (a->key[i]) return diag_error(r->d, a->value[i].at, "%s: has no argument '%s'", a->callee, a->key[i]);
        return diag_error(r->d, a->value[i].at, "%s: has at most %u arguments here, got %u", a->callee, i, a->count);
    }
    return true;
}
