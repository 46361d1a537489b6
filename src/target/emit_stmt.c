// emit_stmt.c - statements of a loop program to LLVM control flow.
#include "target/emit_stmt.h"
#include "target/emit_debug.h"
#include "target/emit_kernel.h"
#include "target/launch.h"

// UNROLL_MOST iterations of one loop are written out, WRITTEN_MOST statements of loops in loops.
enum { UNROLL_MOST = 256, WRITTEN_MOST = 4096, LANES_MOST = 256, LANES_AT_ONCE = 16, AHEAD_MOST = 1 << 24 };

LLVMBasicBlockRef new_block(emitter *e, const char *name) { return LLVMAppendBasicBlockInContext(e->c, e->fn, name); }

// --- Counted loops.

typedef struct counted {
    LLVMBasicBlockRef body, exit;
    LLVMValueRef counter;
} counted;

// for (counter = from; counter < to; counter++); the builder then stands in the body.
static counted loop_open(emitter *e, LLVMValueRef from, LLVMValueRef to, const char *name) {
    counted l = {.body = new_block(e, name), .exit = new_block(e, "exit")};
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntSLT, from, to, ""), l.body, l.exit);
    LLVMPositionBuilderAtEnd(e->b, l.body);
    l.counter = LLVMBuildPhi(e->b, LLVMTypeOf(from), name);
    LLVMAddIncoming(l.counter, &from, &before, 1);
    emit_forget(e);
    return l;
}

static void loop_close(emitter *e, counted *l, LLVMValueRef to) {
    LLVMValueRef next = LLVMBuildNSWAdd(e->b, l->counter, LLVMConstInt(LLVMTypeOf(l->counter), 1, false), "");
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->b);
    LLVMAddIncoming(l->counter, &next, &end, 1);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntSLT, next, to, ""), l->body, l->exit);
    LLVMPositionBuilderAtEnd(e->b, l->exit);
    emit_forget(e);
}

void emit_bind(emitter *e, const expr *var, LLVMValueRef v) {
    map_put(&e->var, MAP_KEY(var), v);
    emit_forget(e);
}

// Divisions of what is never negative become shifts and unsigned ones.
static void note_loop_var(emitter *e, const stmt *st) {
    if (expr_non_negative(e, st->as.loop.min)) map_put(&e->non_negative, MAP_KEY(st->as.loop.var), e);
}

void emit_range(emitter *e, const stmt *loop, LLVMValueRef from, LLVMValueRef to) {
    note_loop_var(e, loop);
    counted l = loop_open(e, from, to, loop->as.loop.var->as.var->name);
    emit_bind(e, loop->as.loop.var, l.counter);
    emit_stmt(e, loop->as.loop.body);
    emit_postponed(e);
    loop_close(e, &l, to);
}

// The loop's annotation "prefetch": bytes ahead, for what it reads and moves with it.
static void note_prefetch(emitter *e, const stmt *loop) {
    int64_t bytes;
    const attr *a = loop->as.loop.annotations ? attr_find(loop->as.loop.annotations, "prefetch") : NULL;
    if (!a || !attr_get_int(a, &bytes) || bytes < 0 || bytes > AHEAD_MOST) return;
    e->prefetch = bytes;
    e->prefetch_var = loop->as.loop.var;
}

static bool is_marked(const stmt *loop, const char *name) {
    return loop->as.loop.annotations && attr_find(loop->as.loop.annotations, name);
}

// All lanes of a vector around take part in each iteration, so the bounds must be the same for all of them.
static void serial_loop(emitter *e, const stmt *st) {
    int64_t outside = e->prefetch;
    const expr *outside_var = e->prefetch_var;
    bool asking = e->asking, once = e->once;
    LLVMValueRef from = emit_expr(e, st->as.loop.min), extent = emit_expr(e, st->as.loop.extent);
    if (value_lanes(from) > 1 || value_lanes(extent) > 1) {
        emit_refuse(e, st->at, e->i64,
                    "the bounds of loop %s differ between the lanes of the vectorized loop around it",
                    st->as.loop.var->as.var->name);
        return;
    }
    note_prefetch(e, st);
    // "asked": what is stored inside is never read, what it would read is wanted soon.
    e->asking = asking || is_marked(st, "asked");
    e->once = once || is_marked(st, "prefetch_once");
    e->sums_stored = e->sums_stored || is_marked(st, "sums_stored");
    emit_range(e, st, from, LLVMBuildNSWAdd(e->b, from, extent, ""));
    e->prefetch = outside;
    e->prefetch_var = outside_var;
    e->asking = asking;
    e->once = once;
}

