// inside.h - the inside of a schedule: the program as a tree, handles into it, what its loops read and write.
//
// A loop is known by its variable, a block by its name; both are unique in the program, so handles survive rewriting.
#ifndef SCHEDULE_INSIDE_H
#define SCHEDULE_INSIDE_H
#include "schedule/schedule.h"

typedef struct handle {
    const expr *var;   // a loop's variable; NULL for a block
    const char *block; // a block's name; NULL for a loop
    bool named;        // has a number in the trace
    uint32_t name;     // that number
} handle;

typedef struct checkpoint {
    const stmt *body;
    size_t trace;
    uint32_t handles, names;
} checkpoint;

struct schedule {
    expr_session *s;
    arena *mem;
    loop_func *func; // a copy; its body is the program as it is now
    diag *d;
    facts *facts;           // dims are not negative
    int64_t rows;           // what rules may rely on: choice.extent is at most this; 0: not known
    int64_t length;         // … a reduction of any length has at most so many steps; 0: not known
    schedule_choice choice; // what a rule would choose other schedules for
    text trace;
    uint32_t names; // how many handles the trace has named
    VEC(handle) handles;
    VEC(checkpoint) checkpoints;
    const buffer *tiles_of; // that group made last; NULL: none
    map loop_vars;          // MAP_KEY(variable of any loop there ever was) -> non-NULL
    map summaries;          // MAP_KEY(stmt) -> summary *: statements don't change, so neither does what they touch
};

typedef VEC(const stmt *) stmt_list; // a path: from the program's body down to a statement

// --- tree.c
bool path_to_loop(const schedule *sch, const expr *var, stmt_list *path);
bool path_to_block(const schedule *sch, const char *name, stmt_list *path);
const stmt *path_end(const stmt_list *path);
// Puts `now` (NULL: nothing) in the place of the path's end; what has become empty goes too. Blocks around lose what
// their text said of their regions.
void tree_replace(schedule *sch, const stmt_list *path, const stmt *now);
// The same for a path that starts anywhere: the statement at its start as it would become; NULL where it goes.
const stmt *path_replaced(schedule *sch, const stmt_list *path, const stmt *now);
// What holds inside the path: ranges of its loops, values of blocks' variables, guards.
facts *path_facts(const schedule *sch, const stmt_list *path);
// Every block below st, outermost ones first.
void blocks_below(const schedule *sch, const stmt *st, stmt_list *out);
// The statement with variables replaced and block bindings simplified under the facts.
const stmt *rebind(schedule *sch, const stmt *st, const map *with, const facts *f);
// Whether a guard holds by the ranges of its two sides alone: quick, and enough for what splitting leaves.
bool surely(const schedule *sch, const expr *condition, const facts *f);
// The guard without the parts that surely hold, sides simplified; NULL: nothing left.
const expr *simpler_guard(const schedule *sch, const expr *where, const facts *f);
// Makes st run only where the condition holds: the blocks below get it, if nothing else stands between.
const stmt *guard(schedule *sch, const stmt *st, const expr *condition);
const expr *new_loop_var(schedule *sch, const char *name, dtype type);
const stmt *loop_with_body(schedule *sch, const stmt *loop, const stmt *body);
// A block whose body has changed: what its text said of its regions goes.
const stmt *block_changed(schedule *sch, const block *b);
// The range, not beyond the buffer's dim where that is provable.
range clip(schedule *sch, range r, const expr *dim);
bool is_parameter(const schedule *sch, const buffer *buf);
// The one statement outside of any other that says st is in the schedule's hands: "a while loop"; NULL if there is
// none. What stands between the root and the path's end must be loops, sequences and blocks.
const char *in_the_way(const stmt_list *path, uint32_t from, uint32_t to);

// --- summary.c: what a statement touches.
typedef struct usage {
    const buffer *buf;
    bool reads, writes;
} usage;
typedef struct summary {
    VEC(usage) use;
    map at;             // MAP_KEY(buffer) -> index + 1
    uint32_t blocks;    // in it, itself counted
    const char *opaque; // what can't be looked through, "a call with effects"; NULL: nothing
} summary;
const summary *summary_of(const schedule *sch, const stmt *st);
bool reads_buffer(const schedule *sch, const stmt *st, const buffer *buf);
bool writes_buffer(const schedule *sch, const stmt *st, const buffer *buf);
bool touches(const schedule *sch, const stmt *st, const buffer *buf);
bool calls_with_effect(const schedule *sch, const expr *e); // holds a call that does more than compute a value

// --- access.c: every load and store below a statement.
typedef struct access {
    const buffer *buf;
    const expr *const *index; // over loop variables, and variables of the program
    uint32_t count;
    bool writes, init;
    const stmt *leaf; // the innermost block; NULL: none
} access;
typedef struct accesses {
    VEC(access) list;   // no two alike
    stmt_list loops;    // below, with their ranges over loop variables
    map owned;          // buffers allocated below: MAP_KEY(buffer) -> non-NULL
    const char *opaque; // as in summary
} accesses;
// Of what is below the path's end, which is looked through: blocks' variables become what they are bound to.
accesses accesses_below(schedule *sch, const stmt_list *path);
// What a block variable at the path's end stands for, in terms of loops: MAP_KEY(var) -> expr.
map bindings_around(schedule *sch, const stmt_list *path);
const expr **bound_values(schedule *sch, const stmt_list *path); // of the variables of the block at the path's end

