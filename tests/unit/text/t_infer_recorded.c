// t_infer_recorded.c - our deductions against those that TVM 0.25 made (tests/data/infer/calls.txt, recorded by
// tools/record_infer.py): at least as precise, and refused where TVM refuses. Where we differ on purpose,
// tests/data/infer/differences.txt says why; tests/data/infer/unrecorded.txt names the operators without records.
#include "base/file.h"
#include "graph/build.h"
#include "ops/ops.h"
#include "test.h"
#include "text/script.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One line of the file: operands | call | result.
typedef struct record {
    const char *operands, *call, *result;
} record;

typedef enum verdict { SAME, LESS_PRECISE, NOT_REFUSED, REFUSED, UNREADABLE, PRINTED_OTHERWISE, BELOW_ZERO } verdict;
static const char *const verdict_name[] = {"same",       "less precise",      "not refused", "refused",
                                           "unreadable", "printed otherwise", "dims below 0"};

static const char *field(arena *mem, const char **at, const char *end) {
    const char *bar = strstr(*at, " | ");
    if (!bar || bar > end) bar = end;
    const char *copy = arena_copy(mem, *at, (size_t)(bar - *at));
    *at = bar < end ? bar + 3 : end;
    return copy;
}

static record read_record(arena *mem, const char *line, size_t size) {
    const char *at = line, *end = line + size;
    record r = {.operands = field(mem, &at, end)};
    r.call = field(mem, &at, end);
    r.result = field(mem, &at, end);
    return r;
}

// What calls of the module's own functions name.
static const char *const functions =
    "    @T.prim_func(private=True, s_tir=True)\n"
    "    def f(a: T.handle, b: T.handle):\n"
    "        n = T.int64()\n"
    "        A = T.match_buffer(a, (n, T.int64(4)))\n"
    "        B = T.match_buffer(b, (n, T.int64(4)))\n"
    "        for i, j in T.grid(n, T.int64(4)):\n"
    "            B[i, j] = A[i, j]\n"
    "    @R.function\n"
    "    def g(x: R.Tensor((\"n\", 4), dtype=\"float32\"), y: R.Tensor((\"n\", 4), dtype=\"float32\")):\n"
    "        return x\n";

// The call in a function of its own: operands are match_casts, so that symbols stand bare as TVM prints them.
static const char *module_text(arena *mem, const record *r, bool with_result) {
    text t = TEXT_IN(mem);
    text_put(&t, "@I.ir_module\nclass Module:\n");
    if (strstr(r->call, "cls.")) text_put(&t, functions);
    text_put(&t, "    @R.function(pure=False)\n"
                 "    def main(sym: R.Shape([\"n\", \"m\", \"k\"]), obj: R.Object):\n"
                 "        n = T.int64()\n        m = T.int64()\n        k = T.int64()\n        cls = Module\n");
    for (const char *p = r->operands; *p;) {
        const char *end = strstr(p, "; "), *colon = strstr(p, ": ");
        if (!end) end = p + strlen(p);
        if (!colon) break;
        text_format(&t, "        %.*s = R.match_cast(obj, %.*s)\n", (int)(colon - p), p, (int)(end - colon - 2),
                    colon + 2);
        p = *end ? end + 2 : end;
    }
    if (with_result) text_format(&t, "        want = R.match_cast(obj, %s)\n", r->result);
    text_format(&t, "        got = %s\n        return got\n", r->call);
    return text_get(&t);
}

static const node *find_bound(const module *m, const char *name) {
    const module_func *f = module_find(m, "main");
    node_list nodes = {0};
    graph_nodes(f->graph, m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++)
        if (nodes.at[i]->name && strcmp(nodes.at[i]->name, name) == 0) return nodes.at[i];
    return NULL;
}

