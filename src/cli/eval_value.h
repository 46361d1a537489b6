// eval_value.h - values of the interpreter <-> values of the runtime, which are read, printed, compared and saved.
#ifndef CLI_EVAL_VALUE_H
#define CLI_EVAL_VALUE_H
#include "interp/interp.h"
#include "vm/vm.h"

// A value with references of its own; what lies in it besides tensors is from mem. False for kinds that have none.
bool eval_from_runtime(rx_value *from, arena *mem, value *to);
// NULL for a function or nothing, and when memory ran out.
rx_value *eval_to_runtime(const value *from);
#endif
