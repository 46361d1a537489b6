// rules.c - the table of schedule rules, and the one that leaves a program as it is.
#include "schedule/rules.h"

static const schedule_rule *const rules[] = {
#define RULE(name) &rule_##name,
#include "schedule/rules.def"
};

// Is the loop's variable part of what a reduction runs over?
static bool reduces(const block *b, const expr *var) {
    for (uint32_t i = 0; i < b->iters; i++)
        if (b->iter[i].kind == ITER_REDUCE && expr_uses_var(b->iter[i].value, var)) return true;
    return false;
}

// The initialisation stands with the first step of a reduction. Where there may be no step it needs loops of its own.
static void start_reduction(schedule *sch, block_ref b) {
    loop_ref loop[LOOPS_MOST];
    const block *what = schedule_block_of(sch, b);
    uint32_t count = what->init ? schedule_loops(sch, b, loop, LOOPS_MOST) : 0, first = LOOPS_MOST;
    bool may_be_empty = false;
    for (uint32_t i = 0; i < count && i < LOOPS_MOST; i++) {
        const stmt *l = schedule_loop_of(sch, loop[i]);
        if (!reduces(what, l->as.loop.var)) continue;
        if (first == LOOPS_MOST) first = i;
        const expr *one = expr_int(sch->s, l->as.loop.extent->type, 1);
        may_be_empty = may_be_empty || !prove_less_equal(sch->s, one, l->as.loop.extent, NULL);
    }
    if (may_be_empty) schedule_decompose_reduction(sch, b, loop[first]);
}

static void start_reductions(schedule *sch) {
    block_ref all[BLOCKS_MOST];
    diag *loud = sch->d;
    uint32_t count = schedule_blocks(sch, all, BLOCKS_MOST);
    sch->d = diag_new(sch->mem);
    for (uint32_t i = 0; i < count && i < BLOCKS_MOST; i++) start_reduction(sch, all[i]);
    sch->d = loud;
}

// A rule that does not fit may have tried things: the next one starts afresh.
schedule *schedule_by_rules(expr_session *s, arena *mem, const loop_func *f, const arch *a, schedule_limits limits,
                            diag *d, const char **rule) {
    schedule *sch = schedule_new(s, mem, f, d);
    for (size_t i = 0; i < COUNT(rules); i++) {
        sch->rows = limits.rows;
        sch->length = limits.length;
        if (rule) *rule = rules[i]->name;
        if (rules[i]->apply(sch, a)) break;
        sch = schedule_new(s, mem, f, d);
    }
    start_reductions(sch);
    return sch;
}

schedule_choice schedule_choice_of(const schedule *sch) { return sch->choice; }

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
