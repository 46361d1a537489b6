// two_phases.c - what a small program gives becomes the first phase of the program for few rows that reads it.
#include "pass/two_phases.h"
#include "loop/walk.h"
#include "loop/work.h"
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
    const expr *rows;
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

// Both programs in the symbols of the new one.
typedef struct symbols {
    map second, first; // MAP_KEY(variable) -> const expr *
} symbols;

typedef VEC(loop_param) param_list;
typedef VEC(const stmt *) stmt_list;
typedef VEC(const buffer *) buffer_list;

// --- What is asked.

static uint32_t parameter_of(const loop_func *f, const expr *e) {
    for (uint32_t i = 0; i < f->params; i++)
        if (f->param[i].buf && (e == f->param[i].var || e == f->param[i].buf->data)) return i;
    return NO_PARAMETER;
}

static bool find_few(joining *j) {
    const stmt *body;
    program_root(j->second, &body);
    if (body->kind != STMT_IF || !body->as.branch.otherwise || !is_program_call(body->as.branch.then)) return false;
    const expr *c = body->as.branch.condition, *call = body->as.branch.then->as.value;
    if (c->op != EXPR_LE || c->in[0]->op != EXPR_VAR || !expr_const_int(c->in[1], &j->few.most)) return false;
    const module_func *f = module_find(j->m, call->as.text);
    if (!f || f->kind != FUNC_LOOP || f->loop->params != call->count || is_dispatcher(f->loop)) return false;
    uint32_t *from = ARENA_NEW(j->m->mem, uint32_t, call->count);
    for (uint32_t i = 0; i < call->count; i++) {
        from[i] = parameter_of(j->second, call->in[i]);
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

// For the most rows: operations of all kinds together, and bytes.
static bool work_at(const joining *j, const loop_func *f, const map *symbol, int64_t *ops, int64_t *bytes) {
    expr_session *s = j->m->exprs;
    arena *mem = j->m->mem;
    loop_work w = loop_work_find(s, mem, f);
    map at = MAP_IN(mem), own = MAP_IN(mem);
    expr_list vars = {0};
    map_put(&at, MAP_KEY(j->few.rows), (void *)(uintptr_t)expr_int(s, j->few.rows->type, j->few.most));
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

static bool is_little(const joining *j, const symbols *in) {
    int64_t ops, bytes, loop_ops, loop_bytes;
    return work_at(j, j->first, &in->first, &ops, &bytes) &&
           work_at(j, j->few.func, &in->second, &loop_ops, &loop_bytes) && ops <= LITTLE_OPS && bytes <= LITTLE_BYTES &&
           ops <= loop_ops / SHARE;
}

// --- Symbols.

static bool bind_dims(joining *j, const buffer *first, const buffer *second, const map *with, map *out) {
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

// The first program's symbols from what it hands over, whose dims are the second one's (`with`: in the new symbols).
static bool bind_first(joining *j, const loop_func *second, const uint32_t *at, const map *with, map *out) {
    expr_list vars = {0};
    for (uint32_t k = 0; k < j->first->params; k++)
        if (at[k] != NO_PARAMETER && !bind_dims(j, j->first->param[k].buf, second->param[at[k]].buf, with, out))
            return false;
    loop_func_dim_vars(j->first, j->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (!map_has(out, MAP_KEY(vars.at[i]))) return false;
    return true;
}

static map fresh_symbols(const joining *j, const loop_func *f) {
    map with = MAP_IN(j->m->mem);
    expr_list vars = {0};
    loop_func_dim_vars(f, j->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        const expr *now = expr_new_var(j->m->exprs, vars.at[i]->as.var->name, vars.at[i]->type);
        map_put(&with, MAP_KEY(vars.at[i]), (void *)(uintptr_t)now);
    }
    return with;
}

static const buffer *fresh_buffer(const joining *j, const buffer *old, const map *with, const char *scope) {
    module *m = j->m;
    const expr **dim = ARENA_NEW(m->mem, const expr *, old->rank);
    for (uint32_t d = 0; d < old->rank; d++) dim[d] = expr_substitute(m->exprs, old->dim[d], with);
    buffer *b = buffer_new(m->exprs, old->name, old->type, dim, old->rank, scope);
    b->align = old->align;
    b->offset_factor = old->offset_factor;
    return b;
}

// A parameter in place of an old one, whose handle and elements' variable it stands for.
static void add_param(const joining *j, const loop_param *old, const map *dims, map *with, map *buffers,
                      param_list *out) {
    loop_param p = *old;
    p.buf = fresh_buffer(j, old->buf, dims, old->buf->scope);
    p.var = expr_new_var(j->m->exprs, old->var->as.var->name, old->var->type);
    map_put(buffers, MAP_KEY(old->buf), (void *)(uintptr_t)p.buf);
    map_put(with, MAP_KEY(old->var), (void *)(uintptr_t)p.var);
    map_put(with, MAP_KEY(old->buf->data), (void *)(uintptr_t)p.buf->data);
    VEC_PUSH(j->m->mem, out, p);
}

// --- The program for few rows.

static const stmt *body_in(const joining *j, const loop_func *f, const map *with, const map *buffers) {
    const stmt *body;
    program_root(f, &body);
    body = stmt_refresh(j->m->exprs, j->m->mem, body);
    return stmt_replace(j->m->exprs, j->m->mem, body, with, buffers);
}

static const stmt *as_serial(arena *mem, const stmt *st) {
    stmt *now = (stmt *)(uintptr_t)stmt_copy(mem, st);
    now->as.loop.kind = FOR_SERIAL;
    return now;
}

// What both do, in the new symbols; the tensors between are counted on both sides.
static const attr *work_of_both(const joining *j, const loop_func *now, const symbols *in) {
    expr_session *s = j->m->exprs;
    arena *mem = j->m->mem;
    loop_work a = loop_work_find(s, mem, j->first), b = loop_work_find(s, mem, j->few.func), sum = {{NULL}};
    for (int k = 0; k < WORK_KINDS; k++)
        if (a.amount[k] && b.amount[k])
            sum.amount[k] = expr_simplify(s,
                                          expr_binary(s, EXPR_ADD, expr_substitute(s, a.amount[k], &in->first),
                                                      expr_substitute(s, b.amount[k], &in->second)),
                                          NULL);
    return loop_work_attr(s, mem, now, &sum);
}

// Parameters: what the first program reads, then what the second one takes beside its results.
static const loop_func *join(joining *j, const symbols *in) {
    module *m = j->m;
    const loop_func *f = j->few.func;
    map first = in->first, second = in->second, first_buffers = MAP_IN(m->mem), second_buffers = MAP_IN(m->mem);
    param_list params = {0};
    buffer_list between = {0};
    for (uint32_t i = 0; i < j->inputs; i++)
        add_param(j, &j->first->param[j->input[i]], &in->first, &first, &first_buffers, &params);
    for (uint32_t i = 0; i < f->params; i++) {
        uint32_t maker = made_by(j, i);
        if (maker == NO_PARAMETER) {
            add_param(j, &f->param[i], &in->second, &second, &second_buffers, &params);
            continue;
        }
        const buffer *local = fresh_buffer(j, f->param[i].buf, &in->second, "local"), *old = j->first->param[maker].buf;
        map_put(&first_buffers, MAP_KEY(old), (void *)(uintptr_t)local);
        map_put(&first, MAP_KEY(old->data), (void *)(uintptr_t)local->data);
        map_put(&second_buffers, MAP_KEY(f->param[i].buf), (void *)(uintptr_t)local);
        map_put(&second, MAP_KEY(f->param[i].buf->data), (void *)(uintptr_t)local->data);
        VEC_PUSH(m->mem, &between, local);
    }
    const stmt *phase[] = {as_serial(m->mem, body_in(j, j->first, &first, &first_buffers)),
                           body_in(j, f, &second, &second_buffers)};
    const block root = {.name = "root", .body = stmt_seq(m->mem, phase, 2), .alloc = between.at, .allocs = between.len};
    loop_func *now = ARENA_NEW(m->mem, loop_func, 1);
    *now = *f;
    now->name = fresh_name(j->names, arena_format(m->mem, "%s_%s", j->first->name, f->name));
    now->is_private = true;
    now->param = params.at;
    now->params = params.len;
    now->body = stmt_block(m->mem, &root);
    now->attrs =
        attr_with(m->mem, now->attrs, FIRST_PHASE_ATTR, attr_string(m->mem, j->first->name, strlen(j->first->name)));
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

static const stmt *call_both(const joining *j, const loop_func *both, const param_list *params) {
    const expr **arg = ARENA_NEW(j->m->mem, const expr *, both->params);
    uint32_t count = 0;
    for (uint32_t i = 0; i < j->inputs; i++) arg[count++] = params->at[i].var;
    for (uint32_t i = 0; i < j->few.func->params; i++)
        if (made_by(j, i) == NO_PARAMETER) arg[count++] = params->at[j->inputs + j->few.from[i]].var;
    return call_of(j, both, arg, count);
}

// Parameters: what the first program reads, then all of the second one's.
static const loop_func *choose(joining *j, const loop_func *both) {
    module *m = j->m;
    arena *mem = m->mem;
    symbols in = {.second = fresh_symbols(j, j->second), .first = MAP_IN(mem)};
    if (!bind_first(j, j->second, j->to, &in.second, &in.first)) return NULL;
    map with = in.second, unused = MAP_IN(mem), buffers = MAP_IN(mem);
    param_list params = {0};
    for (uint32_t i = 0; i < j->inputs; i++)
        add_param(j, &j->first->param[j->input[i]], &in.first, &unused, &buffers, &params);
    for (uint32_t i = 0; i < j->second->params; i++)
        add_param(j, &j->second->param[i], &in.second, &with, &buffers, &params);
    for (uint32_t i = 0; i < j->second->params; i++) // calls pass parameters by either of their variables
        if (j->second->param[i].buf)
            map_put(&with, MAP_KEY(j->second->param[i].buf->data), (void *)(uintptr_t)params.at[j->inputs + i].var);
    const stmt *rest = stmt_replace(m->exprs, mem, j->few.choice->as.branch.otherwise, &with, &buffers);
    const stmt *apart[] = {call_first(j, &params), rest};
    const stmt *body = stmt_if(mem, expr_substitute(m->exprs, j->few.choice->as.branch.condition, &with),
                               call_both(j, both, &params), stmt_seq(mem, apart, 2));
    loop_func *now = ARENA_NEW(mem, loop_func, 1);
    *now = *j->second;
    now->name = fresh_name(j->names, arena_format(mem, "%s_%s", j->first->name, j->second->name));
    now->is_private = true;
    now->param = params.at;
    now->params = params.len;
    now->body = body;
    return now;
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

// The number of rows in the symbols of the program for few rows: the dispatcher's dim that stands at the same place.
static bool rows_in_few(joining *j, const map *with) {
    for (uint32_t i = 0; i < j->few.func->params; i++) {
        const buffer *outer = j->second->param[j->few.from[i]].buf, *inner = j->few.func->param[i].buf;
        for (uint32_t d = 0; outer && d < outer->rank && d < inner->rank; d++) {
            if (outer->dim[d] != j->few.rows || inner->dim[d]->op != EXPR_VAR) continue;
            j->few.rows = map_find(with, MAP_KEY(inner->dim[d]));
            return j->few.rows != NULL;
        }
    }
    return false;
}

void two_phases_for_few(module *m, fresh_names *names, const loop_func *first, const loop_func *second,
                        const uint32_t *to, two_phases *out) {
    joining j = {.m = m, .names = names, .first = first, .second = second, .to = to};
    *out = (two_phases){0};
    if (!find_few(&j) || !is_plain(m->mem, first, false) || !is_plain(m->mem, j.few.func, true) || !hands_over(&j))
        return;
    list_inputs(&j);
    symbols in = {.second = fresh_symbols(&j, j.few.func), .first = MAP_IN(m->mem)};
    if (!bind_first(&j, j.few.func, results_in_few(&j), &in.second, &in.first)) return;
    if (!rows_in_few(&j, &in.second) || !is_little(&j, &in)) return;
    const loop_func *both = join(&j, &in), *choice = choose(&j, both);
    if (!choice) return;
    module_put_loop(m, both);
    module_put_loop(m, choice);
    *out = (two_phases){.func = choice, .inputs = j.inputs, .input = j.input};
}
