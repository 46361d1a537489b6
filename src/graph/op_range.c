// op_range.c - which values an attribute takes, as its row says.
#include "graph/op.h"
#include <stdlib.h>
#include <string.h>

bool op_range_is_interval(const op_attr *row) { return *row->range == '[' || *row->range == '('; }

// "[0, 1)": each end with its own bracket. A NaN lies in none.
static bool inside(const char *of, const attr *a) {
    char *at;
    double value;
    if (!attr_get_real(a, &value)) return false;
    double low = strtod(of + 1, &at);
    CHECK(*at == ',');
    double high = strtod(at + 1, &at);
    CHECK((*at == ']' || *at == ')') && !at[1]);
    return (*of == '[' ? value >= low : value > low) && (*at == ']' ? value <= high : value < high);
}

static bool same_word(const char *word, size_t size, const char *value) {
    return strlen(value) == size && memcmp(word, value, size) == 0;
}

// A word for a string is the string itself, for a dtype its name or its class, for a number its digits.
static bool is_word(const char *word, size_t size, const attr *a) {
    char spelled[32];
    int64_t whole;
    if (a->kind == ATTR_STRING) return a->size == size && memcmp(word, a->as.text, size) == 0;
    if (a->kind == ATTR_DTYPE && same_word(word, size, "floats")) return dtype_is_float(a->as.type);
    if (a->kind == ATTR_DTYPE && same_word(word, size, "integers")) return dtype_is_int(a->as.type);
    if (a->kind == ATTR_DTYPE) return same_word(word, size, dtype_spell(a->as.type, spelled));
    return attr_get_int(a, &whole) && strtoll(word, NULL, 10) == whole;
}

static bool among(const char *words, const attr *a) {
    for (const char *p = words;; p++) {
        size_t size = strcspn(p, "|");
        if (is_word(p, size, a)) return true;
        p += size;
        if (!*p) return false;
    }
}

static bool may_be_unset(const op_attr *row) {
    return row->preset && (strcmp(row->preset, "None") == 0 || strcmp(row->preset, "\"void\"") == 0);
}

bool op_attr_takes(const op_attr *row, const attr *a) {
    bool unset = a->kind == ATTR_NONE || (a->kind == ATTR_DTYPE && !a->as.type.kind);
    if (unset && row->kind != OPATTR_ANY) return may_be_unset(row);
    if (a->kind == ATTR_DTYPE && a->as.type.kind && dtype_family_of(a->as.type) == FAMILY_NONE)
        return false; // a handle
    if (!row->range || unset) return true;
    bool list = a->kind == ATTR_LIST;
    for (uint32_t i = 0; list && i < a->count; i++)
        if (!op_attr_takes(row, a->list[i])) return false;
    return list || (op_range_is_interval(row) ? inside(row->range, a) : among(row->range, a));
}

void op_attr_put_range(text *out, const op_attr *row) {
    bool quoted = row->kind == OPATTR_STRING || row->kind == OPATTR_DTYPE || row->kind == OPATTR_ANY;
    const char *before = "";
    if (op_range_is_interval(row)) {
        text_format(out, "in %s", row->range);
        return;
    }
    for (const char *p = row->range;; p++) {
        size_t size = strcspn(p, "|");
        bool floats = same_word(p, size, "floats"), integers = same_word(p, size, "integers");
        const char *quote = quoted && !floats && !integers ? "\"" : "";
        if (floats || integers) text_format(out, "%s%s dtype", before, floats ? "a float" : "an integer");
        if (!floats && !integers) text_format(out, "%s%s%.*s%s", before, quote, (int)size, p, quote);
        p += size;
        if (!*p) return;
        before = strchr(p + 1, '|') ? ", " : " or ";
    }
}
