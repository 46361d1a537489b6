// call_tir_with_grad.c - R.call_tir_with_grad: call_tir with the name of a gradient; there is no training here, so it
// means what call_tir means.
#include "graph/deduce.h"
#include "ops/ops.h"

const op op_call_tir_with_grad = {
    .name = "call_tir_with_grad",
    .doc = "Calls a loop program that has a gradient; the gradient is not used.",
    .input = {{.name = "func", .kind = INPUT_FUNC, .doc = "the program"},
              {.name = "args", .kind = INPUT_TUPLE, .doc = "its inputs"},
              {.name = "tir_vars", .kind = INPUT_SHAPE, .doc = "its trailing scalar parameters", .optional = true}},
    .attr = {{.name = "te_grad_name", .kind = OPATTR_STRING, .doc = "the gradient's name"},
             {.name = "te_grad_kwargs", .kind = OPATTR_ANY, .preset = "None", .doc = "its arguments"}},
    .type_args = 1,
    .infer = deduce_call_tir,
    .vm = true,
};
