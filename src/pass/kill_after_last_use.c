// kill_after_last_use.c - KillAfterLastUse: each value is given up as soon as nothing needs it.
//
//   before:  cls.f(x, alloc)             after:  cls.f(x, alloc)
//            lv = alloc                          cls.g(alloc, alloc1)
//            cls.g(lv, alloc1)                   R.memory.kill_tensor(alloc)
//
// Needs functions without dataflow blocks in which effects are allowed. Kills that are there already go: what they say
// holds of other lives than these. Keeps values and the order of bindings. Second
// names of a value (lv), items of tuples that are written out, and names of constants are replaced by what they stand
// for. Parameters, shapes, scalars and constants are never given up. What is last used inside an `if` is given up after
// it with branches=true alone: TVM keeps it until the function returns.
#include "ops/ops.h"
#include "pass/clone.h"
#include "pass/liveness.h"
#include "pass/support.h"

// What is known of a value that a body binds.
typedef struct life {
    const graph_body *home;
    const node *last; // the binding of its own body that uses it last; NULL: none
    bool in_if;       // that use is inside the `if` that `last` is
    bool escapes;     // it is the body's result, or part of it
} life;

typedef struct killer {
    module *m;
    clone c;
    bool branches;
    map lives; // MAP_KEY(bound node) -> life *
    map dying; // MAP_KEY(binding) -> node_list *: what it uses last, in order of definition
} killer;

// --- What a value really is.

// A shape or a tuple that is written out gets its name by the binding.
static bool names_something(const node *n) { return n->name || n->op->form == FORM_CONSTANT; }

static const node *origin(const node *n) {
    for (;;) {
        if (n->op->form == FORM_BIND && names_something(n->in[0])) {
            n = n->in[0];
        } else if (n->op->form == FORM_ITEM) {
            const node *tuple = origin(n->in[0]);
            if (tuple->op->form != FORM_TUPLE || n->as.index >= tuple->count) return n;
            n = tuple->in[n->as.index];
        } else {
            return n;
        }
    }
}

// Bindings that only name something that exists.
static bool is_second_name(const node *n) { return origin(n) != n; }

static void rename(killer *k, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) rename(k, &n->as.branch[side]);
            if (is_kill(n)) map_put(&k->c.drop, MAP_KEY(n), k);
            if (!is_second_name(n)) continue;
            map_put(&k->c.same, MAP_KEY(n), (void *)(uintptr_t)origin(n));
            // TVM keeps the binding of a constant.
            bool keeps = n->op->form == FORM_BIND && n->in[0]->op->form == FORM_CONSTANT && !k->branches;
            if (!keeps) map_put(&k->c.drop, MAP_KEY(n), k);
        }
}

// --- Last uses, body by body.

static life *life_in(const killer *k, const node *value, const graph_body *home) {
    life *l = value->name ? map_find(&k->lives, MAP_KEY(value)) : NULL;
    return l && l->home == home ? l : NULL;
}

// One use in a binding of `home`, of the value itself or of what a leaf holds.
typedef struct use_site {
    const graph_body *home;
    const node *at; // NULL: the body's result
    bool in_if;
} use_site;

static void use(killer *k, const node *value, use_site site) {
    value = origin(value);
    life *l = life_in(k, value, site.home);
    if (l && site.at) {
        l->last = site.at;
        l->in_if = site.in_if;
    }
    if (l && !site.at) l->escapes = true;
    for (uint32_t i = 0; !value->name && i < value->count; i++) use(k, value->in[i], site);
}

static void use_inside(killer *k, const graph_body *body, use_site site);

static void use_operands(killer *k, const node *n, use_site site) {
    if (is_kill(n)) return;
    for (uint32_t i = 0; i < n->count; i++) use(k, n->in[i], site);
    if (n->op->form == FORM_CLOSURE) use_inside(k, &n->as.func->body, site);
    if (n->op->form != FORM_IF) return;
    site.in_if = true;
    use_inside(k, &n->as.branch[0], site);
    use_inside(k, &n->as.branch[1], site);
}

// Uses in a body that lies inside a binding, as seen from outside.
static void use_inside(killer *k, const graph_body *body, use_site site) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) use_operands(k, run->bound[i], site);
    use(k, body->result, site);
}

static bool is_given_up(const killer *k, const life *l) { return l->last && !l->escapes && (k->branches || !l->in_if); }

static void bury(killer *k, const node *value) {
    const life *l = map_find(&k->lives, MAP_KEY(value));
    if (!is_given_up(k, l)) return;
    node_list *list = map_find(&k->dying, MAP_KEY(l->last));
    if (!list) {
        list = ARENA_NEW(k->m->mem, node_list, 1);
        map_put(&k->dying, MAP_KEY(l->last), list);
    }
    VEC_PUSH(k->m->mem, list, value);
}

