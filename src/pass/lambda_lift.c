// lambda_lift.c - LambdaLift: local functions become private functions of the module.
//
//   before:  def f(z): return R.add(z, x)            x is of the function around
//            a = f(y)
//   after:   f = R.make_closure(cls.main_f, (x,))
//            a = R.invoke_pure_closure(f, (y,), sinfo_args=…)
//            and the private function main_f(z, x)
//
// Needs nothing. Keeps results. A local function that captures nothing becomes cls.main_f itself, and is called
// directly; one that calls itself does so directly as well. Symbols become the new function's own; those that no
// parameter's dims bind come along as a captured R.Shape.
#include "ops/ops.h"
#include "pass/clone.h"

// A local function on its way out.
typedef struct lifted {
    const node *closure;
    const char *name;
    node_list captured; // values of the function around it, in order of use
} lifted;

typedef struct lifting {
    module *m;
    diag *d;
    fresh_names names;
    builder *scratch;
    const char *root; // the function of the module all began with
} lifting;

typedef struct task {
    graph_func *f;
    const char *root;
} task;

// --- What a local function captures.

typedef struct capturing {
    const lifting *z;
    lifted *out;
    const clone *c; // values that stand for others: local functions that captured nothing
    map inside;     // functions in it
    map seen;
} capturing;

static void capture_body(capturing *k, const graph_body *body);

static void capture(capturing *k, const node *n) {
    while (map_has(&k->c->same, MAP_KEY(n))) n = map_find(&k->c->same, MAP_KEY(n));
    for (uint32_t i = 0; !n->name && i < n->count; i++) capture(k, n->in[i]);
    bool outer = n->name && n != k->out->closure && !map_has(&k->inside, MAP_KEY(n->owner));
    if (!outer || map_has(&k->seen, MAP_KEY(n))) return;
    map_put(&k->seen, MAP_KEY(n), k);
    VEC_PUSH(k->z->m->mem, &k->out->captured, n);
}

// Shape variables that an annotation names.
static void capture_shapes(capturing *k, const ann *a) {
    if (!a) return;
    if (a->shape) capture(k, a->shape);
    for (uint32_t i = 0; i < a->count; i++) capture_shapes(k, a->field[i]);
    capture_shapes(k, a->result);
}

static void capture_node(capturing *k, const node *n) {
    for (uint32_t i = 0; i < n->count; i++) capture(k, n->in[i]);
    for (uint32_t i = 0; i < n->type_args; i++) capture_shapes(k, n->type_arg[i]);
    capture_shapes(k, n->written);
    for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) capture_body(k, &n->as.branch[side]);
    if (n->op->form != FORM_CLOSURE) return;
    map_put(&k->inside, MAP_KEY(n->as.func), k);
    capture_body(k, &n->as.func->body);
}

static void capture_body(capturing *k, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) capture_node(k, run->bound[i]);
    capture(k, body->result);
}

// --- The new function.

static void own_symbols(const lifting *z, clone *c, const ann *a) {
    expr_list vars = {0};
    ann_free_vars(a, z->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        const expr *var = vars.at[i];
        if (map_has(&c->vars, MAP_KEY(var))) continue;
        const expr *own = expr_new_var(z->m->exprs, var->as.var->name, var->type);
        map_put(&c->vars, MAP_KEY(var), (void *)(uintptr_t)own);
    }
}

