// bounds.c - limits of symbolic sizes become attributes of the public functions that have the symbol.
#include "base/count_noun.h"
#include "base/suggest.h"
#include "driver/driver.h"
#include <string.h>

static expr_list symbols_of(const module *m, const graph_func *f) {
    expr_list vars = {0};
    for (uint32_t i = 0; i < f->params; i++) ann_defined_vars(f->param[i]->type, m->mem, &vars);
    return vars;
}

static bool has_symbol(const module *m, const graph_func *f, const char *symbol) {
    const expr_list vars = symbols_of(m, f);
    for (uint32_t v = 0; v < vars.len; v++)
        if (strcmp(vars.at[v]->as.var->name, symbol) == 0) return true;
    return false;
}

// With the nearest of the names there are, or the only one.
static bool no_symbol(const module *m, const char *symbol, diag *d) {
    VEC(const char *) known = {0};
    bool one = true;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        const expr_list vars = f->kind == FUNC_GRAPH ? symbols_of(m, f->graph) : (expr_list){0};
        for (uint32_t v = 0; v < vars.len; v++) {
            VEC_PUSH(m->mem, &known, vars.at[v]->as.var->name);
            one = one && strcmp(known.at[0], vars.at[v]->as.var->name) == 0;
        }
    }
    const char *near = text_nearest(symbol, known.at, known.len);
    if (!near && known.len && one) near = known.at[0];
    return diag_error(d, (loc){0}, "no function has a size named %s, which a bound is given for%s", symbol,
                      text_suggest(m->mem, near, "", ""));
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
    return found || no_symbol(m, b->symbol, d);
}

// --- Shapes of inputs.

static int64_t bound_in(const graph_func *f, const char *table, const char *symbol, int64_t otherwise) {
    int64_t value;
    return attr_get_int(attr_find(attr_find(f->attrs, table), symbol), &value) ? value : otherwise;
}

// A second statement about a symbol narrows the first one.
static bool apply_dim(module *m, graph_func *f, const driver_shape *s, const char *symbol, int64_t value, diag *d) {
    int64_t low = bound_in(f, "tir_var_lower_bound", symbol, 0);
    int64_t high = bound_in(f, "tir_var_upper_bound", symbol, INT64_MAX);
    if (s->which == SHAPE_OPT) f->attrs = with_bound(m->mem, f->attrs, "rx.typical", symbol, value);
    if (s->which == SHAPE_MIN && value > low) low = value;
    if (s->which == SHAPE_MAX && value < high) high = value;
    if (low > high)
        return diag_error(d, (loc){0}, "%s: %s would be at least %lld and at most %lld", f->name, symbol,
                          (long long)low, (long long)high);
    if (high != INT64_MAX) f->attrs = with_bound(m->mem, f->attrs, "tir_var_upper_bound", symbol, high);
    if (low > 0) f->attrs = with_bound(m->mem, f->attrs, "tir_var_lower_bound", symbol, low);
    return true;
}

// A dim that is a sum or a product of symbols is left to the parameters that define those.
static bool apply_to_param(module *m, graph_func *f, const node *p, const driver_shape *s, diag *d) {
    static const char *const option[] = {[SHAPE_MIN] = "--min", [SHAPE_OPT] = "--opt", [SHAPE_MAX] = "--max"};
    const ann *a = p->type;
    bool shaped = (a->kind == ANN_TENSOR || a->kind == ANN_SHAPE) && a->dim;
    if (!shaped || (uint32_t)a->rank != s->rank)
        return diag_error(d, p->at, "%s: %s: %s is %s, got a shape with %s", option[s->which], f->name, p->name,
                          ann_to_text(m->mem, a), COUNTED(s->rank, "dim"));
    for (uint32_t i = 0; i < s->rank; i++) {
        int64_t fixed;
        if (a->dim[i]->op == EXPR_VAR) {
            if (!apply_dim(m, f, s, a->dim[i]->as.var->name, s->dim[i], d)) return false;
        } else if (expr_const_int(a->dim[i], &fixed) && fixed != s->dim[i]) {
            return diag_error(d, p->at, "%s: %s: dim %u of %s is %lld, got %lld", option[s->which], f->name, i, p->name,
                              (long long)fixed, (long long)s->dim[i]);
        }
    }
    return true;
}

static bool apply_shape(module *m, const driver_shape *s, diag *d) {
    bool found = false;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        module_func *f = m->funcs.entry[i].value;
        for (uint32_t k = 0; f->kind == FUNC_GRAPH && !f->graph->is_private && k < f->graph->params; k++) {
            if (strcmp(f->graph->param[k]->name, s->param) != 0) continue;
            found = true;
            if (!apply_to_param(m, f->graph, f->graph->param[k], s, d)) return false;
        }
    }
    return found || diag_error(d, (loc){0}, "--min, --opt, --max: no public function has a parameter %s", s->param);
}

// Which of them were said does not matter: bounds in the text count as well.
static bool typical_fits(const graph_func *f, diag *d) {
    const attr *typical = attr_find(f->attrs, "rx.typical");
    for (uint32_t i = 0; typical && i < typical->count; i++) {
        const char *symbol = typical->key[i];
        int64_t value = bound_in(f, "rx.typical", symbol, 0), low = bound_in(f, "tir_var_lower_bound", symbol, 0);
        int64_t high = bound_in(f, "tir_var_upper_bound", symbol, INT64_MAX);
        if (value < low)
            return diag_error(d, (loc){0}, "--opt: %s: %s would be %lld, but is at least %lld", f->name, symbol,
                              (long long)value, (long long)low);
        if (value > high)
            return diag_error(d, (loc){0}, "--opt: %s: %s would be %lld, but is at most %lld", f->name, symbol,
                              (long long)value, (long long)high);
    }
    return true;
}

bool driver_apply_shapes(module *m, const driver_shape *s, uint32_t count, diag *d) {
    for (uint32_t i = 0; i < count; i++)
        if (!apply_shape(m, &s[i], d)) return false;
    for (uint32_t i = 0; count && i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind == FUNC_GRAPH && !typical_fits(f->graph, d)) return false;
    }
    return true;
}
