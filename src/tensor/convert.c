// convert.c - exact conversions between numbers and the bits of every element type.
//
// One encoder and one decoder serve all floats, driven by a row of data per format; e8m0, which has neither sign,
// mantissa nor zero, has its own pair. The formats are those of IEEE 754, of the OCP 8-bit and MX specifications and
// of the "fnuz" variants; where these leave a choice (saturation, NaN), the answer is that of the ml_dtypes package.
#include "tensor/dtype.h"
#include <math.h>
#include <string.h>

typedef enum float_style {
    STYLE_NONE,   // not described by a row
    STYLE_IEEE,   // exponent of all ones: infinity and NaNs
    STYLE_FN,     // no infinity; the largest magnitude is NaN
    STYLE_FNUZ,   // no infinity, no negative zero: its code is the only NaN
    STYLE_FINITE, // neither infinity nor NaN
} float_style;

// Codes are without the sign bit; `nan` may set it. `beyond` is what infinities and too large numbers become.
typedef struct float_format {
    uint8_t style;
    uint8_t exponent_bits, mantissa_bits;
    uint8_t bias;
    uint32_t max, beyond, nan;
} float_format;

static const float_format formats[DTYPE_KINDS] = {
    [DTYPE_F16] = {STYLE_IEEE, 5, 10, 15, 0x7bff, 0x7c00, 0x7e00},
    [DTYPE_F32] = {STYLE_IEEE, 8, 23, 127, 0x7f7fffff, 0x7f800000, 0x7fc00000},
    [DTYPE_BF16] = {STYLE_IEEE, 8, 7, 127, 0x7f7f, 0x7f80, 0x7fc0},
    [DTYPE_F8_E3M4] = {STYLE_IEEE, 3, 4, 3, 0x6f, 0x70, 0x78},
    [DTYPE_F8_E4M3] = {STYLE_IEEE, 4, 3, 7, 0x77, 0x78, 0x7c},
    [DTYPE_F8_E5M2] = {STYLE_IEEE, 5, 2, 15, 0x7b, 0x7c, 0x7e},
    [DTYPE_F8_E4M3FN] = {STYLE_FN, 4, 3, 7, 0x7e, 0x7f, 0x7f},
    [DTYPE_F8_E4M3FNUZ] = {STYLE_FNUZ, 4, 3, 8, 0x7f, 0x80, 0x80},
    [DTYPE_F8_E4M3B11FNUZ] = {STYLE_FNUZ, 4, 3, 11, 0x7f, 0x80, 0x80},
    [DTYPE_F8_E5M2FNUZ] = {STYLE_FNUZ, 5, 2, 16, 0x7f, 0x80, 0x80},
    // NaN becomes a zero of the opposite sign, as ml_dtypes does.
    [DTYPE_F6_E2M3FN] = {STYLE_FINITE, 2, 3, 1, 0x1f, 0x1f, 0x20},
    [DTYPE_F6_E3M2FN] = {STYLE_FINITE, 3, 2, 3, 0x1f, 0x1f, 0x20},
    [DTYPE_F4_E2M1FN] = {STYLE_FINITE, 2, 1, 1, 0x7, 0x7, 0x8},
};

enum { F64_MANTISSA = 52, F64_BIAS = 1023, F64_SPECIAL = 0x7ff };

static uint64_t f64_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double f64_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t f32_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float f32_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// 2 to the n, for n of a normal double.
static double power_of_two(int n) { return f64_of((uint64_t)(n + F64_BIAS) << F64_MANTISSA); }

// value / 2^shift, rounded to nearest, ties to even. shift is 1 to 63.
static uint64_t shift_round(uint64_t value, unsigned shift) {
    uint64_t half = (uint64_t)1 << (shift - 1), rest = value & (half * 2 - 1), quotient = value >> shift;
    return quotient + (rest > half || (rest == half && quotient % 2 == 1));
}

// The code of a NaN, without sign: its payload's upper bits where the format has any, so that decode and encode
// give back every code; a payload that would vanish becomes the quiet NaN.
static uint64_t encode_nan(const float_format *f, uint64_t fraction) {
    uint64_t payload = fraction >> (F64_MANTISSA - f->mantissa_bits);
    return f->style == STYLE_IEEE && payload ? f->beyond | payload : f->nan;
}

