// nest.c - questions rules ask about the loops around a block.
#include "base/size.h"
#include "schedule/rules.h"

bool sort_loops(schedule *sch, block_ref b, uint32_t skip, nest_loops *out) {
    loop_ref l[LOOPS_MOST];
    uint32_t count = schedule_loops(sch, b, l, LOOPS_MOST);
    const block *bl = schedule_block_of(sch, b);
    *out = (nest_loops){0};
    for (uint32_t i = skip; i < count && count <= LOOPS_MOST; i++) {
        const stmt *loop = schedule_loop_of(sch, l[i]);
        bool spatial = false, reduce = false;
        if (loop->as.loop.kind != FOR_SERIAL) return false;
        for (uint32_t k = 0; k < bl->iters; k++) {
            if (!expr_uses_var(bl->iter[k].value, loop->as.loop.var)) continue;
            spatial |= bl->iter[k].kind == ITER_SPATIAL;
            reduce |= bl->iter[k].kind == ITER_REDUCE;
        }
        if (spatial == reduce) return false;
        if (spatial)
            out->spatial[out->spatials++] = l[i];
        else
            out->reduce[out->reduces++] = l[i];
    }
    return count <= LOOPS_MOST;
}

// Loops are found again from the block each time: primitives in between may have made new ones.
uint32_t loops_below(schedule *sch, block_ref b, loop_ref outer, loop_ref *out) {
    loop_ref l[LOOPS_MOST];
    uint32_t count = schedule_loops(sch, b, l, LOOPS_MOST), from = 0, n = 0;
    if (count > LOOPS_MOST) return 0;
    for (uint32_t i = 0; i < count; i++)
        if (l[i].id == outer.id) from = i + 1;
    for (uint32_t i = from; i < count; i++) out[n++] = l[i];
    return n;
}

// Indices are over the block's variables, those are bound to loops.
bool index_uses(const expr *index, const block *b, const expr *loop_var) {
    for (uint32_t k = 0; k < b->iters; k++)
        if (expr_uses_var(b->iter[k].value, loop_var) && expr_uses_var(index, b->iter[k].var)) return true;
    return false;
}

bool load_uses(const expr *load, const block *b, const expr *loop_var) {
    for (uint32_t i = 0; i < load->count; i++)
        if (index_uses(load->in[i], b, loop_var)) return true;
    return false;
}

expr_walk walk_value(const schedule *sch, const block_shape *shape) {
    return expr_walk_from(sch->mem, shape->store->as.store.value);
}

const expr *next_load(expr_walk *w, const block_shape *shape) {
    const expr *x;
    do x = expr_walk_next(w);
    while (x && (x->op != EXPR_LOAD || x->as.buffer == shape->out));
    return x;
}

// Is the loop met in an index only as `e // c`, c a multiple of 16? That stands still within a vector, where e % c
// moves.
static bool in_blocks(const expr *index, const block *b, const expr *loop_var) {
    int64_t c;
    if (!index_uses(index, b, loop_var)) return true;
    if (index->op == EXPR_FLOOR_DIV && expr_const_int(index->in[1], &c)) return c > 0 && c % 16 == 0;
    if (index->op == EXPR_VAR || index->op == EXPR_LOAD) return false;
    for (uint32_t i = 0; i < index->count; i++)
        if (!in_blocks(index->in[i], b, loop_var)) return false;
    return true;
}

bool contiguous(schedule *sch, const block *b, const block_shape *shape, loop_ref l) {
    const expr *var = schedule_loop_of(sch, l)->as.loop.var;
    for (uint32_t i = 0; i < shape->rank; i++)
        if (index_uses(shape->written[i], b, var) != (i + 1 == shape->rank)) return false;
    expr_walk w = walk_value(sch, shape);
    for (const expr *x; (x = expr_walk_next(&w));)
        for (uint32_t i = 0; x->op == EXPR_LOAD && i + 1 < x->count; i++)
            if (!in_blocks(x->in[i], b, var)) return false;
    return true;
}

uint32_t lanes_for(const arch *a, dtype type) { return a->vector_bytes * 8 / dtype_bits(type); }

bool vectorize_all(schedule *sch, const loop_ref *l, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!(i + 1 == count ? schedule_vectorize(sch, l[i]) : schedule_unroll(sch, l[i]))) return false;
    return true;
}

bool parallel_together(schedule *sch, const loop_ref *l, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!schedule_parallel(sch, l[i])) return false;
    return count && schedule_fuse(sch, l, count).id;
}

bool loads_along(schedule *sch, const block *b, const block_shape *shape, loop_ref l) {
    const expr *var = schedule_loop_of(sch, l)->as.loop.var;
    bool moves = false;
    expr_walk w = walk_value(sch, shape);
    for (const expr *x; (x = next_load(&w, shape));) {
        for (uint32_t i = 0; i < x->count; i++) {
            bool uses = index_uses(x->in[i], b, var);
            if (uses && i + 1 < x->count) return false;
            moves |= uses;
        }
    }
    return moves;
}

