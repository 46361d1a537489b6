// rules.c - reads the rows of rules.def, matches their patterns and builds what they say.
#include "expr/rules.h"
#include "expr/canon.h"
#include "expr/parse.h"
#include <string.h>

const rule_row rule_table[] = {
#define RULE(name, from, to, when) {name, from, to, when, false},
#define RULE_WRAPS(name, from, to, when) {name, from, to, when, true},
#include "expr/rules.def"
};
const uint32_t rule_table_count = COUNT(rule_table);

// What a pattern variable matches.
typedef enum letter { LETTER_INTEGER, LETTER_CONSTANT, LETTER_CONDITION, LETTER_ANY } letter;

static letter letter_of(const char *name) {
    if (strchr("cdk", name[0])) return LETTER_CONSTANT;
    if (strchr("pqr", name[0])) return LETTER_CONDITION;
    return strchr("uvw", name[0]) ? LETTER_ANY : LETTER_INTEGER;
}

// ---- reading ----

static const expr *read_pattern(expr_session *s, const char *words, text_map *vars, diag *d) {
    source src = {.name = "rules.def", .bytes = words, .size = strlen(words)};
    return expr_parse(s, &src, vars, d);
}

// The conditions among the letters must be there before the parser makes integers of them.
static text_map pattern_vars(expr_session *s) {
    static const char *const names[] = {"p", "q", "r"};
    text_map vars = TEXT_MAP_IN(s->mem);
    for (size_t i = 0; i < COUNT(names); i++)
        text_map_put(&vars, names[i], (void *)(uintptr_t)expr_new_var(s, names[i], DTYPE_OF(BOOL)));
    return vars;
}

// Letters of `to` and `when` must be bound by `from`, or there would be nothing to put in their place.
static bool read_rule(expr_session *s, const rule_row *row, text_map *vars, diag *d, rule *out) {
    *out = (rule){.row = row, .from = read_pattern(s, row->from, vars, d)};
    if (!out->from) return false;
    expr_list bound = {0}, used = {0};
    expr_free_vars(out->from, s->mem, &bound);
    out->to = read_pattern(s, row->to, vars, d);
    out->when = *row->when ? read_pattern(s, row->when, vars, d) : NULL;
    if (!out->to || (*row->when && !out->when)) return false;
    expr_free_vars(out->to, s->mem, &used);
    if (out->when) expr_free_vars(out->when, s->mem, &used);
    for (uint32_t i = 0; i < used.len; i++) {
        bool found = false;
        for (uint32_t j = 0; j < bound.len && !found; j++) found = bound.at[j] == used.at[i];
        if (!found)
            return diag_error(d, (loc){0}, "rule %s: '%s' is not in '%s'", row->name, used.at[i]->as.var->name,
                              row->from);
    }
    return true;
}

// Sorted by the operator at the root of `from`, so that a node only meets rules that can fit.
const rule_set *rules_read(expr_session *s, const rule_row *row, uint32_t count, diag *d) {
    text_map vars = pattern_vars(s);
    rule *read = ARENA_NEW(s->mem, rule, count), *sorted = ARENA_NEW(s->mem, rule, count);
    rule_set *set = ARENA_NEW(s->mem, rule_set, 1);
    bool ok = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t errors = d->errors;
        if (read_rule(s, &row[i], &vars, d, &read[i])) continue;
        if (d->errors == errors + 1) diag_note(d, (loc){0}, "in rule %s", row[i].name);
        ok = false;
    }
    if (!ok) return NULL;
    for (uint32_t op = 0; op < EXPR_OPS; op++) {
        set->first[op] = set->len;
        for (uint32_t i = 0; i < count; i++)
            if (read[i].from->op == op) sorted[set->len++] = read[i];
    }
    set->first[EXPR_OPS] = set->len;
    set->at = sorted;
    return set;
}

// Read once per session: patterns are nodes of it.
const rule_set *rules_of(expr_session *s) {
    canon_at(s, expr_bool(s, true)); // the table exists
    if (!s->canon->rules) {
        diag *d = diag_new(s->mem);
        s->canon->rules = rules_read(s, rule_table, rule_table_count, d);
        CHECK(s->canon->rules);
    }
    return s->canon->rules;
}

// ---- matching ----

