// equal_loop.c - equality of loop programs up to the names of variables and buffers.
#include "base/vec.h"
#include "text/equal.h"

typedef struct stmt_pair {
    const stmt *a, *b;
} stmt_pair;

// Statements are compared from a stack, so that depth costs no recursion. What is bound is paired on the way down.
typedef struct loop_matcher {
    matcher *m;
    VEC(stmt_pair) todo;
} loop_matcher;

static void later(loop_matcher *l, const stmt *a, const stmt *b) { VEC_PUSH(l->m->mem, &l->todo, ((stmt_pair){a, b})); }

// Both sides bind a variable here: from now on they stand for each other, whatever they stood for outside.
static bool bind(matcher *m, const expr *a, const expr *b) {
    if (!a || !b) return a == b || differ(m, "the variables");
    if (!dtype_equal(a->type, b->type) || !same_kind_of_var(a, b)) return differ(m, "the types of the variables");
    pair_anew(m, a, b);
    return true;
}

static bool same_range(matcher *m, range a, range b) {
    return same_expr(m, a.min, b.min) && same_expr(m, a.extent, b.extent);
}

// Buffers are paired before their boxes are compared, so that a first mention pairs them.
static bool same_region(matcher *m, const region *a, const region *b) {
    if (!pair_up(m, a->buf, b->buf)) return differ(m, "the regions");
    for (uint32_t i = 0; i < a->buf->rank; i++)
        if (!same_range(m, a->dim[i], b->dim[i])) return differ(m, "the regions");
    return true;
}

static bool same_regions(matcher *m, const region *a, const region *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!same_region(m, &a[i], &b[i])) return false;
    return true;
}

// All domains and values first: they stand outside the block, where its variables mean nothing yet.
static bool same_iters(matcher *m, const block *a, const block *b) {
    if (a->iters != b->iters) return differ(m, "the iteration variables");
    for (uint32_t i = 0; i < a->iters; i++) {
        const iter *x = &a->iter[i], *y = &b->iter[i];
        if (x->kind != y->kind || !same_range(m, x->dom, y->dom) || !same_expr(m, x->value, y->value))
            return differ(m, "the iteration variables");
    }
    for (uint32_t i = 0; i < a->iters; i++)
        if (!bind(m, a->iter[i].var, b->iter[i].var)) return false;
    return true;
}

// Regions that one side does not state follow from its body.
static bool same_block(loop_matcher *l, const block *a, const block *b) {
    matcher *m = l->m;
    bool regions = a->regions_written && b->regions_written;
    if (!same_text(a->name, b->name)) return differ(m, "the names of the blocks");
    if (!same_iters(m, a, b) || !same_expr(m, a->where, b->where)) return false;
    if (regions && (a->reads != b->reads || a->writes != b->writes)) return differ(m, "the regions");
    if (regions && !(same_regions(m, a->read, b->read, a->reads) && same_regions(m, a->write, b->write, a->writes)))
        return false;
    if (!same_attr(m, a->annotations, b->annotations)) return false;
    if (a->allocs != b->allocs || a->matches != b->matches) return differ(m, "the buffers of the block");
    for (uint32_t i = 0; i < a->allocs; i++)
        if (!same_buffer(m, a->alloc[i], b->alloc[i])) return false;
    for (uint32_t i = 0; i < a->matches; i++)
        if (!same_region(m, &a->match[i].source, &b->match[i].source) ||
            !same_buffer(m, a->match[i].inner, b->match[i].inner))
            return false;
    if (!a->init != !b->init) return differ(m, "the inits");
    later(l, a->body, b->body);
    if (a->init) later(l, a->init, b->init);
    return true;
}

