// inspect.c - operators that look at values: R.print, R.assert_op, R.inspect.*, and R.memory.view.
#include "interp/inspect.h"
#include "base/count_noun.h"
#include <string.h>

// --- Text.

enum { PRINT_MOST = 8 }; // elements

// Elements in a row; dims are not shown, since R.print can print the shape.
static void put_tensor(text *out, const tensor *t) {
    char number[32];
    int64_t count = tensor_count(t);
    if (t->rank) text_put_char(out, '[');
    for (int64_t i = 0; i < count && i < PRINT_MOST; i++) {
        if (i) text_put(out, ", ");
        text_put(out,
                 dtype_spell_number(t->type, tensor_get_int(t, (size_t)i), tensor_get_float(t, (size_t)i), number));
    }
    if (count > PRINT_MOST) text_put(out, ", ...");
    if (t->rank) text_put_char(out, ']');
}

static void put_value(text *out, const value *v) {
    char spelled[32];
    switch (v->kind) {
    case VALUE_TENSOR: put_tensor(out, v->as.tensor); break;
    case VALUE_PRIM:
        text_put(out, dtype_spell_number(v->as.prim.type, v->as.prim.scalar.i, v->as.prim.scalar.f, spelled));
        break;
    case VALUE_STRING: text_put_n(out, v->as.text.bytes, v->as.text.size); break;
    case VALUE_DTYPE: text_put(out, dtype_spell(v->as.type, spelled)); break;
    case VALUE_SHAPE:
        text_put_char(out, '(');
        for (uint32_t i = 0; i < v->as.shape.rank; i++)
            text_format(out, "%s%lld", i ? ", " : "", (long long)v->as.shape.dim[i]);
        text_put_char(out, ')');
        break;
    case VALUE_NULL:
    case VALUE_TUPLE:
    case VALUE_FUNC: text_put(out, value_describe(v)); break;
    }
}

// Python's format: each {} is the next value. An empty one puts all, separated by blanks.
static const char *filled(frame *fr, const attr *format, const value *v, uint32_t count) {
    text out = TEXT_IN(fr->mem);
    const char *at = format->kind == ATTR_STRING ? format->as.text : "";
    uint32_t next = 0;
    for (uint32_t i = 0; !*at && i < count; i++) {
        if (i) text_put_char(&out, ' ');
        put_value(&out, &v[i]);
    }
    while (*at) {
        size_t size = strcspn(at, "{");
        text_put_n(&out, at, size);
        at += size;
        if (at[0] == '{' && at[1] == '}' && next < count)
            put_value(&out, &v[next++]), at += 2;
        else if (*at)
            text_put_char(&out, *at++);
    }
    return text_get(&out);
}

// The text goes to the options; libraries do not write to stdout.
bool eval_print(frame *fr, const node *n, value *in, value *out) {
    text *printed = fr->r->o->printed;
    const char *line = filled(fr, node_attr(n, "format"), in, n->count);
    if (printed) text_format(printed, "%s\n", line);
    *out = value_of_tuple(NULL, 0);
    return out->kind == VALUE_TUPLE || frame_fail(fr, n->at, "no memory");
}

// The message is the format filled with the values that follow the condition.
bool eval_assert(frame *fr, const node *n, value *in, value *out) {
    int64_t holds;
    if (!value_number(&in[0], &holds)) return frame_fail(fr, n->at, "assert_op: want one bool as the condition");
    if (!holds) {
        const char *message = filled(fr, node_attr(n, "format"), in + 1, n->count - 1);
        return frame_fail(fr, n->at, "assertion failed%s%s", *message ? ": " : "", message);
    }
    *out = value_of_tuple(NULL, 0);
    return out->kind == VALUE_TUPLE || frame_fail(fr, n->at, "no memory");
}

// --- R.inspect: all of a tensor that is compact and begins where its memory does.

static bool axis_of(frame *fr, const node *n, const value *in, const tensor *t, int64_t *axis) {
    if (value_number(&in[1], axis) && *axis >= 0 && *axis < t->rank) return true;
    return frame_fail(fr, n->at, "%s: the axis is out of range for %s", n->op->name, COUNTED(t->rank, "dim"));
}

static int64_t stride_of(const tensor *t, int64_t axis) {
    int64_t stride = 1;
    for (uint32_t i = t->rank; i-- > (uint32_t)axis + 1;) stride *= t->dim[i];
    return stride;
}

// The name behind inspect.tensor_ says what is asked.
static bool inspected(frame *fr, const node *n, const value *in, const tensor *t, int64_t *out) {
    const char *what = n->op->name + strlen("inspect.tensor_");
    int64_t axis = 0;
    if (n->count > 1 && !axis_of(fr, n, in, t, &axis)) return false;
    if (strcmp(what, "dtype_code") == 0)
        *out = dtype_dlpack_code(t->type);
    else if (strcmp(what, "dtype_bits") == 0)
        *out = dtype_bits(t->type);
    else if (strcmp(what, "dtype_lanes") == 0)
        *out = dtype_lanes(t->type);
    else if (strcmp(what, "ndim") == 0)
        *out = t->rank;
    else if (strcmp(what, "shape_i") == 0)
        *out = t->dim[axis];
    else if (strcmp(what, "stride_i") == 0)
        *out = stride_of(t, axis);
    else
        *out = 0; // byte_offset, elem_offset
    return true;
}

bool eval_inspect(frame *fr, const node *n, value *in, value *out) {
    int64_t number;
    if (in[0].kind != VALUE_TENSOR) return frame_fail(fr, n->at, "%s: want a tensor", n->op->name);
    if (!inspected(fr, n, in, in[0].as.tensor, &number)) return false;
    return *out = value_of_int(n->type->kind == ANN_PRIM ? n->type->type : DTYPE_OF(I64), number), true;
}

// --- R.memory.view(data, shape, dtype, offset); R.tuple() stands for what stays as it is.

bool eval_memory_view(frame *fr, const node *n, value *in, value *out) {
    if (in[0].kind != VALUE_TENSOR) return frame_fail(fr, n->at, "memory.view: want a tensor");
    tensor *t = in[0].as.tensor;
    const int64_t *dim = t->dim;
    uint32_t rank = t->rank;
    dtype type = t->type;
    int64_t offset = 0;
    if (n->count > 1 && in[1].kind == VALUE_SHAPE) dim = in[1].as.shape.dim, rank = in[1].as.shape.rank;
    if (n->count > 2 && in[2].kind == VALUE_DTYPE) type = in[2].as.type;
    if (n->count > 3 && in[3].kind == VALUE_PRIM) offset = in[3].as.prim.scalar.i;
    if (offset < 0) return frame_fail(fr, n->at, "memory.view: the offset is %lld", (long long)offset);
    tensor *view = frame_tensor_over(fr, t, type, rank, dim, (size_t)offset, n->at);
    if (view) *out = value_of_tensor(view);
    return view != NULL;
}
