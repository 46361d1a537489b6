// t_op_values.c - what operators compute, against values recorded from NumPy and SciPy (tests/data/ops/values.txt, made
// by tools/record_ops.py): with the dims as numbers, and again with every dim above 1 a symbol.
#include "interp/interp.h"
#include "test.h"
#include "text/script.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 8, MAX_RANK = 8 };

// One tensor of a case: name=dtype[dims]@seed, name=dtype[dims]:values, or a result dtype[dims]: values.
typedef struct spec {
    char name[8];
    const char *type, *values;
    dtype dt;
    uint32_t rank;
    int64_t dim[MAX_RANK];
    uint64_t seed;
} spec;

static const char *copy(arena *mem, const char *from, const char *to) {
    return arena_copy(mem, from, (size_t)(to - from));
}

// "float32[2,3]", behind an optional name; the rest of the text follows the bracket.
static const char *read_head(arena *mem, const char *p, spec *out) {
    const char *open = strchr(p, '[');
    *out = (spec){.type = copy(mem, p, open)};
    assert_true(dtype_parse(out->type, strlen(out->type), &out->dt));
    for (p = open + 1; *p != ']';) {
        char *end;
        out->dim[out->rank++] = strtoll(p, &end, 10);
        p = *end == ',' ? end + 1 : end;
    }
    return p + 1;
}

static double read_value(const char **p) {
    char *end;
    double v = strtod(*p, &end);
    *p = end + strspn(end, ", ");
    return v;
}

static tensor *make(const spec *s, const char *values) {
    tensor *t;
    assert_int_equal(tensor_new(s->dt, s->rank, s->dim, &t), RX_OK);
    if (!values) tensor_fill_random(t, s->seed);
    for (int64_t i = 0; values && i < tensor_count(t); i++) {
        double v = read_value(&values);
        if (dtype_is_float(s->dt)) tensor_set_float(t, (size_t)i, v);
        if (!dtype_is_float(s->dt)) tensor_set_int(t, (size_t)i, (int64_t)v);
    }
    return t;
}

typedef struct one_case {
    spec in[MAX_OPERANDS];
    uint32_t ins;
    const char *call, *results;
} one_case;

static one_case read_case(arena *mem, const char *line, const char *end) {
    one_case c = {0};
    const char *bar = strstr(line, "| "), *last = end;
    while (last > bar && strncmp(last, " | ", 3) != 0) last--;
    for (const char *p = line; p < bar;) {
        spec *s = &c.in[c.ins];
        const char *equals = strchr(p, '=');
        if (!equals || equals > bar) break;
        const char *rest = read_head(mem, equals + 1, s);
        snprintf(s->name, sizeof s->name, "%.*s", (int)(equals - p), p);
        const char *stop = strchr(rest, ' ');
        if (*rest == '@') s->seed = strtoull(rest + 1, NULL, 10);
        if (*rest == ':') s->values = copy(mem, rest + 1, stop);
        c.ins++;
        p = stop + 1;
    }
    c.call = copy(mem, bar + 2, last);
    c.results = copy(mem, last + 3, end);
    return c;
}

// The call in a function. Symbolic: a dim of 7 is `d7` wherever it stands among the operands.
static const char *case_text(arena *mem, const one_case *c, bool symbolic) {
    text params = TEXT_IN(mem), symbols = TEXT_IN(mem), out = TEXT_IN(mem);
    for (uint32_t i = 0; i < c->ins; i++) {
        text_format(&params, "%s%s: R.Tensor((", i ? ", " : "", c->in[i].name);
        for (uint32_t k = 0; k < c->in[i].rank; k++) {
            bool symbol = symbolic && c->in[i].dim[k] > 1;
            const char *line = arena_format(mem, "        d%lld = T.int64()\n", (long long)c->in[i].dim[k]);
            text_format(&params, symbol ? "\"d%lld\", " : "%lld, ", (long long)c->in[i].dim[k]);
            if (symbol && !strstr(text_get(&symbols), line)) text_put(&symbols, line);
        }
        text_format(&params, "), dtype=\"%s\")", c->in[i].type);
    }
    text_format(
        &out, "@I.ir_module\nclass Module:\n    @R.function\n    def main(%s):\n%s        gv = %s\n        return gv\n",
        text_get(&params), text_get(&symbols), c->call);
    return text_get(&out);
}

