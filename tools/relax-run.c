// relax-run.c - runs one function of a module; links the runtime alone.
#define _POSIX_C_SOURCE 200809L
#include "relax/runtime.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, MAX_TEXTS = 256 };

static const char usage[] =
    "usage: relax-run FILE.rlx [options]\n"
    "Runs a function of a compiled module and prints its results, a preview of their elements, and the time.\n"
    "\n"
    "  -f, --func NAME           the function to run (default: main)\n"
    "  -i, --input [NAME=]VALUE  an argument, by name or by position: f32[7,128] random elements, f32[3]:1,2,3 these,\n"
    "                            [[1,2],[3,4]], @x.npy from a file, 3, 1.5, i32:3, true, (3,4) a shape,\n"
    "                            (f32[2],1.5) a tuple; a number is also a tensor without dims\n"
    "  -o, --output DIR          writes each result tensor to DIR/outN.npy\n"
    "  --expect outN=VALUE       compares a result; exit code 1 if it differs\n"
    "  --rtol X, --atol X        tolerances of --expect (default 1e-5, 1e-6)\n"
    "  --repeat N                runs N times more and prints the median time of one run\n"
    "  --seed N                  of random inputs (default 0)\n"
    "  --threads N               threads of kernels up to 1024 (default: RELAX_NUM_THREADS, else what the machine "
    "grants)\n"
    "  --json                    prints one JSON object\n"
    "  --version                 prints the version and stops\n"
    "\n"
    "examples:\n"
    "  relax-run mlp.rlx --input x=f32[7,128] --input w1=@w1.npy\n"
    "  relax-run mlp.rlx --input x=@x.npy --expect out0=@y.npy --rtol 1e-4\n";

typedef struct options {
    const char *file, *function, *output;
    const char *input[MAX_TEXTS], *expect[MAX_TEXTS];
    unsigned inputs, expects;
    double rtol, atol;
    unsigned long repeat, seed, threads;
    bool json;
} options;

typedef struct run {
    const options *o;
    rx_executable *exe;
    rx_context *context;
    rx_value *result;
    double first, median; // seconds
} run;

static int fail(const char *what) {
    fprintf(stderr, "relax-run: %s\n", what);
    return EXIT_FAILED;
}

// What was printed is lost when standard output takes no more.
static int printed(int code) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    fprintf(stderr, "relax-run: can't write to stdout%s%s\n", errno ? ": " : "", errno ? strerror(errno) : "");
    return EXIT_FAILED;
}

// ---- options ----

static bool parse_count(const char *text, unsigned long *out) {
    char *end;
    errno = 0;
    *out = strtoul(text, &end, 10);
    return end != text && !*end && errno == 0 && *text != '-';
}

static bool parse_real(const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end;
}

static bool add_text(const char **list, unsigned *count, const char *text) {
    if (*count == MAX_TEXTS) return false;
    list[(*count)++] = text;
    return true;
}

// Takes one option with its value; false if it is unknown or its value wrong.
static bool take_option(options *o, const char *name, const char *value) {
    if (!strcmp(name, "--func") || !strcmp(name, "-f")) return o->function = value, true;
    if (!strcmp(name, "--output") || !strcmp(name, "-o")) return o->output = value, true;
    if (!strcmp(name, "--input") || !strcmp(name, "-i")) return add_text(o->input, &o->inputs, value);
    if (!strcmp(name, "--expect")) return add_text(o->expect, &o->expects, value);
    if (!strcmp(name, "--rtol")) return parse_real(value, &o->rtol);
    if (!strcmp(name, "--atol")) return parse_real(value, &o->atol);
    if (!strcmp(name, "--repeat")) return parse_count(value, &o->repeat);
    if (!strcmp(name, "--seed")) return parse_count(value, &o->seed);
    if (!strcmp(name, "--threads")) return parse_count(value, &o->threads) && o->threads <= UINT_MAX;
    return false;
}

