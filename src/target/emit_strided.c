// emit_strided.c - elements at a small constant distance, one per lane: x[2 * i] of 16 lanes is two runs and a shuffle,
// where a gather is as many loads as lanes.
//
// The runs cover what lies from the first lane's element to the last one's, no more; under a mask, the elements of live
// lanes alone.
#include "target/emit.h"

enum { APART_MOST = 4 }; // elements: beyond that a gather is no slower

// Which elements of run number k live lanes want: run k begins at element `from`.
static LLVMValueRef run_mask(emitter *e, int64_t stride, unsigned from) {
    LLVMValueRef *at = ARENA_NEW(e->mem, LLVMValueRef, e->lanes);
    for (unsigned i = 0; i < e->lanes; i++) {
        bool wanted = (from + i) % (unsigned)stride == 0;
        at[i] = LLVMConstInt(e->i32, wanted ? (from + i) / (unsigned)stride : e->lanes, false);
    }
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(e->mask));
    return LLVMBuildShuffleVector(e->b, e->mask, none, LLVMConstVector(at, e->lanes), "");
}

static LLVMValueRef load_part(emitter *e, const strided *s, unsigned from) {
    LLVMValueRef offset = const_i64(e, from), outer = e->mask;
    LLVMValueRef at = LLVMBuildInBoundsGEP2(e->b, s->element, s->at, &offset, 1, "");
    if (outer) e->mask = run_mask(e, s->stride, from);
    LLVMValueRef v = emit_run(e, s->align, at, LLVMVectorType(s->element, e->lanes));
    e->mask = outer;
    return v;
}

// Lanes whose element lies in `part`, which begins at element `from`, are taken from there, others stay.
static LLVMValueRef put_lanes(emitter *e, const strided *s, LLVMValueRef have, LLVMValueRef part, unsigned from) {
    LLVMValueRef *at = ARENA_NEW(e->mem, LLVMValueRef, e->lanes);
    for (unsigned i = 0; i < e->lanes; i++) {
        unsigned element = i * (unsigned)s->stride;
        at[i] =
            LLVMConstInt(e->i32, element >= from && element < from + e->lanes ? e->lanes + element - from : i, false);
    }
    return LLVMBuildShuffleVector(e->b, have, part, LLVMConstVector(at, e->lanes), "");
}

LLVMValueRef emit_strided(emitter *e, const strided *s) {
    if (s->stride < 2 || s->stride > APART_MOST || e->lanes < 4) return NULL;
    unsigned span = (e->lanes - 1) * (unsigned)s->stride + 1;
    LLVMValueRef v = load_part(e, s, 0);
    v = put_lanes(e, s, LLVMGetPoison(LLVMTypeOf(v)), v, 0);
    for (unsigned from = e->lanes; from < span; from += e->lanes) {
        unsigned begin = from + e->lanes <= span ? from : span - e->lanes;
        v = put_lanes(e, s, v, load_part(e, s, begin), begin);
    }
    return v;
}
