// create.c - tensors from nothing, or from the shape of another: R.full, zeros, ones, arange, eye and their kin.
#include "ops/table.h"
#include <math.h>

static const ann *of_shape(infer_ctx *c, const ann *shape, dtype type) {
    if (!has_dims(shape)) return infer_rank(c, NULL, type, shape->rank);
    return infer_tensor(c, NULL, type, shape->dim, (uint32_t)shape->rank);
}

static bool check_fill(infer_ctx *c, const node *n, uint32_t i) {
    if (infer_in(n, i)->rank <= 0) return true;
    infer_error(c, n, "fill_value: want a tensor without dims, got %s", ann_to_text(c->mem, infer_in(n, i)));
    return false;
}

static const ann *infer_full(infer_ctx *c, const node *n) {
    if (!check_fill(c, n, 1)) return NULL;
    return of_shape(c, infer_in(n, 0), attr_type_of(n, "dtype", infer_in(n, 1)->type));
}

static const ann *infer_full_like(infer_ctx *c, const node *n) {
    if (!check_fill(c, n, 1)) return NULL;
    return infer_like(c, infer_in(n, 0), attr_type_of(n, "dtype", infer_in(n, 0)->type));
}

static const ann *infer_filled(infer_ctx *c, const node *n) {
    return of_shape(c, infer_in(n, 0), attr_type_of(n, "dtype", (dtype){0}));
}

static const ann *infer_filled_like(infer_ctx *c, const node *n) {
    return infer_like(c, infer_in(n, 0), attr_type_of(n, "dtype", infer_in(n, 0)->type));
}

// --- arange
static bool is_number(const expr *e) { return e->op == EXPR_INT || e->op == EXPR_FLOAT; }
static double number_of(const expr *e) { return e->op == EXPR_FLOAT ? e->as.fval : (double)e->as.ival; }

// Integers that the dtype does not hold would wrap; floats round, and may be infinite.
static bool holds(dtype type, double value) {
    if (!dtype_is_int(type)) return true;
    return value > (double)dtype_int_min(type) - 1 && value < (double)dtype_int_max(type) + 1;
}

// Of known numbers: are there so many of them, and does the dtype hold the first and the last?
static bool check_range(infer_ctx *c, const node *n, dtype type, double *count) {
    double from = number_of(infer_in(n, 0)->value), to = number_of(infer_in(n, 1)->value);
    double step = number_of(infer_in(n, 2)->value);
    char spelled[32];
    *count = ceil((to - from) / step);
    if (!(*count < 0x1p62))
        return infer_error(c, n, "no tensor has %g elements: %g to %g by %g", *count, from, to, step), false;
    double last = from + (*count - 1) * step;
    if (*count <= 0 || (holds(type, from) && holds(type, last))) return true;
    return infer_error(c, n, "%s does not hold the numbers from %g to %g", dtype_spell(type, spelled), from, last),
           false;
}

static const expr *whole_count(infer_ctx *c, const expr *from, const expr *to, const expr *by) {
    int64_t step = 1;
    bool known = expr_const_int(by, &step), down = known && step < 0;
    const expr *span = down ? dim_op(c, EXPR_SUB, from, to) : dim_op(c, EXPR_SUB, to, from);
    const expr *size = down ? dim_int(c, -step) : by;
    const expr *up = dim_op(c, EXPR_SUB, dim_op(c, EXPR_ADD, span, size), dim_int(c, 1));
    const expr *count = dim_op(c, EXPR_FLOOR_DIV, up, size);
    int64_t number;
    return expr_const_int(count, &number) && number < 0 ? dim_int(c, 0) : count;
}

static const ann *infer_arange(infer_ctx *c, const node *n) {
    const expr *from = infer_index(c, n, 0), *to = infer_index(c, n, 1), *by = infer_index(c, n, 2);
    dtype type = attr_type_of(n, "dtype", (dtype){0});
    if (!type.kind) return infer_error(c, n, "dtype must be given");
    if (!from || !to || !by) return infer_rank(c, NULL, type, 1);
    int64_t step;
    if (expr_const_int(by, &step) && step == 0) return infer_error(c, n, "step: want a number other than 0");
    bool whole = expr_is_index(from) && expr_is_index(to) && expr_is_index(by);
    bool known = is_number(from) && is_number(to) && is_number(by);
    double real = 0;
    if (known && !check_range(c, n, type, &real)) return NULL;
    if (!whole && !known) return infer_rank(c, NULL, type, 1);
    const expr *count = whole ? whole_count(c, from, to, by) : dim_int(c, real > 0 ? (int64_t)real : 0);
    return infer_tensor(c, NULL, type, &count, 1);
}

// --- eye, hamming_window
static const ann *infer_eye(infer_ctx *c, const node *n) {
    const expr *dim[] = {infer_index(c, n, 0), infer_index(c, n, 1)};
    dtype type = attr_type_of(n, "dtype", (dtype){0});
    if (!infer_want_index(c, n, 0) || !infer_want_index(c, n, 1) || !infer_want_index(c, n, 2)) return NULL;
    if (!dim[0] || !dim[1]) return infer_rank(c, NULL, type, 2);
    return infer_tensor(c, NULL, type, dim, 2);
}

static const ann *infer_eye_like(infer_ctx *c, const node *n) {
    if (!infer_want_rank(c, n, 0, 2) || !infer_want_index(c, n, 1)) return NULL;
    return infer_filled_like(c, n);
}

static const ann *infer_hamming(infer_ctx *c, const node *n) {
    const expr *size = infer_index(c, n, 0);
    dtype type = attr_type_of(n, "dtype", DTYPE_OF(F32));
    int64_t number;
    if (!infer_want_index(c, n, 0)) return NULL;
    if (size && expr_const_int(size, &number) && number < 0) return infer_error(c, n, "window_size: want 0 or more");
    return size ? infer_tensor(c, NULL, type, &size, 1) : infer_rank(c, NULL, type, 1);
}

