// ruled.c - programs that the schedule rules are made for.
#include "ruled.h"
#include "test.h"
#include <stdio.h>
#include <string.h>

static const int64_t dims[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 257};

// What it is, its parameters, the value; sizes are n, m, k where they are named.
static const struct {
    const char *name, *params, *value;
} programs[] = {
    {"matrices", "x: R.Tensor((\"n\", \"k\")), w: R.Tensor((\"k\", \"m\"))", "R.matmul(x, w)"},
    {"matrices, constant sizes", "x: R.Tensor((\"n\", 100)), w: R.Tensor((100, 257))", "R.matmul(x, w)"},
    {"matrices, a panel", "x: R.Tensor((\"n\", 257)), w: R.Tensor((257, 528))", "R.matmul(x, w)"},
    {"matrices, streamed", "x: R.Tensor((\"n\", 64)), w: R.Tensor((64, 1024))", "R.nn.relu(R.matmul(x, w))"},
    {"matrices of 11 rows, streamed", "x: R.Tensor((\"n\", 11, 16)), w: R.Tensor((16, 528))", "R.matmul(x, w)"},
    {"one known row, streamed", "x: R.Tensor((1, 64)), w: R.Tensor((64, 1024)), b: R.Tensor((\"n\", 1))",
     "R.multiply(R.matmul(x, w), b)"},
    {"rows", "x: R.Tensor((\"n\", \"k\")), w: R.Tensor((\"m\", \"k\"))", "R.einsum((x, w), subscripts=\"ay,zy->az\")"},
    {"rows, constant sizes", "x: R.Tensor((\"n\", 64)), w: R.Tensor((33, 64))",
     "R.einsum((x, w), subscripts=\"ay,zy->az\")"},
    {"rows, a transposed panel", "x: R.Tensor((\"n\", 256)), w: R.Tensor((257, 256)), b: R.Tensor((257,))",
     "R.nn.silu(R.add(R.einsum((x, w), subscripts=\"ay,zy->az\"), b))"},
    {"rows of halves", "x: R.Tensor((\"n\", 256)), w: R.Tensor((300, 256), \"float16\")",
     "R.einsum((x, R.astype(w, \"float32\")), subscripts=\"ay,zy->az\")"},
    {"panels", "x: R.Tensor((\"n\", 128)), p: R.Tensor((22, 128, 16))",
     "R.nn.relu(R.rx.panel_matmul(x, p, columns=345))"},
    {"panels, whole tiles", "x: R.Tensor((2, \"n\", 7)), p: R.Tensor((3, 7, 16))",
     "R.rx.panel_matmul(x, p, columns=48)"},
    {"panels of halves", "x: R.Tensor((\"n\", 256)), p: R.Tensor((19, 256, 16), \"float16\")",
     "R.rx.panel_matmul(x, p, columns=300)"},
    {"heads that share keys", "x: R.Tensor((1, 6, \"n\", 64)), w: R.Tensor((1, 2, \"m\", 64))",
     "R.matmul(x, R.permute_dims(R.repeat(w, 3, axis=1), axes=[0, 1, 3, 2]))"},
    {"heads that share values", "x: R.Tensor((1, 6, \"n\", \"m\")), w: R.Tensor((1, 2, \"m\", 64))",
     "R.matmul(x, R.repeat(w, 3, axis=1))"},
    {"batches", "x: R.Tensor((3, \"n\", \"k\")), w: R.Tensor((3, \"k\", \"m\"))", "R.matmul(x, w)"},
    {"one row", "x: R.Tensor((1, \"k\")), w: R.Tensor((\"k\", \"m\"))", "R.matmul(x, w)"},
    {"sums", "x: R.Tensor((\"n\", \"m\"))", "R.sum(x, axis=[1])"},
    {"a mean of everything", "x: R.Tensor((\"n\", 4096))", "R.mean(x)"},
    {"a mean of a long row", "x: R.Tensor((98304,))", "R.mean(x)"},
    {"means of few long rows", "x: R.Tensor((3, 32768))", "R.mean(x, axis=[1])"},
    {"extremes of long columns", "x: R.Tensor((8192, 20))", "R.max(x, axis=[0])"},
    {"a long product of one row", "x: R.Tensor((1, 8192)), w: R.Tensor((8192, 16))",
     "R.multiply(R.matmul(x, w), R.const(0.01))"},
    {"a long product of few rows", "x: R.Tensor((3, 4096)), w: R.Tensor((4096, 17)), b: R.Tensor((17,))",
     "R.nn.relu(R.multiply(R.add(R.matmul(x, w), b), R.const(0.01)))"},
    {"a long product, rows", "x: R.Tensor((2, 16384)), w: R.Tensor((5, 16384))",
     "R.multiply(R.einsum((x, w), subscripts=\"ay,zy->az\"), R.const(0.01))"},
    {"a long product of any rows", "x: R.Tensor((\"n\", 4096)), w: R.Tensor((4096, 16))",
     "R.multiply(R.matmul(x, w), R.const(0.01))"},
    {"extremes down columns", "x: R.Tensor((\"n\", \"m\"))", "R.max(x, axis=[0])"},
    {"softmax", "x: R.Tensor((\"n\", \"m\"))", "R.nn.softmax(x)"},
    {"layer norm", "x: R.Tensor((\"n\", \"m\")), w: R.Tensor((\"m\",)), b: R.Tensor((\"m\",))",
     "R.nn.layer_norm(x, w, b, axes=[-1])"},
    {"rms norm", "x: R.Tensor((\"n\", \"m\")), w: R.Tensor((\"m\",))", "R.nn.rms_norm(x, w, axes=[-1])"},
    {"a chain", "x: R.Tensor((\"n\", \"m\")), b: R.Tensor((\"m\",))",
     "R.nn.gelu(R.add(R.multiply(x, R.const(2.0)), b))"},
    {"a divisor", "x: R.Tensor((\"n\", \"m\")), b: R.Tensor((\"n\", 1))", "R.divide(x, R.abs(b))"},
    {"a transposition", "x: R.Tensor((\"n\", \"m\"))", "R.permute_dims(x)"},
    {"a transposition inside", "x: R.Tensor((\"n\", \"m\", 7))", "R.nn.relu(R.permute_dims(x, axes=[0, 2, 1]))"},
    {"rows that are picked", "x: R.Tensor((\"m\", 33)), i: R.Tensor((\"n\",), \"int32\")",
     "R.take(x, i, axis=0, mode=\"clip\")"},
    {"pooling", "x: R.Tensor((1, 3, \"n\", \"m\"))", "R.nn.max_pool2d(x, pool_size=[3, 3], padding=[1, 1, 1, 1])"},
    {"pooling by steps", "x: R.Tensor((1, 3, \"n\", \"m\"))",
     "R.nn.max_pool2d(x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])"},
    {"pooling of a constant size", "x: R.Tensor((\"n\", 2, 9, 67))",
     "R.nn.max_pool2d(x, pool_size=[2, 3], strides=[2, 3], padding=[0, 1, 0, 1])"},
    {"means of windows", "x: R.Tensor((\"n\", \"m\", 7, 35))",
     "R.nn.avg_pool2d(x, pool_size=[3, 3], strides=[1, 2], padding=[1, 1, 1, 1])"},
    {"every fourth", "x: R.Tensor((\"n\", \"m\"))",
     "R.nn.relu(R.strided_slice(x, axes=[1], begin=[0], end=[9223372036854775807], strides=[4]))"},
    {"a scan", "x: R.Tensor((\"n\", \"m\"))", "R.cumsum(x, axis=1)"},
    {"a scan down columns", "x: R.Tensor((\"n\", \"m\"))", "R.cumsum(x, axis=0)"},
    {"attention", "q: R.Tensor((1, \"n\", 2, 16)), k: R.Tensor((1, \"m\", 2, 16)), v: R.Tensor((1, \"m\", 2, 16))",
     "R.nn.attention(q, k, v)"},
    {"attention, keys shared",
     "q: R.Tensor((1, 6, \"n\", 64)), k: R.Tensor((1, 2, \"m\", 64)), v: R.Tensor((1, 2, \"m\", 24))",
     "R.rx.dense_attention(q, k, v, scale=0.125, causal_mask=\"BottomRight\")"},
    {"attention in single operators", "q: R.Tensor((2, 3, \"n\", 16)), k: R.Tensor((2, 3, \"m\", 16))",
     "R.matmul(R.nn.softmax(R.matmul(q, R.permute_dims(k, axes=[0, 1, 3, 2]))), k)"},
};

