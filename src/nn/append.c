// append.c - the loop program that writes new keys or values into the cache.
//
//   for i in range(t):
//       slot = slots[i]                                   page * page size + place in it
//       if 0 <= slot < g * page size:
//           for h, d in T.grid(heads, size): pages[slot // page size, slot % page size, h, d] = rows[i, h, d]
//
// A slot outside of the cache is passed over: nothing is ever written outside of it.
#include "nn/nn_inside.h"

enum { MOST_LANES = 16 };

typedef struct appending {
    expr_session *s;
    arena *mem;
    const buffer *pages, *rows, *slots;
    const expr *token; // of the block
} appending;

static const expr *op2(const appending *a, expr_op what, const expr *x, const expr *y) {
    return expr_binary(a->s, what, x, y);
}
static const stmt *loop(const appending *a, for_kind kind, const expr *var, const expr *extent, const stmt *body) {
    return stmt_for(a->mem, kind, var, expr_i64(a->s, 0), extent, body);
}

static int64_t lanes_of(int64_t size) {
    int64_t lanes = MOST_LANES;
    while (size % lanes) lanes /= 2;
    return lanes;
}

// One token's row into its place, in vectors.
static const stmt *copy_row(const appending *a, const expr *slot, int64_t size) {
    const expr *page = a->pages->dim[1], *h = expr_new_var(a->s, "h", DTYPE_OF(I64));
    const expr *part = expr_new_var(a->s, "e", DTYPE_OF(I64)), *lane = expr_new_var(a->s, "lane", DTYPE_OF(I64));
    const expr *lanes = expr_i64(a->s, lanes_of(size)), *d = op2(a, EXPR_ADD, op2(a, EXPR_MUL, part, lanes), lane);
    const expr *from[] = {a->token, h, d};
    const expr *to[] = {op2(a, EXPR_FLOOR_DIV, slot, page), op2(a, EXPR_FLOOR_MOD, slot, page), h, d};
    const expr *value = expr_cast(a->s, a->pages->type, expr_load(a->s, a->rows, a->rows->type, from, 3));
    const stmt *body = stmt_store(a->mem, a->pages, to, 4, value);
    body = loop(a, lanes_of(size) > 1 ? FOR_VECTORIZED : FOR_SERIAL, lane, lanes, body);
    body = loop(a, FOR_UNROLLED, part, expr_i64(a->s, size / lanes_of(size)), body);
    return loop(a, FOR_SERIAL, h, a->rows->dim[1], body);
}

static const stmt *guarded_row(const appending *a, int64_t size) {
    const expr *room = op2(a, EXPR_MUL, a->pages->dim[0], a->pages->dim[1]);
    const expr *slot = expr_cast(a->s, DTYPE_OF(I64), expr_load(a->s, a->slots, a->slots->type, &a->token, 1));
    const expr *inside = op2(a, EXPR_AND, op2(a, EXPR_LE, expr_i64(a->s, 0), slot), op2(a, EXPR_LT, slot, room));
    const expr *there = expr_new_var(a->s, "slot", DTYPE_OF(I64));
    return stmt_if(a->mem, inside, stmt_let(a->mem, there, slot, copy_row(a, there, size)), NULL);
}

static const stmt *loops(appending *a, int64_t size) {
    const expr *i = expr_new_var(a->s, "i", DTYPE_OF(I64));
    iter *iters = ARENA_NEW(a->mem, iter, 1);
    a->token = expr_new_var(a->s, "v_i", DTYPE_OF(I64));
    iters[0] = (iter){a->token, ITER_SPATIAL, {expr_i64(a->s, 0), a->rows->dim[0]}, i};
    const block inner = {.name = "append", .iters = 1, .iter = iters, .body = guarded_row(a, size)};
    const block root = {.name = "root", .body = loop(a, FOR_SERIAL, i, a->rows->dim[0], stmt_block(a->mem, &inner))};
    return stmt_block(a->mem, &root);
}

static const loop_func *make(nn *n, const char *name, dtype type, int64_t page, int64_t heads, int64_t size) {
    expr_session *s = n->m->exprs;
    const expr *g = expr_new_var(s, "g", DTYPE_OF(I64)), *t = expr_new_var(s, "t", DTYPE_OF(I64));
    const expr *dim[] = {g, expr_i64(s, page), expr_i64(s, heads), expr_i64(s, size)};
    const expr *rows[] = {t, dim[2], dim[3]};
    appending a = {.s = s,
                   .mem = n->mem,
                   .pages = buffer_new(s, "pages", type, dim, 4, "global"),
                   .rows = buffer_new(s, "rows", DTYPE_OF(F32), rows, 3, "global"),
                   .slots = buffer_new(s, "slots", DTYPE_OF(I32), &t, 1, "global")};
    const buffer *all[] = {a.pages, a.rows, a.slots};
    loop_param *param = ARENA_NEW(n->mem, loop_param, 3);
    for (uint32_t i = 0; i < 3; i++)
        param[i] = (loop_param){.var = expr_new_var(s, arena_format(n->mem, "var_%s", all[i]->name), DTYPE_OF(HANDLE)),
                                .buf = all[i]};
    loop_func *f = ARENA_NEW(n->mem, loop_func, 1);
    *f = (loop_func){
        .name = name, .is_private = true, .s_tir = true, .params = 3, .param = param, .body = loops(&a, size)};
    return f;
}

const char *nn_append_program(nn *n, dtype type, int64_t page, int64_t heads, int64_t size) {
    const char *half = dtype_equal(type, DTYPE_OF(F16)) ? "half_" : "";
    const char *name =
        arena_format(n->mem, "append_%s%lldx%lldx%lld", half, (long long)page, (long long)heads, (long long)size);
    if (!module_find(n->m, name)) module_put_loop(n->m, make(n, name, type, page, heads, size));
    return name;
}
