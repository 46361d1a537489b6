// compile_expr.c - expressions of loop programs to instructions: one lane at a time, each distinct value once.
#include "interp/compile.h"

// --- Values that are known already.

// Lane 0 is nearly always meant, so it has the plain key; others are mixed, and checked when found.
static uint64_t known_key(const expr *e, uint32_t lane) { return lane ? hash_mix(MAP_KEY(e), lane) : MAP_KEY(e); }

static const known_value *find_known(compiler *c, const expr *e, uint32_t lane) {
    const known_value *k = map_find(&c->known, known_key(e, lane));
    if (!k || k->e != e || k->lane != lane || k->epoch != c->epoch || !c->open.at[k->scope]) return NULL;
    return k->reads && k->version != c->version ? NULL : k;
}

// Replaces what was known of the same node in a scope that is closed by now.
static void remember(compiler *c, const expr *e, uint32_t lane, uint32_t reg) {
    known_value *k = ARENA_NEW(c->mem, known_value, 1);
    bool number = e->op == EXPR_INT || e->op == EXPR_FLOAT; // set before the program starts
    *k = (known_value){e, lane, reg, number ? 0 : c->scope, c->version, c->epoch, c->reads};
    map_put(&c->known, known_key(e, lane), k);
}

// --- Instructions by type.

typedef enum arith_class { CLASS_OTHER, CLASS_I64, CLASS_I32, CLASS_F32, CLASS_FLOAT, CLASS_BOOL, CLASSES } arith_class;

// Other integers (int8, uint64, …) go through expr_apply, which wraps and checks as their types ask.
static arith_class class_of(dtype t) {
    if (t.kind == DTYPE_I64) return CLASS_I64;
    if (t.kind == DTYPE_I32) return CLASS_I32;
    if (t.kind == DTYPE_F32) return CLASS_F32;
    if (dtype_is_float(t)) return CLASS_FLOAT;
    return dtype_family_of(t) == FAMILY_BOOL ? CLASS_BOOL : CLASS_OTHER;
}

#define NONE CODE_APPLY
// By operation and class of the operands.
static const uint8_t binary_code[EXPR_OPS][CLASSES] = {
    [EXPR_ADD] = {NONE, CODE_ADD_I64, CODE_ADD_I32, CODE_ADD_F32, CODE_ADD_FLOAT, NONE},
    [EXPR_SUB] = {NONE, CODE_SUB_I64, CODE_SUB_I32, CODE_SUB_F32, CODE_SUB_FLOAT, NONE},
    [EXPR_MUL] = {NONE, CODE_MUL_I64, CODE_MUL_I32, CODE_MUL_F32, CODE_MUL_FLOAT, NONE},
    [EXPR_DIV] = {NONE, NONE, NONE, CODE_DIV_F32, CODE_DIV_FLOAT, NONE},
    [EXPR_FLOOR_DIV] = {NONE, CODE_FLOOR_DIV, CODE_FLOOR_DIV, NONE, NONE, NONE},
    [EXPR_FLOOR_MOD] = {NONE, CODE_FLOOR_MOD, CODE_FLOOR_MOD, NONE, NONE, NONE},
    [EXPR_MIN] = {NONE, CODE_MIN_INT, CODE_MIN_INT, CODE_MIN_FLOAT, CODE_MIN_FLOAT, NONE},
    [EXPR_MAX] = {NONE, CODE_MAX_INT, CODE_MAX_INT, CODE_MAX_FLOAT, CODE_MAX_FLOAT, NONE},
    [EXPR_EQ] = {NONE, CODE_EQ_INT, CODE_EQ_INT, CODE_EQ_FLOAT, CODE_EQ_FLOAT, CODE_EQ_INT},
    [EXPR_NE] = {NONE, CODE_NE_INT, CODE_NE_INT, CODE_NE_FLOAT, CODE_NE_FLOAT, CODE_NE_INT},
    [EXPR_LT] = {NONE, CODE_LT_INT, CODE_LT_INT, CODE_LT_FLOAT, CODE_LT_FLOAT, NONE},
    [EXPR_LE] = {NONE, CODE_LE_INT, CODE_LE_INT, CODE_LE_FLOAT, CODE_LE_FLOAT, NONE},
    [EXPR_GT] = {NONE, CODE_LT_INT, CODE_LT_INT, CODE_LT_FLOAT, CODE_LT_FLOAT, NONE},
    [EXPR_GE] = {NONE, CODE_LE_INT, CODE_LE_INT, CODE_LE_FLOAT, CODE_LE_FLOAT, NONE},
    [EXPR_AND] = {NONE, NONE, NONE, NONE, NONE, CODE_AND},
    [EXPR_OR] = {NONE, NONE, NONE, NONE, NONE, CODE_OR},
};

