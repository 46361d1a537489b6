// call_t.c - T.name(...) inside expressions: types, operations spelled as functions, intrinsics.
#include "base/count_noun.h"
#include "base/suggest.h"
#include "text/reader.h"
#include <string.h>

// --- Types: T.int64(4), T.int64(), T.handle("float32", "shared").
static value new_symbol(reader *r, loc at, value_kind kind, symbol s) {
    symbol *copy = ARENA_NEW(r->scratch, symbol, 1);
    *copy = s;
    return (value){.kind = kind, .at = at, .as.symbol = copy};
}

static value read_handle(reader *r, loc at, arguments *a) {
    symbol s = {.type = DTYPE_OF(HANDLE)};
    const value *element = arg_at(a, 0, "dtype"), *place = arg_at(a, 1, "storage_scope");
    if (element && (!to_dtype(r, element, &s.element, "T.handle"))) return poison_at(at);
    if (element) s.handle = "global";
    if (place && !(s.handle = to_string(r, place, "T.handle"))) return poison_at(at);
    return args_done(r, a) ? new_symbol(r, at, VAL_SYMBOL, s) : poison_at(at);
}

// T.float32("inf").
static bool special_float(const value *v, double *out) {
    static const struct {
        const char *text;
        double value;
    } special[] = {{"inf", 1.0 / 0.0}, {"-inf", -1.0 / 0.0}, {"nan", 0.0 / 0.0}};
    for (size_t i = 0; i < COUNT(special); i++)
        if (is_string(v, special[i].text)) return *out = special[i].value, true;
    return false;
}

// T.float32(x): numbers are converted, special floats are read from strings, expressions get a cast.
static const expr *convert_to(reader *r, const value *v, dtype type) {
    double f;
    if (dtype_is_float(type) && special_float(v, &f)) return expr_float(r->exprs, type, f);
    if (v->kind == VAL_BOOL) return expr_number(r->exprs, expr_int(r->exprs, DTYPE_OF(I32), v->as.i), type);
    if (v->kind == VAL_INT && type.kind == DTYPE_BOOL) return expr_bool(r->exprs, v->as.i != 0);
    if (v->kind == VAL_FLOAT && !dtype_is_float(type)) {
        diag_error(r->d, v->at, "this number is no integer");
        return NULL;
    }
    const expr *e = to_expr(r, v, dtype_scalar(type), "T");
    if (!e || dtype_equal(e->type, type)) return e;
    const expr *cast = checked_cast(r, v->at, type, e);
    bool spread = cast && dtype_lanes(type) > 1 && dtype_lanes(cast->type) == 1;
    return spread ? expr_broadcast(r->exprs, cast, dtype_lanes(type)) : cast;
}

// T.int64 without brackets is a type, T.int64() a new variable, T.int64(3) a number.
static value read_typed(reader *r, loc at, dtype type) {
    arguments a;
    char spelling[32];
    if (!at_op(r, "(")) return new_symbol(r, at, VAL_DTYPE, (symbol){.type = type});
    if (!read_arguments(r, arena_format(r->scratch, "T.%s", dtype_spell(type, spelling)), at, &a)) return poison_at(at);
    if (type.kind == DTYPE_HANDLE) return read_handle(r, at, &a);
    symbol s = {.type = type};
    const value *size = arg_named(&a, "is_size_var"), *v = arg_at(&a, 0, "expr");
    if (size && !to_bool(r, size, &s.size, "is_size_var")) return poison_at(at);
    if (!args_done(r, &a)) return poison_at(at);
    if (type.kind == DTYPE_VOID) {
        diag_error(r->d, at, "a variable of type void holds nothing");
        return poison_at(at);
    }
    if (!v || v->kind == VAL_NONE) return new_symbol(r, at, VAL_SYMBOL, s);
    const expr *e = v->kind == VAL_POISON ? NULL : convert_to(r, v, type);
    return e ? value_expr(at, e) : poison_at(at);
}

