// verify.c - checks a module: its table of functions, then each function, block by block.
#include "loop/verify.h"
#include "base/count_noun.h"
#include "graph/sizes.h"
#include "graph/verify_inside.h"
#include "loop/walk.h"

static void verify_body(verifier *v, const graph_body *body);

static void verify_branches(verifier *v, const node *n) {
    facts *before = v->facts;
    uint32_t mark = verify_donation_mark(v);
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t scope;
        verifier_enter(v, &scope);
        v->facts = facts_push(before);
        verify_body(v, &n->as.branch[side]);
        verify_use(v, n, n->as.branch[side].result);
        verify_donation_undo(v, mark);
        verifier_leave(v, scope);
    }
    verify_donation_redo(v, mark, verify_donation_mark(v));
    v->facts = before;
}

static void verify_function(verifier *v, const graph_func *f);

static void verify_bound(verifier *v, const node *n) {
    verify_node_rules(v, n);
    if (n->op->form == FORM_IF) verify_branches(v, n);
    if (n->op->form == FORM_MATCH_CAST) {
        sizes_assume(v->m->exprs, v->facts, n->type_arg[0]);
        sizes_assume_equal(v->m->exprs, v->facts, n->type_arg[0], n->in[0]->type);
    }
    if (n->op->form == FORM_CLOSURE) verify_function(v, n->as.func);
}

// What R.output names becomes visible outside; it must be bound in this very block.
static void publish(verifier *v, const binding_block *run, uint32_t inside) {
    for (uint32_t i = 0; i < run->outputs; i++) {
        const node *n = run->output[i];
        if (n->owner == v->frame->f && n->id < v->frame->f->nodes && v->frame->scope[n->id] == inside)
            v->frame->scope[n->id] = v->scope;
        else
            diag_error(v->d, run->at, "R.output: %s is not bound in this dataflow block",
                       n->name ? n->name : "a value");
    }
}

// Symbolic variables that match_cast defines in a dataflow block stay known after it.
static void verify_block(verifier *v, const binding_block *run) {
    uint32_t outside = v->scope, inside;
    bool before = v->dataflow;
    if (run->dataflow) verifier_enter(v, &outside);
    inside = v->scope;
    v->dataflow = run->dataflow;
    uint32_t vars = v->vars.len;
    for (uint32_t i = 0; i < run->len; i++) verify_bound(v, run->bound[i]);
    v->dataflow = before;
    if (!run->dataflow) return;
    verifier_leave(v, outside);
    publish(v, run, inside);
    for (uint32_t i = vars; i < v->vars.len; i++)
        if ((uintptr_t)v->vars.entry[i].value == inside) v->vars.entry[i].value = (void *)(uintptr_t)outside;
}

static void verify_body(verifier *v, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next) verify_block(v, run);
}

// --- Functions.

static void verify_signature(verifier *v, const graph_func *f) {
    map vars = MAP_IN(v->mem);
    for (uint32_t i = 0; i < f->params; i++) {
        const ann *type = f->param[i]->type;
        verifier_define_vars(v, type);
        sizes_assume(v->m->exprs, v->facts, type);
        expr_list list = {0};
        ann_defined_vars(type, v->mem, &list);
        for (uint32_t n = 0; n < list.len; n++) map_put(&vars, MAP_KEY(list.at[n]), v);
    }
    sizes_assume_bounds(v->m->exprs, v->facts, f->attrs, &vars);
    for (uint32_t i = 0; i < f->params; i++) {
        verifier_define(v, f->param[i]);
        verifier_check_sizes(v, f->param[i]->at, f->param[i]->name, f->param[i]->type);
        verifier_check_vars(v, f->param[i]->at, f->param[i]->name, f->param[i]->type);
    }
    int64_t inputs;
    const attr *num_input = attr_find(f->attrs, "num_input");
    if (num_input && (!attr_get_int(num_input, &inputs) || inputs < 0 || inputs > f->params))
        diag_error(v->d, f->at, "%s: num_input: want a number from 0 to %u, the count of parameters", f->name,
                   f->params);
}

