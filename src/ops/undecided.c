// undecided.c - what of a call only the run can decide: dims that must be equal and that nothing proves equal.
//
// Deduction takes them for equal and goes on. Compiled code (LegalizeOps) and the interpreter both compare them when
// the module runs, by this one list, so that they refuse the same calls in the same words.
#include "ops/infer.h"
#include "ops/ops.h"
#include <string.h>

static bool is_noted(const expr_list *pairs, const expr *want, const expr *got) {
    for (uint32_t i = 0; i < pairs->len; i += 2)
        if (pairs->at[i] == want && pairs->at[i + 1] == got) return true;
    return false;
}

// Deductions ask the same question more than once.
static void keep_each_once(arena *mem, const expr_list *found, expr_list *pairs) {
    for (uint32_t i = 0; i < found->len; i += 2) {
        if (is_noted(pairs, found->at[i], found->at[i + 1])) continue;
        VEC_PUSH(mem, pairs, found->at[i]);
        VEC_PUSH(mem, pairs, found->at[i + 1]);
    }
}

const ann *op_undecided(const infer_ctx *c, const node *n, expr_list *pairs) {
    expr_list found = {0};
    infer_ctx asking = *c;
    if (!n->op->infer) return NULL;
    asking.undecided = &found;
    asking.d = diag_new(c->mem); // what is wrong for certain was reported when the call was built
    const ann *type = n->op->infer(&asking, n);
    if (type) keep_each_once(c->mem, &found, pairs);
    return type;
}

const char *op_dim_name(arena *mem, const op *o) {
    const char *dot = strrchr(o->name, '.');
    return arena_format(mem, "%s_dim", dot ? dot + 1 : o->name);
}