// --- Operations spelled as functions.
static const expr *read_cast(reader *r, arguments *a) {
    const value *first = arg_need(r, a, 0, "dtype"), *second = arg_need(r, a, 1, "value");
    dtype type;
    if (!first || !second) return NULL;
    if (second->kind == VAL_STRING && first->kind != VAL_STRING) { // T.cast(x, "float32")
        const value *swap = first;
        first = second;
        second = swap;
    }
    if (!to_dtype(r, first, &type, a->callee)) return NULL;
    const expr *e = to_expr(r, second, (dtype){0}, a->callee);
    if (!e) return NULL;
    // T.Cast is the node itself, even of a number; T.cast computes.
    bool castable = dtype_family_of(type) != FAMILY_NONE && dtype_family_of(e->type) != FAMILY_NONE;
    if (castable && dtype_lanes(type) == dtype_lanes(e->type) && strcmp(a->callee, "T.Cast") == 0)
        return r->as_written ? expr_cast_written(r->exprs, type, e) : expr_cast(r->exprs, type, e);
    return checked_cast(r, a->at, type, e);
}

// Both sides of a choice, converted to one type.
static bool same_type(reader *r, loc at, const value *a, const value *b, const expr **x, const expr **y) {
    if (a->kind == VAL_POISON || b->kind == VAL_POISON) return false;
    if (a->kind == VAL_EXPR && b->kind == VAL_EXPR && dtype_equal(a->as.e->type, b->as.e->type)) {
        *x = a->as.e;
        *y = b->as.e;
        return true;
    }
    if (a->kind == VAL_BOOL && b->kind == VAL_BOOL) {
        *x = to_expr(r, a, (dtype){0}, "choice");
        *y = to_expr(r, b, (dtype){0}, "choice");
        return true;
    }
    const expr *pair = read_arith(r, at, EXPR_MIN, a, b);
    if (!pair) return false;
    *x = pair->in[0];
    *y = pair->in[1];
    return true;
}

// Conditions are bools: Python's truth of numbers is not TVM's.
static const expr *to_condition(reader *r, const value *v, const char *what) {
    const expr *c = to_expr(r, v, (dtype){0}, what);
    if (!c || dtype_family_of(c->type) == FAMILY_BOOL) return c;
    char type[32];
    diag_error(r->d, v->at, "%s: want a condition, got %s", what, dtype_spell(c->type, type));
    return NULL;
}

// Shared by T.Select and T.if_then_else: the numbers among both results take one type.
static const expr *read_select(reader *r, arguments *a) {
    const value *c = arg_need(r, a, 0, "condition"), *x = arg_need(r, a, 1, "true_value"),
                *y = arg_need(r, a, 2, "false_value");
    const expr *condition, *then, *otherwise;
    if (!c || !x || !y || !(condition = to_condition(r, c, a->callee))) return NULL;
    if (!same_type(r, a->at, x, y, &then, &otherwise)) return NULL;
    unsigned lanes = dtype_lanes(condition->type);
    if ((lanes == 1 || lanes == dtype_lanes(then->type)) && then->type.kind != DTYPE_VOID)
        return expr_select(r->exprs, condition, then, otherwise);
    diag_error(r->d, a->at, "%s: the condition has %s, what it chooses %u", a->callee, COUNTED(lanes, "lane"),
               dtype_lanes(then->type));
    return NULL;
}

// T.Let(body, where={x: value}).
static const expr *read_let(reader *r, arguments *a) {
    const value *body = arg_need(r, a, 0, "expr"), *where = arg_need(r, a, 1, "where");
    if (!body || !where) return NULL;
    if (where->kind != VAL_DICT || where->as.list.count != 2 || where->as.list.at[0].kind != VAL_EXPR ||
        where->as.list.at[0].as.e->op != EXPR_VAR) {
        diag_error(r->d, where->at, "T.Let: want where={variable: value}");
        return NULL;
    }
    const expr *var = where->as.list.at[0].as.e, *bound = to_expr(r, &where->as.list.at[1], var->type, a->callee);
    const expr *inner = to_expr(r, body, (dtype){0}, a->callee);
    if (!bound || !inner) return NULL;
    if (dtype_equal(bound->type, var->type)) return expr_let(r->exprs, var, bound, inner);
    diag_error(r->d, where->at, "T.Let: the variable and its value have different types");
    return NULL;
}

// As many as any target could have, so that vectors stay small.
static bool read_lanes(reader *r, const value *v, unsigned *lanes, const char *what) {
    int64_t n;
    if (!to_int(r, v, &n, what)) return false;
    if (n < 1 || n > 4096) return diag_error(r->d, v->at, "%s: want 1 to 4096 lanes, got %lld", what, (long long)n);
    *lanes = (unsigned)n;
    return true;
}

