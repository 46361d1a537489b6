// diag.c - collecting what there is to say about the input, and printing it with source lines and carets.
#include "base/diag.h"
#include "base/utf8.h"
#include "base/vec.h"
#include <stdio.h>
#include <string.h>

enum { LONGEST_LINE = 160, LONGEST_MESSAGE = 4000 }; // in bytes

diag *diag_new(arena *mem) {
    diag *d = ARENA_NEW(mem, diag, 1);
    d->mem = mem;
    return d;
}

// Line ends that the message was written with stay; those in a name from a file would forge a line of ours.
static const char *on_one_line(arena *mem, const char *message) {
    text t = TEXT_IN(mem);
    if (!strchr(message, '\n')) return message;
    for (; *message; message++)
        if (*message == '\n')
            text_put(&t, "\\x0a");
        else
            text_put_char(&t, *message);
    return text_get(&t);
}

// The message is formatted now: what its arguments point to may be gone when it is printed.
static void keep(diag *d, diag_level level, loc at, const char *format, va_list args) {
    if (d->len == d->room) d->record = vec_grow(d->mem, d->record, d->len, &d->room, sizeof *d->record);
    const char *message = arena_vformat(d->mem, format, args);
    if (!strchr(format, '\n')) message = on_one_line(d->mem, message);
    d->record[d->len++] = (diag_record){.level = level, .at = at, .message = message};
}

// Past the limit nothing is formatted, so that a million errors cost no memory.
static void keep_error(diag *d, loc at, const char *format, va_list args) {
    d->dropped = d->errors++ >= DIAG_LIMIT;
    if (!d->dropped) keep(d, DIAG_ERROR, at, format, args);
}

bool diag_error(diag *d, loc at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    keep_error(d, at, format, args);
    va_end(args);
    return false;
}

bool diag_refused(diag *d, rx_status status, const char *format, ...) {
    if (d->refused == RX_OK) d->refused = status;
    va_list args;
    va_start(args, format);
    keep_error(d, (loc){0}, format, args);
    va_end(args);
    return false;
}

bool diag_warning(diag *d, loc at, const char *format, ...) {
    d->dropped = d->warnings++ >= DIAG_LIMIT;
    if (d->dropped) return false;
    va_list args;
    va_start(args, format);
    keep(d, DIAG_WARNING, at, format, args);
    va_end(args);
    return false;
}

bool diag_note(diag *d, loc at, const char *format, ...) {
    if (d->dropped) return false;
    va_list args;
    va_start(args, format);
    keep(d, DIAG_NOTE, at, format, args);
    va_end(args);
    return false;
}

// How one character is shown: its own bytes or an escape, and the columns it takes. A tab takes none: it is copied.
typedef struct glyph {
    char shown[12];
    size_t size; // bytes it has in the source
    unsigned columns;
} glyph;

static glyph glyph_at(const char *s, size_t left) {
    uint32_t point;
    // `shown` is zeroed, so it ends in NUL whatever is put there.
    glyph g = {.size = utf8_decode(s, left, &point)};
    if (!g.size) {
        g.size = 1;
        g.columns = (unsigned)snprintf(g.shown, sizeof g.shown, "\\x%02x", (unsigned char)*s);
    } else if (point == '\t') {
        g.shown[0] = '\t';
    } else if (utf8_is_hidden(point)) {
        const char *format = point < 0x80 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x";
        g.columns = (unsigned)snprintf(g.shown, sizeof g.shown, format, point);
    } else {
        memcpy(g.shown, s, g.size);
        g.columns = utf8_columns(point);
    }
    return g;
}

static void put_visible(text *out, const char *s, size_t size) {
    for (size_t i = 0; i < size;) {
        glyph g = glyph_at(s + i, size - i);
        // The common case, without looking for a NUL.
        if (g.size == 1 && g.columns == 1) {
            text_put_char(out, s[i]);
        } else {
            text_put(out, g.shown);
        }
        i += g.size;
    }
}

// Messages may have several lines; their line ends stay.
static void put_message(text *out, const char *message) {
    size_t size = strlen(message), shown = size < LONGEST_MESSAGE ? size : LONGEST_MESSAGE;
    // Line by line; a character cut by the limit shows as an escape.
    for (const char *end = message + shown; message < end;) {
        const char *line_end = memchr(message, '\n', (size_t)(end - message));
        const char *stop = line_end ? line_end : end;
        put_visible(out, message, (size_t)(stop - message));
        if (line_end) text_put_char(out, '\n');
        message = line_end ? line_end + 1 : end;
    }
    if (shown < size) text_put(out, "...");
    text_put_char(out, '\n');
}

