// jinja_parse.c - statements of a template.
#include "llm/jinja.h"

// One token of look-ahead is all that the grammar needs.
void jinja_advance(jinja_parser *p) { p->token = jinja_next_token(&p->lexer); }

bool jinja_at(const jinja_parser *p, const char *op) {
    return p->token.kind == T_OPERATOR && span_is(p->token.text, op);
}

bool jinja_at_name(const jinja_parser *p, const char *name) {
    return p->token.kind == T_NAME && span_is(p->token.text, name);
}

bool jinja_take(jinja_parser *p, const char *op) {
    bool there = jinja_at(p, op);
    if (there) jinja_advance(p);
    return there;
}

bool jinja_take_name(jinja_parser *p, const char *name) {
    bool there = jinja_at_name(p, name);
    if (there) jinja_advance(p);
    return there;
}

// What stands at the parser, for a message.
// NULL: the token's own text says it.
static text_span found(const jinja_parser *p) {
    static const char *const names[] = {
        [T_END] = "the end of the template",
        [T_TEXT] = "text",
        [T_PRINT_BEGIN] = "{{",
        [T_PRINT_END] = "}}",
        [T_BLOCK_BEGIN] = "{%",
        [T_BLOCK_END] = "%}",
        [T_NAME] = NULL,
        [T_STRING] = "a string",
        [T_NUMBER] = NULL,
        [T_OPERATOR] = NULL,
    };
    return names[p->token.kind] ? span_of(names[p->token.kind]) : p->token.text;
}

// The line of the token, not of the tag that it is in.
void jinja_fail_at(jinja_parser *p, const char *wanted) {
    text_span at = found(p);
    p->heap->line = p->token.line;
    heap_fail(p->heap, RX_INVALID_ARGUMENT, "want %s, got %.*s", wanted, at.size < 60 ? (int)at.size : 60, at.at);
}

// What Jinja has and we don't: told apart from mistakes of the template, by the status as well.
void jinja_refuse(jinja_parser *p, const char *what) {
    p->heap->line = p->token.line;
    heap_fail(p->heap, RX_UNSUPPORTED, "%s is not supported", what);
}

void jinja_want(jinja_parser *p, const char *op) {
    char wanted[24] = {'\'', 0};
    if (jinja_take(p, op)) return;
    strncat(wanted, op, 16);
    jinja_fail_at(p, strcat(wanted, "'"));
}

text_span jinja_want_name(jinja_parser *p) {
    text_span name = p->token.text;
    if (p->token.kind != T_NAME) jinja_fail_at(p, "a name");
    jinja_advance(p);
    return name;
}

// In the line of the token that the parser stands at, which is where the node begins.
node *jinja_node(jinja_parser *p, node_kind kind) {
    node *n = heap_get(p->heap, sizeof *n);
    n->kind = kind;
    n->line = p->token.line;
    return n;
}

static void want_end(jinja_parser *p) {
    if (p->token.kind != T_BLOCK_END) jinja_fail_at(p, "%}");
    jinja_advance(p);
}

static node *parse_statement(jinja_parser *p);
static node *parse_until(jinja_parser *p, const char *const *ends, size_t *end);

// The statements up to {% end %}, whose name is taken; what follows it is not.
static node *parse_body(jinja_parser *p, const char *end) {
    size_t which;
    want_end(p);
    node *first = parse_until(p, (const char *const[]){end, NULL}, &which);
    want_end(p);
    return first;
}

// Behind `if` or `elif`.
static node *parse_if(jinja_parser *p) {
    static const char *const ends[] = {"elif", "else", "endif", NULL};
    size_t end;
    node *n = jinja_node(p, N_IF);
    // A chain of elif nests as deep as it is long.
    heap_enter(p->heap);
    n->in[0] = jinja_parse_tuple(p, true);
    want_end(p);
    n->first = parse_until(p, ends, &end);
    if (end == 0) {
        n->in[1] = parse_if(p);
    } else if (end == 1) {
        n->in[1] = parse_body(p, "endif");
    } else {
        want_end(p);
    }
    heap_leave(p->heap);
    return n;
}

