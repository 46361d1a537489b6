// dotted.c - T.name, R.name, I.name: what follows the namespace.
#include "base/count_noun.h"
#include "text/reader.h"
#include <string.h>

// The rest of a dotted name, such as "nn.softmax", interned. NULL after reporting.
static const char *read_path(reader *r) {
    text path = TEXT_IN(r->scratch);
    uint32_t parts = 0;
    while (take(r, ".")) {
        loc at;
        const char *part = take_name(r, &at);
        if (!part) return NULL;
        if (++parts > 6) return syntax_error(r, at, "this name has too many parts"), NULL;
        if (path.len) text_put_char(&path, '.');
        text_put(&path, part);
    }
    return intern(r, text_get(&path), path.len);
}

// I.vdevice(...) and friends keep their name and arguments: {"I.vdevice": [..]}, which prints as that call.
static value call_i(reader *r, const char *name, loc at) {
    arguments a;
    if (!read_arguments(r, arena_format(r->scratch, "I.%s", name), at, &a)) return poison_at(at);
    if (strcmp(name, "vdevice") != 0 && strcmp(name, "dummy_global_info") != 0 && strcmp(name, "Range") != 0) {
        diag_error(r->d, at, "I.%s is not known here", name);
        return poison_at(at);
    }
    value *list = ARENA_NEW(r->scratch, value, 2);
    const char *key = arena_format(r->scratch, "I.%s", name);
    list[0] = value_text(at, key, strlen(key));
    list[1] = (value){.kind = VAL_LIST, .at = at, .as.list = {a.value, a.count}};
    return (value){.kind = VAL_DICT, .at = at, .as.list = {list, 2}};
}

value read_dotted(reader *r, const char *head, loc at) {
    const char *name = read_path(r);
    if (!name) return poison_at(at);
    if (head[0] == 'T') return call_t(r, name, at);
    if (head[0] == 'R') return call_r(r, name, at);
    return call_i(r, name, at);
}

// The variables of a lambda, new ones in scope.
static void read_lambda_variables(reader *r, expr_list *vars) {
    while (!r->failed && !at_op(r, ":")) {
        loc at;
        const char *name = take_name(r, &at);
        if (!name) return;
        const expr *var = expr_new_var(r->exprs, name, DTYPE_OF(I64));
        scope_bind(r, name, value_expr(at, var));
        VEC_PUSH(r->scratch, vars, var);
        if (!take(r, ",")) return;
    }
}

value read_lambda(reader *r, loc at) {
    uint32_t mark = scope_mark(r), count;
    expr_list vars = {0};
    const expr *const *results;
    read_lambda_variables(r, &vars);
    expect(r, ":");
    value body = read_expression(r);
    scope_leave(r, mark);
    value one = {.kind = VAL_TUPLE, .at = body.at, .as.list = {&body, 1}};
    bool listed = body.kind == VAL_LIST || body.kind == VAL_TUPLE;
    if (r->failed || !to_dims(r, listed ? &body : &one, &results, &count, "index map")) return poison_at(at);
    const attr *a = attr_index_map(r->mem, vars.at, vars.len, results, count);
    return (value){.kind = VAL_INDEX_MAP, .at = at, .as.attr = a};
}

// --- T.comm_reducer(lambda x, y: x + y, [T.float32(0.0)])

typedef VEC(const char *) name_vec;

static bool read_lambda_names(reader *r, name_vec *names) {
    if (!expect(r, "(") || !expect(r, "lambda")) return false;
    do {
        const char *name = take_name(r, NULL);
        if (!name) return false;
        VEC_PUSH(r->scratch, names, name);
    } while (take(r, ","));
    return expect(r, ":");
}

