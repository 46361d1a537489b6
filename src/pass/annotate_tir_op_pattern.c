// annotate_tir_op_pattern.c - AnnotateTIROpPattern: says of each loop program how it maps indices.
//
//   before:  @T.prim_func          def exp(x: …, y: …): … y[vi, vj] = T.exp(x[vi, vj])
//   after:   the same with         T.func_attr({"op_pattern": 0})
//
// Needs nothing. Looks at loops alone, whoever wrote them; a kind that stands there already is kept. Changes nothing
// else. The kinds are those of pattern.h.
#include "pass/pattern.h"
#include "pass/support.h"

static const loop_func *annotated(module *m, const loop_func *f, pattern_kind kind) {
    loop_func *now = ARENA_NEW(m->mem, loop_func, 1);
    *now = *f;
    now->attrs = attr_with(m->mem, f->attrs, "op_pattern", attr_int(m->mem, kind));
    return now;
}

static bool run(module *m, const pass_ctx *c) {
    bool precise;
    if (!pass_get_bool(c, &pass_annotate_tir_op_pattern, "precise", &precise)) return false;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        module_func *f = m->funcs.entry[i].value;
        if (f->kind != FUNC_LOOP || !f->loop || attr_find(f->loop->attrs, "op_pattern")) continue;
        f->loop = annotated(m, f->loop, loop_pattern(f->loop, m->exprs, m->mem, precise));
    }
    return true;
}

const pass pass_annotate_tir_op_pattern = {
    .name = "AnnotateTIROpPattern",
    .doc = "finds how each loop program maps indices, for fusion",
    .option = {{"precise", "false", "see more than TVM does (gathers, symbolic offsets, parts), claim less unproved"}},
    .run = run,
};
