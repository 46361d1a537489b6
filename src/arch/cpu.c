// cpu.c - processors as targets: a level of cpus.def, or the host, plus single features.
#include "base/cpu.h"
#include "arch/devices.h"
#include "base/attributes.h"
#include "base/text.h"
#include <stdio.h>
#include <string.h>

typedef struct level {
    const char *name, *triple, *cpu, *features;
    unsigned vector_bytes, vector_registers;
} level;
static const level levels[] = {
#define CPU(name, triple, cpu, features, bytes, registers) {name, triple, cpu, features, bytes, registers},
#include "arch/cpus.def"
};

static const level *level_find(const char *name, size_t size) {
    for (size_t i = 0; i < COUNT(levels); i++)
        if (strlen(levels[i].name) == size && memcmp(levels[i].name, name, size) == 0) return &levels[i];
    return NULL;
}

// The bits of a comma-separated list of names; false at the first unknown one, which *bad then points to.
static bool feature_bits(const char *list, uint64_t *out, const char **bad) {
    for (*out = 0; *list; list += strspn(list, ",")) {
        size_t size = strcspn(list, ",");
        cpu_feature f;
        *bad = list;
        if (!cpu_feature_find(list, size, &f)) return false;
        *out |= UINT64_C(1) << f;
        list += size;
    }
    return true;
}

static uint64_t level_bits(const level *l) {
    uint64_t bits = 0;
    const char *bad;
    CHECK(feature_bits(l->features, &bits, &bad));
    return bits;
}

// The highest level whose features the machine has, and its own features as bits.
static const level *host_level(uint64_t *bits) {
    static const cpu_machine machine_of[COUNT(levels)] = {CPU_X86, CPU_X86, CPU_X86, CPU_AARCH64, CPU_RISCV64};
    const level *best = NULL;
    *bits = cpu_host_features();
    for (size_t i = 0; i < COUNT(levels); i++)
        if (machine_of[i] == cpu_host_machine() && (level_bits(&levels[i]) & ~*bits) == 0) best = &levels[i];
    return best;
}

// What a feature can't do without; a length of registers is one of ours, which LLVM gets as a range of vscale.
static const struct {
    uint64_t of, also;
} implied[] = {
    {CPU_BIT(SVE512), CPU_BIT(SVE256)},
    {CPU_BIT(SVE256) | CPU_BIT(SVE2), CPU_BIT(SVE)},
};
enum { SVE256_BYTES = 32, SVE512_BYTES = 64 };

static uint64_t with_implied(uint64_t bits) {
    for (size_t i = 0; i < COUNT(implied); i++)
        if (bits & implied[i].of) bits |= implied[i].also;
    return bits;
}

static unsigned sve_bytes(uint64_t bits) {
    return bits & CPU_BIT(SVE512) ? SVE512_BYTES : bits & CPU_BIT(SVE256) ? SVE256_BYTES : 0;
}

static const char *llvm_features(arena *mem, uint64_t bits) {
    text t = TEXT_IN(mem);
    bits &= ~(CPU_BIT(SVE256) | CPU_BIT(SVE512));
    for (unsigned i = 0; i < CPU_FEATURES; i++)
        if (bits >> i & 1) text_format(&t, "%s+%s", t.len ? "," : "", cpu_feature_name((cpu_feature)i));
    return text_get(&t);
}

static const arch *describe(arena *mem, const level *l, uint64_t bits, bool host) {
    arch *a = ARENA_NEW(mem, arch, 1);
    uint64_t extra = bits & ~level_bits(l);
    text name = TEXT_IN(mem);
    text_format(&name, "cpu:%s", l->name);
    for (unsigned i = 0; i < CPU_FEATURES; i++)
        if (extra >> i & 1) text_format(&name, ",+%s", cpu_feature_name((cpu_feature)i));
    *a = (arch){
        .device = "cpu",
        .name = text_get(&name),
        .triple = l->triple,
        .cpu = l->cpu,
        .llvm_features = llvm_features(mem, bits),
        .vector_bytes = sve_bytes(bits) ? sve_bytes(bits) : l->vector_bytes,
        .vector_registers = l->vector_registers,
        .work_copies = 4,
        .fma = bits & (CPU_BIT(FMA) | CPU_BIT(NEON) | CPU_BIT(RVV)),
        .f16c = bits & CPU_BIT(F16C),
        .avx512 = bits & CPU_BIT(AVX512F),
        .vnni = bits & (CPU_BIT(AVX512VNNI) | CPU_BIT(AVXVNNI)),
        .vbmi = bits & CPU_BIT(AVX512VBMI),
        .avx512bf16 = bits & CPU_BIT(AVX512BF16),
        .avx512fp16 = bits & CPU_BIT(AVX512FP16),
        .dotprod = bits & CPU_BIT(DOTPROD),
        .i8mm = bits & CPU_BIT(I8MM),
        .sve_bytes = sve_bytes(bits),
        .l1_bytes = host && cpu_cache_bytes(1) ? cpu_cache_bytes(1) : 32 << 10,
        .l2_bytes = host && cpu_cache_bytes(2) ? cpu_cache_bytes(2) : 1 << 20,
        .required = bits,
    };
    return a;
}

static const arch *refuse_level(const char *name, size_t size, char why[256]) {
    int put = snprintf(why, 256, "unknown target '%.*s': known are cpu, cpu:host", (int)(size < 40 ? size : 40), name);
    for (size_t i = 0; i < COUNT(levels) && put > 0 && put < 256; i++)
        put += snprintf(why + put, 256 - (size_t)put, ", cpu:%s", levels[i].name);
    return NULL;
}

static const arch *parse(arena *mem, const char *name, char why[256]) {
    if (!*name) name = "host";
    size_t size = strcspn(name, ",");
    bool host = size == strlen("host") && memcmp(name, "host", size) == 0;
    uint64_t bits = 0;
    const level *l = host ? host_level(&bits) : level_find(name, size);
    if (!l) return refuse_level(name, size, why);
    if (!host) bits = level_bits(l);
    for (const char *p = name + size; *p == ',';) {
        size_t length = strcspn(++p, ",");
        cpu_feature f;
        if (*p != '+' || !cpu_feature_find(p + 1, length - 1, &f)) {
            snprintf(why, 256, "target 'cpu:%s': want features as in ',+avx512vnni', got '%.*s'", name, (int)length, p);
            return NULL;
        }
        bits |= UINT64_C(1) << f;
        p += length;
    }
    return describe(mem, l, with_implied(bits), host);
}

uint32_t arch_defaults(arena *mem, bool dots, const arch **out, uint32_t room) {
    const char *const name[] = {"x86-64-v3", dots ? "x86-64-v4,+avx512vnni" : "x86-64-v4"};
    char why[256];
    uint32_t n = 0;
    for (; n < COUNT(name) && n < room; n++) CHECK(out[n] = parse(mem, name[n], why));
    return n;
}

const arch_device arch_device_cpu = {
    .name = "cpu",
    .doc = "processors; cpu alone means this machine's",
    .parse = parse,
};
