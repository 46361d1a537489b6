// cpu.h - the instruction sets of processors: their names, and which of them this machine has.
//
// Shared by the compiler (what to generate) and the runtime (what may be run). Thread-safe; nothing is cached.
#ifndef BASE_CPU_H
#define BASE_CPU_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cpu_machine { CPU_X86, CPU_AARCH64, CPU_RISCV64 } cpu_machine;

typedef enum cpu_feature {
#define CPU_FEATURE(NAME, spelling, machine) CPU_##NAME,
#include "base/cpu.def"
    CPU_FEATURES // at most 64
} cpu_feature;
#define CPU_BIT(NAME) (UINT64_C(1) << CPU_##NAME)

cpu_machine cpu_host_machine(void);
uint64_t cpu_host_features(void); // a bit per feature; only what the operating system lets programs use
const char *cpu_feature_name(cpu_feature f);
bool cpu_feature_find(const char *spelling, size_t size, cpu_feature *out);
// The names of the bits in `features` with commas between, cut to room; returns out.
const char *cpu_features_text(uint64_t features, char *out, size_t room);

// Bytes of the data cache of one core at level 1 or 2, and of the level 3 it shares; 0 if the system does not say.
size_t cpu_cache_bytes(unsigned level);
// The processor's own name, such as "AMD EPYC 9354", cut to room; "unknown" if the system does not say.
const char *cpu_model(char *out, size_t room);
#endif
