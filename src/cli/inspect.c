// inspect.c - `relax inspect`: what an .rlx file holds.
#include "cli/inspect.h"
#include "arch/arch.h"
#include "base/count_noun.h"
#include "base/cpu.h"
#include "base/file.h"
#include "cli/language.h"
#include "cli/verb.h"
#include "exec/elf.h"
#include "exec/listing.h"
#include "target/disassemble.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 200, // rows of a table before the rest is only counted
    NAMES = 80,  // bytes of a list of names before the rest is left out
};

// From the image's symbols; an image without them has 0.
uint64_t inspect_code_size(const exec_variant *v, uint32_t kernel) {
    elf_image image;
    char why[ELF_WHY];
    return elf_open(v->image.at, v->image.size, &image, why) ? elf_code_size(&image, v->entry[kernel]) : 0;
}

// "n in 0..4096, a multiple of 8" of a symbol, into out; returns out.
static const char *inspect_bounds(const executable *e, const exec_symbol *s, char out[128]) {
    int at = snprintf(out, 128, "%.60s >= %" PRId64, exec_string(e, s->name), s->lower);
    if (s->upper != INT64_MAX)
        at = snprintf(out, 128, "%.60s in %" PRId64 "..%" PRId64, exec_string(e, s->name), s->lower, s->upper);
    if (s->multiple != 1) snprintf(out + at, 128 - (size_t)at, ", a multiple of %" PRId64, s->multiple);
    return out;
}

const char *inspect_machine(const executable *e, uint32_t function) {
    for (uint32_t i = 0; i < e->replacements; i++)
        if (e->replacement[i].by == function) return exec_string(e, e->variant[e->replacement[i].variant].arch);
    return NULL;
}

// What stands in for another function has its signature.
static bool stands_in(const executable *e, uint32_t function) {
    for (uint32_t i = 0; i < e->replacements; i++)
        if (e->replacement[i].by == function && e->replacement[i].function != function) return true;
    return false;
}

static void put_functions(text *t, const executable *e) {
    for (uint32_t i = 0; i < e->functions; i++) {
        const exec_function *f = &e->function[i];
        const char *machine = inspect_machine(e, i);
        char bounds[128];
        if (stands_in(e, i))
            text_format(t, "\nfunction %s for %s\n", exec_string(e, f->name), machine);
        else
            inspect_signature(t, e, f);
        for (uint32_t s = 0; s < f->symbols; s++) text_format(t, "  %s\n", inspect_bounds(e, &f->symbol[s], bounds));
        text_format(t, "  %s, %s, %s of bytecode\n", COUNTED(f->registers, "register"), COUNTED(f->slots, "slot"),
                    COUNTED(f->words, "word"));
    }
}

// Sizes as the compiler wrote them, in the function's symbols. Of the names of many tensors the first ones are shown.
static void put_plan(text *t, const executable *e) {
    char size[32];
    if (e->blocks) text_put(t, "\nmemory plan\n");
    for (uint32_t i = 0; i < e->blocks && i < SHOWN; i++) {
        const exec_plan_block *b = &e->block[i];
        const char *holds = exec_string(e, b->holds), *bytes = exec_string(e, b->text);
        const char *machine = inspect_machine(e, b->function);
        bool number = bytes[strspn(bytes, "0123456789")] == 0, all = strlen(holds) <= NAMES;
        uint32_t tensors = 1;
        for (const char *p = holds; *p; p++) tensors += *p == ',';
        text_format(t, "  %s%s%s: %s%s for ", exec_string(e, e->function[b->function].name), machine ? " for " : "",
                    machine ? machine : "", number ? text_bytes(strtoull(bytes, NULL, 10), size) : bytes,
                    number ? "" : " bytes");
        if (!all) text_format(t, "%s: ", COUNTED(tensors, "tensor"));
        text_format(t, "%.*s%s\n", NAMES, holds, all ? "" : "...");
    }
}

static void put_kernels(text *t, const executable *e) {
    char size[32];
    int widest = 0;
    for (uint32_t i = 0; i < e->kernels && i < SHOWN; i++) {
        int length = (int)strlen(exec_string(e, e->kernel[i].name));
        if (length > widest) widest = length;
    }
    if (e->kernels) text_format(t, "\nkernels (%u), sizes of their code by machine\n", e->kernels);
    for (uint32_t i = 0; i < e->kernels && i < SHOWN; i++) {
        const exec_kernel *k = &e->kernel[i];
        text_format(t, "  %-*s  %s, %s;", widest, exec_string(e, k->name), COUNTED(k->buffers, "buffer"),
                    COUNTED(k->scalars, "scalar"));
        for (uint32_t v = 0; v < e->variants; v++)
            text_format(t, "%s %s", v ? "," : "",
                        e->variant[v].entry[i] ? text_bytes(inspect_code_size(&e->variant[v], i), size) : "-");
        text_put(t, "\n");
    }
    if (e->kernels > SHOWN) text_format(t, "  and %u more\n", e->kernels - SHOWN);
}

