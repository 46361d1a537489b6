// loop_kind.c - parallel, vectorize, unroll, bind, annotate: how a loop runs.
//
// Iterations that run at once must not meet in memory: no element is written in one and touched in another, but for
// buffers that each iteration has for itself.
#include "base/count_noun.h"
#include "loop/walk.h"
#include "schedule/inside.h"
#include <string.h>

// A reduction has a message of its own.
static bool carries_reduction(schedule *sch, const char *primitive, const stmt *loop, const conflict *c) {
    const block *b = c->a->leaf ? c->a->leaf->as.block : NULL;
    for (uint32_t i = 0; b && c->a->leaf == c->b->leaf && i < b->iters; i++)
        if (b->iter[i].kind == ITER_REDUCE && expr_uses_var(b->iter[i].value, loop->as.loop.var)) {
            refuse(sch, primitive, "loop %s carries the reduction %s of block %s", loop->as.loop.var->as.var->name,
                   b->iter[i].var->as.var->name, b->name);
            return true;
        }
    return false;
}

static bool independent(schedule *sch, const char *primitive, const stmt_list *path) {
    const stmt *loop = path_end(path);
    accesses all = accesses_below(sch, path);
    conflict c;
    if (all.opaque) return refuse(sch, primitive, "loop %s holds %s", loop->as.loop.var->as.var->name, all.opaque);
    if (!iterations_conflict(sch, path, &all, loop, false, &c)) return true;
    if (!carries_reduction(sch, primitive, loop, &c)) refuse(sch, primitive, "%s", describe_conflict(sch, loop, &c));
    return false;
}

static bool must_be_serial(schedule *sch, const char *primitive, const stmt *loop) {
    return loop->as.loop.kind == FOR_SERIAL ||
           refuse(sch, primitive, "loop %s is not serial any more", loop->as.loop.var->as.var->name);
}

void set_loop_kind(schedule *sch, const stmt_list *path, for_kind kind, const char *thread) {
    stmt *now = (stmt *)(uintptr_t)stmt_copy(sch->mem, path_end(path));
    now->as.loop.kind = kind;
    now->as.loop.thread = thread;
    tree_replace(sch, path, now);
}

bool schedule_parallel(schedule *sch, loop_ref l) {
    stmt_list path = {0};
    if (!must_loop(sch, l, "parallel", &path) || !must_be_serial(sch, "parallel", path_end(&path)) ||
        !independent(sch, "parallel", &path))
        return false;
    const char *name = loop_name(sch, l);
    set_loop_kind(sch, &path, FOR_PARALLEL, NULL);
    trace_line(sch, "parallel(%s)", name);
    return true;
}

bool schedule_unroll(schedule *sch, loop_ref l) {
    stmt_list path = {0};
    if (!must_loop(sch, l, "unroll", &path) || !must_be_serial(sch, "unroll", path_end(&path))) return false;
    const char *name = loop_name(sch, l);
    set_loop_kind(sch, &path, FOR_UNROLLED, NULL);
    trace_line(sch, "unroll(%s)", name);
    return true;
}

// Lanes run in step: nothing inside may take another course from lane to lane, or hold memory of its own.
bool lanes_in_step(schedule *sch, const stmt *loop) {
    const char *name = loop->as.loop.var->as.var->name;
    stmt_walk w = stmt_walk_from(sch->mem, loop->as.loop.body);
    while (stmt_walk_next(&w)) {
        const stmt *st = w.st;
        if (w.leaving) continue;
        if (st->kind == STMT_BLOCK && st->as.block->allocs)
            return refuse(sch, "vectorize", "%s is allocated inside loop %s", st->as.block->alloc[0]->name, name);
        if (st->kind == STMT_FOR &&
            (expr_uses_var(st->as.loop.extent, loop->as.loop.var) || expr_uses_var(st->as.loop.min, loop->as.loop.var)))
            return refuse(sch, "vectorize", "the range of loop %s depends on loop %s", st->as.loop.var->as.var->name,
                          name);
        if (st->kind == STMT_FOR && st->as.loop.kind != FOR_SERIAL && st->as.loop.kind != FOR_UNROLLED)
            return refuse(sch, "vectorize", "loop %s inside is neither serial nor unrolled",
                          st->as.loop.var->as.var->name);
    }
    return true;
}

// Whether the store is C = C op x, where the lanes of the loop are in x alone.
static bool joins(schedule *sch, const stmt *store, const expr *var) {
    const expr *value = store->as.store.value;
    const buffer *out = store->as.store.buf;
    if (store->as.store.predicate || !expr_joins(value)) return false;
    if (dtype_is_float(value->type) && dtype_bits(value->type) < 32) return false; // rounds after each step
    if (value->in[0] != expr_load(sch->s, out, out->type, store->as.store.index, store->as.store.count)) return false;
    for (uint32_t i = 0; i < store->as.store.count; i++)
        if (expr_uses_var(store->as.store.index[i], var)) return false;
    map loaded = MAP_IN(sch->mem);
    expr_loaded_buffers(value->in[1], &loaded);
    return !map_has(&loaded, MAP_KEY(out));
}

// Lanes of a sum, a product or an extreme that are joined at once: the loop holds one update C = C + x, where no lane
// moves C.
bool lanes_join(schedule *sch, const stmt_list *path) {
    const stmt *loop = path_end(path), *body = loop->as.loop.body;
    const expr *var = loop->as.loop.var;
    block_shape shape;
    if (body->kind == STMT_STORE) return joins(sch, body, var);
    if (body->kind != STMT_BLOCK || !block_understand(sch, body->as.block, &shape)) return false;
    const block *b = body->as.block;
    if (!shape.reduction || b->init || b->body != shape.store || !joins(sch, shape.store, var)) return false;
    for (uint32_t i = 0; i < b->iters; i++)
        if (b->iter[i].kind != ITER_REDUCE && expr_uses_var(b->iter[i].value, var)) return false;
    return true;
}

