// rx_quantize_int8.c - R.rx.quantize_int8 makes activations small integers for R.rx.packed_matmul, after an RMS norm of
// each row where there are factors for one.
//
//   for each row, 32 neighbours at a time:                        one block: a pass over what is in registers
//       largest = max |x|; step = largest / 127
//       q = round(x * 127 / largest)                             as bits of q + 1.5 * 2^23: the low byte is q's
//       words of four q's, in packed.h's order; the sum of each unit's q's, times step or low
#include "ops/packed.h"
#include "ops/table.h"

static bool check_weight(infer_ctx *c, const node *n, int64_t size) {
    const ann *w = infer_in(n, 1);
    int64_t is;
    if (!infer_want_floats(c, n, 1)) return false;
    if (!infer_want_rank(c, n, 1, 1)) return false;
    if (!has_dims(w) || !expr_const_int(w->dim[0], &is) || is == size) return true;
    return infer_error(c, n, "weight: want %lld factors, got %lld", (long long)size, (long long)is), false;
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *out[3];
    int64_t size, unit = attr_int_of(n, "unit"), low = attr_int_of(n, "low");
    if (!infer_want_floats(c, n, 0)) return NULL;
    if (!has_dims(x) || x->rank == 0 || !expr_const_int(x->dim[x->rank - 1], &size) || size % ACTIVATION_GROUP)
        return infer_error(c, n, "x: want a known multiple of %d as last dim, got %s", ACTIVATION_GROUP,
                           has_dims(x) ? dims_text(c, x) : "unknown dims");
    if (n->count > 1 && x->rank == 1)
        return infer_error(c, n, "x: want rows to norm with the weight, got a vector; reshape it to one row");
    if (n->count > 1 && !check_weight(c, n, size)) return NULL;
    const expr *dim[INFER_MAX_RANK];
    for (int32_t i = 0; i < x->rank; i++) dim[i] = x->dim[i];
    dim[x->rank - 1] = dim_int(c, size / 4);
    out[0] = infer_tensor(c, x, DTYPE_OF(I32), dim, (uint32_t)x->rank);
    dim[x->rank - 1] = dim_int(c, size / ACTIVATION_GROUP);
    out[1] = infer_tensor(c, x, DTYPE_OF(F32), dim, (uint32_t)x->rank);
    dim[x->rank - 1] = dim_int(c, size / unit);
    out[2] = infer_tensor(c, x, low ? DTYPE_OF(I32) : DTYPE_OF(F32), dim, (uint32_t)x->rank);
    return ann_tuple(c->mem, out, 3);
}

// --- Lowering.
enum { LANES = 16, MAGIC_BITS = 0x4b400000 }; // of 1.5 * 2^23

typedef VEC(const stmt *) stmt_list;

typedef struct rounding {
    const node *n;
    expr_session *s;
    arena *mem;
    const buffer *x, *weight, *words, *step, *sums; // weight NULL: no norm
    const buffer *value, *bits;                     // [32] of the group
    const buffer *largest, *inverse, *sum;          // scalars; largest as bits
    const buffer *squares, *total, *scale;          // [32], scalars: of the norm
    int64_t size, unit, low;
    uint32_t turns;                 // bits of quants whose pieces take turns; 0: none do
    const expr *at[INFER_MAX_RANK]; // the row, then room for one more index
    uint32_t rank;
} rounding;

static const expr *i64(const rounding *r, int64_t value) { return expr_i64(r->s, value); }
static const expr *i32(const rounding *r, int64_t value) { return expr_int(r->s, DTYPE_OF(I32), value); }
static const expr *real(const rounding *r, double value) { return expr_float(r->s, DTYPE_OF(F32), value); }
static const expr *op2(const rounding *r, expr_op what, const expr *a, const expr *b) {
    return expr_binary(r->s, what, a, b);
}
static const expr *call(const rounding *r, intrinsic_id f, dtype type, const expr *a, const expr *b) {
    return expr_call(r->s, intrinsic_get(f), type, (const expr *[]){a, b}, b ? 2 : 1);
}
static const expr *load1(const rounding *r, const buffer *b, const expr *at) {
    return expr_load(r->s, b, b->type, &at, b->rank);
}
static const stmt *store1(const rounding *r, const buffer *b, const expr *at, const expr *value) {
    return stmt_store(r->mem, b, &at, b->rank, value);
}

