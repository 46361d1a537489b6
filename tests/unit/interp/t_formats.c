// t_formats.c - block formats against what ggml's gguf package makes of the same bytes (tests/data/formats, made by
// tools/record_formats.py): the reference decoders, and the operators' loops as the interpreter runs them.
#include "base/file.h"
#include "decode_format.h"
#include "ops/packed.h"
#include "programs.h"
#include "test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 4096 };

// One recorded line: a format and two runs of bytes.
typedef struct record {
    const block_format *format; // NULL: none of ours
    char name[16];
    uint8_t first[MAX_BYTES], second[MAX_BYTES];
    size_t first_size, second_size;
} record;

static size_t read_hex(const char *word, size_t length, uint8_t *out) {
    assert_true(length / 2 <= MAX_BYTES);
    for (size_t i = 0; i < length / 2; i++) {
        unsigned byte;
        assert_int_equal(sscanf(word + 2 * i, "%2x", &byte), 1);
        out[i] = (uint8_t)byte;
    }
    return length / 2;
}

static const char *read_record(const char *line, record *r) {
    const char *first = strchr(line, ' ') + 1, *second = strchr(first, ' ') + 1, *end = strchr(second, '\n');
    snprintf(r->name, sizeof r->name, "%.*s", (int)(first - 1 - line), line);
    r->format = format_find(r->name);
    r->first_size = read_hex(first, (size_t)(second - 1 - first), r->first);
    r->second_size = read_hex(second, (size_t)(end - second), r->second);
    return end + 1;
}