// Tensors are float32 where nothing else is said.
static const char *with_types(arena *mem, const char *params) {
    text t = TEXT_IN(mem);
    for (const char *p = params; *p; p++) {
        bool ends = p[0] == ')' && p[1] == ')' && (p[2] == ',' || !p[2]);
        text_put_n(&t, p, ends ? 2 : 1);
        if (!ends) continue;
        t.len--;
        text_format(&t, ", \"float32\")");
        p++;
    }
    return text_get(&t);
}

// Each size takes all of the dims, in another order each.
static uint32_t sizes_of(arena *mem, const char *params, interp_symbol *out) {
    static const char *const name[] = {"n", "m", "k"};
    static const uint32_t step[] = {1, 5, 7}, from[] = {0, 3, 1};
    uint32_t used[COUNT(name)], count = 0;
    for (uint32_t s = 0; s < COUNT(name); s++)
        if (strstr(params, arena_format(mem, "\"%s\"", name[s]))) used[count++] = s;
    for (uint32_t i = 0; i < COUNT(dims); i++)
        for (uint32_t s = 0; s < count; s++)
            out[i * count + s] =
                (interp_symbol){name[used[s]], dims[(step[used[s]] * i + from[used[s]]) % COUNT(dims)]};
    return count;
}

enum { SMALL_DIMS = 10 }; // of dims, those that the programs of constant sizes run with where time counts

