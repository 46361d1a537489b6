// codec.h - one description of each table serves both ways: writing it into bytes and reading it back.
//
// Every code_* function takes the address of a field. A writing codec appends the field to `out`; a reading one takes
// it from [at, end) and sets it. Numbers are little-endian. A failure (bytes end too early, a count larger
// than the bytes that are left, no memory) sets `bad` or `no_memory` and makes everything after it read as zero.
#ifndef EXEC_CODEC_H
#define EXEC_CODEC_H
#include "exec/exec.h"
#include "exec/memory.h"

typedef struct codec {
    bool writing, bad, no_memory;
    growing *out; // of bytes
    const uint8_t *start, *at, *end;
    memory_blocks *mem; // arrays that are read live here; bytes stay where they are
} codec;

// Single fields. What is written is only read, so it may be constant memory.
void code_u32(codec *c, uint32_t *x);
void code_u64(codec *c, uint64_t *x);
void code_i64(codec *c, int64_t *x);
void code_dtype(codec *c, dtype *t);
void code_bytes(codec *c, exec_bytes *b);         // a NUL follows them
void code_aligned_bytes(codec *c, exec_bytes *b); // the same, at a multiple of 64 from the start of the section
// The count and the room of an array, whose elements the caller codes; returns the first (NULL if there are none).
void *code_array(codec *c, const void *array, uint32_t *count, size_t size);
// Arrays of plain numbers, elements included.
void code_u32s(codec *c, const uint32_t **array, uint32_t *count);
void code_i64s(codec *c, const int64_t **array, uint32_t *count);

// One table of an executable, in the order of the file. `kind` numbers are part of the format.
typedef struct section_info {
    uint32_t kind;
    const char *name;
    void (*code)(codec *c, executable *e);
    uint32_t flags;     // SECTION_OPTIONAL or 0
    bool skipped_empty; // optional where it has no entries: readers of format 1 before it did without
} section_info;
enum { SECTION_TABLES = 16, SECTION_WEIGHT_DATA = 100, SECTION_WEIGHT_SUMS = 101 };
extern const section_info section_table[SECTION_TABLES];

// One annotation: the key by which the writer finds an equal one.
void code_annotation(codec *c, exec_annotation *a);
#endif
