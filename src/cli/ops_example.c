// ops_example.c - an operator's sample with values, run by the interpreter.
#include "cli/ops_example.h"
#include "graph/build.h"
#include "interp/interp.h"
#include "text/op_sample.h"
#include <math.h>
#include <string.h>

enum { MAX_OPERANDS = 8, MAX_SHOWN = 24, SYMBOL = 2 };

// --- Values. Numbers short in decimal; integers small and not negative, so that they serve as indices.
static void fill(tensor *t, uint32_t operand) {
    for (int64_t i = 0; i < tensor_count(t); i++) {
        int64_t k = (i * 7 + operand * 3 + 4) % 11;
        if (dtype_is_float(t->type)) tensor_set_float(t, (size_t)i, (double)(k - 5) / 4);
        if (!dtype_is_float(t->type)) tensor_set_int(t, (size_t)i, (i + operand) % 2);
    }
}

static bool dims_of(const module *m, const ann *a, int64_t *dim) {
    expr_env env = expr_env_new(m->mem, m->exprs);
    expr_list vars = {0};
    scalar s;
    ann_free_vars(a, m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) expr_env_set(&env, vars.at[i], (scalar){.i = SYMBOL});
    for (int32_t i = 0; i < a->rank; i++) {
        if (expr_eval(a->dim[i], &env, &s) != EXPR_DONE) return false;
        dim[i] = s.i;
    }
    return true;
}

static bool make_operand(const module *m, const ann *a, uint32_t i, value *out) {
    int64_t dim[TENSOR_MAX_RANK];
    tensor *t;
    if (a->kind != ANN_TENSOR || a->rank < 0 || a->rank > TENSOR_MAX_RANK || !dims_of(m, a, dim)) return false;
    if (tensor_new(a->type, (uint32_t)a->rank, dim, &t) != RX_OK) return false;
    fill(t, i);
    *out = (value){.kind = VALUE_TENSOR, .as.tensor = t};
    return true;
}

// --- Printing, as nested lists.
static void put_number(text *out, const tensor *t, size_t i) {
    double v = dtype_is_float(t->type) ? tensor_get_float(t, i) : (double)tensor_get_int(t, i);
    bool truth = dtype_family_of(t->type) == FAMILY_BOOL;
    if (truth) text_put(out, v != 0 ? "True" : "False");
    if (!truth) text_format(out, "%.4g", v == 0 ? 0.0 : v);
}

static size_t put_list(text *out, const tensor *t, uint32_t axis, size_t i) {
    if (axis == t->rank) return put_number(out, t, i), i + 1;
    text_put_char(out, '[');
    for (int64_t k = 0; k < t->dim[axis]; k++) {
        if (k) text_put(out, ", ");
        i = put_list(out, t, axis + 1, i);
    }
    text_put_char(out, ']');
    return i;
}

static bool put_value(text *out, const char *name, const value *v) {
    if (v->kind == VALUE_TUPLE) {
        for (uint32_t i = 0; i < v->as.tuple.count; i++) {
            const char *part = arena_format(out->mem, "%s%u", name, i);
            if (!put_value(out, part, &v->as.tuple.item[i])) return false;
        }
        return true;
    }
    if (v->kind != VALUE_TENSOR || tensor_count(v->as.tensor) > MAX_SHOWN) return false;
    text_format(out, "%s = ", name);
    put_list(out, v->as.tensor, 0, 0);
    text_put_char(out, '\n');
    return true;
}

// --- Running.
static bool run_sample(const module *m, const char *call, text *out, diag *d) {
    const graph_func *f = module_find(m, "main")->graph;
    value arg[MAX_OPERANDS], result = {0};
    uint32_t made = 0;
    if (f->params > MAX_OPERANDS) return false;
    bool ok = true;
    for (; ok && made < f->params; made++) {
        ok = make_operand(m, f->param[made]->type, made, &arg[made]);
        if (!ok) break;
        ok = put_value(out, f->param[made]->name, &arg[made]);
    }
    text_format(out, "# %s\n", call);
    if (ok) ok = interp_run(m, "main", arg, f->params, NULL, m->mem, &result, d) && put_value(out, "out", &result);
    interp_release(&result);
    for (uint32_t i = 0; i < made; i++) interp_release(&arg[i]);
    return ok;
}

const char *ops_example(arena *mem, const op *o) {
    if (!o->samples[0] || o->vm || o->refused) return NULL;
    diag *d = diag_new(mem);
    source src = {.name = o->name, .bytes = op_sample_text(mem, o->samples[0])};
    src.size = strlen(src.bytes);
    module *m = script_parse(&src, d);
    text values = TEXT_IN(mem);
    bool ok = m && run_sample(m, strchr(o->samples[0], '|') + 2, &values, d);
    module_free(m);
    if (!ok) return NULL;
    return arena_format(mem, "Example:\n\n```\n%s```\n\n", text_get(&values));
}
