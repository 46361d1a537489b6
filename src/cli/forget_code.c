// forget_code.c - memory of libraries that were only needed to start, or to compile.
//
// Loading LLVM touches 45 MiB of it, before anything is compiled: as much as a small model's weights have.
#define _GNU_SOURCE
#include "cli/forget_code.h"
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// Segments that nobody can write are as they are in the file.
static int forget_one(struct dl_phdr_info *library, size_t size, void *user) {
    (void)size, (void)user;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        uintptr_t from = (library->dlpi_addr + segment->p_vaddr) / page * page;
        uintptr_t to = library->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        // A failure means that the pages stay, which does no harm.
        (void)!madvise((void *)from, to - from, MADV_DONTNEED);
    }
    return 0;
}

void forget_code(void) { dl_iterate_phdr(forget_one, NULL); }
