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

uint32_t op_attr_row(const op *o, const char *name) {
    uint32_t row = 0, rows = op_attrs(o);
    while (row < rows && strcmp(o->attr[row].name, name) != 0) row++;
    return row;
}

const attr *node_attr(const node *n, const char *name) {
    uint32_t row = op_attr_row(n->op, name);
    CHECK(row < op_attrs(n->op));
    return n->attr[row];
}
