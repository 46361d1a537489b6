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

const loop_func *schedule_auto(expr_session *s, arena *mem, const loop_func *f, const arch *a, diag *d,
                               const char **rule) {
    for (size_t i = 0; i < COUNT(rules); i++) {
        schedule *sch = schedule_new(s, mem, f, d);
        if (!rules[i]->apply(sch, a)) continue;
        compact_buffers(sch);
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
