// format_text.h - rows of tensor/formats.def as text of the compute language (docs/compute.md).
#ifndef OPS_FORMAT_TEXT_H
#define OPS_FORMAT_TEXT_H
#include "base/arena.h"
#include "tensor/formats.h"

// An expression of a row (quant, scale, offset) as compute text, in the arena. `k` is text for the place of the element
// in its block; `block` what a byte of the block is called, up to its place: "bytes[r..., k // 32 * 20". The text is
// float32 or int32.
const char *format_text(arena *mem, const char *expression, const char *k, const char *block);
// The same where the bytes are the format's head, in halves: element [`at` number of the half, `lane`] of a uint16
// tensor, "heads[n // 16, s, " and "n % 16"; or bytes of a uint8 one.
typedef struct format_words {
    const format_head *head;
    const char *at, *lane;
    bool bytes;
    bool four; // the whole numbers of this unit and the next three, of bytes side by side, as bytes of a uint32
} format_words;
const char *format_text_in_words(arena *mem, const char *expression, const char *k, const format_words *words);
// A layout's byte c of word w; the block as for format_text.
const char *format_byte_text(arena *mem, const format_layout *l, const char *w, const char *c, const char *block);
// A layout's code or scale, of piece j and its word i; `word` is what a word of the block is called, up to its number,
// and `lane` what stands behind it: "quants[n // 16, s, " and "n % 16".
const char *format_words_text(arena *mem, const char *expression, const char *j, const char *i, const char *word,
                              const char *lane);
// Is the row's offset more than 0?
bool format_has_offset(const block_format *f);
#endif
