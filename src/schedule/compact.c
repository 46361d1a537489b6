// compact.c - intermediate buffers move to where they are used and shrink to what is used of them there.
//
//   alloc A[n, 256]                           for i:
//   for i:                             ->         block with alloc A[1, 16], for j.0:
//     for j.0: A[i, j.0*16 + …] …                   A[0, …] …
//
// So iterations have their own copy, small enough for a cache or for registers, and may run at once. Only where nothing
// is read that an earlier iteration wrote.
#include "schedule/shrink.h"

// A buffer and the loop it moves into.
typedef struct home {
    const buffer *buf;
    const expr *loop; // variable
    uint32_t depth;
} home;
typedef VEC(home) home_list;

static bool used_outside(const schedule *sch, const stmt_list *path, const buffer *buf) {
    for (uint32_t d = 0; d + 1 < path->len; d++)
        for (uint32_t i = 0; stmt_child(path->at[d], i); i++)
            if (stmt_child(path->at[d], i) != path->at[d + 1] && touches(sch, stmt_child(path->at[d], i), buf))
                return true;
    return false;
}

// The only child that touches the buffer; NULL if there are several.
static const stmt *only_user(const schedule *sch, const stmt *st, const buffer *buf) {
    const stmt *only = NULL;
    for (uint32_t i = 0; stmt_child(st, i); i++) {
        if (!touches(sch, stmt_child(st, i), buf)) continue;
        if (only) return NULL;
        only = stmt_child(st, i);
    }
    return only;
}

// The innermost loop, from the path's end on, that holds all uses of the buffer and writes before it reads.
static bool find_home(schedule *sch, const stmt_list *top, const buffer *buf, home *out) {
    stmt_list path = {0};
    VEC(uint32_t) loops = {0};
    for (uint32_t i = 0; i < top->len; i++) VEC_PUSH(sch->mem, &path, top->at[i]);
    for (const stmt *st = path_end(top); st && st->kind != STMT_BLOCK; st = only_user(sch, st, buf)) {
        if (path.at[path.len - 1] != st) VEC_PUSH(sch->mem, &path, st);
        if (st->kind == STMT_FOR && st->as.loop.kind == FOR_VECTORIZED) break;
        if (st->kind == STMT_FOR) VEC_PUSH(sch->mem, &loops, path.len);
        if (st->kind != STMT_FOR && st->kind != STMT_SEQ) break;
    }
    while (loops.len) {
        path.len = loops.at[--loops.len];
        if (!written_first(sch, &path, buf)) continue;
        *out = (home){.buf = buf, .loop = path_end(&path)->as.loop.var, .depth = path.len};
        return true;
    }
    return false;
}

static void find_homes(schedule *sch, const stmt_list *path, home_list *out) {
    for (uint32_t d = 0; d < path->len; d++) {
        const block *b = path->at[d]->kind == STMT_BLOCK ? path->at[d]->as.block : NULL;
        for (uint32_t i = 0; b && i < b->allocs; i++) {
            home h;
            if (b->alloc[i]->stride || b->alloc[i]->elem_offset || used_outside(sch, path, b->alloc[i])) continue;
            if (touches(sch, path_end(path), b->alloc[i]) && find_home(sch, path, b->alloc[i], &h))
                VEC_PUSH(sch->mem, out, h);
        }
    }
}

static void drop_alloc(schedule *sch, const stmt_list *loop_path, const buffer *buf) {
    stmt_list path = *loop_path;
    for (uint32_t d = path.len; d-- > 0;) {
        if (path.at[d]->kind != STMT_BLOCK) continue;
        block b = *path.at[d]->as.block;
        const buffer **kept = ARENA_NEW(sch->mem, const buffer *, b.allocs + 1);
        uint32_t count = 0;
        for (uint32_t i = 0; i < b.allocs; i++)
            if (b.alloc[i] != buf) kept[count++] = b.alloc[i];
        if (count == b.allocs) continue;
        b.alloc = kept;
        b.allocs = count;
        path.len = d + 1;
        tree_replace(sch, &path, stmt_block(sch->mem, &b));
        return;
    }
}

// Moves all buffers at home in the given loop.
static void move_in(schedule *sch, const expr *loop, const home_list *homes) {
    stmt_list path = {0};
    VEC(const buffer *) now = {0};
    CHECK(path_to_loop(sch, loop, &path));
    const stmt *body = path_end(&path)->as.loop.body;
    for (uint32_t i = 0; i < homes->len; i++) {
        if (homes->at[i].loop != loop) continue;
        const buffer *small = shrink(sch, &path, &body, homes->at[i].buf);
        VEC_PUSH(sch->mem, &now, small);
    }
    shrink_wrap(sch, &path, body, now.at, now.len);
    for (uint32_t i = 0; i < homes->len; i++) {
        path.len = 0;
        CHECK(path_to_loop(sch, loop, &path));
        if (homes->at[i].loop == loop) drop_alloc(sch, &path, homes->at[i].buf);
    }
}

bool schedule_compact(schedule *sch, loop_ref l) {
    stmt_list path = {0};
    home_list homes = {0};
    map done = MAP_IN(sch->mem);
    if (!must_loop(sch, l, "compact", &path)) return false;
    find_homes(sch, &path, &homes);
    if (!homes.len) return true;
    const char *name = loop_name(sch, l);
    for (;;) { // the innermost loops first: what is around them sees them as they will be
        const home *next = NULL;
        for (uint32_t i = 0; i < homes.len; i++)
            if (!map_has(&done, MAP_KEY(homes.at[i].loop)) && (!next || homes.at[i].depth > next->depth))
                next = &homes.at[i];
        if (!next) break;
        map_put(&done, MAP_KEY(next->loop), sch);
        move_in(sch, next->loop, &homes);
    }
    trace_line(sch, "compact(%s)", name);
    return true;
}
