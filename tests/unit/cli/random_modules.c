// random_modules.c - draws modules from a table of forms, each a call whose operands are values of given shapes.
#include "random_modules.h"
#include "compiled.h"
#include "test.h"
#include <stdlib.h>
#include <string.h>

enum { SHAPES = 9, MOST_VALUES = 128 };
static const char *const shapes[SHAPES] = {
    "(\"n\", 8), \"float32\"", "(\"n\", 24), \"float32\"", "(\"n\", 1), \"float32\"",
    "(8,), \"float32\"",       "(\"m\", 8), \"float32\"",  "(\"n\", \"m\"), \"float32\"",
    "(\"n\", 8), \"float16\"", "(\"n\", 8), \"int32\"",    "(\"n\", 2, 8), \"float32\"",
};

// "#3" is a value of shape 3. Values stay within a few units, so that rounding doesn't grow.
static const struct {
    uint32_t shape;
    const char *text;
} forms[] = {
    {0, "R.tanh(#0)"},
    {0, "R.exp(R.negative(R.abs(#0)))"},
    {0, "R.clip(R.add(#0, #0), -2, 2)"},
    {0, "R.multiply(R.sigmoid(#0), #2)"},
    {0, "R.add(R.sin(#0), #3)"},
    {0, "R.maximum(#0, R.minimum(#0, #0))"},
    {0, "R.nn.softmax(#0)"},
    {0, "R.nn.layer_norm(#0, g, h, axes=[-1])"},
    {0, "R.nn.rms_norm(#0, #3, axes=[-1])"},
    {0, "R.nn.silu(#0)"},
    {0, "R.nn.gelu(#0)"},
    {0, "R.flip(#0, axis=0)"},
    {0, "R.where(c, #0, #0)"},
    {0, "R.tanh(R.cumsum(#0, axis=1))"},
    {0, "R.strided_slice(#1, axes=[1], begin=[5], end=[13])"},
    {0, "R.tanh(R.matmul(#1, R.permute_dims(w)))"},
    {0, "R.tanh(R.matmul(#5, #4))"},
    {0, "R.divide(#0, R.add(R.abs(#0), R.const(1.0, \"float32\")))"},
    {0, "R.reshape(R.reshape(#0, R.shape([n * 8])), R.shape([n, 8]))"},
    {1, "R.concat((#0, #0, #0), axis=1)"},
    {1, "R.tanh(R.matmul(#0, w))"},
    {1, "R.nn.relu(R.add(R.matmul(R.tanh(#0), w), #2))"},
    {1, "R.log(R.add(R.abs(#1), R.const(1.0, \"float32\")))"},
    {1, "R.subtract(R.tanh(#1), #2)"},
    {2, "R.tanh(R.sum(#0, axis=1, keepdims=True))"},
    {2, "R.tanh(R.max(#1, axis=1, keepdims=True))"},
    {2, "R.mean(R.tanh(#1), axis=1, keepdims=True)"},
    {2, "R.sqrt(R.abs(#2))"},
    {3, "R.tanh(R.sum(#0, axis=0))"},
    {3, "R.tanh(R.sum(R.multiply(#4, #4), axis=0))"},
    {3, "R.cos(#3)"},
    {4, "R.tanh(R.matmul(R.permute_dims(#5), #0))"},
    {4, "R.nn.leakyrelu(#4)"},
    {4, "R.clip(R.multiply(#4, #3), -3, 3)"},
    {5, "R.nn.softmax(R.matmul(#0, R.permute_dims(#4)))"},
    {5, "R.tanh(R.add(#5, #2))"},
    {5, "R.erf(#5)"},
    {5, "R.permute_dims(R.permute_dims(#5))"},
    {2, "R.tanh(R.min(#0, axis=1, keepdims=True))"},
    {2, "R.tanh(R.variance(#0, axis=1, keepdims=True))"},
    {2, "R.prod(R.tanh(#0), axis=1, keepdims=True)"},
    {0, "R.nn.log_softmax(#0)"},
    {0, "R.gather_elements(#0, R.astype(R.bitwise_and(#7, R.const(7, \"int32\")), \"int64\"), axis=1)"},
    {1, "R.reshape(R.broadcast_to(R.reshape(#0, R.shape([n, 1, 8])), R.shape([n, 3, 8])), R.shape([n, 24]))"},
    // Halves: rounded after every operation, wherever it is computed. They stay halves: one step of theirs is many of
    // floats.
    {6, "R.astype(R.tanh(#0), \"float16\")"},
    {6, "R.multiply(R.tanh(#6), #6)"},
    {6, "R.clip(R.add(#6, #6), -4, 4)"},
    {6, "R.nn.relu(R.subtract(#6, #6))"},
    // Integers wrap; floats are never made into them here, where a difference of rounding would be a difference of one.
    {7, "R.add(#7, R.multiply(#7, #7))"},
    {7, "R.floor_divide(#7, R.const(3, \"int32\"))"},
    {7, "R.maximum(#7, R.bitwise_and(#7, R.const(255, \"int32\")))"},
    {7, "R.where(R.greater(#7, R.const(2, \"int32\")), #7, R.negative(#7))"},
    {7, "R.cumsum(R.clip(#7, -9, 9), axis=1)"},
    {0, "R.multiply(R.astype(R.clip(#7, -9, 9), \"float32\"), #2)"},
    {2, "R.tanh(R.astype(R.sum(R.clip(#7, -9, 9), axis=1, keepdims=True), \"float32\"))"},
    {0, "R.dequantize(R.astype(R.clip(#7, -9, 9), \"int8\"), R.const(0.125, \"float32\"), R.const(1, \"int8\"))"},
    // Three dims.
    {8, "R.reshape(R.concat((#0, #0), axis=1), R.shape([n, 2, 8]))"},
    {8, "R.tanh(R.add(#8, #3))"},
    {8, "R.nn.softmax(#8, axis=1)"},
    {8, "R.permute_dims(R.permute_dims(#8, [1, 0, 2]), [1, 0, 2])"},
    {0, "R.tanh(R.sum(#8, axis=1))"},
    {0, "R.max(#8, axis=1)"},
    {0, "R.squeeze(R.split(#8, 2, axis=1)[1], axis=[1])"},
};