static facts *symbols_not_negative(const module *m) {
    facts *f = facts_new(m->exprs);
    expr_list vars = {0};
    ann_free_vars(module_find(m, "main")->graph->param[0]->type, m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        facts_assume(f, expr_binary(m->exprs, EXPR_GE, vars.at[i], expr_i64(m->exprs, 0)));
    return f;
}

// Where the prover can't tell: equal for all small values of the symbols for which TVM's dim is a size at all (it lets
// some dims of slices become negative, where ours are 0)?
static bool equal_on_samples(const module *m, const expr *ours, const expr *theirs) {
    expr_list vars = {0};
    scalar a, b;
    ann_free_vars(module_find(m, "main")->graph->param[0]->type, m->mem, &vars);
    for (int64_t i = 0; i < 1000; i++) {
        expr_env env = expr_env_new(m->mem, m->exprs);
        for (uint32_t k = 0, by = 1; k < vars.len; k++, by *= 10)
            expr_env_set(&env, vars.at[k], (scalar){.i = i / by % 10});
        if (expr_eval(theirs, &env, &b) != EXPR_DONE || b.i < 0) continue;
        if (expr_eval(ours, &env, &a) != EXPR_DONE || a.i != b.i) return false;
    }
    return true;
}

static bool fits(const module *m, const ann *ours, const ann *theirs) {
    if (ann_fits(m->exprs, ours, theirs, symbols_not_negative(m)) == ANN_YES) return true;
    if (ours->kind != theirs->kind || !dtype_equal(ours->type, theirs->type)) return false;
    if (ours->kind == ANN_TUPLE && ours->count == theirs->count) {
        for (uint32_t i = 0; i < ours->count; i++)
            if (!fits(m, ours->field[i], theirs->field[i])) return false;
        return true;
    }
    if (ours->kind != ANN_TENSOR || ours->rank != theirs->rank || !ours->dim || !theirs->dim) return false;
    for (int32_t i = 0; i < ours->rank; i++)
        if (!equal_on_samples(m, ours->dim[i], theirs->dim[i])) return false;
    return true;
}

static verdict compare(module *m, text *what) {
    const node *got = find_bound(m, "got"), *want = find_bound(m, "want");
    if (!got || !want) return UNREADABLE;
    bool fit = fits(m, got->type, want->type);
    if (!fit) ann_print(what, got->type, NULL);
    return fit ? SAME : LESS_PRECISE;
}

// The call as our printer spells it.
static const char *printed_call(const module *m) {
    text t = TEXT_IN(m->mem);
    script_print(&t, m, NULL);
    const char *line = strstr(text_get(&t), "        got");
    const char *equals = line ? strstr(line, " = R.") : NULL, *end = equals ? strchr(equals, '\n') : NULL;
    return end ? arena_copy(m->mem, equals + 3, (size_t)(end - equals - 3)) : "";
}

// Without what only looks different: TVM's 17 digits, strings that are empty, R.str around a string, names of arguments
// that stand alone there.
static const char *plain(arena *mem, const char *call) {
    static const char *const same[][2] = {{"1.0000000000000001e-05", "1e-05"},
                                          {"0.10000000000000001", "0.1"},
                                          {", rounding_method=\"\"", ""},
                                          {", mode=\"\"", ""},
                                          {", format=R.str(\"\")", ""},
                                          {"R.str(\"", "\""},
                                          {", te_grad_kwargs=None", ""},
                                          {"device_type=", ""},
                                          {", index=", ", "},
                                          {", \"global\")", ", memory_scope=\"global\")"},
                                          {", R.device(", ", dst_vdevice=R.device("},
                                          {"device_mesh((2,), ", "device_mesh([2], "},
                                          {"{}\"))", "{}\")"}};
    text t = TEXT_IN(mem);
    for (const char *p = call; *p;) {
        size_t k = 0;
        while (k < COUNT(same) && !text_starts(p, same[k][0])) k++;
        if (k == COUNT(same)) text_put_char(&t, *p++);
        if (k < COUNT(same)) text_put(&t, same[k][1]), p += strlen(same[k][0]);
    }
    return text_get(&t);
}

static verdict replay(arena *mem, const record *r, text *what) {
    bool refused = strcmp(r->result, "refused") == 0;
    source src = {.name = "<record>", .bytes = module_text(mem, r, !refused)};
    src.size = strlen(src.bytes);
    diag *d = diag_new(mem);
    module *m = script_parse(&src, d);
    verdict v = refused ? (m ? NOT_REFUSED : SAME) : REFUSED;
    if (m && !refused) v = compare(m, what);
    if (v == SAME && m && !refused && strcmp(plain(mem, printed_call(m)), plain(mem, r->call)) != 0) {
        v = PRINTED_OTHERWISE;
        text_put(what, printed_call(m));
    }
    if (m && refused) ann_print(what, find_bound(m, "got")->type, NULL);
    const char *why = !m && !refused && d->len ? d->record[0].message : "";
    if (text_starts(why, "match_cast: a dim of ") && strstr(why, " is below 0")) v = BELOW_ZERO; // what TVM deduced
    text_put(what, why);
    module_free(m);
    return v;
}

// A difference on purpose: `verdict | beginning of the call | reason`, and how many records it stands for.
typedef struct difference {
    const char *verdict, *call, *reason;
    uint32_t used;
} difference;
typedef VEC(difference) difference_list;

static char *read_data(arena *mem, const char *name, size_t *size) {
    const char *src = getenv("SRC");
    const char *path = arena_format(mem, "%s/tests/data/infer/%s", src ? src : ".", name);
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("cannot open %s", path);
    text t = TEXT_IN(mem);
    char part[4096];
    for (size_t got; (got = fread(part, 1, sizeof part, f)) > 0;) text_put_n(&t, part, got);
    fclose(f);
    *size = t.len;
    text_put_char(&t, '\0');
    return t.at;
}

static void read_differences(arena *mem, const char *name, difference_list *out) {
    size_t size;
    const char *at = read_data(mem, name, &size), *end = at + size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        record r = *at == '#' ? (record){0} : read_record(mem, at, (size_t)(stop - at));
        difference d = {.verdict = r.operands, .call = r.call, .reason = r.result};
        if (d.call && *d.call) VEC_PUSH(mem, out, d);
        at = stop + 1;
    }
}

