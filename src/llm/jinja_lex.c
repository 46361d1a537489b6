// jinja_lex.c - template text to tokens: what stands between tags, and the words inside them.
//
// White space: {%- and -%} strip all of it; else white space between a line's start and a block or comment goes
// (lstrip_blocks, unless {%+), and the newline right after a block or comment (trim_blocks, unless +%}).
#include "base/utf8.h"
#include "llm/jinja.h"
#include <errno.h>
#include <stdlib.h>

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Names may hold any character beyond ASCII; which ones are letters is not asked.
static bool is_word(char c) { return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || (c & 0x80); }

static bool looks(const jinja_lexer *l, const char *s) {
    size_t size = strlen(s);
    return (size_t)(l->end - l->at) >= size && memcmp(l->at, s, size) == 0;
}

// The one place that counts lines.
static void go_to(jinja_lexer *l, const char *to) {
    for (; l->at < to; l->at++) l->line += *l->at == '\n';
    l->heap->line = l->line;
}

// Only for what ends comments, so it runs once over the template.
static const char *find(const jinja_lexer *l, const char *from, const char *what) {
    size_t size = strlen(what);
    for (; (size_t)(l->end - from) >= size; from++) {
        if (memcmp(from, what, size) == 0) return from;
    }
    return NULL;
}

// Where the next tag or comment begins; the end when there is none.
static const char *next_tag(const jinja_lexer *l) {
    const char *at = l->at;
    while (at < l->end) {
        at = memchr(at, '{', (size_t)(l->end - at));
        if (!at || at + 1 >= l->end) break;
        if (at[1] == '{' || at[1] == '%' || at[1] == '#') return at;
        at++;
    }
    return l->end;
}

// The text before a tag, without the white space that the tag strips.
static text_span trim_before(const jinja_lexer *l, const char *begin, const char *tag) {
    const char *end = tag, *line = tag;
    char sign = tag + 2 < l->end ? tag[2] : 0;
    if (tag == l->end) return (text_span){begin, (size_t)(end - begin)};
    if (sign == '-') {
        while (end > begin && is_space(end[-1])) end--;
    } else if (tag[1] != '{' && sign != '+') {
        // lstrip_blocks: only if nothing but white space stands before the tag in its line.
        while (line > begin && is_space(line[-1]) && line[-1] != '\n') line--;
        bool starts = line > begin || l->line_starting;
        if (starts && (line == begin || line[-1] == '\n')) end = line;
    }
    return (text_span){begin, (size_t)(end - begin)};
}

// Behind the end of a tag. `sign` is what stood before the end: '-', '+' or neither.
static void after_tag(jinja_lexer *l, char sign, bool trims) {
    const char *to = l->at;
    if (sign == '-') {
        while (to < l->end && is_space(*to)) to++;
    } else if (trims && sign != '+' && to < l->end && *to == '\n') {
        to++;
    }
    l->line_starting = to > l->at && to[-1] == '\n';
    go_to(l, to);
}

static void skip_comment(jinja_lexer *l) {
    // Comments don't nest, and strings inside mean nothing.
    const char *close = find(l, l->at + 2, "#}");
    if (!close) heap_fail(l->heap, RX_INVALID_ARGUMENT, "a comment without an end");
    char sign = close > l->at + 2 ? close[-1] : 0;
    go_to(l, close + 2);
    after_tag(l, sign, true);
}

static lexer_token make(const jinja_lexer *l, token_kind kind, text_span text) {
    return (lexer_token){.kind = kind, .line = l->line, .text = text};
}

// "{% word %}" at `at`: where it ends, and the signs in it; NULL when it isn't that tag.
static const char *match_tag(const jinja_lexer *l, const char *at, const char *word, char *first, char *last) {
    size_t size = strlen(word);
    if (l->end - at < 2 || at[0] != '{' || at[1] != '%') return NULL;
    at += 2;
    *first = at < l->end && (*at == '-' || *at == '+') ? *at++ : 0;
    while (at < l->end && is_space(*at)) at++;
    if ((size_t)(l->end - at) < size || memcmp(at, word, size) != 0) return NULL;
    at += size;
    while (at < l->end && is_space(*at)) at++;
    *last = at < l->end && (*at == '-' || *at == '+') ? *at++ : 0;
    return l->end - at >= 2 && at[0] == '%' && at[1] == '}' ? at + 2 : NULL;
}

