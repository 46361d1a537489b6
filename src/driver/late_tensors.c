// late_tensors.c - tensors between the programs that one dispatcher chooses among are made where one is chosen that
// uses them.
//
//   alloc = R.memory.alloc_tensor(…)                  when [n 1 <=], few
//   cls.norm_product(x, w, alloc, y)                  launch norm_product_row, (x, w, y)
//                                                     goto end
//                                                   few:
//                                                     alloc_tensor alloc, …
//                                                     launch norm, (x, w, alloc)
//
// Making one costs as much as a launch, and in the step of a language model most of the choices use none.
#include "driver/emit.h"
#include "graph/deduce.h"
#include "pass/programs.h"

// Whether a binding calls a dispatcher with destinations.
static bool calls_dispatcher(const function_emission *f, const node *n) {
    const module_func *callee = n->op->form == FORM_CALL ? deduce_loop(f->e->m, n->in[0]) : NULL;
    return callee && is_dispatcher(callee->loop);
}

// Read by the call and given up: the register is never looked at where no program has used it.
static bool is_between(const function_emission *f, const node *n, const map *fresh) {
    return map_has(fresh, MAP_KEY(n)) && f->uses[n->id] == 2;
}

// From the allocation to the call nothing else happens, so what the tensor lies in is still there.
static void find_in(function_emission *f, const graph_body *body) {
    map fresh = MAP_IN(f->e->mem);
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) find_in(f, &n->as.branch[side]);
            if (n->op == &op_memory_alloc_tensor || n->op == &op_vm_alloc_tensor) {
                map_put(&fresh, MAP_KEY(n), f);
                continue;
            }
            bool chooses = fresh.len && calls_dispatcher(f, n);
            for (uint32_t k = 1; chooses && k < n->count; k++)
                if (is_between(f, n->in[k], &fresh)) map_put(&f->late_nodes, MAP_KEY(n->in[k]), f);
            if (fresh.len) fresh = MAP_IN(f->e->mem);
        }
}

void find_late_tensors(function_emission *f) { find_in(f, &f->f->body); }

bool tensor_waits(function_emission *f, const node *n) {
    if (!map_has(&f->late_nodes, MAP_KEY(n))) return false;
    const late_tensor t = {.reg = register_of(f, n), .n = n};
    VEC_PUSH(f->e->mem, &f->late, t);
    return true;
}

bool make_late_tensors(function_emission *f, const uint32_t *reg, uint32_t count) {
    for (uint32_t i = 0; i < f->late.len; i++)
        for (uint32_t k = 0; k < count; k++) {
            late_tensor *t = &f->late.at[i];
            if (t->reg != reg[k] || t->made) continue;
            if (!emit_placed_tensor(f, t->n, t->reg)) return false;
            t->made = true;
        }
    return true;
}

// Bit sets would be smaller, but a call has few of them.
bool *late_tensors_made(const function_emission *f) {
    bool *made = ARENA_NEW(f->e->mem, bool, f->late.len + 1);
    for (uint32_t i = 0; i < f->late.len; i++) made[i] = f->late.at[i].made;
    return made;
}

void late_tensors_reset(function_emission *f, const bool *made) {
    for (uint32_t i = 0; i < f->late.len; i++) f->late.at[i].made = made[i];
}

void late_tensors_done(function_emission *f) { f->late.len = 0; }
