// inspect.h - operators that look at values, for the table in special.c alone.
#ifndef INTERP_INSPECT_H
#define INTERP_INSPECT_H
#include "interp/frame.h"

// Each evaluates a call of its operator; `in` are the operands. False after reporting.
bool eval_print(frame *fr, const node *n, value *in, value *out);
bool eval_assert(frame *fr, const node *n, value *in, value *out);
bool eval_inspect(frame *fr, const node *n, value *in, value *out);
bool eval_memory_view(frame *fr, const node *n, value *in, value *out);
#endif
