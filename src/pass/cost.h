// cost.h - what computing a value takes, as far as fusion asks: is it work, or only moving and unpacking?
#ifndef PASS_COST_H
#define PASS_COST_H
#include "expr/prove.h"
#include "loop/loop.h"

typedef struct cost {
    uint32_t nodes;  // of the expressions
    bool dear;       // a transcendental function, a division, a call
    bool arithmetic; // of floats
    map buffers;     // read: MAP_KEY(buffer)
} cost;
// Adds what one expression takes. `c->buffers.mem` must be set.
void cost_add(cost *c, arena *mem, const expr *value);
// Are the buffers read, all together, provably no larger than `out`: a weight that is unpacked?
bool cost_unpacks(expr_session *s, const cost *c, const buffer *out);

typedef enum program_work {
    WORK_SOME,    // it computes
    WORK_MOVES,   // elements come out as they are, elsewhere
    WORK_UNPACKS, // it computes, and writes more than it reads
} program_work;
program_work loop_work(expr_session *s, arena *mem, const loop_func *f);
#endif
