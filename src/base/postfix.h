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

// The static facts of an instruction: a row of postfix.def.
typedef struct postfix_info {
    const char *spelling;
    uint8_t pops, operand_bytes;
} postfix_info;
const postfix_info *postfix_get(postfix_op op); // never NULL

// Writing: one instruction into `out`, returning how many bytes it took.
enum { POSTFIX_LONGEST = 9 };
size_t postfix_put(postfix_op op, int64_t operand, uint8_t out[POSTFIX_LONGEST]); // operand: 0 where it has none
size_t postfix_put_int(int64_t value, uint8_t out[POSTFIX_LONGEST]);              // a constant, in the shorter form

// Reading the instruction whose opcode is at `at`, in a program that postfix_check has accepted.
int64_t postfix_operand(const uint8_t *at); // sign-extended for SMALL; 0 where there is none
size_t postfix_size(const uint8_t *at);     // to the next instruction
// "*", "4" or "s0" (slot 0): the words of listings, which the assembler reads back. Returns out.
enum { POSTFIX_WORD = 24 };
const char *postfix_word(const uint8_t *at, char out[POSTFIX_WORD]);

// True if the program is well formed, reads only slots below `slots` and never needs more than POSTFIX_MAX_STACK.
bool postfix_check(const uint8_t *program, size_t size, uint32_t slots);
RX_MUST_USE postfix_result postfix_run(const uint8_t *program, size_t size, const int64_t *slot, int64_t *out);
#endif
