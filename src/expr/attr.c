// attr.c - attribute values: building, finding, comparing, printing.
#include "expr/attr.h"
#include <string.h>

// Zero is "nothing" in every field: only what the kind uses is set.
static attr *attr_new(arena *mem, attr_kind kind) {
    attr *a = ARENA_NEW(mem, attr, 1);
    a->kind = kind;
    return a;
}

// One for all: it holds nothing, so it needs no arena.
const attr *attr_none(void) {
    static const attr none = {.kind = ATTR_NONE};
    return &none;
}

const attr *attr_bool(arena *mem, bool value) {
    attr *a = attr_new(mem, ATTR_BOOL);
    a->as.i = value;
    return a;
}

const attr *attr_int(arena *mem, int64_t value) {
    attr *a = attr_new(mem, ATTR_INT);
    a->as.i = value;
    return a;
}

const attr *attr_float(arena *mem, double value) {
    attr *a = attr_new(mem, ATTR_FLOAT);
    a->as.f = value;
    return a;
}

// The text is copied with a NUL; `size` counts without it, and the text may hold NULs itself.
static const attr *new_text(arena *mem, attr_kind kind, const char *bytes, size_t size) {
    attr *a = attr_new(mem, kind);
    a->as.text = arena_copy(mem, bytes, size);
    a->size = size;
    return a;
}

const attr *attr_string(arena *mem, const char *bytes, size_t size) { return new_text(mem, ATTR_STRING, bytes, size); }

const attr *attr_func(arena *mem, const char *name) { return new_text(mem, ATTR_FUNC, name, strlen(name)); }

const attr *attr_dtype(arena *mem, dtype type) {
    attr *a = attr_new(mem, ATTR_DTYPE);
    a->as.type = type;
    return a;
}

const attr *attr_expr(arena *mem, const expr *e) {
    attr *a = attr_new(mem, ATTR_EXPR);
    a->as.e = e;
    return a;
}

const attr *attr_buffer(arena *mem, const struct buffer *b) {
    attr *a = attr_new(mem, ATTR_BUFFER);
    a->as.buffer = b;
    return a;
}

// The elements are copied: callers build them in scratch memory.
static attr *new_list(arena *mem, attr_kind kind, const attr *const *element, uint32_t count) {
    const attr **copy = ARENA_NEW(mem, const attr *, count);
    for (uint32_t i = 0; i < count; i++) copy[i] = element[i];
    attr *a = attr_new(mem, kind);
    a->list = copy;
    a->count = count;
    return a;
}

const attr *attr_list(arena *mem, const attr *const *element, uint32_t count) {
    return new_list(mem, ATTR_LIST, element, count);
}

// The most frequent list: axes, strides, paddings.
const attr *attr_ints(arena *mem, const int64_t *value, uint32_t count) {
    const attr **element = ARENA_NEW(mem, const attr *, count);
    for (uint32_t i = 0; i < count; i++) element[i] = attr_int(mem, value[i]);
    attr *a = attr_new(mem, ATTR_LIST);
    a->list = element;
    a->count = count;
    return a;
}

// Keys in the order given, which is the order they print in. Keys must differ; a caller's duty.
const attr *attr_dict(arena *mem, const char *const *key, const attr *const *value, uint32_t count) {
    const char **keys = ARENA_NEW(mem, const char *, count);
    for (uint32_t i = 0; i < count; i++) keys[i] = arena_copy(mem, key[i], strlen(key[i]));
    attr *a = new_list(mem, ATTR_DICT, value, count);
    a->key = keys;
    return a;
}

static const attr *exprs_list(arena *mem, const expr *const *e, uint32_t count) {
    const attr **element = ARENA_NEW(mem, const attr *, count);
    for (uint32_t i = 0; i < count; i++) element[i] = attr_expr(mem, e[i]);
    return attr_list(mem, element, count);
}

// Two lists: the variables, then what an index becomes.
const attr *attr_index_map(arena *mem, const expr *const *var, uint32_t vars, const expr *const *result,
                           uint32_t results) {
    const attr *part[] = {exprs_list(mem, var, vars), exprs_list(mem, result, results)};
    return new_list(mem, ATTR_INDEX_MAP, part, 2);
}

// Three lists: both operands' variables (a pair for each of `count` values), the combination, the neutral elements.
const attr *attr_reducer(arena *mem, const expr *const *var, const expr *const *result, const expr *const *neutral,
                         uint32_t count) {
    const attr *part[] = {exprs_list(mem, var, 2 * count), exprs_list(mem, result, count),
                          exprs_list(mem, neutral, count)};
    return new_list(mem, ATTR_REDUCER, part, 3);
}

// Dictionaries have a handful of keys.
static bool find_key(const attr *dict, const char *key, uint32_t *at) {
    if (!dict || dict->kind != ATTR_DICT) return false;
    for (*at = 0; *at < dict->count; ++*at)
        if (strcmp(dict->key[*at], key) == 0) return true;
    return false;
}

const attr *attr_find(const attr *dict, const char *key) {
    uint32_t at;
    return find_key(dict, key, &at) ? dict->list[at] : NULL;
}

