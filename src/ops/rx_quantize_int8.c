// rx_quantize_int8.c - R.rx.quantize_int8 makes activations small integers for R.rx.packed_matmul, after an RMS norm of
// each row where there are factors for one, or of a gated product: gates and what they are for side by side in a row.
//
//   for each row, 32 neighbours at a time:                        one block: a pass over what is in registers
//       largest = max |x|; step = largest / 127
//       q = round(x * 127 / largest)                             as bits of q + 1.5 * 2^23: the low byte is q's
//       words of four q's, in packed.h's order; the sum of each unit's q's, times step or low
//   where pieces take turns and low is 0, 256 neighbours at a time: these sums as integers of 16 bits, in bytes
#include "base/count_noun.h"
#include "ops/rounding.h"
#include "ops/table.h"

static bool check_weight(infer_ctx *c, const node *n, int64_t size) {
    const ann *w = infer_in(n, 1);
    int64_t is;
    if (!infer_want_floats(c, n, 1)) return false;
    if (!infer_want_rank(c, n, 1, 1)) return false;
    if (!has_dims(w) || !expr_const_int(w->dim[0], &is) || is == size) return true;
    return infer_error(c, n, "weight: want %s, got %lld", COUNTED(size, "factor"), (long long)is), false;
}

const ann *rounding_infer(infer_ctx *c, const node *n, const ann *like, const expr *const *rows, uint32_t rank,
                          int64_t size) {
    const ann *out[3];
    int64_t unit = attr_int_of(n, "unit"), low = attr_int_of(n, "low");
    bool whole = packed_whole_sums(attr_int_of(n, "turns"), low);
    const expr *dim[INFER_MAX_RANK];
    if (whole && size % PACKED_BLOCK)
        return infer_error(c, n, "x: want a multiple of %d as last dim for sums in bytes, got %lld", PACKED_BLOCK,
                           (long long)size);
    for (uint32_t i = 0; i + 1 < rank; i++) dim[i] = rows[i];
    dim[rank - 1] = dim_int(c, size / 4);
    out[0] = infer_tensor(c, like, DTYPE_OF(I32), dim, rank);
    dim[rank - 1] = dim_int(c, size / ACTIVATION_GROUP);
    out[1] = infer_tensor(c, like, DTYPE_OF(F32), dim, rank);
    dim[rank - 1] = dim_int(c, whole ? size / PACKED_BLOCK * packed_sum_words(unit) : size / unit);
    out[2] = infer_tensor(c, like, low || whole ? DTYPE_OF(I32) : DTYPE_OF(F32), dim, rank);
    return ann_tuple(c->mem, out, 3);
}

static bool is_gated(const node *n) { return !attr_text_is(n, "gate", "none"); }

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    int64_t size, halves = is_gated(n) ? 2 : 1;
    if (!infer_want_floats(c, n, 0)) return NULL;
    if (!has_dims(x) || x->rank == 0 || !expr_const_int(x->dim[x->rank - 1], &size) ||
        size % (halves * ACTIVATION_GROUP))
        return infer_error(c, n, "x: want a known multiple of %lld as last dim, got %s",
                           (long long)halves * ACTIVATION_GROUP, has_dims(x) ? dims_text(c, x) : "unknown dims");
    size /= halves;
    if (n->count > 1 && halves > 1) return infer_error(c, n, "want a weight of a norm or a gate, not both");
    if (n->count > 1 && x->rank == 1)
        return infer_error(c, n, "x: want rows to norm with the weight, got a vector; reshape it to one row");
    if (n->count > 1 && !check_weight(c, n, size)) return NULL;
    return rounding_infer(c, n, x, x->dim, (uint32_t)x->rank, size);
}

// --- Lowering.
enum { LANES = 16, MAGIC_BITS = 0x4b400000 }; // of 1.5 * 2^23

typedef VEC(const stmt *) stmt_list;

static const expr *i32(const rounding *r, int64_t value) { return expr_int(r->w.s, DTYPE_OF(I32), value); }
static const expr *call(const rounding *r, intrinsic_id f, dtype type, const expr *a, const expr *b) {
    return expr_call(r->w.s, intrinsic_get(f), type, (const expr *[]){a, b}, b ? 2 : 1);
}

