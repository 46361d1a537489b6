// emit_packed.c - integers of 1, 2 and 4 bits: shifted out of their byte when loaded, put into it when stored.
//
// In registers they are LLVM's integers of so many bits, so arithmetic wraps as it must. Neighbours in a byte may be
// written by other threads: a store is two atomic operations on the byte, which change no bits but its own.
#include "target/emit.h"

bool is_packed(dtype t) {
    unsigned bits = dtype_bits(t);
    return dtype_is_int(t) && dtype_lanes(t) == 1 && bits < 8 && 8 % bits == 0;
}

static LLVMValueRef lanes_of(emitter *e, uint64_t value, LLVMTypeRef lane, unsigned lanes) {
    return widen(e, LLVMConstInt(lane, value, false), lanes);
}

// The byte that holds element `offset`, and how far up in it the element begins (an i8 each lane).
static LLVMValueRef byte_of(emitter *e, dtype t, LLVMValueRef offset, LLVMValueRef *up) {
    unsigned lanes = value_lanes(offset), each = 8 / dtype_bits(t);
    LLVMValueRef low = LLVMBuildAnd(e->b, offset, lanes_of(e, each - 1, e->i64, lanes), "");
    LLVMValueRef bits = LLVMBuildMul(e->b, low, lanes_of(e, dtype_bits(t), e->i64, lanes), "");
    *up = LLVMBuildTrunc(e->b, bits, like_lanes(e->i8, offset), "");
    return LLVMBuildAShr(e->b, offset, lanes_of(e, (unsigned)__builtin_ctz(each), e->i64, lanes), "");
}

LLVMValueRef packed_taken(emitter *e, dtype t, LLVMValueRef offset, packed_bytes *read, const void *user) {
    LLVMValueRef up, at = byte_of(e, t, offset, &up);
    LLVMValueRef bytes = read(e, user, at);
    LLVMTypeRef lane = LLVMIntTypeInContext(e->c, dtype_bits(t));
    return LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, bytes, up, ""), like_lanes(lane, bytes), "");
}

static LLVMValueRef lane_of(emitter *e, LLVMValueRef v, unsigned lane) {
    return value_lanes(v) == 1 ? v : LLVMBuildExtractElement(e->b, v, LLVMConstInt(e->i32, lane, false), "");
}

// A byte of the function's own, for lanes that take no part.
static LLVMValueRef spare_byte(emitter *e) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(e->entry));
    LLVMValueRef spare = LLVMBuildAlloca(e->b, e->i8, "spare");
    LLVMBuildStore(e->b, LLVMConstNull(e->i8), spare);
    LLVMPositionBuilderAtEnd(e->b, here);
    return spare;
}

void packed_put(emitter *e, dtype t, LLVMValueRef base, LLVMValueRef offset, LLVMValueRef v) {
    unsigned lanes = value_lanes(offset) > value_lanes(v) ? value_lanes(offset) : value_lanes(v);
    LLVMValueRef up, at = byte_of(e, t, offset, &up), spare = e->mask && lanes > 1 ? spare_byte(e) : NULL;
    LLVMValueRef ones = LLVMConstInt(e->i8, (1u << dtype_bits(t)) - 1, false);
    for (unsigned i = 0; i < lanes; i++) {
        LLVMValueRef index = lane_of(e, at, i), shift = lane_of(e, up, i);
        LLVMValueRef byte = LLVMBuildInBoundsGEP2(e->b, e->i8, base, &index, 1, "");
        if (spare) byte = LLVMBuildSelect(e->b, lane_of(e, e->mask, i), byte, spare, "");
        LLVMValueRef bits = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, lane_of(e, v, i), e->i8, ""), shift, "");
        LLVMValueRef others = LLVMBuildNot(e->b, LLVMBuildShl(e->b, ones, shift, ""), "");
        LLVMBuildAtomicRMW(e->b, LLVMAtomicRMWBinOpAnd, byte, others, LLVMAtomicOrderingMonotonic, false);
        LLVMBuildAtomicRMW(e->b, LLVMAtomicRMWBinOpOr, byte, bits, LLVMAtomicOrderingMonotonic, false);
    }
}
