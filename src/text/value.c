// value.c - the values that expressions of the text evaluate to, and their conversions.
#include "base/suggest.h"
#include "text/reader.h"
#include <math.h>
#include <string.h>

value poison_at(loc at) { return (value){.kind = VAL_POISON, .at = at}; }
value value_expr(loc at, const expr *e) { return (value){.kind = VAL_EXPR, .at = at, .as.e = e}; }
value value_int(loc at, int64_t i) { return (value){.kind = VAL_INT, .at = at, .as.i = i}; }

// What could not become a node was reported where that was tried.
value value_node(loc at, const node *n) {
    return !n || node_is_poison(n) ? poison_at(at) : (value){.kind = VAL_NODE, .at = at, .as.n = n};
}

value value_text(loc at, const char *bytes, size_t size) {
    return (value){.kind = VAL_STRING, .at = at, .as.text = {bytes, size}};
}

// As messages say it: "want a dtype, got a number".
const char *value_kind_name(const value *v) {
    static const char *const name[VAL_KINDS] = {
        [VAL_POISON] = "an error",
        [VAL_NONE] = "None",
        [VAL_BOOL] = "a bool",
        [VAL_INT] = "a number",
        [VAL_FLOAT] = "a number",
        [VAL_STRING] = "a string",
        [VAL_EXPR] = "a scalar expression",
        [VAL_NODE] = "a value of the graph",
        [VAL_CALL] = "a call",
        [VAL_ANN] = "an annotation",
        [VAL_DTYPE] = "a type",
        [VAL_SYMBOL] = "a new variable",
        [VAL_LIST] = "a list",
        [VAL_TUPLE] = "a tuple",
        [VAL_DICT] = "a dictionary",
        [VAL_BUFFER] = "a buffer",
        [VAL_REGION] = "a part of a buffer",
        [VAL_FUNC] = "a function of the module",
        [VAL_MODULE] = "the module",
        [VAL_INDEX_MAP] = "an index map",
    };
    return name[v->kind];
}

// Strings may hold NUL bytes, so that sizes are compared, too.
bool is_string(const value *v, const char *want) {
    return v && v->kind == VAL_STRING && v->as.text.size == strlen(want) &&
           memcmp(v->as.text.bytes, want, v->as.text.size) == 0;
}

// Reports a value of the wrong kind, once.
static bool wrong(reader *r, const value *v, const char *what, const char *want) {
    if (v->kind == VAL_POISON || r->failed) return false;
    return diag_error(r->d, v->at, "%s: want %s, got %s", what, want, value_kind_name(v));
}

// A bare int takes the type that is hinted; without one it is an int32, as in TVM, or an int64 where it must be.
static const expr *int_expr(reader *r, const value *v, dtype type) {
    if (type.kind == DTYPE_VOID)
        type = v->big || v->as.i > INT32_MAX || v->as.i < INT32_MIN ? DTYPE_OF(I64) : DTYPE_OF(I32);
    if (dtype_is_float(type)) return expr_float(r->exprs, type, v->big ? (double)(uint64_t)v->as.i : (double)v->as.i);
    bool fits = v->big        ? dtype_family_of(type) == FAMILY_UINT && (uint64_t)v->as.i <= dtype_int_max(type)
                : v->as.i < 0 ? v->as.i >= dtype_int_min(type)
                              : (uint64_t)v->as.i <= dtype_int_max(type);
    char name[32];
    if (fits) return expr_int(r->exprs, type, v->as.i);
    diag_error(r->d, v->at, v->big ? "the number %llu does not fit in %s" : "the number %lld does not fit in %s",
               (long long)v->as.i, dtype_spell(type, name));
    return NULL;
}

// A string where an expression is wanted is an argument of a call such as T.call_extern.
static const expr *string_expr(reader *r, const value *v, const char *what) {
    if (!memchr(v->as.text.bytes, 0, v->as.text.size)) return expr_string(r->exprs, v->as.text.bytes, v->as.text.size);
    diag_error(r->d, v->at, "%s: this string may not contain a NUL byte", what);
    return NULL;
}

