// weights_once.h - what depends on weights alone is computed once, when weights are arguments that stay set.
#ifndef VM_WEIGHTS_ONCE_H
#define VM_WEIGHTS_ONCE_H
#include "vm/context.h"

// Finds the functions for it, when a context is made. RX_BAD_FILE if what the file says of them can't be.
RX_MUST_USE rx_status weights_once_open(rx_context *c);
void weights_once_close(rx_context *c);

// A parameter of a function has got another value.
void weights_once_forget(rx_context *c, uint32_t function, uint32_t param);

// Puts the frame of the function that takes what was computed on the stack, its parameters behind the inputs filled and
// the inputs null. False: nothing of the kind, a weight is not set, or it can't be computed; then nothing happened, and
// the function itself says what is wrong.
bool weights_once_enter(rx_context *c, uint32_t function);
#endif
