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
// Are the buffers read, all together and so many times, provably no larger than `out`: a weight that is unpacked?
bool cost_unpacks(expr_session *s, const cost *c, const buffer *out, uint32_t times);

typedef enum program_work {
    WORK_SOME,    // it computes
    WORK_MOVES,   // elements come out as they are, elsewhere
    WORK_UNPACKS, // it computes, and writes more than it reads
} program_work;
program_work loop_work(expr_session *s, arena *mem, const loop_func *f);
// Is reading what the program reads, so many times, no more than writing once what it writes?
bool loop_unpacks(expr_session *s, arena *mem, const loop_func *f, uint32_t times);
// Does the program read parameter i at places that other loads decide (a gather), so that it may read a part alone?
bool loop_gathers(arena *mem, const loop_func *f, uint32_t i);
#endif