static void put_variants(text *t, const executable *e) {
    char size[32], features[512];
    uint64_t host = cpu_host_features();
    if (e->variants) text_put(t, "\nmachine code\n");
    for (uint32_t i = 0; i < e->variants; i++) {
        const exec_variant *v = &e->variant[i];
        text_format(t, "  %-24s %s; needs %s%s\n", exec_string(e, v->arch), text_bytes(v->image.size, size),
                    v->required ? cpu_features_text(v->required, features, sizeof features) : "nothing special",
                    v->unknown || (v->required & ~host) ? "; not for this machine" : "");
    }
}

static void put_imports(text *t, const executable *e) {
    if (e->imports) text_put(t, "\nneeds\n");
    for (uint32_t i = 0; i < e->imports; i++) {
        bool builtin = e->import[i].kind == IMPORT_BUILTIN;
        text_format(t, "  %s %s", builtin ? "builtin" : "external function", exec_string(e, e->import[i].name));
        if (builtin) text_format(t, " (version %u)", e->import[i].version);
        text_put(t, "\n");
    }
}

// Short texts are shown; of a vocabulary or an image only the size.
static void put_metadata(text *t, const executable *e) {
    char size[32];
    if (e->metas) text_put(t, "\nmetadata\n");
    for (uint32_t i = 0; i < e->metas; i++) {
        const exec_metadata *m = &e->meta[i];
        const char *value = (const char *)m->value.at;
        bool shown = m->value.size <= 80 && text_is_utf8(value, m->value.size) && strlen(value) == m->value.size &&
                     !strchr(value, '\n');
        text_format(t, "  %s: %s\n", exec_string(e, m->key), shown ? value : text_bytes(m->value.size, size));
    }
}

// A file without the function of a decoder is no language model.
static void put_language(text *t, const executable *e, const char *path) {
    rx_llm *m = NULL;
    rx_llm_info info = {.struct_size = sizeof info};
    if (exec_find_function(e, "forward") == EXEC_NONE || rx_llm_load(path, &m, NULL) != RX_OK) return;
    rx_llm_get_info(m, &info);
    text_format(t, "\nlanguage model%s%s%s%s: %s, %s, context of %llu; tokenizer: %s; chat template: %s\n",
                *info.name ? " " : "", cli_name(t->mem, span_of(info.name)), *info.architecture ? ", " : "",
                cli_name(t->mem, span_of(info.architecture)), COUNTED(info.layers, "layer"),
                COUNTED(info.vocabulary, "token"), (unsigned long long)info.context,
                info.has_tokenizer ? "yes" : "none", info.has_template ? "yes" : "none");
    language_put_plan(m, 0, t);
    rx_llm_release(m);
}

static void inspect_plain(text *t, const executable *e, const char *path, bool each_weight) {
    char size[32];
    text_format(t, "%s: %s, format %u, kernel ABI %u\n", path, text_bytes(e->file_size, size), e->format,
                e->kernel_abi);
    put_language(t, e, path);
    put_functions(t, e);
    put_plan(t, e);
    put_kernels(t, e);
    put_variants(t, e);
    inspect_weights(t, e, each_weight);
    put_imports(t, e);
    put_metadata(t, e);
}

// --- The verb.

// What --assemble reads back (exec/listing.h).
static int print_bytecode(const cli_args *a, const executable *e) {
    const char *func = cli_value(a, "func");
    uint32_t index = func ? exec_find_function(e, func) : EXEC_NONE;
    growing listing = {0};
    if (func && index == EXEC_NONE) return cli_error("%s: no function is called %s", a->positional[0], func);
    rx_status status = exec_print(e, index, &listing);
    text t = TEXT_IN(a->mem);
    if (status == RX_OK) text_put_n(&t, listing.at, listing.len);
    growing_free(&listing);
    return status == RX_OK ? cli_print(&t) : cli_error("no memory to print the bytecode");
}

// The text with machine code and weights of the file as a new file.
static int assemble(const cli_args *a, const executable *e) {
    enum { LARGEST = 1 << 28 };
    const char *from = cli_value(a, "assemble"), *to = cli_value(a, "output");
    char why[EXEC_WHY], *bytes;
    size_t size;
    exec_writer *w = NULL;
    if (!to) return cli_usage(a, "--assemble: want -o FILE.rlx as well");
    if (file_read(from, LARGEST, &bytes, &size, why) != RX_OK) return cli_error("%s", why);
    bool ok = exec_parse(bytes, size, e, &w, why) == RX_OK && exec_writer_save(w, to, why) == RX_OK;
    exec_writer_free(w);
    free(bytes);
    return ok ? CLI_DONE : cli_error("%s: %s", from, why);
}

// --- Machine code.

static bool put_code(text *t, const executable *e, const exec_variant *v, uint32_t kernel, arena *mem, diag *d) {
    char why[ELF_WHY], wrong[256];
    elf_image image;
    const char *name = exec_string(e, v->arch);
    machine_code code = {.name = exec_string(e, e->kernel[kernel].name), .entry = v->entry[kernel]};
    bool here = !v->unknown && !(v->required & ~cpu_host_features());
    const arch *target = arch_parse(mem, name, wrong);
    if (!target) return diag_error(d, (loc){0}, "%s", wrong);
    if (!elf_open(v->image.at, v->image.size, &image, why) ||
        !elf_code(&image, code.entry, &code.start, &code.bytes, &code.size))
        return diag_error(d, (loc){0}, "%s: %s: the image doesn't say where its code is", name, code.name);
    text_format(t, "%s for %s%s\n", code.name, name, here ? "" : " (not for this machine)");
    return target_disassemble(target, &code, t, d);
}

