// programs.c - symbols to slots, and sizes to the integer programs that the runtime evaluates.
#include "driver/emit.h"

uint32_t slot_of(function_emission *f, const expr *var) {
    uintptr_t known = (uintptr_t)map_find(&f->slots, MAP_KEY(var));
    if (known) return (uint32_t)(known - 1);
    map_put(&f->slots, MAP_KEY(var), (void *)(uintptr_t)(++f->slot_count));
    return f->slot_count - 1;
}

// The first symbol of e without a value; NULL if all have one.
static const expr *unbound_in(function_emission *f, const expr *e) {
    expr_list vars = {0};
    expr_free_vars(e, f->e->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (!map_has(&f->bound, MAP_KEY(vars.at[i]))) return vars.at[i];
    return NULL;
}

// A float's bits are what a kernel gets.
static bool float_program(function_emission *f, const expr *e, uint32_t *out) {
    *out = exec_writer_int(f->e->w, (int64_t)dtype_encode_float(e->type, e->as.fval));
    return true;
}

bool program_of(function_emission *f, const expr *e, loc at, uint32_t *out) {
    arena *mem = f->e->mem;
    int64_t value;
    if (e->op == EXPR_FLOAT) return float_program(f, e, out);
    const expr *small = expr_is_index(e) ? expr_simplify(f->e->m->exprs, e, f->facts) : e;
    const expr *missing = unbound_in(f, small);
    if (missing)
        return diag_error(f->e->d, at, "%s: %s needs %s, which has no value here", f->f->name, expr_to_text(mem, e),
                          missing->as.var->name);
    if (expr_const_int(small, &value)) {
        *out = exec_writer_int(f->e->w, value);
        return true;
    }
    if (small->op == EXPR_VAR) {
        *out = exec_writer_slot(f->e->w, slot_of(f, small));
        return true;
    }
    uint8_t *bytes;
    size_t size;
    if (!expr_to_postfix(small, &f->slots, mem, &bytes, &size))
        return diag_error(f->e->d, at, "%s: %s can't be computed by the runtime: it is no integer expression",
                          f->f->name, expr_to_text(mem, small));
    *out = exec_writer_program(f->e->w, bytes, size);
    return true;
}

bool programs_of(function_emission *f, const expr *const *e, uint32_t count, loc at, uint32_t *out) {
    for (uint32_t i = 0; i < count; i++)
        if (!program_of(f, e[i], at, &out[i])) return false;
    return true;
}

const expr *scalar_of(function_emission *f, const node *n) {
    if (n->type->value) return n->type->value;
    const expr *var = expr_new_var(f->e->m->exprs, n->name ? n->name : "scalar", n->type->type);
    uint32_t reg;
    if (!value_of(f, n, &reg)) return NULL;
    instruction(f, OP_SLOT_PRIM);
    operand(f, slot_of(f, var));
    operand(f, reg);
    map_put(&f->bound, MAP_KEY(var), f);
    return var;
}
