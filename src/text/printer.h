// printer.h - the inside of the printer, for the files of text/ alone.
#ifndef TEXT_PRINTER_H
#define TEXT_PRINTER_H
#include "base/vec.h"
#include "graph/build.h"
#include "text/script.h"

// Names in use while printing. A scope's names are free again behind it.
typedef struct taken_name {
    bool used;
    uint32_t next; // where to go on counting: name_1, name_2, ...
} taken_name;
typedef struct name_table {
    arena *mem;
    text_map taken;          // name -> taken_name
    VEC(taken_name *) order; // in use, in order
} name_table;

// A new name for what `hint` describes (NULL: "v"): an identifier that nothing visible has.
const char *names_define(name_table *t, const char *hint);
uint32_t names_mark(const name_table *t);
void names_leave(name_table *t, uint32_t mark);

typedef struct printer {
    text *out;
    arena *mem; // scratch
    const module *m;
    const script_options *options;
    uint32_t indent;
    name_table names;
    map vars;                // MAP_KEY(var expr) -> const char *
    map buffers;             // MAP_KEY(buffer) -> const char *
    map nodes;               // MAP_KEY(node) -> const char *
    map hidden;              // MAP_KEY(node) -> const char *: in a branch that has ended
    VEC(const node *) shown; // keys of `nodes` in order
    uint32_t *uses;          // of the function being printed, by id
    const graph_func *func;
    const void *mark; // where the line of this node or statement begins goes to mark_at
    size_t mark_at;
    bool marked;
} printer;

printer printer_new(text *out, arena *mem, const module *m, const script_options *options);
void line_begin(printer *p, const void *what); // what: the node or statement of the line, or NULL
void line_end(printer *p);
void line_end_at(printer *p, loc at); // with its place where the options want it
void line(printer *p, const char *words);
expr_print_options graph_style(const printer *p);
expr_print_options loop_style(const printer *p);
void put_expr(printer *p, const expr *e); // in graph style
void put_ann(printer *p, const ann *a);
void put_attr(printer *p, const attr *a, const expr_print_options *style);
void print_attr_call(printer *p, const char *callee, const attr *a, const expr_print_options *style);
const char *define_var(printer *p, const expr *var);
const char *define_buffer(printer *p, const buffer *b);
const char *define_node(printer *p, const node *n);

void print_whole(printer *p); // what the options ask for
void print_graph_func(printer *p, const graph_func *f, const char *name);
void print_loop_func(printer *p, const loop_func *f);
void put_operand(printer *p, const node *n); // print_node.c
void put_value(printer *p, const node *n);   // what stands behind "="
void put_constant(printer *p, const tensor *t);
#endif
