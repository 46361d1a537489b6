// build_attr.c - operator attributes: defaults read from the table's text, values brought into their row's form.
#include "graph/build_inside.h"
#include <stdlib.h>
#include <string.h>

// --- Reading a default: None, True, False, 3, -1, 0.5, "text", [1, 1]. The table is ours, so anything else is a bug.

typedef struct preset_reader {
    arena *mem;
    const char *at;
} preset_reader;

static bool eat(preset_reader *r, const char *word) {
    size_t size = strlen(word);
    if (strncmp(r->at, word, size) != 0) return false;
    r->at += size;
    return true;
}

static const attr *read_value(preset_reader *r);

static const attr *read_quoted(preset_reader *r) {
    const char *end = strchr(r->at, '"');
    CHECK(end);
    const attr *a = attr_string(r->mem, r->at, (size_t)(end - r->at));
    r->at = end + 1;
    return a;
}

static const attr *read_list(preset_reader *r) {
    VEC(const attr *) list = {0};
    while (!eat(r, "]")) {
        const attr *element = read_value(r);
        VEC_PUSH(r->mem, &list, element);
        eat(r, ",");
        while (eat(r, " ")) {}
    }
    return attr_list(r->mem, list.at, list.len);
}

static const attr *read_number(preset_reader *r) {
    size_t size = strspn(r->at, "+-0123456789.e");
    CHECK(size > 0);
    const char *word = arena_copy(r->mem, r->at, size);
    r->at += size;
    return strpbrk(word, ".e") ? attr_float(r->mem, strtod(word, NULL)) : attr_int(r->mem, strtoll(word, NULL, 10));
}

static const attr *read_value(preset_reader *r) {
    if (eat(r, "None")) return attr_none();
    if (eat(r, "True")) return attr_bool(r->mem, true);
    if (eat(r, "False")) return attr_bool(r->mem, false);
    if (eat(r, "\"")) return read_quoted(r);
    return eat(r, "[") ? read_list(r) : read_number(r);
}

const attr *builder_preset(module *m, const op_attr *row) {
    const attr *known = map_find(&m->presets, MAP_KEY(row));
    if (known) return known;
    preset_reader r = {.mem = m->mem, .at = row->preset};
    const attr *value = read_value(&r);
    CHECK(*r.at == '\0');
    // None means "not given" for any kind of attribute; the rest must fit its own row.
    if (value->kind != ATTR_NONE || row->kind == OPATTR_DTYPE) value = builder_attr(m->mem, row, value);
    CHECK(value);
    map_put(&m->presets, MAP_KEY(row), (void *)(uintptr_t)value);
    return value;
}

// --- Bringing into form.

static const attr *as_int(arena *mem, const attr *a) {
    int64_t value;
    if (a->kind == ATTR_INT) return a;
    return attr_get_int(a, &value) ? attr_int(mem, value) : NULL;
}

static const attr *as_bool(arena *mem, const attr *a) {
    int64_t value;
    if (a->kind == ATTR_BOOL) return a;
    return attr_get_int(a, &value) && (value == 0 || value == 1) ? attr_bool(mem, value) : NULL;
}

static const attr *as_float(arena *mem, const attr *a) {
    int64_t value;
    if (a->kind == ATTR_FLOAT) return a;
    if (a->kind == ATTR_EXPR && a->as.e->op == EXPR_FLOAT) return attr_float(mem, a->as.e->as.fval);
    return attr_get_int(a, &value) ? attr_float(mem, (double)value) : NULL;
}

static const attr *as_dtype(arena *mem, const attr *a) {
    dtype type = {0};
    if (a->kind == ATTR_DTYPE) return a;
    if (a->kind == ATTR_NONE || (a->kind == ATTR_STRING && a->size == 0)) return attr_dtype(mem, type);
    return a->kind == ATTR_STRING && dtype_parse(a->as.text, a->size, &type) ? attr_dtype(mem, type) : NULL;
}

static const attr *as_ints(arena *mem, const attr *a) {
    if (a->kind != ATTR_LIST) {
        const attr *one = as_int(mem, a);
        return one ? attr_list(mem, &one, 1) : NULL;
    }
    const attr **list = ARENA_NEW(mem, const attr *, a->count);
    for (uint32_t i = 0; i < a->count; i++)
        if (!(list[i] = as_int(mem, a->list[i]))) return NULL;
    return attr_list(mem, list, a->count);
}

const attr *builder_attr(arena *mem, const op_attr *row, const attr *a) {
    bool unset = a->kind == ATTR_NONE && row->preset && strcmp(row->preset, "None") == 0;
    if (unset && row->kind != OPATTR_DTYPE) return a;
    switch (row->kind) {
    case OPATTR_INT: return as_int(mem, a);
    case OPATTR_BOOL: return as_bool(mem, a);
    case OPATTR_FLOAT: return as_float(mem, a);
    case OPATTR_STRING: return a->kind == ATTR_STRING ? a : NULL;
    case OPATTR_DTYPE: return as_dtype(mem, a);
    case OPATTR_INTS: return a->kind == ATTR_NONE ? a : as_ints(mem, a);
    case OPATTR_ANY: return a;
    }
    return NULL;
}
