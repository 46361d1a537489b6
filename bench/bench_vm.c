// bench_vm.c - what a call costs: ten kernels on (1, 8) tensors, planned into two blocks, called again and again.
// Prints one line per way of calling; the kernels do next to nothing, so it is the runtime that is measured. With a
// number as argument: the mean of so many calls, and no more (bench/vm_peers.py).
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"
#include "base/postfix.h"
#include "exec/writer.h"
#include "relax/runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS = 200000, ROUNDS = 7, LAUNCHES = 10, SHAPES = 900, ROWS = 512 };

static const char source[] =
    "typedef long long i64;\n"
    "typedef struct { void *const *buffer; const i64 *scalar; } args;\n"
    "int add(const args *a, i64 b, i64 e, void *s) {\n"
    "    for (i64 i = b; i < e; i++) {\n"
    "        const float *x = (const float *)a->buffer[0] + i * 8, *y = (const float *)a->buffer[1] + i * 8;\n"
    "        float *o = (float *)a->buffer[2] + i * 8;\n"
    "        for (int j = 0; j < 8; j++) o[j] = x[j] + y[j];\n"
    "    }\n"
    "    return 0;\n}\n";

static uint8_t *compile(size_t *size) {
    FILE *cc = popen("cc -O2 -w -fPIC -shared -nostdlib -x c - -o bench_vm_kernels.tmp", "w");
    uint8_t *bytes = malloc(1 << 20);
    if (cc) fputs(source, cc);
    if (!cc || pclose(cc) != 0 || !bytes) return NULL;
    FILE *f = fopen("bench_vm_kernels.tmp", "rb");
    *size = f ? fread(bytes, 1, 1 << 20, f) : 0;
    if (f) fclose(f);
    remove("bench_vm_kernels.tmp");
    return *size ? bytes : NULL;
}

static void op(exec_writer *w, opcode o, const uint32_t *word, uint32_t count) {
    exec_writer_op(w, o);
    for (uint32_t i = 0; i < count; i++) exec_writer_operand(w, word[i]);
}

static void declare(exec_writer *w) {
    dtype f32 = DTYPE_OF(F32);
    exec_dim dim[] = {{.kind = DIM_BIND, .index = 0, .text = EXEC_NONE},
                      {.kind = DIM_CHECK, .index = exec_writer_int(w, 8), .text = EXEC_NONE}};
    exec_dim same[] = {{.kind = DIM_CHECK, .index = exec_writer_slot(w, 0), .text = EXEC_NONE}, dim[1]};
    exec_annotation a = {.kind = ANNOTATION_TENSOR, .type = f32, .rank = 2, .dims = 2, .dim = dim, .text = EXEC_NONE};
    exec_annotation b = a;
    b.dim = same;
    exec_param p[] = {
        {.name = exec_writer_string(w, "x"), .annotation = exec_writer_annotation(w, &a), .weight = EXEC_NONE},
        {.name = exec_writer_string(w, "y"), .annotation = exec_writer_annotation(w, &b), .weight = EXEC_NONE}};
    exec_symbol n = {.name = exec_writer_string(w, "n"), .upper = SHAPES * ROWS, .multiple = 1};
    exec_writer_begin(w, exec_writer_function(w, &(exec_function){.name = exec_writer_string(w, "main"),
                                                                  .flags = FUNCTION_PUBLIC,
                                                                  .params = 2,
                                                                  .num_input = 2,
                                                                  .param = p,
                                                                  .result = EXEC_NONE,
                                                                  .symbols = 1,
                                                                  .symbol = &n,
                                                                  .registers = 8,
                                                                  .slots = 2}));
}

// t1 = x + y, t2 = t1 + y, … : each in one of two blocks, the last in a block of its own.
static void fill(exec_writer *w) {
    uint8_t times[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SMALL, 32, POSTFIX_MUL};
    uint32_t bytes = exec_writer_program(w, times, sizeof times), n = exec_writer_slot(w, 0),
             f32 = op_dtype(DTYPE_OF(F32));
    uint32_t zero = exec_writer_int(w, 0), eight = exec_writer_int(w, 8), before = 0;
    op(w, OP_ALLOC_STORAGE, (uint32_t[]){2, bytes}, 2);
    op(w, OP_ALLOC_STORAGE, (uint32_t[]){3, bytes}, 2);
    op(w, OP_ALLOC_STORAGE, (uint32_t[]){4, bytes}, 2);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        uint32_t block = i == LAUNCHES - 1 ? 4 : 2 + i % 2, to = 5 + i % 2;
        op(w, OP_ALLOC_TENSOR, (uint32_t[]){to, block, zero, f32, 2, n, eight}, 7);
        op(w, OP_LAUNCH, (uint32_t[]){0, 3, before, 1, to, 1, n}, 7);
        if (i) op(w, OP_KILL, (uint32_t[]){1, before}, 2);
        before = to;
    }
    op(w, OP_RET, (uint32_t[]){before}, 1);
}

