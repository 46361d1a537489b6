// jinja_parse_expression.c - expressions of a template, in Jinja's order of precedence:
// choice, or, and, not, comparisons, + -, ~, * / // %, **, unary, then attributes, items, calls, filters and tests.
#include "llm/jinja.h"

static node *parse_unary(jinja_parser *p, bool filters);

// A node with two operands; of `not` the second is NULL.
static node *pair(jinja_parser *p, node_kind kind, node *a, node *b) {
    node *n = jinja_node(p, kind);
    n->in[0] = a, n->in[1] = b;
    return n;
}

static node *constant(jinja_parser *p, value v) {
    node *n = jinja_node(p, N_CONST);
    n->constant = v;
    return n;
}

// Up to `close`, which is taken.
static node *parse_items(jinja_parser *p, const char *close) {
    node *first = NULL, **last = &first;
    while (!jinja_at(p, close)) {
        *last = jinja_parse_expression(p, true);
        last = &(*last)->next;
        if (!jinja_take(p, ",")) break;
    }
    jinja_want(p, close);
    return first;
}

// A list of keys and values in turn.
static node *parse_dict(jinja_parser *p) {
    node *n = jinja_node(p, N_DICT), **last = &n->first;
    while (!jinja_at(p, "}")) {
        node *key = jinja_parse_expression(p, true);
        jinja_want(p, ":");
        key->next = jinja_parse_expression(p, true);
        *last = key;
        last = &key->next->next;
        if (!jinja_take(p, ",")) break;
    }
    jinja_want(p, "}");
    return n;
}

// Behind "(".
static node *parse_parenthesis(jinja_parser *p) {
    if (jinja_take(p, ")")) return jinja_node(p, N_TUPLE);
    node *n = jinja_parse_tuple(p, true);
    jinja_want(p, ")");
    return n;
}

// Usually there is one, which needs no copy.
static node *parse_string(jinja_parser *p) {
    jinja_text all = {0};
    node *n = jinja_node(p, N_CONST);
    text_span one = p->token.text;
    jinja_advance(p);
    if (p->token.kind == T_STRING) jinja_put(p->heap, &all, one); // strings side by side are one
    while (p->token.kind == T_STRING) {
        jinja_put(p->heap, &all, p->token.text);
        jinja_advance(p);
        one = jinja_span(&all);
    }
    n->constant = jvalue_text(one);
    return n;
}

// The constants have Python's and JSON's spelling. They can't be hidden by variables.
static node *parse_name(jinja_parser *p) {
    node *n = jinja_node(p, N_NAME);
    n->name = jinja_want_name(p);
    if (span_is(n->name, "true") || span_is(n->name, "True")) return constant(p, jvalue_bool(true));
    if (span_is(n->name, "false") || span_is(n->name, "False")) return constant(p, jvalue_bool(false));
    if (span_is(n->name, "none") || span_is(n->name, "None")) return constant(p, jvalue_none());
    return n;
}

// What needs no operator: a name, a constant, a list, a dict, a parenthesis.
static node *parse_primary(jinja_parser *p) {
    if (p->token.kind == T_NAME) return parse_name(p);
    if (p->token.kind == T_STRING) return parse_string(p);
    if (p->token.kind == T_NUMBER) {
        node *n = constant(p, p->token.number);
        jinja_advance(p);
        return n;
    }
    if (jinja_take(p, "(")) return parse_parenthesis(p);
    if (jinja_take(p, "{")) return parse_dict(p);
    if (!jinja_take(p, "[")) jinja_fail_at(p, "an expression");
    node *n = jinja_node(p, N_LIST);
    n->first = parse_items(p, "]");
    return n;
}

// Behind "(", up to and with ")".
// Each argument is wrapped, so that `f(x)` and `f(x=1)` are lists of the same kind.
static node *parse_arguments(jinja_parser *p) {
    node *first = NULL, **last = &first;
    while (!jinja_at(p, ")")) {
        if (jinja_at(p, "*") || jinja_at(p, "**")) jinja_refuse(p, "spreading arguments with '*' or '**'");
        node *n = jinja_parse_expression(p, true);
        if (n->kind == N_NAME && jinja_take(p, "=")) {
            node *named = jinja_node(p, N_CALL); // a wrapper that only carries the name
            named->name = n->name;
            named->in[0] = jinja_parse_expression(p, true);
            n = named;
        } else {
            node *plain = jinja_node(p, N_CALL);
            plain->in[0] = n;
            n = plain;
        }
        *last = n;
        last = &n->next;
        if (!jinja_take(p, ",")) break;
    }
    jinja_want(p, ")");
    return first;
}

