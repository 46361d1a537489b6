// bench.c - `relax bench`: the speed of a function of a module, of a language model, or of the machine.
#include "cli/bench.h"
#include "base/text.h"
#include "checkpoint/checkpoint.h"
#include "cli/language.h"
#include "cli/machine.h"
#include "exec/exec.h"

// The same numbers that `relax run --profile` holds kernels against.
static int print_machine(const cli_args *a) {
    int64_t threads;
    machine_limits limits;
    text t = TEXT_IN(a->mem);
    if (!cli_int(a, "threads", 0, RX_MAX_THREADS, &threads)) return CLI_USAGE;
    if (!machine_measure(a->mem, (unsigned)threads, &limits)) return CLI_WRONG;
    if (cli_flag(a, "json"))
        machine_print_json(&limits, &t);
    else
        machine_print(&limits, &t);
    if (cli_flag(a, "json")) text_put(&t, "\n");
    return cli_print(&t);
}

// A compiled file is a language model if it came from a checkpoint, or can be run as one.
static bool is_model(const char *path) {
    executable *e = NULL;
    rx_llm *model = NULL;
    if (!text_ends(path, ".rlx")) return checkpoint_is(path);
    if (exec_load(path, NULL, &e, NULL) != RX_OK) return false;
    bool model_file = exec_find_function(e, "forward") != EXEC_NONE;
    exec_release(e);
    if (model_file) model_file = rx_llm_load(path, &model, NULL) == RX_OK;
    rx_llm_release(model);
    return model_file;
}

// The first of the options that was given; NULL: none.
static const char *given_of(const cli_args *a, const char *const *option) {
    uint32_t given = 0;
    while (*option && (cli_values(a, *option, &given), !given)) option++;
    return *option;
}

// Options that only models have would be passed over.
static int bench_function(const cli_args *a) {
    static const char *const models_only[] = {"prompt",      "generate",  "sequences", "context",
                                              "activations", "mem-limit", NULL};
    uint32_t given;
    const char *option = given_of(a, models_only);
    if (option)
        return cli_usage(a, "--%s is for language models; %s is measured as a module%s", option, a->positional[0],
                         cli_value(a, "func") ? " because of --func" : "");
    if (cli_values(a, "target", &given), given && text_ends(a->positional[0], ".rlx"))
        return cli_usage(a, "--target: %s is compiled already; want a module in text form", a->positional[0]);
    return bench_module(a);
}

// --func measures a function of any file; without it, what the file is decides.
static int run(const cli_args *a) {
    static const char *const modules_only[] = {"dim", "input", "target", "surface", "compare", NULL};
    if (cli_flag(a, "machine") && !a->count) return print_machine(a);
    if (cli_flag(a, "machine")) return cli_usage(a, "--machine measures the machine alone; it takes no FILE");
    if (!a->count) return cli_usage(a, "want a FILE, or --machine");
    if (cli_value(a, "func") || !is_model(a->positional[0])) return bench_function(a);
    const char *option = given_of(a, modules_only);
    if (!option) return bench_model(a);
    return cli_usage(a, "--%s is for modules; %s is a language model (--func forward measures its function as one)",
                     option, a->positional[0]);
}

static const cli_option options[] = {
    {.name = "func", .letter = 'f', .value = "NAME", .doc = "modules: the function to measure (default: main)"},
    {.name = "dim",
     .value = "N=VALUE,...",
     .repeat = true,
     .doc = "modules: what a symbolic size is; of several values each is measured (default: 128 within its bounds)"},
    {.name = "input",
     .letter = 'i',
     .value = "NAME=VALUE",
     .repeat = true,
     .doc = "modules: an argument as `relax run` takes it; the others are random, integers 0"},
    {.name = "target",
     .value = "TARGET",
     .preset = "cpu:host",
     .doc = "modules in text form: what they are compiled for"},
    {.name = "surface",
     .value = "FILE",
     .doc = "modules: measures a size over its range, prints time per element and draws it into an SVG file"},
    {.name = "compare", .value = "OLD.json", .doc = "modules: what --json printed before, beside it"},
    {.name = "prompt",
     .letter = 'p',
     .value = "N",
     .preset = "512",
     .doc = "models: tokens taken in at once; 0: not measured"},
    {.name = "generate",
     .letter = 'n',
     .value = "N",
     .preset = "128",
     .doc = "models: tokens one by one; 0: not measured"},
    {.name = "sequences",
     .value = "N",
     .preset = "1",
     .doc = "models: so many sequences grow at once; tokens of all count"},
    {.name = "repeat",
     .letter = 'r',
     .value = "N",
     .preset = "0",
     .doc = "how often each is measured after a warm-up; 0: models 3 times, modules for a second"},
    {.name = "machine", .doc = "measures what this machine can do at most instead"},
    {.name = "json", .doc = "print for programs"},
    LANGUAGE_OPTIONS,
    {0},
};

const cli_verb verb_bench = {
    .name = "bench",
    .summary = "measures the speed of a module, a language model or the machine",
    .usage = "FILE | --machine [options]",
    .least = 0,
    .most = 1,
    .options = options,
    .details =
        "FILE is a module: compiled (.rlx), or in text form, which is compiled for this machine first. Shown are the\n"
        "median time of a call, the 10th and 90th percentile, operations and bytes a second, and how much of what the\n"
        "machine can do at most that is (docs/profiling.md). Or it is a language model: a compiled one, a .gguf file "
        "or\n"
        "a folder. Then the table is like llama-bench's: ppN takes in N tokens at once, tgN N tokens one after the\n"
        "other, tgNxM N tokens of each of M sequences, from an empty cache; mean and standard deviation.\n",
    .examples = "  relax bench mlp.py --dim n=1,16,128\n"
                "  relax bench mlp.rlx --func main -i x=@x.npy --json >new.json\n"
                "  relax bench mlp.rlx --compare old.json\n"
                "  relax bench mlp.py --surface mlp.svg\n"
                "  relax bench model.gguf -p 128 -n 32 -r 5 --threads 2 --json\n"
                "  relax bench --machine\n",
    .run = run,
};
