// build.c - builds a module call by call, runs passes over it, compiles it in memory, and calls it with two sizes.
//   cc build.c $(pkg-config --cflags --libs relax-compiler) -o build && ./build
#include <relax/compiler.h>
#include <relax/runtime.h>
#include <stdio.h>

// softmax(relu(x @ w + b)) for any number of rows. A failed call makes the later ones fail: one look at the end will
// do.
static rx_status build(rx_session *s, rx_module **out) {
    rx_builder *b = NULL;
    rx_var *x = NULL, *w = NULL, *bias = NULL, *y = NULL;
    const float ones[3] = {1, 1, 1};
    if (rx_builder_new(s, &b)) return RX_OUT_OF_MEMORY;
    rx_builder_function(b, "main", 0);
    rx_builder_param(b, "x", "R.Tensor(('n', 2), 'float32')", &x);
    rx_builder_param(b, "w", "R.Tensor((2, 3), 'float32')", &w);
    rx_builder_constant(b, "float32", 1, (int64_t[]){3}, ones, &bias);
    rx_builder_dataflow(b);
    rx_builder_op(b, "matmul", (rx_var *[]){x, w}, 2, NULL, &y);
    rx_builder_op(b, "add", (rx_var *[]){y, bias}, 2, NULL, &y);
    rx_builder_op(b, "nn.relu", &y, 1, NULL, &y);
    rx_builder_op(b, "nn.softmax", &y, 1, "axis=-1", &y);
    rx_builder_output(b, &y, 1);
    if (y) printf("%s: %s\n", rx_var_name(y), rx_var_annotation(y));
    rx_builder_return(b, &y, 1);
    rx_status status = rx_builder_finish(b, out);
    rx_builder_release(b);
    return status;
}

static int call(rx_context *c, int64_t rows) {
    static float x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, w[6] = {0.5f, 0, 0, 0, 0.5f, 0};
    rx_value *arg[2] = {NULL, NULL}, *y = NULL;
    char line[200];
    int64_t dim[] = {rows, 2}, square[] = {2, 3};
    int wrong = rx_tensor_wrap("float32", 2, dim, x, NULL, NULL, &arg[0]) ||
                rx_tensor_wrap("float32", 2, square, w, NULL, NULL, &arg[1]) || rx_context_call(c, "main", arg, 2, &y);
    if (wrong) fprintf(stderr, "%s\n", rx_context_message(c));
    if (!wrong) rx_value_print(y, line, sizeof line), puts(line);
    rx_value_release(arg[0]);
    rx_value_release(arg[1]);
    rx_value_release(y);
    return wrong;
}

static int run(const void *bytes, size_t size) {
    char why[RX_MESSAGE];
    rx_executable *exe = NULL;
    rx_context *c = NULL;
    int wrong = rx_executable_load_memory(bytes, size, NULL, &exe, why) || rx_context_new(exe, NULL, &c, why);
    if (wrong)
        fprintf(stderr, "%s\n", why);
    else
        wrong = call(c, 1) || call(c, 4);
    rx_context_release(c);
    rx_executable_release(exe);
    return wrong;
}

int main(void) {
    rx_session *s = NULL;
    rx_module *m = NULL;
    void *bytes = NULL;
    size_t size;
    if (rx_session_new(NULL, &s)) return fprintf(stderr, "no memory\n"), 1;
    int wrong = build(s, &m) || rx_module_bound(m, "n", 1, 4096) ||
                rx_module_pass(m, "CanonicalizeBindings,DeadCodeElimination", NULL) ||
                rx_module_compile_memory(m, NULL, &bytes, &size);
    if (wrong)
        fputs(rx_session_report(s), stderr);
    else
        wrong = run(bytes, size);
    rx_bytes_free(bytes);
    rx_module_release(m);
    rx_session_release(s);
    return wrong;
}