// --- depend.c: may iterations change places?
typedef struct conflict {
    const access *a, *b;
} conflict;
// Whether iterations of the loop x (the path's end, or a loop directly nested in it) that differ in x can touch the
// same element, one of them writing. `free`: the order of a reduction's steps does not matter.
bool iterations_conflict(schedule *sch, const stmt_list *path, const accesses *all, const stmt *x, bool reductions_free,
                         conflict *out);
// The same for two accesses of which one stands in a block of `first`, the other in none.
bool parts_conflict(schedule *sch, const stmt_list *path, const accesses *all, const stmt *x, const map *first,
                    conflict *out);
const char *describe_conflict(schedule *sch, const stmt *x, const conflict *c);

// --- layout.c
// The statement with the buffer `now` in place of `old`, `last` behind the indices it had.
const stmt *with_index(schedule *sch, const stmt *st, const buffer *old, const buffer *now, const expr *last);

// --- lanes.c
// What the block in the loop at the path's end allocates gets a dim of the loop's extent, and lies outside of the loop.
// False, and nothing changed, where that can't be. The path is void then.
bool give_lanes(schedule *sch, const stmt_list *path);

// --- loop_kind.c
void set_loop_kind(schedule *sch, const stmt_list *path, for_kind kind, const char *thread);
// Whether all below the loop takes the same course in each of its lanes; reports what does not.
bool lanes_in_step(schedule *sch, const stmt *loop);
// Whether the loop at the path's end is a sum or an extreme whose steps can be joined as lanes.
bool lanes_join(schedule *sch, const stmt_list *path);

// --- linear.c
typedef struct linear { // step * x + rest
    int64_t step;
    const expr *rest; // does not use x; never NULL
} linear;
bool linear_in(schedule *sch, const expr *e, const expr *x, linear *out);

// base + low .. base + high: where e goes while the loops, of constant extent, run. False if it is not such a sum.
typedef struct reach {
    const expr *base;
    int64_t low, high;
} reach;
bool linear_reach(schedule *sch, const expr *e, const stmt_list *loops, reach *out);

// The integers from low to low + extent - 1 that are >= start and < end (NULL: no such limit).
typedef struct stretch {
    const expr *low, *extent, *start, *end;
} stretch;
// The values `value` takes, each once, while the loops run. False if they are not known to be such a stretch. A loop
// that is used is marked in `used`; one that was marked before is not understood.
bool stretch_of(schedule *sch, const expr *value, const stmt_list *loops, bool *used, stretch *out);
// Narrows the stretches of `value`s by a condition over the loops; false if a part of it is not understood.
bool stretch_guard(schedule *sch, const expr *where, const expr *const *value, stretch *of, uint32_t count,
                   const stmt_list *loops, const facts *f);

// --- cover.c: what a block's loops run over.
// The loops of the path below path->at[from].
stmt_list loops_between(const schedule *sch, const stmt_list *path, uint32_t from);
// Whether the block at the path's end runs exactly once for each point of its variables' domain in the loops below
// path->at[from]. `names` (may be NULL) gets the first variable that does not.
bool runs_over_domain(schedule *sch, const stmt_list *path, uint32_t from, const char **name);
// Whether all that is read of the buffer below the loop at the path's end was written there before, in the same
// iteration.
bool written_first(schedule *sch, const stmt_list *path, const buffer *buf);

// --- handles.c
loop_ref loop_handle(schedule *sch, const expr *var);
block_ref block_handle(schedule *sch, const char *name);
// The loop or block behind a handle, as a path; false after reporting that it is gone.
bool must_loop(schedule *sch, loop_ref l, const char *primitive, stmt_list *path);
bool must_block(schedule *sch, block_ref b, const char *primitive, stmt_list *path);
// Reports that a primitive does not apply. Returns false.
bool refuse(schedule *sch, const char *primitive, const char *format, ...) RX_PRINTF(3, 4);
const char *unique_block(const schedule *sch, const char *name); // the name, with a number where it is taken
bool is_leaf(const schedule *sch, const stmt *st);               // a block without blocks in it

// --- trace.c
// The name of a handle in the trace; where it has none, a line that finds it comes first.
const char *loop_name(schedule *sch, loop_ref l);
const char *block_name(schedule *sch, block_ref b);
// Names for what a primitive just made, without such a line.
const char *new_loop_name(schedule *sch, loop_ref l);
const char *new_block_name(schedule *sch, block_ref b);
// Forgets the lines, and the names, that came after the trace had so many bytes and names.
void trace_cut(schedule *sch, size_t bytes, uint32_t names);
void trace_line(schedule *sch, const char *format, ...) RX_PRINTF(2, 3);

// --- reduction.c
// The initialisation of a reduction as a block of its own, over the block's spatial variables, made new.
block init_block(schedule *sch, const block *b);
// The loops below `from` on the path that the initialisation depends on, around it.
const stmt *init_nest(schedule *sch, const stmt_list *path, uint32_t from, const block *init);
// Whether the guard of the reduction at the path's end lets the first step of every element through; of every element
// and every iteration of the loop whose variable is `fixed` (NULL: none).
bool first_step_runs(schedule *sch, const stmt_list *path, const expr *where, const expr *fixed);

// --- shape.c: what kind of block it is.
typedef struct block_shape {
    const buffer *out; // the one buffer it writes
    uint32_t rank;
    const expr *const *written; // its indices, each an iteration variable of its own or a constant
    const stmt *store;          // the update
    bool reduction;             // has reduction variables
} block_shape;
// Understands a block that writes one buffer at its own spatial variables; false (silently) for others.
bool block_understand(const schedule *sch, const block *b, block_shape *out);
const iter *iter_of(const block *b, const expr *var); // the iteration variable; NULL: it is none of the block's
#endif
