// literal.c - numbers and strings by Python's rules.
#include "base/literal.h"
#include "base/attributes.h"
#include "base/text.h"
#include "base/utf8.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_ascii_name(char c) {
    char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || is_digit(c) || c == '_';
}

// Blocks of punctuation, symbols, spaces and private use; what is left is taken for letters and marks.
static bool is_name_point(uint32_t point) {
    static const uint32_t excluded[][2] = {
        {0x80, 0xa9},     {0xab, 0xb4},     {0xb6, 0xb9},     {0xbb, 0xbf},       {0xd7, 0xd7},
        {0xf7, 0xf7},     {0x2000, 0x206f}, {0x20a0, 0x20cf}, {0x2190, 0x2bff},   {0x3000, 0x3004},
        {0x3008, 0x3020}, {0xe000, 0xf8ff}, {0xfe10, 0xfe6f}, {0xfeff, 0xff0f},   {0xff1a, 0xff20},
        {0xff3b, 0xff40}, {0xff5b, 0xff65}, {0xffe0, 0xffff}, {0x1f000, 0x1faff}, {0xe0000, 0x10ffff},
    };
    for (size_t i = 0; i < COUNT(excluded); i++)
        if (point >= excluded[i][0] && point <= excluded[i][1]) return false;
    return true;
}

size_t name_char_size(const char *p, const char *end) {
    if (p >= end) return 0;
    if ((unsigned char)*p < 0x80) return is_ascii_name(*p);
    uint32_t point;
    size_t size = utf8_decode(p, (size_t)(end - p), &point);
    return size && is_name_point(point) ? size : 0;
}

// The value of a digit in any base up to 16, or 99.
static unsigned digit_value(char c) {
    char lower = (char)(c | 0x20);
    if (is_digit(c)) return (unsigned)(c - '0');
    return lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a' + 10) : 99;
}

// Digits of one base with single underscores between them; adds their value to `n`.
static const char *scan_digits(const char *p, const char *end, unsigned base, number *n) {
    // An underscore counts only before a digit; the value wraps once it is too big.
    for (; p < end; p++) {
        if (*p == '_' && p + 1 < end && digit_value(p[1]) < base) p++;
        unsigned digit = digit_value(*p);
        if (digit >= base) break;
        if (__builtin_mul_overflow(n->ival, base, &n->ival) || __builtin_add_overflow(n->ival, digit, &n->ival))
            n->too_big = true;
    }
    return p;
}

static unsigned prefix_base(const char *p, const char *end) {
    // 0x1F, 0o17, 0b101, in either case.
    if (end - p < 2 || p[0] != '0') return 10;
    switch (p[1] | 0x20) {
    case 'x': return 16;
    case 'o': return 8;
    case 'b': return 2;
    default: return 10;
    }
}

// A point and an exponent, if there are any, behind the digits that end at `p`.
static const char *scan_fraction(const char *p, const char *end, number *n) {
    // Only the extent matters here: the value is read from the whole text.
    number ignored = {0};
    if (p < end && *p == '.') {
        n->is_float = true;
        p++;
        if (p < end && is_digit(*p)) p = scan_digits(p, end, 10, &ignored);
    }
    if (p < end && (*p | 0x20) == 'e') {
        // Without digits the `e` belongs to a name, which then runs into the number.
        const char *digits = p + 1 < end && (p[1] == '+' || p[1] == '-') ? p + 2 : p + 1;
        if (digits < end && is_digit(*digits)) {
            n->is_float = true;
            p = scan_digits(digits, end, 10, &ignored);
        }
    }
    return p;
}

// Python refuses 012, which was octal once, and accepts 00.
static bool has_leading_zero(const char *p, const number *n) {
    return p[0] == '0' && n->end - p > 1 && (n->ival || n->too_big);
}

number number_scan(const char *p, const char *end) {
    number n = {0};
    unsigned base = prefix_base(p, end);
    const char *digits = base == 10 ? p : p + 2;
    n.end = scan_digits(digits, end, base, &n);
    // The first problem is kept: the others follow from it.
    if (n.end == digits && base != 10) n.problem = (literal_problem){"want digits behind the number's prefix", p};
    if (base == 10) n.end = scan_fraction(n.end, end, &n);
    if (base == 10 && !n.is_float && has_leading_zero(p, &n))
        n.problem = (literal_problem){"a decimal number must not begin with 0 (octal numbers begin with 0o)", p};
    if (name_char_size(n.end, end) && !n.problem.message)
        n.problem = (literal_problem){"a number must not run into a name or another number", n.end};
    // All that runs into it is taken along, so that one slip gives one error.
    for (size_t size; (size = name_char_size(n.end, end));) n.end += size;
    if (n.is_float && !n.problem.message) n.fval = text_read_float(p, (size_t)(n.end - p));
    if (n.too_big) n.ival = UINT64_MAX;
    return n;
}

