// index_range.c - the one rule and the one sentence for interpreted and compiled modules.
#include "tensor/index_range.h"
#include <inttypes.h>
#include <stdio.h>

static bool has_sign(const tensor *t) { return dtype_family_of(t->type) == FAMILY_INT; }

bool index_in_range(const tensor *t, int64_t k, int64_t extent) {
    int64_t index = tensor_get_int(t, (size_t)k);
    return index < extent && index >= (has_sign(t) ? -extent : 0);
}

const char *index_out_of_range(const tensor *t, int64_t k, int64_t extent, char out[INDEX_RANGE_WHY]) {
    int64_t index = tensor_get_int(t, (size_t)k);
    if (has_sign(t))
        snprintf(out, INDEX_RANGE_WHY,
                 "element %" PRId64 " is %" PRId64 ", out of range: want -%" PRId64 " <= index < %" PRId64, k, index,
                 extent, extent);
    else
        snprintf(out, INDEX_RANGE_WHY, "element %" PRId64 " is %" PRIu64 ", out of range: want index < %" PRId64, k,
                 (uint64_t)index, extent);
    return out;
}