// The code of a finite magnitude, given as the bits of a double. May be greater than f->max.
static uint64_t encode_magnitude(const float_format *f, uint64_t magnitude) {
    uint64_t fraction = magnitude & (((uint64_t)1 << F64_MANTISSA) - 1);
    int exponent = (int)(magnitude >> F64_MANTISSA) - F64_BIAS + f->bias; // the field it would get
    unsigned shift = F64_MANTISSA - f->mantissa_bits;
    if (magnitude >> F64_MANTISSA == 0) return 0; // a denormal double lies below half of any format's least value
    uint64_t significand = fraction | (uint64_t)1 << F64_MANTISSA;
    if (exponent >= 1) return shift_round(significand, shift) + ((uint64_t)(exponent - 1) << f->mantissa_bits);
    shift += (unsigned)(1 - exponent);
    return shift_round(significand, shift < 63 ? shift : 63);
}

// Magnitude and sign are encoded apart: all formats are sign and magnitude, and rounding is symmetrical.
static uint64_t encode_row(const float_format *f, double value) {
    uint64_t bits = f64_bits(value), magnitude = bits & ~((uint64_t)1 << 63), code;
    uint64_t sign = bits >> 63 << (f->exponent_bits + f->mantissa_bits);
    uint64_t infinity = (uint64_t)F64_SPECIAL << F64_MANTISSA;
    if (magnitude > infinity) {
        code = encode_nan(f, magnitude - infinity);
    } else {
        code = magnitude == infinity ? f->beyond : encode_magnitude(f, magnitude);
        if (code > f->max) code = f->beyond;
    }
    if (f->style == STYLE_FNUZ && (code == 0 || code == f->nan)) return code; // these have no sign
    return code ^ sign;
}

// Exact: a double has more exponents and mantissa bits than any format of the table.
static double decode_row(const float_format *f, uint64_t bits) {
    unsigned magnitude_bits = f->exponent_bits + f->mantissa_bits;
    uint64_t magnitude = bits & (((uint64_t)1 << magnitude_bits) - 1);
    uint64_t sign = (bits >> magnitude_bits & 1) << 63;
    uint64_t infinity = (uint64_t)F64_SPECIAL << F64_MANTISSA;
    uint64_t quiet = infinity | (uint64_t)1 << (F64_MANTISSA - 1);
    if (f->style == STYLE_IEEE && magnitude >= f->beyond)
        return f64_of(sign | infinity | (magnitude - f->beyond) << (F64_MANTISSA - f->mantissa_bits));
    if (f->style == STYLE_FN && magnitude == f->nan) return f64_of(sign | quiet);
    if (f->style == STYLE_FNUZ && (sign && magnitude == 0)) return f64_of(quiet);
    int exponent = (int)(magnitude >> f->mantissa_bits);
    uint64_t significand = magnitude & (((uint64_t)1 << f->mantissa_bits) - 1);
    if (exponent > 0) significand |= (uint64_t)1 << f->mantissa_bits;
    double value = (double)significand * power_of_two((exponent ? exponent : 1) - f->bias - f->mantissa_bits);
    return f64_of(f64_bits(value) | sign);
}

// e8m0 has the powers of two from 2^-127 to 2^127, and NaN. Ties go up; positive numbers below the least become the
// least; zero, negative numbers and too large ones are NaN.
enum { E8M0_BIAS = 127, E8M0_NAN = 255 };

static uint64_t encode_e8m0(double value) {
    uint64_t bits = f64_bits(value);
    if (!(value > 0)) return E8M0_NAN;
    int code = (int)(bits >> F64_MANTISSA) - F64_BIAS + E8M0_BIAS + (int)(bits >> (F64_MANTISSA - 1) & 1);
    if (code < 0) return 0;
    return code < E8M0_NAN ? (uint64_t)code : E8M0_NAN;
}

static double decode_e8m0(uint64_t bits) {
    return bits == E8M0_NAN ? (double)NAN : power_of_two((int)bits - E8M0_BIAS);
}

double dtype_decode_float(dtype t, uint64_t bits) {
    if (t.kind == DTYPE_F64) return f64_of(bits);
    if (t.kind == DTYPE_F8_E8M0FNU) return decode_e8m0(bits & 0xff);
    if (t.kind == DTYPE_F32) {
        double value = (double)f32_of((uint32_t)bits);
        if (!isnan(value)) return value; // a processor would quieten a signalling NaN, decode_row doesn't
    }
    if (dtype_is_float(t)) return decode_row(&formats[t.kind], bits);
    int64_t integer = dtype_wrap(t, (int64_t)bits);
    return dtype_family_of(t) == FAMILY_UINT ? (double)(uint64_t)integer : (double)integer;
}

