// fold_constant.c - FoldConstant: what depends on constants alone is computed now.
//
//   before:  a = R.add(R.const(1.0, "float32"), R.const(2.0, "float32"))     after:  b = R.add(x, R.const(3.0, …))
//            b = R.add(x, a)
//
// Needs nothing. Keeps results bit for bit: the interpreter computes them as the program would. Only small constants
// are made (option max_bytes) and only few steps are spent on one; weights are no constants. Operators, and calls of
// loop programs.
#include "interp/interp.h"
#include "pass/clone.h"
#include "pass/written.h"

typedef struct folding {
    module *m;
    diag *scratch; // what goes wrong inside of an evaluation is no error: the call stays
    clone c;
    map written;      // what a call writes is no constant, as of find_written
    const char *name; // of the function that is run
    int64_t max_bytes;
} folding;

static const node *meant(const folding *z, const node *n) {
    for (const node *next; (next = map_find(&z->c.same, MAP_KEY(n)));) n = next;
    return n;
}

// --- What can be computed.

static bool is_number(const expr *e) { return e->op == EXPR_INT || e->op == EXPR_FLOAT; }

static bool is_known(const folding *z, const node *n) {
    n = meant(z, n);
    switch (n->op->form) {
    case FORM_CONSTANT:
    case FORM_STRING:
    case FORM_DTYPE:
    case FORM_GLOBAL: return true;
    case FORM_PRIM: return is_number(n->as.value);
    case FORM_SHAPE:
        for (uint32_t i = 0; i < n->as.shape.rank; i++)
            if (!is_number(n->as.shape.dim[i])) return false;
        return true;
    case FORM_TUPLE:
        for (uint32_t i = 0; i < n->count; i++)
            if (!is_known(z, n->in[i])) return false;
        return true;
    case FORM_OPERATOR:
    case FORM_PARAM:
    case FORM_ITEM:
    case FORM_EXTERN:
    case FORM_CLOSURE:
    case FORM_CALL:
    case FORM_IF:
    case FORM_MATCH_CAST:
    case FORM_BIND: return false;
    }
    return false;
}

static bool is_small(const folding *z, const ann *a) {
    int64_t count = 1;
    for (int32_t i = 0; i < a->rank; i++) {
        int64_t dim;
        if (!a->dim || !expr_const_int(a->dim[i], &dim) || dim < 0 || dim > z->max_bytes) return false;
        count *= dim;
        if (count > z->max_bytes) return false;
    }
    size_t bytes;
    return a->rank >= 0 && dtype_bytes(a->type, count, &bytes) && bytes <= (size_t)z->max_bytes;
}

static bool is_foldable(const folding *z, const node *n) {
    const op *o = n->op;
    bool computes = o->compute || o->lower || o->call || o->view || o == &op_call_tir;
    if (o->form != FORM_OPERATOR || o->impure || !computes) return false;
    if (n->type->kind != ANN_TENSOR || n->type->type.kind == DTYPE_VOID || !is_small(z, n->type)) return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (!is_known(z, n->in[i])) return false;
    return true;
}

// --- Computing it: a function of that one call, run by the interpreter.

static const node *result_leaf(folding *z, const node *n) {
    enum { MAX_STEPS = 1000000 };
    clone c = clone_into(build_func(z->m, z->name, z->scratch));
    c.same = z->c.same;
    build_block(c.b, false);
    const node *call = clone_binding(&c, n);
    if (node_is_poison(call)) return NULL;
    module_put_graph(z->m, build_finish(c.b, call));
    value result;
    interp_options o = {.max_steps = MAX_STEPS};
    if (!interp_run(z->m, z->name, NULL, 0, &o, z->m->mem, &result, z->scratch)) return NULL;
    const node *leaf = NULL;
    if (result.kind == VALUE_TENSOR) leaf = build_constant(c.b, result.as.tensor);
    interp_release(&result);
    return leaf;
}

static void fold(folding *z, const node *n) {
    if (touches_written(&z->written, n)) return;
    const node *is =
        n->op->form == FORM_BIND && meant(z, n->in[0])->op->form == FORM_CONSTANT ? meant(z, n->in[0]) : NULL;
    if (!is && is_foldable(z, n)) is = result_leaf(z, n);
    if (!is) return;
    map_put(&z->c.same, MAP_KEY(n), (void *)(uintptr_t)is);
    map_put(&z->c.drop, MAP_KEY(n), z);
}

static bool run(module *m, const pass_ctx *c) {
    folding z = {.m = m, .scratch = diag_new(m->mem)};
    if (!pass_get_int(c, &pass_fold_constant, "max_bytes", &z.max_bytes)) return false;
    func_list list = {0};
    graph_functions(m, &list);
    z.name = module_fresh_name(m, "folded");
    uint32_t errors = c->d->errors;
    for (uint32_t i = 0; i < list.len; i++) {
        node_list nodes = {0};
        z.c = clone_tables(m);
        z.written = MAP_IN(m->mem);
        find_written(m, list.at[i], &z.written);
        every_node(list.at[i], m->mem, &nodes);
        for (uint32_t k = 0; k < nodes.len; k++)
            if (nodes.at[k]->name) fold(&z, nodes.at[k]);
        if (z.c.same.len) module_put_graph(m, clone_func(&z.c, m, list.at[i], c->d));
    }
    module_remove(m, z.name);
    return c->d->errors == errors;
}

const pass pass_fold_constant = {
    .name = "FoldConstant",
    .doc = "computes what depends on constants alone",
    .option = {{"max_bytes", "1024", "largest constant that is made"}},
    .run = run,
};
