// compile.c - `relax compile`: a module in text form, or a model's checkpoint, to an .rlx file.
#define _POSIX_C_SOURCE 200809L
#include "api/transform.h"
#include "arch/arch.h"
#include "base/count_noun.h"
#include "base/file.h"
#include "checkpoint/checkpoint.h"
#include "cli/bounds.h"
#include "cli/cache_folder.h"
#include "cli/language.h"
#include "cli/progress.h"
#include "cli/verb.h"
#include "driver/driver.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_BATCH = 1 << 20 }; // as LARGEST_CONTEXT, what the decoder's bounds can hold

// --- Options.

// Forms that can be looked at; only rlx is a file for the runtime.
static bool read_emit(const cli_args *a, driver_options *o) {
    static const char *const name[] = {
        [EMIT_FILE] = "rlx", [EMIT_IR] = "ir", [EMIT_LLVM] = "llvm", [EMIT_ASM] = "asm", [EMIT_OBJECT] = "obj"};
    const char *wish = cli_value(a, "emit");
    for (size_t i = 0; i < COUNT(name); i++)
        if (strcmp(name[i], wish) == 0) {
            o->emit = (driver_emit)i;
            return true;
        }
    cli_usage(a, "--emit: want rlx, ir, llvm, asm or obj, got '%s'", wish);
    return false;
}

// What only models have.
static bool read_model(const cli_args *a, driver_options *o) {
    decoder_options *m = &o->decoder;
    if (!cli_int(a, "context", 0, LARGEST_CONTEXT, &m->context) || !cli_int(a, "batch", 0, LARGEST_BATCH, &m->batch) ||
        !cli_int(a, "logit-rows", 0, LARGEST_BATCH, &m->rows))
        return false;
    m->hidden = cli_flag(a, "hidden-states");
    if (checkpoint_is(a->positional[0])) o->model = a->positional[0];
    if (!o->model && (m->context || m->batch || m->rows || m->hidden))
        return cli_usage(a, "--context, --batch, --logit-rows and --hidden-states are for models"), false;
    int64_t batch = m->batch ? m->batch : DECODER_BATCH;
    if (m->rows > batch)
        return cli_usage(a, "--logit-rows is %lld, but a batch has %s (--batch)", (long long)m->rows,
                         COUNTED(batch, "token")),
               false;
    return !o->model || !o->weights || (cli_usage(a, "--weights: the model has its own"), false);
}

// Here, so that a wrong name is a wrong command line and not a failed compilation.
static bool check_targets(const cli_args *a, const driver_options *o) {
    char why[256];
    for (uint32_t i = 0; i < o->targets; i++)
        if (!arch_parse(a->mem, o->target[i], why)) return cli_usage(a, "--target: %s", why), false;
    return true;
}

// A model is checked when it is compiled, with its weights and its cache (language_check_memory).
static bool read_limit(const cli_args *a, driver_options *o) {
    uint64_t limit;
    if (!language_size(a, "mem-limit", &limit)) return false;
    if (!o->model) o->mem_limit = limit < INT64_MAX ? (int64_t)limit : INT64_MAX;
    return true;
}

static bool read_options(const cli_args *a, driver_options *o) {
    int64_t level, jobs;
    if (!cli_int(a, "optimize", 0, 3, &level) || !cli_int(a, "jobs", 0, RX_MAX_THREADS, &jobs)) return false;
    o->target = cli_values(a, "target", &o->targets);
    o->weights = cli_value(a, "weights");
    o->activations = cli_value(a, "activations");
    o->batch_invariant = cli_flag(a, "batch-invariant");
    o->run = api_transform;
    o->dump = cli_value(a, "dump-ir");
    o->code = (target_options){
        .level = (unsigned)level, .fast_math = cli_flag(a, "fast-math"), .debug_info = cli_flag(a, "debug-info")};
    o->jobs = (unsigned)jobs;
    o->isolate = cli_flag(a, "isolate");
    if (!cli_flag(a, "no-cache")) o->cache = code_cache_folder(a->mem);
    if (!language_activations(a, o->activations)) return false;
    return cli_pipeline(a, o) && check_targets(a, o) && read_model(a, o) && cli_bounds(a, o) && read_limit(a, o) &&
           read_emit(a, o);
}

