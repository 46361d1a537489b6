// draw.c - random inputs for a function's signature: symbols from small to larger, then tensors over them.
#include "interp/draw.h"
#include "base/size.h"
#include <string.h>

// The values symbols are drawn from, in the order of draws; a draw beyond takes random ones of them.
static const int64_t symbol_values[] = {3, 1, 0, 2, 5, 7, 4, 11, 8, 13, 16, 33, 64, 100};

// `env` holds what symbols are worth; in the first phase its `bound` alone is used.
typedef struct drawing {
    const module *m;
    arena *mem;
    const attr *attrs; // of the function: bounds of its symbols
    uint64_t seed;
    uint32_t draw;
    unsigned level;
    expr_list vars;
    expr_env env;
    uint32_t tensors;
} drawing;

// A chain of hashes: the same seed gives the same inputs everywhere.
static uint64_t next(drawing *g) { return g->seed = hash_mix(g->seed, 0x9e3779b97f4a7c15u); }

// `bound` serves as the set of variables seen; values are chosen afterwards.
static void note_vars(drawing *g, const expr_list *vars) {
    for (uint32_t i = 0; i < vars->len; i++) {
        const expr *v = vars->at[i];
        if (g->env.bound[v->as.var->id]) continue;
        g->env.bound[v->as.var->id] = true;
        VEC_PUSH(g->mem, &g->vars, v);
    }
}

// The first draws give all symbols one value, then each its own.
static int64_t choose(drawing *g) {
    if (g->draw < 4) return symbol_values[g->draw];
    uint64_t room = g->draw < COUNT(symbol_values) ? g->draw + 1 : COUNT(symbol_values);
    return symbol_values[next(g) % room];
}

// Bounds that the function's attributes promise must hold of the inputs, or the run refuses them.
static int64_t in_bounds(drawing *g, const expr *var, int64_t n) {
    int64_t bound;
    if (attr_get_int(attr_find(attr_find(g->attrs, "tir_var_upper_bound"), var->as.var->name), &bound) && n > bound)
        n = bound;
    if (attr_get_int(attr_find(attr_find(g->attrs, "tir_var_lower_bound"), var->as.var->name), &bound) && n < bound)
        n = bound;
    return n;
}

// The text names them in the order of the signature: "n = 3, m = 1".
static void choose_symbols(drawing *g, text *symbols) {
    for (uint32_t i = 0; i < g->vars.len; i++) {
        int64_t v = in_bounds(g, g->vars.at[i], choose(g));
        expr_env_set(&g->env, g->vars.at[i], (scalar){.i = v});
        if (symbols) text_format(symbols, "%s%s = %lld", i ? ", " : "", g->vars.at[i]->as.var->name, (long long)v);
    }
}

// Refuses what would be more elements than a trial can afford.
static bool eval_dims(drawing *g, const expr *const *dim, uint32_t rank, int64_t *out) {
    int64_t count = 1;
    for (uint32_t i = 0; i < rank; i++) {
        scalar s;
        if (expr_eval(dim[i], &g->env, &s) != EXPR_DONE || s.i < 0) return false;
        out[i] = s.i;
        if (!int_mul(count, s.i ? s.i : 1, &count) || count > 1 << 28) return false;
    }
    return true;
}

// A tensor of unknown rank becomes a matrix, unknown dims 1 to 4.
static bool draw_dims(drawing *g, const ann *a, int64_t *dim, uint32_t *rank) {
    *rank = a->rank == RANK_UNKNOWN ? 2 : (uint32_t)a->rank;
    if (*rank > TENSOR_MAX_RANK) return false;
    if (a->dim) return eval_dims(g, a->dim, *rank, dim);
    for (uint32_t i = 0; i < *rank; i++) dim[i] = 1 + (int64_t)(next(g) % 4);
    return true;
}

// Integers as the level says (draw.h).
static void fill(drawing *g, tensor *t) {
    static const int64_t most[] = {7, 7, 1, 0};
    tensor_fill_random(t, hash_mix(g->seed, ++g->tensors));
    if (!dtype_is_int(t->type) || g->level == 0) return;
    for (size_t i = 0; i < (size_t)tensor_count(t) * dtype_lanes(t->type); i++) {
        int64_t n = tensor_get_int(t, i);
        tensor_set_int(t, i, (n < 0 ? -n : n) % (most[g->level] + 1));
    }
}

