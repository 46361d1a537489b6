// utf8.c - reading and writing UTF-8.
#include "base/utf8.h"
#include "base/attributes.h"
#include "base/text.h"
#include <string.h>

static bool is_tail(unsigned char byte) { return (byte & 0xc0) == 0x80; }

size_t utf8_decode(const char *s, size_t size, uint32_t *point) {
    // By length: the smallest point that needs it, and the bits of the first byte that belong to the point.
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    if (!size) return 0;
    unsigned char first = (unsigned char)s[0];
    // 0x80 to 0xbf continue a character, 0xf8 and more begin none.
    size_t length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
    if (!length || length > size) return 0;
    uint32_t value = first & mask[length];
    for (size_t i = 1; i < length; i++) {
        unsigned char byte = (unsigned char)s[i];
        if (!is_tail(byte)) return 0;
        value = value << 6 | (byte & 0x3f);
    }
    // Overlong forms, values beyond Unicode and halves of UTF-16 pairs.
    if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return 0;
    *point = value;
    return length;
}

size_t utf8_encode(uint32_t point, char out[4]) {
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    size_t length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    // From the last byte, six bits each; what is left goes into the first.
    for (size_t i = length - 1; i > 0; i--, point >>= 6) out[i] = (char)(0x80 | (point & 0x3f));
    out[0] = (char)(lead[length] | point);
    return length;
}

size_t utf8_first_bad(const char *s, size_t size) {
    static const uint64_t high_bits = 0x8080808080808080u;
    for (size_t i = 0; i < size;) {
        uint64_t word;
        if (size - i >= sizeof word && (memcpy(&word, s + i, sizeof word), !(word & high_bits))) {
            i += sizeof word; // eight ASCII bytes at once
            continue;
        }
        uint32_t point;
        size_t length = utf8_decode(s + i, size - i, &point);
        if (!length) return i;
        i += length;
    }
    return size;
}

bool text_is_utf8(const char *s, size_t size) { return utf8_first_bad(s, size) == size; }

typedef struct range {
    uint32_t first, last;
} range;

// The tables are short, and ASCII never comes here: a plain search does.
static bool in_ranges(uint32_t point, const range *ranges, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (point >= ranges[i].first && point <= ranges[i].last) return true;
    return false;
}

bool utf8_is_hidden(uint32_t point) {
    // Controls, soft hyphen, zero-width and direction marks, line separators, byte order mark, tags.
    static const range hidden[] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},     {0x200b, 0x200f},
                                   {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xe0000, 0xe007f}};
    return in_ranges(point, hidden, COUNT(hidden));
}

// The blocks that matter in practice, not the whole of Unicode's East Asian Width.
unsigned utf8_columns(uint32_t point) {
    static const range combining[] = {{0x300, 0x36f}, {0x1ab0, 0x1aff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};
    static const range wide[] = {{0x1100, 0x115f},   {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},  {0xf900, 0xfaff},
                                 {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f},
                                 {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
    // Nearly everything: no table is searched.
    if (point < 0x300) return 1;
    if (in_ranges(point, combining, COUNT(combining))) return 0;
    return in_ranges(point, wide, COUNT(wide)) ? 2 : 1;
}
