// bytecode.h - the instructions of the VM: a register machine in the spirit of TVM's.
//
// A function's code is an array of 32-bit words. An instruction is one word `opcode | words << 8` (`words` counts
// this word too) followed by its operands, one word each; opcodes.def says which. A jump goes to the index of an
// instruction's first word in the same function.
//
//   registers   hold values: null, tensor, storage, shape, scalar, string, tuple, list, closure. The first ones are
//               the parameters; all others start as null. Each register owns its value.
//   slots       int64 per function (TVM's shape heap): symbols such as n, and whatever `slot` computes from them.
//               On entry of a function the VM matches the parameters against their annotations, which binds the
//               symbols' slots; bounds of symbols are checked too. Code that jumps back to a loop's head matches again
//               itself.
//   programs    integers from slots by base/postfix.h: sizes, dims, offsets, guards, scalars of kernels. Constants and
//               plain slots are programs too; the VM runs those without interpreting.
//
// `add` on (n, 256), planned into one block, then a choice of kernels by n:
//
//                                                 # slot 0 is n, bound by x.shape[0] on entry
//     alloc_storage %1, [n 1024 *]
//     alloc_tensor %2, %1, [0], float32, ([n], [256])
//     when [n 8 <=], else                         # no: go to else
//     launch add_small, (%0, %0, %2), ([n])
//     goto done
//   else:
//     launch add_large, (%0, %0, %2), ([n])
//   done:
//     kill (%1)                                   # %2 keeps the block alive
//     ret %2
#ifndef EXEC_BYTECODE_H
#define EXEC_BYTECODE_H
#include "base/attributes.h"
#include "tensor/dtype.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum opcode {
#define OPCODE(NAME, spelling, operands, doc) OP_##NAME,
#include "exec/opcodes.def"
    OPCODES
} opcode;

// The static facts of an opcode: a row of opcodes.def.
typedef struct opcode_info {
    const char *spelling, *operands, *doc;
} opcode_info;
const opcode_info *opcode_get(opcode which); // never NULL

#define NO_REGISTER UINT32_MAX // as a destination: the result is dropped
enum { OP_MAX_WORDS = 1 << 16 };

static inline uint32_t op_word(opcode which, uint32_t words) { return (uint32_t)which | words << 8; }
static inline uint32_t op_words(uint32_t word) { return word >> 8; }
// A dtype as an operand, and back.
static inline uint32_t op_dtype(dtype t) { return (uint32_t)t.kind | (uint32_t)t.lanes << 8; }
static inline dtype op_dtype_of(uint32_t word) {
    return (dtype){.kind = (uint8_t)(word & 0xff), .lanes = (uint16_t)(word >> 8)};
}
#endif