// How often what stands in the loop is written for one time that the loop is: its iterations where it is unrolled,
// whole vectors where it is vectorized.
static int64_t times_written(const stmt *loop) {
    int64_t extent;
    if (!expr_const_int(loop->as.loop.extent, &extent) || extent < 2) return 1;
    if (loop->as.loop.kind == FOR_UNROLLED && extent <= UNROLL_MOST) return extent;
    bool vector = loop->as.loop.kind == FOR_VECTORIZED && extent <= LANES_MOST;
    return vector ? (extent + LANES_AT_ONCE - 1) / LANES_AT_ONCE : 1;
}

// How many statements are written for this one. An unrolled loop that would be more than WRITTEN_MOST is none; the
// limit binds the outermost loops first, so that the inner ones, which repeat most, stay unrolled.
static int64_t statements_written(const stmt *st) {
    int64_t inside = 0;
    for (uint32_t i = 0; stmt_child(st, i); i++) inside += statements_written(stmt_child(st, i));
    if (!inside) inside = 1;
    if (inside > WRITTEN_MOST) return WRITTEN_MOST + 1; // more is too much, too
    if (st->kind != STMT_FOR) return inside;
    int64_t times = times_written(st);
    return st->as.loop.kind == FOR_UNROLLED && inside > WRITTEN_MOST / times ? inside : inside * times;
}

static bool is_written_out(const stmt *loop, int64_t *extent) {
    if (!expr_const_int(loop->as.loop.extent, extent) || *extent < 0 || *extent > UNROLL_MOST) return false;
    return *extent < 2 || statements_written(loop->as.loop.body) <= WRITTEN_MOST / *extent;
}

// The body once per iteration, with the loop variable a constant: indices into local buffers become constant too, and
// those buffers registers.
static void unrolled_loop(emitter *e, const stmt *st, int64_t extent) {
    LLVMValueRef from = emit_expr(e, st->as.loop.min);
    uint32_t depth = e->unrolled.len;
    VEC_PUSH(e->mem, &e->unrolled, ((unrolled){.var = st->as.loop.var}));
    for (int64_t i = 0; i < extent; i++) {
        LLVMValueRef step = LLVMConstInt(LLVMTypeOf(from), (uint64_t)i, false);
        e->unrolled.at[depth].at = i;
        emit_bind(e, st->as.loop.var, LLVMBuildNSWAdd(e->b, from, step, ""));
        emit_stmt(e, st->as.loop.body);
    }
    e->unrolled.len = depth;
}

// What a let stands for is remembered, too: how an index moves with a lane is found through it.
void emit_bind_let(emitter *e, const stmt *let) {
    map_put(&e->meaning, MAP_KEY(let->as.let.var), (void *)let->as.let.value);
    emit_bind(e, let->as.let.var, emit_expr(e, let->as.let.value));
}

bool vector_lanes(const emitter *e, const stmt *loop, int64_t *lanes) {
    return loop->as.loop.kind == FOR_VECTORIZED && expr_const_int(loop->as.loop.extent, lanes) && *lanes >= 2 &&
           *lanes <= LANES_MOST && !e->lane;
}

void vector_open(emitter *e, const stmt *loop, unsigned lanes) {
    const expr *var = loop->as.loop.var;
    LLVMTypeRef lane_type = compute_type(e, var->type);
    LLVMValueRef step[LANES_MOST];
    for (unsigned i = 0; i < lanes; i++) step[i] = LLVMConstInt(lane_type, i, false);
    LLVMValueRef from = widen(e, emit_expr(e, loop->as.loop.min), lanes);
    e->lanes = lanes;
    e->lane = var;
    e->lane_from = loop->as.loop.min;
    emit_bind(e, var, LLVMBuildNSWAdd(e->b, from, LLVMConstVector(step, lanes), ""));
}

void vector_close(emitter *e) {
    e->lanes = 0;
    e->lane = e->lane_from = NULL;
    emit_forget(e);
}

