// number.c - doubles as text and back, whatever the locale's decimal point is.
//
// Both ways go through "digits e exponent" without a point, which every locale reads and writes alike.
#define _POSIX_C_SOURCE 200809L
#include "base/text.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DIGITS = 17 };

// A decimal number: 0.d1d2d3... times ten to the `point`.
typedef struct decimal {
    char digits[MOST_DIGITS + 1];
    int count, point;
} decimal;

// `value` (finite, not negative) rounded to `count` digits, trailing zeros removed.
static decimal decimal_of(double value, int count) {
    // One digit, the locale's point, the other digits, `e`, the exponent.
    char written[MOST_DIGITS + 32];
    snprintf(written, sizeof written, "%.*e", count - 1, value);
    decimal d = {0};
    const char *p = written;
    for (; *p != 'e'; p++)
        if (*p >= '0' && *p <= '9') d.digits[d.count++] = *p;
    d.point = (int)strtol(p + 1, NULL, 10) + 1;
    while (d.count > 1 && d.digits[d.count - 1] == '0') d.digits[--d.count] = '\0';
    return d;
}

static double decimal_value(const decimal *d) {
    char written[MOST_DIGITS + 32];
    // All digits before the point that isn't written: the exponent is lower by their number.
    snprintf(written, sizeof written, "%se%d", d->digits, d->point - d->count);
    return strtod(written, NULL);
}

// A normal number of up to 15 digits survives the way there and back, so %.15 finds it whatever its length; 16 and
// 17 are tried next. Denormals carry fewer digits: they are tried from 1.
static decimal shortest(double value) {
    decimal d = {0};
    for (int count = value < DBL_MIN ? 1 : DBL_DIG; count <= MOST_DIGITS; count++) {
        d = decimal_of(value, count);
        if (decimal_value(&d) == value) break;
    }
    return d;
}

// Python's rule: an exponent below 1e-4 and from 1e16 on, else a point with at least one digit behind it.
static void put_decimal(text *t, const decimal *d) {
    const char *digits = d->digits;
    size_t count = (size_t)d->count;
    if (d->point < -3 || d->point > 16) {
        text_put_n(t, digits, 1);
        if (count > 1) text_format(t, ".%s", digits + 1);
        text_format(t, "e%c%02d", d->point < 1 ? '-' : '+', abs(d->point - 1));
    } else if (d->point <= 0) {
        text_put(t, "0.");
        text_put_repeat(t, '0', (size_t)-d->point);
        text_put(t, digits);
    } else if (count <= (size_t)d->point) {
        text_put(t, digits);
        text_put_repeat(t, '0', (size_t)d->point - count);
        text_put(t, ".0");
    } else {
        text_put_n(t, digits, (size_t)d->point);
        text_format(t, ".%s", digits + d->point);
    }
}

void text_put_double(text *t, double value) {
    if (isnan(value)) {
        text_put(t, "nan");
        return;
    }
    // -0.0 keeps its sign: it is another number to 1/x and to a comparison of bits.
    if (signbit(value)) text_put_char(t, '-');
    if (isinf(value)) {
        text_put(t, "inf");
    } else if (value == 0) {
        text_put(t, "0.0");
    } else {
        decimal d = shortest(fabs(value));
        put_decimal(t, &d);
    }
}

enum { FAR_EXPONENT = 1 << 30 }; // beyond it a double is 0 or infinite for any text that fits into memory

// The exponent behind an `e`; *p moves behind it. Held at FAR_EXPONENT.
static int64_t read_exponent(const char **p, const char *end) {
    bool negative = *p < end && **p == '-';
    if (*p < end && (**p == '-' || **p == '+')) ++*p;
    int64_t exponent = 0;
    for (; *p < end && ((**p >= '0' && **p <= '9') || **p == '_'); ++*p)
        if (**p != '_' && exponent < FAR_EXPONENT) exponent = exponent * 10 + (**p - '0');
    return negative ? -exponent : exponent;
}

double text_read_float(const char *s, size_t size) {
    char small[128];
    // The digits alone, then room for an exponent. Long numbers are rare and hostile.
    char *copy = size + 32 <= sizeof small ? small : malloc(size + 32);
    if (!copy) return NAN;
    const char *p = s, *end = s + size;
    size_t count = 0, behind_point = 0;
    bool fraction = false;
    for (; p < end && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.') fraction = true;
        if (*p < '0' || *p > '9') continue;
        copy[count++] = *p;
        // Each digit behind the point lowers the exponent by one.
        behind_point += fraction;
    }
    int64_t exponent = 0;
    if (p < end) {
        p++;
        exponent = read_exponent(&p, end);
    }
    snprintf(copy + count, 32, "e%lld", (long long)(exponent - (int64_t)behind_point));
    double value = strtod(copy, NULL);
    if (copy != small) free(copy);
    return value;
}
