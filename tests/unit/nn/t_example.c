// t_example.c - the decoder of docs/models.md, run by the interpreter: a prompt at once, token by token, and two
// prompts in one batch give the same logits; a token's logits depend on what stands before it.
#include "example.h"
#include "graph/verify.h"
#include "interp/interp.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAGES = 6, MOST_PAGES = 3, MOST_ARGS = 64, FIRST_CACHE = 6 };

typedef struct machine {
    module *m;
    diag *d;
    value arg[MOST_ARGS];
    uint32_t params;
} machine;

static value ints(const int32_t *data, uint32_t rank, const int64_t *dim) {
    value v = {.kind = VALUE_TENSOR};
    assert_int_equal(tensor_new(DTYPE_OF(I32), rank, dim, &v.as.tensor), RX_OK);
    if (v.as.tensor->bytes) memcpy(v.as.tensor->data, data, v.as.tensor->bytes);
    return v;
}

static value floats(const ann *type, uint64_t seed, const int64_t *first) {
    int64_t dim[TENSOR_MAX_RANK];
    value v = {.kind = VALUE_TENSOR};
    for (int32_t i = 0; i < type->rank; i++)
        if (!expr_const_int(type->dim[i], &dim[i])) dim[i] = *first;
    assert_int_equal(tensor_new(DTYPE_OF(F32), (uint32_t)type->rank, dim, &v.as.tensor), RX_OK);
    if (seed) tensor_fill_random(v.as.tensor, seed);
    return v;
}

// Weights are random, the cache is empty.
static machine open_machine(void) {
    const int64_t pages = PAGES;
    machine x = {.m = module_new()};
    x.d = diag_new(x.m->mem);
    assert_true(example_decoder(x.m, (nn_source){0}, x.d));
    assert_true(module_verify(x.m, x.d));
    const graph_func *f = module_find(x.m, "forward")->graph;
    x.params = f->params;
    assert_true(x.params <= MOST_ARGS);
    for (uint32_t i = FIRST_CACHE; i < f->params; i++)
        x.arg[i] = floats(f->param[i]->type, i < FIRST_CACHE + 2 * EXAMPLE_LAYERS ? 0 : i, &pages);
    return x;
}

static void close_machine(machine *x) {
    for (uint32_t i = FIRST_CACHE; i < x->params; i++) interp_release(&x->arg[i]);
    module_free(x->m);
}

// One step: `count` tokens of each of `sequences` sequences, from place `from` on. Logits of all tokens, malloc'd.
static float *step(machine *x, const int32_t *token, int32_t sequences, int32_t count, int32_t from) {
    int32_t positions[64], starts[8], table[8 * MOST_PAGES], slots[64], rows[64];
    for (int32_t s = 0; s < sequences; s++) {
        starts[s] = s * count;
        // Pages of a sequence do not lie one after another.
        for (int32_t p = 0; p < MOST_PAGES; p++) table[s * MOST_PAGES + p] = PAGES - 1 - p * sequences - s;
        for (int32_t i = 0; i < count; i++) {
            int32_t at = s * count + i;
            rows[at] = at;
            positions[at] = from + i;
            slots[at] = table[s * MOST_PAGES + (from + i) / EXAMPLE_PAGE] * EXAMPLE_PAGE + (from + i) % EXAMPLE_PAGE;
        }
    }
    starts[sequences] = sequences * count;
    const int64_t t = sequences * count, ends = sequences + 1, pages[] = {sequences, MOST_PAGES};
    x->arg[0] = ints(token, 1, &t);
    x->arg[1] = ints(positions, 1, &t);
    x->arg[2] = ints(starts, 1, &ends);
    x->arg[3] = ints(table, 2, pages);
    x->arg[4] = ints(slots, 1, &t);
    x->arg[5] = ints(rows, 1, &t);
    value result;
    const interp_options options = {.allow_uninitialised = true};
    bool ok = interp_run(x->m, "forward", x->arg, x->params, &options, x->m->mem, &result, x->d);
    text said = TEXT_IN(x->m->mem);
    diag_print(x->d, &said, false);
    if (!ok) fail_msg("%s", text_get(&said));
    for (uint32_t i = 0; i < FIRST_CACHE; i++) interp_release(&x->arg[i]);
    for (uint32_t i = 0; i < 2 * EXAMPLE_LAYERS; i++) {
        interp_release(&x->arg[FIRST_CACHE + i]);
        x->arg[FIRST_CACHE + i] = result.as.tuple.item[1 + i];
    }
    const tensor *logits = result.as.tuple.item[0].as.tensor;
    assert_int_equal(logits->dim[0], t);
    assert_int_equal(logits->dim[1], EXAMPLE_VOCAB);
    float *copy = malloc(logits->bytes + 1);
    assert_non_null(copy);
    memcpy(copy, logits->data, logits->bytes);
    interp_release(&result.as.tuple.item[0]);
    return copy;
}

static double apart(const float *a, const float *b, int rows) {
    double worst = 0;
    for (int i = 0; i < rows * EXAMPLE_VOCAB; i++) worst = fmax(worst, fabs((double)a[i] - (double)b[i]));
    return worst;
}

static const int32_t prompt[] = {3, 1, 4, 1, 5, 9, 2};
enum { COUNT_OF_PROMPT = COUNT(prompt) };

static void at_once_or_one_by_one(void **state) {
    machine x = open_machine(), y = open_machine();
    float *all = step(&x, prompt, 1, COUNT_OF_PROMPT, 0);
    assert_true(apart(all, all + EXAMPLE_VOCAB, 1) > 1e-3);
    for (int32_t i = 0; i < COUNT_OF_PROMPT; i++) {
        float *one = step(&y, &prompt[i], 1, 1, i);
        assert_true(apart(one, all + i * EXAMPLE_VOCAB, 1) < 1e-5);
        free(one);
    }
    // Tokens 1 and 3 are the same word after different words.
    assert_true(apart(all + EXAMPLE_VOCAB, all + 3 * EXAMPLE_VOCAB, 1) > 1e-4);
    free(all);
    close_machine(&x);
    close_machine(&y);
    (void)state;
}

static void two_in_one_batch(void **state) {
    static const int32_t both[] = {3, 1, 4, 7, 7, 2};
    machine x = open_machine();
    float *mixed = step(&x, both, 2, 3, 0);
    for (int32_t s = 0; s < 2; s++) {
        machine y = open_machine();
        float *alone = step(&y, both + 3 * s, 1, 3, 0);
        assert_true(apart(alone, mixed + 3 * s * EXAMPLE_VOCAB, 3) < 1e-5);
        free(alone);
        close_machine(&y);
    }
    free(mixed);
    close_machine(&x);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_once_or_one_by_one), cmocka_unit_test(two_in_one_batch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
