// merge_programs.c - several loop programs as one: buffers mapped, symbols unified, bodies one after the other.
#include "pass/merge_programs.h"
#include "loop/walk.h"
#include <stdlib.h>
#include <string.h>

// The buffers behind a value: one per tensor in it, tuples flattened.
typedef struct buffers {
    uint32_t count;
    const buffer **at;
} buffers;

typedef struct merging {
    module *m;
    arena *mem;
    expr_session *s;
    const graph_func *f;
    const char *why;  // what is in the way
    map own;          // symbols of the function -> those of the program
    map values;       // MAP_KEY(node) -> buffers *
    map results;      // MAP_KEY(node) -> non-NULL: the tensors that node computes are (part of) the result
    text_map names;   // of blocks, to keep them apart
    text_map numbers; // name without digits -> the last number given
    VEC(loop_param) param, output, scalar;
    VEC(const buffer *) alloc;
    VEC(const stmt *) body;
} merging;

// The first reason is the one to tell: later ones follow from it.
static bool give_up(merging *g, const char *why) {
    if (!g->why) g->why = why;
    return false;
}

// --- Symbols and buffers.

static const expr *own_expr(merging *g, const expr *e) {
    expr_list vars = {0};
    expr_free_vars(e, g->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (map_has(&g->own, MAP_KEY(vars.at[i]))) continue;
        const expr *fresh = expr_new_var(g->s, vars.at[i]->as.var->name, vars.at[i]->type);
        map_put(&g->own, MAP_KEY(vars.at[i]), (void *)(uintptr_t)fresh);
    }
    return expr_substitute(g->s, e, &g->own);
}

// A buffer for a tensor of the function, as the program sees it.
static const buffer *new_buffer(merging *g, const char *name, const ann *a) {
    const expr **dim = ARENA_NEW(g->mem, const expr *, (uint32_t)a->rank);
    for (int32_t i = 0; i < a->rank; i++) dim[i] = own_expr(g, a->dim[i]);
    return buffer_new(g->s, name, a->type, dim, (uint32_t)a->rank, "global");
}

// With constant dims the parameter is written T.Buffer(...), else as a handle with match_buffer.
static loop_param buffer_param(merging *g, const char *name, const buffer *b) {
    bool fixed = buffer_is_static(b);
    const char *handle = fixed ? b->name : arena_format(g->mem, "p_%s", name);
    return (loop_param){.var = expr_new_var(g->s, handle, DTYPE_OF(HANDLE)), .buf = b, .inline_buffer = fixed};
}

static bool has_dims(const ann *a) {
    return a->kind == ANN_TENSOR && a->type.kind != DTYPE_VOID && (a->dim || a->rank == 0);
}

// The tensors in a value, tuples flattened. False if something else is in it.
typedef VEC(const ann *) ann_list;
static bool flatten(merging *g, const ann *a, ann_list *out) {
    if (has_dims(a)) {
        VEC_PUSH(g->mem, out, a);
        return true;
    }
    if (a->kind != ANN_TUPLE) return give_up(g, "a value in it is no tensor of known dims");
    for (uint32_t i = 0; i < a->count; i++)
        if (!flatten(g, a->field[i], out)) return false;
    return true;
}

static buffers *put_value(merging *g, const node *n, uint32_t count) {
    buffers *b = ARENA_NEW(g->mem, buffers, 1);
    b->count = count;
    b->at = ARENA_NEW(g->mem, const buffer *, count);
    map_put(&g->values, MAP_KEY(n), b);
    return b;
}

// --- Parameters.

static bool tensor_param(merging *g, const node *p) {
    ann_list list = {0};
    if (!flatten(g, p->type, &list)) return false;
    buffers *b = put_value(g, p, list.len);
    for (uint32_t i = 0; i < list.len; i++) {
        const char *name = list.len == 1 ? p->name : arena_format(g->mem, "%s_%u", p->name, i);
        b->at[i] = new_buffer(g, name, list.at[i]);
        VEC_PUSH(g->mem, &g->param, buffer_param(g, name, b->at[i]));
    }
    return true;
}

// A parameter that is not a variable by itself would have to be solved for; no pass makes such ones.
static bool scalar_param(merging *g, const expr *value) {
    if (!value || value->op != EXPR_VAR) return give_up(g, "a scalar parameter is no variable");
    loop_param p = {.var = own_expr(g, value)};
    VEC_PUSH(g->mem, &g->scalar, p);
    return true;
}

static bool add_param(merging *g, const node *p) {
    if (p->type->kind == ANN_PRIM) return scalar_param(g, p->type->value);
    if (p->type->kind != ANN_SHAPE) return tensor_param(g, p);
    if (!p->type->dim && p->type->rank != 0) return give_up(g, "a shape parameter has no dims");
    for (int32_t i = 0; i < p->type->rank; i++)
        if (!scalar_param(g, p->type->dim[i])) return false;
    return true;
}

