// run_observe.c - the work inside a call, as a table, as a trace, checked for NaN, or as files.
#include "cli/run_observe.h"
#include "base/clock.h"
#include "base/file.h"
#include "cli/sites.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

run_observation observation_of(const cli_args *a, bool *wanted) {
    run_observation o = {.a = a,
                         .profile = cli_flag(a, "profile"),
                         .check_nan = cli_flag(a, "check-nan"),
                         .dump = cli_value(a, "dump-tensors"),
                         .row_of = MAP_IN(a->mem),
                         .trace = TEXT_IN(a->mem),
                         .traced = cli_value(a, "trace") != NULL};
    *wanted = o.profile || o.check_nan || o.dump || o.traced;
    return o;
}

run_observation observation_of_profile(const cli_args *a) {
    return (run_observation){.a = a, .profile = true, .row_of = MAP_IN(a->mem), .trace = TEXT_IN(a->mem)};
}

void observation_restart(run_observation *o) {
    o->rows.len = 0;
    o->row_of = MAP_IN(o->a->mem);
    o->trace = TEXT_IN(o->a->mem);
    o->zero = 0;
    memset(o->gap, 0, sizeof o->gap);
}

// --- Time of no kernel. What the observer itself takes counts for nothing.

void observation_begin(run_observation *o) { o->left = clock_nanoseconds(); }

void observation_mark(run_observation *o, observed_gap what) {
    uint64_t now = clock_nanoseconds();
    o->gap[what] += now - o->left;
    o->left = now;
}

// --- Where work stands: the metadata has lines "FUNCTION WORD PLACE BINDING".

// "mlp.py:7 lv3", or "" if the file doesn't say.
static const char *place_of(const run_observation *o, const rx_event *e) {
    size_t size;
    const char *table = bindings_of(o->exe, o->context, &size);
    const char *key = arena_format(o->a->mem, "%s %u ", e->function, e->word), *end = table ? table + size : NULL;
    size_t length = strlen(key);
    for (const char *line = table; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) stop = end;
        if ((size_t)(stop - line) > length && memcmp(line, key, length) == 0)
            return arena_copy(o->a->mem, line + length, (size_t)(stop - line) - length);
        line = stop + 1;
    }
    return "";
}

// --- The table.

static const char *shapes_of(const run_observation *o, const rx_event *e) {
    text t = TEXT_IN(o->a->mem);
    for (uint32_t i = 0; i < e->values; i++) {
        const rx_value *v = rx_event_tensor(e, i);
        if (!v) continue;
        text_put(&t, t.len ? " (" : "(");
        for (uint32_t d = 0; d < rx_tensor_rank(v); d++)
            text_format(&t, "%s%" PRId64, d ? "," : "", rx_tensor_dims(v)[d]);
        text_put_char(&t, ')');
    }
    return text_get(&t);
}

// A number for the kernel's name (the file's own string) and the shapes; the bytes of the tensors are added up. Texts
// would drive what is measured out of the caches: a third of what passed between kernels.
static uint64_t key_of(const rx_event *e, uint64_t *bytes) {
    uint64_t key = hash_bytes(&e->name, sizeof e->name, 0);
    for (uint32_t i = 0; i < e->values; i++) {
        const rx_value *v = rx_event_tensor(e, i);
        if (!v) continue;
        *bytes += rx_tensor_bytes(v);
        key = hash_bytes(rx_tensor_dims(v), rx_tensor_rank(v) * sizeof(int64_t), key);
    }
    return key;
}

static void add_work(machine_work *sum, const machine_work *w) {
    sum->flops += w->flops;
    sum->double_flops += w->double_flops;
    sum->dot_ops += w->dot_ops;
    sum->bytes += w->bytes;
    sum->known = sum->known && w->known;
}

