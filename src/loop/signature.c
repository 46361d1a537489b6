// signature.c - the buffers and symbolic variables of a program's signature.
#include "loop/loop.h"

uint32_t loop_func_buffers(const loop_func *f, arena *mem, const buffer *const **out) {
    const buffer **list = ARENA_NEW(mem, const buffer *, f->params);
    uint32_t len = 0;
    for (uint32_t i = 0; i < f->params; i++)
        if (f->param[i].buf) list[len++] = f->param[i].buf;
    *out = list;
    return len;
}

static bool is_scalar_param(const loop_func *f, const expr *var) {
    for (uint32_t i = 0; i < f->params; i++)
        if (!f->param[i].buf && f->param[i].var == var) return true;
    return false;
}

void loop_func_dim_vars(const loop_func *f, arena *mem, expr_list *out) {
    map seen = MAP_IN(mem);
    for (uint32_t i = 0; i < f->params; i++) {
        const buffer *b = f->param[i].buf;
        for (uint32_t d = 0; b && d < b->rank; d++) {
            expr_list vars = {0};
            expr_free_vars(b->dim[d], mem, &vars);
            for (uint32_t v = 0; v < vars.len; v++) {
                if (map_has(&seen, MAP_KEY(vars.at[v])) || is_scalar_param(f, vars.at[v])) continue;
                map_put(&seen, MAP_KEY(vars.at[v]), &seen);
                VEC_PUSH(mem, out, vars.at[v]);
            }
        }
    }
}

void loop_func_scalars(const loop_func *f, arena *mem, expr_list *out) {
    loop_func_dim_vars(f, mem, out);
    for (uint32_t i = 0; i < f->params; i++)
        if (!f->param[i].buf) VEC_PUSH(mem, out, f->param[i].var);
}
