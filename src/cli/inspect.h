// inspect.h - what `relax inspect` prints, apart from its options.
#ifndef CLI_INSPECT_H
#define CLI_INSPECT_H
#include "base/text.h"
#include "exec/exec.h"

void inspect_json(text *t, const executable *e, const char *path);

// The machine that a function was lowered for, "cpu:x86-64-v4"; NULL: all.
const char *inspect_machine(const executable *e, uint32_t function);

// Bytes of machine code of a kernel in a variant, as the image's symbols state them; 0 if they don't.
uint64_t inspect_code_size(const exec_variant *v, uint32_t kernel);
// What a function takes and gives.
void inspect_signature(text *t, const executable *e, const exec_function *f);
// A table of the weights: those that differ in numbers in their names alone share a line, unless `each` is wanted.
void inspect_weights(text *t, const executable *e, bool each);
#endif
