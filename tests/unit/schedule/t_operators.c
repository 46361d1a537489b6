// t_operators.c - operators' samples and the sample modules, lowered and scheduled, give what they gave before.
#include "base/file.h"
#include "scheduled.h"
#include "test.h"
#include "text/op_sample.h"
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    uint32_t programs, compared, failed;
} tally;

static const char plain_steps[] = "LegalizeOps";
static const char fusing_steps[] = "LegalizeOps,AnnotateTIROpPattern:precise=true,FuseOps:producers=true,FuseTIR";

static void check(const source *src, scheduled_check c, tally *t) {
    arena *mem = arena_new();
    c.mem = mem;
    c.report = TEXT_IN(mem);
    if (!scheduled_equals(&c, src)) {
        print_message("%s: %s\n", src->name, text_get(&c.report));
        t->failed++;
    }
    t->programs += c.programs;
    t->compared += c.compared;
    arena_free(mem);
}

static void operators(const char *target) {
    tally t = {0};
    uint32_t count;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < COUNT(all[i]->samples) && all[i]->samples[k]; k++) {
            if (!all[i]->compute && !all[i]->lower) continue;
            arena *mem = arena_new();
            source src = {.name = all[i]->name, .bytes = op_sample_text(mem, all[i]->samples[k])};
            src.size = strlen(src.bytes);
            check(&src, (scheduled_check){.passes = plain_steps, .target = target}, &t);
            arena_free(mem);
        }
    print_message("%s: %u programs scheduled, %u modules compared\n", target, t.programs, t.compared);
    assert_int_equal(t.failed, 0);
    assert_true(t.compared > 400);
}

static void operators_v3(void **state) {
    (void)state;
    operators("cpu:x86-64-v3");
}

static void operators_v4(void **state) {
    (void)state;
    operators("cpu:x86-64-v4");
}

static void modules(void **state) {
    static const char *const name[] = {"mlp", "dispatch", "interproc", "attn", "decode_q4"};
    const char *data = getenv("RELAX_TEST_DATA");
    tally t = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(name); i++) {
        char why[FILE_WHY], *bytes;
        arena *mem = arena_new();
        source src = {.name = arena_format(mem, "%s/samples/modules/%s.py", data ? data : "../shared", name[i])};
        if (file_read(src.name, 1 << 20, &bytes, &src.size, why) == RX_OK) {
            src.bytes = bytes;
            // Sums of sums in another order: a few units of the largest intermediate, which is about 60.
            scheduled_check v3 = {.passes = plain_steps, .target = "cpu:x86-64-v3", .rtol = 1e-5, .atol = 3e-5};
            scheduled_check v4 = {.passes = fusing_steps, .target = "cpu:x86-64-v4", .rtol = 1e-5, .atol = 3e-5};
            check(&src, v3, &t);
            check(&src, v4, &t);
            free(bytes);
        } else {
            print_message("skipped: %s\n", why);
        }
        arena_free(mem);
    }
    assert_int_equal(t.failed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(modules), cmocka_unit_test(operators_v3),
                                       cmocka_unit_test(operators_v4)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
