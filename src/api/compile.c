// compile.c - modules of the compiler's library to .rlx files, memory, and intermediate forms.
#define _POSIX_C_SOURCE 200809L
#include "api/api.h"
#include "api/transform.h"
#include "base/file.h"
#include "base/versions.h"
#include "relax/runtime.h"
#include "text/script.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// One compilation of a module: the driver's input is a text, so it gets the module's as it is now. (Passes may have
// changed it since it was read.)
typedef struct job {
    arena *mem;
    source text;
    driver_options options;
    diag *d;
} job;

// False: the options are of no known version.
static bool open_job(rx_module *m, const rx_compile_options *given, job *j) {
    static const struct_versions versions = {"rx_compile_options", {sizeof(rx_compile_options)}};
    char why[STRUCT_WHY];
    rx_compile_options o;
    *j = (job){.mem = arena_new(), .text = {.name = m->text.name}, .d = api_begin(m->session)};
    if (!struct_read(&versions, &o, given, why)) return diag_error(j->d, (loc){0}, "%s", why);
    for (uint32_t i = 0; i < o.targets; i++)
        if (!o.target || !o.target[i])
            return diag_error(j->d, (loc){0}, "targets: number %u of %u is NULL", i, o.targets);
    if (o.jobs > RX_MAX_THREADS)
        return diag_error(j->d, (loc){0}, "jobs: want 0 to %d, got %u", RX_MAX_THREADS, o.jobs);
    if (o.optimize > 4) return diag_error(j->d, (loc){0}, "optimize: want 0 to 4, got %u", o.optimize);
    text t = TEXT_IN(j->mem);
    script_print(&t, m->m, NULL);
    j->text = (source){.name = m->text.name, .bytes = text_get(&t), .size = t.len};
    j->options = (driver_options){.target = o.target,
                                  .targets = o.targets,
                                  .pipeline = o.pipeline,
                                  .weights = o.weights,
                                  .run = api_transform,
                                  .jobs = o.jobs};
    j->options.code = (target_options){.level = o.optimize ? o.optimize - 1 : 2, .fast_math = o.fast_math != 0};
    return true;
}

static rx_status close_job(rx_module *m, job *j) {
    api_forget(m->session, &j->text);
    arena_free(j->mem);
    return api_end(m->session);
}

rx_status rx_module_compile(rx_module *m, const rx_compile_options *options, const char *path) {
    job j;
    if (!m) return RX_INVALID_ARGUMENT;
    if (!path) return api_refuse(m->session, "the path of a file to write");
    if (open_job(m, options, &j)) driver_compile(&j.text, &j.options, path, j.d);
    return close_job(m, &j);
}

// --- Into memory: by way of a file that nobody sees, since weights are written through a map.

static rx_status read_back(const char *path, void **bytes, size_t *size, diag *d) {
    char why[FILE_WHY];
    mapped_file f;
    rx_status status = file_map(path, &f, why);
    if (status != RX_OK) return diag_error(d, (loc){0}, "%s", why), status;
    size_t room = (f.size + 63) / 64 * 64;
    *bytes = aligned_alloc(64, room ? room : 64);
    if (*bytes) memcpy(*bytes, f.data, *size = f.size);
    file_unmap(&f);
    return *bytes ? RX_OK : RX_OUT_OF_MEMORY;
}

static rx_status compile_in(rx_module *m, const rx_compile_options *options, const char *folder, void **bytes,
                            size_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/module.rlx", folder);
    rx_status status = rx_module_compile(m, options, path);
    if (status != RX_OK) return status;
    status = read_back(path, bytes, size, m->session->d);
    unlink(path);
    return status;
}

rx_status rx_module_compile_memory(rx_module *m, const rx_compile_options *options, void **bytes, size_t *size) {
    char folder[2048];
    if (bytes) *bytes = NULL;
    if (size) *size = 0;
    if (!m || !bytes || !size) return RX_INVALID_ARGUMENT;
    snprintf(folder, sizeof folder, "%s/relax-XXXXXX", folder_for_temporaries());
    if (!mkdtemp(folder)) {
        diag_error(api_begin(m->session), (loc){0}, "%s: can't make a temporary folder: %s; TMPDIR names another place",
                   folder, strerror(errno));
        return RX_IO;
    }
    rx_status status = compile_in(m, options, folder, bytes, size);
    rmdir(folder);
    return status;
}

void rx_bytes_free(void *bytes) { free(bytes); }

// --- Intermediate forms.

rx_status rx_module_emit(rx_module *m, const rx_compile_options *options, rx_form form, const char **out) {
    static const driver_emit emit[] = {[RX_FORM_IR] = EMIT_IR, [RX_FORM_LLVM] = EMIT_LLVM, [RX_FORM_ASM] = EMIT_ASM};
    job j;
    compiled printed = {0};
    if (out) *out = NULL;
    if (!m || !out || (unsigned)form >= COUNT(emit)) return RX_INVALID_ARGUMENT;
    if (open_job(m, options, &j)) {
        j.options.emit = emit[form];
        if (driver_print(&j.text, &j.options, &printed, j.d))
            *out = api_show(m, (const char *)printed.bytes, printed.size);
        compiled_free(&printed);
    }
    rx_status status = close_job(m, &j);
    return status == RX_OK && !*out ? RX_OUT_OF_MEMORY : status;
}
