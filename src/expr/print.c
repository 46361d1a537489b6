// print.c - expressions in TVMScript's spelling.
//
// Printing works off a stack of pieces (a text, or a node still to be printed), so that depth costs no recursion.
#include "expr/parse.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct piece {
    const char *text;         // if e is NULL
    const expr *e;            // printed in parentheses
    expr_precedence at_least; // if it binds less tightly than this
    bool typed;               // a number here takes its type from nothing beside it
    uint8_t inside;           // how many T.Add(..) and the like are around it
} piece;

typedef struct printer {
    arena *mem;
    text *out;
    const expr_print_options *options;
    uint8_t inside;  // of the piece being printed
    VEC(piece) todo; // the next one last
} printer;

static void say(printer *p, const char *words) { VEC_PUSH(p->mem, &p->todo, ((piece){.text = words})); }

static void show(printer *p, const expr *e, expr_precedence at_least) {
    VEC_PUSH(p->mem, &p->todo, ((piece){.e = e, .at_least = at_least, .inside = p->inside}));
}

// `typed`: as above, for an operand that is a number.
static void show_operand(printer *p, const expr *e, expr_precedence at_least, bool typed) {
    VEC_PUSH(p->mem, &p->todo, ((piece){.e = e, .at_least = at_least, .typed = typed, .inside = p->inside}));
}

// Nothing beside a bare number among these says its type: a reader takes it for an int32.
static void show_list(printer *p, const expr *const *e, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (i) say(p, ", ");
        show_operand(p, e[i], BIND_ANY, p->options->graph);
    }
}

// What was said since `mark` in order of speaking is put in order of taking.
static void reverse_from(printer *p, uint32_t mark) {
    for (uint32_t i = mark, j = p->todo.len; i + 1 < j; i++) {
        piece swap = p->todo.at[--j];
        p->todo.at[j] = p->todo.at[i];
        p->todo.at[i] = swap;
    }
}

// --- Leaves

// As TVM prints floats: 17 significant digits, whole numbers in full.
static void put_float(printer *p, double value) {
    if (isnan(value))
        text_put(p->out, "\"nan\"");
    else if (isinf(value))
        text_put(p->out, value < 0 ? "\"-inf\"" : "\"inf\"");
    else
        text_format(p->out, value == floor(value) ? "%.1f" : "%.17g", value);
}

// Numbers of one type need no T.type(...): int64 in annotations, int32 in loops.
static bool is_bare(const printer *p, dtype t) { return t.kind == (p->options->graph ? DTYPE_I64 : DTYPE_I32); }

static void put_constant(printer *p, const expr *e, bool typed) {
    char type[32];
    bool bare = !typed && e->op == EXPR_INT && is_bare(p, e->type);
    if (!bare) text_format(p->out, "T.%s(", dtype_spell(e->type, type));
    if (e->op == EXPR_FLOAT)
        put_float(p, expr_written(e));
    else if (e->type.kind == DTYPE_BOOL)
        text_put(p->out, e->as.ival ? "True" : "False");
    else if (e->type.kind == DTYPE_U64)
        text_format(p->out, "%" PRIu64, (uint64_t)e->as.ival);
    else
        text_format(p->out, "%" PRId64, e->as.ival);
    if (!bare) text_put_char(p->out, ')');
}

// The name that the printer of the whole program chose, else what the node itself suggests.
static const char *named(const map *names, const void *key, const char *otherwise) {
    const char *name = names ? map_find(names, MAP_KEY(key)) : NULL;
    return name ? name : otherwise;
}

// --- Composites

static const char *quoted_type(printer *p, dtype t) {
    char type[32];
    return arena_format(p->mem, "\"%s\"", dtype_spell(t, type));
}

static const char *lanes_of(printer *p, const expr *e) { return arena_format(p->mem, "%u", dtype_lanes(e->type)); }

// --- What TVM's reader computes while reading: x + 0, 2*3, 1*x. Such a node keeps its shape only as T.Add(x, 0).

static bool is_number(const expr *e, double value) {
    return (e->op == EXPR_INT && (double)e->as.ival == value) || (e->op == EXPR_FLOAT && e->as.fval == value);
}

static bool is_constant(const expr *e) { return e->op == EXPR_INT || e->op == EXPR_FLOAT; }