// --- Values between calls.

static const buffers *value_of(merging *g, const node *n);

static uint32_t flat_count(merging *g, const ann *a) {
    ann_list list = {0};
    return flatten(g, a, &list) ? list.len : 0;
}

// The fields before it, flattened, say where its buffers begin.
static const buffers *item_value(merging *g, const node *n) {
    const buffers *whole = value_of(g, n->in[0]);
    if (!whole) return NULL;
    uint32_t first = 0;
    for (uint32_t i = 0; i < n->as.index; i++) first += flat_count(g, n->in[0]->type->field[i]);
    uint32_t count = flat_count(g, n->type);
    buffers *b = put_value(g, n, count);
    for (uint32_t i = 0; i < count; i++) b->at[i] = whole->at[first + i];
    return b;
}

static const buffers *tuple_value(merging *g, const node *n) {
    VEC(const buffer *) list = {0};
    for (uint32_t i = 0; i < n->count; i++) {
        const buffers *field = value_of(g, n->in[i]);
        if (!field) return NULL;
        for (uint32_t k = 0; k < field->count; k++) VEC_PUSH(g->mem, &list, field->at[k]);
    }
    buffers *b = put_value(g, n, list.len);
    for (uint32_t i = 0; i < list.len; i++) b->at[i] = list.at[i];
    return b;
}

static const buffers *value_of(merging *g, const node *n) {
    const buffers *known = map_find(&g->values, MAP_KEY(n));
    if (known) return known;
    if (n->op->form == FORM_ITEM) return item_value(g, n);
    if (n->op->form == FORM_TUPLE) return tuple_value(g, n);
    if (n->op->form == FORM_BIND) return value_of(g, n->in[0]);
    give_up(g, "a value in it is neither a parameter nor computed by R.call_tir");
    return NULL;
}

// --- Calls.

static const char *output_name(merging *g, const loop_func *f, uint32_t first, uint32_t i) {
    const buffer *b = f->param[first + i].buf;
    return arena_format(g->mem, "%s_intermediate", b ? b->name : "value");
}

// Buffers for what a call computes: allocations, or parameters where the function returns it.
static const buffers *make_outputs(merging *g, const node *n, const loop_func *f, uint32_t first) {
    ann_list list = {0};
    if (!flatten(g, n->type_arg[0], &list)) return NULL;
    if (first + list.len > f->params) return give_up(g, "a call does not fit its program"), NULL;
    buffers *b = put_value(g, n, list.len);
    bool returned = map_has(&g->results, MAP_KEY(n));
    for (uint32_t i = 0; i < list.len; i++) {
        b->at[i] = new_buffer(g, output_name(g, f, first, i), list.at[i]);
        if (returned) continue;
        VEC_PUSH(g->mem, &g->alloc, b->at[i]);
    }
    return b;
}

// What stands for the parts of a called program.
typedef struct call_maps {
    map vars, buffers;
    uint32_t params; // of the program mapped so far
} call_maps;

// The next parameter of the called program stands for this buffer; so does its data pointer.
static bool map_buffer(merging *g, const loop_func *f, call_maps *c, const buffer *now) {
    if (c->params == f->params) return give_up(g, "a call does not fit its program");
    const loop_param *p = &f->param[c->params++];
    if (!p->buf || p->buf->rank != now->rank) return give_up(g, "a call does not fit its program");
    map_put(&c->buffers, MAP_KEY(p->buf), (void *)(uintptr_t)now);
    if (p->buf->data) map_put(&c->vars, MAP_KEY(p->buf->data), (void *)(uintptr_t)now->data);
    return true;
}

// The program's symbols follow from the dims of its buffers.
static bool solve_symbols(merging *g, const loop_func *f, call_maps *c) {
    expr_list vars = {0};
    loop_func_dim_vars(f, g->mem, &vars);
    map bindable = MAP_IN(g->mem);
    for (uint32_t i = 0; i < vars.len; i++) map_put(&bindable, MAP_KEY(vars.at[i]), g);
    dims_match match = {.bound = c->vars};
    for (uint32_t i = 0; i < f->params; i++) {
        const buffer *old = f->param[i].buf, *now = old ? map_find(&c->buffers, MAP_KEY(old)) : NULL;
        if (now) expr_match_dims(g->s, old->dim, now->dim, old->rank, &bindable, NULL, &match);
    }
    c->vars = match.bound;
    if (match.contradiction) return give_up(g, "shapes of a call contradict its program");
    for (uint32_t i = 0; i < vars.len; i++)
        if (!map_has(&c->vars, MAP_KEY(vars.at[i]))) return give_up(g, "a symbol of a program is not determined");
    return true;
}

