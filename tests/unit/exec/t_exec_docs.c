// t_exec_docs.c - the page about bytecode lists every instruction as opcodes.def has it, and every section.
#include "exec/bytecode.h"
#include "exec/codec.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 1 << 16 };

static char *read_page(void) {
    char path[512];
    const char *root = getenv("SRC");
    snprintf(path, sizeof path, "%s/docs/bytecode.md", root ? root : "..");
    FILE *f = fopen(path, "r");
    if (!f) skip();
    char *page = calloc(1, PAGE);
    size_t size = fread(page, 1, PAGE - 1, f);
    fclose(f);
    assert_true(size > 0 && size < PAGE - 1);
    return page;
}

static void test_instructions(void **state) {
    (void)state;
    char *page = read_page(), row[512];
    for (unsigned i = 0; i < OPCODES; i++) {
        const opcode_info *o = opcode_get((opcode)i);
        snprintf(row, sizeof row, "| `%s` | `%s` | %s |", o->spelling, o->operands, o->doc);
        if (!strstr(page, row)) fail_msg("docs/bytecode.md lacks the row: %s", row);
    }
    free(page);
}

static void test_sections(void **state) {
    (void)state;
    char *page = read_page(), row[128];
    for (unsigned i = 0; i < SECTION_TABLES; i++) {
        snprintf(row, sizeof row, "| %u | %s |", section_table[i].kind, section_table[i].name);
        if (!strstr(page, row)) fail_msg("docs/bytecode.md lacks the row: %s", row);
    }
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_instructions), cmocka_unit_test(test_sections)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
