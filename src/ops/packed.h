// packed.h - how quantised weights lie in memory for integer dot products (docs/formats.md), and how activations do.
//
// 16 rows are 16 lanes, lane r of every vector is row r: sums stay apart, and an activation serves all lanes.
//   quants  uint32  (rows / 16, pieces, bits of a quant, 16)    a piece is 32 neighbours; or, of formats with a row
//           LAYOUT, (rows / 16, blocks, words, 16): what that row says
//   scales  float16 or float32  (rows / 16, groups, 16); or, where there are offsets too or both are made of bits,
//           uint16  (rows / 16, blocks, halves of a head, 16): the bytes themselves, in their order; or, of an odd
//           number or where scales are bytes, uint8  (rows / 16, blocks, bytes, 16)
// Two streams of memory, not three: a row of Q4_1 is read at 28 GB/s in place of 22 (bench/bench_quantized.c).
// Rows that are missing repeat the last one.
//
// A dot product of bytes takes words of four quants: 8 of a piece. Neighbours that share a scale (a unit: 16 or 32) are
// whole words of their own, and byte c of word i of a unit is its element c * words + i, so that words are made of
// runs. Quants are stored unsigned, less the smallest. Bits that make no byte lie in planes of 4, 2 and 1 bits, the low
// ones first: the plane of p bits has p words, and word i of the piece is in word i % p of the plane, i / p * p bits
// up.
//
// Where scales are whole numbers times a float of the block, pieces of a block take turns in words instead, so that
// most dots need no more than a mask. With quants of b bits a round of 8 / g pieces, g the common divisor of b and 8,
// has b / g words for each word of a piece. Their bytes hold as many whole quants as they have room for, from the
// lowest bits on, each of another piece. What is left at the top of each byte holds the pieces that are left, whose
// quants end at the top: first come the bits of one word, as they are, below these such of others, moved down.
//   6 bits, 4 pieces in words A, B, C:  A & 0x3f,  B & 0x3f,  C & 0x3f,  A & 0xc0 | B >> 2 & 0x30 | C >> 4 & 0x0c
// Words of a round lie word by word of the pieces, in the order in which dots of one row read them: from memory, twice
// as fast as in another one.
#ifndef OPS_PACKED_H
#define OPS_PACKED_H
#include "base/arena.h"
#include "ops/infer.h"
#include "tensor/formats.h"

enum {
    PACKED_LANES = 16,
    PACKED_PIECE = 32,
    PACKED_WORDS = PACKED_PIECE / 4,
    PACKED_BLOCK = 256,             // neighbours of a block whose pieces take turns
    ACTIVATION_GROUP = PACKED_PIECE // activations of so many neighbours share a scale
};

typedef struct packing {
    uint32_t unit;  // 16 or 32: neighbours that share scale and offset
    uint32_t bits;  // of a quant
    uint32_t step;  // elements whose words lie together, one of 16 rows after the other: a piece, or a block
    uint32_t words; // of these
    uint32_t head;  // 16-bit halves of a block that scales and offsets are made of; 0: they are floats
    bool bytes;     // … bytes, not halves
    bool half;      // scales are float16
    uint32_t count; // of scales in a row's `elements`: of floats, or halves
    uint32_t round; // bits of a quant where scales and offsets of a block are whole numbers times a float each, so that
                    // pieces take turns in words; else 0
    uint32_t turns; // the same, 0 too where quants are looked up: bytes of dots are whole then, and not some bits up
} packing;
packing packing_of(const block_format *f);
// Where pieces take turns and quants begin at 0, offsets are whole numbers times sums of activations in bytes: of each
// block so many words for units of so many neighbours: low bytes of the sums, high ones, a float as bits.
bool packed_whole_sums(int64_t turns, int64_t low);
int64_t packed_sum_words(int64_t unit);
// Parts of "scaled(F, I)" or "-scaled(F, I)"; false for other expressions. Without an arena only whether it is one.
typedef struct whole_factor {
    const char *real, *whole;
    bool negative;
} whole_factor;
bool packed_whole(arena *mem, const char *expression, whole_factor *out);
// Quants that are among few values: what lies in words, or comes out of them, is their number, and a byte shuffle looks
// them up.
typedef struct packed_codes {
    uint32_t bits;     // of the numbers: 3 or 4
    uint32_t value[4]; // 16 bytes, less the smallest quant
    const char *index; // the number, an expression of the row; this long
    int size;
} packed_codes;
bool packed_codes_of(const block_format *f, packed_codes *out); // false: it has none
// Bytes of a word, a text, looked up; the text itself where there is nothing to look up.
const char *packed_codes_text(arena *mem, const block_format *f, const char *word);

