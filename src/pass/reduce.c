// reduce.c - edits that make a module smaller.
//
// One walk numbers the items of a kind, whether they are only counted or taken away. What remains is copied through
// pass/clone.h; the copy deduces annotations anew, so an edit that can't be ends in errors, not in a wrong module.
#include "pass/reduce.h"
#include "loop/walk.h"
#include "ops/ops.h"
#include "pass/clone.h"
#include "pass/edits.h"
#include <string.h>

enum { MOST_ELEMENTS = 16 }; // of a constant that stands for a parameter; parameters stand for larger ones

typedef struct reducing {
    module *m;
    diag *d;
    reduce_kind kind;
    uint32_t from, end; // the items to take away
    uint32_t next;      // number of the next item
    bool changed;
    text_map needed;  // functions that others mention: their signatures stay
    builder *scratch; // of nodes that stand in place of others
} reducing;

static bool taken(reducing *r) {
    uint32_t i = r->next++;
    return i >= r->from && i < r->end;
}

// --- Copying a function.

typedef struct edit {
    clone c;
    node_list params;   // values that become parameters
    const node *result; // NULL: the old one
} edit;

// Its signature may change: nothing else in the module depends on it.
static bool is_open(const reducing *r, const graph_func *f) { return !text_map_find(&r->needed, f->name); }

static edit edit_new(reducing *r) { return (edit){.c = clone_tables(r->m)}; }

// Stand-ins come behind the parameters that were there; annotations of results are deduced anew.
static void put_edited(reducing *r, edit *e, const graph_func *f) {
    clone *c = &e->c;
    c->b = build_func(r->m, f->name, r->d);
    clone_signature(c, f);
    clone_params(c, f);
    if (is_open(r, f)) c->b->f->result_written = false;
    for (uint32_t i = 0; i < e->params.len; i++) {
        const node *n = e->params.at[i];
        const node *now = build_param(c->b, n->name ? n->name : "constant", clone_ann(c, n->type));
        map_put(&c->now, MAP_KEY(n), (void *)(uintptr_t)now);
    }
    graph_body body = f->body;
    if (e->result) body.result = e->result;
    graph_func *now = build_finish(c->b, clone_body(c, &body));
    if (r->d->errors) return;
    module_put_graph(r->m, now);
    r->changed = true;
}

// An annotation that names a value can't go where that value is not yet.
static bool names_value(const ann *a) {
    bool does = a->shape || (a->result && names_value(a->result));
    for (uint32_t i = 0; !does && i < a->count; i++) does = names_value(a->field[i]);
    return does;
}

// Everything that what is not dropped reads: operands, results, shape variables in annotations.
static map used_values(const reducing *r, const graph_func *f, const map *drop) {
    node_list nodes = {0};
    map used = MAP_IN(r->m->mem);
    every_node(f, r->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        if (map_has(drop, MAP_KEY(n))) continue;
        for (uint32_t k = 0; k < n->count; k++) map_put(&used, MAP_KEY(n->in[k]), r->m);
        note_shape_vars(n->type, &used);
        for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++)
            map_put(&used, MAP_KEY(n->as.branch[side].result), r->m);
        if (n->op->form == FORM_CLOSURE) map_put(&used, MAP_KEY(n->as.func->body.result), r->m);
    }
    map_put(&used, MAP_KEY(f->body.result), r->m);
    return used;
}

// --- Results.

static const node *result_tuple(const graph_func *f) {
    const node *result = f->body.result;
    while (result->op->form == FORM_BIND) result = result->in[0];
    return result->op->form == FORM_TUPLE && result->count > 1 ? result : NULL;
}

// The fields that stay are outputs of their blocks from now on, whatever the tuple was.
static void keep_fields(reducing *r, const graph_func *f, const node *tuple) {
    edit e = edit_new(r);
    node_list kept = {0};
    for (uint32_t i = 0; i < tuple->count; i++)
        if (!taken(r)) VEC_PUSH(r->m->mem, &kept, tuple->in[i]);
    if (!kept.len || kept.len == tuple->count) return;
    e.result = kept.len == 1 ? kept.at[0] : build_tuple(r->scratch, NULL, kept.at, kept.len);
    for (uint32_t i = 0; i < kept.len; i++) map_put(&e.c.shown, MAP_KEY(kept.at[i]), r);
    put_edited(r, &e, f);
}

// The last value that is bound before the result; nothing comes before a parameter or a leaf.
static const node *earlier_value(const graph_func *f) {
    const node *before = NULL;
    bool found = false;
    for (const binding_block *run = f->body.first; run && !found; run = run->next)
        for (uint32_t i = 0; i < run->len && !found; i++) {
            found = run->bound[i] == f->body.result;
            if (!found) before = run->bound[i];
        }
    if (!found) return NULL;
    return before && strcmp(before->name, "_") != 0 ? before : f->params ? f->param[0] : NULL;
}

