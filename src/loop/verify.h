// verify.h - the rules a loop program keeps; one row per rule, one message each.
#ifndef LOOP_VERIFY_H
#define LOOP_VERIFY_H
#include "loop/loop.h"

// Rules that hold at every stage: buffers and variables are declared before use and not used outside their scope, index
// ranks and types, dtypes of stores and operands, iteration variables bound, loops' bounds of one integer type,
// written regions cover the accesses. Reports every breach it finds; true if there is none.
bool loop_verify(const loop_func *f, expr_session *s, diag *d);
// loop_verify without the proofs of loop_verify_access.
bool loop_verify_forms(const loop_func *f, expr_session *s, diag *d);
// Part of loop_verify, for a program that keeps its other rules: nothing provably outside of a buffer, of an iteration
// variable's domain or of what a box is taken from; no negative size, no division by zero, no shift out of the type.
bool loop_verify_access(const loop_func *f, expr_session *s, diag *d);
// After splitting into launches: at most one parallel nest at the top of the program, and no global memory around it.
bool loop_verify_launch(const loop_func *f, diag *d);
#endif
