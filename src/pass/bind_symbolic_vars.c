// bind_symbolic_vars.c - BindSymbolicVars: symbolic sizes get values.
//
//   before:  def main(x: R.Tensor(("n", 4), …)): y = R.reshape(x, R.shape([n * 4]))
//   after:   def main(x: R.Tensor((16, 4), …)): y = R.reshape(x, R.shape([64]))      binding_map={n: 16}
//
// Needs a name in binding_map for each symbol; func_name limits it to one function. Keeps everything else.
#include "pass/clone.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_value(const attr *a, const char *name, int64_t *out, diag *d) {
    char *end;
    errno = 0;
    *out = strtoll(a->as.text, &end, 10);
    if (!*end && errno == 0 && *out >= 0) return true;
    return diag_error(d, (loc){0}, "BindSymbolicVars: %s: want a size, got '%s'", name, a->as.text);
}

// The symbols that a function's parameters mention, by name.
static uint32_t bind(module *m, clone *c, const graph_func *f, const attr *values, text_map *found, diag *d) {
    expr_list vars = {0};
    for (uint32_t i = 0; i < f->params; i++) ann_free_vars(f->param[i]->type, m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        int64_t value;
        const attr *a = attr_find(values, vars.at[i]->as.var->name);
        if (!a || !read_value(a, vars.at[i]->as.var->name, &value, d)) continue;
        const expr *number = expr_int(m->exprs, vars.at[i]->type, value);
        map_put(&c->vars, MAP_KEY(vars.at[i]), (void *)(uintptr_t)number);
        text_map_put(found, vars.at[i]->as.var->name, c);
    }
    return c->vars.len;
}

static bool run(module *m, const pass_ctx *c) {
    const attr *values;
    if (!pass_get_pairs(c, &pass_bind_symbolic_vars, "binding_map", m->mem, &values)) return false;
    const char *only = pass_get(c, &pass_bind_symbolic_vars, "func_name");
    if (*only && (!module_find(m, only) || module_find(m, only)->kind != FUNC_GRAPH))
        return diag_error(c->d, (loc){0}, "BindSymbolicVars: func_name: there is no function '%s'", only);
    uint32_t errors = c->d->errors;
    func_list list = {0};
    graph_functions(m, &list);
    text_map found = TEXT_MAP_IN(m->mem);
    for (uint32_t i = 0; i < list.len; i++) {
        if (*only && strcmp(list.at[i]->name, only) != 0) continue;
        clone copy = clone_tables(m);
        copy.simplify = true;
        if (bind(m, &copy, list.at[i], values, &found, c->d))
            module_put_graph(m, clone_func(&copy, m, list.at[i], c->d));
    }
    for (uint32_t i = 0; values && i < values->count; i++)
        if (!text_map_find(&found, values->key[i]))
            return diag_error(c->d, (loc){0}, "BindSymbolicVars: no parameter has a symbol '%s'", values->key[i]);
    return c->d->errors == errors;
}

const pass pass_bind_symbolic_vars = {
    .name = "BindSymbolicVars",
    .doc = "gives symbolic sizes values",
    .option = {{"binding_map", "", "{symbol: value}"},
               {"func_name", "", "the only function to change; all without it"}},
    .run = run,
};
