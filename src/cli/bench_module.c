// bench_module.c - `relax bench` of a module: a function's time for given sizes, beside what the machine could do.
#include "base/clock.h"
#include "base/file.h"
#include "base/vec.h"
#include "cli/bench.h"
#include "cli/bench_surface.h"
#include "cli/bench_table.h"
#include "cli/machine.h"
#include "cli/meter.h"
#include "cli/run_inputs.h"
#include "relax/compiler.h"
#include "vm/vm.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    USUAL_DIM = 128, // of a symbol that nothing is said about
    MAX_VALUES = 64, // of one symbol
    MAX_ROWS = 256,
    LEAST_RUNS = 10,
    MAX_RUNS = 100000,
    AGAIN = 3,          // times that sizes of a surface that stand out are measured again
    SURFACE_DIM = 1024, // the largest size of a surface where no lower bound is known
};
static const double long_enough = 1; // seconds of runs where --repeat says nothing

// What a symbol is to be, one value after the other.
typedef struct bench_symbol {
    const exec_symbol *symbol;
    int64_t value[MAX_VALUES];
    uint32_t values;
} bench_symbol;

typedef struct benching {
    const cli_args *a;
    const char *func;
    void *compiled; // the bytes of a module in text form; NULL: the file is mapped
    rx_executable *exe;
    const executable *e;
    const exec_function *f;
    rx_context *context, *observed;
    bench_symbol *symbol; // f->symbols of them
    int64_t *slot;        // f->slots, of the present row
    bench_symbol *swept;  // --surface: the one that runs over its range; NULL: none
    int64_t repeat;
    meter meter; // of the rows
    machine_limits limits;
    machine_work work; // of one call
    double least;      // seconds that the machine needs for it at least
} benching;

// --- Opening.

// Through the public API, as any program would.
static bool compile_text(benching *b, const char *path, size_t *size) {
    const source *from = cli_source(b->a, path);
    if (!from) return false;
    const char *target = cli_value(b->a, "target");
    const rx_compile_options o = {.struct_size = sizeof o, .target = &target, .targets = 1};
    rx_session *s = NULL;
    rx_module *m = NULL;
    bool ok = rx_session_new(NULL, &s) == RX_OK &&
              rx_module_parse(s, from->name, from->bytes, from->size, &m) == RX_OK &&
              rx_module_compile_memory(m, &o, &b->compiled, size) == RX_OK;
    if (!ok && s) fputs(rx_session_report(s), stderr); // as `relax compile` prints it
    if (!ok && !s) cli_error("%s: out of memory", path);
    rx_module_release(m);
    rx_session_release(s);
    return ok;
}

static int load(benching *b) {
    char why[RX_MESSAGE];
    const char *path = b->a->positional[0];
    size_t size;
    if (text_ends(path, ".rlx")) {
        if (rx_executable_load(path, NULL, &b->exe, why) != RX_OK) return cli_error("%s", why);
    } else {
        if (!compile_text(b, path, &size)) return CLI_WRONG;
        if (rx_executable_load_memory(b->compiled, size, NULL, &b->exe, why) != RX_OK) return cli_error("%s", why);
    }
    b->e = vm_executable(b->exe);
    uint32_t f = exec_find_function(b->e, b->func);
    if (f == EXEC_NONE || !(b->e->function[f].flags & FUNCTION_PUBLIC))
        return cli_error("%s: no public function is called %s; want --func NAME", path, b->func);
    b->f = &b->e->function[f];
    return CLI_DONE;
}

static rx_status observe(void *user, const rx_event *e, char *message) {
    benching *b = user;
    machine_work w = machine_work_of(e);
    (void)message;
    b->work.known = b->work.known && w.known;
    b->work.flops += w.flops, b->work.double_flops += w.double_flops;
    b->work.dot_ops += w.dot_ops, b->work.bytes += w.bytes;
    b->least += machine_least_seconds(&b->limits, &w, w.bytes);
    return RX_OK;
}

