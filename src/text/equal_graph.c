// equal_graph.c - equality of graph functions up to the names of what they bind.
#include "text/equal.h"
#include <string.h>

static bool same_body(matcher *m, const graph_body *a, const graph_body *b);

// Operators made on the fly are equal by their names.
static bool same_op(const op *a, const op *b) {
    if (a == b) return true;
    if (!a->refused || !b->refused || strcmp(a->name, b->name) != 0 || op_attrs(a) != op_attrs(b)) return false;
    for (uint32_t i = 0; i < op_attrs(a); i++)
        if (strcmp(a->attr[i].name, b->attr[i].name) != 0) return false;
    return true;
}

static bool same_constant(const tensor *a, const tensor *b) {
    if (!dtype_equal(a->type, b->type) || a->rank != b->rank || a->bytes != b->bytes) return false;
    for (uint32_t i = 0; i < a->rank; i++)
        if (a->dim[i] != b->dim[i]) return false;
    return memcmp(a->data, b->data, a->bytes) == 0;
}

// What a node holds besides operands, attributes and annotations.
static bool same_leaf(matcher *m, const node *a, const node *b) {
    switch (a->op->form) {
    case FORM_CONSTANT: return same_constant(a->as.constant, b->as.constant);
    case FORM_PRIM: return same_expr(m, a->as.value, b->as.value);
    case FORM_SHAPE:
        return a->as.shape.rank == b->as.shape.rank &&
               same_exprs(m, a->as.shape.dim, b->as.shape.dim, a->as.shape.rank);
    case FORM_STRING:
    case FORM_GLOBAL:
    case FORM_EXTERN:
        return a->as.text.size == b->as.text.size && memcmp(a->as.text.bytes, b->as.text.bytes, a->as.text.size) == 0;
    case FORM_DTYPE: return dtype_equal(a->as.type, b->as.type);
    case FORM_ITEM: return a->as.index == b->as.index;
    case FORM_CLOSURE: return same_graph_func(m, a->as.func, b->as.func);
    case FORM_IF:
        return same_body(m, &a->as.branch[0], &b->as.branch[0]) && same_body(m, &a->as.branch[1], &b->as.branch[1]);
    case FORM_OPERATOR:
    case FORM_PARAM:
    case FORM_TUPLE:
    case FORM_CALL:
    case FORM_MATCH_CAST:
    case FORM_BIND: return true;
    }
    return false;
}

static bool same_operand(matcher *m, const node *a, const node *b);

static bool same_node(matcher *m, const node *a, const node *b) {
    if (!same_op(a->op, b->op)) return differ(m, "the operators");
    if (a->count != b->count) return differ(m, "the numbers of operands");
    if (a->type_args != b->type_args) return differ(m, "the annotations");
    for (uint32_t i = 0; i < a->count; i++)
        if (!same_operand(m, a->in[i], b->in[i])) return differ(m, "the operands");
    for (uint32_t i = 0; i < a->type_args; i++)
        if (!same_ann(m, a->type_arg[i], b->type_arg[i])) return false;
    for (uint32_t i = 0; i < op_attrs(a->op); i++)
        if (!same_attr(m, a->attr[i], b->attr[i])) return false;
    return same_leaf(m, a, b) || differ(m, "the values");
}

static bool same_operand(matcher *m, const node *a, const node *b) {
    if (!a->name != !b->name) return false;
    return a->name ? map_find(&m->to, MAP_KEY(a)) == b && map_find(&m->from, MAP_KEY(b)) == a : same_node(m, a, b);
}

static bool same_binding(matcher *m, const node *a, const node *b) {
    m->at_a = a;
    m->at_b = b;
    if (a->op->form == FORM_CLOSURE) pair_anew(m, a, b); // it may call itself
    if (!same_node(m, a, b) || !same_ann(m, a->type, b->type)) return false;
    pair_anew(m, a, b);
    return true;
}

// --- Blocks. Empty ones do not count.
static const binding_block *skip_empty(const binding_block *b) {
    while (b && !b->len && !b->outputs) b = b->next;
    return b;
}

static bool has_output(const binding_block *b, const node *n) {
    for (uint32_t i = 0; i < b->outputs; i++)
        if (b->output[i] == n) return true;
    return false;
}

static bool same_block(matcher *m, const binding_block *a, const binding_block *b) {
    if (a->dataflow != b->dataflow) return differ(m, "the kinds of block");
    for (uint32_t i = 0; i < a->len && i < b->len; i++)
        if (!same_binding(m, a->bound[i], b->bound[i])) return false;
    if (a->len != b->len) return differ(m, "the numbers of bindings");
    if (a->outputs != b->outputs) return differ(m, "the outputs of the block");
    for (uint32_t i = 0; i < a->outputs; i++)
        if (!has_output(b, map_find(&m->to, MAP_KEY(a->output[i])))) return differ(m, "the outputs of the block");
    return true;
}

static bool same_body(matcher *m, const graph_body *a, const graph_body *b) {
    const binding_block *x = skip_empty(a->first), *y = skip_empty(b->first);
    for (; x && y; x = skip_empty(x->next), y = skip_empty(y->next))
        if (!same_block(m, x, y)) return false;
    if (x || y) return differ(m, "the numbers of blocks");
    m->at_a = a->result;
    m->at_b = b->result;
    return same_operand(m, a->result, b->result) || differ(m, "the results");
}

bool same_graph_func(matcher *m, const graph_func *a, const graph_func *b) {
    m->at_a = a;
    m->at_b = b;
    if (a->params != b->params) return differ(m, "the numbers of parameters");
    if (a->is_private != b->is_private || a->pure != b->pure) return differ(m, "the decorators");
    for (uint32_t i = 0; i < a->params; i++) {
        if (!same_ann(m, a->param[i]->type, b->param[i]->type)) return false;
        pair_anew(m, a->param[i], b->param[i]);
    }
    if (a->attrs && b->attrs) {
        m->at_a = a->attrs;
        m->at_b = b->attrs;
    }
    if (!same_attr(m, a->attrs, b->attrs) || !same_body(m, &a->body, &b->body)) return false;
    m->at_a = a; // the body says more about a difference than the type that follows from it
    m->at_b = b;
    return same_ann(m, a->result_type, b->result_type);
}
