// emit_guard.c - guards of vectorized loops: full vectors run without a mask, the last, partial one with it.
#include "base/size.h"
#include "target/emit_stmt.h"

enum { STEPS_MOST = 256 };

LLVMValueRef emit_reduced(emitter *e, const char *name, LLVMValueRef mask) {
    LLVMTypeRef t = LLVMTypeOf(mask);
    return call_intrinsic(e, name, &t, 1, &mask, 1);
}

// Where a branch of the emitted code starts or ends.
static void stand_at(emitter *e, LLVMBasicBlockRef at) {
    LLVMPositionBuilderAtEnd(e->b, at);
    emit_forget(e);
}

static void under_mask(emitter *e, LLVMValueRef mask, const stmt *st) {
    LLVMValueRef outer = e->mask;
    e->mask = mask;
    emit_stmt(e, st);
    e->mask = outer;
}

void emit_masked(emitter *e, LLVMValueRef wanted, const stmt *st) {
    LLVMValueRef mask = e->mask ? LLVMBuildAnd(e->b, e->mask, wanted, "") : wanted;
    LLVMBasicBlockRef some = new_block(e, "some"), done = new_block(e, "endif");
    LLVMBuildCondBr(e->b, emit_reduced(e, "llvm.vector.reduce.or", mask), some, done);
    stand_at(e, some);
    under_mask(e, mask, st);
    LLVMBuildBr(e->b, done);
    stand_at(e, done);
}

// The expression's value in lane 0, as a scalar.
static LLVMValueRef of_first_lane(emitter *e, const expr *x) {
    const expr *lane = e->lane;
    e->lane = NULL;
    LLVMValueRef v = emit_expr(e, x);
    e->lane = lane;
    return v;
}

// --- Whether a condition holds for all lanes, told by one of them.

// Of `a <= b` the lane where it holds last: the first one or the last one, as the difference moves.
static LLVMValueRef all_lanes_hold(emitter *e, const expr *c) {
    static const LLVMIntPredicate predicate[] = {
        [EXPR_LT] = LLVMIntSLT, [EXPR_LE] = LLVMIntSLE, [EXPR_GT] = LLVMIntSGT, [EXPR_GE] = LLVMIntSGE};
    int64_t left, right, step;
    bool less = c->op == EXPR_LT || c->op == EXPR_LE, more = c->op == EXPR_GT || c->op == EXPR_GE;
    bool known = (less || more) && dtype_equal(c->in[0]->type, c->in[1]->type) && c->in[0]->type.kind == DTYPE_I64 &&
                 lane_stride(e, c->in[0], &left) && lane_stride(e, c->in[1], &right) && int_sub(left, right, &step) &&
                 int_mul(step, (int64_t)e->lanes - 1, &step);
    if (!known) return NULL;
    LLVMValueRef a = of_first_lane(e, c->in[0]), b = of_first_lane(e, c->in[1]);
    if (less ? step > 0 : step < 0) a = LLVMBuildNSWAdd(e->b, a, const_i64(e, step), "");
    return LLVMBuildICmp(e->b, predicate[c->op], a, b, "");
}

LLVMValueRef emit_all_hold(emitter *e, const expr *c) {
    if (c->op != EXPR_AND) return all_lanes_hold(e, c);
    LLVMValueRef a = emit_all_hold(e, c->in[0]), b = a ? emit_all_hold(e, c->in[1]) : NULL;
    return b ? LLVMBuildAnd(e->b, a, b, "") : NULL;
}

// --- How many lanes a guard lets through: the first ones, so a number tells them all.

static LLVMValueRef select_between(emitter *e, LLVMIntPredicate less, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, less, a, b, ""), a, b, "");
}

// Of `first + lane < end`: end - first, which may be negative or more than there are lanes. NULL: the guard is of
// another form, and it takes all lanes to tell. An int64.
static LLVMValueRef live_lanes(emitter *e, const expr *guard) {
    int64_t left, right;
    if (guard->op == EXPR_AND) {
        LLVMValueRef a = live_lanes(e, guard->in[0]), b = a ? live_lanes(e, guard->in[1]) : NULL;
        return b ? select_between(e, LLVMIntSLT, a, b) : NULL;
    }
    bool known = (guard->op == EXPR_LT || guard->op == EXPR_LE) && dtype_family_of(guard->in[0]->type) == FAMILY_INT &&
                 lane_stride(e, guard->in[0], &left) && lane_stride(e, guard->in[1], &right);
    if (!known || left - right < 0 || left - right > 1) return NULL;
    LLVMValueRef a = of_first_lane(e, guard->in[0]), b = of_first_lane(e, guard->in[1]);
    if (left == right) {
        LLVMValueRef holds = LLVMBuildICmp(e->b, guard->op == EXPR_LT ? LLVMIntSLT : LLVMIntSLE, a, b, "");
        return LLVMBuildSelect(e->b, holds, const_i64(e, e->lanes), const_i64(e, 0), "");
    }
    a = LLVMBuildSExtOrBitCast(e->b, a, e->i64, ""), b = LLVMBuildSExtOrBitCast(e->b, b, e->i64, "");
    if (guard->op == EXPR_LE) b = LLVMBuildNSWAdd(e->b, b, const_i64(e, 1), "");
    return LLVMBuildNSWSub(e->b, b, a, "");
}

