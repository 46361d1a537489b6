// t_builder.c - modules made call by call: equal to their text, refused call by call, compiled and run.
#include "base/attributes.h"
#include "relax/compiler.h"
#include "relax/runtime.h"
#include "test.h"
#include <stdio.h>
#include <string.h>

static rx_session *session(void) {
    rx_session *s = NULL;
    assert_int_equal(rx_session_new(NULL, &s), RX_OK);
    return s;
}

static rx_builder *builder(rx_session *s) {
    rx_builder *b = NULL;
    assert_int_equal(rx_builder_new(s, &b), RX_OK);
    return b;
}

static void expect_module(rx_session *s, rx_builder *b, const char *text) {
    rx_module *built = NULL, *read = NULL;
    const char *difference = NULL;
    if (rx_builder_finish(b, &built) != RX_OK) fail_msg("%s", rx_session_report(s));
    rx_builder_release(b); // the module may outlive it
    if (rx_module_parse(s, "want.py", text, strlen(text), &read) != RX_OK) fail_msg("%s", rx_session_report(s));
    if (!rx_module_equal(built, read, &difference)) {
        print_message("%s\n", difference);
        fail_msg("%s", rx_module_text(built));
    }
    rx_module_release(built);
    rx_module_release(read);
}

static void layer(rx_builder *b, rx_var *x, rx_var *w, rx_var *bias, rx_var **out) {
    rx_var *y = NULL;
    rx_builder_op(b, "matmul", (rx_var *[]){x, w}, 2, NULL, &y);
    rx_builder_op(b, "add", (rx_var *[]){y, bias}, 2, NULL, out);
}

// Two functions: one is called by the other; parameters, an attribute, a dataflow block, attributes of an operator.
static void test_functions(void **state) {
    (void)state;
    rx_session *s = session();
    rx_builder *b = builder(s);
    rx_var *x = NULL, *w = NULL, *bias = NULL, *y = NULL, *z = NULL;
    rx_builder_function(b, "layer", RX_FUNCTION_PRIVATE);
    rx_builder_param(b, "x", "R.Tensor(('n', 128), 'float32')", &x);
    rx_builder_param(b, "w", "R.Tensor((128, 10), 'float32')", &w);
    rx_builder_param(b, "b", "R.Tensor((10,), 'float32')", &bias);
    rx_builder_dataflow(b);
    layer(b, x, w, bias, &y);
    rx_builder_output(b, &y, 1);
    rx_builder_return(b, &y, 1);
    rx_builder_function(b, "main", 0);
    rx_builder_attr(b, "num_input", "1");
    rx_builder_param(b, "x", "R.Tensor(('n', 128), 'float32')", &x);
    rx_builder_param(b, "w", "R.Tensor((128, 10), 'float32')", &w);
    rx_builder_param(b, "b", "R.Tensor((10,), 'float32')", &bias);
    assert_string_equal(rx_var_annotation(x), "R.Tensor((n, 128), dtype=\"float32\")");
    rx_builder_call(b, "layer", (rx_var *[]){x, w, bias}, 3, &y);
    if (!y) fail_msg("%s", rx_session_report(s));
    assert_string_equal(rx_var_annotation(y), "R.Tensor((n, 10), dtype=\"float32\")");
    rx_builder_op(b, "nn.softmax", &y, 1, "axis=-1", &z);
    assert_string_equal(rx_var_name(z), "gv1");
    rx_builder_return(b, (rx_var *[]){z, y}, 2);
    expect_module(s, b,
                  "@I.ir_module\nclass Module:\n"
                  "    @R.function(private=True)\n"
                  "    def layer(x: R.Tensor((\"n\", 128), \"float32\"), w: R.Tensor((128, 10), \"float32\"),\n"
                  "              b: R.Tensor((10,), \"float32\")):\n"
                  "        with R.dataflow():\n"
                  "            lv = R.matmul(x, w)\n"
                  "            lv1 = R.add(lv, b)\n"
                  "            R.output(lv1)\n"
                  "        return lv1\n"
                  "    @R.function\n"
                  "    def main(x: R.Tensor((\"n\", 128), \"float32\"), w: R.Tensor((128, 10), \"float32\"),\n"
                  "             b: R.Tensor((10,), \"float32\")):\n"
                  "        R.func_attr({\"num_input\": 1})\n"
                  "        cls = Module\n"
                  "        y = cls.layer(x, w, b)\n"
                  "        z = R.nn.softmax(y, axis=-1)\n"
                  "        return (z, y)\n");
    rx_session_release(s);
}

