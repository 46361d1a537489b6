// topological_sort.c - TopologicalSort: the bindings of each dataflow block in an order that follows values.
//
//   before:  a = f(x); b = f(y); c = g(a); d = g(b)
//   after:   a = f(x); c = g(a); b = f(y); d = g(b)       order=depth-first, direction=from-inputs
//
// Needs nothing. Keeps everything but the order within dataflow blocks. From inputs, a binding comes as soon as all it
// reads is there; from outputs, as late as what reads it allows.
#include "pass/clone.h"
#include <stdlib.h>
#include <string.h>

typedef VEC(uint32_t) index_list;

// A binding of the block, and where values come from: parameters and outer values are sources too.
typedef struct point {
    index_list reads, users; // other points; each once
    uint32_t waits;          // for so many before it may come
    bool done;
} point;

typedef struct sorting {
    module *m;
    bool depth_first, from_inputs;
    const binding_block *run;
    point *point; // run->len of them
    map index;    // MAP_KEY(bound node) -> index + 1
    index_list todo;
    uint32_t next; // breadth first: of the queue
    node_list *out;
} sorting;

static void add_read(sorting *s, uint32_t user, const node *n) {
    uintptr_t known = (uintptr_t)map_find(&s->index, MAP_KEY(n));
    for (uint32_t i = 0; !n->name && i < n->count; i++) add_read(s, user, n->in[i]);
    if (!known) return;
    uint32_t from = (uint32_t)known - 1;
    point *p = &s->point[user], *q = &s->point[from];
    if (q->users.len && q->users.at[q->users.len - 1] == user) return; // read twice
    VEC_PUSH(s->m->mem, &p->reads, from);
    VEC_PUSH(s->m->mem, &q->users, user);
}

static void add_shapes(sorting *s, uint32_t user, const ann *a) {
    if (a->shape) add_read(s, user, a->shape);
    for (uint32_t i = 0; i < a->count; i++) add_shapes(s, user, a->field[i]);
}

static void push(sorting *s, const index_list *list) {
    bool reversed = s->depth_first && s->from_inputs; // a stack: the first is pushed last
    for (uint32_t i = 0; i < list->len; i++) {
        uint32_t p = list->at[reversed ? list->len - 1 - i : i];
        if (!s->point[p].done) VEC_PUSH(s->m->mem, &s->todo, p);
    }
}

// Visits in the chosen order; a point that still waits comes again with the last it waits for.
static void visit_all(sorting *s) {
    while (s->depth_first ? s->todo.len > 0 : s->next < s->todo.len) {
        uint32_t i = s->depth_first ? s->todo.at[--s->todo.len] : s->todo.at[s->next++];
        point *p = &s->point[i];
        if (p->done || p->waits) continue;
        p->done = true;
        VEC_PUSH(s->m->mem, s->out, s->run->bound[i]);
        const index_list *following = s->from_inputs ? &p->users : &p->reads;
        for (uint32_t k = 0; k < following->len; k++) s->point[following->at[k]].waits--;
        push(s, following);
    }
}

// Outer values that the block reads, in order of definition: parameters first.
static void outer_values(sorting *s, const node *n, map *seen, node_list *out) {
    for (uint32_t i = 0; !n->name && i < n->count; i++) outer_values(s, n->in[i], seen, out);
    if (!n->name || map_has(&s->index, MAP_KEY(n)) || map_has(seen, MAP_KEY(n))) return;
    map_put(seen, MAP_KEY(n), s);
    VEC_PUSH(s->m->mem, out, n);
}

static int by_id(const void *a, const void *b) {
    const node *x = *(const node *const *)a, *y = *(const node *const *)b;
    return (x->id > y->id) - (x->id < y->id);
}

static void add_start(sorting *s, index_list *start, bool *begun, uint32_t i) {
    if (begun[i] || s->point[i].waits) return;
    begun[i] = true;
    VEC_PUSH(s->m->mem, start, i);
}

