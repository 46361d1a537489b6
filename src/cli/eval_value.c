// eval_value.c - conversions between the values of the interpreter and those of the runtime.
#include "cli/eval_value.h"
#include <string.h>

// Scalars know their dtype: i32:3 stays an int32.
static bool from_scalar(const rx_value *from, value *to) {
    const char *name = rx_tensor_dtype(from);
    to->kind = VALUE_PRIM;
    if (!dtype_parse(name, strlen(name), &to->as.prim.type)) return false;
    if (dtype_is_float(to->as.prim.type)) return rx_value_float(from, &to->as.prim.scalar.f) == RX_OK;
    if (rx_value_int(from, &to->as.prim.scalar.i) == RX_OK) return true;
    uint64_t large;
    bool ok = rx_value_uint(from, &large) == RX_OK;
    if (ok) to->as.prim.scalar.i = (int64_t)large;
    return ok;
}

static bool from_shape(const rx_value *from, arena *mem, value *to) {
    uint32_t rank = rx_value_count(from);
    to->kind = VALUE_SHAPE;
    to->as.shape.rank = rank;
    to->as.shape.dim = ARENA_NEW(mem, int64_t, rank);
    if (rank) memcpy(to->as.shape.dim, rx_shape_dims(from), rank * sizeof(int64_t));
    return true;
}

// The caller releases the fields, whether all have a form or not.
static bool from_tuple(const rx_value *from, arena *mem, value *to) {
    uint32_t count = rx_value_count(from);
    bool ok = true;
    to->kind = VALUE_TUPLE;
    to->as.tuple.item = ARENA_NEW(mem, value, count);
    to->as.tuple.count = count;
    for (uint32_t i = 0; i < count && ok; i++) {
        rx_value *v = NULL;
        ok = rx_value_item(from, i, &v) == RX_OK && eval_from_runtime(v, mem, &to->as.tuple.item[i]);
        rx_value_release(v);
    }
    return ok;
}

// Command lines write no lists or closures.
bool eval_from_runtime(rx_value *from, arena *mem, value *to) {
    *to = (value){.kind = VALUE_NULL};
    switch (rx_value_kind(from)) {
    case RX_TENSOR:
        to->as.tensor = vm_tensor_of_value(from);
        to->kind = to->as.tensor ? VALUE_TENSOR : VALUE_NULL;
        return to->as.tensor != NULL;
    case RX_PRIM: return from_scalar(from, to);
    case RX_SHAPE: return from_shape(from, mem, to);
    case RX_STRING: {
        size_t size;
        const char *bytes = rx_string_bytes(from, &size);
        to->kind = VALUE_STRING;
        to->as.text.bytes = arena_copy(mem, bytes, size);
        to->as.text.size = size;
        return true;
    }
    case RX_TUPLE: return from_tuple(from, mem, to);
    case RX_NULL:
    case RX_STORAGE:
    case RX_LIST:
    case RX_CLOSURE: break;
    }
    return false;
}

static rx_value *to_scalar(const value *from) {
    char name[32];
    rx_value *v = NULL;
    dtype_spell(from->as.prim.type, name);
    rx_status status = dtype_is_float(from->as.prim.type)
                           ? rx_float_new(name, from->as.prim.scalar.f, &v)
                           : vm_value_of_bits(from->as.prim.type, from->as.prim.scalar.i, &v);
    return status == RX_OK ? v : NULL;
}

// A field without a value (a function) becomes a null value.
static rx_value *to_tuple(const value *from) {
    arena *mem = arena_new();
    uint32_t count = from->as.tuple.count;
    rx_value **item = ARENA_NEW(mem, rx_value *, count), *v = NULL;
    for (uint32_t i = 0; i < count; i++) item[i] = eval_to_runtime(&from->as.tuple.item[i]);
    rx_status status = rx_tuple_new(item, count, &v);
    for (uint32_t i = 0; i < count; i++) rx_value_release(item[i]);
    arena_free(mem);
    return status == RX_OK ? v : NULL;
}

rx_value *eval_to_runtime(const value *from) {
    rx_value *v = NULL;
    rx_status status = RX_OK;
    char name[32];
    switch (from->kind) {
    case VALUE_TENSOR: status = vm_value_of_tensor(from->as.tensor, &v); break;
    case VALUE_SHAPE: status = vm_value_of_shape(from->as.shape.rank, from->as.shape.dim, &v); break;
    case VALUE_PRIM: return to_scalar(from);
    case VALUE_STRING: status = rx_string_new(from->as.text.bytes, from->as.text.size, &v); break;
    case VALUE_DTYPE:
        dtype_spell(from->as.type, name);
        status = rx_string_new(name, strlen(name), &v);
        break;
    case VALUE_TUPLE: return to_tuple(from);
    case VALUE_NULL:
    case VALUE_FUNC: break;
    }
    return status == RX_OK ? v : NULL;
}