// What is known of a value is there at once.
static void test_deduction(void **state) {
    (void)state;
    rx_session *s = session();
    rx_builder *b = builder(s);
    rx_var *x = NULL, *c = NULL, *pair = NULL, *y = NULL;
    rx_builder_function(b, "main", 0);
    rx_builder_param(b, "x", "R.Tensor((\"n\", 3), dtype=\"float32\")", &x);
    rx_builder_constant(b, "float32", 1, (int64_t[]){3}, (float[]){1, 2, 3}, &c);
    rx_builder_op(b, "add", (rx_var *[]){x, c}, 2, NULL, &y);
    rx_builder_tuple(b, (rx_var *[]){x, y}, 2, &pair);
    rx_builder_op(b, "concat", &pair, 1, "axis=0", &y);
    if (!y) fail_msg("%s", rx_session_report(s));
    assert_string_equal(rx_var_annotation(y), "R.Tensor((n + n, 3), dtype=\"float32\")");
    rx_builder_release(b); // before anything is finished
    rx_session_release(s);
}

// Values of all kinds: constants, tuples, items, shapes with symbols, casts, names of one's own.
static void test_values(void **state) {
    (void)state;
    rx_session *s = session();
    rx_builder *b = builder(s);
    rx_var *x = NULL, *c = NULL, *pair = NULL, *y = NULL, *z = NULL;
    rx_builder_function(b, "main", 0);
    rx_builder_param(b, "x", "R.Tensor((\"n\", 3), dtype=\"float32\")", &x);
    rx_builder_constant(b, "float32", 1, (int64_t[]){3}, (float[]){1, 2, 3}, &c);
    rx_builder_tuple(b, (rx_var *[]){x, c}, 2, &pair);
    rx_builder_bind(b, "first", "gv1[0]", &y);
    rx_builder_symbol(b, "m");
    rx_builder_bind(b, "known", "R.match_cast(first, R.Tensor((m, 3), 'float32'))", &z);
    rx_builder_bind(b, "flat", "R.reshape(known, (m * 3,))", &z);
    rx_builder_tuple(b, &z, 1, &z);
    rx_builder_return(b, &z, 1);
    expect_module(s, b,
                  "@I.ir_module\nclass Module:\n"
                  "    @R.function\n"
                  "    def main(x: R.Tensor((\"n\", 3), \"float32\")):\n"
                  "        m = T.int64()\n"
                  "        c = R.const([1, 2, 3], \"float32\")\n"
                  "        pair = (x, c)\n"
                  "        first = pair[0]\n"
                  "        known = R.match_cast(first, R.Tensor((m, 3), \"float32\"))\n"
                  "        flat = R.reshape(known, (m * 3,))\n"
                  "        one = (flat,)\n"
                  "        return one\n");
    rx_session_release(s);
}

