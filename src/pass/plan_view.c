// plan_view.c - reads a plan back from the calls that carry it out, in expressions and in numbers.
#include "pass/plan_view.h"
#include "graph/sizes.h"
#include "ops/ops.h"
#include "pass/memory.h"
#include "pass/plan.h"

typedef struct viewing {
    const module *m;
    plan_view *v;
    arena *mem;
    const liveness *l;
    facts *facts;
    expr_env env;
    map storage; // MAP_KEY(alloc_storage) -> index + 1
} viewing;

// Sizes that can't be computed count as nothing: a picture with a hole is better than none.
static int64_t number(const viewing *x, const expr *e) {
    scalar value;
    return expr_eval(e, &x->env, &value) == EXPR_DONE ? value.i : 0;
}

// As it is shown: canonical, and without what the facts make superfluous.
static const expr *shown(const viewing *x, const expr *e) {
    return expr_canon(x->m->exprs, expr_simplify(x->m->exprs, e, x->facts));
}

static int64_t align_up(int64_t bytes) { return (bytes + PLAN_ALIGN - 1) / PLAN_ALIGN * PLAN_ALIGN; }

// --- Symbols in numbers.

// The largest value where there is one: numbers are for the worst case.
static void set_symbols(viewing *x, const expr *e, int64_t typical) {
    expr_list vars = {0};
    expr_free_vars(e, x->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        interval known = expr_bounds(x->m->exprs, vars.at[i], x->facts);
        bool bounded = bound_is_stated(known);
        x->v->bounded = x->v->bounded && bounded;
        expr_env_set(&x->env, vars.at[i], (scalar){.i = bounded ? known.high : typical});
    }
}

// --- Storages and tensors.

// A storage that RewriteCUDAGraph made to stay: item i of what another function allocates. NULL if n is none.
static const node *static_storage(const module *m, const node *n) {
    const node *call = n->op->form == FORM_ITEM ? n->in[0] : NULL;
    if (!call || call->op != &op_call_builtin_with_ctx || call->in[1]->op->form != FORM_TUPLE) return NULL;
    const node *callee = call->in[1]->count ? call->in[1]->in[0] : NULL;
    const module_func *f = callee && callee->op->form == FORM_GLOBAL ? module_find(m, callee->as.text.bytes) : NULL;
    const node *all = f && f->kind == FUNC_GRAPH ? f->graph->body.result : NULL;
    if (!all || all->op->form != FORM_TUPLE || n->as.index >= all->count) return NULL;
    return is_alloc_storage(all->in[n->as.index]) ? all->in[n->as.index] : NULL;
}

// `alloc`: where its size stands.
static void add_storage(viewing *x, const node *n, const node *alloc, int64_t typical) {
    const ann *size = alloc->in[0]->type;
    const expr *bytes = size->dim ? size->dim[0] : expr_i64(x->m->exprs, 0);
    storage_view s = {.name = n->name, .bytes = shown(x, bytes), .from = UINT32_MAX};
    set_symbols(x, s.bytes, typical);
    s.size = number(x, s.bytes);
    s.room = align_up(s.size);
    map_put(&x->storage, MAP_KEY(n), (void *)(uintptr_t)(x->v->storages.len + 1));
    VEC_PUSH(x->mem, &x->v->storages, s);
}

// Other names of a storage are looked through.
static storage_view *storage_of(const viewing *x, const node *alloc) {
    const node *s = alloc->in[0];
    while (s->op->form == FORM_BIND) s = s->in[0];
    uintptr_t index = (uintptr_t)map_find(&x->storage, MAP_KEY(s));
    return index ? &x->v->storages.at[index - 1] : NULL;
}

