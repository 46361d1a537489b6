// format_text.c - spells the expressions of block formats: names replaced, functions written out over the bytes.
#include "ops/format_text.h"
#include "base/text.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 4, MAX_DEPTH = 8 };

// A function of the rows as text over its arguments: $1, $2, $3 behind the block, which is $0.
typedef struct spelling {
    const char *name;
    const char *text;
} spelling;
static const spelling spellings[] = {
    {"u8", "cast($0 + $1], int32)"},
    {"i8", "cast(cast($0 + $1], int8), int32)"},
    {"bits", "(cast($0 + $1], int32) >> cast($2, int32) & $3)"},
    {"u16", "(cast($0 + $1], uint16) | cast($0 + $1 + 1], uint16) << 8)"},
    {"f16", "cast(reinterpret(u16(b, $1), float16), float32)"},
    {"bf16", "cast(reinterpret(u16(b, $1), bfloat16), float32)"},
    {"scaled", "($1 * cast($2, float32))"},
    {"power_of_3", "(cast(0x511b090301 >> cast($1, int64) * 8, int32) & 255)"},
    {"nibble_of", "cast(cast(select($3 < 8, $1, $2) >> cast($3 & 7, int64) * 8, int8), int32)"},
    {"e8m0_half",
     "reinterpret(select(u8(b, $1) < 2, 0x200000 << min(u8(b, $1), 1), max(u8(b, $1), 1) - 1 << 23), float32)"},
    {"half_of", "cast(reinterpret(cast($1, uint16), float16), float32)"},
    {"sign_bit", "(($1 | (popcount($1) & 1) << 7) >> cast($2, int32) & 1)"},
    {"octet_of", "cast(cast($1 >> cast($2, int64) * 8, int8), int32)"},
    {"ue4m3_half", "select($1 == 0 or $1 == 127, 0.0, select($1 >> 3 & 15 == 0, cast($1 & 7, float32) * 0.0009765625, "
                   "reinterpret(($1 >> 3 & 15) + 119 << 23 | ($1 & 7) << 20, float32)))"},
    {"down", "($1 >> cast($2, uint32))"},
    {"up", "($1 << cast($2, uint32))"},
    {"codes", "select($2 == 0, lookup_grid($1, $3, $4, 0), lookup_grid($1, $3, $4, 1))"},
    {"pairs", "select($3 == 0, $1 & 0x00ff00ff | ($2 & 0x00ff00ff) << 8, $1 >> 8 & 0x00ff00ff | $2 & 0xff00ff00)"},
    {"nibbles", "select($2 == 0, $1 & 0x000f000f | $1 << 4 & 0x0f000f00, $1 >> 8 & 0x000f000f | $1 >> 4 & 0x0f000f00)"},
    {"folded", "($1 ^ $1 >> $2)"},
    {"eight", "($1 & 0x7f7f7f7f | (folded(folded(folded($1 & 0x7f7f7f7f, 4), 2), 1) & 0x01010101) << 7)"},
    {"marked", "select($3 == 2, $1 & 0xfbfbfbfb | ($2 & 0x01010101) << 2, $1 & 0xf7f7f7f7 | ($2 & 0x01010101) << 3)"},
    {"tops", "dp4a(down($1, $2) & 0x01010101, cast($3, int32), cast(1, int32))"},
    {"everywhere", "select(($1 & 1) == 0, cast(0, uint32), cast($2, uint32))"},
    {"swapped", "($1 % 2 * 2 + $1 / 2)"},
    {"digit_at", "select(w < 8, $1 * 32 + w, select(w < 12, 152 + $1 / 2 * 32 + $1 % 2 * 4 + w, 228 + $1 % 4))"},
    {"f32", "reinterpret(cast(u16(b, $1), uint32) | cast(u16(b, $1 + 2), uint32) << 16, float32)"},
};

