// deduce.c - matching arguments against parameters, and what follows for the result.
#include "graph/deduce.h"
#include "base/count_noun.h"

deduction deduce_start(infer_ctx *c, const node *n, const char *callee, loc declared, const graph_func *closure) {
    deduction d = {.c = c, .n = n, .callee = callee, .declared = declared, .closure = closure};
    d.bindable = MAP_IN(c->mem);
    d.match.bound = MAP_IN(c->mem);
    return d;
}

// A closure's parameters may mention variables of the functions around it: those stand for themselves.
static bool is_own(const deduction *d, const expr *var) {
    if (!d->closure || !d->c->owners) return true;
    const graph_func *owner = map_find(d->c->owners, MAP_KEY(var));
    return !owner || owner == d->closure;
}

void deduce_own(deduction *d, const ann *param) {
    expr_list vars = {0};
    ann_free_vars(param, d->c->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (is_own(d, vars.at[i])) map_put(&d->bindable, MAP_KEY(vars.at[i]), d->c);
}

static bool refuse(const deduction *d, const char *what, const ann *param, const ann *arg) {
    arena *mem = d->c->mem;
    diag_error(d->c->d, d->n->at, "%s: %s is %s, want %s", d->callee, what, ann_to_text(mem, arg),
               ann_to_text(mem, param));
    if (d->declared.src) diag_note(d->c->d, d->declared, "%s is declared here", d->callee);
    return false;
}

static void remember(deduction *d, const expr *want, const expr *got, const char *what, uint32_t index, bool is_value) {
    deduce_dim dim = {.want = want, .got = got, .what = what, .index = index, .is_value = is_value};
    VEC_PUSH(d->c->mem, &d->dims, dim);
}

static bool dims_argument(deduction *d, const char *what, const ann *param, const ann *arg) {
    if (param->rank != RANK_UNKNOWN && arg->rank != RANK_UNKNOWN && param->rank != arg->rank)
        return refuse(d, what, param, arg);
    d->undecided |= param->rank != RANK_UNKNOWN && (arg->rank == RANK_UNKNOWN || (param->dim && !arg->dim));
    for (int32_t i = 0; param->dim && arg->dim && i < param->rank; i++)
        remember(d, param->dim[i], arg->dim[i], what, (uint32_t)i, false);
    return true;
}

static bool dtype_argument(deduction *d, const char *what, const ann *param, const ann *arg) {
    if (param->type.kind == DTYPE_VOID || dtype_equal(param->type, arg->type)) return true;
    if (arg->type.kind != DTYPE_VOID) return refuse(d, what, param, arg);
    return d->undecided = true;
}

static bool prim_argument(deduction *d, const char *what, const ann *param, const ann *arg) {
    if (!dtype_argument(d, what, param, arg)) return false;
    if (!param->value) return true;
    if (!arg->value) return d->undecided = true;
    if (expr_is_index(param->value) && expr_is_index(arg->value)) remember(d, param->value, arg->value, what, 0, true);
    return true;
}

static bool tuple_argument(deduction *d, const char *what, const ann *param, const ann *arg) {
    if (param->count != arg->count) return refuse(d, what, param, arg);
    for (uint32_t i = 0; i < param->count; i++) {
        const char *field = arena_format(d->c->mem, "field %u of %s", i, what);
        if (!deduce_argument(d, field, param->field[i], arg->field[i])) return false;
    }
    return true;
}

bool deduce_argument(deduction *d, const char *what, const ann *param, const ann *arg) {
    if (param->kind == ANN_OBJECT) return true;
    if (arg->kind == ANN_OBJECT) return d->undecided = true;
    if (param->kind != arg->kind) return refuse(d, what, param, arg);
    switch (param->kind) {
    case ANN_OBJECT: return true;
    case ANN_PRIM: return prim_argument(d, what, param, arg);
    case ANN_SHAPE: return dims_argument(d, what, param, arg);
    case ANN_TENSOR: return dtype_argument(d, what, param, arg) && dims_argument(d, what, param, arg);
    case ANN_TUPLE: return tuple_argument(d, what, param, arg);
    case ANN_CALLABLE:
        if (ann_fits(d->c->exprs, arg, param, d->c->facts) == ANN_NO) return refuse(d, what, param, arg);
        return true;
    }
    return true;
}

// --- Solving.

// Bare variables come first, so that n * 2 is checked against an n that another parameter states.
static uint32_t in_order(const deduction *d, deduce_dim *order) {
    uint32_t len = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < d->dims.len; i++)
            if ((d->dims.at[i].want->op == EXPR_VAR) == (pass == 0)) order[len++] = d->dims.at[i];
    return len;
}

