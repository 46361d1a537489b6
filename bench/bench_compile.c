// bench_compile.c - how long each stage of a compilation takes: medians over runs, for each file given.
//
// usage: bench_compile [-n RUNS] [-t TARGET]... [-j THREADS] [-o OUTPUT.rlx] FILE.py...
//        bench_compile -i [-t TARGET]... FILE.py
//
// Processor time counts all threads and the linker's processes; nothing is taken from the cache of machine code. With
// -i each line of stdin asks for one compilation, whose passed and processor time (ms) are printed: bench/compile.py
// takes turns with TVM this way.
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"
#include "base/file.h"
#include "driver/driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MAX_RUNS = 100, MAX_STAGES = 128, MAX_TARGETS = 16 };

typedef struct timing {
    char name[80];
    double seconds[MAX_RUNS];
} timing;

typedef struct bench {
    driver_options o;
    const char *target[MAX_TARGETS], *output;
    int runs;
    bool asked; // by lines of stdin
    timing stage[MAX_STAGES];
    uint32_t stages;
    double total[MAX_RUNS], processor[MAX_RUNS];
} bench;

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *list, int count) {
    qsort(list, (size_t)count, sizeof *list, by_size);
    return list[count / 2];
}

static double seconds_of(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec * 1e-6; }

// Of this process and of those it started and waited for.
static double processor_seconds(void) {
    double sum = 0;
    const int who[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (size_t i = 0; i < COUNT(who); i++) {
        struct rusage u;
        getrusage(who[i], &u);
        sum += seconds_of(u.ru_utime) + seconds_of(u.ru_stime);
    }
    return sum;
}

static bool compile_once(bench *b, const source *src, int run) {
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    driver_stages stages = {0};
    b->o.stages = &stages;
    double since = clock_seconds(), used = processor_seconds();
    bool ok = driver_compile(src, &b->o, b->output, d);
    b->total[run] = clock_seconds() - since;
    b->processor[run] = processor_seconds() - used;
    text t = TEXT_IN(mem);
    if (!ok) diag_print(d, &t, false);
    fputs(text_get(&t), stderr);
    b->stages = stages.len < MAX_STAGES ? stages.len : MAX_STAGES;
    for (uint32_t i = 0; i < b->stages; i++) {
        snprintf(b->stage[i].name, sizeof b->stage[i].name, "%s", stages.at[i].name);
        b->stage[i].seconds[run] = stages.at[i].seconds;
    }
    arena_free(mem);
    return ok;
}

static bool answer_lines(bench *b, const source *src) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        if (!compile_once(b, src, 0)) return false;
        printf("%.3f %.3f\n", b->total[0] * 1e3, b->processor[0] * 1e3);
        fflush(stdout);
    }
    return true;
}

static bool print_stages(bench *b, const source *src) {
    bool ok = true;
    for (int i = 0; i < b->runs && ok; i++) ok = compile_once(b, src, i);
    printf("%s, %s, median of %d\n", src->name, b->o.targets ? b->target[0] : "default targets", b->runs);
    for (uint32_t i = 0; i < b->stages && ok; i++)
        printf("  %-40s %9.3f ms\n", b->stage[i].name, median(b->stage[i].seconds, b->runs) * 1e3);
    if (ok) printf("  %-40s %9.3f ms\n", "total", median(b->total, b->runs) * 1e3);
    if (ok) printf("  %-40s %9.3f ms\n", "processor time", median(b->processor, b->runs) * 1e3);
    return ok;
}

static bool bench_file(bench *b, const char *path) {
    char why[FILE_WHY], *bytes;
    source src = {.name = path};
    if (file_read(path, SIZE_MAX / 4, &bytes, &src.size, why) != RX_OK) return fprintf(stderr, "%s\n", why), false;
    src.bytes = bytes;
    bool ok = b->asked ? answer_lines(b, &src) : print_stages(b, &src);
    free(bytes);
    return ok;
}

int main(int argc, char **argv) {
    static bench b = {.runs = 9, .output = "bench_compile.rlx", .o = {.code = {.level = 2}}};
    int option;
    while ((option = getopt(argc, argv, "in:t:j:o:")) != -1) {
        if (option == '?') return 2;
        if (option == 'i') b.asked = true;
        if (option == 't' && b.o.targets < MAX_TARGETS) b.target[b.o.targets++] = optarg;
        if (option == 'n') b.runs = atoi(optarg);
        if (option == 'j') b.o.jobs = (unsigned)atoi(optarg);
        if (option == 'o') b.output = optarg;
    }
    if (b.runs < 1 || b.runs > MAX_RUNS || optind == argc)
        return fputs("usage: bench_compile [-i] [-n RUNS] [-t TARGET]... [-j THREADS] [-o OUTPUT] FILE.py...\n",
                     stderr),
               2;
    b.o.target = b.target;
    bool ok = true;
    for (int i = optind; i < argc; i++) ok = bench_file(&b, argv[i]) && ok;
    unlink(b.output);
    return ok ? 0 : 1;
}
