// verify_return.c - a function returns: calls that lead back to it are not made on every path, nor by loop programs.
#include "graph/verify_inside.h"
#include "loop/walk.h"
#include <string.h>

enum { ROUNDS_MOST = 64 }; // longer chains of calls, against the order of functions, get the benefit of the doubt

typedef struct returns {
    const module *m;
    map known;           // MAP_KEY(graph_func) that may return -> anything
    const node *blocked; // the call that the function seen last does not come back from
} returns;

static bool body_returns(returns *r, const graph_body *body);

static bool call_returns(returns *r, const node *n) {
    if (n->op->form != FORM_CALL || !n->count || n->in[0]->op->form != FORM_GLOBAL) return true;
    const module_func *callee = module_find(r->m, n->in[0]->as.text.bytes);
    bool good = !callee || callee->kind != FUNC_GRAPH || !callee->graph || map_has(&r->known, MAP_KEY(callee->graph));
    if (!good) r->blocked = n;
    return good;
}

static bool node_returns(returns *r, const node *n) {
    if (n->op->form != FORM_IF) return call_returns(r, n);
    return body_returns(r, &n->as.branch[0]) || body_returns(r, &n->as.branch[1]);
}

static bool body_returns(returns *r, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++)
            if (!node_returns(r, run->bound[i])) return false;
    return true;
}

static bool any_learnt(returns *r, bool report, diag *d) {
    bool learnt = false;
    for (uint32_t i = 0; i < r->m->funcs.len; i++) {
        const module_func *f = r->m->funcs.entry[i].value;
        if (f->kind != FUNC_GRAPH || !f->graph || map_has(&r->known, MAP_KEY(f->graph))) continue;
        if (body_returns(r, &f->graph->body)) {
            map_put(&r->known, MAP_KEY(f->graph), r);
            learnt = true;
        } else if (report) {
            const char *callee = r->blocked->in[0]->as.text.bytes;
            bool itself = module_find(r->m, callee) == f;
            diag_error(d, r->blocked->at, "%s never returns: on every path it calls %s%s", f->name,
                       itself ? "itself" : callee, itself ? "" : ", which never returns");
        }
    }
    return learnt;
}

// A loop program has no call stack, and no condition that another call of itself could change.
static void calls_itself(const loop_func *f, arena *mem, diag *d) {
    for (stmt_walk w = stmt_walk_from(mem, f->body); stmt_walk_next(&w);) {
        const expr *value = !w.leaving && w.st->kind == STMT_EVALUATE ? w.st->as.value : NULL;
        if (!value || value->op != EXPR_CALL_FUNC || strcmp(value->as.text, f->name) != 0) continue;
        diag_error(d, w.st->at, "%s calls itself, which a loop program can't; write a loop", f->name);
        return;
    }
}

void verify_returns(const module *m, arena *mem, diag *d) {
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind == FUNC_LOOP) calls_itself(f->loop, mem, d);
    }
    returns r = {.m = m, .known = MAP_IN(mem)};
    for (int round = 0; round < ROUNDS_MOST; round++)
        if (!any_learnt(&r, false, d)) {
            any_learnt(&r, true, d);
            return;
        }
}