// The body once, with the loop variable the vector (0, 1, 2, …). Stores and loads that move by one element per lane
// then become runs, others gathers.
static void vector_loop(emitter *e, const stmt *st, unsigned lanes) {
    vector_open(e, st, lanes);
    emit_stmt(e, st->as.loop.body);
    vector_close(e);
}

// What can't be vectorized or unrolled (extents that are not constant, or too large) runs in order.
static void emit_for(emitter *e, const stmt *st) {
    int64_t extent;
    note_loop_var(e, st);
    if (st->as.loop.kind == FOR_UNROLLED && emit_transposed(e, st)) return;
    if (st->as.loop.kind != FOR_VECTORIZED && emit_unswitched(e, st)) return;
    switch (st->as.loop.kind) {
    case FOR_VECTORIZED:
        if (!vector_lanes(e, st, &extent)) break;
        vector_loop(e, st, (unsigned)extent);
        return;
    case FOR_UNROLLED:
        if (is_written_out(st, &extent)) {
            unrolled_loop(e, st, extent);
            return;
        }
        break;
    case FOR_THREAD:
        emit_refuse(e, st->at, e->i64, "loop %s is bound to %s, but the target %s has no such threads",
                    st->as.loop.var->as.var->name, st->as.loop.thread, e->arch->name);
        return;
    case FOR_SERIAL:
    case FOR_PARALLEL: break; // a parallel loop inside the grid runs in order
    }
    serial_loop(e, st);
}

// --- Conditions.

static void emit_optional(emitter *e, const stmt *st) {
    if (st) emit_stmt(e, st);
}

// One condition for all lanes: a branch.
static void scalar_if(emitter *e, LLVMValueRef c, const stmt *then, const stmt *otherwise) {
    LLVMBasicBlockRef yes = new_block(e, "then"), no = otherwise ? new_block(e, "else") : NULL,
                      done = new_block(e, "endif");
    LLVMBuildCondBr(e->b, c, yes, no ? no : done);
    LLVMPositionBuilderAtEnd(e->b, yes);
    emit_forget(e);
    emit_stmt(e, then);
    LLVMBuildBr(e->b, done);
    if (no) {
        LLVMPositionBuilderAtEnd(e->b, no);
        emit_forget(e);
        emit_stmt(e, otherwise);
        LLVMBuildBr(e->b, done);
    }
    LLVMPositionBuilderAtEnd(e->b, done);
    emit_forget(e);
}

// Conditions that differ from lane to lane run both sides, each under its mask.
static void emit_if(emitter *e, const stmt *st) {
    LLVMValueRef c = emit_expr(e, st->as.branch.condition);
    if (LLVMIsAConstantInt(c)) {
        emit_optional(e, LLVMConstIntGetZExtValue(c) ? st->as.branch.then : st->as.branch.otherwise);
        return;
    }
    if (value_lanes(c) == 1) {
        scalar_if(e, c, st->as.branch.then, st->as.branch.otherwise);
        return;
    }
    emit_masked(e, c, st->as.branch.then);
    if (st->as.branch.otherwise) emit_masked(e, LLVMBuildNot(e->b, c, ""), st->as.branch.otherwise);
}

// A store with a predicate: one for all is a branch, one with lanes a mask.
static void emit_predicated(emitter *e, const stmt *st) {
    stmt inside = *st;
    inside.as.store.predicate = NULL;
    LLVMValueRef c = emit_expr(e, st->as.store.predicate);
    if (value_lanes(c) == 1)
        scalar_if(e, c, &inside, NULL);
    else
        emit_masked(e, c, &inside);
}

// --- Blocks.

// A block's variables get their values, and are remembered as what they stand for: how an index moves with a lane is
// found through them.
static void bind_iterations(emitter *e, const block *b) {
    for (uint32_t i = 0; i < b->iters; i++) {
        LLVMValueRef v = emit_expr(e, b->iter[i].value);
        LLVMTypeRef t = like_lanes(compute_type(e, b->iter[i].var->type), v);
        if (LLVMTypeOf(v) != t) v = LLVMBuildSExtOrBitCast(e->b, v, t, "");
        map_put(&e->var, MAP_KEY(b->iter[i].var), v);
        map_put(&e->meaning, MAP_KEY(b->iter[i].var), (void *)b->iter[i].value);
    }
    emit_forget(e);
}

