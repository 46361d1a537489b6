// writer.c - short names for what programs written by hand are put together from.
#include "ops/writer.h"

const expr *write_int(const writer *w, int64_t value) { return expr_i64(w->s, value); }
const expr *write_real(const writer *w, double value) { return expr_float(w->s, w->real, value); }
const expr *write_op(const writer *w, expr_op what, const expr *a, const expr *b) {
    return expr_binary(w->s, what, a, b);
}
const expr *write_call(const writer *w, intrinsic_id f, const expr *a) {
    return expr_call(w->s, intrinsic_get(f), (dtype){0}, &a, 1);
}
const expr *write_index(const writer *w, const char *name) { return expr_new_var(w->s, name, DTYPE_OF(I64)); }
const expr *write_within(const writer *w, const expr *e, const expr *least, const expr *most) {
    return write_op(w, EXPR_MAX, write_op(w, EXPR_MIN, e, most), least);
}

const expr *write_load(const writer *w, const buffer *b, const expr *i) { return expr_load(w->s, b, b->type, &i, 1); }
const expr *write_load2(const writer *w, const buffer *b, const expr *i, const expr *k) {
    const expr *at[] = {i, k};
    return expr_load(w->s, b, b->type, at, 2);
}
const stmt *write_store(const writer *w, const buffer *b, const expr *i, const expr *value) {
    return stmt_store(w->mem, b, &i, 1, value);
}
const stmt *write_store2(const writer *w, const buffer *b, const expr *i, const expr *k, const expr *value) {
    const expr *at[] = {i, k};
    return stmt_store(w->mem, b, at, 2, value);
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
