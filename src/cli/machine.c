// machine.c - measures the limits of this machine with kernels of our own.
#include "cli/machine.h"
#include "arch/arch.h"
#include "base/clock.h"
#include "base/count_noun.h"
#include "base/cpu.h"
#include "cli/verb.h"
#include "relax/compiler.h"
#include <stdlib.h>
#include <string.h>

enum {
    CHAINS = 12,     // independent sums: enough for the latency of two units, few enough for 16 registers
    STEPS = 50000,   // of each chain in a run
    WIDE = 1024,     // vectors of a thread's argument, of which one is used: small launches stay on one thread
    STREAMS = 2,     // that a thread reads side by side
    ROW = 4,         // vectors of a stream that one step reads
    LEAST_RUNS = 10, // of each measurement; the best counts
    MOST_RUNS = 200,
    READ_AT_ONCE = 8 << 20, // bytes a run reads at least, so that starting it doesn't show
};
static const double measuring = 0.03; // seconds for each figure

static const char *const machine_level_name[MACHINE_LEVELS] = {"L1", "L2", "L3", "memory"};

// --- The kernels. %L is a vector's elements, %t their type, %s what one step makes of a chain.

static const char chain_text[] =
    "    @T.prim_func(private=True, s_tir=True)\n"
    "    def chains_%n(var_x: T.handle, var_y: T.handle):\n"
    "        T.func_attr({\"tirx.noalias\": True})\n"
    "        p = T.int64()\n"
    "        x = T.match_buffer(var_x, (p, T.int64(%W), T.int64(%L)), \"%t\")\n"
    "        y = T.match_buffer(var_y, (p, T.int64(%C), T.int64(%L)), \"%t\")\n"
    "        for i in T.parallel(p):\n"
    "            with T.sblock(\"work\"):\n"
    "                v = T.axis.spatial(p, i)\n"
    "                c = T.sblock_alloc_buffer((T.int64(%C), T.int64(%L)), \"%t\", scope=\"local\")\n"
    "                for a in T.unroll(T.int64(%C)):\n"
    "                    for l in T.vectorized(T.int64(%L)):\n"
    "                        c[a, l] = x[v, 0, l] + T.Cast(\"%t\", a)\n"
    "                for k in range(T.int64(%S)):\n"
    "                    for a in T.unroll(T.int64(%C)):\n"
    "                        for l in T.vectorized(T.int64(%L)):\n"
    "                            c[a, l] = %s\n"
    "                for a in T.unroll(T.int64(%C)):\n"
    "                    for l in T.vectorized(T.int64(%L)):\n"
    "                        y[v, a, l] = c[a, l]\n"
    "    @R.function\n"
    "    def %n(x: R.Tensor((\"p\", %W, %L), \"%t\")):\n"
    "        p = T.int64()\n"
    "        y = R.call_tir(Module.chains_%n, (x,), out_sinfo=R.Tensor((p, %C, %L), \"%t\"))\n"
    "        return y\n";

