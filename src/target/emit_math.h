// emit_math.h - the double-precision functions, for emit_math.c's table. Arguments are doubles of the same lanes.
#ifndef TARGET_EMIT_MATH_H
#define TARGET_EMIT_MATH_H
#include "target/emit.h"

// x = turns * pi/2 + rest: doubles of any size, rest of at most pi/4 and right to a unit in its last place; turns are
// right modulo 4. Of infinities and NaN the rest is NaN. (emit_angle.c)
typedef struct turned {
    LLVMValueRef turns, rest; // integers of 64 bits, doubles
} turned;
turned emit_angle(emitter *e, LLVMValueRef x);

typedef LLVMValueRef unary_function(emitter *e, LLVMValueRef x);
typedef LLVMValueRef binary_function(emitter *e, LLVMValueRef x, LLVMValueRef y);

unary_function math_exp, math_exp2, math_exp10, math_log, math_log2, math_log10, math_log1p;
unary_function math_sin, math_cos, math_tan, math_asin, math_acos, math_atan;
unary_function math_sinh, math_cosh, math_tanh, math_asinh, math_acosh, math_atanh, math_erf, math_sigmoid;
binary_function math_pow, math_atan2, math_hypot;
binary_function math_fmod;        // of values that were floats (or narrower), where multiply-adds are fused
binary_function math_fmod_double; // of any, by a loop over integers
#endif
