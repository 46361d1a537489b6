// heap.h - the memory of a context: small blocks for objects, large ones for tensors, both kept for reuse.
//
// A heap belongs to the thread of its context; objects that another thread drops come back through a locked list. It
// outlives its context while objects of it are alive.
#ifndef VM_HEAP_H
#define VM_HEAP_H
#include "device/device.h"
#include "exec/memory.h"
#include "vm/object.h"

// Retains d. `limit`: bytes of tensor memory at once, 0: none. NULL: no memory.
vm_heap *heap_new(const rx_allocator *a, device *d, uint64_t limit);
void heap_close(vm_heap *h); // by its owner; frees it now or when the last object goes

// Room for an object: from the lists of freed ones, else new. NULL: no memory. Owner's thread.
object *heap_take(vm_heap *h, size_t size);
// A storage object with at least `bytes`; its contents are undefined. Owner's thread.
RX_MUST_USE rx_status heap_storage(vm_heap *h, size_t bytes, vm_storage **out);
// A dead object comes home; it must not own anything any more. `here` as in object_release.
void heap_give(vm_heap *h, vm_heap *here, object *o);
// Plain memory that counts among the heap's allocations: for arrays of the context.
void *heap_memory(vm_heap *h, size_t size);
void heap_memory_free(vm_heap *h, void *at, size_t size);

void heap_trim(vm_heap *h); // gives back all tensor memory that is not in use
typedef struct heap_counts {
    uint64_t allocations, bytes, peak;
} heap_counts;
heap_counts heap_count(const vm_heap *h);
#endif
