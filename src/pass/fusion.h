// fusion.h - which calls of loop programs run as one: a graph of uses, its post-dominators, groups.
//
// A call may be fused into its post-dominator (where all ways from it meet) when everything between has a kind that
// fits. Groups grow until no rule applies; each has one result, that of its last member. Deep chains and wide graphs
// take n log n steps.
#ifndef PASS_FUSION_H
#define PASS_FUSION_H
#include "pass/cost.h"
#include "pass/pattern.h"
#include "pass/support.h"

typedef struct fusion_limits {
    uint32_t max_depth;     // calls in a group
    uint32_t max_arguments; // tensors a group's function takes and gives; 0: any number
    uint32_t copies;        // of a decode with several readers; below 2: none
    bool producers;         // what moves or unpacks elements goes into the matmul (or the like) that reads them
    map *work;              // MAP_KEY(loop_func) -> program_work + 1, filled as it is asked for
} fusion_limits;

typedef struct fusion_edge {
    uint32_t to, next; // next: index of another edge from the same point, UINT32_MAX at the end
    pattern_kind kind; // how the user reads it
} fusion_edge;

// One value of the function: a parameter, a constant, a binding of a dataflow block.
typedef struct fusion_point {
    const node *n;
    pattern_kind kind;
    program_work work; // of injective ones
    bool outside;      // used where fusion does not see it
    bool feeds;        // it went into the matmul that reads it
    uint32_t first_edge;
    uint32_t dominator, depth;   // post-dominator, UINT32_MAX: none
    uint32_t jump;               // an ancestor further up, for quick common ancestors
    pattern_kind up, up_to_jump; // the hardest kind on the way to the dominator, to the jump
    // The group: a tree of points towards its root.
    uint32_t parent, size;
    uint32_t next, last; // members of the group in a chain; last: of a root
    pattern_kind group_kind;
    bool anchored; // the group holds a reduction or the like
    uint32_t mark; // of the latest walk that came by
} fusion_point;

typedef struct fusion {
    module *m;
    fusion_limits limits;
    VEC(fusion_point) point; // in order of definition
    VEC(fusion_edge) edge;
    map index;     // MAP_KEY(node) -> its point + 1
    uint32_t walk; // marks of the latest walk
} fusion;

// The points and edges of a function's dataflow blocks.
fusion fusion_of(module *m, const graph_func *f, fusion_limits limits);
// Gives each reader of a decode a copy of its own where that pays (fusion_copies.c); f itself where nothing does.
const graph_func *fusion_copies(module *m, const graph_func *f, fusion_limits limits, diag *d);
void fusion_partition(fusion *g);
uint32_t fusion_root(fusion *g, uint32_t i); // the group of a point
#endif
