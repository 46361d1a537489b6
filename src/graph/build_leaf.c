// build_leaf.c - the nodes that hold a value of their own: constants, shapes, scalars, texts, names, and tuples.
#include "base/suggest.h"
#include "graph/build_inside.h"
#include <string.h>

const node *build_constant(builder *b, const tensor *t) {
    node *n = builder_node(b, &op_constant, NULL, 0);
    n->as.constant = tensor_retain((tensor *)(uintptr_t)t);
    VEC_PUSH(b->m->mem, &b->m->constants, (tensor *)(uintptr_t)t);
    return builder_leaf(b, n);
}

const node *build_shape(builder *b, const expr *const *dim, uint32_t rank) {
    const expr **copy = ARENA_NEW(b->m->mem, const expr *, rank);
    for (uint32_t i = 0; i < rank; i++) copy[i] = dim[i];
    node *n = builder_node(b, &op_shape, NULL, 0);
    n->as.shape.dim = copy;
    n->as.shape.rank = rank;
    return builder_leaf(b, n);
}

const node *build_prim(builder *b, const expr *value) {
    node *n = builder_node(b, &op_prim, NULL, 0);
    n->as.value = value;
    return builder_leaf(b, n);
}

static const node *text_leaf(builder *b, const op *o, const char *bytes, size_t size) {
    node *n = builder_node(b, o, NULL, 0);
    n->as.text.bytes = arena_copy(b->m->mem, bytes, size);
    n->as.text.size = size;
    return builder_leaf(b, n);
}

const node *build_string(builder *b, const char *bytes, size_t size) { return text_leaf(b, &op_string, bytes, size); }

const node *build_extern(builder *b, const char *name) { return text_leaf(b, &op_extern, name, strlen(name)); }

static void suggest_function(builder *b, const char *name) {
    uint32_t count = b->m->funcs.len;
    const char **known = ARENA_NEW(b->m->mem, const char *, count);
    for (uint32_t i = 0; i < count; i++) known[i] = b->m->funcs.entry[i].key;
    const char *near = text_nearest(name, known, count);
    diag_error(b->d, b->at, "the module has no function \"%s\"%s", name, text_suggest(b->m->mem, near, "\"", "\""));
}

const node *build_global(builder *b, const char *name) {
    if (module_find(b->m, name)) return text_leaf(b, &op_global, name, strlen(name));
    suggest_function(b, name);
    return build_poison(b);
}

const node *build_dtype(builder *b, dtype type) {
    node *n = builder_node(b, &op_data_type, NULL, 0);
    n->as.type = type;
    return builder_leaf(b, n);
}

static const node *leaf_or_bound(builder *b, node *n, const char *name) {
    return name ? builder_bound(b, n, name) : builder_leaf(b, n);
}

const node *build_tuple(builder *b, const char *name, const node *const *in, uint32_t count) {
    if (builder_has_poison(in, count)) return build_poison(b);
    return leaf_or_bound(b, builder_node(b, &op_tuple, in, count), name);
}

const node *build_item(builder *b, const char *name, const node *tuple, uint32_t index) {
    if (node_is_poison(tuple)) return tuple;
    node *n = builder_node(b, &op_item, &tuple, 1);
    n->as.index = index;
    return leaf_or_bound(b, n, name);
}
