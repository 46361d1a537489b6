// t_exec_writer.c - putting executables together, writing them, reading them back; what the writer and the verifier
// refuse.
#define _POSIX_C_SOURCE 200809L
#include "base/postfix.h"
#include "exec/elf.h"
#include "exec/format.h"
#include "exec/writer.h"
#include "support/kernels.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const dtype f32 = {.kind = DTYPE_F32, .lanes = 1};

static uint32_t string(exec_writer *w, const char *s) { return exec_writer_string(w, s); }

// A function "main" with one parameter and two registers, empty so far.
static uint32_t add_function(exec_writer *w) {
    uint32_t object = exec_writer_annotation(w, &(exec_annotation){.rank = -1, .text = EXEC_NONE});
    exec_param p = {.name = string(w, "x"), .annotation = object, .weight = EXEC_NONE};
    uint32_t f = exec_writer_function(w, &(exec_function){.name = string(w, "main"),
                                                          .flags = FUNCTION_PUBLIC,
                                                          .params = 1,
                                                          .num_input = 1,
                                                          .param = &p,
                                                          .result = EXEC_NONE,
                                                          .registers = 2,
                                                          .slots = 1});
    exec_writer_begin(w, f);
    return f;
}

static void op(exec_writer *w, opcode o, const uint32_t *word, uint32_t count) {
    exec_writer_op(w, o);
    for (uint32_t i = 0; i < count; i++) exec_writer_operand(w, word[i]);
}
#define OP(w, o, ...) op((w), (o), (const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__})))

static executable *load(exec_writer *w, uint8_t **bytes) {
    size_t size;
    char why[EXEC_WHY] = "";
    executable *e = NULL;
    if (exec_writer_bytes(w, bytes, &size, why) != RX_OK) fail_msg("%s", why);
    if (exec_load_memory(*bytes, size, NULL, &e, why) != RX_OK) fail_msg("%s", why);
    return e;
}

static void test_equal_entries(void **state) {
    (void)state;
    exec_writer *w = exec_writer_new();
    for (int i = 0; i < 1000; i++) { // growing the index keeps entries findable
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        assert_int_equal(string(w, name), i);
        assert_int_equal(exec_writer_int(w, i - 500), i);
    }
    for (int i = 0; i < 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        assert_int_equal(string(w, name), i);
        assert_int_equal(exec_writer_int(w, i - 500), i);
    }
    assert_int_equal(exec_writer_string_n(w, "s1\0x", 4), 1000);
    uint32_t field[] = {0};
    exec_annotation a = {.kind = ANNOTATION_TUPLE, .rank = -1, .fields = 1, .field = field, .text = EXEC_NONE};
    exec_annotation object = {.rank = -1, .text = EXEC_NONE};
    assert_int_equal(exec_writer_annotation(w, &object), 0);
    assert_int_equal(exec_writer_annotation(w, &a), 1);
    assert_int_equal(exec_writer_annotation(w, &object), 0);
    assert_int_equal(exec_writer_annotation(w, &a), 1);
    assert_int_equal(exec_writer_import(w, IMPORT_BUILTIN, "f", 1), 0);
    assert_int_equal(exec_writer_import(w, IMPORT_EXTERNAL, "f", 1), 1);
    assert_int_equal(exec_writer_import(w, IMPORT_BUILTIN, "f", 1), 0);
    exec_writer_free(w);
}