// NULL after reporting, like all to_ functions here. `hint` is for bare numbers; void: no hint.
const expr *to_expr(reader *r, const value *v, dtype hint, const char *what) {
    hint.lanes = hint.lanes ? 1 : 0; // a bare number is a scalar
    if (!dtype_is_int(hint) && !dtype_is_float(hint) && dtype_family_of(hint) != FAMILY_BOOL) hint = (dtype){0};
    if (v->kind == VAL_EXPR) return v->as.e;
    if (v->kind == VAL_INT) return int_expr(r, v, hint);
    if (v->kind == VAL_BOOL) return expr_bool(r->exprs, v->as.i != 0);
    if (v->kind == VAL_FLOAT) return expr_float(r->exprs, dtype_is_float(hint) ? hint : DTYPE_OF(F32), v->as.f);
    if (v->kind == VAL_REGION) return region_load(r, v);
    if (v->kind == VAL_STRING) return string_expr(r, v, what);
    if (v->kind == VAL_NODE && v->as.n->op == &op_prim) return v->as.n->as.value;
    wrong(r, v, what, "a scalar expression");
    return NULL;
}

// Scalars of the graph are int64 where a number is bare, and True is 1.
const expr *to_prim(reader *r, const value *v, const char *what) {
    if (v->kind == VAL_BOOL) return expr_i64(r->exprs, v->as.i); // so TVM reads it
    return to_expr(r, v, v->kind == VAL_INT && !v->big ? DTYPE_OF(I64) : (dtype){0}, what);
}

// A dim is int64 whatever its symbols are: narrower ones are cast.
const expr *to_dim(reader *r, const value *v, const char *what) {
    bool number = v->kind == VAL_INT || v->kind == VAL_EXPR || v->kind == VAL_NODE;
    if (v->kind != VAL_STRING && !number) return wrong(r, v, what, "a dim"), NULL;
    const expr *e = v->kind == VAL_STRING ? read_quoted_dim(r, v) : to_expr(r, v, DTYPE_OF(I64), what);
    if (e && !expr_is_index(e)) return wrong(r, v, what, "an integer"), NULL;
    return e ? checked_cast(r, v->at, DTYPE_OF(I64), e) : NULL; // dims are int64
}

// A Python int known while reading: attributes, lanes, axes.
bool to_int(reader *r, const value *v, int64_t *out, const char *what) {
    if ((v->kind == VAL_INT && !v->big) || v->kind == VAL_BOOL) return *out = v->as.i, true;
    if (v->kind == VAL_EXPR && expr_const_int(v->as.e, out)) return true;
    return wrong(r, v, what, "an integer");
}

bool to_bool(reader *r, const value *v, bool *out, const char *what) {
    int64_t i = 0;
    if (v->kind != VAL_BOOL && v->kind != VAL_INT && v->kind != VAL_EXPR) return wrong(r, v, what, "True or False");
    if (!to_int(r, v, &i, what)) return false;
    *out = i != 0;
    return true;
}

const char *to_string(reader *r, const value *v, const char *what) {
    if (v->kind == VAL_EXPR && v->as.e->op == EXPR_STRING) return v->as.e->as.text;
    if (v->kind == VAL_NODE && v->as.n->op == &op_string) return v->as.n->as.text.bytes;
    if (v->kind != VAL_STRING) return wrong(r, v, what, "a string"), NULL;
    if (memchr(v->as.text.bytes, 0, v->as.text.size))
        return diag_error(r->d, v->at, "%s: this string may not contain a NUL byte", what), NULL;
    return arena_copy(r->mem, v->as.text.bytes, v->as.text.size);
}

// "float32", T.float32, R.dtype("float32") and None (void) are what texts write where a type is wanted.
bool to_dtype(reader *r, const value *v, dtype *out, const char *what) {
    if (v->kind == VAL_NODE && v->as.n->op == &op_data_type) return *out = v->as.n->as.type, true;
    if (v->kind == VAL_NONE) return *out = (dtype){0}, true;
    if (v->kind == VAL_DTYPE) return *out = v->as.symbol->type, true;
    if (v->kind != VAL_STRING) return wrong(r, v, what, "a dtype such as \"float32\"");
    if (v->as.text.size == 0) return *out = (dtype){0}, true; // TVM's void
    if (dtype_parse(v->as.text.bytes, v->as.text.size, out)) return true;
    static const char *const common[] = {"float32", "float16", "float64", "bfloat16", "int64",  "int32", "int16",
                                         "int8",    "uint8",   "uint16",  "uint32",   "uint64", "bool",  "handle"};
    const char *near = v->as.text.size < 64 ? text_nearest(arena_copy(r->scratch, v->as.text.bytes, v->as.text.size),
                                                           common, COUNT(common))
                                            : NULL;
    return diag_error(r->d, v->at, "%s: unknown dtype \"%.*s\"%s", what,
                      (int)(v->as.text.size < 64 ? v->as.text.size : 64), v->as.text.bytes,
                      text_suggest(r->scratch, near, "\"", "\""));
}

