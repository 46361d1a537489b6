// cpu_image.c - maps the image that holds kernels: copied into fresh pages, relocated, then made executable.
#define _GNU_SOURCE
#include "device/cpu.h"
#include "exec/elf.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static rx_status fail(char *why, rx_status status, const char *what) {
    snprintf(why, DEVICE_WHY, "kernel image: %.200s", what);
    return status;
}

// e_machine of the processor this was compiled for.
static unsigned own_machine(void) {
#if defined(__x86_64__)
    return 62;
#elif defined(__aarch64__)
    return 183;
#elif defined(__riscv)
    return 243;
#else
    return 0;
#endif
}

// Protection is by page, so two segments must not share one.
static bool pages_are_apart(const elf_image *e, size_t page) {
    for (uint32_t i = 1; i < e->segments; i++) {
        uint64_t end = e->segment[i - 1].address + e->segment[i - 1].size;
        if (e->segment[i].address / page * page < end) return false;
    }
    return true;
}

// Copies the segments and adds the base to every address in them; pages between segments stay zero.
static void fill(const elf_image *e, uint8_t *base) {
    for (uint32_t i = 0; i < e->segments; i++) {
        const elf_segment *s = &e->segment[i];
        if (s->file_size) memcpy(base + s->address, e->bytes + s->offset, (size_t)s->file_size);
    }
    for (uint64_t i = 0; i < e->relas; i++) {
        elf_relative r = elf_relocation(e, i);
        uint64_t value = (uint64_t)(uintptr_t)base + r.addend;
        memcpy(base + r.address, &value, sizeof value);
    }
}

// From here on no page is both writable and executable.
static bool protect(const elf_image *e, uint8_t *base, size_t page) {
    for (uint32_t i = 0; i < e->segments; i++) {
        const elf_segment *s = &e->segment[i];
        uint64_t start = s->address / page * page, size = s->address + s->size - start;
        int how = PROT_READ | (s->write ? PROT_WRITE : 0) | (s->execute ? PROT_EXEC : 0);
        if (size && mprotect(base + start, (size_t)size, how) != 0) return false;
    }
    return true;
}

// The image is copied, not mapped from its file: sections need no page alignment, and the file may go away.
rx_status cpu_image_map(const uint8_t *bytes, size_t size, cpu_image *out, char *why) {
    elf_image e;
    char elf_why[ELF_WHY];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *out = (cpu_image){0};
    if (!elf_open(bytes, size, &e, elf_why)) return fail(why, RX_BAD_FILE, elf_why);
    if (e.machine != own_machine()) return fail(why, RX_UNSUPPORTED, "made for another kind of processor");
    if (!pages_are_apart(&e, page)) return fail(why, RX_BAD_FILE, "two segments share a page");
    size_t span = ((size_t)e.span + page - 1) / page * page;
    if (!span) return fail(why, RX_BAD_FILE, "it is empty");
    const char *folder = getenv("RELAX_DEBUG_IMAGES");
    if (folder && *folder) return cpu_image_open_library(folder, bytes, size, out, why);
    uint8_t *base = mmap(NULL, span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return fail(why, RX_OUT_OF_MEMORY, "no memory to map it");
    fill(&e, base);
    *out = (cpu_image){.base = base, .size = span};
    __builtin___clear_cache((char *)base, (char *)base + span);
    if (protect(&e, base, page)) return RX_OK;
    cpu_image_unmap(out);
    return fail(why, RX_UNSUPPORTED, "this system refuses to make its pages executable");
}

void cpu_image_unmap(cpu_image *i) {
    if (i->library)
        dlclose(i->library);
    else if (i->base)
        munmap(i->base, i->size);
    *i = (cpu_image){0};
}