// Symbols of the function around that nothing among the parameters and captured values has as a dim of its own.
static void missing_symbols(const lifting *z, const lifted *l, expr_list *out) {
    const graph_func *f = l->closure->as.func;
    arena *mem = z->m->mem;
    node_list nodes = {0};
    expr_list known = {0}, vars = {0};
    map settled = MAP_IN(mem);
    every_node(f, mem, &nodes);
    for (uint32_t i = 0; i < l->captured.len; i++) ann_defined_vars(l->captured.at[i]->type, mem, &known);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        if (n->op->form == FORM_MATCH_CAST) ann_defined_vars(n->type_arg[0], mem, &known);
        if (n->op->form == FORM_PARAM) ann_defined_vars(n->type, mem, &known);
        // The signature of a function of the module has symbols of its own.
        if (n->op->form != FORM_GLOBAL) ann_free_vars(n->type, mem, &vars);
    }
    ann_free_vars(f->result_type, mem, &vars);
    for (uint32_t i = 0; i < known.len; i++) map_put(&settled, MAP_KEY(known.at[i]), &settled);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (map_has(&settled, MAP_KEY(vars.at[i]))) continue;
        map_put(&settled, MAP_KEY(vars.at[i]), &settled);
        VEC_PUSH(mem, out, vars.at[i]);
    }
}

// They come along as one more captured value.
static void capture_symbols(const lifting *z, lifted *l) {
    expr_list missing = {0};
    missing_symbols(z, l, &missing);
    if (missing.len) VEC_PUSH(z->m->mem, &l->captured, build_shape(z->scratch, missing.at, missing.len));
}

// A signature says nothing of shape variables of the function around: what is captured comes behind it.
static const ann *own_words(const lifting *z, const graph_func *f, const ann *a) {
    bool outer = ann_has_shape(a);
    for (uint32_t i = 0; i < f->params && outer; i++) outer = a->shape != f->param[i];
    return outer ? ann_rewrite(&(ann_rewriting){.s = z->m->exprs, .mem = z->m->mem, .drop_shapes = true}, a) : a;
}

static void declare(const lifting *z, const lifted *l) {
    const graph_func *f = l->closure->as.func;
    const ann **type = ARENA_NEW(z->m->mem, const ann *, f->params + l->captured.len);
    for (uint32_t i = 0; i < f->params; i++) type[i] = own_words(z, f, f->param[i]->type);
    for (uint32_t i = 0; i < l->captured.len; i++) type[f->params + i] = l->captured.at[i]->type;
    const ann *whole =
        ann_callable(z->m->mem, type, f->params + l->captured.len, own_words(z, f, f->result_type), f->pure);
    module_declare(z->m, l->name, FUNC_GRAPH, whole, f->at);
}

static const node *closure_object(const lifting *z, const lifted *l) {
    const node *const in[] = {build_global(z->scratch, l->name),
                              build_tuple(z->scratch, NULL, l->captured.at, l->captured.len)};
    return build_op(z->scratch, l->closure->name, &op_make_closure, in, 2);
}

// Calls through another name of it as well.
static bool is_called(const node *n, const node *closure) {
    if (n->op->form != FORM_CALL) return false;
    const node *callee = n->in[0];
    while (callee->op->form == FORM_BIND) callee = callee->in[0];
    return callee == closure;
}

// Calls of a local function in a body: directly where it is its own, else through the closure.
static void plan_calls(const lifting *z, clone *c, const lifted *l, const graph_func *in, bool itself) {
    node_list nodes = {0};
    every_node(in, z->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        if (!is_called(n, l->closure)) continue;
        uint32_t args = n->count - 1;
        if (itself) {
            const node **arg = ARENA_NEW(z->m->mem, const node *, args + l->captured.len);
            for (uint32_t k = 0; k < args; k++) arg[k] = n->in[k + 1];
            for (uint32_t k = 0; k < l->captured.len; k++) arg[args + k] = l->captured.at[k];
            new_call *call = ARENA_NEW(z->m->mem, new_call, 1);
            *call = (new_call){.func = l->name, .arg = arg, .args = args + l->captured.len};
            map_put(&c->calls, MAP_KEY(n), call);
            continue;
        }
        const node *const operand[] = {n->in[0], build_tuple(z->scratch, NULL, n->in + 1, args)};
        const op *o = l->closure->as.func->pure ? &op_invoke_pure_closure : &op_invoke_closure;
        call_parts parts = {.op = o, .in = operand, .count = 2, .type_arg = &n->type, .type_args = 1};
        map_put(&c->instead, MAP_KEY(n), (void *)(uintptr_t)build_call(z->scratch, n->name, &parts));
    }
}