// {% raw %}…{% endraw %} at a tag: what stands between is text.
static bool take_raw(jinja_lexer *l, lexer_token *out) {
    char first, last;
    const char *begin = match_tag(l, l->at, "raw", &first, &last), *close = NULL, *tag;
    if (!begin) return false;
    go_to(l, begin);
    after_tag(l, last, true);
    begin = l->at;
    // tag ends one behind the place that matched.
    for (tag = begin; tag < l->end && !close; tag++) close = match_tag(l, tag, "endraw", &first, &last);
    if (!close) heap_fail(l->heap, RX_INVALID_ARGUMENT, "a raw block without an end");
    *out = make(l, T_TEXT, trim_before(l, begin, tag - 1));
    go_to(l, close);
    after_tag(l, last, true);
    return true;
}

// Text up to the next tag. False when nothing is left of it.
static bool take_text(jinja_lexer *l, lexer_token *out) {
    const char *begin = l->at, *tag = next_tag(l);
    *out = make(l, T_TEXT, trim_before(l, begin, tag));
    go_to(l, tag);
    if (tag > begin) l->line_starting = false;
    return out->text.size > 0;
}

static lexer_token begin_tag(jinja_lexer *l) {
    bool print = l->at[1] == '{';
    lexer_token t;
    // raw is no tag but another way to write text.
    if (!print && take_raw(l, &t)) return t;
    t = make(l, print ? T_PRINT_BEGIN : T_BLOCK_BEGIN, (text_span){0});
    l->at += 2;
    if (l->at < l->end && (*l->at == '-' || (*l->at == '+' && !print))) l->at++;
    l->inside = true;
    l->printing = print;
    // Of brackets: in {{ {"a": {}} }} the first }} is no end.
    l->nesting = 0;
    return t;
}

static lexer_token end_tag(jinja_lexer *l, char sign) {
    lexer_token t = make(l, l->printing ? T_PRINT_END : T_BLOCK_END, (text_span){0});
    l->at += sign ? 3 : 2;
    l->inside = false;
    after_tag(l, sign, !l->printing);
    return t;
}

// --- Inside tags.

static uint32_t take_hex(jinja_lexer *l, const char **at, int digits) {
    uint32_t point = 0;
    for (int i = 0; i < digits; i++, (*at)++) {
        char c = *at < l->end ? *(*at) : 'x';
        int digit = is_digit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
        if (digit < 0) heap_fail(l->heap, RX_INVALID_ARGUMENT, "an escape wants %d hexadecimal digits", digits);
        point = point * 16 + (uint32_t)digit;
    }
    return point;
}

// One escape behind its backslash; Python keeps those it doesn't know.
static void take_escape(jinja_lexer *l, jinja_text *out, const char **at) {
    static const char from[] = "n\\'\"tr\nabfv", to[] = "\n\\'\"\t\r\0\a\b\f\v";
    char c = *(*at)++, bytes[4];
    const char *known = c ? strchr(from, c) : NULL;
    int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    // A backslash before a line's end joins the lines.
    if (c == '\n') return;
    if (known) {
        jinja_put_char(l->heap, out, to[known - from]);
    } else if (digits || is_digit(c)) {
        uint32_t point = digits ? take_hex(l, at, digits) : (uint32_t)(c - '0');
        if (!digits && point) heap_fail(l->heap, RX_UNSUPPORTED, "octal escapes are not supported");
        if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
            heap_fail(l->heap, RX_INVALID_ARGUMENT, "an escape for U+%X, which is no character", point);
        jinja_put(l->heap, out, (text_span){bytes, utf8_encode(point, bytes)});
    } else {
        jinja_put_char(l->heap, out, '\\');
        jinja_put_char(l->heap, out, c);
    }
}

