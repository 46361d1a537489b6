// bench_interp.c - how fast the interpreters are, on one core: steps of a matmul and scalar operations in it, elements
// of a vector sum, calls of a graph function that calls itself.
//
// Measured (Release, gcc 12, a virtual x86-64 core): 23 M steps of a matmul a second, each with three checked loads,
// one checked store, two float and two integer operations; 1.3 us a call.
#define _POSIX_C_SOURCE 200809L
#include "interp/interp.h"
#include "text/script.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 256, LONG = 1 << 22, CALLS = 300000 };

static const char script[] =
    "@I.ir_module\n"
    "class Module:\n"
    "    @T.prim_func\n"
    "    def matmul(x: T.handle, W: T.Buffer((T.int64(256), T.int64(256)), \"float32\"), y: T.handle):\n"
    "        n = T.int64()\n"
    "        X = T.match_buffer(x, (n, T.int64(256)))\n"
    "        Y = T.match_buffer(y, (n, T.int64(256)))\n"
    "        for i, j, k in T.grid(n, T.int64(256), T.int64(256)):\n"
    "            with T.sblock(\"matmul\"):\n"
    "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
    "                with T.init():\n"
    "                    Y[vi, vj] = T.float32(0)\n"
    "                Y[vi, vj] = Y[vi, vj] + X[vi, vk] * W[vk, vj]\n"
    "    @T.prim_func\n"
    "    def add(a: T.handle, b: T.handle, c: T.handle):\n"
    "        n = T.int64()\n"
    "        A = T.match_buffer(a, (n,))\n"
    "        B = T.match_buffer(b, (n,))\n"
    "        C = T.match_buffer(c, (n,))\n"
    "        for i in range(n):\n"
    "            C[i] = A[i] + B[i]\n"
    "    @T.prim_func(private=True)\n"
    "    def less(A: T.Buffer((), \"int64\"), B: T.Buffer((), \"int64\"), C: T.Buffer((), \"bool\")):\n"
    "        B[()] = A[()] - T.int64(1)\n"
    "        C[()] = A[()] > T.int64(0)\n"
    "    @R.function\n"
    "    def count(i: R.Tensor((), \"int64\")) -> R.Tensor((), \"int64\"):\n"
    "        cls = Module\n"
    "        t = R.call_tir(cls.less, (i,), out_sinfo=[R.Tensor((), \"int64\"), R.Tensor((), \"bool\")])\n"
    "        j = t[0]\n"
    "        c = t[1]\n"
    "        if c:\n"
    "            r: R.Tensor((), \"int64\") = cls.count(j)\n"
    "        else:\n"
    "            r: R.Tensor((), \"int64\") = i\n"
    "        return r\n";

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static value random_tensor(uint32_t rank, int64_t rows, int64_t columns) {
    value v = {.kind = VALUE_TENSOR};
    if (tensor_new(DTYPE_OF(F32), rank, (int64_t[]){rows, columns}, &v.as.tensor) != RX_OK) exit(1);
    tensor_fill_random(v.as.tensor, (uint64_t)rows);
    return v;
}

// Seconds of one run; releases the arguments.
static double measure(const module *m, const char *func, value *arg, uint32_t count) {
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    value result;
    double start = now();
    if (!interp_run(m, func, arg, count, NULL, mem, &result, d)) {
        fprintf(stderr, "%s: %s\n", func, d->record[0].message);
        exit(1);
    }
    double seconds = now() - start;
    interp_release(&result);
    for (uint32_t i = 0; i < count; i++) interp_release(&arg[i]);
    arena_free(mem);
    return seconds;
}

static void measure_all(const module *m) {
    value matmul[] = {random_tensor(2, SIZE, SIZE), random_tensor(2, SIZE, SIZE), random_tensor(2, SIZE, SIZE)};
    value add[] = {random_tensor(1, LONG, 0), random_tensor(1, LONG, 0), random_tensor(1, LONG, 0)};
    value count = {.kind = VALUE_TENSOR};
    if (tensor_new(DTYPE_OF(I64), 0, NULL, &count.as.tensor) != RX_OK) exit(1);
    tensor_set_int(count.as.tensor, 0, CALLS);
    double seconds = measure(m, "matmul", matmul, 3), steps = (double)SIZE * (double)SIZE * (double)SIZE;
    printf("matmul: %.1f M steps/s, %.0f M scalar operations and accesses/s\n", steps / seconds / 1e6,
           8 * steps / seconds / 1e6);
    printf("sum of vectors: %.1f M elements/s\n", (double)LONG / measure(m, "add", add, 3) / 1e6);
    printf("self tail calls with a call_tir each: %.2f us\n", measure(m, "count", &count, 1) / (double)CALLS * 1e6);
}

int main(void) {
    arena *mem = arena_new();
    source src = {"bench", script, strlen(script)};
    diag *d = diag_new(mem);
    module *m = script_parse(&src, d);
    if (!m) {
        fprintf(stderr, "%s\n", d->record[0].message);
        return 1;
    }
    measure_all(m);
    module_free(m);
    arena_free(mem);
    return 0;
}