// --- Results.

// "dir/mlp.py" gives "mlp.rlx" in the present folder.
// The folder of the input may not be writable; the present one is where a user looks.
static const char *output_name(const cli_args *a, const char *input, const char *ending) {
    size_t length = strlen(input);
    while (length > 1 && input[length - 1] == '/') length--;
    input = arena_copy(a->mem, input, length);
    const char *slash = strrchr(input, '/'), *base = slash ? slash + 1 : input;
    const char *dot = strrchr(base, '.');
    size_t size = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    return arena_format(a->mem, "%.*s%s", (int)size, base, ending);
}

// Stages in the order they ran; what runs on several threads counts as the time that passed.
static int print_times(const cli_args *a, const driver_stages *stages) {
    text t = TEXT_IN(a->mem);
    char spelled[32];
    double total = 0;
    for (uint32_t i = 0; i < stages->len; i++) {
        text_format(&t, "%-28s %s\n", stages->at[i].name, text_seconds(stages->at[i].seconds, spelled));
        total += stages->at[i].seconds;
    }
    text_format(&t, "%-28s %s\n", "total", text_seconds(total, spelled));
    return cli_print(&t);
}

// An intermediate form goes to stdout unless a file is named.
static int write_form(const cli_args *a, const driver_options *o, const source *src, const char *output, diag *d) {
    char why[FILE_WHY];
    compiled form;
    if (!driver_print(src, o, &form, d)) return cli_report(d);
    int code = CLI_DONE;
    if (strcmp(output, "-") == 0) {
        text t = TEXT_IN(a->mem);
        text_put_n(&t, (const char *)form.bytes, form.size);
        code = cli_print(&t);
    } else if (file_write(output, form.bytes, form.size, why) != RX_OK) {
        code = cli_error("%s", why);
    }
    compiled_free(&form);
    return code == CLI_DONE ? cli_report(d) : code;
}

// Shows how far it is for models only: modules take too short a time.
static int compile_to(const source *src, driver_options *o, const char *output, diag *d) {
    progress bar = o->model ? progress_begin(o->model, output, NULL) : progress_silent(output);
    o->progress = progress_show, o->interrupted = progress_interrupted, o->progress_user = &bar;
    bool ok = driver_compile(src, o, output, d);
    int code = progress_end(&bar);
    if (code != CLI_DONE) return code;
    code = cli_report(d);
    return ok ? code : CLI_WRONG;
}

// With a memory limit, or bounds of its own, the file gets its name only when it was found to keep it, or to run.
static int compile_model(const cli_args *a, driver_options *o, const char *output, diag *d) {
    bool limited = cli_value(a, "mem-limit") || o->bounds || o->shapes;
    if (!model_check_texts(a, o->model)) return CLI_WRONG;
    const char *made = limited ? arena_format(a->mem, "%s.%ld.tmp", output, (long)getpid()) : output;
    int code = compile_to(NULL, o, made, d);
    if (code != CLI_DONE) return code;
    code = language_check_memory(a, made);
    if (!limited) return code;
    if (code == CLI_DONE && rename(made, output) != 0)
        code = cli_error("%s: can't write it: %s", output, strerror(errno));
    if (code != CLI_DONE) remove(made);
    return code;
}

