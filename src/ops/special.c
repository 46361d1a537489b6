// special.c - values about values: shapes, sizes, devices, messages, and what a tensor's header says.
#include "base/count_noun.h"
#include "ops/table.h"
#include <string.h>

static const ann *infer_nothing(infer_ctx *c, const node *n) { return (void)n, ann_tuple(c->mem, NULL, 0); }

static const ann *infer_shape_of(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    return has_dims(x) ? ann_shape(c->mem, x->dim, (uint32_t)x->rank) : ann_shape_rank(c->mem, x->rank);
}

static const ann *infer_size(infer_ctx *c, const node *n) {
    return infer_tensor(c, infer_in(n, 0), DTYPE_OF(I64), NULL, 0);
}

static const loop_func *lower_size(const lower_ctx *c, const node *n) {
    const ann *x = n->in[0]->type;
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    name_list names = {0};
    name_value(&names, "count", dims_product(&ctx, x->dim, (uint32_t)x->rank));
    return compute_with(c, n, "out[] = count", &names);
}

static const ann *infer_tensor_to_shape(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    int64_t rank;
    if (x->rank != 1) return infer_error(c, n, "want a tensor of one dim, got %s", ann_to_text(c->mem, x));
    if (!infer_want_integers(c, n, 0)) return NULL;
    bool known = has_dims(x) && expr_const_int(x->dim[0], &rank) && rank >= 0 && rank <= INFER_MAX_RANK;
    return ann_shape_rank(c->mem, known ? (int32_t)rank : RANK_UNKNOWN);
}

static const ann *infer_shape_to_tensor(infer_ctx *c, const node *n) {
    const ann *s = infer_in(n, 0);
    if (!has_rank(s)) return infer_rank(c, NULL, DTYPE_OF(I64), 1);
    const expr *dim = dim_int(c, s->rank);
    return infer_tensor(c, NULL, DTYPE_OF(I64), &dim, 1);
}

static const ann *infer_condition(infer_ctx *c, const node *n) {
    const ann *a = infer_in(n, 0);
    bool fits = (a->kind == ANN_TENSOR && a->rank <= 0) || a->kind == ANN_PRIM;
    if (!fits || (a->type.kind && a->type.kind != DTYPE_BOOL))
        return infer_error(c, n, "condition: want a bool without dims, got %s", ann_to_text(c->mem, a));
    return ann_tuple(c->mem, NULL, 0);
}

static const ann *infer_to_vdevice(infer_ctx *c, const node *n) {
    const attr *where = node_attr(n, "dst_vdevice");
    ann *copy = ARENA_NEW(c->mem, ann, 1);
    *copy = *infer_in(n, 0);
    if (where->kind == ATTR_STRING) copy->device = arena_copy(c->mem, where->as.text, where->size);
    return copy;
}

// What the header says that `what` asks for, where the annotation tells. No tensor here begins inside its memory.
static bool header_says(const ann *x, const char *what, int64_t *out) {
    bool of_type = text_starts(what, "dtype_");
    if (of_type && !x->type.kind) return false;
    if (strcmp(what, "ndim") == 0) return *out = x->rank, has_rank(x);
    *out = 0; // byte_offset, elem_offset
    if (strcmp(what, "dtype_code") == 0) *out = dtype_dlpack_code(x->type);
    if (strcmp(what, "dtype_bits") == 0) *out = dtype_bits(x->type);
    if (strcmp(what, "dtype_lanes") == 0) *out = dtype_lanes(x->type);
    return true;
}

// A known number is an int64, as sizes are; what the run reads has the header's own type.
static const ann *infer_inspect(infer_ctx *c, const node *n) {
    static const struct {
        const char *name;
        dtype_kind kind;
    } types[] = {{"inspect.tensor_dtype_code", DTYPE_U8},
                 {"inspect.tensor_dtype_bits", DTYPE_U8},
                 {"inspect.tensor_dtype_lanes", DTYPE_U16},
                 {"inspect.tensor_ndim", DTYPE_I32}};
    int64_t number;
    if (header_says(infer_in(n, 0), n->op->name + strlen("inspect.tensor_"), &number))
        return ann_prim(c->mem, DTYPE_OF(I64), dim_int(c, number));
    for (size_t i = 0; i < COUNT(types); i++)
        if (strcmp(n->op->name, types[i].name) == 0)
            return ann_prim(c->mem, (dtype){.kind = (uint8_t)types[i].kind, .lanes = 1}, NULL);
    return ann_prim(c->mem, DTYPE_OF(I64), NULL);
}

