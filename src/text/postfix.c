// postfix.c - what follows a value: .field, [index], (arguments).
#include "base/count_noun.h"
#include "base/size.h"
#include "base/suggest.h"
#include "text/parse_graph.h"
#include <string.h>

// What the value is decides what can follow its dot.
static value no_field(reader *r, const value *v, const char *field, loc at) {
    if (v->kind != VAL_POISON) diag_error(r->d, at, "%s has no field '%s'", value_kind_name(v), field);
    return poison_at(at);
}

// A.shape and A.strides are tuples of expressions.
static value expr_tuple(reader *r, loc at, const expr *const *e, uint32_t count) {
    value *list = ARENA_NEW(r->scratch, value, count);
    for (uint32_t i = 0; i < count; i++) list[i] = value_expr(at, e[i]);
    return (value){.kind = VAL_TUPLE, .at = at, .as.list = {list, count}};
}

// --- B.view(4, 4), B.view(4, -1), B.view("float16"): another buffer over the same memory.
// Two constants are one, as Python computes them.
static const expr *view_arith(reader *r, loc at, expr_op how, const expr *a, const expr *b) {
    char why[128] = "the sizes leave int64";
    int64_t x, y, z = 0;
    bool known = expr_const_int(a, &x) && expr_const_int(b, &y) && y;
    bool fits = !known || how == EXPR_FLOOR_DIV || int_mul(x, y, &z);
    if (known && how == EXPR_FLOOR_DIV) z = x / y;
    const expr *e = known ? fits ? expr_number(r->exprs, expr_i64(r->exprs, z), a->type) : NULL
                          : expr_arith(r->exprs, how, a, b, why);
    if (!e) diag_error(r->d, at, "view: %s", why);
    return e;
}

// The dim written -1 is what is left of the elements.
static const expr *dim_left_over(reader *r, loc at, const buffer *of, const expr *const *dim, uint32_t rank,
                                 uint32_t open) {
    const expr *size = NULL, *others = NULL;
    for (uint32_t i = 0; i < of->rank; i++)
        if (!(size = size ? view_arith(r, at, EXPR_MUL, size, of->dim[i]) : of->dim[i])) return NULL;
    for (uint32_t i = 0; i < rank; i++)
        if (i != open && !(others = others ? view_arith(r, at, EXPR_MUL, others, dim[i]) : dim[i])) return NULL;
    if (!size) size = expr_int(r->exprs, DTYPE_OF(I32), 1);
    return others ? view_arith(r, at, EXPR_FLOOR_DIV, size, others) : size;
}

static bool read_view_dims(reader *r, loc at, const buffer *of, const arguments *a, const expr **dim) {
    uint32_t open = UINT32_MAX;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->value[i].kind == VAL_INT && a->value[i].as.i == -1 && open == UINT32_MAX)
            open = i;
        else if (!(dim[i] = to_expr(r, &a->value[i], (dtype){0}, "view")))
            return false;
    }
    return open == UINT32_MAX || (dim[open] = dim_left_over(r, at, of, dim, a->count, open));
}

// Elements of another size: the last dim and the offset count them.
static const expr *in_elements(reader *r, loc at, const expr *count, dtype from, dtype to) {
    unsigned was = dtype_bits(from), now = dtype_bits(to);
    bool fewer = now > was;
    const expr *ratio = expr_int(r->exprs, count->type, fewer ? now / was : was / now);
    return view_arith(r, at, fewer ? EXPR_FLOOR_DIV : EXPR_MUL, count, ratio);
}

static bool cast_view(reader *r, loc at, const value *as, const buffer *of, buffer *b) {
    if (!to_dtype(r, as, &b->type, "view")) return false;
    unsigned was = dtype_bits(of->type), now = dtype_bits(b->type);
    char type[32];
    if (!of->rank || dtype_lanes(of->type) != dtype_lanes(b->type) || !was || !now ||
        (now > was ? now % was : was % now))
        return diag_error(r->d, at, "'%s' can't be seen as %s", of->name, dtype_spell(b->type, type));
    const expr **dim = ARENA_NEW(r->mem, const expr *, of->rank);
    memcpy(dim, of->dim, of->rank * sizeof *dim);
    b->dim = dim;
    if (!(dim[of->rank - 1] = in_elements(r, at, dim[of->rank - 1], of->type, b->type))) return false;
    return !of->elem_offset || (b->elem_offset = in_elements(r, at, of->elem_offset, of->type, b->type));
}