// A branch in a branch; names of one don't meet those of the other.
static void test_branches(void **state) {
    (void)state;
    rx_session *s = session();
    rx_builder *b = builder(s);
    rx_var *c = NULL, *d = NULL, *x = NULL, *y = NULL, *z = NULL, *inner = NULL;
    rx_builder_function(b, "main", 0);
    rx_builder_param(b, "c", "R.Tensor((), 'bool')", &c);
    rx_builder_param(b, "d", "R.Tensor((), 'bool')", &d);
    rx_builder_param(b, "x", "R.Tensor(('n', 4), 'float32')", &x);
    rx_builder_if(b, c);
    rx_builder_op(b, "exp", &x, 1, NULL, &y);
    rx_builder_dataflow(b);
    rx_builder_op(b, "negative", &y, 1, NULL, &y);
    rx_builder_output(b, &y, 1);
    rx_builder_else(b, y);
    rx_builder_if(b, d);
    rx_builder_else(b, x);
    rx_builder_op(b, "sqrt", &x, 1, NULL, &y);
    rx_builder_end_if(b, y, &inner);
    rx_builder_end_if(b, inner, &z);
    if (!z) fail_msg("%s", rx_session_report(s));
    assert_string_equal(rx_var_annotation(z), "R.Tensor((n, 4), dtype=\"float32\")");
    rx_builder_op(b, "add", (rx_var *[]){z, x}, 2, NULL, &z);
    rx_builder_return(b, &z, 1);
    expect_module(s, b,
                  "@I.ir_module\nclass Module:\n"
                  "    @R.function\n"
                  "    def main(c: R.Tensor((), 'bool'), d: R.Tensor((), 'bool'), x: R.Tensor(('n', 4), 'float32')):\n"
                  "        if c:\n"
                  "            e = R.exp(x)\n"
                  "            with R.dataflow():\n"
                  "                m = R.negative(e)\n"
                  "                R.output(m)\n"
                  "            y = m\n"
                  "        else:\n"
                  "            if d:\n"
                  "                y = x\n"
                  "            else:\n"
                  "                y = R.sqrt(x)\n"
                  "        z = R.add(y, x)\n"
                  "        return z\n");
    rx_session_release(s);
}

// A closure that uses what is around it, and one that calls itself.
static void test_closures(void **state) {
    (void)state;
    rx_session *s = session();
    rx_builder *b = builder(s);
    rx_var *x = NULL, *y = NULL, *i = NULL, *c = NULL, *scale = NULL, *one = NULL, *out = NULL;
    rx_builder_function(b, "main", 0);
    rx_builder_param(b, "x", "R.Tensor((4,), 'float32')", &x);
    rx_builder_closure(b, "scale");
    rx_builder_param(b, "y", "R.Tensor((4,), 'float32')", &y);
    rx_builder_op(b, "multiply", (rx_var *[]){y, x}, 2, NULL, &y);
    rx_builder_end_closure(b, &y, 1, &scale);
    if (!scale) fail_msg("%s", rx_session_report(s));
    assert_string_equal(rx_var_name(scale), "scale");
    rx_builder_closure(b, "loop");
    rx_builder_param(b, "i", "R.Tensor((), 'int32')", &i);
    rx_builder_param(b, "v", "R.Tensor((4,), 'float32')", &y);
    rx_builder_result(b, "R.Tensor((4,), 'float32')");
    rx_builder_constant(b, "int32", 0, NULL, (int32_t[]){1}, &one);
    rx_builder_op(b, "less", (rx_var *[]){i, one}, 2, NULL, &c);
    rx_builder_if(b, c);
    rx_builder_op(b, "subtract", (rx_var *[]){i, one}, 2, NULL, &i);
    rx_builder_call(b, "scale", &y, 1, &out);
    rx_builder_call(b, "loop", (rx_var *[]){i, out}, 2, &out);
    rx_builder_else(b, out);
    rx_builder_end_if(b, y, &out);
    rx_builder_end_closure(b, &out, 1, NULL);
    rx_builder_bind(b, "i", "R.const(3, 'int32')", &i);
    rx_builder_call(b, "loop", (rx_var *[]){i, x}, 2, &y);
    rx_builder_return(b, &y, 1);
    expect_module(
        s, b,
        "@I.ir_module\nclass Module:\n"
        "    @R.function\n"
        "    def main(x: R.Tensor((4,), 'float32')):\n"
        "        @R.function\n"
        "        def scale(y: R.Tensor((4,), 'float32')):\n"
        "            r = R.multiply(y, x)\n"
        "            return r\n"
        "        @R.function\n"
        "        def loop(i: R.Tensor((), 'int32'), v: R.Tensor((4,), 'float32')) -> R.Tensor((4,), 'float32'):\n"
        "            one = R.const(1, 'int32')\n"
        "            c = R.less(i, one)\n"
        "            if c:\n"
        "                k = R.subtract(i, one)\n"
        "                w = scale(v)\n"
        "                o = loop(k, w)\n"
        "            else:\n"
        "                o = v\n"
        "            return o\n"
        "        i = R.const(3, 'int32')\n"
        "        y = loop(i, x)\n"
        "        return y\n");
    rx_session_release(s);
}

