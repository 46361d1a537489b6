// ops.c - the operators by name.
#include "ops/ops.h"
#include <string.h>

static const op *const all_ops[] = {
#define OP(name) &op_##name,
#include "ops/ops.def"
};

const op *const *op_all(uint32_t *count) {
    *count = COUNT(all_ops);
    return all_ops;
}

const op *op_find(const char *name) {
    for (size_t i = 0; i < COUNT(all_ops); i++)
        if (strcmp(all_ops[i]->name, name) == 0) return all_ops[i];
    return NULL;
}
