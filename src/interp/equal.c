// equal.c - random equality: two modules on the same inputs, output by output.
#include "interp/draw.h"
#include <math.h>
#include <string.h>

enum { DEFAULT_TRIALS = 12 };
static const uint64_t default_steps = 1000000;

typedef struct trial {
    const equal_options *o;
    arena *mem;
    text *report;
    const char *func, *symbols;
    bool too_long; // the run before was stopped: smaller integers would not help
} trial;

// --- Comparing.

// By the precision of the type: an eighth for types of 8 bits, whose neighbours differ by that.
static void tolerance(const equal_options *o, dtype t, double *rtol, double *atol) {
    unsigned bits = dtype_bits(t);
    *rtol = o->rtol;
    *atol = o->atol;
    if (o->rtol != 0.0 || o->atol != 0.0) return;
    *rtol = bits >= 64 ? 1e-10 : bits == 32 ? 1e-5 : bits == 16 ? 1e-2 : 0.13;
    *atol = bits >= 64 ? 1e-10 : bits == 32 ? 1e-6 : bits == 16 ? 1e-3 : 0.13;
    if (t.kind == DTYPE_BF16) *rtol = 2e-2, *atol = 1e-2;
}

// Row-major position to an index per dim; lanes of a vector count as their element.
static void put_index(text *out, const tensor *t, size_t index) {
    int64_t at[TENSOR_MAX_RANK];
    size_t rest = index / dtype_lanes(t->type);
    for (uint32_t i = t->rank; i-- > 0;) {
        at[i] = (int64_t)(rest % (size_t)t->dim[i]);
        rest /= (size_t)t->dim[i];
    }
    text_put_char(out, '[');
    for (uint32_t i = 0; i < t->rank; i++) text_format(out, "%s%lld", i ? ", " : "", (long long)at[i]);
    text_put_char(out, ']');
}

// As messages write it: float32(3, 4).
static void put_type(text *out, const tensor *t) {
    char spelled[32];
    text_format(out, "%s(", dtype_spell(t->type, spelled));
    for (uint32_t i = 0; i < t->rank; i++) text_format(out, "%s%lld", i ? ", " : "", (long long)t->dim[i]);
    text_put_char(out, ')');
}

// "main with n = 3: out.1"
static void put_start(trial *t, const char *name) {
    text_format(t->report, "%s", t->func);
    if (t->symbols[0]) text_format(t->report, " with %s", t->symbols);
    text_format(t->report, ": %s", name);
}

// Only the first difference is named; the counts say how far it goes.
static bool same_tensors(trial *t, const char *name, const tensor *a, const tensor *b) {
    double rtol, atol;
    tolerance(t->o, a->type, &rtol, &atol);
    tensor_difference d = tensor_compare(a, b, rtol, atol);
    if (d.same) return true;
    put_start(t, name);
    if (d.shapes_differ) {
        text_put(t->report, " is ");
        put_type(t->report, a);
        text_put(t->report, " before and ");
        put_type(t->report, b);
        text_put(t->report, " after\n");
        return false;
    }
    put_index(t->report, a, d.index);
    text_format(t->report, " is %.9g before and %.9g after; %zu of %lld differ, at most by %.3g\n", d.a, d.b, d.count,
                (long long)tensor_count(a), d.worst);
    return false;
}

static bool same_values(trial *t, const char *name, const value *a, const value *b);

// Names grow with the nesting: out.0.1.
static bool same_tuples(trial *t, const char *name, const value *a, const value *b) {
    if (a->as.tuple.count != b->as.tuple.count) return false;
    for (uint32_t i = 0; i < a->as.tuple.count; i++)
        if (!same_values(t, arena_format(t->mem, "%s.%u", name, i), &a->as.tuple.item[i], &b->as.tuple.item[i]))
            return false;
    return true;
}

// Scalars compare as float32 tensors do.
static bool same_numbers(const value *a, const value *b) {
    if (dtype_is_float(a->as.prim.type) != dtype_is_float(b->as.prim.type)) return false;
    if (!dtype_is_float(a->as.prim.type)) return a->as.prim.scalar.i == b->as.prim.scalar.i;
    double x = a->as.prim.scalar.f, y = b->as.prim.scalar.f;
    return (isnan(x) && isnan(y)) || fabs(x - y) <= 1e-5 * fabs(y) + 1e-6;
}

// Kinds are equal already.
static bool same_plain(const value *a, const value *b) {
    switch (a->kind) {
    case VALUE_SHAPE:
        return a->as.shape.rank == b->as.shape.rank &&
               (!a->as.shape.rank ||
                !memcmp(a->as.shape.dim, b->as.shape.dim, a->as.shape.rank * sizeof *a->as.shape.dim));
    case VALUE_STRING:
        return a->as.text.size == b->as.text.size && !memcmp(a->as.text.bytes, b->as.text.bytes, a->as.text.size);
    case VALUE_PRIM: return same_numbers(a, b);
    case VALUE_DTYPE: return dtype_equal(a->as.type, b->as.type);
    case VALUE_NULL:
    case VALUE_FUNC: // functions can't be compared
    case VALUE_TENSOR:
    case VALUE_TUPLE: break;
    }
    return true;
}

static bool same_values(trial *t, const char *name, const value *a, const value *b) {
    size_t before = t->report->len;
    bool same = a->kind == b->kind;
    if (same && a->kind == VALUE_TENSOR) return same_tensors(t, name, a->as.tensor, b->as.tensor);
    if (same && a->kind == VALUE_TUPLE) same = same_tuples(t, name, a, b);
    if (same) same = same_plain(a, b);
    if (same || t->report->len > before) return same;
    put_start(t, name);
    text_put(t->report, " is another value, or of another kind\n");
    return false;
}

