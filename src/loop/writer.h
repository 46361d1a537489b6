// writer.h - short names for what a program that is written by hand, loop by loop, is put together from.
//
// Indices are int64, values of the type `real`. A writer is passed by pointer and owns nothing: all it makes lives as
// long as its arena.
#ifndef LOOP_WRITER_H
#define LOOP_WRITER_H
#include "loop/loop.h"

typedef struct writer {
    expr_session *s;
    arena *mem;
    dtype real;
} writer;

// --- Expressions.
const expr *write_int(const writer *w, int64_t value);
const expr *write_real(const writer *w, double value);
const expr *write_op(const writer *w, expr_op what, const expr *a, const expr *b);
const expr *write_plus(const writer *w, const expr *a, int64_t b);
const expr *write_times_plus(const writer *w, const expr *a, int64_t b, const expr *c); // a * b + c
const expr *write_ceil_div(const writer *w, const expr *a, int64_t b);
const expr *write_call(const writer *w, intrinsic_id f, const expr *a);
const expr *write_as_int(const writer *w, const expr *e);
const expr *write_as_real(const writer *w, const expr *e);
const expr *write_index(const writer *w, const char *name);                                    // a new variable
const expr *write_within(const writer *w, const expr *e, const expr *least, const expr *most); // least wins

// --- Elements of buffers: of rank 0 (i is NULL) or 1, of rank 2, of any rank.
const expr *write_load(const writer *w, const buffer *b, const expr *i);
const expr *write_load2(const writer *w, const buffer *b, const expr *i, const expr *k);
const expr *write_load_at(const writer *w, const buffer *b, const expr *const *at);
const stmt *write_store(const writer *w, const buffer *b, const expr *i, const expr *value);
const stmt *write_store2(const writer *w, const buffer *b, const expr *i, const expr *k, const expr *value);
const stmt *write_store_at(const writer *w, const buffer *b, const expr *const *at, const expr *value);

// --- Statements. Loops begin at 0.
const stmt *write_loop(const writer *w, const expr *var, const expr *extent, const stmt *body); // in order
const stmt *write_unrolled(const writer *w, const expr *var, int64_t extent, const stmt *body);
const stmt *write_lanes(const writer *w, const expr *var, int64_t width, const stmt *body); // at once
const stmt *write_seq(const writer *w, const stmt *const *parts, size_t count);
// The loop with an annotation of this name.
const stmt *write_mark(const writer *w, const stmt *loop, const char *name);

// --- Vectors.

// The widest vectors, of at most 16 elements, that so many elements are cut into without a rest. 1 for none.
int64_t write_width(int64_t size);
// outer * width + lane: an element in a loop over whole vectors, `outer` around `lane`.
typedef struct lanes {
    const expr *outer, *lane, *index;
} lanes;
lanes write_in_lanes(const writer *w, int64_t width);

// --- Squares: rows and columns exchanged side by side in registers.

// to[row, column] of a buffer of [rows, columns] elements, side * side of them at once.
typedef struct turning {
    const expr *row, *column;
    const expr *rows, *columns, *a, *b; // row = rows * side + a, column = columns * side + b
} turning;
turning write_in_squares(const writer *w, int64_t side);
// The loops around a statement that uses it, over so many squares. Vectors run along columns.
const stmt *write_squares(const writer *w, const turning *t, int64_t side, const expr *rows, const expr *columns,
                          const stmt *body);
#endif