typedef struct drawing {
    text t;
    uint64_t state;
    uint32_t values;
    uint8_t shape[MOST_VALUES]; // of v0, v1, …
} drawing;

static uint32_t pick(drawing *d, uint32_t below) {
    d->state = d->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(d->state >> 33) % below;
}

// Recent ones most of the time. There is always one: the parameters are of all shapes.
static uint32_t value_of(drawing *d, uint32_t shape) {
    uint32_t found[MOST_VALUES], count = 0;
    for (uint32_t i = 0; i < d->values; i++)
        if (d->shape[i] == shape) found[count++] = i;
    uint32_t reach = pick(d, 3) && count > 3 ? 3 : count;
    return found[count - 1 - pick(d, reach)];
}

static void put_step(drawing *d) {
    uint32_t form = pick(d, COUNT(forms));
    text_format(&d->t, "            v%u = ", d->values);
    for (const char *at = forms[form].text; *at; at++) {
        if (*at == '#')
            text_format(&d->t, "v%u", value_of(d, (uint32_t)(*++at - '0')));
        else
            text_put_char(&d->t, *at);
    }
    text_put(&d->t, "\n");
    d->shape[d->values++] = (uint8_t)forms[form].shape;
}

static const char *draw_module(arena *mem, uint64_t seed) {
    drawing d = {.t = TEXT_IN(mem), .state = seed * 7919 + 17};
    text_put(&d.t, "@I.ir_module\nclass Module:\n    @R.function\n    def main(");
    for (; d.values < SHAPES; d.values++) {
        text_format(&d.t, "v%u: R.Tensor(%s), ", d.values, shapes[d.values]);
        d.shape[d.values] = (uint8_t)d.values;
    }
    text_put(&d.t, "w: R.Tensor((8, 24), \"float32\"), g: R.Tensor((8,), \"float32\"), h: R.Tensor((8,), \"float32\"), "
                   "c: R.Tensor((\"n\", 8), \"bool\")):\n        n = T.int64()\n        m = T.int64()\n"
                   "        with R.dataflow():\n");
    uint32_t steps = 4 + pick(&d, 20);
    for (uint32_t i = 0; i < steps; i++) put_step(&d);
    uint32_t last = d.values - 1, other = SHAPES + pick(&d, steps), third = SHAPES + pick(&d, steps);
    text_format(&d.t, "            R.output(v%u", last);
    if (other != last) text_format(&d.t, ", v%u", other);
    if (third != last && third != other) text_format(&d.t, ", v%u", third);
    text_format(&d.t, ")\n        return (v%u, v%u, v%u)\n", last, other, third);
    return text_get(&d.t);
}

static uint32_t check(uint64_t seed) {
    static const char *const targets[] = {"cpu:host", "cpu:x86-64-v3", "cpu:x86-64-v2"};
    arena *mem = arena_new();
    source src = {.name = "random", .bytes = draw_module(mem, seed)};
    src.size = strlen(src.bytes);
    compiled_check c = {.target = targets[seed % COUNT(targets)], .draws = 4, .mem = mem, .report = TEXT_IN(mem)};
    bool ok = compiled_equals_interpreted(&c, &src);
    if (!ok) print_message("%s\n", src.bytes);
    if (!ok) fail_msg("seed %llu, %s: %s", (unsigned long long)seed, c.target, text_get(&c.report));
    uint32_t ran = c.ran;
    arena_free(mem);
    return ran;
}

void random_modules_check(uint64_t seed, uint32_t count) {
    const char *wish = getenv("RANDOM_MODULES");
    uint32_t ran = 0;
    if (wish) count = (uint32_t)strtoul(wish, NULL, 10);
    for (uint32_t i = 0; i < count; i++) ran += check(seed + i);
    print_message("%u modules, %u runs compared\n", count, ran);
    assert_true(ran >= 2 * count);
}