// What TVM does without being asked: numbers change their type, other expressions get a cast node.
const expr *checked_cast(reader *r, loc at, dtype type, const expr *e) {
    type = dtype_vector(dtype_scalar(type), dtype_lanes(e->type));
    if (dtype_equal(type, e->type)) return e;
    const expr *number = dtype_lanes(type) == 1 ? expr_number(r->exprs, e, type) : NULL;
    if (number) return number;
    bool castable = dtype_family_of(type) != FAMILY_NONE && dtype_family_of(e->type) != FAMILY_NONE;
    if (castable) return expr_cast(r->exprs, type, e);
    char from[32], to[32];
    diag_error(r->d, at, "%s can't become %s", dtype_spell(e->type, from), dtype_spell(type, to));
    return NULL;
}

// --- To attributes.
// Lists and tuples are one kind of attribute: TVM's arrays don't tell them apart.
static const attr *list_attr(reader *r, const value *v, const char *what) {
    const attr **list = ARENA_NEW(r->scratch, const attr *, v->as.list.count);
    for (uint32_t i = 0; i < v->as.list.count; i++)
        if (!(list[i] = to_attr(r, &v->as.list.at[i], what))) return NULL;
    return attr_list(r->mem, list, v->as.list.count);
}

// Keys and values alternate in the list of a dictionary.
static const attr *dict_attr(reader *r, const value *v, const char *what) {
    uint32_t count = v->as.list.count / 2;
    const attr **list = ARENA_NEW(r->scratch, const attr *, count);
    const char **key = ARENA_NEW(r->scratch, const char *, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!(key[i] = to_string(r, &v->as.list.at[2 * i], what))) return NULL;
        if (!(list[i] = to_attr(r, &v->as.list.at[2 * i + 1], what))) return NULL;
    }
    return attr_dict(r->mem, key, list, count);
}

// Only leaves whose value is in the text; a tensor is known when the program runs.
static const attr *node_as_attr(reader *r, const value *v, const char *what) {
    const node *n = v->as.n;
    if (n->op == &op_string) return attr_string(r->mem, n->as.text.bytes, n->as.text.size);
    if (n->op == &op_data_type) return attr_dtype(r->mem, n->as.type);
    if (n->op == &op_prim) return attr_expr(r->mem, n->as.value);
    return wrong(r, v, what, "a value known when compiling"), NULL;
}

// Closed over the kinds: a new kind of value must say here whether it can be an attribute.
const attr *to_attr(reader *r, const value *v, const char *what) {
    switch (v->kind) {
    case VAL_NONE: return attr_none();
    case VAL_BOOL: return attr_bool(r->mem, v->as.i != 0);
    case VAL_INT:
        if (v->big) return attr_expr(r->mem, expr_int(r->exprs, DTYPE_OF(U64), v->as.i));
        return attr_int(r->mem, v->as.i);
    case VAL_FLOAT: return attr_float(r->mem, v->as.f);
    case VAL_STRING: return attr_string(r->mem, v->as.text.bytes, v->as.text.size);
    case VAL_EXPR: return attr_expr(r->mem, v->as.e);
    case VAL_LIST:
    case VAL_TUPLE: return list_attr(r, v, what);
    case VAL_DICT: return dict_attr(r, v, what);
    case VAL_INDEX_MAP: return v->as.attr;
    case VAL_FUNC: return attr_func(r->mem, v->as.name);
    case VAL_DTYPE: return attr_dtype(r->mem, v->as.symbol->type);
    case VAL_NODE: return node_as_attr(r, v, what);
    case VAL_BUFFER: return attr_buffer(r->mem, v->as.buf);
    case VAL_POISON: return NULL;
    case VAL_CALL:
    case VAL_ANN:
    case VAL_SYMBOL:
    case VAL_REGION:
    case VAL_MODULE:
    case VAL_KINDS: break;
    }
    wrong(r, v, what, "a value known when compiling");
    return NULL;
}

