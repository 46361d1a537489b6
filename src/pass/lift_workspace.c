// lift_workspace.c - LiftWorkspace: global buffers that a program allocates inside become results the graph allocates.
//
//   before:  def f(A, C):                                after:  def f(A, C, W):
//                W = T.sblock_alloc_buffer((n, 16))                  for i in T.parallel(n): … W …
//                for i in T.parallel(n): … W …
//            y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((n, 4)))
//                                                                lv = R.call_tir(cls.f, (x,), out_sinfo=[R.Tensor((n,
//                                                                4)), R.Tensor((n, 16))]) y = lv[0]
//
// So planning sees them and shares their memory (paper, Figure 11). Needs calls by call_tir or call_tir_inplace. Keeps
// values. Only buffers of scope "global" in the root block are lifted, and in pipelines only from programs with a
// parallel loop: what a serial program allocates is cheap where it is, and so is a little that serial phases beside
// each other use. A dispatcher gets the workspaces of the programs it calls.
#include "base/size.h"
#include "ops/ops.h"
#include "pass/programs.h"
#include <string.h>

enum { INSIDE_MOST = 4096 }; // bytes

// A program that got more buffers: which, in order, behind those it had.
typedef struct lifted {
    const loop_func *before, *func;
    uint32_t first, count; // among the parameters of func
} lifted;

typedef struct lifter {
    module *m;
    diag *d;
    bool all;      // serial programs too
    text_map done; // name -> lifted *
} lifter;

// --- Programs.

typedef VEC(const buffer *) buffer_list;
typedef VEC(loop_param) param_list;

static bool has_parallel_phase(const stmt *body) {
    const stmt *const *list;
    uint32_t count = program_phases(body, &list);
    if (!list) return phase_is_parallel(body);
    for (uint32_t i = 0; i < count; i++)
        if (phase_is_parallel(list[i])) return true;
    return false;
}

static loop_param buffer_param(lifter *l, const buffer *b) {
    const char *name = arena_format(l->m->mem, "var_%s", b->name);
    return (loop_param){.var = expr_new_var(l->m->exprs, name, DTYPE_OF(HANDLE)), .buf = b};
}

// The program with more buffer parameters, before its scalars, and another body.
static void replace_program(lifter *l, const loop_func *f, const buffer_list *more, const stmt *body) {
    arena *mem = l->m->mem;
    param_list list = {0};
    lifted *done = ARENA_NEW(mem, lifted, 1);
    uint32_t i = 0;
    for (; i < f->params && f->param[i].buf; i++) VEC_PUSH(mem, &list, f->param[i]);
    done->first = list.len;
    done->count = more->len;
    for (uint32_t k = 0; k < more->len; k++) VEC_PUSH(mem, &list, buffer_param(l, more->at[k]));
    for (; i < f->params; i++) VEC_PUSH(mem, &list, f->param[i]);
    loop_func *now = ARENA_NEW(mem, loop_func, 1);
    *now = *f;
    now->param = list.at;
    now->params = list.len;
    now->body = body;
    done->before = f;
    done->func = now;
    module_put_loop(l->m, now);
    text_map_put(&l->done, now->name, done);
}

// Can the parameters take more buffers: buffers first, then scalars?
static bool buffers_come_first(const loop_func *f) {
    bool scalar_seen = false;
    for (uint32_t i = 0; i < f->params; i++) {
        if (f->param[i].buf && scalar_seen) return false;
        scalar_seen = scalar_seen || !f->param[i].buf;
    }
    return true;
}

// A few elements that serial phases beside each other use alone: those are one launch, in which it stays.
static bool stays_inside(const lifter *l, const buffer *b, const stmt *body) {
    const stmt *const *phase;
    int64_t bytes = (dtype_bits(b->type) + 7) / 8, n;
    uint32_t count = program_phases(body, &phase), first = count, last = 0;
    for (uint32_t i = 0; i < b->rank; i++)
        if (!expr_const_int(b->dim[i], &n) || !int_mul(bytes, n, &bytes)) return false;
    for (uint32_t i = 0; phase && i < count; i++) {
        map used = MAP_IN(l->m->mem);
        used_buffers(l->m->mem, phase[i], &used);
        if (!map_has(&used, MAP_KEY(b))) continue;
        if (first == count) first = i;
        last = i;
    }
    for (uint32_t i = first; phase && i < count && i <= last; i++)
        if (phase_is_parallel(phase[i])) return false;
    return phase && !l->all && bytes <= INSIDE_MOST;
}