// Keys keep their places, so that a changed dictionary prints like the one before.
const attr *attr_with(arena *mem, const attr *dict, const char *key, const attr *value) {
    uint32_t count = dict ? dict->count : 0, at = 0, len = 0;
    bool found = find_key(dict, key, &at);
    const char **keys = ARENA_NEW(mem, const char *, count + 1);
    const attr **values = ARENA_NEW(mem, const attr *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        bool here = found && i == at;
        if (here && !value) continue;
        keys[len] = dict->key[i];
        values[len++] = here ? value : dict->list[i];
    }
    if (!found && value) {
        keys[len] = key;
        values[len++] = value;
    }
    return attr_dict(mem, keys, values, len);
}

// What is an int in Python may come as an int32 or int64 constant: TVM prints both.
bool attr_get_int(const attr *a, int64_t *out) {
    if (!a) return false;
    if (a->kind == ATTR_EXPR) return expr_const_int(a->as.e, out);
    if (a->kind != ATTR_INT && a->kind != ATTR_BOOL) return false;
    *out = a->as.i;
    return true;
}

bool attr_get_real(const attr *a, double *out) {
    int64_t whole;
    bool is_whole = attr_get_int(a, &whole), folded = a && a->kind == ATTR_EXPR && a->as.e->op == EXPR_FLOAT;
    if (is_whole) *out = (double)whole;
    if (folded) *out = a->as.e->as.fval;
    if (a && a->kind == ATTR_FLOAT) *out = a->as.f;
    return is_whole || folded || (a && a->kind == ATTR_FLOAT);
}

// Absent is false.
bool attr_is_true(const attr *dict, const char *key) {
    int64_t value;
    return attr_get_int(attr_find(dict, key), &value) && value != 0;
}

// --- Printing.

// Python has no literal for what is not finite, and a whole number without a point would read back as an int.
static void print_float(text *out, double value) {
    text digits = TEXT_IN(out->mem);
    text_put_double(&digits, value);
    const char *spelled = text_get(&digits);
    bool finite = !strpbrk(spelled, "in");
    text_format(out, finite ? "%s" : "float(\"%s\")", spelled);
    if (finite && !strpbrk(spelled, ".e")) text_put(out, ".0");
}

// "[1, 2]": one element needs no comma, unlike a tuple.
static void print_list(text *out, const attr *a, const expr_print_options *options) {
    text_put_char(out, '[');
    for (uint32_t i = 0; i < a->count; i++) {
        if (i) text_put(out, ", ");
        attr_print(out, a->list[i], options);
    }
    text_put_char(out, ']');
}

static void print_dict(text *out, const attr *a, const expr_print_options *options) {
    text_put_char(out, '{');
    for (uint32_t i = 0; i < a->count; i++) {
        if (i) text_put(out, ", ");
        text_put_quoted(out, a->key[i], strlen(a->key[i]));
        text_put(out, ": ");
        attr_print(out, a->list[i], options);
    }
    text_put_char(out, '}');
}

// Lists of ATTR_EXPR alone.
static void print_exprs(text *out, const attr *list, const expr_print_options *options) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (i) text_put(out, ", ");
        expr_print(out, list->list[i]->as.e, options);
    }
}

// T.index_map(lambda i, j: (j, i // 4))
static void print_index_map(text *out, const attr *a, const expr_print_options *options) {
    text_put(out, a->list[0]->count ? "T.index_map(lambda " : "T.index_map(lambda");
    print_exprs(out, a->list[0], options);
    text_put(out, ": (");
    print_exprs(out, a->list[1], options);
    text_put(out, a->list[1]->count == 1 ? ",))" : "))");
}

// T.comm_reducer(lambda x, y: x + y, [T.float32(0.0)])
static void print_reducer(text *out, const attr *a, const expr_print_options *options) {
    bool several = a->list[1]->count != 1;
    text_put(out, "T.comm_reducer(lambda ");
    print_exprs(out, a->list[0], options);
    text_put(out, several ? ": (" : ": ");
    print_exprs(out, a->list[1], options);
    text_put(out, several ? "), [" : ", [");
    print_exprs(out, a->list[2], options);
    text_put(out, "])");
}

// TVM writes types as strings.
static void print_dtype(text *out, dtype type) {
    char spelled[32];
    text_format(out, "\"%s\"", dtype_spell(type, spelled));
}

static void print_buffer(text *out, const struct buffer *b, const expr_print_options *options) {
    const char *name = options && options->buffer_names ? map_find(options->buffer_names, MAP_KEY(b)) : NULL;
    text_put(out, name ? name : "buffer"); // as loads of it print
}

// Closed over the kinds: a new one must have a spelling.
void attr_print(text *out, const attr *a, const expr_print_options *options) {
    switch (a->kind) {
    case ATTR_NONE: text_put(out, "None"); return;
    case ATTR_BOOL: text_put(out, a->as.i ? "True" : "False"); return;
    case ATTR_INT: text_format(out, "%lld", (long long)a->as.i); return;
    case ATTR_FLOAT: print_float(out, a->as.f); return;
    case ATTR_STRING: text_put_quoted(out, a->as.text, a->size); return;
    case ATTR_DTYPE: print_dtype(out, a->as.type); return;
    case ATTR_EXPR: expr_print(out, a->as.e, options); return;
    case ATTR_BUFFER: print_buffer(out, a->as.buffer, options); return;
    case ATTR_LIST: print_list(out, a, options); return;
    case ATTR_DICT: print_dict(out, a, options); return;
    case ATTR_INDEX_MAP: print_index_map(out, a, options); return;
    case ATTR_REDUCER: print_reducer(out, a, options); return;
    case ATTR_FUNC:
        text_format(out, "%s.%s", options && options->module ? options->module : "Module", a->as.text);
        return;
    }
}
