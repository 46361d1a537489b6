// fixture.c - small executables put together by hand.
#include "fixture.h"
#include "base/cpu.h"
#include "base/postfix.h"
#include "support/kernels.h"
#include <stdlib.h>
#include <string.h>

fixture fixture_new(void) {
    fixture f = {.w = exec_writer_new()};
    assert_non_null(f.w);
    return f;
}

static void kernel(fixture *f, const char *name, uint32_t buffers, uint32_t scalars, uint32_t grid, uint32_t scratch) {
    uint32_t texts[] = {exec_writer_string(f->w, "the first rule"),
                        exec_writer_string(f->w, "elements must not be negative")};
    exec_writer_kernel(f->w, &(exec_kernel){.name = exec_writer_string(f->w, name),
                                            .buffers = buffers,
                                            .scalars = scalars,
                                            .outputs = 1,
                                            .grid = grid,
                                            .scratch = scratch,
                                            .extent = grid + 1, // of a listing; these kernels assert two things
                                            .asserts = 2,
                                            .assertion = texts});
}

void fixture_kernels(fixture *f) {
    size_t size;
    uint8_t *image = test_kernels(&size);
    if (!image) skip();
    uint32_t n = exec_writer_slot(f->w, 0), one = exec_writer_int(f->w, 1), zero = exec_writer_int(f->w, 0);
    uint8_t bytes[] = {POSTFIX_SLOT, 1, 0, 0, 0, POSTFIX_SMALL, 4, POSTFIX_MUL};
    kernel(f, "add_f32", 3, 1, n, zero);
    kernel(f, "scale_f32", 2, 2, n, zero);
    kernel(f, "row_sum", 2, 2, n, exec_writer_program(f->w, bytes, sizeof bytes));
    kernel(f, "positive", 1, 1, n, zero);
    kernel(f, "table", 1, 1, n, zero);
    kernel(f, "count_calls", 1, 0, one, zero);
    exec_writer_variant(f->w, "cpu", "cpu:test", 0, image, size, NULL);
    free(image);
}

void fixture_load(fixture *f, const rx_context_options *o) {
    char message[RX_MESSAGE] = "";
    if (exec_writer_bytes(f->w, &f->bytes, &f->size, message) != RX_OK) fail_msg("%s", message);
    if (rx_executable_load_memory(f->bytes, f->size, NULL, &f->exe, message) != RX_OK) fail_msg("%s", message);
    if (rx_context_new(f->exe, o, &f->ctx, message) != RX_OK) fail_msg("%s", message);
}

void fixture_free(fixture *f) {
    rx_context_release(f->ctx);
    rx_executable_release(f->exe);
    free(f->bytes);
    exec_writer_free(f->w);
}

static uint32_t dim_program(fixture *f, const char *text, uint32_t slot) {
    uint8_t add[] = {POSTFIX_SLOT, (uint8_t)slot, 0, 0, 0, POSTFIX_SMALL, 1, POSTFIX_ADD};
    uint8_t times[] = {POSTFIX_SLOT, (uint8_t)slot, 0, 0, 0, POSTFIX_SMALL, 4, POSTFIX_MUL};
    if (!strcmp(text + 1, "+1")) return exec_writer_program(f->w, add, sizeof add);
    if (!strcmp(text + 1, "*4")) return exec_writer_program(f->w, times, sizeof times);
    return exec_writer_slot(f->w, slot);
}

static exec_dim parse_dim(fixture *f, const char *text) {
    bool bind = *text == '!';
    text += bind;
    uint32_t string = exec_writer_string(f->w, text);
    uint32_t slot = *text == 'n' ? 0 : *text == 'm' ? 1 : 2;
    if (*text >= '0' && *text <= '9')
        return (exec_dim){.kind = DIM_CHECK, .index = exec_writer_int(f->w, atoi(text)), .text = string};
    if (bind) return (exec_dim){.kind = DIM_BIND, .index = slot, .text = string};
    return (exec_dim){.kind = DIM_CHECK, .index = dim_program(f, text, slot), .text = string};
}

static uint32_t ranked(fixture *f, exec_annotation_kind kind, const char *text, dtype t, unsigned rank,
                       const char *const *dim) {
    exec_dim d[16];
    for (unsigned i = 0; i < rank; i++) d[i] = parse_dim(f, dim[i]);
    return exec_writer_annotation(f->w, &(exec_annotation){.kind = kind,
                                                           .type = t,
                                                           .rank = (int32_t)rank,
                                                           .dims = rank,
                                                           .dim = d,
                                                           .text = exec_writer_string(f->w, text)});
}

uint32_t tensor_of(fixture *f, const char *text, dtype t, unsigned rank, const char *const *dim) {
    return ranked(f, ANNOTATION_TENSOR, text, t, rank, dim);
}

uint32_t shape_of(fixture *f, const char *text, unsigned rank, const char *const *dim) {
    return ranked(f, ANNOTATION_SHAPE, text, (dtype){0}, rank, dim);
}

