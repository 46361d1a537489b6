// assemble_items.c - splits lines into items and reads numbers, texts, dims and programs.
#include "exec/assemble_items.h"
#include "base/postfix.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Keeps the first sentence; everything after a failure is skipped, because all loops look at p->failed.
bool parse_fail(parser *p, const char *format, ...) {
    if (p->failed) return false;
    p->failed = true;
    int at = snprintf(p->why, EXEC_WHY, "line %u: ", p->line);
    va_list args;
    va_start(args, format);
    vsnprintf(p->why + at, EXEC_WHY - (size_t)at, format, args);
    va_end(args);
    return false;
}

// ---- items of a line ----

// One character each. Other characters join into words: "//", "<=" and "s12" are words.
static bool is_mark(char c) { return c && strchr("()[]{},%", c); }

// A string ends on its line; escapes are resolved when its bytes are wanted.
static void scan_string(parser *p) {
    const char *start = ++p->at;
    while (p->at < p->end && *p->at != '"' && *p->at != '\n') p->at += *p->at == '\\' && p->at + 1 < p->end ? 2 : 1;
    p->next = (item){ITEM_STRING, start, (size_t)(p->at - start)};
    if (p->at >= p->end || *p->at != '"')
        parse_fail(p, "a string without an end");
    else
        p->at++;
}

// The next item of this line; END at its end.
void advance(parser *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')) p->at++;
    const char *start = p->at;
    p->next = (item){ITEM_END, start, 0};
    if (p->at >= p->end || *p->at == '\n' || *p->at == '#') {
        // "#3" is a reference, "# text" a comment.
        if (p->at >= p->end || *p->at == '\n' || p->at + 1 >= p->end || p->at[1] < '0' || p->at[1] > '9') return;
    }
    if (*start == '"') {
        scan_string(p);
        return;
    }
    if (is_mark(*start)) {
        p->at++;
        p->next = (item){ITEM_MARK, start, 1};
        return;
    }
    p->at++;
    while (p->at < p->end && !is_mark(*p->at) && !strchr(" \t\r\n\"", *p->at)) p->at++;
    p->next = (item){ITEM_WORD, start, (size_t)(p->at - start)};
}

// Goes to the next line that holds something; false at the end of the text.
bool next_line(parser *p) {
    do {
        while (p->line && p->at < p->end && *p->at != '\n') p->at++;
        if (p->line && p->at < p->end) p->at++;
        p->line++;
        advance(p);
    } while (p->next.kind == ITEM_END && p->at < p->end);
    return p->next.kind != ITEM_END;
}

bool is_word(const parser *p, const char *word) {
    return p->next.kind == ITEM_WORD && p->next.size == strlen(word) && memcmp(p->next.at, word, p->next.size) == 0;
}

bool take_word(parser *p, const char *word) {
    if (!is_word(p, word)) return false;
    advance(p);
    return true;
}

bool take_mark(parser *p, char mark) {
    if (p->next.kind != ITEM_MARK || *p->next.at != mark) return false;
    advance(p);
    return true;
}

// ---- take_*: whether it was there; want_*: it must be ----
bool want_mark(parser *p, char mark) { return take_mark(p, mark) || parse_fail(p, "want '%c'", mark); }
bool want_word(parser *p, const char *word) { return take_word(p, word) || parse_fail(p, "want '%s'", word); }

// Only numbers that fit: a digit too many is an error, not a wrong value.
bool parse_number(const char *at, size_t size, int64_t *out) {
    char digits[32], *end;
    if (!size || size >= sizeof digits) return false;
    memcpy(digits, at, size);
    digits[size] = 0;
    errno = 0;
    *out = strtoll(digits, &end, 10);
    return !*end && errno == 0;
}

// A number, with a letter before it if `letter` isn't 0: "s12".
bool take_number(parser *p, char letter, int64_t *out) {
    size_t skip = letter != 0;
    if (p->next.kind != ITEM_WORD || p->next.size <= skip || (letter && *p->next.at != letter) ||
        !parse_number(p->next.at + skip, p->next.size - skip, out))
        return false;
    advance(p);
    return true;
}

uint32_t want_index(parser *p, char letter) {
    int64_t x = 0;
    if (!take_number(p, letter, &x) || x < 0 || x >= UINT32_MAX)
        parse_fail(p, "want a number%s%c", letter ? " behind " : "", letter ? letter : ' ');
    return (uint32_t)x;
}

