// options.c - the values of a pass's options: numbers, truth values, lists of words, pairs.
#include "pass/support.h"
#include <stdlib.h>
#include <string.h>

static bool refuse(const pass_ctx *c, const pass *p, const char *option, const char *wish, const char *got) {
    return diag_error(c->d, (loc){0}, "%s: %s: want %s, got '%s'", p->name, option, wish, got);
}

bool pass_get_int(const pass_ctx *c, const pass *p, const char *option, int64_t *out) {
    const char *value = pass_get(c, p, option);
    char *end;
    *out = strtoll(value, &end, 10);
    return (*value && !*end) || refuse(c, p, option, "a number", value);
}

// Python's spelling is what users of TVM paste.
bool pass_get_bool(const pass_ctx *c, const pass *p, const char *option, bool *out) {
    static const char *const yes[] = {"true", "True", "1"}, *const no[] = {"false", "False", "0"};
    const char *value = pass_get(c, p, option);
    for (size_t i = 0; i < COUNT(yes); i++) {
        *out = strcmp(value, yes[i]) == 0;
        if (*out || strcmp(value, no[i]) == 0) return true;
    }
    return refuse(c, p, option, "true or false", value);
}

static bool is_none(const char *value) { return !*value || strcmp(value, "None") == 0; }

// What stands between an opening and a closing bracket; the whole text where there are none.
static char *inside(arena *mem, const char *value, char open, char close) {
    size_t size = strlen(value);
    bool bracketed = size >= 2 && value[0] == open && value[size - 1] == close;
    return bracketed ? arena_copy(mem, value + 1, size - 2) : arena_copy(mem, value, size);
}

// One word without spaces and quotes around it.
static char *trimmed(char *word) {
    word += strspn(word, " \"'");
    size_t size = strlen(word);
    while (size && strchr(" \"'", word[size - 1])) size--;
    word[size] = 0;
    return word;
}

// Brackets may be left out for a single name.
bool pass_get_words(const pass_ctx *c, const pass *p, const char *option, arena *mem, word_list *out) {
    const char *value = pass_get(c, p, option);
    if (is_none(value)) return true;
    char *item = inside(mem, value, '[', ']');
    for (char *next; item; item = next) {
        if ((next = strchr(item, ','))) *next++ = 0;
        char *word = trimmed(item);
        if (!*word) return refuse(c, p, option, "names as [a, b]", value);
        VEC_PUSH(mem, out, word);
    }
    return true;
}

// The last colon divides: names of symbols have none, paths may.
bool pass_get_pairs(const pass_ctx *c, const pass *p, const char *option, arena *mem, const attr **out) {
    const char *value = pass_get(c, p, option);
    *out = NULL;
    if (is_none(value)) return true;
    char *item = inside(mem, value, '{', '}');
    for (char *next; item; item = next) {
        if ((next = strchr(item, ','))) *next++ = 0;
        char *colon = strrchr(item, ':');
        if (!colon) return refuse(c, p, option, "pairs as {name: value}", value);
        *colon++ = 0;
        const char *key = trimmed(item), *written = trimmed(colon);
        if (!*key || !*written) return refuse(c, p, option, "pairs as {name: value}", value);
        *out = attr_with(mem, *out, key, attr_string(mem, written, strlen(written)));
    }
    return true;
}
