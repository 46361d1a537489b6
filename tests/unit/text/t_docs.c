// t_docs.c - every module shown in the pages about the two languages reads and is well-formed.
#include "graph/verify.h"
#include "test.h"
#include "text_support.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_good(arena *mem, const char *page, const char *bytes, size_t size) {
    module *m = read_text(mem, page, bytes, size, NULL);
    diag *d = diag_new(mem);
    bool good = m && module_verify(m, d);
    if (m && !good) {
        text out = TEXT_IN(mem);
        diag_print(d, &out, false);
        fputs(text_get(&out), stderr);
    }
    module_free(m);
    return good;
}

static void check_page(const char *name, size_t least) {
    const char *src = getenv("SRC");
    arena *mem = arena_new();
    char *page = arena_format(mem, "%s/docs/%s", src ? src : ".", name);
    size_t size, shown = 0, bad = 0;
    char *bytes = read_file(mem, page, &size);
    static const char fence[] = "\n```python\n";
    for (const char *at = bytes; at && (at = strstr(at, fence));) {
        const char *begin = at + strlen(fence), *end = strstr(begin, "\n```\n");
        if (!end) break;
        shown++;
        bad += !is_good(mem, page, begin, (size_t)(end - begin) + 1);
        at = end;
    }
    arena_free(mem);
    printf("%s: %zu modules\n", name, shown);
    assert_true(shown >= least);
    assert_true(bad == 0);
}

static void graph_page(void **state) {
    (void)state;
    check_page("graph-ir.md", 7);
}

static void loop_page(void **state) {
    (void)state;
    check_page("loop-ir.md", 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(graph_page), cmocka_unit_test(loop_page)};
    return cmocka_run_group_tests_name("docs", tests, NULL, NULL);
}
