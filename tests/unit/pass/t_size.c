// t_size.c - every pass on large modules: a chain of ten thousand bindings, a hundred thousand side by side, long
// chains of functions, functions that call each other in a circle. None overflows the stack, and twice as much takes
// little more than twice the time (n log n would be 2.1 times).
#define _POSIX_C_SOURCE 200809L
#include "pass/pass.h"
#include "test.h"
#include "text/script.h"
#include <time.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CHAIN = 10000, WIDE = 10000, FUNCTIONS = 600 }; // as deep, not as wide: sanitized code is slow
#else
enum { CHAIN = 10000, WIDE = 100000, FUNCTIONS = 2000 };
#endif

static const double LINEAR = 3.2;     // times as long for twice as much: more is not n log n
static const double MEASURABLE = .15; // seconds; what is quicker says nothing

typedef void write_module(text *t, uint32_t size);

static void put_head(text *t) {
    text_put(t, "@I.ir_module\nclass Module:\n"
                "    @R.function\n"
                "    def main(x: R.Tensor((\"n\", 4), \"float32\"), y: R.Tensor((\"n\", 4), \"float32\")):\n"
                "        n = T.int64()\n"
                "        with R.dataflow():\n"
                "            v0 = R.add(x, y)\n");
}

static void put_tail(text *t, uint32_t last) {
    text_format(t, "            R.output(v%u)\n        return v%u\n", last, last);
}

static void write_chain(text *t, uint32_t size) {
    put_head(t);
    for (uint32_t i = 1; i < size; i++) text_format(t, "            v%u = R.add(v%u, y)\n", i, i - 1);
    put_tail(t, size - 1);
}

// Each fourth binding is needed, the rest is equal to others or unused.
static void write_wide(text *t, uint32_t size) {
    static const char *const call[] = {"R.exp(x)", "R.add(x, y)", "R.multiply(x, v0)", "R.sin(v0)"};
    put_head(t);
    for (uint32_t i = 1; i < size; i++) text_format(t, "            v%u = %s\n", i, call[i % COUNT(call)]);
    put_tail(t, size - 1);
}

static void put_function(text *t, uint32_t i) {
    text_format(t,
                "    @R.function(private=True)\n"
                "    def f%u(x: R.Tensor((\"n\",), \"float32\"), c: R.Tensor((), \"bool\"), u: R.Tensor((\"n\",), "
                "\"float32\")) -> R.Tensor((\"n\",), \"float32\"):\n"
                "        n = T.int64()\n        cls = Module\n        a = R.exp(x)\n",
                i);
}

static void put_main(text *t) {
    text_put(t, "    @R.function\n"
                "    def main(x: R.Tensor((\"n\",), \"float32\"), c: R.Tensor((), \"bool\")) -> R.Tensor((\"n\",), "
                "\"float32\"):\n"
                "        n = T.int64()\n        cls = Module\n        r = cls.f0(x, c, x)\n        return r\n");
}

static void write_calls(text *t, uint32_t size) {
    text_put(t, "@I.ir_module\nclass Module:\n");
    for (uint32_t i = 0; i < size; i++) {
        put_function(t, i);
        if (i + 1 < size)
            text_format(t, "        r = cls.f%u(a, c, u)\n        return r\n", i + 1);
        else
            text_put(t, "        return a\n");
    }
    put_main(t);
}

// Each may call the next, the last the first again.
static void write_circle(text *t, uint32_t size) {
    text_put(t, "@I.ir_module\nclass Module:\n");
    for (uint32_t i = 0; i < size; i++) {
        put_function(t, i);
        text_format(
            t, "        if c:\n            r = cls.f%u(a, c, u)\n        else:\n            r = a\n        return r\n",
            (i + 1) % size);
    }
    put_main(t);
}

// --- Running.

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { MAX_STEPS = 64 };
typedef struct timing {
    const char *name[MAX_STEPS];
    double seconds[MAX_STEPS], since;
    uint32_t steps;
} timing;

static void note(void *user, const module *m, const pass_step *step, double seconds) {
    (void)m;
    (void)seconds;
    timing *t = user;
    assert_true(t->steps < MAX_STEPS);
    t->name[t->steps] = step->pass->name;
    t->seconds[t->steps++] = cpu_seconds() - t->since;
    t->since = cpu_seconds();
}

static void must(bool ok, const diag *d, arena *mem) {
    text report = TEXT_IN(mem);
    if (ok) return;
    diag_print(d, &report, false);
    fail_msg("%s", text_get(&report));
}

static module *read_large(write_module *write, uint32_t size, arena *mem) {
    diag *d = diag_new(mem);
    text t = TEXT_IN(mem);
    write(&t, size);
    source *src = ARENA_NEW(mem, source, 1);
    *src = (source){.name = "large", .bytes = text_get(&t), .size = t.len};
    module *m = script_parse(src, d);
    must(m != NULL, d, mem);
    return m;
}

// Debug builds verify after each pass; that is no part of the pass but of the measurement, and as linear.
static timing run_on(module *m, const pass_list *steps, arena *mem) {
    char why[256];
    diag *d = diag_new(mem);
    timing times = {.since = cpu_seconds()};
    const pass_observer o = {.after = note, .user = &times};
    must(pass_run(m, steps, arch_parse(mem, "cpu", why), &o, d), d, mem);
    return times;
}