// Element i of the row at hand.
static const expr *in_row(rounding *r, const buffer *b, const expr *i) {
    r->at[r->rank - 1] = i;
    return expr_load(r->s, b, b->type, r->at, r->rank);
}
static const stmt *put_in_row(rounding *r, const buffer *b, const expr *i, const expr *value) {
    r->at[r->rank - 1] = i;
    return stmt_store(r->mem, b, r->at, r->rank, value);
}

// A loop over lanes. The statement of lane `l` is made by the caller.
static const expr *new_lane(const rounding *r) { return expr_new_var(r->s, "lane", DTYPE_OF(I64)); }
static const stmt *in_lanes(const rounding *r, const expr *l, int64_t lanes, const stmt *body) {
    return stmt_for(r->mem, FOR_VECTORIZED, l, i64(r, 0), i64(r, lanes), body);
}
static const expr *plus(const rounding *r, const expr *a, int64_t b) { return op2(r, EXPR_ADD, a, i64(r, b)); }

// 2 to the number of bits that quants of the group's piece are up, or to minus that.
static const expr *turn_power(const rounding *r, const expr *group, bool minus) {
    packed_plane plane[4];
    const expr *power = NULL;
    packed_planes(r->turns, plane);
    for (uint32_t j = 8 / plane[0].bits; j-- > 0;) {
        int64_t by = 1 << packed_turn_up(r->turns, j);
        const expr *own = minus ? real(r, 1.0 / (double)by) : i32(r, by);
        const expr *turn = op2(r, EXPR_FLOOR_MOD, group, i64(r, 8 / plane[0].bits));
        power = power ? expr_select(r->s, op2(r, EXPR_EQ, turn, i64(r, j)), own, power) : own;
    }
    return power;
}

// value[…] = the group's elements, normed.
static void put_values(rounding *r, const expr *first, stmt_list *out) {
    for (int64_t e = 0; e < ACTIVATION_GROUP; e += LANES) {
        const expr *l = new_lane(r), *k = op2(r, EXPR_ADD, first, plus(r, l, e));
        const expr *v = expr_cast(r->s, DTYPE_OF(F32), in_row(r, r->x, k));
        if (r->weight) v = op2(r, EXPR_MUL, v, load1(r, r->scale, NULL));
        if (r->weight) v = op2(r, EXPR_MUL, v, expr_cast(r->s, DTYPE_OF(F32), load1(r, r->weight, k)));
        VEC_PUSH(r->mem, out, in_lanes(r, l, LANES, store1(r, r->value, plus(r, l, e), v)));
    }
}

static const expr *size_bits(const rounding *r, const expr *at) {
    const expr *bits = call(r, INTRIN_REINTERPRET, DTYPE_OF(I32), load1(r, r->value, at), NULL);
    return call(r, INTRIN_BITWISE_AND, (dtype){0}, bits, i32(r, INT32_MAX));
}

// Magnitudes are ordered as their bits are.
static void put_step(rounding *r, const expr *group, stmt_list *out) {
    const expr *l = new_lane(r);
    const expr *both = op2(r, EXPR_MAX, size_bits(r, l), size_bits(r, plus(r, l, LANES)));
    const expr *larger = op2(r, EXPR_MAX, load1(r, r->largest, NULL), both);
    VEC_PUSH(r->mem, out, store1(r, r->largest, NULL, i32(r, 0)));
    VEC_PUSH(r->mem, out, in_lanes(r, l, LANES, store1(r, r->largest, NULL, larger)));
    const expr *largest = call(r, INTRIN_REINTERPRET, DTYPE_OF(F32), load1(r, r->largest, NULL), NULL);
    const expr *some = op2(r, EXPR_LT, real(r, 0), largest);
    const expr *inverse = expr_select(r->s, some, op2(r, EXPR_DIV, real(r, 127), largest), real(r, 0));
    const expr *step = op2(r, EXPR_DIV, largest, real(r, 127));
    if (r->turns) step = op2(r, EXPR_MUL, step, turn_power(r, group, true));
    VEC_PUSH(r->mem, out, put_in_row(r, r->step, group, step));
    VEC_PUSH(r->mem, out, store1(r, r->inverse, NULL, inverse));
}

