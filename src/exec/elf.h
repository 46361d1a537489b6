// elf.h - reads the images that hold kernels: 64-bit little-endian ELF shared objects, as lld makes them with -shared.
//
// Every offset and size is checked against the bytes there are. Facts: System V ABI (gABI) 4.1 and its supplements.
#ifndef EXEC_ELF_H
#define EXEC_ELF_H
#include "base/attributes.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ELF_MAX_SEGMENTS = 16, ELF_WHY = 256 };

typedef struct elf_segment {
    uint64_t address, size;     // where it lies in the image's memory
    uint64_t offset, file_size; // where its first bytes are in the file; the rest is zero
    bool write, execute;
} elf_segment;

typedef struct elf_image {
    const uint8_t *bytes;
    size_t size;
    unsigned machine; // e_machine: 62 x86-64, 183 AArch64, 243 RISC-V
    uint32_t segments;
    elf_segment segment[ELF_MAX_SEGMENTS];
    uint64_t span;            // bytes of memory from address 0 to the end of the last segment
    uint64_t rela, relas;     // file offset and number of relocations, all of them relative
    uint64_t symbol, symbols; // file offset and number of dynamic symbols, their names' place
    uint64_t name, names;
} elf_image;

// A relative relocation: the 64-bit word at `address` becomes the image's base plus `addend`.
typedef struct elf_relative {
    uint64_t address, addend;
} elf_relative;

// Refuses images that need other files, symbols of others, or relocations that are not relative. One sentence into
// `why` (ELF_WHY).
RX_MUST_USE bool elf_open(const uint8_t *bytes, size_t size, elf_image *out, char *why);
elf_relative elf_relocation(const elf_image *e, uint64_t index);
// The address of an exported function or object; false if there is none of this name.
bool elf_find(const elf_image *e, const char *name, uint64_t *address);
// The code of the exported function at an address: from the end of the exported function before it, so that functions
// with no exported name, such as the body that its threads run, count. 0 if there is none.
uint64_t elf_code_size(const elf_image *e, uint64_t address);
// The same as bytes: *start is the address of the first. False if there is none.
bool elf_code(const elf_image *e, uint64_t address, uint64_t *start, const uint8_t **bytes, uint64_t *size);
// True if `size` bytes at `address` lie within one segment (an executable one if asked).
bool elf_covers(const elf_image *e, uint64_t address, uint64_t size, bool execute);
#endif
