// append.c - the loop program that writes new keys or values into the cache.
//
//   for i, h, d in T.grid(t, heads, size):
//       slot = slots[i]                                   page * page size + place in it
//       if 0 <= slot < g * page size:
//           pages[slot // page size, slot % page size, h, d] = rows[i, h, d]
//
// A slot outside of the cache is passed over: nothing is ever written outside of it.
#include "nn/nn_inside.h"

typedef struct appending {
    expr_session *s;
    arena *mem;
    const buffer *pages, *rows, *slots;
    const expr *var[3]; // of the block: i, h, d
} appending;

static const expr *op2(const appending *a, expr_op what, const expr *x, const expr *y) {
    return expr_binary(a->s, what, x, y);
}

static const stmt *guarded_store(const appending *a) {
    const expr *page = a->pages->dim[1], *room = op2(a, EXPR_MUL, a->pages->dim[0], page);
    const expr *slot = expr_cast(a->s, DTYPE_OF(I64), expr_load(a->s, a->slots, a->slots->type, &a->var[0], 1));
    const expr *place[] = {op2(a, EXPR_FLOOR_DIV, slot, page), op2(a, EXPR_FLOOR_MOD, slot, page), a->var[1],
                           a->var[2]};
    const expr *inside = op2(a, EXPR_AND, op2(a, EXPR_LE, expr_i64(a->s, 0), slot), op2(a, EXPR_LT, slot, room));
    const expr *value = expr_cast(a->s, a->pages->type, expr_load(a->s, a->rows, a->rows->type, a->var, 3));
    return stmt_if(a->mem, inside, stmt_store(a->mem, a->pages, place, 4, value), NULL);
}

static const stmt *loops(appending *a) {
    static const char *const name[] = {"i", "h", "d"};
    const expr *loop[3];
    iter *iters = ARENA_NEW(a->mem, iter, 3);
    for (uint32_t k = 0; k < 3; k++) {
        loop[k] = expr_new_var(a->s, name[k], DTYPE_OF(I64));
        a->var[k] = expr_new_var(a->s, arena_format(a->mem, "v_%s", name[k]), DTYPE_OF(I64));
        iters[k] = (iter){a->var[k], ITER_SPATIAL, {expr_i64(a->s, 0), a->rows->dim[k]}, loop[k]};
    }
    const block inner = {.name = "append", .iters = 3, .iter = iters, .body = guarded_store(a)};
    const stmt *body = stmt_block(a->mem, &inner);
    for (uint32_t k = 3; k-- > 0;)
        body = stmt_for(a->mem, FOR_SERIAL, loop[k], expr_i64(a->s, 0), a->rows->dim[k], body);
    const block root = {.name = "root", .body = body};
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
    *f = (loop_func){.name = name, .is_private = true, .s_tir = true, .params = 3, .param = param, .body = loops(&a)};
    return f;
}

const char *nn_append_program(nn *n, dtype type, int64_t page, int64_t heads, int64_t size) {
    const char *half = dtype_equal(type, DTYPE_OF(F16)) ? "half_" : "";
    const char *name =
        arena_format(n->mem, "append_%s%lldx%lldx%lld", half, (long long)page, (long long)heads, (long long)size);
    if (!module_find(n->m, name)) module_put_loop(n->m, make(n, name, type, page, heads, size));
    return name;
}
