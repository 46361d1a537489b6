// compute_at.c - moving a block into a loop of its consumer (compute_at) or of its producer (reverse_compute_at).
//
//   for i, j: A[i, j] = x[i, j] * 2                for i:
//   for i, j: B[i, j] = A[i, j] + 1        ->          for j: A[i, j] = x[i, j] * 2
//                                                      for j: B[i, j] = A[i, j] + 1
//
// The moved block gets new loops over the box that the loop's body needs of it. What it reads must be the same at both
// places, and what it writes must not be looked at in between.
#include "schedule/move.h"

static bool loads(const move *m, const expr *e) {
    map loaded = MAP_IN(m->sch->mem);
    expr_loaded_buffers(e, &loaded);
    return loaded.len > 0;
}

// What the loop's body reads of the link. Where that depends on memory, the whole extent is taken.
static bool box_read(move *m) {
    region_list reads = {0}, writes = {0};
    stmt_regions(m->sch->s, m->sch->mem, path_end(&m->to)->as.loop.body, m->facts, &reads, &writes);
    for (uint32_t i = 0; i < reads.len; i++) {
        if (reads.at[i].buf != m->link) continue;
        range *dim = ARENA_NEW(m->sch->mem, range, m->link->rank + 1);
        for (uint32_t d = 0; d < m->link->rank; d++) {
            dim[d] = clip(m->sch, reads.at[i].dim[d], m->link->dim[d]);
            if (loads(m, dim[d].min) || loads(m, dim[d].extent))
                dim[d] = (range){expr_int(m->sch->s, m->link->dim[d]->type, 0), m->link->dim[d]};
        }
        m->box = (region){.buf = m->link, .dim = dim};
        return true;
    }
    return false;
}

static bool bound_reads(const move *m, const stmt *st, const buffer *buf) {
    expr_list direct = {0};
    map loaded = MAP_IN(m->sch->mem);
    stmt_expressions(st, m->sch->mem, &direct);
    for (uint32_t i = 0; i < direct.len; i++) expr_loaded_buffers(direct.at[i], &loaded);
    return map_has(&loaded, MAP_KEY(buf));
}

// No statement but for the one at `except` touches the buffer in the given way.
static bool only_in(const move *m, uint32_t except, const buffer *buf, bool reading) {
    const stmt *st = m->sch->func->body;
    const stmt *path_child = m->from.at[m->split - 1]->as.seq.list[except], *moved = path_end(&m->from);
    for (uint32_t d = 0; d + 1 < m->from.len; d++) {
        st = m->from.at[d];
        for (uint32_t i = 0; stmt_child(st, i); i++) {
            const stmt *c = stmt_child(st, i);
            if (c == m->from.at[d + 1] || c == path_child || c == moved) continue;
            if (reading ? reads_buffer(m->sch, c, buf) : writes_buffer(m->sch, c, buf)) return false;
        }
    }
    return true;
}

// In the child that holds the loop, only what is below the loop touches the buffer so.
static bool only_below(const move *m, const buffer *buf, bool reading) {
    for (uint32_t d = m->split; d < m->to.len; d++)
        if (reading && bound_reads(m, m->to.at[d], buf)) return false;
    for (uint32_t d = m->split; d + 1 < m->to.len; d++)
        for (uint32_t i = 0; stmt_child(m->to.at[d], i); i++) {
            const stmt *c = stmt_child(m->to.at[d], i);
            if (c == m->to.at[d + 1]) continue;
            if (reading ? reads_buffer(m->sch, c, buf) : writes_buffer(m->sch, c, buf)) return false;
        }
    return true;
}

// What the block reads, but for `except`, is not written from one place to the other.
static bool inputs_stay(const move *m, const buffer *except, uint32_t first, uint32_t last) {
    const stmt *moved = path_end(&m->from);
    const summary *mine = summary_of(m->sch, moved);
    for (uint32_t i = 0; i < mine->use.len; i++) {
        const usage *u = &mine->use.at[i];
        if (!u->reads || u->buf == except || u->buf == m->shape.out) continue;
        if (move_crosses(m, u->buf, false, first, last))
            return refuse(m->sch, m->primitive, "%s, which block %s reads, is written on the way", u->buf->name,
                          moved->as.block->name);
    }
    return true;
}

// The first child of the loop's body that reads the buffer.
static uint32_t first_reader(const move *m, const stmt *body, const buffer *buf) {
    uint32_t i = 0;
    if (body->kind != STMT_SEQ) return 0;
    while (i < body->as.seq.count && !reads_buffer(m->sch, body->as.seq.list[i], buf)) i++;
    return i;
}