// Whether this is the first step of the block's reduction: NULL if it has none (then always).
static LLVMValueRef first_step(emitter *e, const block *b) {
    LLVMValueRef first = NULL;
    for (uint32_t i = 0; i < b->iters; i++) {
        if (b->iter[i].kind != ITER_REDUCE) continue;
        LLVMValueRef v = emit_expr(e, b->iter[i].var), low = emit_expr(e, b->iter[i].dom.min);
        LLVMValueRef same = LLVMBuildICmp(e->b, LLVMIntEQ, v, widen(e, low, value_lanes(v)), "");
        first = first ? LLVMBuildAnd(e->b, first, same, "") : same;
    }
    return first;
}

// The initialisation runs before the first step of the reduction, which only the block's variables tell.
static void emit_init(emitter *e, const block *b) {
    LLVMValueRef first = first_step(e, b);
    if (!first)
        emit_stmt(e, b->init);
    else if (value_lanes(first) == 1)
        scalar_if(e, first, b->init, NULL);
    else
        emit_masked(e, first, b->init);
}

static void block_inside(emitter *e, const block *b) {
    for (uint32_t i = 0; i < b->matches; i++) place_match(e, &b->match[i]);
    if (b->init) emit_init(e, b);
    emit_stmt(e, b->body);
}

// A guard that holds for all lanes or none is a branch; one that differs is a mask, and full vectors go without.
static void emit_block(emitter *e, const stmt *st) {
    const block *b = st->as.block;
    bind_iterations(e, b);
    if (!b->where) {
        block_inside(e, b);
        return;
    }
    block unguarded = *b;
    unguarded.where = NULL;
    const stmt inside = {.kind = STMT_BLOCK, .as.block = &unguarded};
    int64_t stride;
    bool lanes = e->lane && !(lane_stride(e, b->where, &stride) && stride == 0);
    if (lanes && !e->mask) {
        emit_guarded(e, st, &inside);
        return;
    }
    LLVMValueRef c = emit_expr(e, b->where);
    if (value_lanes(c) == 1)
        scalar_if(e, c, &inside, NULL);
    else
        emit_masked(e, c, &inside);
}

// --- Memory declared by hand, asserts, and the rest.

static void emit_allocate(emitter *e, const stmt *st) {
    expr_list dims = {0};
    for (uint32_t i = 0; i < st->as.allocate.rank; i++) VEC_PUSH(e->mem, &dims, st->as.allocate.extent[i]);
    buffer *raw = ARENA_NEW(e->mem, buffer, 1);
    *raw = (buffer){.name = st->as.allocate.var->as.var->name,
                    .type = st->as.allocate.type,
                    .rank = dims.len,
                    .dim = dims.at,
                    .scope = st->as.allocate.scope,
                    .data = st->as.allocate.var,
                    .at = st->at};
    size_t bytes;
    if (!local_fits_stack(raw, e->stack_used, &bytes)) {
        emit_refuse(e, st->at, e->i64,
                    "T.allocate of %s is larger than %d KiB or not of constant size; use a block's "
                    "T.sblock_alloc_buffer",
                    raw->name, LOCAL_STACK_BYTES >> 10);
        return;
    }
    place_local(e, raw);
    place *p = map_find(&e->place, MAP_KEY(raw));
    if (p) emit_bind(e, st->as.allocate.var, p->base);
    emit_stmt(e, st->as.allocate.body);
}

static LLVMValueRef *emit_strides(emitter *e, const buffer *buf) {
    LLVMValueRef *stride = ARENA_NEW(e->mem, LLVMValueRef, buf->rank);
    for (uint32_t i = 0; i < buf->rank; i++) stride[i] = LLVMBuildSExt(e->b, emit_expr(e, buf->stride[i]), e->i64, "");
    return stride;
}

