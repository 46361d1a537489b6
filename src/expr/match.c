// match.c - matches dims written with variables against values: (n, n + 1, m * 4) against (3, 4, 8) gives n = 3, m = 2.
//
// Plain variables are bound first, in order; then dims with one unbound variable are solved, until nothing changes.
// What is left can only be checked once the values are known: it becomes a condition.
#include "expr/reduce.h"

typedef struct matching {
    expr_session *s;
    const expr *const *value;
    const map *bindable;
    const facts *f;
    dims_match *m;
    bool *done; // per dim
} matching;

static const expr *value_of(const matching *x, uint32_t i, dtype type) { return expr_cast(x->s, type, x->value[i]); }

// Only the first contradiction is told.
static void contradict(matching *x, uint32_t dim, const expr *condition) {
    if (x->m->contradiction) return;
    x->m->contradiction = true;
    x->m->dim = dim;
    x->m->contradicts = condition;
}

// Requires a condition that binding or comparing dim i left.
static void require(matching *x, uint32_t dim, const expr *condition) {
    if (prove_true(x->s, condition, x->f)) return;
    if (prove_true(x->s, negate_condition(x->s, condition), x->f))
        contradict(x, dim, condition);
    else
        VEC_PUSH(x->m->bound.mem, &x->m->conditions, expr_simplify(x->s, condition, x->f));
}

static void bind(matching *x, const expr *var, const expr *value) {
    map_put(&x->m->bound, MAP_KEY(var), (void *)(uintptr_t)value);
}

// The only variable of `dim` that may still be bound. NULL: there is none, or *several.
static const expr *free_var(const matching *x, const expr *dim, bool *several) {
    arena *mem = arena_new();
    expr_list vars = {0};
    const expr *found = NULL;
    *several = false;
    expr_free_vars(dim, mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (!map_has(x->bindable, MAP_KEY(vars.at[i])) || map_has(&x->m->bound, MAP_KEY(vars.at[i]))) continue;
        *several = *several || found;
        found = vars.at[i];
    }
    arena_free(mem);
    return *several ? NULL : found;
}

// No variable is left to bind: the dim must equal its value.
static void compare(matching *x, uint32_t i, const expr *dim) {
    x->done[i] = true;
    require(x, i, expr_binary(x->s, EXPR_EQ, dim, value_of(x, i, dim->type)));
}

// What is bound may leave conditions: that the division is exact, that a size is not negative.
static void solve_dim(matching *x, uint32_t i, const expr *dim, const expr *var) {
    const expr *solution, *condition, *value = value_of(x, i, dim->type);
    const expr *equation = expr_binary(x->s, EXPR_EQ, dim, value);
    switch (expr_solve(x->s, dim, value, var, x->f, &solution, &condition)) {
    case SOLVE_UNIQUE:
        x->done[i] = true;
        bind(x, var, solution);
        if (condition) require(x, i, condition);
        if (var->as.var->size) require(x, i, expr_binary(x->s, EXPR_LE, expr_int(x->s, var->type, 0), solution));
        break;
    case SOLVE_NONE:
        x->done[i] = true;
        contradict(x, i, equation);
        break;
    case SOLVE_NOT_UNIQUE:
    case SOLVE_UNKNOWN: break;
    }
}

// One round over the dims that are left. True if it settled one.
static bool match_round(matching *x, const expr *const *dim, uint32_t rank, bool plain_only) {
    bool any = false;
    for (uint32_t i = 0; i < rank && !x->m->contradiction; i++) {
        bool several;
        if (x->done[i]) continue;
        const expr *now = expr_substitute(x->s, dim[i], &x->m->bound), *var = free_var(x, now, &several);
        if (now == var) {
            bind(x, var, value_of(x, i, var->type));
            x->done[i] = true;
        } else if (!plain_only && !var && !several) {
            compare(x, i, now);
        } else if (!plain_only && var) {
            solve_dim(x, i, now, var);
        }
        any = any || x->done[i];
    }
    return any;
}

void expr_match_dims(expr_session *s, const expr *const *dim, const expr *const *value, uint32_t rank,
                     const map *bindable, const facts *f, dims_match *m) {
    matching x = {.s = s, .value = value, .bindable = bindable, .f = f, .m = m};
    x.done = ARENA_NEW(m->bound.mem, bool, rank);
    match_round(&x, dim, rank, true);
    while (match_round(&x, dim, rank, false)) continue;
    for (uint32_t i = 0; i < rank && !m->contradiction; i++)
        if (!x.done[i]) compare(&x, i, expr_substitute(s, dim[i], &m->bound));
}
