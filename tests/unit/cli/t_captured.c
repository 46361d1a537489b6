// t_captured.c - launches that are recorded and replayed give what the interpreter gives: the same sizes again with
// other values in (often) the same memory, which is when a recorded list runs; and sizes that come and go.
#define _GNU_SOURCE
#include "base/file.h"
#include "compiled.h"
#include "test.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t check(const source *src, driver_bound bound) {
    arena *mem = arena_new();
    compiled_check c = {
        .draws = 4, .rounds = 3, .pipeline = "capture", .bound = bound, .mem = mem, .report = TEXT_IN(mem)};
    if (!compiled_equals_interpreted(&c, src)) fail_msg("%s: %s", src->name, text_get(&c.report));
    uint32_t ran = c.ran;
    arena_free(mem);
    return ran;
}

static uint32_t check_file(const char *name, driver_bound bound) {
    const char *root = getenv("SRC");
    char path[4096], why[FILE_WHY], *bytes;
    source src = {.name = path};
    snprintf(path, sizeof path, "%s/tests/data/%s", root ? root : ".", name);
    if (file_read(path, 1 << 20, &bytes, &src.size, why) != RX_OK) fail_msg("%s", why);
    src.bytes = bytes;
    uint32_t ran = check(&src, bound);
    free(bytes);
    return ran;
}

static void all_modules(void **state) {
    const char *root = getenv("SRC");
    char path[4096];
    struct dirent **entry;
    uint32_t ran = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/tests/data/modules", root ? root : ".");
    int entries = scandir(path, &entry, NULL, alphasort);
    assert_true(entries > 2);
    for (int i = 0; i < entries; i++) {
        snprintf(path, sizeof path, "modules/%s", entry[i]->d_name);
        if (strstr(entry[i]->d_name, ".py")) ran += check_file(path, (driver_bound){0});
        free(entry[i]);
    }
    free(entry);
    print_message("%u runs compared\n", ran);
    assert_true(ran >= 100);
}

// All symbols bounded: the plan is one block that is never freed.
static void bounded(void **state) {
    (void)state;
    assert_true(check_file("mlp/mlp.py", (driver_bound){"n", 0, 4096}) >= 12);
}

// Two functions share the block; the one that another calls has memory of its own, or it would write over its caller's.
static const char nested[] =
    "@I.ir_module\nclass Module:\n"
    "    @R.function\n"
    "    def inner(x: R.Tensor((4, 8), \"float32\")) -> R.Tensor((4, 8), \"float32\"):\n"
    "        a = R.exp(x)\n        b = R.nn.softmax(a)\n        c = R.nn.softmax(b)\n        return c\n"
    "    @R.function\n"
    "    def outer(x: R.Tensor((4, 8), \"float32\")) -> R.Tensor((4, 8), \"float32\"):\n"
    "        cls = Module\n        a = R.nn.softmax(x)\n        b = R.nn.softmax(a)\n"
    "        c = cls.inner(x)\n        d = R.add(b, c)\n        e = R.nn.softmax(d)\n        f = R.add(e, a)\n"
    "        return f\n"
    "    @R.function\n"
    "    def other(x: R.Tensor((9, 9), \"float32\")) -> R.Tensor((9, 9), \"float32\"):\n"
    "        a = R.nn.softmax(x)\n        b = R.matmul(a, a)\n        c = R.nn.softmax(b)\n        return c\n";

static void several_functions(void **state) {
    const source src = {.name = "nested", .bytes = nested, .size = sizeof nested - 1};
    (void)state;
    assert_true(check(&src, (driver_bound){0}) >= 36);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_modules), cmocka_unit_test(bounded),
                                       cmocka_unit_test(several_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
