// split_launches.c - SplitLaunches: one loop program is one launch.
//
//   before:  def f(A, W, C):                             after:  def f_0(A, W): for i in T.parallel(n): … W …
//                for i in T.parallel(n): … W …                   def f_1(W, C): for i in T.parallel(n): … C …
//                for i in T.parallel(n): … C …
//            cls.f(x, w, y)                                      cls.f_0(x, w)
//                                                                cls.f_1(w, y)
//
// Needs explicit destinations (CallTIRRewrite), and that no buffer allocated inside is used by two phases
// (LiftWorkspace). Keeps values and the order of effects. A phase is a top-level statement; neighbours that are not
// parallel are one. Programs without a parallel phase are one launch already, and so are those of MergeLaunches. Calls
// inside dispatchers are split as well.
#include "loop/verify.h"
#include "loop/walk.h"
#include "ops/ops.h"
#include "pass/renew.h"
#include "pass/two_phases.h"

// One phase as a program of its own: which parameters of the old one its parameters are.
typedef struct part {
    const loop_func *func;
    uint32_t buffers;
    uint32_t *from; // index among the old parameters, one per buffer
    uint32_t scalars;
    const expr *const *var; // old symbols that are passed as scalars
} part;

typedef struct parts {
    const loop_func *before;
    uint32_t count;
    part *at;
} parts;

typedef struct splitter {
    module *m;
    diag *d;
    fresh_names names;
    text_map split; // name -> parts *
} splitter;

typedef VEC(const stmt *) stmt_list;

// --- Phases.

// Neighbours that are not parallel are cheap: one launch for all of them.
static void group_phases(splitter *s, const stmt *body, stmt_list *out) {
    arena *mem = s->m->mem;
    const stmt *const *list;
    uint32_t count = program_phases(body, &list);
    stmt_list serial = {0};
    for (uint32_t i = 0; list && i <= count; i++) {
        bool ends = i == count || phase_is_parallel(list[i]);
        if (ends && serial.len) VEC_PUSH(mem, out, stmt_seq(mem, serial.at, serial.len));
        if (ends) serial = (stmt_list){0};
        if (i == count) break;
        if (ends)
            VEC_PUSH(mem, out, list[i]);
        else
            VEC_PUSH(mem, &serial, list[i]);
    }
}

static bool any_parallel(const stmt_list *list) {
    for (uint32_t i = 0; i < list->len; i++)
        if (phase_is_parallel(list->at[i])) return true;
    return false;
}

// --- One phase as a program.

typedef struct making {
    splitter *s;
    const loop_func *f;
    const block *root; // NULL: none
    const stmt *phase;
    uint32_t number;
    map used; // buffers
    part *p;
} making;

// Buffers of the root block that this phase alone uses stay inside; *ok is false if another phase uses one too.
static const stmt *with_own_buffers(making *g, const stmt_list *all, bool *ok) {
    arena *mem = g->s->m->mem;
    block b = {.name = "root", .body = g->phase};
    VEC(const buffer *) own = {0};
    if (!g->root) return g->phase;
    for (uint32_t i = 0; i < g->root->allocs; i++) {
        const buffer *w = g->root->alloc[i];
        if (!map_has(&g->used, MAP_KEY(w))) continue;
        VEC_PUSH(mem, &own, w);
        for (uint32_t k = 0; k < all->len; k++) {
            map other = MAP_IN(mem);
            used_buffers(mem, all->at[k], &other);
            if (all->at[k] == g->phase || !map_has(&other, MAP_KEY(w))) continue;
            *ok = diag_error(g->s->d, g->f->at, "SplitLaunches: %s: several phases use %s; run LiftWorkspace first",
                             g->f->name, w->name);
        }
    }
    b.alloc = own.at;
    b.allocs = own.len;
    return stmt_block(mem, &b);
}

