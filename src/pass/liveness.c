// liveness.c - which allocations a value may lie in, and when they are used last.
#include "pass/liveness.h"
#include "ops/ops.h"
#include "pass/memory.h"

bool is_alloc_tensor(const node *n) {
    return n->op == &op_builtin_alloc_tensor || n->op == &op_memory_alloc_tensor || n->op == &op_vm_alloc_tensor;
}

bool is_alloc_storage(const node *n) { return n->op == &op_memory_alloc_storage || n->op == &op_vm_alloc_storage; }

bool is_kill(const node *n) {
    return n->op == &op_memory_kill_tensor || n->op == &op_memory_kill_storage || n->op == &op_vm_kill_object;
}

dtype alloc_type(const node *alloc, const expr *const **dim, uint32_t *rank) {
    uint32_t shape = alloc->op == &op_builtin_alloc_tensor ? 0 : 2;
    *dim = alloc->in[shape]->type->dim;
    *rank = *dim ? (uint32_t)alloc->in[shape]->type->rank : 0;
    return alloc->in[shape + 1]->as.type;
}

// The allocations that a value may lie in: a list without duplicates, shared where it is the same.
typedef struct origins {
    uint32_t count;
    const uint32_t *tensor;
} origins;

typedef struct looking {
    liveness *l;
    map of; // MAP_KEY(node) -> origins *
    const graph_body *body;
    const node *owner;
} looking;

static const origins nothing = {0};

// --- Sets.

// The common cases make nothing new: one side is empty, or both are the same list.
static const origins *join(looking *k, const origins *a, const origins *b) {
    if (!b->count || a == b) return a;
    if (!a->count) return b;
    uint32_t *list = ARENA_NEW(k->l->mem, uint32_t, a->count + b->count);
    origins *both = ARENA_NEW(k->l->mem, origins, 1);
    for (; both->count < a->count; both->count++) list[both->count] = a->tensor[both->count];
    for (uint32_t i = 0; i < b->count; i++) {
        bool known = false;
        for (uint32_t j = 0; j < a->count; j++) known = known || a->tensor[j] == b->tensor[i];
        if (!known) list[both->count++] = b->tensor[i];
    }
    both->tensor = list;
    return both;
}

static const origins *of_value(looking *k, const node *n);
static const origins *of_item(looking *k, const node *n);

static const origins *of_operands(looking *k, const node *n, uint32_t from) {
    const origins *all = &nothing;
    for (uint32_t i = from; i < n->count; i++) all = join(k, all, of_value(k, n->in[i]));
    return all;
}

// Bound values were looked at when they were bound; leaves hold what their operands hold.
static const origins *of_value(looking *k, const node *n) {
    const origins *known = map_find(&k->of, MAP_KEY(n));
    if (known) return known;
    if (n->op->form == FORM_ITEM && !n->name) return of_item(k, n);
    return n->name ? &nothing : of_operands(k, n, 0);
}

// --- Uses.

static void use_all(looking *k, const origins *o, uint32_t position) {
    for (uint32_t i = 0; i < o->count; i++) {
        live_tensor *t = &k->l->tensors.at[o->tensor[i]];
        if (position > t->to) t->to = position;
        t->crosses = t->crosses || t->home != k->body;
    }
}

// Whoever gets a tensor may return it, so it must not be given up before the result of the call is.
static void mark_passed(looking *k, const origins *o) {
    for (uint32_t i = 0; i < o->count; i++) k->l->tensors.at[o->tensor[i]].passed = true;
}

static void mark_escaping(looking *k, const origins *o) {
    for (uint32_t i = 0; i < o->count; i++) k->l->tensors.at[o->tensor[i]].escapes = true;
}

// --- What a binding may hand through.

static bool is_program(const node *callee) {
    if (callee->op->form == FORM_EXTERN) return true;
    if (callee->op->form != FORM_GLOBAL) return false;
    const ann *type = callee->type; // a program's parameters are tensors and scalars, its result nothing
    return type->kind == ANN_CALLABLE && type->result && type->result->kind == ANN_TUPLE && !type->result->count;
}

static bool holds_memory(const ann *a) { return a->kind != ANN_SHAPE && a->kind != ANN_PRIM; }

// A program writes into what it is given and hands nothing through; a library function may return an argument.
static const origins *of_call(looking *k, const node *n, uint32_t callee) {
    const origins *arguments = of_operands(k, n, callee + 1);
    if (!is_program(n->in[callee])) mark_passed(k, arguments);
    bool nothing_back = n->type->kind == ANN_TUPLE && !n->type->count;
    return nothing_back || !holds_memory(n->type) ? &nothing : arguments;
}