static graph_func *make_function(const lifting *z, const lifted *l, const clone *around) {
    const graph_func *f = l->closure->as.func;
    clone c = clone_into(build_func(z->m, l->name, z->d));
    c.same = around->same;
    for (uint32_t i = 0; i < f->params; i++) own_symbols(z, &c, f->param[i]->type);
    for (uint32_t i = 0; i < l->captured.len; i++) own_symbols(z, &c, l->captured.at[i]->type);
    clone_signature(&c, f);
    c.b->f->is_private = true;
    for (uint32_t i = 0; i < f->params; i++) {
        const node *p = f->param[i];
        const ann *type = clone_ann(&c, own_words(z, f, p->type));
        map_put(&c.now, MAP_KEY(p), (void *)(uintptr_t)build_param(c.b, p->name, type));
    }
    c.b->f->result_written = f->result_written;
    if (f->result_written) c.b->f->result_type = clone_ann(&c, own_words(z, f, f->result_type));
    for (uint32_t i = 0; i < l->captured.len; i++) {
        const node *n = l->captured.at[i];
        map_put(&c.now, MAP_KEY(n),
                (void *)(uintptr_t)build_param(c.b, n->name ? n->name : "symbols", clone_ann(&c, n->type)));
    }
    plan_calls(z, &c, l, f, true);
    map_put(&c.same, MAP_KEY(l->closure), (void *)(uintptr_t)build_global(z->scratch, l->name));
    return build_finish(c.b, clone_body(&c, &f->body));
}

// --- One function of the module.

typedef VEC(task) task_list;

static void lift(lifting *z, clone *c, const graph_func *around, const node *closure, task_list *todo) {
    lifted l = {.closure = closure};
    l.name = fresh_name(&z->names, arena_format(z->m->mem, "%s_%s", z->root, closure->name));
    capturing k = {.z = z, .out = &l, .c = c, .inside = MAP_IN(z->m->mem), .seen = MAP_IN(z->m->mem)};
    map_put(&k.inside, MAP_KEY(closure->as.func), &k);
    capture_body(&k, &closure->as.func->body);
    capture_symbols(z, &l);
    declare(z, &l);
    graph_func *f = make_function(z, &l, c);
    module_put_graph(z->m, f);
    VEC_PUSH(z->m->mem, todo, ((task){f, z->root}));
    if (!l.captured.len) {
        map_put(&c->same, MAP_KEY(closure), (void *)(uintptr_t)build_global(z->scratch, l.name));
        map_put(&c->drop, MAP_KEY(closure), c);
        return;
    }
    map_put(&c->instead, MAP_KEY(closure), (void *)(uintptr_t)closure_object(z, &l));
    plan_calls(z, c, &l, around, false);
}

static void lift_body(lifting *z, clone *c, const graph_func *around, const graph_body *body, task_list *todo) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++)
                lift_body(z, c, around, &n->as.branch[side], todo);
            if (n->op->form == FORM_CLOSURE) lift(z, c, around, n, todo);
        }
}

static bool run(module *m, const pass_ctx *c) {
    lifting z = {.m = m, .d = c->d, .names = fresh_names_in(m), .scratch = build_func(m, "scratch", c->d)};
    task_list todo = {0};
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) VEC_PUSH(m->mem, &todo, ((task){list.at[i], list.at[i]->name}));
    uint32_t errors = c->d->errors;
    for (uint32_t i = 0; i < todo.len; i++) {
        clone copy = clone_tables(m);
        graph_func *f = todo.at[i].f;
        z.root = todo.at[i].root;
        uint32_t before = todo.len;
        lift_body(&z, &copy, f, &f->body, &todo);
        if (todo.len > before) module_put_graph(m, clone_func(&copy, m, f, c->d));
    }
    return c->d->errors == errors;
}

const pass pass_lambda_lift = {
    .name = "LambdaLift",
    .doc = "makes functions of the module of local ones",
    .run = run,
};