// What names stand for while a text is written out.
typedef struct scope {
    arena *mem;
    const char *k, *j, *block; // j NULL: none
    const char *i, *w, *c;     // of a layout; NULL: none
    const char *word, *lane;   // around the number of a word; NULL: none
    const char *const *arg;    // $1, $2, … in the text of a function
    const format_words *words; // NULL: the block's bytes are at hand
    uint32_t depth;
} scope;

static const char *expand(const scope *s, const char *from, size_t size);

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The arguments of a call, written out; `from` is behind the bracket. Returns what is behind the closing one.
static const char *read_arguments(const scope *s, const char *from, const char *arg[MAX_ARGUMENTS], uint32_t *count) {
    uint32_t open = 0;
    *count = 0;
    for (const char *start = from;; from++) {
        bool ends = !open && (*from == ',' || *from == ')');
        CHECK(*from && (!ends || *count < MAX_ARGUMENTS));
        open += *from == '(';
        if (ends) {
            arg[(*count)++] = expand(s, start, (size_t)(from - start));
            start = from + 1;
        }
        if (ends && *from == ')') return from + 1;
        open -= *from == ')';
    }
}

static void put_spelling(text *out, const scope *s, const spelling *f, const char *const *arg) {
    scope inside = *s;
    inside.arg = strcmp(arg[0], "b") == 0 ? arg + 1 : arg;
    inside.depth++;
    CHECK(inside.depth < MAX_DEPTH);
    text_put(out, expand(&inside, f->text, strlen(f->text)));
}

static void put_part(text *out, const scope *s, const format_part *p, const char *argument) {
    scope inside = *s;
    inside.j = argument;
    inside.depth++;
    CHECK(inside.depth < MAX_DEPTH);
    text_format(out, "(%s)", expand(&inside, p->text, strlen(p->text)));
}

static const spelling *find_spelling(const char *name, size_t size) {
    for (size_t i = 0; i < COUNT(spellings); i++)
        if (strlen(spellings[i].name) == size && memcmp(spellings[i].name, name, size) == 0) return &spellings[i];
    return NULL;
}

static const format_part *find_part(const char *name, size_t size) {
    uint32_t count;
    const format_part *part = format_parts(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strlen(part[i].name) == size && memcmp(part[i].name, name, size) == 0) return &part[i];
    return NULL;
}

// The word of four entries that number `index` is in: a balanced tree of choices, so that a program needs no table.
static void put_words(text *out, const format_grid *g, uint32_t from, uint32_t to, const char *index) {
    if (to - from == 4) {
        const uint16_t *e = g->entry + from;
        unsigned long long word =
            (unsigned long long)e[3] << 48 | (unsigned long long)e[2] << 32 | (unsigned long long)e[1] << 16 | e[0];
        text_format(out, "0x%llx", word);
        return;
    }
    uint32_t middle = from + (to - from) / 8 * 4;
    text_format(out, "select(%s < %u, ", index, middle);
    put_words(out, g, from, middle, index);
    text_put(out, ", ");
    put_words(out, g, middle, to, index);
    text_put(out, ")");
}

// grid(name, index, shift, mask)
static void put_grid(text *out, const char *const *arg) {
    uint32_t count;
    const format_grid *g = format_grids(&count);
    while (count && strcmp(g->name, arg[0]) != 0) g++, count--;
    CHECK(count);
    text_put(out, "cast(");
    put_words(out, g, 0, g->count, arg[1]);
    text_format(out, " >> (cast(%s, int64) & 3) * 16 + cast(%s, int64) & %s, int32)", arg[1], arg[2], arg[3]);
}

// --- Bytes in the halves of a head.

static bool is_number(const char *t) { return t[strspn(t, "0123456789")] == 0; }