static const char programs[] = "@I.ir_module\nclass Programs:\n"
                               "    @T.prim_func\n"
                               "    def double(a: T.handle, b: T.handle):\n"
                               "        n = T.int64()\n"
                               "        A = T.match_buffer(a, (n,))\n"
                               "        B = T.match_buffer(b, (n,))\n"
                               "        for i in range(n):\n"
                               "            with T.sblock('B'):\n"
                               "                vi = T.axis.spatial(n, i)\n"
                               "                B[vi] = A[vi] * T.float32(2)\n"
                               "    @R.function(private=True)\n"
                               "    def twice(x: R.Tensor(('n',), 'float32')) -> R.Tensor(('n',), 'float32'):\n"
                               "        n = T.int64()\n"
                               "        cls = Programs\n"
                               "        y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((n,), 'float32'))\n"
                               "        return y\n";

// Loop programs and functions come from text; what is built calls them. A function that calls itself states its result.
static void test_text(void **state) {
    (void)state;
    rx_session *s = session();
    rx_builder *b = builder(s);
    rx_module *m = NULL;
    rx_var *x = NULL, *y = NULL, *c = NULL;
    rx_builder_text(b, "programs.py", programs, sizeof programs - 1);
    rx_builder_function(b, "main", 0);
    rx_builder_param(b, "c", "R.Tensor((), 'bool')", &c);
    rx_builder_param(b, "x", "R.Tensor(('n',), 'float32')", &x);
    rx_builder_result(b, "R.Tensor(('n',), 'float32')");
    rx_builder_if(b, c);
    rx_builder_bind(b, "h", "R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((n,), 'float32'))", &y);
    rx_builder_op(b, "logical_not", &c, 1, NULL, &c);
    rx_builder_call(b, "main", (rx_var *[]){c, y}, 2, &y);
    rx_builder_else(b, y);
    rx_builder_call(b, "twice", &x, 1, &y);
    rx_builder_end_if(b, y, &y);
    rx_builder_return(b, &y, 1);
    if (rx_builder_finish(b, &m) != RX_OK) fail_msg("%s", rx_session_report(s));
    assert_int_equal(rx_module_function_count(m), 3);
    rx_builder_release(b);
    char message[RX_MESSAGE];
    void *bytes = NULL;
    size_t size = 0;
    rx_executable *exe = NULL;
    rx_context *ctx = NULL;
    rx_value *in[2] = {NULL}, *out = NULL;
    const rx_compile_options options = {.struct_size = sizeof options, .jobs = 1};
    if (rx_module_compile_memory(m, &options, &bytes, &size)) fail_msg("%s", rx_session_report(s));
    if (rx_executable_load_memory(bytes, size, NULL, &exe, message) || rx_context_new(exe, NULL, &ctx, message))
        fail_msg("%s", message);
    assert_int_equal(rx_tensor_new("bool", 0, NULL, NULL, &in[0]), RX_OK);
    *(uint8_t *)rx_tensor_data(in[0]) = 1;
    assert_int_equal(rx_tensor_new("float32", 1, (int64_t[]){3}, NULL, &in[1]), RX_OK);
    for (int i = 0; i < 3; i++) ((float *)rx_tensor_data(in[1]))[i] = (float)i;
    if (rx_context_call(ctx, "main", in, 2, &out)) fail_msg("%s", rx_context_message(ctx));
    for (int i = 0; i < 3; i++) assert_true(((const float *)rx_tensor_data(out))[i] == 4 * (float)i);
    rx_value_release(out);
    rx_value_release(in[0]);
    rx_value_release(in[1]);
    rx_context_release(ctx);
    rx_executable_release(exe);
    rx_bytes_free(bytes);
    rx_module_release(m);
    rx_session_release(s);
}

// ---- what is refused ----

typedef void mistake(rx_builder *b, rx_var *x);