// a, b: names, tuples of them; `set` also takes ns.name.
static node *parse_target(jinja_parser *p, bool attributes) {
    node *first = NULL, **last = &first;
    size_t count = 0;
    bool tuple = false;
    do {
        if (count && (jinja_at_name(p, "in") || jinja_at(p, "="))) break; // a trailing comma
        node *n = jinja_node(p, N_NAME);
        if (jinja_take(p, "(")) {
            heap_enter(p->heap);
            n = parse_target(p, false);
            heap_leave(p->heap);
            jinja_want(p, ")");
        } else {
            n->name = jinja_want_name(p);
        }
        if (attributes && n->kind == N_NAME && jinja_take(p, ".")) {
            node *of = n;
            n = jinja_node(p, N_ATTRIBUTE);
            n->in[0] = of;
            n->name = jinja_want_name(p);
        }
        *last = n;
        last = &n->next;
        count++;
    } while (jinja_take(p, ",") && (tuple = true));
    if (!tuple) return first;
    node *all = jinja_node(p, N_TUPLE);
    all->first = first;
    return all;
}

// in[0] the names, in[1] what is gone through, in[2] the condition, in[3] what is done when there was nothing.
static node *parse_for(jinja_parser *p) {
    static const char *const ends[] = {"else", "endfor", NULL};
    size_t end;
    node *n = jinja_node(p, N_FOR);
    n->in[0] = parse_target(p, false);
    if (!jinja_take_name(p, "in")) jinja_fail_at(p, "'in'");
    n->in[1] = jinja_parse_tuple(p, false);
    if (jinja_take_name(p, "if")) n->in[2] = jinja_parse_expression(p, true);
    if (jinja_at_name(p, "recursive")) jinja_refuse(p, "a 'recursive' loop");
    want_end(p);
    // break and continue are allowed inside; the counter is how they know.
    p->loops++;
    n->first = parse_until(p, ends, &end);
    p->loops--;
    if (end == 0)
        n->in[3] = parse_body(p, "endfor");
    else
        want_end(p);
    return n;
}

// With `=` one or several names; without, what the block prints, through filters.
static node *parse_set(jinja_parser *p) {
    node *n = jinja_node(p, N_SET);
    // `set` may also change a namespace: set ns.x = 1.
    n->in[0] = parse_target(p, true);
    if (jinja_take(p, "=")) {
        n->in[1] = jinja_parse_tuple(p, true);
        want_end(p);
        return n;
    }
    n->kind = N_SET_BLOCK;
    n->in[1] = jinja_parse_filters(p);
    n->first = parse_body(p, "endset");
    return n;
}

static node *parse_macro(jinja_parser *p) {
    node *n = jinja_node(p, N_MACRO), **last = &n->in[0];
    uint32_t loops = p->loops;
    n->name = jinja_want_name(p);
    jinja_want(p, "(");
    while (!jinja_at(p, ")")) {
        node *parameter = jinja_node(p, N_NAME);
        parameter->name = jinja_want_name(p);
        if (jinja_take(p, "=")) parameter->in[0] = jinja_parse_expression(p, true);
        *last = parameter;
        last = &parameter->next;
        if (!jinja_take(p, ",")) break;
    }
    jinja_want(p, ")");
    // The body runs where it is called: a loop around the definition is none to break out of.
    p->loops = 0;
    n->first = parse_body(p, "endmacro");
    p->loops = loops;
    return n;
}

static node *parse_filter_block(jinja_parser *p) {
    node *n = jinja_node(p, N_FILTER_BLOCK);
    n->in[1] = jinja_parse_filters(p);
    n->first = parse_body(p, "endfilter");
    return n;
}

