// op_cases.c - recorded values of operators: reading a case, making its operands, comparing what came out.
#include "op_cases.h"
#include "test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *copy(arena *mem, const char *from, const char *to) {
    return arena_copy(mem, from, (size_t)(to - from));
}

// "float32[2,3]", behind an optional name; the rest of the text follows the bracket.
static const char *read_head(arena *mem, const char *p, op_spec *out) {
    const char *open = strchr(p, '[');
    *out = (op_spec){.type = copy(mem, p, open)};
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

// Whole numbers digit by digit: a double does not hold all of them.
static int64_t read_whole(const char **p) {
    char *end;
    int64_t v = **p == '-' ? (int64_t)strtoll(*p, &end, 10) : (int64_t)strtoull(*p, &end, 10);
    *p = end + strspn(end, ", ");
    return v;
}

tensor *op_case_operand(const op_spec *s) {
    const char *values = s->values;
    tensor *t;
    assert_int_equal(tensor_new(s->dt, s->rank, s->dim, &t), RX_OK);
    if (!values) tensor_fill_random(t, s->seed);
    for (int64_t i = 0; values && i < tensor_count(t); i++) {
        if (dtype_is_float(s->dt))
            tensor_set_float(t, (size_t)i, read_value(&values));
        else
            tensor_set_int(t, (size_t)i, read_whole(&values));
    }
    return t;
}

op_case op_case_read(arena *mem, const char *line, const char *end) {
    op_case c = {0};
    const char *bar = strstr(line, "| "), *last = end;
    while (last > bar && strncmp(last, " | ", 3) != 0) last--;
    for (const char *p = line; p < bar;) {
        op_spec *s = &c.in[c.ins];
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

void op_case_function(text *out, const op_case *c, const char *name, bool symbolic) {
    text params = TEXT_IN(out->mem), symbols = TEXT_IN(out->mem);
    for (uint32_t i = 0; i < c->ins; i++) {
        text_format(&params, "%s%s: R.Tensor((", i ? ", " : "", c->in[i].name);
        for (uint32_t k = 0; k < c->in[i].rank; k++) {
            bool symbol = symbolic && c->in[i].dim[k] > 1;
            const char *line = arena_format(out->mem, "        d%lld = T.int64()\n", (long long)c->in[i].dim[k]);
            text_format(&params, symbol ? "\"d%lld\", " : "%lld, ", (long long)c->in[i].dim[k]);
            if (symbol && !strstr(text_get(&symbols), line)) text_put(&symbols, line);
        }
        text_format(&params, "), dtype=\"%s\")", c->in[i].type);
    }
    text_format(out, "    @R.function\n    def %s(%s):\n%s        gv = %s\n        return gv\n", name,
                text_get(&params), text_get(&symbols), c->call);
}

const char *op_case_text(arena *mem, const op_case *c, bool symbolic) {
    text out = TEXT_IN(mem);
    text_put(&out, "@I.ir_module\nclass Module:\n");
    op_case_function(&out, c, "main", symbolic);
    return text_get(&out);
}

static bool is_close(dtype t, double got, double want) {
    double rtol = 2e-5, atol = 2e-6;
    if (t.kind == DTYPE_F64) rtol = 1e-7;
    if (t.kind == DTYPE_F16) rtol = 2e-3, atol = 1e-3;
    if (t.kind == DTYPE_BF16) rtol = 1.6e-2, atol = 8e-3;
    if (isnan(want) || isnan(got)) return isnan(want) && isnan(got);
    if (isinf(want) || isinf(got)) return want == got;
    return fabs(got - want) <= atol + rtol * fabs(want);
}

static bool same(arena *mem, const tensor *got, const char **want, text *why) {
    op_spec s;
    const char *p = read_head(mem, *want, &s) + 1;
    bool fits = got->rank == s.rank && dtype_equal(got->type, s.dt);
    for (uint32_t i = 0; fits && i < s.rank; i++) fits = got->dim[i] == s.dim[i];
    if (!fits) return text_format(why, "shape or dtype differs from %s", *want), false;
    p += *p == ' ';
    for (int64_t i = 0; i < tensor_count(got); i++) {
        bool real = dtype_is_float(got->type);
        double have = real ? tensor_get_float(got, (size_t)i) : 0, wish = real ? read_value(&p) : 0;
        int64_t whole = real ? 0 : tensor_get_int(got, (size_t)i), wanted = real ? 0 : read_whole(&p);
        if (real ? is_close(got->type, have, wish) : whole == wanted) continue;
        return text_format(why, "element %lld is %.9g, %lld, want %.9g, %lld", (long long)i, have, (long long)whole,
                           wish, (long long)wanted),
               false;
    }
    p += strspn(p, "; ");
    *want = p;
    return true;
}

static bool matches_at(arena *mem, const value *v, const char **want, text *why) {
    if (v->kind == VALUE_TENSOR) return same(mem, v->as.tensor, want, why);
    if (v->kind != VALUE_TUPLE) return text_put(why, "no tensor"), false;
    for (uint32_t i = 0; i < v->as.tuple.count; i++)
        if (!matches_at(mem, &v->as.tuple.item[i], want, why)) return false;
    return true;
}

bool op_case_matches(arena *mem, const op_case *c, const value *v, text *why) {
    const char *want = c->results;
    return matches_at(mem, v, &want, why);
}

char *op_cases_file(arena *mem, size_t *size) {
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
