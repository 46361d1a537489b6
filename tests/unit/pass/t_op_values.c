// t_op_values.c - what operators compute, against values recorded from NumPy, SciPy, ONNX Runtime and TVM
// (tests/data/ops/values.txt, made by tools/record_ops.py): with the dims as numbers, and again with every dim above 1
// a symbol. And that there are enough of them: 25 for each operator, every dtype it accepts, dims from 0 to 33.
#include "graph/verify.h"
#include "interp/interp.h"
#include "ops/edges.h"
#include "support/op_cases.h"
#include "test.h"
#include "text/op_sample.h"
#include "text/script.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool run_case(arena *mem, const op_case *c, bool symbolic, text *why) {
    value arg[OP_CASE_OPERANDS], result = {0};
    source src = {.name = "<case>", .bytes = op_case_text(mem, c, symbolic)};
    src.size = strlen(src.bytes);
    diag *d = diag_new(mem);
    module *m = script_parse(&src, d);
    for (uint32_t i = 0; i < c->ins; i++)
        arg[i] = (value){.kind = VALUE_TENSOR, .as.tensor = op_case_operand(&c->in[i])};
    bool ok = m && interp_run(m, "main", arg, c->ins, NULL, mem, &result, d);
    if (!ok) diag_print(d, why, false);
    if (ok) ok = op_case_matches(mem, c, &result, why);
    interp_release(&result);
    for (uint32_t i = 0; i < c->ins; i++) interp_release(&arg[i]);
    module_free(m);
    return ok;
}

static uint32_t run_all(bool symbolic) {
    arena *mem = arena_new();
    size_t size;
    uint32_t failed = 0, cases = 0;
    const char *p = op_cases_file(mem, &size), *end = p + size;
    for (const char *stop; p < end; p = stop + 1) {
        stop = memchr(p, '\n', (size_t)(end - p));
        if (*p == '#') continue;
        arena *own = arena_new();
        text why = TEXT_IN(own);
        op_case c = op_case_read(own, p, stop);
        cases++;
        if (!run_case(own, &c, symbolic, &why)) {
            failed++;
            print_message("%.*s\n    %s\n", (int)(stop - p), p, text_get(&why));
        }
        arena_free(own);
    }
    arena_free(mem);
    assert_true(cases > 1200);
    return failed;
}

static void known_dims(void **state) {
    (void)state;
    assert_int_equal(run_all(false), 0);
}

static void symbolic_dims(void **state) {
    (void)state;
    assert_int_equal(run_all(true), 0);
}

// --- The edges shown on the pages of operators.
static bool run_edge(arena *mem, const op_edge *e, bool symbolic) {
    text why = TEXT_IN(mem);
    op_case c = op_case_read(mem, e->example, e->example + strlen(e->example));
    bool ok = run_case(mem, &c, symbolic, &why);
    if (!ok) print_message("%s\n    %s\n", e->example, text_get(&why));
    return ok;
}

static void edges_are_as_shown(void **state) {
    (void)state;
    size_t count, failed = 0;
    const op_edge *all = op_edges(&count);
    for (size_t i = 0; i < count; i++) {
        arena *mem = arena_new();
        if (all[i].example) failed += !run_edge(mem, &all[i], false) + !run_edge(mem, &all[i], true);
        arena_free(mem);
    }
    assert_int_equal(failed, 0);
}

// Every name in the table is an operator, and every example calls one of the row's.
static void edges_name_operators(void **state) {
    (void)state;
    size_t count;
    uint32_t ops;
    const op_edge *all = op_edges(&count);
    const op *const *every = op_all(&ops);
    for (size_t i = 0; i < count; i++) {
        size_t words = 1, known = 0, called = 0;
        for (const char *p = all[i].names; *p; p++) words += *p == ' ';
        for (uint32_t k = 0; k < ops; k++) {
            known += op_edge_holds(&all[i], every[k]);
            called += op_edge_holds(&all[i], every[k]) && op_edge_calls(&all[i], every[k]);
        }
        if (known != words || (all[i].example && called != 1)) fail_msg("edge %s: %s", all[i].names, all[i].rule);
    }
}

