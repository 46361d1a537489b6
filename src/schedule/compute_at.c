// compute_at.c - moving a block into a loop of its consumer (compute_at) or of its producer (reverse_compute_at).
//
//   for i, j: A[i, j] = x[i, j] * 2                for i:
//   for i, j: B[i, j] = A[i, j] + 1        ->          for j: A[i, j] = x[i, j] * 2
//                                                      for j: B[i, j] = A[i, j] + 1
//
// The moved block gets new loops over the box that the loop's body needs of it.
#include "schedule/inside.h"

typedef struct move {
    schedule *sch;
    const char *primitive;
    const stmt *moved; // the block
    block_shape shape;
    const buffer *link;        // the buffer between the two
    const expr *const *access; // of the link, by the moved block's variables
    region box;                // of the link that the loop's body touches
    facts *facts;              // around the loop's body
} move;

static const range *box_of(const region_list *list, const buffer *buf, region *out) {
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i].buf == buf) {
            *out = list->at[i];
            return out->dim;
        }
    return NULL;
}

// The dimension of the link that a variable of the moved block runs over; rank if none.
static uint32_t dim_of(const move *m, const expr *var) {
    uint32_t d = 0;
    while (d < m->link->rank && m->access[d] != var) d++;
    return d;
}

// New loops around the moved block: over the box for the link's variables, over the whole range for the rest.
static const stmt *nest(move *m) {
    schedule *sch = m->sch;
    block b = *m->moved->as.block;
    iter *iters = ARENA_NEW(sch->mem, iter, b.iters + 1);
    const expr **var = ARENA_NEW(sch->mem, const expr *, b.iters + 1);
    const expr **extent = ARENA_NEW(sch->mem, const expr *, b.iters + 1);
    b.where = NULL;
    for (uint32_t i = 0; i < b.iters; i++) {
        iters[i] = b.iter[i];
        dtype type = b.iter[i].var->type;
        uint32_t d = dim_of(m, b.iter[i].var);
        const range r = d < m->link->rank ? m->box.dim[d] : b.iter[i].dom;
        const expr *low = expr_cast(sch->s, type, r.min);
        extent[i] = expr_simplify(sch->s, expr_cast(sch->s, type, r.extent), m->facts);
        if (expr_is_int(extent[i], 1)) {
            iters[i].value = expr_simplify(sch->s, low, m->facts);
        } else {
            var[i] = expr_new_var(sch->s, arena_format(sch->mem, "ax%u", i), type);
            facts_range(m->facts, var[i], expr_int(sch->s, type, 0), extent[i]);
            iters[i].value = expr_simplify(sch->s, expr_binary(sch->s, EXPR_ADD, low, var[i]), m->facts);
        }
        const expr *end = expr_binary(sch->s, EXPR_ADD, b.iter[i].dom.min, b.iter[i].dom.extent);
        if (prove_less(sch->s, iters[i].value, end, m->facts)) continue;
        const expr *in = expr_simplify(sch->s, expr_binary(sch->s, EXPR_LT, iters[i].value, end), m->facts);
        b.where = b.where ? expr_binary(sch->s, EXPR_AND, b.where, in) : in;
    }
    b.iter = iters;
    const stmt *body = stmt_block(sch->mem, &b);
    for (uint32_t i = b.iters; i-- > 0;)
        if (var[i]) body = stmt_for(sch->mem, FOR_SERIAL, var[i], expr_int(sch->s, var[i]->type, 0), extent[i], body);
    return body;
}

