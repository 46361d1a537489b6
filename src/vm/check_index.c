// check_index.c - which index is out of range, once a kernel that looks at indices has found that one is.
#include "vm/check_index.h"
#include "tensor/index_range.h"
#include <stdio.h>
#include <string.h>

// Each index is compared again, with the extent for its place along the last dim, until the wrong one comes.
void vm_say_index(rx_context *c, const exec_kernel *k, const char *sentence, const tensor *t, char *out, size_t room) {
    enum { SCALARS = 64 }; // with more of them the sentence is told without numbers
    const char *what = strstr(sentence, INDEX_SENTENCE);
    int64_t slot[SCALARS + 1], most;
    char why[INDEX_RANGE_WHY];
    snprintf(out, room, "%s", sentence);
    if (!t || !dtype_is_int(t->type) || k->scalars > SCALARS) return;
    if (k->scalars) memcpy(slot, c->scalar, k->scalars * sizeof *slot);
    int64_t count = tensor_count(t), last = t->rank ? t->dim[t->rank - 1] : 1;
    for (int64_t i = 0; i < count; i++) {
        slot[k->scalars] = i % last;
        if (vm_eval(c, k->extent - 1, slot, &most) != RX_OK || most < 0) return;
        if (index_in_range(t, i, most)) continue;
        snprintf(out, room, "%.*s%s", (int)(what - sentence), sentence, index_out_of_range(t, i, most, why));
        return;
    }
}
