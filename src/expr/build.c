// build.c - the builders of expressions: each checks what its kind of node promises, then interns.
#include "expr/session.h"
#include <math.h>
#include <string.h>

// --- What types allow

static bool is_bool(dtype t) { return dtype_family_of(t) == FAMILY_BOOL; }
static bool is_number(dtype t) { return dtype_is_int(t) || dtype_is_float(t); }

static const expr *intern(expr_session *s, expr_op op, dtype type, const expr *const *in, uint32_t count) {
    return expr_intern(s, op, type, (expr_payload){0}, in, count);
}

// --- Leaves

// bool is 0 or 1; of uint64 the bits are given.
const expr *expr_int(expr_session *s, dtype type, int64_t value) {
    CHECK(dtype_lanes(type) == 1 && (dtype_is_int(type) || is_bool(type)));
    CHECK(is_bool(type) ? value == 0 || value == 1 : dtype_wrap(type, value) == value);
    return expr_intern(s, EXPR_INT, type, (expr_payload){.ival = value}, NULL, 0);
}

const expr *expr_i64(expr_session *s, int64_t value) { return expr_int(s, DTYPE_OF(I64), value); }

const expr *expr_bool(expr_session *s, bool value) { return expr_int(s, DTYPE_OF(BOOL), value); }

// Constants are interned by their bits, so that -0.0 and 0.0 are two nodes.
const expr *expr_float(expr_session *s, dtype type, double value) {
    CHECK(dtype_lanes(type) == 1 && dtype_is_float(type));
    if (isnan(value)) value = (double)NAN; // one NaN, so that it interns
    return expr_intern(s, EXPR_FLOAT, type, (expr_payload){.fval = value}, NULL, 0);
}

// Names are NUL-terminated everywhere else, so a NUL inside would cut one short.
const expr *expr_string(expr_session *s, const char *bytes, size_t size) {
    CHECK(!size || !memchr(bytes, 0, size));
    return expr_intern(s, EXPR_STRING, DTYPE_OF(HANDLE), (expr_payload){.pointer = expr_name(s, bytes, size)}, NULL, 0);
}

// Each call makes another payload, so no two variables are the same node. Name and id of `like` are not looked at.
static const expr *new_var(expr_session *s, const char *name, dtype type, expr_var like) {
    CHECK(type.kind != DTYPE_VOID);
    expr_var *v = ARENA_NEW(s->mem, expr_var, 1);
    *v = like;
    v->name = expr_name(s, name, strlen(name));
    v->id = s->vars++;
    return expr_intern(s, EXPR_VAR, type, (expr_payload){.pointer = v}, NULL, 0);
}

const expr *expr_new_var(expr_session *s, const char *name, dtype type) {
    return new_var(s, name, type, (expr_var){.size = false});
}

const expr *expr_new_size_var(expr_session *s, const char *name, dtype type) {
    return new_var(s, name, type, (expr_var){.size = true});
}

const expr *expr_new_pointer(expr_session *s, const char *name, dtype element, const char *scope) {
    const char *place = scope ? expr_name(s, scope, strlen(scope)) : NULL;
    return new_var(s, name, DTYPE_OF(HANDLE), (expr_var){.element = element, .scope = place});
}

const expr *expr_new_var_like(expr_session *s, const char *name, const expr *var) {
    CHECK(var->op == EXPR_VAR);
    return new_var(s, name, var->type, *var->as.var);
}

// What the operands of a binary operator may be.
typedef enum operands { NOT_BINARY, NUMBERS, FLOATS, INTS, COMPARABLE, BOOLS } operands;
static const uint8_t operands_of[EXPR_OPS] = {
    [EXPR_ADD] = NUMBERS,    [EXPR_SUB] = NUMBERS,    [EXPR_MUL] = NUMBERS,    [EXPR_DIV] = FLOATS,
    [EXPR_FLOOR_DIV] = INTS, [EXPR_FLOOR_MOD] = INTS, [EXPR_TRUNC_DIV] = INTS, [EXPR_TRUNC_MOD] = INTS,
    [EXPR_MIN] = NUMBERS,    [EXPR_MAX] = NUMBERS,    [EXPR_EQ] = COMPARABLE,  [EXPR_NE] = COMPARABLE,
    [EXPR_LT] = NUMBERS,     [EXPR_LE] = NUMBERS,     [EXPR_GT] = NUMBERS,     [EXPR_GE] = NUMBERS,
    [EXPR_AND] = BOOLS,      [EXPR_OR] = BOOLS,
};

