// emit_transpose.c - a square of elements that is read along one side and written along the other.
//
//   for a in T.unroll(16, annotations={"transposed": 1}):
//       for b in T.vectorized(16):
//           C[a, b] = f(A[b, a])
//
// The 16 values of each b are one vector along a; shuffles turn the 16 vectors into those along b. Without them each
// element would be loaded by itself.
#include "target/emit_stmt.h"

enum { SIDE_MOST = 32, LETS_MOST = 8 };

typedef struct square {
    const stmt *in, *store;     // the loop over lanes, what it does
    const expr *guard;          // which elements take part; NULL: all
    const stmt *let[LETS_MOST]; // around the guard and the store, outermost first
    unsigned lets, side;
} square;

// What stands inside lets, and inside blocks that do no more than give it a name or a guard (one in all, behind the
// lets).
static const stmt *only_statement(const stmt *st, square *q) {
    for (;;) {
        const block *b = st->kind == STMT_BLOCK ? st->as.block : NULL;
        if (b) {
            if (b->init || b->iters || b->allocs || b->matches || (b->where && q->guard)) return st;
            if (b->where) q->guard = b->where;
            st = b->body;
        } else if (st->kind == STMT_LET && q->lets < LETS_MOST) {
            q->let[q->lets++] = st;
            st = st->as.let.body;
        } else {
            return st;
        }
    }
}

// Whether the index moves with the variable, through lets or not.
static bool moves(const square *q, const expr *index, const expr *var) {
    bool found = expr_uses_var(index, var);
    for (unsigned i = q->lets; i-- > 0 && !found;)
        found = expr_uses_var(index, q->let[i]->as.let.var) && expr_uses_var(q->let[i]->as.let.value, var);
    return found;
}

// Whether every load moves with the variable in its last index: then a load with no live lane reads nothing.
static bool all_move(const emitter *e, const square *q, const expr *value, const expr *var) {
    expr_walk w = expr_walk_from(e->mem, value);
    for (const expr *x; (x = expr_walk_next(&w));)
        if (x->op == EXPR_LOAD && (!x->count || !moves(q, x->in[x->count - 1], var))) return false;
    return true;
}

static bool find_square(const emitter *e, const stmt *loop, square *q) {
    int64_t side, lanes;
    map loaded = MAP_IN(e->mem);
    *q = (square){0};
    if (!loop->as.loop.annotations || !attr_find(loop->as.loop.annotations, "transposed") || e->lane) return false;
    q->in = only_statement(loop->as.loop.body, q);
    if (q->in->kind != STMT_FOR || q->in->as.loop.kind != FOR_VECTORIZED) return false;
    if (!expr_const_int(loop->as.loop.extent, &side) || !expr_const_int(q->in->as.loop.extent, &lanes)) return false;
    q->side = (unsigned)side;
    q->store = only_statement(q->in->as.loop.body, q);
    if (lanes != side || lanes < 2 || lanes > SIDE_MOST || (lanes & (lanes - 1)) || q->store->kind != STMT_STORE)
        return false;
    if (q->guard && !all_move(e, q, q->store->as.store.value, loop->as.loop.var)) return false;
    if (is_packed(q->store->as.store.buf->type)) return false; // an element is no whole number of bytes
    expr_loaded_buffers(q->store->as.store.value, &loaded);
    return !q->store->as.store.predicate && !map_has(&loaded, MAP_KEY(q->store->as.store.buf));
}

static void bind_constant(emitter *e, const stmt *loop, unsigned value) {
    LLVMValueRef from = emit_expr(e, loop->as.loop.min);
    LLVMValueRef step = LLVMConstInt(LLVMTypeOf(from), value, false);
    emit_bind(e, loop->as.loop.var, LLVMBuildNSWAdd(e->b, from, step, ""));
}

// --- Vectors that are read whole or not at all.

// Where the guard says so of each, loads need no masks: those that take no part are read again where another lies. A
// masked load of what is not there takes a processor hundreds of cycles, even where it reads nothing.
typedef struct takers {
    LLVMValueRef any;           // whether one takes part
    LLVMValueRef at[SIDE_MOST]; // which vector to read in the place of each
} takers;

static bool takes_whole(const square *q, const stmt *loop) {
    return q->guard && !moves(q, q->guard, loop->as.loop.var);
}

