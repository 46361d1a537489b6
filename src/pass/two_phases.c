// two_phases.c - what a small program gives becomes the first phase of the program for few rows that reads it.
#include "pass/two_phases.h"
#include "loop/walk.h"
#include "loop/work.h"
#include "pass/renew.h"
#include <string.h>

// Each worker does the first phase anew, so it must be no more than what one thread would do alone anyway: a launch of
// so little isn't split.
enum {
    LITTLE_OPS = 1 << 15,   // operations
    LITTLE_BYTES = 1 << 17, // of tensors
    SHARE = 32,             // the loop does so many times as much
};

// The choice for few rows: `if rows <= most: cls.func(…) else …`.
typedef struct few_rows {
    const stmt *choice;
    const expr *rows; // in the dispatcher's symbols
    int64_t most;
    const loop_func *func;
    const uint32_t *from; // per parameter of func: the parameter of the dispatcher
} few_rows;

typedef struct joining {
    module *m;
    fresh_names *names;
    const loop_func *first, *second;
    const uint32_t *to; // two_phases_for_few
    few_rows few;
    uint32_t inputs; // of the first program
    const uint32_t *input;
} joining;

// Both programs in the variables and buffers of the new one.
typedef struct both {
    renewal first, second;
} both;

typedef VEC(loop_param) param_list;
typedef VEC(const buffer *) buffer_list;

// --- What is asked.

static bool find_few(joining *j) {
    const stmt *body;
    program_root(j->second, &body);
    if (body->kind != STMT_IF || !body->as.branch.otherwise || !is_program_call(body->as.branch.then)) return false;
    const expr *c = body->as.branch.condition, *call = body->as.branch.then->as.value;
    if (c->op != EXPR_LE || c->in[0]->op != EXPR_VAR || !expr_const_int(c->in[1], &j->few.most)) return false;
    const module_func *f = module_find(j->m, call->as.text);
    if (!f || f->kind != FUNC_LOOP || f->loop->params != call->count || is_dispatcher(f->loop)) return false;
    for (uint32_t i = 0; i < j->second->params; i++)
        if (!j->second->param[i].buf) return false;
    uint32_t *from = ARENA_NEW(j->m->mem, uint32_t, call->count);
    for (uint32_t i = 0; i < call->count; i++) {
        from[i] = program_passes(j->second, call->in[i]);
        if (from[i] == NO_PARAMETER || !f->loop->param[i].buf) return false;
    }
    j->few.choice = body;
    j->few.rows = c->in[0];
    j->few.func = f->loop;
    j->few.from = from;
    return true;
}

static bool has_assertion(arena *mem, const stmt *st) {
    for (stmt_walk w = stmt_walk_from(mem, st); stmt_walk_next(&w);)
        if (w.st->kind == STMT_ASSERT) return true;
    return false;
}

// One nest without memory around it, all buffers told apart.
static bool is_plain(arena *mem, const loop_func *f, bool parallel) {
    const stmt *body;
    const block *root = program_root(f, &body);
    bool noalias = attr_is_true(f->attrs, "tirx.noalias") || attr_is_true(f->attrs, "tir.noalias");
    bool grid = body->kind == STMT_FOR && body->as.loop.kind == FOR_PARALLEL;
    return noalias && (!root || !root->allocs) && (grid || (!parallel && body->kind == STMT_FOR)) &&
           !has_assertion(mem, body);
}

// The parameter of `first` whose result the parameter i of the program for few rows reads.
static uint32_t made_by(const joining *j, uint32_t i) {
    for (uint32_t k = 0; k < j->first->params; k++)
        if (j->to[k] != NO_PARAMETER && j->to[k] == j->few.from[i]) return k;
    return NO_PARAMETER;
}

// Each result of the first program is read by the second one, and none is written by it.
static bool hands_over(const joining *j) {
    const bool *writes = program_writes(j->m, j->few.func), *all = program_writes(j->m, j->second);
    uint32_t results = 0, found = 0;
    for (uint32_t k = 0; k < j->first->params; k++) {
        if (j->to[k] == NO_PARAMETER) continue;
        results++;
        if (all[j->to[k]]) return false;
    }
    for (uint32_t i = 0; i < j->few.func->params; i++) {
        if (made_by(j, i) == NO_PARAMETER) continue;
        found++;
        if (writes[i]) return false;
    }
    return results && found == results;
}