// Rare operations go through expr_apply, which defines them; only hot ones have instructions.
static uint32_t emit_applied(compiler *c, const expr *e, const uint32_t *in) {
    uint32_t to = compile_register(c, 1);
    if (e->count > APPLY_MAX_OPERANDS) compile_fail(c, "a call of more than %d arguments", APPLY_MAX_OPERANDS);
    VEC_PUSH(c->mem, &c->applied, ((applied){e, in}));
    compile_emit(c, CODE_APPLY, to, 0, c->applied.len - 1);
    return to;
}

// Scalars next to vectors (the condition of a select) have lane 0 only.
static uint32_t *operands(compiler *c, const expr *e, uint32_t lane) {
    uint32_t *in = ARENA_NEW(c->mem, uint32_t, e->count);
    for (uint32_t i = 0; i < e->count; i++) {
        bool name = expr_is_grid_name(e, i); // which the call reads by itself
        in[i] = name ? 0 : compile_value(c, e->in[i], dtype_lanes(e->in[i]->type) > 1 ? lane : 0);
    }
    return in;
}

static uint32_t compile_applied(compiler *c, const expr *e, uint32_t lane) {
    return emit_applied(c, e, operands(c, e, lane));
}

// a > b is b < a, also for NaN: no instructions of their own.
static uint32_t compile_arith(compiler *c, const expr *e, uint32_t lane) {
    dtype t = dtype_scalar(e->in[0]->type);
    code what = binary_code[e->op][class_of(t)];
    uint32_t *in = operands(c, e, lane);
    if (what == CODE_APPLY) return emit_applied(c, e, in);
    bool swapped = e->op == EXPR_GT || e->op == EXPR_GE;
    uint32_t to = compile_register(c, 1);
    unsigned x = what == CODE_FLOOR_DIV || what == CODE_FLOOR_MOD ? dtype_bits(t) : t.kind;
    compile_emit_x(c, what, x, to, in[swapped ? 1 : 0], in[swapped ? 0 : 1]);
    return to;
}

// --- Casts.

static uint32_t convert(compiler *c, code what, unsigned x, uint32_t from) {
    uint32_t to = compile_register(c, 1);
    compile_emit_x(c, what, x, to, from, 0);
    return to;
}

// Is every value of `from` one of `to`, with the same content of a register?
static bool widens(dtype from, dtype to) {
    if (dtype_is_float(from)) return to.kind == DTYPE_F64 || (to.kind == DTYPE_F32 && dtype_bits(from) <= 16);
    dtype_family family = dtype_family_of(from);
    if (family == FAMILY_BOOL) return dtype_is_int(to) && dtype_bits(to) > 1;
    if (to.kind == DTYPE_I64 && dtype_bits(from) < 64) return true;
    return dtype_family_of(to) == family && dtype_bits(to) >= dtype_bits(from);
}

// Registers hold integers sign- or zero-extended and floats as doubles, so widening is nothing at all.
static uint32_t compile_cast(compiler *c, const expr *e, uint32_t lane) {
    dtype to = dtype_scalar(e->type), from = dtype_scalar(e->in[0]->type);
    if (from.kind == DTYPE_HANDLE || to.kind == DTYPE_HANDLE) return compile_applied(c, e, lane);
    uint32_t in = compile_value(c, e->in[0], lane);
    if (dtype_is_float(from) == dtype_is_float(to) && widens(from, to)) return in;
    if (dtype_is_float(from) && dtype_is_float(to)) return convert(c, CODE_ROUND, to.kind, in);
    if (to.kind == DTYPE_I32 && dtype_is_int(from)) return convert(c, CODE_WRAP_I32, 0, in);
    uint32_t *list = ARENA_NEW(c->mem, uint32_t, 1);
    list[0] = in;
    return emit_applied(c, e, list);
}

