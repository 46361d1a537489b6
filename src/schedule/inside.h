// inside.h - the inside of a schedule: the program as a tree, and handles into it.
//
// A loop is known by its variable, a block by its name; both are unique in the program, so handles survive rewriting.
#ifndef SCHEDULE_INSIDE_H
#define SCHEDULE_INSIDE_H
#include "schedule/schedule.h"

typedef struct handle {
    const expr *var;   // a loop's variable; NULL for a block
    const char *block; // a block's name; NULL for a loop
} handle;

typedef struct checkpoint {
    const stmt *body;
    size_t trace;
    uint32_t handles;
} checkpoint;

struct schedule {
    expr_session *s;
    arena *mem;
    loop_func *func; // a copy; its body is the program as it is now
    diag *d;
    facts *facts; // dims are not negative
    text trace;
    VEC(handle) handles;
    VEC(checkpoint) checkpoints;
};

typedef VEC(const stmt *) stmt_list; // a path: from the program's body down to a statement

// --- tree.c
bool path_to_loop(const schedule *sch, const expr *var, stmt_list *path);
bool path_to_block(const schedule *sch, const char *name, stmt_list *path);
const stmt *path_end(const stmt_list *path);
// Puts `now` (NULL: nothing) in the place of the path's end; what has become empty goes too.
void tree_replace(schedule *sch, const stmt_list *path, const stmt *now);
// What holds inside the path: ranges of its loops, guards of its blocks.
facts *path_facts(const schedule *sch, const stmt_list *path);
// Every block below st, outermost ones first.
void blocks_below(const schedule *sch, const stmt *st, stmt_list *out);
// Whether st reads or writes the buffer anywhere below.
bool touches(const schedule *sch, const stmt *st, const buffer *buf, bool *reads, bool *writes);
// The statement with variables replaced and block bindings simplified under the facts.
const stmt *rebind(schedule *sch, const stmt *st, const map *with, const facts *f);
// Adds a condition to the outermost blocks below st (or around st where it has none).
const stmt *guard(schedule *sch, const stmt *st, const expr *condition);

// --- handles.c
loop_ref loop_handle(schedule *sch, const expr *var);
block_ref block_handle(schedule *sch, const char *name);
// The loop or block behind a handle, as a path; false after reporting that it is gone.
bool must_loop(schedule *sch, loop_ref l, const char *primitive, stmt_list *path);
bool must_block(schedule *sch, block_ref b, const char *primitive, stmt_list *path);
// Reports that a primitive does not apply. Returns false.
bool refuse(schedule *sch, const char *primitive, const char *format, ...) RX_PRINTF(3, 4);
// Adds a line to the trace.
void trace_line(schedule *sch, const char *format, ...) RX_PRINTF(2, 3);

// --- shape.c: what kind of block it is.
typedef struct block_shape {
    const buffer *out; // the one buffer it writes
    uint32_t rank;
    const expr *const *written; // its indices, each an iteration variable of its own or a constant
    const stmt *store;          // the update
    bool reduction;             // has reduction variables
} block_shape;
// Understands a block that writes one buffer at its own spatial variables; false (silently) for others.
bool block_understand(const schedule *sch, const block *b, block_shape *out);
#endif
