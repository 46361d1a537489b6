// chunks.c - a long reduction with few results: its outer loop is cut into chunks, which make partial results in
// parallel.
//
//   for i, j, k: C[i, j] += A[i, k] * B[k, j]
//   ->
//   for k0 (may run in parallel): for i, j, k1: C_rf[k0, i, j] += A[i, k0 * 4096 + k1] * B[k0 * 4096 + k1, j]
//   for i, j, k0: C[i, j] += C_rf[k0, i, j]
//
// What a chunk holds depends on sizes alone, not on the number of threads, and chunks are joined in order: results are
// the same bits on any number of threads. Only results whose number is known, or known to be small, are cut so: none of
// a batch of any size.
#include "base/size.h"
#include "schedule/rules.h"

enum {
    RESULTS_FEW = 256,     // with more, results alone are work for several threads,
    SUMS_FEW = 32,         // … and so are those of rows, each a sum of its own
    STEPS_PER_RESULT = 64, // with fewer, partial results are a large part of what is read and written
    CHUNK_WORK = 16 << 10, // steps, for all results together, that are worth a thread (target/grain.c)
    CHUNK_LEAST = 1024,    // steps of each result,
    SUM_LEAST = 4096,      // … of each sum of a row, whose lanes are joined
    CHUNKS_LEAST = 4,      // so that shares of several threads are even
    CHUNKS_MANY = 32,      // where as many are left, chunks are longer, up to
    CHUNKS_LONGER = 4,     // so many times: sums of 4,194,304 by one thread as fast as in one go, not 4 % slower
    CHUNKS_EVEN = 16,      // an outermost loop with fewer iterations is not cut where another has more
    NO_REST_MOST = 4,      // how many times as long a chunk may be to leave no rest
};

typedef struct chunking {
    schedule *sch;
    block_ref b;
    const block *bl;
    bool along; // the reduction runs along what lies side by side
    nest_loops loops;
    const expr *rows;        // the number of results that only the run tells is a multiple of this; NULL: it is known
    uint32_t cut;            // index into loops.reduce
    int64_t least;           // steps of a chunk
    int64_t results, length; // of a chunk, in iterations of that loop; 1: each is one
    const expr *steps;       // of the whole reduction, where only the run tells; else NULL
    int64_t few;             // as many of them are better made in one go
} chunking;

// The extent of the loop; 0: not known.
static int64_t extent_of(const chunking *c, loop_ref l) { return constant_extent(c->sch, l, 0); }

// The points of a block's variables, at most; 0: not known. Of rows, the rule may rely on there being few.
static int64_t points_of(chunking *c, const block *b, bool all) {
    int64_t points = 1, n;
    for (uint32_t i = 0; i < b->iters; i++) {
        const expr *extent = b->iter[i].dom.extent;
        if (!all && b->iter[i].kind != ITER_SPATIAL) continue;
        if (!expr_const_int(extent, &n)) {
            if (!c->rows) c->rows = extent;
            n = extent == c->rows ? c->sch->rows : 0;
        }
        if (n < 1 || !int_mul(points, n, &points)) return 0;
    }
    return points;
}

// Whether the reader of results goes over all operands for as few results itself, and would be cut, too: the place of a
// maximum, a variance after its mean.
static bool reduces_again(chunking *c, const block *b) {
    bool reduces = false;
    for (uint32_t i = 0; i < b->iters; i++) reduces = reduces || b->iter[i].kind == ITER_REDUCE;
    return reduces && b->init && points_of(c, b, false) == c->results;
}

// What reads the results does little, or is cut likewise. Where it meets each operand again (softmax, norms), a row is
// better made in one place.
static bool read_by_little(chunking *c) {
    block_ref reader[BLOCKS_MOST];
    uint32_t count = schedule_consumers(c->sch, c->b, reader, BLOCKS_MOST);
    for (uint32_t i = 0; i < count; i++) {
        const block *b = i < BLOCKS_MOST ? schedule_block_of(c->sch, reader[i]) : NULL;
        int64_t points = b ? points_of(c, b, true) : 0;
        if ((!points || points > RESULTS_FEW) && !(b && reduces_again(c, b))) return false;
    }
    return true;
}

// Steps of the reduction's other loops together; 0: not known.
static int64_t steps_beside(const chunking *c, uint32_t cut) {
    int64_t steps = 1;
    for (uint32_t i = 0; i < c->loops.reduces; i++)
        if (i != cut && !int_mul(steps, extent_of(c, c->loops.reduce[i]), &steps)) return 0;
    return steps;
}

static bool is_reduction_of_few(chunking *c) {
    block_shape shape;
    c->bl = schedule_block_of(c->sch, c->b);
    if (!c->bl || !block_understand(c->sch, c->bl, &shape) || !shape.reduction || !c->bl->init) return false;
    if (c->bl->where || c->bl->body != shape.store || dtype_bits(shape.out->type) < 32) return false;
    c->results = points_of(c, c->bl, false);
    if (!c->results || !sort_loops(c->sch, c->b, 0, &c->loops) || !c->loops.reduces) return false;
    c->along = loads_along(c->sch, c->bl, &shape, c->loops.reduce[c->loops.reduces - 1]);
    c->least = c->along ? SUM_LEAST : CHUNK_LEAST;
    // What reads a long row again runs in parallel along it, too. Of any length, a short one would pay for that.
    if (c->results == 1 && steps_beside(c, c->loops.reduces)) return true;
    return c->results <= (c->along ? SUMS_FEW : RESULTS_FEW) && read_by_little(c);
}

