// fixture.h - small executables put together by hand, loaded and run.
#ifndef FIXTURE_H
#define FIXTURE_H
#include "exec/writer.h"
#include "relax/runtime.h"
#include "test.h"

// The numbers of the test kernels (support/kernels.h) when fixture_kernels was called first.
enum { K_ADD, K_SCALE, K_ROW_SUM, K_POSITIVE, K_TABLE, K_COUNT, KERNELS };

typedef struct fixture {
    exec_writer *w;
    uint8_t *bytes;
    size_t size;
    rx_executable *exe;
    rx_context *ctx;
} fixture;

fixture fixture_new(void);
void fixture_kernels(fixture *f); // skips the test where there is no C compiler
// Writes, loads and makes a context (options may be NULL).
void fixture_load(fixture *f, const rx_context_options *o);
void fixture_free(fixture *f);

// Annotations. Dims as text: "n" binds or checks slot 0, "m" slot 1, "k" slot 2; a number is checked; "n*4" and "n+1"
// are checked. The first mention binds if `bind` says so: "!n".
uint32_t tensor_of(fixture *f, const char *text, dtype t, unsigned rank, const char *const *dim);
uint32_t shape_of(fixture *f, const char *text, unsigned rank, const char *const *dim);
exec_param param(fixture *f, const char *name, uint32_t annotation);
// A public function with parameters; symbols n, m, k have slots 0, 1, 2.
uint32_t function(fixture *f, const char *name, const exec_param *p, uint32_t params, uint32_t registers);

// Instructions: the operands without the counts of lists are given as they stand in opcodes.def.
void emit(fixture *f, opcode op, const uint32_t *word, uint32_t count); // plain operands
#define EMIT(f, op, ...) emit((f), (op), (const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__})))
void emit_launch(fixture *f, uint32_t kernel, uint32_t buffers, const uint32_t *buffer, uint32_t scalars,
                 const uint32_t *scalar);

// main(x: (n, m)) -> row sums (n,), by a kernel with scratch.
fixture fixture_row_sums(void);

// A file with one of everything: every kind of section, annotation, constant and instruction.
fixture fixture_everything(void);

// A float32 tensor with elements start, start + 1, ...
rx_value *counting(unsigned rank, const int64_t *dim, float start);
float element(const rx_value *v, size_t i);
#endif
