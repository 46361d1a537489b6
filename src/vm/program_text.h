// program_text.h - a size as it was written, for messages about one that has no value.
#ifndef VM_PROGRAM_TEXT_H
#define VM_PROGRAM_TEXT_H
#include "vm/context.h"

enum { VM_PROGRAM_TEXT = 400 };

// "a * b leaves the range of int64, as a is 4294967296 and b is 4294967296" into out: the program over the slots s with
// the names of the running function, `why`, and what the names stand for.
void vm_program_text(rx_context *c, const exec_program *p, const int64_t *s, const char *why,
                     char out[2 * VM_PROGRAM_TEXT]);
#endif