static void add_tensor(viewing *x, const live_tensor *t, int64_t typical) {
    const expr *const *dim;
    uint32_t rank;
    storage_view *s = storage_of(x, t->alloc);
    dtype type = alloc_type(t->alloc, &dim, &rank);
    if (!s) return;
    tensor_view v = {.name = t->alloc->name, .offset = t->alloc->in[1]->type->value, .from = t->from, .to = t->to};
    v.offset = v.offset ? shown(x, v.offset) : expr_i64(x->m->exprs, 0);
    v.bytes = shown(x, tensor_bytes(x->m->exprs, type, dim, rank));
    set_symbols(x, v.bytes, typical);
    set_symbols(x, v.offset, typical);
    v.start = number(x, v.offset);
    v.size = number(x, v.bytes);
    if (t->from < s->from) s->from = t->from;
    if (t->to > s->to) s->to = t->to;
    s->result = s->result || t->escapes;
    VEC_PUSH(x->mem, &s->tensors, v);
}

// --- The peak.

// A storage exists from its first tensor to its last: KillAfterLastUse gives it up there.
static bool exists_at(const storage_view *s, uint32_t position) { return s->from <= position && position <= s->to; }

// Both by position: what the storages that exist need, and what the tensors that live need.
static void find_peak(viewing *x) {
    plan_view *v = x->v;
    expr_session *e = x->m->exprs;
    v->peak = expr_i64(e, 0);
    for (uint32_t at = 0; at <= v->positions; at++) {
        int64_t sum = 0, live = 0;
        for (uint32_t i = 0; i < v->storages.len; i++) {
            const storage_view *s = &v->storages.at[i];
            if (exists_at(s, at)) sum += s->room;
            for (uint32_t k = 0; k < s->tensors.len; k++)
                if (s->tensors.at[k].from <= at && at <= s->tensors.at[k].to) live += align_up(s->tensors.at[k].size);
        }
        if (live > v->lower_bound) v->lower_bound = live;
        if (sum <= v->peak_bytes) continue;
        v->peak_bytes = sum;
        v->peak_at = at;
    }
    // Workspaces of which one run uses one share memory, which the sum above does not know.
    if (v->lower_bound > v->peak_bytes) v->lower_bound = v->peak_bytes;
    for (uint32_t i = 0; i < v->storages.len; i++)
        if (exists_at(&v->storages.at[i], v->peak_at))
            v->peak = expr_binary(e, EXPR_ADD, v->peak, v->storages.at[i].bytes);
    v->peak = shown(x, v->peak);
}

// --- Words for positions.

// The callee says more than the operator's name, a variable's name more than `_`.
static const char *words_of(const node *n, arena *mem) {
    const node *callee = n->op->form == FORM_CALL || n->count ? n->in[0] : n;
    if (callee->op->form == FORM_GLOBAL || callee->op->form == FORM_EXTERN)
        return arena_format(mem, "%s", callee->as.text.bytes);
    return n->name && *n->name != '_' ? n->name : n->op->name;
}

plan_view plan_view_of(const module *m, const graph_func *f, int64_t typical, arena *mem) {
    liveness l = liveness_of(mem, f);
    plan_view v = {.f = f, .positions = l.end, .bounded = true};
    viewing x = {.m = m, .v = &v, .mem = mem, .l = &l, .facts = graph_func_facts(m, f), .storage = MAP_IN(mem)};
    x.env = expr_env_new(mem, m->exprs);
    v.what = ARENA_NEW(mem, const char *, l.end + 1);
    for (uint32_t i = 0; i < l.position.len; i++) {
        const node *n = (const node *)(uintptr_t)l.position.entry[i].key;
        v.what[(uintptr_t)l.position.entry[i].value - 1] = words_of(n, mem);
        const node *alloc = is_alloc_storage(n) ? n : static_storage(m, n);
        if (alloc) add_storage(&x, n, alloc, typical);
    }
    v.what[l.end] = "return";
    for (uint32_t i = 0; i < l.tensors.len; i++)
        if (l.tensors.at[i].alloc->op != &op_builtin_alloc_tensor) add_tensor(&x, &l.tensors.at[i], typical);
    for (uint32_t i = 0; i < v.storages.len; i++)
        for (uint32_t k = 0; k < v.storages.at[i].tensors.len; k++)
            v.unplanned += align_up(v.storages.at[i].tensors.at[k].size);
    find_peak(&x);
    return v;
}