// A buffer over memory that has a name already.
static void emit_declare(emitter *e, const stmt *st) {
    const buffer *buf = st->as.declare.buf;
    LLVMValueRef data = map_find(&e->var, MAP_KEY(buf->data));
    if (!data)
        emit_refuse(e, st->at, e->i64, "buffer %s lies behind %s, which has no value", buf->name,
                    buf->data->as.var->name);
    else if (is_packed(buf->type) && buf->elem_offset && !expr_is_int(buf->elem_offset, 0))
        emit_refuse(e, st->at, e->i64, "buffer %s may begin inside of a byte; use indices", buf->name);
    else if (must_store(e, "buffer", buf)) {
        place *p = ARENA_NEW(e->mem, place, 1);
        LLVMValueRef offset =
            buf->elem_offset ? LLVMBuildSExt(e->b, emit_expr(e, buf->elem_offset), e->i64, "") : const_i64(e, 0);
        p->base = LLVMBuildInBoundsGEP2(e->b, must_store(e, "buffer", buf), data, &offset, 1, buf->name);
        p->stride = buf->stride ? emit_strides(e, buf) : NULL;
        map_put(&e->place, MAP_KEY(buf), p);
        emit_stmt(e, st->as.declare.body);
    }
}

// A failed assert ends the kernel; what it returns is the assert's number.
static void emit_assert(emitter *e, const stmt *st) {
    LLVMValueRef c = emit_expr(e, st->as.assertion.condition);
    if (value_lanes(c) > 1) { // it must hold for all lanes that take part
        if (e->mask) c = LLVMBuildOr(e->b, c, LLVMBuildNot(e->b, e->mask, ""), "");
        c = emit_reduced(e, "llvm.vector.reduce.and", c);
    }
    LLVMBasicBlockRef fail = new_block(e, "fail"), pass = new_block(e, "pass");
    LLVMBuildCondBr(e->b, c, pass, fail);
    LLVMPositionBuilderAtEnd(e->b, fail);
    LLVMBuildRet(e->b, LLVMConstInt(e->i32, (uintptr_t)map_find(&e->assertion, MAP_KEY(st)), false));
    LLVMPositionBuilderAtEnd(e->b, pass);
    emit_forget(e);
    emit_optional(e, st->as.assertion.body);
}

static void emit_while(emitter *e, const stmt *st) {
    LLVMBasicBlockRef head = new_block(e, "while"), body = new_block(e, "body"), done = new_block(e, "endwhile");
    LLVMBuildBr(e->b, head);
    LLVMPositionBuilderAtEnd(e->b, head);
    emit_forget(e);
    LLVMValueRef c = emit_expr(e, st->as.loop_while.condition);
    if (value_lanes(c) > 1)
        c = emit_refuse(e, st->at, e->i1, "the condition of a while depends on the lane of a vectorized loop");
    LLVMBuildCondBr(e->b, c, body, done);
    LLVMPositionBuilderAtEnd(e->b, body);
    emit_forget(e);
    emit_stmt(e, st->as.loop_while.body);
    LLVMBuildBr(e->b, head);
    LLVMPositionBuilderAtEnd(e->b, done);
    emit_forget(e);
}

// T.assume(c) is said to those who read the program; nothing is done for it.
static bool is_promise(const expr *value) {
    return value->op == EXPR_CALL && (intrinsic_id)value->as.intrin->id == INTRIN_ASSUME;
}

void emit_stmt(emitter *e, const stmt *st) {
    if (e->failed) return;
    debug_at(e, st->at);
    switch (st->kind) {
    case STMT_SEQ:
        for (uint32_t i = 0; i < st->as.seq.count; i++) emit_stmt(e, st->as.seq.list[i]);
        return;
    case STMT_FOR: emit_for(e, st); return;
    case STMT_BLOCK: emit_block(e, st); return;
    case STMT_STORE: st->as.store.predicate ? emit_predicated(e, st) : emit_store(e, st); return;
    case STMT_EVALUATE:
        if (st->as.value->op != EXPR_INT && !is_promise(st->as.value)) emit_expr(e, st->as.value);
        return;
    case STMT_LET:
        emit_bind_let(e, st);
        emit_stmt(e, st->as.let.body);
        return;
    case STMT_IF: emit_if(e, st); return;
    case STMT_WHILE: emit_while(e, st); return;
    case STMT_ALLOCATE: emit_allocate(e, st); return;
    case STMT_DECL_BUFFER: emit_declare(e, st); return;
    case STMT_ATTR:
        if (st->as.attribute.thread)
            emit_refuse(e, st->at, e->i64, "thread %s: the target %s has no such threads", st->as.attribute.thread,
                        e->arch->name);
        else
            emit_stmt(e, st->as.attribute.body);
        return;
    case STMT_ASSERT: emit_assert(e, st); return;
    }
}
