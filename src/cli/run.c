// run.c - `relax run`: runs a function of a compiled module and shows its results.
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "checkpoint/npz.h"
#include "cli/run_inputs.h"
#include "cli/run_observe.h"
#include "cli/verb.h"
#include "relax/runtime.h"
#include "vm/vm.h"
#include <stdlib.h>
#include <string.h>

typedef struct running {
    const cli_args *a;
    const char *func;
    int64_t repeat, seed, threads;
    double rtol, atol;
    rx_executable *exe;
    rx_context *context;
    rx_value *result;
    double first, median; // seconds
    bool observed;
    run_observation observation;
} running;

static int fail(const char *why) { return cli_error("%s", why); }

// Also before every run that consumes its inputs.
static int set_inputs(const running *r) {
    return run_inputs_set(&(run_inputs){.a = r->a, .context = r->context, .func = r->func, .seed = (uint64_t)r->seed});
}

// --- Running.

// What is timed is the call alone: results are released outside.
static int run_once(running *r, double *seconds) {
    rx_value_release(r->result);
    r->result = NULL;
    observation_begin(&r->observation);
    double start = clock_seconds();
    rx_status status = rx_context_run(r->context, r->func, &r->result);
    *seconds = clock_seconds() - start;
    observation_mark(&r->observation, GAP_HAND_OFF);
    if (status == RX_OK) return CLI_DONE;
    return run_failed(r->context, NULL, "run");
}

static bool takes_donations(const running *r) {
    uint32_t count = rx_executable_param_count(r->exe, r->func);
    for (uint32_t i = 0; i < count; i++)
        if (rx_executable_param_is_donated(r->exe, r->func, i)) return true;
    return false;
}

// The first run is apart: it pages weights in and fills the heap.
static int run_all(running *r) {
    int code = run_once(r, &r->first);
    r->median = r->first;
    if (code != CLI_DONE || !r->repeat) return code;
    double *times = ARENA_NEW(r->a->mem, double, (size_t)r->repeat);
    observation_restart(&r->observation); // the first run is not like the others
    bool again = takes_donations(r);      // what a run consumes is made anew, outside of what is timed
    for (int64_t i = 0; i < r->repeat && code == CLI_DONE; i++) {
        if (again) code = set_inputs(r);
        if (code == CLI_DONE) code = run_once(r, &times[i]);
    }
    clock_sort(times, (size_t)r->repeat);
    r->median = times[r->repeat / 2];
    return code;
}

// --- Results.

// The median, since other programs only ever make a run slower.
static void put_time(const running *r, text *t) {
    char median[32], first[32];
    text_seconds(r->median, median);
    text_seconds(r->first, first);
    if (r->repeat)
        text_format(t, "time: %s (median of %lld; the first took %s)\n", median, (long long)r->repeat, first);
    else
        text_format(t, "time: %s\n", first);
}

static void put_plain(const running *r, const value_list *list, text *t) {
    char shown[400];
    for (uint32_t i = 0; i < list->len; i++) {
        rx_value_print(list->at[i].v, shown, sizeof shown);
        text_format(t, "%s: %s\n", list->at[i].name, shown);
    }
    put_time(r, t);
    if (r->observation.profile) observation_print(&r->observation, t);
}

// Seconds as decimals with nine digits: JSON has no other numbers, and a launch takes microseconds.
static void put_json(const running *r, const value_list *list, text *t) {
    char shown[400];
    text_put(t, "{\"results\": [");
    for (uint32_t i = 0; i < list->len; i++) {
        rx_value_print(list->at[i].v, shown, sizeof shown);
        text_format(t, "%s{\"name\": \"%s\", \"value\": ", i ? ", " : "", list->at[i].name);
        cli_json_string(t, shown, strlen(shown));
        text_put(t, "}");
    }
    rx_stats stats = {.struct_size = sizeof stats};
    rx_context_stats(r->context, &stats);
    text_format(t, "], \"first_seconds\": %.9f, \"median_seconds\": %.9f, \"runs\": %lld, \"variant\": ", r->first,
                r->median, (long long)r->repeat + 1);
    cli_json_string(t, stats.variant, strlen(stats.variant));
    text_format(t, ", \"launches\": %llu, \"peak_bytes\": %llu", (unsigned long long)stats.launches,
                (unsigned long long)stats.peak_bytes);
    if (r->observation.profile) {
        text_put(t, ", \"profile\": ");
        observation_print_json(&r->observation, t);
    }
    text_put(t, "}\n");
}

// Measured after the runs, with as many threads as they had.
static bool measure_machine(running *r) {
    rx_stats stats = {.struct_size = sizeof stats};
    rx_context_stats(r->context, &stats);
    r->observation.runs = r->repeat ? (uint64_t)r->repeat : 1;
    return observation_measure(&r->observation, stats.threads);
}