static void test_programs(void **state) {
    (void)state;
    static const int64_t values[] = {0, 1, -1, 127, -128, 128, -129, INT32_MAX, INT64_MAX, INT64_MIN};
    exec_writer *w = exec_writer_new();
    for (size_t i = 0; i < COUNT(values); i++) assert_int_equal(exec_writer_int(w, values[i]), i);
    uint32_t slot = exec_writer_slot(w, 70000);
    uint8_t sum[] = {POSTFIX_SLOT, 3, 0, 0, 0, POSTFIX_SMALL, 1, POSTFIX_ADD};
    uint32_t more = exec_writer_program(w, sum, sizeof sum);
    uint8_t times[] = {POSTFIX_SLOT, 3, 0, 0, 0, POSTFIX_SMALL, 5, POSTFIX_MUL};
    uint8_t at_most[] = {POSTFIX_SLOT, 3, 0, 0, 0, POSTFIX_SMALL, 5, POSTFIX_LE};
    uint32_t product = exec_writer_program(w, times, sizeof times),
             choice = exec_writer_program(w, at_most, sizeof at_most);
    uint8_t *bytes;
    executable *e = load(w, &bytes);
    for (size_t i = 0; i < COUNT(values); i++) {
        assert_int_equal(e->program[i].kind, PROGRAM_CONST);
        assert_int_equal(e->program[i].value, values[i]);
        assert_int_equal(e->program[i].slots, 0);
    }
    assert_int_equal(e->program[slot].kind, PROGRAM_SLOT);
    assert_int_equal(e->program[slot].slots, 70001);
    assert_int_equal(e->program[more].kind, PROGRAM_BYTES);
    assert_int_equal(e->program[more].slots, 4);
    const exec_program *p = &e->program[product], *q = &e->program[choice];
    assert_true(p->kind == PROGRAM_TIMES && p->slot == 3 && p->value == 5);
    assert_true(q->kind == PROGRAM_AT_MOST && q->slot == 3 && q->value == 5);
    const int64_t over[] = {0, 0, 0, 6}, large[] = {0, 0, 0, INT64_MAX};
    int64_t out;
    assert_true(exec_program_value(p, over, 4, &out) && out == 30);
    assert_true(exec_program_value(q, over, 4, &out) && out == 0);
    assert_true(exec_program_value(&e->program[more], over, 4, &out) && out == 7);
    assert_true(exec_program_value(&e->program[3], NULL, 0, &out) && out == 127);
    assert_false(exec_program_value(p, over, 3, &out));
    assert_false(exec_program_value(p, large, 4, &out));
    exec_release(e);
    free(bytes);
    exec_writer_free(w);
}

// All tables come back as they were put in.
static void test_round_trip(void **state) {
    (void)state;
    exec_writer *w = exec_writer_new();
    size_t image_size;
    uint8_t *image = test_kernels(&image_size), *bytes;
    if (!image) skip();
    uint32_t n = exec_writer_slot(w, 0), zero = exec_writer_int(w, 0);
    uint32_t text = string(w, "n must be even");
    exec_writer_kernel(w, &(exec_kernel){.name = string(w, "add_f32"),
                                         .buffers = 3,
                                         .scalars = 1,
                                         .outputs = 1,
                                         .grid = n,
                                         .scratch = zero,
                                         .extent = n + 1,
                                         .asserts = 1,
                                         .assertion = &text});
    exec_writer_variant(w, "cpu", "cpu:x86-64-v3", 0x5, image, image_size, NULL);
    exec_writer_variant(w, "cpu", "cpu:other", 0, image, image_size, (const char *[]){"table"});
    const uint8_t data[12] = {1, 2, 3};
    exec_writer_constant(
        w,
        &(exec_constant){.kind = CONSTANT_TENSOR, .type = f32, .dims = 1, .dim = (int64_t[]){3}, .bytes = {data, 12}});
    exec_writer_metadata(w, "config.json", "{}", 2);
    exec_writer_metadata(w, "hash", "\0\1", 2);
    add_function(w);
    OP(w, OP_RET, 0);
    exec_writer_block(
        w, &(exec_plan_block){.function = 0, .bytes = n, .text = string(w, "n * 4"), .holds = string(w, "lv, lv1")});
    executable *e = load(w, &bytes);
    assert_string_equal(exec_string(e, e->kernel[0].name), "add_f32");
    assert_string_equal(exec_string(e, e->kernel[0].assertion[0]), "n must be even");
    assert_int_equal(e->kernel[0].extent, n + 1);
    assert_int_equal(e->variants, 2);
    assert_int_equal(e->variant[0].required, 0x5);
    assert_int_equal(e->variant[0].image.size, image_size);
    assert_memory_equal(e->variant[1].image.at, image, image_size);
    elf_image elf;
    char why[EXEC_WHY];
    uint64_t at;
    assert_true(elf_open(image, image_size, &elf, why));
    assert_true(elf_find(&elf, "add_f32", &at));
    assert_int_equal(e->variant[0].entry[0], at);
    assert_true(elf_find(&elf, "table", &at));
    assert_int_equal(e->variant[1].entry[0], at);
    assert_int_equal((uintptr_t)e->constant[0].bytes.at % 64, 0);
    assert_memory_equal(e->constant[0].bytes.at, data, 12);
    assert_memory_equal(exec_find_metadata(e, "hash")->value.at, "\0\1", 2);
    assert_null(exec_find_metadata(e, "absent"));
    assert_string_equal(exec_string(e, e->block[0].holds), "lv, lv1");
    assert_string_equal(e->function[0].text, "main(x: R.Object)");
    executable *same = exec_retain(e);
    exec_release(e);
    assert_int_equal(exec_find_function(same, "main"), 0);
    assert_int_equal(exec_find_function(same, "other"), EXEC_NONE);
    exec_release(same);
    free(bytes);
    free(image);
    exec_writer_free(w);
}

