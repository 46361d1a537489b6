// t_op_attrs.c - the attributes of every operator: each says what it takes, and what lies outside is refused by name.
#include "graph/build.h"
#include "test.h"
#include "text/op_sample.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Attributes of which any value of the kind has a meaning, or whose meaning the operator looks at in its dims: axes,
// layouts, formats of blocks, equations, names, dtypes of plain tensors.
static const char *const any_value[] = {
    "axis",
    "axes",
    "channel_axis",
    "layout",
    "out_layout",
    "data_layout",
    "kernel_layout",
    "format",
    "subscripts",
    "dtype",
    "out_dtype",
    "pad_value",
    "ignore_index",
    "memory_scope",
    "inplace_indices",
    "te_grad_name",
    "te_grad_kwargs",
    "index_map",
    "axis_separators",
    "input_axis_separators",
    "dst_vdevice",
    "extrapolation_value",
    "indices_or_sections",
    "shape",
    "what",
};

static bool takes_any(const op_attr *row) {
    for (size_t i = 0; i < COUNT(any_value); i++)
        if (strcmp(any_value[i], row->name) == 0) return true;
    return row->kind == OPATTR_BOOL;
}

static void every_attribute_says_what_it_takes(void **state) {
    (void)state;
    uint32_t count, silent = 0;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < op_attrs(all[i]) && !all[i]->refused; k++) {
            const op_attr *row = &all[i]->attr[k];
            if (row->range || takes_any(row)) continue;
            print_message("%s: %s\n", all[i]->name, row->name);
            silent++;
        }
    assert_int_equal(silent, 0);
}

// The sample's call with name=value, in place of what it had.
static const char *with_value(arena *mem, const char *sample, const char *name, const char *value) {
    const char *given = strstr(sample, arena_format(mem, ", %s=", name));
    size_t size = strlen(sample);
    if (!given) return arena_format(mem, "%.*s, %s=%s)", (int)size - 1, sample, name, value);
    const char *end = given + strlen(name) + 3;
    for (int depth = 0; *end && (depth || (*end != ',' && *end != ')')); end++)
        depth += (*end == '[' || *end == '(') - (*end == ']' || *end == ')');
    return arena_format(mem, "%.*s, %s=%s%s", (int)(given - sample), sample, name, value, end);
}

// One that is refused by the attribute's name, whatever else the call has.
static void must_refuse(const op *o, const op_attr *row, const char *value) {
    arena *mem = arena_new();
    source src = {.name = o->name};
    src.bytes = op_sample_text(mem, with_value(mem, o->samples[0], row->name, value));
    src.size = strlen(src.bytes);
    diag *d = diag_new(mem);
    module *m = script_parse(&src, d);
    const char *said = d->errors ? d->record[0].message : "nothing";
    const char *want = arena_format(mem, "%s: attribute %s: want ", o->name, row->name);
    if (m || strncmp(said, want, strlen(want)) != 0) fail_msg("%s=%s: said %s\n%s", row->name, value, said, src.bytes);
    module_free(m);
    arena_free(mem);
}

// One beyond each end, the open ends themselves, and NaN.
static void refuse_outside(const op *o, const op_attr *row) {
    char *at, value[64];
    double low = strtod(row->range + 1, &at), high = strtod(at + 1, NULL);
    bool whole = row->kind == OPATTR_INT || row->kind == OPATTR_INTS;
    if (low > -1e300) {
        snprintf(value, sizeof value, whole ? "%.0f" : "%.1f", *row->range == '(' ? low : low - 1);
        must_refuse(o, row, value);
    }
    if (high < 1e300) {
        snprintf(value, sizeof value, whole ? "%.0f" : "%.1f", high + 1);
        must_refuse(o, row, value);
    }
    if (!whole) must_refuse(o, row, "float(\"nan\")");
    if (!whole && *row->range == '(' && low < -1e300) must_refuse(o, row, "float(\"-inf\")");
}

static void what_lies_outside_is_refused(void **state) {
    (void)state;
    uint32_t count, ranges = 0;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < op_attrs(all[i]); k++) {
            const op *o = all[i];
            const op_attr *row = &o->attr[k];
            if (!row->range || !o->samples[0]) continue;
            ranges++;
            if (*row->range == '[' || *row->range == '(')
                refuse_outside(o, row);
            else
                must_refuse(o, row,
                            row->kind == OPATTR_DTYPE ? "\"bool\""
                            : row->kind == OPATTR_INT ? "3"
                                                      : "\"Nope\"");
        }
    assert_true(ranges > 100);
}

// A dtype that must be given is one that elements can have.
static void a_given_dtype_is_one(void **state) {
    (void)state;
    uint32_t count, asked = 0;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < op_attrs(all[i]); k++) {
            const op_attr *row = &all[i]->attr[k];
            if (row->kind != OPATTR_DTYPE || !all[i]->samples[0]) continue;
            must_refuse(all[i], row, "\"handle\"");
            if (!row->preset || strcmp(row->preset, "\"void\"") != 0) must_refuse(all[i], row, "\"void\""), asked++;
        }
    assert_true(asked > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_attribute_says_what_it_takes),
                                       cmocka_unit_test(what_lies_outside_is_refused),
                                       cmocka_unit_test(a_given_dtype_is_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
