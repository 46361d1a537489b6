// t_op_hostile.c - calls of every operator with operands and attributes that make no sense: refused or deduced, and
// lowered or refused, never more than that.
#include "graph/build.h"
#include "test.h"
#include "text/script.h"
#include <string.h>

static uint64_t random_bits(uint64_t *state) { return *state = hash_mix(*state, 0x9e3779b97f4a7c15u); }
static uint64_t below(uint64_t *state, uint64_t n) { return random_bits(state) % n; }

static const char *pick(uint64_t *state, const char *const *of, size_t count) { return of[below(state, count)]; }

static void put_tensor(text *out, uint64_t *state) {
    static const char *const dims[] = {"n", "m", "n + 1", "0", "1", "1", "2", "3", "4", "1000000007"};
    static const char *const types[] = {"float32", "float32", "float16", "int64", "int8", "bool", "bfloat16", "uint8"};
    uint64_t kind = below(state, 12);
    if (kind == 0) {
        text_put(out, "R.Tensor");
        return;
    }
    if (kind == 1) {
        text_format(out, "R.Tensor(dtype=\"%s\", ndim=%d)", pick(state, types, COUNT(types)), (int)below(state, 70));
        return;
    }
    uint64_t rank = kind == 2 ? 65 + below(state, 10) : below(state, 6);
    text_put(out, "R.Tensor((");
    for (uint64_t i = 0; i < rank; i++) text_format(out, "%s, ", pick(state, dims, COUNT(dims)));
    text_format(out, "), dtype=\"%s\")", pick(state, types, COUNT(types)));
}

static void put_operand(text *out, uint64_t *state, op_input_kind kind, uint32_t tensors) {
    static const char *const shapes[] = {
        "R.shape([n, 4])", "R.shape([])", "R.shape([-1, 2])", "R.shape([0])", "R.shape([m, n * 2, 3])", "s"};
    static const char *const prims[] = {"R.prim_value(0)",
                                        "R.prim_value(-1)",
                                        "R.prim_value(n)",
                                        "R.prim_value(9223372036854775807)",
                                        "R.prim_value(T.float32(0.5))",
                                        "p"};
    if (below(state, 30) == 0) kind = (op_input_kind)below(state, INPUT_ANY);
    if (kind == INPUT_SHAPE) text_put(out, pick(state, shapes, COUNT(shapes)));
    if (kind == INPUT_PRIM) text_put(out, pick(state, prims, COUNT(prims)));
    if (kind == INPUT_STRING) text_put(out, "R.str(\"global\")");
    if (kind == INPUT_DTYPE) text_put(out, "R.dtype(\"float32\")");
    if (kind == INPUT_TENSOR || kind == INPUT_ANY || kind == INPUT_FUNC)
        text_format(out, "x%d", (int)below(state, tensors));
    if (kind != INPUT_TENSORS && kind != INPUT_TUPLE) return;
    text_put(out, "(");
    for (uint64_t i = below(state, 4); i > 0; i--) {
        if (kind == INPUT_TENSORS) text_format(out, "x%d, ", (int)below(state, tensors));
        if (kind == INPUT_TUPLE) text_format(out, "%s, ", pick(state, prims, COUNT(prims)));
    }
    text_put(out, ")");
}

static void put_attr(text *out, uint64_t *state, const op_attr *a) {
    static const char *const values[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "3",
                                         "-9223372036854775808",
                                         "9223372036854775807",
                                         "1.5",
                                         "[]",
                                         "[0]",
                                         "[1, 2]",
                                         "[-1, 0, 1]",
                                         "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]",
                                         "None",
                                         "True",
                                         "\"foo\"",
                                         "\"\"",
                                         "\"float32\"",
                                         "\"int8\"",
                                         "\"NHWC\"",
                                         "[100, -100]",
                                         "[2, 2]",
                                         "\"update\"",
                                         "\"ij,jk->ik\"",
                                         "\"none\""};
    if (a->preset && below(state, 2) == 0) return;
    if (below(state, 12) == 0) {
        text_format(out, ", %s=[", a->name);
        for (int i = 0; i < 100; i++) text_put(out, "1, ");
        text_put(out, "]");
        return;
    }
    text_format(out, ", %s=%s", a->name, pick(state, values, COUNT(values)));
}

static const char *hostile_text(arena *mem, const op *o, uint64_t *state) {
    enum { TENSORS = 4 };
    text out = TEXT_IN(mem);
    text_put(&out, "@I.ir_module\nclass Module:\n    @R.function(pure=False)\n    def main(q: R.Shape([\"n\", \"m\"]), "
                   "s: R.Shape(ndim=2), "
                   "p: R.Prim(\"int64\"), v: R.Object):\n        n = T.int64()\n        m = T.int64()\n");
    for (int i = 0; i < TENSORS; i++) {
        text_format(&out, "        x%d = R.match_cast(v, ", i);
        put_tensor(&out, state);
        text_put(&out, ")\n");
    }
    text_format(&out, "        gv = R.%s(", o->name);
    uint32_t inputs = op_inputs(o);
    for (uint32_t i = 0; i < inputs; i++) {
        if (o->input[i].optional && below(state, 2)) break;
        put_operand(&out, state, o->input[i].kind, TENSORS);
        text_put(&out, ", ");
    }
    text attrs = TEXT_IN(mem);
    for (uint32_t i = 0; i < op_attrs(o); i++) put_attr(&attrs, state, &o->attr[i]);
    text_format(&out, "%s)\n        return gv\n", attrs.len ? text_get(&attrs) + 2 : "");
    return text_get(&out);
}

static bool try_one(const op *o, uint64_t *state) {
    arena *mem = arena_new();
    source src = {.name = o->name, .bytes = hostile_text(mem, o, state)};
    src.size = strlen(src.bytes);
    diag *d = diag_new(mem);
    module *m = script_parse(&src, d);
    bool deduced = m != NULL;
    if (m && (o->compute || o->lower)) {
        node_list nodes = {0};
        graph_nodes(module_find(m, "main")->graph, m->mem, &nodes);
        lower_ctx c = {.m = m, .mem = m->mem, .exprs = m->exprs, .d = d, .name = "lowered"};
        lowered l;
        const node *n = nodes.at[nodes.len - 1];
        if (n->op == o && !op_lower_call(&c, n, &l) && d->errors == 0)
            fail_msg("%s: refused without a word\n%s", o->name, src.bytes);
        for (uint32_t i = 0; i < d->len; i++)
            if (strstr(d->record[i].message, "compute text") && !strstr(d->record[i].message, "too many dims"))
                fail_msg("%s: %s\n%s", o->name, d->record[i].message, src.bytes);
    }
    if (!m && d->errors == 0) fail_msg("%s: refused without a word", o->name);
    module_free(m);
    arena_free(mem);
    return deduced;
}

static void nothing_breaks(void **unused) {
    (void)unused;
    uint32_t count, deduced = 0;
    uint64_t state = 1;
    const op *const *all = op_all(&count);
    for (uint32_t round = 0; round < 60; round++)
        for (uint32_t i = 0; i < count; i++) deduced += try_one(all[i], &state);
    assert_true(deduced > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_breaks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
