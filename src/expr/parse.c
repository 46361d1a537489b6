// parse.c - reads one expression from text by precedence climbing. Recursion is counted and bounded.
#include "expr/parse.h"
#include <stdio.h>
#include <string.h>

enum { MAX_ARGUMENTS = 4096, MAX_FREE_LEVELS = 32 };

typedef struct parser {
    expr_session *s;
    arena *mem;
    lexer *tokens;
    text_map *vars;
    diag *d;
    unsigned depth, free_levels; // of nesting; free ones are not part of depth
    unsigned deepest;            // level met in the operand that is read, as it prints
} parser;

// A bare number takes the type of what it meets. NULL e: reported already.
typedef struct operand {
    const expr *e;
    bool bare;
} operand;

static const operand failed = {.e = NULL};

static operand parse_operand(parser *p, int at_least);
static const expr *parse_whole(parser *p) { return parse_operand(p, BIND_ANY).e; }

static operand fail(parser *p, const token *at, const char *message) {
    return diag_error(p->d, at->at, "%s", message), failed;
}

// How a token reads in a message.
static const char *described(parser *p, const token *t) {
    if (t->kind == TOKEN_END) return "the end";
    return arena_format(p->mem, "'%.*s'", t->size > 40 ? 40 : (int)t->size, t->start);
}

// Takes the next token if it is this one.
static bool take(parser *p, const char *what) {
    if (!token_is(lexer_peek(p->tokens, 0), what)) return false;
    lexer_next(p->tokens);
    return true;
}

// The same; reports if it is another. (The lexer has reported error tokens.)
static bool must_take(parser *p, const char *what) {
    const token *t = lexer_peek(p->tokens, 0);
    if (take(p, what)) return true;
    return t->kind != TOKEN_ERROR && diag_error(p->d, t->at, "want '%s', got %s", what, described(p, t));
}

// --- Numbers

// What does not fit in an int64 is a uint64: hashes and masks are written so.
static const expr *literal(expr_session *s, const token *t) {
    if (t->kind == TOKEN_FLOAT) return expr_float(s, DTYPE_OF(F32), t->fval); // as TVM; expr_written is exact
    if (t->ival > INT64_MAX) return expr_int(s, DTYPE_OF(U64), (int64_t)t->ival);
    return expr_i64(s, (int64_t)t->ival);
}

// base ** exponent of whole numbers, in place of t's value; false if it does not fit in 64 bits.
static bool raise_number(token *t, uint64_t exponent) {
    uint64_t value = 1;
    bool fits = true;
    for (uint64_t i = 0; i < exponent && fits && (t->ival > 1 || i < 1); i++)
        fits = !__builtin_mul_overflow(value, t->ival, &value);
    t->ival = value;
    return fits;
}

// Powers of numbers are computed here: 2**31 - 1 is how limits are written.
static operand parse_number(parser *p) {
    token t = lexer_next(p->tokens);
    bool fits = !t.int_too_big;
    if (fits && t.kind == TOKEN_INT && take(p, "**")) {
        token exponent = lexer_next(p->tokens);
        if (exponent.kind != TOKEN_INT || exponent.int_too_big)
            return fail(p, &exponent, "want a whole number after '**': powers are of numbers alone");
        fits = raise_number(&t, exponent.ival);
    }
    if (!fits) return fail(p, &t, "the number does not fit in 64 bits");
    return (operand){.e = literal(p->s, &t), .bare = true};
}

// 2**63 - 1: a number past int64 less another that brings it back.
static const expr *back_in_range(parser *p, const expr_operator *o, operand a, operand b) {
    bool past = a.bare && a.e->op == EXPR_INT && a.e->type.kind == DTYPE_U64;
    if (!past || o->op != EXPR_SUB || !b.bare || b.e->op != EXPR_INT || b.e->as.ival < 0) return NULL;
    uint64_t value = (uint64_t)a.e->as.ival - (uint64_t)b.e->as.ival;
    return value <= INT64_MAX ? expr_i64(p->s, (int64_t)value) : NULL;
}

// Gives a bare number the type of the other side. Of two bare ones an integer becomes a float beside a float.
static void settle(parser *p, operand *a, operand *b) {
    bool a_yields = a->bare && (!b->bare || b->e->op == EXPR_FLOAT),
         b_yields = b->bare && (!a->bare || a->e->op == EXPR_FLOAT);
    const expr *x = a_yields ? expr_number(p->s, a->e, b->e->type) : NULL;
    const expr *y = b_yields ? expr_number(p->s, b->e, a->e->type) : NULL;
    if (x) a->e = x;
    if (y) b->e = y;
}

// --- Calls

typedef struct arguments {
    VEC(const expr *) e;
    VEC(operand) given;
    dtype type;
} arguments;