// Where in the loop's body the nest goes: behind what writes its inputs, before what reads its output (or overwrites
// its inputs). count of children means "nowhere".
static uint32_t slot_in(const move *m, const stmt *const *child, uint32_t count) {
    schedule *sch = m->sch;
    region_list reads = {0}, writes = {0};
    block_regions(sch->s, sch->mem, m->moved->as.block, &reads, &writes);
    uint32_t least = 0, most = count;
    for (uint32_t c = 0; c < count; c++) {
        bool r, w;
        for (uint32_t i = 0; i < reads.len; i++)
            if (touches(sch, child[c], reads.at[i].buf, &r, &w) && w) least = c + 1;
        for (uint32_t i = 0; i < writes.len; i++)
            if (touches(sch, child[c], writes.at[i].buf, &r, &w) && r && c < most) most = c;
    }
    return least <= most ? least : count + 1;
}

static bool insert(move *m, loop_ref at) {
    schedule *sch = m->sch;
    stmt_list path = {0};
    CHECK(must_loop(sch, at, m->primitive, &path));
    const stmt *loop = path_end(&path), *body = loop->as.loop.body;
    bool seq = body->kind == STMT_SEQ;
    uint32_t count = seq ? body->as.seq.count : 1;
    const stmt *const *child = seq ? body->as.seq.list : &body;
    uint32_t slot = slot_in(m, child, count);
    if (slot > count)
        return refuse(sch, m->primitive,
                      "block %s can't be placed in loop %s: its inputs are written after its output is read",
                      m->moved->as.block->name, loop->as.loop.var->as.var->name);
    const stmt **now = ARENA_NEW(sch->mem, const stmt *, count + 1);
    for (uint32_t i = 0; i <= count; i++) now[i] = i < slot ? child[i] : i == slot ? nest(m) : child[i - 1];
    stmt *with = (stmt *)(uintptr_t)stmt_copy(sch->mem, loop);
    with->as.loop.body = stmt_seq(sch->mem, now, count + 1);
    tree_replace(sch, &path, with);
    return true;
}

// The buffer is allocated in the program, not a parameter.
static bool is_intermediate(const schedule *sch, const buffer *buf) {
    for (uint32_t i = 0; i < sch->func->params; i++)
        if (sch->func->param[i].buf == buf) return false;
    return true;
}

static bool among(const stmt_list *list, const stmt *st) {
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i] == st) return true;
    return false;
}

// No block outside the loop, but for the moved one, touches the buffer in the given way.
static bool only_inside(const move *m, const stmt *loop, const buffer *buf, bool reading) {
    stmt_list all = {0}, inside = {0};
    blocks_below(m->sch, m->sch->func->body, &all);
    blocks_below(m->sch, loop, &inside);
    for (uint32_t i = 0; i < all.len; i++) {
        stmt_list below = {0};
        bool r, w;
        blocks_below(m->sch, all.at[i], &below);
        if (below.len > 1 || all.at[i] == m->moved || among(&inside, all.at[i])) continue;
        if (touches(m->sch, all.at[i], buf, &r, &w) && (reading ? r : w)) return false;
    }
    return true;
}

static bool open_move(move *m, block_ref which, loop_ref at) {
    schedule *sch = m->sch;
    stmt_list path = {0}, loop_path = {0};
    if (!must_block(sch, which, m->primitive, &path) || !must_loop(sch, at, m->primitive, &loop_path)) return false;
    m->moved = path_end(&path);
    const block *b = m->moved->as.block;
    if (!block_understand(sch, b, &m->shape))
        return refuse(sch, m->primitive,
                      "block %s does not write one element of one buffer at its own spatial variables", b->name);
    if (among(&path, path_end(&loop_path)))
        return refuse(sch, m->primitive, "block %s is already inside the loop", b->name);
    if (b->where) return refuse(sch, m->primitive, "block %s is guarded; move it before its loops are split", b->name);
    return true;
}

static bool move_block(move *m, block_ref which, loop_ref at) {
    schedule *sch = m->sch;
    stmt_list path = {0};
    CHECK(must_block(sch, which, m->primitive, &path));
    tree_replace(sch, &path, NULL);
    if (insert(m, at)) return true;
    return false;
}

