// expand_tuple_arguments.c - ExpandTupleArguments: private functions take the fields of tuples as parameters.
//
//   before:  a = cls.helper((x, y))        private helper(t: R.Tuple(…, …)) uses t[0]
//   after:   a = cls.helper(x, y)          and helper(t_0, t_1) uses t_0
//
// Needs nothing. Keeps results. Tuples in tuples too. Functions used as values keep their parameters. Canonicalises
// afterwards, as TVM does.
#include "pass/calls_of.h"
#include "pass/clone.h"
#include "pass/edits.h"

typedef struct expanding {
    module *m;
    diag *d;
    text_map all;     // name -> called *
    builder *scratch; // items of tuples are nodes of it until they are copied
} expanding;

typedef VEC(const node *) arg_list;
typedef VEC(const ann *) ann_list;

static void flatten_type(const expanding *z, const ann *a, ann_list *out) {
    if (a->kind != ANN_TUPLE) {
        VEC_PUSH(z->m->mem, out, a);
        return;
    }
    for (uint32_t i = 0; i < a->count; i++) flatten_type(z, a->field[i], out);
}

// The fields of one argument: of a tuple written in place its operands, else its items.
static void flatten_arg(const expanding *z, const node *n, const ann *wanted, arg_list *out) {
    if (wanted->kind != ANN_TUPLE) {
        VEC_PUSH(z->m->mem, out, n);
        return;
    }
    for (uint32_t i = 0; i < wanted->count; i++) {
        bool literal = n->op->form == FORM_TUPLE;
        flatten_arg(z, literal ? n->in[i] : build_item(z->scratch, NULL, n, i), wanted->field[i], out);
    }
}

static bool takes_tuple(const graph_func *f) {
    for (uint32_t i = 0; i < f->params; i++)
        if (f->param[i]->type->kind == ANN_TUPLE) return true;
    return false;
}

static void plan_calls(const expanding *z, clone *c, const graph_func *f) {
    node_list nodes = {0};
    every_node(f, z->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        bool direct = n->op->form == FORM_CALL && n->in[0]->op->form == FORM_GLOBAL;
        const called *of = direct ? text_map_find(&z->all, n->in[0]->as.text.bytes) : NULL;
        if (!of || !of->plan) continue;
        arg_list args = {0};
        for (uint32_t k = 0; k < of->f->params; k++) flatten_arg(z, n->in[k + 1], of->f->param[k]->type, &args);
        new_call *call = ARENA_NEW(z->m->mem, new_call, 1);
        *call = (new_call){.func = of->f->name, .arg = args.at, .args = args.len};
        map_put(&c->calls, MAP_KEY(n), call);
    }
}

// One parameter, or the tuple of those that stand for it.
static const node *new_param(const expanding *z, clone *c, const char *name, const ann *a) {
    if (a->kind != ANN_TUPLE) return build_param(c->b, name, clone_ann(c, a));
    const node **field = ARENA_NEW(z->m->mem, const node *, a->count);
    for (uint32_t i = 0; i < a->count; i++)
        field[i] = new_param(z, c, arena_format(z->m->mem, "%s_%u", name, i), a->field[i]);
    return build_tuple(c->b, NULL, field, a->count);
}

// Does anything see the tuple as a whole? Items don't, nor calls that will pass its fields.
static bool seen_whole(const expanding *z, const clone *c, const graph_func *f, const node *param) {
    node_list nodes = {0};
    every_node(f, z->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++)
        for (uint32_t k = 0; k < nodes.at[i]->count; k++) {
            bool part = nodes.at[i]->op->form == FORM_ITEM || map_has(&c->calls, MAP_KEY(nodes.at[i]));
            if (nodes.at[i]->in[k] == param && !part) return true;
        }
    return f->body.result == param;
}

static graph_func *rebuilt(const expanding *z, clone *c, const graph_func *f, bool expand) {
    if (!expand) return clone_func(c, z->m, f, z->d);
    c->b = build_func(z->m, f->name, z->d);
    clone_signature(c, f);
    for (uint32_t i = 0; i < f->params; i++) {
        const node *now = new_param(z, c, f->param[i]->name, f->param[i]->type);
        map_put(&c->now, MAP_KEY(f->param[i]), (void *)(uintptr_t)now);
    }
    for (uint32_t i = 0; i < f->params; i++) {
        const node *param = f->param[i], *now = map_find(&c->now, MAP_KEY(param));
        if (param->type->kind != ANN_TUPLE || !seen_whole(z, c, f, param)) continue;
        now = build_tuple(c->b, param->name, now->in, now->count);
        map_put(&c->now, MAP_KEY(param), (void *)(uintptr_t)now);
    }
    c->b->f->result_written = f->result_written;
    if (f->result_written) c->b->f->result_type = clone_ann(c, f->result_type);
    return build_finish(c->b, clone_body(c, &f->body));
}

static bool run(module *m, const pass_ctx *c) {
    expanding z = {.m = m, .d = c->d, .all = calls_of(m), .scratch = build_func(m, "scratch", c->d)};
    bool any = false;
    for (uint32_t i = 0; i < z.all.len; i++) {
        called *of = z.all.entry[i].value;
        if (of->escapes || !takes_tuple(of->f)) continue;
        ann_list types = {0};
        for (uint32_t k = 0; k < of->f->params; k++) flatten_type(&z, of->f->param[k]->type, &types);
        change_signature(m, of->f, types.at, types.len, of->f->result_type);
        of->plan = &z;
        any = true;
    }
    if (!any) return true;
    uint32_t errors = c->d->errors;
    func_list list = {0};
    for (uint32_t i = 0; i < z.all.len; i++) VEC_PUSH(m->mem, &list, ((called *)z.all.entry[i].value)->f);
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind == FUNC_GRAPH && f->graph && !text_map_find(&z.all, f->name)) VEC_PUSH(m->mem, &list, f->graph);
    }
    for (uint32_t i = 0; i < list.len; i++) {
        clone copy = clone_tables(m);
        const called *of = text_map_find(&z.all, list.at[i]->name);
        plan_calls(&z, &copy, list.at[i]);
        module_put_graph(m, rebuilt(&z, &copy, list.at[i], of && of->plan));
    }
    canonicalize_bindings(m, c->d);
    return c->d->errors == errors;
}

const pass pass_expand_tuple_arguments = {
    .name = "ExpandTupleArguments",
    .doc = "passes the fields of tuples to private functions",
    .run = run,
};
