// rules.c - the table of schedule rules, and the one that leaves a program as it is.
#include "schedule/rules.h"

static const schedule_rule *const rules[] = {
#define RULE(name) &rule_##name,
#include "schedule/rules.def"
};

const schedule_rule *const *schedule_rules(uint32_t *count) {
    *count = COUNT(rules);
    return rules;
}

// Is the loop's variable part of what a reduction runs over?
static bool reduces(const block *b, const expr *var) {
    for (uint32_t i = 0; i < b->iters; i++)
        if (b->iter[i].kind == ITER_REDUCE && expr_uses_var(b->iter[i].value, var)) return true;
    return false;
}

// The initialisation stands with the first step of a reduction. Where there may be no step it needs loops of its own.
static void start_reduction(schedule *sch, expr_session *s, block_ref b) {
    enum { MOST = 64 };
    loop_ref loop[MOST];
    const block *what = schedule_block_of(sch, b);
    uint32_t count = what->init ? schedule_loops(sch, b, loop, MOST) : 0, first = MOST;
    bool may_be_empty = false;
    for (uint32_t i = 0; i < count && i < MOST; i++) {
        const stmt *l = schedule_loop_of(sch, loop[i]);
        if (!reduces(what, l->as.loop.var)) continue;
        if (first == MOST) first = i;
        const expr *one = expr_int(s, l->as.loop.extent->type, 1);
        may_be_empty = may_be_empty || !prove_less_equal(s, one, l->as.loop.extent, NULL);
    }
    if (may_be_empty) schedule_decompose_reduction(sch, b, loop[first]);
}

static void start_reductions(schedule *sch, expr_session *s) {
    enum { MOST = 256 };
    block_ref all[MOST];
    uint32_t count = schedule_blocks(sch, all, MOST);
    for (uint32_t i = 0; i < count && i < MOST; i++) start_reduction(sch, s, all[i]);
}

const loop_func *schedule_auto(expr_session *s, arena *mem, const loop_func *f, const arch *a, diag *d,
                               const char **rule) {
    for (size_t i = 0; i < COUNT(rules); i++) {
        schedule *sch = schedule_new(s, mem, f, d);
        if (!rules[i]->apply(sch, a)) continue;
        start_reductions(sch, s);
        if (rule) *rule = rules[i]->name;
        return schedule_func(sch);
    }
    return f;
}

static bool apply_plain(schedule *sch, const arch *a) {
    (void)sch;
    (void)a;
    return true;
}

const schedule_rule rule_plain = {
    .name = "plain",
    .doc = "leaves the loops in order: programs that are already scheduled, or whose blocks no rule understands",
    .apply = apply_plain,
};