static void analyse(killer *k, const graph_body *body) {
    const binding_block *run;
    for (run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            life *l = ARENA_NEW(k->m->mem, life, 1);
            l->home = body;
            map_put(&k->lives, MAP_KEY(run->bound[i]), l);
        }
    for (run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++)
            if (!is_second_name(run->bound[i]))
                use_operands(k, run->bound[i], (use_site){.home = body, .at = run->bound[i]});
    use(k, body->result, (use_site){.home = body});
    for (run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            bury(k, n);
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) analyse(k, &n->as.branch[side]);
        }
}

// --- The new body.

typedef enum kill_kind { KILL_TENSOR, KILL_STORAGE, KILL_OBJECT, KILL_NOTHING } kill_kind;

static kill_kind kind_of(const killer *k, const node *n) {
    if (n->op->form == FORM_IF && !k->branches) return KILL_NOTHING;
    if (n->op->form == FORM_CONSTANT) return KILL_NOTHING;
    if (n->op == &op_memory_alloc_storage) return KILL_STORAGE;
    switch (n->type->kind) {
    case ANN_TENSOR: return KILL_TENSOR;
    case ANN_OBJECT: return KILL_OBJECT;
    case ANN_TUPLE: return n->type->count ? KILL_OBJECT : KILL_NOTHING;
    case ANN_PRIM:
    case ANN_SHAPE:
    case ANN_CALLABLE: break;
    }
    return KILL_NOTHING;
}

// What `at` uses last is given up: kinds after one another, in order of definition.
static void kill_after(killer *k, const node *at) {
    static const op *const kill[] = {[KILL_TENSOR] = &op_memory_kill_tensor,
                                     [KILL_STORAGE] = &op_memory_kill_storage,
                                     [KILL_OBJECT] = &op_vm_kill_object};
    const node_list *list = map_find(&k->dying, MAP_KEY(at));
    for (kill_kind kind = KILL_TENSOR; list && kind < KILL_NOTHING; kind++)
        for (uint32_t i = 0; i < list->len; i++) {
            if (kind_of(k, list->at[i]) != kind) continue;
            const node *now = clone_value(&k->c, list->at[i]);
            build_op(k->c.b, "_", kill[kind], &now, 1);
        }
}

static const node *kill_body(killer *k, const graph_body *body);

static void kill_if(killer *k, const node *old) {
    builder *b = k->c.b;
    if_parts *p = build_if(b, clone_value(&k->c, old->in[0]));
    build_else(b, p, kill_body(k, &old->as.branch[0]));
    const node *otherwise = kill_body(k, &old->as.branch[1]);
    map_put(&k->c.now, MAP_KEY(old), (void *)(uintptr_t)build_end_if(b, p, old->name, otherwise));
}

// A constant is written where it is used.
static void inline_constant(killer *k, const node *old) {
    if (!k->branches) clone_binding(&k->c, old);
    map_put(&k->c.now, MAP_KEY(old), (void *)(uintptr_t)build_constant(k->c.b, old->as.constant));
}

static const node *kill_body(killer *k, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next) {
        build_block(k->c.b, false);
        for (uint32_t i = 0; i < run->len; i++) {
            const node *old = run->bound[i];
            if (old->op->form == FORM_CONSTANT)
                inline_constant(k, old);
            else if (old->op->form == FORM_IF)
                kill_if(k, old);
            else
                clone_binding(&k->c, old);
            kill_after(k, old);
        }
    }
    return clone_value(&k->c, body->result);
}

static graph_func *kill_in(killer *k, const graph_func *old, diag *d) {
    k->c = clone_tables(k->m);
    k->c.b = build_func(k->m, old->name, d);
    k->lives = k->dying = MAP_IN(k->m->mem);
    rename(k, &old->body);
    analyse(k, &old->body);
    clone_signature(&k->c, old);
    clone_params(&k->c, old);
    return build_finish(k->c.b, kill_body(k, &old->body));
}

static bool kill_after_last_use(module *m, const pass_ctx *c) {
    killer k = {.m = m};
    func_list list = {0};
    uint32_t errors = c->d->errors;
    if (!pass_get_bool(c, &pass_kill_after_last_use, "branches", &k.branches)) return false;
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) module_put_graph(m, kill_in(&k, list.at[i], c->d));
    return c->d->errors == errors;
}

const pass pass_kill_after_last_use = {
    .name = "KillAfterLastUse",
    .doc = "gives values up after their last use",
    .option = {{"branches", "false", "also what an `if` uses last, and the results of ifs"}},
    .needs = NEEDS_NO_DATAFLOW | NEEDS_EFFECTS,
    .run = kill_after_last_use,
};