// The text is read before anything is made, so that its errors come first.
static int run(const cli_args *a) {
    driver_options o = {0};
    driver_stages stages = {0};
    if (!read_options(a, &o)) return CLI_USAGE;
    const source *src = o.model ? NULL : cli_source(a, a->positional[0]);
    if (!src && !o.model) return CLI_WRONG;
    diag *d = diag_new(a->mem);
    const char *output = cli_value(a, "output");
    const char *weights = cli_value(a, "weights");
    if (!cli_apart(a, output, a->positional[0]) || !cli_apart(a, output, weights)) return CLI_USAGE;
    if (o.emit != EMIT_FILE) return write_form(a, &o, src, output ? output : o.emit == EMIT_OBJECT ? "out.o" : "-", d);
    if (cli_flag(a, "time")) o.stages = &stages;
    if (strcmp(output ? output : a->positional[0], "-") == 0)
        return cli_usage(a, "an .rlx file is mapped from a place of its own, not sent to stdout; want -o FILE.rlx");
    if (!output) output = output_name(a, a->positional[0], ".rlx");
    if (!cli_may_write(output)) return CLI_WRONG; // before the work
    int code = o.model ? compile_model(a, &o, output, d) : compile_to(src, &o, output, d);
    return code == CLI_DONE && o.stages ? print_times(a, &stages) : code;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .doc = "where the result goes (default: the input's name, .rlx)"},
    {.name = "target",
     .value = "TARGET",
     .repeat = true,
     .doc = "a kernel variant for this machine; repeat for more (default: cpu:x86-64-v3 and cpu:x86-64-v4, with "
            "avx512vnni for language models)"},
    {.name = "weights", .value = "FILE", .doc = ".npz or .safetensors whose tensors are bound to parameters by name"},
    {.name = "activations",
     .value = "KIND",
     .preset = "int8",
     .doc = "in products with quantised weights: int8 (fastest), f16 (the speed of f32, half the cache), f32 (exact)"},
    CLI_BOUND,
    CLI_SHAPES,
    {.name = "context",
     .value = "N",
     .preset = "0",
     .doc = "models: most tokens of a conversation; 0: what it was trained for, at most 4096"},
    {.name = "batch", .value = "N", .preset = "0", .doc = "models: most tokens of one step; 0: 512"},
    {.name = "logit-rows", .value = "N", .preset = "0", .doc = "models: most of them whose logits are wanted; 0: 64"},
    {.name = "mem-limit",
     .value = "SIZE",
     .doc = "refuse a plan of memory above this (500M, 1.5G; 0: any), naming the largest blocks; of models, weights "
            "and cache "
            "count"},
    {.name = "hidden-states", .doc = "models: the stream after each block as further results"},
    {.name = "optimize", .letter = 'O', .value = "LEVEL", .preset = "2", .doc = "how hard to optimise kernels, 0 to 3"},
    CLI_PIPELINE,
    {.name = "batch-invariant", .doc = "a row's bits do not depend on the number of rows (docs/schedules.md)"},
    {.name = "emit",
     .value = "FORM",
     .preset = "rlx",
     .doc = "rlx, or an intermediate form of the first target: ir, llvm, asm, obj"},
    {.name = "dump-ir", .value = "DIR", .doc = "writes the module after every pass into this folder"},
    {.name = "fast-math", .doc = "lets float arithmetic be reassociated (docs/numerics.md)"},
    {.name = "jobs",
     .letter = 'j',
     .value = "N",
     .preset = "0",
     .doc = "threads, up to 1024; 0: as many as the machine grants",
     .env = "RELAX_JOBS"},
    {.name = "isolate",
     .doc = "makes machine code in processes of its own: where LLVM ends one, that is a message that names the kernel"},
    {.name = "debug-info", .doc = "tells debuggers and profilers the kernels' names and the text's lines"},
    {.name = "no-cache", .doc = "makes all machine code anew; without it, code that was made before is used again"},
    {.name = "time", .doc = "prints how long each stage took"},
    {0}};

const cli_verb verb_compile = {
    .name = "compile",
    .summary = "compiles a module or a model to an .rlx file",
    .usage = "FILE.py|MODEL [-o FILE.rlx] [options]",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "FILE.py is a module in TVMScript (- reads stdin). One compilation serves all values of its symbolic\n"
        "sizes. MODEL is a checkpoint: a .gguf file, a folder with config.json and safetensors, or one such file; its\n"
        "decoder is built from the configuration (docs/models.md) and brings its weights. Parameters past num_input\n"
        "that --weights has no tensor for stay inputs, given by name.\n"
        "The same input gives the same bytes; the file appears when it is complete. Machine code is kept in\n"
        "$RELAX_CACHE/code (else $XDG_CACHE_HOME/relax/code, else ~/.cache/relax/code), at most 256 MB.",
    .examples = "  relax compile mlp.py -o mlp.rlx\n"
                "  relax compile SmolLM2-135M.gguf -o smollm2.rlx --context 2048\n"
                "  relax compile mlp.py -o mlp.rlx --weights mlp.npz --bound n=1..4096 --target cpu:host\n"
                "  relax compile mlp.py --emit asm --target cpu:x86-64-v4\n",
    .run = run,
};