static void no_operator(rx_builder *b, rx_var *x) { rx_builder_op(b, "ad", (rx_var *[]){x, x}, 2, NULL, NULL); }
static void too_few(rx_builder *b, rx_var *x) { rx_builder_op(b, "matmul", &x, 1, NULL, NULL); }
static void bad_attribute(rx_builder *b, rx_var *x) { rx_builder_op(b, "nn.softmax", &x, 1, "axes=1", NULL); }
static void open_bracket(rx_builder *b, rx_var *x) { rx_builder_op(b, "nn.relu", &x, 1, "(", NULL); }
static void shapes(rx_builder *b, rx_var *x) {
    rx_var *w = NULL;
    rx_builder_constant(b, "float32", 2, (int64_t[]){3, 1}, (float[]){1, 2, 3}, &w);
    rx_builder_op(b, "matmul", (rx_var *[]){x, w}, 2, NULL, NULL);
}
static void null_value(rx_builder *b, rx_var *x) { rx_builder_op(b, "add", (rx_var *[]){x, NULL}, 2, NULL, NULL); }
static void no_function(rx_builder *b, rx_var *x) { rx_builder_call(b, "helper", &x, 1, NULL); }
static void two_expressions(rx_builder *b, rx_var *x) { (void)x, rx_builder_bind(b, "y", "x x", NULL); }
static void taken_name(rx_builder *b, rx_var *x) { (void)x, rx_builder_bind(b, "n", "R.nn.relu(x)", NULL); }
static void no_name(rx_builder *b, rx_var *x) { (void)x, rx_builder_bind(b, "2y", "R.nn.relu(x)", NULL); }
static void bad_type(rx_builder *b, rx_var *x) {
    (void)x, rx_builder_param(b, "y", "R.Tensor(('k',), 'float33')", NULL);
}
static void late_parameter(rx_builder *b, rx_var *x) {
    rx_builder_op(b, "nn.relu", &x, 1, NULL, NULL);
    rx_builder_param(b, "y", "R.Tensor(ndim=1)", NULL);
}
static void two_blocks(rx_builder *b, rx_var *x) { (void)x, rx_builder_dataflow(b), rx_builder_dataflow(b); }
static void no_block(rx_builder *b, rx_var *x) { rx_builder_output(b, &x, 1); }
static void open_block(rx_builder *b, rx_var *x) { rx_builder_dataflow(b), rx_builder_return(b, &x, 1); }
static void hidden_value(rx_builder *b, rx_var *x) {
    rx_var *y = NULL;
    rx_builder_dataflow(b);
    rx_builder_op(b, "nn.relu", &x, 1, NULL, &y);
    rx_builder_output(b, NULL, 0);
    rx_builder_op(b, "nn.relu", &y, 1, NULL, NULL);
}
static void other_function(rx_builder *b, rx_var *x) {
    rx_builder_return(b, &x, 1);
    rx_builder_function(b, "second", 0);
    rx_builder_return(b, &x, 1);
}
static void same_function(rx_builder *b, rx_var *x) {
    rx_builder_return(b, &x, 1);
    rx_builder_function(b, "main", 0);
}
static void nested_function(rx_builder *b, rx_var *x) { (void)x, rx_builder_function(b, "second", 0); }
static void unknown_flag(rx_builder *b, rx_var *x) { rx_builder_return(b, &x, 1), rx_builder_function(b, "g", 8); }
static void after_return(rx_builder *b, rx_var *x) {
    rx_builder_return(b, &x, 1);
    rx_builder_op(b, "nn.relu", &x, 1, NULL, NULL);
}
static void bad_constant(rx_builder *b, rx_var *x) {
    (void)x, rx_builder_constant(b, "float32", 1, (int64_t[]){-1}, NULL, NULL);
}
static void bad_function_attr(rx_builder *b, rx_var *x) { (void)x, rx_builder_attr(b, "num_input", "1 +"); }
static void branch_value(rx_builder *b, rx_var *x) {
    rx_var *c = NULL, *y = NULL;
    rx_builder_bind(b, "c", "R.const(True, 'bool')", &c);
    rx_builder_if(b, c);
    rx_builder_op(b, "nn.relu", &x, 1, NULL, &y);
    rx_builder_else(b, y);
    rx_builder_end_if(b, y, NULL);
}
static void condition(rx_builder *b, rx_var *x) {
    rx_builder_if(b, x), rx_builder_else(b, x), rx_builder_end_if(b, x, NULL);
}
static void no_condition(rx_builder *b, rx_var *x) { (void)x, rx_builder_if(b, NULL); }
static void no_if(rx_builder *b, rx_var *x) { rx_builder_else(b, x); }
static void no_else(rx_builder *b, rx_var *x) {
    rx_builder_bind(b, "c", "R.const(True, 'bool')", &x);
    rx_builder_if(b, x);
    rx_builder_end_if(b, x, NULL);
}
static void open_branch(rx_builder *b, rx_var *x) {
    rx_builder_bind(b, "c", "R.const(True, 'bool')", &x);
    rx_builder_if(b, x);
    rx_builder_return(b, &x, 1);
}
static void if_in_dataflow(rx_builder *b, rx_var *x) { rx_builder_dataflow(b), rx_builder_if(b, x); }
static void closure_value(rx_builder *b, rx_var *x) {
    rx_var *y = NULL;
    rx_builder_closure(b, "f");
    rx_builder_op(b, "nn.relu", &x, 1, NULL, &y);
    rx_builder_end_closure(b, &y, 1, NULL);
    rx_builder_return(b, &y, 1);
}
static void open_closure(rx_builder *b, rx_var *x) { rx_builder_closure(b, "f"), rx_builder_return(b, &x, 1); }
static void no_closure(rx_builder *b, rx_var *x) { rx_builder_end_closure(b, &x, 1, NULL); }
static void closure_name(rx_builder *b, rx_var *x) { (void)x, rx_builder_closure(b, "x"); }
static void text_inside(rx_builder *b, rx_var *x) { (void)x, rx_builder_text(b, NULL, programs, sizeof programs - 1); }
static void text_twice(rx_builder *b, rx_var *x) {
    rx_builder_return(b, &x, 1);
    for (int i = 0; i < 2; i++) rx_builder_text(b, "p.py", programs, sizeof programs - 1);
}
static void text_wrong(rx_builder *b, rx_var *x) {
    rx_builder_return(b, &x, 1), rx_builder_text(b, "p.py", "x = 1", 5);
}
static void result_type(rx_builder *b, rx_var *x) {
    rx_builder_result(b, "R.Tensor((3,), 'float32')");
    rx_builder_return(b, &x, 1);
}
static void not_returned(rx_builder *b, rx_var *x) { (void)b, (void)x; }

