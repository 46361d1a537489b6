// pattern.h - what a loop program does to indices, read from its loops alone (paper, Algorithm 1).
#ifndef PASS_PATTERN_H
#define PASS_PATTERN_H
#include "loop/loop.h"

// The numbers are those of TVM's attribute "op_pattern"; what is greater is harder to fuse.
typedef enum pattern_kind {
    PATTERN_ELEMENTWISE = 0, // out[i, j] = f(a[i, j])
    PATTERN_BROADCAST = 1,   // out[i, j] = f(a[j])
    PATTERN_INJECTIVE = 2,   // out[i, j] = f(a[some function of i and j])
    PATTERN_REDUCTION = 3,   // out[i] += f(a[i, k])
    PATTERN_OUT_FUSIBLE = 4, // a matmul, a convolution, a softmax: elementwise work can follow in the same loops
    PATTERN_TUPLE = 7,
    PATTERN_OPAQUE = 8,
} pattern_kind;

// How the kind is found: as TVM 0.25 does, or `precise`. Precise sees more: gathers, indices that use symbolic sizes,
// blocks that write a part of the output (concatenation), matmuls of computed values; and claims less: extents are
// equal only when that is proved, a read of what the block itself writes elsewhere (a scan) is opaque, as is a
// program without blocks.
pattern_kind loop_pattern(const loop_func *f, expr_session *s, arena *mem, bool precise);
#endif
