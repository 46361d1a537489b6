// unique.c - unique: the distinct elements of a tensor, or its distinct slices along an axis.
#include "base/count_noun.h"
#include "base/size.h"
#include "builtin/runs.h"
#include <stdlib.h>

enum { WANT_INDEX, WANT_INVERSE, WANT_COUNTS, WANT_AXIS };

// The slices in order, equal ones in the order they stand.
typedef struct ordering {
    slices s;
    int64_t *key; // one per element of the tensor
    int64_t *index, *scratch;
    size_t distinct;
} ordering;

// Whether place i of the order holds something other than the place before.
static bool starts_group(const ordering *o, size_t i) {
    const sort_rows rows = {o->s, o->key};
    return i == 0 || compare_rows(&rows, o->index[i - 1], o->index[i]) != 0;
}

static void order(const tensor *in, ordering *o) {
    size_t elements = o->s.outer * o->s.extent * o->s.inner;
    for (size_t i = 0; i < elements; i++) o->key[i] = sort_key(in, i);
    for (size_t i = 0; i < o->s.extent; i++) o->index[i] = (int64_t)i;
    const sort_rows rows = {o->s, o->key};
    sort_by_rows(o->index, o->scratch, &rows, o->s.extent, false);
    for (size_t i = 0; i < o->s.extent; i++) o->distinct += starts_group(o, i);
}

// Which dims make the elements: all (flat), or one axis.
static rx_status choose_slices(builtin_call *c, slices *out) {
    *out = (slices){1, (size_t)tensor_count(c->in[0]), 1};
    return c->arg[WANT_AXIS] == INT64_MIN ? RX_OK : split_axis(c, c->in[0], c->arg[WANT_AXIS], out);
}

// One block for keys, order and scratch.
static rx_status reserve(builtin_call *c, ordering *o) {
    size_t count, bytes;
    bool fits = size_mul(o->s.extent, 2, &count) && size_add(count, (size_t)tensor_count(c->in[0]), &count) &&
                size_mul(count, sizeof(int64_t), &bytes);
    o->key = fits ? malloc(bytes ? bytes : 1) : NULL;
    if (!o->key) return builtin_fail(c, RX_OUT_OF_MEMORY, "no memory to sort %s", COUNTED(o->s.extent, "element"));
    o->index = o->key + tensor_count(c->in[0]);
    o->scratch = o->index + o->s.extent;
    return RX_OK;
}

static rx_status make_values(builtin_call *c, const ordering *o) {
    int64_t dim[TENSOR_MAX_RANK], distinct = (int64_t)o->distinct, axis = c->arg[WANT_AXIS];
    const tensor *in = c->in[0];
    if (axis == INT64_MIN) return builtin_make(c, 0, in->type, 1, &distinct);
    for (uint32_t i = 0; i < in->rank; i++) dim[i] = in->dim[i];
    dim[axis < 0 ? axis + in->rank : axis] = distinct;
    return builtin_make(c, 0, in->type, in->rank, dim);
}

// All that were asked for; releases those it made when one fails.
static rx_status make_outputs(builtin_call *c, const ordering *o) {
    int64_t distinct = (int64_t)o->distinct, extent = (int64_t)o->s.extent;
    rx_status status = make_values(c, o);
    for (uint32_t i = 0; status == RX_OK && i < WANT_AXIS; i++)
        if (c->arg[i]) status = builtin_make(c, i + 1, DTYPE_OF(I64), 1, i == WANT_INVERSE ? &extent : &distinct);
    for (uint32_t i = 0; status != RX_OK && i < BUILTIN_MAX_OUT; i++) {
        tensor_release(c->out[i]);
        c->out[i] = NULL;
    }
    return status;
}

static void put_slice(const tensor *in, const ordering *o, tensor *out, size_t from, size_t to) {
    for (size_t outer = 0; outer < o->s.outer; outer++)
        for (size_t i = 0; i < o->s.inner; i++)
            dtype_store_bits(in->type, out->data, (outer * o->distinct + to) * o->s.inner + i,
                             dtype_load_bits(in->type, in->data, (outer * o->s.extent + from) * o->s.inner + i));
}

// Walks the groups of equal slices in order; the first of each group is the one that stood first in the input.
static void fill_outputs(builtin_call *c, const ordering *o) {
    int64_t *first = c->out[1] ? c->out[1]->data : NULL, *inverse = c->out[2] ? c->out[2]->data : NULL;
    int64_t *counts = c->out[3] ? c->out[3]->data : NULL;
    size_t group = 0;
    for (size_t i = 0; i < o->s.extent; i++) {
        if (starts_group(o, i)) {
            put_slice(c->in[0], o, c->out[0], (size_t)o->index[i], group);
            if (first) first[group] = o->index[i];
            if (counts) counts[group] = 0;
            group++;
        }
        if (inverse) inverse[o->index[i]] = (int64_t)group - 1;
        if (counts) counts[group - 1]++;
    }
}

rx_status builtin_unique(builtin_call *c) {
    ordering o = {0};
    for (uint32_t i = 0; i < BUILTIN_MAX_OUT; i++) c->out[i] = NULL;
    RX_TRY(choose_slices(c, &o.s));
    RX_TRY(reserve(c, &o));
    order(c->in[0], &o);
    rx_status status = make_outputs(c, &o);
    if (status == RX_OK) fill_outputs(c, &o);
    free(o.key);
    return status;
}
