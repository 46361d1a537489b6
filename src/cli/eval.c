// eval.c - `relax eval`: runs a function of a module in the interpreter, the reference meaning.
#include "base/count_noun.h"
#include "base/file.h"
#include "cli/eval_value.h"
#include "cli/verb.h"
#include "graph/verify.h"
#include "text/script.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// One result under the name it has for the user: out0, out1.0; the buffers of a loop program under their own.
typedef struct output {
    const char *name;
    rx_value *v; // NULL: a function or nothing
} output;

typedef struct evaluation {
    const cli_args *a;
    module *m;
    diag *d;
    const module_func *f;
    uint32_t params;
    value *arg; // one per parameter
    bool *given;
    VEC(interp_symbol) symbols;
    int64_t seed, max_steps;
    double rtol, atol;
    VEC(output) outputs;
} evaluation;

// --- Arguments.

static const char *param_name(const evaluation *e, uint32_t i) {
    if (e->f->kind == FUNC_GRAPH) return e->f->graph->param[i]->name;
    const loop_param *p = &e->f->loop->param[i];
    return p->buf ? p->buf->name : p->var->as.var->name;
}

// NAME=VALUE; the name's size, 0 if there is none.
static size_t name_size(const char *word) {
    size_t size = strcspn(word, "=@([' \""); // a name may have letters of any script
    return word[size] == '=' ? size : 0;
}

// A number or a truth value for a tensor without dims: c=true.
static bool give_tensor(const evaluation *e, uint32_t param) {
    if (e->f->kind != FUNC_GRAPH || e->arg[param].kind != VALUE_PRIM) return true;
    const ann *type = e->f->graph->param[param]->type;
    if (type->kind != ANN_TENSOR || type->rank > 0) return true;
    value prim = e->arg[param];
    dtype t = type->type.kind == DTYPE_VOID ? prim.as.prim.type : type->type;
    bool real = dtype_is_float(prim.as.prim.type);
    tensor *made;
    if (tensor_new(t, 0, NULL, &made) != RX_OK) return false;
    if (dtype_is_float(t))
        tensor_set_float(made, 0, real ? prim.as.prim.scalar.f : (double)prim.as.prim.scalar.i);
    else
        tensor_set_int(made, 0, real ? (int64_t)prim.as.prim.scalar.f : prim.as.prim.scalar.i);
    e->arg[param] = (value){.kind = VALUE_TENSOR, .as.tensor = made};
    return true;
}

// Each parameter has a seed of its own, the same whether it is named or not.
static bool read_value(evaluation *e, const char *word, uint32_t param) {
    char message[RX_MESSAGE];
    rx_value *v = NULL;
    if (rx_value_parse(word, (uint64_t)e->seed + param, &v, message) != RX_OK)
        return cli_usage(e->a, "%s", message), false;
    bool fits = eval_from_runtime(v, e->a->mem, &e->arg[param]) && give_tensor(e, param);
    rx_value_release(v);
    e->given[param] = fits;
    return fits || (cli_usage(e->a, "%s: no memory, or no value for a function", word), false);
}

// A name that no parameter has is a size: n=3.
static bool read_symbol(evaluation *e, const char *name, const char *word) {
    char *end;
    errno = 0;
    long long number = strtoll(word, &end, 10);
    if (end == word || *end || errno) {
        cli_usage(e->a, "%s has no parameter %s; as a size it wants a number, got '%s'", e->f->name, name, word);
        return false;
    }
    interp_symbol s = {name, number};
    VEC_PUSH(e->a->mem, &e->symbols, s);
    return true;
}

// A parameter before a size: sizes have names of their own anyway.
static bool read_named(evaluation *e, const char *word, size_t size) {
    const char *name = arena_copy(e->a->mem, word, size);
    for (uint32_t i = 0; i < e->params; i++) {
        if (strcmp(param_name(e, i), name) != 0) continue;
        if (!e->given[i]) return read_value(e, word + size + 1, i);
        return cli_usage(e->a, "%s is given twice", name), false;
    }
    return read_symbol(e, name, word + size + 1);
}

// Words without a name take the next place, as in relax run.
static bool read_arguments(evaluation *e) {
    uint32_t next = 0;
    for (uint32_t i = 2; i < e->a->count; i++) {
        const char *word = e->a->positional[i];
        size_t size = name_size(word);
        if (size ? !read_named(e, word, size) : next < e->params && !read_value(e, word, next++)) return false;
        if (!size && next > e->params) return false;
        if (!size && next == e->params && i + 1 < e->a->count && !name_size(e->a->positional[i + 1]))
            return cli_usage(e->a, "%s takes %s", e->f->name, COUNTED(e->params, "argument")), false;
    }
    return true;
}

// --- Results.