#define DTYPE_ATTR(otherwise, ...) ATTR("dtype", DTYPE, otherwise, __VA_ARGS__)

const op op_full = {
    .name = "full",
    .doc = "A tensor of one value.",
    .input = {IN("shape", SHAPE, "of the result"), IN("fill_value", TENSOR, "the value, a tensor without dims")},
    .attr = {DTYPE_ATTR("\"void\"", "of the result; unset: that of the value")},
    .infer = infer_full,
    .compute = "out[i...] = fill_value[]",
    .samples = {"v=f32[] | R.full(R.shape([2, 3]), v)"},
};
const op op_full_like = {
    .name = "full_like",
    .doc = "A tensor of one value in the shape of another.",
    .input = {IN("x", TENSOR, "gives the shape"), IN("fill_value", TENSOR, "the value, a tensor without dims")},
    .attr = {DTYPE_ATTR("\"void\"", "of the result; unset: that of x")},
    .infer = infer_full_like,
    .compute = "out[i...] = fill_value[]",
    .samples = {"x=f32[n,4] v=f32[] | R.full_like(x, v)"},
};
const op op_zeros = {
    .name = "zeros",
    .doc = "A tensor of zeros.",
    .input = {IN("shape", SHAPE, "of the result")},
    .attr = {ATTR_AT("dtype", DTYPE, NULL, "of the result")},
    .infer = infer_filled,
    .compute = "out[i...] = 0",
    .samples = {"| R.zeros(R.shape([2, 3]), dtype=\"float32\")"},
};
const op op_ones = {
    .name = "ones",
    .doc = "A tensor of ones.",
    .input = {IN("shape", SHAPE, "of the result")},
    .attr = {ATTR_AT("dtype", DTYPE, NULL, "of the result")},
    .infer = infer_filled,
    .compute = "out[i...] = 1",
    .samples = {"| R.ones(R.shape([2, 3]), dtype=\"float32\")"},
};
const op op_zeros_like = {
    .name = "zeros_like",
    .doc = "Zeros in the shape of another tensor.",
    .input = {IN("x", TENSOR, "gives the shape")},
    .attr = {DTYPE_ATTR("\"void\"", "of the result; unset: that of x")},
    .infer = infer_filled_like,
    .compute = "out[i...] = 0",
    .samples = {"x=f32[n,4] | R.zeros_like(x)"},
};
const op op_ones_like = {
    .name = "ones_like",
    .doc = "Ones in the shape of another tensor.",
    .input = {IN("x", TENSOR, "gives the shape")},
    .attr = {DTYPE_ATTR("\"void\"", "of the result; unset: that of x")},
    .infer = infer_filled_like,
    .compute = "out[i...] = 1",
    .samples = {"x=f32[n,4] | R.ones_like(x)"},
};
const op op_arange = {
    .name = "arange",
    .doc = "start, start + step, … before end.",
    .input = {IN("start", PRIM, "the first value"), IN("end", PRIM, "behind the last value"),
              IN("step", PRIM, "from one to the next")},
    .attr = {DTYPE_ATTR("\"void\"", "of the result", .range = "floats|integers")},
    .infer = infer_arange,
    .compute = "out[k] = cast(start, out) + cast(k, out) * cast(step, out)",
    .samples = {"| R.arange(R.prim_value(1), R.prim_value(10), R.prim_value(3), dtype=\"int64\")"},
};
const op op_eye = {
    .name = "eye",
    .doc = "Ones on a diagonal, zeros elsewhere.",
    .input = {IN("n", PRIM, "rows"), IN("m", PRIM, "columns"),
              IN("k", PRIM, "the diagonal: 0 the main one, more to the right")},
    .attr = {DTYPE_ATTR("\"float32\"", "of the result")},
    .infer = infer_eye,
    .compute = "out[row, col] = select(col - row == k, 1, 0)",
    .samples = {"| R.eye(R.prim_value(3), R.prim_value(4), R.prim_value(1), dtype=\"float32\")"},
};
const op op_eye_like = {
    .name = "eye_like",
    .doc = "Ones on a diagonal, in the shape of another matrix.",
    .input = {IN("x", TENSOR, "gives the shape, two dims"),
              IN("k", PRIM, "the diagonal: 0 the main one, more to the right")},
    .attr = {DTYPE_ATTR("\"void\"", "of the result; unset: that of x")},
    .infer = infer_eye_like,
    .compute = "out[row, col] = select(col - row == k, 1, 0)",
    .samples = {"x=f32[n,4] | R.eye_like(x, R.prim_value(0))"},
};
const op op_hamming_window = {
    .name = "hamming_window",
    .doc = "alpha - beta * cos(2 pi k / (size - 1)), or / size when periodic; a window of one is 1.",
    .input = {IN("window_size", PRIM, "how many"), IN("periodic", PRIM, "of a period, 1, or symmetric, 0"),
              IN("alpha", PRIM, "0.54"), IN("beta", PRIM, "0.46")},
    .attr = {DTYPE_ATTR("\"float32\"", "of the result", .range = "floats")},
    .infer = infer_hamming,
    .compute = "out[k] = if_then_else(window_size == 1, 1.0, cast(alpha, wide) - cast(beta, wide) * "
               "cos(6.2831853071795862 * cast(k, wide) / "
               "cast(max(window_size - 1 + cast(periodic, int64), 1), wide)))",
    .samples = {"| R.hamming_window(R.prim_value(10), R.prim_value(1), R.prim_value(T.float32(0.54)), "
                "R.prim_value(T.float32(0.46)), dtype=\"float32\")"},
};
