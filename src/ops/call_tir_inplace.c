// call_tir_inplace.c - R.call_tir_inplace: as call_tir, but some results are written over inputs, which die with it.
#include "graph/deduce.h"
#include "ops/ops.h"

// The input a result is written over; -1: a destination of its own. False after reporting.
static bool placed(infer_ctx *c, const node *n, uint32_t out, int64_t *input) {
    *input = n->attr[0]->list[out]->as.i;
    if (*input >= -1 && *input < (int64_t)n->in[1]->type->count) return true;
    return diag_error(c->d, n->at,
                      "call_tir_inplace: inplace_indices: want the number of an input (of %u) or -1, got %lld",
                      n->in[1]->type->count, (long long)*input);
}

static bool check_place(infer_ctx *c, const node *n, const ann *out, uint32_t i, int64_t input) {
    const ann *arg = n->in[1]->type->field[input];
    if (ann_fits(c->exprs, arg, out, c->facts) != ANN_NO) return true;
    return diag_error(c->d, n->at, "call_tir_inplace: output %u is %s, but input %lld, whose place it takes, is %s",
                      i + 1, ann_to_text(c->mem, out), (long long)input + 1, ann_to_text(c->mem, arg));
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *const *out;
    uint32_t outs, fresh = 0;
    if (!deduce_destinations(c, n, &out, &outs)) return NULL;
    if (n->attr[0]->count != outs) {
        diag_error(c->d, n->at, "call_tir_inplace: inplace_indices: want one per output (%u), got %u", outs,
                   n->attr[0]->count);
        return NULL;
    }
    const ann **own = ARENA_NEW(c->mem, const ann *, outs); // passed as destinations
    for (uint32_t i = 0; i < outs; i++) {
        int64_t input;
        if (!placed(c, n, i, &input)) return NULL;
        if (input < 0)
            own[fresh++] = out[i];
        else if (!check_place(c, n, out[i], i, input))
            return NULL;
    }
    if (fresh == outs) {
        diag_error(c->d, n->at,
                   "call_tir_inplace: inplace_indices: want an input that an output is written over; use "
                   "call_tir for a call without");
        return NULL;
    }
    return deduce_program(c, n, own, fresh) ? n->type_arg[0] : NULL;
}

const op op_call_tir_inplace = {
    .name = "call_tir_inplace",
    .doc = "Calls a loop program that writes results over some of its inputs, which must not be used afterwards.",
    .input = {{.name = "func", .kind = INPUT_FUNC, .doc = "the program"},
              {.name = "args", .kind = INPUT_TUPLE, .doc = "its inputs"},
              {.name = "tir_vars", .kind = INPUT_SHAPE, .doc = "its trailing scalar parameters", .optional = true}},
    .attr = {{.name = "inplace_indices",
              .kind = OPATTR_INTS,
              .doc = "for each output the input it is written over, or -1"}},
    .type_args = 1,
    .infer = infer,
    .vm = true,
};
