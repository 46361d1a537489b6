// disassemble.h - machine code as text.
#ifndef TARGET_DISASSEMBLE_H
#define TARGET_DISASSEMBLE_H
#include "base/text.h"
#include "target/target.h"

// A kernel in an image: its body first, then the function that the runtime calls.
typedef struct machine_code {
    const char *name;
    const uint8_t *bytes;
    uint64_t size, start; // start: the address of the first byte
    uint64_t entry;       // of the function that the runtime calls
} machine_code;

// One instruction a line, with its address; labels where jumps go. False after reporting.
bool target_disassemble(const arch *a, const machine_code *code, text *out, diag *d);
#endif