// Element i of the row at hand.
static const expr *in_row(rounding *r, const buffer *b, const expr *i) {
    r->at[r->rank - 1] = i;
    return write_load_at(&r->w, b, r->at);
}
static const stmt *put_in_row(rounding *r, const buffer *b, const expr *i, const expr *value) {
    r->at[r->rank - 1] = i;
    return write_store_at(&r->w, b, r->at, value);
}

// 2 to the number of bits that quants of the group's piece are up, or to minus that.
static const expr *turn_power(const rounding *r, const expr *group, bool minus) {
    const writer *w = &r->w;
    uint32_t round = packed_round(r->turns);
    const expr *power = NULL;
    for (uint32_t j = round; j-- > 0;) {
        int64_t by = 1 << packed_turn_of(r->turns, j).up;
        const expr *own = minus ? write_real(w, 1.0 / (double)by) : i32(r, by);
        const expr *turn = write_op(w, EXPR_FLOOR_MOD, group, write_int(w, round));
        power = power ? expr_select(w->s, write_op(w, EXPR_EQ, turn, write_int(w, j)), own, power) : own;
    }
    return power;
}

// As the operator that the gate is called after has it.
static const expr *activated(const rounding *r, const expr *x) {
    const attr *gate = node_attr(r->n, "gate");
    const op *what = op_find(arena_format(r->w.mem, "nn.%.*s", (int)gate->size, gate->as.text));
    const expr *value = compute_element(r->c, r->n, what, x);
    CHECK(value);
    return value;
}

// value[…] = the group's elements, normed or gated.
static void put_values(rounding *r, const expr *group, stmt_list *out) {
    const writer *w = &r->w;
    const expr *per_row = write_int(w, r->row_groups), *row = r->row;
    if (row) row = write_op(w, EXPR_ADD, row, write_op(w, EXPR_FLOOR_DIV, group, per_row));
    if (row) group = write_op(w, EXPR_FLOOR_MOD, group, per_row);
    const expr *first = write_op(w, EXPR_MUL, group, write_int(w, ACTIVATION_GROUP));
    for (int64_t e = 0; e < ACTIVATION_GROUP; e += LANES) {
        const expr *l = write_index(w, "lane"), *k = write_op(w, EXPR_ADD, first, write_plus(w, l, e));
        const expr *v = write_as_real(w, row ? write_load2(w, r->x, row, k) : in_row(r, r->x, k));
        if (r->weight) v = write_op(w, EXPR_MUL, v, write_load(w, r->scale, NULL));
        if (r->weight) v = write_op(w, EXPR_MUL, v, write_as_real(w, write_load(w, r->weight, k)));
        if (r->gated)
            v = write_op(w, EXPR_MUL, activated(r, v), write_as_real(w, in_row(r, r->x, write_plus(w, k, r->size))));
        VEC_PUSH(w->mem, out, write_lanes(w, l, LANES, write_store(w, r->value, write_plus(w, l, e), v)));
    }
}

static const expr *as_bits(const rounding *r, const expr *x) {
    return call(r, INTRIN_REINTERPRET, DTYPE_OF(I32), x, NULL);
}
static const expr *size_bits(const rounding *r, const buffer *of, const expr *at) {
    return call(r, INTRIN_BITWISE_AND, (dtype){0}, as_bits(r, write_load(&r->w, of, at)), i32(r, INT32_MAX));
}

// largest = that of so many lanes, whose sizes are ordered as their bits are; inverse = most / largest. Returns the
// step that makes the largest `most`.
static const expr *put_largest(const rounding *r, const expr *lane, int64_t width, const expr *bits, double most,
                               stmt_list *out) {
    const writer *w = &r->w;
    const expr *larger = write_op(w, EXPR_MAX, write_load(w, r->largest, NULL), bits);
    VEC_PUSH(w->mem, out, write_store(w, r->largest, NULL, i32(r, 0)));
    VEC_PUSH(w->mem, out, write_lanes(w, lane, width, write_store(w, r->largest, NULL, larger)));
    const expr *largest = call(r, INTRIN_REINTERPRET, DTYPE_OF(F32), write_load(w, r->largest, NULL), NULL);
    const expr *some = write_op(w, EXPR_LT, write_real(w, 0), largest);
    const expr *inverse = write_op(w, EXPR_DIV, write_real(w, most), largest);
    VEC_PUSH(w->mem, out, write_store(w, r->inverse, NULL, expr_select(w->s, some, inverse, write_real(w, 0))));
    return write_op(w, EXPR_DIV, largest, write_real(w, most));
}

