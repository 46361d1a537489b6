// call.c - builds T.NAME(...) from arguments, with the conversions that TVM's Python functions make.
#include "base/count_noun.h"
#include "expr/parse.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// What a builder gets; `why` has 128 bytes.
typedef struct call {
    expr_session *s;
    const char *name;
    dtype type;
    const expr *const *arg;
    uint32_t count;
    char *why;
} call;

static const expr *refuse(const call *c, const char *format, ...) RX_PRINTF(2, 3);
static const expr *refuse(const call *c, const char *format, ...) {
    int size = snprintf(c->why, 128, "T.%.40s: ", c->name);
    va_list args;
    va_start(args, format);
    vsnprintf(c->why + size, 128 - (size_t)size, format, args);
    va_end(args);
    return NULL;
}

// Every builder counts its arguments before it looks at one.
static bool has_count(const call *c, uint32_t want) {
    if (c->count == want) return true;
    return refuse(c, "want %s, got %u", COUNTED(want, "argument"), c->count), false;
}

static const expr *build_binary(const call *c, expr_op op) {
    return has_count(c, 2) ? expr_arith(c->s, op, c->arg[0], c->arg[1], c->why) : NULL;
}

// --- Types: T.float32(0.5), T.float32("inf"), T.int64(n)

static const expr *float_from_text(const call *c, dtype type, const char *words) {
    static const struct {
        const char *words;
        double value;
    } rows[] = {{"inf", HUGE_VAL}, {"+inf", HUGE_VAL}, {"-inf", -HUGE_VAL}, {"nan", (double)NAN}};
    for (size_t i = 0; i < COUNT(rows); i++)
        if (!strcmp(rows[i].words, words)) return expr_float(c->s, type, rows[i].value);
    return refuse(c, "want a number, \"inf\", \"-inf\" or \"nan\", got \"%.20s\"", words);
}

static const expr *broadcast_to(const call *c, const expr *e, dtype type) {
    return dtype_lanes(type) > 1 && dtype_lanes(e->type) == 1 ? expr_broadcast(c->s, e, dtype_lanes(type)) : e;
}

// A scalar cast to a vector type is broadcast, as TVM does.
static const expr *build_cast(const call *c, dtype type, const expr *e) {
    char spelled[32];
    if (dtype_family_of(type) == FAMILY_NONE || dtype_family_of(e->type) == FAMILY_NONE)
        return refuse(c, "casts numbers only");
    e = broadcast_to(c, e, type);
    if (dtype_lanes(e->type) == dtype_lanes(type)) return expr_cast(c->s, type, e);
    return refuse(c, "want %s, got %s", COUNTED(dtype_lanes(type), "lane"), dtype_spell(e->type, spelled));
}

// Numbers become constants of the type at once; anything else is cast.
static const expr *build_typed(const call *c, dtype type) {
    if (!c->count) return refuse(c, "want a value (without one it declares a variable)");
    if (!has_count(c, 1)) return NULL;
    const expr *e = c->arg[0];
    if (e->op == EXPR_STRING && dtype_is_float(type))
        return broadcast_to(c, float_from_text(c, dtype_scalar(type), e->as.text), type);
    if (e->op != EXPR_INT && e->op != EXPR_FLOAT) return build_cast(c, type, e);
    const expr *number = expr_number(c->s, e, type);
    return number ? broadcast_to(c, number, type) : refuse(c, "the number does not fit");
}

// --- Operations

// Integers are no conditions here: TVM's `not` wants a bool as well.
static const expr *build_not(const call *c) {
    if (!has_count(c, 1)) return NULL;
    if (dtype_family_of(c->arg[0]->type) == FAMILY_BOOL) return expr_not(c->s, c->arg[0]);
    return refuse(c, "want a condition");
}

// A scalar condition chooses whole vectors.
static bool is_condition_for(const expr *c, const expr *value) {
    unsigned lanes = dtype_lanes(c->type);
    return dtype_family_of(c->type) == FAMILY_BOOL && (lanes == 1 || lanes == dtype_lanes(value->type));
}

