// parse_buffer.c - buffers: their descriptions, their elements, parts of them.
#include "base/count_noun.h"
#include "base/size.h"
#include "text/parse_loop.h"

// --- T.Buffer(shape, dtype, data=, strides=, ...).

// Dims keep the type they are written with; bare numbers are int32.
static bool read_buffer_dims(reader *r, const value *v, const expr *const **dims, uint32_t *rank, const char *what) {
    value one = {.kind = VAL_TUPLE, .at = v->at, .as.list = {v, 1}};
    if (v->kind != VAL_LIST && v->kind != VAL_TUPLE) v = &one;
    const expr **list = ARENA_NEW(r->scratch, const expr *, v->as.list.count);
    for (uint32_t i = 0; i < v->as.list.count; i++) {
        const value *d = &v->as.list.at[i];
        list[i] = d->kind == VAL_STRING ? read_quoted_dim(r, d) : to_expr(r, d, (dtype){0}, what);
        if (!list[i]) return false;
        if (!expr_is_index(list[i])) return diag_error(r->d, d->at, "%s: a dim is an integer", what);
    }
    *dims = list;
    *rank = v->as.list.count;
    return true;
}

// A name in quotes is a new variable for a stride that is not known.
static bool read_strides(reader *r, const value *v, buffer *b) {
    if ((v->kind != VAL_LIST && v->kind != VAL_TUPLE) || (v->as.list.count && v->as.list.count != b->rank))
        return diag_error(r->d, v->at, "strides: want %u of them", b->rank);
    if (!v->as.list.count) return true;
    const expr **list = ARENA_NEW(expr_arena(r->exprs), const expr *, b->rank);
    for (uint32_t i = 0; i < b->rank; i++) {
        const value *s = &v->as.list.at[i];
        if (s->kind == VAL_STRING && !is_identifier(s->as.text.bytes, s->as.text.size))
            return diag_error(r->d, s->at, "strides: a string is the name of a new variable");
        if (s->kind == VAL_STRING) {
            const char *name = intern(r, s->as.text.bytes, s->as.text.size);
            list[i] = expr_new_var(r->exprs, name, b->dim[0]->type);
            scope_bind(r, name, value_expr(s->at, list[i]));
        } else if (!(list[i] = to_expr(r, s, (dtype){0}, "strides"))) {
            return false;
        }
    }
    b->stride = list;
    return true;
}

static bool read_small(reader *r, const value *v, uint32_t *out, const char *what) {
    int64_t n;
    if (!v || v->kind == VAL_NONE) return true;
    if (!to_int(r, v, &n, what)) return false;
    if (n > 1 << 20) return diag_error(r->d, v->at, "%s: %lld is too much", what, (long long)n);
    *out = n < 0 ? 0 : (uint32_t)n; // -1 is TVM's default
    return true;
}

static bool read_place(reader *r, arguments *a, buffer *b, uint32_t first) {
    const value *data = arg_at(a, first + 2, "data"), *offset = arg_at(a, first + 4, "elem_offset");
    const value *align = arg_named(a, "align"), *factor = arg_named(a, "offset_factor");
    if (data && data->kind != VAL_NONE && !(b->data = to_expr(r, data, (dtype){0}, "data"))) return false;
    if (offset && offset->kind != VAL_NONE && !(b->elem_offset = to_expr(r, offset, (dtype){0}, "elem_offset")))
        return false;
    return read_small(r, align, &b->align, "align") && read_small(r, factor, &b->offset_factor, "offset_factor");
}

// What says nothing here: TVM prints it where it is not the default.
static void skip_rest(arguments *a) {
    static const char *const ignored[] = {"buffer_type", "axis_separators", "layout", "allocated_addr", "annotations"};
    for (size_t i = 0; i < COUNT(ignored); i++) arg_named(a, ignored[i]);
}

