// emit_memory.c - where buffers are, and loads and stores of single elements, runs of elements, and gathers.
#include "base/size.h"
#include "target/emit.h"
#include "target/launch.h"
#include <string.h>

// NULL after refusing.
static place *place_of(emitter *e, const buffer *buf) {
    place *p = map_find(&e->place, MAP_KEY(buf));
    if (!p) emit_refuse(e, buf->at, e->ptr, "buffer %s is used before it is declared", buf->name);
    return p;
}

static LLVMValueRef align_up(emitter *e, LLVMValueRef bytes) {
    LLVMValueRef up = LLVMBuildNSWAdd(e->b, bytes, const_i64(e, LOCAL_ALIGN - 1), "");
    return LLVMBuildAnd(e->b, up, const_i64(e, -(int64_t)LOCAL_ALIGN), "");
}

// Stack memory is asked for once, where the function begins, so that a loop does not ask again and registers can take
// its place.
static LLVMValueRef on_stack(emitter *e, const buffer *buf, LLVMTypeRef element, size_t bytes) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMValueRef first = LLVMGetFirstInstruction(e->entry);
    if (first)
        LLVMPositionBuilderBefore(e->b, first);
    else
        LLVMPositionBuilderAtEnd(e->b, e->entry);
    size_t size = (dtype_bits(buf->type) + 7) / 8 * dtype_lanes(buf->type);
    LLVMValueRef p = LLVMBuildAlloca(e->b, LLVMArrayType2(element, (bytes + size - 1) / size), buf->name);
    LLVMSetAlignment(p, LOCAL_ALIGN);
    LLVMPositionBuilderAtEnd(e->b, here);
    e->stack_used += bytes;
    return p;
}

// What does not fit the stack lies in the memory that the caller gives, one buffer behind the other. A dim below 0 is
// one of 0, as describe.c counts it.
static LLVMValueRef in_scratch(emitter *e, const buffer *buf) {
    LLVMValueRef count = const_i64(e, (dtype_bits(buf->type) + 7) / 8 * dtype_lanes(buf->type)), zero = const_i64(e, 0);
    for (uint32_t i = 0; i < buf->rank; i++) {
        LLVMValueRef dim = LLVMBuildSExt(e->b, emit_expr(e, buf->dim[i]), e->i64, "");
        LLVMValueRef below = LLVMBuildICmp(e->b, LLVMIntSLT, dim, zero, "");
        if (!expr_non_negative(e, buf->dim[i])) dim = LLVMBuildSelect(e->b, below, zero, dim, "");
        count = LLVMBuildNSWMul(e->b, count, dim, "");
    }
    LLVMValueRef p = LLVMBuildInBoundsGEP2(e->b, e->i8, e->scratch, &e->scratch_used, 1, buf->name);
    e->scratch_used = LLVMBuildNSWAdd(e->b, e->scratch_used, align_up(e, count), "");
    return p;
}

LLVMTypeRef must_store(emitter *e, const char *what, const buffer *buf) {
    LLVMTypeRef element = is_packed(buf->type) ? e->i8 : storage_type(e, buf->type);
    char name[32];
    if (!element)
        emit_refuse(e, buf->at, e->ptr,
                    "%s %s: kernels can't read or write %s, of which a byte holds several; hold it in bytes (uint8) "
                    "and spell out how they are taken apart",
                    what, buf->name, dtype_spell(buf->type, name));
    return element;
}

void place_local(emitter *e, const buffer *buf) {
    LLVMTypeRef element = must_store(e, "buffer", buf);
    size_t bytes;
    if (!element) return;
    if (e->lane) {
        emit_refuse(e, buf->at, e->ptr, "buffer %s is allocated inside a vectorized loop; allocate it outside",
                    buf->name);
        return;
    }
    place *p = ARENA_NEW(e->mem, place, 1);
    p->base = local_fits_stack(buf, e->stack_used, &bytes) ? on_stack(e, buf, element, bytes) : in_scratch(e, buf);
    map_put(&e->place, MAP_KEY(buf), p);
}

