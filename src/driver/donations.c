// donations.c - which parameters of graph functions are written in place: callers give their memory away.
#include "driver/emit.h"
#include "graph/deduce.h"
#include "pass/memory.h"
#include "pass/programs.h"
#include <string.h>

// The value whose memory n is: other names, views and items of known tuples are looked through.
static const node *memory_of(const node *n) {
    for (;;) {
        if (n->op->form == FORM_BIND || n->op->form == FORM_MATCH_CAST || (is_view(n) && n->count)) {
            n = n->in[0];
        } else if (n->op->form == FORM_ITEM && memory_of(n->in[0])->op->form == FORM_TUPLE) {
            const node *tuple = memory_of(n->in[0]);
            if (n->as.index >= tuple->count) return n;
            n = tuple->in[n->as.index];
        } else {
            return n;
        }
    }
}

static bool donate(emission *e, const node *arg) {
    const node *p = memory_of(arg);
    if (p->op->form != FORM_PARAM || map_has(&e->donated, MAP_KEY(p))) return false;
    map_put(&e->donated, MAP_KEY(p), e);
    return true;
}

static bool donate_to_program(emission *e, const loop_func *callee, const node *const *arg, uint32_t args) {
    const bool *writes = program_writes(e->m, callee);
    bool any = false;
    for (uint32_t i = 0; i < args && i < callee->params; i++) any = (writes[i] && donate(e, arg[i])) || any;
    return any;
}

static bool donate_to_function(emission *e, const graph_func *callee, const node *const *arg, uint32_t args) {
    bool any = false;
    for (uint32_t i = 0; i < args && i < callee->params; i++)
        any = (map_has(&e->donated, MAP_KEY(callee->param[i])) && donate(e, arg[i])) || any;
    return any;
}

// R.call_packed("vm.builtin.call_tir_dyn", cls.f, x, …)
static bool donate_in_packed(emission *e, const node *n) {
    const node *name = deduce_callee(n->in[0]);
    bool dyn =
        n->count > 1 && name->op->form == FORM_EXTERN && strcmp(name->as.text.bytes, "vm.builtin.call_tir_dyn") == 0;
    const module_func *f = dyn ? deduce_loop(e->m, n->in[1]) : NULL;
    return f && donate_to_program(e, f->loop, n->in + 2, n->count - 2);
}

static bool donate_in_call(emission *e, const node *n) {
    bool dyn = n->op == &op_vm_call_tir_dyn;
    if (n->op == &op_call_packed) return donate_in_packed(e, n);
    if (!dyn && n->op->form != FORM_CALL) return false;
    const node *callee = deduce_callee(n->in[0]);
    const module_func *f = callee->op->form == FORM_GLOBAL ? module_find(e->m, callee->as.text.bytes) : NULL;
    const node *const *arg = dyn ? n->in[1]->in : n->in + 1;
    uint32_t args = dyn ? n->in[1]->count : n->count - 1;
    if (f && f->kind == FUNC_LOOP) return donate_to_program(e, f->loop, arg, args);
    return f && f->kind == FUNC_GRAPH && donate_to_function(e, f->graph, arg, args);
}

// What a callee writes its caller gives away too: until nothing is added.
void find_donations(emission *e) {
    func_list list = {0};
    graph_functions(e->m, &list);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < list.len; i++) {
            node_list nodes = {0};
            graph_nodes(list.at[i], e->mem, &nodes);
            for (uint32_t k = 0; k < nodes.len; k++) again = donate_in_call(e, nodes.at[k]) || again;
        }
    }
}
