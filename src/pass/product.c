// product.c - products of activations with a weight, however they are written.
#include "pass/product.h"
#include "ops/ops.h"
#include <string.h>

bool is_transposed(const node *n) {
    if (n->op != &op_permute_dims || n->type->rank < 2) return false;
    const attr *axes = node_attr(n, "axes");
    uint32_t rank = (uint32_t)n->type->rank;
    if (axes->kind != ATTR_LIST) return rank == 2; // all backwards
    for (uint32_t i = 0; i < rank; i++) {
        int64_t axis, want = i + 2 < rank ? i : 2 * rank - 3 - i;
        if (axes->count != rank || !attr_get_int(axes->list[i], &axis) || (axis != want && axis != want - rank))
            return false;
    }
    return true;
}

// "…y,zy->…z" (*rows), or "…y,yz->…z"
static bool is_product(const node *n, bool *rows) {
    const attr *a = node_attr(n, "subscripts");
    if (n->in[0]->count != 2 || a->kind != ATTR_STRING) return false;
    const char *s = a->as.text, *comma = strchr(s, ','), *arrow = strstr(s, "->");
    if (!comma || !arrow || comma == s || arrow != comma + 3 || strchr(s, '.') || strchr(s, ' ')) return false;
    size_t rank = (size_t)(comma - s);
    char k = s[rank - 1];
    *rows = comma[2] == k;
    char column = comma[*rows ? 1 : 2];
    return comma[*rows ? 2 : 1] == k && column != k && strlen(arrow + 2) == rank &&
           memcmp(arrow + 2, s, rank - 1) == 0 && arrow[2 + rank - 1] == column && !memchr(s, k, rank - 1) &&
           !memchr(s, column, rank);
}

const node *product_weight(const node *n, const node **x, bool *rows) {
    if (n->op == &op_matmul) {
        *x = n->in[0];
        *rows = n->in[1]->type->rank == 2 && is_transposed(n->in[1]);
        return *rows ? n->in[1]->in[0] : n->in[1];
    }
    if (n->op != &op_einsum || !is_product(n, rows)) return NULL;
    *x = n->in[0]->in[0];
    return n->in[0]->in[1];
}
