// emit_kernel.h - one loop program as two LLVM functions: the exported entry and its body.
#ifndef TARGET_EMIT_KERNEL_H
#define TARGET_EMIT_KERNEL_H
#include "target/emit.h"

// Fills e->module from e->func; what emit.h lists above `failed`, the context, module, builder and cache_room must be
// set. False after reporting.
bool emit_kernel(emitter *e);
// emit_stmt.c: the iterations from <= var < to of a loop.
void emit_range(emitter *e, const stmt *loop, LLVMValueRef from, LLVMValueRef to);
#endif