// Strides of a buffer in elements, as values.
static LLVMValueRef *strides_of(emitter *e, const buffer *buf, const place *p) {
    if (p->stride) return p->stride;
    LLVMValueRef *stride = ARENA_NEW(e->mem, LLVMValueRef, buf->rank + 1);
    LLVMValueRef step = const_i64(e, 1);
    for (uint32_t i = buf->rank; i-- > 0;) {
        stride[i] = step;
        step = LLVMBuildNSWMul(e->b, step, LLVMBuildSExt(e->b, emit_expr(e, buf->dim[i]), e->i64, ""), "");
    }
    return stride;
}

static LLVMValueRef as_i64(emitter *e, LLVMValueRef v) {
    LLVMTypeRef t = like_lanes(e->i64, v);
    return LLVMTypeOf(v) == t ? v : LLVMBuildSExt(e->b, v, t, "");
}

// Element offset of an access. Where the index is a vector, so is the result.
static LLVMValueRef offset_of(emitter *e, const buffer *buf, const place *p, const expr *const *index, uint32_t count) {
    LLVMValueRef *stride = strides_of(e, buf, p);
    LLVMValueRef sum = const_i64(e, 0);
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef at = as_i64(e, emit_expr(e, index[i]));
        unsigned lanes = value_lanes(at) > value_lanes(sum) ? value_lanes(at) : value_lanes(sum);
        LLVMValueRef part = LLVMBuildNSWMul(e->b, at, widen(e, stride[i], value_lanes(at)), "");
        sum = LLVMBuildNSWAdd(e->b, widen(e, sum, lanes), widen(e, part, lanes), "");
    }
    return sum;
}

void place_match(emitter *e, const buffer_match *m) {
    const buffer *outer = m->source.buf, *inner = m->inner;
    place *from = place_of(e, outer);
    if (!from) return;
    if (is_packed(outer->type)) {
        emit_refuse(e, inner->at, e->ptr, "buffer %s: a part of %s may begin inside of a byte; use its indices",
                    inner->name, outer->name);
        return;
    }
    const expr **low = ARENA_NEW(e->mem, const expr *, outer->rank + 1);
    for (uint32_t i = 0; i < outer->rank; i++) low[i] = m->source.dim[i].min;
    LLVMValueRef offset = offset_of(e, outer, from, low, outer->rank);
    place *p = ARENA_NEW(e->mem, place, 1);
    p->base = LLVMBuildInBoundsGEP2(e->b, storage_type(e, outer->type), from->base, &offset, 1, inner->name);
    LLVMValueRef *stride = strides_of(e, outer, from);
    p->stride = stride + (outer->rank - inner->rank); // leading dims of extent 1 are dropped
    map_put(&e->place, MAP_KEY(inner), p);
}

// --- How an access moves with the vectorized loop.

// Both operands move by a known number of elements per lane.
static bool two_strides(const emitter *e, const expr *x, int64_t *a, int64_t *b) {
    return lane_stride(e, x->in[0], a) && lane_stride(e, x->in[1], b);
}

// A product of which one factor is a constant.
static bool product_stride(const expr *x, int64_t a, int64_t b, int64_t *out) {
    int64_t k;
    if (b == 0 && a == 0) return true;
    if (b == 0 && expr_const_int(x->in[1], &k)) return int_mul(a, k, out);
    return a == 0 && expr_const_int(x->in[0], &k) && int_mul(b, k, out);
}

// No operand moves from lane to lane, so neither does the value.
static bool all_still(const emitter *e, const expr *x) {
    int64_t s;
    for (uint32_t i = 0; i < x->count; i++)
        if (!lane_stride(e, x->in[i], &s) || s) return false;
    return true;
}

// x % n, the lanes between two multiples of n: (t * 8 + lane) % 16 of 8 lanes.
static bool remainder_stride(const emitter *e, const expr *x, int64_t *out) {
    int64_t a, n, span;
    if (x->op != EXPR_FLOOR_MOD || !expr_const_int(x->in[1], &n) || n < 1) return false;
    if (!lane_stride(e, x->in[0], &a) || a < 1 || !int_mul(a, e->lanes, &span) || n % span) return false;
    *out = a;
    return begins_at_multiple(e, x->in[0], span);
}