// False for formats whose blocks are single elements, or whose quants do not fit.
bool format_packs(const block_format *f);
// The operator's attribute `format`; NULL if it is none that packs.
const block_format *packed_format(const node *n);

// Operand i holds the packed quants of at least so many rows, and operand i + 1 their scales; the scales are of rows of
// `size`. False after reporting.
bool packed_holds(infer_ctx *c, const node *n, uint32_t i, int64_t rows);
bool packed_scales_fit(infer_ctx *c, const node *n, uint32_t i, int64_t size);

// One plane of bits: `bits` of the quant from bit `low` on, in words `first` to first + bits - 1 of the piece.
typedef struct packed_plane {
    uint32_t bits, low, first;
} packed_plane;
uint32_t packed_planes(uint32_t bits, packed_plane out[4]); // their number

// Where pieces take turns: a round of these, and how many of its words there are for each word of a piece.
enum { PARTS_MOST = 7 };
uint32_t packed_round(uint32_t bits);
uint32_t packed_round_words(uint32_t bits);
// Where the quants of piece j of a round are.
typedef struct packed_part {
    uint32_t word; // of the round's, below packed_round_words
    uint32_t bits; // so many
    uint32_t from; // so far up in their bytes
    uint32_t to;   // and so far up in those of dots
} packed_part;
typedef struct packed_turn {
    uint32_t up;    // quants are so far up in the bytes of dots
    uint32_t parts; // the bits from the highest down
    packed_part part[PARTS_MOST];
} packed_turn;
packed_turn packed_turn_of(uint32_t bits, uint32_t j);

bool packed_scale_in_words(const format_layout *l); // not in the head

// The attribute of each operator on packed weights.
#define PACKED_FORMAT ATTR("format", STRING, NULL, "of the weight (docs/formats.md)")

// --- Compute text (docs/compute.md).
// The four unsigned quants of word i of a piece, from words called `quants` up to the word's number; in place: as they
// are, of a format with one plane, so far up in their bytes.
const char *packed_word_text(arena *mem, uint32_t bits, uint32_t i, bool in_place, const char *quants,
                             const char *lane);
// The same for word i of piece j of a block whose pieces take turns; `quants` up to the piece's number in the block; in
// place: as far up as turns say.
const char *packed_turn_text(arena *mem, uint32_t bits, uint32_t j, uint32_t i, bool in_place, const char *quants,
                             const char *lane);
// The number among the block's words (of 16 lanes) of the round's word number `word` for word i of piece j, both texts.
const char *packed_line_text(arena *mem, uint32_t bits, uint32_t word, const char *j, const char *i);
// Scale or offset (an expression of the row) from a head called `head` up to the half's number; k: the place in the
// block.
const char *packed_head_text(arena *mem, const block_format *f, const char *expression, const char *k, const char *head,
                             const char *lane);
// The same of a whole number of few bits, for four units at once: bytes of a uint32. The bytes of the head that it is
// made of lie side by side for the four.
const char *packed_four_text(arena *mem, const block_format *f, const char *expression, const char *k, const char *head,
                             const char *lane);
#endif