static void every_operator_says_its_edges(void **state) {
    (void)state;
    size_t count;
    uint32_t ops, silent = 0;
    const op_edge *all = op_edges(&count);
    const op *const *every = op_all(&ops);
    for (uint32_t k = 0; k < ops; k++) {
        bool says = every[k]->vm || every[k]->refused;
        for (size_t i = 0; i < count && !says; i++) says = op_edge_holds(&all[i], every[k]);
        if (!says) print_message("%s has no edge\n", every[k]->name), silent++;
    }
    assert_int_equal(silent, 0);
}

// --- Are there enough?

// Operators whose values are tested in a way of their own.
// (unit/interp/formats: what quantised weights mean; golden/feeds: indices)
static const char *const elsewhere[] = {"rx.dequantize",
                                        "rx.quantize",
                                        "rx.pack_quants",
                                        "rx.pack_scales",
                                        "rx.quantize_int8",
                                        "rx.packed_matmul",
                                        "rx.packed_grouped_matmul",
                                        "rx.packed_take",
                                        "rx.pack_panels",
                                        "rx.panel_matmul",
                                        "rx.check_index"};

static bool is_elsewhere(const char *name) {
    for (size_t i = 0; i < COUNT(elsewhere); i++)
        if (strcmp(elsewhere[i], name) == 0) return true;
    return false;
}

// The sample with another dtype in place of its first operand's, wherever that stands.
static const char *with_dtype(arena *mem, const char *sample, const char *name) {
    const char *open = strchr(sample, '='), *bracket = open ? strchr(open, '[') : NULL;
    text t = TEXT_IN(mem);
    if (!bracket || bracket > strchr(sample, '|')) return NULL;
    const char *old = arena_copy(mem, open, (size_t)(bracket - open) + 1);
    for (const char *p = sample; *p;) {
        bool here = strncmp(p, old, strlen(old)) == 0;
        if (here) text_format(&t, "=%s[", name);
        if (!here) text_put_char(&t, *p);
        p += here ? strlen(old) : 1;
    }
    return text_get(&t);
}

static bool is_accepted(const op *o, const char *dtype_name) {
    arena *mem = arena_new();
    const char *sample = o->samples[0] ? with_dtype(mem, o->samples[0], dtype_name) : NULL;
    source src = {.name = o->name, .bytes = sample ? op_sample_text(mem, sample) : ""};
    src.size = strlen(src.bytes);
    diag *d = diag_new(mem);
    module *m = sample ? script_parse(&src, d) : NULL;
    bool good = m && module_verify(m, d);
    module_free(m);
    arena_free(mem);
    return good;
}

// A bool may be added to a bool, but NumPy refuses some of what follows from that: those are left out.
static const char *const dtypes[] = {"float32", "float64", "float16", "bfloat16", "int8",   "int16",
                                     "int32",   "int64",   "uint8",   "uint16",   "uint32", "uint64"};

typedef struct tally {
    uint32_t cases, of_dtype[COUNT(dtypes)];
} tally;

static bool is_of(const char *operand, const char *name) {
    size_t size = strlen(name);
    return strncmp(operand, name, size) == 0 && operand[size] == '[';
}

static tally count_cases(const char *all, const char *name) {
    tally t = {0};
    char call[64];
    snprintf(call, sizeof call, "| R.%s(", name);
    for (const char *p = all; (p = strstr(p, call)); p++) {
        const char *line = p;
        while (line > all && line[-1] != '\n') line--;
        const char *first = strchr(line, '=');
        t.cases++;
        for (size_t i = 0; first && first < p && i < COUNT(dtypes); i++) t.of_dtype[i] += is_of(first + 1, dtypes[i]);
    }
    return t;
}

// Operators on real numbers. They take whole ones too, as TVM does, but no reference says what that gives; and ONNX
// Runtime resamples float32 alone.
static const char *const real_ones[] = {"atan2",
                                        "log_add_exp",
                                        "mean",
                                        "variance",
                                        "std",
                                        "nn.avg_pool1d",
                                        "nn.avg_pool2d",
                                        "nn.avg_pool3d",
                                        "nn.adaptive_avg_pool1d",
                                        "nn.adaptive_avg_pool2d",
                                        "nn.adaptive_avg_pool3d",
                                        "nn.attention",
                                        "nn.attention_bias",
                                        "nn.attention_var_len",
                                        "nn.cross_entropy_with_logits",
                                        "nn.nll_loss",
                                        "image.affine_grid",
                                        "image.grid_sample",
                                        "image.resize3d",
                                        "vision.roi_align",
                                        "vision.roi_pool",
                                        "vision.get_valid_counts",
                                        "vision.non_max_suppression",
                                        "vision.all_class_non_max_suppression",
                                        "vision.multibox_transform_loc"};