// What the letters are bound to. Going back is cutting `count`.
enum { MAX_LETTERS = 8 };
typedef struct binding {
    expr_session *s;
    bool wraps; // integers may be data and of narrow types
    uint32_t count;
    const expr *letter[MAX_LETTERS], *bound[MAX_LETTERS];
} binding;

// The same letter twice in a pattern stands for the same node.
static const expr *bound_to(const binding *b, const expr *var) {
    for (uint32_t i = 0; i < b->count; i++)
        if (b->letter[i] == var) return b->bound[i];
    return NULL;
}

static bool is_exact(const binding *b, const expr *e) {
    return canon_is_exact(e->type) && !(canon_at(b->s, e)->flags & NODE_DATA);
}

static bool letter_takes(const binding *b, letter l, const expr *e) {
    switch (l) {
    case LETTER_INTEGER: return b->wraps ? expr_is_index(e) : is_exact(b, e);
    case LETTER_CONSTANT: return e->op == EXPR_INT && expr_is_index(e) && e->type.kind != DTYPE_U64;
    case LETTER_CONDITION: return dtype_family_of(e->type) == FAMILY_BOOL && dtype_lanes(e->type) == 1;
    case LETTER_ANY: return true;
    }
    return false;
}

// The same letter means the same node everywhere in a rule.
static bool match_var(binding *b, const expr *pattern, const expr *e) {
    const expr *bound = bound_to(b, pattern);
    if (bound) return bound == e;
    if (b->count == MAX_LETTERS || !letter_takes(b, letter_of(pattern->as.var->name), e)) return false;
    b->letter[b->count] = pattern;
    b->bound[b->count++] = e;
    return true;
}

// Operators whose operands may be matched the other way round.
static bool commutes(uint8_t op) {
    return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_MIN || op == EXPR_MAX || op == EXPR_AND || op == EXPR_OR ||
           op == EXPR_EQ || op == EXPR_NE;
}

// As deep as the pattern.
static bool match(binding *b, const expr *pattern, const expr *e) {
    if (pattern->op == EXPR_VAR) return match_var(b, pattern, e);
    if (pattern->op != e->op || pattern->count != e->count) return false;
    bool of_bool = dtype_family_of(pattern->type) == FAMILY_BOOL;
    if (of_bool != (dtype_family_of(e->type) == FAMILY_BOOL) && pattern->op == EXPR_INT) return false;
    if (pattern->op == EXPR_INT) return pattern->as.ival == e->as.ival;
    if (pattern->op == EXPR_CALL && pattern->as.intrin != e->as.intrin) return false;
    if (pattern->op >= EXPR_ADD && pattern->op <= EXPR_MAX && !(b->wraps ? expr_is_index(e) : is_exact(b, e)))
        return false;
    uint32_t before = b->count;
    bool all = true;
    for (uint32_t i = 0; i < e->count && all; i++) all = match(b, pattern->in[i], e->in[i]);
    if (all) return true;
    b->count = before;
    if (!commutes(e->op)) return false;
    if (match(b, pattern->in[0], e->in[1]) && match(b, pattern->in[1], e->in[0])) return true;
    b->count = before;
    return false;
}

// ---- building ----

static const expr *build(const binding *b, const expr *pattern, dtype type);

// The type of what a comparison in a pattern compares: that of the first letter in it.
static dtype type_of_operands(const binding *b, const expr *pattern) {
    for (const expr *e = pattern; e->count || e->op == EXPR_VAR; e = e->in[0])
        if (e->op == EXPR_VAR) return bound_to(b, e)->type;
    if (pattern->count > 1) {
        for (const expr *e = pattern->in[1]; e->count || e->op == EXPR_VAR; e = e->in[0])
            if (e->op == EXPR_VAR) return bound_to(b, e)->type;
    }
    return DTYPE_OF(I64);
}

// Of operands that are all constants, the constant; NULL where it has none. Else e.
static const expr *fold(const binding *b, const expr *e) {
    scalar in[3], value;
    if (!expr_is_index(e) && dtype_family_of(e->type) != FAMILY_BOOL) return e;
    for (uint32_t i = 0; i < e->count; i++) {
        if (i >= COUNT(in) || e->in[i]->op != EXPR_INT) return e;
        in[i].i = e->in[i]->as.ival;
    }
    if (!e->count) return e;
    return expr_apply(e, in, &value) == EXPR_DONE ? expr_int(b->s, e->type, value.i) : NULL;
}

