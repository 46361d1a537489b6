// values.c - making values and asking about them: the public functions.
#include "exec/memory.h"
#include "tensor/shape.h"
#include "vm/object.h"
#include "vm/vm.h"
#include <stdlib.h>
#include <string.h>

rx_kind rx_value_kind(const rx_value *v) { return v ? (rx_kind)v->kind : RX_NULL; }

rx_value *rx_value_retain(rx_value *v) {
    if (v) object_retain(v);
    return v;
}

// From any thread: an object of a heap is handed back to it when its own thread passes (object_release).
void rx_value_release(rx_value *v) {
    if (v) object_release(NULL, v);
}

static rx_status hand_out(void *o, rx_value **out) {
    *out = o;
    return o ? RX_OK : RX_OUT_OF_MEMORY;
}

// ---- tensors ----

static const tensor *tensor_of(const rx_value *v) {
    return v && v->kind == VM_TENSOR ? &((const vm_tensor *)v)->t : NULL;
}

// What a caller may ask for; sizes that overflow are memory that nobody has.
static rx_status check_tensor(const char *dtype_name, uint32_t rank, const int64_t *dim, dtype *t, size_t *bytes) {
    if (!dtype_name || (rank && !dim) || !dtype_parse(dtype_name, strlen(dtype_name), t) ||
        dtype_family_of(*t) == FAMILY_NONE || rank > TENSOR_MAX_RANK)
        return RX_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < rank; i++)
        if (dim[i] < 0) return RX_INVALID_ARGUMENT;
    return shape_bytes(*t, rank, dim, bytes) ? RX_OK : RX_OUT_OF_MEMORY;
}

// Memory that goes back to the allocator it came from.
typedef struct owned_memory {
    rx_allocator allocator;
    size_t size; // of this and the data behind it
} owned_memory;
_Static_assert(sizeof(owned_memory) <= MEMORY_ALIGN, "data lies behind it");

static void release_memory(void *user, void *data) {
    (void)data;
    owned_memory *m = user;
    rx_allocator a = m->allocator;
    memory_give(&a, m, m->size);
}

rx_status vm_tensor_new(dtype t, uint32_t rank, const int64_t *dim, size_t bytes, const rx_allocator *a,
                        vm_tensor **out) {
    *out = NULL;
    owned_memory *m = bytes < SIZE_MAX - MEMORY_ALIGN ? memory_take(a, MEMORY_ALIGN + bytes) : NULL;
    if (!m) return RX_OUT_OF_MEMORY;
    *m = (owned_memory){.allocator = a ? *a : (rx_allocator){0}, .size = MEMORY_ALIGN + bytes};
    vm_tensor *o = tensor_object_new(NULL, a, t, rank, dim, (char *)m + MEMORY_ALIGN, bytes);
    if (!o) {
        release_memory(m, NULL);
        return RX_OUT_OF_MEMORY;
    }
    o->release = release_memory;
    o->user = m;
    *out = o;
    return RX_OK;
}

// Zeroed here; the virtual machine makes its own tensors without that (vm_new_tensor).
rx_status rx_tensor_new(const char *dtype_name, uint32_t rank, const int64_t *dim, const rx_allocator *allocator,
                        rx_value **out) {
    dtype t;
    size_t bytes;
    vm_tensor *o;
    if (!out || !memory_is_whole(allocator)) return RX_INVALID_ARGUMENT;
    *out = NULL;
    RX_TRY(check_tensor(dtype_name, rank, dim, &t, &bytes));
    RX_TRY(vm_tensor_new(t, rank, dim, bytes, allocator, &o));
    memset(o->t.data, 0, bytes);
    *out = &o->head;
    return RX_OK;
}

// Alignment is asked for because generated code loads whole elements.
rx_status rx_tensor_wrap(const char *dtype_name, uint32_t rank, const int64_t *dim, void *data,
                         void (*release)(void *user, void *data), void *user, rx_value **out) {
    dtype t;
    size_t bytes;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    RX_TRY(check_tensor(dtype_name, rank, dim, &t, &bytes));
    size_t element = (dtype_bits(t) * dtype_lanes(t) + 7) / 8;
    if ((!data && bytes) || (element & (element - 1)) || (uintptr_t)data % element) return RX_INVALID_ARGUMENT;
    vm_tensor *o = tensor_object_new(NULL, NULL, t, rank, dim, data, bytes);
    if (!o) return RX_OUT_OF_MEMORY;
    o->release = release;
    o->user = user;
    *out = &o->head;
    return RX_OK;
}