// Owned by the value: interp_release gives it back.
static bool draw_tensor(drawing *g, dtype type, const int64_t *dim, uint32_t rank, value *out) {
    tensor *t;
    if (tensor_new(type, rank, dim, &t) != RX_OK) return false;
    fill(g, t);
    out->kind = VALUE_TENSOR;
    out->as.tensor = t;
    return true;
}

// R.Prim(value=n) is the value of its symbol, so that it fits the dims that use it.
static bool draw_number(drawing *g, dtype type, const expr *e, value *out) {
    out->kind = VALUE_PRIM;
    out->as.prim.type = type.kind == DTYPE_VOID ? DTYPE_OF(I64) : type;
    if (e) return expr_eval(e, &g->env, &out->as.prim.scalar) == EXPR_DONE;
    if (dtype_is_float(type))
        out->as.prim.scalar.f = (double)(next(g) % 64) / 32 - 1;
    else
        out->as.prim.scalar.i = dtype_wrap(type, (int64_t)(next(g) % 8));
    return true;
}

static bool draw_value(drawing *g, const ann *a, value *out);

// A tuple that fails half-way holds what was drawn, so that it can be released like a whole one.
static bool draw_tuple(drawing *g, const ann *a, value *out) {
    value *item = ARENA_NEW(g->mem, value, a->count);
    *out = (value){.kind = VALUE_TUPLE, .as.tuple = {item, a->count}};
    for (uint32_t i = 0; i < a->count; i++)
        if (!draw_value(g, a->field[i], &item[i])) return false;
    return true;
}

static bool draw_shape(drawing *g, const ann *a, value *out) {
    int64_t *dim = ARENA_NEW(g->mem, int64_t, TENSOR_MAX_RANK);
    *out = (value){.kind = VALUE_SHAPE, .as.shape = {.dim = dim}};
    return draw_dims(g, a, dim, &out->as.shape.rank);
}

// An R.Object gets nothing (a null value); functions can't be made.
static bool draw_value(drawing *g, const ann *a, value *out) {
    int64_t dim[TENSOR_MAX_RANK];
    uint32_t rank;
    switch (a->kind) {
    case ANN_OBJECT: return true;
    case ANN_PRIM: return draw_number(g, a->type, a->value, out);
    case ANN_SHAPE: return draw_shape(g, a, out);
    case ANN_TENSOR:
        if (a->shape || !draw_dims(g, a, dim, &rank)) return false;
        return draw_tensor(g, a->type.kind == DTYPE_VOID ? DTYPE_OF(F32) : a->type, dim, rank, out);
    case ANN_TUPLE: return draw_tuple(g, a, out);
    case ANN_CALLABLE: break;
    }
    return false;
}

// --- Signatures: what graph functions and loop programs have in common.

// A loop program's parameters as annotations, so that one code draws both.
static const ann *param_type(drawing *g, const module_func *f, uint32_t i) {
    if (f->kind == FUNC_GRAPH) return f->graph->param[i]->type;
    const loop_param *p = &f->loop->param[i];
    if (p->buf) return ann_tensor(g->mem, p->buf->type, p->buf->dim, p->buf->rank);
    return ann_prim(g->mem, p->var->type, dtype_is_float(p->var->type) ? NULL : p->var);
}

static uint32_t param_count(const module_func *f) { return f->kind == FUNC_GRAPH ? f->graph->params : f->loop->params; }

static const char *param_name(const module_func *f, uint32_t i) {
    if (f->kind == FUNC_GRAPH) return f->graph->param[i]->name;
    const loop_param *p = &f->loop->param[i];
    return p->buf ? p->buf->name : p->var->as.var->name;
}

// Variables in the order of the signature, each once.
static void note_param(drawing *g, const ann *type) {
    expr_list vars = {0};
    ann_defined_vars(type, g->mem, &vars);
    note_vars(g, &vars);
}

// Symbols first, from all parameters: a dim may mention a symbol that a later parameter binds.
bool draw_at_level(const module *m, const char *func, uint64_t seed, uint32_t draw, unsigned level, arena *mem,
                   value **arg, uint32_t *count, text *symbols) {
    const module_func *f = module_find(m, func);
    if (!f || f->kind == FUNC_EXTERN) return false;
    drawing g = {.m = m, .mem = mem, .seed = hash_mix(seed, draw), .draw = draw, .level = level};
    if (f->kind == FUNC_GRAPH) g.attrs = f->graph->attrs;
    g.env = expr_env_new(mem, m->exprs);
    *count = param_count(f);
    *arg = ARENA_NEW(mem, value, *count);
    for (uint32_t i = 0; i < *count; i++) note_param(&g, param_type(&g, f, i));
    choose_symbols(&g, symbols);
    bool done = true;
    for (uint32_t i = 0; done && i < *count; i++) done = draw_value(&g, param_type(&g, f, i), &(*arg)[i]);
    for (uint32_t i = 0; !done && i < *count; i++) interp_release(&(*arg)[i]);
    return done;
}

