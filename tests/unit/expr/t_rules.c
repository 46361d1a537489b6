// t_rules.c - every rule of rules.def holds: on random values, in integers that wrap where it says so, and by z3 where
// that can decide. Wrong rules planted beside them are caught.
#include "expr/rules.h"
#include "fixture.h"
#include <z3.h>

enum { TRIALS = 20000, WRAPPING_TRIALS = 4000, INSTANCES = 60, LEAST_APPLIED = 40, Z3_RESOURCES = 250000 };

// Right-looking rules that are wrong: each part of the check must find one.
static const rule_row planted[] = {
    {"wrong-sum", "(x + y) // c", "x // c + y // c", "c > 0", false},
    {"wrong-when", "min(x, y)", "x", "x <= y + 1", false},
    {"wrong-rounding", "T.truncdiv(x, c)", "x // c", "c > 0", false},
    {"wrong-edge", "x // c < d", "x <= d * c", "c > 0", false},
    {"wrong-sign", "min(x * c, y * c)", "min(x, y) * c", "", false},
};
static const rule_row planted_wrapping[] = {
    {"wrong-wrap", "(x * 2) // 2", "x", "", true},
    {"wrong-order", "x + 1 > x", "True", "", true},
};

typedef struct random_numbers {
    uint64_t state;
} random_numbers;
static const random_numbers seed = {88172645463325252u};

static uint64_t next_random(random_numbers *r) {
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state;
}

// Mostly small, sometimes large.
static int64_t random_integer(random_numbers *r) {
    uint64_t kind = next_random(r) % 8;
    int64_t small = (int64_t)(next_random(r) % 25) - 12;
    if (kind < 5) return small;
    if (kind == 5) return small * 8;
    return (int64_t)(next_random(r) >> (kind == 6 ? 44 : 32)) * (next_random(r) % 2 ? 1 : -1);
}

// ---- random values ----

static void draw_values(random_numbers *r, expr_env *env, const expr_list *vars) {
    for (uint32_t i = 0; i < vars->len; i++) {
        dtype t = vars->at[i]->type;
        bool condition = dtype_family_of(t) == FAMILY_BOOL;
        bool narrow = dtype_bits(t) <= 8 && next_random(r) % 2; // reaches the ends of the type
        int64_t v = condition ? (int64_t)(next_random(r) % 2)
                              : dtype_wrap(t, narrow ? (int64_t)next_random(r) : random_integer(r));
        expr_env_set(env, vars->at[i], (scalar){.i = v});
    }
}

static bool applies(const rule *r, const expr_env *env) {
    scalar v;
    return !r->when || (expr_eval(r->when, env, &v) == EXPR_DONE && v.i);
}

// -1 where the rule does not apply, 0 where it is wrong, 1 where it is right.
static int try_rule(const rule *r, const expr_env *env) {
    scalar from, to;
    if (!applies(r, env) || expr_eval(r->from, env, &from) != EXPR_DONE) return -1;
    expr_status status = expr_eval(r->to, env, &to);
    if (status == EXPR_OVERFLOW) return -1; // the numbers were too large
    return status == EXPR_DONE && to.i == from.i;
}

// The times it applied; 0 if it was wrong once.
static uint32_t check_by_values(expr_session *s, const rule *r) {
    arena *mem = arena_new();
    expr_list vars = {0};
    random_numbers values = seed;
    uint32_t applied = 0;
    bool right = true;
    expr_free_vars(r->from, mem, &vars);
    expr_env env = expr_env_new(mem, s);
    for (uint32_t i = 0; i < TRIALS && right; i++) {
        draw_values(&values, &env, &vars);
        int result = try_rule(r, &env);
        applied += result >= 0;
        right = result != 0;
    }
    arena_free(mem);
    return right ? applied : 0;
}

