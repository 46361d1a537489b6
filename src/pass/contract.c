// contract.c - what passes need of a module, as their first comments say: one row for each statement.
#include "pass/contract.h"
#include "ops/ops.h"
#include "pass/support.h"

typedef struct statement {
    pass_need need;
    const char *words;                          // "… needs WORDS"
    const char *remedy;                         // what makes it true
    const node *(*breach)(const graph_func *f); // the first binding that breaks it; its function where it is the fault
} statement;

// Branches are looked into, closures are not.
static const node *find_binding(const graph_body *body, bool (*is_it)(const binding_block *run, const node *n)) {
    const node *found = NULL;
    for (const binding_block *run = body->first; run && !found; run = run->next)
        for (uint32_t i = 0; i < run->len && !found; i++) {
            const node *n = run->bound[i];
            if (is_it(run, n)) return n;
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2 && !found; side++)
                found = find_binding(&n->as.branch[side], is_it);
        }
    return found;
}

static bool in_dataflow(const binding_block *run, const node *n) {
    (void)n;
    return run->dataflow;
}

static bool calls_program(const binding_block *run, const node *n) {
    (void)run;
    return n->op == &op_call_tir;
}

static bool is_any(const binding_block *run, const node *n) {
    (void)run;
    (void)n;
    return true;
}

static const node *dataflow_in(const graph_func *f) { return find_binding(&f->body, in_dataflow); }
static const node *program_call_in(const graph_func *f) { return find_binding(&f->body, calls_program); }

// A function without bindings can't get an effect.
static const node *pure_in(const graph_func *f) {
    bool allowed = !f->pure || attr_is_true(f->attrs, "relax.force_pure");
    return allowed ? NULL : find_binding(&f->body, is_any);
}

static const statement statements[] = {
    {NEEDS_NO_DATAFLOW, "a module without dataflow blocks", "ToNonDataflow", dataflow_in},
    {NEEDS_EFFECTS, "functions in which effects are allowed", "RemovePurityChecking", pure_in},
    {NEEDS_DESTINATIONS, "explicit destinations in place of R.call_tir", "CallTIRRewrite", program_call_in},
};

// Only the first breach is told: the remedy mends them all.
bool contract_check(const module *m, const pass *p, diag *d) {
    for (size_t i = 0; i < COUNT(statements); i++) {
        const statement *s = &statements[i];
        for (uint32_t k = 0; (p->needs & s->need) && k < m->funcs.len; k++) {
            const module_func *f = m->funcs.entry[k].value;
            bool primitive = f->kind != FUNC_GRAPH || !f->graph || attr_is_true(f->graph->attrs, "Primitive");
            const node *n = primitive ? NULL : s->breach(f->graph);
            if (n)
                return diag_error(d, n->at, "%s needs %s; %s breaks that here: run %s before it", p->name, s->words,
                                  f->name, s->remedy);
        }
    }
    return true;
}
