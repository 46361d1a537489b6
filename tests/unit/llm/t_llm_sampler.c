// t_llm_sampler.c - choosing tokens: greedy, cut by each rule, penalised, drawn as often as their probability says.
#include "llm/sampler.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>

enum { TOKENS = 6, DRAWS = 20000 };
static const float logits[TOKENS] = {1.0f, 3.0f, 2.0f, 3.0f, -1.0f, 0.0f};

static sampler make(rx_llm_sampling how) {
    sampler s;
    char why[FILE_WHY] = "";
    how.struct_size = sizeof how;
    if (sampler_init(&s, &how, TOKENS, why) != RX_OK) fail_msg("%s", why);
    return s;
}

static void takes_the_most_likely(void **state) {
    (void)state;
    sampler s = make((rx_llm_sampling){0});
    assert_int_equal(sampler_next(&s, logits, NULL, 0), 1); // of two equal ones the first
    const float odd[TOKENS] = {NAN, -INFINITY, NAN, -2.0f, -INFINITY, -3.0f};
    assert_int_equal(sampler_next(&s, odd, NULL, 0), 3);
    sampler_free(&s);
    char why[FILE_WHY];
    assert_int_equal(sampler_init(&s, NULL, TOKENS, why), RX_OK);
    assert_int_equal(sampler_next(&s, logits, NULL, 0), 1);
    sampler_free(&s);
}

// How often each token is drawn.
static void count_draws(rx_llm_sampling how, uint32_t count[TOKENS]) {
    sampler s = make(how);
    for (int i = 0; i < TOKENS; i++) count[i] = 0;
    for (int i = 0; i < DRAWS; i++) count[sampler_next(&s, logits, NULL, 0)]++;
    sampler_free(&s);
}

// That all tokens but those in `among` are never drawn, and those in proportion to exp(logit / temperature).
static void want_draws(rx_llm_sampling how, const uint32_t *among, size_t size) {
    uint32_t count[TOKENS], seen = 0;
    double all = 0;
    count_draws(how, count);
    for (size_t i = 0; i < size; i++) all += exp(logits[among[i]] / how.temperature);
    for (size_t i = 0; i < size; i++) {
        double wanted = exp(logits[among[i]] / how.temperature) / all * (int)DRAWS;
        assert_true(fabs(count[among[i]] - wanted) < 5 * sqrt(wanted) + 5);
        seen += count[among[i]];
    }
    assert_int_equal(seen, DRAWS);
}

static void draws_by_probability(void **state) {
    (void)state;
    const uint32_t all[] = {0, 1, 2, 3, 4, 5}, three[] = {1, 2, 3}, two[] = {1, 3};
    want_draws((rx_llm_sampling){.temperature = 1}, all, 6);
    want_draws((rx_llm_sampling){.temperature = 3, .seed = 5}, all, 6);
    want_draws((rx_llm_sampling){.temperature = 1, .top_k = 3}, three, 3);
    want_draws((rx_llm_sampling){.temperature = 1, .top_k = 2}, two, 2);
    want_draws((rx_llm_sampling){.temperature = 1, .top_p = 0.5}, two, 2);
    want_draws((rx_llm_sampling){.temperature = 1, .top_p = 0.9}, three, 3);
    want_draws((rx_llm_sampling){.temperature = 2, .min_p = 0.3}, three, 3); // e^-1 is 0.37
    want_draws((rx_llm_sampling){.temperature = 1, .top_p = 0.01}, (const uint32_t[]){1}, 1);
}

// The first of the largest, wherever it is; what is no number is never chosen where there is one.
static void finds_the_largest(void **state) {
    (void)state;
    enum { COUNT_OF = 37 };
    float many[COUNT_OF];
    sampler s;
    char why[FILE_WHY];
    const rx_llm_sampling how = {.struct_size = sizeof how};
    assert_int_equal(sampler_init(&s, &how, COUNT_OF, why), RX_OK);
    for (uint32_t at = 0; at < COUNT_OF; at++) {
        for (uint32_t i = 0; i < COUNT_OF; i++) many[i] = i % 3 ? -1 - (float)i : NAN;
        many[at] = 2;
        many[COUNT_OF - 1] = 2;
        assert_int_equal(sampler_next(&s, many, NULL, 0), at);
    }
    for (uint32_t i = 0; i < COUNT_OF; i++) many[i] = i < 5 ? NAN : -INFINITY;
    assert_int_equal(sampler_next(&s, many, NULL, 0), 5);
    sampler_free(&s);
}

