// eval.c - evaluates an expression under values for its variables.
//
// Small expressions recurse to a fixed depth; what is larger goes through a stack and a table of results by node, so
// that neither depth nor sharing costs more than its distinct nodes. Both give the same: a status is part of a result,
// and an operation has the status of its first operand that failed (if_then_else: of the condition, then of the side it
// takes).
#include "expr/eval.h"

enum { SMALL_NODES = 64, SMALL_OPERANDS = 8 };

typedef struct result {
    expr_status status;
    scalar value;
} result;

// --- One node

static result variable(const expr *e, const expr_env *env) {
    uint32_t id = e->as.var->id;
    if (dtype_lanes(e->type) > 1) return (result){.status = EXPR_NOT_SCALAR};
    if (!env || id >= env->room || !env->bound[id]) return (result){.status = EXPR_UNBOUND};
    return (result){EXPR_DONE, env->value[id]};
}

static result if_then_else(const result *in) {
    if (in[0].status != EXPR_DONE) return in[0];
    return in[0].value.i ? in[1] : in[2];
}

// `value` has room for the operands.
static result combine(const expr *e, const result *in, scalar *value) {
    result r = {.status = EXPR_NOT_SCALAR};
    if (dtype_lanes(e->type) > 1) return r;
    if (expr_is_choice(e)) return if_then_else(in);
    for (uint32_t i = 0; i < e->count; i++) {
        if (in[i].status != EXPR_DONE && !expr_is_grid_name(e, i)) return in[i];
        value[i] = in[i].value;
    }
    r.status = expr_apply(e, value, &r.value);
    return r;
}

// --- Small expressions

// False if e is not small: too many nodes, too many operands, or LET.
static bool eval_small(const expr *e, const expr_env *env, unsigned *nodes, result *out) {
    result in[SMALL_OPERANDS];
    scalar value[SMALL_OPERANDS];
    if (e->op == EXPR_VAR) return *out = variable(e, env), true;
    if (e->op == EXPR_LET || e->count > SMALL_OPERANDS || ++*nodes > SMALL_NODES) return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (!eval_small(e->in[i], env, nodes, &in[i])) return false;
    *out = combine(e, in, value);
    return true;
}

// --- Large expressions

typedef struct evaluation {
    arena *mem;
    const expr_env *env;
    map done; // MAP_KEY(node) -> result *
    expr_list todo;
} evaluation;

static result *result_of(const evaluation *v, const expr *e) { return map_find(&v->done, MAP_KEY(e)); }

static void set_result(evaluation *v, const expr *e, result r) {
    result *kept = ARENA_NEW(v->mem, result, 1);
    *kept = r;
    map_put(&v->done, MAP_KEY(e), kept);
}

static bool need(evaluation *v, const expr *e) {
    if (result_of(v, e)) return false;
    VEC_PUSH(v->mem, &v->todo, e);
    return true;
}

// True if operands had to be put on the stack first.
static bool needs_operands(evaluation *v, const expr *e) {
    bool missing = false;
    if (e->op == EXPR_LET) {
        if (need(v, e->in[1])) return true;
        set_result(v, e->in[0], *result_of(v, e->in[1]));
    }
    for (uint32_t i = e->count; i-- > 0;) missing = need(v, e->in[i]) || missing;
    return missing;
}

static result eval_node(evaluation *v, const expr *e) {
    if (e->op == EXPR_VAR) return variable(e, v->env);
    result *in = ARENA_NEW(v->mem, result, e->count);
    for (uint32_t i = 0; i < e->count; i++) in[i] = *result_of(v, e->in[i]);
    return combine(e, in, ARENA_NEW(v->mem, scalar, e->count));
}

// Off the machine's stack, for expressions deeper than the quick path takes.
static result eval_large(const expr *e, const expr_env *env) {
    arena *mem = arena_new();
    evaluation v = {.mem = mem, .env = env, .done = MAP_IN(mem)};
    VEC_PUSH(mem, &v.todo, e);
    while (v.todo.len) {
        const expr *top = v.todo.at[v.todo.len - 1];
        if (!result_of(&v, top)) {
            if (needs_operands(&v, top)) continue;
            set_result(&v, top, eval_node(&v, top));
        }
        v.todo.len--;
    }
    result r = *result_of(&v, e);
    arena_free(mem);
    return r;
}

expr_status expr_eval(const expr *e, const expr_env *env, scalar *out) {
    unsigned nodes = 0;
    result r = {.status = EXPR_DONE};
    if (!eval_small(e, env, &nodes, &r)) r = eval_large(e, env);
    if (r.status == EXPR_DONE) *out = r.value;
    return r.status;
}

// --- Environments

expr_env expr_env_new(arena *mem, const expr_session *s) {
    uint32_t room = expr_var_count(s);
    return (expr_env){.value = ARENA_NEW(mem, scalar, room), .bound = ARENA_NEW(mem, bool, room), .room = room};
}

// Variables made after expr_env_new have no place in it and stay unbound.
void expr_env_set(expr_env *env, const expr *var, scalar value) {
    CHECK(var->op == EXPR_VAR && var->as.var->id < env->room);
    env->value[var->as.var->id] = value;
    env->bound[var->as.var->id] = true;
}