// Returns an exit code, or -1 to go on.
static int parse_options(int argc, char **argv, options *o) {
    *o = (options){.function = "main", .rtol = 1e-5, .atol = 1e-6};
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (!strcmp(a, "--help") || !strcmp(a, "-h")) return fputs(usage, stdout), printed(EXIT_DONE);
        if (!strcmp(a, "--version")) return puts("relax-run " RELAX_VERSION), printed(EXIT_DONE);
        if (!strcmp(a, "--json")) {
            o->json = true;
        } else if (a[0] != '-') {
            if (o->file) return fprintf(stderr, "relax-run: one file, please: %s, then %s\n", o->file, a), EXIT_USAGE;
            o->file = a;
        } else if (i + 1 == argc || !take_option(o, a, argv[i + 1])) {
            return fprintf(stderr, "relax-run: %s%s%s is not understood; see --help\n", a, i + 1 < argc ? " " : "",
                           i + 1 < argc ? argv[i + 1] : ""),
                   EXIT_USAGE;
        } else {
            i++;
        }
    }
    return o->file ? -1 : (fputs(usage, stderr), EXIT_USAGE);
}

// ---- inputs ----

// The part before "=" if it is a name; sets *value to what follows.
static size_t split_name(const char *text, const char **value) {
    size_t size = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    bool named = size && text[size] == '=';
    *value = named ? text + size + 1 : text;
    return named ? size : 0;
}

static int set_input(run *r, const char *text, uint32_t position) {
    char message[RX_MESSAGE], name[256];
    const char *value;
    rx_value *v = NULL;
    size_t size = split_name(text, &value);
    if (size >= sizeof name) return fail("the name of an input is too long");
    memcpy(name, text, size);
    name[size] = 0;
    if (rx_value_parse(value, r->o->seed + position, &v, message) != RX_OK) return fail(message);
    rx_status status = size ? rx_context_set_input_by_name(r->context, r->o->function, name, v)
                            : rx_context_set_input(r->context, r->o->function, position, v);
    rx_value_release(v);
    return status == RX_OK ? EXIT_DONE : fail(rx_context_message(r->context));
}

// Positional inputs count among themselves.
static int set_inputs(run *r) {
    uint32_t position = 0;
    for (unsigned i = 0; i < r->o->inputs; i++) {
        const char *value;
        bool named = split_name(r->o->input[i], &value) != 0;
        int code = set_input(r, r->o->input[i], named ? 1000 + i : position);
        if (code != EXIT_DONE) return code;
        if (!named) position++;
    }
    return EXIT_DONE;
}

// ---- running ----

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int run_once(run *r, double *seconds) {
    rx_value_release(r->result);
    double start = now();
    rx_status status = rx_context_run(r->context, r->o->function, &r->result);
    *seconds = now() - start;
    return status == RX_OK ? EXIT_DONE : fail(rx_context_message(r->context));
}

static int run_all(run *r) {
    int code = run_once(r, &r->first);
    r->median = r->first;
    if (code != EXIT_DONE || !r->o->repeat) return code;
    if (r->o->repeat > 10 * 1000 * 1000) return fail("--repeat is too large");
    double *times = malloc(r->o->repeat * sizeof *times);
    if (!times) return fail("no memory for the times");
    for (unsigned long i = 0; i < r->o->repeat && code == EXIT_DONE; i++) code = run_once(r, &times[i]);
    qsort(times, r->o->repeat, sizeof *times, by_size);
    r->median = times[r->o->repeat / 2];
    free(times);
    return code;
}

// ---- results ----

// Result number i: a field of the tuple, or the value itself. Caller's reference; NULL past the last.
static rx_value *result_at(const run *r, uint32_t i) {
    rx_value *v = NULL;
    if (rx_value_kind(r->result) == RX_TUPLE) return rx_value_item(r->result, i, &v) == RX_OK ? v : NULL;
    return i == 0 ? rx_value_retain(r->result) : NULL;
}

static uint32_t result_count(const run *r) {
    return rx_value_kind(r->result) == RX_TUPLE ? rx_value_count(r->result) : 1;
}

static void print_quoted(const char *s) {
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') putchar('\\');
        if ((unsigned char)*s < 0x20)
            printf("\\u%04x", (unsigned)*s);
        else
            putchar(*s);
    }
    putchar('"');
}

