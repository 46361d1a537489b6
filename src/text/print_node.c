// print_node.c - the right-hand sides of graph functions: operands, calls, tuples, constants.
#include "text/printer.h"
#include <string.h>

// R.shape([n, 4]), the spelling that any reader takes.
static void put_shape(printer *p, const node *n) {
    text_put(p->out, "R.shape([");
    for (uint32_t i = 0; i < n->as.shape.rank; i++) {
        if (i) text_put(p->out, ", ");
        put_expr(p, n->as.shape.dim[i]);
    }
    text_put(p->out, "])");
}

static void put_text_call(printer *p, const char *callee, const char *bytes, size_t size) {
    text_format(p->out, "%s(", callee);
    text_put_quoted(p->out, bytes, size);
    text_put_char(p->out, ')');
}

// Bound nodes by name, leaves in place.
static void put_operands(printer *p, const node *const *in, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (i) text_put(p->out, ", ");
        put_operand(p, in[i]);
    }
}

// A tuple of one needs its comma.
static void put_tuple(printer *p, const node *n, bool parentheses) {
    if (!n->count) {
        text_put(p->out, "R.tuple()");
        return;
    }
    parentheses = parentheses || n->count == 1;
    if (parentheses) text_put_char(p->out, '(');
    put_operands(p, n->in, n->count);
    if (n->count == 1) text_put_char(p->out, ',');
    if (parentheses) text_put_char(p->out, ')');
}

static void put_dtype(printer *p, dtype t) {
    char spelled[32];
    text_format(p->out, "R.dtype(\"%s\")", dtype_spell(t, spelled));
}

// Leaves have no name of their own: they are printed wherever they are used.
static void put_leaf(printer *p, const node *n) {
    switch (n->op->form) {
    case FORM_CONSTANT: put_constant(p, n->as.constant); return;
    case FORM_SHAPE: put_shape(p, n); return;
    case FORM_PRIM:
        text_put(p->out, "R.prim_value(");
        put_expr(p, n->as.value);
        text_put_char(p->out, ')');
        return;
    case FORM_STRING: put_text_call(p, "R.str", n->as.text.bytes, n->as.text.size); return;
    case FORM_EXTERN: put_text_call(p, "R.ExternFunc", n->as.text.bytes, n->as.text.size); return;
    case FORM_DTYPE: put_dtype(p, n->as.type); return;
    case FORM_GLOBAL: text_format(p->out, "cls.%s", n->as.text.bytes); return;
    case FORM_TUPLE: put_tuple(p, n, true); return;
    case FORM_ITEM:
        put_operand(p, n->in[0]);
        text_format(p->out, "[%u]", n->as.index);
        return;
    case FORM_OPERATOR:
    case FORM_PARAM:
    case FORM_CLOSURE:
    case FORM_CALL:
    case FORM_IF:
    case FORM_MATCH_CAST:
    case FORM_BIND: break;
    }
    text_put(p->out, n->name ? n->name : n->op->name); // not in scope: only an ill-formed module gets here
}

void put_operand(printer *p, const node *n) {
    const char *name = map_find(&p->nodes, MAP_KEY(n));
    if (name)
        text_put(p->out, name);
    else
        put_leaf(p, n);
}

// --- Calls of operators.
static void separate(printer *p, bool *any) {
    if (*any) text_put(p->out, ", ");
    *any = true;
}

// Functions by name stand as strings where a function is wanted.
static void put_input(printer *p, const node *n, op_input_kind kind) {
    if (kind == INPUT_FUNC && n->op->form == FORM_EXTERN && !map_has(&p->nodes, MAP_KEY(n)))
        text_put_quoted(p->out, n->as.text.bytes, n->as.text.size);
    else
        put_operand(p, n);
}

// tir_vars come last and by name: they may be absent.
static bool by_keyword(const op *o, uint32_t i) {
    return i < op_inputs(o) && strcmp(o->input[i].name, "tir_vars") == 0;
}

