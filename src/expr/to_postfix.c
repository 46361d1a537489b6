// to_postfix.c - index expressions to the integer programs that the runtime evaluates.
//
// Operations on indices don't wrap, so int32 ones become checked int64 ones. Postfix evaluates both sides of a choice:
// T.if_then_else becomes `select` only where neither side can divide by zero or shift too far.
#include "base/postfix.h"
#include "expr/expr.h"

static const int8_t instruction_of[EXPR_OPS] = {
    [EXPR_ADD] = POSTFIX_ADD,
    [EXPR_SUB] = POSTFIX_SUB,
    [EXPR_MUL] = POSTFIX_MUL,
    [EXPR_FLOOR_DIV] = POSTFIX_FLOOR_DIV,
    [EXPR_FLOOR_MOD] = POSTFIX_FLOOR_MOD,
    [EXPR_TRUNC_DIV] = POSTFIX_TRUNC_DIV,
    [EXPR_TRUNC_MOD] = POSTFIX_TRUNC_MOD,
    [EXPR_MIN] = POSTFIX_MIN,
    [EXPR_MAX] = POSTFIX_MAX,
    [EXPR_EQ] = POSTFIX_EQ,
    [EXPR_NE] = POSTFIX_NE,
    [EXPR_LT] = POSTFIX_LT,
    [EXPR_LE] = POSTFIX_LE,
    [EXPR_GT] = POSTFIX_LT, // operands swapped
    [EXPR_GE] = POSTFIX_LE,
    [EXPR_AND] = POSTFIX_AND,
    [EXPR_OR] = POSTFIX_OR,
    [EXPR_NOT] = POSTFIX_NOT,
    [EXPR_SELECT] = POSTFIX_SELECT,
};

// What is still to be emitted: a node, or (e NULL) an instruction behind its operands.
typedef struct pending {
    const expr *e;
    postfix_op op;
} pending;

typedef struct emitter {
    arena *scratch;
    const map *slot;
    map let; // MAP_KEY(var) -> const expr *: what LET binds it to
    VEC(pending) todo;
    VEC(uint8_t) code;
    uint32_t steps; // nodes emitted: shared ones count each time
} emitter;

static void later(emitter *m, const expr *e) { VEC_PUSH(m->scratch, &m->todo, ((pending){.e = e})); }
// Behind its operands; POSTFIX_SMALL stands for the number 0.
static void later_op(emitter *m, postfix_op op) { VEC_PUSH(m->scratch, &m->todo, ((pending){.op = op})); }

static void put_bytes(emitter *m, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) VEC_PUSH(m->scratch, &m->code, bytes[i]);
}

static void put_int(emitter *m, int64_t value) {
    uint8_t bytes[POSTFIX_LONGEST];
    put_bytes(m, bytes, postfix_put_int(value, bytes));
}

static void put_instruction(emitter *m, postfix_op op, int64_t operand) {
    uint8_t bytes[POSTFIX_LONGEST];
    put_bytes(m, bytes, postfix_put(op, operand, bytes));
}

// Operands in order, then the instruction.
static void emit_in_order(emitter *m, const expr *e, postfix_op op) {
    bool swap = e->op == EXPR_GT || e->op == EXPR_GE;
    later_op(m, op);
    for (uint32_t i = e->count; i-- > 0;) later(m, e->in[swap ? 1 - i : i]);
}

// A variable bound by LET is emitted as its value, each time it is used.
static bool emit_var(emitter *m, const expr *e) {
    const expr *value = map_find(&m->let, MAP_KEY(e));
    if (value) return later(m, value), true;
    uintptr_t slot = (uintptr_t)map_find(m->slot, MAP_KEY(e));
    if (!slot) return false;
    put_instruction(m, POSTFIX_SLOT, (int64_t)slot - 1);
    return true;
}

static bool is_signed_or_bool(dtype t) {
    dtype_family f = dtype_family_of(t);
    return dtype_lanes(t) == 1 && (f == FAMILY_INT || f == FAMILY_BOOL);
}

// Indices keep their value in every integer type, so only a cast to bool does anything.
static bool emit_cast(emitter *m, const expr *e) {
    if (e->type.kind == DTYPE_BOOL) {
        later_op(m, POSTFIX_NE);
        later_op(m, POSTFIX_SMALL);
    }
    later(m, e->in[0]);
    return true;
}