// The outermost loop, or, where that has few iterations, the one that has the most.
static uint32_t loop_to_cut(const chunking *c) {
    int64_t most = extent_of(c, c->loops.reduce[0]);
    uint32_t at = 0;
    if (!most || most >= CHUNKS_EVEN) return 0;
    for (uint32_t i = 1; i < c->loops.reduces; i++) {
        int64_t n = extent_of(c, c->loops.reduce[i]);
        if (n > most) most = n, at = i;
    }
    return at;
}

// The least divisor of n from `least` on, a multiple of 16 where there is one; 0: none that leaves several chunks.
static int64_t even_chunk(int64_t n, int64_t least) {
    int64_t found = 0, most = n / CHUNKS_LEAST < least * NO_REST_MOST ? n / CHUNKS_LEAST : least * NO_REST_MOST;
    for (int64_t x = least; x <= most; x++) {
        if (n % x == 0 && x % 16 == 0) return x;
        if (n % x == 0 && !found) found = x;
    }
    return found;
}

// Whether the guard of the last chunk costs little: along a row it is one of vectors; else it must be the only one, and
// products have tiles without any.
static bool guard_is_cheap(const chunking *c) {
    block_shape shape;
    const expr *first = NULL;
    if (c->along) return true;
    if (!block_understand(c->sch, c->bl, &shape)) return false;
    expr_walk w = walk_value(c->sch, &shape);
    for (const expr *x; (x = next_load(&w, &shape)); first = x)
        if (first && x != first) return false;
    int64_t columns = c->loops.spatials ? extent_of(c, c->loops.spatial[c->loops.spatials - 1]) : 0;
    return columns == c->results && columns % 16 == 0;
}

// The steps of the whole reduction, of which only the run tells how many there are.
static const expr *all_steps(const chunking *c) {
    expr_session *s = c->sch->s;
    const expr *all = NULL;
    for (uint32_t i = 0; i < c->loops.reduces; i++) {
        const expr *n = schedule_loop_of(c->sch, c->loops.reduce[i])->as.loop.extent;
        n = expr_cast(s, DTYPE_OF(I64), n);
        all = all ? expr_binary(s, EXPR_MUL, all, n) : n;
    }
    return expr_simplify(s, all, c->sch->facts);
}

// Of such a length, chunks hold what is worth a thread; few of them are left to a program that makes none.
static bool choose_of_any(chunking *c, int64_t steps, int64_t beside) {
    int64_t least = STEPS_PER_RESULT * c->results;
    const expr *all = all_steps(c);
    if (!beside || c->sch->rows || c->sch->length || (c->sch->choice.extent && c->sch->choice.extent != all))
        return false;
    c->length = beside >= c->least ? 1 : (steps + beside - 1) / beside; // 1: without a guard
    if (c->length > 1 && !guard_is_cheap(c)) return false;
    c->steps = all;
    c->few = CHUNKS_LEAST * steps > least ? CHUNKS_LEAST * steps : least;
    return true;
}

static bool choose_length(chunking *c) {
    c->cut = loop_to_cut(c);
    int64_t n = extent_of(c, c->loops.reduce[c->cut]), beside = steps_beside(c, c->cut), all;
    int64_t steps = CHUNK_WORK / c->results > c->least ? CHUNK_WORK / c->results : c->least;
    if (!n) return choose_of_any(c, steps, beside);
    if (!beside || !int_mul(n, beside, &all) || all < STEPS_PER_RESULT * c->results) return false;
    for (int64_t most = CHUNKS_LONGER * steps; steps < most && all / steps >= 2 * CHUNKS_MANY;) steps *= 2;
    int64_t least = (steps + beside - 1) / beside;
    c->length = even_chunk(n, least);
    if (!c->length && n / CHUNKS_LEAST >= least && guard_is_cheap(c))
        c->length = (least + 15) / 16 * 16; // a guard at the end of the last
    return c->length > 0;
}

static block_ref apply(chunking *c) {
    schedule *sch = c->sch;
    loop_ref part[2] = {c->loops.reduce[c->cut], {0}}, order[2 * LOOPS_MOST];
    const int64_t by[] = {0, c->length};
    uint32_t n = 0;
    if (c->length > 1 && !schedule_split(sch, part[0], by, 2, part)) return (block_ref){0};
    block_ref parts = schedule_rfactor(sch, c->b, part[0], 0, (loop_ref){0});
    if (!parts.id) return parts;
    order[n++] = part[0];
    for (uint32_t i = 0; i < c->loops.spatials; i++) order[n++] = c->loops.spatial[i];
    for (uint32_t i = 0; i < c->loops.reduces; i++)
        if (i != c->cut || part[1].id) order[n++] = i == c->cut ? part[1] : c->loops.reduce[i];
    return n < 2 || schedule_reorder(sch, order, n) ? parts : (block_ref){0};
}

block_ref cut_into_chunks(schedule *sch, block_ref b) {
    chunking c = {.sch = sch, .b = b};
    if (!is_reduction_of_few(&c) || !choose_length(&c)) return (block_ref){0};
    schedule_checkpoint(sch);
    block_ref parts = apply(&c);
    if (!parts.id) {
        schedule_rollback(sch);
        return parts;
    }
    schedule_commit(sch);
    if (c.steps) sch->choice = (schedule_choice){.extent = c.steps, .few = c.few, .by_length = true};
    return parts;
}
