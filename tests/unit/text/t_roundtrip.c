// t_roundtrip.c - what is read and printed reads back to the same: all texts of tests/data and of the samples.
#include "test.h"
#include "text_support.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Formatting changes nothing but the layout, and nothing the second time.
static bool formats(arena *mem, const char *path, const char *bytes, size_t size, const module *m) {
    diag *d = diag_new(mem);
    text once = TEXT_IN(mem), twice = TEXT_IN(mem);
    if (!script_format(&(source){path, bytes, size}, &once, d)) return false;
    if (!script_format(&(source){path, text_get(&once), once.len}, &twice, d)) return false;
    module *again = read_text(mem, path, text_get(&once), once.len, NULL);
    bool ok = again && module_equal(m, again, NULL) && strcmp(text_get(&once), text_get(&twice)) == 0;
    if (!ok) fprintf(stderr, "%s: formatted as\n%s", path, text_get(&once));
    module_free(again);
    return ok;
}

// False after saying what went wrong.
static bool goes_round(const char *path) {
    arena *mem = arena_new();
    size_t size;
    char *bytes = read_file(mem, path, &size);
    module *first = bytes ? read_text(mem, path, bytes, size, NULL) : NULL, *second = NULL;
    bool ok = first != NULL;
    if (ok) {
        char *printed = print_text(mem, first);
        second = read_text(mem, "<printed>", printed, strlen(printed), NULL);
        text difference = TEXT_IN(mem);
        ok = second && module_equal(first, second, &difference);
        if (second && !ok) fprintf(stderr, "%s", text_get(&difference));
        ok = ok && module_equal(second, first, NULL) && strcmp(print_text(mem, second), printed) == 0;
        if (!ok) fprintf(stderr, "%s: printed as\n%s", path, printed);
        ok = ok && formats(mem, path, bytes, size, first);
    }
    module_free(first);
    module_free(second);
    arena_free(mem);
    return ok;
}

static size_t run_folder(const char *folder, const char *ending, const char *but) {
    arena *mem = arena_new();
    size_t count, bad = 0, run = 0;
    char **file = list_files(mem, folder, ending, &count);
    for (size_t i = 0; file && i < count; i++) {
        if (but && strstr(file[i], but)) continue;
        if (strstr(file[i], "timing")) continue; // of the samples: no module
        run++;
        bad += !goes_round(file[i]);
    }
    if (bad) fprintf(stderr, "%s: %zu of %zu texts do not go round\n", folder, bad, run);
    arena_free(mem);
    assert_true(bad == 0);
    return run;
}

static const char *source_folder(void) {
    const char *src = getenv("SRC");
    return src ? src : ".";
}

static void our_texts_go_round(void **state) {
    (void)state;
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/tests/data/tvm_text", source_folder());
    assert_true(run_folder(folder, ".py", NULL) > 0);
}

static void samples_go_round(void **state) {
    (void)state;
    static const struct {
        const char *folder, *ending, *but;
    } part[] = {{"modules", ".py", NULL},
                {"after", ".txt", ".99.vm."},
                {"newer-spelling", ".py", NULL},
                {"newer-spelling", ".txt", NULL}};
    const char *data = getenv("RELAX_TEST_DATA");
    char folder[4096];
    size_t run = 0;
    for (size_t i = 0; data && i < sizeof part / sizeof part[0]; i++) {
        snprintf(folder, sizeof folder, "%s/samples/%s", data, part[i].folder);
        run += run_folder(folder, part[i].ending, part[i].but);
    }
    printf("%zu samples\n", run);
    if (!run) skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_texts_go_round),
        cmocka_unit_test(samples_go_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
