// builder.c - modules of the compiler's library made call by call: each call is a fragment of the text form.
#include "api/api.h"
#include "base/count_noun.h"
#include "base/lexer.h"
#include "base/text.h"
#include "text/fragment.h"
#include "text/script.h"
#include <stdlib.h>
#include <string.h>

struct rx_builder {
    rx_session *session;
    fragments *f;
    arena *mem;
    bool failed;       // every later call fails with the first one's diagnostics
    uint32_t function; // number of the open one: vars of others are of no use in it
};

struct rx_var {
    const rx_builder *b;
    uint32_t function;
    const node *n;
    const char *annotation;
};

// --- What all calls share.

// The diagnostics of this call; NULL: an earlier one failed.
static diag *begin(const rx_builder *b) { return !b || b->failed ? NULL : api_begin(b->session); }

// The same for a call that can't do without a text.
static diag *begin_with(const rx_builder *b, const char *said, const char *what) {
    diag *d = begin(b);
    return !d || said || diag_error(d, (loc){0}, "want %s, got NULL", what) ? d : NULL;
}

static rx_status end(rx_builder *b, bool ok) {
    if (!b) return RX_INVALID_ARGUMENT;
    b->failed = b->failed || !ok;
    return ok ? RX_OK : RX_INVALID_ARGUMENT;
}

// Only what belongs to the function that is being made can be used in it.
static bool is_usable(const rx_builder *b, const rx_var *v, const char *what, uint32_t i, diag *d) {
    if (!v) return diag_error(d, (loc){0}, "%s: value %u is NULL", what, i);
    if (v->b != b || v->function != b->function || !fragments_open(b->f))
        return diag_error(d, (loc){0}, "%s: value %u, '%s', belongs to another function", what, i, rx_var_name(v));
    if (!fragments_sees(b->f, v->n))
        return diag_error(d, (loc){0}, "%s: value %u, '%s', belongs to a block, branch or closure that has ended", what,
                          i, rx_var_name(v));
    return true;
}

static bool is_list(rx_var *const *v, uint32_t count, const char *what, diag *d) {
    return v || !count || diag_error(d, (loc){0}, "%s: want %s, got NULL", what, COUNTED(count, "value"));
}

static const node **nodes_of(const rx_builder *b, rx_var *const *v, uint32_t count, const char *what, diag *d) {
    if (!is_list(v, count, what, d)) return NULL;
    const node **n = ARENA_NEW(b->mem, const node *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_usable(b, v[i], what, i, d)) return NULL;
        n[i] = v[i]->n;
    }
    return n;
}

// Hands a value out; NULL: it failed.
static rx_status give(rx_builder *b, const node *n, rx_var **out) {
    rx_var *v = n ? ARENA_NEW(b->mem, rx_var, 1) : NULL;
    if (v) *v = (rx_var){.b = b, .function = b->function, .n = n, .annotation = ann_to_text(b->mem, n->type)};
    if (out) *out = v;
    return end(b, n != NULL);
}

// --- The builder and its functions.

rx_status rx_builder_new(rx_session *s, rx_builder **out) {
    if (out) *out = NULL;
    if (!s || !out) return RX_INVALID_ARGUMENT;
    api_begin(s);
    rx_builder *b = *out = calloc(1, sizeof *b);
    if (!b) return RX_OUT_OF_MEMORY;
    b->session = s;
    s->users++;
    b->f = fragments_new();
    b->mem = arena_new();
    return RX_OK;
}

void rx_builder_release(rx_builder *b) {
    if (!b) return;
    api_forget_all(b->session);
    rx_session_release(b->session);
    fragments_free(b->f);
    arena_free(b->mem);
    free(b);
}

rx_status rx_builder_function(rx_builder *b, const char *name, unsigned flags) {
    diag *d = begin_with(b, name, "the name of a function");
    if (!d) return end(b, false);
    const unsigned known = RX_FUNCTION_PRIVATE | RX_FUNCTION_IMPURE;
    if (flags & ~known)
        return end(b, diag_error(d, (loc){0}, "%s: flags: want some of %u, got %u", name, known, flags));
    b->function++;
    return end(b, fragments_begin(b->f, name, flags & RX_FUNCTION_PRIVATE, !(flags & RX_FUNCTION_IMPURE), d));
}

rx_status rx_builder_param(rx_builder *b, const char *name, const char *annotation, rx_var **out) {
    diag *d = begin_with(b, name && annotation ? name : NULL, "a parameter's name and annotation");
    return give(b, d ? fragments_param(b->f, name, annotation, d) : NULL, out);
}

