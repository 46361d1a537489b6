// disassemble.c - machine code as text, by LLVM's disassembler, with labels where jumps go.
#include "target/disassemble.h"
#include <inttypes.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <string.h>

typedef struct listing {
    const machine_code *code;
    arena *mem;
    map labels; // address -> const char *
    uint32_t numbered;
    bool look;      // jumps are looked for, not printed
    map *jumps;     // targets found
    uint64_t first; // the address behind the padding; 0: not found yet
} listing;

static bool is_inside(const listing *l, uint64_t at) {
    return at >= l->code->start && at - l->code->start < l->code->size;
}

// Called by LLVM for operands that may be addresses.
static const char *name_of(void *user, uint64_t value, uint64_t *type, uint64_t from, const char **reference) {
    listing *l = user;
    bool branch = *type == LLVMDisassembler_ReferenceType_In_Branch;
    (void)from;
    *type = LLVMDisassembler_ReferenceType_InOut_None;
    *reference = NULL;
    if (!branch || !is_inside(l, value)) return NULL;
    if (l->look) map_put(l->jumps, value, l);
    return map_find(&l->labels, value);
}

static LLVMDisasmContextRef open_disassembler(const arch *a, listing *l, diag *d) {
    LLVMInitializeX86Disassembler();
    LLVMInitializeAArch64Disassembler();
    LLVMInitializeRISCVDisassembler();
    LLVMDisasmContextRef c = LLVMCreateDisasmCPUFeatures(a->triple, a->cpu, a->llvm_features, l, 0, NULL, name_of);
    if (!c) diag_error(d, (loc){0}, "target %s: LLVM has no disassembler for it", a->name);
    return c;
}

static void put_label(const listing *l, uint64_t at, text *out) {
    const char *label = map_find(&l->labels, at);
    if (label) text_format(out, "%s:\n", label);
}

// What fills the gaps between functions.
static bool is_padding(const char *line) {
    static const char *const filler[] = {"nop", "int3", "data16"};
    line += strspn(line, "\t ");
    for (size_t i = 0; i < COUNT(filler); i++)
        if (strncmp(line, filler[i], strlen(filler[i])) == 0) return true;
    return false;
}

// The instructions in order; bytes that are none are shown as such, one by one.
static void walk(LLVMDisasmContextRef c, listing *l, text *out) {
    const machine_code *code = l->code;
    char line[256];
    for (uint64_t at = 0; at < code->size;) {
        size_t size = LLVMDisasmInstruction(c, (uint8_t *)(uintptr_t)code->bytes + at, code->size - at,
                                            code->start + at, line, sizeof line);
        if (!l->first && !(size && is_padding(line))) l->first = code->start + at;
        bool shown = !l->look && code->start + at >= l->first;
        if (shown) put_label(l, code->start + at, out);
        if (shown && size)
            text_format(out, "%8" PRIx64 " %s\n", code->start + at, line);
        else if (shown)
            text_format(out, "%8" PRIx64 " \t.byte\t0x%02x\n", code->start + at, code->bytes[at]);
        at += size ? size : 1;
    }
}

// The kernel's own names first, then a number for each other place that is jumped to, in order.
static void name_labels(listing *l, arena *mem) {
    const machine_code *code = l->code;
    map_put(&l->labels, l->first, arena_format(mem, "%s.body", code->name));
    map_put(&l->labels, code->entry, (void *)(uintptr_t)code->name);
    for (uint64_t at = code->start; at < code->start + code->size; at++)
        if (map_has(l->jumps, at) && !map_has(&l->labels, at))
            map_put(&l->labels, at, arena_format(mem, ".L%u", ++l->numbered));
}

bool target_disassemble(const arch *a, const machine_code *code, text *out, diag *d) {
    arena *mem = out->mem;
    map jumps = MAP_IN(mem);
    listing l = {.code = code, .mem = mem, .labels = MAP_IN(mem), .look = true, .jumps = &jumps};
    target_open();
    LLVMDisasmContextRef c = open_disassembler(a, &l, d);
    if (!c) return false;
    walk(c, &l, out);
    name_labels(&l, mem);
    l.look = false;
    walk(c, &l, out);
    LLVMDisasmDispose(c);
    return true;
}