// --- Choice. Only the side that is taken is evaluated.

// Values computed in one branch are not known in the other, nor behind.
static uint32_t compile_if_then_else(compiler *c, const expr *e, uint32_t lane) {
    uint32_t to = compile_register(c, 1);
    uint32_t otherwise = compile_emit(c, CODE_JUMP_IF_ZERO, compile_value(c, e->in[0], 0), 0, 0);
    uint32_t outer = compile_open(c);
    compile_emit(c, CODE_MOVE, to, compile_value(c, e->in[1], lane), 0);
    compile_close(c, outer);
    uint32_t end = compile_emit(c, CODE_JUMP, 0, 0, 0);
    compile_patch(c, otherwise);
    outer = compile_open(c);
    compile_emit(c, CODE_MOVE, to, compile_value(c, e->in[2], lane), 0);
    compile_close(c, outer);
    compile_patch(c, end);
    return to;
}

// Both sides are evaluated, unlike in T.if_then_else: SELECT is for values without effects.
static uint32_t compile_select(compiler *c, const expr *e, uint32_t lane) {
    uint32_t *in = operands(c, e, lane), to = compile_register(c, 1);
    compile_emit(c, CODE_MOVE, to, in[0], 0);
    compile_emit(c, CODE_SELECT, to, in[1], in[2]);
    return to;
}

// --- Vectors.

// base + lane * step, folded by the builder for constant steps.
static uint32_t compile_ramp(compiler *c, const expr *e, uint32_t lane) {
    dtype t = e->in[1]->type;
    if (!dtype_is_int(t) || lane > dtype_int_max(t)) return compile_fail(c, "T.Ramp: want a step of whole numbers"), 0;
    const expr *step = compile_pair(c, EXPR_MUL, e->in[1], expr_int(c->s, t, lane));
    return compile_binary(c, EXPR_ADD, e->in[0], step);
}

static uint32_t compile_shuffle(compiler *c, const expr *e, uint32_t lane) {
    uint32_t chosen = (uint32_t)e->as.ival, vectors = e->count - chosen;
    int64_t at = e->in[vectors + lane]->as.ival;
    for (uint32_t i = 0; i < vectors; i++) {
        unsigned lanes = dtype_lanes(e->in[i]->type);
        if (at >= 0 && at < lanes) return compile_value(c, e->in[i], (uint32_t)at);
        at -= lanes;
    }
    compile_fail(c, "T.Shuffle: lane %lld is none of its vectors'", (long long)e->in[vectors + lane]->as.ival);
    return 0;
}

// All lanes are bound, whichever is asked for: the body may use others.
static uint32_t compile_let(compiler *c, const expr *e, uint32_t lane) {
    uint32_t first = compile_bind(c, e->in[0]);
    for (uint32_t i = 0; i < dtype_lanes(e->in[0]->type); i++)
        compile_emit(c, CODE_MOVE, first + i, compile_value(c, e->in[1], i), 0);
    return compile_value(c, e->in[2], lane);
}

// In a buffer of vectors an element has several lanes; a vector of indices has them vary slower.
static uint32_t compile_load(compiler *c, const expr *e, uint32_t lane) {
    const buffer *b = e->as.buffer;
    unsigned own = dtype_lanes(b->type);
    uint32_t *index = ARENA_NEW(c->mem, uint32_t, e->count);
    for (uint32_t i = 0; i < e->count; i++)
        index[i] = compile_value(c, e->in[i], dtype_lanes(e->in[i]->type) > 1 ? lane / own : 0);
    uint32_t to = compile_register(c, 1);
    c->reads = true;
    compile_emit(c, CODE_LOAD, to, 0, compile_access(c, b, index, e->count, lane % own));
    return to;
}

static uint32_t compile_var(compiler *c, const expr *e, uint32_t lane) {
    uintptr_t reg = (uintptr_t)map_find(&c->vars, MAP_KEY(e));
    if (reg) return (uint32_t)reg - 1 + lane;
    compile_fail(c, "variable %s has no value here", e->as.var->name);
    return 0;
}