const buffer *read_buffer(reader *r, arguments *a, uint32_t first, const char *name) {
    const value *shape = arg_need(r, a, first, "shape"), *type = arg_at(a, first + 1, "dtype");
    const value *strides = arg_at(a, first + 3, "strides"), *scope_name = arg_named(a, "scope");
    const expr *const *dim = NULL;
    uint32_t rank = 0;
    dtype t = DTYPE_OF(F32);
    if (!shape || !read_buffer_dims(r, shape, &dim, &rank, a->callee)) return NULL;
    if (type && !to_dtype(r, type, &t, a->callee)) return NULL;
    if (t.kind == DTYPE_VOID) return diag_error(r->d, a->at, "%s: want a dtype", a->callee), NULL;
    const char *place = scope_name ? to_string(r, scope_name, "scope") : "global";
    if (!place) return NULL;
    buffer *b = buffer_new(r->exprs, name, t, dim, rank, *place ? place : "global");
    b->at = a->at;
    if (strides && strides->kind != VAL_NONE && !read_strides(r, strides, b)) return NULL;
    if (!read_place(r, a, b, first)) return NULL;
    skip_rest(a);
    return args_done(r, a) ? b : NULL;
}

// --- A[i, j], A[0:4, j].
const expr *slice_extent(reader *r, const expr *low, const expr *high) {
    int64_t a, b;
    char why[128];
    if (!dtype_equal(low->type, high->type) || !expr_is_index(low)) return NULL;
    if (high->op == EXPR_ADD && high->in[0] == low) return high->in[1];
    if (expr_is_int(low, 0)) return high;
    if (expr_const_int(low, &a) && expr_const_int(high, &b)) // NULL if it does not fit
        return int_sub(b, a, &b) ? expr_number(r->exprs, expr_i64(r->exprs, b), high->type) : NULL;
    const expr *e = expr_arith(r->exprs, EXPR_SUB, high, low, why);
    return e ? expr_simplify(r->exprs, e, NULL) : NULL;
}

// From behind the first ":".
static bool read_slice_end(reader *r, const value *low, slice *s, const expr *full) {
    loc at = peek(r)->at;
    s->is_slice = true;
    s->step = 1;
    value zero = value_int(at, 0), high = {0};
    bool open = at_op(r, "]") || at_op(r, ",") || at_op(r, ":");
    if (!open) high = read_expression(r);
    if (take(r, ":")) {
        value step = read_expression(r);
        if (r->failed || !to_int(r, &step, &s->step, "step")) return false;
        if (s->step < 1 || s->step > 1 << 20) return diag_error(r->d, step.at, "the step of a slice is at least 1");
    }
    if (r->failed) return false;
    const expr *end =
        open ? full : to_expr(r, &high, low && low->kind == VAL_EXPR ? low->as.e->type : (dtype){0}, "slice");
    s->low = end ? to_expr(r, low ? low : &zero, end->type, "slice") : NULL;
    if (!s->low) return false;
    s->extent = slice_extent(r, s->low, end);
    return s->extent || diag_error(r->d, at, "the ends of a slice are integers of one type");
}

static bool add_index(reader *r, const buffer *b, slice *s, const value *v) {
    s->low = to_expr(r, v, (dtype){0}, "index");
    if (!s->low) return false;
    if (dtype_is_int(s->low->type) || dtype_family_of(s->low->type) == FAMILY_BOOL) return true;
    char type[32];
    return diag_error(r->d, v->at, "'%s': an index is an integer, not %s", b->name, dtype_spell(s->low->type, type));
}

// One index, or all that stand in a tuple: A[(i, j)], A[()].
static bool read_one_index(reader *r, const buffer *b, slice *list, uint32_t *count) {
    const expr *full = *count < b->rank ? b->dim[*count] : expr_int(r->exprs, DTYPE_OF(I32), 1);
    if (take(r, ":")) return read_slice_end(r, NULL, &list[(*count)++], full);
    value v = read_expression(r);
    if (r->failed) return false;
    if (take(r, ":")) return read_slice_end(r, &v, &list[(*count)++], full);
    if (v.kind != VAL_TUPLE) return add_index(r, b, &list[(*count)++], &v);
    for (uint32_t i = 0; i < v.as.list.count && *count <= b->rank; i++)
        if (!add_index(r, b, &list[(*count)++], &v.as.list.at[i])) return false;
    return true;
}

