// compile_stmt.c - statements of loop programs to instructions.
#include "interp/compile.h"
#include "loop/walk.h"

// --- Loops.

// var = min; limit = min + extent; if var >= limit goto the end. Bounds are computed once, as the loop is entered.
static uint32_t begin_loop(compiler *c, const counted_loop *l, uint32_t *var, uint32_t *limit, uint32_t *leave) {
    uint32_t min = compile_value(c, l->min, 0);
    *limit = compile_value(c, expr_is_int(l->min, 0) ? l->extent : compile_pair(c, EXPR_ADD, l->min, l->extent), 0);
    *var = compile_bind(c, l->var);
    compile_emit(c, CODE_MOVE, *var, min, 0);
    *leave = compile_emit(c, CODE_JUMP_IF_GE, *var, *limit, 0);
    return c->code.len;
}

typedef struct jump_frame {
    uint32_t breaks, continues;
    bool in_loop;
} jump_frame;

// T.break_loop and T.continue_loop mean the innermost loop: outer ones' jumps wait below these marks.
static jump_frame open_jumps(compiler *c) {
    jump_frame outer = {c->loop_breaks, c->loop_continues, c->in_loop};
    c->loop_breaks = c->breaks.len;
    c->loop_continues = c->continues.len;
    c->in_loop = true;
    return outer;
}

// To the increment.
static void land_continues(compiler *c) {
    while (c->continues.len > c->loop_continues) compile_patch(c, c->continues.at[--c->continues.len]);
}

// Behind the loop.
static void land_breaks(compiler *c, jump_frame outer) {
    while (c->breaks.len > c->loop_breaks) compile_patch(c, c->breaks.at[--c->breaks.len]);
    c->loop_breaks = outer.breaks;
    c->loop_continues = outer.continues;
    c->in_loop = outer.in_loop;
}

// Does the loop's variable step through a reduction that starts with an init?
static bool is_reduction(compiler *c, const counted_loop *l) {
    for (stmt_walk w = stmt_walk_from(c->mem, l->body); stmt_walk_next(&w);) {
        const block *b = w.st->kind == STMT_BLOCK && !w.leaving ? w.st->as.block : NULL;
        for (uint32_t i = 0; b && b->init && i < b->iters; i++)
            if (b->iter[i].kind == ITER_REDUCE && expr_uses_var(b->iter[i].value, l->var)) return true;
    }
    return false;
}

static void compile_steps(compiler *c, const counted_loop *l, uint32_t var, uint32_t limit, uint32_t start) {
    jump_frame jumps = open_jumps(c);
    uint32_t outer = compile_open(c);
    compile_stmt(c, l->body);
    land_continues(c);
    compile_emit(c, CODE_NEXT, var, limit, start);
    compile_close(c, outer);
    land_breaks(c, jumps);
}

// A reduction without steps: its inits run all the same, so that the result is what the reduction starts from. The
// body is compiled a second time, with nothing in it but inits.
static void compile_no_steps(compiler *c, const counted_loop *l) {
    bool outer_inits = c->only_inits;
    uint32_t outer = compile_open(c);
    c->only_inits = true;
    VEC_PUSH(c->mem, &c->without_steps, l->var);
    compile_stmt(c, l->body);
    c->without_steps.len--;
    c->only_inits = outer_inits;
    compile_close(c, outer);
}

void compile_loop(compiler *c, const counted_loop *l) {
    int64_t extent;
    bool reduces = is_reduction(c, l), never_empty = expr_const_int(l->extent, &extent) && extent > 0;
    uint32_t var, limit, leave;
    if (c->only_inits && reduces) {
        compile_set(c, l->var, compile_value(c, l->min, 0));
        compile_no_steps(c, l);
        return;
    }
    uint32_t start = begin_loop(c, l, &var, &limit, &leave);
    counted_loop *kept = ARENA_NEW(c->mem, counted_loop, 1);
    *kept = *l;
    map_put(&c->loops, MAP_KEY(l->var), kept);
    compile_steps(c, l, var, limit, start);
    if (reduces && !never_empty) {
        uint32_t end = compile_emit(c, CODE_JUMP, 0, 0, 0);
        compile_patch(c, leave);
        compile_no_steps(c, l);
        compile_patch(c, end);
    } else {
        compile_patch(c, leave);
    }
}

// The condition belongs to the loop: what it loads is loaded again in each round.
static void compile_while(compiler *c, const stmt *st) {
    jump_frame jumps = open_jumps(c);
    uint32_t outer = compile_open(c), start = c->code.len;
    uint32_t leave = compile_emit(c, CODE_JUMP_IF_ZERO, compile_value(c, st->as.loop_while.condition, 0), 0, 0);
    compile_stmt(c, st->as.loop_while.body);
    land_continues(c);
    compile_emit(c, CODE_STEP, 0, 0, 0);
    compile_emit(c, CODE_JUMP, 0, 0, start);
    compile_close(c, outer);
    compile_patch(c, leave);
    land_breaks(c, jumps);
}

