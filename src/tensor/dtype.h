// dtype.h - the element types of tensors and scalars, and the exact conversions between them.
//
// One row of dtypes.def per type is the single place: spelling, bits, packing, DLPack code, kind.
#ifndef TENSOR_DTYPE_H
#define TENSOR_DTYPE_H
#include "base/attributes.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The kinds of dtypes.def, in its order. DTYPE_VOID is zero: "no dtype".
typedef enum dtype_kind {
    DTYPE_VOID,
#define DTYPE(KIND, spelling, bits, dlpack, family) DTYPE_##KIND,
#include "tensor/dtypes.def"
    DTYPE_KINDS
} dtype_kind;

typedef enum dtype_family {
    FAMILY_NONE, // void and handle
    FAMILY_BOOL,
    FAMILY_INT,
    FAMILY_UINT,
    FAMILY_FLOAT,
} dtype_family;

// A scalar type, or a vector of `lanes` of them. {0} is void. Compare with dtype_equal.
typedef struct dtype {
    uint8_t kind;   // dtype_kind
    uint16_t lanes; // 1 for scalars; 0 means 1 (so that {.kind = DTYPE_F32} is a float)
} dtype;

static inline bool dtype_equal(dtype a, dtype b) {
    return a.kind == b.kind && (a.lanes ? a.lanes : 1) == (b.lanes ? b.lanes : 1);
}
#define DTYPE_OF(KIND) ((dtype){.kind = DTYPE_##KIND, .lanes = 1})

unsigned dtype_bits(dtype t);  // of one lane
unsigned dtype_lanes(dtype t); // at least 1
dtype_family dtype_family_of(dtype t);
bool dtype_is_float(dtype t);
bool dtype_is_int(dtype t);  // signed or unsigned integer, not bool
dtype dtype_scalar(dtype t); // the type of one lane
dtype dtype_vector(dtype t, unsigned lanes);
uint8_t dtype_dlpack_code(dtype t);                                             // DLDataTypeCode
bool dtype_from_dlpack(uint8_t code, uint8_t bits, uint16_t lanes, dtype *out); // false: none of ours
// TVM's spelling: "float32", "int8x16", "bool", "float8_e4m3fn", "handle", "void".
// Vectors of void or handle are none of them. False: not a type.
bool dtype_parse(const char *spelling, size_t size, dtype *out);
const char *dtype_spell(dtype t, char out[32]); // returns out
// A number of type t as Python spells it, floats (in f) with six digits, others (in i) whole; returns out.
const char *dtype_spell_number(dtype t, int64_t i, double f, char out[32]);
// Bytes of `count` elements stored compactly; sub-byte types pack from the low bits up. False on overflow.
RX_MUST_USE bool dtype_bytes(dtype t, int64_t count, size_t *out);
// The smallest and largest value of an integer or bool type; 0 for other types.
int64_t dtype_int_min(dtype t);
uint64_t dtype_int_max(dtype t);

// Conversions of one lane: `lanes` is not looked at.
// A float in double, rounded once to type t (round to nearest even; overflow and NaN as the format says).
// Types that are no floats leave it as it is.
double dtype_round(dtype t, double value);
// An integer wrapped to type t (two's complement), sign- or zero-extended to 64 bits. Bool: 1 unless it is 0.
// Types that are no integers leave it as it is.
int64_t dtype_wrap(dtype t, int64_t value);
// A float to an integer type: toward zero, NaN is 0, out of range saturates (docs/numerics.md). Bool: 1 unless it is 0.
int64_t dtype_float_to_int(dtype t, double value);
// An integer (is_unsigned: the bits of a uint64) rounded once to the float type t.
double dtype_int_to_float(dtype t, int64_t value, bool is_unsigned);

// One element as its storage bits <-> value. Floats through double, exact for all types up to 64 bits: decoding and
// encoding gives the same bits, NaNs included (float64's apart from what the processor does to them).
// Integers and bool are read as numbers and stored as dtype_float_to_int says.
double dtype_decode_float(dtype t, uint64_t bits);
uint64_t dtype_encode_float(dtype t, double value);
// Element `index` of a compact buffer, sub-byte types included; in buffers of vectors, index counts lanes.
// Sub-byte types lie in a row from the lowest bit of the first byte up; six-bit ones cross bytes.
uint64_t dtype_load_bits(dtype t, const void *data, size_t index);
void dtype_store_bits(dtype t, void *data, size_t index, uint64_t bits);

// The conversions that are hot, on their own. Same results as the general ones.
float half_to_float(uint16_t h);
uint16_t float_to_half(float f);
float bf16_to_float(uint16_t h);
uint16_t float_to_bf16(float f);
#endif