// How many partial results keep the adders busy: four vectors, one where there is little to add.
static int64_t partial_lanes(const arch *a, dtype type, const stmt *loop) {
    int64_t lanes = lanes_for(a, type), n;
    return expr_const_int(loop->as.loop.extent, &n) && n < 4 * lanes ? lanes : 4 * lanes;
}

// The block that starts the partial results, made by rfactor where a guard leaves steps out.
static block_ref start_of(schedule *sch, block_ref parts, loop_ref first) {
    block_ref writer[BLOCKS_MOST];
    const block *b = schedule_block_of(sch, parts);
    if (b->init) return schedule_decompose_reduction(sch, parts, first);
    const buffer *out = b->body->as.store.buf;
    uint32_t count = schedule_producers(sch, parts, writer, BLOCKS_MOST);
    for (uint32_t i = 0; i < count && i < BLOCKS_MOST; i++) {
        const stmt *body = schedule_block_of(sch, writer[i])->body;
        if (body->kind == STMT_STORE && body->as.store.buf == out) return writer[i];
    }
    return (block_ref){0};
}

static bool vectorize_only(schedule *sch, block_ref b, loop_ref in) {
    loop_ref own[LOOPS_MOST];
    return b.id && loops_below(sch, b, in, own) == 1 && schedule_vectorize(sch, own[0]);
}

// Partial results start, are added to along the reduction, and are joined: each of the three a loop over lanes.
static bool try_lanes(schedule *sch, block_ref b, const nest_loops *l, int64_t lanes, loop_ref in) {
    loop_ref part[2], own[LOOPS_MOST];
    const int64_t by[] = {0, lanes};
    if (!schedule_split(sch, l->reduce[l->reduces - 1], by, 2, part)) return false;
    block_ref parts = schedule_rfactor(sch, b, part[1], -1, in);
    block_ref start = parts.id ? start_of(sch, parts, l->reduces > 1 ? l->reduce[0] : part[0]) : parts;
    if (!vectorize_only(sch, start, in) || !schedule_vectorize(sch, part[1])) return false;
    return loops_below(sch, b, in, own) == 1 && schedule_decompose_reduction(sch, b, own[0]).id &&
           schedule_vectorize(sch, own[0]);
}

bool reduce_in_lanes(schedule *sch, const arch *a, block_ref b, const nest_loops *l, loop_ref in) {
    if (!l->reduces) return false;
    block_shape shape;
    loop_ref reduce = l->reduce[l->reduces - 1];
    const block *bl = schedule_block_of(sch, b);
    if (!bl || !block_understand(sch, bl, &shape) || !bl->init || bl->body != shape.store) return false;
    if (!loads_along(sch, bl, &shape, reduce) || dtype_bits(shape.out->type) < 32) return false;
    int64_t lanes = partial_lanes(a, shape.out->type, schedule_loop_of(sch, reduce));
    schedule_checkpoint(sch);
    if (lanes < 2 || !try_lanes(sch, b, l, lanes, in)) {
        schedule_rollback(sch);
        return false;
    }
    schedule_commit(sch);
    return true;
}

int64_t constant_extent(const schedule *sch, loop_ref l, int64_t unknown) {
    int64_t n;
    return expr_const_int(schedule_loop_of(sch, l)->as.loop.extent, &n) ? n : unknown;
}

int64_t bytes_along(const schedule *sch, const block *b, const block_shape *shape, const expr *loop_var) {
    int64_t most = 0;
    expr_walk w = walk_value(sch, shape);
    for (const expr *x; (x = next_load(&w, shape));) {
        bool known = load_uses(x, b, loop_var);
        int64_t bytes = (dtype_bits(x->as.buffer->type) + 7) / 8, n;
        for (uint32_t i = 0; known && i < x->count; i++)
            known = expr_const_int(x->as.buffer->dim[i], &n) && int_mul(bytes, n, &bytes);
        if (known && bytes > most) most = bytes;
    }
    return most;
}

enum { WORTH_A_CHOICE = 128 << 10 }; // bytes of weights: with fewer, one more program costs more than it saves

static void note_choice(schedule *sch, schedule_choice choice, int64_t weights) {
    int64_t n;
    if (sch->choice.extent || expr_const_int(choice.extent, &n) || weights <= WORTH_A_CHOICE) return;
    if (sch->rows && (choice.few < 1 || choice.few >= sch->rows)) return;
    sch->choice = choice;
}

void note_rows(schedule *sch, const expr *rows, int64_t weights, int64_t few) {
    note_choice(sch, (schedule_choice){.extent = rows, .few = few, .one = true}, weights);
}

void note_few_rows(schedule *sch, const expr *rows, int64_t weights, int64_t few) {
    note_choice(sch, (schedule_choice){.extent = rows, .few = few}, weights);
}