// A number takes the type of its surroundings; NULL where it does not fit.
static const expr *build_constant(const binding *b, const expr *pattern, dtype type) {
    int64_t k = pattern->as.ival;
    if (dtype_family_of(pattern->type) == FAMILY_BOOL) return expr_bool(b->s, k);
    return expr_is_index(&(expr){.type = type}) && dtype_wrap(type, k) == k ? expr_int(b->s, type, k) : NULL;
}

static const expr *build(const binding *b, const expr *pattern, dtype type) {
    const expr *in[3];
    if (pattern->op == EXPR_VAR) return bound_to(b, pattern);
    if (pattern->op == EXPR_INT) return build_constant(b, pattern, type);
    if (pattern->count > COUNT(in)) return NULL;
    bool compares = pattern->op >= EXPR_EQ && pattern->op <= EXPR_GE;
    dtype of_operands = compares ? type_of_operands(b, pattern) : type;
    for (uint32_t i = 0; i < pattern->count; i++) {
        in[i] = build(b, pattern->in[i], of_operands);
        if (!in[i]) return NULL;
    }
    const expr *e;
    if (pattern->op == EXPR_NOT)
        e = expr_not(b->s, in[0]);
    else if (pattern->op == EXPR_SELECT)
        e = expr_select(b->s, in[0], in[1], in[2]);
    else if (pattern->op == EXPR_CALL)
        e = expr_call(b->s, pattern->as.intrin, (dtype){0}, in, pattern->count);
    else if (!dtype_equal(in[0]->type, in[1]->type))
        return NULL;
    else
        e = expr_binary(b->s, (expr_op)pattern->op, in[0], in[1]);
    return fold(b, e);
}

// `when` is proved under the facts; for constants that is a mere evaluation.
static bool condition_holds(const binding *b, const expr *when, const facts *f) {
    const expr *condition = when ? build(b, when, DTYPE_OF(BOOL)) : NULL;
    if (!when) return true;
    return condition && prove_true(b->s, condition, f);
}

const expr *rules_apply(expr_session *s, const rule_set *set, const expr *e, const facts *f, const rule **which) {
    if (dtype_lanes(e->type) != 1 || canon_has_effect(s, e)) return NULL;
    for (uint32_t i = set->first[e->op]; i < set->first[e->op + 1]; i++) {
        const rule *r = &set->at[i];
        binding b;
        b.s = s;
        b.wraps = r->row->wraps;
        b.count = 0;
        if (!match(&b, r->from, e) || !condition_holds(&b, r->when, f)) continue;
        const expr *to = build(&b, r->to, e->type);
        if (!to || to == e || !dtype_equal(to->type, e->type)) continue;
        *which = r;
        return to;
    }
    return NULL;
}

// The last step came back to an expression seen before: the rules in between.
static const char *describe_cycle(expr_session *s, const expr *const *seen, const rule *const *by, uint32_t steps) {
    text t = TEXT_IN(s->mem);
    uint32_t from = steps;
    while (from && seen[from - 1] != seen[steps]) from--;
    for (uint32_t i = from ? from - 1 : 0; i < steps; i++) text_format(&t, "%s -> ", by[i]->row->name);
    text_put(&t, by[from ? from - 1 : 0]->row->name);
    return text_get(&t);
}

// Counts its steps: rules that undo one another are named rather than followed for ever.
const expr *rules_rewrite(expr_session *s, const rule_set *set, const expr *e, const facts *f, const char **cycle) {
    const expr *seen[RULES_MAX_STEPS + 1] = {e};
    const rule *by[RULES_MAX_STEPS];
    if (cycle) *cycle = NULL;
    for (uint32_t step = 0; step < RULES_MAX_STEPS; step++) {
        const expr *to = rules_apply(s, set, seen[step], f, &by[step]);
        if (!to) return seen[step];
        seen[step + 1] = to;
    }
    if (cycle) *cycle = describe_cycle(s, seen, by, RULES_MAX_STEPS);
    return seen[RULES_MAX_STEPS];
}