exec_param param(fixture *f, const char *name, uint32_t annotation) {
    return (exec_param){.name = exec_writer_string(f->w, name), .annotation = annotation, .weight = EXEC_NONE};
}

uint32_t function(fixture *f, const char *name, const exec_param *p, uint32_t params, uint32_t registers) {
    exec_symbol symbol[3];
    for (uint32_t i = 0; i < 3; i++)
        symbol[i] = (exec_symbol){.name = exec_writer_string(f->w, (const char *[]){"n", "m", "k"}[i]),
                                  .slot = i,
                                  .upper = INT64_MAX,
                                  .multiple = 1};
    uint32_t i = exec_writer_function(f->w, &(exec_function){.name = exec_writer_string(f->w, name),
                                                             .flags = FUNCTION_PUBLIC,
                                                             .params = params,
                                                             .num_input = params,
                                                             .param = p,
                                                             .result = EXEC_NONE,
                                                             .symbols = 3,
                                                             .symbol = symbol,
                                                             .registers = registers,
                                                             .slots = 8});
    exec_writer_begin(f->w, i);
    return i;
}

void emit(fixture *f, opcode op, const uint32_t *word, uint32_t count) {
    exec_writer_op(f->w, op);
    for (uint32_t i = 0; i < count; i++) exec_writer_operand(f->w, word[i]);
}

void emit_launch(fixture *f, uint32_t k, uint32_t buffers, const uint32_t *buffer, uint32_t scalars,
                 const uint32_t *scalar) {
    exec_writer_op(f->w, OP_LAUNCH);
    exec_writer_operand(f->w, k);
    exec_writer_list(f->w, buffer, buffers);
    exec_writer_list(f->w, scalar, scalars);
}

rx_value *counting(unsigned rank, const int64_t *dim, float start) {
    rx_value *v;
    assert_int_equal(rx_tensor_new("float32", rank, dim, NULL, &v), RX_OK);
    float *x = rx_tensor_data(v);
    for (size_t i = 0; i < rx_tensor_bytes(v) / sizeof *x; i++) x[i] = start + (float)i;
    return v;
}

float element(const rx_value *v, size_t i) { return ((const float *)rx_tensor_data(v))[i]; }

static const dtype f32 = {.kind = DTYPE_F32, .lanes = 1}, i64 = {.kind = DTYPE_I64, .lanes = 1};

fixture fixture_row_sums(void) {
    fixture f = fixture_new();
    fixture_kernels(&f);
    exec_param p[] = {
        param(&f, "x", tensor_of(&f, "R.Tensor((n, m), dtype=\"float32\")", f32, 2, (const char *[]){"!n", "!m"}))};
    uint8_t n4[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SMALL, 4, POSTFIX_MUL};
    uint32_t n = exec_writer_slot(f.w, 0), m = exec_writer_slot(f.w, 1);
    function(&f, "main", p, 1, 3);
    EMIT(&f, OP_ALLOC_STORAGE, 1, exec_writer_program(f.w, n4, sizeof n4));
    EMIT(&f, OP_ALLOC_TENSOR, 2, 1, exec_writer_int(f.w, 0), op_dtype(f32), 1, n);
    emit_launch(&f, K_ROW_SUM, 2, (uint32_t[]){0, 2}, 2, (uint32_t[]){n, m});
    EMIT(&f, OP_RET, 2);
    return f;
}

// A file with one of everything: every kind of section, annotation, constant and instruction.
// Runs in the place of "identity".
static uint32_t private_identity(fixture *f, const exec_param *p) {
    uint32_t i = exec_writer_function(f->w, &(exec_function){.name = exec_writer_string(f->w, "identity"),
                                                             .params = 1,
                                                             .num_input = 1,
                                                             .param = p,
                                                             .result = EXEC_NONE,
                                                             .registers = 1});
    exec_writer_begin(f->w, i);
    EMIT(f, OP_RET, 0);
    return i;
}

