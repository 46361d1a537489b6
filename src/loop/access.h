// access.h - does a program stay inside its buffers? What is proved, what is disproved, what remains a doubt.
#ifndef LOOP_ACCESS_H
#define LOOP_ACCESS_H
#include "expr/prove.h"
#include "loop/loop.h"

// Where the condition of a doubt can be asked for.
typedef enum doubt_place {
    DOUBT_AROUND, // before the statement
    DOUBT_INSIDE, // a block's: before its init and its body
    DOUBT_AGAIN,  // a while's: before the statement and at the end of its body
} doubt_place;

// Something that must hold and was not proved: an index within its dim, an iteration variable within its domain, a box
// or a view within what it is taken from.
typedef struct access_doubt {
    const stmt *at;
    doubt_place place;
    const expr *holds; // what must hold, a bool that may be evaluated where `place` says
    const char *what;  // "index 0 of A", "the iteration variable vi of block b"
    const char *wrong; // how it fails for every size for which the loops around run; NULL: it may hold
} access_doubt;
typedef VEC(access_doubt) doubt_list;

// Everything in f that is not proved to stay inside, in the order of the text. f keeps all other rules (loop_verify).
// Data that the program or a function it calls writes is unknown; int32 and int64 don't wrap.
void loop_find_doubts(expr_session *s, arena *mem, const loop_func *f, doubt_list *out);
// f with an assertion for each doubt; f itself where there is none. NULL after reporting, where one can't be asked for.
const loop_func *loop_guard(expr_session *s, arena *mem, const loop_func *f, diag *d);
#endif