typedef struct span {
    const char *at;
    size_t size;
} span;

// A line of the source without its end; false when it has no such line.
static bool find_line(const source *src, uint32_t line, span *out) {
    const char *p = src->bytes, *end = p + src->size;
    if (!src->size || !line) return false;
    // As in the lexer, a byte order mark is no part of the first line.
    if (src->size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) p += 3;
    // From the start for each record: there are at most some forty.
    for (uint32_t i = 1; i < line; i++) {
        const char *next = memchr(p, '\n', (size_t)(end - p));
        if (!next) return false;
        p = next + 1;
    }
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    if (stop > p && stop < end && stop[-1] == '\r') stop--;
    *out = (span){p, (size_t)(stop - p)};
    return true;
}

static bool is_tail(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

// The part [*from, *to) of a long line that is shown: about as much on both sides of the caret, whole characters.
static void cut_around(span line, size_t caret, size_t *from, size_t *to) {
    *from = 0;
    *to = line.size;
    if (line.size <= LONGEST_LINE) return;
    size_t half = LONGEST_LINE / 2, last = line.size - LONGEST_LINE;
    // Near an end of the line the window stops there and shows more of the other side.
    *from = caret < half ? 0 : caret - half < last ? caret - half : last;
    *to = *from + LONGEST_LINE;
    // A character has at most three bytes that continue it.
    for (int i = 0; i < 3 && *from > 0 && is_tail(line.at[*from]); i++) --*from;
    for (int i = 0; i < 3 && *to < line.size && is_tail(line.at[*to]); i++) ++*to;
}

// The source line, and below it a caret under byte `col`.
static void put_excerpt(text *out, loc at, bool colour) {
    span line;
    if (!find_line(at.src, at.line, &line) || !at.col) return;
    // Errors about what is missing stand behind the last byte.
    size_t caret = at.col - 1 < line.size ? at.col - 1 : line.size, from, to;
    cut_around(line, caret, &from, &to);
    text_put(out, from ? "    ..." : "    ");
    put_visible(out, line.at + from, to - from);
    text_put(out, to < line.size ? "...\n    " : "\n    ");
    text_put(out, from ? "   " : "");
    for (size_t i = from; i < caret;) {
        // The same glyphs as in the line above give the same width.
        glyph g = glyph_at(line.at + i, to - i);
        text_put_repeat(out, g.shown[0] == '\t' ? '\t' : ' ', g.shown[0] == '\t' ? 1 : g.columns);
        i += g.size;
    }
    text_put(out, colour ? "\033[1;32m^\033[0m\n" : "^\n");
}

static void put_place(text *out, loc at) {
    put_visible(out, at.src->name, strlen(at.src->name));
    if (at.line) text_format(out, ":%u:%u", at.line, at.col);
    text_put(out, ": ");
}

// `program` stands where there is no place; NULL: nothing does.
static void put_record(text *out, const char *program, const diag_record *r, bool colour) {
    static const char *const names[] = {[DIAG_ERROR] = "error", [DIAG_WARNING] = "warning", [DIAG_NOTE] = "note"};
    static const char *const codes[] = {[DIAG_ERROR] = "31", [DIAG_WARNING] = "35", [DIAG_NOTE] = "36"};
    if (r->at.src)
        put_place(out, r->at);
    else if (program)
        text_format(out, "%s: ", program);
    if (colour) {
        text_format(out, "\033[1;%sm%s:\033[0m ", codes[r->level], names[r->level]);
    } else {
        text_format(out, "%s: ", names[r->level]);
    }
    put_message(out, r->message);
    if (r->at.src) put_excerpt(out, r->at, colour);
}

static void put_rest(text *out, uint32_t count, const char *what) {
    if (count <= DIAG_LIMIT) return;
    uint32_t more = count - DIAG_LIMIT;
    text_format(out, "%u more %s%s not shown\n", more, what, more == 1 ? "" : "s");
}

void diag_print_from(const diag *d, const char *program, text *out, bool colour) {
    for (uint32_t i = 0; i < d->len; i++) put_record(out, program, &d->record[i], colour);
    put_rest(out, d->errors, "error");
    put_rest(out, d->warnings, "warning");
}

void diag_print(const diag *d, text *out, bool colour) { diag_print_from(d, NULL, out, colour); }
