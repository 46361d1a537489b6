// compute_text.c - reads the compute language: statements separated by `;`.
#include "ops/compute_text.h"
#include <string.h>

typedef struct reader {
    arena *mem;
    lexer *x;
    diag *d;
    uint32_t depth;
} reader;

static const term *read_value(reader *r, int least);

static bool at(reader *r, const char *spelling) { return token_is(lexer_peek(r->x, 0), spelling); }

static bool take(reader *r, const char *spelling) {
    if (!at(r, spelling)) return false;
    lexer_next(r->x);
    return true;
}

static bool want(reader *r, const char *spelling) {
    const token *t = lexer_peek(r->x, 0);
    if (take(r, spelling)) return true;
    return diag_error(r->d, t->at, "compute text: want `%s`, got `%.*s`", spelling, (int)t->size, t->start);
}

static term *new_term(reader *r, term_kind kind, loc where) {
    term *t = ARENA_NEW(r->mem, term, 1);
    t->kind = kind;
    t->at = where;
    return t;
}

static const term *new_unary(reader *r, term_kind kind, loc where, const term *a) {
    if (!a) return NULL;
    term *t = new_term(r, kind, where);
    const term **in = ARENA_NEW(r->mem, const term *, 1);
    in[0] = a;
    t->in = in;
    t->count = 1;
    return t;
}

static const term *new_binary(reader *r, const expr_operator *op, loc where, const term *a, const term *b) {
    if (!a || !b) return NULL;
    term *t = new_term(r, TERM_BINARY, where);
    const term **in = ARENA_NEW(r->mem, const term *, 2);
    in[0] = a;
    in[1] = b;
    t->in = in;
    t->count = 2;
    t->op = op;
    return t;
}

typedef VEC(const term *) term_list;

static const term *read_arguments(reader *r, term *call) {
    term_list in = {0};
    while (!at(r, ")")) {
        const term *a = read_value(r, BIND_OR);
        if (!a) return NULL;
        VEC_PUSH(r->mem, &in, a);
        if (!take(r, ",")) break;
    }
    call->in = in.at;
    call->count = in.len;
    return want(r, ")") ? call : NULL;
}

// `@ axis`, `@ -1`, `@ 0`.
static const term *read_where(reader *r) {
    token t = lexer_next(r->x);
    bool negative = token_is(&t, "-");
    if (negative) t = lexer_next(r->x);
    term *w = new_term(r, t.kind == TOKEN_INT ? TERM_INT : TERM_NAME, t.at);
    if (t.kind == TOKEN_INT) w->ival = negative ? -(int64_t)t.ival : (int64_t)t.ival;
    if (t.kind == TOKEN_NAME) w->name = arena_copy(r->mem, t.start, t.size);
    if (t.kind == TOKEN_INT || (t.kind == TOKEN_NAME && !negative)) return w;
    diag_error(r->d, t.at, "compute text: want a name or a number after `@`");
    return NULL;
}

static const term *read_indices(reader *r, term *access) {
    term_list in = {0};
    VEC(place) places = {0};
    while (!at(r, "]")) {
        place p = {.optional = take(r, "~")};
        const term *a = read_value(r, BIND_OR);
        if (!a) return NULL;
        p.placed = take(r, "@");
        if (p.placed && !(p.where = read_where(r))) return NULL;
        VEC_PUSH(r->mem, &in, a);
        VEC_PUSH(r->mem, &places, p);
        if (!take(r, ",")) break;
    }
    access->in = in.at;
    access->count = in.len;
    access->place = places.at;
    return want(r, "]") ? access : NULL;
}

static const term *read_name(reader *r) {
    token t = lexer_next(r->x);
    term *n = new_term(r, TERM_NAME, t.at);
    n->name = arena_copy(r->mem, t.start, t.size);
    if (take(r, "...")) n->kind = TERM_GROUP;
    if (n->kind == TERM_GROUP) return n;
    if (take(r, "(")) return n->kind = TERM_CALL, read_arguments(r, n);
    if (take(r, "[")) return n->kind = TERM_ACCESS, read_indices(r, n);
    return n;
}