static int print_results(running *r, const value_list *list) {
    text t = TEXT_IN(r->a->mem);
    if (r->observation.profile && !measure_machine(r)) return CLI_WRONG;
    if (cli_flag(r->a, "json"))
        put_json(r, list, &t);
    else
        put_plain(r, list, &t);
    return cli_print(&t);
}

// All tensors in one archive.
static int save_archive(const running *r, const char *path, const value_list *list) {
    char why[FILE_WHY];
    const char **name = ARENA_NEW(r->a->mem, const char *, list->len + 1);
    tensor **t = ARENA_NEW(r->a->mem, tensor *, list->len + 1);
    size_t count = 0;
    bool ok = true;
    for (uint32_t i = 0; i < list->len; i++) {
        if (rx_value_kind(list->at[i].v) != RX_TENSOR) continue;
        name[count] = list->at[i].name;
        t[count] = vm_tensor_of_value(list->at[i].v);
        ok &= t[count++] != NULL;
    }
    int code = !ok ? fail("out of memory") : npz_write(path, name, t, count, why) == RX_OK ? CLI_DONE : fail(why);
    while (count) tensor_release(t[--count]);
    return code;
}

// Only tensors have a file format; scalars and shapes are printed.
static int save_results(const running *r, const value_list *list) {
    char why[RX_MESSAGE];
    const char *folder = cli_value(r->a, "output");
    if (!folder) return CLI_DONE;
    if (text_ends(folder, ".npz")) return save_archive(r, folder, list);
    for (uint32_t i = 0; i < list->len; i++) {
        if (rx_value_kind(list->at[i].v) != RX_TENSOR) continue;
        const char *path = arena_format(r->a->mem, "%s/%s.npy", folder, list->at[i].name);
        if (rx_tensor_save(list->at[i].v, path, why) != RX_OK) return fail(why);
    }
    return CLI_DONE;
}

static rx_value *find_result(const value_list *list, const char *name) {
    for (uint32_t i = 0; name && i < list->len; i++)
        if (strcmp(list->at[i].name, name) == 0) return list->at[i].v;
    return NULL;
}

static int compare(const running *r, const char *name, const rx_value *got, const rx_value *want) {
    char why[RX_MESSAGE];
    rx_status status = rx_value_compare(got, want, r->rtol, r->atol, why);
    return status == RX_OK ? CLI_DONE : cli_error("%s is not as expected: %s", name, why);
}

static int check_member(const running *r, const value_list *list, npz *archive, const char *name) {
    char why[FILE_WHY];
    tensor *t = NULL;
    rx_value *want = NULL, *got = find_result(list, name);
    if (!got) return cli_error("--expect: the archive has %s, but there is no such result", name);
    if (npz_read(archive, name, &t, why) != RX_OK) return fail(why);
    rx_status status = vm_value_of_tensor(t, &want);
    tensor_release(t);
    int code = status == RX_OK ? compare(r, name, got, want) : fail("out of memory");
    rx_value_release(want);
    return code;
}

// "@out.npz", as --output writes it: each member against the result of its name.
static int check_archive(const running *r, const value_list *list, const char *path) {
    char why[FILE_WHY];
    npz *archive = NULL;
    int code = npz_open(path, &archive, why) == RX_OK ? CLI_DONE : fail(why);
    for (size_t i = 0; code != CLI_WRONG && i < npz_count(archive); i++)
        code = check_member(r, list, archive, npz_name(archive, i));
    npz_close(archive);
    return code;
}

// "out0=@y.npy"
static int check_expected(const running *r, const value_list *list, const char *spelling) {
    char why[RX_MESSAGE];
    if (*spelling == '@' && text_ends(spelling, ".npz")) return check_archive(r, list, spelling + 1);
    const char *value, *name = run_input_name(r->a, spelling, &value);
    rx_value *want = NULL, *got = find_result(list, name);
    if (!got) return cli_error("--expect %s: there is no such result; want out0=VALUE", spelling);
    if (rx_value_parse(value, (uint64_t)r->seed, &want, why) != RX_OK)
        return cli_error("--expect %s: %s", spelling, run_input_reason(why, value));
    int code = compare(r, name, got, want);
    rx_value_release(want);
    return code;
}

// All of them are told, not only the first.
static int check_all_expected(const running *r, const value_list *list) {
    uint32_t count;
    const char *const *expect = cli_values(r->a, "expect", &count);
    int code = CLI_DONE;
    for (uint32_t i = 0; i < count; i++) {
        int one = check_expected(r, list, expect[i]);
        if (one != CLI_DONE) code = one;
    }
    return code;
}

// --- The verb.