static void compile_for(compiler *c, const stmt *st) {
    unsigned tag;
    if (st->as.loop.kind == FOR_THREAD && compile_thread_tag(st->as.loop.thread, &tag)) {
        compile_threads(c, st, tag);
        return;
    }
    compile_loop(c, &(counted_loop){st->as.loop.var, st->as.loop.min, st->as.loop.extent, st->as.loop.body});
}

// --- Blocks.

// int32 and int64 constants of the same value are different nodes.
static bool same_number(const expr *a, const expr *b) {
    int64_t x, y;
    return a == b || (expr_const_int(a, &x) && expr_const_int(b, &y) && x == y);
}

// Does the variable run through exactly this domain, because it is a loop's over it?
static bool in_domain(compiler *c, const iter *it) {
    const counted_loop *l = map_find(&c->loops, MAP_KEY(it->value));
    return l && same_number(l->min, it->dom.min) && same_number(l->extent, it->dom.extent);
}

// The check is emitted unless the loop around makes it true by its bounds, which is the usual case.
static void check_iter(compiler *c, const iter *it, uint32_t reg) {
    if (in_domain(c, it)) return;
    uint32_t limit = compile_binary(c, EXPR_ADD, it->dom.min, it->dom.extent);
    compile_emit_x(c, CODE_IN_RANGE, IN_RANGE_ITER, reg, compile_value(c, it->dom.min, 0), limit);
}

// Where only inits run, conditions on the steps there are none of do not count.
static const expr *condition_of(compiler *c, const expr *where) {
    if (!c->only_inits || !where) return where;
    if (where->op == EXPR_AND) {
        const expr *a = condition_of(c, where->in[0]), *b = condition_of(c, where->in[1]);
        return a && b ? compile_pair(c, EXPR_AND, a, b) : a ? a : b;
    }
    for (uint32_t i = 0; i < c->without_steps.len; i++)
        if (expr_uses_var(where, c->without_steps.at[i])) return NULL;
    return where;
}

// The registers of the iteration variables; what lies outside its domain fails only where the block runs.
static void bind_iters(compiler *c, const block *b, uint32_t *skip) {
    const expr *where = condition_of(c, b->where);
    uint32_t *reg = ARENA_NEW(c->mem, uint32_t, b->iters);
    for (uint32_t i = 0; i < b->iters; i++) reg[i] = compile_value(c, b->iter[i].value, 0);
    if (where) *skip = compile_emit(c, CODE_JUMP_IF_ZERO, compile_value(c, where, 0), 0, 0);
    for (uint32_t i = 0; i < b->iters; i++) {
        compile_set(c, b->iter[i].var, reg[i]);
        if (!c->only_inits || b->iter[i].kind != ITER_REDUCE) check_iter(c, &b->iter[i], reg[i]);
    }
}

// `always`: not only at the first step.
static void compile_init(compiler *c, const block *b, bool always) {
    const expr *first = NULL;
    for (uint32_t i = 0; i < b->iters; i++) {
        const iter *it = &b->iter[i];
        if (it->kind != ITER_REDUCE || always) continue;
        const expr *at_start = compile_pair(c, EXPR_EQ, it->var, it->dom.min);
        first = first ? compile_pair(c, EXPR_AND, first, at_start) : at_start;
    }
    uint32_t skip = first ? compile_emit(c, CODE_JUMP_IF_ZERO, compile_value(c, first, 0), 0, 0) : 0;
    uint32_t outer = compile_open(c);
    compile_stmt(c, b->init);
    compile_close(c, outer);
    if (first) compile_patch(c, skip);
}

static bool is_shared(const char *scope) { return text_starts(scope, "shared"); }

// Each time it is passed the buffer gets fresh memory, so that what one instance of a block left is not read by the
// next.
static uint32_t allocate(compiler *c, const buffer *b, bool per_thread) {
    setup s = {.how = SETUP_NEW, .buf = b, .shared = is_shared(b->scope) && c->threads.on, .per_thread = per_thread};
    compile_setup(c, &s);
    return compile_slot(c, b);
}