static void closing_bracket(rx_builder *b, rx_var *x) { rx_builder_op(b, "nn.softmax", &x, 1, "axis=-1), (x", NULL); }
static void written_operator(rx_builder *b, rx_var *x) { rx_builder_op(b, "nn.relu(x) #", &x, 1, NULL, NULL); }
static void written_function(rx_builder *b, rx_var *x) { rx_builder_call(b, "main(x) #", &x, 1, NULL); }
static void word_as_function(rx_builder *b, rx_var *x) {
    rx_builder_return(b, &x, 1);
    rx_builder_function(b, "def", 0);
}
static void word_as_parameter(rx_builder *b, rx_var *x) {
    (void)x;
    rx_builder_param(b, "R", "R.Object", NULL);
}
static void zero_divisor(rx_builder *b, rx_var *x) {
    rx_builder_param(b, "y", "R.Tensor(('n // 0',), 'float32')", NULL);
    rx_builder_return(b, &x, 1);
    rx_builder_finish(b, &(rx_module *){NULL});
}
static void deep_branches(rx_builder *b, rx_var *x) {
    rx_var *c = NULL;
    (void)x;
    rx_builder_param(b, "c", "R.Tensor((), 'bool')", &c);
    rx_status status = RX_OK;
    for (int i = 0; i < 1000 && status == RX_OK; i++) status = rx_builder_if(b, c);
}
static void deep_closures(rx_builder *b, rx_var *x) {
    (void)x;
    rx_status status = RX_OK;
    char name[16];
    for (int i = 0; i < 1000 && status == RX_OK; i++) {
        snprintf(name, sizeof name, "g%d", i);
        status = rx_builder_closure(b, name);
    }
}
static void different_kinds(rx_builder *b, rx_var *x) {
    rx_var *c = NULL, *pair = NULL;
    rx_builder_param(b, "c", "R.Tensor((), 'bool')", &c);
    rx_builder_if(b, c);
    rx_builder_else(b, x);
    rx_builder_tuple(b, (rx_var *[]){x, x}, 2, &pair);
    rx_builder_end_if(b, pair, NULL);
}