static int use(running *r) {
    int code = set_inputs(r);
    if (code == CLI_DONE) code = run_all(r);
    if (code != CLI_DONE) return code;
    value_list list = run_results(r->a->mem, r->result);
    code = print_results(r, &list);
    if (code == CLI_DONE) code = observation_finish(&r->observation);
    if (code == CLI_DONE) code = save_results(r, &list);
    if (code == CLI_DONE) code = check_all_expected(r, &list);
    run_results_release(&list);
    return code;
}

// Before the run, which may be long.
static bool can_save(const cli_args *a) {
    const char *output = cli_value(a, "output");
    if (!output) return true;
    return text_ends(output, ".npz") ? cli_may_write(output) : cli_may_write_into(output);
}

// What was opened is released by the caller, whether this succeeds or not.
static int open_and_use(running *r) {
    char why[RX_MESSAGE];
    r->observation = observation_of(r->a, &r->observed);
    const rx_context_options o = {.struct_size = sizeof o,
                                  .threads = (unsigned)r->threads,
                                  .observer = r->observed ? observe_run : NULL,
                                  .observer_user = &r->observation};
    if (rx_executable_load(r->a->positional[0], NULL, &r->exe, why) != RX_OK) return fail(why);
    if (!can_save(r->a)) return CLI_WRONG;
    r->observation.exe = r->exe;
    if (observation_open(&r->observation) != CLI_DONE) return CLI_WRONG;
    if (rx_context_new(r->exe, &o, &r->context, why) != RX_OK) return fail(why);
    r->observation.context = r->context;
    return use(r);
}

static int run(const cli_args *a) {
    running r = {.a = a, .func = cli_value(a, "func")};
    if (!cli_int(a, "repeat", 0, 10000000, &r.repeat) || !cli_int(a, "seed", 0, INT64_MAX, &r.seed) ||
        !cli_int(a, "threads", 0, RX_MAX_THREADS, &r.threads) || !cli_tolerance(a, "rtol", &r.rtol) ||
        !cli_tolerance(a, "atol", &r.atol) || !cli_apart(a, cli_value(a, "trace"), a->positional[0]))
        return CLI_USAGE;
    int code = open_and_use(&r);
    observation_close(&r.observation);
    rx_value_release(r.result);
    rx_context_release(r.context);
    rx_executable_release(r.exe);
    return code;
}

static const cli_option options[] = {
    {.name = "func", .letter = 'f', .value = "NAME", .preset = "main", .doc = "the function to run"},
    {.name = "input", .letter = 'i', .value = "[NAME=]VALUE", .repeat = true, .doc = "an argument by name or position"},
    {.name = "output",
     .letter = 'o',
     .value = "DIR",
     .doc = "writes each result tensor to DIR/outN.npy; with a name that ends in .npz, all into one archive"},
    {.name = "expect",
     .value = "outN=VALUE",
     .repeat = true,
     .doc = "compares a result; exit code 1 if it differs; @FILE.npz: all that are in the archive"},
    {.name = "rtol", .value = "X", .preset = "1e-5", .doc = "relative tolerance of --expect"},
    {.name = "atol", .value = "X", .preset = "1e-6", .doc = "absolute tolerance of --expect"},
    {.name = "repeat", .value = "N", .preset = "0", .doc = "runs N times more and shows the median time"},
    {.name = "seed", .value = "N", .preset = "0", .doc = "of random inputs", .env = "RELAX_SEED"},
    CLI_THREADS,
    {.name = "profile", .doc = "time and rates of each kernel and shape, beside what the machine can do at most"},
    {.name = "trace", .value = "FILE", .doc = "writes the same as a trace for chrome://tracing or Perfetto"},
    {.name = "check-nan", .doc = "stops at the first NaN or infinity that a kernel gives, and names it"},
    {.name = "dump-tensors", .value = "DIR", .doc = "writes what each kernel gives to DIR/NNNNN.FUNCTION.KERNEL.npy"},
    {.name = "json", .doc = "print for programs"},
    {0}};

const cli_verb verb_run = {
    .name = "run",
    .summary = "runs a function of an .rlx file",
    .usage = "FILE.rlx [--input NAME=VALUE]... [options]",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "Values: f32[7,128] (random), f32[3]:1,2,3 (its elements), [[1,2],[3,4]], @x.npy, 3, 1.5, i32:3, true,\n"
        "(3,4) for a shape, (f32[2],1.5) for a tuple. A number is also a tensor without dims. --input @FILE.npz\n"
        "gives every array of an archive to the parameter of its name.\n"
        "An .rlx holds machine code: run only what you would run as a program.",
    .examples = "  relax run mlp.rlx --input x=f32[7,128] --input w1=@w1.npy\n"
                "  relax run mlp.rlx -i x=@x.npy --expect out0=@y.npy --rtol 1e-4\n"
                "  relax run mlp.rlx -i x=f32[128,128] -i w1=@w1.npy --repeat 100 --profile\n",
    .run = run,
};
