// format.c - the text again in our layout: four spaces a level, one statement a line, one space where there is one.
// Works on tokens, so that nothing that was written is lost.
#include "base/lexer.h"
#include "base/vec.h"
#include "text/script.h"

enum { DEEPEST = 256 };

typedef struct formatter {
    text *out;
    arena *mem;
    lexer *lex;
    text words;                      // of the line being made
    char open[DEEPEST];              // brackets around: '(', '[', '{', or 's' for a subscript
    bool lambda[DEEPEST + 1];        // a lambda at this depth waits for its colon
    uint32_t depth, level, comments; // comments: already written
    uint32_t last_line;              // of what was written last; 0: nothing in this block yet
    bool after_decorator;
} formatter;

static bool is_word(const token *t, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (token_is(t, list[i])) return true;
    return false;
}

static bool is_keyword(const token *t) {
    static const char *const word[] = {"and",    "or",  "not",   "in",     "is",   "if",     "elif",
                                       "else",   "for", "while", "with",   "as",   "return", "assert",
                                       "lambda", "def", "class", "import", "from", "pass"};
    return t->kind == TOKEN_NAME && is_word(t, word, COUNT(word));
}

static bool is_open(const token *t) { return token_is(t, "(") || token_is(t, "[") || token_is(t, "{"); }
static bool is_close(const token *t) { return token_is(t, ")") || token_is(t, "]") || token_is(t, "}"); }

// Can a value end with this token? Then what follows is a binary operator, a call or a subscript.
static bool ends_value(const token *t) {
    return (t->kind == TOKEN_NAME && !is_keyword(t)) || t->kind == TOKEN_INT || t->kind == TOKEN_FLOAT ||
           t->kind == TOKEN_STRING || is_close(t);
}

static bool is_prefix(const token *before, const token *t) {
    static const char *const sign[] = {"-", "+", "~", "*", "**", "@"};
    return is_word(t, sign, COUNT(sign)) && (!before || !ends_value(before));
}

static bool is_colon_tight(const formatter *f) {
    return f->depth && f->open[f->depth - 1] == 's' && !f->lambda[f->depth];
}

// Is there a space between two neighbours? `prefix`: the first one is a sign in front of its operand.
static bool space_between(const formatter *f, const token *a, const token *b, bool prefix, bool colon_tight) {
    if (prefix || is_open(a) || is_close(b) || token_is(a, ".") || token_is(b, ".")) return false;
    if (token_is(b, ",") || token_is(b, ":") || token_is(b, ";")) return false;
    if (token_is(a, ":")) return !colon_tight;
    if (token_is(a, "=") || token_is(b, "=")) return f->depth == 0;
    if (token_is(b, "(") || token_is(b, "[")) return !ends_value(a);
    return true;
}

static void track(formatter *f, const token *before, const token *t) {
    if (is_open(t) && f->depth < DEEPEST) {
        bool subscript = token_is(t, "[") && before && ends_value(before);
        f->open[f->depth++] = subscript ? 's' : t->start[0];
        f->lambda[f->depth] = false;
    } else if (is_close(t) && f->depth) {
        f->depth--;
    } else if (token_is(t, "lambda")) {
        f->lambda[f->depth] = true;
    }
}

// --- Comments.
static const comment *next_comment(const formatter *f, uint32_t before_line, bool own_line_only) {
    uint32_t count;
    const comment *list = lexer_comments(f->lex, &count);
    if (f->comments >= count) return NULL;
    const comment *c = &list[f->comments];
    bool ours = c->at.line < before_line || (c->at.line == before_line && !own_line_only);
    return ours ? c : NULL;
}

static void put_comment(formatter *f, const comment *c) {
    uint32_t size = c->size;
    while (size && (c->start[size - 1] == ' ' || c->start[size - 1] == '\r' || c->start[size - 1] == '\t')) size--;
    text_put_n(f->out, c->start, size);
}

static void put_blank(formatter *f) {
    bool doubled = f->out->len > 1 && f->out->at[f->out->len - 1] == '\n' && f->out->at[f->out->len - 2] == '\n';
    if (f->out->len && !doubled) text_put_char(f->out, '\n');
}

// One blank line where the text had some, none at the beginning of a block.
static void keep_blank(formatter *f, uint32_t line) {
    if (f->last_line && line > f->last_line + 1) put_blank(f);
}

