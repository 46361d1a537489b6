// emit_stmt.h - what the files about statements share.
#ifndef TARGET_EMIT_STMT_H
#define TARGET_EMIT_STMT_H
#include "target/emit.h"

// emit_stmt.c: whether a vectorized loop can be one (its lanes are *lanes); the emitter inside of it, and out again.
bool vector_lanes(const emitter *e, const stmt *loop, int64_t *lanes);
void vector_open(emitter *e, const stmt *loop, unsigned lanes);
void vector_close(emitter *e);

// emit_guard.c: the value of a reduction over a mask.
LLVMValueRef emit_reduced(emitter *e, const char *name, LLVMValueRef mask);
// Runs `st` for the lanes of `wanted`, if there are any.
void emit_masked(emitter *e, LLVMValueRef wanted, const stmt *st);
// A block `whole` whose guard differs between lanes; `inside` is the block without it.
void emit_guarded(emitter *e, const stmt *whole, const stmt *inside);
// A loop (not the vectorized one) around nothing but a guarded vectorized block: where the loop does not change the
// guard, it is asked once around the loop. False: nothing was emitted.
bool emit_unswitched(emitter *e, const stmt *loop);
#endif