static void lift_program(lifter *l, const loop_func *f) {
    const stmt *inside;
    const block *root = program_root(f, &inside);
    buffer_list lift = {0}, stay = {0};
    if (!root || !buffers_come_first(f) || (!l->all && !has_parallel_phase(inside))) return;
    for (uint32_t i = 0; i < root->allocs; i++) {
        bool global = strcmp(root->alloc[i]->scope, "global") == 0 && !stays_inside(l, root->alloc[i], inside);
        if (global)
            VEC_PUSH(l->m->mem, &lift, root->alloc[i]);
        else
            VEC_PUSH(l->m->mem, &stay, root->alloc[i]);
    }
    if (!lift.len) return;
    block rest = *root;
    rest.alloc = stay.at;
    rest.allocs = stay.len;
    replace_program(l, f, &lift, stmt_block(l->m->mem, &rest));
}

// --- Dispatchers: each call of a lifted program passes buffers of the dispatcher's own.

typedef struct passing {
    lifter *l;
    const loop_func *f; // the dispatcher
    buffer_list more;
} passing;

static const buffer *own_buffer(passing *p, const buffer *like, const map *worth) {
    module *m = p->l->m;
    const expr **dim = ARENA_NEW(m->mem, const expr *, like->rank);
    for (uint32_t i = 0; i < like->rank; i++) dim[i] = expr_substitute(m->exprs, like->dim[i], worth);
    const buffer *b = buffer_new(m->exprs, like->name, like->type, dim, like->rank, "global");
    VEC_PUSH(m->mem, &p->more, b);
    return b;
}

static const stmt *pass_workspaces(passing *p, const stmt *st) {
    arena *mem = p->l->m->mem;
    const expr *call = st->as.value;
    const lifted *callee = text_map_find(&p->l->done, call->as.text);
    if (!callee || call->count != callee->before->params) return st;
    const map worth = program_worth_passed(p->l->m, p->f, callee->before, call);
    const expr **arg = ARENA_NEW(mem, const expr *, callee->func->params);
    uint32_t len = 0;
    for (uint32_t i = 0; i < callee->first; i++) arg[len++] = call->in[i];
    for (uint32_t i = 0; i < callee->count; i++)
        arg[len++] = own_buffer(p, callee->func->param[callee->first + i].buf, &worth)->data;
    for (uint32_t i = callee->first; i < call->count; i++) arg[len++] = call->in[i];
    return stmt_evaluate(mem, expr_call_func(p->l->m->exprs, call->as.text, call->type, arg, len));
}

// Nesting is bounded by the reader.
static const stmt *pass_in(passing *p, const stmt *st) {
    if (is_program_call(st)) return pass_workspaces(p, st);
    arena *mem = p->l->m->mem;
    VEC(const stmt *) list = {0};
    for (uint32_t i = 0; stmt_child(st, i); i++) VEC_PUSH(mem, &list, pass_in(p, stmt_child(st, i)));
    return list.len ? stmt_with_children(mem, st, list.at) : st;
}

static bool lift_dispatcher(lifter *l, const loop_func *f) {
    passing p = {.l = l, .f = f};
    if (text_map_find(&l->done, f->name)) return false;
    const stmt *body = pass_in(&p, f->body);
    if (!p.more.len) return false;
    replace_program(l, f, &p.more, body);
    return true;
}

static void lift_programs(lifter *l) {
    module *m = l->m;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind == FUNC_LOOP && !is_dispatcher(f->loop)) lift_program(l, f->loop);
    }
    // A dispatcher may call dispatchers: once more for as long as one was changed.
    for (bool again = l->done.len > 0; again;) {
        again = false;
        for (uint32_t i = 0; i < m->funcs.len; i++) {
            const module_func *f = m->funcs.entry[i].value;
            if (f->kind == FUNC_LOOP && is_dispatcher(f->loop)) again = lift_dispatcher(l, f->loop) || again;
        }
    }
}

// --- Calls.

static const ann *out_of(const node *call, uint32_t i) {
    const ann *out = call->type_arg[0];
    return out->kind == ANN_TUPLE ? out->field[i] : out;
}

static uint32_t outs_of(const node *call) {
    return call->type_arg[0]->kind == ANN_TUPLE ? call->type_arg[0]->count : 1;
}

