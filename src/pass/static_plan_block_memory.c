// static_plan_block_memory.c - StaticPlanBlockMemory: tensors that do not live at the same time share memory.
//
//   before:  alloc = R.builtin.alloc_tensor(R.shape([n, 256]), R.dtype("float32"), …)
//            cls.f(x, alloc)
//   after:   storage = R.memory.alloc_storage(R.shape([1024 * n]), R.prim_value(0), R.str("global"),
//   R.dtype("float32"))
//            alloc = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 256]), R.dtype("float32"), …)
//            cls.f(x, alloc)
//
// Needs explicit destinations (CallTIRRewrite) outside of dataflow blocks. Keeps values and the order of bindings.
// Sizes are compared by proof; symbols with bounds (tir_var_upper_bound) give constant sizes. Tensors of the function's
// result keep memory of their own, unless the function has the attribute relax.memory_plan_dynamic_func_output.
// planner=pool is TVM's; planner=arena places all tensors of a function at offsets in one storage, those in branches
// too.
#include "graph/deduce.h"
#include "graph/sizes.h"
#include "ops/ops.h"
#include "pass/clone.h"
#include "pass/memory.h"
#include "pass/plan.h"
#include "pass/programs.h"
#include <string.h>

static const char plan_outputs[] = "relax.memory_plan_dynamic_func_output";

// --- Sizes.

// Without a bound, one number for all symbols: only the order of sizes depends on it.
enum { TYPICAL_SIZE = 512 };

bool bound_is_stated(interval bound) { return bound.has_high && bound.high < (int64_t)1 << 48; }

// `n // 128` of an unbounded n is below 2^56 and `n % 8` below 8: bounds of their own count only where they are small.
enum { SMALL_STORAGE = 1 << 20 };

const expr *size_bound(const planning *p, const expr *size) {
    expr_session *s = p->m->exprs;
    expr_list vars = {0};
    if (expr_const_int(size, &(int64_t){0})) return size;
    expr_free_vars(size, p->m->mem, &vars);
    bool stated = true;
    for (uint32_t i = 0; i < vars.len; i++) stated = stated && bound_is_stated(expr_bounds(s, vars.at[i], p->facts));
    interval bound = expr_bounds(s, size, p->facts);
    bool known = bound.has_high && (stated ? bound.high < INT64_MAX / 2 : bound.high <= SMALL_STORAGE);
    return known ? expr_i64(s, bound.high) : size;
}

int64_t size_estimate(const planning *p, const expr *size) {
    expr_list vars = {0};
    scalar value;
    expr_env env = expr_env_new(p->m->mem, p->m->exprs);
    expr_free_vars(size, p->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        interval range_of = expr_bounds(p->m->exprs, vars.at[i], p->facts);
        int64_t typical = bound_is_stated(range_of) ? range_of.high : TYPICAL_SIZE;
        attr_get_int(attr_find(attr_find(p->f->attrs, "rx.typical"), vars.at[i]->as.var->name), &typical);
        expr_env_set(&env, vars.at[i], (scalar){.i = typical});
    }
    return expr_eval(size, &env, &value) == EXPR_DONE ? value.i : INT64_MAX / 2;
}

// As TVM writes it: the constants as one factor, then the symbolic dims in order.
static const expr *bytes_of(expr_session *s, const node *alloc) {
    const expr *const *dim;
    uint32_t rank;
    dtype type = alloc_type(alloc, &dim, &rank);
    unsigned bits = dtype_bits(type) * dtype_lanes(type);
    const expr *factor = expr_i64(s, bits % 8 ? 1 : bits / 8), *rest = expr_i64(s, 1);
    if (!dim && alloc->in[0]->type->rank != 0) return NULL;
    if (bits % 8) return tensor_bytes(s, type, dim, rank);
    for (uint32_t i = 0; i < rank; i++) {
        const expr *d = expr_cast(s, DTYPE_OF(I64), dim[i]);
        bool constant = expr_const_int(d, &(int64_t){0});
        if (constant)
            factor = times(s, factor, d);
        else
            rest = times(s, rest, d);
    }
    return times(s, factor, rest);
}

