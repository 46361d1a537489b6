// builtin.h - runtime functions on host tensors that are not loops: found by name and version.
//
// The VM calls them from bytecode, the interpreters directly. Rows are in builtins.def.
#ifndef BUILTIN_BUILTIN_H
#define BUILTIN_BUILTIN_H
#include "tensor/tensor.h"

enum { BUILTIN_WHY = 256, BUILTIN_MAX_OUT = 4 };

// One call. Destination-passing builtins write into out[] (NULL: that one isn't wanted, where the builtin allows it);
// allocating ones fill out[] by way of `make` and leave those NULL that weren't asked for.
typedef struct builtin_call {
    const tensor *const *in;
    uint32_t ins;
    const int64_t *arg; // scalars: integers, bools, floats by their bits
    uint32_t args;
    tensor **out;
    uint32_t outs;
    // Makes an output of an allocating builtin, its elements undefined; NULL means tensor_new. Outputs are made in
    // order.
    rx_status (*make)(void *user, dtype type, uint32_t rank, const int64_t *dim, tensor **out);
    void *user;
    char *why; // BUILTIN_WHY bytes; one sentence after a failure
} builtin_call;

typedef struct builtin {
    const char *name;
    // Raised when its meaning grows; files name the version they were compiled against.
    uint32_t version;
    uint32_t ins, args, outs;
    bool allocates; // it makes its outputs, else the caller has made them
    // Thread-safe. Checks what the caller could get wrong; a failure leaves no output behind.
    rx_status (*run)(builtin_call *c);
    const char *doc;
} builtin;

// NULL if there is none of this name. The version is the newest one; older files are served by it too.
const builtin *builtin_find(const char *name);
// The whole table, for listings.
uint32_t builtin_count(void);
const builtin *builtin_at(uint32_t index);
#endif
