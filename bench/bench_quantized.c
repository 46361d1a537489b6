// bench_quantized.c - products with packed quantised weights, and with halves in panels (f16): bytes per second for one
// row against what memory gives, operations per second for many rows.
//
// usage: bench_quantized [-m MB] [-r RUNS] [-t THREADS] [-x TARGET] [-1] [FORMAT]...     MB of a weight (default 64:
// beyond the caches); -x: in place of cpu:host; -1: one row alone
//
// The yardstick is a plain read of as many bytes in four streams per thread, measured between the products. Each figure
// is the best of RUNS: other work on the machine only ever makes them worse.
#define _DEFAULT_SOURCE // madvise
#include "driver/driver.h"
#include "ops/packed.h"
#include "relax/runtime.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 2048, MAX_THREADS = 64 };

// With one thread: its own time, which others on the machine do not lengthen by taking the processor.
static double now(unsigned threads) {
    struct timespec t;
    clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// --- The yardstick.
typedef struct reader {
    const uint64_t *data;
    size_t words; // a multiple of 32
    uint64_t sum;
} reader;

static void *read_all(void *user) {
    reader *r = user;
    size_t quarter = r->words / 4;
    uint64_t sum[8] = {0};
    for (size_t i = 0; i < quarter; i += 8)
        for (size_t k = 0; k < 8; k++)
            sum[k] +=
                r->data[i + k] ^ r->data[quarter + i + k] ^ r->data[2 * quarter + i + k] ^ r->data[3 * quarter + i + k];
    for (size_t k = 0; k < 8; k++) r->sum += sum[k];
    return NULL;
}

static double read_seconds(const void *data, size_t bytes, unsigned threads) {
    pthread_t thread[MAX_THREADS];
    reader r[MAX_THREADS];
    size_t words = bytes / 8 / threads / 32 * 32;
    for (unsigned i = 0; i < threads; i++) r[i] = (reader){.data = (const uint64_t *)data + i * words, .words = words};
    double start = now(threads);
    for (unsigned i = 1; i < threads; i++)
        if (pthread_create(&thread[i], NULL, read_all, &r[i])) exit(1);
    read_all(&r[0]);
    for (unsigned i = 1; i < threads; i++) pthread_join(thread[i], NULL);
    return now(threads) - start;
}

// --- One format.
typedef struct bench {
    size_t bytes; // wanted of a weight
    int runs;
    unsigned threads;
    bool one_row;
    const char *target;
    char file[64];
} bench;

static void must(rx_status status, const char *why) {
    if (status == RX_OK) return;
    fprintf(stderr, "bench_quantized: %s\n", why);
    exit(1);
}

static int64_t rows_of(const bench *b, const block_format *f) {
    int64_t rows = (int64_t)(b->bytes / (SIZE / f->elements * f->bytes)) / 32 * 32;
    return rows > 32 ? rows : 32;
}

// Dims of the scales: floats of groups, or heads of blocks.
static uint32_t scale_dims(const block_format *f, int64_t tiles, int64_t out[4]) {
    packing p = packing_of(f);
    const int64_t floats[] = {tiles, SIZE / f->group, PACKED_LANES};
    const int64_t heads[] = {tiles, SIZE / f->elements, p.head, PACKED_LANES};
    memcpy(out, p.head ? heads : floats, p.head ? sizeof heads : sizeof floats);
    return p.head ? 4 : 3;
}

static const char *scale_type(packing p) {
    return p.bytes ? "uint8" : p.head ? "uint16" : p.half ? "float16" : "float32";
}

static void put_scales(text *t, const block_format *f, int64_t tiles) {
    int64_t dim[4];
    uint32_t rank = scale_dims(f, tiles, dim);
    text_put(t, ", s: R.Tensor((");
    for (uint32_t i = 0; i < rank; i++) text_format(t, "%s%lld", i ? ", " : "", (long long)dim[i]);
    text_format(t, "), \"%s\")", scale_type(packing_of(f)));
}

// Halves lie in panels and are multiplied as floats.
static bool in_panels(const block_format *f) { return strcmp(f->name, "f16") == 0; }

static void put_panels(text *t, int64_t rows) {
    text_format(t,
                "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((\"n\", %d), \"float32\"), "
                "p: R.Tensor((%lld, %d, 16), \"float16\")):\n        with R.dataflow():\n"
                "            y = R.rx.panel_matmul(x, p, columns=%lld)\n"
                "            R.output(y)\n        return y\n",
                SIZE, (long long)(rows / PACKED_LANES), SIZE, (long long)rows);
}

static void put_packed(text *t, const block_format *f, int64_t rows) {
    packing p = packing_of(f);
    long long tiles = rows / PACKED_LANES;
    text_format(t,
                "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((\"n\", %d), \"float32\"), "
                "q: R.Tensor((%lld, %d, %u, 16), \"uint32\")",
                SIZE, tiles, SIZE / p.step, p.words);
    put_scales(t, f, tiles);
    text_format(t,
                "):\n        with R.dataflow():\n            a = R.rx.quantize_int8(x, unit=%u, low=%d, turns=%u)\n"
                "            y = R.rx.packed_matmul(a[0], a[1], a[2], q, s, columns=%lld, format=\"%s\")\n"
                "            R.output(y)\n        return y\n",
                p.unit, f->low, p.turns, (long long)rows, f->name);
}

static void compile(const bench *b, const block_format *f, int64_t rows) {
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    text t = TEXT_IN(mem), out = TEXT_IN(mem);
    if (in_panels(f))
        put_panels(&t, rows);
    else
        put_packed(&t, f, rows);
    source src = {.name = f->name, .bytes = text_get(&t), .size = t.len};
    driver_options o = {.target = &b->target, .targets = 1, .code = {.level = 2}};
    if (!driver_compile(&src, &o, b->file, d)) {
        diag_print(d, &out, false);
        must(RX_INTERNAL, text_get(&out));
    }
    arena_free(mem);
}

// Weights lie in large pages, as those of a file do (base/new_file.c): of small ones a virtual machine reads half as
// much.
enum { LARGE_PAGE = 2 << 20 };
static void *take_large(void *user, size_t size) {
    (void)user;
    size_t whole = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *at = aligned_alloc(LARGE_PAGE, whole);
    if (at) (void)madvise(at, whole, MADV_HUGEPAGE); // where there are none: slower
    return at;
}
static void give_large(void *user, void *at, size_t size) {
    (void)user, (void)size;
    free(at);
}

// Numbers without NaNs and denormals: 16-bit words 0x3c3c are 1.06 as halves, 0x3c3c3c3c is 0.011 as a float.
static rx_value *new_input(const char *type, uint32_t rank, const int64_t *dim) {
    const rx_allocator large = {take_large, give_large, NULL};
    rx_value *v;
    must(rx_tensor_new(type, rank, dim, &large, &v), "out of memory");
    memset(rx_tensor_data(v), 0x3c, rx_tensor_bytes(v));
    return v;
}

static double best_of(const bench *b, rx_context *c, rx_value *const *args, uint32_t count, double *read) {
    double best = 1e9;
    for (int i = 0; i <= b->runs; i++) {
        rx_value *out;
        double start = now(b->threads);
        must(rx_context_call(c, "main", args, count, &out), rx_context_message(c));
        double seconds = now(b->threads) - start;
        rx_value_release(out);
        if (i && seconds < best) best = seconds; // the first one warms up
        double plain = read_seconds(rx_tensor_data(args[1]), rx_tensor_bytes(args[1]), b->threads);
        if (read && i && plain < *read) *read = plain;
    }
    return best;
}

// Operations per second with more rows of activations.
static void many_rows(const bench *b, rx_context *c, rx_value **args, uint32_t count, int64_t rows) {
    static const int64_t many[] = {4, 16, 32, 128, 512};
    for (size_t i = 0; i < COUNT(many); i++) {
        const int64_t dim[] = {many[i], SIZE};
        rx_value_release(args[0]);
        args[0] = new_input("float32", 2, dim);
        double ops = 2.0 * (double)many[i] * (double)SIZE * (double)rows / best_of(b, c, args, count, NULL);
        printf("%s%lld rows %6.1f", i ? ", " : "   ", (long long)many[i], ops * 1e-9);
    }
    printf(" GOP/s");
}

static void measure(const bench *b, const block_format *f) {
    int64_t rows = rows_of(b, f), tiles = rows / PACKED_LANES;
    packing p = packing_of(f);
    char why[RX_MESSAGE];
    rx_executable *exe;
    rx_context *c;
    rx_context_options o = {.struct_size = sizeof o, .threads = b->threads};
    compile(b, f, rows);
    must(rx_executable_load(b->file, NULL, &exe, why), why);
    must(rx_context_new(exe, &o, &c, why), why);
    const int64_t one[] = {1, SIZE};
    const int64_t panels[] = {tiles, SIZE, PACKED_LANES};
    int64_t q[] = {tiles, 1, p.words, PACKED_LANES}, s[4];
    uint32_t count = in_panels(f) ? 2 : 3;
    rx_value *args[3] = {new_input("float32", 2, one)};
    if (count > 2) {
        uint32_t rank = scale_dims(f, tiles, s);
        q[1] = SIZE / p.step;
        args[1] = new_input("uint32", 4, q);
        args[2] = new_input(scale_type(p), rank, s);
    } else {
        args[1] = new_input("float16", 3, panels);
    }
    double bytes = 0, read = 1e9;
    for (uint32_t i = 1; i < count; i++) bytes += (double)rx_tensor_bytes(args[i]);
    double single = best_of(b, c, args, count, &read);
    double plain = (double)rx_tensor_bytes(args[1]) / read, rate = bytes / single;
    printf("%-8s %6.1f MB %9.1f us  %6.1f GB/s of %6.1f  %4.0f %%", f->name, bytes * 1e-6, single * 1e6, rate * 1e-9,
           plain * 1e-9, 100 * rate / plain);
    if (!b->one_row) many_rows(b, c, args, count, rows);
    printf("\n");
    fflush(stdout);
    for (uint32_t i = 0; i < count; i++) rx_value_release(args[i]);
    rx_context_release(c);
    rx_executable_release(exe);
}

int main(int argc, char **argv) {
    bench b = {.bytes = 64 << 20, .runs = 30, .threads = 1, .target = "cpu:host"};
    int option;
    while ((option = getopt(argc, argv, "m:r:t:x:1")) != -1) {
        if (option == '?') return 2;
        if (option == 'm') b.bytes = (size_t)atoi(optarg) << 20;
        if (option == 'r') b.runs = atoi(optarg);
        if (option == 'x') b.target = optarg;
        if (option == '1') b.one_row = true;
        if (option == 't') b.threads = (unsigned)atoi(optarg);
    }
    if (!b.threads || b.threads > MAX_THREADS) return 2;
    snprintf(b.file, sizeof b.file, "bench_quantized.%ld.rlx", (long)getpid());
    printf("%u thread%s, weights of %zu MB\n", b.threads, b.threads > 1 ? "s" : "", b.bytes >> 20);
    uint32_t count;
    const block_format *all = format_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        bool named = optind == argc;
        for (int k = optind; k < argc; k++) named |= strcmp(argv[k], all[i].name) == 0;
        if (named && (format_packs(&all[i]) || in_panels(&all[i]))) measure(&b, &all[i]);
    }
    unlink(b.file);
    return 0;
}