// Is less known of an operand than dims and dtype?
static bool has_unknown(const record *r) {
    return strstr(r->operands, "ndim=") || strstr(r->operands, "R.Tensor;") || text_ends(r->operands, "R.Tensor") ||
           strstr(r->operands, "R.Tensor(dtype=") || strstr(r->operands, "))");
}

static bool is_known(difference_list *list, verdict v, const record *r) {
    for (uint32_t i = 0; i < list->len; i++) {
        difference *d = &list->at[i];
        bool matches = strcmp(d->call, "(an operand of which less is known)") == 0 ? has_unknown(r)
                                                                                   : strstr(r->call, d->call) != NULL;
        if (strcmp(d->verdict, verdict_name[v]) != 0 || !matches) continue;
        d->used++;
        return true;
    }
    return false;
}

static void replays_what_was_recorded(void **state) {
    (void)state;
    arena *mem = arena_new();
    difference_list known = {0};
    size_t size;
    uint32_t calls = 0, wrong = 0;
    const char *at = read_data(mem, "calls.txt", &size), *end = at + size;
    read_differences(mem, "differences.txt", &known);
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        arena *own = arena_new();
        record r = read_record(own, at, (size_t)(stop - at));
        text what = TEXT_IN(own);
        verdict v = *at == '#' ? SAME : replay(own, &r, &what);
        calls += *at != '#';
        if (v != SAME && !is_known(&known, v, &r)) {
            wrong++;
            print_message("%s: %s | %s | %s\n    ours: %s\n", verdict_name[v], r.operands, r.call, r.result,
                          text_get(&what));
        }
        arena_free(own);
        at = stop + 1;
    }
    for (uint32_t i = 0; i < known.len; i++)
        if (!known.at[i].used)
            print_message("no longer a difference: %s | %s\n", known.at[i].verdict, known.at[i].call), wrong++;
    assert_true(calls >= 3300);
    arena_free(mem);
    assert_int_equal(wrong, 0);
}

// The line of `unrecorded` that names the operator, or the namespace it is in ("rx."); NULL: none.
static difference *unrecorded_line(difference_list *unrecorded, const char *name) {
    for (uint32_t i = 0; i < unrecorded->len; i++) {
        const char *line = unrecorded->at[i].verdict;
        bool space = text_ends(line, ".");
        if (space ? text_starts(name, line) : strcmp(name, line) == 0) return &unrecorded->at[i];
    }
    return NULL;
}

// Every operator of the table has recorded calls, or stands among those that can't have them, never both.
static void every_operator_is_recorded(void **state) {
    (void)state;
    arena *mem = arena_new();
    difference_list unrecorded = {0};
    size_t size;
    uint32_t count, recorded = 0, wrong = 0;
    const char *calls = read_data(mem, "calls.txt", &size);
    const op *const *all = op_all(&count);
    read_differences(mem, "unrecorded.txt", &unrecorded);
    for (uint32_t i = 0; i < count; i++) {
        bool has = strstr(calls, arena_format(mem, "| R.%s(", all[i]->name)) != NULL;
        difference *line = unrecorded_line(&unrecorded, all[i]->name);
        recorded += has;
        if (line) line->used++;
        if (has != (line != NULL)) continue;
        print_message("%s: %s\n", all[i]->name, has ? "recorded, and listed as if not" : "no recorded call");
        wrong++;
    }
    for (uint32_t i = 0; i < unrecorded.len; i++)
        if (!unrecorded.at[i].used) print_message("no such operator: %s\n", unrecorded.at[i].verdict), wrong++;
    print_message("%u of %u operators have recorded calls\n", recorded, count);
    arena_free(mem);
    assert_int_equal(wrong, 0);
    assert_true(recorded >= 228);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(replays_what_was_recorded),
                                       cmocka_unit_test(every_operator_is_recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
