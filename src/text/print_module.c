// print_module.c - a module as TVM 0.25 spells it, and what all printing shares: lines, names, styles.
#include "text/printer.h"
#include <string.h>

// Nothing has a name yet; what is reserved is never given out (names.c).
printer printer_new(text *out, arena *mem, const module *m, const script_options *options) {
    static const script_options nothing_special = {0};
    printer p = {.out = out, .mem = mem, .m = m, .options = options ? options : &nothing_special};
    p.names = (name_table){.mem = mem, .taken = TEXT_MAP_IN(mem)};
    p.vars = p.buffers = p.nodes = p.hidden = MAP_IN(mem);
    return p;
}

// `what` is found again in the text by its line: how differences are shown in context.
void line_begin(printer *p, const void *what) {
    if (what && what == p->mark && !p->marked) {
        p->marked = true;
        p->mark_at = p->out->len;
    }
    text_put_repeat(p->out, ' ', 4 * (size_t)p->indent);
}

void line_end(printer *p) { text_put_char(p->out, '\n'); }

void line_end_at(printer *p, loc at) {
    if (p->options->show_places && at.src) text_format(p->out, "  # %s:%u", at.src->name, at.line);
    line_end(p);
}

void line(printer *p, const char *words) {
    line_begin(p, NULL);
    text_put(p->out, words);
    line_end(p);
}

expr_print_options graph_style(const printer *p) {
    return (expr_print_options){.graph = true, .var_names = &p->vars, .buffer_names = &p->buffers, .module = "cls"};
}

expr_print_options loop_style(const printer *p) {
    return (expr_print_options){.var_names = &p->vars, .buffer_names = &p->buffers, .module = p->m->name};
}

void put_expr(printer *p, const expr *e) {
    expr_print_options style = graph_style(p);
    expr_print(p->out, e, &style);
}

void put_ann(printer *p, const ann *a) {
    expr_print_options style = graph_style(p);
    ann_print_as(p->out, a, &(ann_print_options){.exprs = &style, .node_names = &p->nodes});
}

// The hint is a wish; the name is unique among what is visible.
const char *define_var(printer *p, const expr *var) {
    const char *name = names_define(&p->names, var->as.var->name);
    map_put(&p->vars, MAP_KEY(var), (void *)(uintptr_t)name);
    return name;
}

const char *define_buffer(printer *p, const buffer *b) {
    const char *name = names_define(&p->names, b->name);
    map_put(&p->buffers, MAP_KEY(b), (void *)(uintptr_t)name);
    if (b->data && !map_has(&p->vars, MAP_KEY(b->data))) // the memory behind it has no name of its own
        map_put(&p->vars, MAP_KEY(b->data), arena_format(p->mem, "%s.data", name));
    return name;
}

const char *define_node(printer *p, const node *n) {
    const char *name = names_define(&p->names, n->name);
    map_put(&p->nodes, MAP_KEY(n), (void *)(uintptr_t)name);
    VEC_PUSH(p->mem, &p->shown, n);
    return name;
}

// --- The module.

// Values such as {"I.vdevice": [...]} are calls of that name.
static bool is_call(const attr *a) {
    if (a->kind != ATTR_DICT || a->count != 1 || a->list[0]->kind != ATTR_LIST) return false;
    return text_starts(a->key[0], "I.") || text_starts(a->key[0], "T.") || text_starts(a->key[0], "R.");
}

static void put_attr_list(printer *p, const attr *a, const expr_print_options *style) {
    for (uint32_t i = 0; i < a->count; i++) {
        if (i) text_put(p->out, ", ");
        if (a->kind == ATTR_DICT) {
            text_put_quoted(p->out, a->key[i], strlen(a->key[i]));
            text_put(p->out, ": ");
        }
        put_attr(p, a->list[i], style);
    }
}