// The number among the head's bytes of the one at `at` in the block. Places in the second run begin with its number:
// "66 + k / 32".
static const char *byte_number(const scope *s, const char *at) {
    const format_head *h = s->words->head;
    unsigned long n = strtoul(at, NULL, 10);
    bool second = h->bytes[1] && n >= h->first[1];
    uint32_t first = h->first[second], before = second ? h->bytes[0] : 0, step = second ? h->step : 1;
    if (is_number(at)) return arena_format(s->mem, "%lu", (n - first) / step + before);
    if (step == 1 && first >= before) return arena_format(s->mem, "(%s - %u)", at, first - before);
    return arena_format(s->mem, "((%s - %u) // %u + %u)", at, first, step, before);
}

// The half that the byte is in, and by how many bits it is moved there (nothing, where the whole half is meant).
static const char *half_at(const scope *s, const char *at, const char **shift) {
    const char *number = byte_number(s, at), *half = arena_format(s->mem, "%s // 2", number);
    *shift = arena_format(s->mem, "cast(%s %% 2, int32) * 8", number);
    if (is_number(number)) {
        unsigned long n = strtoul(number, NULL, 10);
        half = arena_format(s->mem, "%lu", n / 2);
        *shift = n % 2 ? "8" : "0";
    }
    return arena_format(s->mem, "%s%s, %s]", s->words->at, half, s->words->lane);
}

// u16, u8, i8, bits of a head that is bytes.
static void put_of_bytes(text *out, const scope *s, size_t which, const char *const *arg) {
    const char *number = byte_number(s, arg[1]);
    const char *byte = arena_format(s->mem, "%s%s, %s]", s->words->at, number, s->words->lane);
    const char *next = arena_format(s->mem, "%s%s + 1, %s]", s->words->at, number, s->words->lane);
    if (which == 0) text_format(out, "(cast(%s, uint16) | cast(%s, uint16) << 8)", byte, next);
    if (which == 1) text_format(out, "cast(%s, int32)", byte);
    if (which == 2) text_format(out, "cast(cast(%s, int8), int32)", byte);
    if (which == 3) text_format(out, "(cast(%s, int32) >> cast(%s, int32) & %s)", byte, arg[2], arg[3]);
}

// bits of four bytes side by side.
static void put_four(text *out, const scope *s, const char *const *arg) {
    const char *none, *next = arena_format(s->mem, "%s + 2", arg[1]);
    unsigned long mask = strtoul(arg[3], NULL, 0);
    CHECK(is_number(arg[3]) && mask < 256);
    text_format(out, "((cast(%s, uint32) | cast(%s, uint32) << 16) >> cast(%s, uint32) & 0x%08lx)",
                half_at(s, arg[1], &none), half_at(s, next, &none), arg[2], mask * 0x01010101ul);
}

// u8, i8, bits, u16; false for other functions.
static bool put_in_halves(text *out, const scope *s, const char *name, size_t size, const char *const *arg) {
    static const char *const known[] = {"u16", "u8", "i8", "bits"};
    const char *shift;
    size_t which = 0;
    while (which < COUNT(known) && (strlen(known[which]) != size || memcmp(known[which], name, size) != 0)) which++;
    if (which == COUNT(known)) return false;
    if (s->words->bytes) {
        put_of_bytes(out, s, which, arg);
        return true;
    }
    if (s->words->four) {
        CHECK(which == 3);
        put_four(out, s, arg);
        return true;
    }
    const char *half = half_at(s, arg[1], &shift);
    if (which == 0) text_put(out, half);
    if (which == 1) text_format(out, "(cast(%s, int32) >> %s & 255)", half, shift);
    if (which == 2) text_format(out, "cast(cast(cast(%s, int32) >> %s, int8), int32)", half, shift);
    if (which == 3) text_format(out, "(cast(%s, int32) >> %s + cast(%s, int32) & %s)", half, shift, arg[2], arg[3]);
    return true;
}