static bool can_compute_at(move *m) {
    schedule *sch = m->sch;
    const char *name = path_end(&m->from)->as.block->name;
    m->link = m->shape.out;
    m->access = m->shape.written;
    if (is_parameter(sch, m->link))
        return refuse(sch, m->primitive, "block %s writes the parameter %s", name, m->link->name);
    if (m->there < m->here) return refuse(sch, m->primitive, "the loop runs before block %s", name);
    if (!box_read(m))
        return refuse(sch, m->primitive, "nothing in the loop reads %s, which block %s writes", m->link->name, name);
    if (!only_in(m, m->there, m->link, true) || !only_below(m, m->link, true))
        return refuse(sch, m->primitive, "%s is also read outside of the loop", m->link->name);
    if (!only_in(m, m->here, m->link, false))
        return refuse(sch, m->primitive, "%s is written by several blocks", m->link->name);
    return inputs_stay(m, NULL, m->here, m->there);
}

bool schedule_compute_at(schedule *sch, block_ref producer, loop_ref at) {
    move m = {.sch = sch, .primitive = "compute_at"};
    if (!move_open(&m, producer, at) || !can_compute_at(&m)) return false;
    const char *which = block_name(sch, producer), *loop = loop_name(sch, at);
    move_finish(&m, first_reader(&m, path_end(&m.to)->as.loop.body, m.link));
    trace_line(sch, "compute_at(%s, %s)", which, loop);
    return true;
}

// --- reverse_compute_at

// The access of the one load of `link` in the moved block's value; NULL if there are several, or none.
static const expr *const *reading_access(const move *m, const buffer *link) {
    const expr *found = NULL;
    expr_walk w = expr_walk_from(m->sch->mem, m->shape.store->as.store.value);
    for (const expr *e; (e = expr_walk_next(&w));) {
        if (e->op != EXPR_LOAD || e->as.buffer != link) continue;
        if (found) return NULL; // loads are interned: another one is another access
        found = e;
    }
    return found ? found->in : NULL;
}

// Each index of the link is a variable of the block, each variable one index.
static bool one_to_one(const move *m) {
    const block *b = path_end(&m->from)->as.block;
    bool *used = ARENA_NEW(m->sch->mem, bool, b->iters + 1);
    for (uint32_t d = 0; d < m->link->rank; d++) {
        uint32_t i = 0;
        while (i < b->iters && (used[i] || b->iter[i].var != m->access[d])) i++;
        if (i == b->iters) return expr_is_int(m->link->dim[d], 1) && expr_is_int(m->access[d], 0);
        used[i] = true;
    }
    for (uint32_t i = 0; i < b->iters; i++)
        if (!used[i] && !expr_is_int(b->iter[i].dom.extent, 1)) return false;
    return true;
}

// All reductions below the loop are finished inside one iteration of it.
static bool complete_inside(const move *m, const stmt_list *path) {
    const block *b = path_end(path)->as.block;
    const expr **value = bound_values(m->sch, path);
    for (uint32_t k = 0; k < b->iters; k++)
        for (uint32_t p = 0; p < m->to.len && b->iter[k].kind == ITER_REDUCE; p++)
            if (m->to.at[p]->kind == STMT_FOR && expr_uses_var(value[k], m->to.at[p]->as.loop.var))
                return refuse(m->sch, m->primitive,
                              "loop %s is part of the reduction of block %s, which is not finished there",
                              m->to.at[p]->as.loop.var->as.var->name, b->name);
    return true;
}

// The elements of the link that the block at the path's end writes in one iteration of the loop, as a box.
static bool box_written(const move *m, const stmt_list *path, range *dim) {
    schedule *sch = m->sch;
    block_shape shape;
    const block *b = path_end(path)->as.block;
    if (!block_understand(sch, b, &shape) || in_the_way(path, m->to.len, path->len)) return false;
    const expr **value = bound_values(sch, path);
    map env = MAP_IN(sch->mem);
    for (uint32_t k = 0; k < b->iters; k++) map_put(&env, MAP_KEY(b->iter[k].var), (void *)(uintptr_t)value[k]);
    stmt_list loops = loops_between(sch, path, m->to.len - 1);
    bool *used = ARENA_NEW(sch->mem, bool, loops.len + 1);
    for (uint32_t d = 0; d < m->link->rank; d++) {
        stretch of;
        if (!stretch_of(sch, expr_substitute(sch->s, shape.written[d], &env), &loops, used, &of)) return false;
        dim[d] = (range){of.low, of.extent};
    }
    return true;
}

