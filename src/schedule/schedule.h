// schedule.h - loop transformations and the trace they leave: a schedule is a value that can be printed and replayed.
//
// A schedule holds one loop program that every primitive replaces by an equal one. Each primitive checks itself: an
// illegal use changes nothing, reports the dependence or the rule that forbids it, and returns false (or a zero
// handle). Blocks and loops are referred to by handles that stay valid while primitives rewrite the program around
// them.
#ifndef SCHEDULE_SCHEDULE_H
#define SCHEDULE_SCHEDULE_H
#include "arch/arch.h"
#include "base/diag.h"
#include "loop/regions.h"

typedef struct schedule schedule;
typedef struct block_ref { // id 0: none
    uint32_t id;
} block_ref;
typedef struct loop_ref { // id 0: none
    uint32_t id;
} loop_ref;

schedule *schedule_new(expr_session *s, arena *mem, const loop_func *f, diag *d);
const loop_func *schedule_func(const schedule *sch); // the program as it is now
void schedule_trace(const schedule *sch, text *out); // one primitive a line: "l1, l2 = split(l0, factors=[None, 16])"
// Runs a printed trace on a fresh schedule; ";" may stand for a line's end. False after reporting the line that does
// not apply: what the lines before it did stays.
bool schedule_replay(schedule *sch, const char *trace);
void schedule_checkpoint(schedule *sch); // remembers the state …
void schedule_rollback(schedule *sch);   // … and returns to it (for rules that try things); nests
void schedule_commit(schedule *sch);     // … or forgets that it was remembered

// --- Finding.
block_ref schedule_block(const schedule *sch, const char *name);              // {0} if there is none
uint32_t schedule_blocks(const schedule *sch, block_ref *out, uint32_t room); // leaf blocks in program order; the count
// The loops around a block, outermost first.
uint32_t schedule_loops(const schedule *sch, block_ref b, loop_ref *out, uint32_t room);
const block *schedule_block_of(const schedule *sch, block_ref b);
const stmt *schedule_loop_of(const schedule *sch, loop_ref l); // its STMT_FOR
uint32_t schedule_producers(const schedule *sch, block_ref b, block_ref *out, uint32_t room);
uint32_t schedule_consumers(const schedule *sch, block_ref b, block_ref *out, uint32_t room);