// An offset that is not written has the type of the first dim: another first dim needs it spelled.
static void keep_offset_type(reader *r, const buffer *of, buffer *b) {
    if (b->elem_offset) return;
    dtype was = of->rank ? of->dim[0]->type : DTYPE_OF(I32), now = b->rank ? b->dim[0]->type : DTYPE_OF(I32);
    if (!dtype_equal(was, now)) b->elem_offset = expr_int(r->exprs, was, 0);
}

static value read_view(reader *r, const buffer *of, loc at) {
    arguments a;
    if (!read_arguments(r, "view", at, &a)) return poison_at(at);
    bool cast = a.count == 1 && (a.value[0].kind == VAL_STRING || a.value[0].kind == VAL_DTYPE);
    const expr **dim = ARENA_NEW(r->scratch, const expr *, a.count);
    if (!cast && !read_view_dims(r, at, of, &a, dim)) return poison_at(at);
    buffer *b = buffer_new(r->exprs, of->name, of->type, cast ? of->dim : dim, cast ? of->rank : a.count, of->scope);
    b->data = of->data;
    b->elem_offset = of->elem_offset;
    b->stride = of->stride && of->rank == b->rank ? of->stride : NULL;
    b->align = of->align;
    b->offset_factor = of->offset_factor;
    b->at = at;
    if (cast && !cast_view(r, at, &a.value[0], of, b)) return poison_at(at);
    keep_offset_type(r, of, b);
    return (value){.kind = VAL_BUFFER, .at = at, .as.buf = b};
}

// What TVM gives by default where the text says nothing: offset 0, compact strides.
static value buffer_field(reader *r, const value *v, const char *field, loc at) {
    const buffer *b = v->as.buf;
    char type[32];
    if (strcmp(field, "data") == 0) return value_expr(at, b->data);
    if (strcmp(field, "view") == 0 && at_op(r, "(")) return read_view(r, b, at);
    if (strcmp(field, "vstore") == 0 && at_op(r, "(")) return read_vector_store(r, b, at);
    if (strcmp(field, "shape") == 0) return expr_tuple(r, at, b->dim, b->rank);
    if (strcmp(field, "strides") == 0) return expr_tuple(r, at, b->stride, b->stride ? b->rank : 0);
    if (strcmp(field, "dtype") == 0) {
        const char *spelling = arena_format(r->scratch, "%s", dtype_spell(b->type, type));
        return value_text(at, spelling, strlen(spelling));
    }
    if (strcmp(field, "elem_offset") == 0)
        return value_expr(at, b->elem_offset ? b->elem_offset : expr_int(r->exprs, DTYPE_OF(I32), 0));
    return no_field(r, v, field, at);
}

// cls.f, where f may stand further down: signatures are read first.
static value module_field(reader *r, const char *field, loc at) {
    value found = {.kind = VAL_FUNC, .at = at, .as.name = field};
    if (module_find(r->m, field)) return found;
    if (!r->b) { // loop programs are read first
        VEC_PUSH(r->scratch, &r->later, found);
        return found;
    }
    VEC(const char *) known = {0};
    for (uint32_t i = 0; i < r->m->funcs.len; i++) VEC_PUSH(r->scratch, &known, r->m->funcs.entry[i].key);
    const char *near = text_nearest(field, known.at, known.len);
    diag_error(r->d, at, "the module has no function '%s'%s", field, text_suggest(r->scratch, near, "'", "'"));
    return poison_at(at);
}

// x.relu(): what is no method may be an operator in a namespace of R, nn.relu.
static value no_method(reader *r, const value *v, const char *field, loc at) {
    const char *tail = arena_format(r->scratch, ".%s", field);
    uint32_t count;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++)
        if (text_ends(all[i]->name, tail)) {
            diag_error(r->d, at, "%s has no field '%s'; did you mean R.%s(...)?", value_kind_name(v), field,
                       all[i]->name);
            return poison_at(at);
        }
    return no_field(r, v, field, at);
}

