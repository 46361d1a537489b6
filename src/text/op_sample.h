// op_sample.h - the samples of operators (graph/op.h) as modules: "x=f32[n,4] w=f32[4,8] | R.matmul(x, w)".
#ifndef TEXT_OP_SAMPLE_H
#define TEXT_OP_SAMPLE_H
#include "text/script.h"

// The text of a module whose function main has the sample's operands as parameters and returns the call. Samples are
// ours: a malformed one is a bug.
const char *op_sample_text(arena *mem, const char *sample);
#endif