// Each thread reads its own part, over and over as often as `times` is long.
static const char read_text[] =
    "    @T.prim_func(private=True, s_tir=True)\n"
    "    def sums(var_x: T.handle, var_times: T.handle, var_y: T.handle):\n"
    "        T.func_attr({\"tirx.noalias\": True})\n"
    "        p = T.int64()\n"
    "        m = T.int64()\n"
    "        r = T.int64()\n"
    "        x = T.match_buffer(var_x, (p, T.int64(%M), m, T.int64(%R), T.int64(%L)), \"float32\")\n"
    "        times = T.match_buffer(var_times, (r,), \"int8\")\n"
    "        y = T.match_buffer(var_y, (p, T.int64(%M), T.int64(%R), T.int64(%L)), \"float32\")\n"
    "        for i in T.parallel(p):\n"
    "            with T.sblock(\"work\"):\n"
    "                v = T.axis.spatial(p, i)\n"
    "                c = T.sblock_alloc_buffer((T.int64(%M), T.int64(%R), T.int64(%L)), \"float32\", scope=\"local\")\n"
    "                for a in T.unroll(T.int64(%M)):\n"
    "                    for b in T.unroll(T.int64(%R)):\n"
    "                        for l in T.vectorized(T.int64(%L)):\n"
    "                            c[a, b, l] = T.float32(0)\n"
    "                for t in range(r):\n"
    "                    for k in range(m):\n"
    "                        for a in T.unroll(T.int64(%M)):\n"
    "                            for b in T.unroll(T.int64(%R)):\n"
    "                                for l in T.vectorized(T.int64(%L)):\n"
    "                                    c[a, b, l] = c[a, b, l] + x[v, a, k, b, l]\n"
    "                for a in T.unroll(T.int64(%M)):\n"
    "                    for b in T.unroll(T.int64(%R)):\n"
    "                        for l in T.vectorized(T.int64(%L)):\n"
    "                            y[v, a, b, l] = c[a, b, l]\n"
    "    @R.function\n"
    "    def read(x: R.Tensor((\"p\", %M, \"m\", %R, %L), \"float32\"), times: R.Tensor((\"r\",), \"int8\")):\n"
    "        p = T.int64()\n"
    "        y = R.call_tir(Module.sums, (x, times), out_sinfo=R.Tensor((p, %M, %R, %L), \"float32\"))\n"
    "        return y\n";

typedef struct kernel_words {
    const char *name, *type, *step;
    unsigned lanes;
} kernel_words;

// Fills a text's words in.
static void put_kernel(text *t, const char *from, const kernel_words *w) {
    for (; *from; from++) {
        if (*from != '%') {
            text_put_char(t, *from);
            continue;
        }
        switch (*++from) {
        case 'n': text_put(t, w->name); break;
        case 't': text_put(t, w->type); break;
        case 's': text_put(t, w->step); break;
        case 'L': text_format(t, "%u", w->lanes); break;
        case 'C': text_format(t, "%d", CHAINS); break;
        case 'W': text_format(t, "%d", WIDE); break;
        case 'S': text_format(t, "%d", STEPS); break;
        case 'M': text_format(t, "%d", STREAMS); break;
        case 'R': text_format(t, "%d", ROW); break;
        }
    }
}

// --- Measuring.

typedef struct measurement {
    arena *mem;
    unsigned vector_bytes;
    rx_executable *exe;
    rx_context *context;
    machine_limits *out;
} measurement;

// Our own compiler makes the kernels: what can't be reached with it is no limit for its programs.
static bool compile(measurement *m, void **bytes, size_t *size) {
    static const char *const host[] = {"cpu:host"};
    const rx_compile_options o = {.struct_size = sizeof o, .target = host, .targets = 1};
    unsigned lanes = m->vector_bytes / 4;
    text t = TEXT_IN(m->mem);
    text_put(&t, "@I.ir_module\nclass Module:\n");
    put_kernel(&t, chain_text, &(kernel_words){"flops", "float32", "T.fma(c[a, l], x[v, 0, l], x[v, 0, l])", lanes});
    put_kernel(&t, chain_text,
               &(kernel_words){"doubles", "float64", "T.fma(c[a, l], x[v, 0, l], x[v, 0, l])", lanes / 2});
    put_kernel(&t, chain_text,
               &(kernel_words){"dots", "int32",
                               "T.dp4a(\"int32\", T.reinterpret(\"uint32\", x[v, 0, l]), x[v, 0, l], c[a, l])", lanes});
    put_kernel(&t, read_text, &(kernel_words){.lanes = lanes});
    rx_session *s = NULL;
    rx_module *module = NULL;
    bool ok = rx_session_new(NULL, &s) == RX_OK &&
              rx_module_parse(s, "machine", text_get(&t), t.len, &module) == RX_OK &&
              rx_module_compile_memory(module, &o, bytes, size) == RX_OK;
    if (!ok) cli_error("measuring this machine: %s", s ? rx_session_report(s) : "out of memory");
    rx_module_release(module);
    rx_session_release(s);
    return ok;
}

