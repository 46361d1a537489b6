// rx_packed_matmul.c - R.rx.quantize_int8 makes activations small integers; R.rx.packed_matmul multiplies them with a
// weight that rx.pack_quants laid out, by dot products of bytes.
//
// With weights scale * q + offset and activations step * a, 32 neighbours at a time:
//   out += scale * (step * sum(q * a)) + offset * (step * sum(a))
// Quants are stored unsigned, q - low; the sum of bytes starts at low * sum(a), so that it is exact.
#include "ops/packed.h"
#include "ops/table.h"

// --- Activations.
static const ann *infer_int8(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *out[3];
    int64_t size, unit = attr_int_of(n, "unit");
    char spelled[32];
    if (x->type.kind && !dtype_is_float(x->type))
        return infer_error(c, n, "x: want a float dtype, got %s", dtype_spell(x->type, spelled));
    if (unit != 16 && unit != 32) return infer_error(c, n, "unit: want 16 or 32, got %lld", (long long)unit);
    if (!has_dims(x) || x->rank == 0 || !expr_const_int(x->dim[x->rank - 1], &size) || size % ACTIVATION_GROUP)
        return infer_error(c, n, "x: want a known multiple of %d as last dim, got %s", ACTIVATION_GROUP,
                           has_dims(x) ? dims_text(c, x) : "unknown dims");
    const expr *dim[INFER_MAX_RANK];
    for (int32_t i = 0; i < x->rank; i++) dim[i] = x->dim[i];
    dim[x->rank - 1] = dim_int(c, size / 4);
    out[0] = infer_tensor(c, x, DTYPE_OF(I32), dim, (uint32_t)x->rank);
    dim[x->rank - 1] = dim_int(c, size / ACTIVATION_GROUP);
    out[1] = infer_tensor(c, x, DTYPE_OF(F32), dim, (uint32_t)x->rank);
    dim[x->rank - 1] = dim_int(c, size / unit);
    out[2] = infer_tensor(c, x, DTYPE_OF(I32), dim, (uint32_t)x->rank);
    return ann_tuple(c->mem, out, 3);
}

static const loop_func *lower_int8(const lower_ctx *c, const node *n) {
    static const char start[] = "g in groups; i in 32; largest[r..., g] max= abs(cast(x[r..., g * 32 + i], float32));"
                                "out1[r..., g] = largest[r..., g] / 127.0;"
                                "inverse[r..., g] = select(largest[r..., g] > 0.0, 127.0 / largest[r..., g], 0.0);";
    text t = TEXT_IN(c->mem);
    text_format(&t, "%sout0[r..., w] = ", start);
    for (int i = 0; i < 4; i++)
        text_format(&t,
                    "%s(cast(round(cast(x[r..., w * 4 + %d], float32) * inverse[r..., w // 8]), int32) & 255) << %d",
                    i ? " | " : "", i, 8 * i);
    const char *sum = "cast(0, int32)";
    for (int i = 0; i < attr_int_of(n, "unit") / 4; i++)
        sum = arena_format(c->mem, "dp4a(cast(0x01010101, uint32), out0[r..., u * %d + %d], %s)",
                           (int)attr_int_of(n, "unit") / 4, i, sum);
    text_format(&t, "; out2[r..., u] = %s", sum);
    const ann *x = n->in[0]->type;
    int64_t size = 0;
    name_list names = {0};
    expr_const_int(x->dim[x->rank - 1], &size);
    name_number(c, &names, "groups", size / ACTIVATION_GROUP);
    return compute_with(c, n, text_get(&t), &names);
}

// --- The product.
static bool same_units(infer_ctx *c, const node *n) {
    const ann *q = infer_in(n, 3), *sums = infer_in(n, 2);
    if (!has_dims(q) || !has_dims(sums) || !dims_differ(c, q->dim[1], sums->dim[sums->rank - 1])) return true;
    return infer_error(c, n, "sums is %s, quants %s: want as many sums as units", dims_text(c, sums), dims_text(c, q)),
           false;
}

static const ann *infer_matmul(infer_ctx *c, const node *n) {
    static const dtype_kind want[] = {DTYPE_I32, DTYPE_F32, DTYPE_I32, DTYPE_U32};
    const ann *a = infer_in(n, 0);
    char got[32], wish[32];
    for (uint32_t i = 0; i < COUNT(want); i++) {
        dtype type = infer_in(n, i)->type, wanted = {.kind = (uint8_t)want[i], .lanes = 1};
        if (type.kind && type.kind != want[i])
            return infer_error(c, n, "%s: want %s, got %s", n->op->input[i].name, dtype_spell(wanted, wish),
                               dtype_spell(type, got));
    }
    if (!infer_want_rank(c, n, 3, 4) || !infer_want_rank(c, n, 4, 3) || !same_units(c, n)) return NULL;
    if (n->count > 5 && !infer_want_rank(c, n, 5, 3)) return NULL;
    if (!has_dims(a) || a->rank == 0) return infer_rank(c, a, DTYPE_OF(F32), a->rank);
    const expr *dim[INFER_MAX_RANK];
    for (int32_t i = 0; i < a->rank; i++) dim[i] = a->dim[i];
    dim[a->rank - 1] = dim_int(c, attr_int_of(n, "columns"));
    return infer_tensor(c, a, DTYPE_OF(F32), dim, (uint32_t)a->rank);
}

