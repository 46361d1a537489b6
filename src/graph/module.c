// module.c - modules: functions by name, their signatures, what a module owns.
#include "graph/op.h"
#include <stdio.h>
#include <string.h>

module *module_new(void) {
    arena *mem = arena_new();
    module *m = ARENA_NEW(mem, module, 1);
    m->mem = mem;
    m->exprs = expr_open();
    m->name = "Module";
    m->funcs = TEXT_MAP_IN(mem);
    m->presets = MAP_IN(mem);
    return m;
}

void module_free(module *m) {
    if (!m) return;
    for (uint32_t i = 0; i < m->constants.len; i++) tensor_release(m->constants.at[i]);
    expr_close(m->exprs);
    arena_free(m->mem);
}

module *module_fork(module *m) {
    module *fork = ARENA_NEW(m->mem, module, 1);
    *fork = *m;
    fork->funcs = TEXT_MAP_IN(m->mem);
    fork->presets = MAP_IN(m->mem);
    memset(&fork->constants, 0, sizeof fork->constants);
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        module_func *entry = ARENA_NEW(m->mem, module_func, 1);
        *entry = *(const module_func *)m->funcs.entry[i].value;
        text_map_put(&fork->funcs, m->funcs.entry[i].key, entry);
    }
    return fork;
}

void module_join(module *m, module *fork) {
    for (uint32_t i = 0; i < fork->constants.len; i++) VEC_PUSH(m->mem, &m->constants, fork->constants.at[i]);
    fork->constants.len = 0;
}

module_func *module_find(const module *m, const char *name) { return text_map_find(&m->funcs, name); }

// The entry of a name, made if there is none; what it held before is forgotten.
static module_func *put(module *m, const char *name, module_func what) {
    module_func *entry = module_find(m, name);
    if (!entry) {
        entry = ARENA_NEW(m->mem, module_func, 1);
        text_map_put(&m->funcs, name, entry);
    }
    *entry = what;
    entry->name = arena_copy(m->mem, name, strlen(name));
    return entry;
}

module_func *module_declare(module *m, const char *name, func_kind kind, const ann *type, loc at) {
    return put(m, name, (module_func){.kind = kind, .type = type, .at = at});
}

module_func *module_put_graph(module *m, graph_func *f) {
    const ann *type = graph_func_type(m->mem, f);
    return put(m, f->name, (module_func){.kind = FUNC_GRAPH, .graph = f, .type = type, .at = f->at});
}

module_func *module_put_loop(module *m, const loop_func *f) {
    const ann *type = loop_func_type(m->mem, f);
    return put(m, f->name, (module_func){.kind = FUNC_LOOP, .loop = f, .type = type, .at = f->at});
}

// Anything may be passed to an external function and anything may come back.
static const ann *external_type(arena *mem) {
    ann *type = ARENA_NEW(mem, ann, 1);
    *type = (ann){.kind = ANN_CALLABLE, .rank = RANK_UNKNOWN, .any_params = true};
    return type;
}

module_func *module_put_extern(module *m, const char *name, const char *symbol, loc at) {
    const char *copy = arena_copy(m->mem, symbol, strlen(symbol));
    return put(m, name, (module_func){.kind = FUNC_EXTERN, .symbol = copy, .type = external_type(m->mem), .at = at});
}

// A map can't forget: the others are put into a new one.
void module_remove(module *m, const char *name) {
    if (!module_find(m, name)) return;
    text_map rest = TEXT_MAP_IN(m->mem);
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const text_entry *e = &m->funcs.entry[i];
        if (strcmp(e->key, name) != 0) text_map_put(&rest, e->key, e->value);
    }
    m->funcs = rest;
}

const char *module_fresh_name(const module *m, const char *wish) {
    if (!module_find(m, wish)) return arena_copy(m->mem, wish, strlen(wish));
    for (uint32_t i = 1;; i++) {
        const char *name = arena_format(m->mem, "%s%u", wish, i);
        if (!module_find(m, name)) return name;
    }
}

const ann *graph_func_type(arena *mem, const graph_func *f) {
    const ann **param = ARENA_NEW(mem, const ann *, f->params);
    for (uint32_t i = 0; i < f->params; i++) param[i] = f->param[i]->type;
    return ann_callable(mem, param, f->params, f->result_type, f->pure);
}

static const ann *loop_param_type(arena *mem, const loop_param *p) {
    if (p->buf) return ann_tensor(mem, p->buf->type, p->buf->dim, p->buf->rank);
    if (p->var->type.kind == DTYPE_HANDLE) return ann_object();
    return ann_prim(mem, p->var->type, expr_is_index(p->var) ? p->var : NULL);
}

const ann *loop_func_type(arena *mem, const loop_func *f) {
    const ann **param = ARENA_NEW(mem, const ann *, f->params);
    for (uint32_t i = 0; i < f->params; i++) param[i] = loop_param_type(mem, &f->param[i]);
    bool returns = f->result.kind != DTYPE_VOID;
    const ann *result = returns ? ann_prim(mem, f->result, NULL) : ann_tuple(mem, NULL, 0);
    return ann_callable(mem, param, f->params, result, false);
}
