// lift_transform_params.c - LiftTransformParams: what depends on weights alone is computed once, ahead of the calls.
//
//   before:  def main(x, w, g):                  after:  def main_transform_params(model_params):
//                wt = R.permute_dims(w)                      w = model_params[0]
//                y = R.matmul(x, wt)                         wt = R.permute_dims(w)
//                z = R.add(y, g)                             g = model_params[1]
//                                                            return (g, wt)
//                                                        def main(x, g, wt): …
//
// Needs functions with the attribute num_input: parameters from there on are weights. Keeps values; main takes the
// weights it still needs, then what was lifted, in order; in front of them as R.Shape the symbols that they no longer
// tell. Bindings of dataflow blocks are lifted if all they use is lifted or a weight, and has no symbol that inputs
// alone define. R.builtin.stop_lift_params holds its operand back. bound=true lifts for parameters named in the
// attribute rx.bound_weights alone, and never what is larger than the weights it comes from: a weight that is decoded
// where it is used stays small. inputs=true leaves functions whose weights are all given by the caller as they are and
// puts two beside them: main_transform_params, and main_transformed, which takes what that one made. The machine runs
// the first once and the second from then on, if the caller sets the weights and keeps them set.
#include "pass/lifted.h"
#include "pass/memory.h"
#include "pass/pass.h"
#include <string.h>

static bool find_parts(lifting *l) {
    find_weights(l);
    find_lifted(l);
    if (!l->order.len) return false;
    find_outputs(l);
    find_lost(l);
    return true;
}

static bool lift_from(module *m, const graph_func *f, bool bound, diag *d) {
    map none = MAP_IN(m->mem);
    lifting l = {.m = m, .f = f, .bound = bound, .small = bound, .weights = none, .lifted = none, .input_vars = none};
    int64_t inputs;
    if (!attr_get_int(attr_find(f->attrs, "num_input"), &inputs) || (bound && !attr_find(f->attrs, "rx.bound_weights")))
        return true;
    l.inputs = (uint32_t)inputs;
    if (!find_parts(&l)) return true;
    const char *name = module_fresh_name(m, arena_format(m->mem, "%s_transform_params", f->name));
    graph_func *transform = make_transform(&l, name, d), *rest = make_rest(&l, f->name, name, false, d);
    module_put_graph(m, transform);
    module_put_graph(m, rest);
    return true;
}

// --- Weights that the caller gives.

// Views cost nothing where they are.
static bool is_worth_it(const lifting *l) {
    for (uint32_t i = 0; i < l->outs.len; i++) {
        const node *n = l->outs.at[i];
        if (map_has(&l->lifted, MAP_KEY(n)) && meaning(n)->op->form == FORM_OPERATOR && !is_view(meaning(n)))
            return true;
    }
    return false;
}

static void note(module *m, graph_func *f, const char *key, const char *name) {
    f->attrs = attr_with(m->mem, f->attrs, key, attr_string(m->mem, name, strlen(name)));
}

static void lift_beside(module *m, const graph_func *f, diag *d) {
    map none = MAP_IN(m->mem);
    lifting l = {.m = m, .f = f, .small = true, .weights = none, .lifted = none, .input_vars = none};
    int64_t inputs;
    bool stated = attr_get_int(attr_find(f->attrs, "num_input"), &inputs) && inputs >= 0 && inputs < f->params;
    bool of_file = attr_find(f->attrs, "rx.bound_weights") || attr_find(f->attrs, "rx.transformed_by");
    if (!stated || of_file || attr_find(f->attrs, "rx.made_for")) return;
    l.inputs = (uint32_t)inputs;
    if (!find_parts(&l) || !is_worth_it(&l)) return;
    const char *name = module_fresh_name(m, arena_format(m->mem, "%s_transform_params", f->name));
    graph_func *transform = make_transform(&l, name, d);
    module_put_graph(m, transform);
    const char *own = module_fresh_name(m, arena_format(m->mem, "%s_transformed", f->name));
    graph_func *rest = make_rest(&l, own, name, true, d);
    note(m, transform, "rx.made_for", f->name);
    note(m, rest, "rx.made_for", f->name);
    note(m, rest, "rx.takes_results_of", name);
    module_put_graph(m, rest);
}

// --- The pass.

// shared_transform: false, true (all functions with weights) or a list of names.
static bool read_shared(module *m, const pass_ctx *c, bool *shared, func_list *out) {
    word_list names = {0};
    func_list list = {0};
    if (!pass_get_words(c, &pass_lift_transform_params, "shared_transform", m->mem, &names)) return false;
    bool off = !names.len || strcmp(names.at[0], "false") == 0 || strcmp(names.at[0], "False") == 0;
    bool all = names.len && (strcmp(names.at[0], "true") == 0 || strcmp(names.at[0], "True") == 0);
    *shared = !off;
    graph_functions(m, &list);
    for (uint32_t i = 0; !off && i < list.len; i++) {
        bool named = all && !list.at[i]->is_private;
        for (uint32_t k = 0; k < names.len; k++) named = named || strcmp(names.at[k], list.at[i]->name) == 0;
        if (named && attr_find(list.at[i]->attrs, "num_input")) VEC_PUSH(m->mem, out, list.at[i]);
    }
    if (!off && !all && out->len < names.len)
        return diag_error(c->d, (loc){0},
                          "LiftTransformParams: shared_transform: want names of functions that have the "
                          "attribute num_input");
    return true;
}

static bool lift_transform_params(module *m, const pass_ctx *c) {
    bool bound, shared, inputs;
    uint32_t errors = c->d->errors;
    func_list list = {0}, together = {0};
    if (!pass_get_bool(c, &pass_lift_transform_params, "bound", &bound)) return false;
    if (!pass_get_bool(c, &pass_lift_transform_params, "inputs", &inputs)) return false;
    if (!read_shared(m, c, &shared, &together)) return false;
    if (shared) return !together.len || (lift_shared(m, &together, c->d) && c->d->errors == errors);
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++)
        if (!list.at[i]->is_private && !lift_from(m, list.at[i], bound, c->d)) return false;
    for (uint32_t i = 0; bound && inputs && i < list.len; i++)
        if (!list.at[i]->is_private) lift_beside(m, list.at[i], c->d);
    return c->d->errors == errors;
}

const pass pass_lift_transform_params = {
    .name = "LiftTransformParams",
    .doc = "moves what depends on weights alone into a function of its own",
    .option = {{"shared_transform", "false",
                "true or names of functions: one function, transform_params, for what all of them share"},
               {"bound", "false", "only for weights that rx.bound_weights names, and only what does not grow"},
               {"inputs", "false", "with bound: also beside functions whose weights the caller gives"}},
    .run = lift_transform_params,
};
