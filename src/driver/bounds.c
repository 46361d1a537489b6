// bounds.c - limits of symbolic sizes become attributes of the public functions that have the symbol.
#include "driver/driver.h"
#include <string.h>

static bool has_symbol(const module *m, const graph_func *f, const char *symbol) {
    for (uint32_t i = 0; i < f->params; i++) {
        expr_list vars = {0};
        ann_defined_vars(f->param[i]->type, m->mem, &vars);
        for (uint32_t v = 0; v < vars.len; v++)
            if (strcmp(vars.at[v]->as.var->name, symbol) == 0) return true;
    }
    return false;
}

static const attr *with_bound(arena *mem, const attr *attrs, const char *table, const char *symbol, int64_t value) {
    const attr *bounds = attr_with(mem, attr_find(attrs, table), symbol, attr_int(mem, value));
    return attr_with(mem, attrs, table, bounds);
}

bool driver_apply_bound(module *m, const driver_bound *b, diag *d) {
    bool found = false;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        module_func *f = m->funcs.entry[i].value;
        if (f->kind != FUNC_GRAPH || !has_symbol(m, f->graph, b->symbol)) continue;
        graph_func *g = f->graph;
        found = true;
        if (b->upper != INT64_MAX) g->attrs = with_bound(m->mem, g->attrs, "tir_var_upper_bound", b->symbol, b->upper);
        if (b->lower > 0) g->attrs = with_bound(m->mem, g->attrs, "tir_var_lower_bound", b->symbol, b->lower);
    }
    return found || diag_error(d, (loc){0}, "--bound: no function has a size named %s", b->symbol);
}
