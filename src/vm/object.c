// object.c - making and dropping values.
#include "vm/object.h"
#include "base/size.h"
#include "vm/heap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What stands before an object that has a block of its own.
typedef struct own_block {
    rx_allocator allocator;
    size_t size; // of the whole block
} own_block;
_Static_assert(sizeof(own_block) <= MEMORY_ALIGN, "an object is aligned behind it");

const char *kind_name(unsigned kind) {
    static const char *const name[] = {
        [VM_NULL] = "null",         [VM_PRIM] = "a scalar", [VM_TENSOR] = "a tensor",
        [VM_STORAGE] = "a storage", [VM_SHAPE] = "a shape", [VM_STRING] = "a string",
        [VM_TUPLE] = "a tuple",     [VM_LIST] = "a list",   [VM_CLOSURE] = "a closure",
    };
    return kind < COUNT(name) ? name[kind] : "an unknown value";
}

// ---- new ----

// The allocator is kept before the object: it may be dropped by anybody, anywhere.
static object *own_new(const rx_allocator *a, size_t size) {
    if (!size_add(size, MEMORY_ALIGN, &size)) return NULL;
    own_block *block = memory_take(a, size);
    if (!block) return NULL;
    *block = (own_block){.allocator = a ? *a : (rx_allocator){0}, .size = size};
    object *o = (object *)(void *)((char *)block + MEMORY_ALIGN);
    atomic_init(&o->refs, 1);
    o->home = NULL;
    return o;
}

// What is common to all kinds; the caller fills the rest.
object *object_new(vm_heap *heap, const rx_allocator *a, vm_kind kind, size_t size) {
    object *o = heap ? heap_take(heap, size) : own_new(a, size);
    if (o) o->kind = (uint8_t)kind;
    return o;
}

vm_tensor *tensor_object_new(vm_heap *heap, const rx_allocator *a, dtype t, uint32_t rank, const int64_t *dim,
                             void *data, size_t bytes) {
    vm_tensor *o = (vm_tensor *)object_new(heap, a, VM_TENSOR, sizeof *o + rank * sizeof *dim);
    if (!o) return NULL;
    atomic_init(&o->t.refs, UINT32_MAX); // the object's count is the one that counts
    o->t.type = t;
    o->t.rank = rank;
    o->t.dim = o->dim;
    o->t.data = data;
    o->t.bytes = bytes;
    o->t.free_data = NULL;
    o->t.user = NULL;
    o->head.read_only = 0;
    o->owner = NULL;
    o->release = NULL;
    o->user = NULL;
    for (uint32_t i = 0; i < rank; i++) o->dim[i] = dim[i];
    return o;
}

// `dim` NULL: the caller writes them.
vm_shape *shape_new(vm_heap *heap, const rx_allocator *a, uint32_t rank, const int64_t *dim) {
    vm_shape *s = (vm_shape *)object_new(heap, a, VM_SHAPE, sizeof *s + rank * sizeof *dim);
    if (!s) return NULL;
    s->rank = rank;
    for (uint32_t i = 0; dim && i < rank; i++) s->dim[i] = dim[i];
    return s;
}

// With a NUL behind, which `size` does not count: texts may hold NULs themselves.
vm_string *string_new(vm_heap *heap, const rx_allocator *a, const char *bytes, size_t size) {
    size_t room;
    if (!size_add(sizeof(vm_string) + 1, size, &room)) return NULL;
    vm_string *s = (vm_string *)object_new(heap, a, VM_STRING, room);
    if (!s) return NULL;
    s->size = size;
    if (size) memcpy(s->bytes, bytes, size);
    s->bytes[size] = 0;
    return s;
}

vm_tuple *tuple_new(vm_heap *heap, const rx_allocator *a, vm_kind kind, uint32_t count) {
    size_t room = sizeof(vm_tuple) + (size_t)count * sizeof(vm_value);
    vm_tuple *t = (vm_tuple *)object_new(heap, a, kind, room);
    if (!t) return NULL;
    t->count = count;
    t->function = EXEC_NONE;
    memset(t->item, 0, (size_t)count * sizeof(vm_value));
    return t;
}

// ---- gone ----

// The room of a dead object stays in its heap, so a release too many would put it there twice.
static void check_alive(unsigned refs) {
#ifdef RELAX_DEBUG
    if (refs) return;
    fputs("relax: a value is released once more than it was retained (relax/runtime.h)\n", stderr);
    abort();
#else
    (void)refs;
#endif
}

// Drops one reference of a child; if it was the last one the child is put on the list of the dead.
static void drop(object *child, object **dead) {
    unsigned refs = atomic_load_explicit(&child->refs, memory_order_acquire);
    check_alive(refs);
    // The sole owner need not pay for an atomic exchange: nobody else can be counting.
    if (refs != 1 && atomic_fetch_sub_explicit(&child->refs, 1, memory_order_acq_rel) != 1) return;
    atomic_store_explicit(&child->refs, 0, memory_order_relaxed);
    child->next = *dead;
    *dead = child;
}

static void drop_items(vm_value *item, uint32_t count, object **dead) {
    for (uint32_t i = 0; i < count; i++)
        if (value_is_object(&item[i])) drop(item[i].obj, dead);
}

// What an object owned; children that nobody owns any more join the list of the dead.
static void drop_children(object *o, object **dead) {
    if (o->kind == VM_TENSOR) {
        vm_tensor *t = (vm_tensor *)o;
        if (t->release) t->release(t->user, t->t.data);
        if (t->owner) drop(t->owner, dead);
    } else if (o->kind == VM_TUPLE || o->kind == VM_CLOSURE) {
        drop_items(((vm_tuple *)o)->item, ((vm_tuple *)o)->count, dead);
    } else if (o->kind == VM_LIST) {
        vm_list *l = (vm_list *)o;
        if (l->items) drop(&l->items->head, dead);
    }
}

// A heap of another thread gets it through a list under its lock (heap_give).
static void give_room(vm_heap *here, object *o) {
    if (o->home) {
        heap_give(o->home, here, o);
        return;
    }
    own_block *block = (own_block *)(void *)((char *)o - MEMORY_ALIGN);
    rx_allocator a = block->allocator;
    memory_give(&a, block, block->size);
}

// Not recursive: a value may be nested as deep as a program likes.
void object_release(vm_heap *here, object *o) {
    object *dead = NULL;
    drop(o, &dead);
    while (dead) {
        o = dead;
        dead = o->next;
        drop_children(o, &dead);
        give_room(here, o);
    }
}

// ---- in and out of registers ----

// Only scalars need an object of their own; all others are one already.
bool value_box(vm_heap *heap, const vm_value *v, object **out) {
    *out = NULL;
    if (v->kind == VM_NULL) return true;
    if (v->kind != VM_PRIM) {
        *out = v->obj;
        object_retain(v->obj);
        return true;
    }
    vm_prim *p = (vm_prim *)object_new(heap, NULL, VM_PRIM, sizeof *p);
    if (!p) return false;
    p->type = prim_dtype(v);
    p->bits = v->bits;
    *out = &p->head;
    return true;
}

vm_value value_unbox(object *o) {
    if (!o) return (vm_value){0};
    if (o->kind == VM_PRIM) return prim_value(((vm_prim *)o)->type, ((vm_prim *)o)->bits);
    object_retain(o);
    return value_of(o);
}