static void put_bits(rounding *r, stmt_list *out) {
    for (int64_t e = 0; e < ACTIVATION_GROUP; e += LANES) {
        const expr *l = new_lane(r), *at = plus(r, l, e);
        const expr *scaled = op2(r, EXPR_MUL, load1(r, r->value, at), load1(r, r->inverse, NULL));
        const expr *moved = op2(r, EXPR_ADD, scaled, real(r, 12582912.0));
        const expr *bits = call(r, INTRIN_REINTERPRET, DTYPE_OF(I32), moved, NULL);
        VEC_PUSH(r->mem, out, in_lanes(r, l, LANES, store1(r, r->bits, at, bits)));
    }
}

// Words of the unit that begins at element `first` of the group.
static void put_words(rounding *r, const expr *group, int64_t first, stmt_list *out) {
    int64_t words = r->unit / 4;
    const expr *l = new_lane(r), *word = NULL;
    for (int64_t b = 0; b < 4; b++) {
        const expr *byte =
            call(r, INTRIN_BITWISE_AND, (dtype){0}, load1(r, r->bits, plus(r, l, first + b * words)), i32(r, 255));
        if (b) byte = call(r, INTRIN_SHIFT_LEFT, (dtype){0}, byte, i32(r, 8 * b));
        word = word ? call(r, INTRIN_BITWISE_OR, (dtype){0}, word, byte) : byte;
    }
    const expr *at = op2(r, EXPR_ADD, op2(r, EXPR_MUL, group, i64(r, PACKED_WORDS)), plus(r, l, first / 4));
    VEC_PUSH(r->mem, out, in_lanes(r, l, words, put_in_row(r, r->words, at, word)));
}

static void put_sum(rounding *r, const expr *group, int64_t first, stmt_list *out) {
    const expr *l = new_lane(r), *part = NULL;
    for (int64_t e = 0; e < r->unit; e += LANES) {
        const expr *q = op2(r, EXPR_SUB, load1(r, r->bits, plus(r, l, first + e)), i32(r, MAGIC_BITS));
        part = part ? op2(r, EXPR_ADD, part, q) : q;
    }
    const expr *at = plus(r, op2(r, EXPR_MUL, group, i64(r, ACTIVATION_GROUP / r->unit)), first / r->unit);
    const expr *more = op2(r, EXPR_ADD, load1(r, r->sum, NULL), part);
    VEC_PUSH(r->mem, out, store1(r, r->sum, NULL, i32(r, 0)));
    VEC_PUSH(r->mem, out, in_lanes(r, l, LANES, store1(r, r->sum, NULL, more)));
    // What quants are up is in the step, but not in the sums for offsets.
    const expr *up = r->turns ? turn_power(r, group, false) : NULL, *sum = load1(r, r->sum, NULL);
    if (up) sum = op2(r, EXPR_MUL, sum, up);
    sum = r->low ? op2(r, EXPR_MUL, sum, i32(r, r->low))
                 : op2(r, EXPR_MUL, expr_cast(r->s, DTYPE_OF(F32), sum), in_row(r, r->step, group));
    VEC_PUSH(r->mem, out, put_in_row(r, r->sums, at, sum));
}

static const stmt *round_group(rounding *r, const expr *group) {
    stmt_list list = {0};
    put_values(r, op2(r, EXPR_MUL, group, i64(r, ACTIVATION_GROUP)), &list);
    put_step(r, group, &list);
    put_bits(r, &list);
    for (int64_t first = 0; first < ACTIVATION_GROUP; first += r->unit) {
        put_words(r, group, first, &list);
        put_sum(r, group, first, &list);
    }
    return stmt_seq(r->mem, list.at, list.len);
}

