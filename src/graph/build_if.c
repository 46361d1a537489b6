// build_if.c - an `if`: two branches with names, facts and symbolic variables of their own.
#include "graph/build_inside.h"

struct if_parts {
    node *n;          // the `if` being built
    graph_body *body; // around it
    binding_block *block;
    facts *facts;
    uint32_t names, vars; // taken and defined before the branch
};

static void begin_branch(builder *b, if_parts *p, uint32_t which) {
    p->names = b->taken.len;
    p->vars = b->defined.len;
    b->body = &p->n->as.branch[which];
    b->block = NULL;
    b->facts = facts_push(p->facts);
}

// The result as seen outside: what the branch alone defines is forgotten.
static const ann *end_branch(builder *b, if_parts *p, const node *result) {
    b->body->result = result;
    const ann *type = builder_drop(b, result->type, p->vars);
    builder_release_names(b, p->names);
    b->defined.len = p->vars;
    return type;
}

if_parts *build_if(builder *b, const node *condition) {
    if_parts *p = ARENA_NEW(b->m->mem, if_parts, 1);
    p->n = builder_node(b, &op_if, &condition, 1);
    p->n->as.branch = ARENA_NEW(b->m->mem, graph_body, 2);
    p->body = b->body;
    p->block = b->block;
    p->facts = b->facts;
    begin_branch(b, p, 0);
    return p;
}

// The types of the branches as seen outside wait in type_arg until they are joined.
void build_else(builder *b, if_parts *p, const node *then_result) {
    const ann **outside = ARENA_NEW(b->m->mem, const ann *, 2);
    outside[0] = end_branch(b, p, then_result);
    p->n->type_arg = outside;
    begin_branch(b, p, 1);
}

const node *build_end_if(builder *b, if_parts *p, const char *name, const node *else_result) {
    const ann *then_type = p->n->type_arg[0], *else_type = end_branch(b, p, else_result);
    b->body = p->body;
    b->block = p->block;
    b->facts = p->facts;
    b->at = p->n->at;
    p->n->type_arg = NULL;
    const node *const used[] = {p->n->in[0], p->n->as.branch[0].result, else_result};
    if (builder_has_poison(used, 3)) return build_poison(b);
    infer_ctx c = builder_infer(b);
    if (!op_if.infer(&c, p->n)) return build_poison(b);
    p->n->type = ann_join(b->m->exprs, b->m->mem, then_type, else_type);
    return builder_bound(b, p->n, name);
}
