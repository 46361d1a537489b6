// walk.h - visits a statement and all below it without recursion, so that depth is bounded by memory alone.
//
//   stmt_walk w = stmt_walk_from(mem, st);
//   while (stmt_walk_next(&w)) if (!w.leaving) look_at(w.st);
#ifndef LOOP_WALK_H
#define LOOP_WALK_H
#include "loop/loop.h"

// Each statement is seen twice: before its children, and (leaving) after them.
typedef struct stmt_walk {
    const stmt *st;
    bool leaving;
    bool skip; // set by the caller on entering: the children are not visited (leaving is still reported)
    struct arena *mem;
    VEC(struct stmt_frame) stack;
} stmt_walk;
typedef struct stmt_frame {
    const stmt *st;
    uint32_t next; // child
} stmt_frame;

stmt_walk stmt_walk_from(arena *mem, const stmt *st);
bool stmt_walk_next(stmt_walk *w); // false at the end
// How many statements are open around w->st, itself excluded, and which (0 is the outermost).
uint32_t stmt_walk_depth(const stmt_walk *w);
const stmt *stmt_walk_open(const stmt_walk *w, uint32_t i);
#endif