static int64_t known_dim(const node *n, uint32_t operand, uint32_t i) {
    int64_t size = 0;
    expr_const_int(n->in[operand]->type->dim[i], &size);
    return size;
}

static const char *weight_word(arena *mem, int64_t word, int64_t words, bool nibbles) {
    const char *w = arena_format(mem, "quants[n // 16, u, %lld, n %% 16]", (long long)(word % words));
    if (!nibbles) return w;
    return arena_format(mem, word < words ? "%s & 0x0f0f0f0f" : "%s >> 4 & 0x0f0f0f0f", w);
}

static const loop_func *lower_matmul(const lower_ctx *c, const node *n) {
    int64_t words = known_dim(n, 3, 2), units = known_dim(n, 3, 1), groups = known_dim(n, 4, 1);
    int64_t size = known_dim(n, 0, (uint32_t)n->in[0]->type->rank - 1), low = attr_int_of(n, "low");
    if (!units || !groups || !words) return diag_error(c->d, n->at, "%s: dims must be known", n->op->name), NULL;
    int64_t unit = 4 * size / units, dots = unit / 4;
    const char *sum = low ? arena_format(c->mem, "sums[r..., u] * (%lld)", (long long)low) : "cast(0, int32)";
    for (int64_t i = 0; i < dots; i++)
        sum = arena_format(c->mem, "dp4a(%s, a[r..., u * %lld + %lld], %s)",
                           weight_word(c->mem, i, words, words < dots), (long long)dots, (long long)i, sum);
    const char *step = arena_format(c->mem, "step[r..., u * %lld // 32]", (long long)unit);
    const char *group = arena_format(c->mem, "[n // 16, u // %lld, n %% 16]", (long long)(units / groups));
    text t = TEXT_IN(c->mem);
    text_format(&t, "out[r..., n] += cast(scales%s, float32) * (%s * cast(%s, float32))", group, step, sum);
    if (n->count > 5) text_format(&t, " + cast(offsets%s, float32) * (%s * cast(sums[r..., u], float32))", group, step);
    return compute_build(c, n, text_get(&t), NULL, 0);
}

const op op_rx_quantize_int8 = {
    .name = "rx.quantize_int8",
    .doc = "Activations as words of four int8 with a step for 32 neighbours, the largest of them 127, and sums of the "
           "integers.",
    .input = {IN("x", TENSOR, "floats, [..., size], size a multiple of 32")},
    .attr = {ATTR("unit", INT, "32", "how many neighbours each sum is of: 16 or 32")},
    .infer = infer_int8,
    .lower = lower_int8,
    .samples = {"x=f32[n,64] | R.rx.quantize_int8(x)", "x=f16[2,n,32] | R.rx.quantize_int8(x, unit=16)"},
};
const op op_rx_packed_matmul = {
    .name = "rx.packed_matmul",
    .doc = "Quantised activations times the transpose of a packed weight: [..., columns], float32.",
    .input = {IN("a", TENSOR, "int32, [..., size / 4]: four bytes each"),
              IN("step", TENSOR, "float32, [..., size / 32]"), IN("sums", TENSOR, "int32, [..., units]"),
              IN("quants", TENSOR, "uint32, [columns / 16, units, words, 16]"),
              IN("scales", TENSOR, "[columns / 16, groups, 16]"),
              IN_OPTIONAL("offsets", TENSOR, "[columns / 16, groups, 16]")},
    .attr = {ATTR("columns", INT, NULL, "rows of the weight"), ATTR("low", INT, "0", "what a stored quant of 0 means")},
    .infer = infer_matmul,
    .lower = lower_matmul,
    .samples = {"a=i32[n,16] s=f32[n,2] t=i32[n,2] q=u32[2,2,4,16] c=f16[2,2,16] | R.rx.packed_matmul(a, s, t, q, c, "
                "columns=32, low=-8)",
                "a=i32[2,n,16] s=f32[2,n,2] t=i32[2,n,2] q=u32[2,2,8,16] c=f16[2,2,16] o=f32[2,2,16] | "
                "R.rx.packed_matmul(a, s, t, q, c, o, columns=27)",
                "a=i32[n,16] s=f32[n,2] t=i32[n,4] q=u32[1,4,4,16] c=f32[1,4,16] | R.rx.packed_matmul(a, s, t, q, c, "
                "columns=16, low=-32)",
                "a=i32[n,8] s=f32[n,1] t=i32[n,1] q=u32[1,1,4,16] c=f16[1,1,16] | R.rx.packed_matmul(a, s, t, q, c, "
                "columns=16)"},
};