static void measure(planning *p) {
    p->size = ARENA_NEW(p->m->mem, const expr *, p->l->tensors.len);
    for (uint32_t i = 0; i < p->l->tensors.len; i++) {
        const live_tensor *t = &p->l->tensors.at[i];
        if (t->alloc->op != &op_builtin_alloc_tensor || (t->escapes && !p->outputs)) continue;
        p->size[i] = bytes_of(p->m->exprs, t->alloc);
    }
}

static bool same_leaf(const node *a, const node *b) {
    if (a->op->form == FORM_PRIM && b->op->form == FORM_PRIM) return a->as.value == b->as.value;
    bool words = a->op->form == FORM_STRING && b->op->form == FORM_STRING && a->as.text.size == b->as.text.size;
    return a == b || (words && memcmp(a->as.text.bytes, b->as.text.bytes, a->as.text.size) == 0);
}

bool are_neighbours(const node *alloc, const node *other) {
    return same_leaf(alloc->in[2], other->in[2]) && same_leaf(alloc->in[3], other->in[3]);
}

// --- What a dispatcher's branches use. Each gets a workspace of its own from the graph (LiftWorkspace); as one run
// takes one branch, they may share memory.

static const module_func *dispatcher_of(const module *m, const node *n) {
    bool call = n->op->form == FORM_CALL || n->op == &op_vm_call_tir_dyn;
    const node *callee = call ? deduce_callee(n->in[0]) : n;
    const module_func *f = callee->op->form == FORM_GLOBAL ? module_find(m, callee->as.text.bytes) : NULL;
    return f && f->kind == FUNC_LOOP && is_dispatcher(f->loop) ? f : NULL;
}

static const node *const *arguments_of(const node *call, uint32_t *count) {
    const node *tuple = call->op == &op_vm_call_tir_dyn ? call->in[1] : NULL;
    *count = tuple ? tuple->count : call->count - 1;
    return tuple ? tuple->in : call->in + 1;
}

static void list_dispatches(planning *p) {
    node_list nodes = {0};
    p->used_by = MAP_IN(p->m->mem);
    p->uses = graph_uses(p->f, p->m->mem);
    graph_nodes(p->f, p->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        uint32_t args;
        if (!dispatcher_of(p->m, nodes.at[i])) continue;
        const node *const *arg = arguments_of(nodes.at[i], &args);
        for (uint32_t k = 0; k < args; k++)
            if (is_alloc_tensor(arg[k]) && p->uses[arg[k]->id] == 1)
                map_put(&p->used_by, MAP_KEY(arg[k]), (void *)(uintptr_t)nodes.at[i]);
    }
}

bool are_exclusive(const planning *p, const live_tensor *a, const live_tensor *b) {
    const node *call = map_find(&p->used_by, MAP_KEY(a->alloc));
    uint32_t args, x = 0, y = 0;
    if (!call || map_find(&p->used_by, MAP_KEY(b->alloc)) != call) return false;
    const loop_func *f = dispatcher_of(p->m, call)->loop;
    const node *const *arg = arguments_of(call, &args);
    while (x < args && arg[x] != a->alloc) x++;
    while (y < args && arg[y] != b->alloc) y++;
    return x < f->params && y < f->params && x != y && dispatch_excludes(f, x, y);
}

// --- The new function.

typedef struct placing {
    clone c;
    const memory_plan *plan;
    const liveness *l;
    map before;           // MAP_KEY(binding) -> first storage + 1
    const node **storage; // as built
} placing;

static void build_storages(placing *x, const node *before) {
    for (uint32_t i = 0; i < x->plan->storages.len; i++) {
        const plan_storage *s = &x->plan->storages.at[i];
        if (s->before != before) continue;
        const node *in[] = {build_shape(x->c.b, &s->bytes, 1), clone_value(&x->c, s->like->in[2]),
                            clone_value(&x->c, s->like->in[3]), build_dtype(x->c.b, s->type)};
        x->storage[i] = build_op(x->c.b, "storage", &op_memory_alloc_storage, in, COUNT(in));
    }
}

