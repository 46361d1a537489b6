// lifted.h - what LiftTransformParams knows of a function: its weights, what is computed from them alone, and what the
// function still needs. Helper of lift_transform_params.c.
#ifndef PASS_LIFTED_H
#define PASS_LIFTED_H
#include "pass/support.h"

typedef struct lifting {
    module *m;
    const graph_func *f;
    uint32_t inputs;
    bool bound;
    bool small;      // nothing that is larger than the weights it comes from
    map weights;     // MAP_KEY(param) -> index + 1
    map lifted;      // MAP_KEY(bound node) -> lifted_value *
    map written;     // what a call writes is new in every run, as of find_written
    map input_vars;  // symbols that inputs define and weights do not
    node_list order; // lifted nodes, in order
    node_list outs;  // what the function still needs: weights, then lifted values
    expr_list lost;  // symbols it still needs that no parameter of it tells any more
} lifting;

// Which weights a lifted value comes from.
typedef struct lifted_value {
    bool from_weight;
    map weights;
} lifted_value;

// --- find_lifted.c
bool is_weight(const lifting *l, const node *n);
// The parameters that are weights, and the symbols that the others alone define.
void find_weights(lifting *l);
// Bindings of dataflow blocks that can be lifted; needs the weights.
void find_lifted(lifting *l);
// Values that do not come from a weight are computed where they are: they cost nothing there.
bool is_output(const lifting *l, const node *n);
void find_outputs(lifting *l);
void find_lost(lifting *l); // needs the outputs

// --- split_lifted.c
// What a second name, or an item of a tuple that is written out, stands for.
const node *meaning(const node *n);
// The function of the weights, which gives the outputs.
graph_func *make_transform(lifting *l, const char *name, diag *d);
// The function without what was lifted: `own_name` is what it is called, `name` the function of the weights. With
// `own_symbols` its symbols are new.
graph_func *make_rest(lifting *l, const char *own_name, const char *name, bool own_symbols, diag *d);

// --- lift_shared.c
// One function of the weights for all of these: what all of them compute from the same weights. False after reporting.
bool lift_shared(module *m, const func_list *list, diag *d);
#endif