// Symbols that the phase or its buffers mention.
static void mentioned_vars(making *g, map *out) {
    arena *mem = g->s->m->mem;
    for (stmt_walk w = stmt_walk_from(mem, g->phase); stmt_walk_next(&w);) {
        expr_list list = {0}, vars = {0};
        if (w.leaving) continue;
        stmt_expressions(w.st, mem, &list);
        for (uint32_t i = 0; i < list.len; i++) expr_free_vars(list.at[i], mem, &vars);
        for (uint32_t i = 0; i < vars.len; i++) map_put(out, MAP_KEY(vars.at[i]), out);
    }
    for (uint32_t i = 0; i < g->used.len; i++) {
        expr_list list = {0}, vars = {0};
        buffer_expressions((const buffer *)(uintptr_t)g->used.entry[i].key, mem, &list);
        for (uint32_t k = 0; k < list.len; k++) expr_free_vars(list.at[k], mem, &vars);
        for (uint32_t k = 0; k < vars.len; k++) map_put(out, MAP_KEY(vars.at[k]), out);
    }
}

static bool is_plain_dim(const making *g, const expr *var) {
    for (uint32_t i = 0; i < g->p->buffers; i++) {
        const buffer *b = g->f->param[g->p->from[i]].buf;
        for (uint32_t d = 0; d < b->rank; d++)
            if (b->dim[d] == var) return true;
    }
    return false;
}

// Symbols of the old program that no dim of this one tells are passed.
static void choose_scalars(making *g) {
    arena *mem = g->s->m->mem;
    map vars = MAP_IN(mem);
    expr_list all = {0}, passed_on = {0};
    mentioned_vars(g, &vars);
    loop_func_dim_vars(g->f, mem, &all);
    for (uint32_t i = 0; i < g->f->params; i++)
        if (!g->f->param[i].buf) VEC_PUSH(mem, &all, g->f->param[i].var);
    for (uint32_t i = 0; i < all.len; i++)
        if (map_has(&vars, MAP_KEY(all.at[i])) && !is_plain_dim(g, all.at[i])) VEC_PUSH(mem, &passed_on, all.at[i]);
    g->p->var = passed_on.at;
    g->p->scalars = passed_on.len;
}

// A part gets what it uses, no more: fewer arguments, and tensors die earlier.
static void choose_buffers(making *g) {
    g->p->from = ARENA_NEW(g->s->m->mem, uint32_t, g->f->params);
    for (uint32_t i = 0; i < g->f->params; i++)
        if (g->f->param[i].buf && map_has(&g->used, MAP_KEY(g->f->param[i].buf))) g->p->from[g->p->buffers++] = i;
}

static const loop_func *make_program(making *g, const stmt *body) {
    module *m = g->s->m;
    renewal r = renewal_of(m, g->f);
    loop_func *now = ARENA_NEW(m->mem, loop_func, 1);
    loop_param *param = ARENA_NEW(m->mem, loop_param, g->p->buffers + g->p->scalars);
    *now = *g->f;
    for (uint32_t i = 0; i < g->p->buffers; i++) param[i] = renew_param(&r, &g->f->param[g->p->from[i]]);
    for (uint32_t i = 0; i < g->p->scalars; i++)
        param[g->p->buffers + i].var = map_find(&r.vars, MAP_KEY(g->p->var[i]));
    now->name = fresh_name(&g->s->names, arena_format(m->mem, "%s_%u", g->f->name, g->number));
    now->is_private = true;
    now->param = param;
    now->params = g->p->buffers + g->p->scalars;
    now->body = renew_body(&r, body);
    return now;
}

// Whether it is one of MergeLaunches: what stands before the loop, which each worker does anew, neither writes what
// others see nor reads what the loop writes. The attribute alone may be anyone's.
static bool has_first_phase(splitter *s, const loop_func *f, const stmt_list *phases) {
    if (!attr_find(f->attrs, FIRST_PHASE_ATTR) || phases->len != 2 || phase_is_parallel(phases->at[0])) return false;
    loop_func first = *f;
    first.body = phases->at[0];
    const bool *writes = program_writes(s->m, &first), *all = program_writes(s->m, f);
    map used = MAP_IN(s->m->mem);
    used_buffers(s->m->mem, first.body, &used);
    for (uint32_t i = 0; i < f->params; i++)
        if (!writes || writes[i] || (all[i] && map_has(&used, MAP_KEY(f->param[i].buf)))) return false;
    return true;
}