static bool is_close(dtype t, double got, double want) {
    double rtol = t.kind == DTYPE_F16   ? 2e-3
                  : t.kind == DTYPE_F64 ? 1e-7
                                        : 2e-5,
           atol = t.kind == DTYPE_F16 ? 1e-3 : 2e-6;
    if (isnan(want) || isnan(got)) return isnan(want) && isnan(got);
    if (isinf(want) || isinf(got)) return want == got;
    return fabs(got - want) <= atol + rtol * fabs(want);
}

static bool same(arena *mem, const tensor *got, const char **want, text *why) {
    spec s;
    const char *p = read_head(mem, *want, &s) + 1;
    bool fits = got->rank == s.rank && dtype_equal(got->type, s.dt);
    for (uint32_t i = 0; fits && i < s.rank; i++) fits = got->dim[i] == s.dim[i];
    if (!fits) return text_format(why, "shape or dtype differs from %s", *want), false;
    p += *p == ' ';
    for (int64_t i = 0; i < tensor_count(got); i++) {
        bool real = dtype_is_float(got->type);
        double have = real ? tensor_get_float(got, (size_t)i) : (double)tensor_get_int(got, (size_t)i),
               wish = read_value(&p);
        if (real ? is_close(got->type, have, wish) : have == wish) continue;
        return text_format(why, "element %lld is %.9g, want %.9g", (long long)i, have, wish), false;
    }
    p += strspn(p, "; ");
    *want = p;
    return true;
}

static bool matches(arena *mem, const value *v, const char **want, text *why) {
    if (v->kind == VALUE_TENSOR) return same(mem, v->as.tensor, want, why);
    if (v->kind != VALUE_TUPLE) return text_put(why, "no tensor"), false;
    for (uint32_t i = 0; i < v->as.tuple.count; i++)
        if (!matches(mem, &v->as.tuple.item[i], want, why)) return false;
    return true;
}

static bool run_case(arena *mem, const one_case *c, bool symbolic, text *why) {
    value arg[MAX_OPERANDS], result = {0};
    source src = {.name = "<case>", .bytes = case_text(mem, c, symbolic)};
    src.size = strlen(src.bytes);
    diag *d = diag_new(mem);
    module *m = script_parse(&src, d);
    for (uint32_t i = 0; i < c->ins; i++)
        arg[i] = (value){.kind = VALUE_TENSOR, .as.tensor = make(&c->in[i], c->in[i].values)};
    bool ok = m && interp_run(m, "main", arg, c->ins, NULL, mem, &result, d);
    const char *want = c->results;
    if (!ok) diag_print(d, why, false);
    if (ok) ok = matches(mem, &result, &want, why);
    interp_release(&result);
    for (uint32_t i = 0; i < c->ins; i++) interp_release(&arg[i]);
    module_free(m);
    return ok;
}

static char *read_file(arena *mem, size_t *size) {
    const char *root = getenv("SRC");
    const char *path = arena_format(mem, "%s/tests/data/ops/values.txt", root ? root : ".");
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("cannot open %s", path);
    text t = TEXT_IN(mem);
    char part[4096];
    for (size_t got; (got = fread(part, 1, sizeof part, f)) > 0;) text_put_n(&t, part, got);
    fclose(f);
    *size = t.len;
    return t.at;
}

static uint32_t run_all(bool symbolic) {
    arena *mem = arena_new();
    size_t size;
    uint32_t failed = 0, cases = 0;
    const char *p = read_file(mem, &size), *end = p + size;
    for (const char *stop; p < end; p = stop + 1) {
        stop = memchr(p, '\n', (size_t)(end - p));
        if (*p == '#') continue;
        arena *own = arena_new();
        text why = TEXT_IN(own);
        one_case c = read_case(own, p, stop);
        cases++;
        if (!run_case(own, &c, symbolic, &why)) {
            failed++;
            print_message("%.*s\n    %s\n", (int)(stop - p), p, text_get(&why));
        }
        arena_free(own);
    }
    arena_free(mem);
    assert_true(cases > 1200);
    return failed;
}

static void known_dims(void **state) {
    (void)state;
    assert_int_equal(run_all(false), 0);
}

static void symbolic_dims(void **state) {
    (void)state;
    assert_int_equal(run_all(true), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_dims), cmocka_unit_test(symbolic_dims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