// A vector of indices: base, base + stride, ...
static const expr *read_ramp(reader *r, arguments *a) {
    const value *base = arg_need(r, a, 0, "base"), *stride = arg_need(r, a, 1, "stride"),
                *count = arg_need(r, a, 2, "lanes");
    const expr *b, *s;
    unsigned lanes = 0;
    if (!base || !stride || !count || !read_lanes(r, count, &lanes, a->callee)) return NULL;
    if (!same_type(r, a->at, base, stride, &b, &s)) return NULL;
    if (expr_is_index(b) && lanes > 1) return expr_ramp(r->exprs, b, s, lanes);
    diag_error(r->d, a->at, "T.Ramp: want an integer base and stride and at least 2 lanes");
    return NULL;
}

static const expr *read_broadcast(reader *r, arguments *a) {
    const value *v = arg_need(r, a, 0, "value"), *count = arg_need(r, a, 1, "lanes");
    unsigned lanes = 0;
    if (!v || !count || !read_lanes(r, count, &lanes, a->callee)) return NULL;
    const expr *e = to_expr(r, v, (dtype){0}, a->callee);
    if (!e) return NULL;
    if (dtype_lanes(e->type) == 1 && lanes > 1 && e->type.kind != DTYPE_VOID) return expr_broadcast(r->exprs, e, lanes);
    diag_error(r->d, a->at, "T.Broadcast: want a scalar and at least 2 lanes");
    return NULL;
}

// T.And, T.Add and the like: the node itself, where an operator might compute.
static const expr *read_logic(reader *r, arguments *a, expr_op kind) {
    const value *x = arg_need(r, a, 0, "a"), *y = kind == EXPR_NOT ? x : arg_need(r, a, 1, "b");
    if (!x || !y) return NULL;
    if (kind != EXPR_NOT) return read_arith(r, a->at, kind, x, y);
    const expr *c = to_condition(r, x, a->callee);
    return c ? expr_not(r->exprs, c) : NULL;
}

static const expr *read_shuffle(reader *r, arguments *a) {
    const value *vectors = arg_need(r, a, 0, "vectors"), *indices = arg_need(r, a, 1, "indices");
    if (!vectors || !indices) return NULL;
    if (vectors->kind != VAL_LIST || indices->kind != VAL_LIST || !vectors->as.list.count || !indices->as.list.count) {
        diag_error(r->d, a->at, "T.Shuffle: want a list of vectors and a list of lane numbers");
        return NULL;
    }
    uint32_t v = vectors->as.list.count, n = indices->as.list.count;
    const expr **in = ARENA_NEW(r->scratch, const expr *, v + n);
    bool ok = true;
    for (uint32_t i = 0; i < v; i++) {
        if (!(in[i] = to_expr(r, &vectors->as.list.at[i], (dtype){0}, a->callee))) return NULL;
        ok = ok && dtype_equal(dtype_scalar(in[i]->type), dtype_scalar(in[0]->type)) && in[i]->type.kind != DTYPE_VOID;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!(in[v + i] = to_expr(r, &indices->as.list.at[i], DTYPE_OF(I32), a->callee))) return NULL;
        ok = ok && in[v + i]->op == EXPR_INT;
    }
    if (ok && n <= 4096) return expr_shuffle(r->exprs, in, v, in + v, n);
    diag_error(r->d, a->at, "T.Shuffle: want vectors of one type, and numbers of their lanes");
    return NULL;
}

// Operations spelled as functions; the others are intrinsics.
static const expr *read_function(reader *r, arguments *a, expr_op kind) {
    if (kind == EXPR_CAST) return read_cast(r, a);
    if (kind == EXPR_SELECT) return read_select(r, a);
    if (kind == EXPR_LET) return read_let(r, a);
    if (kind == EXPR_RAMP) return read_ramp(r, a);
    if (kind == EXPR_BROADCAST) return read_broadcast(r, a);
    if (kind == EXPR_SHUFFLE) return read_shuffle(r, a);
    return read_logic(r, a, kind);
}

// --- Intrinsics.

// The type numbers take among the arguments of a function like pow: that of the first expression.
static dtype type_of_operands(const arguments *a, const intrinsic *f) {
    if (!f->vectorisable || f->type != INTRIN_SAME) return (dtype){0};
    for (uint32_t i = 0; i < a->count; i++)
        if (a->value[i].kind == VAL_EXPR) return dtype_scalar(a->value[i].as.e->type);
    return (dtype){0};
}

