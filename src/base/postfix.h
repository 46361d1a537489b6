// postfix.h - integer programs in postfix form: the sizes, extents, grids and guards a runtime evaluates.
//
// A program is bytes: an opcode, then its operand if it has one (little-endian, unaligned), over a stack of
// int64. It ends with its end and leaves exactly one value. Arithmetic is checked: overflow and division by zero
// are errors, never wrapped. postfix_check must have accepted a program before postfix_run sees it.
#ifndef BASE_POSTFIX_H
#define BASE_POSTFIX_H
#include "base/attributes.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum postfix_op {
#define POSTFIX(NAME, spelling, pops, operand_bytes, doc) POSTFIX_##NAME,
#include "base/postfix.def"
    POSTFIX_OPS
} postfix_op;

enum { POSTFIX_MAX_STACK = 64, POSTFIX_MAX_BYTES = 1 << 20 };

typedef enum postfix_result { POSTFIX_DONE, POSTFIX_OVERFLOW, POSTFIX_ZERO_DIVISOR } postfix_result;

// True if the program is well formed, reads only slots below `slots` and never needs more than POSTFIX_MAX_STACK.
bool postfix_check(const uint8_t *program, size_t size, uint32_t slots);
RX_MUST_USE postfix_result postfix_run(const uint8_t *program, size_t size, const int64_t *slot, int64_t *out);
// "n:0 4 *" style text of a checked program into `out` (cut to room, always NUL-terminated).
void postfix_print(const uint8_t *program, size_t size, char *out, size_t room);
#endif
