// kernel_bench.h - compiles, links and opens one hand-built program, for the tests of this folder.
// (The including file defines _GNU_SOURCE first.)
#ifndef TESTS_KERNEL_BENCH_H
#define TESTS_KERNEL_BENCH_H
#include "exec/kernel.h"
#include "target/target.h"
#include "test.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A session with what every test builds with.
typedef struct bench {
    expr_session *s;
    arena *mem;
    diag *d;
    const arch *host;
    void *library;
    kernel_info info;
} bench;

static inline bench open_bench(const char *target) {
    char why[256];
    bench b = {.s = expr_open()};
    b.mem = expr_arena(b.s);
    b.d = diag_new(b.mem);
    b.host = arch_parse(b.mem, target, why);
    assert_non_null(b.host);
    target_open();
    return b;
}

static inline void close_bench(bench *b) {
    if (b->library) dlclose(b->library);
    expr_close(b->s);
}

static inline void must(bench *b, bool ok) {
    if (ok) return;
    text t = TEXT_IN(b->mem);
    diag_print(b->d, &t, false);
    fail_msg("%s", text_get(&t));
}

// Compiles, links and opens one program; its entry.
static inline rx_kernel *make(bench *b, const loop_func *f) {
    compiled object, image;
    must(b, kernel_describe(b->s, b->mem, f, &b->info, b->d));
    const target_options options = {.level = 2};
    must(b, target_compile(b->host, &f, 1, &options, TARGET_OBJECT, &object, b->d));
    target_linker *linker = target_linker_start(b->host, &options);
    must(b, target_link(linker, b->host, &object, 1, &f->name, 1, &image, b->d));
    target_linker_free(linker);
    int fd = memfd_create("image", 0);
    assert_true(fd >= 0 && write(fd, image.bytes, image.size) == (ssize_t)image.size);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    b->library = dlopen(path, RTLD_NOW);
    close(fd);
    compiled_free(&object);
    compiled_free(&image);
    if (!b->library) fail_msg("%s", dlerror());
    rx_kernel *k = NULL;
    void *symbol = dlsym(b->library, f->name);
    memcpy(&k, &symbol, sizeof k);
    assert_non_null(k);
    return k;
}

static inline const expr *i64(bench *b, int64_t v) { return expr_i64(b->s, v); }
static inline const expr *var(bench *b, const char *name) { return expr_new_var(b->s, name, DTYPE_OF(I64)); }
static inline const expr *op(bench *b, expr_op o, const expr *x, const expr *y) { return expr_binary(b->s, o, x, y); }

static inline const loop_func *program(bench *b, const buffer *const *buf, uint32_t count, const stmt *body) {
    loop_func *f = ARENA_NEW(b->mem, loop_func, 1);
    loop_param *p = ARENA_NEW(b->mem, loop_param, count);
    for (uint32_t i = 0; i < count; i++) p[i] = (loop_param){.var = buf[i]->data, .buf = buf[i]};
    const attr *noalias = attr_with(b->mem, NULL, "tirx.noalias", attr_bool(b->mem, true));
    *f = (loop_func){.name = "kernel", .s_tir = true, .params = count, .param = p, .attrs = noalias, .body = body};
    return f;
}

#endif