// Before types: a wrong number of arguments explains a wrong type, too.
static bool check_count(reader *r, const arguments *a, const intrinsic *f, uint32_t count) {
    if (count >= f->min_args && (f->max_args == INTRIN_VARIADIC || count <= f->max_args)) return true;
    if (f->max_args == INTRIN_VARIADIC)
        return diag_error(r->d, a->at, "%s: want at least %s, got %u", a->callee, COUNTED(f->min_args, "argument"),
                          count);
    if (f->min_args == f->max_args)
        return diag_error(r->d, a->at, "%s: want %s, got %u", a->callee, COUNTED(f->min_args, "argument"), count);
    return diag_error(r->d, a->at, "%s: want %u to %s, got %u", a->callee, f->min_args,
                      COUNTED(f->max_args, "argument"), count);
}

// The leading type of T.reinterpret("float32", x), or dtype= as older texts have it.
static bool take_leading_type(reader *r, arguments *a, const intrinsic *f, dtype *type, uint32_t *first) {
    const value *named = arg_named(a, "dtype");
    *first = 0;
    *type = (dtype){0};
    if (!f->leads_with_type) return !named || to_dtype(r, named, type, a->callee);
    const value *v = named ? named : arg_need(r, a, (*first)++, NULL);
    return v && to_dtype(r, v, type, a->callee);
}

// T.if_then_else evaluates one side; T.Select is read the same way and evaluates both.
static const expr *read_choice(reader *r, arguments *a, const intrinsic *f) {
    const expr *select = read_select(r, a);
    return select ? checked_call(r, a->at, f, select->type, select->in, 3) : NULL;
}

// The only way to an intrinsic from text: expr_call takes for granted what is checked here.
const expr *checked_call(reader *r, loc at, const intrinsic *f, dtype type, const expr *const *in, uint32_t count) {
    bool typed = f->type == INTRIN_ANY || expr_call_type(f, in, count, &type);
    if (typed && expr_call_takes(f, in, count)) return expr_call(r->exprs, f, type, in, count);
    text got = TEXT_IN(r->scratch);
    char spelled[32];
    for (uint32_t i = 0; i < count; i++) text_format(&got, "%s%s", i ? ", " : "", dtype_spell(in[i]->type, spelled));
    diag_error(r->d, at, "T.%s does not take %s", f->name, count ? text_get(&got) : "no arguments");
    return NULL;
}

// Its leading type first where it has one, then as many expressions as it takes.
static const expr *read_intrinsic(reader *r, arguments *a, const intrinsic *f) {
    dtype type, hint = type_of_operands(a, f);
    uint32_t first, count = 0;
    if (!take_leading_type(r, a, f, &type, &first)) return NULL;
    if (f->id == INTRIN_IF_THEN_ELSE && a->count == 3) return read_choice(r, a, f);
    const expr **in = ARENA_NEW(r->scratch, const expr *, a->count);
    for (const value *v; (v = arg_at(a, first + count, NULL)); count++)
        if (v->kind == VAL_POISON || !(in[count] = to_expr(r, v, hint, a->callee))) return NULL;
    if (!args_done(r, a) || !check_count(r, a, f, count)) return NULL;
    return checked_call(r, a->at, f, type, in, count);
}

// (a + b - 1) // b, which is what TVM makes of it.
static const expr *read_ceildiv(reader *r, arguments *a) {
    const value *x = arg_need(r, a, 0, "lhs"), *y = arg_need(r, a, 1, "rhs"), one = value_int(a->at, 1);
    if (!x || !y) return NULL;
    const expr *sum = read_arith(r, a->at, EXPR_ADD, x, y);
    if (!sum) return NULL;
    value sum_value = value_expr(a->at, sum);
    const expr *less = read_arith(r, a->at, EXPR_SUB, &sum_value, &one);
    if (!less) return NULL;
    value less_value = value_expr(a->at, less);
    return read_arith(r, a->at, EXPR_FLOOR_DIV, &less_value, y);
}

// --- Values that only stand in attributes.

// T.target({...}) keeps its argument under its name.
static value read_target(reader *r, arguments *a) {
    const value *config = arg_need(r, a, 0, "target_config");
    if (!config) return poison_at(a->at);
    value *list = ARENA_NEW(r->scratch, value, 2);
    list[0] = value_text(a->at, "T.target", strlen("T.target"));
    list[1] = (value){.kind = VAL_LIST, .at = a->at, .as.list = {config, 1}};
    return (value){.kind = VAL_DICT, .at = a->at, .as.list = {list, 2}};
}

