// elementwise.c - the operators of unary.def and binary.def: one row each says all there is to say.
#include "ops/infer.h"
#include "ops/ops.h"

// Bits of a float mean nothing across formats; TVM takes them, we ask for a cast.
static bool takes_bits(infer_ctx *c, const node *n, uint32_t i) {
    dtype type = infer_in(n, i)->type;
    char spelled[32];
    if (!type.kind || !dtype_is_float(type)) return true;
    infer_error(c, n, "%s: want an integer or bool dtype, got %s", n->op->input[i].name, dtype_spell(type, spelled));
    return false;
}

static const ann *infer_bits_same(infer_ctx *c, const node *n) { return takes_bits(c, n, 0) ? infer_in(n, 0) : NULL; }

static const ann *infer_bits_two(infer_ctx *c, const node *n) {
    const ann *a = infer_elementwise(c, n);
    return a && takes_bits(c, n, 0) && takes_bits(c, n, 1) ? a : NULL;
}

// A bool has no bits to move.
static const ann *infer_shift(infer_ctx *c, const node *n) {
    for (uint32_t i = 0; i < 2; i++)
        if (infer_in(n, i)->type.kind == DTYPE_BOOL)
            return infer_error(c, n, "%s: want an integer dtype, got bool", n->op->input[i].name);
    return infer_bits_two(c, n);
}

#define UNARY(id, called, operand, deduce, type, meaning, says)                                                        \
    const op op_##id = {.name = called,                                                                                \
                        .doc = says,                                                                                   \
                        .input = {{.name = operand, .kind = INPUT_TENSOR, .doc = "any shape"}},                        \
                        .infer = deduce,                                                                               \
                        .compute = meaning,                                                                            \
                        .samples = {"x=" type "[n,4] | R." called "(x)"}};
#include "ops/unary.def"

#define BINARY(id, called, deduce, type, meaning, says)                                                                \
    const op op_##id = {.name = called,                                                                                \
                        .doc = says,                                                                                   \
                        .input = {{.name = "x1", .kind = INPUT_ANY, .doc = "the left side, a tensor or a scalar"},     \
                                  {.name = "x2", .kind = INPUT_ANY, .doc = "the right side; both broadcast"}},         \
                        .infer = deduce,                                                                               \
                        .compute = meaning,                                                                            \
                        .samples = {"x=" type "[n,4] y=" type "[4] | R." called "(x, y)"}};
#include "ops/binary.def"
