// packed.h - how quantised weights lie in memory for integer dot products (docs/formats.md).
//
// 16 rows are 16 lanes, lane r of every vector is row r: sums stay apart, and an activation serves all lanes.
//   quants  uint32  (rows / 16, units, words, 16)  a unit is 32 neighbours (16 where scales change so often); a word
//   has
//                   the unsigned quants of 4 of them, or two times 4: nibbles, the upper ones half a unit further
//   scales  float16 or float32  (rows / 16, groups, 16); offsets alike
// Rows that are missing repeat the last one.
#ifndef OPS_PACKED_H
#define OPS_PACKED_H
#include "tensor/formats.h"

enum { PACKED_LANES = 16, ACTIVATION_GROUP = 32 }; // activations of 32 neighbours share a scale

typedef struct packing {
    uint32_t unit;  // elements
    uint32_t bits;  // of a quant: 4 or 8
    uint32_t words; // of a unit and row
} packing;
packing packing_of(const block_format *f);
// False for formats whose blocks are single elements, or whose quants do not fit.
bool format_packs(const block_format *f);
// Does the text give a float16 without further arithmetic?
bool format_is_half(const char *expression);
#endif
