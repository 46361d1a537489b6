// compute_prim_value.c - ComputePrimValue: scalars that must be computed become calls of programs that compute them.
//
//   before:  a = R.prim_value(n * m + 1)      after:  def compute_symbolic_expr(n: T.int64, m: T.int64) -> T.int64:
//                                                         return n * m + T.int64(1)
//                                                     a = cls.compute_symbolic_expr(R.prim_value(n), R.prim_value(m))
//
// Needs functions without dataflow blocks. Keeps values. Constants and symbols stay as they are; equal expressions
// share a program. For reading and comparing: emission computes scalars without it.
#include "ops/ops.h"
#include "pass/clone.h"

typedef struct computing {
    module *m;
    diag *d;
    clone c;
    fresh_names names;
    text_map programs; // spelling of the expression -> name of its program
} computing;

// --- Programs.

static void put_program(computing *x, const char *name, const expr *e, const expr_list *vars) {
    arena *mem = x->m->mem;
    loop_func *f = ARENA_NEW(mem, loop_func, 1);
    loop_param *param = ARENA_NEW(mem, loop_param, vars->len);
    map own = MAP_IN(mem);
    for (uint32_t i = 0; i < vars->len; i++) {
        param[i].var = expr_new_var(x->m->exprs, vars->at[i]->as.var->name, vars->at[i]->type);
        map_put(&own, MAP_KEY(vars->at[i]), (void *)(uintptr_t)param[i].var);
    }
    const expr *value = expr_substitute(x->m->exprs, e, &own);
    const expr *back = expr_call(x->m->exprs, intrinsic_get(INTRIN_RET), e->type, &value, 1);
    *f = (loop_func){.name = name,
                     .is_private = true,
                     .s_tir = true,
                     .params = vars->len,
                     .param = param,
                     .result = e->type,
                     .attrs = attr_with(mem, NULL, "tirx.is_host_func", attr_bool(mem, true)),
                     .body = stmt_evaluate(mem, back)};
    module_put_loop(x->m, f);
}

// The expression with its symbols by number and type: equal texts, equal programs.
static const char *spelling_of(computing *x, const expr *e, const expr_list *vars) {
    arena *mem = x->m->mem;
    text t = TEXT_IN(mem);
    char type[32];
    map numbered = MAP_IN(mem);
    for (uint32_t i = 0; i < vars->len; i++) {
        const char *name = arena_format(mem, "v%u", i);
        const expr *var = expr_new_var(x->m->exprs, name, vars->at[i]->type);
        map_put(&numbered, MAP_KEY(vars->at[i]), (void *)(uintptr_t)var);
        text_format(&t, "%s ", dtype_spell(vars->at[i]->type, type));
    }
    text_put(&t, expr_to_text(mem, expr_substitute(x->m->exprs, e, &numbered)));
    return text_get(&t);
}

static const char *program_for(computing *x, const expr *e, const expr_list *vars) {
    const char *key = spelling_of(x, e, vars), *known = text_map_find(&x->programs, key);
    if (known) return known;
    const char *name = fresh_name(&x->names, "compute_symbolic_expr");
    put_program(x, name, e, vars);
    text_map_put(&x->programs, key, (void *)(uintptr_t)name);
    return name;
}

// --- Values.

// The machine has constants and symbols at hand already.
static bool is_computed(const node *n) {
    return n->op->form == FORM_PRIM && n->as.value->op != EXPR_VAR && !expr_const_int(n->as.value, &(int64_t){0}) &&
           n->as.value->op != EXPR_FLOAT;
}

static const node *compute(computing *x, const node *old, const char *name) {
    builder *b = x->c.b;
    expr_list vars = {0};
    expr_free_vars(old->as.value, x->m->mem, &vars);
    const node **arg = ARENA_NEW(x->m->mem, const node *, vars.len);
    for (uint32_t i = 0; i < vars.len; i++) arg[i] = build_prim(b, clone_expr(&x->c, vars.at[i]));
    const node *callee = build_global(b, program_for(x, old->as.value, &vars));
    return build_call_func(b, name, callee, arg, vars.len);
}

// What leaves hold is bound before the binding that uses them.
static void compute_leaves(computing *x, const node *n) {
    if (n->name || map_has(&x->c.now, MAP_KEY(n))) return;
    if (is_computed(n)) map_put(&x->c.now, MAP_KEY(n), (void *)(uintptr_t)compute(x, n, "gv"));
    for (uint32_t i = 0; i < n->count; i++) compute_leaves(x, n->in[i]);
}

// --- Bodies.

static const node *compute_body(computing *x, const graph_body *body);

static void compute_if(computing *x, const node *old) {
    builder *b = x->c.b;
    if_parts *p = build_if(b, clone_value(&x->c, old->in[0]));
    build_else(b, p, compute_body(x, &old->as.branch[0]));
    const node *otherwise = compute_body(x, &old->as.branch[1]);
    map_put(&x->c.now, MAP_KEY(old), (void *)(uintptr_t)build_end_if(b, p, old->name, otherwise));
}

static void compute_binding(computing *x, const node *old) {
    const node *value = old->op->form == FORM_BIND ? old->in[0] : old;
    if (is_computed(value) && (value == old || !value->name)) {
        map_put(&x->c.now, MAP_KEY(old), (void *)(uintptr_t)compute(x, value, old->name));
        return;
    }
    for (uint32_t i = 0; i < old->count; i++) compute_leaves(x, old->in[i]);
    if (old->op->form == FORM_IF)
        compute_if(x, old);
    else
        clone_binding(&x->c, old);
}

static const node *compute_body(computing *x, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next) {
        build_block(x->c.b, run->dataflow);
        for (uint32_t i = 0; i < run->len; i++) compute_binding(x, run->bound[i]);
    }
    if (!body->first) build_block(x->c.b, false);
    compute_leaves(x, body->result);
    return clone_value(&x->c, body->result);
}

static bool compute_prim_value(module *m, const pass_ctx *c) {
    computing x = {.m = m, .d = c->d, .names = fresh_names_in(m), .programs = TEXT_MAP_IN(m->mem)};
    func_list list = {0};
    uint32_t errors = c->d->errors;
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        x.c = clone_into(build_func(m, list.at[i]->name, c->d));
        clone_signature(&x.c, list.at[i]);
        clone_params(&x.c, list.at[i]);
        module_put_graph(m, build_finish(x.c.b, compute_body(&x, &list.at[i]->body)));
    }
    return c->d->errors == errors;
}

const pass pass_compute_prim_value = {
    .name = "ComputePrimValue",
    .doc = "computes scalars by programs",
    .needs = NEEDS_NO_DATAFLOW,
    .run = compute_prim_value,
};