static bool parse_type_string(parser *p, dtype *type) {
    token t = lexer_next(p->tokens);
    if (t.kind == TOKEN_STRING && dtype_parse(t.str, t.str_size, type)) return true;
    return diag_error(p->d, t.at, "want a type in quotes, such as \"float32\", got %s", described(p, &t));
}

// What stands between the brackets of a call, and the closing one.
static bool parse_arguments(parser *p, bool leads_with_type, const char *close, arguments *out) {
    bool first = true;
    if (leads_with_type) {
        if (!parse_type_string(p, &out->type)) return false;
        first = false;
    }
    while (!take(p, close)) {
        if (!first && !must_take(p, ",")) return false;
        if (!first && take(p, close)) break;
        operand a = parse_operand(p, BIND_ANY);
        if (!a.e) return false;
        if (out->given.len == MAX_ARGUMENTS) return fail(p, lexer_peek(p->tokens, 0), "too many arguments"), false;
        VEC_PUSH(p->mem, &out->given, a);
        first = false;
    }
    return true;
}

// Gives bare numbers among the arguments the type of the argument they belong to: the other side of a choice, else the
// first.
static void settle_arguments(parser *p, const char *name, arguments *a) {
    expr_op op = EXPR_CALL;
    operand *at = a->given.at;
    uint32_t count = a->given.len;
    const intrinsic *f = intrinsic_find(name);
    expr_op_by_function_name(name, &op);
    if (op == EXPR_SELECT || (f && f->takes == TAKES_CHOICE)) {
        if (count == 3) settle(p, &at[1], &at[2]);
    } else if (op != EXPR_BROADCAST && !(f && f->takes == TAKES_ANYTHING)) {
        if (op == EXPR_RAMP && count) count--;
        for (uint32_t i = 1; i < count; i++) settle(p, &at[0], &at[i]);
    }
    for (uint32_t i = 0; i < a->given.len; i++) VEC_PUSH(p->mem, &a->e, at[i].e);
}

static bool all_constants(const arguments *a) {
    for (uint32_t i = 0; i < a->e.len; i++)
        if (a->e.at[i]->op != EXPR_INT) return false;
    return a->e.len > 0;
}

static bool all_of_one_scalar_type(const arguments *a) {
    for (uint32_t i = 0; i < a->e.len; i++)
        if (!dtype_equal(dtype_scalar(a->e.at[i]->type), dtype_scalar(a->e.at[0]->type))) return false;
    return a->e.len > 0 && a->e.at[0]->type.kind != DTYPE_VOID;
}

// Lane numbers count through the vectors, one after the other.
static bool lanes_exist(const arguments *vectors, const arguments *lanes) {
    int64_t have = 0;
    for (uint32_t i = 0; i < vectors->e.len; i++) have += dtype_lanes(vectors->e.at[i]->type);
    for (uint32_t i = 0; i < lanes->e.len; i++)
        if (lanes->e.at[i]->as.ival < 0 || lanes->e.at[i]->as.ival >= have) return false;
    return true;
}

// T.Shuffle([v, w], [0, 5])
static operand parse_shuffle(parser *p, const token *name) {
    arguments vectors = {0}, lanes = {0};
    if (!must_take(p, "[") || !parse_arguments(p, false, "]", &vectors)) return failed;
    if (!must_take(p, ",") || !must_take(p, "[") || !parse_arguments(p, false, "]", &lanes)) return failed;
    if (!must_take(p, ")")) return failed;
    settle_arguments(p, "Shuffle", &vectors);
    settle_arguments(p, "Shuffle", &lanes);
    if (!all_of_one_scalar_type(&vectors) || !all_constants(&lanes) || !lanes_exist(&vectors, &lanes))
        return fail(p, name, "T.Shuffle: want vectors of one type, then the numbers of lanes they have");
    return (operand){.e = expr_shuffle(p->s, vectors.e.at, vectors.e.len, lanes.e.at, lanes.e.len)};
}

// T.Let(body, where={x: value}): x is a new variable in the body.
static operand parse_let(parser *p, const token *name) {
    const expr *body = parse_whole(p);
    if (!body || !must_take(p, ",") || !must_take(p, "where") || !must_take(p, "=") || !must_take(p, "{"))
        return failed;
    token bound = lexer_next(p->tokens);
    const expr *outer = bound.kind == TOKEN_NAME ? text_map_find_n(p->vars, bound.start, bound.size) : NULL;
    if (!must_take(p, ":")) return failed;
    operand value = parse_operand(p, BIND_ANY);
    if (!value.e || !must_take(p, "}") || !must_take(p, ")")) return failed;
    if (!outer) return fail(p, &bound, "T.Let: want a variable of the body");
    settle(p, &(operand){.e = outer}, &value);
    if (!dtype_equal(outer->type, value.e->type))
        return fail(p, name, "T.Let: the value must be of the variable's type");
    const expr *var = expr_new_var(p->s, outer->as.var->name, outer->type);
    map with = MAP_IN(p->mem);
    map_put(&with, MAP_KEY(outer), (void *)(uintptr_t)var);
    return (operand){.e = expr_let(p->s, var, value.e, expr_substitute(p->s, body, &with))};
}

