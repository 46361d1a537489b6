// capture_regions.c - finds static values, the regions they make, and what goes in and out of those.
#include "pass/capture_regions.h"
#include "graph/deduce.h"
#include "ops/ops.h"
#include "pass/liveness.h"
#include "pass/memory.h"
#include "pass/programs.h"
#include <string.h>

typedef struct finder {
    module *m;
    const graph_func *f;
    capture_options o;
    captured *out;
    map statics;          // MAP_KEY(bound node or parameter)
    map symbols;          // MAP_KEY(var): may be captured
    map results;          // MAP_KEY(storage): a result may lie in it
    capture_region *open; // NULL: none
} finder;

// --- Symbols.

// A region with a symbol is recorded again for each of its values, so a symbol must be one of the parameters': its
// value is then part of what the machine compares.
static bool symbols_known(const finder *x, const ann *a) {
    expr_list vars = {0};
    ann_free_vars(a, x->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (!map_has(&x->symbols, MAP_KEY(vars.at[i]))) return false;
    return true;
}

static bool is_named(const graph_func *f, const char *symbol) {
    const attr *list = attr_find(f->attrs, "relax.rewrite_cuda_graph.capture_symbolic_vars");
    for (uint32_t i = 0; list && list->kind == ATTR_LIST && i < list->count; i++)
        if (list->list[i]->kind == ATTR_STRING && strcmp(list->list[i]->as.text, symbol) == 0) return true;
    return false;
}

// A parameter past num_input is a weight: it stays where it is for the life of the machine.
static bool is_weight(const graph_func *f, uint32_t i) {
    int64_t inputs;
    return attr_get_int(attr_find(f->attrs, "num_input"), &inputs) && i >= inputs;
}

// Named ones by the function's attribute, those of weights since these never change, with machine all of them.
static void learn_symbols(finder *x) {
    for (uint32_t i = 0; i < x->f->params; i++) {
        expr_list vars = {0};
        ann_defined_vars(x->f->param[i]->type, x->m->mem, &vars);
        for (uint32_t k = 0; k < vars.len; k++)
            if (x->o.machine || is_weight(x->f, i) || is_named(x->f, vars.at[k]->as.var->name))
                map_put(&x->symbols, MAP_KEY(vars.at[k]), x);
    }
}

// --- Parameters.

static void mark_written(finder *x, const node *value) {
    while (value->op->form == FORM_BIND || (is_view(value) && value->count)) value = value->in[0];
    if (value->op->form == FORM_PARAM) map_put(&x->statics, MAP_KEY(value), x);
}

// What a program writes in place its caller keeps and passes again: pages of a cache.
static void mark_donated(finder *x) {
    node_list nodes = {0};
    graph_nodes(x->f, x->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        bool dyn = n->op == &op_vm_call_tir_dyn;
        if (!dyn && n->op->form != FORM_CALL) continue;
        const module_func *f = deduce_loop(x->m, n->in[0]);
        if (!f || (dyn && n->in[1]->op->form != FORM_TUPLE)) continue;
        const node *const *arg = dyn ? n->in[1]->in : n->in + 1;
        uint32_t args = dyn ? n->in[1]->count : n->count - 1;
        const bool *writes = program_writes(x->m, f->loop);
        for (uint32_t k = 0; k < args && k < f->loop->params; k++)
            if (writes[k]) mark_written(x, arg[k]);
    }
}

// The machine compares tensors, shapes and scalars, no tuples.
static void learn_params(finder *x) {
    for (uint32_t i = 0; i < x->f->params; i++) {
        const node *p = x->f->param[i];
        bool comparable = p->type->kind == ANN_TENSOR || p->type->kind == ANN_SHAPE;
        if (x->o.machine ? comparable && (x->o.inputs || is_weight(x->f, i)) : is_weight(x->f, i))
            map_put(&x->statics, MAP_KEY(p), x);
    }
    if (x->o.machine) mark_donated(x);
}

// --- Storages that results may lie in.

static void mark_result(finder *x, const node *n) {
    while (n->op->form == FORM_BIND) n = n->in[0];
    if (is_alloc_tensor(n) && n->op != &op_builtin_alloc_tensor) map_put(&x->results, MAP_KEY(n->in[0]), x);
}

// TVM keeps what an `if` gives out of static memory, too, whoever uses it.
static void mark_branches(finder *x, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++)
            for (uint32_t side = 0; run->bound[i]->op->form == FORM_IF && side < 2; side++) {
                mark_result(x, run->bound[i]->as.branch[side].result);
                mark_branches(x, &run->bound[i]->as.branch[side]);
            }
}