// Bounds are compared in the outer scope, before the variable is paired.
static bool same_for(loop_matcher *l, const stmt *a, const stmt *b) {
    matcher *m = l->m;
    bool head = a->as.loop.kind == b->as.loop.kind && same_text(a->as.loop.thread, b->as.loop.thread);
    if (!head) return differ(m, "the kinds of loop");
    if (!a->as.loop.step != !b->as.loop.step) return differ(m, "the steps of the loops");
    if (a->as.loop.step && !same_expr(m, a->as.loop.step, b->as.loop.step)) return false;
    if (!same_expr(m, a->as.loop.min, b->as.loop.min) || !same_expr(m, a->as.loop.extent, b->as.loop.extent) ||
        !same_attr(m, a->as.loop.annotations, b->as.loop.annotations) || !bind(m, a->as.loop.var, b->as.loop.var))
        return false;
    later(l, a->as.loop.body, b->as.loop.body);
    return true;
}

// Pushed from the end, so that the first statement is compared first and its difference is the one reported.
static bool same_seq(loop_matcher *l, const stmt *a, const stmt *b) {
    uint32_t count = a->as.seq.count;
    if (count != b->as.seq.count) return differ(l->m, "the numbers of statements");
    for (uint32_t i = count; i-- > 0;) later(l, a->as.seq.list[i], b->as.seq.list[i]);
    return true;
}

// A predicate that is absent on both sides is equal: same_expr takes NULL for that.
static bool same_store(matcher *m, const stmt *a, const stmt *b) {
    if (!pair_up(m, a->as.store.buf, b->as.store.buf) || a->as.store.count != b->as.store.count)
        return differ(m, "the buffers");
    return same_exprs(m, a->as.store.index, b->as.store.index, a->as.store.count) &&
           same_expr(m, a->as.store.value, b->as.store.value) &&
           same_expr(m, a->as.store.predicate, b->as.store.predicate);
}

// Extents stand outside; the pointer is paired for the body alone.
static bool same_allocate(loop_matcher *l, const stmt *a, const stmt *b) {
    matcher *m = l->m;
    bool head = dtype_equal(a->as.allocate.type, b->as.allocate.type) && a->as.allocate.rank == b->as.allocate.rank &&
                same_text(a->as.allocate.scope, b->as.allocate.scope);
    if (!head) return differ(m, "the allocations");
    if (!same_exprs(m, a->as.allocate.extent, b->as.allocate.extent, a->as.allocate.rank) ||
        !same_expr(m, a->as.allocate.condition, b->as.allocate.condition) ||
        !same_attr(m, a->as.allocate.annotations, b->as.allocate.annotations) ||
        !bind(m, a->as.allocate.var, b->as.allocate.var))
        return false;
    later(l, a->as.allocate.body, b->as.allocate.body);
    return true;
}

// A launch pairs its variable by use: same_expr pairs free variables on first sight.
static bool same_attribute(loop_matcher *l, const stmt *a, const stmt *b) {
    matcher *m = l->m;
    if (!same_text(a->as.attribute.key, b->as.attribute.key) ||
        !same_text(a->as.attribute.thread, b->as.attribute.thread))
        return differ(m, "the attributes");
    if (!same_attr(m, a->as.attribute.node, b->as.attribute.node) ||
        !same_expr(m, a->as.attribute.value, b->as.attribute.value) ||
        !same_expr(m, a->as.attribute.var, b->as.attribute.var))
        return false;
    later(l, a->as.attribute.body, b->as.attribute.body);
    return true;
}

// The message counts: it is what a user of the program sees.
static bool same_assert(loop_matcher *l, const stmt *a, const stmt *b) {
    if (!same_expr(l->m, a->as.assertion.condition, b->as.assertion.condition)) return false;
    if (!same_text(a->as.assertion.kind, b->as.assertion.kind) ||
        !same_text(a->as.assertion.message, b->as.assertion.message))
        return differ(l->m, "the messages");
    later(l, a->as.assertion.body, b->as.assertion.body);
    return true;
}

static bool same_if(loop_matcher *l, const stmt *a, const stmt *b) {
    if (!same_expr(l->m, a->as.branch.condition, b->as.branch.condition)) return false;
    if (!a->as.branch.otherwise != !b->as.branch.otherwise) return differ(l->m, "the else branches");
    if (a->as.branch.otherwise) later(l, a->as.branch.otherwise, b->as.branch.otherwise);
    later(l, a->as.branch.then, b->as.branch.then);
    return true;
}

