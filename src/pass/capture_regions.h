// capture_regions.h - which bindings of a function can be recorded: launches on static values, with what lies between.
//
// A value is static if it is the same at each call with the same symbols: a weight, a constant, a storage of constant
// size, a tensor or view in one, a tuple of static values. A region begins at a launch whose operands are all static
// and ends at the first binding that isn't static; allocations, checks and shapes neither belong to one nor end it. An
// `if` ends it, and its branches have regions of their own.
#ifndef PASS_CAPTURE_REGIONS_H
#define PASS_CAPTURE_REGIONS_H
#include "pass/support.h"

typedef struct capture_options {
    bool machine;  // as our machine captures: keyed by the memory and symbols that a region works on
    bool inputs;   // with machine: parameters are static (their memory is part of the key)
    bool storages; // storages of constant size are shared by all functions and never freed
} capture_options;

typedef struct capture_region {
    node_list bindings; // in order, at least one
    node_list inputs;   // named values from outside, in order of use
    node_list outputs;  // bindings used behind it, in order of use
    expr_list symbols;  // that it mentions, in order
    const char *func;   // given by the pass
    uint32_t number;
} capture_region;

typedef struct captured {
    VEC(capture_region *) regions; // in order
    map region_of;                 // MAP_KEY(binding) -> capture_region *
    node_list storages;            // of constant size, in order
    map slot;                      // MAP_KEY(storage) -> index among the shared ones + 1; filled by the pass
    map again;                     // MAP_KEY(binding of a region) -> non-NULL: also stays where it is
} captured;

// With machine, a region gives nothing back: what is used behind it (tensors in storages, views) is made again there,
// so that a recorded list keeps no memory alive.
captured find_regions(module *m, const graph_func *f, const capture_options *o);
#endif
