// infer.c - `relax infer`: what is known of the result of one call, from what is known of its operands.
#include "base/lexer.h"
#include "cli/verb.h"
#include "graph/build.h"
#include "text/script.h"
#include <string.h>

// The module that holds the call: operands are values cast to their annotations, symbols are the dims of a parameter.
typedef struct question {
    arena *mem;
    diag *d;
    text symbols, declared, casts; // "\"n\", ", "        n = T.int64()\n", …
    text_map known;                // names of operands and symbols
    text undeclared;               // names in the call that no --var declares: "x, w"
    bool in_call;
} question;

// Names that mean something in annotations and are no symbols.
static bool is_word(const token *t) {
    static const char *const words[] = {"R", "T", "True", "False", "None", "min", "max", "Object", "lambda"};
    for (size_t i = 0; i < COUNT(words); i++)
        if (token_is(t, words[i])) return true;
    return false;
}

// Symbols become dims of a parameter `symbols`, so that the module declares them as any other does.
static void add_symbol(question *q, const char *name) {
    if (text_map_find(&q->known, name)) return;
    text_map_put(&q->known, name, q);
    if (q->in_call) text_format(&q->undeclared, "%s%s", q->undeclared.len ? ", " : "", name);
    text_format(&q->symbols, "\"%s\", ", name);
    text_format(&q->declared, "        %s = T.int64()\n", name);
}

// Brackets around a token, the innermost last: is it the parenthesis of a call? Strings right in one (the name of an
// external function, an equation) are what they are; those in tuples and lists are dims.
typedef struct nesting {
    uint64_t calls; // a bit each; deeper than 64 nobody writes
} nesting;

static void enter_or_leave(nesting *in, const token *before, const token *t) {
    if (token_is(t, "(") || token_is(t, "["))
        in->calls = in->calls << 1 | (token_is(t, "(") && before->kind == TOKEN_NAME);
    if (token_is(t, ")") || token_is(t, "]")) in->calls >>= 1;
}