// Marks the assistant's part for training; what is inside is printed as it is.
static node *parse_generation(jinja_parser *p) {
    node *n = jinja_node(p, N_GENERATION);
    n->first = parse_body(p, "endgeneration");
    return n;
}

// Of the loopcontrols extension, which Transformers switches on.
static node *parse_control(jinja_parser *p, node_kind kind) {
    node *n = jinja_node(p, kind);
    if (!p->loops) jinja_fail_at(p, "a loop around break or continue");
    want_end(p);
    return n;
}

static node *parse_break(jinja_parser *p) { return parse_control(p, N_BREAK); }
static node *parse_continue(jinja_parser *p) { return parse_control(p, N_CONTINUE); }

// Behind {%.
static node *parse_tag(jinja_parser *p) {
    static const struct {
        const char *name;
        node *(*parse)(jinja_parser *p);
    } known[] = {{"if", parse_if},
                 {"for", parse_for},
                 {"set", parse_set},
                 {"macro", parse_macro},
                 {"filter", parse_filter_block},
                 {"generation", parse_generation},
                 {"break", parse_break},
                 {"continue", parse_continue}};
    // Jinja has these too; none of the recorded templates uses one.
    static const char *const refused[] = {"block", "extends", "include",    "import", "from", "call",
                                          "with",  "do",      "autoescape", "trans",  "debug"};
    char what[32] = "the tag '";
    for (size_t i = 0; i < COUNT(known); i++) {
        if (jinja_take_name(p, known[i].name)) return known[i].parse(p);
    }
    for (size_t i = 0; i < COUNT(refused); i++) {
        if (jinja_at_name(p, refused[i])) jinja_refuse(p, strcat(strcat(what, refused[i]), "'"));
    }
    jinja_fail_at(p, "a tag that Jinja has");
}

// What is no tag: text, or {{ an expression }}.
static node *parse_statement(jinja_parser *p) {
    node *n;
    if (p->token.kind == T_TEXT) {
        n = jinja_node(p, N_TEXT);
        n->name = p->token.text;
        jinja_advance(p);
        return n;
    }
    n = jinja_node(p, N_OUTPUT);
    if (p->token.kind != T_PRINT_BEGIN) jinja_fail_at(p, "text or a tag");
    jinja_advance(p);
    n->in[0] = jinja_parse_tuple(p, true);
    if (p->token.kind != T_PRINT_END) jinja_fail_at(p, "}}");
    jinja_advance(p);
    return n;
}

// Statements up to a tag named in `ends` (all of the template for NULL), whose place there goes to *end.
static node *parse_until(jinja_parser *p, const char *const *ends, size_t *end) {
    node *first = NULL, **last = &first;
    heap_enter(p->heap);
    while (p->token.kind != T_END) {
        bool tag = p->token.kind == T_BLOCK_BEGIN;
        if (tag) jinja_advance(p);
        for (size_t i = 0; tag && ends && ends[i]; i++) {
            if (!jinja_take_name(p, ends[i])) continue;
            *end = i;
            heap_leave(p->heap);
            return first;
        }
        *last = tag ? parse_tag(p) : parse_statement(p);
        last = &(*last)->next;
    }
    if (ends) {
        char wanted[24] = "{% ";
        size_t i = 0;
        while (ends[i + 1]) i++;
        strncat(wanted, ends[i], 14);
        jinja_fail_at(p, strcat(wanted, " %}"));
    }
    heap_leave(p->heap);
    return first;
}

node *jinja_parse(jinja_heap *h, text_span source) {
    size_t end;
    jinja_parser p = {.heap = h};
    p.lexer =
        (jinja_lexer){.heap = h, .at = source.at, .end = source.at + source.size, .line = 1, .line_starting = true};
    jinja_advance(&p);
    node *first = parse_until(&p, NULL, &end);
    h->line = 0;
    return first;
}