bool lane_stride(const emitter *e, const expr *x, int64_t *out) {
    int64_t a, b;
    *out = 0;
    if (!e->lane) return true;
    if (x->op == EXPR_VAR) {
        const expr *meaning = map_find(&e->meaning, MAP_KEY(x));
        if (x == e->lane) *out = 1;
        return meaning && x != e->lane ? lane_stride(e, meaning, out) : true;
    }
    if (x->op == EXPR_ADD && two_strides(e, x, &a, &b)) return int_add(a, b, out);
    if (x->op == EXPR_SUB && two_strides(e, x, &a, &b)) return int_sub(a, b, out);
    if (x->op == EXPR_MUL && two_strides(e, x, &a, &b)) return product_stride(x, a, b, out);
    if (x->op == EXPR_CAST) return lane_stride(e, x->in[0], out);
    if (remainder_stride(e, x, out)) return true;
    *out = 0;
    return all_still(e, x);
}

// The constant element stride between lanes of an access.
static bool access_stride(const emitter *e, const buffer *buf, const place *p, const expr *const *index, uint32_t count,
                          int64_t *out) {
    int64_t step = 1;
    bool known = true; // whether step is the constant stride of dim i
    *out = 0;
    for (uint32_t i = count; i-- > 0;) {
        int64_t s, dim, moved;
        if (!lane_stride(e, index[i], &s)) return false;
        bool given = p->stride != NULL;
        if (s && given && !LLVMIsAConstantInt(p->stride[i])) return false;
        if (s && !given && !known) return false;
        if (s && !int_mul(s, given ? LLVMConstIntGetSExtValue(p->stride[i]) : step, &moved)) return false;
        if (s && !int_add(*out, moved, out)) return false;
        known = known && expr_const_int(buf->dim[i], &dim) && int_mul(step, dim, &step);
    }
    return true;
}

// --- Masked memory. LLVM's intrinsics carry the alignment as an operand or, in later versions, as an attribute.

static void add_align(emitter *e, LLVMValueRef call, unsigned parameter, unsigned align) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, parameter + 1, LLVMCreateEnumAttribute(e->c, kind, align));
}

static LLVMValueRef masked(emitter *e, const char *name, LLVMTypeRef *overload, LLVMValueRef *arg, unsigned args,
                           unsigned pointer, unsigned align) {
    unsigned id = LLVMLookupIntrinsicID(name, __builtin_strlen(name));
    LLVMTypeRef type = LLVMIntrinsicGetType(e->c, id, overload, 2);
    if (LLVMCountParamTypes(type) == args) {
        LLVMValueRef call = call_intrinsic(e, name, overload, 2, arg, args);
        add_align(e, call, pointer, align);
        return call;
    }
    LLVMValueRef with[8]; // the alignment follows the pointer
    for (unsigned i = 0; i <= args; i++)
        with[i] = i <= pointer ? arg[i] : i == pointer + 1 ? LLVMConstInt(e->i32, align, false) : arg[i - 1];
    return call_intrinsic(e, name, overload, 2, with, args + 1);
}

// Only the element's own alignment is sure: users' tensors may begin anywhere.
static unsigned element_align(const buffer *buf) { return (dtype_bits(buf->type) + 7) / 8; }

// LLVM's measure of how long what is asked for stays.
enum { STAYS_NOT = 0, STAYS_IN_L2 = 2 };

enum { LINE_BYTES = 64 };

// Asks for what lies behind, so that it is in the second-level cache when its turn comes, or, where it is read once, in
// the first.
static void prefetch(emitter *e, LLVMValueRef at, int64_t bytes) {
    LLVMValueRef ahead = const_i64(e, bytes), one = LLVMConstInt(e->i32, 1, false);
    LLVMValueRef address = LLVMBuildGEP2(e->b, e->i8, at, &ahead, 1, "");
    LLVMValueRef arg[] = {address, LLVMConstInt(e->i32, 0, false),
                          LLVMConstInt(e->i32, e->once ? STAYS_NOT : STAYS_IN_L2, false), one};
    LLVMTypeRef overload[] = {e->ptr};
    call_intrinsic(e, "llvm.prefetch", overload, 1, arg, 4);
}

