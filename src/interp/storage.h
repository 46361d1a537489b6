// storage.h - memory of the interpreters, which knows of each byte whether it was ever written.
//
// Tensors over a storage carry that knowledge from one program to the next. Memory of the user's tensors counts as
// written. Not thread-safe: one run belongs to one thread.
#ifndef INTERP_STORAGE_H
#define INTERP_STORAGE_H
#include "tensor/tensor.h"

// What all storages of a run share: a limit of live bytes.
typedef struct budget {
    uint32_t refs;
    size_t left;
} budget;
budget *budget_new(size_t bytes); // NULL: out of memory
void budget_release(budget *b);   // NULL is allowed

typedef struct storage {
    uint32_t refs;
    budget *from;
    size_t bytes;
    uint8_t *data;    // zeros at first, 64-byte aligned, never NULL
    uint8_t *written; // a bit per byte; NULL: not tracked
    bool per_thread;  // each thread of a block has its own copy
} storage;

// NULL: the budget or the machine has no more.
storage *storage_new(budget *from, size_t bytes, bool track);
storage *storage_retain(storage *s);
void storage_release(storage *s);                         // NULL is allowed
void storage_forget(storage *s, size_t at, size_t bytes); // unwritten again
bool storage_has(const uint8_t *written, size_t at, size_t bytes);
void storage_mark(uint8_t *written, size_t at, size_t bytes);

// A tensor over bytes [at, …) of s, which it keeps alive. RX_INVALID_ARGUMENT where they do not fit.
RX_MUST_USE rx_status storage_tensor(storage *s, size_t at, dtype type, uint32_t rank, const int64_t *dim,
                                     tensor **out);
// The first byte of t that was never written, counted from its beginning; t->bytes if there is none.
size_t storage_first_unwritten(const tensor *t);
void storage_all_written(const tensor *t); // somebody else wrote every element
storage *storage_of(const tensor *t);      // borrowed; NULL: memory of somebody else
#endif