// Static memory is written again by the next call, but a caller may keep a result longer than that.
static void learn_results(finder *x) {
    liveness l = liveness_of(x->m->mem, x->f);
    for (uint32_t i = 0; i < l.tensors.len; i++)
        if (l.tensors.at[i].escapes) mark_result(x, l.tensors.at[i].alloc);
    mark_branches(x, &x->f->body);
}

// --- Static values.

static bool is_static(const finder *x, const node *n) {
    if (n->name) return map_has(&x->statics, MAP_KEY(n));
    if (n->op->form == FORM_GLOBAL) return true; // its signature has symbols of its own
    if (n->op->form == FORM_CLOSURE || !symbols_known(x, n->type)) return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (!is_static(x, n->in[i])) return false;
    return true;
}

// Operands and what the text states of the result.
static bool all_static(const finder *x, const node *n) {
    for (uint32_t i = 0; i < n->count; i++)
        if (!is_static(x, n->in[i])) return false;
    for (uint32_t i = 0; i < n->type_args; i++)
        if (!symbols_known(x, n->type_arg[i])) return false;
    return true;
}

typedef enum role { ROLE_NONE, ROLE_MEMBER, ROLE_LAUNCH } role; // NONE: it can't be recorded

static bool is_program(const finder *x, const node *callee) {
    const module_func *f = deduce_loop(x->m, callee);
    if (!f) return false;
    return !x->o.machine || !is_dispatcher(f->loop); // a dispatcher may call libraries
}

// The machine's own functions run on the host, library functions launch kernels.
static role role_of_packed(const node *n) {
    bool own = n->in[0]->op->form == FORM_EXTERN && !text_starts(n->in[0]->as.text.bytes, "vm.builtin");
    return own ? ROLE_LAUNCH : ROLE_NONE;
}

static role role_of_operator(const finder *x, const node *n) {
    if (n->op == &op_call_packed) return x->o.machine ? ROLE_NONE : role_of_packed(n);
    if (n->op == &op_vm_call_tir_dyn) return is_program(x, n->in[0]) ? ROLE_LAUNCH : ROLE_NONE;
    bool cheap = text_starts(n->op->name, "memory.") || text_starts(n->op->name, "builtin.") || is_view(n);
    if (cheap) return ROLE_MEMBER;
    return x->o.machine ? ROLE_NONE : ROLE_LAUNCH;
}

static role role_of(const finder *x, const node *n) {
    switch (n->op->form) {
    case FORM_OPERATOR: return role_of_operator(x, n);
    case FORM_CALL: return is_program(x, n->in[0]) ? ROLE_LAUNCH : ROLE_NONE;
    case FORM_TUPLE: return x->o.machine ? ROLE_NONE : ROLE_MEMBER; // the machine can't compare tuples
    case FORM_ITEM:
    case FORM_BIND:
    case FORM_CONSTANT: return ROLE_MEMBER;
    case FORM_PARAM:
    case FORM_SHAPE:
    case FORM_PRIM:
    case FORM_STRING:
    case FORM_DTYPE:
    case FORM_GLOBAL:
    case FORM_EXTERN:
    case FORM_CLOSURE:
    case FORM_IF:
    case FORM_MATCH_CAST: break;
    }
    return ROLE_NONE;
}

// --- Regions.

static void push_once(arena *mem, node_list *list, const node *n) {
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i] == n) return;
    VEC_PUSH(mem, list, n);
}

// In order of mention: the region's function takes them as one shape, and the machine compares that shape.
static void add_symbols(finder *x, const ann *a) {
    expr_list vars = {0}, *all = &x->open->symbols;
    ann_free_vars(a, x->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        bool known = false;
        for (uint32_t k = 0; k < all->len; k++) known = known || all->at[k] == vars.at[i];
        if (!known) VEC_PUSH(x->m->mem, all, vars.at[i]);
    }
}

// What a region itself binds is no input. Leaves are copied into the region; what they name counts.
static void add_input(finder *x, const node *n) {
    if (n->op->form == FORM_GLOBAL) return;
    add_symbols(x, n->type);
    if (n->name && map_find(&x->out->region_of, MAP_KEY(n)) != x->open) push_once(x->m->mem, &x->open->inputs, n);
    for (uint32_t i = 0; !n->name && i < n->count; i++) add_input(x, n->in[i]);
}

