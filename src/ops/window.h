// window.h - what convolutions and poolings share: layouts, windows that slide over spatial dims, their text.
#ifndef OPS_WINDOW_H
#define OPS_WINDOW_H
#include "ops/table.h"

enum { MAX_SPATIAL = 3 };

// Where the dims of a layout such as "NCHW" stand. Letters: N batch, C channels, O and I of a kernel, D H W space.
typedef struct layout {
    const char *letters;
    uint32_t rank;
} layout;
// From a string attribute; an empty one stands for `otherwise`.
layout layout_of(arena *mem, const node *n, const char *name, const layout *otherwise);
int32_t layout_find(const layout *l, char letter); // -1 if it has none
// Has it every letter of `wanted` once, and nothing else?
bool layout_is(const layout *l, const char *wanted);

// The sliding window of one spatial dim.
typedef struct window {
    int64_t size, stride, before, after, dilation; // size 0: from the kernel's dim
} window;
// From pool_size/strides/padding/dilation: padding is one number, one per dim, or before and after for all dims.
// False after reporting.
bool windows_of(infer_ctx *c, const node *n, uint32_t spatial, window *out);
const char *spatial_letters(uint32_t spatial); // "W", "HW", "DHW"

// "n, c, y0, y1" in the order of a layout: `item` gives the text of each letter's index.
typedef struct index_text {
    const char *batch, *channel, *other; // of N, of C (or O), of I
    const char *space[MAX_SPATIAL];
} index_text;
const char *layout_index(arena *mem, const layout *l, const index_text *t);
#endif
