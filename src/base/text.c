// text.c - text that is built piece by piece.
#define _POSIX_C_SOURCE 200809L
#include "base/text.h"
#include "base/utf8.h"
#include <stdio.h>
#include <string.h>

// Texts mostly hold a line or a name; larger ones double.
enum { FIRST_ROOM = 64 };

// Room for `size` more bytes and the NUL.
static void reserve(text *t, size_t size) {
    // Strictly less: the NUL needs its byte too.
    if (size < t->room - t->len) return;
    CHECK(size < SIZE_MAX / 4 && t->len < SIZE_MAX / 4);
    size_t room = t->room ? t->room : FIRST_ROOM;
    // Both terms are below SIZE_MAX / 4, so doubling doesn't overflow.
    while (room <= t->len + size) room *= 2;
    t->at = arena_grow(t->mem, t->at, t->room, room);
    t->room = room;
}

void text_put_n(text *t, const char *s, size_t size) {
    reserve(t, size);
    if (size) memcpy(t->at + t->len, s, size); // where it is 0, `s` may be NULL
    t->len += size;
    t->at[t->len] = '\0';
}

void text_put(text *t, const char *s) { text_put_n(t, s, strlen(s)); }

void text_put_char(text *t, char c) { text_put_n(t, &c, 1); }

void text_put_repeat(text *t, char c, size_t count) {
    reserve(t, count);
    memset(t->at + t->len, c, count);
    t->len += count;
    t->at[t->len] = '\0';
}

void text_format(text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_vformat(t, format, args);
    va_end(args);
}

void text_vformat(text *t, const char *format, va_list args) {
    // Formatted straight into the room there is; only a text that doesn't fit is formatted twice.
    va_list again;
    va_copy(again, args);
    reserve(t, FIRST_ROOM);
    size_t room = t->room - t->len;
    int size = vsnprintf(t->at + t->len, room, format, args);
    CHECK(size >= 0);
    if ((size_t)size >= room) {
        reserve(t, (size_t)size);
        vsnprintf(t->at + t->len, (size_t)size + 1, format, again);
    }
    t->len += (size_t)size;
    va_end(again);
}

// The short escape of a byte, or NULL.
static const char *short_escape(char c) {
    switch (c) {
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\\': return "\\\\";
    case '"': return "\\\"";
    default: return NULL;
    }
}

void text_put_quoted(text *t, const char *s, size_t size) {
    text_put_char(t, '"');
    for (size_t i = 0; i < size;) {
        uint32_t point;
        size_t length = utf8_decode(s + i, size - i, &point);
        const char *escape = short_escape(s[i]);
        // A byte that begins no character is written alone, and the next one looked at afresh.
        if (escape) {
            text_put(t, escape);
        } else if (!length || point < 0x20 || point == 0x7f) {
            text_format(t, "\\x%02x", (unsigned char)s[i]);
        } else {
            text_put_n(t, s + i, length);
        }
        i += length ? length : 1;
    }
    text_put_char(t, '"');
}

const char *text_get(const text *t) { return t->at ? t->at : ""; } // NULL until something is put

bool text_starts(const char *s, const char *prefix) { return strncmp(s, prefix, strlen(prefix)) == 0; }

bool text_ends(const char *s, const char *suffix) {
    size_t size = strlen(s), end = strlen(suffix);
    return size >= end && memcmp(s + size - end, suffix, end) == 0;
}