static void put_comment_line(formatter *f, const comment *c) {
    keep_blank(f, c->at.line);
    text_put_repeat(f->out, ' ', 4 * (size_t)f->level);
    put_comment(f, c);
    text_put_char(f->out, '\n');
    f->last_line = c->at.line;
    f->comments++;
}

// --- Lines.
static void put_line(formatter *f, const token *first, uint32_t last_line) {
    bool decorator = token_is(first, "@");
    const comment *c = next_comment(f, last_line, true);
    if (decorator && !f->after_decorator && f->last_line) put_blank(f);
    for (; c && c->at.line < last_line; c = next_comment(f, last_line, true)) put_comment_line(f, c);
    if (first->at.line > f->last_line + 1 && !f->after_decorator && !decorator) keep_blank(f, first->at.line);
    text_put_repeat(f->out, ' ', 4 * (size_t)f->level);
    text_put(f->out, text_get(&f->words));
    c = next_comment(f, last_line, false);
    if (c) {
        text_put(f->out, "  ");
        put_comment(f, c);
        f->comments++;
    }
    text_put_char(f->out, '\n');
    f->words.len = 0;
    f->last_line = last_line;
    f->after_decorator = decorator;
}

static uint32_t line_of_end(const token *t) {
    uint32_t line = t->at.line;
    for (uint32_t i = 0; i < t->size; i++) line += t->start[i] == '\n';
    return line;
}

// One statement, up to its end of line or `;`.
static void format_statement(formatter *f) {
    token first = *lexer_peek(f->lex, 0), before = {0};
    bool any = false, prefix = false, tight = false;
    f->depth = 0;
    f->lambda[0] = false;
    uint32_t last_line = first.at.line;
    for (;;) {
        token t = *lexer_peek(f->lex, 0);
        if (t.kind == TOKEN_END || t.kind == TOKEN_NEWLINE || t.kind == TOKEN_DEDENT || t.kind == TOKEN_INDENT) break;
        lexer_next(f->lex);
        if (!f->depth && token_is(&t, ";")) break;
        bool trailing = f->depth == 1 && token_is(&first, "def") && token_is(&t, ",");
        if (trailing && token_is(lexer_peek(f->lex, 0), ")")) continue; // def f(x,): nothing follows
        if (any && space_between(f, &before, &t, prefix, tight)) text_put_char(&f->words, ' ');
        prefix = is_prefix(any ? &before : NULL, &t);
        tight = token_is(&t, ":") && is_colon_tight(f);
        if (token_is(&t, ":")) f->lambda[f->depth] = false;
        track(f, any ? &before : NULL, &t);
        text_put_n(&f->words, t.start, t.size);
        last_line = line_of_end(&t);
        before = t;
        any = true;
    }
    if (any) put_line(f, &first, last_line);
}

static void format_token(formatter *f) {
    switch (lexer_peek(f->lex, 0)->kind) {
    case TOKEN_INDENT:
        f->level++;
        f->last_line = 0;
        lexer_next(f->lex);
        return;
    case TOKEN_DEDENT:
        if (f->level) f->level--;
        lexer_next(f->lex);
        return;
    case TOKEN_NEWLINE: lexer_next(f->lex); return;
    case TOKEN_END:
    case TOKEN_ERROR:
    case TOKEN_NAME:
    case TOKEN_INT:
    case TOKEN_FLOAT:
    case TOKEN_STRING:
    case TOKEN_OP: format_statement(f); return;
    }
}

bool script_format(const source *src, text *out, diag *d) {
    uint32_t errors = d->errors;
    module *m = script_parse_as_written(src, d);
    if (!m) return false;
    module_free(m);
    arena *mem = arena_new();
    formatter f = {.out = out, .mem = mem, .words = TEXT_IN(mem)};
    f.lex = lexer_new(mem, src, d, (lexer_options){.lines = true});
    while (lexer_peek(f.lex, 0)->kind != TOKEN_END) format_token(&f);
    f.level = 0;
    for (const comment *c = next_comment(&f, UINT32_MAX, true); c; c = next_comment(&f, UINT32_MAX, true))
        put_comment_line(&f, c);
    arena_free(mem);
    return d->errors == errors;
}