// The value first: its variable is not in scope there.
static bool same_let(loop_matcher *l, const stmt *a, const stmt *b) {
    if (!same_expr(l->m, a->as.let.value, b->as.let.value) || !bind(l->m, a->as.let.var, b->as.let.var)) return false;
    later(l, a->as.let.body, b->as.let.body);
    return true;
}

static bool same_while(loop_matcher *l, const stmt *a, const stmt *b) {
    later(l, a->as.loop_while.body, b->as.loop_while.body);
    return same_expr(l->m, a->as.loop_while.condition, b->as.loop_while.condition);
}

// same_buffer pairs the buffers; the body, compared later, sees that pairing.
static bool same_declare(loop_matcher *l, const stmt *a, const stmt *b) {
    if (a->as.declare.silent != b->as.declare.silent) return differ(l->m, "the declarations");
    later(l, a->as.declare.body, b->as.declare.body);
    return same_buffer(l->m, a->as.declare.buf, b->as.declare.buf);
}

static bool same_statement(loop_matcher *l, const stmt *a, const stmt *b) {
    if (a->kind != b->kind) return differ(l->m, "the statements");
    switch (a->kind) {
    case STMT_SEQ: return same_seq(l, a, b);
    case STMT_FOR: return same_for(l, a, b);
    case STMT_BLOCK: return same_block(l, a->as.block, b->as.block);
    case STMT_STORE: return same_store(l->m, a, b);
    case STMT_EVALUATE: return same_expr(l->m, a->as.value, b->as.value);
    case STMT_LET: return same_let(l, a, b);
    case STMT_IF: return same_if(l, a, b);
    case STMT_WHILE: return same_while(l, a, b);
    case STMT_ALLOCATE: return same_allocate(l, a, b);
    case STMT_DECL_BUFFER: return same_declare(l, a, b);
    case STMT_ATTR: return same_attribute(l, a, b);
    case STMT_ASSERT: return same_assert(l, a, b);
    }
    return false;
}

// Sequences are no place of their own: the difference is shown at the statement inside.
static bool same_statements(matcher *m, const stmt *a, const stmt *b) {
    loop_matcher l = {.m = m};
    later(&l, a, b);
    while (l.todo.len) {
        stmt_pair p = l.todo.at[--l.todo.len];
        if (stmt_is_empty(p.a) && stmt_is_empty(p.b)) continue;
        if (stmt_is_empty(p.a) || stmt_is_empty(p.b)) return differ(m, "the statements");
        if (p.a->kind != STMT_SEQ) m->at_a = p.a;
        if (p.b->kind != STMT_SEQ) m->at_b = p.b;
        if (!same_statement(&l, p.a, p.b)) return false;
    }
    return true;
}

// All variables are paired before any buffer is compared: a dim may be a later parameter.
static bool same_params(matcher *m, const loop_func *a, const loop_func *b) {
    if (a->params != b->params) return differ(m, "the numbers of parameters");
    for (uint32_t i = 0; i < a->params; i++) { // scalars first: dims may use them
        if (!a->param[i].buf != !b->param[i].buf) return differ(m, "the parameters");
        if (!bind(m, a->param[i].var, b->param[i].var)) return false;
    }
    for (uint32_t i = 0; i < a->params; i++)
        if (a->param[i].buf && !same_buffer(m, a->param[i].buf, b->param[i].buf)) return false;
    return true;
}

// Names of functions are compared by whoever found the two.
bool same_loop_func(matcher *m, const loop_func *a, const loop_func *b) {
    m->at_a = a;
    m->at_b = b;
    if (a->is_private != b->is_private || a->s_tir != b->s_tir) return differ(m, "the decorators");
    if (!dtype_equal(a->result, b->result)) return differ(m, "the result types");
    if (!same_params(m, a, b)) return false;
    if (a->attrs && b->attrs) {
        m->at_a = a->attrs;
        m->at_b = b->attrs;
    }
    return same_attr(m, a->attrs, b->attrs) && same_statements(m, a->body, b->body);
}
