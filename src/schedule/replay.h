// replay.h - a line of a trace, taken apart; and the table of primitives by name.
#ifndef SCHEDULE_REPLAY_H
#define SCHEDULE_REPLAY_H
#include "schedule/inside.h"

enum { REPLAY_ARGS = 32 };

typedef enum arg_kind { ARG_NAME, ARG_VALUE, ARG_LAMBDA } arg_kind;
typedef struct replay_arg {
    arg_kind kind;
    const char *key;   // factors=…; NULL: by position
    const char *name;  // NAME: "l3"
    const attr *value; // VALUE: a number, a string, None, True, a list; LAMBDA: an index map
} replay_arg;

typedef struct replay_line {
    const char *out[REPLAY_ARGS]; // the names before "="
    uint32_t outs, args;
    const char *primitive;
    replay_arg arg[REPLAY_ARGS];
    loc at;
} replay_line;

typedef struct replay {
    schedule *sch;
    text_map handles; // name -> id + 1
    const replay_line *line;
    bool failed;
} replay;

// --- For the primitives: the arguments of the line. A missing or wrong one is reported, and `failed` set.
loop_ref replay_loop(replay *r, uint32_t i);
block_ref replay_block(replay *r, uint32_t i);
bool replay_is_block(replay *r, uint32_t i);
int64_t replay_int(replay *r, uint32_t i);
const char *replay_text(replay *r, uint32_t i);
const attr *replay_value(replay *r, uint32_t i);
void replay_give_loop(replay *r, uint32_t i, loop_ref l);
void replay_give_block(replay *r, uint32_t i, block_ref b);

// One primitive: its name, how it is written, what it does.
typedef struct primitive {
    const char *name, *form, *doc;
    void (*run)(replay *r); // sets failed where the primitive does not apply
} primitive;
const primitive *primitive_all(uint32_t *count); // primitives.c
#endif
