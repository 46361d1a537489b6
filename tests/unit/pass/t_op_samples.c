// t_op_samples.c - every operator's samples: they read, verify, lower to programs that verify and print, and run.
#include "graph/build.h"
#include "graph/verify.h"
#include "interp/draw.h"
#include "loop/verify.h"
#include "test.h"
#include "text/op_sample.h"
#include <stdlib.h>
#include <string.h>

typedef struct outcome {
    uint32_t failed, lowered, ran;
} outcome;

static const node *the_call(const module *m) {
    node_list nodes = {0};
    graph_nodes(module_find(m, "main")->graph, m->mem, &nodes);
    return nodes.len ? nodes.at[nodes.len - 1] : NULL;
}

static bool lowers(module *m, const node *n, diag *d) {
    lower_ctx c = {.m = m, .mem = m->mem, .exprs = m->exprs, .d = d, .name = "lowered"};
    lowered l;
    if (!op_lower_call(&c, n, &l)) return false;
    text t = TEXT_IN(m->mem);
    script_print_loop(&t, m, l.func);
    return loop_verify(l.func, m->exprs, d);
}

static bool runs_with(const module *m, uint32_t draw, unsigned level, diag *d) {
    value *arg, result = {0};
    uint32_t count;
    text symbols = TEXT_IN(m->mem);
    if (!draw_at_level(m, "main", 7 + draw, draw, level, m->mem, &arg, &count, &symbols)) return false;
    bool ok = interp_run(m, "main", arg, count, NULL, m->mem, &result, d);
    for (uint32_t i = 0; i < count; i++) interp_release(&arg[i]);
    if (ok) interp_release(&result);
    return ok;
}

static bool says(const diag *d, const char *word) {
    for (uint32_t i = 0; i < d->len; i++)
        if (strstr(d->record[i].message, word)) return true;
    return false;
}

// Indices that are out of range are refused: then with zeros.
static bool runs(const module *m, uint32_t draw, diag *d) {
    diag *first = diag_new(m->mem);
    if (runs_with(m, draw, DRAW_INDICES, first)) return true;
    return runs_with(m, draw, says(first, "out of range") ? DRAW_ZEROS : DRAW_INDICES, d);
}

// `may_refuse`: the deduction may say no.
static void try_sample(const op *o, const char *sample, bool may_refuse, outcome *out) {
    arena *mem = arena_new();
    source src = {.name = o->name, .bytes = op_sample_text(mem, sample)};
    src.size = strlen(src.bytes);
    diag *d = diag_new(mem);
    module *m = script_parse(&src, d);
    bool refused = !m && may_refuse, ok = m && module_verify(m, d);
    bool loops = o->compute || o->lower;
    if (ok && loops) ok = lowers(m, the_call(m), d), out->lowered += ok;
    for (uint32_t draw = 0; ok && loops && draw < 4; draw++) ok = runs(m, draw, d), out->ran += ok;
    // What only the run can decide of a call: "reshape: n * 4 is 12, but must be 0".
    bool tells = may_refuse && (says(d, ", but ") || says(d, "out of range"));
    if (!ok && !refused && !tells) {
        text t = TEXT_IN(mem);
        diag_print(d, &t, false);
        print_message("%s: %s\n%s", o->name, sample, text_get(&t));
        out->failed++;
    }
    module_free(m);
    arena_free(mem);
}

static void samples_lower_and_run(void **state) {
    (void)state;
    outcome out = {0};
    uint32_t count;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < COUNT(all[i]->samples) && all[i]->samples[k]; k++)
            try_sample(all[i], all[i]->samples[k], false, &out);
    assert_true(out.lowered > 150);
    assert_int_equal(out.failed, 0);
}

static const char *with_dtype(arena *mem, const char *sample, const char *name) {
    text t = TEXT_IN(mem);
    for (const char *p = sample; *p;) {
        if (strncmp(p, "f32[", 4) != 0) {
            text_put_char(&t, *p++);
            continue;
        }
        text_format(&t, "%s[", name);
        p += 4;
    }
    return text_get(&t);
}

// What is deduced for a dtype must lower and run for it.
static void every_dtype_that_is_deduced_runs(void **state) {
    (void)state;
    static const char *const dtypes[] = {"f64", "f16", "bfloat16", "i64", "i32", "i8", "u8", "u32", "bool"};
    outcome out = {0};
    uint32_t count;
    const op *const *all = op_all(&count);
    arena *mem = arena_new();
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < COUNT(dtypes); k++) {
            const char *sample = all[i]->samples[0];
            if (!sample || !strstr(sample, "f32[") || (!all[i]->compute && !all[i]->lower)) continue;
            try_sample(all[i], with_dtype(mem, sample, dtypes[k]), true, &out);
        }
    arena_free(mem);
    assert_true(out.ran > 1000);
    assert_int_equal(out.failed, 0);
}

