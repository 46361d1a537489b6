// lower.c - one call of an operator made into a loop program with variables of its own.
#include "ops/compute.h"
#include "ops/ops.h"

// Programs are shared among calls and functions, so their symbols must be nobody else's.
static const buffer *own_buffer(const lower_ctx *c, const buffer *b, const map *own) {
    const expr **dim = ARENA_NEW(c->mem, const expr *, b->rank);
    for (uint32_t i = 0; i < b->rank; i++) dim[i] = expr_substitute(c->exprs, b->dim[i], own);
    return buffer_new(c->exprs, b->name, b->type, dim, b->rank, b->scope);
}

// The caller's variables in a program: those of its buffers' dims and its scalar parameters.
static void own_vars(const lower_ctx *c, const loop_func *f, map *own) {
    expr_list vars = {0};
    loop_func_dim_vars(f, c->mem, &vars);
    for (uint32_t i = 0; i < f->params; i++)
        if (!f->param[i].buf) VEC_PUSH(c->mem, &vars, f->param[i].var);
    for (uint32_t i = 0; i < vars.len; i++) {
        const expr *fresh = expr_new_var(c->exprs, vars.at[i]->as.var->name, vars.at[i]->type);
        map_put(own, MAP_KEY(vars.at[i]), (void *)(uintptr_t)fresh);
    }
}

static const loop_func *with_own_vars(const lower_ctx *c, const loop_func *f) {
    map own = MAP_IN(c->mem), buffers = MAP_IN(c->mem);
    own_vars(c, f, &own);
    if (own.len == 0) return f;
    loop_func *now = ARENA_NEW(c->mem, loop_func, 1);
    loop_param *param = ARENA_NEW(c->mem, loop_param, f->params);
    *now = *f;
    now->param = param;
    for (uint32_t i = 0; i < f->params; i++) {
        param[i] = f->param[i];
        if (!param[i].buf) param[i].var = map_find(&own, MAP_KEY(param[i].var));
        if (!param[i].buf) continue;
        param[i].buf = own_buffer(c, param[i].buf, &own);
        map_put(&buffers, MAP_KEY(f->param[i].buf), (void *)(uintptr_t)param[i].buf);
    }
    now->body = stmt_replace(c->exprs, c->mem, f->body, &own, &buffers);
    return now;
}

// Views and builtins are fine calls, but no programs.
static bool refuse(const lower_ctx *c, const node *n) {
    const char *why = n->op->refused ? "has no meaning here" : "is no loop program";
    return diag_error(c->d, n->at, "%s: cannot be lowered to loops: it %s", n->op->name, why);
}

bool op_lower_call(const lower_ctx *c, const node *n, lowered *out) {
    const op *o = n->op;
    if (!o->compute && !o->lower) return refuse(c, n);
    operand_list operands = {0};
    if (!operand_buffers(c, n, &operands)) return false;
    const loop_func *f = o->compute ? compute_build(c, n, o->compute, NULL, 0) : o->lower(c, n);
    if (!f) return false;
    VEC(lowered_arg) args = {0};
    for (uint32_t i = 0; i < operands.len; i++) {
        const operand_buffer *b = &operands.at[i];
        lowered_arg arg = {.operand = b->operand, .field = b->field};
        if (!b->output && !b->scalar) VEC_PUSH(c->mem, &args, arg);
    }
    expr_list tir_vars = {0};
    for (uint32_t i = 0; i < f->params; i++)
        if (!f->param[i].buf) VEC_PUSH(c->mem, &tir_vars, f->param[i].var);
    *out = (lowered){.func = with_own_vars(c, f),
                     .args = args.len,
                     .arg = args.at,
                     .tir_vars = tir_vars.len,
                     .tir_var = tir_vars.at};
    return true;
}