// --- One trial.

// Inputs of their own for each run: a run may write over them.
static bool copy_tensors(arena *mem, const value *from, value *to) {
    *to = *from;
    if (from->kind == VALUE_TENSOR) {
        const tensor *t = from->as.tensor;
        if (tensor_new(t->type, t->rank, t->dim, &to->as.tensor) != RX_OK) return to->kind = VALUE_NULL, false;
        if (t->bytes) memcpy(to->as.tensor->data, t->data, t->bytes);
        return true;
    }
    if (from->kind != VALUE_TUPLE) return true;
    to->as.tuple.item = ARENA_NEW(mem, value, from->as.tuple.count);
    for (uint32_t i = 0; i < from->as.tuple.count; i++)
        if (!copy_tensors(mem, &from->as.tuple.item[i], &to->as.tuple.item[i])) return false;
    return true;
}

typedef struct outcome {
    bool ran;
    value result;
    value *arg; // after the run
    uint32_t count;
    diag *d;
} outcome;

// Both sides get their own copies, since programs write into their arguments.
static outcome run_side(trial *t, const module *m, const value *arg, uint32_t count) {
    interp_options o = {.externals = t->o->externals, .external_count = t->o->external_count};
    o.max_steps = t->o->max_steps ? t->o->max_steps : default_steps;
    outcome out = {.arg = ARENA_NEW(t->mem, value, count), .count = count, .d = diag_new(t->mem)};
    bool copied = true;
    for (uint32_t i = 0; i < count; i++) copied = copied && copy_tensors(t->mem, &arg[i], &out.arg[i]);
    out.ran = copied && interp_run(m, t->func, out.arg, count, &o, t->mem, &out.result, out.d);
    return out;
}

// Results and arguments hold tensors, which are counted; the rest is the trial's arena.
static void free_side(outcome *o) {
    if (o->ran) interp_release(&o->result);
    for (uint32_t i = 0; i < o->count; i++) interp_release(&o->arg[i]);
}

static const char *first_error(const outcome *o) { return o->d->len ? o->d->record[0].message : "it did not run"; }

// By the limit of steps; any other failure is a refusal.
static bool was_stopped(const outcome *o) { return !o->ran && strstr(first_error(o), "stopped after"); }

// Before failed: nothing is known. After failed where before did not: that is a difference.
static equal_result compare_sides(trial *t, const outcome *a, const outcome *b) {
    if (!a->ran) {
        if (!t->report->len) text_format(t->report, "%s: not run: %s\n", t->func, first_error(a));
        return EQUAL_NOT_RUN;
    }
    if (was_stopped(b)) return EQUAL_NOT_RUN;
    t->report->len = 0;
    if (!b->ran) {
        put_start(t, "fails after, not before: ");
        text_format(t->report, "%s\n", first_error(b));
        return EQUAL_DIFFERENT;
    }
    if (!same_values(t, "out", &a->result, &b->result)) return EQUAL_DIFFERENT;
    for (uint32_t i = 0; i < a->count; i++) // what was written in place
        if (!same_values(t, arena_format(t->mem, "argument %u", i), &a->arg[i], &b->arg[i])) return EQUAL_DIFFERENT;
    return EQUAL_SAME;
}

// Both modules get the same values, drawn from the signature of the module before.
static equal_result run_at_level(trial *t, const module *a, const module *b, uint32_t draw, unsigned level) {
    value *arg;
    uint32_t count;
    text symbols = TEXT_IN(t->mem);
    if (!draw_at_level(a, t->func, t->o->seed, draw, level, t->mem, &arg, &count, &symbols)) {
        if (!t->report->len) text_format(t->report, "%s: no inputs can be made for its signature\n", t->func);
        return EQUAL_NOT_RUN;
    }
    t->symbols = text_get(&symbols);
    outcome before = run_side(t, a, arg, count), after = {0};
    t->too_long = was_stopped(&before);
    if (before.ran) after = run_side(t, b, arg, count);
    equal_result result = compare_sides(t, &before, &after);
    free_side(&before);
    free_side(&after);
    for (uint32_t i = 0; i < count; i++) interp_release(&arg[i]);
    return result;
}

// Inputs that the module before refuses are drawn again, with smaller integers: they may have been indices.
static equal_result run_trial(trial *t, const module *a, const module *b, uint32_t draw) {
    equal_result result = EQUAL_NOT_RUN;
    t->too_long = false;
    for (unsigned level = DRAW_ANY; level < DRAW_LEVELS && result == EQUAL_NOT_RUN && !t->too_long; level++)
        result = run_at_level(t, a, b, draw, level);
    return result;
}

// One trial that runs and agrees is enough to be the same; one that differs ends it.
equal_result interp_equal(const module *a, const module *b, const char *func, const equal_options *o, text *report) {
    static const equal_options none = {0};
    trial t = {.o = o ? o : &none, .func = func, .report = report, .symbols = ""};
    equal_result best = EQUAL_NOT_RUN;
    report->len = 0;
    uint32_t trials = t.o->trials ? t.o->trials : DEFAULT_TRIALS;
    for (uint32_t i = 0; i < trials && best != EQUAL_DIFFERENT; i++) {
        t.mem = arena_new();
        equal_result now = run_trial(&t, a, b, i);
        if (now != EQUAL_NOT_RUN) best = now;
        arena_free(t.mem);
    }
    if (best == EQUAL_SAME) report->len = 0;
    return best;
}
