// tokens.c - stepping over tokens, statements and indented blocks, and getting back on track after an error.
#include "base/count_noun.h"
#include "text/reader.h"
#include <string.h>

const token *peek(reader *r) {
    const token *t = lexer_peek(r->lex, 0);
    while (t->kind == TOKEN_ERROR) { // the lexer has reported it
        r->failed = true;
        lexer_next(r->lex);
        t = lexer_peek(r->lex, 0);
    }
    return t;
}

bool at_op(reader *r, const char *op_or_name) { return token_is(peek(r), op_or_name); }

bool take(reader *r, const char *op_or_name) {
    if (!at_op(r, op_or_name)) return false;
    lexer_next(r->lex);
    return true;
}

// Sets `failed`: callers stop reading the statement and end_statement finds the next one.
bool syntax_error(reader *r, loc at, const char *format, ...) {
    if (!r->failed) {
        va_list args;
        va_start(args, format);
        diag_error(r->d, at, "%s", arena_vformat(r->scratch, format, args));
        va_end(args);
    }
    r->failed = true;
    return false;
}

// A token as it stands in the text, cut to a readable length.
static const char *quote_token(reader *r, const token *t) {
    enum { SHOWN = 32 };
    bool cut = t->size > SHOWN;
    const char *newline = memchr(t->start, '\n', cut ? SHOWN : t->size);
    uint32_t size = newline ? (uint32_t)(newline - t->start) : cut ? SHOWN : t->size;
    return arena_format(r->scratch, "'%.*s%s'", (int)size, t->start, cut || newline ? "..." : "");
}

const char *token_text(reader *r, const token *t) {
    static const char *const kind[] = {
        [TOKEN_END] = "the end of the text",    [TOKEN_NEWLINE] = "the end of the line",
        [TOKEN_INDENT] = "an indented line",    [TOKEN_DEDENT] = "the end of the indented block",
        [TOKEN_ERROR] = "an unreadable symbol",
    };
    if (t->kind < COUNT(kind) && kind[t->kind]) return kind[t->kind];
    return quote_token(r, t);
}

// Reports once: a reader that has failed expects nothing more.
bool expect(reader *r, const char *op_or_name) {
    if (r->failed) return false;
    if (take(r, op_or_name)) return true;
    const token *t = peek(r);
    return syntax_error(r, t->at, "expected '%s', got %s", op_or_name, token_text(r, t));
}

const char *intern(reader *r, const char *bytes, size_t size) { return expr_name(r->exprs, bytes, size); }

bool is_python_word(const char *bytes, size_t size) {
    static const char *const keyword[] = {"and",  "as",     "assert", "class", "def",  "elif",   "else", "for",
                                          "from", "if",     "import", "in",    "is",   "lambda", "not",  "or",
                                          "pass", "return", "while",  "with",  "None", "True",   "False"};
    if (size < 2 || size > 6) return false;
    for (size_t i = 0; i < COUNT(keyword); i++)
        if (bytes[0] == keyword[i][0] && strlen(keyword[i]) == size && memcmp(bytes, keyword[i], size) == 0)
            return true;
    return false;
}

// Keywords are no names; what is too long would only be carried into every message.
const char *take_name(reader *r, loc *at) {
    const token *t = peek(r);
    if (at) *at = t->at;
    if (r->failed) return NULL;
    if (t->kind != TOKEN_NAME || is_python_word(t->start, t->size)) {
        syntax_error(r, t->at, "expected a name, got %s", token_text(r, t));
        return NULL;
    }
    if (t->size > READ_MAX_NAME) {
        syntax_error(r, t->at, "this name has %s; names have at most %d", COUNTED(t->size, "byte"), READ_MAX_NAME);
        return NULL;
    }
    const char *name = intern(r, t->start, t->size);
    lexer_next(r->lex);
    return name;
}

