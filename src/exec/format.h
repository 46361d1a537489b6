// format.h - the frame of an .rlx file: a header, a table of sections, the sections.
//
//   0   magic, 8 bytes          24  size of the file, u64        64   section table, 32 bytes each:
//   8   format version, u32     32  checksum of header and table      kind u32, flags u32, offset u64, size u64,
//   12  kernel ABI, u32         40  zeros                             checksum u64
//   16  number of sections, u32
//   20  zero, u32
// Numbers are little-endian; sections start at multiples of 64, in the order of the table, and don't overlap.
#ifndef EXEC_FORMAT_H
#define EXEC_FORMAT_H
#include "exec/exec.h"

enum {
    FORMAT_HEADER = 64,
    FORMAT_SECTION = 32,
    FORMAT_MAX_SECTIONS = 64,
    SECTION_OPTIONAL = 1,  // a reader that doesn't know it may skip it
    SECTION_UNCHECKED = 2, // its checksum is not verified at load (weights)
};

typedef struct format_section {
    uint32_t kind, flags;
    uint64_t offset, size, checksum;
} format_section;

typedef struct format_frame {
    uint32_t version, kernel_abi, sections;
    uint64_t file_size;
    format_section section[FORMAT_MAX_SECTIONS];
} format_frame;

// The frame of a file whose first bytes these are; size is that of the whole file. Checks everything but the sections'
// contents. RX_UNSUPPORTED for a version or ABI that we don't read.
RX_MUST_USE rx_status format_read(const uint8_t *bytes, size_t size, format_frame *out, char *why);
// Writes header and table into `bytes` (room for FORMAT_HEADER + sections * FORMAT_SECTION).
void format_write(const format_frame *frame, uint8_t *bytes);
// The size of header and table, rounded up to a section's start.
uint64_t format_head_size(uint32_t sections);
uint64_t format_checksum(const void *bytes, size_t size);
// Makes the checksums of a file in memory right again after its bytes were changed. For tests that forge files.
void format_seal(uint8_t *bytes, size_t size);
#endif