// Both sides of a choice made of one type. NULL in *a after refusing.
static void match_choice(const call *c, const expr **a, const expr **b) {
    *a = *b = NULL;
    if (!has_count(c, 3)) return;
    const expr *x = c->arg[1], *y = c->arg[2];
    if (!dtype_equal(x->type, y->type) && !expr_match_types(c->s, &x, &y, c->why)) return;
    if (!is_condition_for(c->arg[0], x)) {
        refuse(c, "the first argument must be a condition of as many lanes");
        return;
    }
    *a = x;
    *b = y;
}

static const expr *build_select(const call *c) {
    const expr *a, *b;
    match_choice(c, &a, &b);
    return a ? expr_select(c->s, c->arg[0], a, b) : NULL;
}

// The last argument of Ramp and Broadcast.
static bool lanes_argument(const call *c, unsigned *lanes) {
    int64_t n;
    if (!expr_const_int(c->arg[c->count - 1], &n)) return refuse(c, "the number of lanes must be a constant"), false;
    if (n < 2 || n > UINT16_MAX) return refuse(c, "want 2 to 65535 lanes, got %lld", (long long)n), false;
    *lanes = (unsigned)n;
    return true;
}

static const expr *build_ramp(const call *c) {
    unsigned lanes;
    if (!has_count(c, 3) || !lanes_argument(c, &lanes)) return NULL;
    const expr *base = c->arg[0], *stride = c->arg[1];
    if (!expr_match_types(c->s, &base, &stride, c->why)) return NULL;
    if (!expr_is_index(base)) return refuse(c, "base and stride must be scalar integers");
    return expr_ramp(c->s, base, stride, lanes);
}

static const expr *build_broadcast(const call *c) {
    unsigned lanes;
    if (!has_count(c, 2) || !lanes_argument(c, &lanes)) return NULL;
    dtype t = c->arg[0]->type;
    if (t.kind == DTYPE_VOID || dtype_lanes(t) != 1) return refuse(c, "want a scalar");
    return expr_broadcast(c->s, c->arg[0], lanes);
}

// Operations that read as functions: T.Select(c, a, b), T.FloorDiv(a, b).
static const expr *build_operation(const call *c, expr_op op) {
    if (op == EXPR_NOT) return build_not(c);
    if (op == EXPR_SELECT) return build_select(c);
    if (op == EXPR_CAST) return has_count(c, 1) ? build_cast(c, c->type, c->arg[0]) : NULL;
    if (op == EXPR_RAMP) return build_ramp(c);
    if (op == EXPR_BROADCAST) return build_broadcast(c);
    if (op == EXPR_SHUFFLE || op == EXPR_LET) return refuse(c, "not supported in this place");
    return build_binary(c, op);
}

// (a + (b - 1)) // b
static const expr *build_ceil_div(const call *c) {
    if (!has_count(c, 2)) return NULL;
    const expr *a = c->arg[0], *b = c->arg[1], *less;
    int64_t n;
    if (!expr_match_types(c->s, &a, &b, c->why)) return NULL;
    if (!dtype_is_int(a->type)) return refuse(c, "want integers");
    if (expr_const_int(b, &n) && n > dtype_int_min(b->type))
        less = expr_int(c->s, b->type, n - 1);
    else
        less = expr_arith(c->s, EXPR_SUB, b, expr_int(c->s, DTYPE_OF(I32), 1), c->why);
    if (!less) return NULL;
    return expr_binary(c->s, EXPR_FLOOR_DIV, expr_binary(c->s, EXPR_ADD, a, less), b);
}

// --- Intrinsics

// T.max_value("float16") is a constant at once: TVM has no node for it.
static const expr *build_limit(const call *c, const intrinsic *f) {
    scalar value;
    bool number = (dtype_is_int(c->type) || dtype_is_float(c->type)) && dtype_lanes(c->type) == 1;
    const expr *limit = number ? expr_call(c->s, f, c->type, NULL, 0) : NULL;
    if (!limit || expr_apply(limit, NULL, &value) != EXPR_DONE) return refuse(c, "the type has none");
    if (dtype_is_float(c->type)) return expr_float(c->s, c->type, value.f);
    return expr_int(c->s, c->type, value.i);
}

// For the message: "want 1 to 3 arguments".
static const char *most(const intrinsic *f) {
    static const char *const words[] = {"", " to 1", " to 2", " to 3", " to 4", " to 5", " to 6", " to 7", " to 8"};
    return f->max_args == f->min_args ? "" : words[f->max_args];
}

