// builtin_op.h - functions of src/builtin, run by the interpreter.
#ifndef INTERP_BUILTIN_OP_H
#define INTERP_BUILTIN_OP_H
#include "builtin/builtin.h"
#include "interp/frame.h"
#include "interp/host.h"

// Runs b; c needs in, ins, arg, args and out (b->outs of them). False after reporting.
bool host_builtin(run *r, const builtin *b, builtin_call *c, loc at);
// What an allocating builtin has made: one tensor, or a tuple of those that are not NULL. Takes the references.
bool host_results(run *r, tensor **made, uint32_t count, value *out, loc at);
// An operator whose descriptor names a builtin (call, alloc).
bool eval_builtin(frame *fr, const node *n, const value *in, value *out);
// A lowered module's call of one: tensors, numbers, then destinations (an empty tuple: not wanted) unless it makes its
// results.
bool host_runtime(const host_call *c, const builtin *b, value *result);
#endif
