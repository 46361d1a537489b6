// writer.c - short names for what programs written by hand are put together from.
#include "loop/writer.h"

enum { WIDTH_MOST = 16 };

const expr *write_int(const writer *w, int64_t value) { return expr_i64(w->s, value); }
const expr *write_real(const writer *w, double value) { return expr_float(w->s, w->real, value); }
const expr *write_op(const writer *w, expr_op what, const expr *a, const expr *b) {
    return expr_binary(w->s, what, a, b);
}
const expr *write_plus(const writer *w, const expr *a, int64_t b) { return write_op(w, EXPR_ADD, a, write_int(w, b)); }
const expr *write_times_plus(const writer *w, const expr *a, int64_t b, const expr *c) {
    return write_op(w, EXPR_ADD, write_op(w, EXPR_MUL, a, write_int(w, b)), c);
}
const expr *write_ceil_div(const writer *w, const expr *a, int64_t b) {
    return write_op(w, EXPR_FLOOR_DIV, write_plus(w, a, b - 1), write_int(w, b));
}
const expr *write_call(const writer *w, intrinsic_id f, const expr *a) {
    return expr_call(w->s, intrinsic_get(f), (dtype){0}, &a, 1);
}
const expr *write_as_int(const writer *w, const expr *e) { return expr_cast(w->s, DTYPE_OF(I64), e); }
const expr *write_as_real(const writer *w, const expr *e) { return expr_cast(w->s, w->real, e); }
const expr *write_index(const writer *w, const char *name) { return expr_new_var(w->s, name, DTYPE_OF(I64)); }
const expr *write_within(const writer *w, const expr *e, const expr *least, const expr *most) {
    return write_op(w, EXPR_MAX, write_op(w, EXPR_MIN, e, most), least);
}

const expr *write_load_at(const writer *w, const buffer *b, const expr *const *at) {
    return expr_load(w->s, b, b->type, at, b->rank);
}
const expr *write_load(const writer *w, const buffer *b, const expr *i) { return write_load_at(w, b, &i); }
const expr *write_load2(const writer *w, const buffer *b, const expr *i, const expr *k) {
    return write_load_at(w, b, (const expr *[]){i, k});
}
const stmt *write_store_at(const writer *w, const buffer *b, const expr *const *at, const expr *value) {
    return stmt_store(w->mem, b, at, b->rank, value);
}
const stmt *write_store(const writer *w, const buffer *b, const expr *i, const expr *value) {
    return write_store_at(w, b, &i, value);
}
const stmt *write_store2(const writer *w, const buffer *b, const expr *i, const expr *k, const expr *value) {
    return write_store_at(w, b, (const expr *[]){i, k}, value);
}

const stmt *write_loop(const writer *w, const expr *var, const expr *extent, const stmt *body) {
    return stmt_for(w->mem, FOR_SERIAL, var, write_int(w, 0), extent, body);
}
const stmt *write_unrolled(const writer *w, const expr *var, int64_t extent, const stmt *body) {
    return stmt_for(w->mem, FOR_UNROLLED, var, write_int(w, 0), write_int(w, extent), body);
}
const stmt *write_lanes(const writer *w, const expr *var, int64_t width, const stmt *body) {
    return stmt_for(w->mem, width > 1 ? FOR_VECTORIZED : FOR_SERIAL, var, write_int(w, 0), write_int(w, width), body);
}
const stmt *write_seq(const writer *w, const stmt *const *parts, size_t count) {
    return stmt_seq(w->mem, parts, (uint32_t)count);
}
const stmt *write_mark(const writer *w, const stmt *loop, const char *name) {
    stmt *marked = ARENA_NEW(w->mem, stmt, 1);
    *marked = *loop;
    marked->as.loop.annotations = attr_with(w->mem, NULL, name, attr_int(w->mem, 1));
    return marked;
}

int64_t write_width(int64_t size) {
    int64_t width = WIDTH_MOST;
    while (size % width) width /= 2;
    return size > 0 ? width : 1;
}

lanes write_in_lanes(const writer *w, int64_t width) {
    lanes l = {.outer = write_index(w, "e"), .lane = write_index(w, "lane")};
    l.index = write_times_plus(w, l.outer, width, l.lane);
    return l;
}

turning write_in_squares(const writer *w, int64_t side) {
    turning t = {.rows = write_index(w, "e"), .a = write_index(w, "a"), .b = write_index(w, "b")};
    t.columns = write_index(w, "i");
    t.row = write_times_plus(w, t.rows, side, t.a);
    t.column = write_times_plus(w, t.columns, side, t.b);
    return t;
}

const stmt *write_squares(const writer *w, const turning *t, int64_t side, const expr *rows, const expr *columns,
                          const stmt *body) {
    body = write_lanes(w, t->b, side, body);
    body = side > 1 ? write_mark(w, write_unrolled(w, t->a, side, body), "transposed")
                    : write_loop(w, t->a, write_int(w, side), body);
    return write_loop(w, t->rows, rows, write_loop(w, t->columns, columns, body));
}