// tir_vars of the call are the last parameters, in order.
static bool map_scalars(merging *g, const node *n, const loop_func *f, call_maps *c) {
    uint32_t count = n->count > 2 ? (uint32_t)n->in[2]->type->rank : 0;
    if (c->params + count != f->params) return give_up(g, "a call does not fit its program");
    for (uint32_t i = 0; i < count; i++) {
        const expr *value = own_expr(g, n->in[2]->type->dim[i]);
        map_put(&c->vars, MAP_KEY(f->param[c->params++].var), (void *)(uintptr_t)value);
    }
    return true;
}

// A program that passes its handles to another one (T.call_packed) can't have its buffers replaced.
static bool uses_handle(merging *g, const loop_func *f) {
    for (stmt_walk w = stmt_walk_from(g->mem, f->body); stmt_walk_next(&w);) {
        expr_list list = {0};
        if (!w.leaving) stmt_expressions(w.st, g->mem, &list);
        for (uint32_t i = 0; i < list.len; i++)
            for (uint32_t p = 0; p < f->params; p++)
                if (f->param[p].buf && expr_uses_var(list.at[i], f->param[p].var)) return true;
    }
    return false;
}

// The block that TVM puts around every program; its allocations belong to the whole.
static bool is_root(const stmt *st) {
    return st->kind == STMT_BLOCK && st->as.block->iters == 0 && !st->as.block->annotations &&
           strcmp(st->as.block->name, "root") == 0;
}

// Loop variables and block variables are made anew: the same program may be called twice.
static void add_body(merging *g, const loop_func *f, const call_maps *c) {
    const stmt *fresh = stmt_refresh(g->s, g->mem, f->body);
    const stmt *body = stmt_replace(g->s, g->mem, fresh, &c->vars, &c->buffers);
    if (is_root(body)) {
        const block *root = body->as.block;
        for (uint32_t i = 0; i < root->allocs; i++) VEC_PUSH(g->mem, &g->alloc, root->alloc[i]);
        body = root->body;
    }
    VEC_PUSH(g->mem, &g->body, body);
}

static bool add_call(merging *g, const node *n) {
    const module_func *callee = module_find(g->m, n->in[0]->as.text.bytes);
    const loop_func *f = callee && callee->kind == FUNC_LOOP ? callee->loop : NULL;
    if (!f || n->in[1]->op->form != FORM_TUPLE) return give_up(g, "a call is of no program of the module");
    if (uses_handle(g, f)) return give_up(g, "a program hands its buffers on");
    call_maps c = {.vars = MAP_IN(g->mem), .buffers = MAP_IN(g->mem)};
    for (uint32_t i = 0; i < n->in[1]->count; i++) {
        const buffers *arg = value_of(g, n->in[1]->in[i]);
        if (!arg || arg->count != 1) return give_up(g, "an argument is no tensor");
        if (!map_buffer(g, f, &c, arg->at[0])) return false;
    }
    uint32_t allocs = g->alloc.len;
    const buffers *out = make_outputs(g, n, f, c.params);
    for (uint32_t i = 0; out && i < out->count; i++)
        if (!map_buffer(g, f, &c, out->at[i])) return false;
    if (!out || !map_scalars(g, n, f, &c) || !solve_symbols(g, f, &c)) return false;
    uint32_t made = g->alloc.len - allocs;
    g->alloc.len = allocs; // the program's own allocations come first, as TVM has it
    add_body(g, f, &c);
    for (uint32_t i = 0; made && i < out->count; i++) VEC_PUSH(g->mem, &g->alloc, out->at[i]);
    return true;
}

// --- The whole.

// Which nodes compute what the function returns, looking through tuples, items and other names.
static void note_results(merging *g, const node *n) {
    map_put(&g->results, MAP_KEY(n), g);
    bool through = n->op->form == FORM_TUPLE || n->op->form == FORM_BIND || n->op->form == FORM_ITEM;
    for (uint32_t i = 0; through && i < n->count; i++) note_results(g, n->in[i]);
}

static bool is_param(const merging *g, const buffer *b) {
    for (uint32_t i = 0; i < g->param.len; i++)
        if (g->param.at[i].buf == b) return true;
    for (uint32_t i = 0; i < g->output.len; i++)
        if (g->output.at[i].buf == b) return true;
    return false;
}

