// undecided.c - what of a call only the run can decide: dims that must be equal and that nothing proves equal.
//
// Deduction takes them for equal and goes on. Compiled code (LegalizeOps) and the interpreter both compare them when
// the module runs, by this one list, so that they refuse the same calls in the same words.
#include "ops/infer.h"
#include "ops/ops.h"
#include <string.h>

static bool is_asked(const op_questions *asked, const expr *want, const expr *got) {
    for (uint32_t i = 0; i < asked->len; i++)
        if (asked->at[i].want == want && asked->at[i].got == got) return true;
    return false;
}

// Deductions ask the same question more than once.
static void ask_once(const infer_ctx *c, const node *n, const expr *want, const expr *got, op_questions *out) {
    const char *dot = strrchr(n->op->name, '.');
    if (is_asked(out, want, got) || is_asked(out, got, want)) return;
    op_question q = {.op = dot ? dot + 1 : n->op->name, .want = want, .got = got};
    if (got->op == EXPR_INT) q.want = got, q.got = want; // "n % 2 is 1, but must be 0"
    VEC_PUSH(c->mem, out, q);
}

// A size that may come out below zero, as of a window larger than what it slides over: such a tensor there is not. Said
// as an equality, like all that is left to the run: max(n - 2, 0) == n - 2.
static void ask_for_sizes(const infer_ctx *c, const node *n, const ann *a, op_questions *out) {
    for (uint32_t i = 0; a->kind == ANN_TUPLE && i < a->count; i++) ask_for_sizes(c, n, a->field[i], out);
    if (a->kind != ANN_TENSOR || !a->dim) return;
    for (int32_t i = 0; i < a->rank; i++) {
        const expr *dim = a->dim[i], *zero = expr_int(c->exprs, dim->type, 0);
        if (dim->op == EXPR_INT || dim->op == EXPR_VAR || prove_less_equal(c->exprs, zero, dim, c->facts)) continue;
        ask_once(c, n, expr_binary(c->exprs, EXPR_MAX, dim, zero), dim, out);
    }
}

const char *op_dim_text(arena *mem, const expr *dim) {
    int64_t one;
    if (dim->op != EXPR_SELECT || dim->in[0]->op != EXPR_EQ) return expr_to_text(mem, dim);
    const expr *size = dim->in[0]->in[0];
    bool broadcast = size == dim->in[2] && expr_const_int(dim->in[0]->in[1], &one) && one == 1;
    if (!broadcast) return expr_to_text(mem, dim);
    return arena_format(mem, "%s broadcast to %s", expr_to_text(mem, size), expr_to_text(mem, dim->in[1]));
}

const ann *op_undecided(const infer_ctx *c, const node *n, op_questions *out) {
    expr_list pairs = {0};
    infer_ctx asking = *c;
    if (!n->op->infer) return NULL;
    asking.undecided = &pairs;
    asking.d = diag_new(c->mem); // what is wrong for certain was reported when the call was built
    const ann *type = n->op->infer(&asking, n);
    if (!type) return NULL;
    for (uint32_t i = 0; i < pairs.len; i += 2) ask_once(c, n, pairs.at[i], pairs.at[i + 1], out);
    ask_for_sizes(c, n, type, out);
    return type;
}
