// op_cases.h - recorded values of operators, a case a line: "a=float32[2]:1,nan | R.max(a) | float32[]: nan". The lines
// of tests/data/ops/values.txt (tools/record_ops.py) and the examples of src/ops/edges.def.
#ifndef SUPPORT_OP_CASES_H
#define SUPPORT_OP_CASES_H
#include "interp/interp.h"

enum { OP_CASE_OPERANDS = 8, OP_CASE_RANK = 8 };

// One tensor of a case: name=dtype[dims]@seed, name=dtype[dims]:values, or a result dtype[dims]: values.
typedef struct op_spec {
    char name[8];
    const char *type, *values;
    dtype dt;
    uint32_t rank;
    int64_t dim[OP_CASE_RANK];
    uint64_t seed;
} op_spec;

typedef struct op_case {
    op_spec in[OP_CASE_OPERANDS];
    uint32_t ins;
    const char *call, *results;
} op_case;

// All of values.txt, in `mem`. Ends the test where it can't be read.
char *op_cases_file(arena *mem, size_t *size);
op_case op_case_read(arena *mem, const char *line, const char *end);
// The call in a function. Symbolic: a dim of 7 is `d7` wherever it stands among the operands.
void op_case_function(text *out, const op_case *c, const char *name, bool symbolic);
const char *op_case_text(arena *mem, const op_case *c, bool symbolic); // a module with that function, `main`
tensor *op_case_operand(const op_spec *s);                             // a new reference
// Is v what was recorded? Floats within what their dtype allows; else it says where not.
bool op_case_matches(arena *mem, const op_case *c, const value *v, text *why);
#endif
