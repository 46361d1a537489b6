// compile_signature.c - the prologue of a program: dims of the arguments bind symbolic variables, and are checked.
#include "interp/compile.h"

// *var: the one variable without a value; NULL if there are several.
static bool is_free(compiler *c, const expr *e, const expr **var) {
    expr_list vars = {0};
    expr_free_vars(e, c->mem, &vars);
    *var = NULL;
    for (uint32_t i = 0; i < vars.len; i++) {
        if (map_has(&c->vars, MAP_KEY(vars.at[i]))) continue;
        if (*var) return true; // more than one
        *var = vars.at[i];
    }
    return *var != NULL;
}

// The actual dim of an argument, whatever the signature says of it, as a variable of the wanted type. One that does not
// fit wraps, and is then caught by the check of dims.
static const expr *actual_dim(compiler *c, uint32_t param, uint32_t dim, dtype type) {
    const expr *actual = expr_new_var(c->s, "d", DTYPE_OF(I64));
    uint32_t reg = compile_register(c, 1);
    compile_emit_x(c, CODE_PARAM_DIM, dim, reg, param, 0);
    compile_set(c, actual, reg);
    return expr_cast(c->s, type, actual);
}

// Scalars first: dims may use them (n + 1 beside a parameter n).
static void bind_scalars(compiler *c) {
    uint32_t *reg = ARENA_NEW(c->mem, uint32_t, c->f->params);
    for (uint32_t i = 0; i < c->f->params; i++)
        reg[i] = c->f->param[i].buf ? NO_REGISTER : compile_bind(c, c->f->param[i].var);
    c->p->param_reg = reg;
}

// A dim that is a variable alone gives it its value; further ones are checked against it.
static void bind_plain_dims(compiler *c) {
    for (uint32_t i = 0; i < c->f->params; i++) {
        const buffer *b = c->f->param[i].buf;
        for (uint32_t d = 0; b && d < b->rank; d++)
            if (b->dim[d]->op == EXPR_VAR && !map_has(&c->vars, MAP_KEY(b->dim[d])))
                compile_set(c, b->dim[d], compile_value(c, actual_dim(c, i, d, b->dim[d]->type), 0));
    }
}

// n * 4 against a dim d: n is d // 4. That the dim is n * 4 then is checked with all others.
static void solve_dim(compiler *c, uint32_t param, uint32_t dim, const expr *e, const expr *var) {
    const expr *actual = actual_dim(c, param, dim, e->type), *solution, *condition;
    if (expr_solve(c->s, e, actual, var, NULL, &solution, &condition) != SOLVE_UNIQUE) return;
    compile_set(c, var, compile_value(c, solution, 0));
}

// In order of the signature, so that one solved variable can serve the next.
static void bind_solved_dims(compiler *c) {
    for (uint32_t i = 0; i < c->f->params; i++) {
        const buffer *b = c->f->param[i].buf;
        const expr *var;
        for (uint32_t d = 0; b && d < b->rank; d++)
            if (is_free(c, b->dim[d], &var) && var) solve_dim(c, i, d, b->dim[d], var);
    }
}

// Every dim, those that bound a variable too: that costs a comparison per call.
static void check_dims(compiler *c) {
    for (uint32_t i = 0; i < c->f->params; i++) {
        const buffer *b = c->f->param[i].buf;
        for (uint32_t d = 0; b && d < b->rank; d++)
            compile_emit_x(c, CODE_CHECK_DIM, d, compile_value(c, b->dim[d], 0), i, 0);
    }
}

// Tensors are compact: symbolic strides and offsets of a parameter have those values.
static void bind_layout(compiler *c, const buffer *b) {
    const expr *step = expr_i64(c->s, 1);
    for (uint32_t d = b->rank; b->stride && d-- > 0;) {
        const expr *s = b->stride[d];
        if (s->op == EXPR_VAR && !map_has(&c->vars, MAP_KEY(s))) compile_set(c, s, compile_value(c, step, 0));
        step = expr_binary(c->s, EXPR_MUL, step, expr_cast(c->s, step->type, b->dim[d]));
    }
    const expr *offset = b->elem_offset;
    if (offset && offset->op == EXPR_VAR && !map_has(&c->vars, MAP_KEY(offset)))
        compile_set(c, offset, compile_int(c, 0));
}

void compile_signature(compiler *c) {
    bind_scalars(c);
    bind_plain_dims(c);
    bind_solved_dims(c);
    check_dims(c);
    for (uint32_t i = 0; i < c->f->params; i++) {
        const loop_param *p = &c->f->param[i];
        if (!p->buf) continue;
        bind_layout(c, p->buf);
        compile_setup(c, &(setup){.how = SETUP_PARAM, .buf = p->buf, .from = i});
    }
    for (uint32_t i = 0; i < c->f->params; i++) {
        const loop_param *p = &c->f->param[i];
        if (!p->buf) continue;
        uint32_t slot = compile_slot(c, p->buf);
        if (p->buf->data) compile_over(c, p->buf->data, slot);
        if (p->var) map_put(&c->handles, MAP_KEY(p->var), (void *)(uintptr_t)(slot + 1));
    }
}
