// print_graph.c - graph functions: signatures, symbols, blocks, branches, closures.
#include "text/printer.h"
#include <string.h>

static void print_body(printer *p, const graph_body *body);

// --- Symbols get their line before they are first seen: n = T.int64().
// Symbols get a line n = T.int64() before their first use, once per function.
static void define_symbol(printer *p, const expr *var) {
    char type[32];
    if (map_has(&p->vars, MAP_KEY(var))) return;
    const char *name = define_var(p, var);
    line_begin(p, NULL);
    text_format(p->out, "%s = T.%s(%s)", name, dtype_spell(var->type, type),
                var->as.var->size ? "is_size_var=True" : "");
    line_end(p);
}

// In order of first appearance, so that the same module always prints the same.
static void define_in_expr(printer *p, const expr *e) {
    expr_list vars = {0};
    if (e->op == EXPR_INT) return;
    if (e->op == EXPR_VAR) {
        define_symbol(p, e);
        return;
    }
    expr_free_vars(e, p->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) define_symbol(p, vars.at[i]);
}

static void define_in_ann(printer *p, const ann *a) {
    if (a->kind == ANN_OBJECT) return;
    expr_list vars = {0};
    for (int32_t i = 0; a->dim && i < a->rank; i++) define_in_expr(p, a->dim[i]);
    if (a->kind != ANN_TUPLE && a->kind != ANN_CALLABLE && a->kind != ANN_PRIM) return;
    ann_free_vars(a, p->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) define_symbol(p, vars.at[i]);
}

// Attributes of calls may hold dims, too.
static void define_in_attr(printer *p, const attr *a) {
    if (a->kind == ATTR_EXPR) define_in_expr(p, a->as.e);
    if (a->kind == ATTR_LIST || a->kind == ATTR_DICT)
        for (uint32_t i = 0; i < a->count; i++) define_in_attr(p, a->list[i]);
}

// The symbols that stand in a leaf.
static void define_in_leaf(printer *p, const node *n) {
    if (n->op->form == FORM_PRIM) define_in_expr(p, n->as.value);
    for (uint32_t i = 0; n->op->form == FORM_SHAPE && i < n->as.shape.rank; i++) define_in_expr(p, n->as.shape.dim[i]);
    for (uint32_t i = 0; i < n->count; i++)
        if (!n->in[i]->name) define_in_leaf(p, n->in[i]);
}

// The symbols that stand in a binding: its annotation, its attributes, the leaves it uses.
static void define_in_node(printer *p, const node *n) {
    define_in_ann(p, n->type);
    for (uint32_t i = 0; i < n->type_args; i++) define_in_ann(p, n->type_arg[i]);
    for (uint32_t i = 0; i < op_attrs(n->op); i++) define_in_attr(p, n->attr[i]);
    define_in_leaf(p, n);
}

// --- Bindings.
static bool is_nothing(const ann *a) { return a->kind == ANN_TUPLE && a->count == 0; }

static bool is_statement(const printer *p, const node *n) {
    return strcmp(n->name, "_") == 0 && is_nothing(n->type) && (n->owner != p->func || !p->uses[n->id]);
}

// Calls of programs state their result once, as out_sinfo.
static bool states_itself(const node *n) {
    bool program = strcmp(n->op->name, "call_tir") == 0 || strcmp(n->op->name, "call_dps_packed") == 0;
    return program && n->type_args && n->type == n->type_arg[0];
}

// What an operator without a meaning here gives is unknown, not "any object", unless the text states it.
static bool is_unknown(const node *n) { return n->op->refused && !n->written && n->type->kind == ANN_OBJECT; }

// The annotation is printed where it says something: TVM prints it nearly always.
static void put_name_and_type(printer *p, const node *n) {
    text_put(p->out, define_node(p, n));
    if (!states_itself(n) && !is_unknown(n)) {
        text_put(p->out, ": ");
        put_ann(p, n->type);
    }
    text_put(p->out, " = ");
}

// TVM's planner reuses in one branch what the other one made; such a variable is announced by its annotation.
static void announce(printer *p, const node *n) {
    const char *name = map_find(&p->hidden, MAP_KEY(n));
    if (!name || map_find(&p->nodes, MAP_KEY(n))) return;
    line_begin(p, NULL);
    text_put(p->out, name);
    text_put(p->out, ": ");
    put_ann(p, n->type);
    line_end(p);
    map_put(&p->nodes, MAP_KEY(n), (void *)(uintptr_t)name);
    VEC_PUSH(p->mem, &p->shown, n);
}

