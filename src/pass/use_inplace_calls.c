// use_inplace_calls.c - UseInplaceCalls: a program writes its result over an input that nobody needs any more.
//
//   before:  a = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n, 4), "float32"))
//            b = R.call_tir(cls.add, (a, y), out_sinfo=R.Tensor((n, 4), "float32"))
//   after:   a = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n, 4), "float32"))
//            b = R.call_tir_inplace(cls.add_inplace, (a, y), out_sinfo=…, inplace_indices=[0])
//
// Needs calls by call_tir of programs that AnnotateInplace looked at. Keeps values. The input must be the result of a
// call_tir in the same body whose memory no other value can hold afterwards: it, and views of it, are arguments of
// call_tir alone, and this call is the last. Parameters of the function are never
// written. Both buffers become one parameter, so that the promise that parameters share no memory (noalias) stays true.
#include "graph/sizes.h"
#include "ops/ops.h"
#include "pass/memory.h"
#include "pass/programs.h"

// The memory that a call_tir gave.
typedef struct fresh {
    const graph_body *home;
    const node *last; // the call that uses it last
    bool shared;      // something else than a call_tir may hold it
} fresh;

typedef struct finder {
    module *m;
    facts *facts;
    map memory; // MAP_KEY(node) -> fresh *: of results and views of them
    map chosen; // MAP_KEY(call) -> index of the input + 1
    fresh_names names;
    text_map versions; // "program input" -> name of the in-place one
} finder;

// --- Who holds what.

static fresh *memory_of(const finder *x, const node *n) { return n->name ? map_find(&x->memory, MAP_KEY(n)) : NULL; }

static void share(finder *x, const node *n) {
    fresh *g = memory_of(x, n);
    if (g) g->shared = true;
    for (uint32_t i = 0; !n->name && i < n->count; i++) share(x, n->in[i]);
}

static bool is_literal(const node *n) { return n->op->form == FORM_TUPLE && !n->name; }

// Calls are seen in order, so the last one seen is the last use.
static void use_by_call(finder *x, const node *call, const graph_body *body) {
    for (uint32_t i = 0; i < call->in[1]->count; i++) {
        fresh *g = memory_of(x, call->in[1]->in[i]);
        if (!g) continue;
        g->last = call;
        g->shared = g->shared || g->home != body;
    }
}

static void note_in(finder *x, const graph_body *body);

static void note(finder *x, const node *n, const graph_body *body) {
    bool call = n->op == &op_call_tir && is_literal(n->in[1]);
    bool view = n->op->form == FORM_BIND || (n->op->form == FORM_OPERATOR && is_view(n));
    if (call)
        use_by_call(x, n, body);
    else
        for (uint32_t i = view; i < n->count; i++) share(x, n->in[i]);
    if (n->op == &op_call_tir && n->type_arg[0]->kind == ANN_TENSOR) {
        fresh *g = ARENA_NEW(x->m->mem, fresh, 1);
        g->home = body;
        map_put(&x->memory, MAP_KEY(n), g);
    }
    if (view && memory_of(x, n->in[0])) map_put(&x->memory, MAP_KEY(n), memory_of(x, n->in[0]));
    for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) note_in(x, &n->as.branch[side]);
    if (n->op->form == FORM_CLOSURE) note_in(x, &n->as.func->body);
}

static void note_in(finder *x, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) note(x, run->bound[i], body);
    share(x, body->result);
}

// --- Which calls, and over which input.

static bool is_allowed(const loop_func *f, uint32_t in, uint32_t out) {
    const attr *list = attr_find(f->attrs, "rx.inplace");
    bool last = out < f->params && f->param[out].buf && (out + 1 == f->params || !f->param[out + 1].buf);
    for (uint32_t i = 0; last && list && list->kind == ATTR_LIST && i < list->count; i++)
        if (list->list[i]->kind == ATTR_INT && list->list[i]->as.i == in) return !is_dispatcher(f);
    return false;
}

static bool same_type(const finder *x, const ann *a, const ann *b) {
    if (a->kind != ANN_TENSOR || !a->dim || !b->dim || a->rank != b->rank || !dtype_equal(a->type, b->type))
        return false;
    for (int32_t i = 0; i < a->rank; i++)
        if (!prove_equal(x->m->exprs, a->dim[i], b->dim[i], x->facts)) return false;
    return true;
}

