// value_text.c - values printed in one line, compared, read from and written to .npy.
#define _POSIX_C_SOURCE 200809L
#include "base/count_noun.h"
#include "tensor/npy.h"
#include "vm/object.h"
#include "vm/value_say.h"
#include "vm/vm.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- messages ----

rx_status value_say(char *message, rx_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (message) vsnprintf(message, RX_MESSAGE, format, args);
    va_end(args);
    return status;
}

rx_status value_say_status(char *message, rx_status status, const char *text) {
    if (status == RX_OK) return RX_OK;
    const char *why = status == RX_OUT_OF_MEMORY ? "no memory for it" : "it is not a value of that type";
    return value_say(message, status, "%.200s: %s", text, why);
}

// ---- files ----

// The tensor that was read is wrapped, not copied: the value holds the only reference afterwards.
rx_status rx_tensor_load(const char *path, rx_value **out, char *message) {
    char why[FILE_WHY] = "";
    AUTO(tensor_release_at) tensor *t = NULL;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (!path) return value_say(message, RX_INVALID_ARGUMENT, "want the path of a file, got NULL");
    rx_status status = npy_read(path, &t, why);
    if (status != RX_OK) return value_say(message, status, "%s", why);
    return value_say_status(message, vm_value_of_tensor(t, out), path);
}

rx_status rx_tensor_save(const rx_value *v, const char *path, char *message) {
    char why[FILE_WHY] = "";
    if (!path) return value_say(message, RX_INVALID_ARGUMENT, "want the path of a file, got NULL");
    if (rx_value_kind(v) != RX_TENSOR)
        return value_say(message, RX_INVALID_ARGUMENT, "%.200s: want a tensor to save, got %s", path,
                         kind_name((unsigned)rx_value_kind(v)));
    rx_status status = npy_write(path, &((const vm_tensor *)v)->t, why);
    return status == RX_OK ? RX_OK : value_say(message, status, "%s", why);
}

// ---- printing ----

// Text into a fixed room; `len` goes on counting past it.
typedef struct line {
    char *out;
    size_t room, len;
} line;

static void put(line *l, const char *format, ...) RX_PRINTF(2, 3);
static void put(line *l, const char *format, ...) {
    va_list args;
    va_start(args, format);
    size_t at = l->len < l->room ? l->len : l->room;
    int size = vsnprintf(l->room ? l->out + at : NULL, l->room - at, format, args);
    va_end(args);
    if (size > 0) l->len += (size_t)size;
}

static void put_dims(line *l, char open, uint32_t rank, const int64_t *dim, char close) {
    put(l, "%c", open);
    for (uint32_t i = 0; i < rank; i++) put(l, "%s%" PRId64, i ? ", " : "", dim[i]);
    put(l, "%c", close);
}

// From a tensor's element `i`, or from `bits` where `of` is NULL.
static void put_number(line *l, dtype t, const tensor *of, size_t i, int64_t bits) {
    double f = !dtype_is_float(t) ? 0 : of ? tensor_get_float(of, i) : dtype_decode_float(t, (uint64_t)bits);
    if (dtype_is_float(t))
        put(l, "%.6g", isnan(f) ? (double)NAN : f); // whose sign says nothing
    else if (dtype_family_of(t) == FAMILY_BOOL)
        put(l, "%s", (of ? tensor_get_int(of, i) : bits) ? "true" : "false");
    else if (t.kind == DTYPE_U64)
        put(l, "%" PRIu64, (uint64_t)(of ? tensor_get_int(of, i) : bits));
    else
        put(l, "%" PRId64, of ? tensor_get_int(of, i) : bits);
}

enum { PREVIEW = 6, DEEPEST = 8 };

// The shape and the first elements: enough to see zeros, NaNs and scale.
static void put_tensor(line *l, const tensor *t) {
    char name[32];
    size_t count = (size_t)tensor_count(t);
    put(l, "%s", dtype_spell(t->type, name));
    put_dims(l, '[', t->rank, t->dim, ']');
    for (size_t i = 0; i < count && i < PREVIEW; i++) {
        put(l, i ? ", " : " = ");
        put_number(l, t->type, t, i, 0);
    }
    if (count > PREVIEW) put(l, ", ...");
}

static void put_value(line *l, const vm_value *v, unsigned depth);

static void put_items(line *l, const vm_value *item, uint32_t count, const char *brackets, unsigned depth) {
    put(l, "%c", brackets[0]);
    for (uint32_t i = 0; i < count && depth < DEEPEST; i++) {
        if (i) put(l, ", ");
        put_value(l, &item[i], depth + 1);
    }
    put(l, "%s%c", count && depth >= DEEPEST ? "..." : "", brackets[1]);
}

