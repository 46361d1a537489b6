// writer_inside.h - the state of a writer, shared by writer.c (putting together) and save.c (writing).
#ifndef EXEC_WRITER_INSIDE_H
#define EXEC_WRITER_INSIDE_H
#include "base/file.h"
#include "exec/codec.h"
#include "exec/format.h"
#include "exec/writer.h"

// Finds equal entries: open addressing from the hash of an entry's bytes to its index + 1.
typedef struct writer_index {
    uint32_t *slot;
    uint32_t slots, len;
} writer_index;

typedef struct writer_label {
    uint32_t place; // word in the function, or EXEC_NONE
} writer_label;

// A jump operand that gets its place when its function is complete.
typedef struct writer_jump {
    uint32_t word, label;
} writer_jump;

struct exec_writer {
    memory_blocks mem; // copies of what was passed in
    growing string, program, annotation, function, constant, weight, kernel, variant, import, block, meta, replacement,
        code;
    writer_index strings, programs, annotations;
    growing annotation_key;    // exec_bytes: the encoded form of each annotation
    growing label, jump, body; // body: growing words per function
    uint32_t current;          // function that takes instructions, or EXEC_NONE
    uint32_t instruction;      // where the last one begins in its body
    char why[EXEC_WHY];        // the first failure
    rx_status status;
    // While weights are being made:
    new_file *file;
    format_frame frame;
    growing sum;     // uint64 per weight
    uint32_t mapped; // weight whose bytes are being filled, or EXEC_NONE
    const uint8_t *mapping;
    bool started;
};

void writer_fail(exec_writer *w, rx_status status, const char *format, ...) RX_PRINTF(3, 4); // the first one stays
// The executable that the tables make, its code laid out; false after writer_fail. Valid while the writer isn't
// changed.
bool writer_executable(exec_writer *w, executable *out);
#endif
