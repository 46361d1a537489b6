// sort.c - sort, argsort and top-k along an axis.
#include "base/count_noun.h"
#include "base/size.h"
#include "builtin/runs.h"
#include <stdlib.h>
#include <string.h>

// A double's bits as an integer of the same order: negative numbers count down from below zero.
// All NaNs are one value, and so are both zeros: comparing keys is a total order.
static int64_t ordered(double x) {
    int64_t bits;
    if (x != x) return INT64_MAX;
    if (x == 0) return 0;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

// For uint64 the top bit is flipped, which maps its order onto that of int64.
int64_t sort_key(const tensor *t, size_t index) {
    if (dtype_is_float(t->type)) return ordered(tensor_get_float(t, index));
    int64_t x = tensor_get_int(t, index);
    return t->type.kind == DTYPE_U64 ? (int64_t)((uint64_t)x ^ UINT64_C(1) << 63) : x;
}

int compare_rows(const sort_rows *rows, int64_t a, int64_t b) {
    const slices *s = &rows->s;
    for (size_t outer = 0; outer < s->outer; outer++) {
        const int64_t *x = rows->key + (outer * s->extent + (size_t)a) * s->inner;
        const int64_t *y = rows->key + (outer * s->extent + (size_t)b) * s->inner;
        for (size_t i = 0; i < s->inner; i++)
            if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    }
    return 0;
}

// Single keys, the common case, are compared without loops.
static bool comes_before(const sort_rows *rows, int64_t a, int64_t b, bool descending) {
    bool single = rows->s.outer == 1 && rows->s.inner == 1;
    if (single) return descending ? rows->key[a] > rows->key[b] : rows->key[a] < rows->key[b];
    int order = compare_rows(rows, a, b);
    return descending ? order > 0 : order < 0;
}

// The second run gives way on equal keys: that keeps the order of equal elements.
static void merge(const int64_t *from, size_t left, size_t middle, size_t right, int64_t *to, const sort_rows *rows,
                  bool descending) {
    size_t a = left, b = middle;
    for (size_t i = left; i < right; i++) {
        bool second = a == middle || (b < right && comes_before(rows, from[b], from[a], descending));
        to[i] = second ? from[b++] : from[a++];
    }
}

// Bottom-up merge sort: no recursion, the same work whatever the data, and stable.
void sort_by_rows(int64_t *index, int64_t *scratch, const sort_rows *rows, size_t count, bool descending) {
    int64_t *from = index, *to = scratch;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t left = 0; left < count; left += 2 * width) {
            size_t middle = count - left > width ? left + width : count;
            size_t right = count - middle > width ? middle + width : count;
            merge(from, left, middle, right, to, rows, descending);
        }
        int64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != index) memcpy(index, from, count * sizeof *index);
}

void sort_indices(int64_t *index, int64_t *scratch, const int64_t *key, size_t count, bool descending) {
    const sort_rows rows = {.s = {1, count, 1}, .key = key};
    sort_by_rows(index, scratch, &rows, count, descending);
}

rx_status split_axis(builtin_call *c, const tensor *t, int64_t axis, slices *out) {
    int64_t given = axis;
    if (axis < 0) axis += t->rank;
    if (axis < 0 || axis >= t->rank)
        return builtin_fail(c, RX_INVALID_ARGUMENT, "axis %lld of a tensor with %s", (long long)given,
                            COUNTED(t->rank, "dim"));
    *out = (slices){1, (size_t)t->dim[axis], 1};
    for (int64_t i = 0; i < axis; i++) out->outer *= (size_t)t->dim[i];
    for (uint32_t i = (uint32_t)axis + 1; i < t->rank; i++) out->inner *= (size_t)t->dim[i];
    return RX_OK;
}

// Whether an output is as the input but for the extent of the axis.
static bool same_but(const tensor *in, const tensor *out, int64_t axis) {
    if (in->rank != out->rank) return false;
    if (axis < 0) axis += in->rank;
    for (uint32_t i = 0; i < in->rank; i++)
        if (i != axis && in->dim[i] != out->dim[i]) return false;
    return true;
}

// As the operators allow; other widths would have to be checked for overflow.
static bool is_index(dtype t) { return t.kind == DTYPE_I32 || t.kind == DTYPE_I64; }

// Where sorted elements go: values and indices, either may be NULL; `keep` of each slice.
typedef struct sorted_out {
    tensor *values, *indices;
    size_t keep;
} sorted_out;

