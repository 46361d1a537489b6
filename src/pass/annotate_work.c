// annotate_work.c - AnnotateWork: how many operations and bytes each loop program comes to, while its blocks still say.
//
//   before:  def matmul(x: (n, 512), w: (512, 300), y)     after:  "relax.work": T.index_map(lambda n: [n * 307200, …])
//
// Needs nothing. Keeps the programs; profilers and `relax bench` get the numbers from the attribute (loop/work.h).
#include "loop/work.h"
#include "pass/pass.h"
#include "pass/programs.h"

static bool annotate(module *m, const pass_ctx *c) {
    (void)c;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind != FUNC_LOOP || is_dispatcher(f->loop)) continue;
        loop_work w = loop_work_of(m->exprs, m->mem, f->loop);
        loop_func *now = ARENA_NEW(m->mem, loop_func, 1);
        *now = *f->loop;
        now->attrs = loop_work_attr(m->exprs, m->mem, f->loop, &w);
        module_put_loop(m, now);
    }
    return true;
}

const pass pass_annotate_work = {
    .name = "AnnotateWork",
    .doc = "notes how many operations and bytes each loop program comes to",
    .run = annotate,
};
