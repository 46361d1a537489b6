// fuzz_expr_simplify.c - an expression from bytes, canonical and simplified under facts from bytes: the value stays on
// random bindings, bounds hold, and what is proved is true there.
//
// Each byte is one step of a stack machine: push a variable or a number, or replace operands by an operation.
#include "expr/prove.h"
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VARS = 4, STACK = 32, MAX_STEPS = 96, BINDINGS = 24, MAX_FACTS = 3, INPUTS_PER_SESSION = 256 };

__extension__ typedef __int128 wide;

typedef struct machine {
    expr_session *s;
    const uint8_t *data;
    size_t size, at;
    const expr *var[VARS];
    const expr *stack[STACK];
    uint32_t depth;
} machine;

static uint8_t next(machine *m) { return m->at < m->size ? m->data[m->at++] : 0; }

static const expr *pop(machine *m) { return m->depth ? m->stack[--m->depth] : m->var[0]; }

static void push(machine *m, const expr *e) {
    if (m->depth < STACK) m->stack[m->depth++] = e;
}

static const expr *condition(machine *m, uint8_t code) {
    const expr *b = pop(m), *a = pop(m);
    return expr_binary(m->s, (expr_op)(EXPR_EQ + code % 6), a, b);
}

static void push_operation(machine *m, uint8_t code) {
    static const expr_op ops[] = {EXPR_ADD,       EXPR_SUB,       EXPR_MUL, EXPR_FLOOR_DIV, EXPR_FLOOR_MOD,
                                  EXPR_TRUNC_DIV, EXPR_TRUNC_MOD, EXPR_MIN, EXPR_MAX};
    if (code % 10 == 9) {
        const expr *c = condition(m, code / 10), *b = pop(m), *a = pop(m);
        push(m, expr_select(m->s, c, a, b));
        return;
    }
    const expr *b = pop(m), *a = pop(m);
    push(m, expr_binary(m->s, ops[code % 10 % 9], a, b));
}

static void step(machine *m) {
    uint8_t code = next(m);
    if (code < 64)
        push(m, m->var[code % VARS]);
    else if (code < 128)
        push(m, expr_i64(m->s, code - 80));
    else if (code < 136)
        push(m, expr_i64(m->s, (int64_t)((uint64_t)next(m) << (next(m) % 56))));
    else
        push_operation(m, code);
}

static const expr *build(machine *m) {
    m->depth = 0;
    for (uint32_t steps = next(m) % MAX_STEPS; steps; steps--) step(m);
    return pop(m);
}

static uint64_t random_state(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 5;
}

static void bind(machine *m, expr_env *env, uint64_t *state) {
    for (int i = 0; i < VARS; i++) {
        uint64_t r = random_state(state);
        int64_t v = (int64_t)(r / 8 % 33) - 12;
        if (r % 8 == 0) v = (int64_t)(random_state(state) >> (r / 8 % 40)) * (r & 16 ? 1 : -1);
        expr_env_set(env, m->var[i], (scalar){.i = v});
    }
}

static void fail(machine *m, const char *what, const expr *a, const expr *b) {
    arena *mem = expr_arena(m->s);
    fprintf(stderr, "%s: %s and %s\n", what, expr_to_text(mem, a), expr_to_text(mem, b));
    abort();
}

static void check_value(machine *m, const expr_env *env, const char *what, const expr *e, const expr *other) {
    scalar v, w;
    if (expr_eval(e, env, &v) != EXPR_DONE) return;
    expr_status status = expr_eval(other, env, &w);
    if (status != EXPR_OVERFLOW && (status != EXPR_DONE || v.i != w.i)) fail(m, what, e, other);
}

// Equal wherever both have a value.
static void check_equal(machine *m, const expr_env *env, const expr *e, const expr *other) {
    scalar v, w;
    if (expr_eval(e, env, &v) != EXPR_DONE || expr_eval(other, env, &w) != EXPR_DONE) return;
    if (v.i != w.i) fail(m, "equal", e, other);
}

static void check_bounds(machine *m, const expr_env *env, const expr *e, interval r) {
    scalar v;
    if (expr_eval(e, env, &v) != EXPR_DONE) return;
    bool inside = (!r.has_low || v.i >= r.low) && (!r.has_high || v.i <= r.high);
    wide apart = (wide)v.i - r.remainder;
    if (!inside || (r.multiple ? apart % r.multiple != 0 : apart != 0)) fail(m, "bounds", e, e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[VARS] = {"a", "b", "c", "d"};
    static expr_session *session; // shared by many inputs: reading the rules takes longer than one input
    static unsigned inputs;
    if (inputs++ % INPUTS_PER_SESSION == 0) {
        expr_close(session);
        session = expr_open();
    }
    machine m = {.s = session, .data = data, .size = size};
    for (int i = 0; i < VARS; i++) m.var[i] = expr_new_var(m.s, names[i], DTYPE_OF(I64));
    const expr *given[MAX_FACTS];
    uint32_t facts_count = next(&m) % (MAX_FACTS + 1);
    facts *f = facts_new(m.s);
    for (uint32_t i = 0; i < facts_count; i++) {
        build(&m);
        given[i] = condition(&m, next(&m));
        facts_assume(f, given[i]);
    }
    const expr *e = build(&m), *other = build(&m), *claim = expr_binary(m.s, EXPR_LE, e, other);
    const expr *canonical = expr_canon(m.s, e), *simple = expr_simplify(m.s, e, f);
    const expr *simple_claim = expr_simplify(m.s, claim, f);
    interval bounds = expr_bounds(m.s, e, f);
    bool equal = prove_equal(m.s, e, other, f);
    arena *mem = arena_new();
    expr_env env = expr_env_new(mem, m.s);
    uint64_t state = 0x9E3779B97F4A7C15u ^ size;
    for (int i = 0; i < BINDINGS; i++) {
        bool satisfied = true;
        bind(&m, &env, &state);
        check_value(&m, &env, "canonical", e, canonical);
        for (uint32_t j = 0; j < facts_count && satisfied; j++) {
            scalar v;
            satisfied = expr_eval(given[j], &env, &v) == EXPR_DONE && v.i;
        }
        if (!satisfied) continue;
        check_value(&m, &env, "simplified", e, simple);
        check_value(&m, &env, "simplified", claim, simple_claim);
        check_bounds(&m, &env, e, bounds);
        if (equal) check_equal(&m, &env, e, other);
    }
    arena_free(mem);
    return 0;
}
