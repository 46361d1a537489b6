// unique.c - the builtins whose results have as many elements as the data says: unique and nonzero.
#include "base/size.h"
#include "builtin/runs.h"
#include <stdlib.h>

// All elements in ascending order, equal ones in the order they stand.
typedef struct ordering {
    int64_t *index, *scratch, *key; // one block
    size_t count, distinct;
} ordering;

static rx_status order_elements(builtin_call *c, ordering *o) {
    const tensor *in = c->in[0];
    size_t bytes;
    *o = (ordering){.count = (size_t)tensor_count(in)};
    o->index = size_mul(o->count, 3 * sizeof *o->index, &bytes) ? malloc(bytes ? bytes : 1) : NULL;
    if (!o->index) return builtin_fail(c, RX_OUT_OF_MEMORY, "no memory to sort %zu elements", o->count);
    o->scratch = o->index + o->count;
    o->key = o->scratch + o->count;
    for (size_t i = 0; i < o->count; i++) {
        o->index[i] = (int64_t)i;
        o->key[i] = sort_key(in, i);
    }
    sort_indices(o->index, o->scratch, o->key, o->count, false);
    for (size_t i = 0; i < o->count; i++) o->distinct += i == 0 || o->key[o->index[i]] != o->key[o->index[i - 1]];
    return RX_OK;
}

static bool starts_group(const ordering *o, size_t i) {
    return i == 0 || o->key[o->index[i]] != o->key[o->index[i - 1]];
}

static void put_values(const tensor *in, const ordering *o, tensor *out) {
    for (size_t i = 0, group = 0; i < o->count; i++)
        if (starts_group(o, i))
            dtype_store_bits(in->type, out->data, group++, dtype_load_bits(in->type, in->data, (size_t)o->index[i]));
}

rx_status builtin_unique(builtin_call *c) {
    ordering o;
    RX_TRY(order_elements(c, &o));
    rx_status status = builtin_make(c, 0, c->in[0]->type, 1, &(int64_t){(int64_t)o.distinct});
    if (status == RX_OK) put_values(c->in[0], &o, c->out[0]);
    free(o.index);
    return status;
}

// Makes the four results; releases those it made when one fails.
static rx_status make_all(builtin_call *c, const ordering *o) {
    int64_t distinct = (int64_t)o->distinct, count = (int64_t)o->count;
    rx_status status = builtin_make(c, 0, c->in[0]->type, 1, &distinct);
    for (uint32_t i = 1; status == RX_OK && i < 4; i++) {
        status = builtin_make(c, i, DTYPE_OF(I64), 1, i == 2 ? &count : &distinct);
        for (uint32_t k = 0; status != RX_OK && k < i; k++) tensor_release(c->out[k]);
    }
    return status;
}

rx_status builtin_unique_all(builtin_call *c) {
    ordering o;
    RX_TRY(order_elements(c, &o));
    rx_status status = make_all(c, &o);
    if (status == RX_OK) {
        put_values(c->in[0], &o, c->out[0]);
        int64_t *first = c->out[1]->data, *inverse = c->out[2]->data, *counts = c->out[3]->data;
        size_t group = 0;
        for (size_t i = 0; i < o.count; i++) {
            if (starts_group(&o, i)) {
                first[group] = o.index[i];
                counts[group++] = 0;
            }
            counts[group - 1]++;
            inverse[o.index[i]] = (int64_t)group - 1;
        }
    }
    free(o.index);
    return status;
}

static bool is_nonzero(const tensor *t, size_t i) {
    return dtype_is_float(t->type) ? tensor_get_float(t, i) != 0 : tensor_get_int(t, i) != 0;
}

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