size_t line_end_size(const char *p, const char *end) {
    if (p < end && *p == '\n') return 1;
    return end - p >= 2 && p[0] == '\r' && p[1] == '\n' ? 2 : 0;
}

static bool is_triple(const char *p, const char *end) { return end - p >= 3 && p[1] == p[0] && p[2] == p[0]; }

quoted quoted_scan(const char *p, const char *end) {
    char quote = *p;
    bool triple = is_triple(p, end);
    // "" is an empty string, """ opens one that may have lines.
    size_t quotes = triple ? 3 : 1;
    quoted q = {.body = p + quotes};
    for (p = q.body; p < end;) {
        if (*p == quote && (!triple || is_triple(p, end))) {
            q.closed = true;
            break;
        }
        if (!triple && line_end_size(p, end)) break;
        // A backslash guards what is behind it, in raw strings too; a line end of two bytes as a whole.
        if (*p == '\\' && end - p >= 2)
            p += line_end_size(p + 1, end) == 2 ? 3 : 2;
        else
            p++;
    }
    q.body_end = p;
    q.end = q.closed ? p + quotes : p;
    return q;
}

// Reads `count` hexadecimal digits; false when there are fewer.
static bool read_hex(const char *p, const char *end, size_t count, uint32_t *out) {
    if ((size_t)(end - p) < count) return false;
    *out = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned digit = digit_value(p[i]);
        if (digit >= 16) return false;
        *out = *out << 4 | digit;
    }
    return true;
}

static uint32_t read_octal(const char **p, const char *end) {
    uint32_t value = 0;
    // One to three digits, as many as there are.
    for (int i = 0; i < 3 && *p < end && digit_value(**p) < 8; i++) value = value * 8 + digit_value(*(*p)++);
    return value;
}

// What a backslash with one character stands for; 0 when nothing.
static char simple_escape(char c) {
    switch (c) {
    case '\\':
    case '\'':
    case '"': return c;
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    default: return 0;
    }
}

// The state of decoding: `p` reads, `out` writes.
typedef struct decoder {
    const char *p, *end;
    char *out;
    literal_problem problem;
} decoder;

static void complain(decoder *d, const char *at, const char *message) {
    // One report per string: the place of the first slip is what helps.
    if (!d->problem.message) d->problem = (literal_problem){message, at};
}

// \uNNNN and \UNNNNNNNN; p is behind the letter.
static void decode_point(decoder *d, const char *at, size_t digits) {
    uint32_t point;
    if (!read_hex(d->p, d->end, digits, &point)) {
        complain(d, at,
                 digits == 4 ? "want four hexadecimal digits behind \\u" : "want eight hexadecimal digits behind \\U");
    } else if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) {
        complain(d, at, "this escape is no character: want one up to 10FFFF and no surrogate (D800 to DFFF)");
    } else {
        d->out += utf8_encode(point, d->out);
        d->p += digits;
    }
}

static void decode_byte(decoder *d, const char *at) {
    uint32_t byte;
    if (!read_hex(d->p, d->end, 2, &byte)) {
        complain(d, at, "want two hexadecimal digits behind \\x");
        return;
    }
    *d->out++ = (char)byte;
    d->p += 2;
}

static void decode_octal(decoder *d, const char *at) {
    uint32_t byte = read_octal(&d->p, d->end);
    if (byte > 0xff) complain(d, at, "this escape is no byte: want at most \\377");
    *d->out++ = (char)(byte & 0xff);
}

// p is behind a backslash.
static void decode_escape(decoder *d) {
    const char *at = d->p - 1;
    if (d->p == d->end) { // only where the string is not closed
        *d->out++ = '\\';
        return;
    }
    // A backslash before a line end joins the lines.
    size_t line_end = line_end_size(d->p, d->end);
    char c = *d->p, simple = simple_escape(c);
    if (line_end) {
        d->p += line_end;
    } else if (simple) {
        *d->out++ = simple;
        d->p++;
    } else if (c >= '0' && c <= '7') {
        decode_octal(d, at);
    } else if (c == 'x' || c == 'u' || c == 'U') {
        d->p++;
        if (c == 'x')
            decode_byte(d, at);
        else
            decode_point(d, at, c == 'u' ? 4 : 8);
    } else if (c == 'N') {
        complain(d, at, "names of characters (\\N{...}) are not supported: write \\uNNNN");
    } else {
        *d->out++ = '\\';
    }
}

size_t quoted_decode(const quoted *q, bool raw, char *out, literal_problem *problem) {
    decoder d = {.p = q->body, .end = q->body_end, .out = out};
    while (d.p < d.end) {
        if (*d.p == '\\' && !raw) {
            d.p++;
            decode_escape(&d);
        } else if (line_end_size(d.p, d.end) == 2) {
            d.p++; // the \n that follows is kept
        } else {
            *d.out++ = *d.p++;
        }
    }
    *problem = d.problem;
    return (size_t)(d.out - out);
}