// The same memory as two arguments would be read and written through different names.
static bool dies_here(const finder *x, const node *call, uint32_t input) {
    const node *args = call->in[1];
    const fresh *g = memory_of(x, args->in[input]);
    if (!g || g->shared || g->last != call) return false;
    for (uint32_t i = 0; i < args->count; i++)
        if (i != input && memory_of(x, args->in[i]) == g) return false;
    return true;
}

static void choose(finder *x, const node *call) {
    const module_func *f = call->op == &op_call_tir ? module_find(x->m, call->in[0]->as.text.bytes) : NULL;
    const ann *out = f ? call->type_arg[0] : NULL;
    if (!f || f->kind != FUNC_LOOP || out->kind != ANN_TENSOR || !is_literal(call->in[1])) return;
    for (uint32_t i = 0, inputs = call->in[1]->count; i < inputs && inputs < f->loop->params; i++) {
        if (!dies_here(x, call, i) || !same_type(x, call->in[1]->in[i]->type, out)) continue;
        if (!is_allowed(f->loop, i, inputs)) continue;
        map_put(&x->chosen, MAP_KEY(call), (void *)(uintptr_t)(i + 1));
        return;
    }
}

// --- The new calls.

// The program without the parameter `out`: what it wrote goes into `in`.
static const loop_func *inplace_version(module *m, const loop_func *f, uint32_t in, uint32_t out, const char *name) {
    map buffers = MAP_IN(m->mem);
    loop_func *now = ARENA_NEW(m->mem, loop_func, 1);
    loop_param *param = ARENA_NEW(m->mem, loop_param, f->params);
    *now = *f;
    now->attrs = attr_with(m->mem, f->attrs, "rx.inplace", NULL);
    now->name = name;
    now->is_private = true;
    now->params = 0;
    for (uint32_t i = 0; i < f->params; i++)
        if (i != out) param[now->params++] = f->param[i];
    now->param = param;
    map_put(&buffers, MAP_KEY(f->param[out].buf), (void *)(uintptr_t)f->param[in].buf);
    now->body = stmt_replace(m->exprs, m->mem, f->body, NULL, &buffers);
    return now;
}

// One in-place version per program and input, however many calls there are.
static const char *version_of(finder *x, const loop_func *f, uint32_t in, uint32_t out) {
    const char *key = arena_format(x->m->mem, "%s %u", f->name, in), *known = text_map_find(&x->versions, key);
    if (known) return known;
    const char *name = fresh_name(&x->names, arena_format(x->m->mem, "%s_inplace", f->name));
    module_put_loop(x->m, inplace_version(x->m, f, in, out, name));
    text_map_put(&x->versions, key, (void *)(uintptr_t)name);
    return name;
}

static const node *call_inplace(builder *b, const node *old, const node *const *in, void *user) {
    finder *x = user;
    uintptr_t input = (uintptr_t)map_find(&x->chosen, MAP_KEY(old));
    if (!input) return NULL;
    arena *mem = b->m->mem;
    const loop_func *f = module_find(b->m, old->in[0]->as.text.bytes)->loop;
    const node *operand[3] = {build_global(b, version_of(x, f, (uint32_t)(input - 1), old->in[1]->count)), in[1]};
    if (old->count > 2) operand[2] = in[2];
    const attr *place = attr_int(mem, (int64_t)(input - 1)), **row = ARENA_NEW(mem, const attr *, 1);
    row[0] = attr_list(mem, &place, 1);
    const call_parts c = {.op = &op_call_tir_inplace,
                          .in = operand,
                          .count = old->count,
                          .attr = row,
                          .type_arg = old->type_arg,
                          .type_args = 1};
    return build_call(b, old->name, &c);
}

// --- The pass.

static void find_in_function(finder *x, const graph_func *f) {
    node_list nodes = {0};
    x->facts = graph_func_facts(x->m, f);
    note_in(x, &f->body);
    graph_nodes(f, x->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) choose(x, nodes.at[i]);
}

static bool use_inplace_calls(module *m, const pass_ctx *c) {
    map none = MAP_IN(m->mem);
    finder x = {.m = m, .memory = none, .chosen = none, .names = fresh_names_in(m), .versions = TEXT_MAP_IN(m->mem)};
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) find_in_function(&x, list.at[i]);
    return !x.chosen.len || rebuild_functions(m, call_inplace, &x, c->d);
}

const pass pass_use_inplace_calls = {
    .name = "UseInplaceCalls",
    .doc = "lets programs write their result over an input that is not needed any more",
    .run = use_inplace_calls,
};
