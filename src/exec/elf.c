// elf.c - the few parts of ELF that a kernel image has: segments, relative relocations, exported symbols.
#include "exec/elf.h"
#include "base/bytes.h"
#include <stdio.h>
#include <string.h>

// Sizes and offsets of the structures of a 64-bit ELF file (gABI 4.1, "ELF-64 object file format").
enum {
    EHDR_SIZE = 64,
    PHDR_SIZE = 56,
    SHDR_SIZE = 64,
    RELA_SIZE = 24,
    SYM_SIZE = 24,
    DYN_SIZE = 16,
    TYPE_DYN = 3,
    SEGMENT_LOAD = 1,
    SEGMENT_DYNAMIC = 2,
    SEGMENT_TLS = 7,
    FLAG_EXECUTE = 1,
    FLAG_WRITE = 2,
    SECTION_DYNSYM = 11,
    TAG_NEEDED = 1,
    TAG_RELA = 7,
    TAG_RELASZ = 8,
    TAG_INIT = 12,
    TAG_REL = 17,
    TAG_JMPREL = 23,
    TAG_INIT_ARRAY = 25,
    TAG_RELR = 36,
    // Nothing a kernel image needs is larger than this.
    SPAN_LIMIT = 1 << 30,
};

// Both numbers come from the file: the sum of offset and size might wrap around.
static bool inside(uint64_t offset, uint64_t size, uint64_t whole) { return offset <= whole && size <= whole - offset; }

static bool fail(char *why, const char *what) {
    snprintf(why, ELF_WHY, "%s", what);
    return false;
}

// The relocation type that means "base plus addend" on each machine; 0 for others.
static unsigned relative_type(unsigned machine) {
    return machine == 62 ? 8 : machine == 183 ? 1027 : machine == 243 ? 3 : 0;
}

// e_ident, then e_type at byte 16 and e_machine at 18.
static bool read_header(elf_image *e, char *why) {
    static const uint8_t ident[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    if (e->size < EHDR_SIZE || memcmp(e->bytes, ident, sizeof ident) != 0)
        return fail(why, "not a 64-bit little-endian ELF image");
    e->machine = (unsigned)bytes_get(e->bytes + 18, 2);
    if (bytes_get(e->bytes + 16, 2) != TYPE_DYN) return fail(why, "not a shared object");
    return relative_type(e->machine) ? true : fail(why, "an image for a machine that is not supported");
}

// Segments must come in the order of their addresses (the ABI asks for it): so overlaps are found at once.
// p_flags at 4, p_offset 8, p_vaddr 16, p_filesz 32, p_memsz 40.
static bool add_segment(elf_image *e, const uint8_t *header, char *why) {
    elf_segment s = {.offset = bytes_get(header + 8, 8),
                     .address = bytes_get(header + 16, 8),
                     .file_size = bytes_get(header + 32, 8),
                     .size = bytes_get(header + 40, 8),
                     .execute = (bytes_get(header + 4, 4) & FLAG_EXECUTE) != 0,
                     .write = (bytes_get(header + 4, 4) & FLAG_WRITE) != 0};
    if (e->segments == ELF_MAX_SEGMENTS) return fail(why, "too many segments");
    if (!inside(s.offset, s.file_size, e->size) || s.file_size > s.size || !inside(s.address, s.size, SPAN_LIMIT))
        return fail(why, "a segment lies outside the image");
    if (s.write && s.execute) return fail(why, "a segment is writable and executable");
    if (s.address < e->span) return fail(why, "segments overlap or are out of order");
    e->segment[e->segments++] = s;
    e->span = s.address + s.size;
    return true;
}

// File offset of `size` bytes at an address, or false.
static bool locate(const elf_image *e, uint64_t address, uint64_t size, uint64_t *offset) {
    for (uint32_t i = 0; i < e->segments; i++) {
        const elf_segment *s = &e->segment[i];
        if (address < s->address || !inside(address - s->address, size, s->file_size)) continue;
        *offset = s->offset + (address - s->address);
        return true;
    }
    return false;
}

// A relocation of another type would need a symbol of somebody else: kernels have no imports.
// The image is position-independent and complete: adding its base to some words is all the loading there is.
static bool check_relocations(elf_image *e, uint64_t address, uint64_t bytes, char *why) {
    if (!bytes) return true;
    if (bytes % RELA_SIZE || !locate(e, address, bytes, &e->rela))
        return fail(why, "relocations lie outside the image");
    e->relas = bytes / RELA_SIZE;
    for (uint64_t i = 0; i < e->relas; i++) {
        uint64_t info = bytes_get(e->bytes + e->rela + i * RELA_SIZE + 8, 8);
        if (info != relative_type(e->machine))
            return fail(why, "a relocation is not relative: the image needs a symbol");
        elf_relative r = elf_relocation(e, i);
        if (!elf_covers(e, r.address, 8, false)) return fail(why, "a relocation lies outside the image");
    }
    return true;
}

// What a tag of the dynamic table says about an image we can't load; NULL for all others.
static const char *unwanted(uint64_t tag) {
    if (tag == TAG_NEEDED) return "the image needs another shared object";
    if (tag == TAG_INIT || tag == TAG_INIT_ARRAY) return "the image wants to run code when it is loaded";
    if (tag == TAG_REL || tag == TAG_JMPREL || tag == TAG_RELR)
        return "the image has relocations of an unsupported kind";
    return NULL;
}

// The dynamic table tells where the relocations are and what the image would want from a loader.
static bool read_dynamic(elf_image *e, const uint8_t *header, char *why) {
    uint64_t offset = bytes_get(header + 8, 8), size = bytes_get(header + 32, 8), rela = 0, bytes = 0;
    if (!inside(offset, size, e->size)) return fail(why, "the dynamic table lies outside the image");
    for (uint64_t at = offset; at + DYN_SIZE <= offset + size; at += DYN_SIZE) {
        uint64_t tag = bytes_get(e->bytes + at, 8), value = bytes_get(e->bytes + at + 8, 8);
        if (!tag) break;
        if (unwanted(tag)) return fail(why, unwanted(tag));
        if (tag == TAG_RELA) rela = value;
        if (tag == TAG_RELASZ) bytes = value;
    }
    return check_relocations(e, rela, bytes, why);
}

// The dynamic symbols, by the section headers; an image without them has no symbols to find.
static void read_symbols(elf_image *e) {
    uint64_t at = bytes_get(e->bytes + 40, 8), count = bytes_get(e->bytes + 60, 2);
    if (!inside(at, count * SHDR_SIZE, e->size)) return;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *s = e->bytes + at + i * SHDR_SIZE;
        uint64_t link = bytes_get(s + 40, 4);
        if (bytes_get(s + 4, 4) != SECTION_DYNSYM || link >= count) continue;
        const uint8_t *names = e->bytes + at + link * SHDR_SIZE;
        uint64_t offset = bytes_get(s + 24, 8), size = bytes_get(s + 32, 8), name = bytes_get(names + 24, 8),
                 names_size = bytes_get(names + 32, 8);
        if (!inside(offset, size, e->size) || !inside(name, names_size, e->size)) return;
        e->symbol = offset;
        e->symbols = size / SYM_SIZE;
        e->name = name;
        e->names = names_size;
        return;
    }
}

