// opt_dump.h - what `relax opt --dump-ir DIR` writes: the module after each pass that changed it, and a page that shows
// the steps side by side.
#ifndef CLI_OPT_DUMP_H
#define CLI_OPT_DUMP_H
#include "base/text.h"
#include "base/vec.h"

typedef struct opt_stage {
    const char *name, *file, *bytes; // name of the pass, "input" first; the module as text
    double seconds;
} opt_stage;
typedef struct opt_dump {
    arena *mem;
    const char *dir;
    VEC(opt_stage) stage; // those that changed something
    uint32_t steps;       // passes so far
} opt_dump;

// Writes DIR/NN.NAME.py unless the text is that of the stage before. False after a message.
bool opt_dump_stage(opt_dump *d, const char *name, const char *bytes, double seconds);
// Writes DIR/index.html. False after a message.
bool opt_dump_index(const opt_dump *d);
#endif
