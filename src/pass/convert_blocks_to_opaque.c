// convert_blocks_to_opaque.c - ConvertBlocksToOpaque: blocks over the loops around them instead of variables of their
// own.
//
//   before:  for i, j in T.grid(n, 4):           after:  for i, j in T.grid(n, 4):
//                with T.sblock("B"):                         B[i * 4 + j] = A[j]
//                    v = T.axis.spatial(n * 4, i * 4 + j)
//                    B[v] = A[v - i * 4]
//
// Needs programs with blocks. Keeps their meaning; indices come out simplified, as code generation wants them. Blocks
// that allocate, guard or initialise stay as blocks.
#include "pass/pass.h"
#include "schedule/schedule.h"

static bool convert(module *m, const pass_ctx *c) {
    (void)c;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind != FUNC_LOOP || !f->loop->s_tir) continue;
        module_put_loop(m, schedule_opaque(m->exprs, m->mem, f->loop));
    }
    return true;
}

const pass pass_convert_blocks_to_opaque = {
    .name = "ConvertBlocksToOpaque",
    .doc = "writes what blocks do over the loops around them, indices simplified",
    .run = convert,
};
