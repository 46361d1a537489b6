// verify_return.c - a function returns: calls that lead back to it are not made on every path, nor by loop programs.
#include "graph/verify_inside.h"
#include "loop/walk.h"

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

// The next function that is not known to return, from the one at *i; NULL at the end.
static const module_func *next_unknown(const returns *r, uint32_t *i) {
    while (*i < r->m->funcs.len) {
        const module_func *f = r->m->funcs.entry[(*i)++].value;
        if (f->kind == FUNC_GRAPH && f->graph && !map_has(&r->known, MAP_KEY(f->graph))) return f;
    }
    return NULL;
}

// Whether some functions turned out to return.
static bool learn(returns *r) {
    uint32_t i = 0, known = r->known.len;
    for (const module_func *f; (f = next_unknown(r, &i));)
        if (body_returns(r, &f->graph->body)) map_put(&r->known, MAP_KEY(f->graph), r);
    return r->known.len > known;
}

static void report_unknown(returns *r, diag *d) {
    uint32_t i = 0;
    for (const module_func *f; (f = next_unknown(r, &i));) {
        if (body_returns(r, &f->graph->body)) continue;
        const char *callee = r->blocked->in[0]->as.text.bytes;
        bool itself = module_find(r->m, callee) == f;
        diag_error(d, r->blocked->at, "%s never returns: on every path it calls %s%s", f->name,
                   itself ? "itself" : callee, itself ? "" : ", which never returns");
    }
}

// --- Loop programs have no call stack, and no condition that another call of themselves could change.

typedef struct program_call {
    const stmt *at;
    uint32_t callee; // its number in the module
} program_call;

typedef struct caller {
    const loop_func *f; // NULL: not a loop program
    VEC(program_call) call;
    uint32_t next;   // the call to follow next
    bool open, done; // on the path; followed to the end
} caller;

typedef struct circles {
    caller *of; // by number in the module
    VEC(uint32_t) path;
    arena *mem;
} circles;

static void list_calls(circles *c, caller *from, const text_map *number) {
    for (stmt_walk w = stmt_walk_from(c->mem, from->f->body); stmt_walk_next(&w);) {
        const expr *value = !w.leaving && w.st->kind == STMT_EVALUATE ? w.st->as.value : NULL;
        if (!value || value->op != EXPR_CALL_FUNC) continue;
        uint32_t callee = (uint32_t)(uintptr_t)text_map_find(number, value->as.text);
        if (callee && c->of[callee - 1].f) VEC_PUSH(c->mem, &from->call, ((program_call){w.st, callee - 1}));
    }
}

static void report_circle(const caller *from, const program_call *call, const caller *to, diag *d) {
    if (from == to)
        diag_error(d, call->at->at, "%s calls itself, which a loop program can't; write a loop", from->f->name);
    else
        diag_error(d, call->at->at,
                   "%s calls %s, which leads back to %s: loop programs can't call in a circle; write a loop",
                   from->f->name, to->f->name, from->f->name);
}

// Depth first; a call of what is on the path closes a circle.
static void follow_calls(circles *c, uint32_t start, diag *d) {
    c->of[start].open = true;
    VEC_PUSH(c->mem, &c->path, start);
    while (c->path.len) {
        caller *from = &c->of[c->path.at[c->path.len - 1]];
        if (from->next == from->call.len) {
            from->done = true, from->open = false;
            c->path.len--;
            continue;
        }
        const program_call *call = &from->call.at[from->next++];
        caller *to = &c->of[call->callee];
        if (to->open) report_circle(from, call, to, d);
        if (to->open || to->done) continue;
        to->open = true;
        VEC_PUSH(c->mem, &c->path, call->callee);
    }
}

static void verify_circles(const module *m, arena *mem, diag *d) {
    circles c = {.of = ARENA_NEW(mem, caller, m->funcs.len), .mem = mem};
    text_map number = TEXT_MAP_IN(mem);
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind == FUNC_LOOP) c.of[i].f = f->loop;
        text_map_put(&number, m->funcs.entry[i].key, (void *)(uintptr_t)(i + 1));
    }
    for (uint32_t i = 0; i < m->funcs.len; i++)
        if (c.of[i].f) list_calls(&c, &c.of[i], &number);
    for (uint32_t i = 0; i < m->funcs.len; i++)
        if (c.of[i].f && !c.of[i].done) follow_calls(&c, i, d);
}

void verify_returns(const module *m, arena *mem, diag *d) {
    verify_circles(m, mem, d);
    returns r = {.m = m, .known = MAP_IN(mem)};
    for (int round = 0; round < ROUNDS_MOST; round++)
        if (!learn(&r)) {
            report_unknown(&r, d);
            return;
        }
}