// The row of a kernel, or of its first phase.
static work_row *find_row(run_observation *o, const rx_event *e, uint64_t kernel, bool phase) {
    uint64_t key = phase ? hash_mix(kernel, 1) : kernel;
    uintptr_t known = (uintptr_t)map_find(&o->row_of, key);
    if (known) return &o->rows.at[known - 1];
    arena *mem = o->a->mem;
    const work_row fresh = {.name = phase ? arena_format(mem, "%s in %s", e->phase, e->name)
                                          : arena_format(mem, "%s", e->name),
                            .shapes = shapes_of(o, e),
                            .phase = phase,
                            .work = {.known = !phase}};
    VEC_PUSH(mem, &o->rows, fresh);
    map_put(&o->row_of, key, (void *)(uintptr_t)o->rows.len);
    return &o->rows.at[o->rows.len - 1];
}

// Phases are rows of their own. What was counted is of all phases together and stands with the last one.
static void add_row(run_observation *o, const rx_event *e) {
    uint64_t bytes = 0, key = key_of(e, &bytes), from = e->begin;
    if (e->phase) {
        work_row *first = find_row(o, e, key, true);
        first->calls++;
        first->nanoseconds += e->phase_end - e->begin;
        from = e->phase_end;
    }
    work_row *row = find_row(o, e, key, false);
    const machine_work w = machine_work_of(e);
    row->calls++;
    row->bytes += bytes;
    row->nanoseconds += e->end - from;
    add_work(&row->work, &w);
}

static int by_time(const void *a, const void *b) {
    uint64_t x = ((const work_row *)a)->nanoseconds, y = ((const work_row *)b)->nanoseconds;
    return (x < y) - (x > y);
}

bool observation_measure(run_observation *o, unsigned threads) {
    if (o->rows.len) qsort(o->rows.at, o->rows.len, sizeof *o->rows.at, by_time);
    return machine_measure(o->a->mem, threads, &o->limits);
}

static const char *const gap_name[] = {
    [GAP_HAND_OFF] = "between kernels", [GAP_CHOICE] = "choosing tokens", [GAP_TEXT] = "writing text"};

static uint64_t all_nanoseconds(const run_observation *o) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < o->rows.len; i++) sum += o->rows.at[i].nanoseconds;
    for (int i = 0; i < OBSERVED_GAPS; i++) sum += o->gap[i];
    return sum;
}

// What one run reads and writes: until a tensor's turn comes again all of it has gone through the caches.
static double run_bytes(const run_observation *o) {
    double sum = 0;
    for (uint32_t i = 0; i < o->rows.len; i++)
        sum += o->rows.at[i].work.known ? o->rows.at[i].work.bytes : (double)o->rows.at[i].bytes;
    return sum / (double)(o->runs ? o->runs : 1);
}

// Rates of one row; below 0 where the compiler could not count its work.
typedef struct row_rates {
    double seconds, share, flops, bytes, of_limit;
} row_rates;

static row_rates rates_of(const run_observation *o, const work_row *r, uint64_t all) {
    row_rates rates = {
        .seconds = (double)r->nanoseconds * 1e-9, .bytes = r->phase ? -1 : 0, .flops = -1, .of_limit = -1};
    if (!r->nanoseconds) return rates;
    rates.share = (double)r->nanoseconds / (double)all;
    if (r->phase) return rates;
    rates.bytes = (r->work.known ? r->work.bytes : (double)r->bytes) / rates.seconds;
    if (!r->work.known) return rates;
    rates.flops = (r->work.flops + r->work.double_flops + r->work.dot_ops) / rates.seconds;
    rates.of_limit = machine_least_seconds(&o->limits, &r->work, run_bytes(o)) / rates.seconds;
    return rates;
}

// A column of 9: the number, or "-" for what isn't known.
static const char *cell(const run_observation *o, const char *format, double value) {
    return value < 0 ? "-" : arena_format(o->a->mem, format, value);
}