static const char *spell(const deduction *d, const expr *e) { return expr_to_text(d->c->mem, e); }

static bool contradiction(const deduction *d, const deduce_dim *dim) {
    arena *mem = d->c->mem;
    const expr *value = expr_substitute(d->c->exprs, dim->want, &d->match.bound);
    const char *place = dim->is_value ? "" : arena_format(mem, "dim %u of ", dim->index);
    const char *want = spell(d, dim->want), *worth = "";
    if (value != dim->want) worth = arena_format(mem, ", which is %s here", spell(d, value));
    diag_error(d->c->d, d->n->at, "%s: %s%s is %s, want %s%s", d->callee, place, dim->what, spell(d, dim->got), want,
               worth);
    if (d->declared.src) diag_note(d->c->d, d->declared, "%s is declared here", d->callee);
    return false;
}

static bool shares_variables(const deduction *d) {
    for (uint32_t i = 0; i < d->dims.len; i++) {
        expr_list vars = {0};
        if (d->dims.at[i].got->op != EXPR_INT) expr_free_vars(d->dims.at[i].got, d->c->mem, &vars);
        for (uint32_t v = 0; v < vars.len; v++)
            if (map_has(&d->bindable, MAP_KEY(vars.at[v]))) return true;
    }
    return false;
}

// A function that calls itself uses its variables in two roles: the callee's get stand-ins.
static void rename_own(deduction *d) {
    map renamed = MAP_IN(d->c->mem);
    d->rename = MAP_IN(d->c->mem);
    for (uint32_t i = 0; i < d->bindable.len; i++) {
        const expr *var = (const expr *)(uintptr_t)d->bindable.entry[i].key;
        const expr *stand_in = expr_new_var(d->c->exprs, var->as.var->name, var->type);
        map_put(&d->rename, MAP_KEY(var), (void *)(uintptr_t)stand_in);
        map_put(&renamed, MAP_KEY(stand_in), d->c);
    }
    d->bindable = renamed;
    for (uint32_t i = 0; i < d->dims.len; i++)
        d->dims.at[i].want = expr_substitute(d->c->exprs, d->dims.at[i].want, &d->rename);
}

// A dim that differs for every size but 0 is meant otherwise.
static bool never_holds(deduction *d, const deduce_dim *dim) {
    expr_session *s = d->c->exprs;
    const expr *want = expr_substitute(s, dim->want, &d->match.bound), *one = expr_i64(s, 1);
    if (want == dim->got || dim->is_value || !dtype_equal(want->type, dim->got->type)) return false;
    if (d->n->op == &op_match_cast && d->n->in[0]->op->form == FORM_SHAPE) return false; // sizes left to the run
    facts *f = d->c->facts ? facts_push(d->c->facts) : facts_new(s);
    expr_list vars = {0};
    expr_free_vars(want, d->c->mem, &vars);
    expr_free_vars(dim->got, d->c->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (map_has(&d->bindable, MAP_KEY(vars.at[i]))) return false; // no value yet
        if (dtype_equal(vars.at[i]->type, one->type)) facts_assume(f, expr_binary(s, EXPR_LE, one, vars.at[i]));
    }
    if (prove_less(s, one, one, f)) return false; // no such sizes
    return prove_less(s, want, dim->got, f) || prove_less(s, dim->got, want, f);
}

bool deduce_solve(deduction *d) {
    arena *mem = d->c->mem;
    if (shares_variables(d)) rename_own(d);
    deduce_dim *order = ARENA_NEW(mem, deduce_dim, d->dims.len);
    uint32_t count = in_order(d, order);
    const expr **want = ARENA_NEW(mem, const expr *, count), **got = ARENA_NEW(mem, const expr *, count);
    for (uint32_t i = 0; i < count; i++) {
        want[i] = order[i].want;
        got[i] = order[i].got;
    }
    expr_match_dims(d->c->exprs, want, got, count, &d->bindable, d->c->facts, &d->match);
    if (d->match.contradiction) return contradiction(d, &order[d->match.dim]);
    for (uint32_t i = 0; i < count && d->match.conditions.len; i++)
        if (never_holds(d, &order[i])) return contradiction(d, &order[i]);
    return true;
}

