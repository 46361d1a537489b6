// value.c - values with reference counts, and copies at the border.
#include "interp/value.h"
#include <stdlib.h>
#include <string.h>

// What a counted value points to lies behind this.
typedef struct box {
    _Alignas(16) uint32_t refs;
    void (*release)(interp_closure *c); // closures
} box;

enum { BORDER_MAX_ITEMS = 1 << 20, BORDER_MAX_DEPTH = 200 };

// Counts lie before the content, so that a value stays what interp.h shows.
static void *box_new(const void *content, size_t size) {
    box *b = calloc(1, sizeof *b + size + 1);
    if (!b) return NULL;
    b->refs = 1;
    if (size) memcpy(b + 1, content, size);
    return b + 1;
}

static box *box_of(const void *content) { return (box *)(uintptr_t)content - 1; }

// Kinds without a box give NULL.
static const void *content_of(const value *v) {
    switch (v->kind) {
    case VALUE_SHAPE: return v->as.shape.dim;
    case VALUE_STRING: return v->as.text.bytes;
    case VALUE_TUPLE: return v->as.tuple.item;
    case VALUE_FUNC: return v->as.func;
    case VALUE_NULL:
    case VALUE_TENSOR:
    case VALUE_PRIM:
    case VALUE_DTYPE: break;
    }
    return NULL;
}

value value_keep(value v) {
    const void *content = content_of(&v);
    if (v.kind == VALUE_TENSOR) tensor_retain(v.as.tensor);
    if (content) box_of(content)->refs++;
    return v;
}

// Tuples are trees of values built before them: recursion ends.
static void release_content(value *v, box *b) {
    if (v->kind == VALUE_TUPLE)
        for (uint32_t i = 0; i < v->as.tuple.count; i++) value_drop(&v->as.tuple.item[i]);
    if (v->kind == VALUE_FUNC && b->release) b->release((interp_closure *)(uintptr_t)v->as.func);
    free(b);
}

void value_drop(value *v) {
    const void *content = content_of(v);
    if (v->kind == VALUE_TENSOR) tensor_release(v->as.tensor);
    if (content && --box_of(content)->refs == 0) release_content(v, box_of(content));
    *v = (value){.kind = VALUE_NULL};
}

// --- Making.

value value_of_tensor(tensor *t) { return (value){.kind = VALUE_TENSOR, .as.tensor = t}; }

value value_of_int(dtype type, int64_t i) {
    return (value){.kind = VALUE_PRIM, .as.prim = {.type = type, .scalar = {.i = i}}};
}

value value_of_dtype(dtype type) { return (value){.kind = VALUE_DTYPE, .as.type = type}; }

static value boxed(value_kind kind, const void *content) { return (value){.kind = content ? kind : VALUE_NULL}; }

value value_of_shape(const int64_t *dim, uint32_t rank) {
    int64_t *copy = box_new(dim, rank * sizeof *dim);
    value v = boxed(VALUE_SHAPE, copy);
    v.as.shape.dim = copy;
    v.as.shape.rank = rank;
    return v;
}

value value_of_text(const char *bytes, size_t size) {
    const char *copy = box_new(bytes, size);
    value v = boxed(VALUE_STRING, copy);
    v.as.text.bytes = copy;
    v.as.text.size = size;
    return v;
}

// Also when memory ran out the items' references are the tuple's: nothing leaks.
value value_of_tuple(value *item, uint32_t count) {
    value *copy = box_new(item, count * sizeof *item);
    value v = boxed(VALUE_TUPLE, copy);
    for (uint32_t i = 0; i < count; i++) {
        if (!copy) value_drop(&item[i]);
        item[i] = (value){.kind = VALUE_NULL};
    }
    v.as.tuple.item = copy;
    v.as.tuple.count = count;
    return v;
}

// `release` gives back what the closure holds.
value value_of_closure(const interp_closure *like, void (*release)(interp_closure *c)) {
    interp_closure *copy = box_new(like, sizeof *like);
    value v = boxed(VALUE_FUNC, copy);
    if (copy) box_of(copy)->release = release;
    v.as.func = copy;
    return v;
}

// --- The border.

