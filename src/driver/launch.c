// launch.c - calls of loop programs: what their symbols are worth, launches, and the run-time choice of a kernel.
//
// A program's symbols get their values from the dims of the arguments (and from scalars that are passed). What then
// must hold and can't be proved is asserted. A dispatcher (a program whose body is `if` over calls of other programs)
// becomes jumps around their launches.
#include "base/count_noun.h"
#include "driver/emit.h"
#include "pass/programs.h"
#include <string.h>

// The actual arguments of one call of a program, one per parameter.
typedef struct actual {
    uint32_t reg;           // of a tensor
    const expr *const *dim; // of a tensor
    const expr *value;      // of a scalar
} actual;
typedef struct program_call {
    function_emission *f;
    const loop_func *func;
    const actual *arg;
    loc at;
    map worth; // MAP_KEY(var of the program) -> const expr *: in the caller's symbols
} program_call;

static bool call_program(function_emission *f, const loop_func *func, const actual *arg, loc at);

// --- What symbols are worth.

static void set_scalars(program_call *c, map *bindable) {
    for (uint32_t i = 0; i < c->func->params; i++) {
        const loop_param *p = &c->func->param[i];
        if (p->buf) continue;
        map_put(bindable, MAP_KEY(p->var), c);
        map_put(&c->worth, MAP_KEY(p->var), (void *)(uintptr_t)c->arg[i].value);
    }
}

static bool assert_condition(program_call *c, const expr *condition) {
    function_emission *f = c->f;
    uint32_t program;
    if (!program_of(f, condition, c->at, &program)) return false;
    const char *message =
        arena_format(f->e->mem, "%s: %s does not hold", c->func->name, expr_to_text(f->e->mem, condition));
    uint32_t constant = text_constant(f, message, strlen(message));
    instruction(f, OP_ASSERT);
    operand(f, program);
    operand(f, constant);
    return true;
}

static bool bind_dims(program_call *c) {
    arena *mem = c->f->e->mem;
    map bindable = MAP_IN(mem);
    dims_match match = {.bound = MAP_IN(mem)};
    expr_list want = {0}, got = {0}, vars = {0};
    set_scalars(c, &bindable);
    loop_func_dim_vars(c->func, mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) map_put(&bindable, MAP_KEY(vars.at[i]), c);
    for (uint32_t i = 0; i < c->func->params; i++) {
        const buffer *b = c->func->param[i].buf;
        for (uint32_t d = 0; b && d < b->rank; d++) {
            VEC_PUSH(mem, &want, b->dim[d]);
            VEC_PUSH(mem, &got, c->arg[i].dim[d]);
        }
    }
    match.bound = c->worth;
    expr_match_dims(c->f->e->m->exprs, want.at, got.at, want.len, &bindable, c->f->facts, &match);
    c->worth = match.bound;
    if (match.contradiction)
        return diag_error(c->f->e->d, c->at, "%s: %s can't hold", c->func->name, expr_to_text(mem, match.contradicts));
    for (uint32_t i = 0; i < match.conditions.len; i++)
        if (!assert_condition(c, match.conditions.at[i])) return false;
    return true;
}

static const expr *in_caller(const program_call *c, const expr *e) {
    return expr_substitute(c->f->e->m->exprs, e, &c->worth);
}

// --- Launches.