static bool split_program(splitter *s, const loop_func *f) {
    arena *mem = s->m->mem;
    const stmt *inside;
    const block *root = program_root(f, &inside);
    stmt_list phases = {0};
    bool ok = true;
    group_phases(s, inside, &phases);
    if (phases.len < 2 || !any_parallel(&phases) || has_first_phase(s, f, &phases)) return true;
    parts *all = ARENA_NEW(mem, parts, 1);
    *all = (parts){.before = f, .count = phases.len, .at = ARENA_NEW(mem, part, phases.len)};
    for (uint32_t i = 0; i < phases.len; i++) {
        making g = {
            .s = s, .f = f, .root = root, .phase = phases.at[i], .number = i, .used = MAP_IN(mem), .p = &all->at[i]};
        used_buffers(mem, g.phase, &g.used);
        choose_buffers(&g);
        choose_scalars(&g);
        all->at[i].func = make_program(&g, with_own_buffers(&g, &phases, &ok));
        if (!ok) return false;
        module_put_loop(s->m, all->at[i].func);
    }
    text_map_put(&s->split, f->name, all);
    return true;
}

// --- Calls from the graph.

static const node *argument_of(const node *const *arg, uint32_t args, uint32_t param) {
    return param < args ? arg[param] : NULL;
}

// The values of the old program's symbols: from the dims of arguments, and scalars (values or dims of a last shape).
static bool worth_of(splitter *s, const loop_func *f, const node *const *arg, uint32_t args, map *worth) {
    program_arg *list = ARENA_NEW(s->m->mem, program_arg, f->params);
    const node *last = args ? arg[args - 1] : NULL;
    bool shape_last = last && last->type->kind == ANN_SHAPE;
    for (uint32_t i = 0; i < f->params; i++) {
        const node *n = argument_of(arg, args, i);
        if (f->param[i].buf) {
            list[i].dim = n ? n->type->dim : NULL;
            if (!list[i].dim && f->param[i].buf->rank) return false;
        } else if (n && n->type->kind == ANN_PRIM) {
            list[i].value = n->type->value;
        } else if (shape_last && last->type->dim) {
            list[i].value = last->type->dim[i - (args - 1)];
        }
        if (!f->param[i].buf && !list[i].value) return false;
    }
    return program_worth(s->m->exprs, s->m->mem, f, list, worth);
}

static const node *call_part(splitter *s, builder *b, const part *p, const node *const *arg, const map *worth) {
    arena *mem = s->m->mem;
    const node **in = ARENA_NEW(mem, const node *, p->buffers + 1);
    for (uint32_t i = 0; i < p->buffers; i++) in[i] = arg[p->from[i]];
    const node *callee = build_global(b, p->func->name);
    if (!p->scalars) return build_call_func(b, "_", callee, in, p->buffers);
    const expr **value = ARENA_NEW(mem, const expr *, p->scalars);
    for (uint32_t i = 0; i < p->scalars; i++) {
        value[i] = map_find(worth, MAP_KEY(p->var[i]));
        if (value[i]) continue;
        diag_error(s->d, b->at, "SplitLaunches: %s: what %s is can't be told from its arguments", p->func->name,
                   p->var[i]->as.var->name);
        return build_poison(b);
    }
    in[p->buffers] = build_shape(b, value, p->scalars);
    const node *both[] = {callee, build_tuple(b, NULL, in, p->buffers + 1)};
    return build_op(b, "_", &op_vm_call_tir_dyn, both, COUNT(both));
}

static const node *split_call(splitter *s, builder *b, const parts *all, const node *const *arg, uint32_t args) {
    map worth;
    const node *last = NULL;
    if (!worth_of(s, all->before, arg, args, &worth)) {
        diag_error(s->d, b->at, "SplitLaunches: the dims of an argument of %s are not known", all->before->name);
        return build_poison(b);
    }
    for (uint32_t i = 0; i < all->count; i++) last = call_part(s, b, &all->at[i], arg, &worth);
    return last;
}