// round(x * inverse), as bits of it + 1.5 * 2^23.
static const expr *rounded_bits(const rounding *r, const expr *x) {
    const writer *w = &r->w;
    const expr *scaled = write_op(w, EXPR_MUL, x, write_load(w, r->inverse, NULL));
    return as_bits(r, write_op(w, EXPR_ADD, scaled, write_real(w, 12582912.0)));
}

static void put_step(rounding *r, const expr *group, stmt_list *out) {
    const writer *w = &r->w;
    const expr *l = write_index(w, "lane");
    const expr *both =
        write_op(w, EXPR_MAX, size_bits(r, r->value, l), size_bits(r, r->value, write_plus(w, l, LANES)));
    const expr *step = put_largest(r, l, LANES, both, 127, out);
    if (r->turns) step = write_op(w, EXPR_MUL, step, turn_power(r, group, true));
    VEC_PUSH(w->mem, out, put_in_row(r, r->step, group, step));
}

static void put_bits(rounding *r, stmt_list *out) {
    const writer *w = &r->w;
    for (int64_t e = 0; e < ACTIVATION_GROUP; e += LANES) {
        const expr *l = write_index(w, "lane"), *at = write_plus(w, l, e);
        const stmt *st = write_store(w, r->bits, at, rounded_bits(r, write_load(w, r->value, at)));
        VEC_PUSH(w->mem, out, write_lanes(w, l, LANES, st));
    }
}

// Words of the unit that begins at element `first` of the group.
static void put_words(rounding *r, const expr *group, int64_t first, stmt_list *out) {
    const writer *w = &r->w;
    int64_t words = r->unit / 4;
    const expr *l = write_index(w, "lane"), *word = NULL;
    for (int64_t b = 0; b < 4; b++) {
        const expr *byte = call(r, INTRIN_BITWISE_AND, (dtype){0},
                                write_load(w, r->bits, write_plus(w, l, first + b * words)), i32(r, 255));
        if (b) byte = call(r, INTRIN_SHIFT_LEFT, (dtype){0}, byte, i32(r, 8 * b));
        word = word ? call(r, INTRIN_BITWISE_OR, (dtype){0}, word, byte) : byte;
    }
    const expr *at =
        write_op(w, EXPR_ADD, write_op(w, EXPR_MUL, group, write_int(w, PACKED_WORDS)), write_plus(w, l, first / 4));
    VEC_PUSH(w->mem, out, write_lanes(w, l, words, put_in_row(r, r->words, at, word)));
}

static void put_sum(rounding *r, const expr *group, int64_t first, stmt_list *out) {
    const writer *w = &r->w;
    const expr *l = write_index(w, "lane"), *part = NULL;
    for (int64_t e = 0; e < r->unit; e += LANES) {
        const expr *q = write_op(w, EXPR_SUB, write_load(w, r->bits, write_plus(w, l, first + e)), i32(r, MAGIC_BITS));
        part = part ? write_op(w, EXPR_ADD, part, q) : q;
    }
    const expr *at =
        write_plus(w, write_op(w, EXPR_MUL, group, write_int(w, ACTIVATION_GROUP / r->unit)), first / r->unit);
    const expr *more = write_op(w, EXPR_ADD, write_load(w, r->sum, NULL), part);
    VEC_PUSH(w->mem, out, write_store(w, r->sum, NULL, i32(r, 0)));
    VEC_PUSH(w->mem, out, write_lanes(w, l, LANES, write_store(w, r->sum, NULL, more)));
    // What quants are up is in the step, but not in the sums for offsets.
    const expr *up = r->turns ? turn_power(r, group, false) : NULL, *sum = write_load(w, r->sum, NULL);
    if (up) sum = write_op(w, EXPR_MUL, sum, up);
    sum = r->low ? write_op(w, EXPR_MUL, sum, i32(r, r->low))
                 : write_op(w, EXPR_MUL, write_as_real(w, sum), in_row(r, r->step, group));
    const expr *in_block = write_op(w, EXPR_FLOOR_MOD, at, write_int(w, PACKED_BLOCK / r->unit));
    VEC_PUSH(w->mem, out, r->whole ? write_store(w, r->parts, in_block, sum) : put_in_row(r, r->sums, at, sum));
}

