// rx_quantize.c - R.rx.quantize: rows of floats as blocks, by the rules of ggml's reference, for formats that have a
// plain one.
#include "ops/table.h"
#include "tensor/formats.h"
#include <string.h>

// What a block's bytes hold, in order.
typedef enum field_kind {
    FIELD_END,
    FIELD_STEP,    // float16
    FIELD_STEP32,  // float32
    FIELD_LOW,     // float16
    FIELD_HIGH,    // bit 4 of each quant
    FIELD_NIBBLES, // bits 0 to 3: the first half of the elements low, the others high
    FIELD_BYTES,
    FIELD_SUMS, // of 16 quants each, int16
} field_kind;

typedef struct field {
    field_kind kind;
    uint32_t bytes;
} field;

// How a block becomes a step, and an element a quant. Names: v the element, inverse and low of its block; peak is the
// element farthest from 0, the first of several.
typedef struct quantize_rule {
    const char *format;
    const char *step, *inverse, *quant;
    field field[5];
} quantize_rule;

#define INVERSE "select(step[r..., b] == 0.0, 0.0, 1.0 / step[r..., b])"
// Halves away from 0.
#define ROUNDED                                                                                                        \
    "select(v < 0.0, -1.0, 1.0) * (floor(abs(v * inverse)) + floor(2.0 * (abs(v * inverse) - floor(abs(v * "           \
    "inverse)))))"
static const quantize_rule rules[] = {
    {"q4_0",
     "peak[r..., b] / -8.0",
     INVERSE,
     "min(trunc(v * inverse + 8.5), 15.0)",
     {{FIELD_STEP, 2}, {FIELD_NIBBLES, 16}}},
    {"q4_1",
     "(high[r..., b] - low[r..., b]) / 15.0",
     INVERSE,
     "min(trunc((v - low) * inverse + 0.5), 15.0)",
     {{FIELD_STEP, 2}, {FIELD_LOW, 2}, {FIELD_NIBBLES, 16}}},
    {"q5_0",
     "peak[r..., b] / -16.0",
     INVERSE,
     "min(trunc(v * inverse + 16.5), 31.0)",
     {{FIELD_STEP, 2}, {FIELD_HIGH, 4}, {FIELD_NIBBLES, 16}}},
    {"q5_1",
     "(high[r..., b] - low[r..., b]) / 31.0",
     INVERSE,
     "min(trunc((v - low) * inverse + 0.5), 31.0)",
     {{FIELD_STEP, 2}, {FIELD_LOW, 2}, {FIELD_HIGH, 4}, {FIELD_NIBBLES, 16}}},
    {"q8_0", "abs(peak[r..., b]) / 127.0", INVERSE, ROUNDED, {{FIELD_STEP, 2}, {FIELD_BYTES, 32}}},
    {"q8_k",
     "select(peak[r..., b] == 0.0, 0.0, 1.0 / (-127.0 / peak[r..., b]))",
     "select(peak[r..., b] == 0.0, 0.0, -127.0 / peak[r..., b])",
     "min(round(v * inverse), 127.0)",
     {{FIELD_STEP32, 4}, {FIELD_BYTES, 256}, {FIELD_SUMS, 32}}},
};

static const quantize_rule *find_rule(const node *n) {
    const attr *name = node_attr(n, "format");
    for (size_t i = 0; name->kind == ATTR_STRING && i < COUNT(rules); i++)
        if (strcmp(rules[i].format, name->as.text) == 0) return &rules[i];
    return NULL;
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const quantize_rule *rule = find_rule(n);
    int64_t known;
    if (!rule) return infer_error(c, n, "format: want one of q4_0, q4_1, q5_0, q5_1, q8_0, q8_k");
    const block_format *f = format_find(rule->format);
    if (!infer_want_floats(c, n, 0)) return NULL;
    if (x->rank == 0) return infer_error(c, n, "data: want rows, got no dims");
    if (!has_dims(x)) return infer_rank(c, x, DTYPE_OF(U8), x->rank);
    const expr *dim[INFER_MAX_RANK], *last = x->dim[x->rank - 1];
    if (expr_const_int(last, &known) && known % f->elements)
        return infer_error(c, n, "data: rows of %lld are not whole %s blocks of %u", (long long)known, f->name,
                           f->elements);
    for (int32_t i = 0; i < x->rank; i++) dim[i] = x->dim[i];
    const expr *blocks = dim_op(c, EXPR_FLOOR_DIV, last, dim_int(c, f->elements));
    dim[x->rank - 1] = dim_op(c, EXPR_MUL, blocks, dim_int(c, f->bytes));
    return infer_tensor(c, x, DTYPE_OF(U8), dim, (uint32_t)x->rank);
}

// --- Bytes.

// Byte `at` (text) of a whole number (text).
static const char *byte_of(arena *mem, const char *number, const char *at) {
    return arena_format(mem, "%s >> cast((%s) * 8, int32) & 255", number, at);
}

static const char *half_byte(arena *mem, const char *name, const char *at) {
    const char *bits = arena_format(mem, "cast(reinterpret(cast(%s[r..., p // bytes], float16), uint16), int32)", name);
    return byte_of(mem, bits, at);
}

// The quant of an element: `place` in the block.
static const char *quant_at(arena *mem, const char *place) {
    return arena_format(mem, "q[r..., p // bytes * elements + %s]", place);
}

