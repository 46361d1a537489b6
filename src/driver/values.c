// values.c - operands into registers: what a node holds itself is made where it is used.
#include "driver/emit.h"
#include <string.h>

// A tensor that several places use is in the file once.
static bool put_tensor(function_emission *f, const node *n, uint32_t reg) {
    const tensor *t = n->as.constant;
    map *known = &f->e->once->constants;
    uintptr_t index = (uintptr_t)map_find(known, MAP_KEY(t));
    const exec_constant c = {
        .kind = CONSTANT_TENSOR, .type = t->type, .dims = t->rank, .dim = t->dim, .bytes = {t->data, t->bytes}};
    if (!index) {
        index = (uintptr_t)exec_writer_constant(f->e->w, &c) + 1;
        map_put(known, MAP_KEY(t), (void *)index);
    }
    instruction(f, OP_CONST);
    operand(f, reg);
    operand(f, (uint32_t)(index - 1));
    return true;
}

static bool put_text(function_emission *f, const char *bytes, size_t size, uint32_t reg) {
    uint32_t index = text_constant(f, bytes, size);
    instruction(f, OP_CONST);
    operand(f, reg);
    operand(f, index);
    return true;
}

static bool put_dtype(function_emission *f, const node *n, uint32_t reg) {
    char spelling[32];
    dtype_spell(n->as.type, spelling);
    return put_text(f, spelling, strlen(spelling), reg);
}

static bool put_shape(function_emission *f, const node *n, uint32_t reg) {
    uint32_t rank = n->as.shape.rank, *program = ARENA_NEW(f->e->mem, uint32_t, rank);
    if (!programs_of(f, n->as.shape.dim, rank, n->at, program)) return false;
    instruction(f, OP_SHAPE);
    operand(f, reg);
    operands(f, program, rank);
    return true;
}

static bool put_prim(function_emission *f, const node *n, uint32_t reg) {
    uint32_t program;
    if (!program_of(f, n->as.value, n->at, &program)) return false;
    instruction(f, OP_PRIM);
    operand(f, reg);
    operand(f, op_dtype(n->as.value->type));
    operand(f, program);
    return true;
}

static bool put_tuple(function_emission *f, const node *n, uint32_t reg) {
    uint32_t *item = ARENA_NEW(f->e->mem, uint32_t, n->count);
    if (!values_of(f, n->in, n->count, item)) return false;
    instruction(f, OP_TUPLE);
    operand(f, reg);
    operands(f, item, n->count);
    return true;
}

static bool put_item(function_emission *f, const node *n, uint32_t reg) {
    uint32_t tuple;
    if (!value_of(f, n->in[0], &tuple)) return false;
    instruction(f, OP_ITEM);
    operand(f, reg);
    operand(f, tuple);
    operand(f, n->as.index);
    return true;
}

// A function of the module as a value: a closure that carries nothing.
static bool put_function(function_emission *f, const node *n, uint32_t reg) {
    uintptr_t index = (uintptr_t)text_map_find(&f->e->functions, n->as.text.bytes);
    if (!index)
        return diag_error(f->e->d, n->at, "%s: %s is no graph function, so it can't be used as a value", f->f->name,
                          n->as.text.bytes);
    instruction(f, OP_CLOSURE);
    operand(f, reg);
    operand(f, (uint32_t)(index - 1));
    operands(f, NULL, 0);
    return true;
}

static bool refuse(function_emission *f, const node *n) {
    return diag_error(f->e->d, n->at, "%s: %s can't be a value at run time", f->f->name, n->op->name);
}

bool leaf_into(function_emission *f, const node *n, uint32_t reg) {
    switch (n->op->form) {
    case FORM_CONSTANT: return put_tensor(f, n, reg);
    case FORM_SHAPE: return put_shape(f, n, reg);
    case FORM_PRIM: return put_prim(f, n, reg);
    case FORM_STRING: return put_text(f, n->as.text.bytes, n->as.text.size, reg);
    case FORM_DTYPE: return put_dtype(f, n, reg);
    case FORM_TUPLE: return put_tuple(f, n, reg);
    case FORM_ITEM: return put_item(f, n, reg);
    case FORM_GLOBAL: return put_function(f, n, reg);
    case FORM_OPERATOR:
    case FORM_PARAM:
    case FORM_EXTERN:
    case FORM_CLOSURE:
    case FORM_CALL:
    case FORM_IF:
    case FORM_MATCH_CAST:
    case FORM_BIND: break;
    }
    return refuse(f, n);
}

bool is_empty_tuple(const ann *a) { return a->kind == ANN_TUPLE && !a->count; }

bool value_of(function_emission *f, const node *n, uint32_t *out) {
    bool bound = n->name && n->owner == f->f && n->id < f->f->nodes;
    if (bound && f->reg[n->id]) {
        *out = f->reg[n->id] - 1;
        return true;
    }
    if (bound && is_empty_tuple(n->type)) {
        *out = register_temp(f);
        instruction(f, OP_TUPLE);
        operand(f, *out);
        operands(f, NULL, 0);
        return true;
    }
    if (n->name)
        return diag_error(f->e->d, n->at, "%s: %s belongs to another function; run LambdaLift before emission",
                          f->f->name, n->name);
    *out = register_temp(f);
    return leaf_into(f, n, *out);
}

bool values_of(function_emission *f, const node *const *n, uint32_t count, uint32_t *out) {
    for (uint32_t i = 0; i < count; i++)
        if (!value_of(f, n[i], &out[i])) return false;
    return true;
}