static const term *read_primary(reader *r) {
    const token *t = lexer_peek(r->x, 0);
    loc where = t->at;
    if (token_is(t, "not")) return lexer_next(r->x), new_unary(r, TERM_NOT, where, read_value(r, BIND_COMPARE));
    if (token_is(t, "-")) return lexer_next(r->x), new_unary(r, TERM_NEGATE, where, read_value(r, BIND_SIGN));
    if (t->kind == TOKEN_NAME) return read_name(r);
    if (take(r, "(")) {
        const term *inside = read_value(r, BIND_OR);
        return inside && want(r, ")") ? inside : NULL;
    }
    token number = lexer_next(r->x);
    term *n = new_term(r, number.kind == TOKEN_INT ? TERM_INT : TERM_FLOAT, number.at);
    n->ival = (int64_t)number.ival;
    n->fval = number.fval;
    if (number.kind == TOKEN_INT || number.kind == TOKEN_FLOAT) return n;
    diag_error(r->d, number.at, "compute text: want a value, got `%.*s`", (int)number.size, number.start);
    return NULL;
}

static bool ends_value(reader *r) { return at(r, "@") || at(r, "="); }

static const term *read_operators(reader *r, const term *left, int least) {
    while (left && !ends_value(r)) {
        const token *t = lexer_peek(r->x, 0);
        const expr_operator *op = expr_operator_find(t);
        if (!op || op->precedence < least) return left;
        loc where = t->at;
        lexer_next(r->x);
        left = new_binary(r, op, where, left, read_value(r, op->precedence + 1));
    }
    return left;
}

static const term *read_value(reader *r, int least) {
    if (r->depth >= EXPR_MAX_NESTING) {
        diag_error(r->d, lexer_peek(r->x, 0)->at, "compute text: nested too deeply");
        return NULL;
    }
    r->depth++;
    const term *t = read_operators(r, read_primary(r), least);
    r->depth--;
    return t;
}

static const struct {
    const char *spelling;
    update update;
} reductions[] = {{"+=", UPDATE_ADD},  {"*=", UPDATE_MUL}, {"max", UPDATE_MAX},
                  {"min", UPDATE_MIN}, {"=", UPDATE_SET},  {"in", UPDATE_RANGE}};

static bool read_update(reader *r, update *out) {
    if (take(r, "scan")) {
        *out = at(r, "*=") ? UPDATE_SCAN_MUL : UPDATE_SCAN_ADD;
        return take(r, "*=") || want(r, "+=");
    }
    for (size_t i = 0; i < COUNT(reductions); i++)
        if (take(r, reductions[i].spelling)) {
            *out = reductions[i].update;
            bool named = *out == UPDATE_MAX || *out == UPDATE_MIN;
            return !named || want(r, "=");
        }
    return want(r, "=");
}

static bool read_statement(reader *r, statement *out) {
    loc where = lexer_peek(r->x, 0)->at;
    if (lexer_peek(r->x, 0)->kind != TOKEN_NAME)
        return diag_error(r->d, where, "compute text: a statement begins with a tensor");
    out->target = read_name(r);
    if (!out->target || !read_update(r, &out->update)) return false;
    bool range = out->update == UPDATE_RANGE;
    if (range ? out->target->kind > TERM_GROUP : out->target->kind != TERM_ACCESS)
        return diag_error(r->d, where, "compute text: `%s` cannot be set", out->target->name);
    out->value = read_value(r, BIND_OR);
    if (out->value && take(r, "where")) out->where = read_value(r, BIND_OR);
    return out->value != NULL && !r->d->errors;
}

bool compute_read(arena *mem, const char *meaning, statement_list *out, diag *d) {
    source *src = ARENA_NEW(mem, source, 1);
    *src = (source){.name = "<compute>", .bytes = meaning, .size = strlen(meaning)};
    reader r = {.mem = mem, .x = lexer_new(mem, src, d, (lexer_options){0}), .d = d};
    while (lexer_peek(r.x, 0)->kind != TOKEN_END) {
        statement s = {0};
        if (!read_statement(&r, &s)) return false;
        VEC_PUSH(mem, out, s);
        if (lexer_peek(r.x, 0)->kind != TOKEN_END && !want(&r, ";")) return false;
    }
    return true;
}