rx_status rx_builder_symbol(rx_builder *b, const char *name) {
    diag *d = begin_with(b, name, "a symbol's name");
    return end(b, d && fragments_symbol(b->f, name, d));
}

rx_status rx_builder_attr(rx_builder *b, const char *name, const char *value) {
    diag *d = begin_with(b, name && value ? name : NULL, "an attribute's name and value");
    return end(b, d && fragments_attr(b->f, name, value, d));
}

rx_status rx_builder_dataflow(rx_builder *b) {
    diag *d = begin(b);
    return end(b, d && fragments_dataflow(b->f, d));
}

rx_status rx_builder_output(rx_builder *b, rx_var *const *v, uint32_t count) {
    diag *d = begin(b);
    const node **n = d ? nodes_of(b, v, count, "output", d) : NULL;
    return end(b, n && fragments_output(b->f, n, count, d));
}

rx_status rx_builder_return(rx_builder *b, rx_var *const *v, uint32_t count) {
    diag *d = begin(b);
    const node **n = d ? nodes_of(b, v, count, "return", d) : NULL;
    return end(b, n && fragments_return(b->f, n, count, d));
}

rx_status rx_builder_result(rx_builder *b, const char *annotation) {
    diag *d = begin_with(b, annotation, "an annotation");
    return end(b, d && fragments_result(b->f, annotation, d));
}

rx_status rx_builder_text(rx_builder *b, const char *name, const char *bytes, size_t size) {
    diag *d = begin_with(b, bytes, "the text of a module");
    return end(b, d && fragments_text(b->f, name ? name : "<text>", bytes, size, d));
}

// --- Closures and branches.

rx_status rx_builder_closure(rx_builder *b, const char *name) {
    diag *d = begin_with(b, name, "the name of a closure");
    return end(b, d && fragments_closure(b->f, name, d));
}

rx_status rx_builder_end_closure(rx_builder *b, rx_var *const *v, uint32_t count, rx_var **out) {
    diag *d = begin(b);
    const node **n = d ? nodes_of(b, v, count, "end_closure", d) : NULL;
    return give(b, n ? fragments_end_closure(b->f, n, count, d) : NULL, out);
}

rx_status rx_builder_if(rx_builder *b, rx_var *condition) {
    diag *d = begin(b);
    return end(b, d && is_usable(b, condition, "if", 0, d) && fragments_if(b->f, condition->n, d));
}

rx_status rx_builder_else(rx_builder *b, rx_var *value) {
    diag *d = begin(b);
    return end(b, d && is_usable(b, value, "else", 0, d) && fragments_else(b->f, value->n, d));
}

rx_status rx_builder_end_if(rx_builder *b, rx_var *value, rx_var **out) {
    diag *d = begin(b);
    return give(b, d && is_usable(b, value, "end_if", 0, d) ? fragments_end_if(b->f, value->n, d) : NULL, out);
}

// --- Values.

// Dotted for operators. A name that could hold more would be read as what follows it too.
static bool is_callee(const char *name, bool dotted, diag *d) {
    for (const char *part = name; part;) {
        const char *dot = dotted ? strchr(part, '.') : NULL;
        if (!fragments_is_name(part, dot ? (size_t)(dot - part) : strlen(part)))
            return diag_error(d, (loc){0}, "'%s' is no name of %s: want letters, digits and _%s", name,
                              dotted ? "an operator" : "a function", dotted ? ", in parts with a . between them" : "");
        part = dot ? dot + 1 : NULL;
    }
    return true;
}

// Arguments end where their text ends: brackets match, and none is closed that isn't opened here.
static bool are_arguments(const char *callee, const char *more, diag *d) {
    const source src = {.name = "<arguments>", .bytes = more, .size = strlen(more)};
    arena *mem = arena_new();
    lexer *lex = lexer_new(mem, &src, diag_new(mem), (lexer_options){0});
    int depth = 0;
    bool closes = false;
    for (token t = lexer_next(lex); t.kind != TOKEN_END; t = lexer_next(lex)) {
        depth += token_is(&t, "(") || token_is(&t, "[") || token_is(&t, "{");
        depth -= token_is(&t, ")") || token_is(&t, "]") || token_is(&t, "}");
        closes = closes || depth < 0;
    }
    arena_free(mem);
    return (!closes && !depth) || diag_error(d, (loc){0}, "%s: the brackets of '%s' don't match", callee, more);
}

