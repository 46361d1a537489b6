// remove_unused_outputs.c - RemoveUnusedOutputs: private functions give back what callers look at.
//
//   before:  t = cls.helper(x)         private helper returns (a, b, c)
//            a = t[0]
//   after:   a = cls.helper(x)         and helper returns a
//
// Needs nothing. Keeps results. Only functions that return a tuple, all of whose calls are taken apart by item; what
// computed the rest goes as well.
#include "pass/calls_of.h"
#include "pass/clone.h"
#include "pass/edits.h"

typedef struct plan {
    bool *used;      // per field of the result
    uint32_t *place; // its number in the new result
    uint32_t count;  // how many are used
} plan;

typedef struct removing {
    module *m;
    diag *d;
    text_map all;  // name -> called *
    map tables;    // MAP_KEY(function) -> clone *
    map call_plan; // MAP_KEY(call) -> called *
    builder *scratch;
} removing;

static const ann *result_of(const graph_func *f) { return f->body.result->type; }

// Marks the fields that items of the call look at; everything else that reads the call sees all of it.
static void note_use(const removing *z, const node *user, const node *n) {
    called *of = map_find(&z->call_plan, MAP_KEY(n));
    if (!of) return;
    if (user && user->op->form == FORM_ITEM)
        ((plan *)of->plan)->used[user->as.index] = true;
    else
        of->escapes = true;
}

static void note_uses(const removing *z, const graph_func *f) {
    node_list nodes = {0};
    every_node(f, z->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        for (uint32_t k = 0; k < n->count; k++) note_use(z, n, n->in[k]);
        for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++)
            note_use(z, NULL, n->as.branch[side].result);
        if (n->op->form == FORM_CLOSURE) note_use(z, NULL, n->as.func->body.result);
    }
    note_use(z, NULL, f->body.result);
}

static void plan_all(removing *z) {
    for (uint32_t i = 0; i < z->all.len; i++) {
        called *of = z->all.entry[i].value;
        const ann *result = result_of(of->f);
        if (of->escapes || result->kind != ANN_TUPLE) continue;
        plan *p = ARENA_NEW(z->m->mem, plan, 1);
        p->used = ARENA_NEW(z->m->mem, bool, result->count);
        p->place = ARENA_NEW(z->m->mem, uint32_t, result->count);
        of->plan = p;
        for (uint32_t k = 0; k < of->site.len; k++) map_put(&z->call_plan, MAP_KEY(of->site.at[k].call), of);
    }
}

// Keeps the plans of those functions that give too much.
static void settle(removing *z) {
    for (uint32_t i = 0; i < z->all.len; i++) {
        called *of = z->all.entry[i].value;
        plan *p = of->plan;
        if (!p) continue;
        for (uint32_t k = 0; k < result_of(of->f)->count; k++)
            if (p->used[k]) p->place[k] = p->count++;
        if (of->escapes || !of->site.len || p->count == result_of(of->f)->count) of->plan = NULL;
    }
}

// --- Building.

static const ann *new_result(const removing *z, const called *of) {
    const plan *p = of->plan;
    const ann *old = result_of(of->f);
    const ann **field = ARENA_NEW(z->m->mem, const ann *, p->count);
    for (uint32_t i = 0; i < old->count; i++)
        if (p->used[i]) field[p->place[i]] = old->field[i];
    return p->count == 1 ? field[0] : ann_tuple(z->m->mem, field, p->count);
}

static const node *whole_result(const graph_func *f) {
    const node *result = f->body.result;
    while (result->op->form == FORM_BIND) result = result->in[0];
    return result;
}

static const node *field_value(clone *c, const node *whole, uint32_t i) {
    if (whole->op->form == FORM_TUPLE) return clone_value(c, whole->in[i]);
    return build_item(c->b, NULL, clone_value(c, whole), i);
}

// A tuple that only the result reads is not built.
static void drop_tuple(const removing *z, clone *c, const graph_func *f, const node *whole) {
    if (!whole->name || whole->op->form != FORM_TUPLE || whole != f->body.result) return;
    if (graph_uses(f, z->m->mem)[whole->id] > 1) return;
    map_put(&c->drop, MAP_KEY(whole), c);
    map_put(&c->same, MAP_KEY(whole), (void *)(uintptr_t)build_tuple(z->scratch, NULL, whole->in, whole->count));
    for (uint32_t i = 0; i < whole->count; i++)
        if (whole->in[i]->name) map_put(&c->shown, MAP_KEY(whole->in[i]), c);
}

static graph_func *rebuilt(removing *z, clone *c, const graph_func *f, const called *of) {
    const plan *p = of ? of->plan : NULL;
    const node *whole = whole_result(f);
    if (p) drop_tuple(z, c, f, whole);
    c->b = build_func(z->m, f->name, z->d);
    clone_signature(c, f);
    clone_params(c, f);
    const node *result = clone_body(c, &f->body);
    if (!p) return build_finish(c->b, result);
    const node **field = ARENA_NEW(z->m->mem, const node *, p->count);
    for (uint32_t i = 0; i < result_of(f)->count; i++)
        if (p->used[i]) field[p->place[i]] = field_value(c, whole, i);
    c->b->f->result_written = false;
    const node *now = p->count == 1 ? field[0] : build_tuple(c->b, NULL, field, p->count);
    return without_dead_code(z->m, build_finish(c->b, now), z->d);
}

// Items of changed calls: another number, or the call itself.
static void plan_items(removing *z, clone *c, const graph_func *f) {
    node_list nodes = {0};
    every_node(f, z->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        const called *of = n->op->form == FORM_ITEM ? map_find(&z->call_plan, MAP_KEY(n->in[0])) : NULL;
        const plan *p = of ? of->plan : NULL;
        if (!p) continue;
        if (p->count == 1) {
            map_put(&c->same, MAP_KEY(n), (void *)(uintptr_t)n->in[0]);
            map_put(&c->drop, MAP_KEY(n), c);
            map_put(&c->shown, MAP_KEY(n->in[0]), c);
            continue;
        }
        uint32_t place = p->place[n->as.index];
        if (place != n->as.index)
            map_put(&c->instead, MAP_KEY(n), (void *)(uintptr_t)build_item(z->scratch, n->name, n->in[0], place));
    }
}

static bool run(module *m, const pass_ctx *c) {
    removing z = {.m = m, .d = c->d, .all = calls_of(m), .call_plan = MAP_IN(m->mem)};
    z.scratch = build_func(m, "scratch", c->d);
    plan_all(&z);
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) note_uses(&z, list.at[i]);
    settle(&z);
    for (uint32_t i = 0; i < z.all.len; i++) {
        const called *of = z.all.entry[i].value;
        const ann **param = ARENA_NEW(m->mem, const ann *, of->f->params);
        for (uint32_t k = 0; k < of->f->params; k++) param[k] = of->f->param[k]->type;
        if (of->plan) change_signature(m, of->f, param, of->f->params, new_result(&z, of));
    }
    uint32_t errors = c->d->errors;
    for (uint32_t i = 0; i < list.len; i++) {
        clone copy = clone_tables(m);
        plan_items(&z, &copy, list.at[i]);
        module_put_graph(m, rebuilt(&z, &copy, list.at[i], text_map_find(&z.all, list.at[i]->name)));
    }
    return c->d->errors == errors;
}

const pass pass_remove_unused_outputs = {
    .name = "RemoveUnusedOutputs",
    .doc = "removes fields of results that no caller looks at",
    .run = run,
};