static const char *sum_of_quants(arena *mem, const char *at, uint32_t count, const char *shape) {
    text t = TEXT_IN(mem);
    for (uint32_t i = 0; i < count; i++) {
        const char *q = quant_at(mem, arena_format(mem, shape, at, i));
        if (count == 8)
            text_format(&t, "%s(%s >> 4 & 1) << %u", i ? " | " : "", q, i);
        else
            text_format(&t, "%s%s", i ? " + " : "", q);
    }
    return arena_format(mem, "(%s)", text_get(&t));
}

// Byte `at` of a field, by text that counts from its start.
static const char *field_byte(arena *mem, field_kind kind, const char *at) {
    switch (kind) {
    case FIELD_STEP: return half_byte(mem, "step", at);
    case FIELD_LOW: return half_byte(mem, "low", at);
    case FIELD_STEP32: return byte_of(mem, "reinterpret(step[r..., p // bytes], int32)", at);
    case FIELD_HIGH: return sum_of_quants(mem, at, 8, "%s * 8 + %u");
    case FIELD_SUMS:
        return byte_of(mem, sum_of_quants(mem, at, 16, "%s // 2 * 16 + %u"), arena_format(mem, "%s %% 2", at));
    case FIELD_BYTES: return arena_format(mem, "%s & 255", quant_at(mem, at));
    case FIELD_NIBBLES:
        return arena_format(mem, "%s & 15 | (%s & 15) << 4", quant_at(mem, at),
                            quant_at(mem, arena_format(mem, "%s + elements // 2", at)));
    case FIELD_END: break;
    }
    return "0";
}

static const char *all_bytes(arena *mem, const quantize_rule *rule) {
    const char *value = NULL;
    uint32_t end = 0, count = 0;
    while (rule->field[count].kind) end += rule->field[count++].bytes;
    while (count-- > 0) {
        uint32_t from = end - rule->field[count].bytes;
        const char *at = arena_format(mem, "min(max(p %% bytes - %u, 0), %u)", from, rule->field[count].bytes - 1);
        const char *byte = field_byte(mem, rule->field[count].kind, at);
        value = value ? arena_format(mem, "if_then_else(p %% bytes < %u, %s, %s)", end, byte, value) : byte;
        end = from;
    }
    return value;
}

// --- The program.

// Names in a rule's quant, as what they are for element e.
static const char *spell_quant(arena *mem, const char *rule) {
    text t = TEXT_IN(mem);
    for (const char *c = rule; *c; c++) {
        bool starts = c == rule || !strchr("abcdefghijklmnopqrstuvwxyz", c[-1]);
        if (starts && strncmp(c, "inverse", 7) == 0)
            text_put(&t, "inverse[r..., e // elements]"), c += 6;
        else if (starts && strncmp(c, "low", 3) == 0)
            text_put(&t, "low[r..., e // elements]"), c += 2;
        else if (starts && *c == 'v')
            text_put(&t, "cast(data[r..., e], float32)");
        else
            text_format(&t, "%c", *c);
    }
    return text_get(&t);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    const quantize_rule *rule = find_rule(n);
    const block_format *f = format_find(rule->format);
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    const ann *x = n->in[0]->type;
    name_list names = {0};
    name_value(&names, "blocks", dim_op(&ctx, EXPR_FLOOR_DIV, x->dim[x->rank - 1], dim_int(&ctx, f->elements)));
    name_number(c, &names, "elements", f->elements);
    name_number(c, &names, "bytes", f->bytes);
    const char *v = "cast(data[r..., b * elements + i], float32)";
    text t = TEXT_IN(c->mem);
    text_put(&t, "b in blocks; i in elements; e in blocks * elements;");
    if (strstr(rule->step, "high"))
        text_format(&t, "high[r..., b] max= %s; low[r..., b] min= %s;", v, v);
    else
        text_format(
            &t,
            "farthest[r..., b] max= abs(%s);"
            "place[r..., b] min= select(abs(%s) == farthest[r..., b], i, elements - 1);"
            "peak[r..., b] = cast(data[r..., b * elements + max(min(place[r..., b], elements - 1), 0)], float32);",
            v, v);
    text_format(&t, "step[r..., b] = %s; inverse[r..., b] = %s;", rule->step, rule->inverse);
    text_format(&t, "q[r..., e] = cast(%s, int32);", spell_quant(c->mem, rule->quant));
    text_format(&t, "out[r..., p] = cast(%s, uint8)", all_bytes(c->mem, rule));
    return compute_with(c, n, text_get(&t), &names);
}

const op op_rx_quantize = {
    .name = "rx.quantize",
    .doc = "Rows of floats as blocks of a format, by the rules of ggml's reference.",
    .input = {IN("data", TENSOR, "floats, [..., size], size a multiple of the block's")},
    .attr = {ATTR("format", STRING, NULL, "q4_0, q4_1, q5_0, q5_1, q8_0 or q8_k (docs/formats.md)")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,64] | R.rx.quantize(x, format=\"q4_0\")", "x=f32[2,n,32] | R.rx.quantize(x, format=\"q5_1\")",
                "x=f16[n,32] | R.rx.quantize(x, format=\"q8_0\")", "x=f32[n,256] | R.rx.quantize(x, format=\"q8_k\")",
                "x=f32[n,32] | R.rx.quantize(x, format=\"q4_1\")", "x=f32[n,32] | R.rx.quantize(x, format=\"q5_0\")"},
};