// Each of a slice's three numbers may be missing.
static bool at_slice_end(const jinja_parser *p) { return jinja_at(p, ":") || jinja_at(p, "]") || jinja_at(p, ","); }

// Behind "[", up to and with "]".
static node *parse_subscript(jinja_parser *p, node *of) {
    node *part[3] = {0};
    size_t colons = 0;
    for (;;) {
        if (!at_slice_end(p)) part[colons] = jinja_parse_expression(p, true);
        if (colons == 2 || !jinja_take(p, ":")) break;
        colons++;
    }
    if (jinja_at(p, ",")) jinja_refuse(p, "an index of several values");
    jinja_want(p, "]");
    if (!colons && !part[0]) jinja_refuse(p, "an empty index");
    node *n = pair(p, colons ? N_SLICE : N_ITEM, of, part[0]);
    n->in[2] = part[1], n->in[3] = part[2];
    return n;
}

static node *parse_attribute(jinja_parser *p, node *of) {
    if (p->token.kind == T_NUMBER && p->token.number.kind == V_INT) {
        node *n = pair(p, N_ITEM, of, constant(p, p->token.number));
        jinja_advance(p);
        return n;
    }
    node *n = pair(p, N_ATTRIBUTE, of, NULL);
    n->name = jinja_want_name(p);
    return n;
}

static node *parse_call(jinja_parser *p, node *of) {
    node *n = pair(p, N_CALL, of, NULL);
    n->first = parse_arguments(p);
    return n;
}

static node *parse_postfix(jinja_parser *p, node *n) {
    for (;;) {
        if (jinja_take(p, "."))
            n = parse_attribute(p, n);
        else if (jinja_take(p, "["))
            n = parse_subscript(p, n);
        else if (jinja_take(p, "("))
            n = parse_call(p, n);
        else
            return n;
    }
}

// Behind "|" or "is [not]".
static node *parse_named(jinja_parser *p, node_kind kind, node *of) {
    node *n = pair(p, kind, of, NULL);
    n->name = jinja_want_name(p);
    if (jinja_at(p, ".")) jinja_refuse(p, "a filter or test with a '.' in its name");
    if (jinja_take(p, "(")) n->first = parse_arguments(p);
    return n;
}

// A test's only argument may stand without parentheses.
static bool at_bare_argument(const jinja_parser *p) {
    static const char *const words[] = {"else", "and", "or", "if", "in", "not", "is", "recursive"};
    if (p->token.kind == T_STRING || p->token.kind == T_NUMBER) return true;
    if (p->token.kind != T_NAME) return jinja_at(p, "[") || jinja_at(p, "{");
    for (size_t i = 0; i < COUNT(words); i++) {
        if (jinja_at_name(p, words[i])) return false;
    }
    return true;
}

static node *parse_test(jinja_parser *p, node *of) {
    bool negated = jinja_take_name(p, "not");
    node *n = parse_named(p, N_TEST, of);
    if (!n->first && at_bare_argument(p)) {
        n->first = jinja_node(p, N_CALL);
        n->first->in[0] = parse_postfix(p, parse_primary(p));
    }
    return negated ? pair(p, N_NOT, n, NULL) : n;
}

static node *parse_filters(jinja_parser *p, node *n) {
    for (;;) {
        if (jinja_take(p, "|"))
            n = parse_named(p, N_FILTER, n);
        else if (jinja_take_name(p, "is"))
            n = parse_test(p, n);
        else if (jinja_take(p, "("))
            n = parse_call(p, n);
        else
            return n;
    }
}

node *jinja_parse_filters(jinja_parser *p) {
    node *n = NULL;
    bool tag = p->token.kind == T_NAME;
    if (!tag && !jinja_take(p, "|")) return NULL;
    do n = parse_named(p, N_FILTER, n);
    while (jinja_take(p, "|"));
    return n;
}

static node *parse_operand(jinja_parser *p, bool filters) {
    node *n = parse_postfix(p, parse_primary(p));
    return filters ? parse_filters(p, n) : n;
}

static node *parse_sign(jinja_parser *p, bool negate, bool filters) {
    heap_enter(p->heap);
    node *n = parse_unary(p, false);
    heap_leave(p->heap);
    if (negate) n = pair(p, N_NEGATE, n, NULL);
    return filters ? parse_filters(p, n) : n;
}

static node *parse_unary(jinja_parser *p, bool filters) {
    if (jinja_take(p, "-")) return parse_sign(p, true, filters);
    if (jinja_take(p, "+")) return parse_sign(p, false, filters);
    return parse_operand(p, filters);
}

static node *binary(jinja_parser *p, int op, node *a, node *b) {
    node *n = pair(p, N_BINARY, a, b);
    n->op = op;
    return n;
}