// The rule read with its letters of a narrow type, so that it wraps.
static bool check_wrapping(const rule_row *row, const char *type) {
    fixture *f;
    fixture_open((void **)&f);
    static const char *const names[] = {"x", "y", "z", "u", "v", "w", "c", "d", "k"};
    static const char *const conditions[] = {"p", "q", "r"};
    for (size_t i = 0; i < COUNT(names); i++) declare(f, names[i], type);
    for (size_t i = 0; i < COUNT(conditions); i++) declare(f, conditions[i], "bool");
    rule r = {.row = row, .from = parsed(f, row->from), .to = parsed(f, row->to)};
    r.when = *row->when ? parsed(f, row->when) : NULL;
    expr_list vars = {0};
    bool right = true;
    random_numbers values = seed;
    expr_free_vars(r.from, f->mem, &vars);
    expr_env env = expr_env_new(f->mem, f->s);
    for (uint32_t i = 0; i < WRAPPING_TRIALS && right; i++) {
        draw_values(&values, &env, &vars);
        scalar from, to;
        if (!applies(&r, &env) || expr_eval(r.from, &env, &from) != EXPR_DONE) continue;
        if (expr_eval(r.to, &env, &to) != EXPR_DONE)
            right = false;
        else
            right = dtype_wrap(r.from->type, to.i) == dtype_wrap(r.from->type, from.i); // a lone 0 is int64 here
    }
    fixture_close((void **)&f);
    return right;
}

// ---- z3 ----

typedef struct solver {
    Z3_context z;
    Z3_ast value[128]; // by letter
    Z3_ast defined;    // no divisor seen so far is zero
    bool unknown;      // something z3 was not told about
} solver;

static Z3_ast number(const solver *v, int64_t k) { return Z3_mk_int64(v->z, k, Z3_mk_int_sort(v->z)); }

static Z3_ast and_also(const solver *v, Z3_ast a, Z3_ast b) { return Z3_mk_and(v->z, 2, (Z3_ast[]){a, b}); }

// z3's div rounds so that the remainder is not negative: floor for a positive divisor.
static Z3_ast floor_div(const solver *v, Z3_ast a, Z3_ast b) {
    Z3_ast positive = Z3_mk_div(v->z, a, b);
    Z3_ast negative = Z3_mk_div(v->z, Z3_mk_unary_minus(v->z, a), Z3_mk_unary_minus(v->z, b));
    return Z3_mk_ite(v->z, Z3_mk_gt(v->z, b, number(v, 0)), positive, negative);
}

static Z3_ast absolute(const solver *v, Z3_ast a) {
    return Z3_mk_ite(v->z, Z3_mk_ge(v->z, a, number(v, 0)), a, Z3_mk_unary_minus(v->z, a));
}

static Z3_ast trunc_div(const solver *v, Z3_ast a, Z3_ast b) {
    Z3_ast size = Z3_mk_div(v->z, absolute(v, a), absolute(v, b));
    Z3_ast same = Z3_mk_eq(v->z, Z3_mk_ge(v->z, a, number(v, 0)), Z3_mk_ge(v->z, b, number(v, 0)));
    return Z3_mk_ite(v->z, same, size, Z3_mk_unary_minus(v->z, size));
}

static Z3_ast divide(solver *v, expr_op op, Z3_ast a, Z3_ast b) {
    v->defined = and_also(v, v->defined, Z3_mk_not(v->z, Z3_mk_eq(v->z, b, number(v, 0))));
    bool floors = op == EXPR_FLOOR_DIV || op == EXPR_FLOOR_MOD;
    Z3_ast q = floors ? floor_div(v, a, b) : trunc_div(v, a, b);
    if (op == EXPR_FLOOR_DIV || op == EXPR_TRUNC_DIV) return q;
    return Z3_mk_sub(v->z, 2, (Z3_ast[]){a, Z3_mk_mul(v->z, 2, (Z3_ast[]){b, q})});
}

static Z3_ast translate(solver *v, const expr *e);

static Z3_ast translate_call(solver *v, const expr *e, const Z3_ast *in) {
    if (e->as.intrin->id == INTRIN_IF_THEN_ELSE) return Z3_mk_ite(v->z, in[0], in[1], in[2]);
    if (e->as.intrin->id == INTRIN_ABS) return absolute(v, in[0]);
    if (e->as.intrin->id == INTRIN_LIKELY) return in[0];
    v->unknown = true;
    return number(v, 0);
}

