// opcodes.c - the table of instructions.
#include "exec/bytecode.h"

static const opcode_info info[] = {
#define OPCODE(NAME, spelling, operands, doc) {spelling, operands, doc},
#include "exec/opcodes.def"
};

const opcode_info *opcode_get(opcode op) { return &info[op]; }
