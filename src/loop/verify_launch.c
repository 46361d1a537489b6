// verify_launch.c - what must hold once a program is one launch.
//
// What stands at the top of a program is seen by all units of its grid: a second parallel loop there would start before
// the first is done, and memory allocated there would be one unit's own. Other scopes may be: each worker has its own,
// and does for itself what stands before the loop. Below the top, programs are as they like: what a unit runs, it runs
// alone.
#include "loop/verify.h"
#include "loop/walk.h"
#include <string.h>

static bool is_launch(const stmt *st) {
    if (st->kind == STMT_FOR) return st->as.loop.kind == FOR_PARALLEL || st->as.loop.kind == FOR_THREAD;
    return st->kind == STMT_ATTR && strcmp(st->as.attribute.key, "thread_extent") == 0;
}

static bool is_top(const stmt *st) { return st->kind == STMT_SEQ || (st->kind == STMT_BLOCK && !st->as.block->iters); }

typedef struct top {
    const stmt *nest;   // the first parallel loop; NULL: none
    const stmt *second; // the one behind it
    const stmt *memory_at;
    const char *memory; // global and allocated here; NULL: none
} top;

static void look_at(const stmt *st, top *t) {
    if (is_launch(st) && t->nest && !t->second) t->second = st;
    if (is_launch(st) && !t->nest) t->nest = st;
    for (uint32_t i = 0; st->kind == STMT_BLOCK && i < st->as.block->allocs; i++) {
        const buffer *b = st->as.block->alloc[i];
        if (strcmp(b->scope, "global") != 0) continue;
        t->memory_at = st;
        t->memory = b->name;
    }
}

bool loop_verify_launch(const loop_func *f, diag *d) {
    uint32_t errors = d->errors;
    arena *mem = arena_new();
    top t = {0};
    for (stmt_walk w = stmt_walk_from(mem, f->body); stmt_walk_next(&w);) {
        w.skip = !is_top(w.st);
        if (!w.leaving) look_at(w.st, &t);
    }
    if (t.second)
        diag_error(d, loop_place(f, t.second), "%s: a launch has one parallel loop nest, this is the second", f->name);
    if (t.nest && t.memory)
        diag_error(
            d, loop_place(f, t.memory_at),
            "%s: a launch can't allocate global memory (%s) around its parallel loop; lift it out as a workspace "
            "parameter",
            f->name, t.memory);
    arena_free(mem);
    return d->errors == errors;
}