typedef struct border {
    arena *mem; // NULL: import
    unsigned items, depth;
} border;

static bool copy_value(border *b, const value *from, value *to);

// What was copied when it fails is part of the result, which the caller releases.
static bool copy_tuple(border *b, const value *from, value *to) {
    uint32_t count = from->as.tuple.count, done = 0;
    value *item = b->mem ? ARENA_NEW(b->mem, value, count) : calloc(count + 1, sizeof *item);
    if (!item) return false;
    while (done < count && copy_value(b, &from->as.tuple.item[done], &item[done])) done++;
    if (b->mem) {
        to->as.tuple.item = item;
        to->as.tuple.count = done;
        return done == count;
    }
    *to = value_of_tuple(item, done);
    free(item);
    return done == count;
}

static bool copy_boxed(border *b, const value *from, value *to) {
    if (from->kind == VALUE_TUPLE) return copy_tuple(b, from, to);
    if (!b->mem && from->kind == VALUE_SHAPE) {
        *to = value_of_shape(from->as.shape.dim, from->as.shape.rank);
    } else if (!b->mem) {
        *to = value_of_text(from->as.text.bytes, from->as.text.size);
    } else if (from->kind == VALUE_SHAPE) {
        to->as.shape.dim = ARENA_NEW(b->mem, int64_t, from->as.shape.rank);
        if (from->as.shape.rank) memcpy(to->as.shape.dim, from->as.shape.dim, from->as.shape.rank * sizeof(int64_t));
    } else {
        to->as.text.bytes = arena_copy(b->mem, from->as.text.bytes, from->as.text.size);
    }
    return to->kind == from->kind;
}

// Sharing is not kept: a tuple that holds itself many times over is bounded by the count of items.
static bool copy_value(border *b, const value *from, value *to) {
    *to = (value){.kind = VALUE_NULL};
    if (++b->items > BORDER_MAX_ITEMS || b->depth >= BORDER_MAX_DEPTH) return false;
    *to = *from;
    if (from->kind != VALUE_SHAPE && from->kind != VALUE_STRING && from->kind != VALUE_TUPLE)
        return value_keep(*from), true;
    b->depth++;
    bool done = copy_boxed(b, from, to);
    b->depth--;
    return done;
}

// Tensors and functions are shared, everything else copied.
static bool cross(run *r, const value *from, arena *mem, value *to) {
    border b = {.mem = mem};
    if (copy_value(&b, from, to)) return true;
    return diag_error(r->d, (loc){0}, "a tuple is too large or nested too deeply");
}

bool value_import(run *r, const value *from, value *to) {
    if (cross(r, from, NULL, to)) return true;
    value_drop(to);
    return false;
}

bool value_export(run *r, const value *from, arena *mem, value *to) {
    if (cross(r, from, mem, to)) return true;
    interp_release(to);
    return false;
}

// Values outside of a run have no counts but their tensors' and functions'.
void interp_release(value *v) {
    if (v->kind == VALUE_TUPLE)
        for (uint32_t i = 0; i < v->as.tuple.count; i++) interp_release(&v->as.tuple.item[i]);
    if (v->kind == VALUE_TENSOR || v->kind == VALUE_FUNC)
        value_drop(v);
    else
        *v = (value){.kind = VALUE_NULL};
}

// --- Looking.

const char *value_describe(const value *v) {
    static const char *const name[] = {
        [VALUE_NULL] = "nothing",  [VALUE_TENSOR] = "a tensor", [VALUE_SHAPE] = "a shape",
        [VALUE_PRIM] = "a number", [VALUE_STRING] = "a string", [VALUE_DTYPE] = "a dtype",
        [VALUE_TUPLE] = "a tuple", [VALUE_FUNC] = "a function",
    };
    return name[v->kind];
}

bool value_number(const value *v, int64_t *out) {
    if (v->kind == VALUE_PRIM && !dtype_is_float(v->as.prim.type)) return *out = v->as.prim.scalar.i, true;
    if (v->kind != VALUE_TENSOR || v->as.tensor->rank > 0 || dtype_is_float(v->as.tensor->type)) return false;
    return *out = tensor_get_int(v->as.tensor, 0), true;
}
