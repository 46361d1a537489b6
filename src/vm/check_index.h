// check_index.h - which index is out of range, once a kernel that looks at indices has found that one is.
#ifndef VM_CHECK_INDEX_H
#define VM_CHECK_INDEX_H
#include "tensor/tensor.h"

enum { INDEX_CHECK_SCALARS = 64 }; // with more of them the sentence is told without numbers

// True if an assertion's sentence is one of a kernel that looks at indices (docs/bytecode.md).
bool vm_is_index_check(const char *sentence);
// "take: indices: element 1 is 3, out of range: want -3 <= index < 3" into out, of such a sentence. t: the indices;
// NULL where they are not at hand, then it says what it can: that one is out of range.
void vm_say_index(const char *sentence, const tensor *t, const int64_t *scalar, uint32_t scalars, char *out,
                  size_t room);
#endif