// Of several vectors at once, each line.
static void prefetch_lines(emitter *e, LLVMValueRef at, int64_t ahead, int64_t bytes) {
    for (int64_t i = 0; i == 0 || i < bytes; i += LINE_BYTES) prefetch(e, at, ahead + i);
}

LLVMValueRef emit_run(emitter *e, unsigned align, LLVMValueRef at, LLVMTypeRef run) {
    if (e->mask) {
        LLVMTypeRef overload[] = {run, e->ptr};
        LLVMValueRef arg[] = {at, e->mask, LLVMConstNull(run)};
        return masked(e, "llvm.masked.load", overload, arg, 3, 0, align);
    }
    LLVMValueRef v = LLVMBuildLoad2(e->b, run, at, "");
    LLVMSetAlignment(v, align);
    return v;
}

void emit_postponed(emitter *e) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    for (uint32_t i = 0; i < e->postponed.len; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(e->postponed.at[i].block);
        if (end)
            LLVMPositionBuilderBefore(e->b, end);
        else
            LLVMPositionBuilderAtEnd(e->b, e->postponed.at[i].block);
        prefetch_lines(e, e->postponed.at[i].at, e->prefetch, e->postponed.at[i].bytes);
    }
    LLVMPositionBuilderAtEnd(e->b, here);
    e->postponed.len = 0;
}

static bool moves_with(const expr *load, const expr *var) {
    for (uint32_t i = 0; i < load->count; i++)
        if (expr_uses_var(load->in[i], var)) return true;
    return false;
}

// What iterations of an unrolled loop share is asked for by the first of them, behind the loads: for LLVM, a load is
// not known to give the same on the other side of a prefetch. What several statements read is asked for once.
static void ask_ahead(emitter *e, const expr *load, LLVMValueRef at, int64_t bytes) {
    bool shared = false, moves = false;
    for (uint32_t i = 0; i < e->unrolled.len; i++) {
        bool with = moves_with(load, e->unrolled.at[i].var);
        if (!with && e->unrolled.at[i].at > 0) return;
        moves |= with;
        shared |= !with;
    }
    const postponed p = {moves ? NULL : load, at, bytes, LLVMGetInsertBlock(e->b)};
    for (uint32_t i = 0; shared && i < e->postponed.len; i++)
        if (p.load && e->postponed.at[i].load == load) return;
    if (shared)
        VEC_PUSH(e->mem, &e->postponed, p);
    else
        prefetch_lines(e, at, e->prefetch, bytes);
}

// A whole vector of global memory; inside a loop that says so, what lies behind is asked for too. What is read once and
// fills half a vector is a small stream beside others, which the processor keeps up with: half of the requests would
// be for lines that were asked for already.
static LLVMValueRef load_ahead(emitter *e, const expr *load, LLVMValueRef at, LLVMTypeRef run) {
    const buffer *buf = load->as.buffer;
    int64_t least = (int64_t)e->arch->vector_bytes / (e->once ? 1 : 2);
    int64_t bytes = (int64_t)LLVMGetVectorSize(run) * dtype_bits(buf->type) / 8;
    bool moves = e->prefetch && moves_with(load, e->prefetch_var);
    if (moves && bytes >= least && strcmp(buf->scope, "global") == 0) ask_ahead(e, load, at, bytes);
    return emit_run(e, element_align(buf), at, run);
}

// The lanes that take part, as LLVM wants them: all where there is no mask.
static LLVMValueRef live_mask(emitter *e, unsigned lanes) {
    return e->mask ? e->mask : LLVMConstAllOnes(LLVMVectorType(e->i1, lanes));
}

