// parse_assign.c - name = value in graph functions: bindings, new symbols, other names for what is known.
#include "base/count_noun.h"
#include "text/parse_graph.h"
#include "text/reader.h"

static void bind_poison(reader *r, const char *name, loc at) { scope_bind(r, name, poison_at(at)); }

// What Python alone knows: a string, a list, the module. The name stands for it.
static bool is_alias(const value *v, bool annotated) {
    switch (v->kind) {
    case VAL_NONE:
    case VAL_STRING:
    case VAL_ANN:
    case VAL_DTYPE:
    case VAL_LIST:
    case VAL_DICT:
    case VAL_MODULE:
    case VAL_INDEX_MAP:
    case VAL_BUFFER:
    case VAL_REGION: return true;
    case VAL_EXPR: return !annotated;
    case VAL_POISON:
    case VAL_BOOL:
    case VAL_INT:
    case VAL_FLOAT:
    case VAL_NODE:
    case VAL_CALL:
    case VAL_SYMBOL:
    case VAL_TUPLE:
    case VAL_FUNC:
    case VAL_KINDS: break;
    }
    return false;
}

// The last statement of a branch gives the branch's value; that is a node even where nothing new is computed.
static const node *branch_value(reader *r, branch *into, const char *name, const value *v, const ann *written) {
    const char *hint = arena_format(r->scratch, "%s_%s", name, into->otherwise ? "else" : "then");
    if (v->kind == VAL_TUPLE) return to_node(r, v, INPUT_ANY, "branch");
    if (v->kind != VAL_NODE) return emit_value(r, v, hint, written);
    if (!written || ann_fits(r->exprs, v->as.n->type, written, r->b->facts) != ANN_NO) return v->as.n;
    diag_error(r->d, v->at, "annotated as %s, but it is %s", ann_to_text(r->scratch, written),
               ann_to_text(r->scratch, v->as.n->type));
    return build_poison(r->b);
}

static void bind_name(reader *r, const char *name, const value *v, const ann *written, bool last) {
    if (v->kind == VAL_POISON) {
        bind_poison(r, name, v->at);
        return;
    }
    if (v->kind == VAL_SYMBOL) {
        bind_symbol(r, name, v);
        return;
    }
    if (is_alias(v, written != NULL)) {
        scope_bind(r, name, *v);
        return;
    }
    branch *into = r->branch;
    const node *n = last && into ? branch_value(r, into, name, v, written) : emit_value(r, v, name, written);
    if (!n) {
        bind_poison(r, name, v->at);
        return;
    }
    if (into) {
        into->name = name;
        into->result = n;
    }
    scope_bind(r, name, value_node(v->at, n));
}

// a, b = value
static void bind_names(reader *r, const name_list *names, const value *v, bool last) {
    bool listed = v->kind == VAL_TUPLE || v->kind == VAL_LIST;
    value tuple = listed || v->kind == VAL_POISON ? *v : value_node(v->at, to_node(r, v, INPUT_TUPLE, "value"));
    uint32_t count = names->len;
    if (tuple.kind == VAL_NODE && tuple.as.n->type->kind == ANN_TUPLE) count = tuple.as.n->type->count;
    if (listed) count = v->as.list.count;
    bool fits = count == names->len && tuple.kind != VAL_POISON;
    if (!fits && tuple.kind != VAL_POISON)
        diag_error(r->d, v->at, "%u names for %s", names->len, COUNTED(count, "value"));
    for (uint32_t i = 0; i < names->len; i++) {
        if (!fits) {
            bind_poison(r, names->at[i], v->at);
            continue;
        }
        value item = listed ? v->as.list.at[i] : read_item(r, &tuple, i);
        bind_name(r, names->at[i], &item, NULL, last && i + 1 == names->len);
    }
}

// A name with an annotation but without a value: TVM prints one where a variable of another branch is used.
static void bind_declared(reader *r, const char *name, loc at) {
    const value *known = map_find(&r->hidden, MAP_KEY(name));
    if (known && known->kind == VAL_NODE) {
        scope_bind(r, name, *known);
        return;
    }
    diag_error(r->d, at, "'%s' is annotated, but gets no value", name);
    bind_poison(r, name, at);
}

static bool read_targets(reader *r, name_list *names) {
    do {
        if (names->len && (at_op(r, "=") || at_op(r, ":"))) break;
        const char *name = take_name(r, NULL);
        if (!name) return false;
        VEC_PUSH(r->scratch, names, name);
    } while (take(r, ","));
    return true;
}

// After an error in the statement nobody should miss its names.
static void give_up(reader *r, const name_list *names, loc at) {
    for (uint32_t i = 0; i < names->len; i++) bind_poison(r, names->at[i], at);
    end_statement(r);
}

void read_assignment(reader *r) {
    name_list names = {0};
    loc at = peek(r)->at;
    const ann *written = NULL;
    bool annotated = false;
    if (!read_targets(r, &names)) {
        give_up(r, &names, at);
        return;
    }
    if (names.len == 1 && (annotated = take(r, ":"))) written = read_annotation(r);
    if (!r->failed && annotated && at_line_end(r)) {
        end_statement(r);
        bind_declared(r, names.at[0], at);
        return;
    }
    if (!expect(r, "=")) {
        give_up(r, &names, at);
        return;
    }
    if (peek(r)->kind == TOKEN_NAME && token_is(lexer_peek(r->lex, 1), "="))
        syntax_error(r, peek(r)->at, "one assignment per line: a = b = c is not read");
    value v = read_expressions(r);
    if (r->failed) {
        give_up(r, &names, at);
        return;
    }
    end_statement(r); // now the next token says whether this was the last statement of its block
    bool last = peek(r)->kind == TOKEN_DEDENT;
    if (annotated && !written) v = poison_at(at);
    if (names.len == 1)
        bind_name(r, names.at[0], &v, written, last);
    else
        bind_names(r, &names, &v, last);
}