// Depth is bounded: a tuple may be nested as deep as a program likes.
static void put_value(line *l, const vm_value *v, unsigned depth) {
    switch ((vm_kind)v->kind) {
    case VM_NULL: put(l, "null"); return;
    case VM_PRIM: put_number(l, prim_dtype(v), NULL, 0, v->bits); return;
    case VM_TENSOR: put_tensor(l, &tensor_object(v)->t); return;
    case VM_STORAGE: put(l, "storage of %s", COUNTED(((const vm_storage *)v->obj)->bytes, "byte")); return;
    case VM_SHAPE: put_dims(l, '(', ((const vm_shape *)v->obj)->rank, ((const vm_shape *)v->obj)->dim, ')'); return;
    case VM_STRING: put(l, "'%s'", ((const vm_string *)v->obj)->bytes); return;
    case VM_TUPLE:
        put_items(l, ((const vm_tuple *)v->obj)->item, ((const vm_tuple *)v->obj)->count, "()", depth);
        return;
    case VM_LIST: {
        const vm_list *list = (const vm_list *)v->obj;
        put_items(l, list->items ? list->items->item : NULL, list->count, "[]", depth);
        return;
    }
    case VM_CLOSURE: put(l, "function %u", ((const vm_tuple *)v->obj)->function); return;
    }
}

size_t rx_value_print(const rx_value *v, char *out, size_t room) {
    if (!out) room = 0;
    line l = {.out = out, .room = room};
    vm_value value = v ? value_unbox((rx_value *)(uintptr_t)v) : (vm_value){0};
    if (room) *out = 0;
    put_value(&l, &value, 0);
    value_release(NULL, &value);
    return l.len;
}

// ---- comparing ----

// How many differ, the first of them, and the worst: what one looks for next.
static rx_status compare_tensors(const tensor *a, const tensor *b, double rtol, double atol, char *message) {
    tensor_difference d = tensor_compare(a, b, rtol, atol);
    if (d.same) return RX_OK;
    if (d.shapes_differ) return value_say(message, RX_SHAPE_MISMATCH, "dtypes or shapes differ");
    return value_say(message, RX_INVALID_ARGUMENT,
                     "%zu of %" PRId64
                     " elements differ; element %zu is %.9g, want %.9g; the largest difference is %.3g",
                     d.count, tensor_count(a), d.index, d.a, d.b, d.worst);
}

static rx_status compare_values(const vm_value *a, const vm_value *b, double rtol, double atol, char *message,
                                unsigned depth);

static rx_status compare_items(const vm_tuple *a, const vm_tuple *b, double rtol, double atol, char *message,
                               unsigned depth) {
    if (a->count != b->count)
        return value_say(message, RX_SHAPE_MISMATCH, "%s, want %u", COUNTED(a->count, "item"), b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        char inner[RX_MESSAGE] = "";
        rx_status status = compare_values(&a->item[i], &b->item[i], rtol, atol, inner, depth + 1);
        if (status != RX_OK) return value_say(message, status, "item %u: %.900s", i, inner);
    }
    return RX_OK;
}

static bool same_shape(const vm_shape *a, const vm_shape *b) {
    return a->rank == b->rank && memcmp(a->dim, b->dim, a->rank * sizeof *a->dim) == 0;
}

// Of any bytes.
static bool same_string(const vm_string *a, const vm_string *b) {
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static rx_status compare_values(const vm_value *a, const vm_value *b, double rtol, double atol, char *message,
                                unsigned depth) {
    bool same = true;
    if (a->kind != b->kind)
        return value_say(message, RX_SHAPE_MISMATCH, "it is %s, want %s", kind_name(a->kind), kind_name(b->kind));
    switch ((vm_kind)a->kind) {
    case VM_TENSOR: return compare_tensors(&tensor_object(a)->t, &tensor_object(b)->t, rtol, atol, message);
    case VM_TUPLE:
        if (depth >= DEEPEST) return value_say(message, RX_UNSUPPORTED, "tuples are nested too deep to compare");
        return compare_items((const vm_tuple *)a->obj, (const vm_tuple *)b->obj, rtol, atol, message, depth);
    case VM_NULL: break;
    case VM_PRIM: same = dtype_equal(prim_dtype(a), prim_dtype(b)) && a->bits == b->bits; break;
    case VM_SHAPE: same = same_shape((const vm_shape *)a->obj, (const vm_shape *)b->obj); break;
    case VM_STRING: same = same_string((const vm_string *)a->obj, (const vm_string *)b->obj); break;
    case VM_STORAGE:
    case VM_LIST:
    case VM_CLOSURE: same = a->obj == b->obj; break;
    }
    return same ? RX_OK : value_say(message, RX_INVALID_ARGUMENT, "%s differs", kind_name(a->kind));
}

rx_status rx_value_compare(const rx_value *a, const rx_value *b, double rtol, double atol, char *message) {
    vm_value x = value_unbox((rx_value *)(uintptr_t)a), y = value_unbox((rx_value *)(uintptr_t)b);
    rx_status status = compare_values(&x, &y, rtol, atol, message, 0);
    value_release(NULL, &x);
    value_release(NULL, &y);
    return status;
}