// What reads the first outer value, the next, …; then what reads none. From outputs: what nothing reads.
static index_list starts(sorting *s) {
    index_list start = {0};
    bool *begun = ARENA_NEW(s->m->mem, bool, s->run->len);
    node_list outer = {0};
    map seen = MAP_IN(s->m->mem), users = MAP_IN(s->m->mem);
    for (uint32_t i = 0; s->from_inputs && i < s->run->len; i++) {
        node_list own = {0};
        map once = MAP_IN(s->m->mem);
        const node *n = s->run->bound[i];
        for (uint32_t k = 0; k < n->count; k++) outer_values(s, n->in[k], &once, &own);
        for (uint32_t k = 0; k < own.len; k++) {
            index_list *list = map_find(&users, MAP_KEY(own.at[k]));
            if (!list) map_put(&users, MAP_KEY(own.at[k]), list = ARENA_NEW(s->m->mem, index_list, 1));
            VEC_PUSH(s->m->mem, list, i);
            if (!map_has(&seen, MAP_KEY(own.at[k]))) VEC_PUSH(s->m->mem, &outer, own.at[k]);
            map_put(&seen, MAP_KEY(own.at[k]), s);
        }
    }
    if (outer.len) qsort(outer.at, outer.len, sizeof *outer.at, by_id);
    for (uint32_t k = 0; k < outer.len; k++) {
        const index_list *list = map_find(&users, MAP_KEY(outer.at[k]));
        for (uint32_t i = 0; i < list->len; i++) add_start(s, &start, begun, list->at[i]);
    }
    for (uint32_t i = 0; i < s->run->len; i++) add_start(s, &start, begun, i);
    return start;
}

static void sort_block(sorting *s) {
    s->index = MAP_IN(s->m->mem);
    s->point = ARENA_NEW(s->m->mem, point, s->run->len);
    for (uint32_t i = 0; i < s->run->len; i++) {
        const node *n = s->run->bound[i];
        for (uint32_t k = 0; k < n->count; k++) add_read(s, i, n->in[k]);
        for (uint32_t k = 0; k < n->type_args; k++) add_shapes(s, i, n->type_arg[k]);
        map_put(&s->index, MAP_KEY(n), (void *)(uintptr_t)(i + 1));
    }
    for (uint32_t i = 0; i < s->run->len; i++)
        s->point[i].waits = s->from_inputs ? s->point[i].reads.len : s->point[i].users.len;
    index_list start = starts(s);
    s->todo.len = s->next = 0;
    push(s, &start);
    visit_all(s);
    for (uint32_t i = 0, k = s->out->len; !s->from_inputs && i + 1 < k; i++) {
        const node *swapped = s->out->at[i];
        s->out->at[i] = s->out->at[--k];
        s->out->at[k] = swapped;
    }
}

// Symbols that a match_cast defines may be read where no value shows it: such blocks keep their order.
static bool defines_symbols(const binding_block *run) {
    for (uint32_t i = 0; i < run->len; i++)
        if (run->bound[i]->op->form == FORM_MATCH_CAST) return true;
    return false;
}

static void sort_body(sorting *s, clone *c, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next) {
        for (uint32_t i = 0; !run->dataflow && i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) sort_body(s, c, &n->as.branch[side]);
            if (n->op->form == FORM_CLOSURE) sort_body(s, c, &n->as.func->body);
        }
        if (!run->dataflow || defines_symbols(run)) continue;
        s->run = run;
        s->out = ARENA_NEW(s->m->mem, node_list, 1);
        sort_block(s);
        map_put(&c->order, MAP_KEY(run), s->out);
    }
}

static bool choose(const pass_ctx *c, const char *option, const char *one, const char *other, bool *first) {
    const char *value = pass_get(c, &pass_topological_sort, option);
    *first = strcmp(value, one) == 0;
    if (*first || strcmp(value, other) == 0) return true;
    return diag_error(c->d, (loc){0}, "TopologicalSort: %s: want %s or %s, got '%s'", option, one, other, value);
}

static bool run(module *m, const pass_ctx *c) {
    sorting s = {.m = m};
    if (!choose(c, "order", "depth-first", "breadth-first", &s.depth_first)) return false;
    if (!choose(c, "direction", "from-inputs", "from-outputs", &s.from_inputs)) return false;
    uint32_t errors = c->d->errors;
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        clone copy = clone_tables(m);
        copy.split = true;
        sort_body(&s, &copy, &list.at[i]->body);
        module_put_graph(m, clone_func(&copy, m, list.at[i], c->d));
    }
    return c->d->errors == errors;
}

const pass pass_topological_sort = {
    .name = "TopologicalSort",
    .doc = "orders the bindings of dataflow blocks by what they read",
    .option = {{"order", "depth-first", "depth-first or breadth-first"},
               {"direction", "from-inputs", "from-inputs or from-outputs"}},
    .run = run,
};
