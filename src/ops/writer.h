// writer.h - short names for what a program that is written by hand, loop by loop, is put together from.
//
// Indices are int64, values of the type `real`. A writer is passed by value or pointer and owns nothing: all it makes
// lives as long as its arena.
#ifndef OPS_WRITER_H
#define OPS_WRITER_H
#include "graph/op.h"

typedef struct writer {
    expr_session *s;
    arena *mem;
    dtype real;
} writer;

// --- Expressions.
const expr *write_int(const writer *w, int64_t value);
const expr *write_real(const writer *w, double value);
const expr *write_op(const writer *w, expr_op what, const expr *a, const expr *b);
const expr *write_call(const writer *w, intrinsic_id f, const expr *a);
const expr *write_index(const writer *w, const char *name);                                    // a new variable
const expr *write_within(const writer *w, const expr *e, const expr *least, const expr *most); // least wins

// --- Elements of buffers of rank 1 and 2.
const expr *write_load(const writer *w, const buffer *b, const expr *i);
const expr *write_load2(const writer *w, const buffer *b, const expr *i, const expr *k);
const stmt *write_store(const writer *w, const buffer *b, const expr *i, const expr *value);
const stmt *write_store2(const writer *w, const buffer *b, const expr *i, const expr *k, const expr *value);

// --- Statements.
const stmt *write_loop(const writer *w, const expr *var, const expr *extent, const stmt *body); // from 0, in order
const stmt *write_unrolled(const writer *w, const expr *var, int64_t extent, const stmt *body);
const stmt *write_lanes(const writer *w, const expr *var, int64_t width, const stmt *body); // at once
const stmt *write_seq(const writer *w, const stmt *const *parts, size_t count);
// The loop with an annotation of this name.
const stmt *write_mark(const writer *w, const stmt *loop, const char *name);
#endif