// NULL where the operator between its operands reads back as the same node, and where many such nodes lie inside one
// another: a long chain of + 0 must not print as calls too deep to read.
static const char *unfolded_name(const printer *p, const expr *e) {
    static const struct {
        const char *name;
        bool zero_left, zero_right, one_left, one_right, any; // the constant that folds, beside anything
    } row[EXPR_OPS] = {
        [EXPR_ADD] = {"Add", .zero_left = true, .zero_right = true},
        [EXPR_SUB] = {"Sub", .zero_right = true},
        [EXPR_MUL] = {"Mul", true, true, true, true, false},
        [EXPR_DIV] = {"Div", .zero_left = true, .one_right = true},
        [EXPR_FLOOR_DIV] = {"FloorDiv", .zero_left = true, .one_right = true},
        [EXPR_FLOOR_MOD] = {"FloorMod", .zero_left = true, .one_right = true},
        [EXPR_EQ] = {"EQ", .any = false},
        [EXPR_NE] = {"NE", .any = false},
        [EXPR_LT] = {"LT", .any = false},
        [EXPR_LE] = {"LE", .any = false},
        [EXPR_GT] = {"GT", .any = false},
        [EXPR_GE] = {"GE", .any = false},
        [EXPR_AND] = {"And", .any = true},
        [EXPR_OR] = {"Or", .any = true},
    };
    enum { DEEPEST = 8 };
    const expr *a = e->in[0], *b = e->in[1];
    if (p->options->graph || p->inside == DEEPEST) return NULL;
    bool divides = e->op == EXPR_DIV || e->op == EXPR_FLOOR_DIV || e->op == EXPR_FLOOR_MOD;
    bool folds = is_constant(a) && is_constant(b) && !(divides && is_number(b, 0));
    folds = folds || (row[e->op].any && (is_constant(a) || is_constant(b)));
    folds = folds || (row[e->op].zero_left && is_number(a, 0)) || (row[e->op].zero_right && is_number(b, 0));
    folds = folds || (row[e->op].one_left && is_number(a, 1)) || (row[e->op].one_right && is_number(b, 1));
    return folds ? row[e->op].name : NULL;
}

static void show_unfolded(printer *p, const expr *e, const char *name) {
    say(p, arena_format(p->mem, "T.%s(", name));
    p->inside++;
    show(p, e->in[0], BIND_ANY);
    say(p, ", ");
    show(p, e->in[1], BIND_ANY);
    p->inside--;
    say(p, ")");
}

static void show_infix(printer *p, const expr *e, const expr_operator *o) {
    const char *name = unfolded_name(p, e);
    if (name) {
        show_unfolded(p, e, name);
        return;
    }
    expr_precedence level = o->precedence;
    bool numbers = e->in[0]->op == EXPR_INT && e->in[1]->op == EXPR_INT; // a reader would compute with them, as Python
    // a comparison inside another would read as a chain
    show_operand(p, e->in[0], level == BIND_COMPARE ? level + 1 : level, numbers);
    say(p, arena_format(p->mem, " %s ", o->spelling));
    show(p, e->in[1], level + 1);
}

static void show_call(printer *p, const expr *e) {
    const intrinsic *f = e->as.intrin;
    say(p, arena_format(p->mem, "T.%s(", f->name));
    if (f->leads_with_type) say(p, quoted_type(p, e->type));
    if (f->leads_with_type && e->count) say(p, ", ");
    show_list(p, e->in, e->count);
    say(p, ")");
}

// A ramp with constant stride is a slice: A[i:i + 4], A[i:i + 8:2].
static void show_slice(printer *p, const expr *ramp) {
    const expr *base = ramp->in[0], *stride = ramp->in[1];
    int64_t step = stride->as.ival, extent = step * (int64_t)dtype_lanes(ramp->type);
    const char *open = is_bare(p, base->type) ? "" : "T.int64(", *close = *open ? ")" : "";
    show(p, base, BIND_ANY);
    say(p, ":");
    if (base->op == EXPR_INT) {
        say(p, arena_format(p->mem, "%s%" PRId64 "%s", open, base->as.ival + extent, close));
    } else {
        show(p, base, BIND_SUM);
        say(p, arena_format(p->mem, " + %s%" PRId64 "%s", open, extent, close));
    }
    if (step != 1) say(p, arena_format(p->mem, ":%s%" PRId64 "%s", open, step, close));
}

// Small enough that the slice's end stays in range, and of a type that numbers have.
static bool is_slice(const expr *e) {
    enum { LIMIT = 1 << 14 };
    if (e->op != EXPR_RAMP || e->in[1]->op != EXPR_INT) return false;
    const expr *base = e->in[0];
    bool small_base = base->op != EXPR_INT || (base->as.ival > -LIMIT && base->as.ival < LIMIT);
    return small_base && (e->type.kind == DTYPE_I32 || e->type.kind == DTYPE_I64) && e->in[1]->as.ival > 0 &&
           e->in[1]->as.ival < LIMIT;
}

static void show_load(printer *p, const expr *e) {
    say(p, named(p->options->buffer_names, e->as.buffer, "buffer"));
    say(p, e->count ? "[" : "[()");
    for (uint32_t i = 0; i < e->count; i++) {
        if (i) say(p, ", ");
        if (is_slice(e->in[i]))
            show_slice(p, e->in[i]);
        else
            show(p, e->in[i], BIND_ANY);
    }
    say(p, "]");
}

