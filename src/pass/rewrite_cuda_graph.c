// rewrite_cuda_graph.c - RewriteCUDAGraph: launches on memory that stays where it is become one call, recorded once.
//
//   before:  storage = R.memory.alloc_storage(R.shape([32]), …)
//            a = R.memory.alloc_tensor(storage, …)
//            cls.f(x, a)
//            cls.g(a, a)
//   after:   gv = R.call_builtin_with_ctx("vm.builtin.cuda_graph.get_cached_alloc", (cls.cuda_graph_alloc, 0), …)
//            storage = gv[0]
//            a = R.memory.alloc_tensor(storage, …)
//            cls.f(x, a)
//            R.call_builtin_with_ctx("vm.builtin.cuda_graph.run_or_capture", (cls.main_cuda_graph_capture, (a,), 0), …)
//
// Needs a plan (StaticPlanBlockMemory) and effects allowed. Keeps values and the order of launches. Which bindings make
// a region is told by capture_regions.h. Storages of constant size come from one function that runs once; functions
// share them, the largest with the largest. With machine=true only functions that no other calls take part: what is
// called while its caller's values live needs memory of its own. Unlike TVM, nothing that may be part of the result
// lies in such a storage.
#include "ops/ops.h"
#include "pass/capture_regions.h"
#include "pass/clone.h"
#include <stdlib.h>

// One storage of the shared ones, as large as the largest that takes its place.
typedef struct shared_storage {
    const node *like;
    int64_t bytes;
} shared_storage;

typedef struct capturing {
    module *m;
    diag *d;
    capture_options options;
    text_map mentioned; // functions that others (or they themselves) call
    VEC(shared_storage) shared;
    const char *alloc; // the function that allocates them
    uint32_t captures; // numbers handed out
    fresh_names names;
} capturing;

static int64_t bytes_of(const node *alloc) {
    int64_t bytes = 0;
    expr_const_int(alloc->in[0]->type->dim[0], &bytes);
    return bytes;
}

// --- Storages: those of each function by size, the i-th largest of all functions in one.

static void sort_by_size(node_list *list) {
    for (uint32_t i = 1; i < list->len; i++) // stable: equal ones keep their order
        for (uint32_t k = i; k > 0 && bytes_of(list->at[k - 1]) < bytes_of(list->at[k]); k--) {
            const node *larger = list->at[k];
            list->at[k] = list->at[k - 1];
            list->at[k - 1] = larger;
        }
}

static void share_storages(capturing *c, captured *f) {
    sort_by_size(&f->storages);
    for (uint32_t i = 0; i < f->storages.len; i++) {
        const node *n = f->storages.at[i];
        shared_storage s = {.like = n, .bytes = bytes_of(n)};
        map_put(&f->slot, MAP_KEY(n), (void *)(uintptr_t)(i + 1));
        if (i >= c->shared.len)
            VEC_PUSH(c->m->mem, &c->shared, s);
        else if (s.bytes > c->shared.at[i].bytes)
            c->shared.at[i] = s;
    }
}

static void force_pure(capturing *c, builder *b) {
    b->f->is_private = true;
    b->f->attrs = attr_with(c->m->mem, NULL, "relax.force_pure", attr_bool(c->m->mem, true));
    build_block(b, false);
}

// One number for all functions, and one tuple: what a function does not use costs it nothing.
static void make_alloc(capturing *c) {
    if (!c->shared.len) return;
    c->alloc = fresh_name(&c->names, "cuda_graph_alloc");
    clone k = clone_into(build_func(c->m, c->alloc, c->d));
    force_pure(c, k.b);
    const node **storage = ARENA_NEW(c->m->mem, const node *, c->shared.len);
    for (uint32_t i = 0; i < c->shared.len; i++) storage[i] = clone_binding(&k, c->shared.at[i].like);
    module_put_graph(c->m, build_finish(k.b, build_tuple(k.b, "gv", storage, c->shared.len)));
}

// --- Regions as functions. Functions share no symbols: each gets its own.

static void build_params(clone *k, capturing *c, const capture_region *g) {
    module *m = c->m;
    const expr **dim = ARENA_NEW(m->mem, const expr *, g->symbols.len);
    for (uint32_t i = 0; i < g->symbols.len; i++) {
        const expr *var = g->symbols.at[i];
        dim[i] = expr_new_var(m->exprs, var->as.var->name, var->type);
        map_put(&k->vars, MAP_KEY(var), (void *)(uintptr_t)dim[i]);
    }
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        const node *n = g->inputs.at[i];
        map_put(&k->now, MAP_KEY(n), (void *)(uintptr_t)build_param(k->b, n->name, clone_ann(k, n->type)));
    }
    if (g->symbols.len) build_param(k->b, "shape_expr", ann_shape(m->mem, dim, g->symbols.len));
}