void observation_print(const run_observation *o, text *t) {
    enum { SHOWN = 60 }; // bytes of the shapes
    char total[32], mean[32];
    uint64_t all = all_nanoseconds(o);
    text_format(t, "%7s %10s %10s %7s %9s %9s %9s  %s\n", "calls", "total", "mean", "share", "GFLOP/s", "GB/s",
                "of limit", "kernel");
    for (uint32_t i = 0; i < o->rows.len; i++) {
        const work_row *r = &o->rows.at[i];
        const row_rates rates = rates_of(o, r, all);
        text_format(t, "%7" PRIu64 " %10s %10s %6.1f%% %9s %9s %9s  %s %.*s%s\n", r->calls,
                    text_seconds(rates.seconds, total), text_seconds(rates.seconds / (double)r->calls, mean),
                    100 * rates.share, cell(o, "%.2f", rates.flops * 1e-9), cell(o, "%.2f", rates.bytes * 1e-9),
                    cell(o, "%.1f%%", 100 * rates.of_limit), r->name, SHOWN, r->shapes,
                    strlen(r->shapes) > SHOWN ? "..." : "");
    }
    for (int i = 0; i < OBSERVED_GAPS; i++)
        if (o->gap[i])
            text_format(t, "%7s %10s %10s %6.1f%% %9s %9s %9s  (%s)\n", "",
                        text_seconds((double)o->gap[i] * 1e-9, total), "", 100 * (double)o->gap[i] / (double)all, "",
                        "", "", gap_name[i]);
    text_format(t, "%7s %10s\n", "", text_seconds((double)all * 1e-9, total));
}

static void put_row(const run_observation *o, const work_row *r, uint64_t all, text *t) {
    const row_rates rates = rates_of(o, r, all);
    text_put(t, "{\"kernel\": ");
    cli_json_string(t, r->name, strlen(r->name));
    text_put(t, ", \"shapes\": ");
    cli_json_string(t, r->shapes, strlen(r->shapes));
    text_format(t, ", \"calls\": %" PRIu64 ", \"seconds\": %.9f, \"share\": %.6g, \"bytes_per_second\": %s", r->calls,
                rates.seconds, rates.share, rates.bytes < 0 ? "null" : cell(o, "%.6g", rates.bytes));
    text_format(t, ", \"flops_per_second\": %s", rates.flops < 0 ? "null" : cell(o, "%.6g", rates.flops));
    text_format(t, ", \"share_of_limit\": %s}", rates.of_limit < 0 ? "null" : cell(o, "%.6g", rates.of_limit));
}

void observation_print_json(const run_observation *o, text *t) {
    uint64_t all = all_nanoseconds(o);
    text_put(t, "{\"machine\": ");
    machine_print_json(&o->limits, t);
    text_put(t, ", \"kernels\": [");
    for (uint32_t i = 0; i < o->rows.len; i++) {
        text_put(t, i ? ",\n " : "\n ");
        put_row(o, &o->rows.at[i], all, t);
    }
    text_format(t, "], \"between_seconds\": %.9f, \"choosing_seconds\": %.9f, \"writing_seconds\": %.9f}",
                (double)o->gap[GAP_HAND_OFF] * 1e-9, (double)o->gap[GAP_CHOICE] * 1e-9,
                (double)o->gap[GAP_TEXT] * 1e-9);
}

// --- The trace.

static void add_slice(run_observation *o, const rx_event *e, const char *name, uint64_t end) {
    const char *shapes = shapes_of(o, e), *place = place_of(o, e);
    if (!o->zero) o->zero = e->begin;
    text_put(&o->trace, o->trace.len ? ",\n{\"name\": " : "{\"name\": ");
    cli_json_string(&o->trace, name, strlen(name));
    text_format(&o->trace,
                ", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": %.3f, \"dur\": %.3f, \"args\": {\"shapes\": ",
                (double)(e->begin - o->zero) * 1e-3, (double)(end - e->begin) * 1e-3);
    cli_json_string(&o->trace, shapes, strlen(shapes));
    text_put(&o->trace, ", \"at\": ");
    cli_json_string(&o->trace, place, strlen(place));
    text_put(&o->trace, "}}");
}

// A first phase lies within its kernel.
static void add_event(run_observation *o, const rx_event *e) {
    add_slice(o, e, e->name, e->end);
    if (e->phase) add_slice(o, e, e->phase, e->phase_end);
}