uint64_t dtype_encode_float(dtype t, double value) {
    if (t.kind == DTYPE_F64) return f64_bits(value);
    if (t.kind == DTYPE_F8_E8M0FNU) return encode_e8m0(value);
    if (t.kind == DTYPE_F32 && !isnan(value)) return f32_bits((float)value);
    if (dtype_is_float(t)) return encode_row(&formats[t.kind], value);
    uint64_t mask = dtype_bits(t) ? UINT64_MAX >> (64 - dtype_bits(t)) : 0;
    return (uint64_t)dtype_float_to_int(t, value) & mask;
}

double dtype_round(dtype t, double value) {
    if (t.kind == DTYPE_F64 || !dtype_is_float(t)) return value;
    if (t.kind == DTYPE_F32) return (double)(float)value;
    return dtype_decode_float(t, dtype_encode_float(t, value));
}

int64_t dtype_float_to_int(dtype t, double value) {
    if (dtype_family_of(t) == FAMILY_BOOL) return value != 0;
    if (isnan(value) || !dtype_is_int(t)) return 0;
    // 2^bits and -2^bits are doubles even where the largest integer isn't.
    bool is_signed = dtype_family_of(t) == FAMILY_INT;
    double limit = power_of_two((int)dtype_bits(t) - is_signed);
    if (value >= limit) return (int64_t)dtype_int_max(t);
    if (value < (double)dtype_int_min(t)) return dtype_int_min(t);
    return is_signed ? (int64_t)value : (int64_t)(uint64_t)value;
}

// A double that rounds to any narrower float as `magnitude` itself would: exact, or with its last bit set where bits
// were lost ("round to odd"), so that the second rounding can't see a false tie.
static double double_to_odd(uint64_t magnitude) {
    unsigned lost = 0;
    while (magnitude >> lost >> (F64_MANTISSA + 1)) lost++;
    uint64_t kept = magnitude >> lost;
    if (kept << lost != magnitude) kept |= 1;
    return (double)kept * power_of_two((int)lost);
}

double dtype_int_to_float(dtype t, int64_t value, bool is_unsigned) {
    bool negative = value < 0 && !is_unsigned;
    uint64_t magnitude = negative ? 0 - (uint64_t)value : (uint64_t)value;
    double rounded;
    if (t.kind == DTYPE_F64) {
        rounded = (double)magnitude;
    } else {
        rounded = dtype_round(t, double_to_odd(magnitude));
    }
    return negative ? dtype_round(t, -rounded) : rounded;
}

// Denormal halves are multiples of 2^-24, which floats hold as normal numbers.
float half_to_float(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, magnitude = h & 0x7fff;
    uint32_t rebias = (uint32_t)(127 - 15) << 23;
    if (magnitude >= 0x7c00) return f32_of(sign | ((magnitude << 13) + 2 * rebias));
    if (magnitude >= 0x0400) return f32_of(sign | ((magnitude << 13) + rebias));
    return f32_of(sign | f32_bits((float)magnitude * 0x1p-24f));
}

// The carry of a rounded mantissa runs into the exponent, as it should: the largest mantissa becomes the next power.
uint16_t float_to_half(float f) {
    uint32_t bits = f32_bits(f), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) {
        uint32_t payload = magnitude >> 13 & 0x3ff;
        return (uint16_t)(sign | 0x7c00 | (payload ? payload : 0x200));
    }
    if (magnitude >= 0x477ff000) return (uint16_t)(sign | 0x7c00); // 65520, halfway to 2^16, and above
    if (magnitude >= 0x38800000) {                                 // 2^-14, the least normal half
        magnitude += 0xfff + (magnitude >> 13 & 1);
        return (uint16_t)(sign | (magnitude - 0x38000000) >> 13);
    }
    if (magnitude <= 0x33000000) return (uint16_t)sign; // 2^-25, halfway to the least half, and below
    uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
    return (uint16_t)(sign | shift_round(significand, 126 - (magnitude >> 23)));
}

// A bfloat16 is the upper half of a float.
float bf16_to_float(uint16_t h) { return f32_of((uint32_t)h << 16); }

uint16_t float_to_bf16(float f) {
    uint32_t bits = f32_bits(f);
    if ((bits & 0x7fffffff) > 0x7f800000) {
        uint32_t payload = bits >> 16 & 0x7f;
        return (uint16_t)((bits >> 16 & 0xff80) | (payload ? payload : 0x40));
    }
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