// Tuples in tuples: out0.1. Every leaf is one result.
static void add_output(evaluation *e, const char *name, const value *v) {
    if (v->kind == VALUE_TUPLE) {
        for (uint32_t i = 0; i < v->as.tuple.count; i++)
            add_output(e, arena_format(e->a->mem, "%s.%u", name, i), &v->as.tuple.item[i]);
        return;
    }
    output o = {name, eval_to_runtime(v)};
    VEC_PUSH(e->a->mem, &e->outputs, o);
}

// A loop program returns nothing: its buffers, inputs too, are shown as it left them.
static void add_outputs(evaluation *e, const value *result) {
    if (e->f->kind == FUNC_LOOP)
        for (uint32_t i = 0; i < e->params; i++)
            if (e->arg[i].kind == VALUE_TENSOR) add_output(e, param_name(e, i), &e->arg[i]);
    if (result->kind == VALUE_TUPLE)
        for (uint32_t i = 0; i < result->as.tuple.count; i++)
            add_output(e, arena_format(e->a->mem, "out%u", i), &result->as.tuple.item[i]);
    else if (e->f->kind == FUNC_GRAPH || result->kind != VALUE_NULL)
        add_output(e, "out0", result);
}

// One line per result, as relax run prints it.
static const char *preview(const evaluation *e, const output *o) {
    size_t size = rx_value_print(o->v, NULL, 0);
    char *line = ARENA_NEW(e->a->mem, char, size + 1);
    rx_value_print(o->v, line, size + 1);
    return o->v ? line : "a function or nothing";
}

static int print_outputs(evaluation *e) {
    text t = TEXT_IN(e->a->mem);
    bool json = cli_flag(e->a, "json");
    if (json) text_put(&t, "[");
    for (uint32_t i = 0; i < e->outputs.len; i++) {
        const output *o = &e->outputs.at[i];
        const char *line = preview(e, o);
        if (!json) {
            text_format(&t, "%s: %s\n", o->name, line);
            continue;
        }
        text_format(&t, "%s{\"name\": \"%s\", \"value\": ", i ? ", " : "", o->name);
        cli_json_string(&t, line, strlen(line));
        text_put(&t, "}");
    }
    if (json) text_put(&t, "]\n");
    return cli_print(&t);
}

// Only tensors have files.
static int save_outputs(evaluation *e) {
    const char *folder = cli_value(e->a, "output");
    char message[RX_MESSAGE];
    if (!folder) return CLI_DONE;
    for (uint32_t i = 0; i < e->outputs.len; i++) {
        const output *o = &e->outputs.at[i];
        if (rx_value_kind(o->v) != RX_TENSOR) continue;
        const char *path = arena_format(e->a->mem, "%s/%s.npy", folder, o->name);
        if (rx_tensor_save(o->v, path, message) != RX_OK) return cli_error("%s", message);
    }
    return CLI_DONE;
}

static const output *find_output(const evaluation *e, const char *name) {
    for (uint32_t i = 0; i < e->outputs.len; i++)
        if (strcmp(e->outputs.at[i].name, name) == 0) return &e->outputs.at[i];
    return NULL;
}

static int expect(evaluation *e, const char *word) {
    char message[RX_MESSAGE];
    rx_value *want = NULL;
    size_t size = name_size(word);
    const char *name = arena_copy(e->a->mem, word, size);
    const output *o = find_output(e, name);
    if (!size) return cli_usage(e->a, "--expect: want NAME=VALUE, such as out0=@y.npy, got '%s'", word);
    if (!o)
        return cli_usage(e->a, "--expect %s: there is no such result; want %s=VALUE", word,
                         e->outputs.len ? e->outputs.at[0].name : "out0");
    if (rx_value_parse(word + size + 1, (uint64_t)e->seed, &want, message) != RX_OK)
        return cli_usage(e->a, "--expect: %s", message);
    rx_status status = rx_value_compare(o->v, want, e->rtol, e->atol, message);
    rx_value_release(want);
    return status == RX_OK ? CLI_DONE : cli_error("%s: %s", o->name, message);
}

// All of them, so that one run shows every difference.
static int check_expected(evaluation *e) {
    uint32_t count;
    const char *const *words = cli_values(e->a, "expect", &count);
    int code = CLI_DONE;
    for (uint32_t i = 0; i < count && code != CLI_USAGE; i++) {
        int now = expect(e, words[i]);
        if (now != CLI_DONE) code = now;
    }
    return code;
}

// --- The run.

// Printed even if they are not as expected.
static int give_results(evaluation *e, const value *result) {
    add_outputs(e, result);
    int code = print_outputs(e);
    if (code == CLI_DONE) code = save_outputs(e);
    if (code == CLI_DONE) code = check_expected(e);
    for (uint32_t i = 0; i < e->outputs.len; i++) rx_value_release(e->outputs.at[i].v);
    return code;
}