// scale = 1 / sqrt(mean(x * x) + epsilon): sums in two vectors of lanes, joined at the end.
static void put_norm(rounding *r, stmt_list *out) {
    const expr *e = expr_new_var(r->s, "e", DTYPE_OF(I64)), *first = op2(r, EXPR_MUL, e, i64(r, ACTIVATION_GROUP));
    stmt_list inside = {0};
    for (int64_t p = 0; p < ACTIVATION_GROUP; p += LANES) {
        const expr *l = new_lane(r), *zero = new_lane(r), *at = plus(r, l, p);
        const expr *x = expr_cast(r->s, DTYPE_OF(F32), in_row(r, r->x, op2(r, EXPR_ADD, first, at)));
        const expr *more = op2(r, EXPR_ADD, load1(r, r->squares, at), op2(r, EXPR_MUL, x, x));
        VEC_PUSH(r->mem, out, in_lanes(r, zero, LANES, store1(r, r->squares, plus(r, zero, p), real(r, 0))));
        VEC_PUSH(r->mem, &inside, in_lanes(r, l, LANES, store1(r, r->squares, at, more)));
    }
    const stmt *body = stmt_seq(r->mem, inside.at, inside.len);
    VEC_PUSH(r->mem, out, stmt_for(r->mem, FOR_SERIAL, e, i64(r, 0), i64(r, r->size / ACTIVATION_GROUP), body));
    const expr *l = new_lane(r);
    const expr *both = op2(r, EXPR_ADD, load1(r, r->squares, l), load1(r, r->squares, plus(r, l, LANES)));
    const expr *all = op2(r, EXPR_ADD, load1(r, r->total, NULL), both);
    VEC_PUSH(r->mem, out, store1(r, r->total, NULL, real(r, 0)));
    VEC_PUSH(r->mem, out, in_lanes(r, l, LANES, store1(r, r->total, NULL, all)));
    const expr *mean = op2(r, EXPR_DIV, load1(r, r->total, NULL), real(r, (double)r->size));
    const expr *moved = op2(r, EXPR_ADD, mean, real(r, node_attr(r->n, "epsilon")->as.f));
    VEC_PUSH(r->mem, out, store1(r, r->scale, NULL, call(r, INTRIN_RSQRT, (dtype){0}, moved, NULL)));
}

// All groups of a row that is normed first.
static const stmt *round_row(rounding *r) {
    stmt_list list = {0};
    const expr *g = expr_new_var(r->s, "g", DTYPE_OF(I64));
    put_norm(r, &list);
    const stmt *groups =
        stmt_for(r->mem, FOR_SERIAL, g, i64(r, 0), i64(r, r->size / ACTIVATION_GROUP), round_group(r, g));
    VEC_PUSH(r->mem, &list, groups);
    return stmt_seq(r->mem, list.at, list.len);
}

static void declare_locals(rounding *r, block *b) {
    dtype f32 = DTYPE_OF(F32), whole = DTYPE_OF(I32);
    const expr *group = i64(r, ACTIVATION_GROUP);
    const buffer *all[] = {r->value = buffer_new(r->s, "value", f32, &group, 1, "local"),
                           r->bits = buffer_new(r->s, "bits", whole, &group, 1, "local"),
                           r->largest = buffer_new(r->s, "largest", whole, NULL, 0, "local"),
                           r->inverse = buffer_new(r->s, "inverse", f32, NULL, 0, "local"),
                           r->sum = buffer_new(r->s, "sum", whole, NULL, 0, "local"),
                           r->squares = buffer_new(r->s, "squares", f32, &group, 1, "local"),
                           r->total = buffer_new(r->s, "total", f32, NULL, 0, "local"),
                           r->scale = buffer_new(r->s, "scale", f32, NULL, 0, "local")};
    b->allocs = r->weight ? COUNT(all) : COUNT(all) - 3;
    const buffer **alloc = ARENA_NEW(r->mem, const buffer *, COUNT(all));
    for (size_t i = 0; i < COUNT(all); i++) alloc[i] = all[i];
    b->alloc = alloc;
}

