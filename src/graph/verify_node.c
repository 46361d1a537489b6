// verify_node.c - the rules about one bound node: a row each.
#include "graph/deduce.h"
#include "graph/verify_inside.h"

static const char *name_of(const node *n) { return n->name ? n->name : "a value"; }

// --- Values are defined before use.

static bool is_unbound_call(const node *n) {
    op_form form = n->op->form;
    return !n->name && (form == FORM_OPERATOR || form == FORM_CALL || form == FORM_IF || form == FORM_MATCH_CAST ||
                        form == FORM_CLOSURE);
}

static void check_leaf(verifier *v, const node *user, const node *n) {
    if (n->op->form == FORM_SHAPE)
        for (uint32_t i = 0; i < n->as.shape.rank; i++)
            if (!verifier_check_expr(v, user->at, "R.shape", n->as.shape.dim[i])) return;
    if (n->op->form == FORM_PRIM) verifier_check_expr(v, user->at, "R.prim_value", n->as.value);
}

static void check_used(verifier *v, const node *user, const node *n) {
    if (n->op == &op_poison) {
        diag_error(v->d, user->at, "%s uses a value that could not be built", name_of(user));
    } else if (is_unbound_call(n)) {
        diag_error(v->d, user->at, "%s: the inner call of %s must be bound to a name first", name_of(user),
                   n->op->name);
    } else if (n->name && !verifier_sees(v, n)) {
        diag_error(v->d, user->at, "%s: %s is not defined here%s", name_of(user), n->name,
                   n->owner == v->frame->f
                       ? " (it is bound later, in a branch, or inside a dataflow block without R.output)"
                       : "");
    } else {
        verify_donated_use(v, user, n);
    }
    if (n->name) return;
    check_leaf(v, user, n);
    for (uint32_t i = 0; i < n->count; i++) check_used(v, n, n->in[i]);
}

void verify_use(verifier *v, const node *user, const node *n) { check_used(v, user, n); }

static void operands_are_defined(verifier *v, const node *n) {
    for (uint32_t i = 0; i < n->count; i++) check_used(v, n, n->in[i]);
}

// --- Symbolic variables are defined before use.

static void symbols_are_defined(verifier *v, const node *n) {
    check_leaf(v, n, n);
    if (n->op->form == FORM_MATCH_CAST) {
        verifier_define_vars(v, n->type_arg[0]);
        verifier_check_vars(v, n->at, "R.match_cast", n->type_arg[0]);
        return;
    }
    for (uint32_t i = 0; i < n->type_args; i++)
        if (!verifier_check_vars(v, n->at, n->op->name, n->type_arg[i])) return;
    verifier_check_vars(v, n->at, name_of(n), n->type);
}

// --- Purity.

static const ann *callee_type(const node *n) { return n->op->form == FORM_CALL ? n->in[0]->type : NULL; }

static bool has_effects(const node *n) {
    const ann *type = callee_type(n);
    return n->op->impure || (type && (type->kind != ANN_CALLABLE || !type->pure));
}

static void dataflow_is_pure(verifier *v, const node *n) {
    if (!v->dataflow) return;
    if (n->op->form == FORM_IF)
        diag_error(v->d, n->at, "%s: a dataflow block has no control flow; end it before the if", name_of(n));
    else if (has_effects(n))
        diag_error(v->d, n->at, "%s: the call may have effects, which a dataflow block must not have", name_of(n));
}

static void pure_functions_have_no_effects(verifier *v, const node *n) {
    const graph_func *f = v->frame->f;
    if (v->dataflow || !f->pure || !has_effects(n) || attr_is_true(f->attrs, "relax.force_pure")) return;
    diag_error(v->d, n->at, "%s: the call may have effects, but %s is pure; say @R.function(pure=False)", name_of(n),
               f->name);
}

// --- Annotations agree with deduction.

static void annotation_agrees(verifier *v, const node *n) {
    if (!n->op->infer || n->op->form == FORM_CLOSURE) return;
    infer_ctx c = {.m = (module *)(uintptr_t)v->m,
                   .mem = v->mem,
                   .exprs = v->m->exprs,
                   .facts = v->facts,
                   .d = v->d,
                   .owners = &v->owners};
    const ann *deduced = n->op->infer(&c, n);
    if (!deduced || ann_fits(v->m->exprs, deduced, n->type, v->facts) != ANN_NO) return;
    diag_error(v->d, n->at, "%s: annotated as %s, but it is %s", name_of(n), ann_to_text(v->mem, n->type),
               ann_to_text(v->mem, deduced));
}

static void dims_are_sizes(verifier *v, const node *n) { verifier_check_sizes(v, n->at, name_of(n), n->type); }

// --- The table.

typedef struct node_rule {
    const char *law;
    void (*check)(verifier *v, const node *n);
} node_rule;

static const node_rule rules[] = {
    {"annotations agree with deduction, callees exist, arguments fit", annotation_agrees},
    {"no dim of a tensor is below 0", dims_are_sizes},
    {"every operand is defined before, visible here and not given away", operands_are_defined},
    {"every symbolic variable is defined before and visible here", symbols_are_defined},
    {"a dataflow block has no control flow and no effects", dataflow_is_pure},
    {"a pure function has no effects", pure_functions_have_no_effects},
    {"what a call takes over is given away once", verify_donation},
    {"every value is bound once", verifier_define},
};

void verify_node_rules(verifier *v, const node *n) {
    for (size_t i = 0; i < COUNT(rules); i++) rules[i].check(v, n);
}