// The mask of the first `live` lanes, more than none and not all.
static LLVMValueRef mask_of_first(emitter *e, LLVMValueRef live) {
    LLVMValueRef step[STEPS_MOST];
    for (unsigned i = 0; i < e->lanes; i++) step[i] = LLVMConstInt(e->i32, i, false);
    LLVMValueRef end = widen(e, LLVMBuildTrunc(e->b, live, e->i32, ""), e->lanes);
    return LLVMBuildICmp(e->b, LLVMIntULT, LLVMConstVector(step, e->lanes), end, "");
}

// The three cases of a guard whose live lanes are counted; the builder ends behind them. Within the cases the guard is
// known.
static void emit_cases(emitter *e, const expr *guard, LLVMValueRef live, const stmt *st, unsigned lanes) {
    const known_guard outer = e->known;
    LLVMBasicBlockRef full = new_block(e, "full"), partial = new_block(e, "partial"), some = new_block(e, "some"),
                      done = new_block(e, "endif");
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntSGE, live, const_i64(e, lanes), ""), full, partial);
    stand_at(e, full);
    e->known = (known_guard){.guard = guard};
    emit_stmt(e, st);
    LLVMBuildBr(e->b, done);
    stand_at(e, partial);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntSGT, live, const_i64(e, 0), ""), some, done);
    stand_at(e, some);
    e->known = (known_guard){.guard = guard, .live = live};
    emit_stmt(e, st);
    LLVMBuildBr(e->b, done);
    stand_at(e, done);
    e->known = outer;
}

// A guard of any form: whether it holds for all lanes is asked of them all.
static void emit_by_lanes(emitter *e, const expr *guard, const stmt *inside) {
    LLVMBasicBlockRef full = new_block(e, "full"), partial = new_block(e, "partial"), done = new_block(e, "endif");
    LLVMValueRef mask = widen(e, emit_expr(e, guard), e->lanes);
    LLVMBuildCondBr(e->b, emit_reduced(e, "llvm.vector.reduce.and", mask), full, partial);
    stand_at(e, full);
    emit_stmt(e, inside);
    LLVMBuildBr(e->b, done);
    stand_at(e, partial);
    emit_masked(e, mask, inside);
    LLVMBuildBr(e->b, done);
    stand_at(e, done);
}

void emit_guarded(emitter *e, const stmt *whole, const stmt *inside) {
    const expr *guard = whole->as.block->where;
    if (guard == e->known.guard) {
        if (e->known.live)
            under_mask(e, mask_of_first(e, e->known.live), inside);
        else
            emit_stmt(e, inside);
        return;
    }
    LLVMValueRef live = live_lanes(e, guard);
    if (live)
        emit_cases(e, guard, live, whole, e->lanes);
    else
        emit_by_lanes(e, guard, inside);
}

// --- Loops around a guard that don't change it.

// The guarded block that is all a loop has inside, through further loops; *vector is the vectorized one around it.
static const block *guarded_below(const stmt *loop, const stmt **vector) {
    const stmt *st = loop->as.loop.body;
    for (; st->kind == STMT_FOR && st->as.loop.kind != FOR_VECTORIZED; st = st->as.loop.body) {
        if (st->as.loop.kind == FOR_THREAD) return NULL;
    }
    *vector = st;
    if (st->kind != STMT_FOR || st->as.loop.body->kind != STMT_BLOCK) return NULL;
    const block *b = st->as.loop.body->as.block;
    return b->where && !b->iters ? b : NULL;
}

static bool has_load(emitter *e, const expr *x) {
    expr_walk w = expr_walk_from(e->mem, x);
    for (const expr *n = expr_walk_next(&w); n; n = expr_walk_next(&w))
        if (n->op == EXPR_LOAD || n->op == EXPR_CALL) return true;
    return false;
}

// The guard depends on the vectorized loop and on what stands outside of `loop`.
static bool stays(emitter *e, const expr *guard, const stmt *loop, const stmt *vector) {
    for (const stmt *st = loop; st != vector; st = st->as.loop.body)
        if (expr_uses_var(guard, st->as.loop.var) || expr_uses_var(vector->as.loop.min, st->as.loop.var)) return false;
    return !has_load(e, guard);
}

bool emit_unswitched(emitter *e, const stmt *loop) {
    int64_t lanes;
    const stmt *vector;
    const block *b = e->lane ? NULL : guarded_below(loop, &vector);
    if (!b || b->where == e->known.guard || !vector_lanes(e, vector, &lanes) || !stays(e, b->where, loop, vector))
        return false;
    vector_open(e, vector, (unsigned)lanes);
    int64_t stride;
    bool still = lane_stride(e, b->where, &stride) && stride == 0; // a branch, no mask
    LLVMValueRef live = still ? NULL : live_lanes(e, b->where);
    vector_close(e);
    if (live) emit_cases(e, b->where, live, loop, (unsigned)lanes);
    return live != NULL;
}