int observation_open(run_observation *o) {
    char why[FILE_WHY];
    if (o->dump && folder_make(o->dump, why) != RX_OK) return cli_error("--dump-tensors: %s", why);
    if (!o->traced || new_file_open(cli_value(o->a, "trace"), &o->trace_file, why) == RX_OK) return CLI_DONE;
    return cli_error("--trace: %s", why);
}

int observation_finish(run_observation *o) {
    char why[FILE_WHY];
    if (!o->trace_file) return CLI_DONE;
    text t = TEXT_IN(o->a->mem);
    text_format(&t, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n%s\n]}\n", text_get(&o->trace));
    (void)!new_file_write(o->trace_file, text_get(&t), t.len); // commit tells
    rx_status status = new_file_commit(o->trace_file, why);
    o->trace_file = NULL;
    return status == RX_OK ? CLI_DONE : cli_error("--trace: %s", why);
}

void observation_close(run_observation *o) {
    new_file_discard(o->trace_file);
    o->trace_file = NULL;
}

// --- Numbers.

// Where a float of this type keeps its exponent: all ones is NaN or infinite.
typedef struct float_shape {
    const char *dtype;
    uint32_t bytes;
    uint64_t exponent;
} float_shape;
static const float_shape floats[] = {
    {"float16", 2, 0x7c00}, {"bfloat16", 2, 0x7f80}, {"float32", 4, 0x7f800000}, {"float64", 8, 0x7ff0000000000000}};

// The index of the first element that is not finite, -1 if all are.
static int64_t first_not_finite(const rx_value *v) {
    const float_shape *f = NULL;
    for (size_t i = 0; i < COUNT(floats); i++)
        if (strcmp(floats[i].dtype, rx_tensor_dtype(v)) == 0) f = &floats[i];
    if (!f) return -1;
    const uint8_t *at = rx_tensor_data(v);
    for (size_t i = 0; i < rx_tensor_bytes(v) / f->bytes; i++) {
        uint64_t bits = 0;
        memcpy(&bits, at + i * f->bytes, f->bytes); // little endian, as all of our machines
        if ((bits & f->exponent) == f->exponent) return (int64_t)i;
    }
    return -1;
}

static rx_status check_numbers(const run_observation *o, const rx_event *e, uint32_t i, char *message) {
    const rx_value *v = rx_event_tensor(e, i);
    int64_t at = v ? first_not_finite(v) : -1;
    if (at < 0) return RX_OK;
    const char *place = place_of(o, e);
    bool fused = strncmp(e->name, "fused_", 6) == 0; // from several lines, of which the table has the last
    snprintf(message, RX_MESSAGE, "%s: %s gives a NaN or infinity: element %" PRId64 " of output %u%s%s%s", e->function,
             e->name, at, i - (e->values - e->outputs), *place ? ", from " : "", place,
             *place && fused ? " or one of the lines before it that became one kernel with it" : "");
    return RX_INVALID_ARGUMENT;
}

static rx_status dump(run_observation *o, const rx_event *e, uint32_t i, char *message) {
    const rx_value *v = rx_event_tensor(e, i);
    if (!v) return RX_OK;
    const char *path = arena_format(o->a->mem, "%s/%05u.%s.%s.npy", o->dump, o->dumped++, e->function, e->name);
    return rx_tensor_save(v, path, message);
}

static rx_status show_event(run_observation *o, const rx_event *e, char *message) {
    if (o->profile) add_row(o, e);
    if (o->traced) add_event(o, e);
    for (uint32_t i = e->values - e->outputs; i < e->values; i++) {
        if (o->dump) RX_TRY(dump(o, e, i, message));
        if (o->check_nan) RX_TRY(check_numbers(o, e, i, message));
    }
    return RX_OK;
}

rx_status observe_run(void *user, const rx_event *e, char *message) {
    run_observation *o = user;
    if (o->left && o->left <= e->begin) o->gap[GAP_HAND_OFF] += e->begin - o->left;
    rx_status status = show_event(o, e, message);
    o->left = clock_nanoseconds();
    return status;
}