// Elements at any place, one per lane.
static LLVMValueRef gather(emitter *e, const buffer *buf, LLVMValueRef base, LLVMValueRef offset) {
    unsigned lanes = value_lanes(offset);
    LLVMTypeRef element = storage_type(e, buf->type), run = LLVMVectorType(element, lanes);
    LLVMValueRef pointers = LLVMBuildInBoundsGEP2(e->b, element, base, &offset, 1, "");
    LLVMTypeRef overload[] = {run, LLVMTypeOf(pointers)};
    LLVMValueRef arg[] = {pointers, live_mask(e, lanes), LLVMConstNull(run)};
    return masked(e, "llvm.masked.gather", overload, arg, 3, 0, element_align(buf));
}

LLVMValueRef emit_gather(emitter *e, LLVMTypeRef run, LLVMValueRef pointers, unsigned align) {
    LLVMTypeRef overload[] = {run, LLVMTypeOf(pointers)};
    LLVMValueRef all = LLVMConstAllOnes(LLVMVectorType(e->i1, value_lanes(pointers)));
    LLVMValueRef arg[] = {pointers, all, LLVMConstNull(run)};
    return masked(e, "llvm.masked.gather", overload, arg, 3, 0, align);
}

LLVMValueRef emit_lookup(emitter *e, LLVMValueRef table, LLVMValueRef at) {
    unsigned lanes = value_lanes(at);
    LLVMValueRef pointers = LLVMBuildInBoundsGEP2(e->b, e->i64, table, &at, 1, "");
    if (lanes == 1) return LLVMBuildLoad2(e->b, e->i64, pointers, "");
    return emit_gather(e, LLVMVectorType(e->i64, lanes), pointers, sizeof(uint64_t));
}

// --- Integers of less than a byte.

static LLVMValueRef packed_read(emitter *e, const void *user, LLVMValueRef at) {
    const place *p = user;
    LLVMValueRef pointers = LLVMBuildInBoundsGEP2(e->b, e->i8, p->base, &at, 1, "");
    unsigned lanes = value_lanes(at);
    if (lanes == 1) return LLVMBuildLoad2(e->b, e->i8, pointers, "");
    LLVMTypeRef run = LLVMVectorType(e->i8, lanes), overload[] = {run, LLVMTypeOf(pointers)};
    LLVMValueRef arg[] = {pointers, live_mask(e, lanes), LLVMConstNull(run)};
    return masked(e, "llvm.masked.gather", overload, arg, 3, 0, 1);
}

static void store_packed(emitter *e, const stmt *st, const place *p, LLVMValueRef v) {
    const buffer *buf = st->as.store.buf;
    LLVMValueRef offset = offset_of(e, buf, p, st->as.store.index, st->as.store.count);
    if (value_lanes(v) > value_lanes(offset))
        emit_refuse(e, st->at, e->ptr, "all lanes of a vectorized loop write the same element of %s", buf->name);
    else
        packed_put(e, buf->type, p->base, offset, widen(e, v, value_lanes(offset)));
    emit_forget(e);
}

// The address of lane 0, with the vectorized loop's variable at its first value.
static LLVMValueRef first_address(emitter *e, const buffer *buf, const place *p, const expr *const *index,
                                  uint32_t count) {
    const expr *lane = e->lane;
    e->lane = NULL;
    LLVMValueRef offset = offset_of(e, buf, p, index, count);
    e->lane = lane;
    return LLVMBuildInBoundsGEP2(e->b, storage_type(e, buf->type), p->base, &offset, 1, "");
}

// An index that is itself a vector (T.Ramp, T.Broadcast), which only the last one may be; NULL: there is none.
static const expr *vector_index(const expr *const *index, uint32_t count) {
    const expr *last = count ? index[count - 1] : NULL;
    return last && dtype_lanes(last->type) > 1 ? last : NULL;
}

// A vector of neighbours: the run that it covers.
static const expr *ramp_of(const expr *const *index, uint32_t count) {
    const expr *last = vector_index(index, count);
    return last && last->op == EXPR_RAMP && expr_is_int(last->in[1], 1) ? last : NULL;
}

