// walk.c - the traversal of statements with an explicit stack.
#include "loop/walk.h"

stmt_walk stmt_walk_from(arena *mem, const stmt *st) {
    stmt_walk w = {.mem = mem, .st = st};
    return w;
}

static bool enter(stmt_walk *w, const stmt *st) {
    VEC_PUSH(w->mem, &w->stack, ((stmt_frame){.st = st}));
    w->st = st;
    w->leaving = w->skip = false;
    return true;
}

bool stmt_walk_next(stmt_walk *w) {
    if (!w->stack.len) {
        if (!w->st || w->leaving) return false;
        return enter(w, w->st);
    }
    if (w->leaving) w->stack.len--;
    if (!w->stack.len) return false;
    stmt_frame *top = &w->stack.at[w->stack.len - 1];
    const stmt *child = !w->leaving && w->skip ? NULL : stmt_child(top->st, top->next++);
    if (child) return enter(w, child);
    w->st = top->st;
    return w->leaving = true;
}

uint32_t stmt_walk_depth(const stmt_walk *w) { return w->stack.len - 1; }

const stmt *stmt_walk_open(const stmt_walk *w, uint32_t i) { return w->stack.at[i].st; }
