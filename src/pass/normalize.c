// normalize.c - Normalize: the normal form that other passes expect.
//
//   before:  with R.dataflow(): a = …; R.output(a)      after:  with R.dataflow(): a = …; b = …; R.output(a, b)
//            with R.dataflow(): b = …; R.output(b)
//
// Needs nothing. Operands are variables or leaves (the builder sees to it), annotations are deduced again,
// neighbouring blocks of one kind become one, empty blocks go. Keeps all bindings and their order.
#include "pass/clone.h"

static bool run(module *m, const pass_ctx *c) {
    uint32_t errors = c->d->errors;
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        clone copy = clone_tables(m);
        module_put_graph(m, clone_func(&copy, m, list.at[i], c->d));
    }
    return c->d->errors == errors;
}

const pass pass_normalize = {
    .name = "Normalize",
    .doc = "deduces annotations again and joins neighbouring blocks",
    .run = run,
};
