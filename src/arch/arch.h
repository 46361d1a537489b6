// arch.h - targets: from a name to the features and limits that rules and emitters ask for.
//
//   "cpu", "cpu:x86-64-v3", "cpu:host", "cpu:x86-64-v4,+avx512vnni"
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H
#include "base/arena.h"
#include <stdbool.h>

typedef struct arch {
    const char *device;        // "cpu": a row of devices.def here and of target/targets.def
    const char *name;          // canonical spelling, the key of caches and of kernel variants in a file
    const char *triple;        // LLVM's, "x86_64-unknown-linux-gnu"
    const char *cpu;           // LLVM's, "x86-64-v3"
    const char *llvm_features; // LLVM's, "+avx2,+fma"
    unsigned vector_bytes;     // of the widest register worth using: 16, 32, 64
    unsigned vector_registers;
    unsigned kernel_tensors; // most tensors one kernel may take; 0: any number
    unsigned work_copies;    // a value that is cheaper to compute than to load may be computed so often; 0: once
    bool fma, f16c, avx512, vnni, avx512bf16, avx512fp16;
    bool vbmi;                 // AVX512-VBMI: permutes of bytes
    bool dotprod, i8mm;        // AArch64's dot products of bytes: of one signedness; of two
    unsigned sve_bytes;        // the least length of SVE's registers that kernels count on; 0: they use NEON's
    size_t l1_bytes, l2_bytes; // data caches per core; measured for host, typical values else
    uint64_t required;         // bits of cpu features a machine must have (device/cpu.h numbers them)
} arch;

// NULL after writing one sentence into `why` (256 bytes): unknown names get the list of known ones.
const arch *arch_parse(arena *mem, const char *spelling, char why[256]);
// One kind of device: reads what follows its name in a target's spelling ("x86-64-v3,+avx512vnni" after "cpu:"; ""
// after the bare name). One file and one row of devices.def each.
typedef struct arch_device {
    const char *name, *doc;
    const arch *(*parse)(arena *mem, const char *rest, char why[256]);
} arch_device;

// What `relax compile` makes when no target is named: x86-64-v3 and x86-64-v4; where quantised weights are expected
// (`dots`), the second has dot products of bytes: almost all processors with AVX-512 do, on which these are 1.5 times
// as fast.
uint32_t arch_defaults(arena *mem, bool dots, const arch **out, uint32_t room);
#endif
