// machine.c - runs compiled loop programs.
#include "interp/machine.h"
#include "base/count_noun.h"
#include "expr/expr.h"
#include <stdlib.h>

// --- Failures and steps.

// Of the statement an instruction came from.
static loc place_of(const machine *m, const thread *t) { return loop_place(m->p->f, m->p->origin[t->pc]); }

bool machine_fail(machine *m, const thread *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    diag_error(m->r->d, place_of(m, t), "%s: %s", m->p->f->name, arena_vformat(m->r->mem, format, args));
    va_end(args);
    return false;
}

// The limit is checked where loops turn and programs are entered, so every run ends.
bool machine_step(machine *m, const thread *t) {
    if (++m->r->steps <= m->r->max_steps) return true;
    return interp_steps(m->r, 0, place_of(m, t));
}

static const char *const reason[] = {
    [EXPR_DONE] = "",
    [EXPR_OVERFLOW] = "leaves the range of its type",
    [EXPR_ZERO_DIVISOR] = "divides by zero",
    [EXPR_UNBOUND] = "has no value",
    [EXPR_NOT_SCALAR] = "is not supported by the interpreter",
};

// `what` is the operation as the program spells it.
static bool fail_status(machine *m, const thread *t, const char *what, expr_status status) {
    return machine_fail(m, t, "%s %s", what, reason[status]);
}

// The instruction says which registers; the operands are still in them.
static bool fail_arith(machine *m, const thread *t, const char *sign) {
    const instr *i = &m->p->code[t->pc];
    return machine_fail(m, t, "%lld %s %lld leaves the range of int64", (long long)t->reg[i->b].i, sign,
                        (long long)t->reg[i->c].i);
}

static bool fail_range(machine *m, const thread *t) {
    const instr *i = &m->p->code[t->pc];
    const stmt *st = m->p->origin[t->pc];
    long long n = t->reg[i->a].i, low = t->reg[i->b].i, high = t->reg[i->c].i;
    if (i->x == IN_RANGE_THREADS)
        return machine_fail(m, t, "a loop over %s inside of a block of %lld", COUNTED(n, "thread"), high);
    const char *name = st && st->kind == STMT_BLOCK ? st->as.block->name : "?";
    return machine_fail(m, t, "block %s: an iteration variable is %lld, outside of its domain [%lld, %lld)", name, n,
                        low, high);
}

// In the signature's words: Y.shape[0] is 1, but n is 2.
static bool fail_dim(machine *m, const thread *t) {
    const instr *i = &m->p->code[t->pc];
    const buffer *b = m->p->f->param[i->b].buf;
    text dim = TEXT_IN(m->r->mem);
    expr_print(&dim, b->dim[i->x], NULL);
    const char *spelled = text_get(&dim);
    if (b->dim[i->x]->op == EXPR_INT)
        return machine_fail(m, t, "%s.shape[%u] is %lld, but must be %s", b->name, i->x,
                            (long long)m->arg[i->b].as.tensor->dim[i->x], spelled);
    return machine_fail(m, t, "%s.shape[%u] is %lld, but %s is %lld", b->name, i->x,
                        (long long)m->arg[i->b].as.tensor->dim[i->x], spelled, (long long)t->reg[i->a].i);
}

static bool fail_assert(machine *m, const thread *t) {
    const stmt *st = m->p->origin[t->pc];
    bool written = st && st->kind == STMT_ASSERT && st->as.assertion.message;
    return machine_fail(m, t, "assertion failed: %s", written ? st->as.assertion.message : "T.assume");
}

// --- Instructions that are more than a line.

// Operands are gathered from wherever they lie.
static bool apply(machine *m, thread *t, const applied *a, scalar *out) {
    scalar in[APPLY_MAX_OPERANDS];
    for (uint32_t i = 0; i < a->e->count; i++) in[i] = t->reg[a->in[i]];
    expr_status status = expr_apply(a->e, in, out);
    if (status == EXPR_DONE) return true;
    const char *name = a->e->op == EXPR_CALL ? a->e->as.intrin->name : expr_op_name(a->e->op);
    return fail_status(m, t, name, status);
}