// The dims of the arguments that a call passes to buffers (those of call_tir_inplace lie among the inputs), then
// scalars.
static bool arguments_of(lifter *l, const node *old, const node *const *in, const lifted *callee, program_arg *arg) {
    uint32_t inputs = in[1]->type->count, outs = outs_of(old), len = 0;
    for (uint32_t i = 0; i < inputs; i++) arg[len++].dim = in[1]->type->field[i]->dim;
    for (uint32_t i = 0; i < outs && len < callee->first; i++) {
        int64_t place = -1;
        if (old->op == &op_call_tir_inplace) attr_get_int(node_attr(old, "inplace_indices")->list[i], &place);
        if (place < 0) arg[len++].dim = out_of(old, i)->dim;
    }
    for (uint32_t i = 0; i < len; i++)
        if (!arg[i].dim && callee->before->param[i].buf && callee->before->param[i].buf->rank)
            return diag_error(l->d, old->at, "LiftWorkspace: the dims of an argument of %s are not known",
                              callee->func->name);
    for (uint32_t i = 0; old->count > 2 && i < (uint32_t)in[2]->type->rank; i++) arg[len++].value = in[2]->type->dim[i];
    return true;
}

static bool worth_of(lifter *l, const node *old, const node *const *in, const lifted *callee, map *worth) {
    program_arg *arg = ARENA_NEW(l->m->mem, program_arg, callee->before->params);
    return arguments_of(l, old, in, callee, arg) && program_worth(l->m->exprs, l->m->mem, callee->before, arg, worth);
}

// out_sinfo with the workspaces behind.
static const ann *with_workspaces(lifter *l, const node *old, const lifted *callee, const map *worth) {
    module *m = l->m;
    uint32_t outs = outs_of(old), len = 0;
    const ann **field = ARENA_NEW(m->mem, const ann *, outs + callee->count);
    for (uint32_t i = 0; i < outs; i++) field[len++] = out_of(old, i);
    for (uint32_t i = 0; i < callee->count; i++) {
        const buffer *b = callee->func->param[callee->first + i].buf;
        const expr **dim = ARENA_NEW(m->mem, const expr *, b->rank);
        for (uint32_t d = 0; d < b->rank; d++)
            dim[d] = expr_canon(m->exprs, expr_substitute(m->exprs, b->dim[d], worth));
        field[len++] = ann_tensor(m->mem, b->type, dim, b->rank);
    }
    return ann_tuple(m->mem, field, len);
}

static const attr *const *with_places(lifter *l, const node *old, uint32_t more) {
    arena *mem = l->m->mem;
    if (old->op != &op_call_tir_inplace) return old->attr;
    const attr *places = node_attr(old, "inplace_indices");
    const attr **element = ARENA_NEW(mem, const attr *, places->count + more);
    for (uint32_t i = 0; i < places->count; i++) element[i] = places->list[i];
    for (uint32_t i = 0; i < more; i++) element[places->count + i] = attr_int(mem, -1);
    const attr **list = ARENA_NEW(mem, const attr *, 1);
    list[0] = attr_list(mem, element, places->count + more);
    return list;
}

static const node *lift_call(builder *b, const node *old, const node *const *in, void *user) {
    lifter *l = user;
    if (old->op != &op_call_tir && old->op != &op_call_tir_inplace) return NULL;
    const lifted *callee = text_map_find(&l->done, in[0]->as.text.bytes);
    map worth;
    if (!callee) return NULL;
    if (!worth_of(l, old, in, callee, &worth)) return build_poison(b);
    const ann *out = with_workspaces(l, old, callee, &worth);
    const call_parts c = {.op = old->op,
                          .in = in,
                          .count = old->count,
                          .attr = with_places(l, old, callee->count),
                          .type_arg = &out,
                          .type_args = 1};
    const node *call = build_call(b, "lv", &c);
    if (old->type_arg[0]->kind != ANN_TUPLE) return build_item(b, old->name, call, 0);
    const node **item = ARENA_NEW(b->m->mem, const node *, outs_of(old));
    for (uint32_t i = 0; i < outs_of(old); i++) item[i] = build_item(b, "lv", call, i);
    return build_tuple(b, old->name, item, outs_of(old));
}

static bool lift_workspace(module *m, const pass_ctx *c) {
    lifter l = {.m = m, .d = c->d, .all = c->named, .done = TEXT_MAP_IN(m->mem)};
    lift_programs(&l);
    return !l.done.len || rebuild_functions(m, lift_call, &l, c->d);
}

const pass pass_lift_workspace = {
    .name = "LiftWorkspace",
    .doc = "lets the graph allocate the global buffers that programs need inside",
    .run = lift_workspace,
};