static Z3_ast translate(solver *v, const expr *e) {
    Z3_ast in[3];
    Z3_context z = v->z;
    if (e->op == EXPR_VAR) return v->value[(unsigned char)e->as.var->name[0]];
    if (e->op == EXPR_INT && dtype_family_of(e->type) == FAMILY_BOOL)
        return e->as.ival ? Z3_mk_true(z) : Z3_mk_false(z);
    if (e->op == EXPR_INT) return number(v, e->as.ival);
    for (uint32_t i = 0; i < e->count; i++) in[i] = translate(v, e->in[i]);
    switch ((expr_op)e->op) {
    case EXPR_ADD: return Z3_mk_add(z, 2, in);
    case EXPR_SUB: return Z3_mk_sub(z, 2, in);
    case EXPR_MUL: return Z3_mk_mul(z, 2, in);
    case EXPR_FLOOR_DIV:
    case EXPR_FLOOR_MOD:
    case EXPR_TRUNC_DIV:
    case EXPR_TRUNC_MOD: return divide(v, e->op, in[0], in[1]);
    case EXPR_MIN: return Z3_mk_ite(z, Z3_mk_le(z, in[0], in[1]), in[0], in[1]);
    case EXPR_MAX: return Z3_mk_ite(z, Z3_mk_ge(z, in[0], in[1]), in[0], in[1]);
    case EXPR_EQ: return Z3_mk_eq(z, in[0], in[1]);
    case EXPR_NE: return Z3_mk_not(z, Z3_mk_eq(z, in[0], in[1]));
    case EXPR_LT: return Z3_mk_lt(z, in[0], in[1]);
    case EXPR_LE: return Z3_mk_le(z, in[0], in[1]);
    case EXPR_GT: return Z3_mk_gt(z, in[0], in[1]);
    case EXPR_GE: return Z3_mk_ge(z, in[0], in[1]);
    case EXPR_AND: return Z3_mk_and(z, 2, in);
    case EXPR_OR: return Z3_mk_or(z, 2, in);
    case EXPR_NOT: return Z3_mk_not(z, in[0]);
    case EXPR_SELECT: return Z3_mk_ite(z, in[0], in[1], in[2]);
    case EXPR_CALL: return translate_call(v, e, in);
    case EXPR_INT:
    case EXPR_FLOAT:
    case EXPR_STRING:
    case EXPR_VAR:
    case EXPR_DIV:
    case EXPR_CAST:
    case EXPR_CALL_FUNC:
    case EXPR_LOAD:
    case EXPR_RAMP:
    case EXPR_BROADCAST:
    case EXPR_SHUFFLE:
    case EXPR_LET:
    case EXPR_OPS: break;
    }
    v->unknown = true;
    return number(v, 0);
}

// Is there a case where the rule is wrong? Constants are unknowns unless `fixed` gives c, d and k.
static Z3_lbool find_wrong_case(solver *v, const rule *r, const int64_t *fixed) {
    Z3_context z = v->z;
    for (char letter = 'a'; letter <= 'z'; letter++) {
        bool condition = strchr("pqr", letter), constant = strchr("cdk", letter);
        Z3_symbol name = Z3_mk_int_symbol(z, letter);
        v->value[(int)letter] = Z3_mk_const(z, name, condition ? Z3_mk_bool_sort(z) : Z3_mk_int_sort(z));
        if (fixed && constant) v->value[(int)letter] = number(v, fixed[strchr("cdk", letter) - "cdk"]);
    }
    v->defined = Z3_mk_true(z);
    Z3_ast from = translate(v, r->from), given = v->defined;
    if (r->when) given = and_also(v, translate(v, r->when), given);
    given = and_also(v, given, v->defined);
    v->defined = Z3_mk_true(z);
    Z3_ast to = translate(v, r->to), right = and_also(v, Z3_mk_eq(z, from, to), v->defined);
    Z3_solver s = Z3_mk_solver(z);
    Z3_solver_inc_ref(z, s);
    Z3_params limits = Z3_mk_params(z);
    Z3_params_inc_ref(z, limits);
    // not "timeout": its timer thread can hang (4.8.12), and this counts the same steps on every machine
    Z3_params_set_uint(z, limits, Z3_mk_string_symbol(z, "rlimit"), Z3_RESOURCES);
    Z3_solver_set_params(z, s, limits);
    Z3_solver_assert(z, s, given);
    Z3_solver_assert(z, s, Z3_mk_not(z, right));
    Z3_lbool found = Z3_solver_check(z, s);
    Z3_params_dec_ref(z, limits);
    Z3_solver_dec_ref(z, s);
    return found;
}