// The best time of a call; 0 after a failure.
static double best_seconds(const measurement *m, const char *function, rx_value *const *arg, uint32_t count) {
    double best = 0, start = clock_seconds();
    for (int i = 0; i < MOST_RUNS && (i < LEAST_RUNS || clock_seconds() - start < measuring); i++) {
        rx_value *result = NULL;
        double begin = clock_seconds();
        if (rx_context_call(m->context, function, arg, count, &result) != RX_OK) return 0;
        double seconds = clock_seconds() - begin;
        rx_value_release(result);
        if (i == 1 || (i && seconds < best)) best = seconds; // the first run warms up
    }
    return best;
}

// Operations a second of a function of chains.
static bool measure_chains(const measurement *m, const char *function, const char *dtype, unsigned lanes, double each,
                           double *out) {
    rx_value *x = NULL;
    const int64_t dim[] = {m->out->threads, WIDE, lanes};
    if (rx_tensor_new(dtype, 3, dim, NULL, &x) != RX_OK) return cli_error("out of memory"), false;
    memset(rx_tensor_data(x), 0x3c, rx_tensor_bytes(x)); // 0.0115 as a float32, 4e-18 as a float64
    double seconds = best_seconds(m, function, &x, 1);
    rx_value_release(x);
    if (seconds <= 0) return cli_error("measuring this machine: %s", rx_context_message(m->context)), false;
    *out = each * (double)CHAINS * (double)STEPS * lanes * m->out->threads / seconds;
    return true;
}

// Bytes a second out of `bytes` of memory, shared among the threads.
static bool measure_read(const measurement *m, size_t bytes, double *out) {
    int64_t step = STREAMS * ROW * (int64_t)m->vector_bytes, rows = (int64_t)bytes / m->out->threads / step;
    if (rows < 1) rows = 1;
    double read = (double)(rows * step) * m->out->threads;
    const int64_t dim[] = {m->out->threads, STREAMS, rows, ROW, m->vector_bytes / 4};
    const int64_t times[] = {(int64_t)((double)READ_AT_ONCE / read) + 1};
    rx_value *arg[2] = {NULL, NULL};
    bool ok = rx_tensor_new("float32", 5, dim, NULL, &arg[0]) == RX_OK &&
              rx_tensor_new("int8", 1, times, NULL, &arg[1]) == RX_OK;
    if (ok) memset(rx_tensor_data(arg[0]), 0x3c, rx_tensor_bytes(arg[0])); // so that every page is there
    double seconds = ok ? best_seconds(m, "read", arg, 2) : 0;
    rx_value_release(arg[0]);
    rx_value_release(arg[1]);
    if (seconds <= 0)
        return cli_error("measuring this machine: %s", ok ? rx_context_message(m->context) : "out of memory"), false;
    *out = read * (double)times[0] / seconds;
    return true;
}

// Half of a cache is read, so that it stays there beside whatever else runs; memory by four times the last cache.
static bool measure_levels(const measurement *m) {
    enum { LARGEST = 512 << 20 };
    machine_limits *out = m->out;
    out->room[MACHINE_L1] = cpu_cache_bytes(1) * out->threads;
    out->room[MACHINE_L2] = cpu_cache_bytes(2) * out->threads;
    out->room[MACHINE_L3] = cpu_cache_bytes(3);
    uint64_t beyond = out->room[MACHINE_L3] * 4 < LARGEST / 4 ? LARGEST / 4 : out->room[MACHINE_L3] * 4;
    out->room[MACHINE_MEMORY] = UINT64_MAX;
    for (int i = 0; i < MACHINE_MEMORY; i++)
        if (out->room[i] && !measure_read(m, (size_t)out->room[i] / 2, &out->read[i])) return false;
    if (!measure_read(m, beyond < LARGEST ? beyond : LARGEST, &out->read[MACHINE_MEMORY])) return false;
    for (int i = MACHINE_MEMORY; i-- > 0;) // other work on the machine makes a figure worse, never better
        if (out->read[i] > 0 && out->read[i] < out->read[i + 1]) out->read[i] = out->read[i + 1];
    return true;
}

