// bench_compile.c - how long each stage of a compilation takes: medians over runs, for each file given.
//
// usage: bench_compile [-n RUNS] [-t TARGET] FILE.py...     (bench/compile_tvm.py prints TVM's times for the same
// files)
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "driver/driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RUNS = 100, MAX_STAGES = 64 };

typedef struct timing {
    const char *name;
    double seconds[MAX_RUNS];
} timing;

typedef struct bench {
    driver_options o;
    const char *target, *output;
    int runs;
    timing stage[MAX_STAGES];
    uint32_t stages;
    double total[MAX_RUNS];
} bench;

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *list, int count) {
    qsort(list, (size_t)count, sizeof *list, by_size);
    return list[count / 2];
}

static bool compile_once(bench *b, const source *src, int run) {
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    driver_stages stages = {0};
    b->o.stages = &stages;
    bool ok = driver_compile(src, &b->o, b->output, d);
    text t = TEXT_IN(mem);
    if (!ok) diag_print(d, &t, false);
    fputs(text_get(&t), stderr);
    b->stages = stages.len < MAX_STAGES ? stages.len : MAX_STAGES;
    b->total[run] = 0;
    for (uint32_t i = 0; i < b->stages; i++) {
        b->stage[i].name = stages.at[i].name;
        b->stage[i].seconds[run] = stages.at[i].seconds;
        b->total[run] += stages.at[i].seconds;
    }
    arena_free(mem);
    return ok;
}

static bool bench_file(bench *b, const char *path) {
    char why[FILE_WHY], *bytes;
    source src = {.name = path};
    if (file_read(path, SIZE_MAX / 4, &bytes, &src.size, why) != RX_OK) return fprintf(stderr, "%s\n", why), false;
    src.bytes = bytes;
    bool ok = true;
    for (int i = 0; i < b->runs && ok; i++) ok = compile_once(b, &src, i);
    printf("%s, %s, median of %d\n", path, b->target ? b->target : "default targets", b->runs);
    for (uint32_t i = 0; i < b->stages && ok; i++)
        printf("  %-28s %9.3f ms\n", b->stage[i].name, median(b->stage[i].seconds, b->runs) * 1e3);
    if (ok) printf("  %-28s %9.3f ms\n", "total", median(b->total, b->runs) * 1e3);
    free(bytes);
    return ok;
}

int main(int argc, char **argv) {
    static bench b = {.runs = 9, .output = "bench_compile.rlx", .o = {.code = {.level = 2}}};
    int option;
    while ((option = getopt(argc, argv, "n:t:")) != -1) {
        if (option == '?') return 2;
        if (option == 't') b.target = optarg;
        if (option == 'n') b.runs = atoi(optarg);
    }
    if (b.runs < 1 || b.runs > MAX_RUNS || optind == argc)
        return fputs("usage: bench_compile [-n RUNS] [-t TARGET] FILE.py...\n", stderr), 2;
    b.o.target = &b.target;
    b.o.targets = b.target != NULL;
    bool ok = true;
    for (int i = optind; i < argc; i++) ok = bench_file(&b, argv[i]) && ok;
    unlink(b.output);
    return ok ? 0 : 1;
}
