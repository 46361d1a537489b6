// median.c - the middle element over some axes: the lower one of two, by sorting each row once.
#include "base/count_noun.h"
#include "base/size.h"
#include "builtin/runs.h"
#include <math.h>
#include <stdlib.h>

// The tensor's axes in two groups: those that stay, and those that a row runs over.
typedef struct axis_group {
    uint32_t count;
    int64_t dim[TENSOR_MAX_RANK], stride[TENSOR_MAX_RANK];
    size_t size; // product of the dims
} axis_group;

static void split_axes(const tensor *t, int64_t mask, axis_group *kept, axis_group *row) {
    int64_t stride = 1;
    *kept = *row = (axis_group){.size = 1};
    for (uint32_t i = t->rank; i-- > 0; stride *= t->dim[i]) {
        axis_group *g = mask >> i & 1 ? row : kept;
        g->dim[g->count] = t->dim[i]; // innermost first
        g->stride[g->count++] = stride;
        g->size *= (size_t)t->dim[i];
    }
}

// Where element i of the group begins, counted in row-major order.
static size_t offset(const axis_group *g, size_t i) {
    size_t at = 0;
    for (uint32_t k = 0; k < g->count; k++) {
        at += i % (size_t)g->dim[k] * (size_t)g->stride[k];
        i /= (size_t)g->dim[k];
    }
    return at;
}

// The middle of no elements is a NaN, or 0 where there is none.
static void put_middle(builtin_call *c, size_t out, const axis_group *row, size_t begin, const int64_t *index) {
    const tensor *x = c->in[0];
    size_t place = row->size ? (size_t)index[(row->size - 1) / 2] : 0;
    if (row->size)
        dtype_store_bits(x->type, c->out[0]->data, out, dtype_load_bits(x->type, x->data, begin + offset(row, place)));
    else if (dtype_is_float(x->type))
        tensor_set_float(c->out[0], out, (double)NAN);
    else
        tensor_set_int(c->out[0], out, 0);
    if (c->out[1]) tensor_set_int(c->out[1], out, (int64_t)place);
}

// arg: a bit per axis that is reduced. n log n per row: simpler than selection, and NaNs sort as everywhere.
rx_status builtin_median(builtin_call *c) {
    const tensor *x = c->in[0];
    axis_group kept, row;
    size_t bytes;
    split_axes(x, c->arg[0], &kept, &row);
    if (!c->out[0] || !dtype_equal(c->out[0]->type, x->type) || tensor_count(c->out[0]) != (int64_t)kept.size)
        return builtin_fail(c, RX_SHAPE_MISMATCH, "want %s of the input's dtype", COUNTED(kept.size, "value"));
    if (c->out[1] && tensor_count(c->out[1]) != (int64_t)kept.size)
        return builtin_fail(c, RX_SHAPE_MISMATCH, "want %zu places", kept.size);
    int64_t *room = size_mul(row.size + 1, 3 * sizeof *room, &bytes) ? malloc(bytes) : NULL;
    if (!room) return builtin_fail(c, RX_OUT_OF_MEMORY, "no memory to sort %s", COUNTED(row.size, "element"));
    int64_t *index = room, *scratch = index + row.size, *key = scratch + row.size;
    for (size_t i = 0; i < kept.size; i++) {
        size_t begin = offset(&kept, i);
        for (size_t k = 0; k < row.size; k++) {
            index[k] = (int64_t)k;
            key[k] = sort_key(x, begin + offset(&row, k));
        }
        sort_indices(index, scratch, key, row.size, false);
        put_middle(c, i, &row, begin, index);
    }
    free(room);
    return RX_OK;
}
