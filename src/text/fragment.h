// fragment.h - a module made piece by piece: annotations, values and calls are short texts, each read at once in the
// scope of the function that is being made. What is wrong with one is reported to `d` with its place in that text.
#ifndef TEXT_FRAGMENT_H
#define TEXT_FRAGMENT_H
#include "graph/build.h"

typedef struct fragments fragments;
fragments *fragments_new(void); // an empty module
void fragments_free(fragments *f);
module *fragments_module(const fragments *f); // borrowed; complete when no function is open
bool fragments_open(const fragments *f);      // a function is being made

// The parts of a function, in order. All but the first want an open one. False or NULL after a report.
bool fragments_begin(fragments *f, const char *name, bool is_private, bool pure, diag *d);
// Symbols in the annotation are defined by it where they are new: R.Tensor(("n", 4), "float32").
const node *fragments_param(fragments *f, const char *name, const char *annotation, diag *d);
bool fragments_symbol(fragments *f, const char *name, diag *d); // an int64, for match_cast
bool fragments_attr(fragments *f, const char *name, const char *value, diag *d);
bool fragments_dataflow(fragments *f, diag *d); // until fragments_output
bool fragments_output(fragments *f, const node *const *n, uint32_t count, diag *d);
// Binds what the text says under a name (NULL: one of the builder's).
const node *fragments_bind(fragments *f, const char *name, const char *said, diag *d);
const node *fragments_constant(fragments *f, const char *name, const tensor *t, diag *d); // t is retained
// The result: one node, or a tuple of several. The function joins the module.
bool fragments_return(fragments *f, const node *const *n, uint32_t count, diag *d);
// States what the open function or closure gives back, after its parameters: from here on it may call itself.
bool fragments_result(fragments *f, const char *annotation, diag *d);

// A function in the open one, with parameters and values as there; bound under its name when it ends.
bool fragments_closure(fragments *f, const char *name, diag *d);
const node *fragments_end_closure(fragments *f, const node *const *n, uint32_t count, diag *d);
// Two branches, each with a value; what they bind is seen in them alone.
bool fragments_if(fragments *f, const node *condition, diag *d);
bool fragments_else(fragments *f, const node *then_value, diag *d);
const node *fragments_end_if(fragments *f, const node *else_value, diag *d);

// All functions of a module's text; none may be open.
bool fragments_text(fragments *f, const char *name, const char *bytes, size_t size, diag *d);

// Whether the node can be used here by its name, and whether a name is that of a value.
bool fragments_sees(const fragments *f, const node *n);
bool fragments_is_value(fragments *f, const char *name);
bool fragments_is_name(const char *bytes, size_t size); // letters, digits and _, no digit first
#endif
