// verify.h - the rules a module keeps; one row per rule, one message each.
#ifndef GRAPH_VERIFY_H
#define GRAPH_VERIFY_H
#include "graph/op.h"

// Checks everything: definition before use (values and symbolic variables), dataflow blocks, callees and arguments,
// annotations against deduction, linear use of donated values, and every loop program. Reports all breaches;
// true if there is none.
bool module_verify(const module *m, diag *d);
// The same but for the proofs of what loop programs access (loop_verify_access): those take longer than compiling, so
// they are asked of what is read, not of what each pass leaves.
bool module_verify_forms(const module *m, diag *d);
#endif
