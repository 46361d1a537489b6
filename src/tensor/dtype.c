// dtype.c - the table of element types: spelling, DLPack codes, integer ranges, sizes, and access to packed elements.
#include "tensor/dtype.h"
#include "base/size.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct dtype_row {
    const char *spelling;
    uint8_t bits;
    uint8_t dlpack;
    uint8_t family;
} dtype_row;

static const dtype_row rows[DTYPE_KINDS] = {
    [DTYPE_VOID] = {"void", 0, 3, FAMILY_NONE}, // TVM: an opaque handle of no bits
#define DTYPE(KIND, spelling, bits, dlpack, family) [DTYPE_##KIND] = {spelling, bits, dlpack, family},
#include "tensor/dtypes.def"
};

// A kind that is none (a dtype made from outside data) reads as void, so that no caller can index past the table.
static const dtype_row *row_of(dtype t) { return &rows[t.kind < DTYPE_KINDS ? t.kind : DTYPE_VOID]; }

unsigned dtype_bits(dtype t) { return row_of(t)->bits; }

unsigned dtype_lanes(dtype t) { return t.lanes ? t.lanes : 1; }

dtype_family dtype_family_of(dtype t) { return (dtype_family)row_of(t)->family; }

bool dtype_is_float(dtype t) { return dtype_family_of(t) == FAMILY_FLOAT; }

bool dtype_is_int(dtype t) {
    dtype_family family = dtype_family_of(t);
    return family == FAMILY_INT || family == FAMILY_UINT;
}

dtype dtype_scalar(dtype t) { return (dtype){.kind = t.kind, .lanes = 1}; }

dtype dtype_vector(dtype t, unsigned lanes) { return (dtype){.kind = t.kind, .lanes = (uint16_t)lanes}; }

uint8_t dtype_dlpack_code(dtype t) { return row_of(t)->dlpack; }

bool dtype_from_dlpack(uint8_t code, uint8_t bits, uint16_t lanes, dtype *out) {
    for (unsigned kind = DTYPE_VOID; kind < DTYPE_KINDS; kind++) {
        if (rows[kind].dlpack != code || rows[kind].bits != bits) continue;
        // DLPack has no lanes to count in void, and every other type has at least one.
        if (kind == DTYPE_VOID ? lanes > 1 : lanes == 0) return false;
        *out = (dtype){.kind = (uint8_t)kind, .lanes = lanes ? lanes : 1};
        return true;
    }
    return false;
}

// "x4" after a scalar's spelling, or nothing.
static bool parse_lanes(const char *text, size_t size, uint16_t *lanes) {
    unsigned value = 0;
    *lanes = 1;
    if (size == 0) return true;
    if (size < 2 || text[0] != 'x' || text[1] == '0') return false;
    for (size_t i = 1; i < size; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        value = value * 10 + (unsigned)(text[i] - '0');
        if (value > UINT16_MAX) return false;
    }
    *lanes = (uint16_t)value;
    return true;
}

// A spelling may begin another one ("int1" and "int16", "float8_e4m3" and "float8_e4m3fn"), so what follows it decides.
bool dtype_parse(const char *spelling, size_t size, dtype *out) {
    for (unsigned kind = DTYPE_VOID; kind < DTYPE_KINDS; kind++) {
        size_t prefix = strlen(rows[kind].spelling);
        uint16_t lanes;
        if (size < prefix || memcmp(spelling, rows[kind].spelling, prefix) != 0) continue;
        if (!parse_lanes(spelling + prefix, size - prefix, &lanes)) continue;
        if (lanes != 1 && rows[kind].family == FAMILY_NONE) return false;
        *out = (dtype){.kind = (uint8_t)kind, .lanes = lanes};
        return true;
    }
    return false;
}

const char *dtype_spell(dtype t, char out[32]) {
    if (dtype_lanes(t) == 1) {
        snprintf(out, 32, "%s", row_of(t)->spelling);
    } else {
        snprintf(out, 32, "%sx%u", row_of(t)->spelling, dtype_lanes(t));
    }
    return out;
}

const char *dtype_spell_number(dtype t, int64_t i, double f, char out[32]) {
    if (dtype_is_float(t))
        snprintf(out, 32, "%.6g", f);
    else if (dtype_family_of(t) == FAMILY_BOOL)
        snprintf(out, 32, "%s", i ? "True" : "False");
    else if (t.kind == DTYPE_U64)
        snprintf(out, 32, "%" PRIu64, (uint64_t)i);
    else
        snprintf(out, 32, "%" PRId64, i);
    return out;
}

