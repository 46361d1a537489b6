// sites.h - the pieces of work of a compiled file by the binding they compute, and which of two files belong together.
#ifndef CLI_SITES_H
#define CLI_SITES_H
#include "base/vec.h"
#include "relax/runtime.h"

// One instruction that computes a binding: a row of the metadata "bindings".
typedef struct site {
    const char *function, *place; // "main", "mlp.py:14 lv3"
    const char *key;              // what is the same in another build: function, line and binding
    uint32_t word;                // where the instruction stands in its function
    uint32_t order, alike;        // which one it is of so many with this key
} site;
typedef VEC(site) site_list;

// The metadata "bindings" of the functions that this context runs: its variant's, if that has functions of its own.
// NULL: the file doesn't say.
const char *bindings_of(const rx_executable *e, const rx_context *c, size_t *size);
// In the order of the file; none where it doesn't say.
site_list sites_of(arena *mem, const rx_executable *e, const rx_context *c);
// The site of an instruction; NULL: none.
site *site_find(const site_list *list, const char *function, uint32_t word);
// The site of `other` that computes what s does: as many with its key on both sides pair up in order; else fusion has
// joined some of them on one side, and the last ones have the binding's final value. NULL: none.
site *site_partner(const site *s, const site_list *other);
#endif
