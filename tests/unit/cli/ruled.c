// ruled.c - programs that the schedule rules are made for.
#define _GNU_SOURCE
#include "ruled.h"
#include "cached.h"
#include "ops/packed.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t dims[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 257};

// What it is, its parameters, the value, before which others may be named ("a = ...; b = ...; R.add(a, b)"); sizes are
// n, m, k where they are named.
typedef struct program {
    const char *name, *params, *value;
} program;

// Keys and values in pages, and which of them each sequence has.
#define PAGES_OF(dims, type) "k: R.Tensor((" dims "), \"" type "\"), v: R.Tensor((" dims "), \"" type "\"), g: R.Tensor"

static const program programs[] = {
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
    {"products of rows", "x: R.Tensor((\"n\", \"m\"))",
     "R.prod(R.add(R.multiply(x, R.const(0.125)), R.const(1.0)), axis=[1])"},
    {"products of rows of integers", "x: R.Tensor((\"n\", \"m\"))",
     "R.prod(R.add(R.multiply(R.astype(R.multiply(x, R.const(7.9)), \"int32\"), R.const(2, \"int32\")), "
     "R.const(1, \"int32\")), axis=[1])"},
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
    {"a sum of any length", "x: R.Tensor((\"n\",))", "R.mean(R.reshape(R.repeat(x, 701, axis=0), R.shape([n * 701])))"},
    {"a mean of any rows of any length", "x: R.Tensor((\"n\", \"m\", 33))", "R.mean(x)"},
    {"means of few rows of any length", "x: R.Tensor((3, \"n\", 100))", "R.mean(x, axis=[1, 2])"},
    {"extremes of columns of any length", "x: R.Tensor((\"n\", 33, 32))", "R.max(x, axis=[0, 1])"},
    {"a product of one row, of any length", "x: R.Tensor((1, \"n\", 64)), w: R.Tensor((\"n\", 64, 16))",
     "R.multiply(R.einsum((x, w), subscripts=\"abc,bcd->ad\"), R.const(0.01))"},
    {"the places of extremes in few long rows", "x: R.Tensor((3, 32768))", "R.argmax(x, axis=1)"},
    {"the place of an extreme, of any length", "x: R.Tensor((\"n\",))",
     "R.argmin(R.reshape(R.repeat(x, 701, axis=0), R.shape([n * 701])), axis=0)"},
    {"a variance of any length", "x: R.Tensor((\"n\",))",
     "R.multiply(R.variance(R.reshape(R.repeat(x, 701, axis=0), R.shape([n * 701]))), R.const(0.01))"},
    {"a mean of a length without divisors", "x: R.Tensor((65537,))", "R.mean(x)"},
    {"softmax of one long row", "x: R.Tensor((1, 65600))", "R.multiply(R.nn.softmax(x), R.const(65536.0))"},
    {"norm of long rows", "x: R.Tensor((\"n\", 65537)), w: R.Tensor((65537,))",
     "R.nn.rms_norm(R.strided_slice(x, axes=[0], begin=[0], end=[2]), w, axes=[1])"},
    {"a chain of one row", "x: R.Tensor((1, \"n\"))", "R.nn.gelu(R.add(x, x))"},
    {"softmax of everything", "x: R.Tensor((\"n\",))", "R.nn.softmax(x)"},
    {"softmax of planes", "x: R.Tensor((2, \"n\", 3, \"m\"))", "R.nn.softmax(x, axis=1)"},
    {"norms of groups", "x: R.Tensor((\"n\", 12, \"m\")), w: R.Tensor((12,)), b: R.Tensor((12,))",
     "R.nn.group_norm(x, w, b, num_groups=3, channel_axis=1, axes=[2])"},
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
    {"elements that are picked, by checked indices", "x: R.Tensor((\"m\", 33)), i: R.Tensor((\"n\",), \"int32\")",
     "R.take(x, R.floor_mod(R.repeat(i, 17, axis=0), R.const(33, \"int32\")), axis=1)"},
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
    {"attention with a bias",
     "q: R.Tensor((1, 2, \"n\", 16)), k: R.Tensor((1, 2, \"m\", 16)), v: R.Tensor((1, 2, \"m\", 24)), "
     "b: R.Tensor((1, 1, \"n\", \"m\"))",
     "R.rx.dense_attention(q, k, v, b, scale=0.25)"},
    {"attention with hidden scores",
     "q: R.Tensor((1, 2, \"n\", 16)), k: R.Tensor((1, 2, \"m\", 16)), v: R.Tensor((1, 2, \"m\", 24)), "
     "b: R.Tensor((1, 1, \"n\", \"m\"))",
     "R.rx.dense_attention(q, k, v, R.where(R.greater(b, R.const(0.5)), b, R.const(-10000.0)), scale=0.25, "
     "hidden=-10000.0)"},
    {"attention of halves, keys shared",
     "q: R.Tensor((2, 4, \"n\", 32), \"float16\"), k: R.Tensor((2, 2, \"m\", 32), \"float16\"), "
     "v: R.Tensor((2, 2, \"m\", 40), \"float16\")",
     "R.rx.dense_attention(q, k, v, scale=0.125)"},
    {"attention over pages, a prompt that goes on",
     "q: R.Tensor((\"n\", 4, 32)), z: R.Tensor((\"m\",)), " PAGES_OF("24, 16, 2, 32", "float32") "((1, 24), \"int32\")",
     "p = R.arange(m - 1, m - 1 + n, 1); R.rx.attention(q, k, v, p, R.arange(0, n * 2, n), g, scale=0.125)"},
    {"attention over pages of halves, a step each",
     "q: R.Tensor((\"n\", 3, 64)), z: R.Tensor((\"m\",)), " PAGES_OF("24, 16, 1, 64",
                                                                     "float16") "((\"n\", 24), \"int32\")",
     "p = R.arange(m - 1, m - 1 + n, 1); R.rx.attention(q, k, v, p, R.arange(0, n + 1, 1), g, scale=0.125)"},
    {"attention over pages, prompts of five with a window",
     "q: R.Tensor((\"n\", 3, 16)), z: R.Tensor((\"m\",)), " PAGES_OF("48, 8, 1, 16",
                                                                     "float16") "((\"n\", 48), \"int32\")",
     "p = R.arange(m - 1, m - 1 + n, 1); s = R.concat((R.arange(0, n, 5), R.arange(n, n + 1, 1))); "
     "R.rx.attention(q, k, v, p, s, g, scale=0.25, window=31, soft_cap=5.0)"},
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

// The body of a module's function, with the sizes that its parameters name.
static const char *module_text(arena *mem, const program *p, const char *params) {
    static const char *const size[] = {"n", "m", "k"};
    text t = TEXT_IN(mem);
    text_format(&t, "@I.ir_module\nclass Module:\n    @R.function\n    def main(%s):\n", params);
    for (uint32_t i = 0; i < COUNT(size); i++)
        if (strstr(params, arena_format(mem, "\"%s\"", size[i]))) text_format(&t, "        %s = T.int64()\n", size[i]);
    text_put(&t, "        with R.dataflow():\n");
    const char *line = p->value;
    for (const char *end; (end = strstr(line, "; ")); line = end + 2)
        text_format(&t, "            %.*s\n", (int)(end - line), line);
    text_format(&t, "            y = %s\n            R.output(y)\n        return y\n", line);
    return text_get(&t);
}

enum { SMALL_DIMS = 10 }; // of dims, those that slow programs run with where time counts

// RELAX_RULES: a part of the names of the programs to run, several by commas; without it all run.
static bool wanted(const char *name) {
    const char *parts = getenv("RELAX_RULES");
    for (const char *p = parts, *end; p && *p; p = *end ? end + 1 : end) {
        end = p + strcspn(p, ",");
        if (memmem(name, strlen(name), p, (size_t)(end - p))) return true;
    }
    return !parts;
}

// Programs with long sums and few results, which threads share, or that chunks are tried on: their names say so.
static bool cuts_sums(const char *name) {
    static const char *const word[] = {"long", "length", "everything"};
    bool found = false;
    for (size_t i = 0; i < COUNT(word); i++) found |= strstr(name, word[i]) != NULL;
    return found;
}

static void check_text(const char *name, const char *bytes, const char *params, const char *target, const char *runner,
                       bool all, compiled_tally *t) {
    if (!wanted(name)) return;
    arena *mem = arena_new();
    interp_symbol symbol[3 * COUNT(dims)];
    const source src = {.name = name, .bytes = bytes, .size = strlen(bytes)};
    compiled_check c = {.target = target, .runner = runner, .mem = mem, .report = TEXT_IN(mem), .symbol = symbol};
    c.symbols = sizes_of(mem, params, symbol);
    bool slow = c.symbols == 1 || strstr(bytes, "rx.attention("); // the interpreter is
    c.draws = !c.symbols ? 1 : all || !slow ? COUNT(dims) : SMALL_DIMS;
    c.all_threads = !runner || cuts_sums(name);
    bool ok = compiled_equals_interpreted(&c, &src);
    if (!ok || c.ran != c.draws) printf("%s: %s: %u runs: %s\n", target, src.name, c.ran, text_get(&c.report));
    t->ran += c.ran;
    t->failed += !ok || c.ran != c.draws;
    arena_free(mem);
}

static void check(const program *p, const char *target, const char *runner, bool all, compiled_tally *t) {
    arena *mem = arena_new();
    const char *params = with_types(mem, p->params);
    check_text(p->name, module_text(mem, p, params), params, target, runner, all, t);
    arena_free(mem);
}

// --- Attention over a cache that it writes into.

static void cached_on(const char *target, const char *runner, bool all, compiled_tally *t) {
    static const char *const name[] = {"a cache of floats", "a cache of halves"};
    arena *mem = arena_new();
    for (uint32_t half = 0; half < COUNT(name); half++)
        check_text(name[half], cached_attention_text(mem, half, half), "\"n\" \"m\"", target, runner, all, t);
    arena_free(mem);
}

// --- Products with quantised weights, of two blocks of 256 elements or as many smaller ones.

enum { QUANTISED = 512 };

// Rows of random bytes, drawn as small integers that are put together. No scale is infinite or above 2: bit 14 of a
// float16 is 0, and a power of two is at most 1.
static const char *random_blocks(arena *mem, const block_format *f) {
    const char *bytes =
        "R.add(b, R.add(R.multiply(b1, R.const(8, \"uint8\")), R.multiply(b2, R.const(64, \"uint8\"))))";
    bool power = strcmp(f->name, "mxfp4") == 0;
    bytes = arena_format(mem, "w = R.bitwise_and(%s, R.const(%d, \"uint8\"))", bytes, power ? 127 : 191);
    return power ? arena_format(mem, "%s; w = R.bitwise_or(w, R.const(112, \"uint8\"))", bytes) : bytes;
}

static const char *packed_product(arena *mem, const block_format *f, int columns) {
    const packing p = packing_of(f);
    return arena_format(mem,
                        "a = R.rx.quantize_int8(x, unit=%u, low=%d, turns=%u); "
                        "q = R.rx.pack_quants(w, format=\"%s\"); s = R.rx.pack_scales(w, format=\"%s\"); "
                        "z = R.rx.packed_matmul(a[0], a[1], a[2], q, s, columns=%d, format=\"%s\")",
                        p.unit, f->low, p.turns, f->name, f->name, columns, f->name);
}

static const char *plain_product(arena *mem, const block_format *f) {
    const char *call = "z = R.einsum((x, R.rx.dequantize(w, format=\"%s\")), subscripts=\"ay,zy->az\")";
    return arena_format(mem, call, f->name);
}

// Activations that are rounded without an error, of 32 neighbours and of their sums: code that fuses a product with a
// sum rounds a tie to the other side. The largest is 127 steps everywhere, a step is 1 or 0.5.
static const char whole_activations[] =
    "x = R.nn.pad(R.round(R.multiply(x, R.const(127.0))), (0, 0, 0, 0, 0, 0, 0, 1), pad_value=127.0); "
    "x = R.multiply(x, R.where(R.greater(c, R.const(0.0)), R.const(1.0), R.const(0.5))); "
    "x = R.nn.pad(x, (0, 0, 0, 0, 0, 1, 0, 0), pad_value=127.0); x = R.reshape(x, R.shape([n, 512]))";

// The result is made smaller: sums in another order differ by a part of their terms.
static void check_format(const block_format *f, bool integers, int columns, const char *target, const char *runner,
                         bool all, compiled_tally *t) {
    arena *mem = arena_new();
    int bytes = (int)(QUANTISED / f->elements * f->bytes);
    const char *w = arena_format(mem, "R.Tensor((%d, %d), \"uint8\")", columns, bytes);
    program p = {.name = arena_format(mem, "%s, %s, %d columns", f->name, integers ? "integers" : "floats", columns)};
    p.params = arena_format(mem, "x: R.Tensor((\"n\", 2, 7, 31)), c: R.Tensor((\"n\", 2, 7, 1)), b: %s, b1: %s, b2: %s",
                            w, w, w);
    p.value = arena_format(mem, "%s; %s; %s; R.multiply(z, R.const(0.00001))", whole_activations, random_blocks(mem, f),
                           integers ? packed_product(mem, f, columns) : plain_product(mem, f));
    check(&p, target, runner, all, t);
    arena_free(mem);
}

// Of few formats where time counts: a scale of 32, offsets, scales of 16 that are whole numbers, a codebook.
static void formats_on(const char *target, const char *runner, bool all, compiled_tally *t) {
    static const char *const some[] = {"q4_0", "q4_1", "q6_k", "iq2_xs"};
    uint32_t count;
    const block_format *f = format_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        bool chosen = false;
        for (uint32_t k = 0; k < COUNT(some); k++) chosen |= strcmp(f[i].name, some[k]) == 0;
        if (!format_packs(&f[i]) || !(all || chosen)) continue;
        check_format(&f[i], true, 33, target, runner, all, t);
        if (all) check_format(&f[i], false, 33, target, runner, all, t);
        if (all && chosen) check_format(&f[i], true, 272, target, runner, all, t);
    }
}