static void check(uint32_t program, const char *target, const char *runner, bool all, compiled_tally *t) {
    arena *mem = arena_new();
    interp_symbol symbol[3 * COUNT(dims)];
    const char *params = with_types(mem, programs[program].params);
    source src = {.name = programs[program].name};
    src.bytes =
        arena_format(mem,
                     "@I.ir_module\nclass Module:\n    @R.function\n    def main(%s):\n"
                     "        with R.dataflow():\n            y = %s\n            R.output(y)\n        return y\n",
                     params, programs[program].value);
    src.size = strlen(src.bytes);
    compiled_check c = {.target = target, .runner = runner, .mem = mem, .report = TEXT_IN(mem), .symbol = symbol};
    c.symbols = sizes_of(mem, params, symbol);
    c.draws = !c.symbols ? 1 : all || c.symbols > 1 ? COUNT(dims) : SMALL_DIMS;
    c.all_threads = !runner;
    bool ok = compiled_equals_interpreted(&c, &src);
    if (!ok || c.ran != c.draws) printf("%s: %s: %u runs: %s\n", target, src.name, c.ran, text_get(&c.report));
    t->ran += c.ran;
    t->failed += !ok || c.ran != c.draws;
    arena_free(mem);
}

void rules_on(const char *target, const char *runner, bool all, compiled_tally *t) {
    for (uint32_t i = 0; i < COUNT(programs); i++) check(i, target, runner, all, t);
}

bool target_runs(const char *target, const char *runner) {
    char why[256];
    arena *mem = arena_new();
    const arch *host = arch_parse(mem, "cpu:host", why), *wanted = arch_parse(mem, target, why);
    bool runs = runner || (wanted->required & ~host->required) == 0;
    if (!runs) print_message("skipped: this machine can't run %s\n", target);
    arena_free(mem);
    return runs;
}