// Constants have registers that are set before the program starts.
static uint32_t compile_number(compiler *c, const expr *e) {
    scalar number = {.i = e->as.ival};
    if (e->op == EXPR_FLOAT) number.f = e->as.fval;
    uint32_t reg = compile_register(c, 1);
    VEC_PUSH(c->mem, &c->constant_reg, reg);
    VEC_PUSH(c->mem, &c->constant, number);
    return reg;
}

// T.likely and friends mean their argument.
static uint32_t compile_intrinsic(compiler *c, const expr *e, uint32_t lane) {
    const intrinsic *f = e->as.intrin;
    if (f->id == INTRIN_IF_THEN_ELSE) return compile_if_then_else(c, e, lane);
    if (f->id == INTRIN_LIKELY) return compile_value(c, e->in[0], lane);
    if (f->pure && f->type != INTRIN_HANDLE) return compile_applied(c, e, lane);
    c->reads = true;
    return compile_call(c, e);
}

// Closed over the operations: a new one does not compile until it has a meaning here.
static uint32_t compile_node(compiler *c, const expr *e, uint32_t lane) {
    switch ((expr_op)e->op) {
    case EXPR_INT:
    case EXPR_FLOAT: return compile_number(c, e);
    case EXPR_VAR: return compile_var(c, e, lane);
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_FLOOR_DIV:
    case EXPR_FLOOR_MOD:
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE:
    case EXPR_AND:
    case EXPR_OR: return compile_arith(c, e, lane);
    case EXPR_TRUNC_DIV:
    case EXPR_TRUNC_MOD: return compile_applied(c, e, lane);
    case EXPR_NOT: return convert(c, CODE_NOT, 0, compile_value(c, e->in[0], lane));
    case EXPR_SELECT: return compile_select(c, e, lane);
    case EXPR_CAST: return compile_cast(c, e, lane);
    case EXPR_CALL: return compile_intrinsic(c, e, lane);
    case EXPR_CALL_FUNC: c->reads = true; return compile_call(c, e);
    case EXPR_LOAD: return compile_load(c, e, lane);
    case EXPR_RAMP: return compile_ramp(c, e, lane);
    case EXPR_BROADCAST: return compile_value(c, e->in[0], 0);
    case EXPR_SHUFFLE: return compile_shuffle(c, e, lane);
    case EXPR_LET: return compile_let(c, e, lane);
    case EXPR_STRING:
    case EXPR_OPS: break;
    }
    compile_fail(c, "%s has no value", expr_op_name(e->op));
    return 0;
}

// The depth is that of the tree, which text limits to 200 levels; chains built by code may be longer.
uint32_t compile_value(compiler *c, const expr *e, uint32_t lane) {
    if (c->failed) return 0;
    const known_value *k = find_known(c, e, lane);
    if (k) return c->reads = c->reads || k->reads, k->reg;
    if (lane >= dtype_lanes(e->type)) return compile_fail(c, "vectors whose lanes do not fit"), 0;
    if (++c->depth > COMPILE_MAX_DEPTH) return compile_fail(c, "the expression is nested too deeply"), 0;
    bool outside = c->reads;
    c->reads = false;
    uint32_t reg = compile_node(c, e, lane);
    if (e->op != EXPR_VAR) remember(c, e, lane, reg);
    c->reads = c->reads || outside;
    c->depth--;
    return reg;
}

// Scalars only: indices, extents, arguments of calls.
uint32_t *compile_list(compiler *c, const expr *const *e, uint32_t count) {
    uint32_t *out = ARENA_NEW(c->mem, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) out[i] = compile_value(c, e[i], 0);
    return out;
}

// expr_binary takes operands of one type as given; a program that was not verified may have others.
const expr *compile_pair(compiler *c, expr_op how, const expr *a, const expr *b) {
    if (dtype_equal(a->type, b->type) && expr_op_allows(how, a->type)) return expr_binary(c->s, how, a, b);
    compile_fail(c, "%s of operands whose types do not fit", expr_op_name(how));
    return a;
}

uint32_t compile_binary(compiler *c, expr_op how, const expr *a, const expr *b) {
    return compile_value(c, compile_pair(c, how, a, b), 0);
}
