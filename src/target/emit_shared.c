// emit_shared.c - elements that neighbouring lanes share: c[k // 2] is read once for two lanes, not gathered.
#include "target/emit.h"

enum { SHARED_MOST = 16 };

bool begins_at_multiple(const emitter *e, const expr *x, int64_t c) {
    int64_t k;
    if (expr_const_int(x, &k)) return k % c == 0;
    switch (x->op) {
    case EXPR_VAR: {
        const expr *meaning = x == e->lane ? e->lane_from : map_find(&e->meaning, MAP_KEY(x));
        return meaning && begins_at_multiple(e, meaning, c);
    }
    case EXPR_ADD:
    case EXPR_SUB: return begins_at_multiple(e, x->in[0], c) && begins_at_multiple(e, x->in[1], c);
    case EXPR_MUL: return begins_at_multiple(e, x->in[0], c) || begins_at_multiple(e, x->in[1], c);
    case EXPR_CAST: return begins_at_multiple(e, x->in[0], c);
    default: return false;
    }
}

static bool is_still(const emitter *e, const expr *x) {
    int64_t stride;
    return lane_stride(e, x, &stride) && !stride;
}

int64_t lanes_sharing(const emitter *e, const expr *x) {
    int64_t c, stride;
    if (x->op == EXPR_VAR) {
        const expr *meaning = map_find(&e->meaning, MAP_KEY(x));
        return meaning ? lanes_sharing(e, meaning) : 0;
    }
    if (x->op == EXPR_CAST) return lanes_sharing(e, x->in[0]);
    if ((x->op == EXPR_ADD || x->op == EXPR_SUB) && is_still(e, x->in[1])) return lanes_sharing(e, x->in[0]);
    if (x->op == EXPR_ADD && is_still(e, x->in[0])) return lanes_sharing(e, x->in[1]);
    if (x->op != EXPR_FLOOR_DIV || !expr_const_int(x->in[1], &c) || c < 2 || c > SHARED_MOST) return 0;
    bool whole = e->lanes % (unsigned)c == 0 && e->lanes / (unsigned)c >= 2;
    return whole && lane_stride(e, x->in[0], &stride) && stride == 1 && begins_at_multiple(e, x->in[0], c) ? c : 0;
}

// Lanes first, first + step, … of v, each `times` times.
static LLVMValueRef pick_lanes(emitter *e, LLVMValueRef v, unsigned first, unsigned step, unsigned times) {
    unsigned count = value_lanes(v) / step * times;
    LLVMValueRef *at = ARENA_NEW(e->mem, LLVMValueRef, count);
    for (unsigned i = 0; i < count; i++) at[i] = LLVMConstInt(e->i32, first + i / times * step, false);
    return LLVMBuildShuffleVector(e->b, v, LLVMGetPoison(LLVMTypeOf(v)), LLVMConstVector(at, count), "");
}

LLVMValueRef lanes_sharing_mask(emitter *e, LLVMValueRef mask, unsigned c) {
    LLVMValueRef any = pick_lanes(e, mask, 0, c, 1);
    for (unsigned i = 1; i < c; i++) any = LLVMBuildOr(e->b, any, pick_lanes(e, mask, i, c, 1), "");
    return any;
}

LLVMValueRef lanes_repeated(emitter *e, LLVMValueRef v, unsigned c) { return pick_lanes(e, v, 0, 1, c); }
