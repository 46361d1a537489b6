// support.h - what several passes share: going over the functions of a module, calls between them, fresh names.
//
// Everything is allocated from the module's arena.
#ifndef PASS_SUPPORT_H
#define PASS_SUPPORT_H
#include "pass/pass.h"

// Rebuilds every graph function of the module through `fn` (NULL: a plain copy). False after a reported error.
bool rebuild_functions(module *m, rewrite *fn, void *user, diag *d);
// The graph functions there are now, in textual order (a pass may add others while it goes over them).
typedef VEC(graph_func *) func_list;
void graph_functions(const module *m, func_list *out);

// Names of functions that are free in a module: wish, wish1, wish2, …, each in constant time.
typedef struct fresh_names {
    module *m;
    text_map next; // wish -> the number to try next
} fresh_names;
fresh_names fresh_names_in(module *m);
const char *fresh_name(fresh_names *names, const char *wish);

// Every node of a function: parameters, bound nodes (branches before their `if`, closures' bodies included) and the
// leaves they use, each once.
void every_node(const graph_func *f, arena *mem, node_list *out);
// Shape variables that the annotation names, as keys of `out`: needed even where no operand reads them.
void note_shape_vars(const ann *a, map *out);
// Has the node an effect of its own? (A closure has none; an `if` and a call of an impure function may have.)
bool has_effect(const node *n);
// Keeps the functions whose names are keys of `keep`.
void keep_functions(module *m, const text_map *keep);
// Names of functions mentioned in the body of an entry (called, passed as a value, or called in a loop program).
void mentioned_functions(const module *m, const module_func *f, text_map *out);
// Adds what can be reached from the names in `reached`. Iterative: chains of calls may be long.
void reach_functions(const module *m, text_map *reached);
// Can others call it by name? All but private functions.
bool is_public(const module_func *f);
// Is a parameter of this name a weight that comes with the module (rx.bound_weights)?
bool is_bound_weight(const graph_func *f, const char *name);
// A builder with the parameters of f, which tell it of the sizes: for nodes that are copied or not kept.
builder *scratch_like(module *m, const graph_func *f, diag *d);

// An option that is a number or a truth value ("true", "True", "1"). False after reporting another spelling.
bool pass_get_int(const pass_ctx *c, const pass *p, const char *option, int64_t *out);
bool pass_get_bool(const pass_ctx *c, const pass *p, const char *option, bool *out);
// "[a, b]" or "a" into names; "" and "None" are none. False after reporting.
typedef VEC(const char *) word_list;
bool pass_get_words(const pass_ctx *c, const pass *p, const char *option, arena *mem, word_list *out);
// "{k: v, k: v}" into a dict of strings; "" and "None" are none.
bool pass_get_pairs(const pass_ctx *c, const pass *p, const char *option, arena *mem, const attr **out);
#endif