static LLVMValueRef load_ramp(emitter *e, const buffer *buf, const place *p, const expr *x, const expr *ramp) {
    const expr **index = ARENA_NEW(e->mem, const expr *, x->count);
    for (uint32_t i = 0; i < x->count; i++) index[i] = i + 1 < x->count ? x->in[i] : ramp->in[0];
    LLVMTypeRef run = LLVMVectorType(storage_type(e, buf->type), dtype_lanes(ramp->type));
    return emit_run(e, element_align(buf), first_address(e, buf, p, index, x->count), run);
}

// Neighbouring lanes share elements: a shorter run, of which each is repeated. NULL if they don't.
static LLVMValueRef load_shared(emitter *e, const buffer *buf, const place *p, const expr *x) {
    int64_t stride, c = x->count && e->lane && !p->stride ? lanes_sharing(e, x->in[x->count - 1]) : 0;
    for (uint32_t i = 0; c && i + 1 < x->count; i++)
        if (!lane_stride(e, x->in[i], &stride) || stride) return NULL;
    if (!c || dtype_lanes(x->type) > 1) return NULL;
    LLVMValueRef at = first_address(e, buf, p, x->in, x->count), mask = e->mask;
    if (mask) e->mask = lanes_sharing_mask(e, mask, (unsigned)c);
    LLVMTypeRef run = LLVMVectorType(storage_type(e, buf->type), e->lanes / (unsigned)c);
    LLVMValueRef v = emit_run(e, element_align(buf), at, run);
    e->mask = mask;
    return lanes_repeated(e, v, (unsigned)c);
}

// Lanes a few elements apart. NULL if they aren't.
static LLVMValueRef load_apart(emitter *e, const buffer *buf, const place *p, const expr *x) {
    strided s = {.element = storage_type(e, buf->type), .align = element_align(buf)};
    bool known = access_stride(e, buf, p, x->in, x->count, &s.stride) && s.stride > 1 && dtype_lanes(x->type) == 1;
    if (!known) return NULL;
    s.at = first_address(e, buf, p, x->in, x->count);
    return emit_strided(e, &s);
}

// Lanes 0 to the last of a kernel's own memory, which no other thread sees: those that don't take part may be read, and
// written with what is there.
static bool is_own_run(const emitter *e, const buffer *buf, const place *p, const expr *const *index, uint32_t count) {
    int64_t dim;
    const expr *last = count ? index[count - 1] : NULL;
    while (last && last != e->lane && last->op == EXPR_VAR) last = map_find(&e->meaning, MAP_KEY(last));
    return last && last == e->lane && expr_is_int(e->lane_from, 0) && !p->stride && LLVMIsAAllocaInst(p->base) &&
           expr_const_int(buf->dim[count - 1], &dim) && dim >= (int64_t)e->lanes;
}

static LLVMValueRef load_own(emitter *e, const buffer *buf, LLVMValueRef at) {
    LLVMValueRef mask = e->mask;
    e->mask = NULL;
    LLVMValueRef v = emit_run(e, element_align(buf), at, LLVMVectorType(storage_type(e, buf->type), e->lanes));
    e->mask = mask;
    return v;
}

// By how the place moves with the lane: one element for all, a run, a few elements apart, or anything.
LLVMValueRef emit_load(emitter *e, const expr *x) {
    const buffer *buf = x->as.buffer;
    place *p = place_of(e, buf);
    LLVMTypeRef element = storage_type(e, buf->type);
    if (p && is_packed(buf->type))
        return packed_taken(e, buf->type, offset_of(e, buf, p, x->in, x->count), packed_read, p);
    if (!p || !element) return LLVMConstNull(e->i64);
    int64_t stride;
    const expr *ramp = ramp_of(x->in, x->count);
    LLVMValueRef v;
    if (ramp && !e->lane)
        v = load_ramp(e, buf, p, x, ramp);
    else if ((v = load_shared(e, buf, p, x)) || (v = load_apart(e, buf, p, x)))
        ;
    else if (!access_stride(e, buf, p, x->in, x->count, &stride) || (stride != 0 && stride != 1) ||
             dtype_lanes(x->type) > 1)
        v = gather(e, buf, p->base, offset_of(e, buf, p, x->in, x->count));
    else if (stride == 1 && e->mask && is_own_run(e, buf, p, x->in, x->count))
        v = load_own(e, buf, first_address(e, buf, p, x->in, x->count));
    else if (stride == 1)
        v = load_ahead(e, x, first_address(e, buf, p, x->in, x->count), LLVMVectorType(element, e->lanes));
    else {
        v = LLVMBuildLoad2(e->b, element, first_address(e, buf, p, x->in, x->count), "");
        LLVMSetAlignment(v, element_align(buf));
    }
    return from_storage(e, dtype_scalar(buf->type), v);
}

