// apply_schedules.c - ApplySchedules: every loop program gets the loops that suit the target.
//
//   before:  for i, j in T.grid(n, 256):      after:  for i in T.parallel(n):
//                with T.sblock("T_add"): …                for j_0 in range(16):
//                                                             for j_1 in T.vectorized(16):
//                                                                 with T.sblock("T_add"): …
//
// Needs programs with blocks (s_tir). Keeps their meaning; programs that are scheduled already (a loop that is not
// serial) stay as they are.
#include "pass/pass.h"
#include "schedule/schedule.h"

static bool apply_schedules(module *m, const pass_ctx *c) {
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind != FUNC_LOOP || !f->loop->s_tir) continue;
        const loop_func *now = schedule_auto(m->exprs, m->mem, f->loop, c->target, c->d, NULL);
        if (!now) return false;
        module_put_loop(m, now);
    }
    return true;
}

const pass pass_apply_schedules = {
    .name = "ApplySchedules",
    .doc = "gives every loop program the loops that suit the target",
    .run = apply_schedules,
};
