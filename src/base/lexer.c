// lexer.c - bytes to tokens: lines, indentation, names, operators, comments. (Numbers and strings: literal.c.)
#include "base/lexer.h"
#include "base/count_noun.h"
#include "base/literal.h"
#include "base/utf8.h"
#include "base/vec.h"
#include <string.h>

// The limit on indentation bounds the recursion of parsers too; Python's own is 100.
enum { AHEAD = 4, INDENT_LIMIT = 1000, TAB_WIDTH = 8 };

struct lexer {
    arena *mem;
    diag *d;
    const source *src;
    bool lines;

    const char *p, *end, *line_start;
    uint32_t line;
    uint32_t used_line;   // the last line with a token or a comment on it
    uint32_t token_line;  // the last line with a token on it
    uint32_t blank_lines; // directly above this one

    uint32_t depth;   // of brackets
    loc outer;        // the bracket that made it 1
    bool line_open;   // a token was met since the last NEWLINE
    bool indented;    // an INDENT is due
    uint32_t dedents; // DEDENTs due
    bool tab_seen;
    VEC(uint32_t) indents; // columns of the open blocks, rising

    VEC(comment) comments;
    token ring[AHEAD]; // tokens read ahead
    uint32_t first, ready;
};

// Cheap, because the start of the present line is known.
static loc place_of(const lexer *x, const char *p) {
    return (loc){.src = x->src, .line = x->line, .col = (uint32_t)(p - x->line_start) + 1};
}

// The place of any byte, found by counting lines.
static loc place_by_counting(const lexer *x, const char *from, loc start, const char *p) {
    loc at = start;
    const char *line_start = from - (start.col - 1);
    for (const char *q; (q = memchr(from, '\n', (size_t)(p - from))); from = q + 1) {
        at.line++;
        line_start = q + 1;
    }
    at.src = x->src;
    at.col = (uint32_t)(p - line_start) + 1;
    return at;
}

// NUL bytes and bytes that are not UTF-8, wherever they are: the first of each is reported.
static void check_bytes(lexer *x) {
    loc start = place_of(x, x->p);
    size_t size = (size_t)(x->end - x->p);
    const char *nul = size ? memchr(x->p, '\0', size) : NULL;
    if (nul) diag_error(x->d, place_by_counting(x, x->p, start, nul), "NUL byte: the source must be text");
    size_t bad = utf8_first_bad(x->p, size);
    // `start` is behind a byte order mark, so offsets count from there.
    if (bad == size) return;
    diag_error(x->d, place_by_counting(x, x->p, start, x->p + bad),
               "byte 0x%02x is not UTF-8: the source must be UTF-8", (unsigned char)x->p[bad]);
}

lexer *lexer_new(arena *mem, const source *src, diag *d, lexer_options options) {
    lexer *x = ARENA_NEW(mem, lexer, 1);
    *x = (lexer){.mem = mem, .d = d, .src = src, .lines = options.lines, .line = 1};
    x->p = x->line_start = src->bytes ? src->bytes : "";
    x->end = x->p + src->size;
    // Sizes and columns have 32 bits.
    if (src->size >= UINT32_MAX) {
        diag_error(d, (loc){.src = src}, "the source has %s: want less than 4 GiB", COUNTED(src->size, "byte"));
        x->end = x->p;
    }
    if (x->end - x->p >= 3 && memcmp(x->p, "\xef\xbb\xbf", 3) == 0) x->p = x->line_start = x->p + 3;
    check_bytes(x);
    return x;
}

// Moves behind the line end at `p`.
static void next_line(lexer *x, size_t line_end) {
    x->blank_lines = x->used_line == x->line ? 0 : x->blank_lines + 1;
    x->p += line_end;
    x->line_start = x->p;
    x->line++;
}