// To the comma behind a lambda's body, which is read later: its variables have the types of what stands behind it.
static const char *skip_body(reader *r) {
    for (uint32_t depth = 0;;) {
        const token *t = peek(r);
        if (t->kind == TOKEN_END || t->kind == TOKEN_ERROR || t->kind == TOKEN_NEWLINE) break;
        if (!depth && token_is(t, ",")) return t->start;
        if (token_is(t, "(") || token_is(t, "[") || token_is(t, "{")) depth++;
        if (token_is(t, ")") || token_is(t, "]") || token_is(t, "}")) {
            if (!depth) break;
            depth--;
        }
        lexer_next(r->lex);
    }
    expect(r, ",");
    return NULL;
}

// [T.float32(0.0)]: one neutral value for each pair of variables.
static bool read_neutral(reader *r, uint32_t names, const expr **out) {
    value list = read_expression(r);
    if (r->failed || !expect(r, ")") || list.kind == VAL_POISON) return false;
    if ((list.kind != VAL_LIST && list.kind != VAL_TUPLE) || !list.as.list.count || 2 * list.as.list.count != names)
        return diag_error(r->d, list.at, "T.comm_reducer: want a list of neutral values, one for every two of the %s",
                          COUNTED(names, "variable"));
    for (uint32_t i = 0; i < names / 2; i++) {
        if (!(out[i] = to_expr(r, &list.as.list.at[i], (dtype){0}, "T.comm_reducer"))) return false;
        if (out[i]->type.kind == DTYPE_VOID)
            return diag_error(r->d, list.at, "T.comm_reducer: a neutral value is void");
    }
    return true;
}

// The results of the body, each of the type of its neutral value.
static bool read_results(reader *r, const expr *const *neutral, uint32_t count, const expr **out) {
    value body = read_expression(r);
    if (r->failed || body.kind == VAL_POISON) return false;
    value one = {.kind = VAL_TUPLE, .at = body.at, .as.list = {&body, 1}};
    const value *list = body.kind == VAL_TUPLE || body.kind == VAL_LIST ? &body : &one;
    if (list->as.list.count != count) return syntax_error(r, body.at, "want %s", COUNTED(count, "result"));
    for (uint32_t i = 0; i < count; i++) {
        out[i] = to_expr(r, &list->as.list.at[i], neutral[i]->type, "T.comm_reducer");
        if (!out[i]) return false;
        if (!dtype_equal(out[i]->type, neutral[i]->type))
            return syntax_error(r, body.at, "a result has another type than its neutral value");
    }
    return true;
}

static value read_reducer(reader *r, loc at) {
    name_vec names = {0};
    if (!read_lambda_names(r, &names)) return poison_at(at);
    const char *start = peek(r)->start, *end = skip_body(r);
    if (!end || !take(r, ",")) return poison_at(at);
    uint32_t count = names.len / 2, mark = scope_mark(r);
    const expr **neutral = ARENA_NEW(r->scratch, const expr *, count + 1),
               **result = ARENA_NEW(r->scratch, const expr *, count + 1),
               **var = ARENA_NEW(r->scratch, const expr *, names.len);
    if (!read_neutral(r, names.len, neutral)) return poison_at(at);
    for (uint32_t i = 0; i < names.len; i++) {
        var[i] = expr_new_var(r->exprs, names.at[i], neutral[i % count]->type);
        scope_bind(r, names.at[i], value_expr(at, var[i]));
    }
    apart outer = begin_apart(r, start, (size_t)(end - start));
    bool ok = read_results(r, neutral, count, result);
    const char *why = end_apart(r, outer);
    scope_leave(r, mark);
    if (ok && !why)
        return (value){.kind = VAL_INDEX_MAP, .at = at, .as.attr = attr_reducer(r->mem, var, result, neutral, count)};
    diag_error(r->d, at, "T.comm_reducer: the body of the lambda: %s", why ? why : "it is no value");
    return poison_at(at);
}

value read_comm_reducer(reader *r, loc at) {
    if (!enter_nesting(r, at)) return poison_at(at);
    value v = read_reducer(r, at);
    leave_nesting(r);
    return v;
}
