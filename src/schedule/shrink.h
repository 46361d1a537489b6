// shrink.h - a buffer that keeps only what is used of it inside a loop; for compact.c.
#ifndef SCHEDULE_SHRINK_H
#define SCHEDULE_SHRINK_H
#include "schedule/inside.h"

// Rewrites *body, the body of the loop at the path's end, to use a buffer of the size of what it touches of `buf` in
// one iteration. Returns that buffer.
const buffer *shrink(schedule *sch, const stmt_list *path, const stmt **body, const buffer *buf);
// Puts a block with these allocations around the body of the loop at the path's end.
void shrink_wrap(schedule *sch, const stmt_list *path, const stmt *body, const buffer *const *buf, uint32_t count);
#endif