// At most one more than the rank is kept, so that too many are noticed.
static bool read_indices(reader *r, const buffer *b, slice *list, uint32_t *count) {
    bool ok = true;
    slice ignored[1];
    take(r, "[");
    while (!r->failed && !at_op(r, "]")) {
        uint32_t none = 0;
        bool room = *count <= b->rank;
        ok = read_one_index(r, b, room ? list : ignored, room ? count : &none) && ok;
        if (!take(r, ",")) break;
    }
    return expect(r, "]") && ok;
}

static unsigned index_lanes(const slice *list, uint32_t count) {
    unsigned lanes = 1;
    for (uint32_t i = 0; i < count; i++)
        lanes = dtype_lanes(list[i].low->type) > lanes ? dtype_lanes(list[i].low->type) : lanes;
    return lanes;
}

static value load_value(reader *r, loc at, const buffer *b, const slice *list, uint32_t count) {
    const expr **index = ARENA_NEW(r->scratch, const expr *, count);
    for (uint32_t i = 0; i < count; i++) index[i] = list[i].low;
    unsigned lanes = index_lanes(list, count) * dtype_lanes(b->type);
    if (lanes > 4096) {
        diag_error(r->d, at, "%s at once are too many", COUNTED(lanes, "lane"));
        return poison_at(at);
    }
    return value_expr(at, expr_load(r->exprs, b, dtype_vector(b->type, lanes), index, count));
}

value index_buffer(reader *r, const value *v) {
    const buffer *b = v->as.buf;
    slice *list = ARENA_NEW(r->scratch, slice, b->rank + 2);
    uint32_t count = 0;
    bool sliced = false;
    if (!read_indices(r, b, list, &count)) return poison_at(v->at);
    if (count != b->rank) {
        diag_error(r->d, v->at, "buffer '%s' has %s, got %s%s", b->name, COUNTED(b->rank, "dim"),
                   count > b->rank ? "at least " : "", COUNTED(count, "index"));
        return poison_at(v->at);
    }
    for (uint32_t i = 0; i < count; i++) sliced = sliced || list[i].is_slice;
    if (!sliced) return load_value(r, v->at, b, list, count);
    sliced_buffer *s = ARENA_NEW(r->scratch, sliced_buffer, 1);
    *s = (sliced_buffer){.buf = b, .dim = list, .count = count};
    return (value){.kind = VAL_REGION, .at = v->at, .as.region = s};
}

// A slice as a vector of indices.
static const expr *slice_ramp(reader *r, const slice *s, loc at) {
    int64_t extent;
    if (!expr_const_int(s->extent, &extent) || extent < 1 || extent > 1 << 16) {
        diag_error(r->d, at, "a slice that is loaded or stored has a constant size");
        return NULL;
    }
    int64_t lanes = (extent + s->step - 1) / s->step;
    if (lanes == 1) return s->low;
    if (lanes > 4096 || dtype_lanes(s->low->type) != 1) {
        diag_error(r->d, at, "this slice has too many elements for a vector");
        return NULL;
    }
    const expr *step = expr_number(r->exprs, expr_i64(r->exprs, s->step), s->low->type);
    if (step) return expr_ramp(r->exprs, s->low, step, (unsigned)lanes);
    diag_error(r->d, at, "the step of this slice does not fit its type");
    return NULL;
}

const expr *region_load(reader *r, const value *v) {
    const sliced_buffer *s = v->as.region;
    slice *list = ARENA_NEW(r->scratch, slice, s->count);
    uint32_t vectors = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        list[i] = s->dim[i];
        if (list[i].is_slice && !(list[i].low = slice_ramp(r, &s->dim[i], v->at))) return NULL;
        vectors += dtype_lanes(list[i].low->type) > 1;
    }
    value load = vectors <= 1 ? load_value(r, v->at, s->buf, list, s->count) : poison_at(v->at);
    if (load.kind == VAL_EXPR) return load.as.e;
    if (vectors <= 1) return NULL;
    diag_error(r->d, v->at, "one slice at most where a vector is loaded or stored");
    return NULL;
}

// --- Regions.
static void set_point(reader *r, range *out, const expr *index) {
    *out = (range){index, expr_int(r->exprs, dtype_scalar(index->type), 1)};
}