int rx_tensor_is_read_only(const rx_value *v) { return tensor_of(v) && v->read_only; }

// For good: nobody can tell who else relies on it.
rx_status rx_tensor_set_read_only(rx_value *v) {
    if (!tensor_of(v)) return RX_INVALID_ARGUMENT;
    v->read_only = 1;
    return RX_OK;
}

void *rx_tensor_data(const rx_value *v) { return tensor_of(v) ? tensor_of(v)->data : NULL; }
size_t rx_tensor_bytes(const rx_value *v) { return tensor_of(v) ? tensor_of(v)->bytes : 0; }
uint32_t rx_tensor_rank(const rx_value *v) { return tensor_of(v) ? tensor_of(v)->rank : 0; }
const int64_t *rx_tensor_dims(const rx_value *v) { return tensor_of(v) ? tensor_of(v)->dim : NULL; }

// Spellings of all kinds, so that the name is static storage; vectors don't occur in tensors that come from outside.
static const char *const dtype_names[] = {
    "void",
#define DTYPE(KIND, spelling, bits, dlpack, family) spelling,
#include "tensor/dtypes.def"
};

const char *rx_tensor_dtype(const rx_value *v) {
    if (tensor_of(v)) return dtype_names[tensor_of(v)->type.kind];
    return v && v->kind == VM_PRIM ? dtype_names[((const vm_prim *)v)->type.kind] : NULL;
}

static void release_tensor(void *user, void *data) {
    (void)data;
    tensor_release(user);
}

rx_status vm_value_of_tensor(tensor *t, rx_value **out) {
    vm_tensor *o = tensor_object_new(NULL, NULL, t->type, t->rank, t->dim, t->data, t->bytes);
    *out = NULL;
    if (!o) return RX_OUT_OF_MEMORY;
    o->release = release_tensor;
    o->user = tensor_retain(t);
    *out = &o->head;
    return RX_OK;
}

static void release_value(void *user, void *data) {
    (void)data;
    rx_value_release(user);
}

// The two counts are separate: the tensor keeps the value alive, which keeps the memory.
tensor *vm_tensor_of_value(rx_value *v) {
    const tensor *t = tensor_of(v);
    tensor *out = NULL;
    if (!t || tensor_wrap(t->type, t->rank, t->dim, t->data, release_value, v, &out) != RX_OK) return NULL;
    rx_value_retain(v);
    return out;
}

// ---- other kinds ----

// Boxed: scalars are values of their own only outside registers.
rx_status vm_value_of_bits(dtype t, int64_t bits, rx_value **out) {
    vm_prim *p = (vm_prim *)object_new(NULL, NULL, VM_PRIM, sizeof *p);
    if (p) *p = (vm_prim){.head = p->head, .type = t, .bits = bits};
    return hand_out(p, out);
}

static bool parse_dtype(const char *name, dtype *t) {
    return name && dtype_parse(name, strlen(name), t) && dtype_lanes(*t) == 1;
}

// Never wraps: 300 as an int8 is a mistake, and so is -1 as a uint64.
rx_status rx_int_new(const char *dtype_name, int64_t value, rx_value **out) {
    dtype t;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (!parse_dtype(dtype_name, &t)) return RX_INVALID_ARGUMENT;
    bool fits =
        dtype_family_of(t) == FAMILY_BOOL ? value == 0 || value == 1 : dtype_is_int(t) && dtype_wrap(t, value) == value;
    if (t.kind == DTYPE_U64) fits = value >= 0;
    return fits ? vm_value_of_bits(t, value, out) : RX_INVALID_ARGUMENT;
}

// The numbers that int64 hasn't are uint64's alone.
rx_status rx_uint_new(const char *dtype_name, uint64_t value, rx_value **out) {
    dtype t;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (value <= INT64_MAX) return rx_int_new(dtype_name, (int64_t)value, out);
    if (!parse_dtype(dtype_name, &t) || t.kind != DTYPE_U64) return RX_INVALID_ARGUMENT;
    return vm_value_of_bits(t, (int64_t)value, out);
}