// "R.concat(t, axis=1)": callee, operands by their names, what is written behind them. The bracket closes on a line of
// its own, so that a comment at the end is one.
static const char *call_text(const rx_builder *b, const char *head, const char *callee, rx_var *const *in,
                             uint32_t count, const char *more, diag *d) {
    text t = TEXT_IN(b->mem);
    text_format(&t, "%s%s(", head, callee);
    if (!is_callee(callee, strcmp(head, "R.") == 0, d) || !is_list(in, count, callee, d)) return NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_usable(b, in[i], callee, i, d)) return NULL;
        text_format(&t, "%s%s", i ? ", " : "", in[i]->n->name);
    }
    if (more && *more) {
        if (!are_arguments(callee, more, d)) return NULL;
        text_format(&t, "%s%s", count ? ", " : "", more);
        if (strchr(more, '#')) text_put_char(&t, '\n');
    }
    text_put_char(&t, ')');
    return text_get(&t);
}

static rx_status bind_call(rx_builder *b, const char *head, const char *callee, rx_var *const *in, uint32_t count,
                           const char *more, rx_var **out) {
    diag *d = begin_with(b, callee, "the name of what is called");
    const char *call = d ? call_text(b, head, callee, in, count, more, d) : NULL;
    return give(b, call ? fragments_bind(b->f, NULL, call, d) : NULL, out);
}

rx_status rx_builder_op(rx_builder *b, const char *name, rx_var *const *in, uint32_t count, const char *attrs,
                        rx_var **out) {
    return bind_call(b, "R.", name, in, count, attrs, out);
}

rx_status rx_builder_call(rx_builder *b, const char *function, rx_var *const *in, uint32_t count, rx_var **out) {
    return bind_call(b, b && function && fragments_is_value(b->f, function) ? "" : "cls.", function, in, count, NULL,
                     out);
}

rx_status rx_builder_bind(rx_builder *b, const char *name, const char *said, rx_var **out) {
    diag *d = begin_with(b, said, "the text of an expression");
    return give(b, d ? fragments_bind(b->f, name, said, d) : NULL, out);
}

rx_status rx_builder_tuple(rx_builder *b, rx_var *const *v, uint32_t count, rx_var **out) {
    diag *d = begin(b);
    if (!d || !nodes_of(b, v, count, "tuple", d)) return give(b, NULL, out);
    text t = TEXT_IN(b->mem);
    text_put(&t, "(");
    for (uint32_t i = 0; i < count; i++) text_format(&t, "%s,", v[i]->n->name);
    text_put(&t, count ? ")" : "R.tuple())");
    return give(b, fragments_bind(b->f, NULL, text_get(&t), d), out);
}

rx_status rx_builder_constant(rx_builder *b, const char *type, uint32_t rank, const int64_t *dim, const void *data,
                              rx_var **out) {
    diag *d = begin_with(b, type, "a dtype");
    dtype known;
    tensor *t = NULL;
    if (!d) return give(b, NULL, out);
    if ((rank && !dim) || !dtype_parse(type, strlen(type), &known) || tensor_new(known, rank, dim, &t) != RX_OK) {
        diag_error(d, (loc){0}, "constant: there is no tensor of type %s with these dims", type);
        return give(b, NULL, out);
    }
    if (t->bytes && data) memcpy(t->data, data, t->bytes);
    bool whole = data || !t->bytes || diag_error(d, (loc){0}, "constant: want %s, got NULL", COUNTED(t->bytes, "byte"));
    const node *n = whole ? fragments_constant(b->f, NULL, t, d) : NULL;
    tensor_release(t);
    return give(b, n, out);
}

const char *rx_var_name(const rx_var *v) { return v ? v->n->name : NULL; }
const char *rx_var_annotation(const rx_var *v) { return v ? v->annotation : NULL; }

// --- The module.

// By way of its text: places in it are what later diagnostics and profiles show.
rx_status rx_builder_finish(rx_builder *b, rx_module **out) {
    if (out) *out = NULL;
    diag *d = out ? begin(b) : NULL;
    if (!d) return RX_INVALID_ARGUMENT;
    if (fragments_open(b->f)) return end(b, diag_error(d, (loc){0}, "a function is still open; return from it first"));
    text t = TEXT_IN(b->mem);
    script_print(&t, fragments_module(b->f), NULL);
    rx_status status = rx_module_parse(b->session, "<built>", text_get(&t), t.len, out);
    b->failed = b->failed || status != RX_OK;
    return status;
}