// Checks what the row of intrinsics.def says: number and kind of arguments, the leading type.
static const expr *call_with(const call *c, const intrinsic *f, const expr *const *arg) {
    char spelled[32] = "nothing";
    dtype result;
    bool many = f->max_args == INTRIN_VARIADIC;
    if (c->count < f->min_args || (c->count > f->max_args && !many))
        return refuse(c, "want %u%s argument%s, got %u", f->min_args, many ? " or more" : most(f),
                      f->max_args == 1 ? "" : "s", c->count);
    if (f->leads_with_type && f->pure && c->type.kind == DTYPE_VOID)
        return refuse(c, "the first argument must be a type, such as \"float32\"");
    if (c->count) dtype_spell(arg[0]->type, spelled);
    if (!expr_call_takes(f, arg, c->count)) return refuse(c, "does not take %s", spelled);
    if (f->type != INTRIN_ANY && !expr_call_type(f, arg, c->count, &result)) return refuse(c, "too few arguments");
    return expr_call(c->s, f, f->type == INTRIN_ANY ? c->type : (dtype){0}, arg, c->count);
}

static const expr *build_choice(const call *c, const intrinsic *f) {
    const expr *a, *b;
    match_choice(c, &a, &b);
    return a ? call_with(c, f, (const expr *[]){c->arg[0], a, b}) : NULL;
}

// T.pow(x, 2), T.shift_left(i, n): arguments promote as those of operators do.
static const expr *build_pair(const call *c, const intrinsic *f) {
    const expr *a = c->arg[0], *b = c->arg[1];
    return expr_match_types(c->s, &a, &b, c->why) ? call_with(c, f, (const expr *[]){a, b}) : NULL;
}

static const expr *build_intrinsic(const call *c, const intrinsic *f) {
    if (f->id == INTRIN_MAX_VALUE || f->id == INTRIN_MIN_VALUE || f->id == INTRIN_INFINITY)
        return has_count(c, 0) ? build_limit(c, f) : NULL;
    if (f->takes == TAKES_CHOICE) return build_choice(c, f);
    if (c->count == 2 && f->min_args == 2 && (f->takes == TAKES_FLOATS || f->takes == TAKES_INTS))
        return build_pair(c, f);
    return call_with(c, f, c->arg);
}

// --- By name

// Types without constants: T.handle() only declares.
static bool has_no_values(const char *name) { return !strcmp(name, "handle") || !strcmp(name, "void"); }

static const char *nearest_name(const char *name) {
    const char *known[INTRINSICS];
    for (unsigned i = 0; i < INTRINSICS; i++) known[i] = intrinsic_get(i)->name;
    return text_nearest(name, known, INTRINSICS);
}

// Readers must know before they read the arguments: a string there is a type.
bool expr_call_leads_with_type(const char *name) {
    const intrinsic *f = intrinsic_find(name);
    expr_op op;
    return f ? f->leads_with_type : expr_op_by_function_name(name, &op) && op == EXPR_CAST;
}

// Types first: T.int32(…) is by far the most frequent; intrinsics hide operations of the same name.
const expr *expr_build_call(expr_session *s, const char *name, dtype type, const expr *const *arg, uint32_t count,
                            char why[128]) {
    call c = {.s = s, .name = name, .type = type, .arg = arg, .count = count, .why = why};
    expr_op op;
    dtype named;
    for (uint32_t i = 0; i < count; i++)
        if (arg[i]->type.kind == DTYPE_VOID) return refuse(&c, "argument %u has no value", i + 1);
    if (dtype_parse(name, strlen(name), &named) && !has_no_values(name))
        return build_typed(&c, named); // the most frequent
    const intrinsic *f = intrinsic_find(name);
    if (f) return build_intrinsic(&c, f);
    if (expr_op_by_function_name(name, &op)) return build_operation(&c, op);
    if (!strcmp(name, "ceildiv")) return build_ceil_div(&c);
    const char *near = nearest_name(name);
    return near ? refuse(&c, "no such function; did you mean T.%s?", near) : refuse(&c, "no such function");
}
