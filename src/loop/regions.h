// regions.h - what a statement reads and writes.
#ifndef LOOP_REGIONS_H
#define LOOP_REGIONS_H
#include "expr/prove.h"
#include "loop/loop.h"

typedef VEC(region) region_list;

// The boxes a block's own body touches, over its iteration variables (loops inside are widened to their whole range).
// Buffers allocated inside are left out. What the block both writes and reads in a reduction is not a read (TVM's
// rule).
void block_regions(expr_session *s, arena *mem, const block *b, region_list *reads, region_list *writes);
// The same for any statement, in terms of the variables free in it.
void stmt_regions(expr_session *s, arena *mem, const stmt *st, const facts *f, region_list *reads, region_list *writes);
// The smallest box that holds both, dim by dim; a dim that can't be bounded becomes the buffer's whole extent.
region region_union(expr_session *s, arena *mem, region a, region b, const facts *f);
#endif
