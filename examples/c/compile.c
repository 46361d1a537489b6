// compile.c - compiles a module from a text in memory and shows what the compiler has to say.
//   cc compile.c $(pkg-config --cflags --libs relax-compiler) -o compile && ./compile double.rlx
#include <relax/compiler.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "from tvm.script import ir as I\n"
                           "from tvm.script import relax as R\n"
                           "\n"
                           "@I.ir_module\n"
                           "class Module:\n"
                           "    @R.function\n"
                           "    def main(x: R.Tensor((\"n\", 4), dtype=\"float32\")):\n"
                           "        y = R.add(x, x)\n"
                           "        return R.nn.relu(y)\n";

// A text with a mistake gives diagnostics, each with its place.
static void show_mistake(rx_session *s) {
    static const char wrong[] = "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((\"n\",))):\n"
                                "        return R.ad(x, x)\n";
    rx_module *m = NULL;
    rx_diagnostic d = {.struct_size = sizeof d};
    rx_module_parse(s, "wrong.py", wrong, strlen(wrong), &m);
    for (uint32_t i = 0; rx_session_diagnostic(s, i, &d) == RX_OK; i++)
        printf("line %u, column %u: %s\n", d.line, d.column, d.message);
    rx_module_release(m); // NULL after a failure
}

int main(int argc, char **argv) {
    rx_session *s = NULL;
    rx_module *m = NULL;
    if (argc != 2) return fprintf(stderr, "usage: compile OUT.rlx\n"), 2;
    if (rx_session_new(NULL, &s)) return fprintf(stderr, "no memory\n"), 1;
    show_mistake(s);
    const rx_compile_options options = {.struct_size = sizeof options, .jobs = 1};
    int wrong = rx_module_parse(s, "double.py", text, strlen(text), &m) || rx_module_bound(m, "n", 1, 4096) ||
                rx_module_compile(m, &options, argv[1]);
    if (wrong) fputs(rx_session_report(s), stderr);
    if (!wrong) printf("wrote %s\n", argv[1]);
    rx_module_release(m);
    rx_session_release(s);
    return wrong;
}
