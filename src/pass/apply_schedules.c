// apply_schedules.c - ApplySchedules: every loop program gets the loops that suit the target.
//
//   before:  for i, j in T.grid(n, 256):      after:  for i in T.parallel(n):
//                with T.sblock("T_add"): …                for j_0 in range(16):
//                                                             for j_1 in T.vectorized(16):
//                                                                 with T.sblock("T_add"): …
//
// Where one body can't be fast for one row and for many (a matrix times weights), there are two, and the program
// becomes the choice between them:
//
//   if n <= 1: cls.matmul_row(...)   else: cls.matmul_rows(...)
//
// So it does where a reduction is worth being cut into chunks only where it is long (sum_short, sum_long).
//
// With batch_invariant=true there is one body for all sizes: what a row gives does not depend on how many there are.
//
// Needs programs with blocks (s_tir). Keeps their meaning; programs that are scheduled already (a loop that is not
// serial) stay as they are.
#include "pass/pass.h"
#include "pass/support.h"
#include "schedule/schedule.h"

static const char *unused_name(module *m, const char *wish) {
    const char *name = wish;
    for (uint32_t i = 1; module_find(m, name); i++) name = arena_format(m->mem, "%s_%u", wish, i);
    return name;
}

// The schedule's program under a name of its own, as the module's; a call of it with the parameters of f.
static const stmt *put_branch(module *m, const loop_func *f, const schedule *sch, const char *suffix) {
    loop_func *branch = ARENA_NEW(m->mem, loop_func, 1);
    const expr **arg = ARENA_NEW(m->mem, const expr *, f->params + 1);
    *branch = *schedule_func(sch);
    branch->name = unused_name(m, arena_format(m->mem, "%s_%s", f->name, suffix));
    branch->is_private = true;
    for (uint32_t i = 0; i < f->params; i++) arg[i] = f->param[i].var;
    module_put_loop(m, branch);
    dtype none = {.kind = DTYPE_VOID, .lanes = 1};
    return stmt_evaluate(m->mem, expr_call_func(m->exprs, branch->name, none, arg, f->params));
}

// With at most `most` of the rows the first, else the second.
static const stmt *choose(module *m, const expr *rows, int64_t most, const stmt *then, const stmt *other) {
    const expr *fits = expr_binary(m->exprs, EXPR_LE, rows, expr_int(m->exprs, rows->type, most));
    return stmt_if(m->mem, fits, then, other);
}

// A call of the schedule for at most so many rows, and where that wants one for fewer still, of the one that fits.
static const stmt *put_case(module *m, const pass_ctx *c, const loop_func *f, int64_t most, const char *suffix) {
    const schedule *sch =
        schedule_by_rules(m->exprs, m->mem, f, c->target, (schedule_limits){.rows = most}, c->d, NULL);
    schedule_choice fewer = schedule_choice_of(sch);
    const stmt *first = fewer.extent ? put_case(m, c, f, fewer.few, "fewer_rows") : NULL;
    const stmt *call = put_branch(m, f, sch, suffix);
    return first ? choose(m, fewer.extent, fewer.few, first, call) : call;
}

// f as the choice between schedules for one row, for few, and for any number.
static void put_choice(module *m, const pass_ctx *c, const loop_func *f, const schedule *many) {
    schedule_choice rows = schedule_choice_of(many);
    loop_func *choice = ARENA_NEW(m->mem, loop_func, 1);
    *choice = *f;
    const stmt *first = rows.one ? put_case(m, c, f, 1, "row") : NULL;
    const stmt *several = rows.few ? put_case(m, c, f, rows.few, "few_rows") : NULL;
    const stmt *rest = put_branch(m, f, many, "rows");
    if (rows.few) rest = choose(m, rows.extent, rows.few, several, rest);
    choice->body = rows.one ? choose(m, rows.extent, 1, first, rest) : rest;
    module_put_loop(m, choice);
}

// f as the choice between schedules for a long reduction and for a short one.
static void put_lengths(module *m, const pass_ctx *c, const loop_func *f, const schedule *any) {
    schedule_choice steps = schedule_choice_of(any);
    const schedule *few =
        schedule_by_rules(m->exprs, m->mem, f, c->target, (schedule_limits){.length = steps.few}, c->d, NULL);
    loop_func *choice = ARENA_NEW(m->mem, loop_func, 1);
    *choice = *f;
    const stmt *first = put_branch(m, f, few, "short");
    choice->body = choose(m, steps.extent, steps.few, first, put_branch(m, f, any, "long"));
    module_put_loop(m, choice);
}

static bool apply_schedules(module *m, const pass_ctx *c) {
    const schedule_limits any_size = {0};
    bool invariant;
    if (!pass_get_bool(c, &pass_apply_schedules, "batch_invariant", &invariant)) return false;
    uint32_t count = m->funcs.len; // branches that are added are scheduled
    for (uint32_t i = 0; i < count; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind != FUNC_LOOP || !f->loop->s_tir) continue;
        const schedule *now = schedule_by_rules(m->exprs, m->mem, f->loop, c->target, any_size, c->d, NULL);
        schedule_choice choice = schedule_choice_of(now);
        if (choice.extent && choice.by_length)
            put_lengths(m, c, f->loop, now);
        else if (choice.extent && !invariant)
            put_choice(m, c, f->loop, now);
        else
            module_put_loop(m, schedule_func(now));
    }
    return true;
}

const pass pass_apply_schedules = {
    .name = "ApplySchedules",
    .doc = "gives every loop program the loops that suit the target",
    .option = {{"batch_invariant", "false", "a row's bits do not depend on the number of rows"}},
    .run = apply_schedules,
};
