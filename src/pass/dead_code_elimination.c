// dead_code_elimination.c - DeadCodeElimination: what no result and no effect needs is left out.
//
//   before:  a = R.exp(x)           after:  b = R.add(x, x)
//            b = R.add(x, x)                return b
//            return b                       (and private functions that nobody calls are gone)
//
// Needs nothing. Keeps effects, match_casts (they define symbols and check at run time), the order of bindings and all
// public functions. Outputs of dataflow blocks that nobody uses go with what computes them.
#include "pass/clone.h"
#include "pass/edits.h"

typedef struct marking {
    arena *mem;
    map live;       // bound nodes and leaves that are needed
    node_list todo; // live ones whose operands are not marked yet
} marking;

static void need(marking *k, const node *n) {
    if (map_has(&k->live, MAP_KEY(n))) return;
    map_put(&k->live, MAP_KEY(n), k);
    VEC_PUSH(k->mem, &k->todo, n);
}

static void need_shapes(marking *k, const ann *a) {
    if (a->shape) need(k, a->shape);
    for (uint32_t i = 0; i < a->count; i++) need_shapes(k, a->field[i]);
}

static bool must_stay(const node *n) { return n->op->form == FORM_MATCH_CAST || has_effect(n); }

// Bindings that have an effect are needed in any case; those inside an `if` or a closure once it is needed.
static void need_effects(marking *k, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++)
            if (must_stay(run->bound[i])) need(k, run->bound[i]);
}

static void need_body(marking *k, const graph_body *body) {
    need_effects(k, body);
    need(k, body->result);
}

static void mark_operands(marking *k, const node *n) {
    for (uint32_t i = 0; i < n->count; i++) need(k, n->in[i]);
    need_shapes(k, n->type);
    if (n->written) need_shapes(k, n->written);
    for (uint32_t i = 0; i < n->type_args; i++) need_shapes(k, n->type_arg[i]);
    for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) need_body(k, &n->as.branch[side]);
    if (n->op->form == FORM_CLOSURE) need_body(k, &n->as.func->body);
}

static void mark(marking *k, const graph_func *f) {
    need_body(k, &f->body);
    if (f->result_type) need_shapes(k, f->result_type);
    while (k->todo.len) mark_operands(k, k->todo.at[--k->todo.len]);
}

graph_func *without_dead_code(module *m, const graph_func *f, diag *d) {
    marking k = {.mem = m->mem, .live = MAP_IN(m->mem)};
    mark(&k, f);
    node_list nodes = {0};
    every_node(f, m->mem, &nodes);
    clone c = clone_tables(m);
    for (uint32_t i = 0; i < nodes.len; i++)
        if (nodes.at[i]->op->form != FORM_PARAM && !map_has(&k.live, MAP_KEY(nodes.at[i])))
            map_put(&c.drop, MAP_KEY(nodes.at[i]), &c);
    return clone_func(&c, m, f, d);
}

// Public functions and the entries the user named, with all they reach.
static void keep_reachable(module *m, const word_list *entries) {
    text_map reached = TEXT_MAP_IN(m->mem);
    for (uint32_t i = 0; i < m->funcs.len; i++)
        if (is_public(m->funcs.entry[i].value)) text_map_put(&reached, m->funcs.entry[i].key, m);
    for (uint32_t i = 0; i < entries->len; i++) text_map_put(&reached, entries->at[i], m);
    reach_functions(m, &reached);
    keep_functions(m, &reached);
}

void eliminate_dead_code(module *m, const word_list *entries, diag *d) {
    keep_reachable(m, entries);
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) module_put_graph(m, without_dead_code(m, list.at[i], d));
    keep_reachable(m, entries);
}

static bool run(module *m, const pass_ctx *c) {
    word_list entries = {0};
    if (!pass_get_words(c, &pass_dead_code_elimination, "entry_functions", m->mem, &entries)) return false;
    for (uint32_t i = 0; i < entries.len; i++)
        if (!module_find(m, entries.at[i]))
            return diag_error(c->d, (loc){0}, "DeadCodeElimination: entry_functions: there is no function '%s'",
                              entries.at[i]);
    uint32_t errors = c->d->errors;
    eliminate_dead_code(m, &entries, c->d);
    return c->d->errors == errors;
}

const pass pass_dead_code_elimination = {
    .name = "DeadCodeElimination",
    .doc = "removes bindings and private functions that nothing needs",
    .option = {{"entry_functions", "", "[functions] that stay besides the public ones"}},
    .run = run,
};