bool schedule_compute_at(schedule *sch, block_ref producer, loop_ref at) {
    move m = {.sch = sch, .primitive = "compute_at"};
    if (!open_move(&m, producer, at)) return false;
    const char *name = m.moved->as.block->name;
    m.link = m.shape.out;
    m.access = m.shape.written;
    stmt_list path = {0};
    CHECK(must_loop(sch, at, m.primitive, &path));
    if (!is_intermediate(sch, m.link))
        return refuse(sch, m.primitive, "block %s writes the parameter %s", name, m.link->name);
    m.facts = path_facts(sch, &path);
    region_list reads = {0}, writes = {0};
    stmt_regions(sch->s, sch->mem, path_end(&path)->as.loop.body, m.facts, &reads, &writes);
    if (!box_of(&reads, m.link, &m.box))
        return refuse(sch, m.primitive, "nothing in the loop reads %s, which block %s writes", m.link->name, name);
    if (!only_inside(&m, path_end(&path), m.link, true))
        return refuse(sch, m.primitive, "%s is also read outside of the loop", m.link->name);
    schedule_checkpoint(sch);
    if (!move_block(&m, producer, at)) {
        schedule_rollback(sch);
        return false;
    }
    sch->checkpoints.len--;
    trace_line(sch, "compute_at(b%u, l%u)", producer.id, at.id);
    return true;
}

// The access of the one load of `link` in the moved block's value, where every index is a spatial variable of its own.
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

// All reductions of the link's producers are finished inside one iteration of the loop.
static bool complete_inside(move *m, const stmt_list *path) {
    schedule *sch = m->sch;
    stmt_list blocks = {0};
    blocks_below(sch, path_end(path), &blocks);
    for (uint32_t i = 0; i < blocks.len; i++) {
        const block *b = blocks.at[i]->as.block;
        for (uint32_t k = 0; k < b->iters; k++)
            for (uint32_t p = 0; p < path->len && b->iter[k].kind == ITER_REDUCE; p++)
                if (path->at[p]->kind == STMT_FOR && expr_uses_var(b->iter[k].value, path->at[p]->as.loop.var))
                    return refuse(sch, m->primitive,
                                  "loop %s is part of the reduction of block %s, which is not finished there",
                                  path->at[p]->as.loop.var->as.var->name, b->name);
    }
    return true;
}

bool schedule_reverse_compute_at(schedule *sch, block_ref consumer, loop_ref at) {
    move m = {.sch = sch, .primitive = "reverse_compute_at"};
    if (!open_move(&m, consumer, at)) return false;
    const char *name = m.moved->as.block->name;
    stmt_list path = {0};
    CHECK(must_loop(sch, at, m.primitive, &path));
    m.facts = path_facts(sch, &path);
    region_list reads = {0}, writes = {0};
    stmt_regions(sch->s, sch->mem, path_end(&path)->as.loop.body, m.facts, &reads, &writes);
    for (uint32_t i = 0; i < writes.len && !m.link; i++)
        if ((m.access = reading_access(&m, writes.at[i].buf))) {
            m.link = writes.at[i].buf;
            m.box = writes.at[i];
        }
    if (!m.link) return refuse(sch, m.primitive, "block %s reads nothing, at one place, that the loop writes", name);
    for (uint32_t i = 0; i < m.moved->as.block->iters; i++)
        if (dim_of(&m, m.moved->as.block->iter[i].var) == m.link->rank)
            return refuse(sch, m.primitive, "%s of block %s is no index of %s",
                          m.moved->as.block->iter[i].var->as.var->name, name, m.link->name);
    if (!only_inside(&m, path_end(&path), m.link, false))
        return refuse(sch, m.primitive, "%s is also written outside of the loop", m.link->name);
    if (!complete_inside(&m, &path)) return false;
    schedule_checkpoint(sch);
    if (!move_block(&m, consumer, at)) {
        schedule_rollback(sch);
        return false;
    }
    sch->checkpoints.len--;
    trace_line(sch, "reverse_compute_at(b%u, l%u)", consumer.id, at.id);
    return true;
}
