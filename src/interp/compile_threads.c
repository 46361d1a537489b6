// compile_threads.c - loops over the threads of a block.
//
// Where the threads can run one after the other they are loops. Where they have to wait for each other (a barrier in
// the text), or a loop over threads lies inside of another over the same threads (each thread then does its share), the
// outermost such loop becomes a region that all threads of the block run together, from barrier to barrier.
#include "interp/compile.h"
#include "loop/walk.h"

bool compile_thread_tag(const char *thread, unsigned *tag) {
    if (!text_starts(thread, "threadIdx.")) return false;
    *tag = (unsigned)(thread[10] - 'x');
    return *tag < 3 && !thread[11];
}

// Both spellings: `for tx in T.thread_binding(…)` and `tx = T.launch_thread(…)`.
static bool thread_loop(const stmt *st, unsigned *tag) {
    if (st->kind == STMT_FOR) return st->as.loop.kind == FOR_THREAD && compile_thread_tag(st->as.loop.thread, tag);
    bool launch = st->kind == STMT_ATTR && st->as.attribute.var && st->as.attribute.thread;
    return launch && compile_thread_tag(st->as.attribute.thread, tag);
}

static counted_loop loop_of(compiler *c, const stmt *st) {
    if (st->kind == STMT_FOR)
        return (counted_loop){st->as.loop.var, st->as.loop.min, st->as.loop.extent, st->as.loop.body};
    const expr *var = st->as.attribute.var;
    return (counted_loop){var, expr_int(c->s, var->type, 0), expr_cast(c->s, var->type, st->as.attribute.value),
                          st->as.attribute.body};
}

// --- What a region needs.

// Barriers of any scope; T.tvm_storage_sync is the only one there is.
static bool is_barrier(const stmt *st) {
    const expr *e = st->kind == STMT_EVALUATE ? st->as.value : NULL;
    return e && e->op == EXPR_CALL && e->as.intrin->id == INTRIN_TVM_STORAGE_SYNC;
}

// Is one of the loops around, within the same region, over the same tag?
static bool is_nested(const stmt_walk *w, unsigned tag) {
    for (uint32_t i = 0; i < stmt_walk_depth(w); i++) {
        unsigned outer;
        if (thread_loop(stmt_walk_open(w, i), &outer) && outer == tag) return true;
    }
    return false;
}

// Looks through the whole body: loops over y and z inside belong to the same block of threads.
static bool has_to_wait(compiler *c, const stmt *st) {
    for (stmt_walk w = stmt_walk_from(c->mem, st); stmt_walk_next(&w);) {
        unsigned tag;
        if (w.leaving) continue;
        if (is_barrier(w.st) || (thread_loop(w.st, &tag) && is_nested(&w, tag))) return true;
    }
    return false;
}

// The extents of the tags inside, each by the first loop over it.
static void measure(compiler *c, const stmt *st) {
    for (stmt_walk w = stmt_walk_from(c->mem, st); stmt_walk_next(&w);) {
        unsigned tag;
        if (w.leaving || !thread_loop(w.st, &tag) || c->threads.extent[tag]) continue;
        c->threads.extent[tag] = loop_of(c, w.st).extent;
        c->threads.extent_reg[tag] = compile_value(c, c->threads.extent[tag], 0);
        c->threads.tag_reg[tag] = compile_register(c, 1);
    }
}

// --- Regions.

// Before an inner launch all threads are done with what they read; behind it all have written their share.
static void barrier_around(compiler *c) {
    compile_emit_x(c, CODE_BARRIER, BARRIER_IMPLICIT, 0, 0, 0);
    compile_forget(c);
}

// A loop over threads that are running: each takes the part that is its own.
static void compile_share(compiler *c, const counted_loop *l, unsigned tag) {
    thread_region *t = &c->threads;
    bool nested = t->open[tag] > 0, partial = l->extent != t->extent[tag];
    if (nested) barrier_around(c);
    uint32_t outer = compile_open(c), skip = 0;
    if (partial) {
        uint32_t extent = compile_value(c, l->extent, 0);
        compile_emit_x(c, CODE_IN_RANGE, IN_RANGE_THREADS, extent, compile_int(c, 0), t->extent_reg[tag]);
        skip = compile_emit(c, CODE_JUMP_IF_GE, t->tag_reg[tag], extent, 0);
    }
    const expr *index = expr_new_var(c->s, "thread", l->var->type);
    compile_set(c, index, t->tag_reg[tag]);
    compile_set(c, l->var, compile_binary(c, EXPR_ADD, l->min, index));
    t->open[tag]++;
    compile_stmt(c, l->body);
    t->open[tag]--;
    compile_close(c, outer);
    if (partial) compile_patch(c, skip);
    if (nested) barrier_around(c);
}

// Threads begin behind the FORK with copies of the registers and end at the RETURN; the rest goes on once.
static void compile_region(compiler *c, const stmt *st, const counted_loop *l, unsigned tag) {
    bool in_loop = c->in_loop;
    c->in_loop = false; // a thread can't leave a loop around its region
    c->threads = (thread_region){.on = true};
    measure(c, st);
    fork f = {.end = 0};
    for (unsigned i = 0; i < 3; i++) {
        f.extent[i] = c->threads.extent[i] ? c->threads.extent_reg[i] : NO_REGISTER;
        f.tag[i] = c->threads.tag_reg[i];
    }
    VEC_PUSH(c->mem, &c->fork, f);
    uint32_t number = c->fork.len - 1, outer = compile_open(c);
    compile_emit(c, CODE_FORK, 0, 0, number);
    compile_share(c, l, tag);
    compile_emit(c, CODE_RETURN, 0, 0, 0);
    compile_close(c, outer);
    c->fork.at[number].end = c->code.len;
    c->threads.on = false;
    c->in_loop = in_loop;
}

void compile_threads(compiler *c, const stmt *st, unsigned tag) {
    counted_loop l = loop_of(c, st);
    if (c->threads.on)
        compile_share(c, &l, tag);
    else if (has_to_wait(c, st))
        compile_region(c, st, &l, tag);
    else
        compile_loop(c, &l);
}