static bool launch(program_call *c) {
    function_emission *f = c->f;
    kernel_entry *k = kernel_of(f->e, c->func, f->node && f->node->at.src ? f->node->at : c->at);
    if (!k) return false;
    uint32_t *reg = ARENA_NEW(f->e->mem, uint32_t, k->info.buffers), buffers = 0;
    for (uint32_t i = 0; i < c->func->params; i++)
        if (c->func->param[i].buf) reg[buffers++] = c->arg[i].reg;
    uint32_t *program = ARENA_NEW(f->e->mem, uint32_t, k->info.scalars);
    for (uint32_t i = 0; i < k->info.scalars; i++) {
        const expr *worth = map_find(&c->worth, MAP_KEY(k->info.scalar[i]));
        if (!worth)
            return diag_error(f->e->d, c->at, "%s: no dim of its arguments tells what %s is", c->func->name,
                              k->info.scalar[i]->as.var->name);
        if (!program_of(f, worth, c->at, &program[i])) return false;
    }
    if (!make_late_tensors(f, reg, buffers)) return false;
    instruction(f, OP_LAUNCH);
    operand(f, k->index);
    operands(f, reg, buffers);
    operands(f, program, k->info.scalars);
    return true;
}

// --- Dispatchers.

// The argument of the dispatcher that a call inside passes on.
static bool passed_on(const program_call *c, const expr *e, actual *out) {
    for (uint32_t i = 0; i < c->func->params; i++) {
        const loop_param *p = &c->func->param[i];
        if (e != p->var && !(p->buf && e == p->buf->data)) continue;
        *out = c->arg[i];
        return true;
    }
    *out = (actual){.value = in_caller(c, e)};
    return e->type.kind != DTYPE_HANDLE ||
           diag_error(c->f->e->d, c->at, "%s: %s is no parameter, so it can't be passed on", c->func->name,
                      expr_to_text(c->f->e->mem, e));
}

static bool pass_all_on(const program_call *c, const expr *call, uint32_t from, actual *out) {
    for (uint32_t i = from; i < call->count; i++)
        if (!passed_on(c, call->in[i], &out[i - from])) return false;
    return true;
}

// T.call_packed("name", buffers and scalars…)
static bool call_library(program_call *c, const expr *call) {
    function_emission *f = c->f;
    uint32_t args = call->count - 1, *reg = ARENA_NEW(f->e->mem, uint32_t, args);
    actual *arg = ARENA_NEW(f->e->mem, actual, args);
    if (!pass_all_on(c, call, 1, arg)) return false;
    for (uint32_t i = 0; i < args; i++) {
        uint32_t program;
        reg[i] = arg[i].reg;
        if (!arg[i].value) continue;
        if (!program_of(f, arg[i].value, c->at, &program)) return false;
        reg[i] = register_temp(f);
        instruction(f, OP_PRIM);
        operand(f, reg[i]);
        operand(f, op_dtype(arg[i].value->type));
        operand(f, program);
    }
    if (!make_late_tensors(f, reg, args)) return false;
    instruction(f, OP_EXTERN);
    operand(f, NO_REGISTER);
    operand(f, exec_writer_import(f->e->w, IMPORT_EXTERNAL, call->in[0]->as.text, 0));
    operands(f, reg, args);
    return true;
}

static bool dispatch_call(program_call *c, const expr *call) {
    if (is_packed_call(call)) return call_library(c, call);
    const module_func *callee = module_find(c->f->e->m, call->as.text);
    if (!callee || callee->kind != FUNC_LOOP || callee->loop->params != call->count)
        return diag_error(c->f->e->d, c->at, "%s: %s is no loop program with %s", c->func->name, call->as.text,
                          COUNTED(call->count, "parameter"));
    actual *arg = ARENA_NEW(c->f->e->mem, actual, call->count);
    return pass_all_on(c, call, 0, arg) && call_program(c->f, callee->loop, arg, c->at);
}

static bool dispatch(program_call *c, const stmt *st);

static bool dispatch_if(program_call *c, const stmt *st) {
    function_emission *f = c->f;
    exec_writer *w = f->e->w;
    uint32_t program, otherwise = exec_writer_label(w), end = exec_writer_label(w);
    if (!program_of(f, in_caller(c, st->as.branch.condition), c->at, &program)) return false;
    instruction(f, OP_WHEN);
    operand(f, program);
    exec_writer_jump(w, otherwise);
    const bool *made = late_tensors_made(f);
    if (!dispatch(c, st->as.branch.then)) return false;
    instruction(f, OP_GOTO);
    exec_writer_jump(w, end);
    exec_writer_place(w, otherwise);
    late_tensors_reset(f, made);
    if (st->as.branch.otherwise && !dispatch(c, st->as.branch.otherwise)) return false;
    exec_writer_place(w, end);
    late_tensors_reset(f, made);
    return true;
}

