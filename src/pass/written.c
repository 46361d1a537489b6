// written.c - which values of a function lie in memory that a call in it writes.
#include "pass/written.h"
#include "graph/deduce.h"
#include "ops/ops.h"
#include "pass/memory.h"
#include "pass/programs.h"

typedef struct marks {
    module *m;
    map *out;
    bool again; // something was added
} marks;

static bool has(const marks *k, const node *n) { return map_has(k->out, MAP_KEY(n)); }

static void mark(marks *k, const node *n) {
    if (has(k, n)) return;
    map_put(k->out, MAP_KEY(n), k->m);
    k->again = true;
}

// --- Who shares memory: other names, views, tuples and what they hold, branches, tensors in a storage.

static bool shares(const node *n) {
    op_form form = n->op->form;
    return form == FORM_BIND || form == FORM_MATCH_CAST || form == FORM_ITEM || is_view(n) ||
           n->op == &op_memory_alloc_tensor || n->op == &op_vm_alloc_tensor;
}

// --- Calls that write.

// Functions that aren't known write where they are given memory: values are values to them, as in TVM.
static void mark_memory(marks *k, const node *n) {
    for (uint32_t i = 1; i < n->count; i++) {
        const node *root = n->in[i];
        while (!root->op->fresh && shares(root) && root->count) root = root->in[0];
        if (root->op->fresh) mark(k, n->in[i]);
    }
}

static void mark_of_program(marks *k, const loop_func *f, const node *const *arg, uint32_t args) {
    const bool *writes = program_writes(k->m, f);
    for (uint32_t i = 0; i < args && i < f->params; i++)
        if (writes[i]) mark(k, arg[i]);
}

static void mark_of_call(marks *k, const node *n) {
    const module_func *f = deduce_loop(k->m, n->in[0]);
    if (f)
        mark_of_program(k, f->loop, n->in + 1, n->count - 1);
    else if (has_effect(n))
        mark_memory(k, n);
}

// inplace_indices counts the fields of the argument tuple, or the arguments behind the callee.
static void mark_in_place(marks *k, const node *n, const attr *indices) {
    bool fields = n->op->input[1].kind == INPUT_TUPLE && n->in[1]->op->form == FORM_TUPLE && !n->in[1]->name;
    if (!fields && n->op->input[1].kind == INPUT_TUPLE) mark(k, n->in[1]);
    const node *const *arg = fields ? n->in[1]->in : n->in + 1;
    uint32_t args = fields ? n->in[1]->count : n->count - 1;
    for (uint32_t i = 0; i < indices->count; i++) {
        int64_t at;
        if (attr_get_int(indices->list[i], &at) && at >= 0 && at < args) mark(k, arg[at]);
    }
}

static void mark_writes(marks *k, const node *n) {
    uint32_t rows = op_attrs(n->op);
    if (n->op->form == FORM_CALL) mark_of_call(k, n);
    for (uint32_t row = 0; n->attr && row < rows; row++)
        if (text_starts(n->op->attr[row].name, "inplace_indices") && n->attr[row]->kind == ATTR_LIST)
            mark_in_place(k, n, n->attr[row]);
    bool calls = n->op->input[0].kind == INPUT_FUNC || n->op == &op_invoke_closure;
    if (n->op->form == FORM_OPERATOR && n->op->impure && calls) mark_memory(k, n);
}

// In both directions.
static void spread_among(marks *k, const node *n, const node *const *other, uint32_t count) {
    bool any = has(k, n);
    for (uint32_t i = 0; i < count; i++) any |= has(k, other[i]);
    if (!any) return;
    mark(k, n);
    for (uint32_t i = 0; i < count; i++) mark(k, other[i]);
}

// The operands of a call stand in a tuple without a name: one of them that is written says nothing of the others.
static void spread_tuple(marks *k, const node *n) {
    if (n->name || has(k, n)) spread_among(k, n, n->in, n->count);
}

static void spread_branch(marks *k, const node *n, const node *result) {
    spread_among(k, n, &result, 1);
    if (result->op->form == FORM_TUPLE) spread_among(k, n, result->in, result->count);
}

static void spread(marks *k, const node *n) {
    for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) spread_branch(k, n, n->as.branch[side].result);
    if (n->op->form == FORM_TUPLE) spread_tuple(k, n);
    if (!shares(n) || !n->count) return;
    const node *from = n->in[0];
    bool item = n->op->form == FORM_ITEM && from->op->form == FORM_TUPLE && n->as.index < from->count;
    spread_among(k, n, item ? &from->in[n->as.index] : &from, 1);
}

void find_written(module *m, const graph_func *f, map *out) {
    marks k = {.m = m, .out = out};
    node_list nodes = {0};
    every_node(f, m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) mark_writes(&k, nodes.at[i]);
    while (k.again) {
        k.again = false;
        for (uint32_t i = 0; i < nodes.len; i++) spread(&k, nodes.at[i]);
        for (uint32_t i = nodes.len; i-- > 0;) spread(&k, nodes.at[i]);
    }
}

bool touches_written(const map *written, const node *n) {
    if (!written->len) return false;
    if (map_has(written, MAP_KEY(n))) return true;
    for (uint32_t i = 0; i < n->count; i++) {
        const node *in = n->in[i];
        bool fields = in->op->form == FORM_TUPLE && !in->name; // nested as deep as the reader allows
        if (map_has(written, MAP_KEY(in)) || (fields && touches_written(written, in))) return true;
    }
    return false;
}