// Closed over the classes of operands.
static bool allowed(operands want, dtype t) {
    switch (want) {
    case NOT_BINARY: return false;
    case NUMBERS: return is_number(t);
    case FLOATS: return dtype_is_float(t);
    case INTS: return dtype_is_int(t);
    case COMPARABLE: return t.kind != DTYPE_VOID;
    case BOOLS: return is_bool(t);
    }
    return false;
}

// Nearly all operands are indices, which every kind takes but floats' and bools'.
bool expr_op_allows(expr_op op, dtype type) {
    operands want = (operands)operands_of[op];
    if (type.kind == DTYPE_I64 && (want == NUMBERS || want == INTS)) return true;
    return allowed(want, type);
}

bool expr_op_compares(expr_op op) { return op >= EXPR_EQ && op <= EXPR_GE; }

static dtype bool_like(dtype t) { return dtype_vector(DTYPE_OF(BOOL), dtype_lanes(t)); }

// --- Operations

// Readers convert before they come here; a mismatch is a bug of ours.
const expr *expr_binary(expr_session *s, expr_op op, const expr *a, const expr *b) {
    CHECK(dtype_equal(a->type, b->type));
    CHECK(expr_op_allows(op, a->type));
    return intern(s, op, expr_op_compares(op) ? bool_like(a->type) : a->type, (const expr *[]){a, b}, 2);
}

const expr *expr_not(expr_session *s, const expr *a) {
    CHECK(is_bool(a->type));
    return intern(s, EXPR_NOT, a->type, &a, 1);
}

// One condition for all lanes, or one for each.
const expr *expr_select(expr_session *s, const expr *c, const expr *a, const expr *b) {
    CHECK(is_bool(c->type) && dtype_equal(a->type, b->type));
    CHECK(dtype_lanes(c->type) == 1 || dtype_lanes(c->type) == dtype_lanes(a->type));
    return intern(s, EXPR_SELECT, a->type, (const expr *[]){c, a, b}, 3);
}

// Lanes never change: a scalar becomes a vector by expr_broadcast.
const expr *expr_cast_written(expr_session *s, dtype type, const expr *a) {
    CHECK(type.kind != DTYPE_VOID && dtype_lanes(type) == dtype_lanes(a->type));
    return intern(s, EXPR_CAST, type, &a, 1);
}

const expr *expr_cast(expr_session *s, dtype type, const expr *a) {
    return dtype_equal(type, a->type) ? a : expr_cast_written(s, type, a);
}

// --- Calls

// The rules of the table; INTRIN_ANY says that only the caller knows.
bool expr_call_type(const intrinsic *f, const expr *const *arg, uint32_t count, dtype *out) {
    switch (f->type) {
    case INTRIN_SAME: return count > 0 ? *out = arg[0]->type, true : false;
    case INTRIN_SECOND: return count > 1 ? *out = arg[1]->type, true : false;
    case INTRIN_BOOL: return *out = count > 0 ? bool_like(arg[0]->type) : DTYPE_OF(BOOL), true;
    case INTRIN_ANY: return false;
    case INTRIN_INT32: return *out = DTYPE_OF(I32), true;
    case INTRIN_UINT32: return *out = DTYPE_OF(U32), true;
    case INTRIN_HANDLE: return *out = DTYPE_OF(HANDLE), true;
    case INTRIN_VOID: return *out = (dtype){0}, true;
    }
    return false;
}

static bool one_type(const expr *const *arg, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        if (!dtype_equal(arg[i]->type, arg[0]->type)) return false;
    return true;
}

// On these a bool works like an integer of one bit.
static bool bits_are_apart(const intrinsic *f) { return f->id >= INTRIN_BITWISE_AND && f->id <= INTRIN_BITWISE_NOT; }

// What text must be checked against before expr_call takes it for granted.
bool expr_call_takes(const intrinsic *f, const expr *const *arg, uint32_t count) {
    if (count < f->min_args || (f->max_args != INTRIN_VARIADIC && count > f->max_args)) return false;
    switch (f->takes) {
    case TAKES_ANYTHING: return true;
    case TAKES_FLOATS: return dtype_is_float(arg[0]->type) && one_type(arg, count);
    case TAKES_INTS:
        return (dtype_is_int(arg[0]->type) || (is_bool(arg[0]->type) && bits_are_apart(f))) && one_type(arg, count);
    case TAKES_NUMBERS: return is_number(arg[0]->type) && one_type(arg, count);
    case TAKES_SCALED: return dtype_is_float(arg[0]->type) && is_number(arg[1]->type);
    case TAKES_CONDITION: return is_bool(arg[0]->type);
    case TAKES_CHOICE: return is_bool(arg[0]->type) && one_type(arg + 1, 2);
    }
    return false;
}