// The text again, with symbols noted and quoted dims ("n") bare.
static void put_rewritten(question *q, const char *bytes, text *out) {
    source *src = ARENA_NEW(q->mem, source, 1);
    *src = (source){.name = "<argument>", .bytes = bytes, .size = strlen(bytes)};
    lexer *x = lexer_new(q->mem, src, q->d, (lexer_options){0});
    token before = {0};
    nesting in = {0};
    for (token t = lexer_next(x); t.kind != TOKEN_END; before = t, t = lexer_next(x)) {
        if (token_is(&t, ";")) {
            diag_error(q->d, (loc){0}, "want one %s, got more behind it: '%s'", q->in_call ? "call" : "annotation",
                       t.start);
            return;
        }
        const token *after = lexer_peek(x, 0);
        enter_or_leave(&in, &before, &t);
        bool dim = t.kind == TOKEN_STRING && !(in.calls & 1) &&
                   (token_is(&before, "(") || token_is(&before, ",") || token_is(&before, "["));
        bool free_name = t.kind == TOKEN_NAME && !token_is(&before, ".") && !token_is(after, "=") &&
                         !token_is(after, "(") && !token_is(after, ".");
        if (dim &&
            strspn(t.str, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-*/% ()") == t.str_size &&
            before.kind == TOKEN_OP) {
            dtype type;
            if (!dtype_parse(t.str, t.str_size, &type)) {
                put_rewritten(q, t.str, out);
                continue;
            }
        }
        if (free_name && !is_word(&t)) add_symbol(q, arena_copy(q->mem, t.start, t.size));
        if (t.space_before) text_put_char(out, ' ');
        text_put_n(out, t.start, t.size);
    }
}

// "x=R.Tensor((n, 4), dtype="float32")".
// A match_cast gives the operand its annotation without asking where the value comes from.
static bool add_operand(question *q, const char *spec) {
    const char *equals = strchr(spec, '=');
    if (!equals || equals == spec) return false;
    const char *name = arena_copy(q->mem, spec, (size_t)(equals - spec));
    if (text_map_find(&q->known, name)) return diag_error(q->d, (loc){0}, "--var %s is given twice", name);
    text annotation = TEXT_IN(q->mem);
    put_rewritten(q, equals + 1, &annotation);
    text_map_put(&q->known, name, q);
    text_format(&q->casts, "        %s = R.match_cast(value, %s)\n", name, text_get(&annotation));
    return true;
}

// The last binding is the call.
static const ann *deduced(const module *m) {
    node_list nodes = {0};
    graph_nodes(module_find(m, "main")->graph, m->mem, &nodes);
    return nodes.len ? nodes.at[nodes.len - 1]->type : NULL;
}

// A name that the call alone mentions was taken for a symbol; it may have been meant as an operand.
static int report(question *q) {
    const diag *d = q->d;
    const char *cast = "match_cast: "; // how an operand gets its annotation
    for (uint32_t i = 0; i < d->len; i++) {
        const char *message = d->record[i].message;
        bool operand = text_starts(message, cast);
        cli_error("%s%s", operand ? "--var: " : "", operand ? message + strlen(cast) : message);
    }
    if (q->undeclared.len)
        cli_error("%s: taken for a size, since no --var declares an operand of that name: --var "
                  "'%.*s=R.Tensor((n, 4), dtype=\"float32\")'",
                  text_get(&q->undeclared), (int)strcspn(text_get(&q->undeclared), ","), text_get(&q->undeclared));
    return CLI_WRONG;
}

// The module is made as text and read: what deduces here is exactly what deduces in a file.
static int answer(const cli_args *a, question *q, const char *call) {
    text module_text = TEXT_IN(q->mem), out = TEXT_IN(q->mem);
    text_format(&module_text,
                "@I.ir_module\nclass Module:\n    @R.function(pure=False)\n    def main(symbols: R.Shape([%s]), value: "
                "R.Object):\n%s%s"
                "        result = %s\n        return result\n",
                text_get(&q->symbols), text_get(&q->declared), text_get(&q->casts), call);
    source src = {.name = "<call>", .bytes = text_get(&module_text), .size = module_text.len};
    module *m = q->d->errors ? NULL : script_parse(&src, q->d);
    const ann *type = m ? deduced(m) : NULL;
    if (type) ann_print(&out, type, NULL);
    module_free(m);
    if (!type) return report(q);
    if (cli_flag(a, "json")) {
        text json = TEXT_IN(q->mem);
        text_put(&json, "{\"annotation\": ");
        cli_json_string(&json, text_get(&out), out.len);
        text_put(&json, "}\n");
        return cli_print(&json);
    }
    text_put_char(&out, '\n');
    return cli_print(&out);
}

static int run(const cli_args *a) {
    uint32_t count;
    const char *const *vars = cli_values(a, "var", &count);
    question q = {.mem = a->mem,
                  .d = diag_new(a->mem),
                  .symbols = TEXT_IN(a->mem),
                  .declared = TEXT_IN(a->mem),
                  .casts = TEXT_IN(a->mem),
                  .undeclared = TEXT_IN(a->mem),
                  .known = TEXT_MAP_IN(a->mem)};
    for (uint32_t i = 0; i < count; i++)
        if (!add_operand(&q, vars[i]))
            return q.d->len ? cli_usage(a, "%s", q.d->record[0].message)
                            : cli_usage(a, "--var wants NAME=ANNOTATION, got '%s'", vars[i]);
    text call = TEXT_IN(a->mem);
    q.in_call = true;
    put_rewritten(&q, a->positional[0], &call);
    return answer(a, &q, text_get(&call));
}

static const cli_option options[] = {
    {.name = "var", .value = "NAME=ANNOTATION", .doc = "an operand and what is known of it", .repeat = true},
    {.name = "json", .doc = "print for programs"},
    {0}};

const cli_verb verb_infer = {
    .name = "infer",
    .summary = "deduces the annotation of a call from those of its operands",
    .usage = "CALL [--var NAME=ANNOTATION]...",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "Names in dims are symbols; they may be quoted, as in signatures. Exit code 1 with the reason where the\n"
        "call is refused.",
    .examples = "  relax infer 'R.matmul(x, w)' --var 'x=R.Tensor((\"n\", 4), \"float32\")' --var "
                "'w=R.Tensor((4, \"m\"), \"float32\")'\n"
                "  relax infer 'R.reshape(x, R.shape([n * 4]))' --var 'x=R.Tensor((n, 4), dtype=\"float32\")'\n",
    .run = run,
};
