// verify_scope.c - what is visible where: values, and symbolic variables.
//
// Scopes are numbered as they open. A value remembers its scope's number and is visible while that scope is open, so
// both questions take constant time however many values there are.
#include "graph/sizes.h"
#include "graph/verify_inside.h"

void verifier_enter(verifier *v, uint32_t *before) {
    *before = v->scope;
    if (!v->open.len) VEC_PUSH(v->mem, &v->open, false);
    v->scope = v->open.len;
    VEC_PUSH(v->mem, &v->open, true);
}

void verifier_leave(verifier *v, uint32_t before) {
    v->open.at[v->scope] = false;
    v->scope = before;
}

static const frame *frame_of(const verifier *v, const node *n) {
    const frame *in = v->frame;
    while (in && in->f != n->owner) in = in->outer;
    return in && n->id < in->f->nodes ? in : NULL;
}

bool verifier_sees(const verifier *v, const node *n) {
    const frame *in = frame_of(v, n);
    return in && v->open.at[in->scope[n->id]];
}

void verifier_define(verifier *v, const node *n) {
    frame *in = v->frame;
    if (n->owner != in->f || n->id >= in->f->nodes) {
        diag_error(v->d, n->at, "%s: %s belongs to another function", in->f->name, n->name);
        return;
    }
    if (in->scope[n->id]) diag_error(v->d, n->at, "%s: %s is bound twice", in->f->name, n->name);
    in->scope[n->id] = v->scope;
}

static bool sees_var(const verifier *v, const expr *var) {
    uintptr_t scope = (uintptr_t)map_find(&v->vars, MAP_KEY(var));
    return scope && v->open.at[scope];
}

static void define_var(verifier *v, const expr *e) {
    if (!e || e->op != EXPR_VAR || sees_var(v, e)) return;
    map_put(&v->vars, MAP_KEY(e), (void *)(uintptr_t)v->scope);
    const graph_func *owner = map_find(&v->owners, MAP_KEY(e));
    if (owner && owner != v->frame->f)
        diag_error(v->d, v->frame->f->at, "%s: the symbolic variable %s is also %s's; every function needs its own",
                   v->frame->f->name, e->as.var->name, owner->name);
    map_put(&v->owners, MAP_KEY(e), (void *)(uintptr_t)v->frame->f);
}

void verifier_define_vars(verifier *v, const ann *a) {
    if (a->kind == ANN_CALLABLE) return;
    for (int32_t i = 0; a->dim && i < a->rank; i++) define_var(v, a->dim[i]);
    define_var(v, a->value);
    for (uint32_t i = 0; i < a->count; i++) verifier_define_vars(v, a->field[i]);
}

static bool check_list(verifier *v, loc at, const char *what, const expr_list *vars) {
    for (uint32_t i = 0; i < vars->len; i++) {
        if (sees_var(v, vars->at[i])) continue;
        const char *name = vars->at[i]->as.var->name;
        return diag_error(v->d, at,
                          "%s: the symbolic variable %s is not defined here; a parameter or R.match_cast must have "
                          "it as a dim of its own",
                          what, name);
    }
    return true;
}

bool verifier_check_vars(verifier *v, loc at, const char *what, const ann *a) {
    expr_list vars = {0};
    ann_defined_vars(a, v->mem, &vars);
    return check_list(v, at, what, &vars);
}

bool verifier_check_expr(verifier *v, loc at, const char *what, const expr *e) {
    if (e->op == EXPR_INT) return true;
    expr_list vars = {0};
    expr_free_vars(e, v->mem, &vars);
    return check_list(v, at, what, &vars);
}

bool verifier_check_sizes(verifier *v, loc at, const char *what, const ann *a) {
    const char *why = sizes_wrong(v->mem, v->m->exprs, v->facts, a);
    return !why || diag_error(v->d, at, "%s: %s", what, why);
}
