// rx_dequantize.c - R.rx.dequantize: the elements of block-quantised rows, as the row of tensor/formats.def spells
// them.
#include "base/count_noun.h"
#include "ops/format_text.h"
#include "ops/table.h"

static const block_format *format_of(infer_ctx *c, const node *n) {
    const attr *name = node_attr(n, "format");
    const block_format *f = name->kind == ATTR_STRING ? format_find(name->as.text) : NULL;
    if (f) return f;
    uint32_t count;
    const block_format *all = format_all(&count);
    text known = TEXT_IN(c->mem);
    for (uint32_t i = 0; i < count; i++) text_format(&known, i ? ", %s" : "%s", all[i].name);
    infer_error(c, n, "format: want one of %s", text_get(&known));
    return NULL;
}

// How many elements a row of so many bytes has; NULL after reporting a part of a block.
static const expr *elements_of(infer_ctx *c, const node *n, const block_format *f, const expr *bytes) {
    int64_t known;
    if (expr_const_int(bytes, &known) && known % f->bytes) {
        infer_error(c, n, "bytes: a row of %s is not whole %s blocks of %s", COUNTED(known, "byte"), f->name,
                    COUNTED(f->bytes, "byte"));
        return NULL;
    }
    return dim_op(c, EXPR_MUL, dim_op(c, EXPR_FLOOR_DIV, bytes, dim_int(c, f->bytes)), dim_int(c, f->elements));
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const block_format *f = format_of(c, n);
    dtype type = attr_type_of(n, "dtype", DTYPE_OF(F32));
    if (!f) return NULL;
    if (!infer_want_dtype(c, n, 0, DTYPE_OF(U8))) return NULL;
    if (x->rank == 0) return infer_error(c, n, "bytes: want rows of blocks, got no dims");
    if (!has_dims(x)) return infer_rank(c, x, type, x->rank);
    const expr *dim[INFER_MAX_RANK];
    for (int32_t i = 0; i < x->rank; i++) dim[i] = x->dim[i];
    dim[x->rank - 1] = elements_of(c, n, f, x->dim[x->rank - 1]);
    return dim[x->rank - 1] ? infer_tensor(c, x, type, dim, (uint32_t)x->rank) : NULL;
}

// out[r..., k] = cast(bytes[r..., k // 32 * 34 + (2 + k % 32)], …) * …
static const loop_func *lower(const lower_ctx *c, const node *n) {
    const block_format *f = format_find(node_attr(n, "format")->as.text);
    const char *k = f->elements > 1 ? arena_format(c->mem, "k %% %u", f->elements) : "0";
    const char *at = arena_format(c->mem, "bytes[r..., k // %u * %u", f->elements, f->bytes);
    const char *scale = format_text(c->mem, f->scale, k, at), *quant = format_text(c->mem, f->quant, k, at);
    text out = TEXT_IN(c->mem);
    text_format(&out, f->low == f->high ? "out[r..., k] = %s" : "out[r..., k] = %s * cast(%s, float32)", scale, quant);
    if (format_has_offset(f)) text_format(&out, " + %s", format_text(c->mem, f->offset, k, at));
    return compute_build(c, n, text_get(&out), NULL, 0);
}

const op op_rx_dequantize = {
    .name = "rx.dequantize",
    .doc = "The elements of rows of quantised blocks: scale * quant + offset, in float32, rounded once to dtype.",
    .input = {IN("bytes", TENSOR, "uint8, [..., bytes]: rows of whole blocks")},
    .attr = {ATTR("format", STRING, NULL, "of the blocks, as GGUF has them: q4_0, q8_0, … (docs/formats.md)"),
             ATTR("dtype", DTYPE, "\"float32\"", "of the result", .range = "floats")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=u8[n,36] | R.rx.dequantize(x, format=\"q4_0\")",
                "x=u8[n,40] | R.rx.dequantize(x, format=\"q4_1\", dtype=\"float16\")",
                "x=u8[2,n,34] | R.rx.dequantize(x, format=\"q8_0\")",
                "x=u8[n,6] | R.rx.dequantize(x, format=\"bf16\")"},
};
