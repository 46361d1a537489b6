// target.c - picks the code generator of an arch's device.
#define _POSIX_C_SOURCE 200809L
#include "target/targets.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const target_backend *const backends[] = {
#define TARGET(name) &target_##name,
#include "target/targets.def"
};

static void open_all(void) {
    for (size_t i = 0; i < COUNT(backends); i++) backends[i]->open();
}

void target_open(void) {
    static pthread_once_t opened = PTHREAD_ONCE_INIT; // LLVM's registries belong to the process
    pthread_once(&opened, open_all);
}

static const target_backend *find_backend(const arch *a) {
    for (size_t i = 0; i < COUNT(backends); i++)
        if (strcmp(backends[i]->device, a->device) == 0) return backends[i];
    return NULL;
}

static const target_backend *backend_of(const arch *a, diag *d) {
    const target_backend *b = find_backend(a);
    if (!b) diag_error(d, (loc){0}, "this build has no code generator for %s", a->name);
    return b;
}

bool target_compile(const arch *a, const loop_func *const *f, uint32_t count, const target_options *o,
                    target_output what, compiled *out, diag *d) {
    const target_backend *b = backend_of(a, d);
    *out = (compiled){0};
    return b && b->compile(a, f, count, o, what, out, d);
}

target_linker *target_linker_start(const arch *a, const target_options *o) {
    const target_backend *b = find_backend(a);
    return b && b->start_linker ? b->start_linker(a, o) : NULL;
}

bool target_link(target_linker *l, const arch *a, const compiled *object, uint32_t count, const char *const *export,
                 uint32_t exports, compiled *image, diag *d) {
    const target_backend *b = backend_of(a, d);
    *image = (compiled){0};
    return b && b->link(l, a, object, count, export, exports, image, d);
}

void compiled_free(compiled *c) {
    free(c->bytes);
    *c = (compiled){0};
}