// Two contexts that share their threads: observing costs time, so what is timed is not observed.
static int open_contexts(benching *b) {
    char why[RX_MESSAGE];
    int64_t threads;
    rx_stats stats = {.struct_size = sizeof stats};
    if (!cli_int(b->a, "threads", 0, RX_MAX_THREADS, &threads)) return CLI_USAGE;
    rx_context_options o = {.struct_size = sizeof o, .threads = (unsigned)threads};
    if (rx_context_new(b->exe, &o, &b->context, why) != RX_OK) return cli_error("%s", why);
    o.observer = observe, o.observer_user = b, o.share_threads = b->context;
    if (rx_context_new(b->exe, &o, &b->observed, why) != RX_OK) return cli_error("%s", why);
    rx_context_stats(b->context, &stats);
    return machine_measure(b->a->mem, stats.threads, &b->limits) ? CLI_DONE : CLI_WRONG;
}

// --- Sizes.

static const char *name_of(const benching *b, const bench_symbol *s) { return exec_string(b->e, s->symbol->name); }

// The virtual machine would refuse other values (vm/match.c).
static bool fits(const exec_symbol *s, int64_t value) {
    return value >= s->lower && value <= s->upper && value % s->multiple == 0;
}

// USUAL_DIM, or what the bounds and the multiple allow next to it.
static int64_t usual_value(const exec_symbol *s) {
    int64_t value = USUAL_DIM < s->lower ? s->lower : USUAL_DIM > s->upper ? s->upper : USUAL_DIM;
    int64_t down = value / s->multiple * s->multiple;
    return down >= s->lower ? down : down + s->multiple;
}

// "n=1,16,128"
static bool read_dim(const benching *b, const char *spelling) {
    const char *equals = strchr(spelling, '=');
    for (uint32_t i = 0; equals && i < b->f->symbols; i++) {
        bench_symbol *s = &b->symbol[i];
        const char *name = name_of(b, s), *at = equals + 1;
        if (strlen(name) != (size_t)(equals - spelling) || strncmp(name, spelling, strlen(name)) != 0) continue;
        for (s->values = 0; s->values < MAX_VALUES; at++) {
            char *end;
            errno = 0;
            int64_t value = strtoll(at, &end, 10);
            if (end == at || errno || (*end && *end != ',') || !fits(s->symbol, value))
                return cli_usage(b->a, "--dim %s: %s can't be '%s'", spelling, name, at), false;
            s->value[s->values++] = value;
            at = end;
            if (!*end) return true;
        }
        return cli_usage(b->a, "--dim %s: more than %d values", spelling, MAX_VALUES), false;
    }
    return cli_usage(b->a, "--dim %s: want N=VALUE of a symbol of %s: %s", spelling, b->func, b->f->text), false;
}

static bool read_dims(benching *b) {
    uint32_t count;
    const char *const *given = cli_values(b->a, "dim", &count);
    b->symbol = ARENA_NEW(b->a->mem, bench_symbol, b->f->symbols + 1);
    b->slot = ARENA_NEW(b->a->mem, int64_t, b->f->slots + 1);
    for (uint32_t i = 0; i < b->f->symbols; i++)
        b->symbol[i] =
            (bench_symbol){.symbol = &b->f->symbol[i], .value = {usual_value(&b->f->symbol[i])}, .values = 1};
    for (uint32_t i = 0; i < count; i++)
        if (!read_dim(b, given[i])) return false;
    return true;
}

// The first symbol that --dim says nothing about.
static int choose_surface(benching *b) {
    uint32_t count;
    const char *const *given = cli_values(b->a, "dim", &count);
    if (!cli_value(b->a, "surface")) return CLI_DONE;
    if (!cli_apart(b->a, cli_value(b->a, "surface"), b->a->positional[0])) return CLI_USAGE;
    if (!cli_may_write(cli_value(b->a, "surface"))) return CLI_WRONG;
    for (uint32_t i = 0; i < b->f->symbols && !b->swept; i++) {
        const char *name = name_of(b, &b->symbol[i]);
        bool fixed = false;
        for (uint32_t k = 0; k < count; k++)
            fixed |= strncmp(given[k], name, strlen(name)) == 0 && given[k][strlen(name)] == '=';
        if (!fixed) b->swept = &b->symbol[i];
    }
    if (!b->swept) return cli_usage(b->a, "--surface: %s has no size that --dim leaves open", b->func);
    for (uint32_t i = 0; i < b->f->symbols; i++)
        if (b->symbol[i].values > 1) return cli_usage(b->a, "--surface: --dim may give one value of each other size");
    const exec_symbol *s = b->swept->symbol;
    int64_t upper = s->upper < SURFACE_DIM ? s->upper : SURFACE_DIM, lower = s->lower > 1 ? s->lower : 1;
    b->swept->values = surface_sizes(lower, upper, s->multiple, b->swept->value, MAX_VALUES);
    return b->swept->values ? CLI_DONE : cli_error("%s has no size from 1 to %d", name_of(b, b->swept), SURFACE_DIM);
}

