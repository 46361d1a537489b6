// t_recorded_values_full.c - what compiled operators compute, against the recorded values: those of tests/data/ops and
// the edges that the pages of operators show. Every dim above 1 is a symbol. Many cases share a file.
#define _GNU_SOURCE
#include "cli/eval_value.h"
#include "driver/driver.h"
#include "ops/edges.h"
#include "support/op_cases.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IN_A_FILE = 64 };

typedef struct batch {
    arena *mem;
    const char *path;
    op_case list[IN_A_FILE];
    uint32_t count;
    uint32_t ran, failed;
} batch;

static const char *name_of(arena *mem, uint32_t i) { return arena_format(mem, "f%u", i); }

static bool compile(batch *b, uint32_t first, uint32_t count, bool symbolic, diag *d) {
    text t = TEXT_IN(b->mem);
    text_put(&t, "@I.ir_module\nclass Module:\n");
    for (uint32_t i = first; i < first + count; i++) op_case_function(&t, &b->list[i], name_of(b->mem, i), symbolic);
    const source src = {.name = "<cases>", .bytes = text_get(&t), .size = t.len};
    const char *target = "cpu:host";
    const driver_options o = {.target = &target, .targets = 1, .code = {.level = 1}, .jobs = 2};
    return driver_compile(&src, &o, b->path, d);
}

static void tell(batch *b, const op_case *c, const char *what) {
    b->failed++;
    for (uint32_t k = 0; k < c->ins; k++) print_message("%s=%s ", c->in[k].name, c->in[k].type);
    print_message("| %s | %.200s\n    %s\n", c->call, c->results, what);
}

// A tensor, or a tuple of tensors.
static bool take(rx_value *from, arena *mem, value *to) {
    if (rx_value_kind(from) != RX_TUPLE) return eval_from_runtime(from, mem, to);
    uint32_t count = rx_value_count(from);
    value *item = ARENA_NEW(mem, value, count);
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) {
        rx_value *v = NULL;
        ok = rx_value_item(from, i, &v) == RX_OK && eval_from_runtime(v, mem, &item[i]);
        rx_value_release(v);
    }
    *to = (value){.kind = VALUE_TUPLE, .as.tuple = {.item = item, .count = count}};
    return ok;
}

static void call(batch *b, rx_context *context, uint32_t i) {
    const op_case *c = &b->list[i];
    rx_value *arg[OP_CASE_OPERANDS] = {0}, *out = NULL;
    for (uint32_t k = 0; k < c->ins; k++) {
        value v = {.kind = VALUE_TENSOR, .as.tensor = op_case_operand(&c->in[k])};
        arg[k] = eval_to_runtime(&v);
        interp_release(&v);
    }
    text why = TEXT_IN(b->mem);
    value got = {0};
    if (rx_context_call(context, name_of(b->mem, i), arg, c->ins, &out) != RX_OK)
        tell(b, c, rx_context_message(context));
    else if (!take(out, b->mem, &got) || !op_case_matches(b->mem, c, &got, &why))
        tell(b, c, text_get(&why));
    b->ran++;
    interp_release(&got);
    rx_value_release(out);
    for (uint32_t k = 0; k < c->ins; k++) rx_value_release(arg[k]);
}

// What a file can't be made of is tried in halves, so that one case is blamed. A case alone is tried with its dims as
// numbers: some operators need to know them.
static void run(batch *b, uint32_t first, uint32_t count) {
    diag *d = diag_new(b->mem);
    char why[RX_MESSAGE];
    rx_executable *exe = NULL;
    rx_context *context = NULL;
    if (!count) return;
    bool made = compile(b, first, count, true, d);
    if (!made && count > 1) {
        run(b, first, count / 2);
        run(b, first + count / 2, count - count / 2);
        return;
    }
    if (!made && !compile(b, first, 1, false, d = diag_new(b->mem))) {
        text t = TEXT_IN(b->mem);
        diag_print(d, &t, false);
        tell(b, &b->list[first], text_get(&t));
        return;
    }
    if (rx_executable_load(b->path, NULL, &exe, why) != RX_OK) fail_msg("%s", why);
    const rx_context_options o = {.struct_size = sizeof o, .threads = 2};
    if (rx_context_new(exe, &o, &context, why) != RX_OK) fail_msg("%s", why);
    for (uint32_t i = first; i < first + count; i++) call(b, context, i);
    rx_context_release(context);
    rx_executable_release(exe);
}

static void flush(batch *b) {
    run(b, 0, b->count);
    arena_free(b->mem);
    b->mem = arena_new();
    b->count = 0;
}

static void add(batch *b, const char *line, const char *end) {
    const char *only = getenv("ONLY"); // a part of the calls to run
    op_case c = op_case_read(b->mem, line, end);
    if (only && !strstr(c.call, only)) return;
    b->list[b->count++] = c;
    if (b->count == IN_A_FILE) flush(b);
}

// A file of this test's own.
static void begin(batch *b, char *path) {
    int f = mkstemps(path, 4);
    assert_true(f >= 0);
    close(f);
    *b = (batch){.mem = arena_new(), .path = path};
}

static void finish(batch *b) {
    flush(b);
    arena_free(b->mem);
    unlink(b->path);
    print_message("%u cases ran\n", b->ran);
    assert_int_equal(b->failed, 0);
}

static void recorded_values(void **state) {
    (void)state;
    batch b;
    size_t size;
    char path[] = "/tmp/relax-values-XXXXXX.rlx";
    arena *mem = arena_new();
    begin(&b, path);
    const char *p = op_cases_file(mem, &size), *end = p + size;
    for (const char *stop; p < end; p = stop + 1) {
        stop = memchr(p, '\n', (size_t)(end - p));
        if (*p != '#') add(&b, p, stop);
    }
    arena_free(mem);
    finish(&b);
}

static void edges(void **state) {
    (void)state;
    batch b;
    size_t count;
    char path[] = "/tmp/relax-edges-XXXXXX.rlx";
    const op_edge *all = op_edges(&count);
    begin(&b, path);
    for (size_t i = 0; i < count; i++)
        if (all[i].example) add(&b, all[i].example, all[i].example + strlen(all[i].example));
    finish(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(edges), cmocka_unit_test(recorded_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
