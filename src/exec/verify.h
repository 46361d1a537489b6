// verify.h - checks that every index, count and size of an executable is one that can be used without looking again.
#ifndef EXEC_VERIFY_H
#define EXEC_VERIFY_H
#include "exec/exec.h"
#include "exec/memory.h"
#include "tensor/shape.h"

// Limits of the format: what a file may ask of a machine before it runs. A signature this deep or a frame this large
// is a forgery or a bug.
enum {
    // Registers and slots of one frame; a decoder of 100 layers needs some thousands.
    EXEC_MAX_REGISTERS = 1 << 18,
    EXEC_MAX_SLOTS = 1 << 18,
    EXEC_MAX_PARAMS = 1 << 16,
    EXEC_MAX_CACHES = 1 << 16,
    // Nesting and size of one signature's tree; real ones stay below ten and a thousand.
    EXEC_MAX_ANNOTATION_DEPTH = 64,
    EXEC_MAX_ANNOTATION_NODES = 1 << 16,
};

// What verification looks at and where it complains; `facts` has one entry per annotation.
typedef struct annotation_facts {
    uint32_t slots, depth, nodes; // slots needed; depth and size of the tree
} annotation_facts;
typedef struct verifier {
    executable *e;
    char *why; // EXEC_WHY bytes
    annotation_facts *facts;
    // Of the first complaint; RX_OK so far.
    rx_status status;
} verifier;

// Completes e (kinds of programs, caches) and checks it. `mem` is for facts that are needed while checking.
RX_MUST_USE rx_status exec_verify(executable *e, memory_blocks *mem, char *why);
// The bytecode part: functions' code, in verify_code.c. False after complaining.
bool verify_code(verifier *v, memory_blocks *mem);
// Writes the sentence, if there is none yet, and returns false.
bool verify_fail(verifier *v, const char *format, ...) RX_PRINTF(2, 3);
#endif