typedef enum verdict { VERDICT_PROVED, VERDICT_SAMPLED, VERDICT_OPEN, VERDICT_WRONG } verdict;

// For all constants; where z3 cannot decide that, for some.
static verdict check_by_z3(const rule *r) {
    static const int64_t samples[][3] = {{4, 2, 1}, {2, 4, 1}, {3, 4, 2},  {7, 8, 1},
                                         {8, 1, 5}, {1, 3, 0}, {-4, 3, 1}, {0, 5, 1}};
    Z3_config config = Z3_mk_config();
    solver v = {.z = Z3_mk_context(config)};
    verdict result = VERDICT_OPEN;
    Z3_lbool wrong = find_wrong_case(&v, r, NULL);
    if (!v.unknown && wrong == Z3_L_UNDEF) {
        wrong = Z3_L_FALSE;
        for (size_t i = 0; i < COUNT(samples) && wrong == Z3_L_FALSE; i++) wrong = find_wrong_case(&v, r, samples[i]);
        if (wrong == Z3_L_FALSE) result = VERDICT_SAMPLED;
    } else if (!v.unknown && wrong == Z3_L_FALSE) {
        result = VERDICT_PROVED;
    }
    if (!v.unknown && wrong == Z3_L_TRUE) result = VERDICT_WRONG;
    Z3_del_context(v.z);
    Z3_del_config(config);
    return result;
}

// ---- the engine: does a rule fire, and does what it builds have the value? ----

static bool check_firing(expr_session *s, const rule_set *alone, const rule *r, uint32_t *fired) {
    arena *mem = arena_new();
    expr_list vars = {0};
    bool right = true;
    random_numbers values = seed;
    expr_free_vars(r->from, mem, &vars);
    expr_env env = expr_env_new(mem, s);
    for (uint32_t trial = 0, used = 0; trial < TRIALS && used < INSTANCES && right; trial++) {
        draw_values(&values, &env, &vars);
        map constants = MAP_IN(mem);
        if (try_rule(r, &env) != 1) continue;
        used++;
        for (uint32_t i = 0; i < vars.len; i++) {
            const expr_var *v = vars.at[i]->as.var;
            if (strchr("cdk", v->name[0]))
                map_put(&constants, MAP_KEY(vars.at[i]), (void *)(uintptr_t)expr_i64(s, env.value[v->id].i));
        }
        facts *f = facts_new(s);
        if (r->when) facts_assume(f, expr_substitute(s, r->when, &constants));
        const expr *from = expr_substitute(s, r->from, &constants);
        const rule *which;
        const expr *to = rules_apply(s, alone, from, f, &which);
        scalar before, after;
        *fired += to != NULL;
        if (!to || expr_eval(from, &env, &before) != EXPR_DONE) continue;
        right = expr_eval(to, &env, &after) == EXPR_DONE && before.i == after.i;
        right = right && canon_cost(s, to) <= canon_cost(s, from);
    }
    arena_free(mem);
    return right;
}

// ---- the tests ----

static const rule_set *read_rules(fixture *f, const rule_row *row, uint32_t count) {
    f->d = diag_new(f->mem);
    const rule_set *set = rules_read(f->s, row, count, f->d);
    if (!set) fail_msg("%s", first_error(f));
    return set;
}

static void rules_hold_on_random_values(void **state) {
    fixture *f = *state;
    const rule_set *set = read_rules(f, rule_table, rule_table_count);
    for (uint32_t i = 0; i < set->len; i++) {
        uint32_t applied = check_by_values(f->s, &set->at[i]);
        if (applied < LEAST_APPLIED)
            fail_msg("rule %s is wrong, or hardly ever applies (%u times)", set->at[i].row->name, applied);
    }
}