// A result that is a parameter, or is given twice, would need a copy: such groups are left as functions.
static bool add_outputs(merging *g) {
    const buffers *result = value_of(g, g->f->body.result);
    if (!result) return false;
    for (uint32_t i = 0; i < result->count; i++) {
        if (is_param(g, result->at[i])) return give_up(g, "a result is a parameter, or given twice");
        VEC_PUSH(g->mem, &g->output, buffer_param(g, arena_format(g->mem, "output%u", i), result->at[i]));
    }
    return true;
}

static bool add_bindings(merging *g) {
    for (const binding_block *run = g->f->body.first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            if (n->op == &op_call_tir ? !add_call(g, n) : !value_of(g, n)) return false;
        }
    return true;
}

// A call that computes a result and more (other outputs of it that only others read) keeps those as allocations.
static void allocate_rest(merging *g) {
    for (uint32_t i = 0; i < g->values.len; i++) {
        const node *n = (const node *)(uintptr_t)g->values.entry[i].key;
        const buffers *b = g->values.entry[i].value;
        if (n->op != &op_call_tir || !map_has(&g->results, MAP_KEY(n))) continue;
        for (uint32_t k = 0; k < b->count; k++)
            if (!is_param(g, b->at[k])) VEC_PUSH(g->mem, &g->alloc, b->at[k]);
    }
}

// A name that is taken gets the next free number, as TVM counts: b, b1, b2; c_1, c_2.
static const char *own_name(merging *g, const char *wish) {
    if (!text_map_find(&g->names, wish)) {
        text_map_put(&g->names, wish, g);
        return wish;
    }
    size_t size = strlen(wish);
    while (size && wish[size - 1] >= '0' && wish[size - 1] <= '9') size--;
    const char *stem = arena_copy(g->mem, wish, size), *name;
    uintptr_t last = (uintptr_t)text_map_find(&g->numbers, stem);
    if (!last) last = (uintptr_t)strtoull(wish + size, NULL, 10);
    do name = arena_format(g->mem, "%s%llu", stem, (unsigned long long)++last);
    while (text_map_find(&g->names, name));
    text_map_put(&g->numbers, stem, (void *)last);
    text_map_put(&g->names, name, g);
    return name;
}

// Blocks of different programs may have the same name: schedules find blocks by name.
static const stmt *rename_blocks(merging *g, const stmt *st) {
    VEC(const stmt *) done = {0};
    for (stmt_walk w = stmt_walk_from(g->mem, st); stmt_walk_next(&w);) {
        if (!w.leaving) continue;
        uint32_t count = 0;
        while (stmt_child(w.st, count)) count++;
        done.len -= count;
        const stmt *now = stmt_with_children(g->mem, w.st, done.at + done.len);
        if (now->kind == STMT_BLOCK) {
            block b = *now->as.block;
            b.name = own_name(g, b.name);
            if (b.name != now->as.block->name) now = stmt_block(g->mem, &b);
        }
        VEC_PUSH(g->mem, &done, now);
    }
    return done.at[0];
}

static const loop_func *program(merging *g) {
    VEC(loop_param) all = {0};
    for (uint32_t i = 0; i < g->param.len; i++) VEC_PUSH(g->mem, &all, g->param.at[i]);
    for (uint32_t i = 0; i < g->output.len; i++) VEC_PUSH(g->mem, &all, g->output.at[i]);
    for (uint32_t i = 0; i < g->scalar.len; i++) VEC_PUSH(g->mem, &all, g->scalar.at[i]);
    const stmt *body = rename_blocks(g, stmt_seq(g->mem, g->body.at, g->body.len));
    block root = {.name = "root", .allocs = g->alloc.len, .alloc = g->alloc.at, .body = body};
    const char *key = "tirx.noalias";
    const attr *yes = attr_bool(g->mem, true);
    loop_func *f = ARENA_NEW(g->mem, loop_func, 1);
    *f = (loop_func){.name = g->f->name,
                     .is_private = true,
                     .s_tir = true,
                     .params = all.len,
                     .param = all.at,
                     .attrs = attr_dict(g->mem, &key, &yes, 1),
                     .body = stmt_block(g->mem, &root),
                     .at = g->f->at};
    return f;
}

const loop_func *merge_programs(module *m, const graph_func *f, const char **why) {
    merging g = {.m = m, .mem = m->mem, .s = m->exprs, .f = f};
    g.own = g.values = g.results = MAP_IN(m->mem);
    g.names = g.numbers = TEXT_MAP_IN(m->mem);
    bool fits = true;
    for (uint32_t i = 0; fits && i < f->params; i++) fits = add_param(&g, f->param[i]);
    note_results(&g, f->body.result);
    fits = fits && add_bindings(&g) && add_outputs(&g);
    if (fits && !g.body.len) fits = give_up(&g, "it calls no program");
    *why = g.why;
    if (!fits) return NULL;
    allocate_rest(&g);
    return program(&g);
}
