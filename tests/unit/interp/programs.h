// programs.h - programs of the tests as text, and tensors written as numbers.
#ifndef TESTS_INTERP_PROGRAMS_H
#define TESTS_INTERP_PROGRAMS_H
#include "interp/interp.h"
#include "text/script.h"

// A module from text, with the arena and diagnostics of a test. Ends with close_program.
typedef struct program_text {
    arena *mem;
    diag *d;
    module *m;
    source src;
} program_text;
program_text open_program(const char *name, const char *script); // fails the test on errors
program_text open_file(const char *path);
void close_program(program_text *p);

// Runs; fails the test if it does not run. The result is released with interp_release.
value run_ok(program_text *p, const char *func, value *arg, uint32_t count);
// Runs; fails the test unless it is refused with a message that contains `want`.
void run_refused(program_text *p, const char *func, value *arg, uint32_t count, const interp_options *o,
                 const char *want);
const char *messages(program_text *p);
void release_all(value *arg, uint32_t count);
// Runs f of the module with these arguments, released afterwards: the last one must hold `want` (a NaN stands for any).
void check_program(const char *script, value *arg, uint32_t count, const double *want);
// … must be refused with a message that contains `want`.
void refuse_program(const char *script, value *arg, uint32_t count, const char *want);

#define MODULE "@I.ir_module\nclass Module:\n"
#define FUNC "    @T.prim_func\n"

value floats(dtype type, uint32_t rank, const int64_t *dim, const double *number); // number NULL: zeros
value vector_f32(uint32_t n, const double *number);
value integer(int64_t i);
#endif