static void measure(rx_context *c, rx_value *const *arg, const char *what, int by_number, int rounds, int calls) {
    double best = 1e9;
    for (int round = 0; round < rounds; round++) {
        double start = clock_seconds();
        for (int i = 0; i < calls; i++) {
            rx_value *out;
            rx_status s =
                by_number ? rx_context_call_number(c, 0, arg, 2, &out) : rx_context_call(c, "main", arg, 2, &out);
            if (s != RX_OK) {
                puts(rx_context_message(c));
                exit(1);
            }
            rx_value_release(out);
        }
        double each = (clock_seconds() - start) / (double)calls;
        if (each < best) best = each;
    }
    printf("%-40s %7.0f ns per call, %5.1f ns per kernel\n", what, best * 1e9, best * 1e9 / (double)LAUNCHES);
}

// KiB of this process that are in memory.
static long resident(void) {
    long pages = 0, all = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &all, &pages) != 2) pages = 0;
    if (f) fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void call_once(rx_context *c, float *data, int64_t n) {
    rx_value *arg[2], *out;
    for (int i = 0; i < 2; i++)
        if (rx_tensor_wrap("float32", 2, (int64_t[]){n, 8}, data, NULL, NULL, &arg[i]) != RX_OK) exit(1);
    if (rx_context_call(c, "main", arg, 2, &out) != RX_OK) exit((puts(rx_context_message(c)), 1));
    rx_value_release(out);
    for (int i = 0; i < 2; i++) rx_value_release(arg[i]);
}

// 900 calls with 900 shapes, the largest first: (n * 512, 8) floats, up to 14 MiB per block.
static void measure_memory(rx_context *c) {
    float *data = calloc(SHAPES * ROWS, 32);
    if (!data) exit(1);
    memset(data, 1, (size_t)SHAPES * ROWS * 32);
    call_once(c, data, SHAPES * ROWS);
    long before = resident(), low = before, high = before;
    for (int64_t i = 0; i < SHAPES; i++) {
        call_once(c, data, (i * 571 % SHAPES + 1) * ROWS);
        long now_kib = resident();
        if (now_kib < low) low = now_kib;
        if (now_kib > high) high = now_kib;
    }
    printf("%d calls with %d shapes: %.1f MiB resident after the first, then %.1f to %.1f\n", SHAPES, SHAPES,
           (double)before / 1024, (double)low / 1024, (double)high / 1024);
    free(data);
}

int main(int argc, char **argv) {
    int few = argc > 1 ? atoi(argv[1]) : 0;
    size_t size;
    char message[RX_MESSAGE];
    uint8_t *image = compile(&size), *file = NULL;
    exec_writer *w = exec_writer_new();
    if (!image || !w) return puts("this benchmark needs a C compiler"), 1;
    uint32_t n = exec_writer_slot(w, 0);
    exec_writer_kernel(w, &(exec_kernel){.name = exec_writer_string(w, "add"),
                                         .buffers = 3,
                                         .scalars = 1,
                                         .outputs = 1,
                                         .grid = n,
                                         .scratch = exec_writer_int(w, 0)});
    exec_writer_variant(w, "cpu", "cpu:bench", 0, image, size, NULL);
    declare(w);
    fill(w);
    rx_executable *exe = NULL;
    rx_context *c = NULL;
    rx_context_options o = {.struct_size = sizeof o, .threads = 1};
    if (exec_writer_bytes(w, &file, &size, message) != RX_OK ||
        rx_executable_load_memory(file, size, NULL, &exe, message) != RX_OK ||
        rx_context_new(exe, &o, &c, message) != RX_OK)
        return puts(message), 1;
    rx_value *arg[2];
    for (int i = 0; i < 2; i++)
        if (rx_tensor_new("float32", 2, (int64_t[]){1, 8}, NULL, &arg[i]) != RX_OK) return 1;
    if (!few) measure(c, arg, "ten kernels on (1, 8), by name", 0, ROUNDS, CALLS);
    measure(c, arg, "ten kernels on (1, 8), by number", 1, few > 0 ? 1 : ROUNDS, few > 0 ? few : CALLS);
    for (int i = 0; i < 2; i++) rx_value_release(arg[i]);
    if (!few) measure_memory(c);
    rx_context_release(c);
    rx_executable_release(exe);
    exec_writer_free(w);
    free(file);
    free(image);
    return 0;
}
