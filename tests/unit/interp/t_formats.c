// t_formats.c - block formats against what ggml's gguf package makes of the same bytes (tests/data/formats, made by
// tools/record_formats.py): the reference decoders, and the operators' loops as the interpreter runs them.
#include "base/file.h"
#include "programs.h"
#include "tensor/formats.h"
#include "test.h"
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

// The operator's result for one block, run by the interpreter.
static value dequantized(const record *r) {
    arena *mem = arena_new();
    const char *script = arena_format(mem,
                                      "@I.ir_module\nclass Module:\n    @R.function\n"
                                      "    def main(x: R.Tensor((\"n\", %zu), dtype=\"uint8\")):\n"
                                      "        gv = R.rx.dequantize(x, format=\"%s\")\n        return gv\n",
                                      r->first_size, r->name);
    program_text p = open_program("dequantize", script);
    const int64_t dim[] = {1, (int64_t)r->first_size};
    value arg = {.kind = VALUE_TENSOR};
    assert_int_equal(tensor_new(DTYPE_OF(U8), 2, dim, &arg.as.tensor), RX_OK);
    memcpy(arg.as.tensor->data, r->first, r->first_size);
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
    format_decode(r->format, r->first, blocks, decoded);
    value out = dequantized(r);
    assert_int_equal(tensor_count(out.as.tensor), count);
    for (size_t i = 0; i < count; i++) {
        double want = (double)big_endian(r->second + 4 * i), loops = tensor_get_float(out.as.tensor, i);
        if ((double)decoded[i] != want || loops != want)
            fail_msg("%s: element %zu is %.9g, as a loop %.9g; want %.9g", r->name, i, (double)decoded[i], loops, want);
    }
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
    assert_true(for_each("blocks.txt", check_block) >= 60);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks), cmocka_unit_test(rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
