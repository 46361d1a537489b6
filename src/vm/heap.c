// heap.c - small blocks by size class, tensor memory by best fit.
//
// A request takes the smallest free block that is large enough. Where none is, the largest one that is too small makes
// way for the new one: so blocks grow to what the largest call needed, and their number stays that of one call.
#define _POSIX_C_SOURCE 200809L
#include "vm/heap.h"
#include "base/size.h"
#include <pthread.h>
#include <string.h>

enum {
    GRAIN = 64,            // fine classes are multiples of it, carved from chunks:
    FINE_CLASSES = 32,     // up to 2 KiB
    CLASSES = 44,          // then powers of two up to 8 MiB, each a block of its own; larger ones (class 0) aren't kept
    CHUNK = 32 * 1024,     // taken at once for small blocks
    WASTE_RATIO = 64,      // a block may serve a request this many times smaller,
    WASTE_BYTES = 1 << 20, // or any request if it isn't larger than this
    FIRST_FREE_BLOCKS = 64,
};

typedef struct heap_chunk {
    struct heap_chunk *before;
} heap_chunk;

typedef struct free_block {
    uint8_t *data;
    size_t room;
} free_block;

struct vm_heap {
    rx_allocator allocator;
    device *dev;
    object *small[CLASSES]; // dead objects by class
    heap_chunk *chunks;
    uint8_t *fresh, *fresh_end; // of the newest chunk
    free_block *block;          // free tensor memory, smallest first
    size_t blocks, block_room;
    uint64_t limit;
    heap_counts counts;
    uint64_t alive; // objects that are out; the owner's view
    // What other threads touch:
    pthread_mutex_t lock;
    object *returned; // dead objects that others dropped
    atomic_bool any_returned;
    bool closed;
};

// Class 0: too large to be kept.
static size_t class_of(size_t size) {
    if (size <= GRAIN * FINE_CLASSES) return (size + GRAIN - 1) / GRAIN;
    size_t class = FINE_CLASSES;
    for (size_t room = GRAIN * FINE_CLASSES; room < size && class <= CLASSES; room *= 2) class++;
    return class > CLASSES ? 0 : class;
}

// Bytes of the objects of a class beyond the fine ones.
static size_t coarse_room(size_t class) { return (size_t)(GRAIN * FINE_CLASSES) << (class - FINE_CLASSES); }

// ---- plain memory ----

void *heap_memory(vm_heap *h, size_t size) {
    void *at = memory_take(&h->allocator, size);
    if (at) h->counts.allocations++;
    return at;
}

void heap_memory_free(vm_heap *h, void *at, size_t size) { memory_give(&h->allocator, at, size); }

vm_heap *heap_new(const rx_allocator *a, device *d, uint64_t limit) {
    rx_allocator allocator = a ? *a : (rx_allocator){0};
    vm_heap *h = memory_take(&allocator, sizeof *h);
    if (!h) return NULL;
    *h = (vm_heap){.allocator = allocator, .dev = device_retain(d), .limit = limit};
    pthread_mutex_init(&h->lock, NULL);
    return h;
}

// ---- tensor memory ----

// The caller's allocator replaces the device's memory: it is asked for only where the host can use it.
static uint8_t *data_take(vm_heap *h, size_t room) {
    return h->allocator.take ? h->allocator.take(h->allocator.user, room) : h->dev->f->allocate(h->dev, room);
}

static void data_give(vm_heap *h, uint8_t *data, size_t room) {
    if (h->allocator.take)
        h->allocator.give(h->allocator.user, data, room);
    else
        h->dev->f->free(h->dev, data, room);
    h->counts.bytes -= room;
}