static timing run(write_module *write, uint32_t size, const pass_list *steps) {
    arena *mem = arena_new();
    module *m = read_large(write, size, mem);
    timing times = run_on(m, steps, mem);
    module_free(m);
    arena_free(mem);
    return times;
}

static bool is_measurable(const timing *t) {
    bool is = false;
    for (uint32_t i = 0; i < t->steps; i++) is |= t->seconds[i] > MEASURABLE;
    return is;
}

// A machine that does other things at the time may measure once what it doesn't the next time.
static void check(write_module *write, uint32_t size, const pass_list *steps) {
    enum { TRIES = 3 };
    for (int try = 0; try < TRIES; try++) {
        timing whole = run(write, size, steps);
        if (!is_measurable(&whole)) return;
        timing half = run(write, size / 2, steps);
        uint32_t slow = UINT32_MAX;
        for (uint32_t i = 0; i < whole.steps; i++)
            if (whole.seconds[i] > MEASURABLE && whole.seconds[i] > LINEAR * half.seconds[i]) slow = i;
        if (slow == UINT32_MAX) return;
        if (try + 1 == TRIES)
            fail_msg("%s: %u bindings or functions take %.3f s, %u take %.3f s", whole.name[slow], size / 2,
                     half.seconds[slow], size, whole.seconds[slow]);
    }
}

// A module that passes start from, and the half of it when it is asked for.
typedef struct start {
    write_module *write;
    uint32_t size;
    pass_list before;
    arena *mem;
    module *whole, *half; // NULL: not made yet
} start;

static double seconds_on(start *s, module **m, uint32_t size, const pass *p) {
    pass_list one = {0};
    if (!*m) {
        *m = read_large(s->write, size, s->mem);
        run_on(*m, &s->before, s->mem);
    }
    module *fork = module_fork(*m);
    VEC_PUSH(s->mem, &one, ((pass_step){.pass = p, .named = true}));
    timing t = run_on(fork, &one, s->mem);
    module_join(*m, fork);
    return t.seconds[0];
}

static void check_pass(start *s, const pass *p) {
    enum { TRIES = 3 };
    double whole = 0, half = 0;
    for (int try = 0; try < TRIES; try++) {
        whole = seconds_on(s, &s->whole, s->size, p);
        if (whole <= MEASURABLE) return;
        half = seconds_on(s, &s->half, s->size / 2, p);
        if (whole <= LINEAR * half) return;
    }
    fail_msg("%s: %u bindings or functions take %.3f s, %u take %.3f s", p->name, s->size / 2, half, s->size, whole);
}

static const char *const before[] = {"Normalize", "ToNonDataflow,RemovePurityChecking",
                                     "LegalizeOps,ToNonDataflow,RemovePurityChecking,CallTIRRewrite"};
static uint32_t kind_of(const pass *p) { return p->needs & NEEDS_DESTINATIONS ? 2 : p->needs != 0; }

// Each pass on the module as it is, or on what makes it what the pass needs.
static void check_each(write_module *write, uint32_t size) {
    uint32_t count;
    const pass *const *all = pass_all(&count);
    for (uint32_t kind = 0; kind < COUNT(before); kind++) {
        start s = {.write = write, .size = size, .mem = arena_new()};
        assert_true(pass_parse(before[kind], s.mem, &s.before, diag_new(s.mem)));
        for (uint32_t i = 0; i < count; i++)
            if (kind_of(all[i]) == kind) check_pass(&s, all[i]);
        module_free(s.whole);
        module_free(s.half);
        arena_free(s.mem);
    }
}

static void check_list(write_module *write, uint32_t size, const char *spelling) {
    arena *mem = arena_new();
    pass_list steps = {0};
    assert_true(pass_parse(spelling, mem, &steps, diag_new(mem)));
    check(write, size, &steps);
    arena_free(mem);
}

static void chain_each(void **state) {
    (void)state;
    check_each(write_chain, CHAIN);
}

static void wide_each(void **state) {
    (void)state;
    check_each(write_wide, WIDE);
}

static void calls_each(void **state) {
    (void)state;
    check_each(write_calls, FUNCTIONS);
}

static void circle_each(void **state) {
    (void)state;
    check_each(write_circle, FUNCTIONS);
}

// Passes that work on lowered modules, on ten thousand calls that nothing made fewer; both planners.
static const char lowering[] = "LegalizeOps,AnnotateTIROpPattern,ToNonDataflow,RemovePurityChecking,CallTIRRewrite,"
                               "CanonicalizeBindings,DeadCodeElimination,StaticPlanBlockMemory:planner=%s,"
                               "LowerAllocTensor,KillAfterLastUse:branches=true,LowerRuntimeBuiltin";

static void lowered_chain(void **state) {
    (void)state;
    arena *mem = arena_new();
    check_list(write_chain, CHAIN, arena_format(mem, lowering, "arena"));
    check_list(write_chain, CHAIN, arena_format(mem, lowering, "pool"));
    arena_free(mem);
}

static void fused_groups(void **state) {
    (void)state;
    static const char fusing[] = "LegalizeOps,AnnotateTIROpPattern:precise=true,FuseOps:producers=true,"
                                 "FuseTIR:inline=true,DeadCodeElimination";
    check_list(write_chain, CHAIN, fusing);
    check_list(write_wide, CHAIN, fusing);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(chain_each),    cmocka_unit_test(wide_each),
                                       cmocka_unit_test(calls_each),    cmocka_unit_test(circle_each),
                                       cmocka_unit_test(lowered_chain), cmocka_unit_test(fused_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
