// undecided.c - what of a call only the run can decide: dims that must be equal and that nothing proves equal.
//
// Deduction takes them for equal and goes on. Compiled code (LegalizeOps) and the interpreter both compare them when
// the module runs, by this one list, so that they refuse the same calls in the same words.
#include "ops/infer.h"
#include "ops/ops.h"
#include <string.h>

static bool is_asked(const op_questions *asked, const expr *want, const expr *got) {
    for (uint32_t i = 0; i < asked->len; i++)
        if (asked->at[i].count == 1 && asked->at[i].want[0] == want && asked->at[i].got[0] == got) return true;
    return false;
}

static const char *name_of(arena *mem, const op *o, const char *what) {
    const char *dot = strrchr(o->name, '.');
    return arena_format(mem, "%s_%s", dot ? dot + 1 : o->name, what);
}

// Deductions ask the same question more than once.
static void keep_each_once(const infer_ctx *c, const node *n, const expr_list *pairs, op_questions *out) {
    for (uint32_t i = 0; i < pairs->len; i += 2) {
        if (is_asked(out, pairs->at[i], pairs->at[i + 1])) continue;
        op_question q = {.name = name_of(c->mem, n->op, "dim"), .count = 1};
        q.want = &pairs->at[i];
        q.got = &pairs->at[i + 1];
        VEC_PUSH(c->mem, out, q);
    }
}

// A size that may come out below zero, as of a window larger than what it slides over: such a tensor there is not. Said
// as an equality, like all that is left to the run: max(n - 2, 0) == n - 2.
static void ask_for_sizes(const infer_ctx *c, const node *n, const ann *a, op_questions *out) {
    for (uint32_t i = 0; a->kind == ANN_TUPLE && i < a->count; i++) ask_for_sizes(c, n, a->field[i], out);
    if (a->kind != ANN_TENSOR || !a->dim || a->rank <= 0) return;
    const expr **want = ARENA_NEW(c->mem, const expr *, a->rank);
    bool open = false;
    for (int32_t i = 0; i < a->rank; i++) {
        const expr *dim = a->dim[i], *zero = expr_int(c->exprs, dim->type, 0);
        want[i] = dim;
        if (dim->op == EXPR_INT || dim->op == EXPR_VAR || prove_less_equal(c->exprs, zero, dim, c->facts)) continue;
        want[i] = expr_binary(c->exprs, EXPR_MAX, dim, zero);
        open = true;
    }
    op_question q = {.name = name_of(c->mem, n->op, "shape"), .count = (uint32_t)a->rank, .want = want, .got = a->dim};
    if (open) VEC_PUSH(c->mem, out, q);
}

const ann *op_undecided(const infer_ctx *c, const node *n, op_questions *out) {
    expr_list *pairs = ARENA_NEW(c->mem, expr_list, 1); // the questions point into it
    infer_ctx asking = *c;
    if (!n->op->infer) return NULL;
    asking.undecided = pairs;
    asking.d = diag_new(c->mem); // what is wrong for certain was reported when the call was built
    const ann *type = n->op->infer(&asking, n);
    if (!type) return NULL;
    keep_each_once(c, n, pairs, out);
    ask_for_sizes(c, n, type, out);
    return type;
}