static void rules_that_say_so_hold_in_narrow_types(void **state) {
    (void)state;
    for (uint32_t i = 0; i < rule_table_count; i++)
        if (rule_table[i].wraps && !(check_wrapping(&rule_table[i], "int8") && check_wrapping(&rule_table[i], "uint8")))
            fail_msg("rule %s is wrong for integers that wrap", rule_table[i].name);
}

static void rules_fire_and_do_not_grow(void **state) {
    fixture *f = *state;
    for (uint32_t i = 0; i < rule_table_count; i++) {
        const rule_set *alone = read_rules(f, &rule_table[i], 1);
        uint32_t fired = 0;
        if (!check_firing(f->s, alone, &alone->at[0], &fired))
            fail_msg("rule %s builds a wrong or larger expression", rule_table[i].name);
        if (!fired) fail_msg("rule %s never fires", rule_table[i].name);
    }
}

static void rules_are_proved(void **state) {
    fixture *f = *state;
    uint32_t count[VERDICT_WRONG + 1] = {0};
    const rule_set *set = read_rules(f, rule_table, rule_table_count);
    for (uint32_t i = 0; i < set->len; i++) {
        verdict v = check_by_z3(&set->at[i]);
        if (v == VERDICT_WRONG) fail_msg("z3 has a counterexample to rule %s", set->at[i].row->name);
        if (v == VERDICT_OPEN) print_message("z3 can't decide rule %s\n", set->at[i].row->name);
        count[v]++;
    }
    print_message("%u rules: z3 proved %u for all constants, %u for sampled constants; %u undecided\n", set->len,
                  count[VERDICT_PROVED], count[VERDICT_SAMPLED], count[VERDICT_OPEN]);
    assert_true(count[VERDICT_OPEN] * 10 <= set->len);
}

static void planted_rules_are_caught(void **state) {
    fixture *f = *state;
    const rule_set *set = read_rules(f, planted, COUNT(planted));
    for (uint32_t i = 0; i < set->len; i++) {
        if (check_by_values(f->s, &set->at[i])) fail_msg("random values do not refute %s", set->at[i].row->name);
        if (check_by_z3(&set->at[i]) != VERDICT_WRONG) fail_msg("z3 does not refute %s", set->at[i].row->name);
    }
    for (uint32_t i = 0; i < COUNT(planted_wrapping); i++)
        if (check_wrapping(&planted_wrapping[i], "int8")) fail_msg("int8 does not refute %s", planted_wrapping[i].name);
}

static void malformed_rules_are_refused(void **state) {
    fixture *f = *state;
    static const rule_row unbound = {"unbound", "x + 0", "y", "", false}, unread = {"unread", "x +", "x", "", false};
    f->d = diag_new(f->mem);
    assert_null(rules_read(f->s, &unbound, 1, f->d));
    assert_string_equal(first_error(f), "rule unbound: 'y' is not in 'x + 0'");
    assert_null(rules_read(f->s, &unread, 1, f->d));
}

static void cycles_are_reported(void **state) {
    fixture *f = *state;
    static const rule_row swap[] = {{"swap", "x + y", "y + x", "", false}};
    static const rule_row pair[] = {{"there", "x < y", "x + 1 <= y", "", false},
                                    {"back", "x + 1 <= y", "x < y", "", false}};
    const char *cycle;
    rules_rewrite(f->s, read_rules(f, swap, 1), parsed(f, "a + b"), NULL, &cycle);
    assert_string_equal(cycle, "swap -> swap -> swap");
    rules_rewrite(f->s, read_rules(f, pair, 2), parsed(f, "a < b"), NULL, &cycle);
    assert_string_equal(cycle, "there -> back -> there");
    rules_rewrite(f->s, rules_of(f->s), parsed(f, "a + b > b + a"), NULL, &cycle);
    assert_null(cycle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(rules_hold_on_random_values), TEST(rules_that_say_so_hold_in_narrow_types),
        TEST(rules_fire_and_do_not_grow),  TEST(rules_are_proved),
        TEST(planted_rules_are_caught),    TEST(malformed_rules_are_refused),
        TEST(cycles_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