const expr *expr_call(expr_session *s, const intrinsic *f, dtype type, const expr *const *arg, uint32_t count) {
    dtype ruled = type;
    CHECK(expr_call_takes(f, arg, count));
    CHECK(f->type == INTRIN_ANY || expr_call_type(f, arg, count, &ruled));
    CHECK(type.kind == DTYPE_VOID || dtype_equal(type, ruled));
    return expr_intern(s, EXPR_CALL, ruled, (expr_payload){.pointer = f}, arg, count);
}

// Not checked against the callee, which may be declared later.
const expr *expr_call_func(expr_session *s, const char *name, dtype type, const expr *const *arg, uint32_t count) {
    return expr_intern(s, EXPR_CALL_FUNC, type, (expr_payload){.pointer = expr_name(s, name, strlen(name))}, arg,
                       count);
}

// The buffer is an opaque address here: loop/ checks the number of indices and the type.
const expr *expr_load(expr_session *s, const struct buffer *b, dtype type, const expr *const *index, uint32_t count) {
    CHECK(b && type.kind != DTYPE_VOID);
    return expr_intern(s, EXPR_LOAD, type, (expr_payload){.pointer = b}, index, count);
}

// --- Vectors

// Lanes are 16 bits, as in DLPack.
const expr *expr_ramp(expr_session *s, const expr *base, const expr *stride, unsigned lanes) {
    CHECK(dtype_equal(base->type, stride->type) && dtype_is_int(base->type) && dtype_lanes(base->type) == 1);
    CHECK(lanes > 1 && lanes <= UINT16_MAX);
    return intern(s, EXPR_RAMP, dtype_vector(base->type, lanes), (const expr *[]){base, stride}, 2);
}

const expr *expr_broadcast(expr_session *s, const expr *value, unsigned lanes) {
    CHECK(value->type.kind != DTYPE_VOID && dtype_lanes(value->type) == 1 && lanes > 1 && lanes <= UINT16_MAX);
    return intern(s, EXPR_BROADCAST, dtype_vector(value->type, lanes), &value, 1);
}

const expr *expr_shuffle(expr_session *s, const expr *const *vector, uint32_t vectors, const expr *const *lane,
                         uint32_t lanes) {
    CHECK(vectors > 0 && lanes > 0 && lanes <= UINT16_MAX);
    const expr **in = ARENA_NEW(s->mem, const expr *, (size_t)vectors + lanes);
    memcpy(in, vector, vectors * sizeof *in);
    memcpy(in + vectors, lane, lanes * sizeof *in);
    for (uint32_t i = 0; i < vectors; i++)
        CHECK(dtype_equal(dtype_scalar(vector[i]->type), dtype_scalar(vector[0]->type)));
    for (uint32_t i = 0; i < lanes; i++) CHECK(lane[i]->op == EXPR_INT);
    return expr_intern(s, EXPR_SHUFFLE, dtype_vector(dtype_scalar(vector[0]->type), lanes),
                       (expr_payload){.ival = lanes}, in, vectors + lanes);
}

// --- Others

// Each let has a variable of its own: substitution relies on it.
const expr *expr_let(expr_session *s, const expr *var, const expr *value, const expr *body) {
    CHECK(var->op == EXPR_VAR && dtype_equal(var->type, value->type));
    return intern(s, EXPR_LET, body->type, (const expr *[]){var, value, body}, 3);
}

// Nothing changes in most rewrites, so that the node itself comes back.
const expr *expr_with(expr_session *s, const expr *like, const expr *const *in) {
    bool same = true;
    for (uint32_t i = 0; i < like->count; i++) {
        CHECK(dtype_equal(in[i]->type, like->in[i]->type));
        same = same && in[i] == like->in[i];
    }
    if (same) return like;
    CHECK(like->op != EXPR_LET || in[0]->op == EXPR_VAR);
    expr_payload as;
    memcpy(&as, &like->as, sizeof as);
    return expr_intern(s, like->op, like->type, as, in, like->count);
}