// Branches as deep as may be give a module that can be read back; a comment behind arguments is one.
static void test_limits(void **state) {
    (void)state;
    enum { DEEP = 397 };
    rx_session *s = session();
    rx_builder *b = builder(s);
    rx_var *x = NULL, *c = NULL, *y = NULL;
    rx_module *m = NULL;
    assert_int_equal(rx_builder_function(b, "main", 0), RX_OK);
    assert_int_equal(rx_builder_param(b, "x", "R.Tensor(('n', 4), 'float32')", &x), RX_OK);
    assert_int_equal(rx_builder_param(b, "c", "R.Tensor((), 'bool')", &c), RX_OK);
    for (int i = 0; i < DEEP; i++) assert_int_equal(rx_builder_if(b, c), RX_OK);
    assert_int_equal(rx_builder_dataflow(b), RX_OK);
    assert_int_equal(rx_builder_op(b, "nn.softmax", &x, 1, "axis=-1 # the last one", &y), RX_OK);
    assert_int_equal(rx_builder_output(b, &y, 1), RX_OK);
    for (int i = 0; i < DEEP; i++) {
        assert_int_equal(rx_builder_else(b, y), RX_OK);
        assert_int_equal(rx_builder_end_if(b, x, &y), RX_OK);
    }
    assert_int_equal(rx_builder_return(b, &y, 1), RX_OK);
    if (rx_builder_finish(b, &m)) fail_msg("%s", rx_session_report(s));
    rx_module_release(m);
    rx_builder_release(b);
    rx_session_release(s);
}

// Later calls fail as well, and what was said first stays.
static void expect_mistake(mistake *make, const char *sentence) {
    rx_session *s = session();
    rx_builder *b = builder(s);
    rx_var *x = NULL, *y = NULL;
    rx_module *m = NULL;
    assert_int_equal(rx_builder_function(b, "main", 0), RX_OK);
    assert_int_equal(rx_builder_param(b, "x", "R.Tensor(('n', 4), 'float32')", &x), RX_OK);
    make(b, x);
    assert_int_equal(rx_builder_finish(b, &m), RX_INVALID_ARGUMENT);
    assert_null(m);
    if (!strstr(rx_session_report(s), sentence)) fail_msg("want \"%s\" in: %s", sentence, rx_session_report(s));
    assert_int_equal(rx_builder_op(b, "nn.relu", &x, 1, NULL, &y), RX_INVALID_ARGUMENT);
    assert_null(y);
    rx_builder_release(b);
    assert_non_null(strstr(rx_session_report(s), sentence)); // also when the builder's texts are gone
    rx_diagnostic d = {.struct_size = sizeof d};
    assert_int_equal(rx_session_diagnostic(s, 0, &d), RX_OK);
    assert_non_null(d.source);
    rx_session_release(s);
}