// Calls kept as {"I.vdevice": [...]} print as calls again.
void put_attr(printer *p, const attr *a, const expr_print_options *style) {
    bool call = is_call(a);
    if (!call && a->kind != ATTR_LIST && a->kind != ATTR_DICT) {
        attr_print(p->out, a, style);
        return;
    }
    text_put(p->out, call ? a->key[0] : "");
    text_put_char(p->out, call ? '(' : a->kind == ATTR_LIST ? '[' : '{');
    put_attr_list(p, call ? a->list[0] : a, style);
    text_put_char(p->out, call ? ')' : a->kind == ATTR_LIST ? ']' : '}');
}

// R.func_attr({...}) and the like, a line of its own.
void print_attr_call(printer *p, const char *callee, const attr *a, const expr_print_options *style) {
    line_begin(p, a);
    text_format(p->out, "%s(", callee);
    put_attr(p, a, style);
    text_put_char(p->out, ')');
    line_end(p);
}

static void print_extern(printer *p, const module_func *f) {
    line_begin(p, NULL);
    text_format(p->out, "%s = R.ExternFunc(", f->name);
    text_put_quoted(p->out, f->symbol, strlen(f->symbol));
    text_put_char(p->out, ')');
    line_end(p);
}

static void print_function(printer *p, const module_func *f) {
    switch (f->kind) {
    case FUNC_GRAPH: print_graph_func(p, f->graph, f->name); break;
    case FUNC_LOOP: print_loop_func(p, f->loop); break;
    case FUNC_EXTERN: print_extern(p, f); break;
    }
}

// Functions that were declared and never read have nothing to print.
static bool is_printed(const module_func *f) {
    return f->kind == FUNC_EXTERN || (f->kind == FUNC_GRAPH && f->graph) || (f->kind == FUNC_LOOP && f->loop);
}

// In the order of the module, a blank line between them.
static void print_functions(printer *p) {
    bool any = p->m->attrs || p->m->infos;
    uint32_t printed = 0;
    expr_print_options style = graph_style(p);
    if (p->m->attrs) print_attr_call(p, "I.module_attrs", p->m->attrs, &style);
    if (p->m->infos) print_attr_call(p, "I.module_global_infos", p->m->infos, &style);
    for (uint32_t i = 0; i < p->m->funcs.len; i++) {
        const module_func *f = p->m->funcs.entry[i].value;
        if (!is_printed(f)) continue;
        if (printed++) line_end(p);
        print_function(p, f);
        any = true;
    }
    if (!any) line(p, "pass");
}

static bool has_kind(const module *m, func_kind kind) {
    for (uint32_t i = 0; i < m->funcs.len; i++)
        if (((const module_func *)m->funcs.entry[i].value)->kind == kind) return true;
    return false;
}

// The imports a Python file would need, as comments: TVM prints them so.
static void print_head(printer *p) {
    line(p, "# from tvm.script import ir as I");
    if (has_kind(p->m, FUNC_LOOP)) line(p, "# from tvm.script import tirx as T");
    if (!has_kind(p->m, FUNC_LOOP) || has_kind(p->m, FUNC_GRAPH)) line(p, "# from tvm.script import relax as R");
    line_end(p);
    line(p, "@I.ir_module");
    line_begin(p, NULL);
    text_format(p->out, "class %s:", p->m->name);
    line_end(p);
    p->indent++;
}

void print_whole(printer *p) {
    const module_func *only = p->options->func ? module_find(p->m, p->options->func) : NULL;
    if (only) {
        print_function(p, only);
    } else {
        print_head(p);
        print_functions(p);
    }
}

void script_print(text *out, const module *m, const script_options *options) {
    arena *mem = arena_new();
    printer p = printer_new(out, mem, m, options);
    print_whole(&p);
    arena_free(mem);
}

void script_print_loop(text *out, const module *m, const loop_func *f) {
    arena *mem = arena_new();
    printer p = printer_new(out, mem, m, NULL);
    p.indent = 1;
    print_loop_func(&p, f);
    arena_free(mem);
}
