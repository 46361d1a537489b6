// cpu.c - the CPU target: LLVM's context, machine and passes around the emitter.
#define _POSIX_C_SOURCE 200809L
#include "base/count_noun.h"
#include "target/emit_debug.h"
#include "target/emit_kernel.h"
#include "target/launch.h"
#include "target/link.h"
#include "target/targets.h"
#include <errno.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// What LLVM's fatal-error handler names when it has to end the program: LLVM gives the handler no context of ours. Of
// several programs that LLVM works on at once the one is found by compiling each alone.
typedef struct compiling_now {
    const char *name; // NULL: nothing is compiled
    const arch *arch;
    const loop_func *const *func;
    uint32_t count;
    const target_options *options;
    struct probe *probe; // NULL: it is no probe (below)
} compiling_now;
static _Thread_local compiling_now compiling;

enum { FATAL_EXIT = 3, PROBE_SECONDS = 20 };

static bool cpu_compile(const arch *a, const loop_func *const *f, uint32_t count, const target_options *o,
                        target_output what, compiled *out, diag *d);

// A program that is compiled alone, on a thread of its own, to know whether LLVM gives up on it.
typedef struct probe {
    const compiling_now *of;
    const loop_func *func;
    sem_t over;
    bool fatal;
} probe;

static void *run_probe(void *user) {
    probe *p = user;
    compiled out;
    compiling.probe = p;
    cpu_compile(p->of->arch, &p->func, 1, p->of->options, TARGET_OBJECT, &out, diag_new(arena_new()));
    sem_post(&p->over);
    return NULL;
}

// A copy of this process would find locks that other threads had taken; a thread doesn't. It is never joined, and what
// it works on outlives this: the program ends here.
static bool gives_up_on(const compiling_now *c, const loop_func *f) {
    probe *p = calloc(1, sizeof *p);
    pthread_t thread;
    struct timespec until;
    if (!p || sem_init(&p->over, 0, 0) != 0) return false;
    p->of = c, p->func = f;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PROBE_SECONDS;
    if (pthread_create(&thread, NULL, run_probe, p) != 0) return false;
    while (sem_timedwait(&p->over, &until) != 0)
        if (errno != EINTR) return false;
    return p->fatal;
}

static void fatal(const char *reason) {
    compiling_now c = compiling;
    if (c.probe) {
        c.probe->fatal = true;
        sem_post(&c.probe->over);
        for (;;) pause(); // LLVM must not go on
    }
    for (uint32_t i = 0; c.name && c.count > 1 && i < c.count; i++)
        if (gives_up_on(&c, c.func[i])) c.name = c.func[i]->name, c.count = 1;
    fprintf(stderr, "relax: error: LLVM can't compile %s: %s\n", c.name ? c.name : "this program", reason);
    linker_sweep();
    _exit(FATAL_EXIT); // other threads go on until then: nothing that they use is taken down
}

// Loop strength reduction is a sixth of the time code generation takes, and finds nothing: the emitter's loops are
// short, and addresses with an index cost nothing on these machines. LLVM's C interface has no other way to say so.
static const char *const settings[] = {"relax", "-disable-lsr"};

static void cpu_open(void) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTarget();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVAsmPrinter();
    LLVMInstallFatalErrorHandler(fatal);
    LLVMParseCommandLineOptions(COUNT(settings), settings, NULL);
}

// Our own short list: the emitter has already chosen vectors and unrolling, so LLVM has to clean up, not to search
// (about 10 ms a kernel; LLVM's -O3 costs three times as much for the same code).
static const char *const passes[] = {
    "function(sroa,early-cse)",
    "function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)",
    "function(early-cse,sroa,instcombine<no-verify-fixpoint>,loop-mssa(licm),loop-vectorize,instcombine<no-verify-"
    "fixpoint>,early-cse,simplifycfg)",
    "function(early-cse,sroa,instcombine<no-verify-fixpoint>,loop-mssa(licm),loop-vectorize,instcombine<no-verify-"
    "fixpoint>,sroa,early-cse,simplifycfg)",
};

// Sums that statements store and read again stay in registers between them. A fifth of a kernel's time: only where a
// loop asks for it.
static const char keep_sums[] = "function(early-cse<memssa>,dse)";

// Words that several dots unpack are loaded once: before instcombine gives each load the type that it is used as.
static const char share_words[] = "function(sroa,early-cse)";

static LLVMTargetMachineRef open_machine(const arch *a, const target_options *o, diag *d) {
    LLVMTargetRef target;
    char *why = NULL;
    if (LLVMGetTargetFromTriple(a->triple, &target, &why)) {
        diag_error(d, (loc){0}, "target %s: %s", a->name, why);
        LLVMDisposeMessage(why);
        return NULL;
    }
    LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
    LLVMTargetMachineOptionsSetCPU(options, a->cpu);
    LLVMTargetMachineOptionsSetFeatures(options, a->llvm_features);
    LLVMTargetMachineOptionsSetRelocMode(options, LLVMRelocPIC);
    LLVMTargetMachineOptionsSetCodeGenOptLevel(options, o->level ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone);
    LLVMTargetMachineRef machine = LLVMCreateTargetMachineWithOptions(target, a->triple, options);
    LLVMDisposeTargetMachineOptions(options);
    return machine;
}

