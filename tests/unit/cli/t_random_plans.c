// t_random_plans.c - random functions, whose values are used again after others were written over them or beside them,
// compute what the interpreter computes: with the plan in the way (in place, one block) and with launches recorded.
#define _GNU_SOURCE
#include "compiled.h"
#include "test.h"
#include <stdlib.h>
#include <string.h>

typedef struct random_text {
    text t;
    uint64_t state;
    uint32_t values; // v0 … are of shape (n, 8)
} random_text;

static uint32_t pick(random_text *r, uint32_t below) {
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(r->state >> 33) % below;
}

// Recent values most of the time: others live long.
static uint32_t old_value(random_text *r) {
    uint32_t reach = pick(r, 3) ? 3 : r->values;
    return r->values - 1 - pick(r, reach < r->values ? reach : r->values);
}

static void put_step(random_text *r, const char *indent) {
    static const char *const one[] = {"R.exp(R.negative(R.abs(v%u)))",
                                      "R.nn.softmax(v%u)",
                                      "R.nn.relu(v%u)",
                                      "R.flip(v%u, 1)",
                                      "R.tanh(v%u)",
                                      "R.reshape(R.permute_dims(v%u, [1, 0]), R.shape([n, 8]))",
                                      "R.permute_dims(R.reshape(v%u, R.shape([8, n])), [1, 0])",
                                      "R.nn.rms_norm(v%u, g)",
                                      "R.matmul(v%u, R.permute_dims(w))",
                                      "R.multiply(v%u, R.exp(g))",
                                      "R.reshape(R.reshape(v%u, R.shape([n * 8])), R.shape([n, 8]))"};
    static const char *const two[] = {"R.add(v%u, v%u)", "R.multiply(v%u, R.tanh(v%u))", "R.maximum(v%u, v%u)",
                                      "R.subtract(R.reshape(v%u, R.shape([n, 8])), v%u)"};
    uint32_t choice = pick(r, COUNT(one) + COUNT(two) + 3), a = old_value(r), b = old_value(r);
    text_format(&r->t, "%sv%u = ", indent, r->values);
    if (choice < COUNT(one)) {
        const char *at = strstr(one[choice], "%u");
        text_format(&r->t, "%.*s%u%s", (int)(at - one[choice]), one[choice], a, at + 2);
    } else if (choice < COUNT(one) + COUNT(two)) {
        const char *form = two[choice - COUNT(one)], *at = strstr(form, "%u"), *then = strstr(at + 2, "%u");
        text_format(&r->t, "%.*s%u%.*s%u%s", (int)(at - form), form, a, (int)(then - at - 2), at + 2, b, then + 2);
    } else {
        text_format(&r->t, "R.matmul(v%u, w)", a);
    }
    text_put(&r->t, "\n");
    r->values++;
}

static const char *random_module(arena *mem, uint64_t seed) {
    random_text r = {.t = TEXT_IN(mem), .state = seed * 7919 + 3, .values = 1};
    text_put(&r.t, "@I.ir_module\nclass Module:\n    @R.function\n"
                   "    def main(v0: R.Tensor((\"n\", 8), \"float32\"), w: R.Tensor((8, 8), \"float32\"), "
                   "g: R.Tensor((8,), \"float32\"), p: R.Tensor((), \"bool\")):\n"
                   "        n = T.int64()\n        R.func_attr({\"num_input\": 1})\n");
    uint32_t steps = 6 + pick(&r, 14);
    for (uint32_t i = 0; i < steps; i++) put_step(&r, "        ");
    if (pick(&r, 2)) {
        uint32_t a = old_value(&r), b = old_value(&r);
        text_format(&r.t,
                    "        if p:\n            a = R.nn.relu(v%u)\n            v%u = R.add(a, v%u)\n        else:\n"
                    "            b = R.nn.softmax(v%u)\n            v%u = R.multiply(b, b)\n",
                    a, r.values, b, b, r.values);
        r.values++;
        for (uint32_t i = 0; i < 4; i++) put_step(&r, "        ");
    }
    uint32_t kept = old_value(&r);
    text_format(&r.t, "        out = (v%u, v%u, v%u)\n        return out\n", r.values - 1, kept, old_value(&r));
    return text_get(&r.t);
}

static uint32_t check(uint64_t seed, const char *pipeline, driver_bound bound) {
    arena *mem = arena_new();
    source src = {.name = "random", .bytes = random_module(mem, seed)};
    src.size = strlen(src.bytes);
    compiled_check c = {
        .draws = 3, .rounds = 2, .pipeline = pipeline, .bound = bound, .mem = mem, .report = TEXT_IN(mem)};
    bool ok = compiled_equals_interpreted(&c, &src);
    if (!ok) fail_msg("seed %llu, %s\n%s\n%s", (unsigned long long)seed, pipeline, src.bytes, text_get(&c.report));
    uint32_t ran = c.ran;
    arena_free(mem);
    return ran;
}

static void run_seeds(const char *pipeline, driver_bound bound) {
    const char *wish = getenv("RANDOM_PLANS"); // how many; a few by default: each is compiled
    uint32_t count = wish ? (uint32_t)strtoul(wish, NULL, 10) : 8, ran = 0;
    for (uint64_t seed = 0; seed < count; seed++) ran += check(seed, pipeline, bound);
    print_message("%u runs compared\n", ran);
    assert_true(ran >= 2 * count);
}

static void planned(void **state) {
    (void)state;
    run_seeds("default", (driver_bound){0});
}
static void recorded(void **state) {
    (void)state;
    run_seeds("capture", (driver_bound){0});
}
static void recorded_with_bounds(void **state) {
    (void)state;
    run_seeds("capture", (driver_bound){"n", 0, 4096});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(planned), cmocka_unit_test(recorded),
                                       cmocka_unit_test(recorded_with_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