static int run_function(evaluation *e) {
    const cli_args *a = e->a;
    interp_options o = {.max_steps = (uint64_t)e->max_steps, .allow_uninitialised = cli_flag(a, "allow-uninitialised")};
    text printed = TEXT_IN(a->mem);
    o.printed = &printed;
    value result;
    bool ran = interp_draw_rest(e->m, e->f->name, (uint64_t)e->seed, e->symbols.at, e->symbols.len, a->mem, e->arg,
                                e->given, e->d) &&
               interp_run(e->m, e->f->name, e->arg, e->params, &o, a->mem, &result, e->d);
    if (printed.len) cli_print(&printed);
    int code = cli_report(e->d);
    if (!ran) return code;
    if (code == CLI_DONE) code = give_results(e, &result);
    interp_release(&result);
    return code;
}

static const char *known_functions(const evaluation *e) {
    text t = TEXT_IN(e->a->mem);
    if (!e->m->funcs.len) return "none";
    for (uint32_t i = 0; i < e->m->funcs.len; i++) text_format(&t, "%s%s", i ? ", " : "", e->m->funcs.entry[i].key);
    return text_get(&t);
}

// Arguments are released whether it ran or not.
static int evaluate(evaluation *e) {
    const char *name = e->a->positional[1];
    e->f = module_find(e->m, name);
    if (!e->f || e->f->kind == FUNC_EXTERN)
        return cli_error("%s has no function %s to run; it has %s", e->a->positional[0], name, known_functions(e));
    e->params = e->f->kind == FUNC_GRAPH ? e->f->graph->params : e->f->loop->params;
    e->arg = ARENA_NEW(e->a->mem, value, e->params);
    e->given = ARENA_NEW(e->a->mem, bool, e->params);
    int code = read_arguments(e) ? CLI_DONE : CLI_USAGE;
    const char *folder = cli_value(e->a, "output");
    if (code == CLI_DONE && folder && !cli_may_write_into(folder)) code = CLI_WRONG;
    if (code == CLI_DONE) code = run_function(e);
    for (uint32_t i = 0; i < e->params; i++) interp_release(&e->arg[i]);
    return code;
}

static int run(const cli_args *a) {
    evaluation e = {.a = a, .d = diag_new(a->mem)};
    if (!cli_int(a, "seed", 0, INT64_MAX / 2, &e.seed) || !cli_int(a, "max-steps", 1, INT64_MAX, &e.max_steps))
        return CLI_USAGE;
    if (!cli_tolerance(a, "rtol", &e.rtol) || !cli_tolerance(a, "atol", &e.atol)) return CLI_USAGE;
    const source *src = cli_source(a, a->positional[0]);
    if (!src) return CLI_WRONG;
    e.m = script_parse(src, e.d);
    if (!e.m) return cli_report(e.d);
    int code = module_verify(e.m, e.d) ? evaluate(&e) : cli_report(e.d);
    module_free(e.m);
    return code;
}

static const cli_option options[] = {
    {.name = "seed", .value = "N", .preset = "0", .doc = "of random values"},
    {.name = "output", .letter = 'o', .value = "DIR", .doc = "write each tensor to DIR/NAME.npy"},
    {.name = "expect", .value = "NAME=VALUE", .doc = "compare a result; exit code 1 if it differs", .repeat = true},
    {.name = "rtol", .value = "X", .preset = "1e-5", .doc = "relative tolerance of --expect"},
    {.name = "atol", .value = "X", .preset = "1e-6", .doc = "absolute tolerance of --expect"},
    {.name = "max-steps",
     .value = "N",
     .preset = "1000000000",
     .doc = "stop after so many loop iterations and bindings"},
    {.name = "allow-uninitialised", .doc = "read elements that were never written as 0"},
    {.name = "json", .doc = "print for programs"},
    {0},
};

const cli_verb verb_eval = {
    .name = "eval",
    .summary = "runs a function of a module in the interpreter, with every check",
    .usage = "FILE FUNC [[NAME=]VALUE]... [--expect NAME=VALUE]",
    .least = 2,
    .most = UINT32_MAX,
    .options = options,
    .details =
        "A value is f32[7,128] (random), f32[3]:1,2,3 (its elements), [[1,2],[3,4]], @x.npy, 3, 1.5, i32:3, true,\n"
        "(3,4) (a shape), (f32[2],1.5) (a tuple) or 'text'; a number is also a tensor without dims. Parameters that\n"
        "are not given are random, with sizes that fit the others; n=3 gives a size that no parameter does.\n"
        "Results are out0, out1, of a tuple in a tuple out0.1; a loop program's are its buffers.\n\n"
        "Indices, elements that were never written, assertions, shapes and dtypes are checked.",
    .examples = "  relax eval mlp.py main x=f32[7,128]\n"
                "  relax eval mlp.py main n=7 --output results --seed 3\n"
                "  relax eval mlp.py main x=@x.npy w1=@w1.npy --expect out0=@y.npy --rtol 1e-4\n",
    .run = run,
};
