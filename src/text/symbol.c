// symbol.c - symbolic variables: the n of R.Tensor(("n", 4)), of "n + 1" and of n = T.int64().
#include "text/reader.h"

// Sizes are known to be >= 0, pointers know what they point to: both are part of the variable.
const expr *new_symbol_var(reader *r, const char *name, const symbol *s) {
    if (s->type.kind == DTYPE_HANDLE) return expr_new_pointer(r->exprs, name, s->element, s->handle);
    return s->size ? expr_new_size_var(r->exprs, name, s->type) : expr_new_var(r->exprs, name, s->type);
}

// In a signature an unknown name defines a symbol; in a body it is a mistake.
const expr *find_symbol(reader *r, const char *name, loc at) {
    const value *v = scope_find(r, name);
    if (v && v->kind == VAL_EXPR) return v->as.e;
    if (v && v->kind == VAL_POISON) return NULL;
    if (v) {
        diag_error(r->d, at, "'%s' is %s, and a dim wants a symbol", name, value_kind_name(v));
        return NULL;
    }
    if (!r->define && !text_map_find(&r->typevars, name)) {
        diag_error(r->d, at, "the symbol '%s' is not defined; write %s = T.int64() before", name, name);
        return NULL;
    }
    const expr *var = expr_new_var(r->exprs, name, DTYPE_OF(I64));
    scope_bind(r, name, value_expr(at, var));
    return var;
}

// ASCII only: TVM's printer writes no other names.
bool is_identifier(const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char c = bytes[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_', digit = c >= '0' && c <= '9';
        if (!letter && !(digit && i)) return false;
    }
    return size > 0 && size <= READ_MAX_NAME;
}

apart begin_apart(reader *r, const char *bytes, size_t size) {
    apart outer = {r->lex, r->d};
    source *src = ARENA_NEW(r->scratch, source, 1);
    *src = (source){.name = r->src->name, .bytes = bytes, .size = size};
    r->d = diag_new(r->scratch);
    r->lex = lexer_new(r->scratch, src, r->d, (lexer_options){0});
    return outer;
}

const char *end_apart(reader *r, apart outer) {
    if (!r->failed && peek(r)->kind != TOKEN_END) syntax_error(r, peek(r)->at, "expected its end");
    const char *why = r->d->len ? r->d->record[0].message : NULL;
    r->failed = false;
    r->lex = outer.lex;
    r->d = outer.d;
    return why;
}

// Its errors are reported where the quote stands.
static const expr *read_quoted_expression(reader *r, const value *v) {
    apart outer = begin_apart(r, v->as.text.bytes, v->as.text.size);
    value inner = read_expression(r);
    const expr *e = r->failed || inner.kind == VAL_STRING ? NULL : to_dim(r, &inner, "dim");
    const char *why = end_apart(r, outer);
    if (e && !why) return e;
    diag_error(r->d, v->at, "the dim \"%.*s\": %s", (int)(v->as.text.size < 80 ? v->as.text.size : 80),
               v->as.text.bytes, why ? why : "it is no integer expression");
    return NULL;
}

// "n" is a name and "n + 1" an expression; TVM quotes both in signatures.
const expr *read_quoted_dim(reader *r, const value *v) {
    if (!is_identifier(v->as.text.bytes, v->as.text.size)) return read_quoted_expression(r, v);
    return find_symbol(r, intern(r, v->as.text.bytes, v->as.text.size), v->at);
}

// n = T.int64() after a signature that has n names the same variable, not a new one.
value bind_symbol(reader *r, const char *name, const value *v) {
    const value *old = scope_find(r, name);
    dtype type = v->as.symbol->type;
    char was[32], is[32];
    if (old && old->kind == VAL_EXPR && old->as.e->op == EXPR_VAR) {
        if (dtype_equal(old->as.e->type, type)) return *old;
        diag_error(r->d, v->at, "the symbol '%s' is %s, not %s", name, dtype_spell(old->as.e->type, was),
                   dtype_spell(type, is));
        return poison_at(v->at);
    }
    value fresh = value_expr(v->at, new_symbol_var(r, name, v->as.symbol));
    scope_bind(r, name, fresh);
    return fresh;
}