// Of a vocabulary that is not put in order as a whole: the best ones are the same, and draws are as likely.
static void draws_among_many(void **state) {
    (void)state;
    enum { MANY = 5000, BEST = 70, TIMES = 3000 };
    static float many[MANY];
    static rx_llm_choice all[MANY], best[BEST];
    static double before[MANY]; // what is more likely than a token, together
    char why[FILE_WHY];
    sampler s;
    uint32_t first = 0, half = 0;
    for (uint32_t i = 0; i < MANY; i++) many[i] = (float)(i * 2654435761u >> 12) * 1e-5f;
    many[MANY - 3] = NAN;
    sampler_top(many, MANY, all, MANY);
    sampler_top(many, MANY, best, BEST);
    for (uint32_t i = 0; i < BEST; i++) assert_int_equal(best[i].token, all[i].token);
    assert_int_equal(all[MANY - 1].token, MANY - 3);
    double sum = 0, top = all[0].logprob;
    for (uint32_t i = 0; i + 1 < MANY; sum += exp(all[i++].logprob - top)) before[all[i].token] = sum;
    for (uint32_t cut = 0; cut < 2; cut++) {
        const rx_llm_sampling how = {.struct_size = sizeof how, .temperature = 1, .top_p = cut ? 0.5 : 0};
        assert_int_equal(sampler_init(&s, &how, MANY, why), RX_OK);
        for (uint32_t i = 0; i < TIMES; i++) {
            uint32_t token = sampler_next(&s, many, NULL, 0);
            if (cut) assert_true(before[token] < 0.5001 * sum);
            first += !cut && before[token] < 0.05 * sum, half += !cut && before[token] < 0.5 * sum;
        }
        sampler_free(&s);
    }
    assert_true(abs((int)first - TIMES / 20) < 70 && abs((int)half - TIMES / 2) < 170);
}

static void repeats_by_seed(void **state) {
    (void)state;
    sampler a = make((rx_llm_sampling){.temperature = 2, .seed = 7});
    sampler b = make((rx_llm_sampling){.temperature = 2, .seed = 7});
    sampler c = make((rx_llm_sampling){.temperature = 2, .seed = 8});
    int different = 0;
    for (int i = 0; i < 100; i++) {
        uint32_t x = sampler_next(&a, logits, NULL, 0);
        assert_int_equal(x, sampler_next(&b, logits, NULL, 0));
        different += x != sampler_next(&c, logits, NULL, 0);
    }
    assert_true(different > 20);
    sampler_free(&a), sampler_free(&b), sampler_free(&c);
}

static void penalises_what_was_seen(void **state) {
    (void)state;
    const uint32_t seen[] = {1, 1, 3, 2};
    sampler s = make((rx_llm_sampling){.repeat_penalty = 4}); // 1: 0.75, 3: 0.75, 2: 0.5, so 0 with 1.0
    assert_int_equal(sampler_next(&s, logits, seen, 4), 0);
    assert_int_equal(sampler_next(&s, logits, NULL, 0), 1); // nothing of it stays
    sampler_free(&s);
    s = make((rx_llm_sampling){.frequency_penalty = 0.6}); // 1: 1.8, 3: 2.4, 2: 1.4
    assert_int_equal(sampler_next(&s, logits, seen, 4), 3);
    sampler_free(&s);
    s = make((rx_llm_sampling){.presence_penalty = 1, .penalty_tokens = 1}); // sees the last one only
    assert_int_equal(sampler_next(&s, logits, seen + 1, 2), 1);
    sampler_free(&s);
}

static void gives_logarithms(void **state) {
    (void)state;
    rx_llm_choice top[TOKENS];
    double sum = 0;
    sampler_top(logits, TOKENS, top, TOKENS);
    const uint32_t order[] = {1, 3, 2, 0, 5, 4};
    for (int i = 0; i < TOKENS; i++) {
        assert_int_equal(top[i].token, order[i]);
        assert_true(top[i].logprob >= logits[order[i]] && top[i].logprob <= logits[order[i]]);
        sum += exp(top[i].logprob - sampler_log_sum(logits, TOKENS));
    }
    assert_true(fabs(sum - 1) < 1e-6);
    sampler_top(logits, TOKENS, top, 2);
    assert_int_equal(top[1].token, 3);
    sampler_top(logits, TOKENS, top, 0);
}

static void refuses_nonsense(void **state) {
    (void)state;
    sampler s;
    char why[FILE_WHY];
    const rx_llm_sampling bad[] = {{.temperature = -1},       {.temperature = NAN},     {.top_p = 1.5},
                                   {.min_p = -0.1},           {.repeat_penalty = -2},   {.frequency_penalty = INFINITY},
                                   {.presence_penalty = NAN}, {.temperature = INFINITY}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rx_llm_sampling how = bad[i];
        how.struct_size = sizeof how;
        assert_int_equal(sampler_init(&s, &how, TOKENS, why), RX_INVALID_ARGUMENT);
    }
    rx_llm_sampling how = {.struct_size = sizeof how, .temperature = -1};
    assert_int_equal(sampler_init(&s, &how, TOKENS, why), RX_INVALID_ARGUMENT);
    assert_string_equal(why, "temperature is -1; want 0 to 100");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_most_likely), cmocka_unit_test(draws_by_probability),
        cmocka_unit_test(finds_the_largest),     cmocka_unit_test(repeats_by_seed),
        cmocka_unit_test(draws_among_many),      cmocka_unit_test(penalises_what_was_seen),
        cmocka_unit_test(gives_logarithms),      cmocka_unit_test(refuses_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
