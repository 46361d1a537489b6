// compile_call.c - calls with effects: other programs, host functions, barriers, leaving loops and functions.
#include "interp/compile.h"

// --- Memory as an argument.

// T.address_of(A[i, j]): how many elements in from where the view begins, as an expression over its dims.
static const expr *flat_offset(compiler *c, const expr *load) {
    const buffer *b = load->as.buffer;
    const expr *at = expr_i64(c->s, 0), *step = expr_i64(c->s, 1);
    for (uint32_t i = load->count; i-- > 0;) {
        if (!expr_is_index(load->in[i])) return compile_fail(c, "T.address_of: want one element"), at;
        const expr *stride = b->stride ? expr_cast(c->s, step->type, b->stride[i]) : step;
        const expr *index = expr_cast(c->s, step->type, load->in[i]);
        at = expr_binary(c->s, EXPR_ADD, at, expr_binary(c->s, EXPR_MUL, index, stride));
        step = expr_binary(c->s, EXPR_MUL, step, expr_cast(c->s, step->type, b->dim[i]));
    }
    return at;
}

// Handles are known while compiling; they never lie in registers.
static bool handle_slot(compiler *c, const expr *e, uint32_t *slot) {
    uintptr_t found = (uintptr_t)map_find(&c->handles, MAP_KEY(e));
    *slot = (uint32_t)found - 1;
    return found != 0;
}

bool compile_handle(compiler *c, const expr *e, uint32_t *slot) {
    if (e->op == EXPR_VAR) return handle_slot(c, e, slot);
    bool address = e->op == EXPR_CALL && e->as.intrin->id == INTRIN_ADDRESS_OF && e->in[0]->op == EXPR_LOAD;
    int64_t at;
    if (!address || !expr_const_int(expr_simplify(c->s, flat_offset(c, e->in[0]), NULL), &at) || at) return false;
    *slot = compile_slot(c, e->in[0]->as.buffer);
    return true;
}

// &A[i], or a range of A for a library: what follows the element is passed as one row.
static bool pointer_argument(compiler *c, const expr *e, call_arg *out) {
    const expr *offset = NULL;
    if (e->op == EXPR_VAR) return handle_slot(c, e, &out->at);
    if (e->op != EXPR_CALL) return false;
    if (e->as.intrin->id == INTRIN_ADDRESS_OF && e->in[0]->op == EXPR_LOAD) {
        out->at = compile_slot(c, e->in[0]->as.buffer);
        offset = flat_offset(c, e->in[0]);
    } else if (e->as.intrin->id == INTRIN_TVM_ACCESS_PTR && handle_slot(c, e->in[1], &out->at)) {
        offset = e->in[2];
    }
    if (!offset) return false;
    out->offset = compile_value(c, offset, 0);
    return true;
}

// T.tvm_stack_make_array(data, shape, strides, rank, a value of the type, offset)
static bool array_argument(compiler *c, const expr *e, call_arg *out) {
    bool described = e->op == EXPR_CALL && e->as.intrin->id == INTRIN_TVM_STACK_MAKE_ARRAY;
    if (!described || !pointer_argument(c, e->in[0], out)) return false;
    const expr *shape = e->in[1];
    if (shape->op != EXPR_CALL || shape->as.intrin->id != INTRIN_TVM_STACK_MAKE_SHAPE) return false;
    out->type = e->in[4]->type;
    out->rank = shape->count;
    out->dim = compile_list(c, shape->in, shape->count);
    uint32_t extra = compile_value(c, e->in[5], 0);
    if (out->offset == NO_REGISTER) out->offset = extra;
    return true;
}

// Strings, numbers, and memory; the callee gets a tensor over it.
static bool compile_argument(compiler *c, const expr *e, call_arg *out) {
    *out = (call_arg){.kind = ARG_BUFFER, .offset = NO_REGISTER};
    if (e->op == EXPR_STRING) {
        *out = (call_arg){.kind = ARG_STRING, .text = e->as.text};
    } else if (e->type.kind != DTYPE_HANDLE) {
        if (dtype_lanes(e->type) > 1) return compile_fail(c, "a vector can't be passed to a function");
        *out = (call_arg){.kind = ARG_SCALAR, .type = e->type, .at = compile_value(c, e, 0)};
    } else if (!array_argument(c, e, out) && !pointer_argument(c, e, out)) {
        return compile_fail(c, "the interpreter can't tell which buffer an argument points to");
    }
    return true;
}

// cls.f(…) names a function of the module; intrinsics have the name as their first argument.
static const char *callee_name(const expr *e, uint32_t *first) {
    *first = 0;
    if (e->op == EXPR_CALL_FUNC) return e->as.text;
    *first = 1;
    return e->count && e->in[0]->op == EXPR_STRING ? e->in[0]->as.text : NULL;
}