// The dim itself where it is known, or the elements behind one index of it.
static const ann *infer_of_axis(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const expr *axis = infer_in(n, 1)->value;
    int64_t at;
    if (!axis || !expr_const_int(axis, &at)) return ann_prim(c->mem, DTYPE_OF(I64), NULL);
    if (at < 0 || (has_rank(x) && at >= x->rank))
        return infer_error(c, n, "axis %lld is out of range for %s", (long long)at, COUNTED(x->rank, "dim"));
    if (!has_dims(x)) return ann_prim(c->mem, DTYPE_OF(I64), NULL);
    bool stride = text_ends(n->op->name, "stride_i");
    uint32_t behind = (uint32_t)(x->rank - at - 1);
    const expr *value = stride ? dims_product(c, x->dim + at + 1, behind) : x->dim[at];
    return ann_prim(c->mem, DTYPE_OF(I64), value);
}

#define TENSOR_IN IN("tensor", TENSOR, "any tensor")
#define AXIS_IN IN("axis", PRIM, "which dim")
// One field of a header: its id, its deduction, what it is, its operands.
#define INSPECT(id, deduce, says, ...)                                                                                 \
    const op op_inspect_##id = {                                                                                       \
        .name = "inspect." #id, .doc = says, .input = {__VA_ARGS__}, .infer = deduce, .vm = true}
INSPECT(tensor_dtype_code, infer_inspect, "DLPack's code of the dtype.", TENSOR_IN);
INSPECT(tensor_dtype_bits, infer_inspect, "Bits of an element.", TENSOR_IN);
INSPECT(tensor_dtype_lanes, infer_inspect, "Lanes of an element.", TENSOR_IN);
INSPECT(tensor_ndim, infer_inspect, "The number of dims.", TENSOR_IN);
INSPECT(tensor_shape_i, infer_of_axis, "One dim.", TENSOR_IN, AXIS_IN);
INSPECT(tensor_stride_i, infer_of_axis, "Elements from one index of a dim to the next.", TENSOR_IN, AXIS_IN);
INSPECT(tensor_byte_offset, infer_inspect, "Bytes before the first element.", TENSOR_IN);
INSPECT(tensor_elem_offset, infer_inspect, "Elements before the first one.", TENSOR_IN);

const op op_shape_of = {
    .name = "shape_of",
    .doc = "The shape of a tensor.",
    .input = {IN("expr", TENSOR, "any tensor")},
    .infer = infer_shape_of,
    .vm = true,
};
const op op_size = {
    .name = "size",
    .doc = "The number of elements, as a tensor without dims.",
    .input = {IN("expr", TENSOR, "any tensor")},
    .infer = infer_size,
    .lower = lower_size,
    .samples = {"x=f32[n,4] | R.size(x)"},
};
const op op_tensor_to_shape = {
    .name = "tensor_to_shape",
    .doc = "The elements as a shape.",
    .input = {IN("expr", TENSOR, "int64, one dim")},
    .infer = infer_tensor_to_shape,
    .vm = true,
};
const op op_shape_to_tensor = {
    .name = "shape_to_tensor",
    .doc = "The dims as a tensor.",
    .input = {IN("expr", SHAPE, "any shape")},
    .infer = infer_shape_to_tensor,
    .vm = true,
};
const op op_null_value = {
    .name = "null_value",
    .doc = "No value.",
    .infer = infer_stated_object,
    .vm = true,
};
const op op_print = {
    .name = "print",
    .doc = "Prints values while running.",
    .input = {IN_OPTIONAL("values", ANY, "what is printed")},
    .attr = {ATTR("format", STRING, "\"\"", "Python's format, {} for each value; empty: one after the other")},
    .variadic = true,
    .impure = true,
    .infer = infer_nothing,
    .vm = true,
};
const op op_assert_op = {
    .name = "assert_op",
    .doc = "Stops with a message unless the condition holds.",
    .input = {IN("condition", ANY, "a bool, tensor or scalar"),
              IN_OPTIONAL("format_args", ANY, "values for the message")},
    .attr = {ATTR("format", STRING, "\"\"", "the message, {} for each value")},
    .variadic = true,
    .impure = true,
    .infer = infer_condition,
    .vm = true,
};
const op op_hint_on_device = {
    .name = "hint_on_device",
    .doc = "The value itself, meant to be on a device.",
    .input = {IN("data", TENSOR, "any tensor")},
    .attr = {ATTR_AT("dst_vdevice", ANY, NULL, "the device"),
             ATTR_AT("memory_scope", STRING, "\"global\"", "where on it")},
    .infer = infer_same_as_first,
    .view = true,
    .samples = {"x=f32[n,4] | R.hint_on_device(x, R.device(dtype=\"int32\", index=0))"},
};
const op op_to_vdevice = {
    .name = "to_vdevice",
    .doc = "The value on another device; the processor's memory is the only one, so it is the same.",
    .input = {IN("data", TENSOR, "any tensor")},
    .attr = {ATTR_AT("dst_vdevice", ANY, NULL, "the device")},
    .infer = infer_to_vdevice,
    .view = true,
    .samples = {"x=f32[n,4] | R.to_vdevice(x, dst_vdevice=\"llvm:0:global\")"},
};