// The token's text is decoded, in the heap.
static lexer_token take_string(jinja_lexer *l) {
    char quote = *l->at;
    lexer_token t = make(l, T_STRING, (text_span){0});
    jinja_text out = {0};
    const char *at = l->at + 1;
    while (at < l->end && *at != quote) {
        const char *begin = at;
        if (*at == '\\' && at + 1 < l->end) {
            at++;
            take_escape(l, &out, &at);
            continue;
        }
        while (at < l->end && *at != quote && *at != '\\') at++;
        if (at == begin) break; // a backslash at the very end
        jinja_put(l->heap, &out, (text_span){begin, (size_t)(at - begin)});
    }
    if (at >= l->end || *at != quote) heap_fail(l->heap, RX_INVALID_ARGUMENT, "a string without an end");
    go_to(l, at + 1);
    t.text = jinja_span(&out);
    return t;
}

// 1_000 is a number in Python, and in Jinja.
static const char *skip_digits(const jinja_lexer *l, const char *at) {
    while (at < l->end && (is_digit(*at) || (*at == '_' && at + 1 < l->end && is_digit(at[1])))) at++;
    return at;
}

static lexer_token take_number(jinja_lexer *l) {
    const char *at = skip_digits(l, l->at);
    bool whole = true;
    char text[64];
    size_t size = 0;
    // Without a digit behind it the point is an attribute's: 1.real.
    if (at + 1 < l->end && *at == '.' && is_digit(at[1])) whole = false, at = skip_digits(l, at + 1);
    if (at < l->end && (*at | 32) == 'e') {
        const char *digits = at + 1 + (at + 1 < l->end && (at[1] == '-' || at[1] == '+'));
        if (digits < l->end && is_digit(*digits)) whole = false, at = skip_digits(l, digits);
    }
    if (at - l->at >= (ptrdiff_t)sizeof text) heap_fail(l->heap, RX_UNSUPPORTED, "a number of more than 63 digits");
    for (const char *p = l->at; p < at; p++) {
        if (*p != '_') text[size++] = *p;
    }
    text[size] = 0;
    errno = 0;
    int64_t integer = strtoll(text, NULL, 10);
    if (whole && errno) heap_fail(l->heap, RX_UNSUPPORTED, "integers of more than 64 bits are not supported");
    lexer_token t = make(l, T_NUMBER, (text_span){l->at, (size_t)(at - l->at)});
    t.number = whole ? jvalue_int(integer) : jvalue_float(strtod(text, NULL));
    l->at = at;
    return t;
}

// The longer ones stand first.
static lexer_token take_operator(jinja_lexer *l) {
    static const char *const operators[] = {"//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[",
                                            "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ",", ";"};
    for (size_t i = 0; i < COUNT(operators); i++) {
        if (!looks(l, operators[i])) continue;
        lexer_token t = make(l, T_OPERATOR, span_of(operators[i]));
        l->at += t.text.size;
        if (strchr("[({", t.text.at[0])) l->nesting++;
        if (strchr("])}", t.text.at[0]) && l->nesting) l->nesting--;
        return t;
    }
    heap_fail(l->heap, RX_INVALID_ARGUMENT, "the character '%c' has no meaning here", *l->at);
}

static lexer_token take_inside(jinja_lexer *l) {
    const char *close = l->printing ? "}}" : "%}";
    const char *at = l->at;
    while (at < l->end && is_space(*at)) at++;
    go_to(l, at);
    if (l->at == l->end) heap_fail(l->heap, RX_INVALID_ARGUMENT, "a tag without an end");
    bool sign =
        (*l->at == '-' || (*l->at == '+' && !l->printing)) && l->end - l->at >= 3 && memcmp(l->at + 1, close, 2) == 0;
    if (sign) return end_tag(l, *l->at);
    if (looks(l, close) && !(l->printing && l->nesting)) return end_tag(l, 0);
    if (*l->at == '"' || *l->at == '\'') return take_string(l);
    if (is_digit(*l->at)) return take_number(l);
    if (!is_word(*l->at)) return take_operator(l);
    while (at < l->end && is_word(*at)) at++;
    lexer_token t = make(l, T_NAME, (text_span){l->at, (size_t)(at - l->at)});
    l->at = at;
    return t;
}

lexer_token jinja_next_token(jinja_lexer *l) {
    lexer_token t;
    l->heap->line = l->line;
    if (l->inside) return take_inside(l);
    while (l->at < l->end) {
        if (take_text(l, &t)) return t;
        if (l->at == l->end) break;
        if (l->at[1] != '#') return begin_tag(l);
        skip_comment(l);
    }
    return make(l, T_END, (text_span){0});
}