static void print_if(printer *p, const node *n);
static void print_closure(printer *p, const node *n);

static void print_binding(printer *p, const node *n) {
    for (uint32_t i = 0; p->hidden.len && i < n->count; i++) announce(p, n->in[i]);
    if (n->op->form == FORM_IF) {
        print_if(p, n);
        return;
    }
    if (n->op->form == FORM_CLOSURE) {
        print_closure(p, n);
        return;
    }
    line_begin(p, n);
    if (!is_statement(p, n)) put_name_and_type(p, n);
    put_value(p, n);
    line_end_at(p, n->at);
}

// In the order in which they were bound.
static void print_outputs(printer *p, const binding_block *b) {
    line_begin(p, NULL);
    text_put(p->out, "R.output(");
    for (uint32_t i = 0; i < b->outputs; i++) {
        if (i) text_put(p->out, ", ");
        put_operand(p, b->output[i]);
    }
    text_put_char(p->out, ')');
    line_end(p);
}

static void print_dataflow(printer *p, const binding_block *b) {
    for (uint32_t i = 0; i < b->len; i++) define_in_node(p, b->bound[i]);
    line(p, "with R.dataflow():");
    p->indent++;
    for (uint32_t i = 0; i < b->len; i++) print_binding(p, b->bound[i]);
    print_outputs(p, b);
    p->indent--;
}

// A plain block has no line of its own.
static void print_block(printer *p, const binding_block *b) {
    if (!b->len && !b->outputs) return;
    if (b->dataflow) {
        print_dataflow(p, b);
        return;
    }
    for (uint32_t i = 0; i < b->len; i++) {
        define_in_node(p, b->bound[i]);
        print_binding(p, b->bound[i]);
    }
}

// --- Branches. Names of one are free in the other.
// The last binding takes the name of the `if`, for that is how the reader finds the branch's value.
static void print_branch(printer *p, const char *name, const graph_body *body) {
    uint32_t names = names_mark(&p->names), shown = p->shown.len;
    p->indent++;
    for (const binding_block *b = body->first; b; b = b->next) print_block(p, b);
    define_in_node(p, body->result);
    line_begin(p, NULL);
    text_format(p->out, "%s: ", name);
    put_ann(p, body->result->type);
    text_put(p->out, " = ");
    put_operand(p, body->result);
    line_end(p);
    p->indent--;
    while (p->shown.len > shown) {
        const node *n = p->shown.at[--p->shown.len];
        map_put(&p->hidden, MAP_KEY(n), map_find(&p->nodes, MAP_KEY(n)));
        map_put(&p->nodes, MAP_KEY(n), NULL);
    }
    names_leave(&p->names, names);
}

static void print_if(printer *p, const node *n) {
    const char *name = names_define(&p->names, n->name);
    line_begin(p, n);
    text_put(p->out, "if ");
    put_operand(p, n->in[0]);
    text_put_char(p->out, ':');
    line_end_at(p, n->at);
    print_branch(p, name, &n->as.branch[0]);
    line(p, "else:");
    print_branch(p, name, &n->as.branch[1]);
    map_put(&p->nodes, MAP_KEY(n), (void *)(uintptr_t)name);
    VEC_PUSH(p->mem, &p->shown, n);
}

// --- Functions.
static void put_signature_ann(printer *p, const ann *a, const map *own) {
    expr_print_options style = graph_style(p);
    ann_print_as(p->out, a, &(ann_print_options){.exprs = &style, .quote = own, .node_names = &p->nodes});
}

// The symbols of the signature that nothing outside defines; they get names here and their lines in the body.
static void collect_own(printer *p, const graph_func *f, map *own, expr_list *vars) {
    expr_list all = {0};
    for (uint32_t i = 0; i < f->params; i++) ann_free_vars(f->param[i]->type, p->mem, &all);
    if (f->result_type) ann_free_vars(f->result_type, p->mem, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        if (map_has(&p->vars, MAP_KEY(all.at[i]))) continue;
        map_put(own, MAP_KEY(all.at[i]), p);
        VEC_PUSH(p->mem, vars, all.at[i]);
        define_var(p, all.at[i]);
    }
}