bool to_region(reader *r, const value *v, region *out) {
    const expr *load = v->kind == VAL_EXPR && v->as.e->op == EXPR_LOAD ? v->as.e : NULL;
    if (!load && v->kind != VAL_REGION && v->kind != VAL_BUFFER)
        return v->kind != VAL_POISON &&
               diag_error(r->d, v->at, "want a part of a buffer such as A[0:4, i], got %s", value_kind_name(v));
    out->buf = load ? load->as.buffer : v->kind == VAL_BUFFER ? v->as.buf : v->as.region->buf;
    range *dim = ARENA_NEW(r->mem, range, out->buf->rank);
    for (uint32_t i = 0; i < out->buf->rank; i++) {
        if (load)
            set_point(r, &dim[i], load->in[i]);
        else if (v->kind == VAL_BUFFER)
            dim[i] = (range){expr_int(r->exprs, out->buf->dim[i]->type, 0), out->buf->dim[i]};
        else if (v->as.region->dim[i].is_slice)
            dim[i] = (range){v->as.region->dim[i].low, v->as.region->dim[i].extent};
        else
            set_point(r, &dim[i], v->as.region->dim[i].low);
    }
    out->dim = dim;
    return true;
}

// --- T.match_buffer(handle, shape, ...) and T.match_buffer(A[0:4], ...).
static bool bind_parameter(reader *r, const value *handle, const buffer *b, loc at) {
    loop_reader *l = r->loop;
    if (handle->as.e->type.kind != DTYPE_HANDLE) {
        char type[32];
        return diag_error(r->d, handle->at, "T.match_buffer: '%s' is %s, not T.handle", handle->as.e->as.var->name,
                          dtype_spell(handle->as.e->type, type));
    }
    for (uint32_t i = 0; i < l->params.len; i++) {
        loop_param *p = &l->params.at[i];
        if (p->var != handle->as.e) continue;
        if (p->buf) return diag_error(r->d, at, "parameter '%s' is matched twice", p->var->as.var->name);
        p->buf = b;
        return true;
    }
    return diag_error(r->d, handle->at, "T.match_buffer: want a parameter or a part of a buffer");
}

static bool match_region(reader *r, const value *source_value, const buffer *b) {
    buffer_match m = {.inner = b};
    if (!to_region(r, source_value, &m.source) || !at_block_head(r, source_value->at, "T.match_buffer")) return false;
    VEC_PUSH(r->scratch, &r->loop->block->matches, m);
    return true;
}

// Without a shape the matched part gives it.
static const buffer *buffer_like_region(reader *r, const value *v, const char *name) {
    region whole;
    if (!to_region(r, v, &whole)) return NULL;
    const expr **dim = ARENA_NEW(r->scratch, const expr *, whole.buf->rank);
    for (uint32_t i = 0; i < whole.buf->rank; i++) dim[i] = whole.dim[i].extent;
    return buffer_new(r->exprs, name, whole.buf->type, dim, whole.buf->rank, whole.buf->scope);
}

bool read_match_buffer(reader *r, loc at, const char *name) {
    arguments a;
    if (!read_arguments(r, "T.match_buffer", at, &a)) return false;
    const value *from = arg_need(r, &a, 0, "param");
    if (!from || from->kind == VAL_POISON) return false;
    bool handle = from->kind == VAL_EXPR && from->as.e->op == EXPR_VAR;
    const buffer *b = a.count > 1 || handle ? read_buffer(r, &a, 1, name) : buffer_like_region(r, from, name);
    if (!b) return false;
    if (b->offset_factor && !b->elem_offset) { // matched: whatever the offset is
        dtype type = b->rank ? b->dim[0]->type : DTYPE_OF(I32);
        ((buffer *)(uintptr_t)b)->elem_offset = expr_new_var(r->exprs, "elem_offset", type); // made a moment ago
    }
    map_put(&r->loop->declared, MAP_KEY(b), r);
    if (handle ? !bind_parameter(r, from, b, at) : !match_region(r, from, b)) return false;
    scope_bind(r, name, (value){.kind = VAL_BUFFER, .at = at, .as.buf = b});
    return true;
}