static const ann *result_for_caller(deduction *d, const ann *result) {
    map unbound = MAP_IN(d->c->mem);
    for (uint32_t i = 0; i < d->bindable.len; i++) {
        uint64_t var = d->bindable.entry[i].key;
        if (!map_has(&d->match.bound, var)) map_put(&unbound, var, d);
    }
    ann_rewriting r = {.s = d->c->exprs, .mem = d->c->mem, .drop_shapes = true};
    if (d->rename.len) r.with = &d->rename;
    r.drop = &unbound;
    const ann *own = ann_rewrite(&r, result); // what is dropped must go before the caller's variables come in
    return ann_rewrite(&(ann_rewriting){.s = r.s, .mem = r.mem, .with = &d->match.bound, .fold = true}, own);
}

// --- A whole call.

const node *deduce_callee(const node *callee) {
    while (callee->op->form == FORM_BIND) callee = callee->in[0];
    return callee;
}

const module_func *deduce_loop(const module *m, const node *callee) {
    callee = deduce_callee(callee);
    const module_func *f = callee->op->form == FORM_GLOBAL ? module_find(m, callee->as.text.bytes) : NULL;
    return f && f->kind == FUNC_LOOP ? f : NULL;
}

const char *deduce_name(arena *mem, const node *callee) {
    if (callee->op->form == FORM_GLOBAL) return arena_format(mem, "%s", callee->as.text.bytes);
    if (callee->op->form == FORM_EXTERN) return arena_format(mem, "\"%s\"", callee->as.text.bytes);
    return callee->name ? callee->name : "the function";
}

static loc declared_at(const infer_ctx *c, const node *callee) {
    if (callee->op->form != FORM_GLOBAL) return callee->at;
    const module_func *f = module_find(c->m, callee->as.text.bytes);
    return f ? f->at : (loc){0};
}

static const char *param_name(const infer_ctx *c, const node *callee, uint32_t i) {
    const graph_func *f = NULL;
    const module_func *global = NULL;
    if (callee->op->form == FORM_GLOBAL) global = module_find(c->m, callee->as.text.bytes);
    if (callee->op->form == FORM_CLOSURE) f = callee->as.func;
    if (global && global->kind == FUNC_GRAPH) f = global->graph;
    if (f && i < f->params) return f->param[i]->name;
    if (global && global->loop && i < global->loop->params && global->loop->param[i].buf)
        return global->loop->param[i].buf->name;
    return NULL;
}

static const char *argument_name(const infer_ctx *c, const node *callee, uint32_t i) {
    const char *name = param_name(c, callee, i);
    return name ? arena_format(c->mem, "argument %u (%s)", i + 1, name) : arena_format(c->mem, "argument %u", i + 1);
}

static bool count_fits(infer_ctx *c, const node *n, const char *name, const node *callee, uint32_t want, uint32_t got) {
    if (want == got) return true;
    diag_error(c->d, n->at, "%s: want %s, got %u", name, COUNTED(want, "argument"), got);
    loc declared = declared_at(c, callee);
    if (declared.src) diag_note(c->d, declared, "%s is declared here", name);
    return false;
}

const ann *deduce_call(infer_ctx *c, const node *n, const node *callee, uint32_t first, uint32_t args) {
    const ann *type = callee->type;
    const node *func = deduce_callee(callee);
    const char *name = deduce_name(c->mem, func);
    if (type->kind == ANN_OBJECT) return type;
    if (type->kind != ANN_CALLABLE) {
        diag_error(c->d, n->at, "%s is %s, which can't be called", name, ann_to_text(c->mem, type));
        return NULL;
    }
    if (type->any_params) return type->result ? type->result : ann_object();
    if (!count_fits(c, n, name, func, type->count, args)) return NULL;
    const graph_func *closure = func->op->form == FORM_CLOSURE ? func->as.func : NULL;
    deduction d = deduce_start(c, n, name, declared_at(c, func), closure);
    for (uint32_t i = 0; i < args; i++) deduce_own(&d, type->field[i]);
    for (uint32_t i = 0; i < args; i++)
        if (!deduce_argument(&d, argument_name(c, func, i), type->field[i], n->in[first + i]->type)) return NULL;
    if (!deduce_solve(&d)) return NULL;
    return result_for_caller(&d, type->result ? type->result : ann_object());
}