// What rx.* operators define to be float32 whatever comes in, and places that are rounded to pixels.
static bool is_single(const op *o, const char *sample) {
    static const char *const names[] = {"rx.attention", "rx.moe_route", "rx.quantize", "rx.quantize_int8"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(o->name, names[i]) == 0) return true;
    return strstr(sample, "nearest_neighbor") != NULL;
}

// The program of a call, as text; NULL if its operands are refused.
static const char *program_text(arena *mem, const char *sample) {
    source src = {.name = "<sample>", .bytes = op_sample_text(mem, sample)};
    src.size = strlen(src.bytes);
    diag *d = diag_new(mem);
    module *m = script_parse(&src, d);
    text t = TEXT_IN(mem);
    lowered l;
    if (!m) return NULL;
    lower_ctx c = {.m = m, .mem = m->mem, .exprs = m->exprs, .d = d, .name = "lowered"};
    bool ok = op_lower_call(&c, the_call(m), &l);
    if (ok) script_print_loop(&t, m, l.func);
    const char *program = ok ? arena_format(mem, "%s", text_get(&t)) : NULL;
    module_free(m);
    return program;
}

static const char *doubled(arena *mem, const char *sample) {
    const char *p = with_dtype(mem, sample, "f64"), *at;
    while ((at = strstr(p, "dtype=\"float32\"")))
        p = arena_format(mem, "%.*sdtype=\"float64\"%s", (int)(at - p), p, at + strlen("dtype=\"float32\""));
    return p;
}

// A factor, a sum or a place in float32 would leave the result right to seven digits only.
static void doubles_are_computed_in_double(void **state) {
    (void)state;
    uint32_t count, seen = 0, failed = 0;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < COUNT(all[i]->samples) && all[i]->samples[k]; k++) {
            arena *mem = arena_new();
            const char *sample = all[i]->samples[k], *twice = doubled(mem, sample);
            bool loops = (all[i]->compute || all[i]->lower) && strcmp(twice, sample) != 0;
            const char *program = loops && !is_single(all[i], sample) ? program_text(mem, twice) : NULL;
            seen += program != NULL;
            if (program && strstr(program, "float32")) print_message("%s\n%s", twice, program), failed++;
            arena_free(mem);
        }
    assert_true(seen > 150);
    assert_int_equal(failed, 0);
}

// The sample with 0 in place of one extent, wherever operands have it: "x=f32[n,4] w=f32[4]" without 4s.
static const char *without(arena *mem, const char *sample, long extent) {
    const char *bar = strchr(sample, '|');
    text t = TEXT_IN(mem);
    for (const char *p = sample; *p;) {
        bool begins = p < bar && p > sample && (p[-1] == '[' || p[-1] == ',') && *p >= '0' && *p <= '9';
        char *end = (char *)(uintptr_t)p;
        long here = begins ? strtol(p, &end, 10) : 0;
        if (begins) text_format(&t, "%ld", here == extent ? 0 : here);
        if (!begins) text_put_char(&t, *p);
        p = begins ? end : p + 1;
    }
    return text_get(&t);
}

// Each extent in turn is 0: refused when deduced, or run without reading anything outside, which the interpreter sees.
static void empty_operands_are_read_nowhere(void **state) {
    (void)state;
    outcome out = {0};
    uint32_t count;
    const op *const *all = op_all(&count);
    arena *mem = arena_new();
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < COUNT(all[i]->samples) && all[i]->samples[k]; k++)
            for (long extent = 1; extent <= 64; extent++) {
                const char *empty = without(mem, all[i]->samples[k], extent);
                if (strcmp(empty, all[i]->samples[k]) != 0) try_sample(all[i], empty, true, &out);
            }
    arena_free(mem);
    assert_true(out.ran > 500);
    assert_int_equal(out.failed, 0);
}

// Exactly one meaning, and an operator that computes has a sample.
static void meanings_are_single(void **state) {
    (void)state;
    uint32_t count;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        const op *o = all[i];
        uint32_t meanings = (o->compute != NULL) + (o->lower != NULL) + (o->call != NULL) + (o->alloc != NULL) +
                            o->view + o->vm + o->refused;
        if (meanings != 1) fail_msg("%s has %u meanings", o->name, meanings);
        if ((o->compute || o->lower) && !o->samples[0]) fail_msg("%s has no sample", o->name);
        if (!o->doc || !o->infer) fail_msg("%s lacks its doc or its deduction", o->name);
        assert_ptr_equal(op_find(o->name), o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(meanings_are_single), cmocka_unit_test(samples_lower_and_run),
                                       cmocka_unit_test(every_dtype_that_is_deduced_runs),
                                       cmocka_unit_test(doubles_are_computed_in_double),
                                       cmocka_unit_test(empty_operands_are_read_nowhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
