// t_reference.c - our passes against TVM's recorded answers: tests/data/pass/NAME/case.py, written by
// tools/record_pass.py, which describes the files. Structure must be equal (or, where the file says NUMBERS, results);
// where a file says why we differ, it must differ. Whatever TVM says, a pass must keep results: the module before and
// after it gives equal numbers on random inputs.
#define _GNU_SOURCE
#include "base/file.h"
#include "interp/interp.h"
#include "pass/pass.h"
#include "test.h"
#include "text/script.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct example {
    arena *mem;
    const char *path;
    source ours, theirs;
    const char *passes, *differs; // differs: why; NULL: it must not
    bool numbers;
    bool resigned; // functions take other arguments afterwards: their results can't be compared here
} example;

static const char *line_after(arena *mem, const char *words, const char *mark) {
    const char *at = strstr(words, mark);
    if (!at) return NULL;
    at += strlen(mark);
    return arena_copy(mem, at, strcspn(at, "\n"));
}

// %S in options is the folder of the file.
static const char *with_folder(const example *e) {
    text t = TEXT_IN(e->mem);
    const char *rest = e->passes, *end = strrchr(e->path, '/');
    for (const char *at; (at = strstr(rest, "%S")); rest = at + 2)
        text_format(&t, "%.*s%.*s", (int)(at - rest), rest, (int)(end - e->path), e->path);
    text_put(&t, rest);
    return text_get(&t);
}

static bool read_example(example *e, const char *folder) {
    enum { LARGEST = 1 << 22 };
    char why[FILE_WHY], *bytes;
    size_t size;
    if (file_read(e->path, LARGEST, &bytes, &size, why) != RX_OK) return false;
    char *head = arena_copy(e->mem, bytes, size);
    free(bytes);
    char *mark = strstr(head, "\n# TVM 0.");
    if (!mark) return false;
    *mark = 0;
    char *answer = strchr(mark + 1, '\n');
    e->ours = (source){.name = e->path, .bytes = head, .size = strlen(head)};
    e->theirs = (source){.name = "TVM's answer", .bytes = answer + 1, .size = strlen(answer + 1)};
    e->passes = line_after(e->mem, head, "# PASS: ");
    e->passes = e->passes ? with_folder(e) : folder;
    e->differs = line_after(e->mem, head, "# DIFFERS: ");
    e->resigned = strstr(head, "# OTHER ARGUMENTS\n");
    e->numbers = strstr(head, "# NUMBERS\n");
    return true;
}

static bool say(const example *e, const diag *d, const char *what) {
    text t = TEXT_IN(e->mem);
    diag_print(d, &t, false);
    print_error("%s: %s\n%s", e->path, what, text_get(&t));
    return false;
}

// Every function that can be run gives equal results.
static bool equal_numbers(const example *e, const module *a, const module *b) {
    for (uint32_t i = 0; i < a->funcs.len; i++) {
        const module_func *f = a->funcs.entry[i].value;
        text report = TEXT_IN(e->mem);
        if (f->kind != FUNC_GRAPH || f->graph->is_private) continue;
        if (interp_equal(a, b, f->name, &(equal_options){.seed = 1}, &report) == EQUAL_SAME) continue;
        print_error("%s: %s: %s\n", e->path, f->name, text_get(&report));
        return false;
    }
    return true;
}

static bool compare(const example *e, const module *ours, const module *theirs) {
    text difference = TEXT_IN(e->mem);
    if (!theirs) return true;
    if (e->numbers) return equal_numbers(e, ours, theirs);
    bool same = module_equal(ours, theirs, &difference);
    if (same == !e->differs) return true;
    if (same) {
        print_error("%s: says that we differ (%s), but we don't\n", e->path, e->differs);
        return false;
    }
    text now = TEXT_IN(e->mem);
    script_print(&now, ours, NULL);
    print_error("%s: ours (TVM's is in the file):\n%s%s\n", e->path, text_get(&difference), text_get(&now));
    return false;
}

