// t_recorded.c - what TVM said of our print (tools/record_text.py) still holds: the print is the one it was shown, or
// equal to it.
#include "test.h"
#include "text_support.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    const char *verdict, *name, *hash, *reason;
} row;

typedef struct tally {
    size_t equal, unreadable, skipped, bad;
} tally;

static uint64_t fnv(const char *bytes, size_t size) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return h;
}

static const char *source_folder(void) { return getenv("SRC") ? getenv("SRC") : "."; }

// The next line's fields; false at the end.
static bool next_row(char **at, row *r) {
    for (;;) {
        char *line = *at, *end = strchr(line, '\n');
        if (!*line || !end) return false;
        *end = 0;
        *at = end + 1;
        if (*line == '#') continue;
        const char **field[] = {&r->verdict, &r->name, &r->hash, &r->reason};
        for (size_t i = 0; i < 4; i++) {
            *field[i] = line;
            char *tab = strchr(line, '\t');
            if (tab) *tab = 0;
            line = tab ? tab + 1 : line + strlen(line);
        }
        return true;
    }
}

static bool is_sample(const row *r) { return text_starts(r->name, "samples/"); }

static char *path_of(arena *mem, const row *r) {
    if (!is_sample(r)) return arena_format(mem, "%s/tests/data/tvm_text/%s", source_folder(), r->name);
    return getenv("RELAX_TEST_DATA") ? arena_format(mem, "%s/%s", getenv("RELAX_TEST_DATA"), r->name) : NULL;
}

// The print that TVM accepted, for texts of ours.
static module *read_accepted(arena *mem, const row *r) {
    size_t size, stem = strcspn(r->name, ".");
    char *path = arena_format(mem, "%s/tests/data/tvm_text/accepted/%.*s.txt", source_folder(), (int)stem, r->name);
    char *bytes = is_sample(r) ? NULL : read_file(mem, path, &size);
    return bytes ? read_text(mem, path, bytes, size, NULL) : NULL;
}

static bool still_holds(arena *mem, const row *r, const module *m) {
    char hash[17], *printed = print_text(mem, m);
    snprintf(hash, sizeof hash, "%016" PRIx64, fnv(printed, strlen(printed)));
    if (strcmp(hash, r->hash) == 0) return true;
    module *accepted = read_accepted(mem, r);
    bool same = accepted && module_equal(accepted, m, NULL);
    module_free(accepted);
    return same;
}

static bool file_exists(const char *path) {
    FILE *f = path ? fopen(path, "rb") : NULL;
    if (f) fclose(f);
    return f != NULL;
}

static void check_row(const row *r, tally *t) {
    arena *mem = arena_new();
    size_t size;
    char *path = path_of(mem, r);
    if (!file_exists(path)) {
        t->skipped++;
    } else if (strcmp(r->verdict, "unreadable") == 0) {
        t->unreadable++;
    } else {
        char *bytes = read_file(mem, path, &size);
        module *m = read_text(mem, path, bytes, size, NULL);
        bool ok = strcmp(r->verdict, "equal") == 0 && m && still_holds(mem, r, m);
        if (!ok) fprintf(stderr, "%s: %s %s: run tools/record_text.py again\n", r->name, r->verdict, r->reason);
        t->equal += ok;
        t->bad += !ok;
        module_free(m);
    }
    arena_free(mem);
}

static void tvm_accepts_our_print(void **state) {
    (void)state;
    arena *mem = arena_new();
    size_t size;
    char *at = read_file(mem, arena_format(mem, "%s/tests/data/tvm_text/recorded.tsv", source_folder()), &size);
    tally t = {0};
    row r;
    while (at && next_row(&at, &r)) check_row(&r, &t);
    arena_free(mem);
    printf("%zu equal, %zu that TVM can't read, %zu skipped\n", t.equal, t.unreadable, t.skipped);
    assert_true(t.bad == 0);
    assert_true(t.equal >= 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tvm_accepts_our_print)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
