// look.c - the bound nodes of a function in order, and how often each value is used.
#include "graph/build.h"

static void collect_body(const graph_body *body, arena *mem, node_list *out) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++)
                collect_body(&n->as.branch[side], mem, out);
            VEC_PUSH(mem, out, n);
        }
}

void graph_nodes(const graph_func *f, arena *mem, node_list *out) { collect_body(&f->body, mem, out); }

const char *node_cast_name(const node *n) {
    const node *from = n->in[0];
    bool inside =
        from->op->form != FORM_PARAM && from->at.src == n->at.src && from->at.line == n->at.line && n->at.line;
    return from->name && inside && n->name ? n->name : from->name;
}

// --- Uses.

typedef struct counting {
    const graph_func *f;
    uint32_t *uses;
    arena *mem;
    node_list leaves; // to look into
} counting;

// A leaf is written where it is used, so what it holds is used once with its first use.
static void use(counting *c, const node *n) {
    if (n->owner == c->f && c->uses[n->id]++) return;
    if (!n->name) VEC_PUSH(c->mem, &c->leaves, n);
}

static void use_shapes(counting *c, const ann *a) {
    if (a->shape) use(c, a->shape);
    for (uint32_t i = 0; i < a->count; i++) use_shapes(c, a->field[i]);
}

static void use_leaves(counting *c) {
    while (c->leaves.len) {
        const node *leaf = c->leaves.at[--c->leaves.len];
        for (uint32_t i = 0; i < leaf->count; i++) use(c, leaf->in[i]);
    }
}

static void use_body(counting *c, const graph_body *body);

static void use_node(counting *c, const node *n) {
    for (uint32_t i = 0; i < n->count; i++) use(c, n->in[i]);
    use_leaves(c);
    use_shapes(c, n->type);
    for (uint32_t i = 0; i < n->type_args; i++) use_shapes(c, n->type_arg[i]);
    for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) use_body(c, &n->as.branch[side]);
    if (n->op->form == FORM_CLOSURE) use_body(c, &n->as.func->body);
}

static void use_body(counting *c, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) use_node(c, run->bound[i]);
    use(c, body->result);
    use_leaves(c);
}

uint32_t *graph_uses(const graph_func *f, arena *mem) {
    counting c = {.f = f, .uses = ARENA_NEW(mem, uint32_t, f->nodes), .mem = mem};
    use_body(&c, &f->body);
    return c.uses;
}