static bool run_example(example *e) {
    diag *d = diag_new(e->mem);
    pass_list steps = {0};
    char why[256];
    const arch *target = arch_parse(e->mem, "cpu", why);
    module *ours = script_parse(&e->ours, d);
    module *theirs = script_parse(&e->theirs, e->differs ? diag_new(e->mem) : d); // it may be wrong
    bool fine = ours && (theirs || e->differs) && pass_parse(e->passes, e->mem, &steps, d);
    fine = fine ? pass_run(ours, &steps, target, NULL, d) || say(e, d, "the pass failed") : say(e, d, "not read");
    if (fine) fine = compare(e, ours, theirs);
    module_free(ours);
    module_free(theirs);
    return fine;
}

// Functions that could be run before and after the pass, on inputs that fit afterwards; *failed counts those whose
// results changed.
static uint32_t compare_runs(const example *e, const module *before, const module *after) {
    uint32_t compared = 0;
    for (uint32_t i = 0; i < before->funcs.len; i++) {
        const module_func *f = before->funcs.entry[i].value;
        text report = TEXT_IN(e->mem);
        if (f->kind != FUNC_GRAPH || f->graph->is_private) continue;
        equal_result r = interp_equal(after, before, f->name, &(equal_options){.seed = 7, .trials = 6}, &report);
        if (r == EQUAL_DIFFERENT) fail_msg("%s: %s: %s", e->path, f->name, text_get(&report));
        compared += r == EQUAL_SAME;
    }
    return compared;
}

static uint32_t run_numbers(example *e) {
    diag *d = diag_new(e->mem);
    pass_list steps = {0};
    char why[256];
    const arch *target = arch_parse(e->mem, "cpu", why);
    module *before = script_parse(&e->ours, d), *after = script_parse(&e->ours, d);
    assert_true(before && after && pass_parse(e->passes, e->mem, &steps, d));
    assert_true(pass_run(after, &steps, target, NULL, d));
    uint32_t compared = compare_runs(e, before, after);
    module_free(before);
    module_free(after);
    return compared;
}

typedef uint32_t visit(example *e, bool *fine);

static uint32_t visit_structure(example *e, bool *fine) {
    *fine = run_example(e);
    return 1;
}

static uint32_t visit_numbers(example *e, bool *fine) {
    *fine = true;
    return e->resigned ? 0 : run_numbers(e);
}

static uint32_t run_folder(const char *root, const char *folder, visit *look, uint32_t *failed) {
    char path[1024];
    uint32_t count = 0;
    snprintf(path, sizeof path, "%s/%s", root, folder);
    struct dirent **entry;
    int entries = scandir(path, &entry, NULL, alphasort);
    for (int i = 0; i < entries; i++) {
        if (strstr(entry[i]->d_name, ".py")) {
            example e = {.mem = arena_new()};
            e.path = arena_format(e.mem, "%s/%s", path, entry[i]->d_name);
            bool fine = read_example(&e, folder);
            if (!fine) print_error("%s: no recorded answer in it\n", e.path);
            if (fine) count += look(&e, &fine);
            *failed += !fine;
            arena_free(e.mem);
        }
        free(entry[i]);
    }
    if (entries >= 0) free(entry);
    return count;
}

static void run_all(visit *look, const char *what) {
    const char *src = getenv("SRC");
    char root[512];
    assert_non_null(src);
    snprintf(root, sizeof root, "%s/tests/data/pass", src);
    struct dirent **entry;
    int entries = scandir(root, &entry, NULL, alphasort);
    assert_true(entries >= 0);
    uint32_t failed = 0, count = 0;
    for (int i = 0; i < entries; i++) {
        if (entry[i]->d_name[0] != '.') count += run_folder(root, entry[i]->d_name, look, &failed);
        free(entry[i]);
    }
    free(entry);
    print_message("%u %s, %u unequal\n", count, what, failed);
    assert_true(count > 0);
    assert_int_equal(failed, 0);
}

static void test_recorded_answers(void **state) {
    (void)state;
    run_all(visit_structure, "recorded modules");
}

static void test_results_are_kept(void **state) {
    (void)state;
    run_all(visit_numbers, "functions run before and after");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recorded_answers),
                                       cmocka_unit_test(test_results_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
