// call_r.c - R.name(...) inside expressions: annotations, leaves of the graph, operators.
#include "base/suggest.h"
#include "text/reader.h"
#include <string.h>

// R.shape([n, 4]): dims are int64 whatever a bare number would be elsewhere.
static value read_shape_value(reader *r, arguments *a) {
    const value *dims = arg_need(r, a, 0, "value");
    const expr *const *dim;
    uint32_t rank;
    if (!dims || !to_dims(r, dims, &dim, &rank, "R.shape")) return poison_at(a->at);
    return value_node(a->at, build_shape(r->b, dim, rank));
}

// R.prim_value(n + 1): a scalar of the graph. Bare numbers become int64.
static value read_prim_value(reader *r, arguments *a) {
    const value *v = arg_need(r, a, 0, "value");
    if (!v) return poison_at(a->at);
    const expr *e = to_prim(r, v, "R.prim_value");
    return e ? value_node(a->at, build_prim(r->b, e)) : poison_at(a->at);
}

// R.str("text"). A bare string in the place of an argument means the same, so TVM prints both.
static value read_str(reader *r, arguments *a) {
    const value *v = arg_need(r, a, 0, "value");
    if (!v || v->kind == VAL_POISON) return poison_at(a->at);
    if (v->kind == VAL_STRING) return value_node(a->at, build_string(r->b, v->as.text.bytes, v->as.text.size));
    diag_error(r->d, v->at, "R.str: want a string, got %s", value_kind_name(v));
    return poison_at(a->at);
}

// R.dtype("float32"), a value of the graph and not an attribute.
static value read_dtype_value(reader *r, arguments *a) {
    const value *v = arg_need(r, a, 0, "value");
    dtype t;
    if (!v || !to_dtype(r, v, &t, "R.dtype")) return poison_at(a->at);
    return value_node(a->at, build_dtype(r->b, t));
}

// R.tuple(a, b) is (a, b): one value kind for both, so that what follows knows one.
static value read_tuple_value(reader *r, arguments *a) {
    for (uint32_t i = 0; i < a->count; i++) arg_at(a, i, NULL);
    value v = {.kind = VAL_TUPLE, .at = a->at, .as.list = {a->value, a->count}};
    return args_done(r, a) ? v : poison_at(a->at);
}

// R.ExternFunc("name"): what `R.call_packed` and `R.call_dps_packed` call by a bare string.
static value read_extern(reader *r, arguments *a) {
    const value *v = arg_need(r, a, 0, "global_symbol");
    const char *name = v ? to_string(r, v, "R.ExternFunc") : NULL;
    return name ? value_node(a->at, build_extern(r->b, name)) : poison_at(a->at);
}

// A call that no name has yet. The statement around it binds it, or an argument gives it a name of its own.
static value pending_value(reader *r, loc at, call_parts parts) {
    pending *p = ARENA_NEW(r->scratch, pending, 1);
    p->parts = parts;
    return (value){.kind = VAL_CALL, .at = at, .as.call = p};
}

// The cast alone knows its annotation here: symbols that stand alone in it are defined by it.
static value read_match_cast(reader *r, arguments *a) {
    const value *v = arg_need(r, a, 0, "value"), *type = arg_need(r, a, 1, "struct_info");
    const node **in = ARENA_NEW(r->scratch, const node *, 1);
    if (!v || !type || !(in[0] = to_node(r, v, INPUT_ANY, "R.match_cast"))) return poison_at(a->at);
    const ann *to = to_ann(r, type, "R.match_cast");
    if (!to) return poison_at(a->at);
    return pending_value(r, a->at, (call_parts){.op = &op_match_cast, .in = in, .count = 1, .written = to});
}

// R.cpu(0), R.device("cuda", 1), R.device_mesh((2, 2), I.Range(0, 4)): kept as what was written.
static value read_device(reader *r, arguments *a) {
    for (uint32_t i = 0; i < a->count; i++) arg_at(a, i, a->key[i]);
    value *list = ARENA_NEW(r->scratch, value, 2);
    list[0] = value_text(a->at, a->callee, strlen(a->callee));
    list[1] = (value){.kind = VAL_LIST, .at = a->at, .as.list = {a->value, a->count}};
    return (value){.kind = VAL_DICT, .at = a->at, .as.list = {list, 2}};
}

typedef value r_function(reader *r, arguments *a);
typedef struct r_row {
    const char *name;
    r_function *read;
} r_row;
static const r_row rows[] = {
    {"const", read_constant},    {"shape", read_shape_value},     {"prim_value", read_prim_value},
    {"str", read_str},           {"dtype", read_dtype_value},     {"tuple", read_tuple_value},
    {"ExternFunc", read_extern}, {"match_cast", read_match_cast}, {"cpu", read_device},
    {"cuda", read_device},       {"rocm", read_device},           {"opencl", read_device},
    {"vulkan", read_device},     {"metal", read_device},          {"webgpu", read_device},
    {"device", read_device},     {"device_mesh", read_device},
};

