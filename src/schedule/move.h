// move.h - what compute_at and reverse_compute_at share: a block that leaves its loops for another place.
#ifndef SCHEDULE_MOVE_H
#define SCHEDULE_MOVE_H
#include "schedule/inside.h"

typedef struct move {
    schedule *sch;
    const char *primitive;
    stmt_list from, to;   // paths of the block and of the loop it goes into
    uint32_t split;       // where they part: both paths are alike below this index
    uint32_t here, there; // children of the sequence at from.at[split - 1] that hold the block and the loop
    block_shape shape;
    const buffer *link;        // the buffer between the block and the loop
    const expr *const *access; // of the link, by the moved block's variables
    region box;                // of the link that the loop's body needs or gives
    facts *facts;              // around the loop's body
} move;

// Finds both and checks what holds for every move; false after refusing.
bool move_open(move *m, block_ref which, loop_ref at);
// Whether the buffer is written (or, `any`, touched) in the sequence where the paths part, in the children from `first`
// to `last`, both counted.
bool move_crosses(const move *m, const buffer *buf, bool any, uint32_t first, uint32_t last);
// The block with new loops over the box, at child `slot` of the loop's body; its old place is gone.
void move_finish(move *m, uint32_t slot);
#endif
