// external.c - gives a module a function of the program's own: R.call_dps_packed("my.scale", …) calls `scale` below.
//   cc external.c $(pkg-config --cflags --libs relax-compiler) -o external && ./external
#include <relax/compiler.h>
#include <relax/runtime.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "@I.ir_module\n"
    "class Module:\n"
    "    @R.function\n"
    "    def main(x: R.Tensor((\"n\",), dtype=\"float32\")):\n"
    "        n = T.int64()\n"
    "        return R.call_dps_packed(\"my.scale\", (x,), out_sinfo=R.Tensor((n,), dtype=\"float32\"))\n";

// The input, then the output to fill, both with checked shapes.
static rx_status scale(void *user, rx_call *call) {
    const rx_value *x = rx_call_arg(call, 0), *y = rx_call_arg(call, 1);
    if (rx_call_count(call) != 2) return rx_call_fail(call, RX_INVALID_ARGUMENT, "my.scale wants one tensor");
    const float *in = rx_tensor_data(x);
    float *out = rx_tensor_data(y);
    for (int64_t i = 0; i < rx_tensor_dims(x)[0]; i++) out[i] = in[i] * *(float *)user;
    return RX_OK;
}

static rx_status compile(void **bytes, size_t *size) {
    rx_session *s = NULL;
    rx_module *m = NULL;
    rx_status status = rx_session_new(NULL, &s);
    if (status == RX_OK) status = rx_module_parse(s, "scale.py", text, strlen(text), &m);
    if (status == RX_OK) status = rx_module_compile_memory(m, NULL, bytes, size);
    if (status != RX_OK && s) fputs(rx_session_report(s), stderr);
    rx_module_release(m);
    rx_session_release(s);
    return status;
}

static int call(rx_context *ctx) {
    float data[3] = {1, 2, 3};
    rx_value *x = NULL, *y = NULL;
    char line[128];
    int wrong =
        rx_tensor_wrap("float32", 1, (int64_t[]){3}, data, NULL, NULL, &x) || rx_context_call(ctx, "main", &x, 1, &y);
    if (wrong) fprintf(stderr, "%s\n", rx_context_message(ctx));
    if (!wrong) rx_value_print(y, line, sizeof line), puts(line);
    rx_value_release(x);
    rx_value_release(y);
    return wrong;
}

int main(void) {
    void *bytes = NULL;
    size_t size;
    float factor = 2.5f;
    char message[RX_MESSAGE] = "";
    rx_executable *exe = NULL;
    rx_context *ctx = NULL;
    rx_registry *registry = NULL;
    int wrong = compile(&bytes, &size) || rx_registry_new(&registry) ||
                rx_registry_add(registry, "my.scale", scale, &factor) ||
                rx_executable_load_memory(bytes, size, NULL, &exe, message);
    const rx_context_options options = {.struct_size = sizeof options, .registry = registry};
    wrong = wrong || rx_context_new(exe, &options, &ctx, message) || call(ctx);
    if (wrong) fprintf(stderr, "%s\n", message);
    rx_context_release(ctx);
    rx_executable_release(exe);
    rx_registry_release(registry);
    rx_bytes_free(bytes);
    return wrong;
}