// --- Halves that lie in bytes: cast(w[i], uint16) | cast(w[i + 1], uint16) << 8.

// The load of a byte that is widened, and a constant that its last index adds.
static const expr *widened_byte(const expr *x, int64_t *offset) {
    const expr *byte = x->op == EXPR_CAST ? x->in[0] : NULL;
    if (!byte || byte->op != EXPR_LOAD || byte->type.kind != DTYPE_U8 || !byte->count) return NULL;
    const expr *last = byte->in[byte->count - 1];
    *offset = 0;
    if (last->op == EXPR_ADD) expr_const_int(last->in[1], offset);
    return byte;
}

static const expr *without_offset(const expr *index, int64_t offset) { return offset ? index->in[0] : index; }

// The load of the lower byte, where the two are neighbours; NULL: it is something else.
static const expr *lower_byte(const expr *x) {
    int64_t low, high;
    const expr *shifted = x->in[1];
    bool pair = shifted->op == EXPR_CALL && shifted->as.intrin->id == INTRIN_SHIFT_LEFT && x->type.kind == DTYPE_U16;
    if (!pair || !expr_is_int(shifted->in[1], 8)) return NULL;
    const expr *a = widened_byte(x->in[0], &low), *b = widened_byte(shifted->in[0], &high);
    if (!a || !b || a->as.buffer != b->as.buffer || a->count != b->count || high != low + 1) return NULL;
    for (uint32_t i = 0; i + 1 < a->count; i++)
        if (a->in[i] != b->in[i]) return NULL;
    uint32_t last = a->count - 1;
    return without_offset(a->in[last], low) == without_offset(b->in[last], high) ? a : NULL;
}

LLVMValueRef emit_halves(emitter *e, const expr *x) {
    const expr *byte = e->lane ? lower_byte(x) : NULL;
    place *p = byte ? place_of(e, byte->as.buffer) : NULL;
    int64_t stride;
    if (!p || !access_stride(e, byte->as.buffer, p, byte->in, byte->count, &stride) || stride != 2) return NULL;
    LLVMTypeRef run = LLVMVectorType(LLVMIntTypeInContext(e->c, 16), e->lanes);
    return emit_run(e, 1, first_address(e, byte->as.buffer, p, byte->in, byte->count), run);
}

// The reverse of emit_run: lanes that don't take part keep what is in memory.
static void store_run(emitter *e, const buffer *buf, LLVMValueRef at, LLVMValueRef v) {
    if (e->mask && value_lanes(v) > 1) {
        LLVMTypeRef overload[] = {LLVMTypeOf(v), e->ptr};
        LLVMValueRef arg[] = {v, at, e->mask};
        masked(e, "llvm.masked.store", overload, arg, 3, 1, element_align(buf));
        return;
    }
    LLVMSetAlignment(LLVMBuildStore(e->b, v, at), element_align(buf));
}

// Whole vectors of own memory become registers, which parts of vectors don't.
static void store_own(emitter *e, const buffer *buf, LLVMValueRef at, LLVMValueRef v) {
    LLVMValueRef all = LLVMBuildSelect(e->b, e->mask, v, load_own(e, buf, at), "");
    LLVMSetAlignment(LLVMBuildStore(e->b, all, at), element_align(buf));
}

