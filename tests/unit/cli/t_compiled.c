// t_compiled.c - modules compiled and interpreted agree, for many sizes from one compilation each.
#define _GNU_SOURCE
#include "base/file.h"
#include "compiled.h"
#include "ops/ops.h"
#include "test.h"
#include "text/op_sample.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    uint32_t ran, refused, failed;
} tally;

// What the target has no code for is refused with a message, and counted here.
static void check(const source *src, uint32_t draws, tally *t) {
    arena *mem = arena_new();
    compiled_check c = {.draws = draws, .mem = mem, .report = TEXT_IN(mem)};
    bool ok = compiled_equals_interpreted(&c, src), refused = !ok && strstr(text_get(&c.report), "has no code on");
    if (!ok) print_message("%s: %s\n", src->name, text_get(&c.report));
    t->ran += c.ran;
    t->refused += refused;
    t->failed += !ok && !refused;
    arena_free(mem);
}

// --- The samples of the project's design.

static bool check_file(const char *path, tally *t) {
    char why[FILE_WHY], *bytes;
    source src = {.name = path};
    if (file_read(path, 1 << 20, &bytes, &src.size, why) != RX_OK) return false;
    src.bytes = bytes;
    check(&src, 6, t);
    free(bytes);
    return true;
}

static void samples(void **state) {
    static const char *const name[] = {"mlp", "dispatch", "interproc", "callpacked_if", "attn", "decode_q4"};
    const char *data = getenv("RELAX_TEST_DATA");
    char path[4096];
    tally t = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(name); i++) {
        snprintf(path, sizeof path, "%s/samples/modules/%s.py", data ? data : "../shared", name[i]);
        if (!check_file(path, &t)) print_message("skipped: %s\n", path);
    }
    print_message("%u runs compared\n", t.ran);
    assert_int_equal(t.failed + t.refused, 0);
}

// --- Modules of the repository: what the samples lack.

static void modules(void **state) {
    const char *root = getenv("SRC");
    char path[4096];
    struct dirent **entry;
    tally t = {0};
    (void)state;
    snprintf(path, sizeof path, "%s/tests/data/modules", root ? root : ".");
    int entries = scandir(path, &entry, NULL, alphasort);
    assert_true(entries > 2);
    for (int i = 0; i < entries; i++) {
        snprintf(path, sizeof path, "%s/tests/data/modules/%s", root ? root : ".", entry[i]->d_name);
        if (strstr(entry[i]->d_name, ".py")) assert_true(check_file(path, &t));
        free(entry[i]);
    }
    free(entry);
    print_message("%u runs compared\n", t.ran);
    assert_int_equal(t.failed + t.refused, 0);
    assert_true(t.ran >= 40);
}

// --- Every operator's samples.

static bool is_computed(const op *o) { return o->compute || o->lower; }

static void operators(void **state) {
    tally t = {0};
    uint32_t count;
    const op *const *all = op_all(&count);
    (void)state;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; is_computed(all[i]) && k < COUNT(all[i]->samples) && all[i]->samples[k]; k++) {
            arena *mem = arena_new();
            source src = {.name = all[i]->name, .bytes = op_sample_text(mem, all[i]->samples[k])};
            src.size = strlen(src.bytes);
            check(&src, 3, &t);
            arena_free(mem);
        }
    print_message("%u runs compared, %u samples the target has no code for\n", t.ran, t.refused);
    assert_int_equal(t.failed, 0);
    assert_true(t.ran > 400);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples), cmocka_unit_test(modules),
                                       cmocka_unit_test(operators)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