static void print_result(const run *r, uint32_t i) {
    char text[400];
    rx_value *v = result_at(r, i);
    rx_value_print(v, text, sizeof text);
    if (r->o->json) {
        printf("%s{\"name\": \"out%u\", \"value\": ", i ? ", " : "", i);
        print_quoted(text);
        putchar('}');
    } else {
        printf("out%u: %s\n", i, text);
    }
    rx_value_release(v);
}

static void print_time(const run *r) {
    if (r->o->json)
        printf("], \"first_seconds\": %.9f, \"median_seconds\": %.9f, \"runs\": %lu}\n", r->first, r->median,
               r->o->repeat + 1);
    else if (r->o->repeat)
        printf("time: %.3f ms (median of %lu; the first took %.3f ms)\n", r->median * 1e3, r->o->repeat,
               r->first * 1e3);
    else
        printf("time: %.3f ms\n", r->first * 1e3);
}

static void print_results(const run *r) {
    if (r->o->json) printf("{\"results\": [");
    for (uint32_t i = 0; i < result_count(r); i++) print_result(r, i);
    print_time(r);
}

// Before the run, which may be long.
static int make_output(const run *r) {
    struct stat s;
    const char *folder = r->o->output;
    if (!folder) return EXIT_DONE;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fprintf(stderr, "relax-run: %s: can't make the folder: %s\n", folder, strerror(errno)), EXIT_FAILED;
    if (stat(folder, &s) == 0 && S_ISDIR(s.st_mode)) return EXIT_DONE;
    return fprintf(stderr, "relax-run: %s: want a folder, this is a file\n", folder), EXIT_FAILED;
}

static int save_results(const run *r) {
    char path[PATH_MAX], message[RX_MESSAGE];
    for (uint32_t i = 0; r->o->output && i < result_count(r); i++) {
        rx_value *v = result_at(r, i);
        rx_status status = RX_OK;
        if (snprintf(path, sizeof path, "%s/out%u.npy", r->o->output, i) >= (int)sizeof path)
            status = RX_INVALID_ARGUMENT, snprintf(message, sizeof message, "--output: the path is too long");
        else if (rx_value_kind(v) == RX_TENSOR)
            status = rx_tensor_save(v, path, message);
        rx_value_release(v);
        if (status != RX_OK) return fail(message);
    }
    return EXIT_DONE;
}

// "out0=@y.npy": EXIT_FAILED with a sentence if it differs.
static int check_expected(const run *r, const char *text) {
    char message[RX_MESSAGE];
    unsigned number;
    int size = 0;
    rx_value *want = NULL;
    if (sscanf(text, "out%u=%n", &number, &size) != 1 || !size)
        return fail("--expect: want outN=VALUE, such as out0=@y.npy");
    if (rx_value_parse(text + size, r->o->seed, &want, message) != RX_OK) return fail(message);
    rx_value *got = number < result_count(r) ? result_at(r, number) : NULL;
    rx_status status = rx_value_compare(got, want, r->o->rtol, r->o->atol, message);
    if (status != RX_OK) fprintf(stderr, "relax-run: out%u is not as expected: %s\n", number, message);
    rx_value_release(got);
    rx_value_release(want);
    return status == RX_OK ? EXIT_DONE : EXIT_FAILED;
}

static int use(run *r) {
    int code = make_output(r);
    if (code == EXIT_DONE) code = set_inputs(r);
    if (code == EXIT_DONE) code = run_all(r);
    if (code != EXIT_DONE) return code;
    print_results(r);
    code = printed(EXIT_DONE);
    if (code == EXIT_DONE) code = save_results(r);
    for (unsigned i = 0; i < r->o->expects && code == EXIT_DONE; i++) code = check_expected(r, r->o->expect[i]);
    return code;
}

int main(int argc, char **argv) {
    char message[RX_MESSAGE];
    options o;
    int code = parse_options(argc, argv, &o);
    if (code >= 0) return code;
    run r = {.o = &o};
    rx_context_options context = {.struct_size = sizeof context, .threads = (unsigned)o.threads};
    if (rx_executable_load(o.file, NULL, &r.exe, message) != RX_OK ||
        rx_context_new(r.exe, &context, &r.context, message) != RX_OK)
        code = fail(message);
    else
        code = use(&r);
    rx_value_release(r.result);
    rx_context_release(r.context);
    rx_executable_release(r.exe);
    return code;
}
