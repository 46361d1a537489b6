// access_inside.h - what is known at one place of a program, and what follows for an index. For access.c alone.
#ifndef LOOP_ACCESS_INSIDE_H
#define LOOP_ACCESS_INSIDE_H
#include "loop/access.h"

// A loop around, or the lanes of a vector: min <= var < min + extent, in the words of the loops around it.
typedef struct rounds {
    const expr *var, *min, *extent;
} rounds;

typedef struct access_scope {
    expr_session *s;
    arena *mem;
    facts *known;         // sizes are not negative, ranges of variables, conditions
    const facts *sizes;   // sizes are at least 1: what a refusal assumes
    map loaded;           // MAP_KEY(load) -> a variable for what it gives
    map meaning;          // MAP_KEY(iteration variable or let) -> what it stands for, in the words of the loops
    VEC(rounds) rounds;   // outermost first
    expr_list conditions; // that hold here, in the words of the loops
} access_scope;

// low <= value < end; where `reaches`, value may be end.
typedef struct access_wish {
    const expr *value, *low, *end;
    bool reaches;
} access_wish;

const expr *access_index(access_scope *in, const expr *e); // as an int64: what is compared is of one type
void access_loop(access_scope *in, const expr *var, const expr *min, const expr *extent, bool stable);
void access_let(access_scope *in, const expr *var, const expr *value, bool stable);
// `stable`: what is read in the condition does not change while it is in scope. Otherwise it is only a condition under
// which the place is reached.
void access_assume(access_scope *in, const expr *condition, bool stable);

bool access_holds(access_scope *in, const access_wish *wish);
// How it fails, whenever the place is reached at all; NULL where that was not found.
const char *access_fails(access_scope *in, const access_wish *wish);
bool access_contradicts(access_scope *in, const facts *f); // they can't all be true: anything could be proved
// As a message has it: numbers bare.
const char *access_shown(access_scope *in, const expr *e);
// What to ask at run time, of all lanes; NULL where that is no expression we can build.
const expr *access_condition(access_scope *in, const access_wish *wish);
#endif