// The kernel of this name that a variant has; EXEC_NONE: none.
static uint32_t find_kernel(const executable *e, const exec_variant *v, const char *name) {
    for (uint32_t i = 0; i < e->kernels; i++)
        if (v->entry[i] && strcmp(exec_string(e, e->kernel[i].name), name) == 0) return i;
    return EXEC_NONE;
}

static int no_kernel(const cli_args *a, const executable *e, const char *name) {
    const char **known = ARENA_NEW(a->mem, const char *, e->kernels);
    for (uint32_t i = 0; i < e->kernels; i++) known[i] = exec_string(e, e->kernel[i].name);
    const char *near = text_nearest(name, known, e->kernels), *path = a->positional[0];
    return near ? cli_error("%s: no kernel is called %s; did you mean %s?", path, name, near)
                : cli_error("%s: no kernel is called %s; `relax inspect %s` lists them", path, name, path);
}

// One variant after the other.
static int print_code(const cli_args *a, const executable *e) {
    const char *name = cli_value(a, "asm");
    diag *d = diag_new(a->mem);
    text t = TEXT_IN(a->mem);
    for (uint32_t v = 0; v < e->variants; v++) {
        uint32_t kernel = find_kernel(e, &e->variant[v], name);
        if (kernel == EXEC_NONE) continue;
        if (t.len) text_put(&t, "\n");
        if (!put_code(&t, e, &e->variant[v], kernel, a->mem, d)) return cli_report(d);
    }
    return t.len ? cli_print(&t) : no_kernel(a, e, name);
}

// --verify reads every byte of the weights, hence only on request.
static int print_all(const cli_args *a, const executable *e) {
    char why[EXEC_WHY];
    text t = TEXT_IN(a->mem);
    if (cli_flag(a, "verify") && exec_verify_weights(e, why) != RX_OK)
        return cli_error("%s: %s", a->positional[0], why);
    if (cli_flag(a, "json"))
        inspect_json(&t, e, a->positional[0]);
    else
        inspect_plain(&t, e, a->positional[0], cli_flag(a, "weights"));
    if (cli_flag(a, "verify") && !cli_flag(a, "json")) text_put(&t, "\nall weights are as they were written\n");
    return cli_print(&t);
}

static int run(const cli_args *a) {
    char why[EXEC_WHY];
    executable *e;
    bool bytecode = cli_flag(a, "bytecode");
    if (cli_value(a, "func") && !bytecode) return cli_usage(a, "--func wants --bytecode as well");
    if (cli_flag(a, "json") && (bytecode || cli_value(a, "asm")))
        return cli_usage(a, "--bytecode and --asm are text; --json shows the rest");
    if (exec_load(a->positional[0], NULL, &e, why) != RX_OK) return cli_error("%s", why);
    int code = cli_value(a, "assemble") ? assemble(a, e)
               : cli_value(a, "asm")    ? print_code(a, e)
               : bytecode               ? print_bytecode(a, e)
                                        : print_all(a, e);
    exec_release(e);
    return code;
}

static const cli_option options[] = {
    {.name = "bytecode", .doc = "print the code as text (docs/bytecode.md)"},
    {.name = "func", .letter = 'f', .value = "NAME", .doc = "with --bytecode: only this function"},
    {.name = "asm", .value = "KERNEL", .doc = "print the machine code of a kernel, for each processor it is there for"},
    {.name = "assemble",
     .value = "TEXT",
     .doc =
         "reads what --bytecode printed, maybe changed, and writes it as a new file; machine code and weights are this "
         "file's"},
    {.name = "output", .letter = 'o', .value = "FILE", .doc = "with --assemble: where the new file goes"},
    {.name = "weights", .doc = "a line for each weight; without it those of equal layers share one"},
    {.name = "verify", .doc = "check the bytes of the weights too"},
    {.name = "json", .doc = "print for programs"},
    {0},
};

const cli_verb verb_inspect = {
    .name = "inspect",
    .summary = "shows what an .rlx file holds",
    .usage = "FILE.rlx [--bytecode [--func NAME] | --asm KERNEL | --assemble TEXT -o FILE | --json] [options]",
    .least = 1,
    .most = 1,
    .options = options,
    .details = "Signatures with symbols and their bounds, the memory plan, kernels with the sizes of their code, the\n"
               "processors it has code for, weights, what it needs from the program that loads it, metadata.\n",
    .examples =
        "  relax inspect mlp.rlx\n  relax inspect mlp.rlx --bytecode --func main\n  relax inspect model.rlx --verify\n"
        "  relax inspect mlp.rlx --asm fused_matmul_add_gelu\n"
        "  relax inspect mlp.rlx --assemble changed.txt -o changed.rlx\n",
    .run = run,
};
