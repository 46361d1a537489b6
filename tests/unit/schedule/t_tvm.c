// t_tvm.c - what our primitives make of the programs of tests/golden/schedule, beside what TVM's made of them
// (tools/record_schedules.py): the same loops, the same results; and who refuses what.
#define _DEFAULT_SOURCE
#include "base/file.h"
#include "graph/graph.h"
#include "interp/interp.h"
#include "schedule/schedule.h"
#include "test.h"
#include "text/script.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where the two don't agree, and why.
static const struct {
    const char *name, *why;
} apart[] = {
    {"bind_carried", "TVM takes threads that meet in a sum for one that they join"},
    {"blockize_outside", "TVM moves the start of the sum into the outer block"},
    {"cache_read_written", "TVM copies behind the loops that read the copy"},
    {"decompose_twice", "TVM starts a sum again in each step of a loop outside"},
    {"fuse_both_parallel", "TVM's fused loop runs in order again"},
    {"fuse_one_parallel", "TVM's fused loop runs in order again"},
    {"fuse_narrow", "TVM's fused 32-bit loop overflows"},
    {"inline_stale_regions", "TVM trusts regions that the text states wrongly"},
    {"merge_between", "TVM moves the first loop past a statement that reads what it writes"},
    {"opaque_call", "TVM does not ask what a call does"},
    {"pad_einsum_max", "TVM pads an extreme with zeros"},
    {"parallel_overlap", "TVM does not ask whether iterations write the same element"},
    {"reorder_diagonal", "TVM does not ask whether the order of a recurrence stays"},
    {"rfactor", "ours starts partial sums that a guard may skip in a nest of their own"},
    {"split_if", "TVM's guard comes behind a condition that reads outside"},
    {"storage_align_one", "TVM notes an alignment of rows that there are none of"},
    {"unroll_twice", "TVM unrolls what was lanes"},
    {"vectorize_own", "TVM gives each lane its memory when code is made"},
    {"vectorize_own_top", "TVM gives each lane its memory when code is made"},
    {"vectorize_unknown", "TVM marks loops of any extent"},
    {"reverse_compute_at_unfinished", "TVM reads a sum before it is finished"},
};

typedef struct tally {
    uint32_t same, refused, alone, apart, wrong;
} tally;

static const char *read_text(arena *mem, const char *path) {
    char why[FILE_WHY], *bytes;
    size_t size;
    if (file_read(path, 1 << 20, &bytes, &size, why) != RX_OK) return NULL;
    char *copy = arena_format(mem, "%.*s", (int)size, bytes);
    free(bytes);
    return copy;
}

static module *parse(arena *mem, const char *bytes, diag *d) {
    source *src = ARENA_NEW(mem, source, 1);
    *src = (source){.name = "program", .bytes = bytes, .size = strlen(bytes)};
    return script_parse(src, d);
}

// The loops and blocks in order, "p? (v16 (B))": kinds, extents where they are constant; loops of one iteration left
// out.
static void put_nest(text *t, const stmt *st) {
    static const char kind[] = {'s', 'p', 'v', 'u', 't'};
    int64_t n;
    bool loop = st->kind == STMT_FOR && !expr_is_int(st->as.loop.extent, 1);
    bool named = st->kind == STMT_BLOCK && st->as.block->iters;
    if (loop) text_put_char(t, kind[st->as.loop.kind]);
    if (loop && expr_const_int(st->as.loop.extent, &n)) text_format(t, "%d", (int)n);
    if (named) text_put_char(t, 'B');
    if (loop || named) text_put_char(t, '(');
    for (uint32_t i = 0; stmt_child(st, i); i++) put_nest(t, stmt_child(st, i));
    if (loop || named) text_put_char(t, ')');
}

static const char *nest_of(arena *mem, const module *m) {
    text t = TEXT_IN(mem);
    put_nest(&t, module_find(m, "main")->loop->body);
    return text_get(&t);
}

// Ours in place of the program; false where a primitive refuses.
static bool apply(module *m, const char *trace) {
    const loop_func *f = module_find(m, "main")->loop;
    schedule *sch = schedule_new(m->exprs, m->mem, f, diag_new(m->mem));
    if (!schedule_replay(sch, trace)) return false;
    module_put_loop(m, schedule_func(sch));
    return true;
}

static bool told_apart(const char *name) {
    for (size_t i = 0; i < COUNT(apart); i++)
        if (text_starts(name, apart[i].name) && name[strlen(apart[i].name)] == '.') return true;
    return false;
}

static bool agree(arena *mem, const char *name, const module *ours, const module *theirs) {
    text report = TEXT_IN(mem);
    const equal_options o = {.seed = 5};
    const char *a = nest_of(mem, ours), *b = nest_of(mem, theirs);
    bool same = strcmp(a, b) == 0 && interp_equal(ours, theirs, "main", &o, &report) == EQUAL_SAME;
    if (!same) print_message("%s: ours %s, TVM's %s; %s\n", name, a, b, text_get(&report));
    return same;
}

static void check(const char *root, const char *name, tally *t) {
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    const char *recorded = read_text(mem, arena_format(mem, "%s/tests/data/schedules/%s", root, name));
    const char *golden = read_text(mem, arena_format(mem, "%s/tests/golden/schedule/%s", root, name));
    assert_non_null(recorded);
    assert_non_null(golden);
    golden = arena_format(mem, "%.*s", (int)(strstr(golden, "# WANT:") - golden), golden);
    const char *trace = recorded + strlen("# RUN: "), *end = strchr(trace, '\n');
    bool refused = text_starts(end + 1, "# refused");
    module *ours = parse(mem, golden, d), *theirs = refused ? NULL : parse(mem, recorded, d);
    assert_non_null(ours);
    bool applied = apply(ours, arena_format(mem, "%.*s", (int)(end - trace), trace));
    if (told_apart(name))
        t->apart++;
    else if (refused || !applied) {
        t->refused += refused && !applied;
        t->alone += refused && applied;
        t->wrong += !refused && !applied;
        if (!refused && !applied) print_message("%s: only TVM applies it\n", name);
    } else {
        bool same = agree(mem, name, ours, theirs);
        t->same += same;
        t->wrong += !same;
    }
    module_free(ours);
    module_free(theirs);
    arena_free(mem);
}

static void recorded(void **state) {
    const char *root = getenv("SRC");
    char path[4096];
    struct dirent **entry;
    tally t = {0};
    (void)state;
    snprintf(path, sizeof path, "%s/tests/data/schedules", root ? root : ".");
    int entries = scandir(path, &entry, NULL, alphasort);
    assert_true(entries > 0);
    for (int i = 0; i < entries; i++) {
        if (text_ends(entry[i]->d_name, ".py")) check(root ? root : ".", entry[i]->d_name, &t);
        free(entry[i]);
    }
    free(entry);
    print_message("%u the same, %u refused by both, %u that TVM alone refuses, %u told apart\n", t.same, t.refused,
                  t.alone, t.apart);
    assert_int_equal(t.wrong, 0);
    assert_true(t.same >= 15 && t.refused >= 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
