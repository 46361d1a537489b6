// models.c - a few values of all variables that satisfy the facts.
//
// Provers are mostly asked what does not hold; evaluating the claim on examples finds that out long before elimination
// gives up. A variable has a small positive value made from its id; where the facts want others, a scope keeps them.
// 1.4x on simplify: bench/bench_prove.c --claims
#include "expr/models.h"
#include "base/size.h"

enum { MODELS = 3, DRAWS = 12, MAX_DEPTH = 24, MAX_NODES = 150 };

// Values where the facts need special ones.
typedef struct model {
    map value; // MAP_KEY(variable) -> int64 *
    uint32_t number;
} model;

struct fact_models {
    uint64_t stamp;
    uint32_t count;
    model at[MODELS];
};

// ---- evaluating ----

static int64_t value_of(const model *m, const expr *var) {
    static const uint8_t most[MODELS] = {7, 23, 60};
    const int64_t *own = map_find(&m->value, MAP_KEY(var));
    if (own) return *own;
    if (dtype_family_of(var->type) == FAMILY_BOOL) return (var->as.var->id + m->number) % 2;
    return 1 + (int64_t)(hash_mix(var->as.var->id, m->number) % most[m->number]);
}

// Bounded in depth and nodes: a claim too large is not worth the time.
static bool evaluate(const model *m, const expr *e, unsigned depth, unsigned *nodes, int64_t *out) {
    scalar in[3], result;
    if (e->op == EXPR_VAR) return *out = value_of(m, e), true;
    if (e->op == EXPR_INT) return *out = e->as.ival, true;
    if (depth == MAX_DEPTH || e->count > COUNT(in) || dtype_is_float(e->type) || ++*nodes > MAX_NODES) return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (dtype_is_float(e->in[i]->type) || !evaluate(m, e->in[i], depth + 1, nodes, &in[i].i)) return false;
    if (e->op == EXPR_LET || expr_apply(e, in, &result) != EXPR_DONE) return false;
    *out = result.i;
    return true;
}

// In 128 bits, where a product of two int64 values fits.
static bool evaluate_sum(const model *m, poly_view v, wide *out) {
    unsigned nodes = 0;
    *out = v.constant;
    for (uint32_t i = 0; i < v.count; i++) {
        int64_t mono;
        if (!evaluate(m, v.term[i].mono, 0, &nodes, &mono)) return false;
        *out += (wide)mono * v.term[i].coef;
    }
    return true;
}

// This scope's conditions alone.
static bool satisfies(const model *m, const facts *f) {
    for (uint32_t i = 0; i < f->given.len; i++) {
        unsigned nodes = 0;
        int64_t holds;
        if (!evaluate(m, f->given.at[i], 0, &nodes, &holds) || !holds) return false;
    }
    return true;
}

// ---- finding them ----

// A value near an end of the variable's range, of its class.
static bool draw(const facts *f, const expr *var, uint64_t random, int64_t *out) {
    range r = dtype_family_of(var->type) == FAMILY_BOOL ? range_of(0, 1) : mono_range(f->s, var, f);
    wide step = r.multiple > 1 ? r.multiple : 1, v = (wide)(random % 24) * step;
    if (r.low > -(wide)INT64_MAX / 2)
        v += r.low > 0 || r.high < 24 * step ? r.low : 0;
    else if (r.high < 24 * step)
        v = r.high - v;
    v -= r.multiple > 1 ? (v - r.remainder) - wide_floor_div(v - r.remainder, step) * step : 0;
    if (v < r.low) v += step;
    if (v < r.low || v > r.high || v != (int64_t)v) return false;
    *out = (int64_t)v;
    return true;
}

static void vars_of_scopes(const facts *f, expr_list *vars) {
    for (const facts *g = f; g; g = g->outer)
        for (uint32_t i = 0; i < g->given.len; i++) expr_free_vars(g->given.at[i], f->mem, vars);
}

static bool satisfies_scopes(const model *m, const facts *f) {
    while (f && satisfies(m, f)) f = f->outer;
    return !f;
}

// Tries random values for the variables of all scopes; the others keep theirs.
static bool draw_model(const facts *f, const expr_list *vars, model *m) {
    for (uint32_t attempt = 0; attempt < DRAWS; attempt++) {
        m->value = MAP_IN(f->mem);
        bool drawn = true;
        for (uint32_t i = 0; i < vars->len && drawn; i++) {
            const expr *var = vars->at[i];
            if (map_has(&m->value, MAP_KEY(var))) continue;
            int64_t *v = ARENA_NEW(f->mem, int64_t, 1);
            drawn = (expr_is_index(var) || dtype_family_of(var->type) == FAMILY_BOOL) &&
                    draw(f, var, hash_mix(var->as.var->id * DRAWS + attempt, m->number), v);
            map_put(&m->value, MAP_KEY(var), v);
        }
        if (drawn && satisfies_scopes(m, f)) return true;
    }
    return false;
}

static const struct fact_models *models_of(const facts *f);

// Those of the outer scope that satisfy this one, else new ones.
static void find_models(const facts *f, struct fact_models *out) {
    const struct fact_models *outer = f->outer ? models_of(f->outer) : NULL;
    expr_list vars = {0};
    if (f->outer && !outer->count) return; // not found out there, so not in here
    for (uint32_t i = 0; i < MODELS; i++) {
        model m = {.value = MAP_IN(f->mem), .number = i};
        bool satisfies_outer = outer && i < outer->count;
        if (satisfies_outer) m = outer->at[i];
        if (satisfies_outer ? !satisfies(&m, f) : !satisfies_scopes(&m, f)) {
            if (!vars.len) vars_of_scopes(f, &vars);
            m.number = i;
            if (!draw_model(f, &vars, &m)) continue;
        }
        out->at[out->count++] = m;
    }
}

// Models are found once per set of facts.
static uint64_t stamp_of(const facts *f) {
    uint64_t stamp = 1;
    for (; f; f = f->outer) stamp += f->version;
    return stamp;
}

static const struct fact_models *models_of(const facts *f) {
    facts_cache *cache = f->cache;
    uint64_t stamp = stamp_of(f);
    if (!cache->models) cache->models = ARENA_NEW(f->mem, struct fact_models, 1);
    if (cache->models->stamp == stamp) return cache->models;
    *cache->models = (struct fact_models){.stamp = stamp};
    find_models(f, cache->models);
    return cache->models;
}

static bool is_false(fact_kind kind, wide v) {
    if (kind == FACT_NOT_NEGATIVE) return v < 0;
    return (v == 0) != (kind == FACT_ZERO);
}

// A few values that satisfy the facts answer most wrong claims before any search.
bool models_refute(expr_session *s, const facts *f, fact_kind kind, poly_view v) {
    struct fact_models none = {.count = MODELS};
    for (uint32_t i = 0; i < MODELS; i++) none.at[i] = (model){.value = MAP_IN(s->mem), .number = i};
    for (const facts *g = f; g; g = g->outer)
        if (g->supposed) return false;
    const struct fact_models *models = f ? models_of(f) : &none;
    for (uint32_t i = 0; i < models->count; i++) {
        wide value;
        if (evaluate_sum(&models->at[i], v, &value) && is_false(kind, value)) return true;
    }
    return false;
}