// Regions are numbered by their place in the list, which is the order of the text.
static void open_region(finder *x) {
    if (x->open) return;
    x->open = ARENA_NEW(x->m->mem, capture_region, 1);
    VEC_PUSH(x->m->mem, &x->out->regions, x->open);
}

static void join_region(finder *x, const node *n) {
    for (uint32_t i = 0; i < n->count; i++) add_input(x, n->in[i]);
    for (uint32_t i = 0; i < n->type_args; i++) add_symbols(x, n->type_arg[i]);
    VEC_PUSH(x->m->mem, &x->open->bindings, n);
    map_put(&x->out->region_of, MAP_KEY(n), x->open);
}

// Constant ones go to the function that runs once; others are the machine's to give at the same place again, which the
// key tells.
static void look_at_storage(finder *x, const node *n) {
    const ann *size = n->in[0]->type;
    bool known = size->dim && size->rank == 1 && symbols_known(x, size);
    if (!known || map_has(&x->results, MAP_KEY(n))) return;
    bool constant = expr_const_int(size->dim[0], &(int64_t){0});
    if (constant && x->o.storages)
        VEC_PUSH(x->m->mem, &x->out->storages, n);
    else if (x->o.machine)
        x->open = NULL; // it is allocated here: a region that uses it begins behind it
    else
        return;
    map_put(&x->statics, MAP_KEY(n), x);
}

static void find_in(finder *x, const graph_body *body);

// The order matters: an `if` ends the region before its branches are looked at, since launches behind it must not move
// to before it.
static void look_at(finder *x, const node *n) {
    bool aside = n->op == &op_builtin_alloc_tensor || n->op->form == FORM_MATCH_CAST || n->op->form == FORM_SHAPE ||
                 n->op->form == FORM_PRIM;
    if (aside) return;
    if (is_alloc_storage(n)) {
        look_at_storage(x, n);
        return;
    }
    role r = all_static(x, n) ? role_of(x, n) : ROLE_NONE;
    if (r == ROLE_NONE) x->open = NULL;
    for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) {
        find_in(x, &n->as.branch[side]);
        x->open = NULL;
    }
    if (r == ROLE_NONE) return;
    if (r == ROLE_LAUNCH) open_region(x);
    map_put(&x->statics, MAP_KEY(n), x);
    if (x->open) join_region(x, n);
}

static void find_in(finder *x, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) look_at(x, run->bound[i]);
}

// --- What is used behind a region.

// A use by the region itself gives nothing away.
static void use(finder *x, const node *n, const capture_region *by) {
    capture_region *g = n->name ? map_find(&x->out->region_of, MAP_KEY(n)) : NULL;
    if (g && g != by) push_once(x->m->mem, &g->outputs, n);
    for (uint32_t i = 0; !n->name && i < n->count; i++) use(x, n->in[i], by);
}

static void use_in(finder *x, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t k = 0; k < n->count; k++) use(x, n->in[k], map_find(&x->out->region_of, MAP_KEY(n)));
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) use_in(x, &n->as.branch[side]);
            if (n->op->form == FORM_CLOSURE) use_in(x, &n->as.func->body);
        }
    use(x, body->result, NULL);
}

// A value and what it is made of inside its region.
static void make_again(finder *x, const capture_region *g, const node *n) {
    if (n->name && (map_find(&x->out->region_of, MAP_KEY(n)) != g || map_has(&x->out->again, MAP_KEY(n)))) return;
    if (n->name) map_put(&x->out->again, MAP_KEY(n), x);
    for (uint32_t i = 0; i < n->count; i++) make_again(x, g, n->in[i]);
}

captured find_regions(module *m, const graph_func *f, const capture_options *o) {
    map none = MAP_IN(m->mem);
    captured out = {.region_of = none, .slot = none, .again = none};
    finder x = {.m = m, .f = f, .o = *o, .out = &out, .statics = none, .symbols = none, .results = none};
    learn_symbols(&x);
    learn_params(&x);
    learn_results(&x);
    find_in(&x, &f->body);
    use_in(&x, &f->body);
    for (uint32_t i = 0; o->machine && i < out.regions.len; i++) {
        capture_region *g = out.regions.at[i];
        for (uint32_t k = 0; k < g->outputs.len; k++) make_again(&x, g, g->outputs.at[k]);
        g->outputs.len = 0;
    }
    return out;
}