// The compiler made the outputs; whoever calls by hand gets a sentence instead of a write past their end.
static rx_status check_outputs(builtin_call *c, const slices *s, const sorted_out *o) {
    const tensor *in = c->in[0];
    if (o->values && (!dtype_equal(o->values->type, in->type) || !same_but(in, o->values, c->arg[0])))
        return builtin_fail(c, RX_SHAPE_MISMATCH, "the values must have the input's dtype and shape but for the axis");
    if (o->indices && (!is_index(o->indices->type) || !same_but(in, o->indices, c->arg[0])))
        return builtin_fail(c, RX_SHAPE_MISMATCH,
                            "the indices must be int32 or int64, shaped as the input but for the axis");
    if (o->keep > s->extent)
        return builtin_fail(c, RX_SHAPE_MISMATCH, "%zu of %zu elements are wanted", o->keep, s->extent);
    return RX_OK;
}

// Values move by their bits: no rounding on the way, whatever the dtype.
static void put_slice(const tensor *in, const slices *s, size_t outer, size_t inner, const int64_t *index,
                      sorted_out *o) {
    for (size_t k = 0; k < o->keep; k++) {
        size_t to = (outer * o->keep + k) * s->inner + inner,
               from = (outer * s->extent + (size_t)index[k]) * s->inner + inner;
        if (o->values) dtype_store_bits(in->type, o->values->data, to, dtype_load_bits(in->type, in->data, from));
        if (o->indices) tensor_set_int(o->indices, to, index[k]);
    }
}

// Keys are computed once per slice: comparing integers is many times faster than decoding floats again and again.
static rx_status sort_slices(builtin_call *c, const slices *s, bool descending, sorted_out *o) {
    const tensor *in = c->in[0];
    size_t bytes;
    RX_TRY(check_outputs(c, s, o));
    if (!s->outer || !s->inner || !o->keep) return RX_OK;
    int64_t *room = size_mul(s->extent, 3 * sizeof *room, &bytes) ? malloc(bytes) : NULL;
    if (!room) return builtin_fail(c, RX_OUT_OF_MEMORY, "no memory to sort %s", COUNTED(s->extent, "element"));
    int64_t *index = room, *scratch = room + s->extent, *key = scratch + s->extent;
    for (size_t outer = 0; outer < s->outer; outer++) {
        for (size_t inner = 0; inner < s->inner; inner++) {
            for (size_t i = 0; i < s->extent; i++) {
                index[i] = (int64_t)i;
                key[i] = sort_key(in, (outer * s->extent + i) * s->inner + inner);
            }
            sort_indices(index, scratch, key, s->extent, descending);
            put_slice(in, s, outer, inner, index, o);
        }
    }
    free(room);
    return RX_OK;
}

// 0 for an output that is not wanted and for an axis that is out of range, which is reported elsewhere.
static size_t extent_of(const tensor *t, int64_t axis) {
    if (!t) return 0;
    if (axis < 0) axis += t->rank;
    return axis >= 0 && axis < t->rank ? (size_t)t->dim[axis] : 0;
}

static rx_status fail_no_output(builtin_call *c) { return builtin_fail(c, RX_INVALID_ARGUMENT, "no output is given"); }

// arg: axis, descending.
rx_status builtin_sort(builtin_call *c) {
    slices s;
    if (!c->out[0]) return fail_no_output(c);
    RX_TRY(split_axis(c, c->in[0], c->arg[0], &s));
    sorted_out o = {.values = c->out[0], .keep = extent_of(c->out[0], c->arg[0])};
    return sort_slices(c, &s, c->arg[1] != 0, &o);
}

// arg: axis, descending. Equal elements keep their order, so results are the same everywhere.
rx_status builtin_argsort(builtin_call *c) {
    slices s;
    if (!c->out[0]) return fail_no_output(c);
    RX_TRY(split_axis(c, c->in[0], c->arg[0], &s));
    sorted_out o = {.indices = c->out[0], .keep = extent_of(c->out[0], c->arg[0])};
    return sort_slices(c, &s, c->arg[1] != 0, &o);
}

// arg: axis, largest first. Sorts whole slices: k is rarely much smaller than a slice.
rx_status builtin_topk(builtin_call *c) {
    slices s;
    const tensor *any = c->out[0] ? c->out[0] : c->out[1];
    if (!any) return fail_no_output(c);
    RX_TRY(split_axis(c, c->in[0], c->arg[0], &s));
    sorted_out o = {.values = c->out[0], .indices = c->out[1], .keep = extent_of(any, c->arg[0])};
    if (c->out[1] && extent_of(c->out[1], c->arg[0]) != o.keep)
        return builtin_fail(c, RX_SHAPE_MISMATCH, "values and indices have different extents");
    return sort_slices(c, &s, c->arg[1] != 0, &o);
}
