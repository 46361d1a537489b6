// captures.c - functions that get the machine itself: memory that stays, launches that are recorded and replayed.
#include "driver/emit.h"
#include "exec/verify.h"
#include "graph/build.h"
#include "graph/deduce.h"
#include "pass/liveness.h"
#include <string.h>

// The function of the module and the number it is kept or recorded under: (cls.f, …, number).
static bool machine_callee(function_emission *f, const node *n, const node *func, const node *number, uint32_t *index,
                           uint32_t *out) {
    const node *callee = deduce_callee(func);
    int64_t value;
    uintptr_t known = 0;
    if (callee->op->form == FORM_GLOBAL) known = (uintptr_t)text_map_find(&f->e->functions, callee->as.text.bytes);
    if (!known)
        return diag_error(f->e->d, n->at, "%s: %s: want a graph function of the module", f->f->name, n->op->name);
    const expr *e = number->type->kind == ANN_PRIM ? number->type->value : NULL;
    if (!e || !expr_const_int(e, &value) || value < 0 || value >= EXEC_MAX_CACHES)
        return diag_error(f->e->d, n->at, "%s: %s: want a number below %d", f->f->name, n->op->name, EXEC_MAX_CACHES);
    *index = (uint32_t)(known - 1);
    *out = (uint32_t)value;
    return true;
}

// get_cached_alloc(cls.f, number)
static bool emit_cached(function_emission *f, const node *n) {
    const node *args = n->in[1];
    uint32_t index, number;
    if (args->count != 2) return diag_error(f->e->d, n->at, "%s: %s: want (function, number)", f->f->name, n->op->name);
    if (!machine_callee(f, n, args->in[0], args->in[1], &index, &number)) return false;
    uint32_t d = register_of(f, n);
    instruction(f, OP_CACHED);
    operand(f, d);
    operand(f, index);
    operand(f, number);
    return true;
}

// A text's own function may: what it gives is new in each call, so there is nothing to replay.
static bool allocates(const function_emission *f, const node *func) {
    const module_func *callee = module_find(f->e->m, deduce_callee(func)->as.text.bytes);
    node_list nodes = {0};
    graph_nodes(callee->graph, f->e->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++)
        if (is_alloc_storage(nodes.at[i]) || nodes.at[i]->op == &op_builtin_alloc_tensor) return true;
    return false;
}

// run_or_capture(cls.f, (values…), number, symbols): the symbols are among the values, whose dims are compared.
static bool emit_capture(function_emission *f, const node *n) {
    const node *args = n->in[1];
    uint32_t index, number;
    bool fits = (args->count == 3 || args->count == 4) && args->in[1]->op->form == FORM_TUPLE;
    if (!fits)
        return diag_error(f->e->d, n->at, "%s: %s: want (function, values, number, symbols)", f->f->name, n->op->name);
    if (!machine_callee(f, n, args->in[0], args->in[2], &index, &number)) return false;
    uint32_t count = args->in[1]->count, *reg = ARENA_NEW(f->e->mem, uint32_t, count);
    if (allocates(f, args->in[0])) return emit_function_call(f, n, index, args->in[1]->in, count);
    if (!values_of(f, args->in[1]->in, count, reg)) return false;
    uint32_t d = register_of(f, n);
    instruction(f, OP_CAPTURE);
    operand(f, d);
    operand(f, index);
    operand(f, number);
    operands(f, reg, count);
    operands(f, NULL, 0);
    return true;
}

static const struct {
    const char *name;
    bool (*emit)(function_emission *f, const node *n);
} with_machine[] = {
    {"vm.builtin.cuda_graph.get_cached_alloc", emit_cached},
    {"vm.builtin.cuda_graph.run_or_capture", emit_capture},
};

bool emit_with_machine(function_emission *f, const node *n) {
    const char *name = n->in[0]->op->form == FORM_EXTERN ? n->in[0]->as.text.bytes : "a value";
    for (size_t i = 0; i < COUNT(with_machine) && n->in[1]->op->form == FORM_TUPLE; i++)
        if (strcmp(with_machine[i].name, name) == 0) return with_machine[i].emit(f, n);
    bool heap = strcmp(name, "vm.builtin.alloc_shape_heap") == 0;
    return diag_error(f->e->d, n->at, "%s: there is no function %s that R.call_builtin_with_ctx could call%s",
                      f->f->name, name, heap ? ": " NO_SHAPE_HEAP : "");
}