static void edit_results(reducing *r, const graph_func *f) {
    const node *tuple = result_tuple(f), *earlier = tuple ? NULL : earlier_value(f);
    if (!is_open(r, f)) return;
    if (tuple) keep_fields(r, f, tuple);
    if (!earlier || earlier == f->body.result || !taken(r)) return;
    edit e = edit_new(r);
    e.result = earlier;
    map_put(&e.c.shown, MAP_KEY(earlier), r);
    put_edited(r, &e, f);
}

// --- Bindings.

// A call of R.zeros: larger than a constant in text, but no tensor has to be made.
static const node *zeros_like(reducing *r, const node *n) {
    const op *zeros = op_find("zeros");
    const node *shape = build_shape(r->scratch, n->type->dim, (uint32_t)n->type->rank);
    const attr *type = attr_dtype(r->m->mem, n->type->type);
    const call_parts parts = {.op = zeros, .in = &shape, .count = 1, .attr = &type};
    return build_call(r->scratch, n->name, &parts);
}

// Zeros can be made of it: dtype and all dims are known.
static bool has_dims(const ann *a) {
    return a->kind == ANN_TENSOR && a->type.kind != DTYPE_VOID && (a->dim || a->rank == 0) && !a->shape;
}

// A parameter needs an annotation that stands on its own; zeros need dims, and replacing zeros changes nothing.
static bool can_stand_in(const reducing *r, const graph_func *f, const node *n) {
    return is_open(r, f) ? !names_value(n->type) : has_dims(n->type) && n->op != op_find("zeros");
}

// What stands for a value that is taken away but still needed.
static void stand_in(reducing *r, edit *e, const graph_func *f, const node *n) {
    if (is_open(r, f)) {
        VEC_PUSH(r->m->mem, &e->params, n);
        map_put(&e->c.drop, MAP_KEY(n), r);
        return;
    }
    map_put(&e->c.instead, MAP_KEY(n), (void *)(uintptr_t)zeros_like(r, n));
}

// Two looks at what is used: taking away one binding may free the operands of another.
static void edit_bindings(reducing *r, const graph_func *f) {
    node_list nodes = {0}, gone = {0};
    map asked = MAP_IN(r->m->mem), used = used_values(r, f, &asked);
    edit e = edit_new(r);
    graph_nodes(f, r->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        if (!taken(r) || (map_has(&used, MAP_KEY(n)) && !can_stand_in(r, f, n))) continue;
        VEC_PUSH(r->m->mem, &gone, n);
        map_put(&asked, MAP_KEY(n), r);
    }
    used = used_values(r, f, &asked);
    for (uint32_t i = 0; i < gone.len; i++) {
        if (map_has(&used, MAP_KEY(gone.at[i])))
            stand_in(r, &e, f, gone.at[i]);
        else
            map_put(&e.c.drop, MAP_KEY(gone.at[i]), r);
    }
    if (gone.len) put_edited(r, &e, f);
}

// An operand (or field of a tuple) of the same annotation as the result.
static const node *like_operand(const reducing *r, const node *n) {
    for (uint32_t i = 0; n->op->form != FORM_IF && n->op->form != FORM_CLOSURE && i < n->count; i++) {
        const node *in = n->in[i];
        for (uint32_t k = 0; in->op->form == FORM_TUPLE && k < in->count; k++)
            if (in->in[k]->name && ann_equal(r->m->exprs, in->in[k]->type, n->type)) return in->in[k];
        if (in->name && ann_equal(r->m->exprs, in->type, n->type)) return in;
    }
    return NULL;
}

// A value is replaced by one of the same annotation, so whatever reads it goes on fitting.
static void edit_operands(reducing *r, const graph_func *f) {
    node_list nodes = {0};
    edit e = edit_new(r);
    graph_nodes(f, r->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i], *in = like_operand(r, n);
        if (!in || !taken(r)) continue;
        map_put(&e.c.same, MAP_KEY(n), (void *)(uintptr_t)in);
        map_put(&e.c.drop, MAP_KEY(n), r);
        map_put(&e.c.shown, MAP_KEY(in), r); // the value may have been an output of its block
    }
    if (e.c.drop.len) put_edited(r, &e, f);
}

// Small constants are the smallest form already.
static void edit_constants(reducing *r, const graph_func *f) {
    node_list nodes = {0};
    edit e = edit_new(r);
    every_node(f, r->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len && is_open(r, f); i++) {
        bool large = nodes.at[i]->op->form == FORM_CONSTANT && tensor_count(nodes.at[i]->as.constant) > MOST_ELEMENTS;
        if (large && taken(r)) VEC_PUSH(r->m->mem, &e.params, nodes.at[i]);
    }
    if (e.params.len) put_edited(r, &e, f);
}

