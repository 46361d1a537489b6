// equal.c - equality up to renaming of expressions, annotations, attributes, buffers and whole modules.
#include "text/equal.h"
#include "base/vec.h"
#include <string.h>

// Called on the way out of every comparison that fails, so only the innermost reason stays.
bool differ(matcher *m, const char *why) {
    if (!m->why) m->why = why;
    return false;
}

// For names that nothing binds: they are paired when first met, and then stay paired.
bool pair_up(matcher *m, const void *a, const void *b) {
    const void *to = map_find(&m->to, MAP_KEY(a)), *from = map_find(&m->from, MAP_KEY(b));
    if (to || from) return to == b && from == a;
    pair_anew(m, a, b);
    return true;
}

// For binders. Pairs of expressions known to be equal are forgotten when a variable changes its meaning.
void pair_anew(matcher *m, const void *a, const void *b) {
    bool known = map_find(&m->to, MAP_KEY(a)) || map_find(&m->from, MAP_KEY(b));
    if (known) m->same = MAP_IN(m->mem); // what was equal before need not be any more
    map_put(&m->to, MAP_KEY(a), (void *)(uintptr_t)b);
    map_put(&m->from, MAP_KEY(b), (void *)(uintptr_t)a);
}

bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

// Beyond its type: a size, or a pointer to what and where.
bool same_kind_of_var(const expr *a, const expr *b) {
    const expr_var *x = a->as.var, *y = b->as.var;
    return x->size == y->size && dtype_equal(x->element, y->element) && same_text(x->scope, y->scope);
}

// --- Expressions, without recursion.
// Closed over the operations: what a node holds besides its operands.
static bool same_payload(matcher *m, const expr *a, const expr *b) {
    switch ((expr_op)a->op) {
    case EXPR_INT: return a->as.ival == b->as.ival;
    case EXPR_FLOAT: return memcmp(&a->as.fval, &b->as.fval, sizeof a->as.fval) == 0;
    case EXPR_STRING:
    case EXPR_CALL_FUNC: return same_text(a->as.text, b->as.text);
    case EXPR_VAR: return same_kind_of_var(a, b) && pair_up(m, a, b);
    case EXPR_CALL: return a->as.intrin == b->as.intrin;
    case EXPR_LOAD: return pair_up(m, a->as.buffer, b->as.buffer);
    case EXPR_SHUFFLE: return a->as.ival == b->as.ival;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_FLOOR_DIV:
    case EXPR_FLOOR_MOD:
    case EXPR_TRUNC_DIV:
    case EXPR_TRUNC_MOD:
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
    case EXPR_SELECT:
    case EXPR_CAST:
    case EXPR_RAMP:
    case EXPR_BROADCAST:
    case EXPR_LET:
    case EXPR_OPS: return true;
    }
    return false;
}

// Cheap comparisons first; pairing is the last of them, for it changes the matcher.
static bool same_head(matcher *m, const expr *a, const expr *b) {
    return a->op == b->op && a->count == b->count && dtype_equal(a->type, b->type) && same_payload(m, a, b);
}

bool same_expr(matcher *m, const expr *a, const expr *b) {
    if (!a || !b) return a == b || differ(m, "the expressions");
    m->todo.len = 0;
    VEC_PUSH(m->mem, &m->todo, ((expr_pair){a, b}));
    while (m->todo.len) {
        expr_pair p = m->todo.at[--m->todo.len];
        uint64_t key = (uint64_t)p.a->id << 32 | p.b->id;
        if (map_has(&m->same, key)) continue;
        if (!same_head(m, p.a, p.b)) return differ(m, "the expressions");
        map_put(&m->same, key, m);
        for (uint32_t i = p.a->count; i-- > 0;) VEC_PUSH(m->mem, &m->todo, ((expr_pair){p.a->in[i], p.b->in[i]}));
    }
    return true;
}

bool same_exprs(matcher *m, const expr *const *a, const expr *const *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!same_expr(m, a[i], b[i])) return false;
    return true;
}

// --- Attributes. The order of a dictionary's keys says nothing.
// Equal sizes were checked, so that all keys of one in the other are enough.
static bool same_dict(matcher *m, const attr *a, const attr *b) {
    for (uint32_t i = 0; i < a->count; i++) {
        const attr *other = attr_find(b, a->key[i]);
        if (!other || !same_attr(m, a->list[i], other)) return differ(m, "the attributes");
    }
    return true;
}

// Closed over the kinds of attributes.
static bool same_value(matcher *m, const attr *a, const attr *b) {
    switch (a->kind) {
    case ATTR_NONE: return true;
    case ATTR_BOOL:
    case ATTR_INT: return a->as.i == b->as.i;
    case ATTR_FLOAT: return memcmp(&a->as.f, &b->as.f, sizeof a->as.f) == 0;
    case ATTR_STRING: return a->size == b->size && memcmp(a->as.text, b->as.text, a->size) == 0;
    case ATTR_FUNC: return same_text(a->as.text, b->as.text);
    case ATTR_DTYPE: return dtype_equal(a->as.type, b->as.type);
    case ATTR_EXPR: return same_expr(m, a->as.e, b->as.e);
    case ATTR_BUFFER: return pair_up(m, a->as.buffer, b->as.buffer);
    case ATTR_DICT: return same_dict(m, a, b);
    case ATTR_LIST:
    case ATTR_REDUCER:
    case ATTR_INDEX_MAP:
        for (uint32_t i = 0; i < a->count; i++)
            if (!same_attr(m, a->list[i], b->list[i])) return false;
        return true;
    }
    return false;
}

