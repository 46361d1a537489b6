// parse_expr.c - the grammar of expressions: precedence, literals, brackets, names.
#include "base/suggest.h"
#include "text/reader.h"
#include <string.h>

static value read_level(reader *r, int precedence);

// A trailing comma is allowed, as in Python.
static value read_sequence(reader *r, value_kind kind, loc at, const char *close) {
    VEC(value) list = {0};
    while (!r->failed && !at_op(r, close)) {
        VEC_PUSH(r->scratch, &list, read_expression(r));
        if (!take(r, ",")) break;
    }
    expect(r, close);
    return (value){.kind = kind, .at = at, .as.list = {list.at, list.len}};
}

// From behind "(": a value in parentheses, or a tuple.
static value read_parentheses(reader *r, loc at) {
    if (at_op(r, ")")) return read_sequence(r, VAL_TUPLE, at, ")");
    value first = read_expression(r);
    if (take(r, ")")) return first;
    if (!at_op(r, ",")) {
        expect(r, ")");
        return poison_at(at);
    }
    take(r, ",");
    value rest = read_sequence(r, VAL_TUPLE, at, ")");
    value *list = ARENA_NEW(r->scratch, value, rest.as.list.count + 1);
    list[0] = first;
    for (uint32_t i = 0; i < rest.as.list.count; i++) list[i + 1] = rest.as.list.at[i];
    return (value){.kind = VAL_TUPLE, .at = at, .as.list = {list, rest.as.list.count + 1}};
}

// From behind "{".
static value read_dictionary(reader *r, loc at) {
    VEC(value) list = {0};
    while (!r->failed && !at_op(r, "}")) {
        VEC_PUSH(r->scratch, &list, read_expression(r));
        if (!expect(r, ":")) break;
        VEC_PUSH(r->scratch, &list, read_expression(r));
        if (!take(r, ",")) break;
    }
    expect(r, "}");
    return (value){.kind = VAL_DICT, .at = at, .as.list = {list.at, list.len}};
}

// Each bracket counts: recursion is bounded by READ_MAX_NESTING.
static value read_bracketed(reader *r) {
    token open = lexer_next(r->lex);
    value v = poison_at(open.at);
    if (!enter_nesting(r, open.at)) return v;
    if (token_is(&open, "("))
        v = read_parentheses(r, open.at);
    else if (token_is(&open, "["))
        v = read_sequence(r, VAL_LIST, open.at, "]");
    else
        v = read_dictionary(r, open.at);
    leave_nesting(r);
    return v;
}

// Adjacent strings are one, as in Python.
static value read_strings(reader *r) {
    token first = lexer_next(r->lex);
    if (peek(r)->kind != TOKEN_STRING) return value_text(first.at, first.str, first.str_size);
    text all = TEXT_IN(r->scratch);
    text_put_n(&all, first.str, first.str_size);
    while (peek(r)->kind == TOKEN_STRING) {
        token next = lexer_next(r->lex);
        text_put_n(&all, next.str, next.str_size);
    }
    return value_text(first.at, text_get(&all), all.len);
}

// Bare: it takes its type from what it meets.
static value read_number(reader *r) {
    token t = lexer_next(r->lex);
    if (t.kind == TOKEN_FLOAT) return (value){.kind = VAL_FLOAT, .at = t.at, .as.f = t.fval};
    if (t.int_too_big) {
        diag_error(r->d, t.at, "the number %s does not fit in 64 bits", token_text(r, &t));
        return poison_at(t.at);
    }
    value v = value_int(t.at, (int64_t)t.ival);
    v.big = t.ival > INT64_MAX;
    return v;
}

// Reported once per name: the name is bound to poison.
static value unknown_name(reader *r, const char *name, loc at) {
    const char *near = scope_nearest(r, name);
    if (map_has(&r->hidden, MAP_KEY(name)))
        diag_error(r->d, at,
                   "'%s' is not visible here; a dataflow block shows only what R.output(...) lists, and a branch "
                   "only the variable it ends with",
                   name);
    else
        diag_error(r->d, at, "'%s' is not defined%s", name, text_suggest(r->scratch, near, "'", "'"));
    scope_bind(r, name, poison_at(at)); // once is enough
    return poison_at(at);
}

// float("inf"), float("nan"): how TVM writes what has no literal.
static value read_float_call(reader *r, loc at) {
    arguments a;
    if (!read_arguments(r, "float", at, &a)) return poison_at(at);
    const value *v = arg_need(r, &a, 0, "x");
    if (!v) return poison_at(at);
    static const struct {
        const char *text;
        double value;
    } special[] = {{"inf", 1.0 / 0.0}, {"-inf", -1.0 / 0.0}, {"nan", 0.0 / 0.0}};
    for (size_t i = 0; i < COUNT(special); i++)
        if (is_string(v, special[i].text)) return (value){.kind = VAL_FLOAT, .at = at, .as.f = special[i].value};
    if (v->kind == VAL_INT) return (value){.kind = VAL_FLOAT, .at = at, .as.f = (double)v->as.i};
    diag_error(r->d, v->at, "float: want \"inf\", \"-inf\", \"nan\" or a number, got %s", value_kind_name(v));
    return poison_at(at);
}