// Every allocation starts a list of its own, of one.
static const origins *new_tensor(looking *k, const node *n, uint32_t position) {
    origins *own = ARENA_NEW(k->l->mem, origins, 1);
    uint32_t *index = ARENA_NEW(k->l->mem, uint32_t, 1);
    *index = k->l->tensors.len;
    *own = (origins){1, index};
    VEC_PUSH(k->l->mem, &k->l->tensors, ((live_tensor){.alloc = n, .home = k->body, .from = position, .to = position}));
    map_put(&k->l->index, MAP_KEY(n), (void *)(uintptr_t)(*index + 1));
    return own;
}

static const origins *of_operator(looking *k, const node *n, uint32_t position) {
    if (is_alloc_tensor(n)) return new_tensor(k, n, position);
    if (n->op == &op_call_packed) return of_call(k, n, 0);
    if (is_view(n)) return of_value(k, n->in[0]);
    if (n->op == &op_vm_call_tir_dyn || !holds_memory(n->type) || is_alloc_storage(n)) return &nothing;
    if (n->type->kind == ANN_TUPLE && !n->type->count) return &nothing; // a kill
    const origins *all = of_operands(k, n, 0);
    mark_passed(k, all);
    return all;
}

static const origins *look_in(looking *k, const graph_body *body, const node *owner);

// Which branch ran is not known: the result may lie in what either made.
static const origins *of_if(looking *k, const node *n) {
    const origins *then = look_in(k, &n->as.branch[0], n);
    return join(k, then, look_in(k, &n->as.branch[1], n));
}

// A closure keeps what it captures.
static const origins *of_closure(looking *k, const node *n) {
    const origins *all = &nothing;
    const graph_func *f = n->as.func;
    for (const binding_block *run = f->body.first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) all = join(k, all, of_operands(k, run->bound[i], 0));
    mark_passed(k, all);
    return all;
}

// An item of a tuple that is written out is that field alone.
static const origins *of_item(looking *k, const node *n) {
    const node *tuple = n->in[0];
    while (tuple->op->form == FORM_BIND) tuple = tuple->in[0];
    bool known = tuple->op->form == FORM_TUPLE && n->as.index < tuple->count;
    return of_value(k, known ? tuple->in[n->as.index] : tuple);
}

static const origins *of_binding(looking *k, const node *n, uint32_t position) {
    switch (n->op->form) {
    case FORM_OPERATOR: return of_operator(k, n, position);
    case FORM_CALL: return of_call(k, n, 0);
    case FORM_CLOSURE: return of_closure(k, n);
    case FORM_ITEM: return of_item(k, n);
    case FORM_TUPLE:
    case FORM_MATCH_CAST:
    case FORM_BIND: return of_operands(k, n, 0);
    case FORM_IF:
    case FORM_PARAM:
    case FORM_CONSTANT:
    case FORM_SHAPE:
    case FORM_PRIM:
    case FORM_STRING:
    case FORM_DTYPE:
    case FORM_GLOBAL:
    case FORM_EXTERN: break;
    }
    return &nothing;
}

static void look_at(looking *k, const node *n) {
    const origins *inside = n->op->form == FORM_IF ? of_if(k, n) : NULL;
    uint32_t position = k->l->end++;
    map_put(&k->l->position, MAP_KEY(n), (void *)(uintptr_t)(position + 1));
    map_put(&k->l->home, MAP_KEY(n), (void *)(uintptr_t)k->body);
    if (k->owner) map_put(&k->l->owner, MAP_KEY(n), (void *)(uintptr_t)k->owner);
    const origins *o = inside ? inside : of_binding(k, n, position);
    map_put(&k->of, MAP_KEY(n), (void *)(uintptr_t)o);
    if (!is_kill(n)) use_all(k, of_operands(k, n, 0), position);
    if (n->op->form == FORM_CLOSURE) use_all(k, o, position);
}

// What the body's result may lie in. Used where the body ends.
static const origins *look_in(looking *k, const graph_body *body, const node *owner) {
    looking inside = *k;
    inside.body = body;
    inside.owner = owner;
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) look_at(&inside, run->bound[i]);
    k->of = inside.of;
    const origins *result = of_value(k, body->result);
    use_all(owner ? k : &inside, result, k->l->end); // the function's own result crosses nothing
    return result;
}

liveness liveness_of(arena *mem, const graph_func *f) {
    map none = MAP_IN(mem);
    liveness l = {.mem = mem, .position = none, .home = none, .owner = none, .index = none};
    looking k = {.l = &l, .of = none};
    mark_escaping(&k, look_in(&k, &f->body, NULL));
    return l;
}