// Every combination of the values given; stops counting where there are too many.
static int64_t rows_of(const benching *b) {
    int64_t rows = 1;
    for (uint32_t i = 0; i < b->f->symbols && rows <= MAX_ROWS; i++) rows *= b->symbol[i].values;
    return rows;
}

// Gives the symbols their values of a row: the last symbol changes first.
static const char *choose_row(benching *b, int64_t row) {
    text t = TEXT_IN(b->a->mem);
    for (uint32_t i = b->f->symbols; i-- > 0;) {
        const bench_symbol *s = &b->symbol[i];
        b->slot[s->symbol->slot] = s->value[row % s->values];
        row /= s->values;
    }
    for (uint32_t i = 0; i < b->f->symbols; i++)
        text_format(&t, "%s%s=%" PRId64, i ? " " : "", name_of(b, &b->symbol[i]), b->slot[b->symbol[i].symbol->slot]);
    return text_get(&t);
}

// --- Arguments.

// As the VM computes it, from the slots of this row.
static bool value_of_dim(const benching *b, const exec_dim *d, int64_t *out) {
    if (d->kind == DIM_BIND) return *out = b->slot[d->index], true;
    if (d->kind != DIM_CHECK) return false;
    return exec_program_value(&b->e->program[d->index], b->slot, b->f->slots, out);
}

static bool values_of_dims(const benching *b, const exec_annotation *t, int64_t dim[TENSOR_MAX_RANK]) {
    if (t->rank < 0 || t->dims != (uint32_t)t->rank || t->rank > TENSOR_MAX_RANK) return false;
    for (uint32_t i = 0; i < t->dims; i++)
        if (!value_of_dim(b, &t->dim[i], &dim[i])) return false;
    return true;
}

static rx_value *make_tensor(const benching *b, const exec_annotation *t, uint64_t seed) {
    int64_t dim[TENSOR_MAX_RANK];
    char name[32];
    rx_value *v = NULL;
    if (t->type.kind == DTYPE_VOID || !values_of_dims(b, t, dim)) return NULL;
    text spelling = TEXT_IN(b->a->mem);
    text_format(&spelling, "%s[", dtype_spell(t->type, name));
    for (uint32_t i = 0; i < t->dims; i++) text_format(&spelling, "%s%" PRId64, i ? "," : "", dim[i]);
    text_put(&spelling, "]");
    // Integers are mostly indices: 0 is one of everything that is not empty.
    rx_status status = dtype_is_float(t->type) ? rx_value_parse(text_get(&spelling), seed, &v, NULL)
                                               : rx_tensor_new(name, t->dims, dim, NULL, &v);
    return status == RX_OK ? v : NULL;
}

// A scalar that nothing is known of is 1: sizes and factors mostly bear that.
static rx_value *make_scalar(const benching *b, const exec_annotation *t) {
    char name[32];
    int64_t value = 1;
    rx_value *v = NULL;
    if (t->type.kind == DTYPE_VOID || (t->dims && !value_of_dim(b, t->dim, &value))) return NULL;
    dtype_spell(t->type, name);
    rx_status status = dtype_is_float(t->type) ? rx_float_new(name, 1, &v) : rx_int_new(name, value, &v);
    return status == RX_OK ? v : NULL;
}

static rx_value *make_value(const benching *b, uint32_t annotation, uint64_t seed);

static rx_value *make_tuple(const benching *b, const exec_annotation *t, uint64_t seed) {
    rx_value **item = ARENA_NEW(b->a->mem, rx_value *, t->fields + 1), *v = NULL;
    bool ok = true;
    for (uint32_t i = 0; i < t->fields && ok; i++) ok = (item[i] = make_value(b, t->field[i], seed + i)) != NULL;
    if (ok && rx_tuple_new(item, t->fields, &v) != RX_OK) v = NULL;
    for (uint32_t i = 0; i < t->fields; i++) rx_value_release(item[i]);
    return v;
}

