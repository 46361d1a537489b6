// verify_launch.c - what must hold once a program is one launch.
#include "loop/verify.h"
#include "loop/walk.h"
#include <string.h>

static bool is_grid(const stmt *st) {
    return st->kind == STMT_FOR && (st->as.loop.kind == FOR_PARALLEL || st->as.loop.kind == FOR_THREAD);
}

static bool is_launch(const stmt *st) {
    return is_grid(st) || (st->kind == STMT_ATTR && strcmp(st->as.attribute.key, "thread_extent") == 0);
}

static bool is_global(const char *scope) { return !scope || strcmp(scope, "global") == 0; }

static void check_memory(const loop_func *f, const stmt *st, diag *d) {
    loc at = st->at.src ? st->at : f->at;
    if (st->kind == STMT_ALLOCATE && is_global(st->as.allocate.scope))
        diag_error(d, at, "%s: a launch can't allocate global memory (%s); lift it out as a workspace parameter",
                   f->name, st->as.allocate.var->as.var->name);
    if (st->kind != STMT_BLOCK) return;
    const block *b = st->as.block;
    for (uint32_t i = 0; i < b->allocs; i++)
        if (is_global(b->alloc[i]->scope))
            diag_error(d, at, "%s: a launch can't allocate global memory (%s); lift it out as a workspace parameter",
                       f->name, b->alloc[i]->name);
}

// Parallel nests seen before an `if` and in its first branch: branches are alternatives, the larger counts.
typedef struct alternatives {
    uint32_t before, then;
} alternatives;

typedef struct counter {
    const loop_func *f;
    arena *mem;
    diag *d;
    uint32_t nests, inside; // seen; around the statement
    VEC(alternatives) ifs;  // around the statement
} counter;

static void enter(counter *c, const stmt *st, const stmt *parent) {
    if (parent && parent->kind == STMT_IF && st == parent->as.branch.otherwise) {
        alternatives *a = &c->ifs.at[c->ifs.len - 1];
        a->then = c->nests;
        c->nests = a->before;
    }
    if (st->kind == STMT_IF) VEC_PUSH(c->mem, &c->ifs, ((alternatives){.before = c->nests}));
    if (!is_launch(st)) return;
    if (!c->inside++ && ++c->nests == 2)
        diag_error(c->d, st->at.src ? st->at : c->f->at, "%s: a launch has one parallel loop nest, this is the second",
                   c->f->name);
}

static void leave(counter *c, const stmt *st) {
    if (is_launch(st)) c->inside--;
    if (st->kind != STMT_IF) return;
    uint32_t then = c->ifs.at[--c->ifs.len].then;
    if (then > c->nests) c->nests = then;
}

static void check_nests(const loop_func *f, arena *mem, diag *d) {
    counter c = {.f = f, .mem = mem, .d = d};
    for (stmt_walk w = stmt_walk_from(mem, f->body); stmt_walk_next(&w);) {
        uint32_t depth = stmt_walk_depth(&w);
        if (w.leaving) {
            leave(&c, w.st);
            continue;
        }
        check_memory(f, w.st, d);
        enter(&c, w.st, depth ? stmt_walk_open(&w, depth - 1) : NULL);
    }
}

bool loop_verify_launch(const loop_func *f, expr_session *s, diag *d) {
    uint32_t errors = d->errors;
    (void)s;
    arena *mem = arena_new();
    check_nests(f, mem, d);
    arena_free(mem);
    return d->errors == errors;
}