fixture fixture_everything(void) {
    fixture f = fixture_new();
    fixture_kernels(&f);
    uint32_t x = tensor_of(&f, "R.Tensor((n, 4), dtype=\"float32\")", f32, 2, (const char *[]){"!n", "4"});
    uint32_t s = shape_of(&f, "R.Shape([m])", 1, (const char *[]){"!m"});
    uint32_t any = exec_writer_annotation(f.w, &(exec_annotation){.rank = -1, .text = EXEC_NONE});
    uint32_t pair = exec_writer_annotation(
        f.w, &(exec_annotation){
                 .kind = ANNOTATION_TUPLE, .rank = -1, .fields = 2, .field = (uint32_t[]){x, s}, .text = EXEC_NONE});
    uint32_t callable = exec_writer_annotation(
        f.w, &(exec_annotation){
                 .kind = ANNOTATION_CALLABLE, .rank = -1, .fields = 1, .field = (uint32_t[]){any}, .text = EXEC_NONE});
    static float data[] = {1, 2, 3, 4}; // not copied: must stay until the file is written
    uint32_t constant[] = {
        exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_TENSOR,
                                                   .type = f32,
                                                   .dims = 1,
                                                   .dim = (int64_t[]){4},
                                                   .bytes = {(uint8_t *)data, 16}}),
        exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_SHAPE, .dims = 2, .dim = (int64_t[]){2, 2}}),
        exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_PRIM, .type = i64}),
        exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_STRING, .bytes = {(const uint8_t *)"name", 4}}),
    };
    uint32_t weight = exec_writer_weight(f.w, &(exec_weight){.name = exec_writer_string(f.w, "w"),
                                                             .type = f32,
                                                             .dims = 1,
                                                             .dim = (int64_t[]){4},
                                                             .layout = exec_writer_string(f.w, ""),
                                                             .bytes = 16,
                                                             .data = (uint8_t *)data});
    uint8_t n16[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SMALL, 16, POSTFIX_MUL};
    uint32_t bytes = exec_writer_program(f.w, n16, sizeof n16), zero = exec_writer_int(f.w, 0),
             n = exec_writer_slot(f.w, 0);
    uint32_t four = exec_writer_int(f.w, 4), one = exec_writer_int(f.w, 1);
    exec_param q[] = {param(&f, "v", any), param(&f, "c", callable), param(&f, "t", pair)};
    uint32_t block = function(&f, "block", NULL, 0, 2);
    EMIT(&f, OP_ALLOC_STORAGE, 0, four);
    EMIT(&f, OP_ALLOC_TENSOR, 1, 0, zero, op_dtype(f32), 1, one);
    EMIT(&f, OP_RET, 1);
    uint32_t region = function(&f, "region", q, 1, 2);
    emit_launch(&f, K_COUNT, 1, (uint32_t[]){0}, 0, NULL);
    EMIT(&f, OP_RET, 0);
    uint32_t identity = function(&f, "identity", q, 1, 2);
    EMIT(&f, OP_RET, 0);
    function(&f, "deep", q + 1, 2, 3);
    EMIT(&f, OP_ITEM, 2, 1, 0);
    EMIT(&f, OP_RET, 2);
    exec_param p[] = {param(&f, "x", x), param(&f, "s", s), param(&f, "w", any)};
    p[2].weight = weight;
    function(&f, "main", p, 3, 12);
    uint32_t otherwise = exec_writer_label(f.w), end = exec_writer_label(f.w);
    EMIT(&f, OP_ALLOC_STORAGE, 3, bytes);
    EMIT(&f, OP_ALLOC_TENSOR, 4, 3, zero, op_dtype(f32), 1, n);
    emit_launch(&f, K_ROW_SUM, 2, (uint32_t[]){0, 4}, 2, (uint32_t[]){n, four});
    EMIT(&f, OP_RESHAPE, 5, 4, 2, n, one);
    EMIT(&f, OP_VIEW, 6, 0, zero, op_dtype(f32), 1, one);
    EMIT(&f, OP_CONST, 7, constant[0]);
    EMIT(&f, OP_CONST, 8, constant[1]);
    EMIT(&f, OP_CONST, 9, constant[2]);
    EMIT(&f, OP_BUILTIN, 8, exec_writer_import(f.w, IMPORT_BUILTIN, "vm.reshape", 1), 2, 7, 8);
    EMIT(&f, OP_BUILTIN, 7, exec_writer_import(f.w, IMPORT_BUILTIN, "unique", 1), 5, 7, 9, 9, 9, 9);
    EMIT(&f, OP_SLOT, 5, bytes);
    EMIT(&f, OP_SLOT_PRIM, 6, 9);
    EMIT(&f, OP_WHEN, n);
    exec_writer_jump(f.w, otherwise);
    EMIT(&f, OP_CLOSURE, 10, identity, 1, 0);
    EMIT(&f, OP_INVOKE, 10, 10, 0);
    exec_writer_op(f.w, OP_GOTO);
    exec_writer_jump(f.w, end);
    exec_writer_place(f.w, otherwise);
    EMIT(&f, OP_CALL, 10, identity, 1, 9);
    exec_writer_place(f.w, end);
    EMIT(&f, OP_MATCH, 4, any, constant[3]);
    EMIT(&f, OP_ASSERT, one, constant[3]);
    EMIT(&f, OP_CACHED, 11, block, 0);
    EMIT(&f, OP_CAPTURE, 11, region, 1, 1, 11, 1, n);
    EMIT(&f, OP_SHAPE, 9, 2, n, four);
    EMIT(&f, OP_KILL, 1, 3);
    EMIT(&f, OP_TUPLE, 3, 5, 5, 6, 8, 9, 10);
    EMIT(&f, OP_RET, 3);
    exec_writer_block(f.w, &(exec_plan_block){.function = 0, .bytes = four, .text = EXEC_NONE, .holds = EXEC_NONE});
    exec_writer_metadata(f.w, "source", "model", 5);
    exec_writer_replacement(f.w, &(exec_replacement){0, identity, private_identity(&f, q)});
    return f;
}