static float big_endian(const uint8_t *at) {
    uint32_t bits = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

// The operator's result for one row, run by the interpreter.
static value run_operator(const char *name, const char *format, dtype type, const void *data, size_t size) {
    arena *mem = arena_new();
    char spelled[32];
    const int64_t dim[] = {1, (int64_t)size};
    const char *script = arena_format(mem,
                                      "@I.ir_module\nclass Module:\n    @R.function\n"
                                      "    def main(x: R.Tensor((\"n\", %zu), dtype=\"%s\")):\n"
                                      "        gv = R.rx.%s(x, format=\"%s\")\n        return gv\n",
                                      size, dtype_spell(type, spelled), name, format);
    program_text p = open_program(name, script);
    value arg = {.kind = VALUE_TENSOR};
    assert_int_equal(tensor_new(type, 2, dim, &arg.as.tensor), RX_OK);
    memcpy(arg.as.tensor->data, data, arg.as.tensor->bytes);
    value out = run_ok(&p, "main", &arg, 1);
    interp_release(&arg);
    close_program(&p);
    arena_free(mem);
    return out;
}

static void check_block(const record *r) {
    float decoded[MAX_BYTES];
    size_t blocks = r->first_size / r->format->bytes, count = r->second_size / 4;
    assert_int_equal(blocks * r->format->elements, count);
    decode_format(r->format, r->first, blocks, decoded);
    value out = run_operator("dequantize", r->name, DTYPE_OF(U8), r->first, r->first_size);
    assert_int_equal(tensor_count(out.as.tensor), count);
    for (size_t i = 0; i < count; i++) {
        double want = (double)big_endian(r->second + 4 * i), loops = tensor_get_float(out.as.tensor, i);
        if ((double)decoded[i] != want || loops != want)
            fail_msg("%s: element %zu is %.9g, as a loop %.9g; want %.9g", r->name, i, (double)decoded[i], loops, want);
    }
    interp_release(&out);
}

static bool quantizes(const char *name) {
    static const char *const with_rule[] = {"q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q8_k"};
    for (size_t i = 0; i < COUNT(with_rule); i++)
        if (strcmp(with_rule[i], name) == 0) return true;
    return false;
}

static void check_quantized(const record *r) {
    float row[MAX_BYTES / 4];
    size_t count = r->first_size / 4;
    if (!quantizes(r->name)) return;
    for (size_t i = 0; i < count; i++) row[i] = big_endian(r->first + 4 * i);
    value out = run_operator("quantize", r->name, DTYPE_OF(F32), row, count);
    assert_int_equal(out.as.tensor->bytes, r->second_size);
    const uint8_t *got = out.as.tensor->data;
    for (size_t i = 0; i < r->second_size; i++)
        if (got[i] != r->second[i]) fail_msg("%s: byte %zu is %02x, want %02x", r->name, i, got[i], r->second[i]);
    interp_release(&out);
}

static uint32_t for_each(const char *file, void (*check)(const record *)) {
    arena *mem = arena_new();
    const char *root = getenv("SRC");
    record *r = ARENA_NEW(mem, record, 1);
    uint32_t checked = 0;
    text t = TEXT_IN(mem);
    FILE *f = fopen(arena_format(mem, "%s/tests/data/formats/%s", root ? root : ".", file), "rb");
    assert_non_null(f);
    char part[4096];
    for (size_t got; (got = fread(part, 1, sizeof part, f)) > 0;) text_put_n(&t, part, got);
    fclose(f);
    for (const char *line = text_get(&t); *line;) {
        line = read_record(line, r);
        if (!r->format) continue;
        check(r);
        checked++;
    }
    arena_free(mem);
    return checked;
}

static void blocks(void **state) {
    (void)state;
    assert_true(for_each("blocks.txt", check_block) >= 85);
}

static void quantized(void **state) {
    (void)state;
    assert_true(for_each("quantized.txt", check_quantized) >= 25);
}

static void of_the_c_library(void **state) {
    (void)state;
    assert_true(for_each("blocks_ggml.txt", check_block) >= 8);
    assert_true(for_each("quantized_ggml.txt", check_quantized) >= 8);
}

// The element farthest from 0 becomes -127, the sums of 16 quants stand behind them.
static void quantized_q8_k(void **state) {
    (void)state;
    float row[256];
    for (int i = 0; i < 256; i++) row[i] = (float)((i * 37 % 101) - 50) / 8.0f;
    row[77] = -9.0f;
    value out = run_operator("quantize", "q8_k", DTYPE_OF(F32), row, 256);
    const uint8_t *got = out.as.tensor->data;
    float decoded[256];
    assert_int_equal(out.as.tensor->bytes, 292);
    decode_format(format_find("q8_k"), got, 1, decoded);
    for (int i = 0; i < 256; i++) assert_true(decoded[i] - row[i] < 0.04f && row[i] - decoded[i] < 0.04f);
    assert_int_equal((int8_t)got[4 + 77], -127);
    for (int s = 0; s < 16; s++) {
        int sum = 0, stored = (int16_t)(got[260 + 2 * s] | got[261 + 2 * s] << 8);
        for (int i = 0; i < 16; i++) sum += (int8_t)got[4 + 16 * s + i];
        assert_int_equal(stored, sum);
    }
    interp_release(&out);
}

// --- Packed products: rows of a weight that are near each other, times activations that become int8.
enum { ROWS = 19, TOKENS = 3, MOST = 512 };

typedef struct packed_case {
    const block_format *format;
    float x[TOKENS * MOST];
    uint8_t weight[ROWS * MAX_BYTES / 8];
    uint32_t blocks, size; // of a row: blocks, elements
} packed_case;

static const char *packed_script(arena *mem, const packed_case *c) {
    const block_format *f = c->format;
    text t = TEXT_IN(mem);
    text_format(&t,
                "@I.ir_module\nclass Module:\n    @R.function\n"
                "    def main(x: R.Tensor((\"n\", %u), \"float32\"), w: R.Tensor((%d, %u), \"uint8\")):\n"
                "        q = R.rx.pack_quants(w, format=\"%s\")\n        s = R.rx.pack_scales(w, format=\"%s\")\n",
                c->size, ROWS, c->blocks * f->bytes, f->name, f->name);
    text_format(&t,
                "        a = R.rx.quantize_int8(x, unit=%u, low=%d, turns=%u)\n"
                "        y = R.rx.packed_matmul(a[0], a[1], a[2], q, s, columns=%d, format=\"%s\")\n"
                "        i = R.arange(0, %d, 1, dtype=\"int64\")\n"
                "        z = R.rx.packed_take(q, s, i, rows=%d, format=\"%s\")\n        return (y, z)\n",
                packing_of(f).unit, f->low, packing_of(f).turns, ROWS, f->name, ROWS, ROWS, f->name);
    return text_get(&t);
}

// Activations as the operator rounds them: 32 by the largest.
static void round_activations(const packed_case *c, double *out) {
    for (uint32_t g = 0; g < TOKENS * c->size / ACTIVATION_GROUP; g++) {
        const float *x = c->x + g * ACTIVATION_GROUP;
        float largest = 0;
        for (int i = 0; i < ACTIVATION_GROUP; i++) largest = fmaxf(largest, fabsf(x[i]));
        float step = largest / 127.0f, inverse = largest > 0 ? 127.0f / largest : 0;
        for (int i = 0; i < ACTIVATION_GROUP; i++)
            out[g * ACTIVATION_GROUP + (uint32_t)i] = (double)step * (double)rintf(x[i] * inverse);
    }
}

static value tensor_of(dtype type, int64_t rows, int64_t columns, const void *data) {
    value v = {.kind = VALUE_TENSOR};
    assert_int_equal(tensor_new(type, 2, (const int64_t[]){rows, columns}, &v.as.tensor), RX_OK);
    memcpy(v.as.tensor->data, data, v.as.tensor->bytes);
    return v;
}

static void compare_product(const packed_case *c, const tensor *got) {
    static double x[TOKENS * MOST];
    static float w[MOST];
    round_activations(c, x);
    for (uint32_t r = 0; r < ROWS; r++) {
        decode_format(c->format, c->weight + r * c->blocks * c->format->bytes, c->blocks, w);
        for (uint32_t t = 0; t < TOKENS; t++) {
            double sum = 0, size = 0;
            for (uint32_t k = 0; k < c->size; k++) {
                sum += x[t * c->size + k] * (double)w[k];
                size += fabs(x[t * c->size + k] * (double)w[k]);
            }
            double is = tensor_get_float(got, t * ROWS + r);
            if (fabs(is - sum) > 1e-5 * size) fail_msg("%s: row %u: %.9g, want %.9g", c->format->name, r, is, sum);
        }
    }
}

static void compare_rows(const packed_case *c, const tensor *got) {
    static float w[MOST];
    for (uint32_t r = 0; r < ROWS; r++) {
        decode_format(c->format, c->weight + r * c->blocks * c->format->bytes, c->blocks, w);
        for (uint32_t k = 0; k < c->size; k++)
            if (tensor_get_float(got, r * c->size + k) != (double)w[k])
                fail_msg("%s: row %u, element %u is not as decoded", c->format->name, r, k);
    }
}

static void check_packed(const record *r) {
    static packed_case c;
    uint32_t bytes = r->format->bytes;
    for (size_t i = 0; i < r->second_size; i += 4)
        if (!(fabsf(big_endian(r->second + i)) < 1e6f)) return;
    if (!format_packs(r->format)) return;
    c = (packed_case){.format = r->format, .blocks = r->format->elements < 256 ? 3 : 1};
    c.size = c.blocks * r->format->elements;
    for (uint32_t i = 0; i < TOKENS * c.size; i++) c.x[i] = (float)((int)(i * 2654435761u >> 20) - 2048) / 1024.0f;
    for (uint32_t i = 0; i < ROWS * c.blocks; i++) {
        memcpy(c.weight + i * bytes, r->first, bytes);
        c.weight[i * bytes + i * 7 % bytes] ^= (uint8_t)(i & 15);
    }
    arena *mem = arena_new();
    program_text p = open_program("packed", packed_script(mem, &c));
    value arg[] = {tensor_of(DTYPE_OF(F32), TOKENS, c.size, c.x),
                   tensor_of(DTYPE_OF(U8), ROWS, c.blocks * bytes, c.weight)};
    value out = run_ok(&p, "main", arg, 2);
    compare_product(&c, out.as.tuple.item[0].as.tensor);
    compare_rows(&c, out.as.tuple.item[1].as.tensor);
    interp_release(&out);
    for (int i = 0; i < 2; i++) interp_release(&arg[i]);
    close_program(&p);
    arena_free(mem);
}

static void packed_products(void **state) {
    (void)state;
    for_each("blocks.txt", check_packed);
}

// Packed, a block takes as many bytes as in its file, or fewer.
static void sizes(void **state) {
    uint32_t count;
    const block_format *f = format_all(&count);
    (void)state;
    for (uint32_t i = 0; i < count; i++) {
        if (!format_packs(&f[i])) continue;
        packing p = packing_of(&f[i]);
        uint32_t size = f[i].elements / p.step * p.words * 4;
        size += p.bytes ? p.head : p.head ? 2 * p.head : p.count * (p.half ? 2 : 4);
        if (size > f[i].bytes) fail_msg("%s: %u bytes for %u", f[i].name, size, f[i].bytes);
    }
}

// Every row is found by its name and number, and its sizes agree.
static void rows(void **state) {
    (void)state;
    uint32_t count;
    const block_format *all = format_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(all[i].elements % all[i].group, 0);
        assert_ptr_equal(format_find(all[i].name), &all[i]);
        assert_ptr_equal(format_of_gguf(all[i].gguf), &all[i]);
        int64_t bytes = 0;
        assert_int_equal(format_row_bytes(&all[i], 3 * all[i].elements, &bytes), RX_OK);
        assert_int_equal(bytes, 3 * all[i].bytes);
        if (all[i].elements > 1) assert_int_equal(format_row_bytes(&all[i], 1, &bytes), RX_INVALID_ARGUMENT);
        assert_int_equal(format_row_bytes(&all[i], -(int64_t)all[i].elements, &bytes), RX_INVALID_ARGUMENT);
    }
    assert_null(format_find("q4_2"));
    assert_null(format_of_gguf(4));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks),
                                       cmocka_unit_test(quantized),
                                       cmocka_unit_test(quantized_q8_k),
                                       cmocka_unit_test(of_the_c_library),
                                       cmocka_unit_test(packed_products),
                                       cmocka_unit_test(sizes),
                                       cmocka_unit_test(rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
