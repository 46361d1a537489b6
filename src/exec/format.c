// format.c - header and section table: written, read and checked.
#include "exec/format.h"
#include "base/bytes.h"
#include "base/count_noun.h"
#include "base/map.h"
#include "exec/kernel.h"
#include <stdio.h>
#include <string.h>

static const uint8_t magic[8] = {0x89, 'R', 'L', 'X', '\r', '\n', 0x1a, '\n'};
enum { AT_VERSION = 8, AT_ABI = 12, AT_SECTIONS = 16, AT_SIZE = 24, AT_CHECKSUM = 32 };

// Against damage, not against forgery: whoever can change a file can change its sums.
uint64_t format_checksum(const void *bytes, size_t size) { return hash_bytes(bytes, size, EXEC_FORMAT); }

// The first section begins at a multiple of 64, as all others do.
uint64_t format_head_size(uint32_t sections) {
    uint64_t size = FORMAT_HEADER + (uint64_t)sections * FORMAT_SECTION;
    return (size + 63) / 64 * 64;
}

// Of header and table, with the field that holds it taken as zero.
static uint64_t head_checksum(const uint8_t *bytes, uint32_t sections) {
    uint8_t copy[FORMAT_HEADER + FORMAT_MAX_SECTIONS * FORMAT_SECTION];
    size_t size = FORMAT_HEADER + (size_t)sections * FORMAT_SECTION;
    memcpy(copy, bytes, size);
    bytes_put(copy + AT_CHECKSUM, 0, 8);
    return format_checksum(copy, size);
}

// The layout is drawn in format.h.
void format_write(const format_frame *frame, uint8_t *bytes) {
    memset(bytes, 0, FORMAT_HEADER);
    memcpy(bytes, magic, sizeof magic);
    bytes_put(bytes + AT_VERSION, frame->version, 4);
    bytes_put(bytes + AT_ABI, frame->kernel_abi, 4);
    bytes_put(bytes + AT_SECTIONS, frame->sections, 4);
    bytes_put(bytes + AT_SIZE, frame->file_size, 8);
    for (uint32_t i = 0; i < frame->sections; i++) {
        const format_section *s = &frame->section[i];
        uint8_t *at = bytes + FORMAT_HEADER + (size_t)i * FORMAT_SECTION;
        bytes_put(at, s->kind, 4);
        bytes_put(at + 4, s->flags, 4);
        bytes_put(at + 8, s->offset, 8);
        bytes_put(at + 16, s->size, 8);
        bytes_put(at + 24, s->checksum, 8);
    }
    bytes_put(bytes + AT_CHECKSUM, head_checksum(bytes, frame->sections), 8);
}

static void read_section(const uint8_t *at, format_section *out) {
    *out = (format_section){.kind = (uint32_t)bytes_get(at, 4),
                            .flags = (uint32_t)bytes_get(at + 4, 4),
                            .offset = bytes_get(at + 8, 8),
                            .size = bytes_get(at + 16, 8),
                            .checksum = bytes_get(at + 24, 8)};
}

// The parts of the header that say whether this is a file for us at all.
static rx_status read_header(const uint8_t *bytes, size_t size, format_frame *out, char *why) {
    if (size < FORMAT_HEADER || memcmp(bytes, magic, sizeof magic) != 0) {
        snprintf(why, EXEC_WHY, "not an .rlx file, which `relax compile` makes: want the magic number at its start%s",
                 size < FORMAT_HEADER ? " (the file is shorter than a header)" : "");
        return RX_BAD_FILE;
    }
    *out = (format_frame){.version = (uint32_t)bytes_get(bytes + AT_VERSION, 4),
                          .kernel_abi = (uint32_t)bytes_get(bytes + AT_ABI, 4),
                          .sections = (uint32_t)bytes_get(bytes + AT_SECTIONS, 4),
                          .file_size = bytes_get(bytes + AT_SIZE, 8)};
    if (out->version < 1 || out->version > EXEC_FORMAT || out->version + 1 < EXEC_FORMAT) {
        snprintf(why, EXEC_WHY, "file format %u; this runtime reads format %d: compile the model again", out->version,
                 EXEC_FORMAT);
        return RX_UNSUPPORTED;
    }
    if (out->kernel_abi != RX_KERNEL_ABI) {
        snprintf(why, EXEC_WHY, "kernels of ABI %u; this runtime calls ABI %d: compile the model again",
                 out->kernel_abi, RX_KERNEL_ABI);
        return RX_UNSUPPORTED;
    }
    if (out->file_size == size) return RX_OK;
    snprintf(why, EXEC_WHY, "the file has %s, its header says %llu: it was cut off or added to", COUNTED(size, "byte"),
             (unsigned long long)out->file_size);
    return RX_BAD_FILE;
}

// Sections must lie in order without overlap, so that no byte has two meanings.
static rx_status read_sections(const uint8_t *bytes, size_t size, format_frame *out, char *why) {
    if (out->sections > FORMAT_MAX_SECTIONS || format_head_size(out->sections) > size) {
        snprintf(why, EXEC_WHY, "%u sections: too many", out->sections);
        return RX_BAD_FILE;
    }
    if (head_checksum(bytes, out->sections) != bytes_get(bytes + AT_CHECKSUM, 8)) {
        snprintf(why, EXEC_WHY, "the checksum of the header is wrong: the file is damaged");
        return RX_BAD_FILE;
    }
    uint64_t end = format_head_size(out->sections);
    for (uint32_t i = 0; i < out->sections; i++) {
        format_section *s = &out->section[i];
        read_section(bytes + FORMAT_HEADER + (size_t)i * FORMAT_SECTION, s);
        if (s->offset % 64 || s->offset < end || s->offset > size || s->size > size - s->offset) {
            snprintf(why, EXEC_WHY, "section %u (kind %u) lies outside its place", i, s->kind);
            return RX_BAD_FILE;
        }
        end = s->offset + s->size;
    }
    return RX_OK;
}

// `why` is optional for callers, not for what they call.
rx_status format_read(const uint8_t *bytes, size_t size, format_frame *out, char *why) {
    char ignored[EXEC_WHY];
    if (!why) why = ignored;
    RX_TRY(read_header(bytes, size, out, why));
    return read_sections(bytes, size, out, why);
}

// For tests that damage a file on purpose and want to get past the sums.
void format_seal(uint8_t *bytes, size_t size) {
    if (size < FORMAT_HEADER) return;
    uint32_t sections = (uint32_t)bytes_get(bytes + AT_SECTIONS, 4);
    if (sections > FORMAT_MAX_SECTIONS || format_head_size(sections) > size) return;
    for (uint32_t i = 0; i < sections; i++) {
        uint8_t *at = bytes + FORMAT_HEADER + (size_t)i * FORMAT_SECTION;
        format_section s;
        read_section(at, &s);
        if (s.offset <= size && s.size <= size - s.offset)
            bytes_put(at + 24, format_checksum(bytes + s.offset, (size_t)s.size), 8);
    }
    bytes_put(bytes + AT_CHECKSUM, head_checksum(bytes, sections), 8);
}