// Floor division of int32 and int64. False after reporting.
static bool divide(machine *m, thread *t, const instr *i, bool modulo) {
    int64_t a = t->reg[i->b].i, b = t->reg[i->c].i;
    if (b == 0) return fail_status(m, t, modulo ? "floormod" : "floordiv", EXPR_ZERO_DIVISOR);
    if (b == -1) {
        if (!modulo && i->x == 64 && a == INT64_MIN) return fail_arith(m, t, "//");
        t->reg[i->a].i = modulo ? 0 : i->x == 32 ? (int32_t)(uint32_t)(0 - (uint64_t)a) : -a;
        return true;
    }
    int64_t quotient = a / b, rest = a % b;
    bool inexact = rest != 0 && (rest < 0) != (b < 0);
    t->reg[i->a].i = modulo ? rest + (inexact ? b : 0) : quotient - inexact;
    return true;
}

// However many rows of nothing there are, no step over them could be told from none.
static bool is_idle(const machine *m) {
    bool any = false;
    for (uint32_t i = 0; i < m->p->f->params; i++) {
        if (m->arg[i].kind != VALUE_TENSOR) continue;
        if (tensor_count(m->arg[i].as.tensor)) return false;
        any = true;
    }
    return any;
}

// x is the kind of the dtype.
static double round_to(const instr *i, double x) { return dtype_round((dtype){.kind = (uint8_t)i->x}, x); }
// int32 arithmetic of kernels wraps; registers hold it sign-extended.
static int64_t wrap32(int64_t x) { return (int32_t)(uint32_t)(uint64_t)x; }

// --- The loop.

#define A t->reg[i->a]
#define B t->reg[i->b]
#define C t->reg[i->c]