// --- Experts: three of each token, of five whose matrices lie under each other; which ones depends on the token.

static void check_experts(const block_format *f, bool each, const char *target, const char *runner, bool all,
                          compiled_tally *t) {
    enum { EXPERTS = 5, COLUMNS = 16 };
    arena *mem = arena_new();
    int bytes = (int)(QUANTISED / f->elements * f->bytes), rows = EXPERTS * COLUMNS;
    const char *w = arena_format(mem, "R.Tensor((%d, %d), \"uint8\")", rows, bytes);
    const packing k = packing_of(f);
    program p = {.name = arena_format(mem, "%s, %s experts", f->name, each ? "a row for each of" : "rows for")};
    const char *params = "x: R.Tensor((\"n\", 2, 7, 31)), c: R.Tensor((\"n\", 2, 7, 1)), e: R.Tensor((\"n\", 3)), "
                         "b: %s, b1: %s, b2: %s";
    p.params = arena_format(mem, params, w, w, w);
    p.value = arena_format(mem,
                           "%s; %s%s; a = R.rx.quantize_int8(x, unit=%u, low=%d, turns=%u); "
                           "q = R.rx.pack_quants(w, format=\"%s\"); s = R.rx.pack_scales(w, format=\"%s\"); "
                           "e = R.astype(R.multiply(e, R.const(2.9)), \"int32\"); "
                           "z = R.rx.packed_grouped_matmul(a[0], a[1], a[2], q, s, e, columns=%d, format=\"%s\"); "
                           "R.multiply(z, R.const(0.00001))",
                           whole_activations, random_blocks(mem, f),
                           each ? "; x = R.broadcast_to(R.reshape(x, R.shape([n, 1, 512])), R.shape([n, 3, 512]))" : "",
                           k.unit, f->low, k.turns, f->name, f->name, COLUMNS, f->name);
    check(&p, target, runner, all, t);
    arena_free(mem);
}

static void experts_on(const char *target, const char *runner, bool all, compiled_tally *t) {
    static const char *const some[] = {"q4_0", "q4_k", "iq3_xxs"};
    for (size_t i = 0; i < COUNT(some); i++)
        for (int each = 0; each < 2; each++)
            if (all || each == (int)i % 2) check_experts(format_find(some[i]), each, target, runner, all, t);
}

void rules_on(const char *target, const char *runner, bool all, compiled_tally *t) {
    for (uint32_t i = 0; i < COUNT(programs); i++) check(&programs[i], target, runner, all, t);
    cached_on(target, runner, all, t);
    formats_on(target, runner, all, t);
    experts_on(target, runner, all, t);
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