bool same_attr(matcher *m, const attr *a, const attr *b) {
    if (!a || !b) {
        const attr *one = a ? a : b;
        return !one || (one->kind == ATTR_DICT && !one->count) || differ(m, "the attributes");
    }
    bool same = a->kind == b->kind && a->count == b->count && same_value(m, a, b);
    return same || differ(m, "the attributes");
}

// --- Annotations.
// Written dims are compared, not proved: n + 1 and 1 + n are different texts.
static bool same_dims(matcher *m, const ann *a, const ann *b) {
    if (a->rank != b->rank || !a->dim != !b->dim || !a->shape != !b->shape) return false;
    if (a->shape && !pair_up(m, a->shape, b->shape)) return false;
    return !a->dim || a->rank <= 0 || same_exprs(m, a->dim, b->dim, (uint32_t)a->rank);
}

static bool same_fields(matcher *m, const ann *a, const ann *b) {
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!same_ann(m, a->field[i], b->field[i])) return false;
    return true;
}

static bool same_details(matcher *m, const ann *a, const ann *b) {
    switch (a->kind) {
    case ANN_OBJECT: return true;
    case ANN_PRIM: return dtype_equal(a->type, b->type) && same_expr(m, a->value, b->value);
    case ANN_SHAPE: return same_dims(m, a, b);
    case ANN_TENSOR:
        return dtype_equal(a->type, b->type) && same_text(a->device, b->device) && same_text(a->mesh, b->mesh) &&
               same_text(a->placement, b->placement) && same_dims(m, a, b);
    case ANN_TUPLE: return same_fields(m, a, b);
    case ANN_CALLABLE:
        return a->any_params == b->any_params && a->pure == b->pure && same_fields(m, a, b) &&
               same_ann(m, a->result ? a->result : ann_object(), b->result ? b->result : ann_object());
    }
    return false;
}

bool same_ann(matcher *m, const ann *a, const ann *b) {
    bool same = a->kind == b->kind && same_details(m, a, b);
    if (!same) m->why = NULL; // says more than "the expressions"
    return same || differ(m, "the annotations");
}

// --- Buffers.
bool same_buffer(matcher *m, const buffer *a, const buffer *b) {
    bool same = dtype_equal(a->type, b->type) && a->rank == b->rank && !a->stride == !b->stride &&
                same_text(a->scope, b->scope) && a->align == b->align && a->offset_factor == b->offset_factor &&
                same_exprs(m, a->dim, b->dim, a->rank) &&
                (!a->stride || same_exprs(m, a->stride, b->stride, a->rank)) &&
                same_expr(m, a->elem_offset, b->elem_offset) && same_expr(m, a->data, b->data);
    if (!same) return differ(m, "the buffers");
    pair_anew(m, a, b);
    return true;
}

// --- Modules.
static matcher matcher_new(arena *mem) {
    return (matcher){.mem = mem, .to = MAP_IN(mem), .from = MAP_IN(mem), .same = MAP_IN(mem)};
}

static bool same_function(matcher *m, const module_func *a, const module_func *b) {
    if (a->kind != b->kind) return differ(m, "the kinds of function");
    switch (a->kind) {
    case FUNC_GRAPH: return same_graph_func(m, a->graph, b->graph);
    case FUNC_LOOP: return same_loop_func(m, a->loop, b->loop);
    case FUNC_EXTERN: return same_text(a->symbol, b->symbol) || differ(m, "the symbols of the external function");
    }
    return false;
}

static bool missing_in(const module *from, const module *in, const char *which, text *out) {
    for (uint32_t i = 0; i < from->funcs.len; i++) {
        if (module_find(in, from->funcs.entry[i].key)) continue;
        if (out) text_format(out, "function '%s' is in the %s module alone\n", from->funcs.entry[i].key, which);
        return true;
    }
    return false;
}

static bool same_functions(arena *mem, const module *a, const module *b, text *out) {
    for (uint32_t i = 0; i < a->funcs.len; i++) {
        const module_func *f = a->funcs.entry[i].value;
        matcher m = matcher_new(mem);
        if (same_function(&m, f, module_find(b, f->name))) continue;
        if (out) show_difference(out, &m, a, b, f->name);
        return false;
    }
    return true;
}

bool module_equal(const module *a, const module *b, text *difference) {
    if (missing_in(a, b, "first", difference) || missing_in(b, a, "second", difference)) return false;
    arena *mem = arena_new();
    matcher m = matcher_new(mem);
    bool attrs = same_attr(&m, a->attrs, b->attrs) && same_attr(&m, a->infos, b->infos);
    if (!attrs && difference) text_put(difference, "the attributes or global infos of the modules differ\n");
    bool same = attrs && same_functions(mem, a, b, difference);
    arena_free(mem);
    return same;
}

bool loop_func_equal(const loop_func *a, const loop_func *b) {
    arena *mem = arena_new();
    matcher m = matcher_new(mem);
    bool same = same_loop_func(&m, a, b);
    arena_free(mem);
    return same;
}
