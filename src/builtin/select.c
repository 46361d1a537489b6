// select.c - nonzero, and slices whose places are data.
#include "base/count_noun.h"
#include "base/size.h"
#include "builtin/runs.h"

// NaN is not zero, as in NumPy.
static bool is_nonzero(const tensor *t, size_t i) {
    return dtype_is_float(t->type) ? tensor_get_float(t, i) != 0 : tensor_get_int(t, i) != 0;
}

// Two passes: the first counts, so that the result has its size before it is filled.
rx_status builtin_nonzero(builtin_call *c) {
    const tensor *in = c->in[0];
    int64_t count = tensor_count(in), found = 0, column = 0;
    for (int64_t i = 0; i < count; i++) found += is_nonzero(in, (size_t)i);
    RX_TRY(builtin_make(c, 0, DTYPE_OF(I64), 2, (int64_t[]){in->rank, found}));
    int64_t *out = c->out[0]->data;
    for (int64_t i = 0; i < count; i++) {
        if (!is_nonzero(in, (size_t)i)) continue;
        int64_t rest = i;
        for (uint32_t d = in->rank; d-- > 0; rest /= in->dim[d]) out[d * found + column] = rest % in->dim[d];
        column++;
    }
    return RX_OK;
}

// One dim of a slice: count places from start on, step apart.
typedef struct cut {
    int64_t start, step, count;
} cut;

// A place by Python's rules: from the end if negative, then moved into [low, high].
static int64_t place(int64_t x, int64_t extent, int64_t low, int64_t high) {
    if (x < 0) x = x < -extent ? low : x + extent;
    return x < low ? low : x > high ? high : x;
}

// As slice.indices does in Python.
static cut cut_dim(int64_t extent, int64_t begin, int64_t end, int64_t step) {
    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? extent : extent - 1;
    int64_t start = place(begin, extent, low, high), stop = place(end, extent, low, high);
    int64_t length = step > 0 ? stop - start : start - stop;
    // The step's size minus one, which fits for the smallest step too.
    uint64_t size = step > 0 ? (uint64_t)step : (uint64_t)0 - (uint64_t)step;
    return (cut){start, step, length > 0 ? (int64_t)(((uint64_t)length - 1) / size) + 1 : 0};
}

static rx_status read_cuts(builtin_call *c, cut *out) {
    const tensor *x = c->in[0];
    for (int i = 1; i < 4; i++)
        if (c->in[i]->type.kind != DTYPE_I64 || c->in[i]->rank != 1 || c->in[i]->dim[0] != x->rank)
            return builtin_fail(c, RX_SHAPE_MISMATCH, "begin, end and strides: want int64 tensors of %s",
                                COUNTED(x->rank, "element"));
    for (uint32_t d = 0; d < x->rank; d++) {
        int64_t step = tensor_get_int(c->in[3], d);
        if (!step) return builtin_fail(c, RX_INVALID_ARGUMENT, "the stride of dim %u is 0", d);
        out[d] = cut_dim(x->dim[d], tensor_get_int(c->in[1], d), tensor_get_int(c->in[2], d), step);
    }
    return RX_OK;
}

// Element by element in the order of the result; indices count like an odometer.
static void copy_cuts(const tensor *x, const cut *k, tensor *out) {
    int64_t index[TENSOR_MAX_RANK] = {0}, count = tensor_count(out);
    for (int64_t i = 0; i < count; i++) {
        int64_t from = 0;
        for (uint32_t d = 0; d < x->rank; d++) from = from * x->dim[d] + k[d].start + index[d] * k[d].step;
        dtype_store_bits(x->type, out->data, (size_t)i, dtype_load_bits(x->type, x->data, (size_t)from));
        for (uint32_t d = x->rank; d-- > 0; index[d] = 0)
            if (++index[d] < k[d].count) break;
    }
}

rx_status builtin_dynamic_strided_slice(builtin_call *c) {
    cut k[TENSOR_MAX_RANK];
    int64_t dim[TENSOR_MAX_RANK];
    RX_TRY(read_cuts(c, k));
    for (uint32_t d = 0; d < c->in[0]->rank; d++) dim[d] = k[d].count;
    RX_TRY(builtin_make(c, 0, c->in[0]->type, c->in[0]->rank, dim));
    copy_cuts(c->in[0], k, c->out[0]);
    return RX_OK;
}