// --- How much it is.

// -1: not known.
static int64_t amount_at(expr_session *s, const expr *amount, const map *at) {
    int64_t n;
    return amount && expr_const_int(expr_simplify(s, expr_substitute(s, amount, at), NULL), &n) ? n : -1;
}

// For the most rows: operations of all kinds together, and bytes. `rows`: their number in the new symbols.
static bool work_at(const joining *j, const expr *rows, const loop_func *f, const map *symbol, int64_t *ops,
                    int64_t *bytes) {
    expr_session *s = j->m->exprs;
    arena *mem = j->m->mem;
    loop_work w = loop_work_find(s, mem, f);
    map at = MAP_IN(mem), own = MAP_IN(mem);
    expr_list vars = {0};
    map_put(&at, MAP_KEY(rows), (void *)(uintptr_t)expr_int(s, rows->type, j->few.most));
    loop_func_dim_vars(f, mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        const expr *worth = map_find(symbol, MAP_KEY(vars.at[i]));
        map_put(&own, MAP_KEY(vars.at[i]), (void *)(uintptr_t)expr_substitute(s, worth, &at));
    }
    *ops = 0;
    for (int k = 0; k < WORK_BYTES; k++) {
        int64_t n = amount_at(s, w.amount[k], &own);
        if (n < 0 || n > INT64_MAX / 4) return false;
        *ops += n;
    }
    *bytes = amount_at(s, w.amount[WORK_BYTES], &own);
    return *bytes >= 0;
}

static bool is_little(const joining *j, const expr *rows, const both *in) {
    int64_t ops, bytes, loop_ops, loop_bytes;
    return work_at(j, rows, j->first, &in->first.vars, &ops, &bytes) &&
           work_at(j, rows, j->few.func, &in->second.vars, &loop_ops, &loop_bytes) && ops <= LITTLE_OPS &&
           bytes <= LITTLE_BYTES && ops <= loop_ops / SHARE;
}

// --- Symbols.

static bool bind_dims(const joining *j, const buffer *first, const buffer *second, const map *with, map *out) {
    expr_session *s = j->m->exprs;
    if (first->rank != second->rank || !dtype_equal(first->type, second->type)) return false;
    for (uint32_t d = 0; d < first->rank; d++) {
        const expr *want = first->dim[d], *got = expr_substitute(s, second->dim[d], with);
        const expr *known = want->op == EXPR_VAR ? map_find(out, MAP_KEY(want)) : want;
        if (!known)
            map_put(out, MAP_KEY(want), (void *)(uintptr_t)got);
        else if (known != got)
            return false;
    }
    return true;
}

