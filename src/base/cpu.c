// cpu.c - asks the processor and the kernel which instruction sets can be used.
#define _GNU_SOURCE
#include "base/cpu.h"
#include "base/attributes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

static const char *const spelling[] = {
#define CPU_FEATURE(NAME, text, machine) text,
#include "base/cpu.def"
};

const char *cpu_feature_name(cpu_feature f) { return spelling[f]; }

// The list is short and asked for when a target or a file is read: no table is built for it.
bool cpu_feature_find(const char *text, size_t size, cpu_feature *out) {
    for (size_t i = 0; i < COUNT(spelling); i++)
        if (strlen(spelling[i]) == size && memcmp(spelling[i], text, size) == 0) {
            *out = (cpu_feature)i;
            return true;
        }
    return false;
}

// snprintf counts on past the room, which ends the loop.
const char *cpu_features_text(uint64_t features, char *out, size_t room) {
    size_t at = 0;
    if (room) out[0] = 0;
    for (size_t i = 0; i < COUNT(spelling) && at < room; i++) {
        if (!(features >> i & 1)) continue;
        int put = snprintf(out + at, room - at, "%s%s", at ? "," : "", spelling[i]);
        if (put > 0) at += (size_t)put;
    }
    return out;
}

#if defined(__x86_64__)

cpu_machine cpu_host_machine(void) { return CPU_X86; }

// One row per feature: the cpuid leaf, register (0 eax … 3 edx) and bit that announce it (Intel SDM vol. 2A, CPUID),
// and the state the system must save for it in XCR0 (bits 1-2 for AVX, 5-7 for AVX-512).
typedef struct announcement {
    cpu_feature feature;
    uint32_t leaf, subleaf, reg, bit, state;
} announcement;
enum { EAX, EBX, ECX, EDX, NO_STATE = 0, AVX_STATE = 0x6, AVX512_STATE = 0xE6 };
static const announcement announced[] = {
    {CPU_SSE3, 1, 0, ECX, 0, NO_STATE},
    {CPU_SSSE3, 1, 0, ECX, 9, NO_STATE},
    {CPU_SSE41, 1, 0, ECX, 19, NO_STATE},
    {CPU_SSE42, 1, 0, ECX, 20, NO_STATE},
    {CPU_POPCNT, 1, 0, ECX, 23, NO_STATE},
    {CPU_CX16, 1, 0, ECX, 13, NO_STATE},
    {CPU_MOVBE, 1, 0, ECX, 22, NO_STATE},
    {CPU_LZCNT, 0x80000001, 0, ECX, 5, NO_STATE},
    {CPU_BMI, 7, 0, EBX, 3, NO_STATE},
    {CPU_BMI2, 7, 0, EBX, 8, NO_STATE},
    {CPU_AVX, 1, 0, ECX, 28, AVX_STATE},
    {CPU_F16C, 1, 0, ECX, 29, AVX_STATE},
    {CPU_FMA, 1, 0, ECX, 12, AVX_STATE},
    {CPU_AVX2, 7, 0, EBX, 5, AVX_STATE},
    {CPU_AVXVNNI, 7, 1, EAX, 4, AVX_STATE},
    {CPU_AVX512F, 7, 0, EBX, 16, AVX512_STATE},
    {CPU_AVX512BW, 7, 0, EBX, 30, AVX512_STATE},
    {CPU_AVX512CD, 7, 0, EBX, 28, AVX512_STATE},
    {CPU_AVX512DQ, 7, 0, EBX, 17, AVX512_STATE},
    {CPU_AVX512VL, 7, 0, EBX, 31, AVX512_STATE},
    {CPU_AVX512VBMI, 7, 0, ECX, 1, AVX512_STATE},
    {CPU_AVX512VNNI, 7, 0, ECX, 11, AVX512_STATE},
    {CPU_AVX512BF16, 7, 1, EAX, 5, AVX512_STATE},
    {CPU_AVX512FP16, 7, 0, EDX, 23, AVX512_STATE},
};

// XCR0: which register files the operating system saves; 0 when it can't be asked.
static uint32_t saved_state(void) {
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1)) return 0;
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