bool schedule_vectorize(schedule *sch, loop_ref l) {
    stmt_list path = {0};
    int64_t extent;
    if (!must_loop(sch, l, "vectorize", &path) || !must_be_serial(sch, "vectorize", path_end(&path))) return false;
    const stmt *loop = path_end(&path);
    if (!expr_const_int(loop->as.loop.extent, &extent))
        return refuse(sch, "vectorize", "the extent of loop %s is not constant; split it first",
                      loop->as.loop.var->as.var->name);
    const expr *var = loop->as.loop.var;
    schedule_checkpoint(sch);
    if (give_lanes(sch, &path)) {
        path.len = 0;
        CHECK(path_to_loop(sch, var, &path));
    }
    if (!lanes_in_step(sch, path_end(&path)) || !(lanes_join(sch, &path) || independent(sch, "vectorize", &path))) {
        schedule_rollback(sch);
        return false;
    }
    schedule_commit(sch);
    const char *name = loop_name(sch, l);
    set_loop_kind(sch, &path, FOR_VECTORIZED, NULL);
    trace_line(sch, "vectorize(%s)", name);
    return true;
}

bool schedule_bind(schedule *sch, loop_ref l, const char *thread) {
    static const char *const known[] = {"blockIdx.x",  "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y",
                                        "threadIdx.z", "vthread",    "vthread.x",  "vthread.y",   "vthread.z"};
    stmt_list path = {0};
    bool found = false;
    for (size_t i = 0; i < COUNT(known); i++) found |= strcmp(known[i], thread) == 0;
    if (!found) return refuse(sch, "bind", "there is no thread %s; want blockIdx, threadIdx or vthread", thread);
    if (!must_loop(sch, l, "bind", &path) || !must_be_serial(sch, "bind", path_end(&path))) return false;
    if (!expr_is_int(path_end(&path)->as.loop.min, 0))
        return refuse(sch, "bind", "loop %s does not start at 0", path_end(&path)->as.loop.var->as.var->name);
    if (!independent(sch, "bind", &path)) return false;
    const char *name = loop_name(sch, l);
    set_loop_kind(sch, &path, FOR_THREAD, thread);
    trace_line(sch, "bind(%s, \"%s\")", name, thread);
    return true;
}

// --- prefetch

// Whether something in global memory is read at places that move with the loop.
static bool reads_along_loop(schedule *sch, const stmt_list *path) {
    accesses all = accesses_below(sch, path);
    const expr *var = path_end(path)->as.loop.var;
    for (uint32_t i = 0; i < all.list.len; i++) {
        const access *a = &all.list.at[i];
        for (uint32_t d = 0; !a->writes && d < a->count; d++)
            if (strcmp(a->buf->scope, "global") == 0 && expr_uses_var(a->index[d], var)) return true;
    }
    return false;
}

bool schedule_prefetch(schedule *sch, loop_ref l, int64_t bytes) {
    stmt_list path = {0};
    if (!must_loop(sch, l, "prefetch", &path) || !must_be_serial(sch, "prefetch", path_end(&path))) return false;
    const char *var = path_end(&path)->as.loop.var->as.var->name;
    if (bytes < 1 || bytes > PREFETCH_MOST)
        return refuse(sch, "prefetch", "%s ahead: want 1 to %d", COUNTED(bytes, "byte"), PREFETCH_MOST);
    if (!reads_along_loop(sch, &path))
        return refuse(sch, "prefetch", "nothing in global memory is read at places that move with loop %s", var);
    const char *name = loop_name(sch, l);
    stmt *now = (stmt *)(uintptr_t)stmt_copy(sch->mem, path_end(&path));
    now->as.loop.annotations = attr_with(sch->mem, now->as.loop.annotations, "prefetch", attr_int(sch->mem, bytes));
    tree_replace(sch, &path, now);
    trace_line(sch, "prefetch(%s, %lld)", name, (long long)bytes);
    return true;
}

// --- annotate

static const char *spell(schedule *sch, const attr *value) {
    text spelled = TEXT_IN(sch->mem);
    attr_print(&spelled, value, NULL);
    return text_get(&spelled);
}

bool schedule_annotate_loop(schedule *sch, loop_ref l, const char *key, const attr *value) {
    stmt_list path = {0};
    if (!must_loop(sch, l, "annotate", &path)) return false;
    const char *name = loop_name(sch, l);
    stmt *now = (stmt *)(uintptr_t)stmt_copy(sch->mem, path_end(&path));
    now->as.loop.annotations = attr_with(sch->mem, now->as.loop.annotations, key, value);
    tree_replace(sch, &path, now);
    trace_line(sch, "annotate(%s, \"%s\", %s)", name, key, spell(sch, value));
    return true;
}

bool schedule_annotate_block(schedule *sch, block_ref b, const char *key, const attr *value) {
    stmt_list path = {0};
    if (!must_block(sch, b, "annotate", &path)) return false;
    const char *name = block_name(sch, b);
    block now = *path_end(&path)->as.block;
    now.annotations = attr_with(sch->mem, now.annotations, key, value);
    tree_replace(sch, &path, stmt_block(sch->mem, &now));
    trace_line(sch, "annotate(%s, \"%s\", %s)", name, key, spell(sch, value));
    return true;
}