// Calls `read` for each program header of a type.
static bool each_header(elf_image *e, unsigned type, bool (*read)(elf_image *e, const uint8_t *header, char *why),
                        char *why) {
    uint64_t at = bytes_get(e->bytes + 32, 8), count = bytes_get(e->bytes + 56, 2);
    if (!inside(at, count * PHDR_SIZE, e->size)) return fail(why, "program headers lie outside the image");
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *header = e->bytes + at + i * PHDR_SIZE;
        if (bytes_get(header, 4) == type && !read(e, header, why)) return false;
    }
    return true;
}

static bool refuse_tls(elf_image *e, const uint8_t *header, char *why) {
    (void)e, (void)header;
    return fail(why, "the image has thread-local memory");
}

bool elf_open(const uint8_t *bytes, size_t size, elf_image *out, char *why) {
    *out = (elf_image){.bytes = bytes, .size = size};
    if (!read_header(out, why) || !each_header(out, SEGMENT_TLS, refuse_tls, why) ||
        !each_header(out, SEGMENT_LOAD, add_segment, why) || !each_header(out, SEGMENT_DYNAMIC, read_dynamic, why))
        return false;
    if (!out->segments) return fail(why, "the image has no segments");
    read_symbols(out);
    return true;
}

elf_relative elf_relocation(const elf_image *e, uint64_t index) {
    const uint8_t *at = e->bytes + e->rela + index * RELA_SIZE;
    return (elf_relative){.address = bytes_get(at, 8), .addend = bytes_get(at + 16, 8)};
}

// By sizes in memory, not in the file: zeros behind a segment's bytes belong to it.
bool elf_covers(const elf_image *e, uint64_t address, uint64_t size, bool execute) {
    for (uint32_t i = 0; i < e->segments; i++) {
        const elf_segment *s = &e->segment[i];
        if ((s->execute || !execute) && address >= s->address && inside(address - s->address, size, s->size))
            return true;
    }
    return false;
}

// A linear search: this runs when a file is written, once per kernel.
bool elf_find(const elf_image *e, const char *name, uint64_t *address) {
    size_t size = strlen(name) + 1; // with its NUL
    for (uint64_t i = 0; i < e->symbols; i++) {
        const uint8_t *s = e->bytes + e->symbol + i * SYM_SIZE;
        uint64_t at = bytes_get(s, 4), section = bytes_get(s + 6, 2);
        if (!section || !inside(at, size, e->names) || memcmp(e->bytes + e->name + at, name, size) != 0) continue;
        *address = bytes_get(s + 8, 8);
        return true;
    }
    return false;
}

// `own` is the symbol's size; code between it and the symbol before (padding, cold parts) is counted to it.
static uint64_t code_range(const elf_image *e, uint64_t address, uint64_t *from) {
    uint64_t start = 0, own = 0;
    for (uint32_t i = 0; i < e->segments; i++)
        if (e->segment[i].execute && e->segment[i].address <= address) start = e->segment[i].address;
    for (uint64_t i = 0; i < e->symbols; i++) {
        const uint8_t *s = e->bytes + e->symbol + i * SYM_SIZE;
        uint64_t at = bytes_get(s + 8, 8), size = bytes_get(s + 16, 8);
        if (!bytes_get(s + 6, 2) || !inside(at, size, e->span)) continue;
        if (at == address)
            own = size;
        else if (at + size <= address && at + size > start)
            start = at + size;
    }
    *from = start;
    return own ? address - start + own : 0;
}

uint64_t elf_code_size(const elf_image *e, uint64_t address) {
    uint64_t start;
    return code_range(e, address, &start);
}

bool elf_code(const elf_image *e, uint64_t address, uint64_t *start, const uint8_t **bytes, uint64_t *size) {
    uint64_t offset;
    *size = code_range(e, address, start);
    if (!*size || !locate(e, *start, *size, &offset)) return false;
    *bytes = e->bytes + offset;
    return true;
}