static bool build_placed(placing *x, const node *old) {
    uintptr_t index = (uintptr_t)map_find(&x->l->index, MAP_KEY(old));
    const plan_place *at = index ? &x->plan->place[index - 1] : NULL;
    if (!at || at->storage == PLAN_NONE) return false;
    const node *in[] = {x->storage[at->storage], build_prim(x->c.b, at->offset), clone_value(&x->c, old->in[0]),
                        clone_value(&x->c, old->in[1]), clone_value(&x->c, old->in[2])};
    const node *now = build_op(x->c.b, old->name, &op_memory_alloc_tensor, in, COUNT(in));
    map_put(&x->c.now, MAP_KEY(old), (void *)(uintptr_t)now);
    return true;
}

static const node *place_body(placing *x, const graph_body *body);

static void place_if(placing *x, const node *old) {
    builder *b = x->c.b;
    if_parts *p = build_if(b, clone_value(&x->c, old->in[0]));
    build_else(b, p, place_body(x, &old->as.branch[0]));
    const node *otherwise = place_body(x, &old->as.branch[1]);
    map_put(&x->c.now, MAP_KEY(old), (void *)(uintptr_t)build_end_if(b, p, old->name, otherwise));
}

static const node *place_body(placing *x, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next) {
        build_block(x->c.b, run->dataflow);
        for (uint32_t i = 0; i < run->len; i++) {
            const node *old = run->bound[i];
            if (map_has(&x->before, MAP_KEY(old))) build_storages(x, old);
            if (old->op->form == FORM_IF)
                place_if(x, old);
            else if (!build_placed(x, old))
                clone_binding(&x->c, old);
        }
    }
    return clone_value(&x->c, body->result);
}

static graph_func *place_func(module *m, const planning *p, const memory_plan *plan, diag *d) {
    placing x = {.c = clone_tables(m), .plan = plan, .l = p->l, .before = MAP_IN(m->mem)};
    x.storage = ARENA_NEW(m->mem, const node *, plan->storages.len);
    for (uint32_t i = 0; i < plan->storages.len; i++) map_put(&x.before, MAP_KEY(plan->storages.at[i].before), m);
    x.c.b = build_func(m, p->f->name, d);
    clone_signature(&x.c, p->f);
    x.c.b->f->attrs = attr_with(m->mem, x.c.b->f->attrs, plan_outputs, NULL); // it is done
    clone_params(&x.c, p->f);
    return build_finish(x.c.b, place_body(&x, &p->f->body));
}

// --- The pass.

static void plan_func(module *m, const graph_func *f, bool arena_planner, diag *d) {
    liveness l = liveness_of(m->mem, f);
    planning p = {.m = m, .f = f, .l = &l, .facts = graph_func_facts(m, f)};
    memory_plan plan = {.place = ARENA_NEW(m->mem, plan_place, l.tensors.len)};
    p.outputs = attr_is_true(f->attrs, plan_outputs);
    for (uint32_t i = 0; i < l.tensors.len; i++) plan.place[i].storage = PLAN_NONE;
    measure(&p);
    list_dispatches(&p);
    if (arena_planner)
        plan_arena(&p, &plan);
    else
        plan_pool(&p, &plan);
    if (plan.storages.len) module_put_graph(m, place_func(m, &p, &plan, d));
}

static bool static_plan_block_memory(module *m, const pass_ctx *c) {
    const char *planner = pass_get(c, &pass_static_plan_block_memory, "planner");
    bool arena_planner = strcmp(planner, "arena") == 0;
    if (!arena_planner && strcmp(planner, "pool") != 0)
        return diag_error(c->d, (loc){0}, "StaticPlanBlockMemory: planner: want pool or arena, got '%s'", planner);
    func_list list = {0};
    uint32_t errors = c->d->errors;
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) plan_func(m, list.at[i], arena_planner, c->d);
    return c->d->errors == errors;
}

const pass pass_static_plan_block_memory = {
    .name = "StaticPlanBlockMemory",
    .doc = "lets tensors that do not live at the same time share memory",
    .option = {{"planner", "pool", "pool (TVM's), or arena: offsets in one storage per function"}},
    .needs = NEEDS_NO_DATAFLOW | NEEDS_DESTINATIONS,
    .run = static_plan_block_memory,
};