static const parts *parts_of(const splitter *s, const node *callee) {
    return callee->op->form == FORM_GLOBAL ? text_map_find(&s->split, callee->as.text.bytes) : NULL;
}

static const node *split_calls(builder *b, const node *old, const node *const *in, void *user) {
    splitter *s = user;
    bool dyn = old->op == &op_vm_call_tir_dyn;
    if ((!dyn && old->op->form != FORM_CALL) || !parts_of(s, in[0])) return NULL;
    if (dyn) return split_call(s, b, parts_of(s, in[0]), in[1]->in, in[1]->count);
    return split_call(s, b, parts_of(s, in[0]), in + 1, old->count - 1);
}

// --- Calls from dispatchers.

static const stmt *dispatch_parts(splitter *s, const loop_func *f, const expr *call, const parts *all) {
    arena *mem = s->m->mem;
    const map worth = program_worth_passed(s->m, f, all->before, call);
    stmt_list list = {0};
    for (uint32_t i = 0; i < all->count; i++) {
        const part *p = &all->at[i];
        const expr **in = ARENA_NEW(mem, const expr *, p->buffers + p->scalars);
        for (uint32_t k = 0; k < p->buffers; k++) in[k] = call->in[p->from[k]];
        for (uint32_t k = 0; k < p->scalars; k++) in[p->buffers + k] = map_find(&worth, MAP_KEY(p->var[k]));
        const expr *e = expr_call_func(s->m->exprs, p->func->name, call->type, in, p->buffers + p->scalars);
        VEC_PUSH(mem, &list, stmt_evaluate(mem, e));
    }
    return stmt_seq(mem, list.at, list.len);
}

// Nesting is bounded by the reader.
static const stmt *split_in(splitter *s, const loop_func *f, const stmt *st) {
    const parts *all = is_program_call(st) ? text_map_find(&s->split, st->as.value->as.text) : NULL;
    if (all) return dispatch_parts(s, f, st->as.value, all);
    stmt_list list = {0};
    for (uint32_t i = 0; stmt_child(st, i); i++) VEC_PUSH(s->m->mem, &list, split_in(s, f, stmt_child(st, i)));
    return list.len ? stmt_with_children(s->m->mem, st, list.at) : st;
}

static void split_dispatcher(splitter *s, const loop_func *f) {
    const stmt *body = split_in(s, f, f->body);
    if (body == f->body) return;
    loop_func *now = ARENA_NEW(s->m->mem, loop_func, 1);
    *now = *f;
    now->body = body;
    module_put_loop(s->m, now);
}

// --- The pass.

typedef VEC(const loop_func *) program_list;

static void list_programs(const module *m, bool dispatchers, program_list *out) {
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind == FUNC_LOOP && is_dispatcher(f->loop) == dispatchers) VEC_PUSH(m->mem, out, f->loop);
    }
}

static bool are_launches(const module *m, diag *d) {
    uint32_t errors = d->errors;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind == FUNC_LOOP) loop_verify_launch(f->loop, d);
    }
    return d->errors == errors;
}

static bool split_launches(module *m, const pass_ctx *c) {
    splitter s = {.m = m, .d = c->d, .names = fresh_names_in(m), .split = TEXT_MAP_IN(m->mem)};
    program_list programs = {0}, dispatchers = {0};
    list_programs(m, false, &programs);
    for (uint32_t i = 0; i < programs.len; i++)
        if (!split_program(&s, programs.at[i])) return false;
    if (!s.split.len) return are_launches(m, c->d);
    list_programs(m, true, &dispatchers);
    for (uint32_t i = 0; i < dispatchers.len; i++) split_dispatcher(&s, dispatchers.at[i]);
    if (!rebuild_functions(m, split_calls, &s, c->d)) return false;
    for (uint32_t i = 0; i < s.split.len; i++)
        if (((const parts *)s.split.entry[i].value)->before->is_private) module_remove(m, s.split.entry[i].key);
    return are_launches(m, c->d);
}

const pass pass_split_launches = {
    .name = "SplitLaunches",
    .doc = "makes a program of its own of each parallel phase of a program",
    .needs = NEEDS_DESTINATIONS,
    .run = split_launches,
};
