// handles.c - a schedule: opening it, handles, checkpoints, finding blocks and loops.
#include "loop/walk.h"
#include "schedule/inside.h"
#include <string.h>

// --- Opening: names of blocks are made unique, so that a name is a handle.

typedef struct renaming {
    schedule *sch;
    text_map used;
} renaming;

static const char *unique_name(renaming *r, const char *name) {
    const char *wish = name;
    for (uint32_t i = 1; text_map_find(&r->used, wish); i++) wish = arena_format(r->sch->mem, "%s_%u", name, i);
    text_map_put(&r->used, wish, r);
    return wish;
}

// Names are kept where they are unique already, so that traces speak of blocks by the names in the text.
static const stmt *rename_blocks(renaming *r, const stmt *st) {
    uint32_t n = 0;
    while (stmt_child(st, n)) n++;
    if (st->kind == STMT_FOR) map_put(&r->sch->loop_vars, MAP_KEY(st->as.loop.var), r->sch);
    const char *name = st->kind == STMT_BLOCK ? unique_name(r, st->as.block->name) : NULL;
    const stmt **child = ARENA_NEW(r->sch->mem, const stmt *, n + 1);
    for (uint32_t i = 0; i < n; i++) child[i] = rename_blocks(r, stmt_child(st, i));
    st = stmt_with_children(r->sch->mem, st, child);
    if (!name || strcmp(name, st->as.block->name) == 0) return st;
    block b = *st->as.block;
    b.name = name;
    return stmt_block(r->sch->mem, &b);
}

// The copy has variables and buffers of its own: the program given stays as it is, whatever happens to the copy.
schedule *schedule_new(expr_session *s, arena *mem, const loop_func *f, diag *d) {
    schedule *sch = ARENA_NEW(mem, schedule, 1);
    *sch = (schedule){.s = s,
                      .mem = mem,
                      .d = d,
                      .facts = facts_new(s),
                      .trace = TEXT_IN(mem),
                      .loop_vars = MAP_IN(mem),
                      .summaries = MAP_IN(mem)};
    sch->func = ARENA_NEW(mem, loop_func, 1);
    *sch->func = *f;
    renaming r = {.sch = sch, .used = TEXT_MAP_IN(mem)};
    sch->func->body = rename_blocks(&r, stmt_refresh(s, mem, f->body));
    expr_list dims = {0};
    loop_func_dim_vars(f, mem, &dims);
    for (uint32_t i = 0; i < dims.len; i++) facts_range(sch->facts, dims.at[i], expr_int(s, dims.at[i]->type, 0), NULL);
    return sch;
}

const loop_func *schedule_func(const schedule *sch) {
    loop_func *f = ARENA_NEW(sch->mem, loop_func, 1);
    *f = *sch->func;
    return f;
}

// --- Checkpoints.

// Statements never change, so a body is a whole state; handles and trace lines that came later are cut off.
void schedule_checkpoint(schedule *sch) {
    const checkpoint c = {
        .body = sch->func->body, .trace = sch->trace.len, .handles = sch->handles.len, .names = sch->names};
    VEC_PUSH(sch->mem, &sch->checkpoints, c);
}

void schedule_rollback(schedule *sch) {
    CHECK(sch->checkpoints.len);
    checkpoint c = sch->checkpoints.at[--sch->checkpoints.len];
    sch->func->body = c.body;
    sch->handles.len = c.handles;
    trace_cut(sch, c.trace, c.names);
}

void schedule_commit(schedule *sch) {
    CHECK(sch->checkpoints.len);
    sch->checkpoints.len--;
}

// --- Handles.

// The same loop or block has the same handle, whoever asks.
static uint32_t handle_id(schedule *sch, handle h) {
    for (uint32_t i = 0; i < sch->handles.len; i++) {
        const handle *o = &sch->handles.at[i];
        if (h.var ? o->var == h.var : o->block && strcmp(o->block, h.block) == 0) return i + 1;
    }
    VEC_PUSH(sch->mem, &sch->handles, h);
    return sch->handles.len;
}

loop_ref loop_handle(schedule *sch, const expr *var) { return (loop_ref){handle_id(sch, (handle){.var = var})}; }

block_ref block_handle(schedule *sch, const char *name) { return (block_ref){handle_id(sch, (handle){.block = name})}; }

static const handle *handle_at(const schedule *sch, uint32_t id) {
    return id && id <= sch->handles.len ? &sch->handles.at[id - 1] : NULL;
}

bool refuse(schedule *sch, const char *primitive, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *what = arena_vformat(sch->mem, format, args);
    va_end(args);
    return diag_error(sch->d, sch->func->at, "%s: %s: %s", sch->func->name, primitive, what);
}

