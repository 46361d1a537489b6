// counterexample.c - looks for values that make a condition false: small numbers first, then the ends of ranges and the
// numbers in the condition itself, then random ones.
#include "expr/facts.h"

enum { MAX_VARS = 24, MAX_VALUES = 40, MAX_TRIALS = 60000, RANDOM_TRIALS = 8000, SMALL = 20 };

typedef struct choice {
    const expr *var;
    range known;
    uint32_t count;
    int64_t value[MAX_VALUES]; // those to try, the most telling first
} choice;

typedef struct search {
    expr_session *s;
    const facts *f;
    arena *mem;
    const expr *condition;
    expr_env env;
    uint32_t count; // variables
    choice var[MAX_VARS];
    uint64_t state; // of the random numbers: the same on every run
} search;

// Within the range and the class that the facts leave.
static bool is_allowed(const choice *c, wide v) {
    if (v < c->known.low || v > c->known.high || v != (int64_t)v) return false;
    wide m = c->known.multiple, rest = v - c->known.remainder;
    return m ? rest % m == 0 : rest == 0;
}

// Each value once, in the order offered, while there is room.
static void offer(choice *c, wide v) {
    if (c->count == MAX_VALUES || !is_allowed(c, v)) return;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->value[i] == (int64_t)v) return;
    c->value[c->count++] = (int64_t)v;
}

static wide wide_mod(wide a, wide m) { return a - wide_floor_div(a, m) * m; }

// Numbers that stand in an expression, and their neighbours that the known multiple allows.
static void offer_numbers(search *x, choice *c, const expr *e) {
    expr_walk w = expr_walk_from(x->mem, e);
    int64_t k;
    wide step = c->known.multiple > 1 ? c->known.multiple : 1;
    while ((e = expr_walk_next(&w))) {
        if (!expr_const_int(e, &k)) continue;
        wide in_class = k - wide_mod(k - (wide)c->known.remainder, step);
        for (wide near = -1; near <= 1; near++) offer(c, in_class + near * step);
    }
}

// Small multiples first, then numbers from the texts, the ends of the range last.
static void offer_all(search *x, choice *c) {
    wide step = c->known.multiple > 1 ? c->known.multiple : 1;
    wide start = c->known.multiple > 1 ? c->known.remainder : 0; // the class goes through it
    if (c->known.low > start) start = c->known.low;
    for (wide i = 0; i < SMALL / 2; i++) {
        offer(c, start + i * step);
        offer(c, start - i * step);
    }
    offer_numbers(x, c, x->condition);
    for (const facts *f = x->f; f; f = f->outer)
        for (uint32_t i = 0; i < f->given.len; i++) offer_numbers(x, c, f->given.at[i]);
    offer(c, c->known.low);
    offer(c, c->known.high);
}

// Fills in the variables of the condition and of the facts. False where there are too many or other things.
static bool choose_vars(search *x) {
    expr_list vars = {0};
    expr_free_vars(x->condition, x->mem, &vars);
    for (const facts *f = x->f; f; f = f->outer)
        for (uint32_t i = 0; i < f->given.len; i++) expr_free_vars(f->given.at[i], x->mem, &vars);
    map seen = MAP_IN(x->mem);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (map_has(&seen, MAP_KEY(vars.at[i]))) continue;
        map_put(&seen, MAP_KEY(vars.at[i]), x);
        bool condition = dtype_family_of(vars.at[i]->type) == FAMILY_BOOL;
        if (x->count == MAX_VARS || (!expr_is_index(vars.at[i]) && !condition)) return false;
        choice *c = &x->var[x->count++];
        *c = (choice){.var = vars.at[i], .known = condition ? range_of(0, 1) : mono_range(x->s, vars.at[i], x->f)};
        offer_all(x, c);
        if (!c->count) return false;
    }
    return true;
}

static bool is_true(const search *x, const expr *e, bool wanted) {
    scalar v;
    return expr_eval(e, &x->env, &v) == EXPR_DONE && (v.i != 0) == wanted;
}