// Lanes that meet at one place are written in their order, the last one stays.
static void scatter(emitter *e, const buffer *buf, LLVMValueRef base, LLVMValueRef offset, LLVMValueRef v) {
    unsigned lanes = value_lanes(offset);
    LLVMValueRef pointers = LLVMBuildInBoundsGEP2(e->b, storage_type(e, buf->type), base, &offset, 1, "");
    LLVMValueRef run = widen(e, v, lanes);
    LLVMTypeRef overload[] = {LLVMTypeOf(run), LLVMTypeOf(pointers)};
    LLVMValueRef arg[] = {run, pointers, live_mask(e, lanes)};
    masked(e, "llvm.masked.scatter", overload, arg, 3, 1, element_align(buf));
}

static void store_ramp(emitter *e, const stmt *st, const place *p, const expr *ramp, LLVMValueRef v) {
    uint32_t count = st->as.store.count;
    const expr **index = ARENA_NEW(e->mem, const expr *, count);
    for (uint32_t i = 0; i < count; i++) index[i] = i + 1 < count ? st->as.store.index[i] : ramp->in[0];
    LLVMValueRef at = first_address(e, st->as.store.buf, p, index, count);
    store_run(e, st->as.store.buf, at, widen(e, v, dtype_lanes(ramp->type)));
}

// By how the place moves with the lane: one element, a run, or anything.
static void store_value(emitter *e, const stmt *st, const place *p, LLVMValueRef v) {
    const buffer *buf = st->as.store.buf;
    const expr *const *index = st->as.store.index;
    uint32_t count = st->as.store.count;
    int64_t stride;
    if (is_packed(buf->type)) {
        store_packed(e, st, p, v);
        return;
    }
    const expr *ramp = ramp_of(index, count);
    bool known = access_stride(e, buf, p, index, count, &stride);
    if (ramp && !e->lane)
        store_ramp(e, st, p, ramp, v);
    else if (!known || (stride != 0 && stride != 1) || vector_index(index, count))
        scatter(e, buf, p->base, offset_of(e, buf, p, index, count), v);
    else if (stride == 1 && e->mask && is_own_run(e, buf, p, index, count))
        store_own(e, buf, first_address(e, buf, p, index, count), widen(e, v, e->lanes));
    else if (stride == 1)
        store_run(e, buf, first_address(e, buf, p, index, count), widen(e, v, e->lanes));
    else if (value_lanes(v) > 1)
        emit_refuse(e, st->at, e->ptr, "all lanes of a vectorized loop write the same element of %s", buf->name);
    else
        store_run(e, buf, first_address(e, buf, p, index, count), v);
    emit_forget(e);
}

void emit_store_of(emitter *e, const stmt *st, LLVMValueRef v) {
    place *p = place_of(e, st->as.store.buf);
    if (p) store_value(e, st, p, to_storage(e, dtype_scalar(st->as.store.buf->type), v));
}

// Asks for what a store's value reads, in place of the store.
static void ask_for(emitter *e, const expr *value) {
    expr_walk w = expr_walk_from(e->mem, value);
    for (const expr *x; (x = expr_walk_next(&w));) {
        place *p = x->op == EXPR_LOAD ? place_of(e, x->as.buffer) : NULL;
        if (p && !is_packed(x->as.buffer->type) && strcmp(x->as.buffer->scope, "global") == 0)
            prefetch(e, first_address(e, x->as.buffer, p, x->in, x->count), 0);
    }
}

void emit_store(emitter *e, const stmt *st) {
    if (e->asking) {
        ask_for(e, st->as.store.value);
        return;
    }
    const buffer *buf = st->as.store.buf;
    place *p = place_of(e, buf);
    int64_t stride;
    if (!p || !(is_packed(buf->type) || storage_type(e, buf->type))) return;
    bool known = access_stride(e, buf, p, st->as.store.index, st->as.store.count, &stride);
    LLVMValueRef joined = known && stride == 0 ? emit_joined(e, st) : NULL;
    LLVMValueRef v = to_storage(e, dtype_scalar(buf->type), joined ? joined : emit_expr(e, st->as.store.value));
    store_value(e, st, p, v);
}