static void take_comment(lexer *x) {
    const char *stop = memchr(x->p, '\n', (size_t)(x->end - x->p));
    if (!stop)
        stop = x->end;
    else if (stop[-1] == '\r')
        stop--; // stop > p: there is a `#`
    comment c = {.at = place_of(x, x->p), .start = x->p, .size = (uint32_t)(stop - x->p)};
    c.own_line = x->token_line != x->line;
    c.blank_before = c.own_line ? x->blank_lines : 0;
    VEC_PUSH(x->mem, &x->comments, c);
    x->used_line = x->line;
    x->p = stop;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\f'; }

// Moves to the next token, or to a line end that matters.
static void skip_space(lexer *x) {
    while (x->p < x->end) {
        size_t line_end = line_end_size(x->p, x->end);
        if (is_space(*x->p)) {
            x->p++;
        } else if (line_end) {
            // Blank lines and those of comments alone end nothing.
            if (x->lines && !x->depth && x->line_open) return;
            next_line(x, line_end);
        } else if (*x->p == '#') {
            take_comment(x);
        } else if (*x->p == '\\' && line_end_size(x->p + 1, x->end)) {
            // The line goes on: for blank_before it isn't blank.
            x->used_line = x->line;
            x->p++;
            next_line(x, line_end_size(x->p, x->end));
        } else {
            return;
        }
    }
}

static uint32_t column_of_first_token(lexer *x) {
    uint32_t column = 0;
    // Only white space stands there: this is the line's first token.
    for (const char *q = x->line_start; q < x->p; q++) {
        column = *q == '\t' ? (column / TAB_WIDTH + 1) * TAB_WIDTH : column + 1;
        if (*q != '\t' || x->tab_seen) continue;
        x->tab_seen = true;
        diag_error(x->d, place_of(x, q), "tab in the indentation: use spaces (taken as %d columns)", TAB_WIDTH);
    }
    return column;
}

// Opens or closes blocks so that the innermost open one begins at `column`.
static void set_indentation(lexer *x, uint32_t column) {
    // Nothing open means that the outermost block, at column 0, is open.
    uint32_t levels = x->indents.len;
    if (column > (levels ? x->indents.at[levels - 1] : 0)) {
        if (levels == INDENT_LIMIT) {
            diag_error(x->d, place_of(x, x->p), "more than %d levels of indentation", INDENT_LIMIT);
            // Going on would give an error for each line below.
            x->p = x->end;
            return;
        }
        VEC_PUSH(x->mem, &x->indents, column);
        x->indented = true;
        return;
    }
    while (levels && x->indents.at[levels - 1] > column) levels--;
    if (column != (levels ? x->indents.at[levels - 1] : 0)) {
        // The block is taken to be meant that was opened last among the deeper ones.
        diag_error(x->d, place_of(x, x->p), "the indentation matches no open block: want %u or %s, got %u",
                   levels ? x->indents.at[levels - 1] : 0, COUNTED(x->indents.at[levels], "column"), column);
        x->indents.at[levels++] = column;
    }
    x->dedents = x->indents.len - levels;
    x->indents.len = levels;
}

// Tokens are filled in place: 30 ns less for each than returning them through three calls.
static void make(const lexer *x, token *t, token_kind kind, const char *start, const char *end) {
    *t = (token){.kind = kind, .at = place_of(x, start), .start = start, .size = (uint32_t)(end - start)};
}

static void take(lexer *x, token *t, token_kind kind, const char *end) {
    make(x, t, kind, x->p, end);
    x->p = end;
}

// Blocks are opened and closed by the first token of a line.
static bool take_block_mark(lexer *x, token *t) {
    if (x->indented) {
        x->indented = false;
        make(x, t, TOKEN_INDENT, x->p, x->p);
        t->start = x->line_start;
        t->size = (uint32_t)(x->p - x->line_start);
        return true;
    }
    if (!x->dedents) return false;
    x->dedents--;
    make(x, t, TOKEN_DEDENT, x->p, x->p);
    return true;
}

// At the end the open line and the open blocks are closed, then END comes for ever.
static void take_end(lexer *x, token *t) {
    if (x->lines && x->line_open) {
        x->line_open = false;
        if (x->depth) diag_error(x->d, x->outer, "this bracket is never closed");
        x->depth = 0;
        make(x, t, TOKEN_NEWLINE, x->p, x->p);
        return;
    }
    x->dedents = x->indents.len;
    x->indents.len = 0;
    if (!take_block_mark(x, t)) make(x, t, TOKEN_END, x->p, x->p);
}

static void take_newline(lexer *x, token *t, size_t line_end) {
    make(x, t, TOKEN_NEWLINE, x->p, x->p + line_end);
    x->line_open = false;
    next_line(x, line_end);
}

static void take_number(lexer *x, token *t) {
    number n = number_scan(x->p, x->end);
    if (n.problem.message) diag_error(x->d, place_of(x, n.problem.at), "%s", n.problem.message);
    // Bad numbers are one token: the lexer goes on behind it.
    token_kind kind = n.problem.message ? TOKEN_ERROR : n.is_float ? TOKEN_FLOAT : TOKEN_INT;
    take(x, t, kind, n.end);
    t->ival = n.is_float ? 0 : n.ival;
    t->int_too_big = !n.is_float && n.too_big;
    t->fval = n.fval;
}

// Counts the lines of a token that may span several.
static void pass_lines(lexer *x, const char *start) {
    for (const char *q; (q = memchr(start, '\n', (size_t)(x->p - start))); start = q + 1) {
        x->line++;
        x->line_start = q + 1;
    }
}

// The prefix of `size` letters ends at the opening quote.
static void take_string(lexer *x, token *t, size_t prefix) {
    const char *start = x->p;
    bool raw = memchr(start, 'r', prefix) || memchr(start, 'R', prefix);
    bool formatted = memchr(start, 'f', prefix) || memchr(start, 'F', prefix);
    quoted q = quoted_scan(start + prefix, x->end);
    take(x, t, TOKEN_STRING, q.end);
    // Decoded text is never longer than its source; the NUL behind it is the arena's zero.
    char *bytes = arena_take(x->mem, (size_t)(q.body_end - q.body) + 1, 1);
    literal_problem problem;
    t->str = bytes;
    t->str_size = (uint32_t)quoted_decode(&q, raw, bytes, &problem);
    if (!q.closed) problem = (literal_problem){"this string is never closed", start};
    if (formatted) problem = (literal_problem){"f-strings are not supported", start};
    if (problem.message) {
        t->kind = TOKEN_ERROR;
        diag_error(x->d, place_by_counting(x, start, t->at, problem.at), "%s", problem.message);
    }
    pass_lines(x, start);
}

static bool is_quote(const char *p, const char *end) { return p < end && (*p == '"' || *p == '\''); }

static bool is_string_prefix(const char *p, size_t size) { return size <= 2 && strspn(p, "rRbBuUfF") >= size; }

static void take_name(lexer *x, token *t, size_t first) {
    const char *q = x->p + first;
    // Keywords are names to the lexer: the languages differ in them.
    for (size_t size; (size = name_char_size(q, x->end));) q += size;
    size_t size = (size_t)(q - x->p);
    if (is_quote(q, x->end) && is_string_prefix(x->p, size))
        take_string(x, t, size);
    else
        take(x, t, TOKEN_NAME, q);
}

// The size of the longest operator at `p`; 0 when there is none.
static size_t operator_size(const char *p, size_t left) {
    static const char single[] = "+-*/%@&|^~<>()[]{},:.;=";
    static const char pairs[][3] = {"**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", ":=",
                                    "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^="};
    static const char triples[][4] = {"**=", "//=", ">>=", "<<=", "..."};
    // Most operators have one character: the second one rules the tables out.
    if (left >= 2 && memchr("=*/<>.", p[1], 6)) {
        for (size_t i = 0; i < COUNT(triples) && left >= 3; i++)
            if (memcmp(p, triples[i], 3) == 0) return 3;
        for (size_t i = 0; i < COUNT(pairs); i++)
            if (memcmp(p, pairs[i], 2) == 0) return 2;
    }
    return memchr(single, *p, sizeof single - 1) ? 1 : 0;
}

static void take_operator(lexer *x, token *t, size_t size) {
    char c = *x->p;
    take(x, t, TOKEN_OP, x->p + size);
    // Whether brackets match is the parser's question; a stray closing one changes nothing here.
    if (c == '(' || c == '[' || c == '{') {
        if (!x->depth++) x->outer = t->at;
    } else if ((c == ')' || c == ']' || c == '}') && x->depth) {
        x->depth--;
    }
}

static bool is_reported(const char *p, const char *end) {
    uint32_t point;
    return !utf8_decode(p, (size_t)(end - p), &point) || !point;
}

// A byte no token begins with. Runs of NULs and of what is not UTF-8 were reported at the start: one token each.
static void take_unknown(lexer *x, token *t) {
    const char *q = x->p;
    while (q < x->end && is_reported(q, x->end)) q++;
    if (q > x->p) {
        take(x, t, TOKEN_ERROR, q);
        return;
    }
    uint32_t point;
    size_t size = utf8_decode(x->p, (size_t)(x->end - x->p), &point);
    if (*x->p == '\\') {
        diag_error(x->d, place_of(x, x->p), "want the end of the line behind a backslash");
    } else if (point < 0x80) {
        diag_error(x->d, place_of(x, x->p), "unexpected character '%c'", *x->p);
    } else {
        diag_error(x->d, place_of(x, x->p), "unexpected character '%.*s' (U+%04X)", (int)size, x->p, point);
    }
    take(x, t, TOKEN_ERROR, x->p + size);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void take_word(lexer *x, token *t) {
    size_t left = (size_t)(x->end - x->p), size;
    if (is_digit(*x->p) || (*x->p == '.' && left >= 2 && is_digit(x->p[1])))
        take_number(x, t);
    else if ((size = name_char_size(x->p, x->end)))
        take_name(x, t, size);
    else if (is_quote(x->p, x->end))
        take_string(x, t, 0);
    else if ((size = operator_size(x->p, left)))
        take_operator(x, t, size);
    else
        take_unknown(x, t);
}

static void scan(lexer *x, token *t) {
    if (take_block_mark(x, t)) return;
    skip_space(x);
    if (x->p < x->end && x->lines && !x->line_open) {
        set_indentation(x, column_of_first_token(x));
        x->line_open = true;
        if (take_block_mark(x, t)) return;
    }
    if (x->p == x->end) {
        take_end(x, t);
        return;
    }
    // Strings may have moved line_start, not what stands before this token.
    bool space_before = x->p == x->line_start || is_space(x->p[-1]);
    size_t line_end = line_end_size(x->p, x->end);
    x->used_line = x->line;
    if (line_end) {
        take_newline(x, t, line_end);
        return;
    }
    take_word(x, t);
    t->space_before = space_before;
    x->used_line = x->token_line = x->line;
}

const token *lexer_peek(lexer *x, uint32_t ahead) {
    CHECK(ahead < AHEAD);
    // Behind END comes END, so reading ahead is always possible.
    while (x->ready <= ahead) {
        scan(x, &x->ring[(x->first + x->ready) % AHEAD]);
        x->ready++;
    }
    return &x->ring[(x->first + ahead) % AHEAD];
}

token lexer_next(lexer *x) {
    token t = *lexer_peek(x, 0);
    x->first = (x->first + 1) % AHEAD;
    x->ready--;
    return t;
}

const comment *lexer_comments(const lexer *x, uint32_t *count) {
    *count = x->comments.len;
    return x->comments.at;
}

bool token_is(const token *t, const char *op_or_name) {
    if ((t->kind != TOKEN_OP && t->kind != TOKEN_NAME) || *t->start != *op_or_name) return false;
    return strlen(op_or_name) == t->size && memcmp(t->start, op_or_name, t->size) == 0;
}