// A call of one of our functions or of a part; functions of the compute language stay, with their arguments
// written out. Returns what is behind it.
static const char *put_call(text *out, const scope *s, const char *name, size_t size) {
    const char *arg[MAX_ARGUMENTS];
    uint32_t count;
    const char *behind = read_arguments(s, name + size + 1, arg, &count);
    const spelling *f = find_spelling(name, size);
    const format_part *p = find_part(name, size);
    if (size == 4 && memcmp(name, "grid", 4) == 0) {
        put_grid(out, arg);
    } else if (s->word && size == 4 && memcmp(name, "word", 4) == 0) {
        text_format(out, "%s%s, %s]", s->word, arg[0], s->lane);
    } else if (s->words && put_in_halves(out, s, name, size, arg)) {
        return behind;
    } else if (f) {
        put_spelling(out, s, f, arg);
    } else if (p) {
        CHECK(count == 2);
        put_part(out, s, p, arg[1]);
    } else {
        text_format(out, "%.*s(", (int)size, name);
        for (uint32_t i = 0; i < count; i++) text_format(out, i ? ", %s" : "%s", arg[i]);
        text_put(out, ")");
    }
    return behind;
}

// What a letter stands for; NULL: it is something else.
static const char *variable(const scope *s, char letter) {
    switch (letter) {
    case 'k': return s->k;
    case 'j': return s->j;
    case 'i': return s->i;
    case 'w': return s->w;
    case 'c': return s->c;
    default: return NULL;
    }
}

static const char *put_name(text *out, const scope *s, const char *name) {
    size_t size = 0;
    while (in_name(name[size])) size++;
    if (name[size] == '(') return put_call(out, s, name, size);
    const char *value = size == 1 ? variable(s, *name) : NULL;
    if (value)
        text_format(out, "(%s)", value);
    else
        text_format(out, "%.*s", (int)size, name);
    return name + size;
}

// $0, or an argument; bracketed unless it is one word.
static void put_argument(text *out, const scope *s, uint32_t i) {
    const char *arg = i ? s->arg[i - 1] : s->block;
    text_format(out, i && strchr(arg, ' ') ? "(%s)" : "%s", arg);
}

static const char *put_number(text *out, const char *number) {
    const char *end = number;
    while (in_name(*end) || *end == '.') end++;
    bool is_float = end[-1] == 'f' && number[1] != 'x'; // C's 0.5f
    text_format(out, "%.*s", (int)(end - number - is_float), number);
    return end;
}

static const char *expand(const scope *s, const char *from, size_t size) {
    text out = TEXT_IN(s->mem);
    const char *end = from + size;
    while (from < end && *from == ' ') from++;
    while (from < end) {
        if (isalpha((unsigned char)*from)) {
            from = put_name(&out, s, from);
        } else if (isdigit((unsigned char)*from)) {
            from = put_number(&out, from);
        } else if (*from == '$') {
            put_argument(&out, s, (uint32_t)(from[1] - '0'));
            from += 2;
        } else {
            text_format(&out, *from == '/' ? "//" : "%c", *from);
            from++;
        }
    }
    return text_get(&out);
}

const char *format_text(arena *mem, const char *expression, const char *k, const char *block) {
    scope s = {.mem = mem, .k = k, .block = block};
    return expand(&s, expression, strlen(expression));
}

const char *format_text_in_words(arena *mem, const char *expression, const char *k, const format_words *words) {
    scope s = {.mem = mem, .k = k, .block = "", .words = words};
    return expand(&s, expression, strlen(expression));
}

const char *format_byte_text(arena *mem, const format_layout *l, const char *w, const char *c, const char *block) {
    scope s = {.mem = mem, .w = w, .c = c, .block = block};
    return expand(&s, l->byte, strlen(l->byte));
}

const char *format_words_text(arena *mem, const char *expression, const char *j, const char *i, const char *word,
                              const char *lane) {
    scope s = {.mem = mem, .j = j, .i = i, .block = "", .word = word, .lane = lane};
    return expand(&s, expression, strlen(expression));
}

bool format_has_offset(const block_format *f) { return strcmp(f->offset, "0.0f") != 0; }
