// dotted.c - T.name, R.name, I.name: what follows the namespace.
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

// I.vdevice(...) and friends keep their name and arguments: {"vdevice": [..]} would lose them.
static value call_i(reader *r, const char *name, loc at) {
    arguments a;
    if (!read_arguments(r, arena_format(r->scratch, "I.%s", name), at, &a)) return poison_at(at);
    if (strcmp(name, "vdevice") != 0 && strcmp(name, "dummy_global_info") != 0) {
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