// The branch that is taken stands in the open, with the name of the if for its result.
static void edit_branches(reducing *r, const graph_func *f) {
    node_list nodes = {0};
    edit e = edit_new(r);
    graph_nodes(f, r->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++)
        for (uintptr_t side = 0; nodes.at[i]->op->form == FORM_IF && side < 2; side++)
            if (taken(r)) map_put(&e.c.taken, MAP_KEY(nodes.at[i]), (void *)(side + 1));
    if (e.c.taken.len) put_edited(r, &e, f);
}

// --- Parameters.

// Zeros, or the integer 1; NULL where it would be large or can't be made.
static const node *constant_like(reducing *r, const ann *a) {
    int64_t dim[TENSOR_MAX_RANK], count = 1, value;
    tensor *t;
    if (a->kind == ANN_PRIM && !a->value && dtype_family_of(a->type) == FAMILY_INT)
        return build_prim(r->scratch, expr_int(r->m->exprs, a->type, 1));
    if (!has_dims(a) || a->rank > (int32_t)COUNT(dim)) return NULL;
    for (int32_t i = 0; i < a->rank; i++) {
        if (!expr_const_int(a->dim[i], &value) || value > MOST_ELEMENTS) return NULL;
        dim[i] = value;
        count *= value;
    }
    if (count > MOST_ELEMENTS || tensor_new(a->type, (uint32_t)a->rank, dim, &t) != RX_OK) return NULL;
    memset(t->data, 0, t->bytes);
    const node *n = build_constant(r->scratch, t);
    tensor_release(t);
    return n;
}

static void edit_parameters(reducing *r, const graph_func *f) {
    edit e = edit_new(r);
    map used = used_values(r, f, &e.c.drop);
    for (uint32_t i = 0; i < f->params && is_open(r, f); i++) {
        const node *p = f->param[i];
        if (!taken(r)) continue;
        const node *constant = map_has(&used, MAP_KEY(p)) ? constant_like(r, p->type) : NULL;
        if (map_has(&used, MAP_KEY(p)) && !constant) continue;
        if (constant) map_put(&e.c.same, MAP_KEY(p), (void *)(uintptr_t)constant);
        map_put(&e.c.drop, MAP_KEY(p), r);
    }
    if (e.c.drop.len) put_edited(r, &e, f);
}

// --- Symbols.

// Two items per symbol: a size of 1, and of 2, on which other code may run.
static void edit_symbols(reducing *r, const graph_func *f) {
    expr_list vars = {0};
    for (uint32_t i = 0; i < f->params; i++) ann_free_vars(f->param[i]->type, r->m->mem, &vars);
    map seen = MAP_IN(r->m->mem);
    edit e = edit_new(r);
    e.c.simplify = true;
    for (uint32_t i = 0; i < vars.len; i++) {
        if (map_has(&seen, MAP_KEY(vars.at[i]))) continue;
        map_put(&seen, MAP_KEY(vars.at[i]), r);
        for (int64_t size = 1; size <= 2; size++) {
            const expr *number = expr_int(r->m->exprs, vars.at[i]->type, size);
            if (taken(r)) map_put(&e.c.vars, MAP_KEY(vars.at[i]), (void *)(uintptr_t)number);
        }
    }
    if (e.c.vars.len) put_edited(r, &e, f);
}

// --- Attributes.

// The keys of a dictionary are its items; an empty dictionary goes.
static const attr *without_taken(reducing *r, const attr *dict) {
    arena *mem = r->m->mem;
    uint32_t kept = 0, count = dict ? dict->count : 0;
    const char **key = ARENA_NEW(mem, const char *, count + 1);
    const attr **value = ARENA_NEW(mem, const attr *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (taken(r)) continue;
        key[kept] = dict->key[i];
        value[kept++] = dict->list[i];
    }
    r->changed |= kept < count;
    return kept == count ? dict : kept ? attr_dict(mem, key, value, kept) : NULL;
}

static void edit_attributes(reducing *r, const module_func *f) {
    if (f->kind == FUNC_GRAPH) f->graph->attrs = without_taken(r, f->graph->attrs);
    if (f->kind != FUNC_LOOP) return;
    loop_func *now = ARENA_NEW(r->m->mem, loop_func, 1);
    *now = *f->loop;
    now->attrs = without_taken(r, now->attrs);
    module_put_loop(r->m, now);
}

// --- Statements.

