// table.c - names for compute texts, and numbers out of attributes and operands.
#include "ops/table.h"

static compute_name *next_name(name_list *l, const char *name) {
    CHECK(l->len < COUNT(l->at));
    compute_name *c = &l->at[l->len++];
    *c = (compute_name){.name = name};
    return c;
}

void name_value(name_list *l, const char *name, const expr *value) { next_name(l, name)->value = value; }

void name_number(const lower_ctx *c, name_list *l, const char *name, int64_t value) {
    name_value(l, name, expr_i64(c->exprs, value));
}

void name_exprs(const lower_ctx *c, name_list *l, const char *name, const expr *const *list, uint32_t count) {
    const expr **copy = ARENA_NEW(c->mem, const expr *, count);
    for (uint32_t i = 0; i < count; i++) copy[i] = list[i];
    compute_name *name_of = next_name(l, name);
    name_of->is_list = true;
    name_of->list = copy;
    name_of->count = count;
}

void name_numbers(const lower_ctx *c, name_list *l, const char *name, const int64_t *list, uint32_t count) {
    const expr **values = ARENA_NEW(c->mem, const expr *, count);
    for (uint32_t i = 0; i < count; i++) values[i] = expr_i64(c->exprs, list[i]);
    name_exprs(c, l, name, values, count);
}

const loop_func *compute_with(const lower_ctx *c, const node *n, const char *meaning, const name_list *l) {
    return compute_build(c, n, meaning, l->at, l->len);
}

uint32_t attr_numbers(const node *n, const char *name, int64_t *out, uint32_t room) {
    const attr *a = node_attr(n, name);
    if (a->kind != ATTR_LIST) return room && attr_get_int(a, &out[0]) ? 1 : 0;
    CHECK(a->count <= room);
    for (uint32_t i = 0; i < a->count; i++)
        if (!attr_get_int(a->list[i], &out[i])) return i;
    return a->count;
}

bool operand_values(const node *n, uint32_t i, const expr **out, uint32_t room, uint32_t *count) {
    const ann *a = n->in[i]->type;
    bool shape = a->kind == ANN_SHAPE && a->rank >= 0 && (a->dim || !a->rank);
    *count = shape ? (uint32_t)a->rank : a->count;
    if ((!shape && a->kind != ANN_TUPLE) || *count > room) return false;
    for (uint32_t k = 0; k < *count; k++) {
        out[k] = shape ? a->dim[k] : a->field[k]->kind == ANN_PRIM ? a->field[k]->value : NULL;
        if (!out[k]) return false;
    }
    return true;
}
