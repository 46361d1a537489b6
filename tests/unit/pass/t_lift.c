// t_lift.c - LiftTransformParams keeps results: main(x, w…) equals main'(x, transform(w…)).
#include "graph/verify.h"
#include "interp/interp.h"
#include "pass/pass.h"
#include "test.h"
#include "text/script.h"
#include <string.h>

static const char module_text[] = "@I.ir_module\n"
                                  "class Module:\n"
                                  "    @R.function\n"
                                  "    def main(x: R.Tensor((\"n\", 4), \"float32\"), w: R.Tensor((8, 4), "
                                  "\"float32\"), g: R.Tensor((8,), \"float32\"), "
                                  "u: R.Tensor((8, 8), \"float32\")) -> R.Tensor((\"n\", 8), \"float32\"):\n"
                                  "        n = T.int64()\n"
                                  "        R.func_attr({\"num_input\": 1, \"rx.bound_weights\": [\"w\", \"g\"]})\n"
                                  "        with R.dataflow():\n"
                                  "            wt = R.permute_dims(w, [1, 0])\n"
                                  "            g1 = R.add(g, R.const(1.0, \"float32\"))\n"
                                  "            big = R.broadcast_to(g, R.shape([8, 8]))\n"
                                  "            u2 = R.add(u, u)\n"
                                  "            y = R.matmul(x, wt)\n"
                                  "            z = R.multiply(y, g1)\n"
                                  "            v = R.matmul(z, u2)\n"
                                  "            s = R.add(big, big)\n"
                                  "            t = R.matmul(v, s)\n"
                                  "            o = R.add(t, g)\n"
                                  "            R.output(o)\n"
                                  "        return o\n";

static module *lifted(arena *mem, const source *src, const char *passes) {
    char why[256];
    diag *d = diag_new(mem);
    pass_list steps = {0};
    module *m = script_parse(src, d);
    bool ok = m && pass_parse(passes, mem, &steps, d) && pass_run(m, &steps, arch_parse(mem, "cpu", why), NULL, d) &&
              module_verify(m, d);
    text t = TEXT_IN(mem);
    diag_print(d, &t, false);
    if (!ok) fail_msg("%s", text_get(&t));
    return m;
}

static value run(arena *mem, const module *m, const char *func, value *arg, uint32_t count) {
    diag *d = diag_new(mem);
    value result = {0};
    text t = TEXT_IN(mem);
    if (!interp_run(m, func, arg, count, NULL, mem, &result, d)) {
        diag_print(d, &t, false);
        fail_msg("%s: %s", func, text_get(&t));
    }
    return result;
}

static const graph_func *function(const module *m, const char *name) {
    const module_func *f = module_find(m, name);
    assert_non_null(f);
    return f->graph;
}

// Arguments of main afterwards: inputs and weights that were not bound by name, the others from the transformation.
static void compare(arena *mem, const module *before, const module *after, uint32_t draw, const char *const *kept) {
    value *arg, more[8];
    uint32_t count, out = 0;
    text symbols = TEXT_IN(mem);
    assert_true(interp_draw(before, "main", 3, draw, mem, &arg, &count, &symbols));
    value weights = {.kind = VALUE_TUPLE, .as.tuple = {.item = &arg[1], .count = kept ? 2 : 3}};
    value made = run(mem, after, "main_transform_params", &weights, 1);
    const graph_func *f = function(after, "main");
    more[0] = arg[0];
    for (uint32_t i = 1; i < f->params; i++)
        more[i] = kept && strcmp(f->param[i]->name, *kept) == 0 ? arg[3] : made.as.tuple.item[out++];
    assert_int_equal(out, made.as.tuple.count);
    value want = run(mem, before, "main", arg, count), got = run(mem, after, "main", more, f->params);
    tensor_difference diff = tensor_compare(got.as.tensor, want.as.tensor, 1e-5, 1e-5);
    assert_true(diff.same);
    interp_release(&want);
    interp_release(&got);
    interp_release(&made);
    for (uint32_t i = 0; i < count; i++) interp_release(&arg[i]);
}

static void all_weights(void **state) {
    arena *mem = arena_new();
    source src = {.name = "lift", .bytes = module_text, .size = sizeof module_text - 1};
    module *before = lifted(mem, &src, "Normalize"), *after = lifted(mem, &src, "LiftTransformParams");
    (void)state;
    assert_int_equal(function(after, "main")->params, 6); // x, g, wt, g1, u2, s
    for (uint32_t draw = 0; draw < 4; draw++) compare(mem, before, after, draw, NULL);
    module_free(before);
    module_free(after);
    arena_free(mem);
}

// `u` is not bound, and what grows (big) is not lifted.
static void bound_weights(void **state) {
    static const char *const kept[] = {"u"};
    arena *mem = arena_new();
    source src = {.name = "lift", .bytes = module_text, .size = sizeof module_text - 1};
    module *before = lifted(mem, &src, "Normalize"), *after = lifted(mem, &src, "LiftTransformParams:bound=true");
    (void)state;
    const graph_func *f = function(after, "main");
    assert_int_equal(f->params, 5);
    assert_string_equal(f->param[1]->name, "u");
    assert_string_equal(f->param[2]->name, "g");
    assert_string_equal(f->param[3]->name, "wt");
    assert_string_equal(f->param[4]->name, "g1");
    assert_true(attr_is_true(function(after, "main_transform_params")->attrs, "rx.transform"));
    for (uint32_t draw = 0; draw < 4; draw++) compare(mem, before, after, draw, kept);
    module_free(before);
    module_free(after);
    arena_free(mem);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_weights), cmocka_unit_test(bound_weights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
