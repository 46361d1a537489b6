// print_vars.c - which variables of a loop program need a line of their own before they are used.
#include "loop/walk.h"
#include "text/print_loop.h"

typedef struct variables {
    arena *mem;
    map seen;     // MAP_KEY(expr) -> non-NULL
    map bound;    // MAP_KEY(var) -> non-NULL
    map launches; // MAP_KEY(var) -> first STMT_ATTR that launches it
    expr_list order, todo;
    VEC(const stmt *) shared; // launches of a variable that is known before
} variables;

static void bind(variables *v, const expr *var) { map_put(&v->bound, MAP_KEY(var), v); }

// All variables below an expression, in order of their first appearance, without recursion.
static void use(variables *v, const expr *e) {
    if (!e) return;
    VEC_PUSH(v->mem, &v->todo, e);
    while (v->todo.len) {
        const expr *next = v->todo.at[--v->todo.len];
        if (map_has(&v->seen, MAP_KEY(next))) continue;
        map_put(&v->seen, MAP_KEY(next), v);
        if (next->op == EXPR_VAR) VEC_PUSH(v->mem, &v->order, next);
        for (uint32_t i = next->count; i-- > 0;) VEC_PUSH(v->mem, &v->todo, next->in[i]);
    }
}

static void use_buffer(variables *v, const buffer *b) {
    for (uint32_t i = 0; i < b->rank; i++) use(v, b->dim[i]);
    for (uint32_t i = 0; b->stride && i < b->rank; i++) {
        if (b->stride[i]->op == EXPR_VAR && !map_has(&v->seen, MAP_KEY(b->stride[i])))
            bind(v, b->stride[i]); // the quoted name in strides= defines it
        use(v, b->stride[i]);
    }
    const expr *offset = b->elem_offset;
    if (offset && offset->op == EXPR_VAR && b->offset_factor && !map_has(&v->seen, MAP_KEY(offset)))
        bind(v, offset); // B.elem_offset
    use(v, offset);
}

static void see_block(variables *v, const block *b) {
    for (uint32_t i = 0; i < b->iters; i++) bind(v, b->iter[i].var);
    for (uint32_t i = 0; i < b->allocs; i++) {
        bind(v, b->alloc[i]->data);
        use_buffer(v, b->alloc[i]);
    }
    for (uint32_t i = 0; i < b->matches; i++) {
        bind(v, b->match[i].inner->data);
        use_buffer(v, b->match[i].inner);
    }
}

static void see_launch(variables *v, const stmt *st) {
    const expr *var = st->as.attribute.var;
    if (!var) return;
    bind(v, var);
    // Launched before, named by an attribute around the launch, or of another type than its extent: the thread has a
    // line of its own above.
    bool typed_apart = !dtype_equal(var->type, st->as.attribute.value->type);
    if (map_has(&v->launches, MAP_KEY(var)) || map_has(&v->seen, MAP_KEY(var)) || typed_apart)
        VEC_PUSH(v->mem, &v->shared, st);
    else
        map_put(&v->launches, MAP_KEY(var), (void *)(uintptr_t)st);
}

static void see_attr_node(variables *v, const attr *a) {
    if (a && a->kind == ATTR_EXPR) use(v, a->as.e);
}

// An attribute may name the memory before it is allocated, and a pointer may say what it points to: then it has a line
// of its own above. Else T.alloc_buffer gives it its name.
static void see_memory(variables *v, const expr *pointer) {
    if (pointer->as.var->element.kind != DTYPE_VOID)
        use(v, pointer);
    else if (!map_has(&v->seen, MAP_KEY(pointer)))
        bind(v, pointer);
}

static void see_binders(variables *v, const stmt *st) {
    if (st->kind == STMT_FOR) bind(v, st->as.loop.var);
    if (st->kind == STMT_LET) bind(v, st->as.let.var);
    if (st->kind == STMT_ALLOCATE) see_memory(v, st->as.allocate.var);
    if (st->kind == STMT_BLOCK) see_block(v, st->as.block);
    if (st->kind == STMT_DECL_BUFFER) use_buffer(v, st->as.declare.buf);
    if (st->kind == STMT_DECL_BUFFER) use(v, st->as.declare.buf->data);
    if (st->kind == STMT_ATTR) {
        see_launch(v, st);
        see_attr_node(v, st->as.attribute.node);
    }
}

static void see_statements(variables *v, const stmt *body) {
    stmt_walk w = stmt_walk_from(v->mem, body);
    while (stmt_walk_next(&w)) {
        if (w.leaving) continue;
        expr_list list = {0};
        see_binders(v, w.st);
        stmt_expressions(w.st, v->mem, &list);
        for (uint32_t i = 0; i < list.len; i++) use(v, list.at[i]);
    }
}

static void see_parameters(variables *v, const loop_func *f) {
    for (uint32_t i = 0; i < f->params; i++) {
        bind(v, f->param[i].var);
        if (!f->param[i].buf) continue;
        bind(v, f->param[i].buf->data);
        use_buffer(v, f->param[i].buf);
    }
}

static void print_variable(loop_printer *l, const expr *var) {
    printer *p = l->p;
    line_begin(p, NULL);
    text_format(p->out, "%s = ", define_var(p, var));
    put_var_type(l, var, true);
    line_end(p);
}

static void print_thread(loop_printer *l, const stmt *st) {
    const expr *var = st->as.attribute.var;
    if (map_has(&l->threads, MAP_KEY(var))) return;
    map_put(&l->threads, MAP_KEY(var), l);
    line_begin(l->p, NULL);
    text_format(l->p->out, "%s = T.env_thread(\"%s\"", define_var(l->p, var), st->as.attribute.thread);
    if (var->type.kind != DTYPE_I32) text_put(l->p->out, ", \"int64\"");
    text_put_char(l->p->out, ')');
    line_end(l->p);
}

void print_free_variables(loop_printer *l, const loop_func *f) {
    arena *mem = l->p->mem;
    variables v = {.mem = mem, .seen = MAP_IN(mem), .bound = MAP_IN(mem), .launches = MAP_IN(mem)};
    see_parameters(&v, f);
    see_statements(&v, f->body);
    for (uint32_t i = 0; i < v.order.len; i++)
        if (!map_has(&v.bound, MAP_KEY(v.order.at[i])) && !map_has(&l->p->vars, MAP_KEY(v.order.at[i])))
            print_variable(l, v.order.at[i]);
    for (uint32_t i = 0; i < v.shared.len; i++) print_thread(l, v.shared.at[i]);
}
