// bench_passes.c - the passes of the default pipeline on a module, without code generation: the least processor time of
// each over some runs, and beside it TVM's for the passes that TVM has, measured on the same text in the same run.
//
// usage: bench_passes [-n RUNS] [-p PYTHON_WITH_TVM] FILE.py
//     tools/decoder --preset llama-3-8b >l.py; bench_passes -p python3 l.py
#define _GNU_SOURCE
#include "base/file.h"
#include "pass/pass.h"
#include "text/script.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_STEPS = 64, MAX_RUNS = 100 };

typedef struct bench {
    const char *path, *python, *script; // python NULL: without TVM
    int runs;
    const char *name[MAX_STEPS];
    double ours[MAX_STEPS], theirs[MAX_STEPS]; // seconds; theirs 0: TVM has no such pass
    double now[MAX_STEPS], since;
    double least; // total of the quickest run
    uint32_t steps, at;
    char version[64];
} bench;

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void note(void *user, const module *m, const pass_step *step, double seconds) {
    (void)m;
    (void)seconds;
    bench *b = user;
    if (b->at == MAX_STEPS) return;
    b->name[b->at] = step->pass->name;
    b->now[b->at++] = cpu_seconds() - b->since;
    b->since = cpu_seconds();
}

static void keep_least(bench *b, int run) {
    double total = 0;
    for (uint32_t i = 0; i < b->at; i++) {
        total += b->now[i];
        if (run == 0 || b->now[i] < b->ours[i]) b->ours[i] = b->now[i];
    }
    if (run == 0 || total < b->least) b->least = total;
    b->steps = b->at;
    b->at = 0;
}

static bool run_once(bench *b, const source *src, int run) {
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    pass_list steps = {0};
    char why[256];
    const pass_observer o = {.after = note, .user = b};
    module *m = script_parse(src, d);
    b->since = cpu_seconds();
    bool ok = m && pipeline_find("default", mem, &steps, d) && pass_run(m, &steps, arch_parse(mem, "cpu", why), &o, d);
    text t = TEXT_IN(mem);
    if (!ok) diag_print(d, &t, false);
    fputs(text_get(&t), stderr);
    module_free(m);
    arena_free(mem);
    keep_least(b, run);
    return ok;
}

// "PLACE SECONDS" lines of the script.
static bool run_tvm(bench *b) {
    arena *mem = arena_new();
    text command = TEXT_IN(mem);
    text_format(&command, "'%s' '%s' '%s' %d", b->python, b->script, b->path, b->runs < 5 ? b->runs : 5);
    for (uint32_t i = 0; i < b->steps; i++) text_format(&command, " %s", b->name[i]);
    FILE *f = popen(text_get(&command), "r");
    char line[256];
    while (f && fgets(line, sizeof line, f)) {
        unsigned place;
        double seconds;
        if (sscanf(line, "%u %lf", &place, &seconds) == 2 && place < MAX_STEPS) b->theirs[place] = seconds;
        sscanf(line, "version %63s", b->version);
    }
    arena_free(mem);
    return f && pclose(f) == 0;
}

static void print_times(const bench *b) {
    double ours = 0, theirs = 0;
    printf("%s, processor time, least of %d runs, ms\n  %-28s %10s %10s\n", b->path, b->runs, "pass", "ours",
           *b->version ? "TVM" : "");
    for (uint32_t i = 0; i < b->steps; i++) {
        printf("  %-28s %10.2f", b->name[i], b->ours[i] * 1e3);
        if (b->theirs[i] > 0) printf(" %10.2f", b->theirs[i] * 1e3);
        printf("\n");
        ours += b->theirs[i] > 0 ? b->ours[i] : 0;
        theirs += b->theirs[i];
    }
    printf("  %-28s %10.2f\n", "total, the quickest run", b->least * 1e3);
    if (*b->version)
        printf("  %-28s %10.2f %10.2f   TVM %s\n", "the passes that both have", ours * 1e3, theirs * 1e3, b->version);
}

// The script lies beside the source of this file; the build tree knows where.
static const char *script_beside(arena *mem) {
    const char *src = getenv("SRC");
    return arena_format(mem, "%s/bench/passes_tvm.py", src ? src : ".");
}

int main(int argc, char **argv) {
    static bench b = {.runs = 9};
    arena *mem = arena_new();
    int option;
    while ((option = getopt(argc, argv, "n:p:")) != -1) {
        if (option == '?') return 2;
        if (option == 'n') b.runs = atoi(optarg);
        if (option == 'p') b.python = optarg;
    }
    if (b.runs < 1 || b.runs > MAX_RUNS || optind + 1 != argc)
        return fputs("usage: bench_passes [-n RUNS] [-p PYTHON_WITH_TVM] FILE.py\n", stderr), 2;
    b.path = argv[optind];
    b.script = script_beside(mem);
    char why[FILE_WHY], *bytes;
    source src = {.name = b.path};
    if (file_read(b.path, SIZE_MAX / 4, &bytes, &src.size, why) != RX_OK) return fprintf(stderr, "%s\n", why), 1;
    src.bytes = bytes;
    bool ok = true;
    for (int i = 0; ok && i < b.runs; i++) ok = run_once(&b, &src, i);
    if (ok && b.python && !run_tvm(&b)) fprintf(stderr, "bench_passes: TVM's part failed\n");
    if (ok) print_times(&b);
    free(bytes);
    arena_free(mem);
    return ok ? 0 : 1;
}