// One turn per instruction. A barrier leaves with the thread's state as it is; machine_group.c comes back to it.
run_end machine_go(machine *m, thread *t) {
    const program *p = m->p;
    for (;; t->pc++) {
        const instr *i = &p->code[t->pc];
        bool ok = true;
        // The hot ones are written out here; the compiler makes one jump table of it.
        switch ((code)i->code) {
        case CODE_MOVE: A = B; break;
        case CODE_ADD_I64: ok = !__builtin_add_overflow(B.i, C.i, &A.i) || fail_arith(m, t, "+"); break;
        case CODE_SUB_I64: ok = !__builtin_sub_overflow(B.i, C.i, &A.i) || fail_arith(m, t, "-"); break;
        case CODE_MUL_I64: ok = !__builtin_mul_overflow(B.i, C.i, &A.i) || fail_arith(m, t, "*"); break;
        case CODE_ADD_I32: A.i = wrap32(B.i + C.i); break;
        case CODE_SUB_I32: A.i = wrap32(B.i - C.i); break;
        case CODE_MUL_I32: A.i = wrap32(B.i * C.i); break;
        case CODE_FLOOR_DIV: ok = divide(m, t, i, false); break;
        case CODE_FLOOR_MOD: ok = divide(m, t, i, true); break;
        case CODE_ADD_F32: A.f = (double)(float)(B.f + C.f); break;
        case CODE_SUB_F32: A.f = (double)(float)(B.f - C.f); break;
        case CODE_MUL_F32: A.f = (double)(float)(B.f * C.f); break;
        case CODE_DIV_F32: A.f = (double)(float)(B.f / C.f); break;
        case CODE_ADD_FLOAT: A.f = round_to(i, B.f + C.f); break;
        case CODE_SUB_FLOAT: A.f = round_to(i, B.f - C.f); break;
        case CODE_MUL_FLOAT: A.f = round_to(i, B.f * C.f); break;
        case CODE_DIV_FLOAT: A.f = round_to(i, B.f / C.f); break;
        case CODE_MIN_INT: A.i = B.i < C.i ? B.i : C.i; break;
        case CODE_MAX_INT: A.i = B.i > C.i ? B.i : C.i; break;
        case CODE_MIN_FLOAT: A.f = B.f < C.f || B.f != B.f ? B.f : C.f; break;
        case CODE_MAX_FLOAT: A.f = B.f > C.f || B.f != B.f ? B.f : C.f; break;
        case CODE_EQ_INT: A.i = B.i == C.i; break;
        case CODE_NE_INT: A.i = B.i != C.i; break;
        case CODE_LT_INT: A.i = B.i < C.i; break;
        case CODE_LE_INT: A.i = B.i <= C.i; break;
        case CODE_EQ_FLOAT: A.i = B.f == C.f; break;
        case CODE_NE_FLOAT: A.i = B.f != C.f; break;
        case CODE_LT_FLOAT: A.i = B.f < C.f; break;
        case CODE_LE_FLOAT: A.i = B.f <= C.f; break;
        case CODE_AND: A.i = B.i && C.i; break;
        case CODE_OR: A.i = B.i || C.i; break;
        case CODE_NOT: A.i = !B.i; break;
        case CODE_SELECT: A = A.i ? B : C; break;
        case CODE_ROUND: A.f = round_to(i, B.f); break;
        case CODE_WRAP_I32: A.i = wrap32(B.i); break;
        case CODE_APPLY: ok = apply(m, t, &p->applied[i->c], &A); break;
        case CODE_LOAD: ok = machine_load(m, t, &p->access[i->c], &A); break;
        case CODE_STORE: ok = machine_store(m, t, &p->access[i->c], A); break;
        case CODE_JUMP: t->pc = i->c - 1; break;
        case CODE_JUMP_IF_ZERO:
            if (!A.i) t->pc = i->c - 1;
            break;
        case CODE_JUMP_IF_GE:
            if (A.i >= B.i) t->pc = i->c - 1;
            break;
        case CODE_NEXT:
            ok = machine_step(m, t);
            if (++A.i < B.i) t->pc = i->c - 1;
            break;
        case CODE_STEP: ok = machine_step(m, t); break;
        case CODE_IN_RANGE: ok = (B.i <= A.i && A.i < C.i + (i->x == IN_RANGE_THREADS)) || fail_range(m, t); break;
        case CODE_PARAM_DIM: A.i = m->arg[i->b].as.tensor->dim[i->x]; break;
        case CODE_CHECK_DIM: ok = m->arg[i->b].as.tensor->dim[i->x] == A.i || fail_dim(m, t); break;
        case CODE_SETUP: ok = machine_setup(m, t, &p->setup[i->c]); break;
        case CODE_DROP: thread_drop(t, i->a); break;
        case CODE_ASSERT: ok = A.i || fail_assert(m, t); break;
        case CODE_CALL: ok = machine_call(m, t, &p->call[i->c]); break;
        case CODE_FORK:
            ok = machine_group(m, t, &p->fork[i->c]);
            t->pc = p->fork[i->c].end - 1;
            break;
        case CODE_IDLE_RETURN:
            if (is_idle(m)) return t->status = THREAD_DONE, RUN_ENDED;
            break;
        case CODE_BARRIER: return t->status = THREAD_WAITS, RUN_WAITS;
        case CODE_RETURN:
            if (i->x) m->returned = true, m->result = A;
            return t->status = THREAD_DONE, RUN_ENDED;
        }
        if (!ok) return RUN_FAILED;
    }
}

// --- Threads.

// Zeros in all registers: every path sets what it reads, which compilation guarantees by scopes.
bool thread_init(machine *m, thread *t) {
    *t = (thread){.reg = calloc(m->p->regs + 1, sizeof *t->reg), .slot = calloc(m->p->slots + 1, sizeof *t->slot)};
    return t->reg && t->slot;
}

// Views that other threads own are only forgotten.
void thread_drop(thread *t, uint32_t slot) {
    if (t->own && t->slot[slot] == &t->own[slot]) {
        storage_release(t->own[slot].owner);
        t->own[slot].owner = NULL;
    }
    t->slot[slot] = NULL;
}