// The list is scratch; builders copy it into the module.
bool to_dims(reader *r, const value *v, const expr *const **dims, uint32_t *rank, const char *what) {
    if (v->kind != VAL_LIST && v->kind != VAL_TUPLE) return wrong(r, v, what, "a list of dims");
    const expr **list = ARENA_NEW(r->scratch, const expr *, v->as.list.count);
    for (uint32_t i = 0; i < v->as.list.count; i++)
        if (!(list[i] = to_dim(r, &v->as.list.at[i], what))) return false;
    *dims = list;
    *rank = v->as.list.count;
    return true;
}

// None is the empty tuple, as TVM has it for functions that return nothing.
const ann *to_ann(reader *r, const value *v, const char *what) {
    if (v->kind == VAL_ANN) return v->as.a;
    if (v->kind == VAL_NONE) return ann_tuple(r->mem, NULL, 0);
    if (v->kind == VAL_DTYPE) return ann_prim(r->mem, v->as.symbol->type, NULL);
    wrong(r, v, what, "an annotation such as R.Tensor(...)");
    return NULL;
}

// --- To nodes.
// A list where a shape is wanted is R.shape([...]); elsewhere it is a tuple.
static const node *tuple_node(reader *r, const value *v, op_input_kind kind, const char *what) {
    const expr *const *dim;
    uint32_t rank;
    if (kind == INPUT_SHAPE) return to_dims(r, v, &dim, &rank, what) ? build_shape(r->b, dim, rank) : NULL;
    const node **in = ARENA_NEW(r->scratch, const node *, v->as.list.count);
    for (uint32_t i = 0; i < v->as.list.count; i++)
        if (!(in[i] = to_node(r, &v->as.list.at[i], INPUT_ANY, what))) return NULL;
    return build_tuple(r->b, NULL, in, v->as.list.count);
}

// No silent conversion to a tensor: R.add(x, 1) is TVM's R.add(x, R.const(1)), and says so.
static const node *scalar_node(reader *r, const value *v, op_input_kind kind, const char *what) {
    if (kind == INPUT_TENSOR) return wrong(r, v, what, "a tensor (numbers are written R.const(...))"), NULL;
    const expr *e = to_prim(r, v, what);
    return e ? build_prim(r->b, e) : NULL;
}

// The kind of the input says what a bare string means: a dtype, a function, or itself.
static const node *text_node(reader *r, const value *v, op_input_kind kind, const char *what) {
    dtype type;
    if (kind == INPUT_DTYPE) return to_dtype(r, v, &type, what) ? build_dtype(r->b, type) : NULL;
    if (kind != INPUT_FUNC) return build_string(r->b, v->as.text.bytes, v->as.text.size);
    const char *name = to_string(r, v, what);
    return name ? build_extern(r->b, name) : NULL;
}

// Closed over the kinds, like to_attr.
const node *to_node(reader *r, const value *v, op_input_kind kind, const char *what) {
    switch (v->kind) {
    case VAL_NODE: return v->as.n;
    case VAL_CALL: return emit_operand(r, v);
    case VAL_TUPLE:
    case VAL_LIST: return tuple_node(r, v, kind, what);
    case VAL_FUNC: return build_global(r->b, v->as.name);
    case VAL_INT:
    case VAL_BOOL:
    case VAL_FLOAT:
    case VAL_EXPR: return scalar_node(r, v, kind, what);
    case VAL_STRING: return text_node(r, v, kind, what);
    case VAL_POISON:
    case VAL_NONE:
    case VAL_ANN:
    case VAL_DTYPE:
    case VAL_SYMBOL:
    case VAL_DICT:
    case VAL_BUFFER:
    case VAL_REGION:
    case VAL_MODULE:
    case VAL_INDEX_MAP:
    case VAL_KINDS: break;
    }
    wrong(r, v, what, "a value of the graph");
    return NULL;
}