static bool has_reference(const char *name, const char *dtype_name) {
    bool real = strncmp(dtype_name, "float", 5) == 0 || strcmp(dtype_name, "bfloat16") == 0;
    if (strcmp(dtype_name, "float64") == 0 && strncmp(name, "image.", 6) == 0) return false;
    for (size_t i = 0; !real && i < COUNT(real_ones); i++)
        if (strcmp(real_ones[i], name) == 0) return false;
    return true;
}

static void every_operator_is_drawn_enough(void **state) {
    (void)state;
    arena *mem = arena_new();
    size_t size;
    const char *p = op_cases_file(mem, &size);
    uint32_t count, missing = 0;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        const op *o = all[i];
        if (o->vm || o->refused || is_elsewhere(o->name)) continue;
        tally t = count_cases(p, o->name);
        if (t.cases < 25) print_message("%s has %u cases\n", o->name, t.cases), missing++;
        for (size_t k = 0; k < COUNT(dtypes); k++)
            if (!t.of_dtype[k] && has_reference(o->name, dtypes[k]) && is_accepted(o, dtypes[k]))
                print_message("%s has no case of %s\n", o->name, dtypes[k]), missing++;
    }
    arena_free(mem);
    assert_int_equal(missing, 0);
}

// Sizes around the widths that code is made for: each operator has cases of each, in operands or results, but where the
// operator has no such dim, its reference no such case (TVM's detectors read outside of empty tensors), or the results
// would be thousands of numbers.
static const char *const sizes[] = {"0", "1", "2", "3", "7", "16", "33"};
static const struct {
    const char *name, *size;
} not_drawn[] = {
    {"memory.view", "0"},
    {"multinomial_from_uniform", "0"},
    {"nn.avg_pool3d", "33"},
    {"nn.max_pool3d", "33"},
    {"vision.get_valid_counts", "0"},
    {"vision.multibox_transform_loc", "0"},
    {"vision.non_max_suppression", "0"},
    {"vision.roi_pool", "0"},
};

static bool is_left_out(const char *name, const char *size) {
    for (size_t i = 0; i < COUNT(not_drawn); i++)
        if (strcmp(not_drawn[i].name, name) == 0 && strcmp(not_drawn[i].size, size) == 0) return true;
    return false;
}

// Is it a dim of a tensor of the line, "float32[2,33]"? Lists in the call stand behind no word.
static bool has_dim(const char *line, const char *end, const char *size) {
    size_t length = strlen(size);
    for (const char *open = line + 1; open < end; open++) {
        if (*open != '[' || !isalnum((unsigned char)open[-1])) continue;
        for (const char *p = open; *p == '[' || *p == ','; p += 1 + strcspn(p + 1, ",]"))
            if (strncmp(p + 1, size, length) == 0 && strchr(",]", p[1 + length])) return true;
    }
    return false;
}

static bool is_drawn(const char *all, const char *name, const char *size) {
    char call[64];
    snprintf(call, sizeof call, "| R.%s(", name);
    for (const char *p = all; (p = strstr(p, call)); p++) {
        const char *line = p, *end = strchr(p, '\n');
        while (line > all && line[-1] != '\n') line--;
        if (has_dim(line, end, size)) return true;
    }
    return false;
}

static void every_operator_is_drawn_in_every_size(void **state) {
    (void)state;
    arena *mem = arena_new();
    size_t size;
    uint32_t count, missing = 0;
    const char *cases = op_cases_file(mem, &size);
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++)
        for (size_t k = 0; k < COUNT(sizes); k++) {
            const op *o = all[i];
            if (o->vm || o->refused || is_elsewhere(o->name) || is_left_out(o->name, sizes[k])) continue;
            if (is_drawn(cases, o->name, sizes[k])) continue;
            print_message("%s has no case with a dim of %s\n", o->name, sizes[k]);
            missing++;
        }
    arena_free(mem);
    assert_int_equal(missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_dims),
                                       cmocka_unit_test(symbolic_dims),
                                       cmocka_unit_test(edges_are_as_shown),
                                       cmocka_unit_test(edges_name_operators),
                                       cmocka_unit_test(every_operator_says_its_edges),
                                       cmocka_unit_test(every_operator_is_drawn_enough),
                                       cmocka_unit_test(every_operator_is_drawn_in_every_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
