// lazy_transform_params.c - LazyTransformParams: the function of the weights takes and gives them one by one.
//
//   before:  w = model_params[0]           after:  given = R.call_packed("get_item", R.prim_value(0))
//            wt = R.permute_dims(w)                w = R.match_cast(given, R.Tensor((8, 4), "float32"))
//            return (wt,)                          wt = R.permute_dims(w)
//                                                  _ = R.call_packed("set_item", R.prim_value(0), wt)
//                                                  return R.tuple()
//
// Needs what LiftTransformParams makes. Keeps values and their order; a result is given as soon as it is there, so that
// no more than a few weights need memory at once. Acts on functions whose names end in transform_params; marked=true,
// on those with the attribute rx.transform.
#include "ops/ops.h"
#include "pass/clone.h"

typedef struct lazy {
    module *m;
    const graph_func *old;
    clone c;
    const char *get, *set;
    const node *params, *results; // the tuples
} lazy;

static const node *call_outside(lazy *z, const char *name, const char *func, uint32_t index, const node *value) {
    builder *b = z->c.b;
    const node *in[] = {build_extern(b, func), build_prim(b, expr_i64(z->m->exprs, index)), value};
    const ann *object = ann_object();
    const call_parts c = {.op = &op_call_packed, .in = in, .count = value ? 3 : 2, .type_arg = &object, .type_args = 1};
    return build_call(b, name, &c);
}

static void get(lazy *z, const node *item) {
    const node *object = call_outside(z, "given", z->get, item->as.index, NULL);
    const node *now = build_match_cast(z->c.b, item->name, object, clone_ann(&z->c, item->type));
    map_put(&z->c.now, MAP_KEY(item), (void *)(uintptr_t)now);
}

// Gives every result that this binding made.
static void give(lazy *z, const node *made) {
    for (uint32_t i = 0; i < z->results->count; i++)
        if (z->results->in[i] == made) call_outside(z, "_", z->set, i, clone_value(&z->c, made));
}

static void convert_binding(lazy *z, const node *old) {
    if (old == z->results) return;
    if (old->op->form == FORM_ITEM && old->in[0] == z->params)
        get(z, old);
    else
        clone_binding(&z->c, old);
    give(z, old);
}

static graph_func *convert(lazy *z, diag *d) {
    z->c = clone_tables(z->m);
    z->c.b = build_func(z->m, z->old->name, d);
    clone_signature(&z->c, z->old);
    z->c.b->f->pure = false;
    z->c.b->f->result_written = false;
    build_block(z->c.b, false);
    for (const binding_block *run = z->old->body.first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) convert_binding(z, run->bound[i]);
    return build_finish(z->c.b, build_tuple(z->c.b, NULL, NULL, 0));
}

static bool is_transform(const graph_func *f, bool marked) {
    return marked ? attr_is_true(f->attrs, "rx.transform") : text_ends(f->name, "transform_params");
}

// One tuple in, one tuple out, whose fields are bound.
static bool fits(const graph_func *f) {
    const node *result = f->body.result;
    if (f->params != 1 || f->param[0]->type->kind != ANN_TUPLE || result->op->form != FORM_TUPLE) return false;
    for (uint32_t i = 0; i < result->count; i++)
        if (!result->in[i]->name || result->in[i]->op->form == FORM_PARAM) return false;
    return true;
}

static bool lazy_transform_params(module *m, const pass_ctx *c) {
    lazy z = {.m = m, .get = pass_get(c, &pass_lazy_transform_params, "fget_item")};
    z.set = pass_get(c, &pass_lazy_transform_params, "fset_item");
    bool marked;
    uint32_t errors = c->d->errors;
    if (!pass_get_bool(c, &pass_lazy_transform_params, "marked", &marked)) return false;
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        z.old = list.at[i];
        if (!is_transform(z.old, marked)) continue;
        if (!fits(z.old))
            return diag_error(c->d, z.old->at,
                              "LazyTransformParams: %s: want one tuple of weights and a tuple of "
                              "results, as LiftTransformParams makes them",
                              z.old->name);
        z.params = z.old->param[0];
        z.results = z.old->body.result;
        module_put_graph(m, convert(&z, c->d));
    }
    return c->d->errors == errors;
}

const pass pass_lazy_transform_params = {
    .name = "LazyTransformParams",
    .doc = "lets the function of the weights take and give them one by one",
    .option = {{"fget_item", "get_item", "the function that gives weight i"},
               {"fset_item", "set_item", "the function that takes result i"},
               {"marked", "false", "functions with the attribute rx.transform alone"}},
    .run = lazy_transform_params,
};
