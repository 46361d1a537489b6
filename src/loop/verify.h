// verify.h - the rules a loop program keeps; one row per rule, one message each.
#ifndef LOOP_VERIFY_H
#define LOOP_VERIFY_H
#include "loop/loop.h"

// Rules that hold at every stage: buffers and variables are declared before use and not used outside their scope, index
// ranks and types, dtypes of stores and operands, iteration variables bound, loops' bounds of one integer type,
// written regions cover the accesses. Reports every breach it finds; true if there is none.
bool loop_verify(const loop_func *f, expr_session *s, diag *d);
// After splitting into launches: one top-level parallel nest at most, no global allocation inside.
bool loop_verify_launch(const loop_func *f, expr_session *s, diag *d);
#endif
