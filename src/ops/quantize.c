// quantize.c - R.quantize and R.dequantize: numbers as small integers with a scale and a zero point, for all elements
// or for each channel.
#include "base/count_noun.h"
#include "ops/table.h"

// What a dtype may be: integers of at most so many bits, floats of at least or exactly so many.
typedef struct dtype_rule {
    unsigned int_bits;              // 0: no integers
    unsigned float_low, float_high; // 0, 0: no floats
    const char *wish;
} dtype_rule;
static const dtype_rule a_float = {.float_low = 16, .float_high = 64, .wish = "a float dtype"};
static const dtype_rule quantised = {
    .int_bits = 16, .float_low = 8, .float_high = 8, .wish = "int8, uint8, int16, uint16 or a float8"};
static const dtype_rule stored = {
    .int_bits = 32, .float_low = 8, .float_high = 8, .wish = "an integer dtype of at most 32 bits, or a float8"};
static const dtype_rule zero_point = {
    .int_bits = 32, .float_low = 16, .float_high = 16, .wish = "an integer dtype of at most 32 bits, or float16"};

static bool check_kind(infer_ctx *c, const node *n, const char *name, dtype type, const dtype_rule *rule) {
    char spelled[32];
    unsigned bits = dtype_bits(type);
    bool fits = dtype_is_float(type) ? bits >= rule->float_low && bits <= rule->float_high
                                     : dtype_is_int(type) && bits <= rule->int_bits;
    if (!type.kind || fits) return true;
    return infer_error(c, n, "%s: want %s, got %s", name, rule->wish, dtype_spell(type, spelled)), false;
}

// Operand i: no dims, or one as long as the axis.
static bool check_parameter(infer_ctx *c, const node *n, uint32_t i, uint32_t axis) {
    const ann *x = infer_in(n, 0), *p = infer_in(n, i);
    if (p->rank > 1)
        return infer_error(c, n, "%s: want a scalar or one per channel, got %s", n->op->input[i].name,
                           COUNTED(p->rank, "dim")),
               false;
    if (p->rank != 1 || !has_dims(p) || !has_dims(x) || x->rank == 0) return true;
    if (!dims_differ(c, p->dim[0], x->dim[axis])) return true;
    return infer_error(c, n, "%s has %s for %s", n->op->input[i].name, counted_text(c, p->dim[0], "value"),
                       counted_text(c, x->dim[axis], "channel")),
           false;
}

static const ann *infer(infer_ctx *c, const node *n, const dtype_rule *data, const dtype_rule *result) {
    const ann *x = infer_in(n, 0);
    dtype type = attr_type_of(n, "out_dtype", (dtype){0});
    uint32_t axis = 0;
    if (!check_kind(c, n, "data", x->type, data) || !check_kind(c, n, "out_dtype", type, result)) return NULL;
    if (!check_kind(c, n, "scale", infer_in(n, 1)->type, &a_float)) return NULL;
    if (!check_kind(c, n, "zero_point", infer_in(n, 2)->type, &zero_point)) return NULL;
    if (has_rank(x) && x->rank && !infer_axis(c, n, attr_int_of(n, "axis"), x->rank, &axis)) return NULL;
    if (!check_parameter(c, n, 1, axis) || !check_parameter(c, n, 2, axis)) return NULL;
    return infer_like(c, x, type);
}

static const ann *infer_quantize(infer_ctx *c, const node *n) { return infer(c, n, &a_float, &quantised); }
static const ann *infer_dequantize(infer_ctx *c, const node *n) { return infer(c, n, &stored, &a_float); }

// A scalar's element, or that of the channel.
static const char *parameter(const lower_ctx *c, const node *n, uint32_t i) {
    return arena_format(c->mem, "%s[%s]", n->op->input[i].name, n->in[i]->type->rank == 1 ? "c" : "");
}

static const char *indices(const node *n) { return n->in[0]->type->rank ? "i..., c@axis" : ""; }

static const loop_func *lower_quantize(const lower_ctx *c, const node *n) {
    const char *at = indices(n);
    const char *value = arena_format(c->mem, "cast(data[%s], wide) / cast(%s, wide)", at, parameter(c, n, 1));
    if (dtype_is_float(n->type->type))
        return compute_build(c, n, arena_format(c->mem, "out[%s] = %s + cast(%s, wide)", at, value, parameter(c, n, 2)),
                             NULL, 0);
    name_list names = {0};
    name_number(c, &names, "low", dtype_int_min(n->type->type));
    name_number(c, &names, "high", (int64_t)(dtype_int_max(n->type->type) & INT64_MAX));
    return compute_with(c, n,
                        arena_format(c->mem, "out[%s] = min(max(round(%s) + cast(%s, wide), low), high)", at, value,
                                     parameter(c, n, 2)),
                        &names);
}

static const loop_func *lower_dequantize(const lower_ctx *c, const node *n) {
    const char *at = indices(n);
    return compute_build(c, n,
                         arena_format(c->mem, "out[%s] = (cast(data[%s], wide) - cast(%s, wide)) * cast(%s, wide)", at,
                                      at, parameter(c, n, 2), parameter(c, n, 1)),
                         NULL, 0);
}

#define AXIS ATTR("axis", INT, "-1", "the channels")

const op op_quantize = {
    .name = "quantize",
    .doc = "round(data / scale) + zero_point, halves to even, saturating.",
    .input = {IN("data", TENSOR, "any shape"), IN("scale", TENSOR, "a scalar, or one per channel"),
              IN("zero_point", TENSOR, "the same")},
    .attr = {ATTR("out_dtype", DTYPE, "\"int8\"", "of the result"), AXIS},
    .infer = infer_quantize,
    .lower = lower_quantize,
    .samples = {"x=f32[n,4] s=f32[4] z=i8[4] | R.quantize(x, s, z, axis=1, out_dtype=\"int8\")"},
};
const op op_dequantize = {
    .name = "dequantize",
    .doc = "(data - zero_point) * scale.",
    .input = {IN("data", TENSOR, "any shape"), IN("scale", TENSOR, "a scalar, or one per channel"),
              IN("zero_point", TENSOR, "the same")},
    .attr = {ATTR("out_dtype", DTYPE, "\"float32\"", "of the result"), AXIS},
    .infer = infer_dequantize,
    .lower = lower_dequantize,
    .samples = {"x=i8[n,4] s=f32[] z=i8[] | R.dequantize(x, s, z, out_dtype=\"float32\")"},
};