// Four sums as bytes of words, the low or the high ones: sum = low + 256 * high, both signed.
static const expr *sum_word(const rounding *r, uint32_t word, bool high) {
    const writer *w = &r->w;
    const expr *all = NULL;
    for (int64_t b = 0; b < 4; b++) {
        const expr *bits = rounded_bits(r, write_load(w, r->parts, write_int(w, word * 4 + b)));
        const expr *sum = write_op(w, EXPR_SUB, bits, i32(r, MAGIC_BITS));
        if (high) sum = call(r, INTRIN_SHIFT_RIGHT, (dtype){0}, write_op(w, EXPR_ADD, sum, i32(r, 128)), i32(r, 8));
        sum = call(r, INTRIN_BITWISE_AND, (dtype){0}, sum, i32(r, 255));
        if (b) sum = call(r, INTRIN_SHIFT_LEFT, (dtype){0}, sum, i32(r, 8 * b));
        all = all ? call(r, INTRIN_BITWISE_OR, (dtype){0}, all, sum) : sum;
    }
    return all;
}

// The sums of a block: words of low bytes, words of high ones, and as bits what they are to be multiplied with.
static void put_whole_sums(rounding *r, const expr *which, stmt_list *out) {
    enum { MOST = 127 * 256 };
    const writer *w = &r->w;
    uint32_t units = (uint32_t)(PACKED_BLOCK / r->unit), words = units / 4;
    const expr *l = write_index(w, "lane");
    const expr *first = write_op(w, EXPR_MUL, which, write_int(w, packed_sum_words(r->unit)));
    const expr *by = put_largest(r, l, units, size_bits(r, r->parts, l), MOST, out);
    for (uint32_t i = 0; i < 2 * words; i++)
        VEC_PUSH(w->mem, out, put_in_row(r, r->sums, write_plus(w, first, i), sum_word(r, i % words, i >= words)));
    VEC_PUSH(w->mem, out, put_in_row(r, r->sums, write_plus(w, first, 2 * words), as_bits(r, by)));
}

static const stmt *round_group(rounding *r, const expr *from, const expr *group) {
    const writer *w = &r->w;
    stmt_list list = {0};
    put_values(r, from, &list);
    put_step(r, group, &list);
    put_bits(r, &list);
    for (int64_t first = 0; first < ACTIVATION_GROUP; first += r->unit) {
        put_words(r, group, first, &list);
        put_sum(r, group, first, &list);
    }
    return write_seq(w, list.at, list.len);
}

// Groups of a block, then what is of the block.
static const stmt *round_block(rounding *r, const expr *from, const expr *which) {
    enum { GROUPS = PACKED_BLOCK / ACTIVATION_GROUP };
    const writer *w = &r->w;
    stmt_list list = {0};
    const expr *g = write_index(w, "g"), *first = write_times_plus(w, from, GROUPS, g);
    const expr *group = from == which ? first : write_times_plus(w, which, GROUPS, g);
    VEC_PUSH(w->mem, &list, write_loop(w, g, write_int(w, GROUPS), round_group(r, first, group)));
    put_whole_sums(r, which, &list);
    return write_seq(w, list.at, list.len);
}

const stmt *rounding_part(rounding *r, const expr *from, const expr *part) {
    return r->whole ? round_block(r, from, part) : round_group(r, from, part);
}

int64_t rounding_at_once(int64_t turns, int64_t low) {
    return packed_whole_sums(turns, low) ? PACKED_BLOCK : ACTIVATION_GROUP;
}

// Of a row: how many of what is rounded at once.
static const expr *parts_of(const rounding *r) {
    return write_int(&r->w, r->size / rounding_at_once(r->turns, r->low));
}