rx_status rx_float_new(const char *dtype_name, double value, rx_value **out) {
    dtype t;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (!parse_dtype(dtype_name, &t) || !dtype_is_float(t)) return RX_INVALID_ARGUMENT;
    return vm_value_of_bits(t, (int64_t)dtype_encode_float(t, value), out);
}

// A shape from outside is checked as dims are; those that bytecode makes are checked where they are used.
rx_status rx_shape_new(uint32_t rank, const int64_t *dim, rx_value **out) {
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (rank > TENSOR_MAX_RANK || (rank && !dim)) return RX_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < rank; i++)
        if (dim[i] < 0) return RX_INVALID_ARGUMENT;
    return vm_value_of_shape(rank, dim, out);
}

rx_status vm_value_of_shape(uint32_t rank, const int64_t *dim, rx_value **out) {
    return hand_out(shape_new(NULL, NULL, rank, dim), out);
}

rx_status rx_string_new(const char *bytes, size_t size, rx_value **out) {
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    return bytes || !size ? hand_out(string_new(NULL, NULL, bytes, size), out) : RX_INVALID_ARGUMENT;
}

rx_status rx_tuple_new(rx_value *const *item, uint32_t count, rx_value **out) {
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (count && !item) return RX_INVALID_ARGUMENT;
    vm_tuple *t = tuple_new(NULL, NULL, VM_TUPLE, count);
    for (uint32_t i = 0; t && i < count; i++) t->item[i] = value_unbox(item[i]);
    return hand_out(t, out);
}

rx_status rx_value_int(const rx_value *v, int64_t *out) {
    const vm_prim *p = (const vm_prim *)v;
    if (!out || !v || v->kind != VM_PRIM || dtype_is_float(p->type)) return RX_INVALID_ARGUMENT;
    if (p->type.kind == DTYPE_U64 && p->bits < 0) return RX_INVALID_ARGUMENT;
    *out = p->bits;
    return RX_OK;
}

rx_status rx_value_uint(const rx_value *v, uint64_t *out) {
    const vm_prim *p = (const vm_prim *)v;
    if (!out || !v || v->kind != VM_PRIM || dtype_is_float(p->type)) return RX_INVALID_ARGUMENT;
    if (p->type.kind != DTYPE_U64 && p->bits < 0) return RX_INVALID_ARGUMENT;
    *out = (uint64_t)p->bits;
    return RX_OK;
}

// Integers convert; above 2^53 they round to the nearest double.
rx_status rx_value_float(const rx_value *v, double *out) {
    const vm_prim *p = (const vm_prim *)v;
    if (!out || !v || v->kind != VM_PRIM) return RX_INVALID_ARGUMENT;
    *out =
        dtype_is_float(p->type) ? dtype_decode_float(p->type, (uint64_t)p->bits) : vm_int_as_double(p->type, p->bits);
    return RX_OK;
}

uint32_t rx_value_count(const rx_value *v) {
    if (!v) return 0;
    if (v->kind == VM_SHAPE) return ((const vm_shape *)v)->rank;
    if (v->kind == VM_LIST) return ((const vm_list *)v)->count;
    return v->kind == VM_TUPLE ? ((const vm_tuple *)v)->count : 0;
}

const int64_t *rx_shape_dims(const rx_value *v) { return v && v->kind == VM_SHAPE ? ((const vm_shape *)v)->dim : NULL; }

const char *rx_string_bytes(const rx_value *v, size_t *size) {
    const vm_string *s = (const vm_string *)v;
    bool is_string = v && v->kind == VM_STRING;
    if (size) *size = is_string ? s->size : 0;
    return is_string ? s->bytes : NULL;
}

// Its own reference, unlike rx_call_arg: an item may outlive the list, whose items change.
rx_status rx_value_item(const rx_value *v, uint32_t i, rx_value **out) {
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (!v || (v->kind != VM_TUPLE && v->kind != VM_LIST)) return RX_INVALID_ARGUMENT;
    if (i >= rx_value_count(v)) return RX_NOT_FOUND;
    const vm_tuple *t = v->kind == VM_LIST ? ((const vm_list *)v)->items : (const vm_tuple *)v;
    return value_box(NULL, &t->item[i], out) ? RX_OK : RX_OUT_OF_MEMORY;
}