int64_t want_int(parser *p) {
    int64_t x = 0;
    if (!take_number(p, 0, &x)) parse_fail(p, "want a number");
    return x;
}

bool put_bytes(parser *p, const void *bytes, size_t size) {
    void *to = growing_add(&p->text, size);
    if (to && size) memcpy(to, bytes, size);
    return to;
}

// \\ and \" stand for themselves, \x41 for a byte.
static void unescape(parser *p, item s) {
    p->text.len = 0;
    for (size_t i = 0; i < s.size; i++) {
        char c = s.at[i];
        unsigned hex;
        char two[3] = {0};
        if (c == '\\' && i + 1 < s.size) {
            c = s.at[++i];
            if (c == 'x' && i + 2 < s.size) {
                memcpy(two, s.at + i + 1, 2);
                if (sscanf(two, "%2x", &hex) == 1) c = (char)hex;
                i += 2;
            }
        }
        put_bytes(p, &c, 1);
    }
}

// A name or a string as bytes in p->text.
bool want_text(parser *p) {
    if (p->next.kind == ITEM_STRING)
        unescape(p, p->next);
    else if (p->next.kind == ITEM_WORD) {
        p->text.len = 0;
        put_bytes(p, p->next.at, p->next.size);
    } else
        return parse_fail(p, "want a name or a string");
    advance(p);
    return true;
}

// The number of the text in the executable's table of strings; 0 after a failure.
uint32_t want_string(parser *p) {
    return want_text(p) ? exec_writer_string_n(p->w, p->text.at ? p->text.at : "", p->text.len) : 0;
}

uint32_t optional_string(parser *p) { return p->next.kind == ITEM_STRING ? want_string(p) : EXEC_NONE; }

dtype want_dtype(parser *p) {
    dtype t = {0};
    if (!take_word(p, "void")) {
        if (p->next.kind != ITEM_WORD || !dtype_parse(p->next.at, p->next.size, &t)) parse_fail(p, "want a dtype");
        advance(p);
    }
    return t;
}

// "(3, 4)"; a comma may follow the last one, as in "(3,)".
uint32_t want_dims(parser *p, int64_t dim[TENSOR_MAX_RANK]) {
    uint32_t count = 0;
    want_mark(p, '(');
    while (!p->failed && !take_mark(p, ')')) {
        if (count == TENSOR_MAX_RANK) parse_fail(p, "more than %d dims", TENSOR_MAX_RANK);
        if (p->failed) return 0;
        dim[count++] = want_int(p);
        if (!take_mark(p, ',') && !(p->next.kind == ITEM_MARK && *p->next.at == ')')) parse_fail(p, "want ',' or ')'");
    }
    return count;
}

// ---- programs ----

// A number, a slot, or the spelling of an instruction without an operand.
static bool program_word(parser *p) {
    int64_t x;
    uint8_t bytes[POSTFIX_LONGEST];
    if (take_number(p, 0, &x)) return put_bytes(p, bytes, postfix_put_int(x, bytes));
    if (take_number(p, 's', &x)) return put_bytes(p, bytes, postfix_put(POSTFIX_SLOT, x, bytes));
    // Not is_word: "%" is a mark elsewhere.
    for (unsigned op = POSTFIX_ADD; op < POSTFIX_OPS; op++) {
        const char *spelling = postfix_get((postfix_op)op)->spelling;
        if (p->next.size != strlen(spelling) || memcmp(p->next.at, spelling, p->next.size) != 0) continue;
        advance(p);
        return put_bytes(p, bytes, postfix_put((postfix_op)op, 0, bytes));
    }
    return parse_fail(p, "no instruction of programs is called %.*s", (int)(p->next.size < 40 ? p->next.size : 40),
                      p->next.at);
}

// Whether the program is well formed is for the verifier, which sees all programs before the file is written.
uint32_t want_program(parser *p) {
    want_mark(p, '[');
    p->text.len = 0;
    while (!p->failed && !take_mark(p, ']'))
        if (p->next.kind == ITEM_END)
            parse_fail(p, "want ']'");
        else
            program_word(p);
    return p->failed ? 0 : exec_writer_program(p->w, p->text.at, p->text.len);
}
