// launch.h - the launch form of a program, as describe.c and the emitters see it.
#ifndef TARGET_LAUNCH_H
#define TARGET_LAUNCH_H
#include "target/target.h"

enum {
    LOCAL_ALIGN = 64,             // bytes every local buffer is aligned to
    LOCAL_STACK_BYTES = 16 << 10, // of local buffers of constant size on the stack; the rest live in scratch
};

// What stands inside the root block (NULL in *root if there is none).
const stmt *launch_body(const loop_func *f, const block **root);
// The top-level parallel loop, alone or behind a first phase; NULL if the program has none.
const stmt *launch_loop(const loop_func *f);
// What stands before it: each worker does it for itself before its units of the loop, into buffers of the root block
// that the loop only reads. NULL: nothing.
const stmt *launch_first_phase(const loop_func *f, arena *mem);
// How the iterations of the top-level parallel loop become units of the grid.
typedef struct launch_units {
    int64_t alone; // up to so many are one unit together; at least 1
    int64_t grain; // of more, so many are a unit each; a power of two
} launch_units;
launch_units launch_units_of(arena *mem, const stmt *loop);
// Whether a local buffer goes on the stack when `used` bytes of it are taken; its bytes rounded up to LOCAL_ALIGN.
bool local_fits_stack(const buffer *b, size_t used, size_t *bytes);
#endif