// "a, b or c": LLVM works on all of a module at once.
static const char *names_of(arena *mem, const loop_func *const *f, uint32_t count) {
    const char *names = count ? f[0]->name : NULL;
    for (uint32_t i = 1; i < count; i++)
        names = arena_format(mem, "%s%s%s", names, i + 1 < count ? ", " : " or ", f[i]->name);
    return names;
}

static bool emit_all(emitter *e, const loop_func *const *f, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        kernel_info info = {.name = f[i]->name};
        const buffer *const *buffers;
        info.buffers = loop_func_buffers(f[i], e->mem, &buffers);
        expr_list scalars = {0};
        loop_func_scalars(f[i], e->mem, &scalars);
        info.scalar = scalars.at;
        info.scalars = scalars.len;
        e->func = f[i];
        e->info = &info;
        e->stack_used = 0;
        compiling.name = f[i]->name;
        if (!emit_kernel(e)) return false;
    }
    compiling.name = names_of(e->mem, f, count);
    compiling.count = count;
    return true;
}

// A module our emitter built wrongly is a bug of ours; LLVM must not see it.
static bool verify(emitter *e) {
    char *why = NULL;
    bool broken = LLVMVerifyModule(e->module, LLVMReturnStatusAction, &why);
    if (broken)
        diag_error(e->d, (loc){0}, "internal error: the code made for %s is not valid LLVM IR: %s", e->func->name, why);
    LLVMDisposeMessage(why);
    return !broken;
}

static bool optimise(emitter *e, LLVMTargetMachineRef machine) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = NULL;
    if (e->has_dots && e->options->level > 1) error = LLVMRunPasses(e->module, share_words, machine, options);
    if (!error)
        error = LLVMRunPasses(e->module, passes[e->options->level < 3 ? e->options->level : 3], machine, options);
    if (!error && e->sums_stored && e->options->level > 1)
        error = LLVMRunPasses(e->module, keep_sums, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error) return true;
    char *why = LLVMGetErrorMessage(error);
    diag_error(e->d, (loc){0}, "internal error: LLVM's passes: %s", why);
    LLVMDisposeErrorMessage(why);
    return false;
}

static bool copy_out(const char *bytes, size_t size, compiled *out, diag *d) {
    *out = (compiled){.bytes = malloc(size ? size : 1), .size = size};
    if (!out->bytes)
        return diag_refused(d, RX_OUT_OF_MEMORY, "out of memory for %s of machine code", COUNTED(size, "byte"));
    memcpy(out->bytes, bytes, size);
    return true;
}

static bool write_out(emitter *e, LLVMTargetMachineRef machine, target_output what, compiled *out) {
    if (what == TARGET_LLVM_TEXT) {
        char *printed = LLVMPrintModuleToString(e->module);
        bool ok = copy_out(printed, strlen(printed), out, e->d);
        LLVMDisposeMessage(printed);
        return ok;
    }
    LLVMMemoryBufferRef code = NULL;
    char *why = NULL;
    LLVMCodeGenFileType type = what == TARGET_ASM ? LLVMAssemblyFile : LLVMObjectFile;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, e->module, type, &why, &code)) {
        diag_error(e->d, (loc){0}, "internal error: LLVM can't write code for %s: %s", e->arch->name, why);
        LLVMDisposeMessage(why);
        return false;
    }
    bool ok = copy_out(LLVMGetBufferStart(code), LLVMGetBufferSize(code), out, e->d);
    LLVMDisposeMemoryBuffer(code);
    return ok;
}

static bool cpu_compile(const arch *a, const loop_func *const *f, uint32_t count, const target_options *o,
                        target_output what, compiled *out, diag *d) {
    *out = (compiled){0};
    LLVMTargetMachineRef machine = open_machine(a, o, d);
    if (!machine) return false;
    compiling = (compiling_now){.arch = a, .func = f, .options = o, .probe = compiling.probe};
    emitter e = {.arch = a, .options = o, .d = d, .mem = arena_new()};
    e.c = LLVMContextCreate();
    e.module = LLVMModuleCreateWithNameInContext("relax", e.c);
    e.b = LLVMCreateBuilderInContext(e.c);
    LLVMSetTarget(e.module, a->triple);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(e.module, layout);
    LLVMDisposeTargetData(layout);
    debug_open(&e);
    bool ok = emit_all(&e, f, count);
    debug_close(&e);
    ok = ok && verify(&e) && optimise(&e, machine) && write_out(&e, machine, what, out);
    compiling = (compiling_now){.probe = compiling.probe};
    LLVMDisposeBuilder(e.b);
    LLVMDisposeModule(e.module);
    LLVMContextDispose(e.c);
    LLVMDisposeTargetMachine(machine);
    arena_free(e.mem);
    return ok;
}

void target_version(unsigned version[3]) { LLVMGetVersion(&version[0], &version[1], &version[2]); }

const target_backend target_cpu = {
    .device = "cpu",
    .open = cpu_open,
    .compile = cpu_compile,
    .start_linker = linker_start,
    .link = linker_link,
};