// A region is a function of what it works on; results are its last tuple.
static void make_region(capturing *c, const graph_func *f, capture_region *g) {
    g->number = c->captures++;
    g->func = fresh_name(&c->names, arena_format(c->m->mem, "%s_cuda_graph_capture", f->name));
    clone k = clone_into(build_func(c->m, g->func, c->d));
    build_params(&k, c, g);
    force_pure(c, k.b);
    for (uint32_t i = 0; i < g->bindings.len; i++) clone_binding(&k, g->bindings.at[i]);
    const node **out = ARENA_NEW(c->m->mem, const node *, g->outputs.len);
    for (uint32_t i = 0; i < g->outputs.len; i++) out[i] = clone_value(&k, g->outputs.at[i]);
    const node *result = build_tuple(k.b, g->outputs.len ? "gv" : "_", out, g->outputs.len);
    if (!g->outputs.len) result = build_tuple(k.b, NULL, NULL, 0);
    module_put_graph(c->m, build_finish(k.b, result));
}

// --- The function without them.

typedef struct rest {
    capturing *c;
    const captured *f;
    clone k;
    const node *storages; // the tuple; NULL: not asked for yet
    map results;          // MAP_KEY(region) -> the tuple it gave
} rest;

static const node *call_machine(rest *x, const char *name, const char *func, const node *const *arg, uint32_t args,
                                const ann *type) {
    builder *b = x->k.b;
    const node *in[] = {build_extern(b, func), build_tuple(b, NULL, arg, args)};
    const call_parts parts = {
        .op = &op_call_builtin_with_ctx, .in = in, .count = COUNT(in), .type_arg = &type, .type_args = 1};
    return build_call(b, name, &parts);
}

static const node *number_of(rest *x, uint32_t number) { return build_prim(x->k.b, expr_i64(x->c->m->exprs, number)); }

static void fetch_storages(rest *x) {
    arena *mem = x->c->m->mem;
    uint32_t count = x->c->shared.len;
    const ann **field = ARENA_NEW(mem, const ann *, count);
    for (uint32_t i = 0; i < count; i++) field[i] = ann_object();
    const node *arg[] = {build_global(x->k.b, x->c->alloc), number_of(x, 0)};
    x->storages =
        call_machine(x, "gv", "vm.builtin.cuda_graph.get_cached_alloc", arg, COUNT(arg), ann_tuple(mem, field, count));
}

// A storage is there from its own place on, or from the first region that needs it.
static void fetch_storage(rest *x, const node *old) {
    uintptr_t slot = (uintptr_t)map_find(&x->f->slot, MAP_KEY(old));
    if (!slot || map_has(&x->k.now, MAP_KEY(old))) return;
    if (!x->storages) fetch_storages(x);
    const node *now = build_item(x->k.b, old->name, x->storages, (uint32_t)(slot - 1));
    map_put(&x->k.now, MAP_KEY(old), (void *)(uintptr_t)now);
}

static const ann *type_of_outputs(rest *x, const capture_region *g) {
    const ann **field = ARENA_NEW(x->c->m->mem, const ann *, g->outputs.len);
    for (uint32_t i = 0; i < g->outputs.len; i++) field[i] = clone_ann(&x->k, g->outputs.at[i]->type);
    return ann_tuple(x->c->m->mem, field, g->outputs.len);
}

// Where its first launch stood: storages that come later in the text are fetched first.
static void call_region(rest *x, const capture_region *g) {
    builder *b = x->k.b;
    const node **arg = ARENA_NEW(x->c->m->mem, const node *, g->inputs.len + 1), *shape = NULL;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        fetch_storage(x, g->inputs.at[i]);
        arg[i] = clone_value(&x->k, g->inputs.at[i]);
    }
    const expr **dim = ARENA_NEW(x->c->m->mem, const expr *, g->symbols.len);
    for (uint32_t i = 0; i < g->symbols.len; i++) dim[i] = clone_expr(&x->k, g->symbols.at[i]);
    if (g->symbols.len) arg[g->inputs.len] = shape = build_shape(b, dim, g->symbols.len);
    const node *args = build_tuple(b, NULL, arg, g->inputs.len + (shape != NULL));
    const node *all[] = {build_global(b, g->func), args, number_of(x, g->number), shape};
    const node *result = call_machine(x, g->outputs.len ? "gv" : "_", "vm.builtin.cuda_graph.run_or_capture", all,
                                      shape ? 4 : 3, type_of_outputs(x, g));
    map_put(&x->results, MAP_KEY(g), (void *)(uintptr_t)result);
}

