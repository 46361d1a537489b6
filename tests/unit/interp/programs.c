// programs.c - programs as text, run by the tests.
#include "programs.h"
#include "base/file.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static program_text parse(arena *mem, source src) {
    program_text p = {.mem = mem, .src = src, .d = diag_new(mem)};
    source *kept = ARENA_NEW(mem, source, 1);
    *kept = src;
    p.m = script_parse(kept, p.d);
    if (!p.m) fail_msg("%s", messages(&p));
    return p;
}

program_text open_program(const char *name, const char *script) {
    return parse(arena_new(), (source){name, script, strlen(script)});
}

program_text open_file(const char *path) {
    arena *mem = arena_new();
    char *bytes;
    size_t size;
    char why[FILE_WHY];
    if (file_read(path, SIZE_MAX, &bytes, &size, why) != RX_OK) fail_msg("%s", why);
    char *copy = arena_copy(mem, bytes, size);
    (free)(bytes);
    return parse(mem, (source){path, copy, size});
}

void close_program(program_text *p) {
    module_free(p->m);
    arena_free(p->mem);
}

const char *messages(program_text *p) {
    text out = TEXT_IN(p->mem);
    diag_print(p->d, &out, false);
    return text_get(&out);
}

value run_ok(program_text *p, const char *func, value *arg, uint32_t count) {
    value result;
    if (!interp_run(p->m, func, arg, count, NULL, p->mem, &result, p->d)) fail_msg("%s", messages(p));
    return result;
}

void run_refused(program_text *p, const char *func, value *arg, uint32_t count, const interp_options *o,
                 const char *want) {
    value result;
    p->d = diag_new(p->mem);
    assert_false(interp_run(p->m, func, arg, count, o, p->mem, &result, p->d));
    if (!strstr(messages(p), want)) fail_msg("want: %s\ngot: %s", want, messages(p));
}

void release_all(value *arg, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) interp_release(&arg[i]);
}

void check_program(const char *script, value *arg, uint32_t count, const double *want) {
    program_text p = open_program("f.py", script);
    value result = run_ok(&p, "f", arg, count);
    const tensor *out = arg[count - 1].as.tensor;
    for (int64_t i = 0; i < tensor_count(out); i++) {
        double got = tensor_get_float(out, (size_t)i);
        if (got != want[i] && !(isnan(got) && isnan(want[i])))
            fail_msg("element %d is %.9g, want %.9g", (int)i, got, want[i]);
    }
    interp_release(&result);
    release_all(arg, count);
    close_program(&p);
}

void refuse_program(const char *script, value *arg, uint32_t count, const char *want) {
    static const interp_options small = {.max_steps = 100000};
    program_text p = open_program("f.py", script);
    run_refused(&p, "f", arg, count, &small, want);
    release_all(arg, count);
    close_program(&p);
}

value floats(dtype type, uint32_t rank, const int64_t *dim, const double *number) {
    value v = {.kind = VALUE_TENSOR};
    assert_int_equal(tensor_new(type, rank, dim, &v.as.tensor), RX_OK);
    for (int64_t i = 0; number && i < tensor_count(v.as.tensor); i++)
        tensor_set_float(v.as.tensor, (size_t)i, number[i]);
    return v;
}

value vector_f32(uint32_t n, const double *number) { return floats(DTYPE_OF(F32), 1, (int64_t[]){n}, number); }

value integer(int64_t i) { return (value){.kind = VALUE_PRIM, .as.prim = {.type = DTYPE_OF(I64), .scalar = {.i = i}}}; }