static void show_shuffle(printer *p, const expr *e) {
    uint32_t lanes = (uint32_t)e->as.ival, vectors = e->count - lanes;
    say(p, "T.Shuffle([");
    show_list(p, e->in, vectors);
    say(p, "], [");
    for (uint32_t i = 0; i < lanes; i++)
        say(p, arena_format(p->mem, i ? ", %" PRId64 : "%" PRId64, e->in[vectors + i]->as.ival));
    say(p, "])");
}

static void show_let(printer *p, const expr *e) {
    say(p, "T.Let(");
    show(p, e->in[2], BIND_ANY);
    say(p, ", where={");
    show(p, e->in[0], BIND_ANY);
    say(p, ": ");
    show(p, e->in[1], BIND_ANY);
    say(p, "})");
}

// Does the operand beside this one tell a reader its type? Of two numbers the first one is spelled with its type.
static bool is_told(const expr *e, uint32_t i) {
    uint32_t first = e->op == EXPR_SELECT ? 1 : 0, beside = first + first + 1 - i;
    bool pair = e->op == EXPR_MIN || e->op == EXPR_MAX || e->op == EXPR_TRUNC_DIV || e->op == EXPR_TRUNC_MOD ||
                (e->op == EXPR_SELECT && i);
    return pair && (e->in[beside]->op != EXPR_INT || i > first);
}

// T.max(a, b), T.Cast("type", a), T.Ramp(a, b, 4): the type before the operands, the lanes behind them.
static void show_function(printer *p, const expr *e) {
    say(p, arena_format(p->mem, "T.%s(", expr_op_function_name(e->op)));
    if (e->op == EXPR_CAST) say(p, arena_format(p->mem, "%s, ", quoted_type(p, e->type)));
    for (uint32_t i = 0; i < e->count; i++) {
        if (i) say(p, ", ");
        show_operand(p, e->in[i], BIND_ANY, p->options->graph && !is_told(e, i));
    }
    if (e->op == EXPR_RAMP || e->op == EXPR_BROADCAST) say(p, arena_format(p->mem, ", %s", lanes_of(p, e)));
    say(p, ")");
}

static void show_function_of_module(printer *p, const expr *e) {
    say(p, arena_format(p->mem, "%s.%s(", p->options->module ? p->options->module : "Module", e->as.text));
    show_list(p, e->in, e->count);
    say(p, ")");
}

static void show_not(printer *p, const expr *e) {
    say(p, "not ");
    show(p, e->in[0], BIND_NOT);
}

static void print_node(printer *p, const expr *e, bool typed) {
    switch ((expr_op)e->op) {
    case EXPR_INT:
    case EXPR_FLOAT: put_constant(p, e, typed); break;
    case EXPR_STRING: text_put_quoted(p->out, e->as.text, strlen(e->as.text)); break;
    case EXPR_VAR: text_put(p->out, named(p->options->var_names, e, e->as.var->name)); break;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_FLOOR_DIV:
    case EXPR_FLOOR_MOD:
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE:
    case EXPR_AND:
    case EXPR_OR: show_infix(p, e, expr_operator_of(e->op)); break;
    case EXPR_TRUNC_DIV:
    case EXPR_TRUNC_MOD:
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_SELECT:
    case EXPR_CAST:
    case EXPR_RAMP:
    case EXPR_BROADCAST: show_function(p, e); break;
    case EXPR_NOT: show_not(p, e); break;
    case EXPR_CALL: show_call(p, e); break;
    case EXPR_CALL_FUNC: show_function_of_module(p, e); break;
    case EXPR_LOAD: show_load(p, e); break;
    case EXPR_SHUFFLE: show_shuffle(p, e); break;
    case EXPR_LET: show_let(p, e); break;
    case EXPR_OPS: break;
    }
}

static expr_precedence binds(const printer *p, const expr *e) {
    const expr_operator *infix = expr_operator_of(e->op);
    if (e->op == EXPR_NOT) return BIND_NOT;
    if (infix && unfolded_name(p, e)) return BIND_PRIMARY;
    return infix ? (expr_precedence)infix->precedence : BIND_PRIMARY;
}

// What a node says is pushed in order of speaking, then turned around: the last one pushed is taken first.
static void print_piece(printer *p, piece next) {
    uint32_t mark = p->todo.len;
    if (!next.e) {
        text_put(p->out, next.text);
        return;
    }
    p->inside = next.inside;
    bool parentheses = binds(p, next.e) < next.at_least;
    if (parentheses) text_put_char(p->out, '(');
    print_node(p, next.e, next.typed);
    if (parentheses) say(p, ")");
    reverse_from(p, mark);
}

void expr_print(text *out, const expr *e, const expr_print_options *options) {
    static const expr_print_options graph_style = {.graph = true};
    printer p = {.mem = arena_new(), .out = out, .options = options ? options : &graph_style};
    show(&p, e, BIND_ANY);
    while (p.todo.len) print_piece(&p, p.todo.at[--p.todo.len]);
    arena_free(p.mem);
}

char *expr_to_text(arena *mem, const expr *e) {
    text t = TEXT_IN(mem);
    expr_print(&t, e, NULL);
    return t.at;
}