// One block for a row, or for a group of one; all of them in parallel.
static const stmt *parallel_block(rounding *r) {
    const expr *all = expr_new_var(r->s, "all", DTYPE_OF(I64)), *rest = all, *extent = i64(r, 1);
    uint32_t dims = r->weight ? r->rank - 1 : r->rank;
    block b = {.name = "quantize_int8"};
    iter *iters = ARENA_NEW(r->mem, iter, dims + 1);
    for (uint32_t i = dims; i-- > 0;) {
        const expr *size = i + 1 < r->rank ? r->x->dim[i] : i64(r, r->size / ACTIVATION_GROUP);
        const expr *value = i ? op2(r, EXPR_FLOOR_MOD, rest, size) : rest;
        r->at[i] = expr_new_var(r->s, i + 1 < r->rank ? "v_row" : "v_group", DTYPE_OF(I64));
        iters[i] = (iter){r->at[i], ITER_SPATIAL, {i64(r, 0), size}, value};
        if (i) rest = op2(r, EXPR_FLOOR_DIV, rest, size);
        extent = op2(r, EXPR_MUL, size, extent);
    }
    const expr *group = r->weight ? NULL : r->at[r->rank - 1];
    b.iters = dims;
    b.iter = iters;
    declare_locals(r, &b);
    b.body = r->weight ? round_row(r) : round_group(r, group);
    return stmt_for(r->mem, FOR_PARALLEL, all, i64(r, 0), extent, stmt_block(r->mem, &b));
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    operand_list operands = {0};
    if (!operand_buffers(c, n, &operands)) return NULL;
    const buffer **buf = ARENA_NEW(c->mem, const buffer *, operands.len);
    rounding r = {.n = n, .s = c->exprs, .mem = c->mem, .unit = attr_int_of(n, "unit")};
    r.low = attr_int_of(n, "low");
    r.turns = (uint32_t)attr_int_of(n, "turns");
    static const char *const made[] = {"words", "step", "sums"};
    for (uint32_t i = 0; i < operands.len; i++) {
        const ann *a = operands.at[i].type;
        const char *name = i < n->count ? n->op->input[i].name : made[i - n->count];
        buf[i] = buffer_new(c->exprs, name, a->type, a->dim, (uint32_t)a->rank, "global");
    }
    r.x = buf[0];
    r.weight = n->count > 1 ? buf[1] : NULL;
    r.words = buf[n->count], r.step = buf[n->count + 1], r.sums = buf[n->count + 2];
    r.rank = r.x->rank;
    expr_const_int(r.x->dim[r.rank - 1], &r.size);
    return compute_program(c, &operands, buf, parallel_block(&r), NULL, 0);
}

const op op_rx_quantize_int8 = {
    .name = "rx.quantize_int8",
    .doc = "Activations as words of four int8 with a step for 32 neighbours, the largest of them 127, and sums of the "
           "integers: float32 times the step, or, where the weight's smallest quant is not 0, int32 times that. With a "
           "weight, rows are "
           "first normed as by R.nn.rms_norm.",
    .input = {IN("x", TENSOR, "floats, [..., size], size a multiple of 32"),
              IN_OPTIONAL("weight", TENSOR, "factors of the norm, [size]")},
    .attr = {ATTR("unit", INT, "32", "how many neighbours each sum is of", .range = "16|32"),
             ATTR("low", INT, "0", "the smallest quant of the weight's format", .range = "[-128, 0]"),
             ATTR("turns", INT, "0", "bits of the weight's quants where pieces take turns in words", .range = "[0, 6]"),
             ATTR("epsilon", FLOAT, "1e-05", "of the norm", .range = "[0, inf)")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,64] | R.rx.quantize_int8(x)", "x=f16[2,n,32] | R.rx.quantize_int8(x, unit=16, low=-32)",
                "x=f32[n,64] w=f32[64] | R.rx.quantize_int8(x, w, epsilon=0.001)",
                "x=f32[n,256] | R.rx.quantize_int8(x, unit=16, low=-32, turns=6)"},
};
