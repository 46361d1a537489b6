// uses.c - what a graph function uses: the values closures capture, and how often each value is taken.
#include "interp/uses.h"

// --- Captures.

typedef struct capturing {
    run *r;
    const graph_func *f;
    map seen; // MAP_KEY(node): operands looked at
    capture_list *list;
} capturing;

static void capture_body(capturing *c, const graph_body *body);

// Leaves are looked into; what is bound in another function is captured.
static void capture(capturing *c, const node *n) {
    if (map_has(&c->seen, MAP_KEY(n))) return;
    map_put(&c->seen, MAP_KEY(n), c);
    bool leaf = !n->name && n->op->form != FORM_PARAM;
    if (n->owner && n->owner != c->f && !leaf) {
        VEC_PUSH(c->r->mem, c->list, n);
        return;
    }
    for (uint32_t i = 0; leaf && i < n->count; i++) capture(c, n->in[i]);
}

static void capture_ann(capturing *c, const ann *a) {
    if (!a) return;
    if (a->shape) capture(c, a->shape);
    for (uint32_t i = 0; i < a->count; i++) capture_ann(c, a->field[i]);
}

// What a closure inside captures from further out has to come through this one.
static void capture_inner(capturing *c, const node *closure) {
    const capture_list *inner = captures_of(c->r, closure->as.func);
    for (uint32_t i = 0; i < inner->len; i++)
        if (inner->at[i] != closure) capture(c, inner->at[i]);
}

static void capture_body(capturing *c, const graph_body *body) {
    for (const binding_block *b = body->first; b; b = b->next) {
        for (uint32_t i = 0; i < b->len; i++) {
            const node *n = b->bound[i];
            for (uint32_t k = 0; k < n->count; k++) capture(c, n->in[k]);
            capture_ann(c, n->type);
            for (uint32_t k = 0; k < n->type_args; k++) capture_ann(c, n->type_arg[k]);
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) capture_body(c, &n->as.branch[side]);
            if (n->op->form == FORM_CLOSURE) capture_inner(c, n);
        }
    }
    capture(c, body->result);
}

// The values a closure's body uses from around it.
const capture_list *captures_of(run *r, const graph_func *f) {
    capture_list *list = map_find(&r->captures, MAP_KEY(f));
    if (list) return list;
    list = ARENA_NEW(r->mem, capture_list, 1);
    map_put(&r->captures, MAP_KEY(f), list);
    capturing c = {.r = r, .f = f, .seen = MAP_IN(r->mem), .list = list};
    capture_body(&c, &f->body);
    return list;
}

// --- Uses. Counted as the interpreter takes them: a leaf is evaluated each time it stands somewhere.

typedef struct counting {
    run *r;
    const graph_func *f;
    uint32_t *uses;
} counting;

static void count_body(counting *c, const graph_body *body);

// Each place counts where it stands: frame_value evaluates it as often.
static void count(counting *c, const node *n) {
    if (!n->name && n->op->form != FORM_PARAM) {
        for (uint32_t i = 0; i < n->count; i++) count(c, n->in[i]);
        return;
    }
    if (n->owner && n->owner != c->f) return;
    if (c->uses[n->id] < USES_UNKNOWN - 1) c->uses[n->id]++;
}

// Values that are looked at when an annotation is checked, or captured: how often is not known here.
static void pin(counting *c, const node *n) {
    if (!n->owner || n->owner == c->f) c->uses[n->id] = USES_UNKNOWN;
}

static void pin_shapes(counting *c, const ann *a) {
    if (!a) return;
    if (a->shape) pin(c, a->shape);
    for (uint32_t i = 0; i < a->count; i++) pin_shapes(c, a->field[i]);
}

// Making the closure takes them too, maybe many times.
static void pin_captured(counting *c, const node *closure) {
    const capture_list *inner = captures_of(c->r, closure->as.func);
    for (uint32_t i = 0; i < inner->len; i++) pin(c, inner->at[i]);
}

static void count_node(counting *c, const node *n) {
    for (uint32_t i = 0; i < n->count; i++) count(c, n->in[i]);
    pin_shapes(c, n->type);
    for (uint32_t i = 0; i < n->type_args; i++) pin_shapes(c, n->type_arg[i]);
    for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) count_body(c, &n->as.branch[side]);
    if (n->op->form == FORM_CLOSURE) pin_captured(c, n);
}

// Bodies of closures are not counted: they have frames of their own.
static void count_body(counting *c, const graph_body *body) {
    for (const binding_block *b = body->first; b; b = b->next)
        for (uint32_t i = 0; i < b->len; i++) count_node(c, b->bound[i]);
    count(c, body->result);
}

const uint32_t *uses_of(run *r, const graph_func *f) {
    uint32_t *uses = map_find(&r->uses, MAP_KEY(f));
    if (uses) return uses;
    uses = ARENA_NEW(r->mem, uint32_t, f->nodes);
    counting c = {r, f, uses};
    count_body(&c, &f->body);
    for (uint32_t i = 0; i < f->params; i++) pin_shapes(&c, f->param[i]->type);
    pin_shapes(&c, f->result_type);
    map_put(&r->uses, MAP_KEY(f), uses);
    return uses;
}