// T.uint64(3), T.Cast("int64", x), the "and" of a < b < c: what printing adds around numbers and operands that a text
// has bare. A few of them do not count as nesting, or the deepest texts would print as what is too deep to be read.
static bool start_free_level(parser *p, bool added) {
    bool starts = added && p->free_levels < MAX_FREE_LEVELS && p->depth;
    p->free_levels += starts;
    p->depth -= starts;
    return starts;
}

static void end_free_level(parser *p, bool started) {
    p->free_levels -= started;
    p->depth += started;
}

static bool states_type(const char *name) {
    dtype type;
    return dtype_parse(name, strlen(name), &type) || !strcmp(name, "Cast");
}

// Behind the opening bracket.
static operand parse_call(parser *p, const token *at, const char *name) {
    char why[128];
    arguments a = {0};
    if (!strcmp(name, "Shuffle")) return parse_shuffle(p, at);
    if (!strcmp(name, "Let")) return parse_let(p, at);
    bool free_level = start_free_level(p, states_type(name));
    bool read = parse_arguments(p, expr_call_leads_with_type(name), ")", &a);
    end_free_level(p, free_level);
    if (!read) return failed;
    settle_arguments(p, name, &a);
    const expr *e = expr_build_call(p->s, name, a.type, a.e.at, a.e.len, why);
    return e ? (operand){.e = e} : fail(p, at, why);
}

// --- Names

// Behind "T": the dotted name of a function, and its opening bracket.
static operand parse_member(parser *p, const token *at) {
    text name = TEXT_IN(p->mem);
    while (take(p, ".")) {
        token part = lexer_next(p->tokens);
        if (part.kind != TOKEN_NAME || name.len > 100) return fail(p, &part, "want the name of a function behind 'T.'");
        if (name.len) text_put_char(&name, '.');
        text_put_n(&name, part.start, part.size);
    }
    return must_take(p, "(") ? parse_call(p, at, text_get(&name)) : failed;
}

// What Python keeps for itself is no name.
static bool is_keyword(const token *t) {
    static const char *const words[] = {"and", "or", "not", "if", "else", "in", "is", "lambda", "for", "None"};
    for (size_t i = 0; i < COUNT(words); i++)
        if (token_is(t, words[i])) return true;
    return false;
}

// An unknown name is a new int64 variable: a claim needs no declarations.
static operand parse_name(parser *p) {
    token t = lexer_next(p->tokens);
    if (is_keyword(&t)) return fail(p, &t, arena_format(p->mem, "want a value, got %s", described(p, &t)));
    if (token_is(&t, "True") || token_is(&t, "False")) return (operand){.e = expr_bool(p->s, token_is(&t, "True"))};
    if (token_is(&t, "T") && token_is(lexer_peek(p->tokens, 0), ".")) return parse_member(p, &t);
    if (take(p, "(")) return parse_call(p, &t, arena_copy(p->mem, t.start, t.size));
    const expr *var = text_map_find_n(p->vars, t.start, t.size);
    if (!var) {
        const char *name = expr_name(p->s, t.start, t.size);
        var = expr_new_var(p->s, name, DTYPE_OF(I64));
        text_map_put(p->vars, name, (void *)(uintptr_t)var);
    }
    return (operand){.e = var};
}

// --- Operators

// -3 is a number, -n is n * -1 (as TVM writes it).
static operand parse_sign(parser *p) {
    token sign = lexer_next(p->tokens);
    operand a = parse_operand(p, BIND_SIGN);
    if (!a.e || token_is(&sign, "+")) return a;
    if (token_is(&sign, "~")) {
        char why[128];
        const expr *e = expr_build_call(p->s, "bitwise_not", (dtype){0}, &a.e, 1, why);
        return e ? (operand){.e = e} : fail(p, &sign, why);
    }
    const expr *e = expr_negative(p->s, a.e);
    return e ? (operand){.e = e, .bare = a.bare} : fail(p, &sign, "there is no negative of this");
}

// As in Python `a + not b` is no expression: not binds less tightly than +.
static operand parse_not(parser *p, int at_least) {
    token t = lexer_next(p->tokens);
    char why[128];
    if (at_least > BIND_NOT) return fail(p, &t, "put 'not ...' in parentheses here");
    operand a = parse_operand(p, BIND_NOT);
    if (!a.e) return a;
    const expr *e = expr_build_call(p->s, "Not", (dtype){0}, &a.e, 1, why);
    return e ? (operand){.e = e} : fail(p, &t, "'not' wants a condition");
}

