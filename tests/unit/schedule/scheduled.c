// scheduled.c - modules before and after scheduling.
#include "scheduled.h"
#include "graph/verify.h"
#include "interp/interp.h"
#include "loop/verify.h"
#include "pass/pass.h"
#include <string.h>

typedef struct checking {
    scheduled_check *c;
    const arch *target;
    diag *d;
} checking;

static module *lower(checking *x, const source *src) {
    pass_list steps = {0};
    module *m = script_parse(src, x->d);
    const pass_observer nobody = {0};
    if (m && pass_parse(x->c->passes, x->c->mem, &steps, x->d) && pass_run(m, &steps, x->target, &nobody, x->d))
        return m;
    module_free(m);
    return NULL;
}

// The trace of `sch` on a fresh schedule makes the same program and leaves the same trace.
static bool replays(checking *x, module *m, const loop_func *f, const schedule *sch) {
    text trace = TEXT_IN(m->mem), again = TEXT_IN(m->mem);
    schedule_trace(sch, &trace);
    schedule *other = schedule_new(m->exprs, m->mem, f, x->d);
    if (!schedule_replay(other, text_get(&trace))) {
        text_format(&x->c->report, "%s: the trace does not replay:\n%s", f->name, text_get(&trace));
        return false;
    }
    schedule_trace(other, &again);
    if (loop_func_equal(schedule_func(sch), schedule_func(other)) && strcmp(text_get(&trace), text_get(&again)) == 0)
        return true;
    text_format(&x->c->report, "%s: the trace replays to another program:\n%s", f->name, text_get(&trace));
    script_print_loop(&x->c->report, m, schedule_func(sch));
    script_print_loop(&x->c->report, m, schedule_func(other));
    return false;
}

static bool schedule_module(checking *x, module *m, bool backwards) {
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind != FUNC_LOOP || !f->loop->s_tir) continue;
        schedule *sch = schedule_by_rules(m->exprs, m->mem, f->loop, x->target, (schedule_limits){0}, x->d, NULL);
        if (!replays(x, m, f->loop, sch)) return false;
        const loop_func *now = schedule_func(sch);
        x->c->programs++;
        if (!loop_verify(now, m->exprs, x->d)) {
            script_print_loop(&x->c->report, m, now);
            return false;
        }
        module_put_loop(m, backwards ? schedule_backwards(m->exprs, m->mem, now) : now);
    }
    return true;
}

static bool compare(checking *x, const source *src, bool backwards) {
    module *a = lower(x, src), *b = a ? lower(x, src) : NULL;
    text report = TEXT_IN(x->c->mem);
    const equal_options o = {.seed = 3, .rtol = x->c->rtol, .atol = x->c->atol};
    bool same = b && schedule_module(x, b, backwards);
    equal_result r = same ? interp_equal(a, b, "main", &o, &report) : EQUAL_NOT_RUN;
    if (r == EQUAL_DIFFERENT) {
        text_format(&x->c->report, "%s%s\n", backwards ? "backwards: " : "", text_get(&report));
        script_print(&x->c->report, b, NULL);
        same = false;
    }
    x->c->compared += r == EQUAL_SAME;
    // The records point into the sources that the modules keep.
    diag_print(x->d, &x->c->report, false);
    module_free(a);
    module_free(b);
    return same;
}

bool scheduled_equals(scheduled_check *c, const source *src) {
    char why[256];
    checking x = {.c = c, .d = diag_new(c->mem), .target = arch_parse(c->mem, c->target, why)};
    bool same = x.target && compare(&x, src, false) && compare(&x, src, true);
    return same && !x.d->errors;
}
