// renew.c - new variables and buffers for those of a program.
#include "pass/renew.h"

renewal renewal_of(module *m, const loop_func *f) {
    renewal r = {.m = m, .vars = MAP_IN(m->mem), .buffers = MAP_IN(m->mem)};
    expr_list all = {0};
    loop_func_dim_vars(f, m->mem, &all);
    for (uint32_t i = 0; i < f->params; i++)
        if (!f->param[i].buf) VEC_PUSH(m->mem, &all, f->param[i].var);
    for (uint32_t i = 0; i < all.len; i++) {
        const expr *now = expr_new_var(m->exprs, all.at[i]->as.var->name, all.at[i]->type);
        map_put(&r.vars, MAP_KEY(all.at[i]), (void *)(uintptr_t)now);
    }
    return r;
}

const buffer *renew_buffer(const renewal *r, const buffer *old, const char *scope) {
    const expr **dim = ARENA_NEW(r->m->mem, const expr *, old->rank);
    for (uint32_t i = 0; i < old->rank; i++) dim[i] = expr_substitute(r->m->exprs, old->dim[i], &r->vars);
    buffer *b = buffer_new(r->m->exprs, old->name, old->type, dim, old->rank, scope);
    b->align = old->align;
    b->offset_factor = old->offset_factor;
    return b;
}

loop_param renew_param(renewal *r, const loop_param *old) {
    loop_param p = *old;
    p.buf = renew_buffer(r, old->buf, old->buf->scope);
    p.var = expr_new_var(r->m->exprs, old->var->as.var->name, old->var->type);
    map_put(&r->buffers, MAP_KEY(old->buf), (void *)(uintptr_t)p.buf);
    map_put(&r->vars, MAP_KEY(old->var), (void *)(uintptr_t)p.var);
    map_put(&r->vars, MAP_KEY(old->buf->data), (void *)(uintptr_t)p.buf->data);
    return p;
}

const stmt *renew_body(const renewal *r, const stmt *body) {
    const stmt *fresh = stmt_refresh(r->m->exprs, r->m->mem, body);
    return stmt_replace(r->m->exprs, r->m->mem, fresh, &r->vars, &r->buffers);
}