static bool dispatch(program_call *c, const stmt *st) {
    if (st->kind == STMT_IF) return dispatch_if(c, st);
    if (st->kind == STMT_EVALUATE) return dispatch_call(c, st->as.value);
    for (uint32_t i = 0; i < st->as.seq.count; i++)
        if (!dispatch(c, st->as.seq.list[i])) return false;
    return true;
}

// --- Calls.

enum { MAX_DISPATCH_DEPTH = 32 };

static bool call_program(function_emission *f, const loop_func *func, const actual *arg, loc at) {
    if (f->dispatch_depth >= MAX_DISPATCH_DEPTH)
        return diag_error(f->e->d, at, "%s: programs that choose between programs are nested too deep", func->name);
    program_call c = {.f = f, .func = func, .arg = arg, .at = at, .worth = MAP_IN(f->e->mem)};
    if (!bind_dims(&c)) return false;
    const stmt *body;
    program_root(func, &body);
    if (!is_dispatcher(func)) return launch(&c);
    f->dispatch_depth++;
    bool ok = dispatch(&c, body);
    f->dispatch_depth--;
    return ok;
}

static bool tensor_argument(function_emission *f, const node *n, const buffer *b, actual *out) {
    if (!value_of(f, n, &out->reg)) return false;
    const ann *a = dims_of(f, n, out->reg);
    if (!a) return false;
    if (a->kind != ANN_TENSOR || a->rank != (int32_t)b->rank)
        return diag_error(f->e->d, n->at, "%s: argument %s is %s, want a tensor with %s", f->f->name, b->name,
                          ann_to_text(f->e->mem, a), COUNTED(b->rank, "dim"));
    out->dim = a->dim;
    return true;
}

// Scalars come as arguments of their own, or as dims of a shape that stands last.
static bool scalar_argument(function_emission *f, const node *const *arg, uint32_t args, uint32_t i, uint32_t first,
                            actual *out) {
    const node *last = arg[args - 1];
    if (i < args && arg[i]->type->kind == ANN_PRIM) {
        out->value = scalar_of(f, arg[i]);
    } else if (last->type->kind == ANN_SHAPE && last->type->dim && (int32_t)(i - first) < last->type->rank) {
        out->value = last->type->dim[i - first];
    } else {
        return diag_error(f->e->d, last->at, "%s: too few scalars for a loop program", f->f->name);
    }
    return out->value != NULL;
}

bool emit_program_call(function_emission *f, const node *at, const module_func *callee, const node *const *arg,
                       uint32_t args) {
    const loop_func *func = callee->loop;
    actual *list = ARENA_NEW(f->e->mem, actual, func->params);
    bool shape_last = args && arg[args - 1]->type->kind == ANN_SHAPE;
    for (uint32_t i = 0; i < func->params; i++) {
        const buffer *b = func->param[i].buf;
        if (!b && func->param[i].var->type.kind == DTYPE_HANDLE)
            return diag_error(f->e->d, at->at, "%s: %s is a handle that no T.match_buffer gives a shape", callee->name,
                              func->param[i].var->as.var->name);
        if (b && i >= args)
            return diag_error(f->e->d, at->at, "%s takes %s, got %u", callee->name, COUNTED(func->params, "parameter"),
                              args);
        bool ok = b ? tensor_argument(f, arg[i], b, &list[i])
                    : scalar_argument(f, arg, args, i, shape_last ? args - 1 : i, &list[i]);
        if (!ok) return false;
    }
    bool ok = call_program(f, func, list, at->at);
    late_tensors_done(f);
    return ok;
}
