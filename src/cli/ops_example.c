// ops_example.c - an operator's sample with values, run by the interpreter.
#include "cli/ops_example.h"
#include "graph/build.h"
#include "interp/interp.h"
#include "ops/page.h"
#include "text/op_sample.h"
#include <math.h>
#include <string.h>

enum { MAX_OPERANDS = 8, MAX_SHOWN = 320, SYMBOL = 2 };

// --- Values. Numbers short in decimal; integers small and not negative, so that they serve as indices.
static void fill(tensor *t, uint32_t operand, bool positive) {
    for (int64_t i = 0; i < tensor_count(t); i++) {
        int64_t k = (i * 7 + operand * 3 + 4) % 11;
        if (dtype_is_float(t->type)) tensor_set_float(t, (size_t)i, (double)(k - 5) / 4);
        if (!dtype_is_float(t->type)) tensor_set_int(t, (size_t)i, positive ? 1 + i % 2 : (i + operand) % 2);
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

static bool make_operand(const module *m, const ann *a, uint32_t i, bool positive, value *out) {
    int64_t dim[TENSOR_MAX_RANK];
    tensor *t;
    if (a->kind != ANN_TENSOR || a->rank < 0 || a->rank > TENSOR_MAX_RANK || !dims_of(m, a, dim)) return false;
    if (tensor_new(a->type, (uint32_t)a->rank, dim, &t) != RX_OK) return false;
    fill(t, i, positive);
    *out = (value){.kind = VALUE_TENSOR, .as.tensor = t};
    return true;
}

// --- Printing, as nested lists.
static void put_number(text *out, const tensor *t, size_t i) {
    double v = dtype_is_float(t->type) ? tensor_get_float(t, i) : (double)tensor_get_int(t, i);
    bool truth = dtype_family_of(t->type) == FAMILY_BOOL;
    if (truth) text_put(out, v != 0 ? "True" : "False");
    if (!truth) text_format(out, "%.4g", v == 0 ? 0.0 : isnan(v) ? (double)NAN : v); // signs of 0 and NaN say nothing
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
static bool run_sample(const module *m, const char *call, bool positive, text *out, diag *d) {
    const graph_func *f = module_find(m, "main")->graph;
    value arg[MAX_OPERANDS], result = {0};
    uint32_t made = 0;
    if (f->params > MAX_OPERANDS) return false;
    bool ok = true;
    for (; ok && made < f->params; made++) {
        ok = make_operand(m, f->param[made]->type, made, positive, &arg[made]);
        if (!ok) break;
        ok = put_value(out, f->param[made]->name, &arg[made]);
    }
    text_format(out, "# %s\n", call);
    if (ok) ok = interp_run(m, "main", arg, f->params, NULL, m->mem, &result, d) && put_value(out, "out", &result);
    interp_release(&result);
    for (uint32_t i = 0; i < made; i++) interp_release(&arg[i]);
    return ok;
}

// --- The text that an operator puts together for its sample, where it does not have one for all calls.
static bool put_text(module *m, text *out, diag *d) {
    node_list nodes = {0};
    graph_nodes(module_find(m, "main")->graph, m->mem, &nodes);
    const node *n = nodes.len ? nodes.at[nodes.len - 1] : NULL;
    const char *said = NULL;
    lower_ctx c = {.m = m, .mem = m->mem, .exprs = m->exprs, .d = d, .name = "example", .text = &said};
    lowered l;
    if (!n || !n->op->lower || !op_lower_call(&c, n, &l) || !said) return false;
    text_put(out, "For the first sample:\n\n```\n");
    op_page_compute(out, said, "");
    text_put(out, "```\n\n");
    return true;
}

// Whole numbers that may be 0 first; some operators refuse that, as a stride.
static bool put_example(const op *o, const char *sample, text *out) {
    for (int positive = 0; positive < 2; positive++) {
        arena *mem = arena_new();
        diag *d = diag_new(mem);
        source src = {.name = o->name, .bytes = op_sample_text(mem, sample)};
        src.size = strlen(src.bytes);
        module *m = script_parse(&src, d);
        text values = TEXT_IN(mem);
        if (m && !positive && sample == o->samples[0]) put_text(m, out, d);
        bool ok = m && run_sample(m, strchr(sample, '|') + 2, positive, &values, d);
        if (ok) text_format(out, "Example:\n\n```\n%s```\n\n", text_get(&values));
        module_free(m);
        arena_free(mem);
        if (ok) return true;
    }
    return false;
}

const char *ops_example(arena *mem, const op *o) {
    text out = TEXT_IN(mem);
    if (o->vm || o->refused) return NULL;
    for (size_t i = 0; i < COUNT(o->samples) && o->samples[i]; i++)
        if (put_example(o, o->samples[i], &out)) break;
    return out.len ? text_get(&out) : NULL;
}