// x.astype("float32") and the like are calls of the operator with x in front.
static value method_call(reader *r, const value *v, const char *field, loc at) {
    const op *o = op_find(field);
    arguments a;
    if (!o || !at_op(r, "(")) return no_method(r, v, field, at);
    if (!read_arguments(r, field, at, &a)) return poison_at(at);
    arguments all = {.at = at, .callee = field, .count = a.count + 1};
    all.value = ARENA_NEW(r->scratch, value, all.count);
    all.key = ARENA_NEW(r->scratch, const char *, all.count);
    all.used = ARENA_NEW(r->scratch, bool, all.count);
    all.value[0] = *v;
    for (uint32_t i = 0; i < a.count; i++) {
        all.value[i + 1] = a.value[i];
        all.key[i + 1] = a.key[i];
    }
    return call_op(r, o, &all);
}

static value read_field(reader *r, const value *v) {
    loc at;
    take(r, ".");
    const char *field = take_name(r, &at);
    if (!field) return poison_at(v->at);
    if (v->kind == VAL_MODULE) return module_field(r, field, at);
    if (v->kind == VAL_BUFFER) return buffer_field(r, v, field, at);
    if (v->kind == VAL_EXPR && strcmp(field, "dtype") == 0) {
        char type[32];
        const char *spelling = arena_format(r->scratch, "%s", dtype_spell(v->as.e->type, type));
        return value_text(at, spelling, strlen(spelling));
    }
    if (v->kind == VAL_NODE || v->kind == VAL_CALL) return method_call(r, v, field, at);
    return no_field(r, v, field, at);
}

// --- [index]
// Negative indices count from the end, as in Python.
static value list_item(reader *r, const value *v, int64_t i) {
    int64_t count = v->as.list.count;
    if (i < 0) i += count;
    if (i >= 0 && i < count) return v->as.list.at[i];
    diag_error(r->d, v->at, "there are %s here, so no element %lld", COUNTED(count, "element"), (long long)i);
    return poison_at(v->at);
}

// Of a tuple of the graph, by a constant index.
static value tuple_item(reader *r, const value *v, int64_t i) {
    if (v->kind == VAL_NODE && v->as.n->type->kind == ANN_TUPLE && i < 0) i += v->as.n->type->count;
    if (i < 0 || i > UINT32_MAX)
        return diag_error(r->d, v->at, "a tuple has no element %lld", (long long)i), poison_at(v->at);
    const node *n = to_node(r, v, INPUT_TUPLE, "the tuple");
    if (!n) return poison_at(v->at);
    pending *p = ARENA_NEW(r->scratch, pending, 1);
    const node **in = ARENA_NEW(r->scratch, const node *, 1);
    in[0] = n;
    *p = (pending){.parts = {.op = &op_item, .in = in, .count = 1}, .index = (uint32_t)i};
    return (value){.kind = VAL_CALL, .at = v->at, .as.call = p};
}

value read_item(reader *r, const value *tuple, uint32_t index) { return tuple_item(r, tuple, index); }

static value read_index(reader *r, const value *v) {
    if (v->kind == VAL_BUFFER) return index_buffer(r, v);
    take(r, "[");
    value index = read_expressions(r);
    int64_t i;
    expect(r, "]");
    if (r->failed || v->kind == VAL_POISON || index.kind == VAL_POISON) return poison_at(v->at);
    if (v->kind != VAL_LIST && v->kind != VAL_TUPLE && v->kind != VAL_NODE && v->kind != VAL_CALL) {
        diag_error(r->d, v->at, "%s has no elements", value_kind_name(v));
        return poison_at(v->at);
    }
    if (!to_int(r, &index, &i, "index")) return poison_at(v->at);
    return v->kind == VAL_LIST || v->kind == VAL_TUPLE ? list_item(r, v, i) : tuple_item(r, v, i);
}

// A loop: x[0][1][2] costs no recursion.
value read_postfix(reader *r, value v) {
    uint32_t before = r->depth;
    while (!r->failed) {
        loc at = peek(r)->at;
        bool field = at_op(r, "."), index = at_op(r, "["), call = at_op(r, "(");
        if (!field && !index && !call) break;
        if (!enter_nesting(r, at)) break;
        v = field ? read_field(r, &v) : index ? read_index(r, &v) : call_func(r, &v, v.at);
    }
    r->depth = before;
    return r->failed ? poison_at(v.at) : v;
}