// Names that Python or the language keep come first, then what is in scope.
static value read_name(reader *r) {
    static const struct {
        const char *word;
        value_kind kind;
        int64_t i;
    } literal[] = {{"True", VAL_BOOL, 1}, {"False", VAL_BOOL, 0}, {"None", VAL_NONE, 0}};
    loc at = peek(r)->at;
    char initial = *peek(r)->start;
    for (size_t i = 0; i < COUNT(literal) && (initial == 'T' || initial == 'F' || initial == 'N'); i++)
        if (take(r, literal[i].word)) return (value){.kind = literal[i].kind, .at = at, .as.i = literal[i].i};
    if (initial == 'l' && take(r, "lambda")) return read_lambda(r, at);
    const char *name = take_name(r, NULL);
    if (!name) return poison_at(at);
    const value *v = scope_find(r, name);
    if (v) {
        value found = *v;
        found.at = at;
        return found;
    }
    bool dotted = at_op(r, ".");
    if (dotted && (strcmp(name, "T") == 0 || strcmp(name, "R") == 0 || strcmp(name, "I") == 0))
        return read_dotted(r, name, at);
    if (strcmp(name, "metadata") == 0 && at_op(r, "[")) return read_metadata_item(r, at);
    if (strcmp(name, "float") == 0 && at_op(r, "(")) return read_float_call(r, at);
    if (r->define || text_map_find(&r->typevars, name)) {
        const expr *e = find_symbol(r, name, at);
        if (e) return value_expr(at, e);
    }
    return unknown_name(r, name, at);
}

// A value and what follows it: fields, indices, calls.
static value read_primary(reader *r) {
    const token *t = peek(r);
    loc at = t->at;
    if (r->failed) return poison_at(at);
    if (t->kind == TOKEN_INT || t->kind == TOKEN_FLOAT) return read_number(r);
    if (t->kind == TOKEN_STRING) return read_strings(r);
    if (t->kind == TOKEN_NAME) return read_name(r);
    if (token_is(t, "(") || token_is(t, "[") || token_is(t, "{")) return read_bracketed(r);
    syntax_error(r, at, "expected a value, got %s", token_text(r, t));
    return poison_at(at);
}

static value read_prefixed(reader *r) {
    static const struct {
        const char *spelling;
        int precedence;
    } prefix[] = {{"not", BIND_NOT}, {"-", BIND_SIGN}, {"~", BIND_SIGN}, {"+", BIND_SIGN}};
    loc at = peek(r)->at;
    for (size_t i = 0; i < COUNT(prefix); i++) {
        if (!at_op(r, prefix[i].spelling)) continue;
        take(r, prefix[i].spelling);
        if (!enter_nesting(r, at)) return poison_at(at);
        value v = read_level(r, prefix[i].precedence);
        leave_nesting(r);
        return r->failed ? poison_at(at) : read_unary(r, at, prefix[i].spelling, &v);
    }
    return read_postfix(r, read_primary(r));
}

// a < b < c means a < b and b < c.
static value chain_comparison(reader *r, const value *chain, const value *previous, loc at, const expr_operator *o,
                              const value *b) {
    static const expr_operator both = {"and", EXPR_AND, BIND_AND, 0};
    value next = read_binary(r, at, o, previous, b);
    return chain ? read_binary(r, at, &both, chain, &next) : next;
}

// Most operands are followed by one of these.
static bool ends_operand(const token *t) {
    char c = t->size ? *t->start : ',';
    return c == ',' || c == ')' || c == ']' || c == '}' || c == ':';
}

// What is built from a chain of operators is as deep as the chain is long.
static bool chain_fits(reader *r, uint32_t length, loc at) {
    if (length < READ_MAX_CHAIN) return true;
    return syntax_error(r, at, "at most %d operators in a row; put parts of this into variables", READ_MAX_CHAIN);
}

// Binary operators that bind at least as tightly as `precedence`, from the left.
static value read_level(reader *r, int precedence) {
    value left = read_prefixed(r), previous = left;
    bool compared = false;
    uint32_t length = 0;
    for (const expr_operator *o;
         !r->failed && !ends_operand(peek(r)) && (o = expr_operator_find(peek(r))) && o->precedence >= precedence;) {
        token t = lexer_next(r->lex);
        value right = chain_fits(r, ++length, t.at) ? read_level(r, o->precedence + 1) : poison_at(t.at);
        if (r->failed) break;
        if (o->precedence == BIND_COMPARE) {
            left = chain_comparison(r, compared ? &left : NULL, &previous, t.at, o, &right);
            previous = right;
            compared = true;
        } else {
            left = read_binary(r, t.at, o, &left, &right);
            previous = left;
        }
    }
    return r->failed ? poison_at(left.at) : left;
}

value read_expression(reader *r) {
    loc at = peek(r)->at;
    if (r->failed || !enter_nesting(r, at)) return poison_at(at);
    value v = read_level(r, 0);
    leave_nesting(r);
    return v;
}

// a, b without brackets is a tuple.
value read_expressions(reader *r) {
    value first = read_expression(r);
    if (r->failed || !at_op(r, ",")) return first;
    VEC(value) list = {0};
    VEC_PUSH(r->scratch, &list, first);
    while (take(r, ",") && !at_line_end(r) && !at_op(r, "=")) VEC_PUSH(r->scratch, &list, read_expression(r));
    return (value){.kind = VAL_TUPLE, .at = first.at, .as.list = {list.at, list.len}};
}