// A value of an annotation for the sizes of this row; NULL where the annotation doesn't say enough.
static rx_value *make_value(const benching *b, uint32_t annotation, uint64_t seed) {
    const exec_annotation *t = &b->e->annotation[annotation];
    int64_t dim[TENSOR_MAX_RANK];
    rx_value *v = NULL;
    switch (t->kind) {
    case ANNOTATION_TENSOR: return make_tensor(b, t, seed);
    case ANNOTATION_PRIM: return make_scalar(b, t);
    case ANNOTATION_TUPLE: return make_tuple(b, t, seed);
    case ANNOTATION_SHAPE:
        if (values_of_dims(b, t, dim) && rx_shape_new(t->dims, dim, &v) == RX_OK) return v;
        return NULL;
    case ANNOTATION_OBJECT:
    case ANNOTATION_CALLABLE:
    case ANNOTATION_KINDS: break;
    }
    return NULL;
}

// What --input says of a parameter; NULL: nothing.
static const char *given_value(const benching *b, const char *param) {
    uint32_t count;
    const char *const *given = cli_values(b->a, "input", &count), *found = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (strncmp(given[i], param, strlen(param)) == 0 && given[i][strlen(param)] == '=')
            found = given[i] + strlen(param) + 1;
    return found;
}

// A dim that stands before what binds its symbol, `b + 1` of (b + 1,), (b,), is left open in the parameter's annotation
// and stated by a check of its register that the code begins with.
static uint32_t whole_annotation(const benching *b, uint32_t param) {
    uint32_t best = b->f->param[param].annotation;
    const uint32_t *code = b->e->code + b->f->code, *end = code + b->f->words;
    for (; code < end && (*code & 0xff) == OP_MATCH; code += op_words(*code))
        if (code[1] == param) best = code[2];
    return best;
}

static int set_argument(benching *b, rx_context *c, uint32_t i) {
    char why[RX_MESSAGE];
    const char *name = exec_string(b->e, b->f->param[i].name), *given = given_value(b, name);
    rx_value *v = NULL;
    if (given && rx_value_parse(given, i, &v, why) != RX_OK)
        return cli_error("--input %s=%s: %s", name, given, run_input_reason(why, given));
    uint32_t annotation = whole_annotation(b, i);
    int64_t dim[TENSOR_MAX_RANK];
    if (!given && !(v = make_value(b, annotation, i)) && values_of_dims(b, &b->e->annotation[annotation], dim))
        return meter_end(&b->meter), cli_error("%s: no memory for %s of these sizes; want smaller ones (--dim)", name,
                                               exec_string(b->e, b->e->annotation[annotation].text));
    if (!given && !v)
        return cli_error("%s: its annotation, %s, doesn't say what value to make; want --input %s=VALUE", name,
                         exec_string(b->e, b->e->annotation[annotation].text), name);
    rx_status status = rx_context_set_input_by_name(c, b->func, name, v);
    rx_value_release(v);
    if (status == RX_OK) return CLI_DONE;
    meter_end(&b->meter);
    return cli_error("%s", rx_context_message(c));
}

// All arguments, or those alone that a call consumes.
static int set_arguments(benching *b, rx_context *c, bool donated_only) {
    for (uint32_t i = 0; i < b->f->params; i++) {
        const exec_param *p = &b->f->param[i];
        if (p->weight != EXEC_NONE || (donated_only && !(p->flags & PARAM_DONATED))) continue;
        int code = set_argument(b, c, i);
        if (code != CLI_DONE) return code;
    }
    return CLI_DONE;
}

static int check_inputs(const benching *b) {
    uint32_t count;
    const char *const *given = cli_values(b->a, "input", &count);
    for (uint32_t i = 0; i < count; i++) {
        bool known = false;
        for (uint32_t p = 0; p < b->f->params && !known; p++) {
            const char *name = exec_string(b->e, b->f->param[p].name);
            known = strncmp(given[i], name, strlen(name)) == 0 && given[i][strlen(name)] == '=';
        }
        if (!known) return cli_usage(b->a, "--input %s: want NAME=VALUE of a parameter of %s", given[i], b->func);
    }
    return CLI_DONE;
}

// --- Measuring.

static int run_once(benching *b, rx_context *c, double *seconds) {
    rx_value *result = NULL;
    double start = clock_seconds();
    rx_status status = rx_context_run(c, b->func, &result);
    *seconds = clock_seconds() - start;
    rx_value_release(result);
    if (status == RX_OK) return CLI_DONE;
    meter_end(&b->meter);
    return cli_error("%s", rx_context_message(c));
}