bool interp_draw(const module *m, const char *func, uint64_t seed, uint32_t draw, arena *mem, value **arg,
                 uint32_t *count, text *symbols) {
    return draw_at_level(m, func, seed, draw, DRAW_INDICES, mem, arg, count, symbols);
}

// --- Filling in what is missing.

// The first value counts; a contradiction is found when the function runs.
static void learn(drawing *g, const expr *dim, int64_t number) {
    if (dim->op == EXPR_VAR && !g->env.bound[dim->as.var->id]) expr_env_set(&g->env, dim, (scalar){.i = number});
}

// Symbols that stand alone in the annotation of a value that is given.
static void learn_value(drawing *g, const ann *a, const value *v) {
    const int64_t *dim = v->kind == VALUE_TENSOR ? v->as.tensor->dim : v->as.shape.dim;
    uint32_t rank = v->kind == VALUE_TENSOR ? v->as.tensor->rank : v->kind == VALUE_SHAPE ? v->as.shape.rank : 0;
    for (uint32_t i = 0; a->dim && (uint32_t)a->rank == rank && i < rank; i++) learn(g, a->dim[i], dim[i]);
    if (v->kind == VALUE_PRIM && a->kind == ANN_PRIM && a->value) learn(g, a->value, v->as.prim.scalar.i);
    for (uint32_t i = 0; v->kind == VALUE_TUPLE && a->count == v->as.tuple.count && i < a->count; i++)
        learn_value(g, a->field[i], &v->as.tuple.item[i]);
}

static void learn_symbols(drawing *g, const expr_list *vars, const interp_symbol *symbol, uint32_t symbols,
                          bool *used) {
    for (uint32_t i = 0; i < vars->len; i++)
        for (uint32_t k = 0; k < symbols; k++) {
            if (strcmp(vars->at[i]->as.var->name, symbol[k].name) != 0) continue;
            learn(g, vars->at[i], symbol[k].number);
            used[k] = true;
        }
}

// Sizes that the symbols' chooser would have had to make up.
static const expr *first_unknown(drawing *g, const ann *type) {
    expr_list vars = {0};
    ann_defined_vars(type, g->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (!g->env.bound[vars.at[i]->as.var->id]) return vars.at[i];
    return NULL;
}

static bool fill_param(drawing *g, const module_func *f, uint32_t i, value *out, diag *d) {
    const ann *type = param_type(g, f, i);
    const expr *unknown = first_unknown(g, type);
    if (unknown)
        return diag_error(d, (loc){0}, "%s: %s is not given, and its size %s isn't either", f->name, param_name(f, i),
                          unknown->as.var->name);
    if (draw_value(g, type, out)) return true;
    return diag_error(d, (loc){0}, "%s: %s: no random value can be made of %s", f->name, param_name(f, i),
                      ann_to_text(g->mem, type));
}

// First everything is learnt from all that is given, then the rest is drawn: order does not matter.
bool interp_draw_rest(const module *m, const char *func, uint64_t seed, const interp_symbol *symbol, uint32_t symbols,
                      arena *mem, value *arg, const bool *given, diag *d) {
    const module_func *f = module_find(m, func);
    drawing g = {.m = m, .mem = mem, .seed = seed, .level = DRAW_INDICES};
    if (!f || f->kind == FUNC_EXTERN) return diag_error(d, (loc){0}, "%s: no such function in the module", func);
    bool *used = ARENA_NEW(mem, bool, symbols);
    g.env = expr_env_new(mem, m->exprs);
    for (uint32_t i = 0; i < param_count(f); i++) {
        expr_list vars = {0};
        ann_defined_vars(param_type(&g, f, i), mem, &vars);
        if (given[i]) learn_value(&g, param_type(&g, f, i), &arg[i]);
        learn_symbols(&g, &vars, symbol, symbols, used);
    }
    for (uint32_t k = 0; k < symbols; k++)
        if (!used[k]) return diag_error(d, (loc){0}, "%s has no parameter or size %s", func, symbol[k].name);
    for (uint32_t i = 0; i < param_count(f); i++)
        if (!given[i] && !fill_param(&g, f, i, &arg[i], d)) return false;
    return true;
}