static void put_inputs(printer *p, const node *n, bool *any) {
    uint32_t rows = op_inputs(n->op);
    for (uint32_t i = 0; i < n->count; i++) {
        if (by_keyword(n->op, i)) continue;
        separate(p, any);
        put_input(p, n->in[i], n->op->input[i < rows ? i : rows - 1].kind);
    }
}

static bool states_output(const op *o) {
    return text_starts(o->name, "call_tir") || text_starts(o->name, "dist.call_tir") ||
           strcmp(o->name, "call_dps_packed") == 0 || strcmp(o->name, "call_py_func") == 0;
}

// out_sinfo=R.Tensor(..), out_sinfo=[.., ..], sinfo_args=(R.Tensor(..),)
static void put_types(printer *p, const node *n, bool *any) {
    if (!n->type_args || !n->op->type_args) return;
    const ann *type = n->type_arg[0];
    separate(p, any);
    if (!states_output(n->op)) {
        text_put(p->out, "sinfo_args=(");
        put_ann(p, type);
        text_put(p->out, ",)");
        return;
    }
    bool several = type->kind == ANN_TUPLE && type->count != 1;
    text_put(p->out, several ? "out_sinfo=[" : "out_sinfo=");
    if (!several) put_ann(p, type);
    for (uint32_t i = 0; several && i < type->count; i++) {
        if (i) text_put(p->out, ", ");
        put_ann(p, type->field[i]);
    }
    if (several) text_put_char(p->out, ']');
}

// An empty string that is the default says "not given", and TVM reads that alone so.
static bool is_unset(const op_attr *row, const attr *a) {
    return row->preset && strcmp(row->preset, "\"\"") == 0 && a->kind == ATTR_STRING && !a->size;
}

// All attributes, by name: positions differ between versions of TVM.
static void put_attrs(printer *p, const node *n, bool *any) {
    expr_print_options style = graph_style(p);
    for (uint32_t i = 0; i < op_attrs(n->op); i++) {
        if (is_unset(&n->op->attr[i], n->attr[i])) continue;
        separate(p, any);
        text_format(p->out, "%s=", n->op->attr[i].name);
        put_attr(p, n->attr[i], &style);
    }
}

static void put_call(printer *p, const node *n) {
    bool any = false;
    text_format(p->out, "R.%s(", n->op->name);
    put_inputs(p, n, &any);
    if (states_output(n->op)) put_types(p, n, &any);
    put_attrs(p, n, &any);
    if (!states_output(n->op)) put_types(p, n, &any);
    for (uint32_t i = 0; i < n->count; i++) {
        if (!by_keyword(n->op, i)) continue;
        separate(p, &any);
        text_put(p->out, "tir_vars=");
        put_operand(p, n->in[i]);
    }
    text_put_char(p->out, ')');
}

// Closed over the forms of nodes.
void put_value(printer *p, const node *n) {
    switch (n->op->form) {
    case FORM_OPERATOR: put_call(p, n); return;
    case FORM_CALL:
        put_operand(p, n->in[0]);
        text_put_char(p->out, '(');
        put_operands(p, n->in + 1, n->count - 1);
        text_put_char(p->out, ')');
        return;
    case FORM_MATCH_CAST:
        text_put(p->out, "R.match_cast(");
        put_operand(p, n->in[0]);
        text_put(p->out, ", ");
        put_ann(p, n->type_arg[0]);
        text_put_char(p->out, ')');
        return;
    case FORM_BIND: put_operand(p, n->in[0]); return;
    case FORM_TUPLE: put_tuple(p, n, false); return;
    case FORM_CONSTANT:
    case FORM_SHAPE:
    case FORM_PRIM:
    case FORM_STRING:
    case FORM_DTYPE:
    case FORM_ITEM:
    case FORM_GLOBAL:
    case FORM_EXTERN:
    case FORM_PARAM:
    case FORM_CLOSURE:
    case FORM_IF: put_leaf(p, n); return;
    }
}