static void test_mistakes(void **state) {
    (void)state;
    static const struct {
        mistake *make;
        const char *sentence;
    } known[] = {
        {no_operator, "<builder>:1:1: error: there is no operator R.ad; did you mean R.add?"},
        {too_few, "argument 'x2' is missing"},
        {bad_attribute, "has no argument 'axes'; did you mean 'axis'?"},
        {open_bracket, "nn.relu: the brackets of '(' don't match"},
        {closing_bracket, "nn.softmax: the brackets of 'axis=-1), (x' don't match"},
        {written_operator, "'nn.relu(x) #' is no name of an operator"},
        {written_function, "'main(x) #' is no name of a function"},
        {word_as_function, "'def' can't be a name: it is a word of the text form"},
        {word_as_parameter, "'R' can't be a name: it is a word of the text form"},
        {zero_divisor, "divides by 0: n // 0"},
        {deep_branches, "nested too deeply: at most 398 branches and closures inside one another"},
        {deep_closures, "nested too deeply: at most 398 branches and closures inside one another"},
        {different_kinds, "the branches give values of different kinds: 'x' is R.Tensor("},
        {shapes, "matmul"},
        {null_value, "add: value 1 is NULL"},
        {no_function, "helper"},
        {two_expressions, "expected the end, got 'x'"},
        {taken_name, "the function has a 'n' already"},
        {no_name, "'2y' is no name"},
        {bad_type, "float33"},
        {late_parameter, "parameter 'y' comes after a binding"},
        {two_blocks, "a dataflow block can't stand in another one"},
        {no_block, "there is no open dataflow block"},
        {open_block, "the dataflow block is still open"},
        {hidden_value, "lv"},
        {other_function, "return: value 0, 'x', belongs to another function"},
        {same_function, "the module has a function 'main' already"},
        {nested_function, "function main is still open"},
        {unknown_flag, "flags: want some of 3, got 8"},
        {after_return, "belongs to another function"},
        {bad_constant, "constant: there is no tensor of type float32"},
        {bad_function_attr, "<builder>"},
        {branch_value, "end_if: value 0, 'gv', belongs to a block, branch or closure that has ended"},
        {condition, "bool"},
        {no_condition, "if: value 0 is NULL"},
        {no_if, "what is open is the function, not the first branch of an if: end it first"},
        {no_else, "what is open is the first branch of an if, not the second branch of an if"},
        {open_branch, "what is open is the first branch of an if, not the function"},
        {if_in_dataflow, "an if can't stand in a dataflow block"},
        {closure_value, "return: value 0, 'gv', belongs to a block, branch or closure that has ended"},
        {open_closure, "what is open is a closure, not the function"},
        {no_closure, "what is open is the function, not a closure"},
        {closure_name, "the function has a 'x' already"},
        {text_inside, "function main is still open"},
        {text_twice, "p.py:4:9: error: the module has a function 'double' already"},
        {text_wrong, "p.py:1"},
        {result_type, "float32"},
        {not_returned, "a function is still open"},
    };
    for (size_t i = 0; i < COUNT(known); i++) expect_mistake(known[i].make, known[i].sentence);
}

// ---- compiled and run ----

static void test_compiled(void **state) {
    (void)state;
    rx_session *s = session();
    rx_builder *b = builder(s);
    rx_module *m = NULL;
    rx_var *x = NULL, *y = NULL;
    rx_builder_function(b, "main", 0);
    rx_builder_param(b, "x", "R.Tensor(('n', 4), 'float32')", &x);
    rx_builder_op(b, "multiply", (rx_var *[]){x, x}, 2, NULL, &y);
    rx_builder_op(b, "sum", &y, 1, "axis=[1]", &y);
    rx_builder_return(b, &y, 1);
    if (rx_builder_finish(b, &m) != RX_OK) fail_msg("%s", rx_session_report(s));
    rx_builder_release(b);
    void *bytes = NULL;
    size_t size = 0;
    const rx_compile_options options = {.struct_size = sizeof options, .jobs = 1};
    if (rx_module_bound(m, "n", 1, 8) || rx_module_compile_memory(m, &options, &bytes, &size))
        fail_msg("%s", rx_session_report(s));
    char message[RX_MESSAGE];
    rx_executable *exe = NULL;
    rx_context *c = NULL;
    rx_value *in = NULL, *out = NULL;
    float data[8] = {1, 2, 3, 4, 0, 0, 0, 5};
    if (rx_executable_load_memory(bytes, size, NULL, &exe, message) || rx_context_new(exe, NULL, &c, message))
        fail_msg("%s", message);
    assert_int_equal(rx_tensor_wrap("float32", 2, (int64_t[]){2, 4}, data, NULL, NULL, &in), RX_OK);
    if (rx_context_call(c, "main", &in, 1, &out)) fail_msg("%s", rx_context_message(c));
    assert_true(((const float *)rx_tensor_data(out))[0] == 30 && ((const float *)rx_tensor_data(out))[1] == 25);
    rx_value_release(in);
    rx_value_release(out);
    rx_context_release(c);
    rx_executable_release(exe);
    rx_bytes_free(bytes);
    rx_module_release(m);
    rx_session_release(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions), cmocka_unit_test(test_deduction), cmocka_unit_test(test_values),
        cmocka_unit_test(test_branches),  cmocka_unit_test(test_closures),  cmocka_unit_test(test_text),
        cmocka_unit_test(test_limits),    cmocka_unit_test(test_mistakes),  cmocka_unit_test(test_compiled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
