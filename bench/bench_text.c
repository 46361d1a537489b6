// bench_text.c - how fast a module text of many bindings is read, verified, printed, compared and laid out, on one
// core.
//
// usage: bench_text [FILE]    without a file: a generated module of 100,000 bindings, and one of 50,000 to see growth
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "graph/verify.h"
#include "text/script.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void generate(text *out, uint32_t bindings) {
    text_put(out, "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((\"n\", 256), \"float32\"), "
                  "w: R.Tensor((256, 256), \"float32\"), b: R.Tensor((256,), \"float32\")):\n"
                  "        n = T.int64()\n        with R.dataflow():\n            lv0 = R.add(x, x)\n");
    for (uint32_t i = 1; i < bindings; i += 4) {
        text_format(out, "            lv%u = R.matmul(lv%u, w)\n", i, i - 1);
        text_format(out, "            lv%u = R.add(lv%u, b)\n", i + 1, i);
        text_format(out, "            lv%u = R.nn.relu(lv%u)\n", i + 2, i + 1);
        text_format(out, "            lv%u = R.reshape(lv%u, R.shape([n, 256]))\n", i + 3, i + 2);
    }
    text_format(out, "            R.output(lv%u)\n        return lv%u\n", bindings - bindings % 4,
                bindings - bindings % 4);
}

static double lap(const char *what, double start) {
    double end = now();
    printf("  %-10s %7.3f s\n", what, end - start);
    return end;
}

static void run(const char *name, const char *bytes, size_t size) {
    arena *mem = arena_new();
    source src = {.name = name, .bytes = bytes, .size = size};
    diag *d = diag_new(mem);
    text printed = TEXT_IN(mem), formatted = TEXT_IN(mem);
    printf("%s: %.1f MB of text\n", name, (double)size * 1e-6);
    double start = now(), t = start;
    module *m = script_parse(&src, d);
    t = lap("read", t);
    if (m) module_verify(m, d);
    t = lap("verify", t);
    if (m) script_print(&printed, m, NULL);
    t = lap("print", t);
    printf("  together   %7.3f s\n", t - start);
    if (m) module_equal(m, m, NULL);
    t = lap("compare", t);
    script_format(&src, &formatted, d);
    lap("lay out", t);
    text said = TEXT_IN(mem);
    diag_print(d, &said, false);
    fputs(text_get(&said), stderr);
    module_free(m);
    arena_free(mem);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("  at most    %7.1f MB so far\n", (double)used.ru_maxrss * 1e-3);
}

int main(int argc, char **argv) {
    if (argc > 1) {
        char *bytes, why[FILE_WHY];
        size_t size;
        if (file_read(argv[1], 1u << 30, &bytes, &size, why) != RX_OK) return fprintf(stderr, "%s\n", why), 1;
        run(argv[1], bytes, size);
        free(bytes);
        return 0;
    }
    for (uint32_t bindings = 50000; bindings <= 100000; bindings *= 2) {
        arena *mem = arena_new();
        text generated = TEXT_IN(mem);
        generate(&generated, bindings);
        run("generated", generated.at, generated.len);
        arena_free(mem);
    }
    return 0;
}
