// check_index.h - which index is out of range, once a kernel that looks at indices has found that one is.
#ifndef VM_CHECK_INDEX_H
#define VM_CHECK_INDEX_H
#include "vm/context.h"

// "take: indices: element 1 is 3, out of range: want -3 <= index < 3" into out, of a kernel with an extent (exec.h).
// `sentence`, with INDEX_SENTENCE in it, is what it asserts; `t` its first buffer, NULL where that is not at hand: then
// the sentence is all.
void vm_say_index(rx_context *c, const exec_kernel *k, const char *sentence, const tensor *t, char *out, size_t room);
#endif
