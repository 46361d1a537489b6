// formats.h - block formats of quantised weights: how the bytes of a block spell its elements.
//
// One row of formats.def per format is the single place: sizes, GGUF's number, and what an element is, as text for the
// loop programs that operators make of it, which tests compile as C to compare with. Everything here is constant and
// may be used from any thread.
#ifndef TENSOR_FORMATS_H
#define TENSOR_FORMATS_H
#include "base/attributes.h"
#include "relax/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct block_format {
    const char *name;  // "q4_1"
    uint32_t gguf;     // GGUF's number of the type
    uint32_t elements; // of a block
    uint32_t bytes;    // of a block
    uint32_t group;    // so many neighbours share scale and offset; divides `elements`
    int32_t low, high; // the range of quants
    // Element k of a block is scale * quant + offset; no text depends on k but through k / group in scale and offset.
    // Names: k, b (the block), the parts below. Functions, all of a block and a place in bytes:
    //   u8, i8 (b, at)              a byte as a whole number
    //   bits (b, at, shift, mask)   u8(b, at) >> shift & mask
    //   f16, bf16, f32 (b, at)      a float, little-endian
    //   e8m0_half (b, at)           2 to the power of a byte - 128
    //   select (condition, i, j), power_of_3 (i below 5)
    //   scaled (f, i)               f * i; f is a float of the whole block, so that products with i may be added first
    //   half_of (i), ue4m3_half (i) a float16 by its bits; half of an unsigned float8_e4m3
    //   sign_bit (seven bits, i)    bit i; the eighth bit is their parity
    //   grid (name, entry, shift, mask)   bits of an entry of a codebook
    //   nibble_of (low, high, i)    int8 number i of the 16 in two 64-bit words
    //   octet_of (word, i)          int8 number i of the 8 in a 64-bit word
    const char *quant, *scale, *offset; // offset "0.0f": there is none
    const char *doc;
} block_format;

// A whole number with a name: an expression of b and a parameter j, called as name(b, j).
typedef struct format_part {
    const char *name, *text;
} format_part;

// The bytes of a block that scales and offsets are made of, one run or two, of the second one each step-th: a row HEAD.
typedef struct format_head {
    const char *name; // of the format
    uint32_t first[2], bytes[2], step;
} format_head;

// How a block's quants lie packed where that is not in planes of bits: a row LAYOUT. Texts of the same language;
// functions besides those above, of words of four bytes:
//   word (n)                          word n of the block
//   codes (grid, half, low, high)     a byte of the entries that the bytes of two words number
//   down, up (word, n)                >>, << by n
//   pairs (a, b, h)                   bytes 0, 0, 2, 2 (h: 1, 1, 3, 3) of a and b by turns
//   nibbles (a, h)                    the same of a's low and high halves of bytes
//   marked (codes, signs, n)          bit n of each code's byte is bit 0 of the signs'
//   eight (word)                      the top bit of each byte made the parity of the seven below it
//   tops (word, n, weights)           1 and the sum of bit n of each byte times its weight
//   everywhere (word, value)          value where bit 0 is set, else 0
//   swapped (c)                       0, 2, 1, 3
//   digit_at (d)                      the element that is digit d of byte 0 of word w: TQ1_0
typedef struct format_layout {
    const char *name;  // of the format
    uint32_t words;    // of a block
    const char *byte;  // byte c of word w, a whole number; over the block
    const char *code;  // of piece j, word i: four
    const char *scale; // whole, of piece j; "in_head": it is made of the head
} format_layout;

// A codebook by its name in the rows: entries of 16 bits, their number a power of two.
typedef struct format_grid {
    const char *name;
    const uint16_t *entry;
    uint32_t count;
} format_grid;

const block_format *format_find(const char *name); // NULL if there is none
const block_format *format_of_gguf(uint32_t gguf); // by GGUF's number; NULL if there is none
const block_format *format_all(uint32_t *count);   // in the order of formats.def
const format_part *format_parts(uint32_t *count);
const format_grid *format_grids(uint32_t *count);
const format_grid *format_grid_find(const char *name); // NULL if there is none
// NULL: scales and offsets are single floats, or it has no row.
const format_head *format_head_of(const block_format *f);
const format_layout *format_layout_of(const block_format *f); // NULL: planes of bits

// The bytes of so many elements in a row: RX_INVALID_ARGUMENT unless they are whole blocks, or on overflow.
RX_MUST_USE rx_status format_row_bytes(const block_format *f, int64_t elements, int64_t *bytes);
#endif