static void take_output(rest *x, const capture_region *g, const node *old) {
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        if (g->outputs.at[i] != old) continue;
        const node *now = build_item(x->k.b, old->name, map_find(&x->results, MAP_KEY(g)), i);
        map_put(&x->k.now, MAP_KEY(old), (void *)(uintptr_t)now);
    }
}

static const node *rest_of_body(rest *x, const graph_body *body);

static void rest_of_if(rest *x, const node *old) {
    builder *b = x->k.b;
    if_parts *p = build_if(b, clone_value(&x->k, old->in[0]));
    build_else(b, p, rest_of_body(x, &old->as.branch[0]));
    const node *otherwise = rest_of_body(x, &old->as.branch[1]);
    map_put(&x->k.now, MAP_KEY(old), (void *)(uintptr_t)build_end_if(b, p, old->name, otherwise));
}

static void rest_of_binding(rest *x, const node *old) {
    const capture_region *g = map_find(&x->f->region_of, MAP_KEY(old));
    if (g && g->bindings.at[0] == old) call_region(x, g);
    if (g) take_output(x, g, old);
    if (g && !map_has(&x->f->again, MAP_KEY(old))) return;
    if (map_has(&x->f->slot, MAP_KEY(old)))
        fetch_storage(x, old);
    else if (old->op->form == FORM_IF)
        rest_of_if(x, old);
    else
        clone_binding(&x->k, old);
}

// A branch must not use what the other one fetched, nor what follows the `if` what a branch did: the tuple of storages
// is asked for before the first `if` that needs it.
static bool needs_storages(const rest *x, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            if (map_has(&x->f->slot, MAP_KEY(n))) return true;
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++)
                if (needs_storages(x, &n->as.branch[side])) return true;
        }
    return false;
}

static const node *rest_of_body(rest *x, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next) {
        build_block(x->k.b, run->dataflow);
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && !x->storages && side < 2; side++)
                if (needs_storages(x, &n->as.branch[side])) fetch_storages(x);
            rest_of_binding(x, n);
        }
    }
    return clone_value(&x->k, body->result);
}

static void make_rest(capturing *c, const graph_func *f, const captured *found) {
    rest x = {.c = c, .f = found, .k = clone_tables(c->m), .results = MAP_IN(c->m->mem)};
    x.k.b = build_func(c->m, f->name, c->d);
    clone_signature(&x.k, f);
    clone_params(&x.k, f);
    module_put_graph(c->m, build_finish(x.k.b, rest_of_body(&x, &f->body)));
}

// --- The pass.

// Functions that are passed as values count as called: nobody knows when.
static void list_mentioned(capturing *c) {
    c->mentioned = TEXT_MAP_IN(c->m->mem);
    for (uint32_t i = 0; i < c->m->funcs.len; i++) mentioned_functions(c->m, c->m->funcs.entry[i].value, &c->mentioned);
}

static bool read_options(const pass_ctx *c, capture_options *o) {
    return pass_get_bool(c, &pass_rewrite_cuda_graph, "machine", &o->machine) &&
           pass_get_bool(c, &pass_rewrite_cuda_graph, "inputs", &o->inputs);
}

static bool rewrite_cuda_graph(module *m, const pass_ctx *ctx) {
    capturing c = {.m = m, .d = ctx->d, .names = fresh_names_in(m)};
    func_list list = {0};
    uint32_t errors = ctx->d->errors;
    if (!read_options(ctx, &c.options)) return false;
    list_mentioned(&c);
    graph_functions(m, &list);
    captured *found = ARENA_NEW(m->mem, captured, list.len);
    for (uint32_t i = 0; i < list.len; i++) {
        capture_options o = c.options;
        o.storages = !o.machine || !text_map_find(&c.mentioned, list.at[i]->name);
        found[i] = find_regions(m, list.at[i], &o);
        share_storages(&c, &found[i]);
    }
    make_alloc(&c);
    for (uint32_t i = 0; i < list.len; i++)
        for (uint32_t k = 0; k < found[i].regions.len; k++) make_region(&c, list.at[i], found[i].regions.at[k]);
    for (uint32_t i = 0; i < list.len; i++)
        if (found[i].regions.len || found[i].storages.len) make_rest(&c, list.at[i], &found[i]);
    return ctx->d->errors == errors;
}

const pass pass_rewrite_cuda_graph = {
    .name = "RewriteCUDAGraph",
    .doc = "records launches on static memory once and replays them from then on",
    .option = {{"machine", "false",
                "what our machine can record: programs alone; any symbol of the parameters, storages of any size, "
                "weights and what is written in place"},
               {"inputs", "false", "with machine: all parameters, for callers that pass the same memory again"}},
    .needs = NEEDS_EFFECTS,
    .run = rewrite_cuda_graph,
};
