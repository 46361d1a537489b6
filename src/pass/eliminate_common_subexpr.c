// eliminate_common_subexpr.c - EliminateCommonSubexpr: what is computed a second time becomes a name of the first.
//
//   before:  a = R.add(x, y)          after:  a = R.add(x, y)
//            b = R.add(x, y)                  b = a
//            c = R.multiply(a, b)             c = R.multiply(a, a)
//
// Needs nothing. What lies in memory that a call writes, or is read from such, stays. Keeps order, effects and what is
// visible outside of dataflow blocks; branches of an `if` see what was computed before them, not each other. The names
// it leaves go with CanonicalizeBindings.
#include "pass/clone.h"
#include "pass/key.h"
#include "pass/written.h"

typedef struct entry { // what a key stands for here
    const char *key;
    const node *before; // what it stood for around this scope; NULL: nothing
} entry;

typedef struct searching {
    module *m;
    bool calls_only;
    clone c;
    map written;      // as of find_written
    text_map known;   // key -> node
    VEC(entry) scope; // of the scopes that are open, innermost last
    // Of the dataflow block at hand:
    map local;        // stand-ins that hold inside it
    map outputs;      // nodes that are visible outside
    text_map visible; // key -> the first output with this value
} searching;

static void know(searching *s, const char *key, const node *n) {
    entry e = {.key = key, .before = text_map_find(&s->known, key)};
    VEC_PUSH(s->m->mem, &s->scope, e);
    text_map_put(&s->known, key, (void *)(uintptr_t)n);
}

static void end_scope(searching *s, uint32_t from) {
    while (s->scope.len > from) {
        const entry *e = &s->scope.at[--s->scope.len];
        text_map_put(&s->known, e->key, (void *)(uintptr_t)e->before);
    }
}

static bool is_sought(const searching *s, const node *n) {
    if (touches_written(&s->written, n)) return false;
    if (s->calls_only) return n->op->form == FORM_OPERATOR || n->op->form == FORM_CALL;
    return n->op->form != FORM_BIND || !n->in[0]->name; // another name is nothing computed
}

static void search_binding(searching *s, const node *n, bool dataflow) {
    text t = TEXT_IN(s->m->mem);
    if (!is_sought(s, n) || !key_node(&t, n, (stand_ins){&s->c.same, &s->local})) return;
    const char *key = text_get(&t);
    const node *first = text_map_find(&s->known, key);
    if (!first) know(s, key, n);
    if (first) map_put(&s->c.alias, MAP_KEY(n), (void *)(uintptr_t)first);
    if (first) map_put(dataflow ? &s->local : &s->c.same, MAP_KEY(n), (void *)(uintptr_t)first);
    if (first && dataflow) map_put(&s->c.local, MAP_KEY(n), (void *)(uintptr_t)first);
    bool shown = dataflow && map_has(&s->outputs, MAP_KEY(n)) && !text_map_find(&s->visible, key);
    if (shown) text_map_put(&s->visible, key, (void *)(uintptr_t)n);
}

// Outside of a dataflow block, what it computed is known by an output of it or not at all.
static void end_dataflow(searching *s, uint32_t from) {
    end_scope(s, from);
    for (uint32_t i = 0; i < s->visible.len; i++)
        if (!text_map_find(&s->known, s->visible.entry[i].key))
            know(s, s->visible.entry[i].key, s->visible.entry[i].value);
}

static void start_dataflow(searching *s, const binding_block *run) {
    s->local = s->outputs = MAP_IN(s->m->mem);
    s->visible = TEXT_MAP_IN(s->m->mem);
    for (; run && run->dataflow; run = run->next)
        for (uint32_t i = 0; i < run->outputs; i++) map_put(&s->outputs, MAP_KEY(run->output[i]), s);
}

static void search_body(searching *s, const graph_body *body);

static void search_inside(searching *s, const node *n) {
    uint32_t from = s->scope.len;
    for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) {
        search_body(s, &n->as.branch[side]);
        end_scope(s, from);
    }
    if (n->op->form == FORM_CLOSURE) search_body(s, &n->as.func->body);
    end_scope(s, from);
}

// Neighbouring dataflow blocks are one.
static void search_body(searching *s, const graph_body *body) {
    uint32_t from = 0;
    bool inside = false;
    for (const binding_block *run = body->first; run; run = run->next) {
        if (run->dataflow && !inside) {
            from = s->scope.len;
            start_dataflow(s, run);
        }
        inside = run->dataflow;
        for (uint32_t i = 0; i < run->len; i++) {
            search_inside(s, run->bound[i]);
            search_binding(s, run->bound[i], inside);
        }
        if (!inside || (run->next && run->next->dataflow)) continue;
        end_dataflow(s, from);
        s->local = MAP_IN(s->m->mem);
        inside = false;
    }
}

static bool run(module *m, const pass_ctx *c) {
    bool calls_only;
    if (!pass_get_bool(c, &pass_eliminate_common_subexpr, "call_only", &calls_only)) return false;
    uint32_t errors = c->d->errors;
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        searching s = {.m = m, .calls_only = calls_only, .c = clone_tables(m), .known = TEXT_MAP_IN(m->mem)};
        s.local = s.outputs = s.written = MAP_IN(m->mem);
        find_written(m, list.at[i], &s.written);
        search_body(&s, &list.at[i]->body);
        module_put_graph(m, clone_func(&s.c, m, list.at[i], c->d));
    }
    return c->d->errors == errors;
}

const pass pass_eliminate_common_subexpr = {
    .name = "EliminateCommonSubexpr",
    .doc = "gives what is computed twice the name of the first",
    .option = {{"call_only", "false", "look at calls only, not at tuples, items and leaves"}},
    .run = run,
};
