// remove_unused_parameters.c - RemoveUnusedParameters: private functions take what they use.
//
//   before:  a = cls.helper(x, y)      private helper(x, y) uses y alone
//   after:   a = cls.helper(y)
//
// Needs nothing. Keeps results. A symbol that only a removed parameter's dims gave comes as R.Prim(value="n").
// Functions that are used as values keep their parameters.
#include "pass/calls_of.h"
#include "pass/clone.h"

typedef struct plan {
    bool *unused;      // per parameter
    uint32_t removed;  // how many
    expr_list symbols; // to be passed as R.Prim
} plan;

typedef struct removing {
    module *m;
    diag *d;
} removing;

// --- What a function uses.

static void note_vars(const removing *z, const ann *a, map *vars) {
    expr_list list = {0};
    ann_free_vars(a, z->m->mem, &list);
    for (uint32_t i = 0; i < list.len; i++) map_put(vars, MAP_KEY(list.at[i]), vars);
}

// Values and symbols in the body and the result.
static void note_used(const removing *z, const graph_func *f, map *used, map *vars) {
    node_list nodes = {0};
    every_node(f, z->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        for (uint32_t k = 0; k < n->count; k++) map_put(used, MAP_KEY(n->in[k]), used);
        if (n->op->form == FORM_PARAM && n->owner == f) continue;
        note_vars(z, n->type, vars);
        note_shape_vars(n->type, used);
        for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++)
            map_put(used, MAP_KEY(n->as.branch[side].result), used);
        if (n->op->form == FORM_CLOSURE) map_put(used, MAP_KEY(n->as.func->body.result), used);
        for (uint32_t k = 0; k < n->type_args; k++) note_vars(z, n->type_arg[k], vars);
    }
    map_put(used, MAP_KEY(f->body.result), used);
    note_vars(z, f->result_type, vars);
}

static void bare_vars(const removing *z, const ann *a, map *out) {
    for (int32_t i = 0; a->dim && i < a->rank; i++)
        if (a->dim[i]->op == EXPR_VAR) map_put(out, MAP_KEY(a->dim[i]), out);
    if (a->value && a->value->op == EXPR_VAR) map_put(out, MAP_KEY(a->value), out);
    for (uint32_t i = 0; a->kind == ANN_TUPLE && i < a->count; i++) bare_vars(z, a->field[i], out);
}

static plan *plan_for(const removing *z, const graph_func *f) {
    plan *p = ARENA_NEW(z->m->mem, plan, 1);
    p->unused = ARENA_NEW(z->m->mem, bool, f->params);
    map used = MAP_IN(z->m->mem), vars = MAP_IN(z->m->mem), given = MAP_IN(z->m->mem), lost = MAP_IN(z->m->mem);
    note_used(z, f, &used, &vars);
    for (uint32_t i = 0; i < f->params; i++) {
        p->unused[i] = !map_has(&used, MAP_KEY(f->param[i]));
        p->removed += p->unused[i];
        bare_vars(z, f->param[i]->type, p->unused[i] ? &lost : &given);
    }
    for (uint32_t i = 0; i < lost.len; i++) {
        const expr *var = (const expr *)(uintptr_t)lost.entry[i].key;
        if (map_has(&vars, MAP_KEY(var)) && !map_has(&given, MAP_KEY(var))) VEC_PUSH(z->m->mem, &p->symbols, var);
    }
    return p;
}

// --- The new function and its calls.

static const ann *prim_of(const removing *z, const expr *var) { return ann_prim(z->m->mem, var->type, var); }

static void declare(const removing *z, const called *of) {
    const plan *p = of->plan;
    VEC(const ann *) types = {0};
    for (uint32_t i = 0; i < of->f->params; i++)
        if (!p->unused[i]) VEC_PUSH(z->m->mem, &types, of->f->param[i]->type);
    for (uint32_t i = 0; i < p->symbols.len; i++) {
        const ann *prim = prim_of(z, p->symbols.at[i]);
        VEC_PUSH(z->m->mem, &types, prim);
    }
    change_signature(z->m, of->f, types.at, types.len, of->f->result_type);
}

static bool plan_call(const removing *z, clone *c, const called *of, const node *n) {
    const plan *p = of->plan;
    VEC(const node *) arg = {0};
    for (uint32_t i = 0; i < of->f->params; i++)
        if (!p->unused[i]) VEC_PUSH(z->m->mem, &arg, n->in[i + 1]);
    const expr **value = ARENA_NEW(z->m->mem, const expr *, p->symbols.len);
    map bound = MAP_IN(z->m->mem);
    if (p->symbols.len && !solve_call(z->m, n, of->f, &bound, z->d)) return false;
    for (uint32_t i = 0; i < p->symbols.len; i++) {
        value[i] = map_find(&bound, MAP_KEY(p->symbols.at[i]));
        if (!value[i])
            return diag_error(z->d, n->at, "RemoveUnusedParameters: the call of %s does not determine %s", of->f->name,
                              expr_to_text(z->m->mem, p->symbols.at[i]));
    }
    new_call *call = ARENA_NEW(z->m->mem, new_call, 1);
    *call = (new_call){
        .func = of->f->name, .arg = arg.at, .args = arg.len, .dim = value, .dims = p->symbols.len, .each = true};
    map_put(&c->calls, MAP_KEY(n), call);
    return true;
}

static graph_func *rebuilt(const removing *z, clone *c, const graph_func *f, const called *of) {
    const plan *p = of ? of->plan : NULL;
    for (uint32_t i = 0; p && i < f->params; i++)
        if (p->unused[i]) map_put(&c->drop, MAP_KEY(f->param[i]), c);
    c->b = build_func(z->m, f->name, z->d);
    clone_signature(c, f);
    clone_params(c, f);
    for (uint32_t i = 0; p && i < p->symbols.len; i++) {
        const expr *var = p->symbols.at[i];
        build_param(c->b, arena_format(z->m->mem, "param_%s", var->as.var->name), prim_of(z, var));
    }
    return build_finish(c->b, clone_body(c, &f->body));
}

static bool run(module *m, const pass_ctx *c) {
    removing z = {.m = m, .d = c->d};
    text_map all = calls_of(m);
    map tables = MAP_IN(m->mem); // MAP_KEY(caller) -> clone *
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        clone *copy = ARENA_NEW(m->mem, clone, 1);
        *copy = clone_tables(m);
        map_put(&tables, MAP_KEY(list.at[i]), copy);
    }
    for (uint32_t i = 0; i < all.len; i++) {
        called *of = all.entry[i].value;
        plan *p = plan_for(&z, of->f);
        if (of->escapes || !p->removed) continue;
        of->plan = p;
        for (uint32_t k = 0; k < of->site.len; k++)
            if (!plan_call(&z, map_find(&tables, MAP_KEY(of->site.at[k].caller)), of, of->site.at[k].call))
                return false;
    }
    for (uint32_t i = 0; i < all.len; i++)
        if (((called *)all.entry[i].value)->plan) declare(&z, all.entry[i].value);
    uint32_t errors = c->d->errors;
    for (uint32_t i = 0; i < list.len; i++)
        module_put_graph(
            m, rebuilt(&z, map_find(&tables, MAP_KEY(list.at[i])), list.at[i], text_map_find(&all, list.at[i]->name)));
    return c->d->errors == errors;
}

const pass pass_remove_unused_parameters = {
    .name = "RemoveUnusedParameters",
    .doc = "removes parameters that private functions don't use",
    .run = run,
};