// The condition is false and all facts are true, and all of them have a value.
static bool refutes(const search *x) {
    if (!is_true(x, x->condition, false)) return false;
    for (const facts *f = x->f; f; f = f->outer)
        for (uint32_t i = 0; i < f->given.len; i++)
            if (!is_true(x, f->given.at[i], true)) return false;
    return true;
}

static void set(search *x, uint32_t i, int64_t v) { expr_env_set(&x->env, x->var[i].var, (scalar){.i = v}); }

// All tuples of candidates whose largest index is `edge`, as an odometer. `trials` counts down.
static bool try_shell(search *x, uint32_t edge, uint32_t *trials) {
    uint32_t at[MAX_VARS] = {0};
    for (;;) {
        bool on_edge = false;
        for (uint32_t i = 0; i < x->count; i++) on_edge = on_edge || at[i] == edge;
        if (on_edge || !x->count) {
            for (uint32_t i = 0; i < x->count; i++) set(x, i, x->var[i].value[at[i]]);
            if (refutes(x)) return true;
        }
        if (!--*trials) return false;
        uint32_t i = 0;
        while (i < x->count && (at[i] == edge || at[i] + 1 >= x->var[i].count)) at[i++] = 0;
        if (i == x->count) return false;
        at[i]++;
    }
}

static uint64_t next_random(search *x) {
    x->state ^= x->state << 13;
    x->state ^= x->state >> 7;
    x->state ^= x->state << 17;
    return x->state;
}

// A candidate, or a number of random size in the range.
static int64_t random_value(search *x, const choice *c) {
    uint64_t r = next_random(x);
    if (r % 2) return c->value[next_random(x) % c->count];
    wide v = (wide)(next_random(x) >> (24 + r / 2 % 40));
    if (r / 128 % 2) v = -v;
    if (c->known.multiple > 1) v = v * c->known.multiple + c->known.remainder;
    if (c->known.low > -(wide)INT64_MAX && c->known.low > v) v = c->known.low + (c->known.low - v) % 1000;
    return is_allowed(c, v) ? (int64_t)v : c->value[0];
}

// The last resort: values from all over the ranges of the variables.
static bool try_random(search *x) {
    for (uint32_t trial = 0; trial < RANDOM_TRIALS; trial++) {
        for (uint32_t i = 0; i < x->count; i++) set(x, i, random_value(x, &x->var[i]));
        if (refutes(x)) return true;
    }
    return false;
}

// Shell by shell, so that the first counterexample found has small values.
static bool find(search *x) {
    uint32_t trials = MAX_TRIALS;
    for (uint32_t edge = 0; edge < MAX_VALUES && trials; edge++) {
        if (try_shell(x, edge, &trials)) return true;
        if (!x->count) return false;
    }
    return try_random(x);
}

static void describe(const search *x, text *out) {
    for (uint32_t i = 0; i < x->count; i++) {
        const expr_var *v = x->var[i].var->as.var;
        bool condition = dtype_family_of(x->var[i].var->type) == FAMILY_BOOL;
        int64_t value = x->env.value[v->id].i;
        if (condition)
            text_format(out, "%s%s = %s", i ? ", " : "", v->name, value ? "True" : "False");
        else
            text_format(out, "%s%s = %lld", i ? ", " : "", v->name, (long long)value);
    }
}

// Not finding one proves nothing.
bool find_counterexample(expr_session *s, const expr *condition, const facts *f, text *out) {
    arena *mem = arena_new();
    search *x = ARENA_NEW(mem, search, 1);
    x->s = s;
    x->f = f;
    x->mem = mem;
    x->condition = condition;
    x->env = expr_env_new(mem, s);
    x->state = 0x9E3779B97F4A7C15u;
    bool found = choose_vars(x) && find(x);
    if (found) describe(x, out);
    arena_free(mem);
    return found;
}
