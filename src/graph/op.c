// op.c - questions about operator descriptors.
#include "graph/op.h"
#include <string.h>

uint32_t op_inputs(const op *o) {
    uint32_t n = 0;
    while (n < OP_MAX_INPUTS && o->input[n].name) n++;
    return n;
}

uint32_t op_min_inputs(const op *o) {
    uint32_t n = op_inputs(o);
    while (n && o->input[n - 1].optional) n--;
    return n;
}

uint32_t op_attrs(const op *o) {
    uint32_t n = 0;
    while (n < OP_MAX_ATTRS && o->attr[n].name) n++;
    return n;
}

const attr *node_attr(const node *n, const char *name) {
    uint32_t count = op_attrs(n->op);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(n->op->attr[i].name, name) == 0) return n->attr[i];
    check_failed("the attribute is in the operator's table", __FILE__, __LINE__);
}
