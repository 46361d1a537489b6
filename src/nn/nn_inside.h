// nn_inside.h - the state of a function that is being built; for the files of this folder alone.
#ifndef NN_NN_INSIDE_H
#define NN_NN_INSIDE_H
#include "nn/nn.h"

struct nn {
    builder *b;
    module *m;
    arena *mem; // the module's
    diag *d;
    nn_source from;
    text_map symbols;  // name -> const expr *
    text_map declared; // tensors of the checkpoint that parameters are named after
    uint32_t inputs;   // parameters before the first weight
    uint32_t errors;   // of the diagnostics when it began
    bool applying;     // the first binding was made
};

// What is stored like w, in float32.
const node *nn_weight_decoded(nn *n, const node *stored, nn_weight w);
// More is wrong already than will be shown: making layers may stop. What was not made must not be applied.
bool nn_hopeless(const nn *n);
// Opens the dataflow block that all bindings go into.
void nn_begin(nn *n);
// The program that writes rows of data [t, heads, size] into places of pages [g, page, heads, size] of a type: its
// name.
const char *nn_append_program(nn *n, dtype type, int64_t page, int64_t heads, int64_t size);
#endif
