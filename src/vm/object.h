// object.h - the values of the VM: what registers hold and what a public rx_value is.
//
// An object is a head and what its kind adds. It lives in the heap of a context (heap.h) or, made by a public function
// without a context, in a block of its own. Counts are atomic; contents don't change once others can see them, but
// for lists, which belong to the thread of their context, and for the elements of tensors.
#ifndef VM_OBJECT_H
#define VM_OBJECT_H
#include "base/attributes.h"
#include "exec/exec.h"
#include "relax/runtime.h"
#include "tensor/tensor.h"
#include <stdatomic.h>

typedef struct rx_value object;
typedef struct vm_heap vm_heap;

// What a register can hold; the numbers are those of rx_kind. From VM_TENSOR on it is an object.
typedef enum vm_kind {
    VM_NULL = RX_NULL,
    VM_PRIM = RX_PRIM,
    VM_TENSOR = RX_TENSOR,
    VM_STORAGE = RX_STORAGE,
    VM_SHAPE = RX_SHAPE,
    VM_STRING = RX_STRING,
    VM_TUPLE = RX_TUPLE,
    VM_LIST = RX_LIST,
    VM_CLOSURE = RX_CLOSURE,
} vm_kind;

// 16 bytes. A value owns one reference to its object.
typedef struct vm_value {
    uint8_t kind;   // vm_kind
    uint8_t type;   // PRIM: dtype_kind
    uint16_t lanes; // PRIM: lanes of the dtype
    union {
        int64_t bits; // PRIM
        object *obj;
    };
} vm_value;

struct rx_value {
    atomic_uint refs;
    uint8_t kind;       // vm_kind
    uint8_t size_class; // of its room in the heap
    uint8_t read_only;  // TENSOR: nobody may write the elements; views of it are read-only too
    uint8_t unused;
    vm_heap *home;         // NULL: a block of its own
    struct rx_value *next; // in lists of dead objects
};

// A tensor. `t` is what kernels and builtins see; its own count is not used.
typedef struct vm_tensor {
    object head;
    tensor t;
    object *owner; // keeps the bytes alive: a storage or another tensor; NULL if `release` does or nobody needs to
    void (*release)(void *user, void *data); // NULL: nothing to call
    void *user;
    int64_t dim[]; // t.rank of them
} vm_tensor;

// A block of tensor memory. It goes back to the heap when its last tensor is gone.
typedef struct vm_storage {
    object head;
    uint8_t *data;
    size_t bytes; // that were asked for
    size_t room;  // that the block has
} vm_storage;

// Dims as a value. They may be negative where a program says so (a slice's begin); tensors are checked when they are
// made.
typedef struct vm_shape {
    object head;
    uint32_t rank;
    int64_t dim[];
} vm_shape;

// Any bytes; NUL inside is allowed.
typedef struct vm_string {
    object head;
    size_t size;
    char bytes[]; // and a NUL
} vm_string;

typedef struct vm_tuple { // also a closure: the values it carries
    object head;
    uint32_t count;
    uint32_t function; // CLOSURE: of the executable
    vm_value item[];
} vm_tuple;

// Grows by doubling; what it can hold is limited so that no cycle of references can arise (vm/builtins.c).
typedef struct vm_list {
    object head;
    uint32_t count, room;
    vm_tuple *items; // room of them; NULL while empty
} vm_list;

typedef struct vm_prim { // a scalar outside a register
    object head;
    dtype type;
    int64_t bits;
} vm_prim;

// Takes over the reference.
static inline vm_value value_of(object *o) { return (vm_value){.kind = o->kind, .obj = o}; }
static inline vm_value prim_value(dtype t, int64_t bits) {
    return (vm_value){.kind = VM_PRIM, .type = t.kind, .lanes = t.lanes, .bits = bits};
}
static inline double vm_int_as_double(dtype t, int64_t bits) {
    return t.kind == DTYPE_U64 ? (double)(uint64_t)bits : (double)bits;
}
static inline dtype prim_dtype(const vm_value *v) { return (dtype){.kind = v->type, .lanes = v->lanes}; }
static inline bool value_is_object(const vm_value *v) { return v->kind >= VM_TENSOR; }
static inline vm_tensor *tensor_object(const vm_value *v) { return (vm_tensor *)v->obj; } // the kind was checked

static inline void object_retain(object *o) { atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed); }
// Asks for what a value holds, which may have left the caches since the last call.
static inline void value_ask(const vm_value *v) {
    if (!value_is_object(v)) return;
    __builtin_prefetch(v->obj, 1);
    __builtin_prefetch((const char *)v->obj + 64);
}
static inline vm_value value_retain(vm_value v) {
    if (value_is_object(&v)) object_retain(v.obj);
    return v;
}

// Gives a reference back. `here`: the heap whose thread this is, or NULL when that isn't known.
void object_release(vm_heap *here, object *o);
static inline void value_release(vm_heap *here, vm_value *v) {
    if (value_is_object(v)) object_release(here, v->obj);
    v->kind = VM_NULL;
}

// New objects: in `heap` (on its thread), or in a block of their own from `a` (may be NULL) when heap is NULL. NULL: no
// memory. All have one reference.
object *object_new(vm_heap *heap, const rx_allocator *a, vm_kind kind, size_t size);
// Dims are copied and must be right: at least 0, at most TENSOR_MAX_RANK; `bytes` is the compact size.
vm_tensor *tensor_object_new(vm_heap *heap, const rx_allocator *a, dtype t, uint32_t rank, const int64_t *dim,
                             void *data, size_t bytes);
// A tensor with memory of its own behind it, not zeroed, in no heap. `bytes` must be what shape_bytes says.
RX_MUST_USE rx_status vm_tensor_new(dtype t, uint32_t rank, const int64_t *dim, size_t bytes, const rx_allocator *a,
                                    vm_tensor **out);
vm_shape *shape_new(vm_heap *heap, const rx_allocator *a, uint32_t rank, const int64_t *dim);
vm_string *string_new(vm_heap *heap, const rx_allocator *a, const char *bytes, size_t size);
vm_tuple *tuple_new(vm_heap *heap, const rx_allocator *a, vm_kind kind, uint32_t count); // items are null

// A public handle for a value, with its own reference (scalars get an object, null is NULL); false: no memory.
bool value_box(vm_heap *heap, const vm_value *v, object **out);
// The value behind a public handle, with its own reference.
vm_value value_unbox(object *o);

const char *kind_name(unsigned kind); // "a tensor"
#endif
