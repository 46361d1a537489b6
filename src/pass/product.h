// product.h - products of activations with a weight, however they are written.
#ifndef PASS_PRODUCT_H
#define PASS_PRODUCT_H
#include "graph/graph.h"

// R.permute_dims that exchanges the last two dims and leaves the others.
bool is_transposed(const node *n);
// R.matmul(x, w), R.matmul(x, R.permute_dims(w)), R.einsum((x, w), "…y,yz->…z") or "…y,zy->…z": the left factor in *x,
// the weight returned, *rows: its rows are the product's columns. NULL: the node is no such product.
const node *product_weight(const node *n, const node **x, bool *rows);
#endif
