// bind_params.c - BindParams: parameters get values and become constants.
//
//   before:  def main(x: R.Tensor(("n",), …), w: R.Tensor((4,), …)): y = R.add(x, w)
//   after:   def main(x: R.Tensor(("n",), …)): y = R.add(x, R.const([…]))        func_name=main;params={w: w.npy}
//
// Needs .npy files whose dtype and dims fit. Symbols that stand for a dim of the value get it. Keeps everything else.
// Meant for small values: weights stay parameters, bound when a module is compiled.
#include "pass/clone.h"
#include "tensor/npy.h"
#include <string.h>

typedef struct binding {
    module *m;
    diag *d;
    const graph_func *f;
    clone c;
    builder *scratch; // constants are nodes of it until they are copied
} binding;

static const node *find_param(const binding *z, const char *name) {
    for (uint32_t i = 0; i < z->f->params; i++)
        if (strcmp(z->f->param[i]->name, name) == 0) return z->f->param[i];
    diag_error(z->d, z->f->at, "BindParams: %s has no parameter '%s'", z->f->name, name);
    return NULL;
}

static const expr **dims_of(binding *z, const tensor *t) {
    const expr **dim = ARENA_NEW(z->m->mem, const expr *, t->rank);
    for (uint32_t i = 0; i < t->rank; i++) dim[i] = expr_i64(z->m->exprs, t->dim[i]);
    return dim;
}

// Symbols of the parameter's dims follow from the value's.
static bool fit(binding *z, const node *param, const tensor *t) {
    const expr **dim = dims_of(z, t);
    const ann *got = ann_tensor(z->m->mem, t->type, dim, t->rank), *want = param->type;
    dims_match match = {.bound = z->c.vars};
    map bindable = MAP_IN(z->m->mem);
    expr_list vars = {0};
    ann_free_vars(want, z->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) map_put(&bindable, MAP_KEY(vars.at[i]), z);
    bool ranks = want->kind == ANN_TENSOR && want->rank == (int32_t)t->rank && dtype_equal(want->type, t->type);
    if (ranks && want->dim) expr_match_dims(z->m->exprs, want->dim, dim, t->rank, &bindable, NULL, &match);
    z->c.vars = match.bound;
    if (ranks && !match.contradiction) return true;
    return diag_error(z->d, param->at, "BindParams: %s is %s, the value given is %s", param->name,
                      ann_to_text(z->m->mem, want), ann_to_text(z->m->mem, got));
}

static bool bind(binding *z, const char *name, const char *path) {
    const node *param = find_param(z, name);
    char why[FILE_WHY];
    tensor *t;
    if (!param) return false;
    if (npy_read(path, &t, why) != RX_OK) return diag_error(z->d, (loc){0}, "BindParams: %s: %s", name, why);
    bool fits = fit(z, param, t);
    if (fits) map_put(&z->c.now, MAP_KEY(param), (void *)(uintptr_t)build_constant(z->scratch, t));
    map_put(&z->c.drop, MAP_KEY(param), z);
    tensor_release(t);
    return fits;
}

static bool run(module *m, const pass_ctx *c) {
    const attr *values;
    if (!pass_get_pairs(c, &pass_bind_params, "params", m->mem, &values)) return false;
    const char *name = pass_get(c, &pass_bind_params, "func_name");
    const module_func *f = module_find(m, name);
    if (!f || f->kind != FUNC_GRAPH)
        return diag_error(c->d, (loc){0}, "BindParams: func_name: there is no function '%s'", name);
    binding z = {.m = m, .d = c->d, .f = f->graph, .c = clone_tables(m), .scratch = build_func(m, name, c->d)};
    z.c.simplify = true;
    for (uint32_t i = 0; values && i < values->count; i++)
        if (!bind(&z, values->key[i], values->list[i]->as.text)) return false;
    uint32_t errors = c->d->errors;
    module_put_graph(m, clone_func(&z.c, m, f->graph, c->d));
    return c->d->errors == errors;
}

const pass pass_bind_params = {
    .name = "BindParams",
    .doc = "makes constants of parameters",
    .option = {{"func_name", "main", "the function"}, {"params", "", "{parameter: file.npy}"}},
    .run = run,
};