static const r_row *row_of(const char *name) {
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

// Names that begin a statement and have no value: reported as such, not as unknown operators.
static bool is_statement(const char *name) {
    static const char *const statement[] = {"dataflow", "output", "func_attr", "function", "func_ret_value"};
    for (size_t i = 0; i < COUNT(statement); i++)
        if (strcmp(statement[i], name) == 0) return true;
    return false;
}

// The nearest name among all that could stand here: our operators, TVM's, leaves and annotations.
static value unknown_operator(reader *r, const char *name, loc at) {
    VEC(const char *) known = {0};
    uint32_t count;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++) VEC_PUSH(r->scratch, &known, all[i]->name);
    for (size_t i = 0; i < COUNT(rows); i++) VEC_PUSH(r->scratch, &known, rows[i].name);
    for (uint32_t i = 0; known_op_name(i); i++) VEC_PUSH(r->scratch, &known, known_op_name(i));
    for (uint32_t i = 0; ann_name(i); i++) VEC_PUSH(r->scratch, &known, ann_name(i));
    const char *near = text_nearest_dotted(name, known.at, known.len);
    diag_error(r->d, at, "there is no operator R.%s%s", name, text_suggest(r->scratch, near, "R.", ""));
    return poison_at(at);
}

// Our own descriptor, else one made on the fly for an operator that TVM has and we don't.
static value call_operator(reader *r, const char *name, arguments *a) {
    const op *o = op_find(name);
    if (!o) o = generic_op(r, name, a);
    return o ? call_op(r, o, a) : unknown_operator(r, name, a->at);
}

// An argument that was reported makes the whole call poison: one mistake, one message.
static bool any_poison(const arguments *a) {
    for (uint32_t i = 0; i < a->count; i++)
        if (a->value[i].kind == VAL_POISON) return true;
    return false;
}

// The order matters: annotations may stand without brackets, statements never have a value, and values of the graph
// need a function around them.
value call_r(reader *r, const char *name, loc at) {
    arguments a = {.at = at, .callee = arena_format(r->scratch, "R.%s", name)};
    bool annotation = is_ann_name(name);
    if (annotation && !at_op(r, "(")) return ann_value(r, name, &a);
    if (is_statement(name)) {
        syntax_error(r, at, "%s stands as a statement of its own, or with 'with' or '@'", a.callee);
        return poison_at(at);
    }
    if (!read_arguments(r, a.callee, at, &a)) return poison_at(at);
    if (annotation) return ann_value(r, name, &a);
    if (!r->b && strcmp(name, "device_mesh") == 0) return read_device(r, &a); // among a module's global infos
    if (!r->b) {
        diag_error(r->d, at, "%s: values of the graph stand in R.function alone", a.callee);
        return poison_at(at);
    }
    r->b->at = at;
    if (any_poison(&a)) return poison_at(at);
    const r_row *row = row_of(name);
    if (!row) return call_operator(r, name, &a);
    value v = row->read(r, &a);
    return v.kind == VAL_POISON || args_done(r, &a) ? v : poison_at(at);
}

// cls.f(x, n) inside a loop program: buffers are passed by the memory behind them.
static value call_in_program(reader *r, const value *callee, arguments *a) {
    const expr **in = ARENA_NEW(r->scratch, const expr *, a->count);
    for (uint32_t i = 0; i < a->count; i++) {
        const value *v = arg_at(a, i, NULL);
        if (!v) return args_done(r, a), poison_at(a->at);
        in[i] = v->kind == VAL_BUFFER ? v->as.buf->data : to_expr(r, v, (dtype){0}, a->callee);
        if (!in[i]) return poison_at(a->at);
    }
    return value_expr(a->at, expr_call_func(r->exprs, callee->as.name, (dtype){0}, in, a->count));
}

// cls.f(x), closure(x), and a call whose callee is itself a call.
value call_func(reader *r, const value *callee, loc at) {
    arguments a;
    const char *name = callee->kind == VAL_FUNC ? arena_format(r->scratch, "cls.%s", callee->as.name) : "call";
    if (!read_arguments(r, name, at, &a)) return poison_at(at);
    if (callee->kind == VAL_POISON || any_poison(&a)) return poison_at(at);
    if (callee->kind != VAL_FUNC && callee->kind != VAL_NODE && callee->kind != VAL_CALL) {
        diag_error(r->d, at, "%s can't be called", value_kind_name(callee));
        return poison_at(at);
    }
    if (!r->b) return call_in_program(r, callee, &a);
    r->b->at = at;
    call_parts parts = {.op = &op_call, .count = 1};
    const node **in = ARENA_NEW(r->scratch, const node *, a.count + 1);
    if (!(in[0] = to_node(r, callee, INPUT_FUNC, name))) return poison_at(at);
    for (const value *v; (v = arg_at(&a, parts.count - 1, NULL)); parts.count++)
        if (!(in[parts.count] = to_node(r, v, INPUT_ANY, name))) return poison_at(at);
    parts.in = in;
    if (!args_done(r, &a)) return poison_at(at);
    return pending_value(r, at, parts);
}