static void print_decorator(printer *p, const graph_func *f) {
    line_begin(p, NULL);
    text_put(p->out, "@R.function");
    if (f->is_private || !f->pure)
        text_format(p->out, "(%s%s%s)", f->is_private ? "private=True" : "", f->is_private && !f->pure ? ", " : "",
                    f->pure ? "" : "pure=False");
    line_end(p);
}

// Dims of parameters are quoted: their symbols are defined nowhere else.
static void print_signature(printer *p, const graph_func *f, const char *name, const map *own) {
    print_decorator(p, f);
    line_begin(p, f);
    text_format(p->out, "def %s(", name);
    for (uint32_t i = 0; i < f->params; i++) {
        if (i) text_put(p->out, ", ");
        text_format(p->out, "%s: ", define_node(p, f->param[i]));
        put_signature_ann(p, f->param[i]->type, own);
    }
    text_put_char(p->out, ')');
    if (f->result_type && (f->result_written || f->result_type->kind != ANN_OBJECT)) {
        text_put(p->out, " -> ");
        put_signature_ann(p, f->result_type, own);
    }
    text_put_char(p->out, ':');
    line_end_at(p, f->at);
}

static bool operand_uses_module(const node *n) {
    if (n->op->form == FORM_GLOBAL) return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (!n->in[i]->name && operand_uses_module(n->in[i])) return true;
    return false;
}

// cls = Module is printed only where something is called by it.
static bool body_uses_module(const graph_body *body) {
    for (const binding_block *b = body->first; b; b = b->next)
        for (uint32_t i = 0; i < b->len; i++) {
            const node *n = b->bound[i];
            if (operand_uses_module(n)) return true;
            if (n->op->form == FORM_CLOSURE && body_uses_module(&n->as.func->body)) return true;
            if (n->op->form == FORM_IF && (body_uses_module(&n->as.branch[0]) || body_uses_module(&n->as.branch[1])))
                return true;
        }
    return body->result && !body->result->name && operand_uses_module(body->result);
}

// Empty dictionaries are not printed: reading none gives the same.
static void print_func_attrs(printer *p, const attr *attrs) {
    expr_print_options style = graph_style(p);
    if (attrs && attrs->count) print_attr_call(p, "R.func_attr", attrs, &style);
}

static void print_body(printer *p, const graph_body *body) {
    for (const binding_block *b = body->first; b; b = b->next) print_block(p, b);
    if (!body->result) return;
    define_in_leaf(p, body->result);
    if (p->hidden.len) announce(p, body->result);
    line_begin(p, body->result);
    text_put(p->out, "return ");
    put_operand(p, body->result);
    line_end(p);
}

// Also for closures, which stand inside and have no privacy of their own.
static void print_function(printer *p, const graph_func *f, const char *name, bool inside) {
    map own = MAP_IN(p->mem);
    expr_list vars = {0};
    uint32_t *outer_uses = p->uses;
    const graph_func *outer = p->func;
    p->func = f;
    p->uses = graph_uses(f, p->mem);
    collect_own(p, f, &own, &vars);
    print_signature(p, f, name, &own);
    p->indent++;
    for (uint32_t i = 0; i < vars.len; i++) {
        map_put(&p->vars, MAP_KEY(vars.at[i]), map_find(&p->vars, MAP_KEY(vars.at[i])));
        char type[32];
        line_begin(p, NULL);
        text_format(p->out, "%s = T.%s()", (const char *)map_find(&p->vars, MAP_KEY(vars.at[i])),
                    dtype_spell(vars.at[i]->type, type));
        line_end(p);
    }
    print_func_attrs(p, f->attrs);
    if (!inside && body_uses_module(&f->body)) {
        line_begin(p, NULL);
        text_format(p->out, "cls = %s", p->m->name);
        line_end(p);
    }
    print_body(p, &f->body);
    p->indent--;
    p->uses = outer_uses;
    p->func = outer;
}

static void print_closure(printer *p, const node *n) {
    const char *name = define_node(p, n);
    uint32_t names = names_mark(&p->names);
    print_function(p, n->as.func, name, true);
    names_leave(&p->names, names);
    line_end(p);
}

void print_graph_func(printer *p, const graph_func *f, const char *name) {
    uint32_t names = names_mark(&p->names);
    p->nodes = p->hidden = p->vars = MAP_IN(p->mem);
    p->shown.len = 0;
    print_function(p, f, name, false);
    names_leave(&p->names, names);
}