// The callee may write any memory: loads before the call are forgotten.
static uint32_t compile_function_call(compiler *c, const expr *e) {
    uint32_t first;
    const char *name = callee_name(e, &first);
    if (!name) return compile_fail(c, "the called function has no name"), 0;
    const module_func *f = e->op == EXPR_CALL_FUNC ? module_find(c->r->m, name) : NULL;
    if (e->op == EXPR_CALL_FUNC && (!f || f->kind == FUNC_GRAPH))
        return compile_fail(c, "%s is no loop program of the module", name), 0;
    call k = {.name = f && f->kind == FUNC_EXTERN ? f->symbol : name, .args = e->count - first, .type = e->type};
    k.func = f && f->kind == FUNC_LOOP ? f->loop : NULL;
    call_arg *arg = ARENA_NEW(c->mem, call_arg, k.args);
    for (uint32_t i = 0; i < k.args; i++)
        if (!compile_argument(c, e->in[first + i], &arg[i])) return 0;
    k.arg = arg;
    bool returns = e->type.kind != DTYPE_VOID && e->type.kind != DTYPE_HANDLE;
    k.result = returns ? compile_register(c, 1) : NO_REGISTER;
    VEC_PUSH(c->mem, &c->call, k);
    compile_emit(c, CODE_CALL, 0, 0, c->call.len - 1);
    compile_forget(c);
    return returns ? k.result : 0;
}

// --- Intrinsics with effects.

// Outside of a region threads run one after the other, and there is nobody to wait for.
static uint32_t compile_sync(compiler *c, const expr *e) {
    const expr *scope = e->in[0];
    bool warp = scope->op == EXPR_STRING && text_starts(scope->as.text, "warp");
    if (c->threads.on) compile_emit_x(c, CODE_BARRIER, warp ? BARRIER_WARP : BARRIER_BLOCK, 0, 0, 0);
    return compile_forget(c), 0;
}

// The jump is patched by the loop it leaves or continues.
static uint32_t compile_leave(compiler *c, bool breaks) {
    if (!c->in_loop) return compile_fail(c, "T.%s_loop outside of a loop", breaks ? "break" : "continue"), 0;
    uint32_t jump = compile_emit(c, CODE_JUMP, 0, 0, 0);
    if (breaks)
        VEC_PUSH(c->mem, &c->breaks, jump);
    else
        VEC_PUSH(c->mem, &c->continues, jump);
    return 0;
}

// T.ret(0) of lowered host code returns a number as well; the caller of a program without a result ignores it.
static uint32_t compile_return(compiler *c, const expr *e) {
    bool gives = e->count && e->in[0]->type.kind != DTYPE_HANDLE;
    compile_emit_x(c, CODE_RETURN, gives, gives ? compile_value(c, e->in[0], 0) : 0, 0, 0);
    return 0;
}

// Threads only change at barriers, so loading and storing is one step.
static uint32_t compile_atomic_add(compiler *c, const expr *e) {
    const expr *address = e->in[0];
    bool element = address->op == EXPR_CALL && address->as.intrin->id == INTRIN_ADDRESS_OF;
    if (!element || address->in[0]->op != EXPR_LOAD) return compile_fail(c, "T.atomic_add: want T.address_of(…)"), 0;
    const expr *load = address->in[0];
    uint32_t *index = compile_list(c, load->in, load->count), old = compile_register(c, 1);
    compile_emit(c, CODE_LOAD, old, 0, compile_access(c, load->as.buffer, index, load->count, 0));
    const expr *var = expr_new_var(c->s, "old", dtype_scalar(load->type));
    compile_set(c, var, old);
    uint32_t sum = compile_binary(c, EXPR_ADD, var, e->in[1]);
    compile_emit(c, CODE_STORE, sum, 0, compile_access(c, load->as.buffer, index, load->count, 0));
    return compile_forget(c), old;
}

uint32_t compile_call(compiler *c, const expr *e) {
    if (e->op == EXPR_CALL_FUNC) return compile_function_call(c, e);
    const intrinsic *f = e->as.intrin;
    switch (f->id) {
    case INTRIN_CALL_EXTERN:
    case INTRIN_CALL_PURE_EXTERN:
    case INTRIN_CALL_PACKED:
    case INTRIN_CALL_PACKED_LOWERED:
    case INTRIN_CALL_CPACKED:
    case INTRIN_CALL_CPACKED_LOWERED: return compile_function_call(c, e);
    case INTRIN_TVM_STORAGE_SYNC: return compile_sync(c, e);
    case INTRIN_BREAK_LOOP: return compile_leave(c, true);
    case INTRIN_CONTINUE_LOOP: return compile_leave(c, false);
    case INTRIN_RET: return compile_return(c, e);
    case INTRIN_THREAD_RETURN: return compile_emit(c, CODE_RETURN, 0, 0, 0), 0;
    case INTRIN_ASSUME: return compile_emit(c, CODE_ASSERT, compile_value(c, e->in[0], 0), 0, 0), 0;
    case INTRIN_UNDEF: return compile_int(c, 0);
    case INTRIN_ATOMIC_ADD: return compile_atomic_add(c, e);
    case INTRIN_PREFETCH:
    case INTRIN_START_PROFILE_INTRINSIC:
    case INTRIN_END_PROFILE_INTRINSIC: return 0;
    default: break; // an open set: rows of a table
    }
    compile_fail(c, "the interpreter has no meaning for T.%s", f->name);
    return 0;
}