static bool is_shift(const expr *e) {
    return e->op == EXPR_CALL && (e->as.intrin->id == INTRIN_SHIFT_LEFT || e->as.intrin->id == INTRIN_SHIFT_RIGHT);
}

// Whether e may have no value for some values of its variables though its numbers are small: a divisor that may be
// zero, a shift whose count may be out of range.
static bool can_fail(const emitter *m, const expr *e) {
    expr_walk w = expr_walk_from(m->scratch, e);
    while ((e = expr_walk_next(&w))) {
        bool divides = e->op >= EXPR_FLOOR_DIV && e->op <= EXPR_TRUNC_MOD;
        if (divides && (e->in[1]->op != EXPR_INT || !e->in[1]->as.ival)) return true;
        if (is_shift(e) && (e->in[1]->op != EXPR_INT || e->in[1]->as.ival < 0 || e->in[1]->as.ival > 62)) return true;
    }
    return false;
}

// Calls that have an instruction; likely(c) is c.
static bool emit_call(emitter *m, const expr *e) {
    static const struct {
        intrinsic_id id;
        postfix_op op;
    } rows[] = {
        {INTRIN_BITWISE_AND, POSTFIX_BIT_AND},     {INTRIN_BITWISE_OR, POSTFIX_BIT_OR},
        {INTRIN_BITWISE_XOR, POSTFIX_BIT_XOR},     {INTRIN_SHIFT_LEFT, POSTFIX_SHIFT_LEFT},
        {INTRIN_SHIFT_RIGHT, POSTFIX_SHIFT_RIGHT},
    };
    intrinsic_id id = e->as.intrin->id;
    if (id == INTRIN_LIKELY) return later(m, e->in[0]), true;
    if (id == INTRIN_IF_THEN_ELSE) {
        if (can_fail(m, e->in[1]) || can_fail(m, e->in[2])) return false;
        return emit_in_order(m, e, POSTFIX_SELECT), true;
    }
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].id == id) return emit_in_order(m, e, rows[i].op), true;
    return false;
}

static bool emit(emitter *m, const expr *e) {
    if (!is_signed_or_bool(e->type)) return false;
    switch ((expr_op)e->op) {
    case EXPR_INT: return put_int(m, e->as.ival), true;
    case EXPR_VAR: return emit_var(m, e);
    case EXPR_CAST: return emit_cast(m, e);
    case EXPR_CALL: return emit_call(m, e);
    case EXPR_LET: map_put(&m->let, MAP_KEY(e->in[0]), (void *)(uintptr_t)e->in[1]); return later(m, e->in[2]), true;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_FLOOR_DIV:
    case EXPR_FLOOR_MOD:
    case EXPR_TRUNC_DIV:
    case EXPR_TRUNC_MOD:
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
    case EXPR_SELECT: return emit_in_order(m, e, instruction_of[e->op]), true;
    case EXPR_FLOAT:
    case EXPR_STRING:
    case EXPR_DIV:
    case EXPR_CALL_FUNC:
    case EXPR_LOAD:
    case EXPR_RAMP:
    case EXPR_BROADCAST:
    case EXPR_SHUFFLE:
    case EXPR_OPS: break;
    }
    return false;
}

// Bounded even where a shared node would be written out exponentially often.
static bool emit_all(emitter *m, const expr *e) {
    later(m, e);
    while (m->todo.len) {
        pending next = m->todo.at[--m->todo.len];
        if (m->code.len > POSTFIX_MAX_BYTES || ++m->steps > POSTFIX_MAX_BYTES) return false;
        if (next.e) {
            if (!emit(m, next.e)) return false;
        } else if (next.op == POSTFIX_SMALL) {
            put_int(m, 0);
        } else {
            put_instruction(m, next.op, 0);
        }
    }
    return true;
}

// What the runtime can't compute is left to the caller to refuse: it knows where the expression stands.
bool expr_to_postfix(const expr *e, const map *slot, arena *mem, uint8_t **out, size_t *size) {
    arena *scratch = arena_new();
    emitter m = {.scratch = scratch, .slot = slot, .let = MAP_IN(scratch)};
    bool ok = emit_all(&m, e) && postfix_check(m.code.at, m.code.len, UINT32_MAX);
    if (ok) *out = (uint8_t *)arena_copy(mem, m.code.at, *size = m.code.len);
    arena_free(scratch);
    return ok;
}