static operand parse_string(parser *p) {
    token t = lexer_next(p->tokens);
    if (memchr(t.str, 0, t.str_size)) return fail(p, &t, "NUL byte in a string");
    return (operand){.e = expr_string(p->s, t.str, t.str_size)};
}

static operand parse_bracket(parser *p) {
    lexer_next(p->tokens);
    operand a = parse_operand(p, BIND_ANY);
    return a.e && must_take(p, ")") ? a : failed;
}

// The first token decides; nothing is tried and taken back.
static operand parse_prefix(parser *p, int at_least) {
    const token *t = lexer_peek(p->tokens, 0);
    if (t->kind == TOKEN_INT || t->kind == TOKEN_FLOAT) return parse_number(p);
    if (t->kind == TOKEN_STRING) return parse_string(p);
    if (token_is(t, "not")) return parse_not(p, at_least);
    if (t->kind == TOKEN_NAME) return parse_name(p);
    if (token_is(t, "(")) return parse_bracket(p);
    if (token_is(t, "-") || token_is(t, "+") || token_is(t, "~")) return parse_sign(p);
    if (t->kind == TOKEN_ERROR) return failed;
    return fail(p, t, arena_format(p->mem, "want a value, got %s", described(p, t)));
}

// Numbers take the type of the other side before anything is built.
static operand combine(parser *p, const token *at, const expr_operator *o, operand a, operand b) {
    char why[128];
    const expr *number = back_in_range(p, o, a, b);
    if (number) return (operand){.e = number, .bare = true};
    settle(p, &a, &b);
    const expr *e = expr_apply_operator(p->s, o, a.e, b.e, why);
    return e ? (operand){.e = e} : fail(p, at, why);
}

// In a < b < c the second comparison takes b again, and both must hold.
static operand extend_chain(parser *p, const token *at, operand so_far, operand comparison) {
    static const expr_operator conjunction = {.spelling = "and", .op = EXPR_AND, .precedence = BIND_AND};
    return comparison.e ? combine(p, at, &conjunction, so_far, comparison) : failed;
}

static const char too_deep[] = "brackets and operators are nested too deep here: want at most 200 levels";

// a & b & c prints as T.bitwise_and(T.bitwise_and(a, b), c): what stood between operators is a level deeper then.
static bool prints_deeper(parser *p, const expr_operator *o, const token *at) {
    p->deepest += o->op == EXPR_CALL;
    return p->deepest <= EXPR_MAX_NESTING || diag_error(p->d, at->at, "%s", too_deep);
}

// One level of precedence climbing: takes operators that bind at least as tightly as `at_least`.
static operand parse_operators(parser *p, int at_least) {
    operand left = parse_prefix(p, at_least), last = failed; // last: the right side of a comparison just read
    for (const expr_operator *o; left.e && (o = expr_operator_find(lexer_peek(p->tokens, 0)));) {
        if (o->precedence < at_least) break;
        token at = lexer_next(p->tokens);
        if (!prints_deeper(p, o, &at)) return failed;
        bool free_level = start_free_level(p, o->op == EXPR_AND);
        operand right = parse_operand(p, o->precedence + 1);
        end_free_level(p, free_level);
        if (!right.e) return failed;
        bool compares = o->precedence == BIND_COMPARE;
        left = compares && last.e ? extend_chain(p, &at, left, combine(p, &at, o, last, right))
                                  : combine(p, &at, o, left, right);
        last = compares ? right : failed;
    }
    return left;
}

// The only way down, so that the depth is counted in one place.
static operand parse_operand(parser *p, int at_least) {
    if (p->depth == EXPR_MAX_NESTING) return fail(p, lexer_peek(p->tokens, 0), too_deep);
    unsigned around = p->deepest;
    p->deepest = ++p->depth;
    operand a = parse_operators(p, at_least);
    p->depth--;
    if (p->deepest < around) p->deepest = around;
    return a;
}

// NULL after reporting. Good text has been read to its end.
const expr *expr_parse(expr_session *s, const source *src, text_map *vars, diag *d) {
    arena *mem = arena_new();
    parser p = {.s = s, .mem = mem, .vars = vars, .d = d};
    uint32_t errors = d->errors; // the lexer may report bytes at once
    p.tokens = lexer_new(mem, src, d, (lexer_options){0});
    const expr *e = parse_whole(&p);
    const token *rest = lexer_peek(p.tokens, 0);
    if (e && rest->kind != TOKEN_END && rest->kind != TOKEN_ERROR)
        diag_error(d, rest->at, "want an operator or the end, got %s", described(&p, rest));
    bool ok = e && rest->kind == TOKEN_END && d->errors == errors;
    arena_free(mem);
    return ok ? e : NULL;
}