// --- Primitives.
// Splits a loop; one factor may be 0: inferred. Guarded by T.where when the extent is not a provable multiple.
bool schedule_split(schedule *sch, loop_ref l, const int64_t *factor, uint32_t count, loop_ref *out);
loop_ref schedule_fuse(schedule *sch, const loop_ref *l, uint32_t count); // perfectly nested neighbours
bool schedule_reorder(schedule *sch, const loop_ref *l, uint32_t count);
bool schedule_parallel(schedule *sch, loop_ref l);
bool schedule_vectorize(schedule *sch, loop_ref l);
bool schedule_unroll(schedule *sch, loop_ref l);
bool schedule_bind(schedule *sch, loop_ref l, const char *thread); // "blockIdx.x", "threadIdx.y", "vthread", …
// Moves a producer into its consumer's loop, or a consumer into its producer's.
bool schedule_compute_at(schedule *sch, block_ref producer, loop_ref at);
bool schedule_reverse_compute_at(schedule *sch, block_ref consumer, loop_ref at);
bool schedule_compute_inline(schedule *sch, block_ref producer);
bool schedule_reverse_compute_inline(schedule *sch, block_ref consumer);         // into the loops of its only producer
block_ref schedule_decompose_reduction(schedule *sch, block_ref b, loop_ref at); // the init block
// Partial results for each iteration of a loop of a reduction, in a buffer with one more axis (-1: behind the others),
// and the block joins them. Returns the block of the partial results. Both stay in the loop `in` (id 0: each gets a
// nest of its own).
block_ref schedule_rfactor(schedule *sch, block_ref b, loop_ref l, int64_t axis, loop_ref in);
// A buffer in between: the block writes (or reads) a copy, and a new block, returned, copies behind (or before) its
// loops. Buffers are counted in the order the block uses them first.
block_ref schedule_cache_write(schedule *sch, block_ref b, uint32_t write, const char *scope);
block_ref schedule_cache_read(schedule *sch, block_ref b, uint32_t read, const char *scope);
// The first part of what the block computes that depends on the iteration variables of the given numbers alone becomes
// a block of its own in front, which is returned: compute_inline backwards.
block_ref schedule_outline(schedule *sch, block_ref b, const uint32_t *iters, uint32_t count);
// Rows of a contraction that choose by a number from memory what they are multiplied with (experts) are sorted by it:
// tiles of so many rows share it. Returns the block over the tiles; the old one reads these. *keys (may be NULL): how
// many numbers there are. Tiles that are left over are passed over by the loop over them after schedule_skip.
block_ref schedule_group(schedule *sch, block_ref b, int64_t rows, int64_t *keys);
bool schedule_skip(schedule *sch, loop_ref l);
// A block that adds a long sum to its element, inside the loop alone: each term becomes a nest of its own, and so does
// each term of a sum that a term is a product with. The block keeps the last one.
bool schedule_unfold(schedule *sch, block_ref b, loop_ref l);
bool schedule_set_scope(schedule *sch, block_ref b, uint32_t write, const char *scope); // of an intermediate
// How an intermediate lies: its elements move by an index map (ATTR_INDEX_MAP) of variables, quotients and remainders …
bool schedule_transform_layout(schedule *sch, block_ref b, uint32_t write, const attr *index_map);
// … and its rows along the axis become `offset` modulo `factor` elements long (against bank and cache conflicts).
bool schedule_storage_align(schedule *sch, block_ref b, uint32_t write, uint32_t axis, int64_t factor, int64_t offset);
// Iterations of the loop in which no guard of the block (id 0: of any inside) fails run a copy without guards. The
// blocks of the guarded copy, in program order, are written to `out`; their count is returned, 0: it does not apply.
uint32_t schedule_peel(schedule *sch, loop_ref l, block_ref of, block_ref *out, uint32_t room);
// The loop ends behind the last of the elements of an intermediate it makes that is read: where guards of the readers
// say so.
bool schedule_shorten(schedule *sch, loop_ref l);
// A spatial variable of the block runs on to a multiple of the factor, in an intermediate that grows; what is read
// there is read at the last index again. For tiles without guards.
bool schedule_pad(schedule *sch, block_ref b, uint32_t iter, int64_t factor);
// Buffers used inside the loop alone move to the innermost loop they can live in, and shrink to what is used there:
// each iteration then has its own. What can't move stays.
bool schedule_compact(schedule *sch, loop_ref l);
// Two serial loops over the same range that follow each other become one, which does both things in turn; returned.
loop_ref schedule_merge(schedule *sch, loop_ref first, loop_ref second);
// What the block `made` writes, an intermediate, lies where the result of the block `used` goes, which reads it last.
bool schedule_share(schedule *sch, block_ref made, block_ref used);
// What the loop holds, loops around one block, becomes a block whose variables are the parts; returned.
block_ref schedule_blockize(schedule *sch, loop_ref l);
// The nest becomes what processors have instructions for. "transpose": two loops of one extent, a power of two; what is
// read along the outer one and written along the inner one goes through registers.
bool schedule_tensorize(schedule *sch, loop_ref l, const char *kind);
// A contraction, each variable of which runs on to a multiple of its factor, over padded copies of what it reads.
bool schedule_pad_einsum(schedule *sch, block_ref b, const int64_t *factor, uint32_t count);
// What a serial loop reads from global memory is asked for so many bytes ahead of its use, at most PREFETCH_MOST.
enum { PREFETCH_MOST = 1 << 24 };
bool schedule_prefetch(schedule *sch, loop_ref l, int64_t bytes);
bool schedule_annotate_block(schedule *sch, block_ref b, const char *key, const attr *value);
bool schedule_annotate_loop(schedule *sch, loop_ref l, const char *key, const attr *value);

// A program of equal results if the schedule is right: parallel loops run backwards. For tests.
const loop_func *schedule_backwards(expr_session *s, arena *mem, const loop_func *f);

// The program with T.parallel and T.vectorized loops whose iterations may meet in memory made serial, which is what
// they mean: one iteration after the other. Primitives make no such loops; texts may.
const loop_func *schedule_in_order(expr_session *s, arena *mem, const loop_func *f);

// The program with what its blocks do written over the loops around them, indices simplified: for code generation.
const loop_func *schedule_opaque(expr_session *s, arena *mem, const loop_func *f);

// --- Rules. The first rule that fits schedules a program for the target; every program gets one (the last row fits
// all).
typedef struct schedule_rule {
    const char *name, *doc;
    // Applies itself to a fresh schedule; false (and a rolled back schedule) if it does not fit.
    bool (*apply)(schedule *sch, const arch *a);
} schedule_rule;
// A size for which one schedule can't be fast whether it is small or large.
typedef struct schedule_choice {
    const expr *extent; // over the program's dims; NULL: one schedule is for all
    int64_t few;        // up to which it wants a schedule of its own; 0: there is none
    bool one;           // of 1 it wants another still
    bool by_length;     // it is the length of a reduction, which is made another way where it is `few`; else of rows
} schedule_choice;
// What rules may rely on: the extent of the choice is at most this. 0: not known.
typedef struct schedule_limits {
    int64_t rows;
    int64_t length; // where that extent is the length of a reduction
} schedule_limits;
// A schedule the first rule that fits was applied to; the name of that rule in *rule (may be NULL).
schedule *schedule_by_rules(expr_session *s, arena *mem, const loop_func *f, const arch *a, schedule_limits limits,
                            diag *d, const char **rule);
schedule_choice schedule_choice_of(const schedule *sch); // what other schedules the program wants besides this one
#endif