static value read_index_map(reader *r, arguments *a) {
    const value *v = arg_need(r, a, 0, "mapping");
    arg_named(a, "index_dtype");
    if (!v || !args_done(r, a)) return poison_at(a->at);
    if (v->kind == VAL_POISON || (v->kind == VAL_INDEX_MAP && v->as.attr->kind == ATTR_INDEX_MAP)) return *v;
    diag_error(r->d, v->at, "T.index_map: want a lambda, got %s", value_kind_name(v));
    return poison_at(a->at);
}

// T.IntImm("int32", 8), T.FloatImm("float32", 0.5)
static value read_immediate(reader *r, arguments *a) {
    const value *type = arg_need(r, a, 0, "dtype"), *v = arg_need(r, a, 1, "value");
    dtype t;
    if (!type || !v || !to_dtype(r, type, &t, a->callee)) return poison_at(a->at);
    const expr *e = convert_to(r, v, t);
    return e ? value_expr(a->at, e) : poison_at(a->at);
}

// T.Buffer(...) as a value: an annotation of a parameter.
static value read_new_buffer(reader *r, arguments *a) {
    const buffer *b = read_buffer(r, a, 0, "buffer");
    return b ? (value){.kind = VAL_BUFFER, .at = a->at, .as.buf = b} : poison_at(a->at);
}

// Reads the arguments nevertheless, so that the rest of the line is understood.
static value unknown_t(reader *r, const char *name, loc at) {
    VEC(const char *) known = {0};
    static const char *const more[] = {"int64",    "int32", "float32", "float16", "handle", "Buffer",
                                       "bool",     "max",   "min",     "Cast",    "Select", "ceildiv",
                                       "evaluate", "grid",  "serial",  "sblock"};
    for (size_t i = 0; i < COUNT(more); i++) VEC_PUSH(r->scratch, &known, more[i]);
    for (unsigned i = 0; i < INTRINSICS; i++) VEC_PUSH(r->scratch, &known, intrinsic_get((intrinsic_id)i)->name);
    const char *near = text_nearest(name, known.at, known.len);
    diag_error(r->d, at, "T.%s is not known here%s", name, text_suggest(r->scratch, near, "T.", ""));
    arguments ignored;
    if (at_op(r, "(")) read_arguments(r, name, at, &ignored);
    return poison_at(at);
}

typedef value t_function(reader *r, arguments *a);

static t_function *find_special(const char *name) {
    static const struct {
        const char *name;
        t_function *read;
    } row[] = {{"target", read_target},
               {"index_map", read_index_map},
               {"Buffer", read_new_buffer},
               {"IntImm", read_immediate},
               {"FloatImm", read_immediate}};
    for (size_t i = 0; i < COUNT(row); i++)
        if (strcmp(row[i].name, name) == 0) return row[i].read;
    return NULL;
}

// Types first, for there are most of them; then what is read specially, operations, intrinsics.
value call_t(reader *r, const char *name, loc at) {
    dtype type;
    expr_op kind = EXPR_OPS;
    if (strcmp(name, "boolean") == 0) name = "bool";
    if (dtype_parse(name, strlen(name), &type)) return read_typed(r, at, type);
    if (strcmp(name, "comm_reducer") == 0) return read_comm_reducer(r, at);
    bool is_op = expr_op_by_function_name(name, &kind), ceildiv = strcmp(name, "ceildiv") == 0;
    const intrinsic *f = intrinsic_find(name);
    t_function *special = find_special(name);
    if (!is_op && !ceildiv && !f && !special) return unknown_t(r, name, at);
    arguments a;
    if (!read_arguments(r, arena_format(r->scratch, "T.%s", name), at, &a)) return poison_at(at);
    for (uint32_t i = 0; i < a.count; i++)
        if (a.value[i].kind == VAL_POISON) return poison_at(at);
    if (special) return special(r, &a);
    const expr *e = is_op ? read_function(r, &a, kind) : ceildiv ? read_ceildiv(r, &a) : read_intrinsic(r, &a, f);
    return e && args_done(r, &a) ? value_expr(at, e) : poison_at(at);
}
