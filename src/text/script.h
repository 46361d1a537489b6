// script.h - the text form: TVMScript in and out, and the comparison of modules.
#ifndef TEXT_SCRIPT_H
#define TEXT_SCRIPT_H
#include "ops/ops.h"

// Reads one module. Never executes anything: a recursive-descent reader with bounded nesting over lexer tokens.
// NULL after errors (all of them reported, up to the diag's limit). `src` must outlive the module.
// The module is not verified (graph/verify.h does that).
// Loops with a step count their rounds here: range(a, b, 4) becomes range((b - a + 3) // 4), its variable a + i * 4, as
// TVM's CanonicalizeLoop makes them.
module *script_parse(const source *src, diag *d);
// The same with such loops as written, for printing and comparing: nothing else knows what a step is.
module *script_parse_as_written(const source *src, diag *d);

// The functions of a text join a module that has others, which they may call. False after errors: then the module can
// only be freed.
bool script_parse_into(module *m, const source *src, diag *d);

typedef struct script_options {
    const char *func; // print this function alone; NULL: the whole module
    bool show_places; // append "  # file:line" to bindings
} script_options;
// Prints a module as TVM 0.25 spells it; what comes out parses to an equal module. options may be NULL.
void script_print(text *out, const module *m, const script_options *options);
void script_print_loop(text *out, const module *m, const loop_func *f); // one program, as within its class

// The text again with our layout, keeping every comment before the statement it preceded and blank lines between
// functions. False after reporting.
bool script_format(const source *src, text *out, diag *d);

// Equality up to renaming: names of private functions count (they are global names), names of locals don't, free
// symbolic variables map one to one. Where they differ, `difference` (may be NULL) gets a few lines that show the first
// place in both.
bool module_equal(const module *a, const module *b, text *difference);
bool loop_func_equal(const loop_func *a, const loop_func *b);
#endif