bool must_loop(schedule *sch, loop_ref l, const char *primitive, stmt_list *path) {
    const handle *h = handle_at(sch, l.id);
    path->len = 0;
    if (!h || !h->var) return refuse(sch, primitive, "the loop it is given does not exist");
    if (path_to_loop(sch, h->var, path)) return true;
    return refuse(sch, primitive, "loop %s is no longer there", h->var->as.var->name);
}

bool must_block(schedule *sch, block_ref b, const char *primitive, stmt_list *path) {
    const handle *h = handle_at(sch, b.id);
    path->len = 0;
    if (!h || !h->block) return refuse(sch, primitive, "the block it is given does not exist");
    if (path_to_block(sch, h->block, path)) return true;
    return refuse(sch, primitive, "block %s is no longer there", h->block);
}

const char *unique_block(const schedule *sch, const char *name) {
    const char *wish = name;
    stmt_list path = {0};
    for (uint32_t i = 1; path_to_block(sch, wish, &path); i++) wish = arena_format(sch->mem, "%s_%u", name, i);
    return wish;
}

// --- Finding. A schedule that is only read still numbers the handles it gives out.

static schedule *writable(const schedule *sch) { return (schedule *)(uintptr_t)sch; }

block_ref schedule_block(const schedule *sch, const char *name) {
    stmt_list path = {0};
    if (!path_to_block(sch, name, &path)) return (block_ref){0};
    return block_handle(writable(sch), path_end(&path)->as.block->name);
}

bool is_leaf(const schedule *sch, const stmt *st) { return summary_of(sch, st)->blocks == 1; }

uint32_t schedule_blocks(const schedule *sch, block_ref *out, uint32_t room) {
    stmt_list blocks = {0};
    uint32_t count = 0;
    blocks_below(sch, sch->func->body, &blocks);
    for (uint32_t i = 0; i < blocks.len; i++) {
        if (!is_leaf(sch, blocks.at[i])) continue;
        if (count < room) out[count] = block_handle(writable(sch), blocks.at[i]->as.block->name);
        count++;
    }
    return count;
}

static bool block_path(const schedule *sch, block_ref b, stmt_list *path) {
    const handle *h = handle_at(sch, b.id);
    return h && h->block && path_to_block(sch, h->block, path);
}

uint32_t schedule_loops(const schedule *sch, block_ref b, loop_ref *out, uint32_t room) {
    stmt_list path = {0};
    uint32_t count = 0;
    if (!block_path(sch, b, &path)) return 0;
    for (uint32_t i = 0; i < path.len; i++) {
        if (path.at[i]->kind != STMT_FOR) continue;
        if (count < room) out[count] = loop_handle(writable(sch), path.at[i]->as.loop.var);
        count++;
    }
    return count;
}

const block *schedule_block_of(const schedule *sch, block_ref b) {
    stmt_list path = {0};
    return block_path(sch, b, &path) ? path_end(&path)->as.block : NULL;
}

const stmt *schedule_loop_of(const schedule *sch, loop_ref l) {
    stmt_list path = {0};
    const handle *h = handle_at(sch, l.id);
    return h && h->var && path_to_loop(sch, h->var, &path) ? path_end(&path) : NULL;
}

// Leaf blocks that touch any buffer the block reads (writers) or writes (readers).
static uint32_t neighbours(const schedule *sch, block_ref b, bool producers, block_ref *out, uint32_t room) {
    stmt_list path = {0}, blocks = {0};
    uint32_t count = 0;
    if (!block_path(sch, b, &path)) return 0;
    const summary *mine = summary_of(sch, path_end(&path));
    blocks_below(sch, sch->func->body, &blocks);
    for (uint32_t i = 0; i < blocks.len; i++) {
        bool found = false;
        if (blocks.at[i] == path_end(&path) || !is_leaf(sch, blocks.at[i])) continue;
        for (uint32_t k = 0; k < mine->use.len && !found; k++) {
            const usage *u = &mine->use.at[k];
            if (producers)
                found = u->reads && writes_buffer(sch, blocks.at[i], u->buf);
            else
                found = u->writes && reads_buffer(sch, blocks.at[i], u->buf);
        }
        if (!found) continue;
        if (count < room) out[count] = block_handle(writable(sch), blocks.at[i]->as.block->name);
        count++;
    }
    return count;
}

uint32_t schedule_producers(const schedule *sch, block_ref b, block_ref *out, uint32_t room) {
    return neighbours(sch, b, true, out, room);
}

uint32_t schedule_consumers(const schedule *sch, block_ref b, block_ref *out, uint32_t room) {
    return neighbours(sch, b, false, out, room);
}