uint64_t cpu_host_features(void) {
    uint64_t found = 0;
    uint32_t state = saved_state();
    for (size_t i = 0; i < COUNT(announced); i++) {
        const announcement *n = &announced[i];
        uint32_t r[4] = {0};
        if (!__get_cpuid_count(n->leaf, n->subleaf, &r[EAX], &r[EBX], &r[ECX], &r[EDX])) continue;
        if ((r[n->reg] >> n->bit & 1) && (state & n->state) == n->state) found |= UINT64_C(1) << n->feature;
    }
    return found;
}

#elif defined(__aarch64__)

cpu_machine cpu_host_machine(void) { return CPU_AARCH64; }

// One row per feature: which auxiliary word and bit announce it (Linux, asm/hwcap.h for arm64).
static const struct {
    cpu_feature feature;
    unsigned long word;
    unsigned bit;
} announced[] = {
    {CPU_NEON, AT_HWCAP, 1},  {CPU_FULLFP16, AT_HWCAP, 10}, {CPU_DOTPROD, AT_HWCAP, 20}, {CPU_SVE, AT_HWCAP, 22},
    {CPU_SVE2, AT_HWCAP2, 1}, {CPU_I8MM, AT_HWCAP2, 13},    {CPU_BF16, AT_HWCAP2, 14},
};

uint64_t cpu_host_features(void) {
    uint64_t found = 0;
    for (size_t i = 0; i < COUNT(announced); i++)
        if (getauxval(announced[i].word) >> announced[i].bit & 1) found |= UINT64_C(1) << announced[i].feature;
    int length = found & CPU_BIT(SVE) ? prctl(PR_SVE_GET_VL) : -1; // bytes of a register in the low half
    if (length > 0 && (length & 0xffff) >= 32) found |= CPU_BIT(SVE256);
    if (length > 0 && (length & 0xffff) >= 64) found |= CPU_BIT(SVE512);
    return found;
}

#elif defined(__riscv)
#include <sys/auxv.h>

cpu_machine cpu_host_machine(void) { return CPU_RISCV64; }

// HWCAP has a bit per single-letter extension.
uint64_t cpu_host_features(void) {
    static const cpu_feature lettered[] = {CPU_RVM, CPU_RVA, CPU_RVF, CPU_RVD, CPU_RVC, CPU_RVV};
    uint64_t found = 0, announced = getauxval(AT_HWCAP);
    for (size_t i = 0; i < COUNT(lettered); i++)
        if (announced >> (cpu_feature_name(lettered[i])[0] - 'a') & 1) found |= UINT64_C(1) << lettered[i];
    return found;
}
#else
#error "no processor description for this machine: add one to base/cpu.c"
#endif

// The first word of a file about the first processor's cache number `index`; false if there is none.
static bool read_cache_word(unsigned index, const char *file, char word[32]) {
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/%s", index, file);
    FILE *f = fopen(path, "r");
    bool ok = f && fscanf(f, "%31s", word) == 1;
    if (f) fclose(f);
    return ok;
}

// As Linux tells it: a cache that is shared by some processors, not the sum over a machine; 0 if it doesn't.
static size_t listed_cache_bytes(unsigned level) {
    char word[32];
    for (unsigned i = 0; i < 16 && read_cache_word(i, "level", word); i++) {
        if (strtoul(word, NULL, 10) != level || !read_cache_word(i, "type", word) || word[0] == 'I') continue;
        return read_cache_word(i, "size", word) ? (size_t)strtoul(word, NULL, 10) << 10 : 0; // "32K"
    }
    return 0;
}

// /sys first: sysconf answers 0 where the libc does not know the processor.
size_t cpu_cache_bytes(unsigned level) {
    static const int name[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
    if (level < 1 || level > COUNT(name)) return 0;
    size_t listed = listed_cache_bytes(level);
    if (listed) return listed;
    long bytes = sysconf(name[level - 1]);
    return bytes > 0 ? (size_t)bytes : 0;
}

// Linux names the model once per processor; the first one speaks for all. Arm kernels have no such line.
const char *cpu_model(char *out, size_t room) {
    snprintf(out, room, "unknown");
    FILE *f = fopen("/proc/cpuinfo", "r");
    if (!f) return out;
    char line[256];
    while (fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon[1 + strcspn(colon + 1, "\n")] = 0;
        snprintf(out, room, "%s", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    fclose(f);
    return out;
}
