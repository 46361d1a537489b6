// run.c - runs a compiled module: what a program that deploys a model looks like. It needs the runtime alone.
//   cc run.c $(pkg-config --cflags --libs relax-runtime) -o run && ./run double.rlx 'f32[7,4]'
#include <relax/runtime.h>
#include <stdio.h>

enum { MAX_INPUTS = 16 };

// "f32[7,4]" is a random tensor, "@x.npy" a file: a real program would use rx_tensor_new or rx_tensor_wrap.
static int read_inputs(char **spelling, uint32_t count, rx_value **in) {
    char message[RX_MESSAGE];
    for (uint32_t i = 0; i < count; i++)
        if (rx_value_parse(spelling[i], i, &in[i], message)) return fprintf(stderr, "%s\n", message), 1;
    return 0;
}

static int call_main(rx_context *ctx, char **spelling, uint32_t count) {
    rx_value *in[MAX_INPUTS] = {NULL}, *out = NULL;
    char line[256];
    int wrong = read_inputs(spelling, count, in);
    if (!wrong && rx_context_call(ctx, "main", in, count, &out)) {
        fprintf(stderr, "%s\n", rx_context_message(ctx));
        wrong = 1;
    }
    if (!wrong) rx_value_print(out, line, sizeof line), puts(line);
    rx_value_release(out);
    for (uint32_t i = 0; i < count; i++) rx_value_release(in[i]);
    return wrong;
}

int main(int argc, char **argv) {
    char message[RX_MESSAGE];
    rx_executable *exe = NULL;
    rx_context *ctx = NULL;
    if (argc < 2 || argc > 2 + MAX_INPUTS) return fprintf(stderr, "usage: run FILE.rlx [INPUT]...\n"), 2;
    int wrong = rx_executable_load(argv[1], NULL, &exe, message) || rx_context_new(exe, NULL, &ctx, message);
    if (wrong) fprintf(stderr, "%s\n", message);
    if (!wrong) printf("%s\n", rx_executable_signature(exe, "main"));
    if (!wrong) wrong = call_main(ctx, argv + 2, (uint32_t)argc - 2);
    rx_context_release(ctx);
    rx_executable_release(exe);
    return wrong;
}
