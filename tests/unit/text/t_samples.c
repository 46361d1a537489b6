// t_samples.c - texts that TVM printed: the verifier accepts them, and the regions we derive for each block are the
// ones that are written there.
#include "graph/verify.h"
#include "loop/regions.h"
#include "loop/walk.h"
#include "test.h"
#include "text_support.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    size_t texts, blocks, refused, wrong;
} tally;

static bool same_regions(module *m, const region_list *got, const region *want, uint32_t count) {
    if (got->len != count) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (got->at[i].buf != want[i].buf) return false;
        for (uint32_t d = 0; d < want[i].buf->rank; d++) {
            range a = got->at[i].dim[d], b = want[i].dim[d];
            if (!prove_equal(m->exprs, a.min, b.min, NULL) || !prove_equal(m->exprs, a.extent, b.extent, NULL))
                return false;
        }
    }
    return true;
}

static void check_block(module *m, arena *mem, const char *path, const block *b, tally *t) {
    region_list reads = {0}, writes = {0};
    block_regions(m->exprs, mem, b, &reads, &writes);
    t->blocks++;
    if (same_regions(m, &reads, b->read, b->reads) && same_regions(m, &writes, b->write, b->writes)) return;
    fprintf(stderr, "%s: block %s: other regions than written\n", path, b->name);
    t->wrong++;
}

static void check_program(module *m, arena *mem, const char *path, const loop_func *f, tally *t) {
    for (stmt_walk w = stmt_walk_from(mem, f->body); stmt_walk_next(&w);)
        if (!w.leaving && w.st->kind == STMT_BLOCK && w.st->as.block->regions_written)
            check_block(m, mem, path, w.st->as.block, t);
}

static void verify(const module *m, arena *mem, const char *path, tally *t) {
    diag *d = diag_new(mem);
    if (module_verify(m, d)) return;
    text out = TEXT_IN(mem);
    diag_print(d, &out, false);
    fprintf(stderr, "%s: refused\n%s", path, text_get(&out));
    t->refused++;
}

static void check_text(const char *path, tally *t) {
    arena *mem = arena_new();
    size_t size;
    char *bytes = read_file(mem, path, &size);
    module *m = bytes ? read_text(mem, path, bytes, size, NULL) : NULL;
    if (m) {
        t->texts++;
        verify(m, mem, path, t);
        for (uint32_t i = 0; i < m->funcs.len; i++) {
            const module_func *f = m->funcs.entry[i].value;
            if (f->loop) check_program(m, mem, path, f->loop, t);
        }
    } else {
        t->refused++;
    }
    module_free(m);
    arena_free(mem);
}

// TVM's planner reuses a storage of one branch in the other, where it was never allocated; we say so.
static bool is_known_wrong(const char *path) {
    static const char *const stage[] = {"12.Static", "14.Lower", "15.Kill", "16.Lower", "18.VM", "19.Attach"};
    for (size_t i = 0; i < COUNT(stage); i++) {
        char name[64];
        snprintf(name, sizeof name, "callpacked_if.%s", stage[i]);
        if (strstr(path, name)) return true;
    }
    return false;
}

static void tvm_texts_are_well_formed(void **state) {
    (void)state;
    const char *data = getenv("RELAX_TEST_DATA");
    if (!data) skip();
    arena *mem = arena_new();
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/samples/after", data);
    size_t count;
    tally t = {0};
    char **file = list_files(mem, folder, ".txt", &count);
    for (size_t i = 0; file && i < count; i++)
        if (!strstr(file[i], ".99.vm.") && !strstr(file[i], "timing") && !is_known_wrong(file[i]))
            check_text(file[i], &t);
    arena_free(mem);
    printf("%zu texts, %zu blocks\n", t.texts, t.blocks);
    if (!file) skip();
    assert_true(t.refused == 0);
    assert_true(t.wrong == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tvm_texts_are_well_formed)};
    return cmocka_run_group_tests_name("samples", tests, NULL, NULL);
}