static takers find_takers(emitter *e, const square *q, const stmt *loop) {
    LLVMTypeRef number = compute_type(e, q->in->as.loop.var->type);
    LLVMValueRef takes[SIDE_MOST], one = LLVMConstInt(number, 0, false);
    takers t = {0};
    bind_constant(e, loop, 0);
    for (unsigned i = 0; i < q->side; i++) {
        bind_constant(e, q->in, i);
        for (unsigned k = 0; k < q->lets; k++) emit_bind_let(e, q->let[k]);
        takes[i] = emit_expr(e, q->guard);
        t.any = i ? LLVMBuildOr(e->b, t.any, takes[i], "") : takes[i];
    }
    for (unsigned i = q->side; i-- > 0;) one = LLVMBuildSelect(e->b, takes[i], LLVMConstInt(number, i, false), one, "");
    for (unsigned i = 0; i < q->side; i++)
        t.at[i] = LLVMBuildSelect(e->b, takes[i], LLVMConstInt(number, i, false), one, "");
    return t;
}

static void read_takers(emitter *e, const square *q, const stmt *loop, const takers *t, LLVMValueRef *v) {
    for (unsigned i = 0; i < q->side; i++) {
        emit_bind(e, q->in->as.loop.var, LLVMBuildNSWAdd(e->b, emit_expr(e, q->in->as.loop.min), t->at[i], ""));
        vector_open(e, loop, q->side);
        for (unsigned k = 0; k < q->lets; k++) emit_bind_let(e, q->let[k]);
        v[i] = widen(e, emit_expr(e, q->store->as.store.value), q->side);
        vector_close(e);
    }
}

// One of the loops becomes lanes, the other one stands at iteration i.
static void enter_lanes(emitter *e, const square *q, const stmt *lanes, const stmt *still, unsigned i) {
    bind_constant(e, still, i);
    vector_open(e, lanes, q->side);
    for (unsigned k = 0; k < q->lets; k++) emit_bind_let(e, q->let[k]);
    if (q->guard) e->mask = widen(e, emit_expr(e, q->guard), q->side);
}

static void leave_lanes(emitter *e) {
    e->mask = NULL;
    vector_close(e);
}

// a and b with the lanes exchanged whose number has the bit: (a0 b0 a2 b2 …) and (a1 b1 a3 b3 …) for bit 1.
static void exchange(emitter *e, LLVMValueRef *a, LLVMValueRef *b, unsigned bit, unsigned lanes) {
    LLVMValueRef low[SIDE_MOST], high[SIDE_MOST], first = *a, second = *b;
    for (unsigned i = 0; i < lanes; i++) {
        low[i] = LLVMConstInt(e->i32, i & bit ? lanes + i - bit : i, false);
        high[i] = LLVMConstInt(e->i32, i & bit ? lanes + i : i + bit, false);
    }
    *a = LLVMBuildShuffleVector(e->b, first, second, LLVMConstVector(low, lanes), "");
    *b = LLVMBuildShuffleVector(e->b, first, second, LLVMConstVector(high, lanes), "");
}

static void transpose(emitter *e, LLVMValueRef *v, unsigned lanes) {
    for (unsigned bit = lanes / 2; bit; bit /= 2)
        for (unsigned i = 0; i < lanes; i++)
            if (!(i & bit)) exchange(e, &v[i], &v[i + bit], bit, lanes);
}

static void read_all(emitter *e, const square *q, const stmt *loop, LLVMValueRef *v) {
    for (unsigned i = 0; i < q->side; i++) {
        enter_lanes(e, q, loop, q->in, i);
        v[i] = widen(e, emit_expr(e, q->store->as.store.value), q->side);
        leave_lanes(e);
    }
}

static void turn_and_write(emitter *e, const square *q, const stmt *loop, LLVMValueRef *v) {
    transpose(e, v, q->side);
    for (unsigned i = 0; i < q->side; i++) {
        enter_lanes(e, q, q->in, loop, i);
        emit_store_of(e, q->store, v[i]);
        leave_lanes(e);
    }
}

bool emit_transposed(emitter *e, const stmt *loop) {
    square q;
    LLVMValueRef v[SIDE_MOST];
    if (!find_square(e, loop, &q)) return false;
    if (!takes_whole(&q, loop)) {
        read_all(e, &q, loop, v);
        turn_and_write(e, &q, loop, v);
        return true;
    }
    takers t = find_takers(e, &q, loop);
    LLVMBasicBlockRef some = new_block(e, "some"), done = new_block(e, "endif");
    LLVMBuildCondBr(e->b, t.any, some, done);
    LLVMPositionBuilderAtEnd(e->b, some);
    emit_forget(e);
    read_takers(e, &q, loop, &t, v);
    turn_and_write(e, &q, loop, v);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
    emit_forget(e);
    return true;
}