// scale = 1 / sqrt(mean(x * x) + epsilon): sums in two vectors of lanes, joined at the end.
static void put_norm(rounding *r, stmt_list *out) {
    const writer *w = &r->w;
    const expr *e = write_index(w, "e"), *first = write_op(w, EXPR_MUL, e, write_int(w, ACTIVATION_GROUP));
    stmt_list inside = {0};
    for (int64_t p = 0; p < ACTIVATION_GROUP; p += LANES) {
        const expr *l = write_index(w, "lane"), *zero = write_index(w, "lane"), *at = write_plus(w, l, p);
        const expr *x = write_as_real(w, in_row(r, r->x, write_op(w, EXPR_ADD, first, at)));
        const expr *more = write_op(w, EXPR_ADD, write_load(w, r->squares, at), write_op(w, EXPR_MUL, x, x));
        VEC_PUSH(w->mem, out,
                 write_lanes(w, zero, LANES, write_store(w, r->squares, write_plus(w, zero, p), write_real(w, 0))));
        VEC_PUSH(w->mem, &inside, write_lanes(w, l, LANES, write_store(w, r->squares, at, more)));
    }
    const stmt *body = write_seq(w, inside.at, inside.len);
    VEC_PUSH(w->mem, out, write_loop(w, e, write_int(w, r->size / ACTIVATION_GROUP), body));
    const expr *l = write_index(w, "lane");
    const expr *both =
        write_op(w, EXPR_ADD, write_load(w, r->squares, l), write_load(w, r->squares, write_plus(w, l, LANES)));
    const expr *all = write_op(w, EXPR_ADD, write_load(w, r->total, NULL), both);
    VEC_PUSH(w->mem, out, write_store(w, r->total, NULL, write_real(w, 0)));
    VEC_PUSH(w->mem, out, write_lanes(w, l, LANES, write_store(w, r->total, NULL, all)));
    const expr *mean = write_op(w, EXPR_DIV, write_load(w, r->total, NULL), write_real(w, (double)r->size));
    const expr *moved = write_op(w, EXPR_ADD, mean, write_real(w, node_attr(r->n, "epsilon")->as.f));
    VEC_PUSH(w->mem, out, write_store(w, r->scale, NULL, call(r, INTRIN_RSQRT, (dtype){0}, moved, NULL)));
}

// All groups of a row that is normed first.
static const stmt *round_row(rounding *r) {
    const writer *w = &r->w;
    stmt_list list = {0};
    const expr *g = write_index(w, "part");
    put_norm(r, &list);
    VEC_PUSH(w->mem, &list, write_loop(w, g, parts_of(r), rounding_part(r, g, g)));
    return write_seq(w, list.at, list.len);
}

uint32_t rounding_locals(rounding *r, const buffer *all[ROUNDING_LOCALS]) {
    const writer *w = &r->w;
    dtype f32 = DTYPE_OF(F32), whole = DTYPE_OF(I32);
    const expr *group = write_int(w, ACTIVATION_GROUP), *units = write_int(w, PACKED_BLOCK / r->unit);
    uint32_t count = 0;
    all[count++] = r->value = buffer_new(w->s, "value", f32, &group, 1, "local");
    all[count++] = r->bits = buffer_new(w->s, "bits", whole, &group, 1, "local");
    all[count++] = r->largest = buffer_new(w->s, "largest", whole, NULL, 0, "local");
    all[count++] = r->inverse = buffer_new(w->s, "inverse", f32, NULL, 0, "local");
    all[count++] = r->sum = buffer_new(w->s, "sum", whole, NULL, 0, "local");
    all[count++] = r->parts = buffer_new(w->s, "parts", f32, &units, 1, "local");
    if (!r->weight) return count;
    all[count++] = r->squares = buffer_new(w->s, "squares", f32, &group, 1, "local");
    all[count++] = r->total = buffer_new(w->s, "total", f32, NULL, 0, "local");
    all[count++] = r->scale = buffer_new(w->s, "scale", f32, NULL, 0, "local");
    return count;
}