// The first free block with at least `room` bytes; h->blocks if there is none.
static size_t find_block(const vm_heap *h, size_t room) {
    size_t low = 0, high = h->blocks;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (h->block[middle].room < room)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static free_block remove_block(vm_heap *h, size_t i) {
    free_block b = h->block[i];
    memmove(&h->block[i], &h->block[i + 1], (h->blocks - i - 1) * sizeof b);
    h->blocks--;
    return b;
}

// Room for one more free block; false: no memory.
static bool reserve_block(vm_heap *h) {
    if (h->blocks < h->block_room) return true;
    size_t room = h->block_room ? h->block_room * 2 : FIRST_FREE_BLOCKS;
    free_block *bigger = heap_memory(h, room * sizeof *bigger);
    if (!bigger) return false;
    if (h->blocks) memcpy(bigger, h->block, h->blocks * sizeof *bigger);
    heap_memory_free(h, h->block, h->block_room * sizeof *bigger);
    h->block = bigger;
    h->block_room = room;
    return true;
}

// A block that there is no room to note is given back: rare, and never an error.
static void keep_block(vm_heap *h, free_block b) {
    if (h->closed || !reserve_block(h)) {
        data_give(h, b.data, b.room);
        return;
    }
    size_t at = find_block(h, b.room);
    memmove(&h->block[at + 1], &h->block[at], (h->blocks - at) * sizeof b);
    h->block[at] = b;
    h->blocks++;
}

void heap_trim(vm_heap *h) {
    while (h->blocks) {
        free_block b = remove_block(h, h->blocks - 1);
        data_give(h, b.data, b.room);
    }
}

// Sixteen sizes per power of two, so that a slowly growing shape doesn't ask for a new block each time.
static bool round_room(size_t bytes, size_t *out) {
    size_t step = GRAIN;
    while (step < bytes / 16) step *= 2;
    return size_align(bytes ? bytes : 1, step, out);
}

static bool within_limit(const vm_heap *h, size_t room) {
    return !h->limit || (h->counts.bytes <= h->limit && room <= h->limit - h->counts.bytes);
}

// At the limit, or when the machine has nothing left, everything that isn't in use is given back before giving up.
static rx_status new_block(vm_heap *h, size_t room, free_block *out) {
    size_t smaller = find_block(h, room);
    if (smaller) {
        free_block b = remove_block(h, smaller - 1);
        data_give(h, b.data, b.room);
    }
    if (!within_limit(h, room)) heap_trim(h);
    if (!within_limit(h, room)) return RX_OUT_OF_MEMORY;
    uint8_t *data = data_take(h, room);
    if (!data && h->blocks) {
        heap_trim(h);
        data = data_take(h, room);
    }
    if (!data) return RX_OUT_OF_MEMORY;
    *out = (free_block){.data = data, .room = room};
    h->counts.allocations++;
    h->counts.bytes += room;
    if (h->counts.bytes > h->counts.peak) h->counts.peak = h->counts.bytes;
    return RX_OK;
}

// Best fit, unless that would lock up a large block for a small tensor.
static rx_status take_block(vm_heap *h, size_t bytes, free_block *out) {
    size_t room;
    if (!round_room(bytes, &room)) return RX_OUT_OF_MEMORY;
    size_t i = find_block(h, bytes);
    if (i < h->blocks && (h->block[i].room <= WASTE_BYTES || h->block[i].room / WASTE_RATIO <= bytes)) {
        *out = remove_block(h, i);
        return RX_OK;
    }
    return new_block(h, room, out);
}

// ---- objects ----

// An object of its own block, whose size is written before it.
static object *take_own_block(vm_heap *h, size_t size) {
    if (!size_add(size, MEMORY_ALIGN, &size)) return NULL;
    size_t *start = heap_memory(h, size);
    if (!start) return NULL;
    *start = size;
    return (object *)(void *)((char *)start + MEMORY_ALIGN);
}

static void free_own_block(vm_heap *h, object *o) {
    size_t *start = (size_t *)(void *)((char *)o - MEMORY_ALIGN);
    heap_memory_free(h, start, *start);
}

// Makes a dead object's room available again; a storage's bytes too.
static void recycle(vm_heap *h, object *o) {
    h->alive--;
    if (o->kind == VM_STORAGE) keep_block(h, (free_block){((vm_storage *)o)->data, ((vm_storage *)o)->room});
    if (!o->size_class) {
        free_own_block(h, o);
        return;
    }
    o->next = h->small[o->size_class - 1];
    h->small[o->size_class - 1] = o;
}

// Takes back what other threads dropped.
static void collect(vm_heap *h) {
    if (!atomic_load_explicit(&h->any_returned, memory_order_relaxed)) return;
    pthread_mutex_lock(&h->lock);
    object *o = h->returned;
    h->returned = NULL;
    atomic_store_explicit(&h->any_returned, false, memory_order_relaxed);
    pthread_mutex_unlock(&h->lock);
    for (object *next; o; o = next) {
        next = o->next;
        recycle(h, o);
    }
}

// What is left of a chunk that is too small for this object is lost, less than one object per chunk.
static object *carve(vm_heap *h, size_t size) {
    if ((size_t)(h->fresh_end - h->fresh) < size) {
        heap_chunk *c = heap_memory(h, CHUNK);
        if (!c) return NULL;
        c->before = h->chunks;
        h->chunks = c;
        h->fresh = (uint8_t *)c + GRAIN;
        h->fresh_end = (uint8_t *)c + CHUNK;
    }
    object *o = (object *)(void *)h->fresh;
    h->fresh += size;
    return o;
}

// Room that was not used before.
static object *take_fresh(vm_heap *h, size_t class, size_t size) {
    if (!class) return take_own_block(h, size);
    return class <= FINE_CLASSES ? carve(h, class * GRAIN) : take_own_block(h, coarse_room(class));
}

object *heap_take(vm_heap *h, size_t size) {
    size_t class = class_of(size);
    if (class && !h->small[class - 1]) collect(h);
    object *o = class ? h->small[class - 1] : NULL;
    if (o)
        h->small[class - 1] = o->next;
    else
        o = take_fresh(h, class, size);
    if (!o) return NULL;
    h->alive++;
    atomic_init(&o->refs, 1);
    o->home = h;
    o->size_class = (uint8_t)class;
    return o;
}

rx_status heap_storage(vm_heap *h, size_t bytes, vm_storage **out) {
    free_block b;
    *out = NULL;
    collect(h); // its bytes may be what we need
    RX_TRY(take_block(h, bytes, &b));
    vm_storage *s = (vm_storage *)heap_take(h, sizeof *s);
    if (!s) {
        keep_block(h, b);
        return RX_OUT_OF_MEMORY;
    }
    s->head.kind = VM_STORAGE;
    s->data = b.data;
    s->bytes = bytes;
    s->room = b.room;
    *out = s;
    return RX_OK;
}

static void heap_free(vm_heap *h) {
    heap_trim(h);
    heap_memory_free(h, h->block, h->block_room * sizeof *h->block);
    for (size_t class = FINE_CLASSES + 1; class <= CLASSES; class++)
        for (object *o = h->small[class - 1], *next; o; o = next) {
            next = o->next;
            free_own_block(h, o);
        }
    while (h->chunks) {
        heap_chunk *c = h->chunks;
        h->chunks = c->before;
        heap_memory_free(h, c, CHUNK);
    }
    device_release(h->dev);
    pthread_mutex_destroy(&h->lock);
    rx_allocator a = h->allocator;
    memory_give(&a, h, sizeof *h);
}

// After its context the heap has no owner: whoever drops the last object frees it.
void heap_give(vm_heap *h, vm_heap *here, object *o) {
    if (h == here) {
        recycle(h, o);
        return;
    }
    pthread_mutex_lock(&h->lock);
    bool last = false;
    if (h->closed) {
        recycle(h, o);
        last = h->alive == 0;
    } else {
        o->next = h->returned;
        h->returned = o;
        atomic_store_explicit(&h->any_returned, true, memory_order_relaxed);
    }
    pthread_mutex_unlock(&h->lock);
    if (last) heap_free(h);
}

void heap_close(vm_heap *h) {
    collect(h);
    heap_trim(h);
    pthread_mutex_lock(&h->lock);
    h->closed = true;
    // What came back since.
    for (object *o = h->returned, *next; o; o = next) {
        next = o->next;
        recycle(h, o);
    }
    h->returned = NULL;
    bool last = h->alive == 0;
    pthread_mutex_unlock(&h->lock);
    if (last) heap_free(h);
}

heap_counts heap_count(const vm_heap *h) { return h->counts; }