// A sequence keeps at least one statement. Post-order with a stack: `done` holds finished children.
static const stmt *without_statements(reducing *r, const stmt *st) {
    arena *mem = r->m->mem;
    VEC(const stmt *) done = {0};
    for (stmt_walk w = stmt_walk_from(mem, st); stmt_walk_next(&w);) {
        if (!w.leaving) continue;
        uint32_t count = 0, kept = 0;
        while (stmt_child(w.st, count)) count++;
        done.len -= count;
        const stmt **child = done.at + done.len;
        for (uint32_t i = 0; w.st->kind == STMT_SEQ && i < count; i++)
            if (!taken(r) || count - i + kept == 1) child[kept++] = child[i];
        bool fewer = w.st->kind == STMT_SEQ && kept < count;
        r->changed |= fewer;
        VEC_PUSH(mem, &done, fewer ? stmt_seq(mem, child, kept) : stmt_with_children(mem, w.st, child));
    }
    return done.at[0];
}

static void edit_statements(reducing *r, const module_func *f) {
    if (f->kind != FUNC_LOOP || !f->loop->body) return;
    const stmt *body = without_statements(r, f->loop->body);
    if (body == f->loop->body) return;
    loop_func *now = ARENA_NEW(r->m->mem, loop_func, 1);
    *now = *f->loop;
    now->body = body;
    module_put_loop(r->m, now);
}

// --- The whole module.

// The last function stays: a module without any fails in no interesting way.
static void edit_functions(reducing *r) {
    text_map keep = TEXT_MAP_IN(r->m->mem);
    for (uint32_t i = 0; i < r->m->funcs.len; i++)
        if (!taken(r)) text_map_put(&keep, r->m->funcs.entry[i].key, r);
    if (!keep.len || keep.len == r->m->funcs.len) return;
    keep_functions(r->m, &keep);
    r->changed = true;
}

// Runs a pass as it is; it counts when it makes something go.
static void run_whole(reducing *r, const pass *p) {
    if (!taken(r)) return;
    const pass_ctx c = {.d = r->d, .options = NULL, .named = true};
    r->changed = p->run(r->m, &c);
}

typedef void func_edit(reducing *r, const graph_func *f);
typedef void any_edit(reducing *r, const module_func *f);

static func_edit *const of_graphs[REDUCE_KINDS] = {
    [REDUCE_RESULTS] = edit_results,     [REDUCE_BINDINGS] = edit_bindings, [REDUCE_OPERANDS] = edit_operands,
    [REDUCE_CONSTANTS] = edit_constants, [REDUCE_BRANCHES] = edit_branches, [REDUCE_PARAMETERS] = edit_parameters,
    [REDUCE_SYMBOLS] = edit_symbols,
};
static any_edit *const of_functions[REDUCE_KINDS] = {
    [REDUCE_ATTRIBUTES] = edit_attributes,
    [REDUCE_STATEMENTS] = edit_statements,
};

// Mentioned by anybody, itself included: a recursive function is needed by its own call.
static text_map needed_functions(module *m) {
    text_map needed = TEXT_MAP_IN(m->mem);
    for (uint32_t i = 0; i < m->funcs.len; i++) mentioned_functions(m, m->funcs.entry[i].value, &needed);
    return needed;
}

static void edit_module(reducing *r) {
    if (r->kind == REDUCE_FUNCTIONS) edit_functions(r);
    if (r->kind == REDUCE_UNUSED) run_whole(r, &pass_dead_code_elimination);
    if (r->kind == REDUCE_BLOCKS) run_whole(r, &pass_to_non_dataflow);
    for (uint32_t i = 0; i < r->m->funcs.len; i++) {
        const module_func *f = r->m->funcs.entry[i].value;
        if (of_functions[r->kind]) of_functions[r->kind](r, f);
        if (of_graphs[r->kind] && f->kind == FUNC_GRAPH && f->graph) of_graphs[r->kind](r, f->graph);
        if (r->d->errors) return;
    }
    if (r->kind == REDUCE_ATTRIBUTES) r->m->attrs = without_taken(r, r->m->attrs);
}

static reducing reducing_new(module *m, reduce_kind kind, diag *d) {
    reducing r = {.m = m, .d = d, .kind = kind, .needed = needed_functions(m)};
    r.scratch = build_func(m, "scratch", d);
    return r;
}

// The same walk with nothing to take away: `next` counts.
uint32_t reduce_items(module *m, reduce_kind kind) {
    reducing r = reducing_new(m, kind, diag_new(m->mem));
    edit_module(&r);
    return r.next;
}

bool reduce_apply(module *m, reduce_kind kind, uint32_t from, uint32_t count, diag *d) {
    reducing r = reducing_new(m, kind, d);
    r.from = from;
    r.end = from + count;
    edit_module(&r);
    return r.changed && !d->errors;
}

// Edits whose items exclude each other or are the whole module.
bool reduce_singly(reduce_kind kind) {
    return kind == REDUCE_BRANCHES || kind == REDUCE_SYMBOLS || kind == REDUCE_UNUSED || kind == REDUCE_BLOCKS;
}