// One block for a row, or for a group of one; all of them in parallel.
static const stmt *parallel_block(rounding *r) {
    const writer *w = &r->w;
    const expr *all = write_index(w, "all"), *rest = all, *extent = write_int(w, 1);
    uint32_t dims = r->weight ? r->rank - 1 : r->rank;
    block b = {.name = "quantize_int8"};
    iter *iters = ARENA_NEW(w->mem, iter, dims + 1);
    for (uint32_t i = dims; i-- > 0;) {
        const expr *size = i + 1 < r->rank ? r->x->dim[i] : parts_of(r);
        const expr *value = i ? write_op(w, EXPR_FLOOR_MOD, rest, size) : rest;
        r->at[i] = expr_new_var(w->s, i + 1 < r->rank ? "v_row" : "v_group", DTYPE_OF(I64));
        iters[i] = (iter){r->at[i], ITER_SPATIAL, {write_int(w, 0), size}, value};
        if (i) rest = write_op(w, EXPR_FLOOR_DIV, rest, size);
        extent = write_op(w, EXPR_MUL, size, extent);
    }
    const expr *group = r->weight ? NULL : r->at[r->rank - 1];
    b.iters = dims;
    b.iter = iters;
    b.alloc = ARENA_NEW(w->mem, const buffer *, ROUNDING_LOCALS);
    b.allocs = rounding_locals(r, (const buffer **)b.alloc);
    b.body = r->weight ? round_row(r) : rounding_part(r, group, group);
    return stmt_for(w->mem, FOR_PARALLEL, all, write_int(w, 0), extent, stmt_block(w->mem, &b));
}

rounding rounding_of(const lower_ctx *c, const node *n, const buffer *const *out) {
    rounding r = {.w = {.s = c->exprs, .mem = c->mem, .real = DTYPE_OF(F32)}, .c = c, .n = n};
    r.unit = attr_int_of(n, "unit");
    r.low = attr_int_of(n, "low");
    r.turns = (uint32_t)attr_int_of(n, "turns");
    r.whole = packed_whole_sums(r.turns, r.low);
    r.words = out[0], r.step = out[1], r.sums = out[2];
    r.rank = r.words->rank;
    return r;
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    static const char *const results[] = {ROUNDING_RESULTS};
    operand_list operands = {0};
    if (!operand_buffers(c, n, &operands)) return NULL;
    const buffer **buf = operand_globals(c, &operands, results);
    rounding r = rounding_of(c, n, buf + n->count);
    r.x = buf[0];
    r.weight = n->count > 1 ? buf[1] : NULL;
    r.gated = is_gated(n);
    expr_const_int(r.x->dim[r.rank - 1], &r.size);
    if (r.gated) r.size /= 2;
    return compute_program(c, &operands, buf, parallel_block(&r), NULL, 0);
}

const op op_rx_quantize_int8 = {
    .name = "rx.quantize_int8",
    .doc =
        "Activations as words of four int8 with a step for 32 neighbours, the largest of them 127, and sums of the "
        "integers: float32 times the step, or, where the weight's smallest quant is not 0, int32 times that, or, with "
        "turns and without that, of 256 neighbours bytes and a factor. With a weight, rows are first normed as by "
        "R.nn.rms_norm; with a gate, the activation of a row's first half times its second half is meant.",
    .input = {IN("x", TENSOR, "floats, [..., size] or, with a gate, [..., 2 * size], size a multiple of 32"),
              IN_OPTIONAL("weight", TENSOR, "factors of the norm, [size]")},
    .attr = {ATTR("unit", INT, "32", "how many neighbours each sum is of", .range = "16|32"),
             ATTR("low", INT, "0", "the smallest quant of the weight's format", .range = "[-128, 0]"),
             ATTR("turns", INT, "0", "bits of the weight's quants where pieces take turns in words", .range = "[0, 6]"),
             ATTR("epsilon", FLOAT, "1e-05", "of the norm", .range = "[0, inf)"),
             ATTR("gate", STRING, "\"none\"", "R.nn.… of this name", .range = "none|silu|gelu|gelu_tanh|relu")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,64] | R.rx.quantize_int8(x)", "x=f16[2,n,32] | R.rx.quantize_int8(x, unit=16, low=-32)",
                "x=f32[n,64] w=f32[64] | R.rx.quantize_int8(x, w, epsilon=0.001)",
                "x=f32[n,256] | R.rx.quantize_int8(x, unit=16, low=-32, turns=6)",
                "x=f32[n,512] | R.rx.quantize_int8(x, turns=4)",
                "x=f32[n,128] | R.rx.quantize_int8(x, unit=16, gate=\"silu\")"},
};