// Strides and the offset of the inner buffer may be variables; they become what the source has.
static void compile_match(compiler *c, const buffer_match *m) {
    const buffer *b = m->inner;
    setup s = {.how = SETUP_MATCH, .buf = b, .from = compile_slot(c, m->source.buf), .box_rank = m->source.buf->rank};
    uint32_t *box = ARENA_NEW(c->mem, uint32_t, s.box_rank), *stride = ARENA_NEW(c->mem, uint32_t, b->rank);
    for (uint32_t i = 0; i < s.box_rank; i++) box[i] = compile_value(c, m->source.dim[i].min, 0);
    for (uint32_t i = 0; i < b->rank; i++) {
        bool variable = b->stride && b->stride[i]->op == EXPR_VAR && !map_has(&c->vars, MAP_KEY(b->stride[i]));
        stride[i] = variable ? compile_bind(c, b->stride[i]) : NO_REGISTER;
    }
    const expr *offset = b->elem_offset;
    bool variable = offset && offset->op == EXPR_VAR && !map_has(&c->vars, MAP_KEY(offset));
    s.offset_out = variable ? compile_bind(c, offset) : NO_REGISTER;
    s.box = box;
    s.stride_out = stride;
    compile_setup(c, &s);
    if (b->data) compile_over(c, b->data, compile_slot(c, b));
}

// The variables of a block are other names for registers: binding them costs nothing.
static void compile_block(compiler *c, const block *b) {
    uint32_t outer = compile_open(c), skip = UINT32_MAX;
    bind_iters(c, b, &skip);
    for (uint32_t i = 0; i < b->allocs; i++) {
        uint32_t slot = allocate(c, b->alloc[i], false);
        if (b->alloc[i]->data) compile_over(c, b->alloc[i]->data, slot);
    }
    for (uint32_t i = 0; i < b->matches; i++) compile_match(c, &b->match[i]);
    bool inits = c->only_inits;
    if (b->init) {
        c->only_inits = false;
        compile_init(c, b, inits);
    }
    c->only_inits = inits;
    if (!inits || !b->init) compile_stmt(c, b->body);
    for (uint32_t i = 0; i < b->allocs; i++) compile_emit(c, CODE_DROP, compile_slot(c, b->alloc[i]), 0, 0);
    compile_close(c, outer);
    if (skip != UINT32_MAX) compile_patch(c, skip);
}

// --- Stores. All lanes are computed before the first is written.

// A ramp has an index per lane; other indices are the same for all lanes.
static uint32_t *store_index(compiler *c, const stmt *st, uint32_t lane) {
    uint32_t *index = ARENA_NEW(c->mem, uint32_t, st->as.store.count);
    for (uint32_t i = 0; i < st->as.store.count; i++) {
        const expr *e = st->as.store.index[i];
        index[i] = compile_value(c, e, dtype_lanes(e->type) > 1 ? lane : 0);
    }
    return index;
}

static void compile_store(compiler *c, const stmt *st) {
    const buffer *b = st->as.store.buf;
    const expr *stored = st->as.store.value, *predicate = st->as.store.predicate;
    unsigned lanes = dtype_lanes(stored->type), own = dtype_lanes(b->type);
    uint32_t *from = ARENA_NEW(c->mem, uint32_t, lanes), *at = ARENA_NEW(c->mem, uint32_t, lanes);
    uint32_t *wanted = ARENA_NEW(c->mem, uint32_t, lanes);
    for (unsigned i = 0; i < lanes && !c->failed; i++) {
        from[i] = compile_value(c, stored, i);
        at[i] = compile_access(c, b, store_index(c, st, i / own), st->as.store.count, i % own);
        if (predicate) wanted[i] = compile_value(c, predicate, dtype_lanes(predicate->type) > 1 ? i / own : 0);
    }
    for (unsigned i = 0; i < lanes && !c->failed; i++) {
        uint32_t skip = predicate ? compile_emit(c, CODE_JUMP_IF_ZERO, wanted[i], 0, 0) : 0;
        compile_emit(c, CODE_STORE, from[i], 0, at[i]);
        if (predicate) compile_patch(c, skip);
    }
    compile_forget(c);
}

// --- The others.

static void compile_if(compiler *c, const stmt *st) {
    uint32_t skip = compile_emit(c, CODE_JUMP_IF_ZERO, compile_value(c, st->as.branch.condition, 0), 0, 0);
    uint32_t outer = compile_open(c);
    compile_stmt(c, st->as.branch.then);
    compile_close(c, outer);
    if (!st->as.branch.otherwise) {
        compile_patch(c, skip);
        return;
    }
    uint32_t end = compile_emit(c, CODE_JUMP, 0, 0, 0);
    compile_patch(c, skip);
    outer = compile_open(c);
    compile_stmt(c, st->as.branch.otherwise);
    compile_close(c, outer);
    compile_patch(c, end);
}