static bool measure_all(measurement *m, const void *bytes, size_t size, unsigned threads) {
    char why[RX_MESSAGE];
    rx_stats stats = {.struct_size = sizeof stats};
    const rx_context_options o = {.struct_size = sizeof o, .threads = threads};
    unsigned lanes = m->vector_bytes / 4;
    if (rx_executable_load_memory(bytes, size, NULL, &m->exe, why) != RX_OK ||
        rx_context_new(m->exe, &o, &m->context, why) != RX_OK)
        return cli_error("measuring this machine: %s", why), false;
    rx_context_stats(m->context, &stats);
    m->out->threads = stats.threads;
    return measure_chains(m, "flops", "float32", lanes, 2, &m->out->flops) &&
           measure_chains(m, "doubles", "float64", lanes / 2, 2, &m->out->double_flops) &&
           measure_chains(m, "dots", "int32", lanes, 8, &m->out->dot_ops) && measure_levels(m);
}

// The best of several runs counts: other programs make the numbers smaller, never larger.
bool machine_measure(arena *mem, unsigned threads, machine_limits *out) {
    char why[256];
    void *bytes = NULL;
    size_t size = 0;
    const arch *host = arch_parse(mem, "cpu:host", why);
    *out = (machine_limits){0};
    if (!host) return cli_error("%s", why), false;
    measurement m = {.mem = mem, .vector_bytes = host->vector_bytes, .out = out};
    bool ok = compile(&m, &bytes, &size) && measure_all(&m, bytes, size, threads);
    rx_context_release(m.context);
    rx_executable_release(m.exe);
    rx_bytes_free(bytes);
    return ok;
}

// --- Using the limits.

// Kernels whose work is unknown make the whole unknown.
machine_work machine_work_of(const rx_event *e) {
    machine_work w = {.known = e->flops >= 0 && e->double_flops >= 0 && e->dot_ops >= 0 && e->bytes >= 0};
    if (w.known) {
        w.flops = (double)e->flops, w.double_flops = (double)e->double_flops;
        w.dot_ops = (double)e->dot_ops, w.bytes = (double)e->bytes;
    }
    return w;
}

double machine_least_seconds(const machine_limits *m, const machine_work *w, double run_bytes) {
    int level = 0;
    while (level < MACHINE_MEMORY && (m->read[level] <= 0 || run_bytes > (double)m->room[level])) level++;
    // One unit does all arithmetic, so its parts add up; loads go on beside it.
    double compute = w->flops / m->flops + w->double_flops / m->double_flops + w->dot_ops / m->dot_ops;
    double load = w->bytes / m->read[level];
    return compute > load ? compute : load;
}

void machine_print(const machine_limits *m, text *t) {
    char size[32];
    text_format(t, "%s\n", COUNTED(m->threads, "thread"));
    text_format(t, "  float32 multiply-adds       %10.1f GFLOP/s\n", m->flops * 1e-9);
    text_format(t, "  float64 multiply-adds       %10.1f GFLOP/s\n", m->double_flops * 1e-9);
    text_format(t, "  dot products of bytes       %10.1f GOP/s\n", m->dot_ops * 1e-9);
    for (int i = 0; i < MACHINE_LEVELS; i++) {
        if (m->read[i] <= 0) continue;
        const char *room = i == MACHINE_MEMORY ? "" : arena_format(t->mem, " (%s)", text_bytes(m->room[i], size));
        text_format(t, "  read from %-17s %10.1f GB/s\n", arena_format(t->mem, "%s%s", machine_level_name[i], room),
                    m->read[i] * 1e-9);
    }
}

void machine_print_json(const machine_limits *m, text *t) {
    text_format(t, "{\"threads\": %u, \"float32_gflops\": %.3f, \"float64_gflops\": %.3f, \"int8_gops\": %.3f",
                m->threads, m->flops * 1e-9, m->double_flops * 1e-9, m->dot_ops * 1e-9);
    for (int i = 0; i < MACHINE_LEVELS; i++)
        if (m->read[i] > 0) text_format(t, ", \"%s_read_gbs\": %.3f", machine_level_name[i], m->read[i] * 1e-9);
    text_put(t, "}");
}
