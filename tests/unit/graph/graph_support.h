// graph_support.h - what the graph tests share: a module with a builder, a few operators, annotations from text.
#ifndef GRAPH_SUPPORT_H
#define GRAPH_SUPPORT_H
#include "graph/build.h"
#include "graph/deduce.h"
#include "graph/verify.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct fixture {
    module *m;
    arena *mem;
    diag *d;
    builder *b; // of "main"
    const expr *n, *k;
    source src; // so that errors have a place
} fixture;

int open_fixture(void **state);
int close_fixture(void **state);
#define GRAPH_TEST(f) cmocka_unit_test_setup_teardown(f, open_fixture, close_fixture)

extern const op op_test_same, op_test_matmul, op_test_softmax, op_test_effect;

const expr *i64(fixture *f, int64_t value);
const expr *var(fixture *f, const char *name);
const expr *plus(fixture *f, const expr *a, int64_t b);
const expr *times(fixture *f, const expr *a, const expr *b);
const ann *f32(fixture *f, uint32_t rank, ...); // R.Tensor of rank dims (const expr *)
const ann *shape(fixture *f, uint32_t rank, ...);
void check_ann(const ann *a, const char *text_wanted);
// The first error contains `part`, and there is exactly one.
void check_one_error(fixture *f, const char *part);
// The program name(x: (n, 4), y: (n, 4)) of loops y[i, j] = x[i, j], put into the module.
const loop_func *put_copy_program(fixture *f, const char *name);
#endif