bool at_line_end(reader *r) {
    const token *t = peek(r);
    return t->kind == TOKEN_NEWLINE || t->kind == TOKEN_END || t->kind == TOKEN_DEDENT || token_is(t, ";");
}

// To the end of the logical line, which is stepped over.
static void skip_tokens(reader *r) {
    const token *t = peek(r);
    while (t->kind != TOKEN_END && t->kind != TOKEN_DEDENT && t->kind != TOKEN_INDENT && t->kind != TOKEN_NEWLINE) {
        lexer_next(r->lex);
        t = peek(r);
    }
    if (t->kind == TOKEN_NEWLINE) lexer_next(r->lex);
}

// Over an indented block that nobody wants.
static void skip_block(reader *r) {
    uint32_t open = 0;
    do {
        const token *t = peek(r);
        if (t->kind == TOKEN_END) return;
        if (t->kind == TOKEN_INDENT) open++;
        if (t->kind == TOKEN_DEDENT) open--;
        lexer_next(r->lex);
    } while (open);
}

// The way back after an error in a header: its line, and the suite that belongs to it.
void skip_line(reader *r) {
    skip_tokens(r);
    if (peek(r)->kind == TOKEN_INDENT) skip_block(r);
    r->failed = false;
}

// The one place that notices words too many behind a statement.
void end_statement(reader *r) {
    const token *t = peek(r);
    const char *hint = at_op(r, "@") ? "; a product of matrices is R.matmul(a, b)" : "";
    if (!r->failed && !at_line_end(r))
        syntax_error(r, t->at, "expected the end of the line, got %s%s", token_text(r, t), hint);
    if (r->failed)
        skip_line(r);
    else if (!take(r, ";") && peek(r)->kind == TOKEN_NEWLINE)
        lexer_next(r->lex);
    if (peek(r)->kind == TOKEN_NEWLINE) lexer_next(r->lex); // `a = b;` and nothing behind it
}

bool enter_nesting(reader *r, loc at) {
    if (r->depth >= READ_MAX_NESTING)
        return syntax_error(r, at, "this is nested too deeply: at most %d brackets inside one another",
                            READ_MAX_NESTING);
    r->depth++;
    return true;
}

void leave_nesting(reader *r) { r->depth--; }

// A suite on the line of its header ends with that line; an indented one with its dedent.
bool suite_open(reader *r, suite *s) {
    *s = (suite){0};
    if (!expect(r, ":")) return false;
    if (peek(r)->kind != TOKEN_NEWLINE) {
        s->on_line = true;
        return true;
    }
    lexer_next(r->lex);
    const token *t = peek(r);
    if (t->kind != TOKEN_INDENT) {
        diag_error(r->d, t->at, "expected an indented block after ':'");
        s->done = true;
        return true;
    }
    if (r->level >= READ_MAX_STATEMENTS) {
        diag_error(r->d, t->at, "this is nested too deeply: at most %d statements inside one another",
                   READ_MAX_STATEMENTS);
        skip_block(r);
        s->done = true;
        return true;
    }
    r->level++;
    lexer_next(r->lex);
    return true;
}

// Counted because suites recurse: texts are refused before the stack is at risk.
static bool suite_end(reader *r, suite *s, bool was_indented) {
    if (was_indented) {
        r->level--;
        if (peek(r)->kind == TOKEN_DEDENT) lexer_next(r->lex);
    }
    s->done = true;
    return false;
}

bool suite_more(reader *r, suite *s) {
    if (s->done) return false;
    if (s->on_line) { // the statement itself steps over the end of the line
        s->done = true;
        return true;
    }
    while (peek(r)->kind == TOKEN_NEWLINE) lexer_next(r->lex);
    const token *t = peek(r);
    if (t->kind == TOKEN_DEDENT || t->kind == TOKEN_END) return suite_end(r, s, true);
    if (t->kind == TOKEN_INDENT) {
        diag_error(r->d, t->at, "this line is indented more than the block it is in");
        skip_block(r);
        return suite_more(r, s);
    }
    return true;
}