// The first program's symbols from what it hands over, whose dims are the second one's; at[k]: which parameter of that
// gets it.
static bool bind_first(const joining *j, const loop_func *second, const uint32_t *at, both *in) {
    expr_list vars = {0};
    in->second = renewal_of(j->m, second);
    in->first = (renewal){.m = j->m, .vars = MAP_IN(j->m->mem), .buffers = MAP_IN(j->m->mem)};
    for (uint32_t k = 0; k < j->first->params; k++)
        if (at[k] != NO_PARAMETER &&
            !bind_dims(j, j->first->param[k].buf, second->param[at[k]].buf, &in->second.vars, &in->first.vars))
            return false;
    loop_func_dim_vars(j->first, j->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (!map_has(&in->first.vars, MAP_KEY(vars.at[i]))) return false;
    return true;
}

// What the first program reads.
static void add_inputs(const joining *j, both *in, param_list *out) {
    for (uint32_t i = 0; i < j->inputs; i++)
        VEC_PUSH(j->m->mem, out, renew_param(&in->first, &j->first->param[j->input[i]]));
}

// --- The program for few rows.

static const stmt *body_of(const renewal *r, const loop_func *f) {
    const stmt *body;
    program_root(f, &body);
    return renew_body(r, body);
}

static const stmt *as_serial(arena *mem, const stmt *st) {
    stmt *now = (stmt *)(uintptr_t)stmt_copy(mem, st);
    now->as.loop.kind = FOR_SERIAL;
    return now;
}

// What both do, in the new symbols; the tensors between are counted on both sides.
static const attr *work_of_both(const joining *j, const loop_func *now, const both *in) {
    expr_session *s = j->m->exprs;
    arena *mem = j->m->mem;
    loop_work a = loop_work_find(s, mem, j->first), b = loop_work_find(s, mem, j->few.func), sum = {{NULL}};
    for (int k = 0; k < WORK_KINDS; k++)
        if (a.amount[k] && b.amount[k])
            sum.amount[k] = expr_simplify(s,
                                          expr_binary(s, EXPR_ADD, expr_substitute(s, a.amount[k], &in->first.vars),
                                                      expr_substitute(s, b.amount[k], &in->second.vars)),
                                          NULL);
    return loop_work_attr(s, mem, now, &sum);
}

// A result of the first program becomes a buffer of the new one, which the second one reads.
static const buffer *keep_inside(both *in, const buffer *made, const buffer *read) {
    const buffer *local = renew_buffer(&in->second, read, "local");
    map_put(&in->first.buffers, MAP_KEY(made), (void *)(uintptr_t)local);
    map_put(&in->first.vars, MAP_KEY(made->data), (void *)(uintptr_t)local->data);
    map_put(&in->second.buffers, MAP_KEY(read), (void *)(uintptr_t)local);
    map_put(&in->second.vars, MAP_KEY(read->data), (void *)(uintptr_t)local->data);
    return local;
}

// A program like `like` with other parameters and another body.
static loop_func *made_of(const joining *j, const loop_func *like, const param_list *params, const stmt *body) {
    loop_func *now = ARENA_NEW(j->m->mem, loop_func, 1);
    *now = *like;
    now->name = fresh_name(j->names, arena_format(j->m->mem, "%s_%s", j->first->name, like->name));
    now->is_private = true;
    now->param = params->at;
    now->params = params->len;
    now->body = body;
    return now;
}

// Parameters: what the first program reads, then what the second one takes beside its results.
static const loop_func *join(const joining *j, both *in) {
    arena *mem = j->m->mem;
    const loop_func *f = j->few.func;
    param_list params = {0};
    buffer_list between = {0};
    add_inputs(j, in, &params);
    for (uint32_t i = 0; i < f->params; i++) {
        uint32_t maker = made_by(j, i);
        if (maker == NO_PARAMETER)
            VEC_PUSH(mem, &params, renew_param(&in->second, &f->param[i]));
        else
            VEC_PUSH(mem, &between, keep_inside(in, j->first->param[maker].buf, f->param[i].buf));
    }
    const stmt *phase[] = {as_serial(mem, body_of(&in->first, j->first)), body_of(&in->second, f)};
    const block root = {.name = "root", .body = stmt_seq(mem, phase, 2), .alloc = between.at, .allocs = between.len};
    loop_func *now = made_of(j, f, &params, stmt_block(mem, &root));
    const attr *name = attr_string(mem, j->first->name, strlen(j->first->name));
    now->attrs = attr_with(mem, now->attrs, FIRST_PHASE_ATTR, name);
    now->attrs = work_of_both(j, now, in);
    return now;
}

// --- The dispatcher.

static const stmt *call_of(const joining *j, const loop_func *f, const expr *const *arg, uint32_t count) {
    return stmt_evaluate(
        j->m->mem, expr_call_func(j->m->exprs, f->name, j->few.choice->as.branch.then->as.value->type, arg, count));
}

static const stmt *call_first(const joining *j, const param_list *params) {
    const expr **arg = ARENA_NEW(j->m->mem, const expr *, j->first->params);
    uint32_t next = 0;
    for (uint32_t k = 0; k < j->first->params; k++)
        arg[k] = params->at[j->to[k] == NO_PARAMETER ? next++ : j->inputs + j->to[k]].var;
    return call_of(j, j->first, arg, j->first->params);
}

static const stmt *call_both(const joining *j, const loop_func *few, const param_list *params) {
    const expr **arg = ARENA_NEW(j->m->mem, const expr *, few->params);
    uint32_t count = 0;
    for (uint32_t i = 0; i < j->inputs; i++) arg[count++] = params->at[i].var;
    for (uint32_t i = 0; i < j->few.func->params; i++)
        if (made_by(j, i) == NO_PARAMETER) arg[count++] = params->at[j->inputs + j->few.from[i]].var;
    return call_of(j, few, arg, count);
}

// Parameters: what the first program reads, then all of the second one's.
static const loop_func *choose(const joining *j, const loop_func *few) {
    arena *mem = j->m->mem;
    const stmt *choice = j->few.choice;
    both in;
    param_list params = {0};
    if (!bind_first(j, j->second, j->to, &in)) return NULL;
    add_inputs(j, &in, &params);
    for (uint32_t i = 0; i < j->second->params; i++) {
        const loop_param *old = &j->second->param[i], now = renew_param(&in.second, old);
        map_put(&in.second.vars, MAP_KEY(old->buf->data), (void *)(uintptr_t)now.var); // calls pass handles
        VEC_PUSH(mem, &params, now);
    }
    const renewal *r = &in.second;
    const stmt *rest = stmt_replace(j->m->exprs, mem, choice->as.branch.otherwise, &r->vars, &r->buffers);
    const stmt *apart[] = {call_first(j, &params), rest};
    const stmt *body = stmt_if(mem, expr_substitute(j->m->exprs, choice->as.branch.condition, &r->vars),
                               call_both(j, few, &params), stmt_seq(mem, apart, 2));
    return made_of(j, j->second, &params, body);
}

// --- Both.

static void list_inputs(joining *j) {
    uint32_t *input = ARENA_NEW(j->m->mem, uint32_t, j->first->params);
    for (uint32_t k = 0; k < j->first->params; k++)
        if (j->to[k] == NO_PARAMETER) input[j->inputs++] = k;
    j->input = input;
}

// Which parameter of the program for few rows gets each result of the first one.
static const uint32_t *results_in_few(const joining *j) {
    uint32_t *at = ARENA_NEW(j->m->mem, uint32_t, j->first->params);
    for (uint32_t k = 0; k < j->first->params; k++) at[k] = NO_PARAMETER;
    for (uint32_t i = 0; i < j->few.func->params; i++)
        if (made_by(j, i) != NO_PARAMETER) at[made_by(j, i)] = i;
    return at;
}

// The number of rows in the new symbols: what the dispatcher's dim that is it stands for in the program for few rows.
static const expr *rows_of(const joining *j, const map *symbols) {
    for (uint32_t i = 0; i < j->few.func->params; i++) {
        const buffer *outer = j->second->param[j->few.from[i]].buf, *inner = j->few.func->param[i].buf;
        for (uint32_t d = 0; outer && d < outer->rank && d < inner->rank; d++)
            if (outer->dim[d] == j->few.rows && inner->dim[d]->op == EXPR_VAR)
                return map_find(symbols, MAP_KEY(inner->dim[d]));
    }
    return NULL;
}

void two_phases_for_few(module *m, fresh_names *names, const loop_func *first, const loop_func *second,
                        const uint32_t *to, two_phases *out) {
    joining j = {.m = m, .names = names, .first = first, .second = second, .to = to};
    both in;
    *out = (two_phases){0};
    if (!find_few(&j) || !is_plain(m->mem, first, false) || !is_plain(m->mem, j.few.func, true) || !hands_over(&j))
        return;
    list_inputs(&j);
    if (!bind_first(&j, j.few.func, results_in_few(&j), &in)) return;
    const expr *rows = rows_of(&j, &in.second.vars);
    if (!rows || !is_little(&j, rows, &in)) return;
    const loop_func *few = join(&j, &in), *choice = choose(&j, few);
    if (!choice) return;
    module_put_loop(m, few);
    module_put_loop(m, choice);
    *out = (two_phases){.func = choice, .inputs = j.inputs, .input = j.input};
}