static bool same_box(const move *m, const range *a, const range *b) {
    for (uint32_t d = 0; d < m->link->rank; d++)
        if (!prove_equal(m->sch->s, a[d].min, b[d].min, m->facts) ||
            !prove_equal(m->sch->s, a[d].extent, b[d].extent, m->facts))
            return false;
    return true;
}

// Finds the box of the link that every writer in the loop writes in one iteration: finished there, and nothing of it
// unwritten.
static bool find_box(move *m) {
    schedule *sch = m->sch;
    stmt_list blocks = {0};
    blocks_below(sch, path_end(&m->to), &blocks);
    for (uint32_t i = 0; i < blocks.len; i++) {
        stmt_list path = {0};
        if (!is_leaf(sch, blocks.at[i]) || !writes_buffer(sch, blocks.at[i], m->link)) continue;
        range *dim = ARENA_NEW(sch->mem, range, m->link->rank + 1);
        CHECK(path_to_block(sch, blocks.at[i]->as.block->name, &path));
        if (!complete_inside(m, &path)) return false;
        if (!box_written(m, &path, dim) || (m->box.buf && !same_box(m, m->box.dim, dim)))
            return refuse(sch, m->primitive, "what the loop writes of %s is not known to be one box", m->link->name);
        m->box = (region){.buf = m->link, .dim = dim};
    }
    return m->box.buf || refuse(sch, m->primitive, "no block in the loop writes %s", m->link->name);
}

// A reduction runs over what the loop gives in one iteration: all of its range must be there.
static bool reduces_whole_box(const move *m) {
    const block *b = path_end(&m->from)->as.block;
    for (uint32_t d = 0; d < m->link->rank; d++)
        for (uint32_t i = 0; i < b->iters; i++) {
            const iter *it = &b->iter[i];
            const range r = m->box.dim[d];
            if (it->kind != ITER_REDUCE || it->var != m->access[d]) continue;
            if (!prove_equal(m->sch->s, r.min, it->dom.min, m->facts) ||
                !prove_equal(m->sch->s, r.extent, it->dom.extent, m->facts))
                return refuse(m->sch, m->primitive, "the loop gives a part of what block %s reduces over", b->name);
        }
    return true;
}

static bool find_link(move *m) {
    const summary *made = summary_of(m->sch, path_end(&m->to));
    for (uint32_t i = 0; i < made->use.len && !m->link; i++)
        if (made->use.at[i].writes && (m->access = reading_access(m, made->use.at[i].buf)))
            m->link = made->use.at[i].buf;
    const char *name = path_end(&m->from)->as.block->name;
    if (!m->link)
        return refuse(m->sch, m->primitive, "block %s reads nothing, at one place, that the loop writes", name);
    return one_to_one(m) ||
           refuse(m->sch, m->primitive, "block %s does not read %s index by index", name, m->link->name);
}

static bool can_reverse_compute_at(move *m) {
    schedule *sch = m->sch;
    const block *b = path_end(&m->from)->as.block;
    if (m->here < m->there) return refuse(sch, m->primitive, "block %s runs before the loop", b->name);
    if (!find_link(m)) return false;
    if (!only_in(m, m->there, m->link, false) || !only_below(m, m->link, false))
        return refuse(sch, m->primitive, "%s is also written outside of the loop", m->link->name);
    if (!inputs_stay(m, m->link, m->there, m->here)) return false;
    if (move_crosses(m, m->shape.out, true, m->there, m->here - 1))
        return refuse(sch, m->primitive, "%s, which block %s writes, is used on the way", m->shape.out->name, b->name);
    return find_box(m) && reduces_whole_box(m);
}

static uint32_t behind_writers(const move *m, const stmt *body) {
    if (body->kind != STMT_SEQ) return 1;
    uint32_t slot = 0;
    for (uint32_t i = 0; i < body->as.seq.count; i++)
        if (writes_buffer(m->sch, body->as.seq.list[i], m->link)) slot = i + 1;
    return slot;
}

bool schedule_reverse_compute_at(schedule *sch, block_ref consumer, loop_ref at) {
    move m = {.sch = sch, .primitive = "reverse_compute_at"};
    if (!move_open(&m, consumer, at) || !can_reverse_compute_at(&m)) return false;
    const char *which = block_name(sch, consumer), *loop = loop_name(sch, at);
    move_finish(&m, behind_writers(&m, path_end(&m.to)->as.loop.body));
    trace_line(sch, "reverse_compute_at(%s, %s)", which, loop);
    return true;
}