// One observed run tells what kernels do for these sizes.
static int count_work(benching *b) {
    double seconds;
    b->work = (machine_work){.known = true};
    b->least = 0;
    int code = set_arguments(b, b->observed, false);
    return code == CLI_DONE ? run_once(b, b->observed, &seconds) : code;
}

// A second's worth of runs gives stable percentiles for small functions; large ones get ten runs.
static bool goes_on(const benching *b, int64_t runs, double since) {
    if (b->repeat) return runs < b->repeat;
    return runs < LEAST_RUNS || (runs < MAX_RUNS && clock_seconds() - since < long_enough);
}

// Percentiles of the sorted times; arguments that a run consumes are made anew outside of what is timed.
static int measure_row(benching *b, int64_t row, bench_row *out) {
    VEC(double) times = {0};
    double seconds;
    *out = (bench_row){.function = b->func, .dims = choose_row(b, row)};
    int code = count_work(b);
    if (code == CLI_DONE) code = set_arguments(b, b->context, false);
    if (code == CLI_DONE) code = run_once(b, b->context, &seconds); // the first run is not like the others
    double since = clock_seconds();
    while (code == CLI_DONE && goes_on(b, times.len, since)) {
        code = set_arguments(b, b->context, true);
        if (code == CLI_DONE) code = run_once(b, b->context, &seconds);
        VEC_PUSH(b->a->mem, &times, seconds);
    }
    if (code != CLI_DONE) return code;
    clock_sort(times.at, times.len);
    out->runs = times.len;
    out->median = times.at[times.len / 2];
    out->fast = times.at[times.len / 10];
    out->slow = times.at[times.len - 1 - times.len / 10];
    out->known = b->work.known;
    out->operations = b->work.flops + b->work.double_flops + b->work.dot_ops;
    out->bytes = b->work.bytes;
    out->least = b->least;
    return CLI_DONE;
}

// Sizes that stand out are measured again, with their neighbours: another program may have run just then. The least
// counts.
static int measure_again(benching *b, bench_rows *rows) {
    b->meter = meter_begin("measuring again", b->a->positional[0]);
    for (uint32_t round = 0; round < AGAIN; round++)
        for (uint32_t i = 1; i + 1 < rows->len; i++) {
            meter_show(&b->meter, ((double)round + (double)i / (double)rows->len) / (double)AGAIN, "");
            if (!surface_stands_out(b->swept->value, rows, i)) continue;
            for (uint32_t k = i - 1; k <= i + 1; k++) {
                bench_row row;
                int code = measure_row(b, k, &row);
                if (code != CLI_DONE) return code;
                if (row.fast < rows->at[k].fast) rows->at[k] = row;
            }
        }
    return CLI_DONE;
}

static int measure(benching *b) {
    bench_rows rows = {0};
    int64_t count = rows_of(b);
    if (count > MAX_ROWS) return cli_usage(b->a, "--dim: more than %d combinations", MAX_ROWS);
    b->meter = meter_begin("measuring", b->a->positional[0]);
    for (int64_t i = 0; i < count; i++) {
        bench_row row;
        int code = measure_row(b, i, &row);
        if (code != CLI_DONE) return code;
        VEC_PUSH(b->a->mem, &rows, row);
        if (count > 1) meter_show(&b->meter, (double)(i + 1) / (double)count, "");
    }
    meter_end(&b->meter);
    if (!b->swept) return bench_print(b->a, &rows, &b->limits);
    int code = measure_again(b, &rows);
    meter_end(&b->meter);
    if (code != CLI_DONE) return code;
    return surface_print(b->a, cli_value(b->a, "surface"), name_of(b, b->swept), b->swept->value, &rows);
}

int bench_module(const cli_args *a) {
    benching b = {.a = a, .func = cli_value(a, "func") ? cli_value(a, "func") : "main"};
    if (!cli_int(a, "repeat", 0, MAX_RUNS, &b.repeat)) return CLI_USAGE;
    int code = load(&b);
    if (code == CLI_DONE && !read_dims(&b)) code = CLI_USAGE;
    if (code == CLI_DONE) code = choose_surface(&b);
    if (code == CLI_DONE) code = check_inputs(&b);
    if (code == CLI_DONE) code = open_contexts(&b);
    if (code == CLI_DONE) code = measure(&b);
    rx_context_release(b.observed);
    rx_context_release(b.context);
    rx_executable_release(b.exe);
    rx_bytes_free(b.compiled);
    return code;
}
