// equal.h - the inside of the comparison of modules, for the files of text/ alone.
//
// Both sides are walked together. Variables, buffers and bound nodes of one side stand for those of the other, one to
// one, from where they are first met.
#ifndef TEXT_EQUAL_H
#define TEXT_EQUAL_H
#include "text/script.h"

typedef struct expr_pair {
    const expr *a, *b;
} expr_pair;

typedef struct matcher {
    arena *mem;
    map to, from; // MAP_KEY(var, buffer or node) of one side -> of the other
    map same;     // pairs of expressions known to be equal, by ids
    VEC(expr_pair) todo;
    const char *why;         // the first difference: "the annotations"; NULL: none yet
    const void *at_a, *at_b; // the innermost statements or nodes around it
} matcher;

bool differ(matcher *m, const char *why); // returns false; only the first difference counts
// Makes a and b stand for one another. False if one of them already stands for something else.
bool pair_up(matcher *m, const void *a, const void *b);
void pair_anew(matcher *m, const void *a, const void *b); // a binder: whatever they stood for before

bool same_text(const char *a, const char *b);             // NULL equals NULL
bool same_kind_of_var(const expr *a, const expr *b);      // beyond their types
bool same_expr(matcher *m, const expr *a, const expr *b); // NULL equals NULL
bool same_exprs(matcher *m, const expr *const *a, const expr *const *b, uint32_t count);
bool same_attr(matcher *m, const attr *a, const attr *b); // NULL equals an empty dictionary
bool same_ann(matcher *m, const ann *a, const ann *b);
bool same_buffer(matcher *m, const buffer *a, const buffer *b); // a declaration of both
bool same_loop_func(matcher *m, const loop_func *a, const loop_func *b);
bool same_graph_func(matcher *m, const graph_func *a, const graph_func *b);

// A few lines that show the difference in both modules; func may be NULL.
void show_difference(text *out, const matcher *m, const module *a, const module *b, const char *func);
#endif