static void verify_result(verifier *v, const graph_func *f, const node *end) {
    const node *result = f->body.result;
    verify_use(v, end, result);
    verifier_check_vars(v, f->at, f->name, f->result_type);
    verifier_check_sizes(v, f->at, f->name, f->result_type);
    if (ann_fits(v->m->exprs, result->type, f->result_type, v->facts) != ANN_NO) return;
    diag_error(v->d, result->at, "%s: returns %s, but is declared to return %s", f->name,
               ann_to_text(v->mem, result->type), ann_to_text(v->mem, f->result_type));
}

static void verify_function(verifier *v, const graph_func *f) {
    frame in = {.f = f, .scope = ARENA_NEW(v->mem, uint32_t, f->nodes), .outer = v->frame};
    uint32_t scope;
    facts *before = v->facts;
    bool dataflow = v->dataflow;
    v->facts = before ? facts_push(before) : facts_new(v->m->exprs);
    v->frame = &in;
    v->dataflow = false;
    verifier_enter(v, &scope);
    verify_signature(v, f);
    verify_body(v, &f->body);
    const node end = {.op = &op_bind, .at = f->body.result->at, .name = "return"};
    verify_result(v, f, &end);
    verifier_leave(v, scope);
    v->dataflow = dataflow;
    v->frame = in.outer;
    v->facts = before;
}

// --- The module.

// Calls between programs (cls.scale_small(x, y)) name loop programs or externals of the module.
static void verify_program_calls(verifier *v, const module_func *f) {
    for (stmt_walk w = stmt_walk_from(v->mem, f->loop->body); stmt_walk_next(&w);) {
        const expr *e = w.st->kind == STMT_EVALUATE && !w.leaving ? w.st->as.value : NULL;
        if (!e || e->op != EXPR_CALL_FUNC) continue;
        loc at = loop_place(f->loop, w.st);
        const module_func *callee = module_find(v->m, e->as.text);
        if (!callee || callee->kind == FUNC_GRAPH)
            diag_error(v->d, at, "%s: calls %s, which is no loop program of the module", f->name, e->as.text);
        else if (callee->kind == FUNC_LOOP && callee->type->count != e->count)
            diag_error(v->d, at, "%s: %s takes %s, got %u", f->name, callee->name,
                       COUNTED(callee->type->count, "argument"), e->count);
    }
}

static void verify_entry(verifier *v, const module_func *f) {
    switch (f->kind) {
    case FUNC_GRAPH:
        if (f->graph)
            verify_function(v, f->graph);
        else
            diag_error(v->d, f->at, "%s is declared but has no body", f->name);
        return;
    case FUNC_LOOP:
        if (!f->loop)
            diag_error(v->d, f->at, "%s is declared but has no body", f->name);
        else if (v->forms ? loop_verify_forms(f->loop, v->m->exprs, v->d) : loop_verify(f->loop, v->m->exprs, v->d))
            verify_program_calls(v, f);
        return;
    case FUNC_EXTERN:
        if (!f->symbol || !*f->symbol) diag_error(v->d, f->at, "%s: an external function needs a symbol", f->name);
        return;
    }
}

static bool verify(const module *m, bool forms, diag *d) {
    uint32_t errors = d->errors;
    arena *mem = arena_new();
    verifier v = {
        .m = m, .d = d, .mem = mem, .forms = forms, .vars = MAP_IN(mem), .owners = MAP_IN(mem), .donated = MAP_IN(mem)};
    for (uint32_t i = 0; i < m->funcs.len; i++) verify_entry(&v, m->funcs.entry[i].value);
    if (d->errors == errors) verify_returns(m, mem, d);
    arena_free(mem);
    return d->errors == errors;
}

bool module_verify(const module *m, diag *d) { return verify(m, false, d); }
bool module_verify_forms(const module *m, diag *d) { return verify(m, true, d); }
