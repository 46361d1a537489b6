// compute_scan.c - running sums and products: `out[i..., k@axis] scan+= x[i..., k@axis]`.
//
//   for i:                                  one block per row, whose body runs along k
//       acc = 0
//       for k: acc += x[i, k]; out[i, k] = acc      (exclusive: stored before adding)
#include "ops/compute_nest.h"

enum { MAX_RANK = 64 };

// The element at the placed index of the target.
static int32_t scanned_element(nest *z) {
    const term *target = z->st->target;
    for (uint32_t i = 0; i < target->count; i++) {
        slot s = {.t = target->in[i], .element = 0};
        if (target->place[i].placed) return nest_plain(z, &s);
    }
    nest_fail(z, target->at, "scan wants a placed index");
    return -1;
}

static bool is_exclusive(nest *z) {
    const compute_name *c = text_map_find(&z->p->constants, "exclusive");
    int64_t value = 0;
    return c && c->value && expr_const_int(c->value, &value) && value;
}

static const stmt *row_body(nest *z, const comp_tensor *t, const expr *const *index, const buffer *acc, uint32_t k) {
    program *p = z->p;
    bool add = z->st->update == UPDATE_SCAN_ADD;
    const expr *value = nest_convert(z, nest_value(z, z->st->value, -1, acc->type), acc->type);
    const expr *sum = expr_load(p->s, acc, acc->type, NULL, 0);
    const stmt *step = stmt_store(p->mem, acc, NULL, 0, nest_arith(z, add ? EXPR_ADD : EXPR_MUL, sum, value));
    const stmt *out = stmt_store(p->mem, t->buf, index, t->rank, nest_convert(z, sum, t->type));
    const stmt *both[] = {step, out}, *swapped[] = {out, step};
    const index_element *e = &z->element.at[k];
    const stmt *body = stmt_seq(p->mem, is_exclusive(z) ? swapped : both, 2);
    return stmt_for(p->mem, FOR_SERIAL, e->var, expr_i64(p->s, 0), e->extent, body);
}

const stmt *nest_scan(nest *z, const comp_tensor *t, const expr *const *index) {
    program *p = z->p;
    int32_t k = scanned_element(z);
    dtype type = accumulator(t->type);
    if (k < 0) return NULL;
    buffer *acc = buffer_new(p->s, arena_format(p->mem, "%s_acc", t->buf->name), type, NULL, 0, "local");
    bool add = z->st->update == UPDATE_SCAN_ADD;
    const expr *start = dtype_is_float(type) ? expr_float(p->s, type, add ? 0.0 : 1.0) : expr_int(p->s, type, !add);
    const stmt *parts[] = {stmt_store(p->mem, acc, NULL, 0, start), row_body(z, t, index, acc, (uint32_t)k)};
    const buffer **alloc = ARENA_NEW(p->mem, const buffer *, 1);
    alloc[0] = acc;
    uint32_t kept = 0; // the scanned element is no loop around the block
    for (uint32_t i = 0; i < z->order.len; i++)
        if (z->order.at[i] != (uint32_t)k) z->order.at[kept++] = z->order.at[i];
    z->order.len = kept;
    return z->failed
               ? NULL
               : nest_loops(
                     z,
                     &(block){.name = t->buf->name, .allocs = 1, .alloc = alloc, .body = stmt_seq(p->mem, parts, 2)});
}
