// edits.h - passes that other passes run as a last step of their own.
#ifndef PASS_EDITS_H
#define PASS_EDITS_H
#include "pass/support.h"

// DeadCodeElimination with these entries besides the public functions.
void eliminate_dead_code(module *m, const word_list *entries, diag *d);
// The function without bindings that nothing needs.
graph_func *without_dead_code(module *m, const graph_func *f, diag *d);
// CanonicalizeBindings.
void canonicalize_bindings(module *m, diag *d);
#endif