// A handle is another name for memory; everything else is a value.
static void compile_let_stmt(compiler *c, const stmt *st) {
    const expr *var = st->as.let.var, *given = st->as.let.value;
    uint32_t slot;
    if (var->type.kind == DTYPE_HANDLE && compile_handle(c, given, &slot)) {
        compile_over(c, var, slot);
    } else {
        uint32_t first = compile_register(c, dtype_lanes(var->type));
        for (unsigned i = 0; i < dtype_lanes(var->type); i++)
            compile_emit(c, CODE_MOVE, first + i, compile_value(c, given, i), 0);
        compile_set(c, var, first);
    }
    compile_stmt(c, st->as.let.body);
}

// Raw memory is a buffer nobody reads by that name; views declared over it share its slot's memory.
static void compile_allocate(compiler *c, const stmt *st) {
    buffer *b = ARENA_NEW(c->mem, buffer, 1);
    const expr *var = st->as.allocate.var;
    const char *scope = st->as.allocate.scope;
    *b = (buffer){.name = var->as.var->name, .type = st->as.allocate.type, .rank = st->as.allocate.rank};
    b->dim = st->as.allocate.extent;
    b->scope = scope;
    b->data = var;
    uint32_t slot = allocate(c, b, !c->threads.on && text_starts(scope, "local"));
    compile_over(c, var, slot);
    compile_stmt(c, st->as.allocate.body);
    compile_emit(c, CODE_DROP, slot, 0, 0);
}

// A declaration is a view; its own variable of handle type may be the basis of others.
static void compile_declare(compiler *c, const stmt *st) {
    const buffer *b = st->as.declare.buf;
    uintptr_t slot = b->data ? (uintptr_t)map_find(&c->handles, MAP_KEY(b->data)) : 0;
    if (!slot) {
        compile_fail(c, "buffer %s is declared over memory that is not known", b->name);
        return;
    }
    compile_setup(c, &(setup){.how = SETUP_OVER, .buf = b, .from = (uint32_t)slot - 1});
    compile_stmt(c, st->as.declare.body);
}

// T.attr(…) around a body: only launches of threads mean something here; pragmas are advice.
static void compile_attribute(compiler *c, const stmt *st) {
    const expr *var = st->as.attribute.var, *extent = st->as.attribute.value;
    unsigned tag;
    if (!var || !st->as.attribute.thread) {
        compile_stmt(c, st->as.attribute.body);
    } else if (compile_thread_tag(st->as.attribute.thread, &tag)) {
        compile_threads(c, st, tag);
    } else {
        const expr *zero = expr_int(c->s, var->type, 0);
        compile_loop(c, &(counted_loop){var, zero, expr_cast(c->s, var->type, extent), st->as.attribute.body});
    }
}

static void compile_assert(compiler *c, const stmt *st) {
    compile_emit(c, CODE_ASSERT, compile_value(c, st->as.assertion.condition, 0), 0, 0);
    if (st->as.assertion.body) compile_stmt(c, st->as.assertion.body);
}

// Pure calls are computed for the sake of their failures.
static void compile_evaluate(compiler *c, const expr *e) {
    if (e->op == EXPR_CALL_FUNC || (e->op == EXPR_CALL && !e->as.intrin->pure))
        compile_call(c, e);
    else if (e->op != EXPR_INT)
        compile_value(c, e, 0);
    compile_forget(c);
}

static void compile_kind(compiler *c, const stmt *st) {
    switch (st->kind) {
    case STMT_SEQ:
        for (uint32_t i = 0; i < st->as.seq.count; i++) compile_stmt(c, st->as.seq.list[i]);
        break;
    case STMT_FOR: compile_for(c, st); break;
    case STMT_BLOCK: compile_block(c, st->as.block); break;
    case STMT_STORE:
        if (!c->only_inits) compile_store(c, st);
        break;
    case STMT_EVALUATE:
        if (!c->only_inits) compile_evaluate(c, st->as.value);
        break;
    case STMT_LET: compile_let_stmt(c, st); break;
    case STMT_IF: compile_if(c, st); break;
    case STMT_WHILE: compile_while(c, st); break;
    case STMT_ALLOCATE: compile_allocate(c, st); break;
    case STMT_DECL_BUFFER: compile_declare(c, st); break;
    case STMT_ATTR: compile_attribute(c, st); break;
    case STMT_ASSERT: compile_assert(c, st); break;
    }
}

// Text nests at most 200 levels; the limit is for statements made by code.
void compile_stmt(compiler *c, const stmt *st) {
    const stmt *outer = c->at;
    if (c->failed || !st) return;
    c->at = st;
    if (++c->depth > COMPILE_MAX_DEPTH)
        compile_fail(c, "statements are nested too deeply");
    else
        compile_kind(c, st);
    c->depth--;
    c->at = outer;
}