// Lanes are elements too: vectors of small types are packed without gaps between them.
bool dtype_bytes(dtype t, int64_t count, size_t *out) {
    size_t elements, whole, bits = dtype_bits(t);
    if (!size_from_dim(count, &elements) || !size_mul(elements, dtype_lanes(t), &elements)) return false;
    // Eight elements fill `bits` bytes: so the number of bits never has to fit.
    if (!size_mul(elements / 8, bits, &whole)) return false;
    return size_add(whole, (elements % 8 * bits + 7) / 8, out);
}

int64_t dtype_int_min(dtype t) { return dtype_family_of(t) == FAMILY_INT ? INT64_MIN >> (64 - dtype_bits(t)) : 0; }

uint64_t dtype_int_max(dtype t) {
    switch (dtype_family_of(t)) {
    case FAMILY_BOOL: return 1;
    case FAMILY_INT: return (uint64_t)INT64_MAX >> (64 - dtype_bits(t));
    case FAMILY_UINT: return UINT64_MAX >> (64 - dtype_bits(t));
    case FAMILY_NONE:
    case FAMILY_FLOAT: break;
    }
    return 0;
}

int64_t dtype_wrap(dtype t, int64_t value) {
    unsigned unused;
    switch (dtype_family_of(t)) {
    case FAMILY_BOOL: return value != 0;
    case FAMILY_INT: unused = 64 - dtype_bits(t); return (int64_t)((uint64_t)value << unused) >> unused;
    case FAMILY_UINT: return (int64_t)((uint64_t)value & dtype_int_max(t));
    case FAMILY_NONE:
    case FAMILY_FLOAT: break;
    }
    return value;
}

// Where element `index` lies: in bytes, and in bits within the first one. Elements are packed from the low bits up.
static size_t bit_place(size_t bits, size_t index, unsigned *shift) {
    size_t rest = index % 8 * bits;
    *shift = rest % 8;
    return index / 8 * bits + rest / 8;
}

// `bytes` of 1, 2, 4 or 6-bit elements. A second byte is touched only if the element reaches into it.
static uint64_t load_packed(size_t bits, const uint8_t *bytes, size_t index) {
    unsigned shift;
    size_t at = bit_place(bits, index, &shift);
    unsigned window = bytes[at];
    if (shift + bits > 8) window |= (unsigned)bytes[at + 1] << 8; // six-bit types cross bytes
    return window >> shift & ((1u << bits) - 1);
}

static void store_packed(size_t bits, uint8_t *bytes, size_t index, uint64_t value) {
    unsigned shift, mask = (1u << bits) - 1;
    size_t at = bit_place(bits, index, &shift);
    unsigned placed = ((unsigned)value & mask) << shift, kept = ~(mask << shift);
    bytes[at] = (uint8_t)((bytes[at] & kept) | placed);
    if (shift + bits > 8) bytes[at + 1] = (uint8_t)((bytes[at + 1] & kept >> 8) | placed >> 8);
}

// memcpy because wrapped memory may be aligned to a byte only; compilers make one load of it.
uint64_t dtype_load_bits(dtype t, const void *data, size_t index) {
    const uint8_t *bytes = data;
    unsigned bits = dtype_bits(t);
    uint16_t half;
    uint32_t word;
    uint64_t wide;
    switch (bits) {
    case 8: return bytes[index];
    case 16: memcpy(&half, bytes + index * 2, 2); return half;
    case 32: memcpy(&word, bytes + index * 4, 4); return word;
    case 64: memcpy(&wide, bytes + index * 8, 8); return wide;
    case 0: return 0;
    default: return load_packed(bits, bytes, index);
    }
}

void dtype_store_bits(dtype t, void *data, size_t index, uint64_t value) {
    uint8_t *bytes = data;
    unsigned bits = dtype_bits(t);
    uint16_t half = (uint16_t)value;
    uint32_t word = (uint32_t)value;
    switch (bits) {
    case 8: bytes[index] = (uint8_t)value; return;
    case 16: memcpy(bytes + index * 2, &half, 2); return;
    case 32: memcpy(bytes + index * 4, &word, 4); return;
    case 64: memcpy(bytes + index * 8, &value, 8); return;
    case 0: return;
    default: store_packed(bits, bytes, index, value); return;
    }
}