static node *parse_power(jinja_parser *p) {
    node *n = parse_unary(p, true);
    while (jinja_take(p, "**")) n = binary(p, 'p', n, parse_unary(p, true));
    return n;
}

static node *parse_product(jinja_parser *p) {
    node *n = parse_power(p);
    for (;;) {
        int op = jinja_at(p, "*") ? '*' : jinja_at(p, "/") ? '/' : jinja_at(p, "//") ? 'd' : jinja_at(p, "%") ? '%' : 0;
        if (!op) return n;
        jinja_advance(p);
        n = binary(p, op, n, parse_power(p));
    }
}

static node *parse_concat(jinja_parser *p) {
    node *n = parse_product(p);
    if (!jinja_at(p, "~")) return n;
    node *all = jinja_node(p, N_CONCAT), *last = n;
    all->first = n;
    while (jinja_take(p, "~")) last = last->next = parse_product(p);
    return all;
}

static node *parse_sum(jinja_parser *p) {
    node *n = parse_concat(p);
    for (;;) {
        int op = jinja_at(p, "+") ? '+' : jinja_at(p, "-") ? '-' : 0;
        if (!op) return n;
        jinja_advance(p);
        n = binary(p, op, n, parse_concat(p));
    }
}

// The comparison that stands here, taken; -1 for none.
static int take_comparison(jinja_parser *p) {
    static const struct {
        const char *text;
        compare_op op;
    } known[] = {{"==", C_EQUAL},      {"!=", C_UNEQUAL}, {"<", C_LESS},
                 {"<=", C_LESS_EQUAL}, {">", C_GREATER},  {">=", C_GREATER_EQUAL}};
    for (size_t i = 0; i < COUNT(known); i++) {
        if (jinja_take(p, known[i].text)) return (int)known[i].op;
    }
    if (jinja_take_name(p, "in")) return C_IN;
    if (!jinja_at_name(p, "not")) return -1;
    jinja_parser ahead = *p;
    jinja_advance(&ahead);
    if (!jinja_at_name(&ahead, "in")) return -1;
    jinja_advance(p);
    jinja_advance(p);
    return C_NOT_IN;
}

static node *parse_comparison(jinja_parser *p) {
    node *n = parse_sum(p), *all = NULL, **last = NULL;
    int op;
    while ((op = take_comparison(p)) >= 0) {
        if (!all) {
            all = pair(p, N_COMPARE, n, NULL);
            last = &all->first;
        }
        node *step = pair(p, N_COMPARE, parse_sum(p), NULL);
        step->op = op;
        *last = step;
        last = &step->next;
    }
    return all ? all : n;
}

// Binds looser than comparisons: `not a in b` is `not (a in b)`.
static node *parse_not(jinja_parser *p) {
    if (!jinja_take_name(p, "not")) return parse_comparison(p);
    heap_enter(p->heap);
    node *n = pair(p, N_NOT, parse_not(p), NULL);
    heap_leave(p->heap);
    return n;
}

// Both sides of `and` and `or` are nodes; the interpreter leaves out the second where the first decides.
static node *parse_and(jinja_parser *p) {
    node *n = parse_not(p);
    while (jinja_take_name(p, "and")) n = pair(p, N_AND, n, parse_not(p));
    return n;
}

static node *parse_or(jinja_parser *p) {
    node *n = parse_and(p);
    while (jinja_take_name(p, "or")) n = pair(p, N_OR, n, parse_and(p));
    return n;
}

// `choice` is false where an `if` belongs to somebody else: {% for x in list if … %}.
node *jinja_parse_expression(jinja_parser *p, bool choice) {
    heap_enter(p->heap);
    node *n = parse_or(p);
    while (choice && jinja_take_name(p, "if")) {
        node *c = jinja_node(p, N_CHOICE);
        c->in[1] = n;
        c->in[0] = parse_or(p);
        if (jinja_take_name(p, "else")) c->in[2] = jinja_parse_expression(p, true);
        n = c;
    }
    heap_leave(p->heap);
    return n;
}

// Behind a trailing comma.
static bool at_tuple_end(const jinja_parser *p) {
    return p->token.kind == T_BLOCK_END || p->token.kind == T_PRINT_END || jinja_at(p, ")");
}

// With a comma a tuple, also without parentheses: {% for k, v in x %}, {% set a = 1, 2 %}.
node *jinja_parse_tuple(jinja_parser *p, bool choice) {
    node *n = jinja_parse_expression(p, choice);
    if (!jinja_at(p, ",")) return n;
    node *all = jinja_node(p, N_TUPLE), *last = n;
    all->first = n;
    while (jinja_take(p, ",") && !at_tuple_end(p)) last = last->next = jinja_parse_expression(p, choice);
    return all;
}