void thread_free(machine *m, thread *t) {
    for (uint32_t i = 0; t->slot && t->own && i < m->p->slots; i++) thread_drop(t, i);
    free(t->reg);
    free(t->slot);
    free(t->own);
}

// --- The way in.

// dtype and rank before the program starts; dims are checked by its first instructions.
static bool fits_buffer(machine *m, uint32_t i, loc at) {
    const buffer *b = m->p->f->param[i].buf;
    const value *v = &m->arg[i];
    char want[32], got[32];
    if (v->kind != VALUE_TENSOR) return diag_error(m->r->d, at, "%s: %s: want a tensor", m->p->f->name, b->name);
    const tensor *t = v->as.tensor;
    if (!dtype_equal(t->type, b->type))
        return diag_error(m->r->d, at, "%s: %s has dtype %s, but must have %s", m->p->f->name, b->name,
                          dtype_spell(t->type, got), dtype_spell(b->type, want));
    if (t->rank == b->rank) return true;
    return diag_error(m->r->d, at, "%s: %s has %s, but must have %u", m->p->f->name, b->name, COUNTED(t->rank, "dim"),
                      b->rank);
}

// Scalars arrive as int64 or double and become the parameter's type.
static bool set_scalar(machine *m, uint32_t i, loc at) {
    const loop_param *param = &m->p->f->param[i];
    const value *v = &m->arg[i];
    dtype want = param->var->type;
    if (v->kind != VALUE_PRIM || dtype_is_float(v->as.prim.type) != dtype_is_float(want))
        return diag_error(m->r->d, at, "%s: %s: want %s number", m->p->f->name, param->var->as.var->name,
                          dtype_is_float(want) ? "a floating-point" : "a whole");
    scalar s = v->as.prim.scalar;
    if (dtype_is_float(want))
        s.f = dtype_round(want, s.f);
    else
        s.i = dtype_wrap(want, s.i);
    m->main.reg[m->p->param_reg[i]] = s;
    return true;
}

// By position: buffers by reference, scalars by value.
static bool take_arguments(machine *m, uint32_t count, loc at) {
    const loop_func *f = m->p->f;
    if (count != f->params)
        return diag_error(m->r->d, at, "%s: want %s, got %u", f->name, COUNTED(f->params, "argument"), count);
    for (uint32_t i = 0; i < count; i++) {
        bool fits = f->param[i].buf ? fits_buffer(m, i, at) : set_scalar(m, i, at);
        if (!fits) return false;
    }
    return true;
}

// A result only where the program returns one (T.ret): destinations are arguments.
static bool run_program(machine *m, uint32_t count, value *result, loc at) {
    const program *p = m->p;
    if (!thread_init(m, &m->main)) return diag_error(m->r->d, at, "%s: no memory", p->f->name);
    for (uint32_t i = 0; i < p->constants; i++) m->main.reg[p->constant_reg[i]] = p->constant[i];
    if (!take_arguments(m, count, at) || machine_go(m, &m->main) == RUN_FAILED) return false;
    if (!result) return true;
    *result = (value){.kind = VALUE_NULL};
    if (!m->returned) return true;
    result->kind = VALUE_PRIM;
    result->as.prim.type = p->f->result;
    result->as.prim.scalar = m->result;
    return true;
}

// Programs may call programs: the depth counts them, beside graph functions.
bool interp_loop(run *r, const loop_func *f, const value *arg, uint32_t count, value *result, loc at) {
    machine m = {.r = r, .p = interp_program(r, f), .arg = arg};
    if (!m.p) return false;
    if (r->depth >= RUN_MAX_DEPTH + RUN_LOOP_DEPTH)
        return diag_error(r->d, at, "%s: calls are nested more than %d deep", f->name, RUN_MAX_DEPTH);
    r->depth++;
    bool done = interp_steps(r, 1, at) && run_program(&m, count, result, at);
    r->depth--;
    thread_free(&m, &m.main);
    return done;
}