// ---- weights and files ----

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/relax-exec-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *path_of(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static uint32_t add_weight(exec_writer *w, const char *name, int64_t count, const void *data) {
    return exec_writer_weight(w, &(exec_weight){.name = string(w, name),
                                                .type = f32,
                                                .dims = 1,
                                                .dim = &count,
                                                .layout = string(w, ""),
                                                .bytes = (uint64_t)count * 4,
                                                .data = data});
}

// Weights with data and without, mixed, empty ones too: streamed and saved files are the same.
static void test_weights(void **state) {
    (void)state;
    static float small[3] = {1, 2, 3}, large[5000];
    char why[EXEC_WHY] = "";
    for (int i = 0; i < 5000; i++) large[i] = (float)i;
    for (int streamed = 0; streamed < 2; streamed++) {
        exec_writer *w = exec_writer_new();
        add_function(w);
        OP(w, OP_RET, 0);
        add_weight(w, "a", 3, small);
        uint32_t b = add_weight(w, "b", 5000, streamed ? NULL : (void *)large);
        add_weight(w, "none", 0, small);
        uint32_t c = add_weight(w, "c", 3, streamed ? NULL : (void *)small);
        if (streamed) {
            uint8_t *to;
            assert_int_equal(exec_writer_start(w, path_of("streamed.rlx"), why), RX_OK);
            assert_int_not_equal(access(path_of("streamed.rlx"), F_OK), 0); // not there before it is whole
            assert_int_equal(exec_writer_map_weight(w, b, &to), RX_OK);
            assert_int_equal((uintptr_t)to % 64, 0);
            memcpy(to, large, sizeof large);
            assert_int_equal(exec_writer_map_weight(w, c, &to), RX_OK);
            memcpy(to, small, sizeof small);
            assert_int_equal(exec_writer_finish(w, why), RX_OK);
        } else {
            assert_int_equal(exec_writer_save(w, path_of("saved.rlx"), why), RX_OK);
        }
        exec_writer_free(w);
    }
    char command[512], saved[128];
    strcpy(saved, path_of("saved.rlx"));
    snprintf(command, sizeof command, "cmp %s %s", saved, path_of("streamed.rlx"));
    assert_int_equal(system(command), 0);
    executable *e;
    assert_int_equal(exec_load(saved, NULL, &e, why), RX_OK);
    assert_int_equal(e->weights, 4);
    assert_memory_equal(e->weight[1].data, large, sizeof large);
    assert_int_equal(exec_verify_weights(e, why), RX_OK);
    exec_release(e);
}

static void test_weight_errors(void **state) {
    (void)state;
    char why[EXEC_WHY] = "";
    uint8_t *to;
    exec_writer *w = exec_writer_new();
    add_function(w);
    OP(w, OP_RET, 0);
    add_weight(w, "a", 3, NULL);
    assert_int_equal(exec_writer_save(w, path_of("x.rlx"), why), RX_INVALID_ARGUMENT);
    assert_string_equal(why, "weight 0 was not given");
    exec_writer_free(w);
    w = exec_writer_new();
    add_function(w);
    OP(w, OP_RET, 0);
    add_weight(w, "a", 3, NULL);
    add_weight(w, "b", 3, NULL);
    assert_int_equal(exec_writer_start(w, path_of("x.rlx"), why), RX_OK);
    assert_int_equal(exec_writer_map_weight(w, 1, &to), RX_INVALID_ARGUMENT); // out of order
    exec_writer_free(w);                                                      // and the file never appears
    assert_int_not_equal(access(path_of("x.rlx"), F_OK), 0);
    assert_int_equal(rmdir(path_of("no")), -1);
    w = exec_writer_new();
    assert_int_equal(exec_writer_save(w, path_of("no/x.rlx"), why), RX_NOT_FOUND);
    assert_non_null(strstr(why, "no/x.rlx"));
    exec_writer_free(w);
    executable *e;
    assert_int_equal(exec_load(path_of("absent.rlx"), NULL, &e, why), RX_NOT_FOUND);
    assert_non_null(strstr(why, "absent.rlx"));
    FILE *f = fopen(path_of("text.rlx"), "w");
    fputs("this is not a module, but long enough to have a header of sixty-four bytes", f);
    fclose(f);
    assert_int_equal(exec_load(path_of("text.rlx"), NULL, &e, why), RX_BAD_FILE);
    assert_non_null(strstr(why, "not an .rlx file"));
}

// Another version of the format, another ABI, sections that are not known.
static void test_versions(void **state) {
    (void)state;
    exec_writer *w = exec_writer_new();
    uint8_t *bytes;
    size_t size;
    char why[EXEC_WHY];
    executable *e;
    add_function(w);
    OP(w, OP_RET, 0);
    assert_int_equal(exec_writer_bytes(w, &bytes, &size, why), RX_OK);
    bytes[8] = 9;
    format_seal(bytes, size);
    assert_int_equal(exec_load_memory(bytes, size, NULL, &e, why), RX_UNSUPPORTED);
    assert_string_equal(why, "file format 9; this runtime reads format 1: compile the model again");
    bytes[8] = 1;
    bytes[12] = 7;
    format_seal(bytes, size);
    assert_int_equal(exec_load_memory(bytes, size, NULL, &e, why), RX_UNSUPPORTED);
    bytes[12] = 1;
    uint8_t *plan = bytes + FORMAT_HEADER + 10 * FORMAT_SECTION; // the plan's entry becomes one nobody knows
    assert_int_equal(plan[0], 11);
    plan[0] = 77;
    format_seal(bytes, size);
    assert_int_equal(exec_load_memory(bytes, size, NULL, &e, why), RX_UNSUPPORTED);
    assert_string_equal(why, "section of kind 77, which this runtime doesn't know: use a newer one");
    plan[4] = SECTION_OPTIONAL;
    format_seal(bytes, size);
    assert_int_equal(exec_load_memory(bytes, size, NULL, &e, why), RX_OK);
    exec_release(e);
    assert_int_equal(exec_load_memory(bytes + 1, size - 1, NULL, &e, why), RX_INVALID_ARGUMENT);
    free(bytes);
    exec_writer_free(w);
}

// ---- what is refused ----

// Saves what `fill` puts together and expects a sentence.
static void expect(void (*fill)(exec_writer *w), const char *message) {
    exec_writer *w = exec_writer_new();
    uint8_t *bytes;
    size_t size;
    char why[EXEC_WHY] = "";
    fill(w);
    rx_status status = exec_writer_bytes(w, &bytes, &size, why);
    assert_int_not_equal(status, RX_OK);
    assert_null(bytes);
    if (!strstr(why, message)) fail_msg("want %s\n got %s", message, why);
    exec_writer_free(w);
}

static void no_end(exec_writer *w) { add_function(w), OP(w, OP_COPY, 1, 0); }
static void no_code(exec_writer *w) { add_function(w); }
static void wrong_register(exec_writer *w) { add_function(w), OP(w, OP_COPY, 2, 0), OP(w, OP_RET, 0); }
static void wrong_constant(exec_writer *w) { add_function(w), OP(w, OP_CONST, 1, 0), OP(w, OP_RET, 0); }
static void missing_operand(exec_writer *w) { add_function(w), OP(w, OP_COPY, 1), OP(w, OP_RET, 0); }
static void extra_operand(exec_writer *w) { add_function(w), OP(w, OP_COPY, 1, 0, 0), OP(w, OP_RET, 0); }
static void long_list(exec_writer *w) { add_function(w), OP(w, OP_KILL, 9, 0), OP(w, OP_RET, 0); }
static void wrong_slot(exec_writer *w) { add_function(w), OP(w, OP_SLOT, 1, exec_writer_int(w, 0)), OP(w, OP_RET, 0); }
static void wrong_program(exec_writer *w) {
    add_function(w), OP(w, OP_SLOT, 0, exec_writer_slot(w, 1)), OP(w, OP_RET, 0);
}
static void wrong_dtype(exec_writer *w) {
    add_function(w), OP(w, OP_PRIM, 1, 200, exec_writer_int(w, 0)), OP(w, OP_RET, 0);
}
static void wrong_arity(exec_writer *w) {
    uint32_t f = add_function(w);
    OP(w, OP_CALL, 1, f, 2, 0, 0), OP(w, OP_RET, 0);
}
static void wrong_jump(exec_writer *w) { add_function(w), OP(w, OP_GOTO, 1), OP(w, OP_RET, 0); }
static void far_jump(exec_writer *w) { add_function(w), OP(w, OP_GOTO, 40), OP(w, OP_RET, 0); }
static void no_place(exec_writer *w) {
    add_function(w), exec_writer_op(w, OP_GOTO), exec_writer_jump(w, exec_writer_label(w));
}
static void outside(exec_writer *w) { OP(w, OP_RET, 0); }
static void twice(exec_writer *w) {
    uint32_t f = add_function(w);
    OP(w, OP_RET, 0), exec_writer_begin(w, f);
}
static void bad_program(exec_writer *w) { exec_writer_program(w, (uint8_t[]){POSTFIX_ADD}, 1); }
static void bad_image(exec_writer *w) { exec_writer_variant(w, "cpu", "cpu:x", 0, "ELF", 3, NULL); }
static void high_rank(exec_writer *w) {
    add_function(w);
    uint32_t dim[17];
    for (int i = 0; i < 17; i++) dim[i] = exec_writer_int(w, 1);
    exec_writer_op(w, OP_SHAPE), exec_writer_operand(w, 1), exec_writer_list(w, dim, 17), OP(w, OP_RET, 0);
}
static void wrong_tensor(exec_writer *w) {
    exec_writer_constant(
        w,
        &(exec_constant){
            .kind = CONSTANT_TENSOR, .type = f32, .dims = 1, .dim = (int64_t[]){3}, .bytes = {(const uint8_t *)"", 0}});
}
static void deep_annotation(exec_writer *w) {
    uint32_t a = exec_writer_annotation(w, &(exec_annotation){.rank = -1, .text = EXEC_NONE});
    for (int i = 0; i < 100; i++)
        a = exec_writer_annotation(
            w, &(exec_annotation){.kind = ANNOTATION_TUPLE, .rank = -1, .fields = 1, .field = &a, .text = EXEC_NONE});
}
static void wide_annotation(exec_writer *w) { // 2^60 fields in 60 entries
    uint32_t a[2] = {exec_writer_annotation(w, &(exec_annotation){.rank = -1, .text = EXEC_NONE})};
    for (int i = 0; i < 60; i++) {
        a[1] = a[0];
        a[0] = exec_writer_annotation(
            w, &(exec_annotation){.kind = ANNOTATION_TUPLE, .rank = -1, .fields = 2, .field = a, .text = EXEC_NONE});
    }
}

static void test_refusals(void **state) {
    (void)state;
    expect(no_end, "main: its code does not end in ret or goto");
    expect(no_code, "main: its code does not end in ret or goto");
    expect(wrong_register, "main+0: register 2 of 2");
    expect(wrong_constant, "main+0: constant 0 of 0");
    expect(missing_operand, "main+0: operands: 2 of 2");
    expect(extra_operand, "main+0: operands: 3 of 4");
    expect(long_list, "main+0: operands: 2 of 3");
    expect(wrong_slot, "main+0: slot 1 of 1");
    expect(wrong_program, "main+0: slots needed: 2 of 1");
    expect(wrong_dtype, "main+0: dtype 200");
    expect(wrong_arity, "main+0: 2 arguments, want 1");
    expect(wrong_jump, "main+0: jump into an instruction: 1 of 4");
    expect(far_jump, "main+0: jump to 40 of 4");
    expect(no_place, "a jump goes to a label that was never placed");
    expect(outside, "an instruction outside a function");
    expect(twice, "function 0 is not there or has code already");
    expect(bad_program, "program 0 is malformed");
    expect(bad_image, "kernels for cpu:x: not a 64-bit little-endian ELF image");
    expect(high_rank, "main+0: rank 17 of 16");
    expect(wrong_tensor, "constant 0: a tensor whose bytes don't match its shape");
    expect(deep_annotation, "nested too deep");
    expect(wide_annotation, "nested too deep");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_entries), cmocka_unit_test(test_programs),      cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_weights),       cmocka_unit_test(test_weight_errors), cmocka_unit_test(test_versions),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
