// build_inside.h - what the files of the builder share; for build*.c and rebuild.c alone.
#ifndef GRAPH_BUILD_INSIDE_H
#define GRAPH_BUILD_INSIDE_H
#include "graph/build.h"

// A node without id and type yet, operands copied; leaf fields are the caller's to fill.
node *builder_node(builder *b, const op *o, const node *const *in, uint32_t count);
// Deduces the type of n, gives it an id; poison after a reported error.
const node *builder_leaf(builder *b, node *n);
// The same, then binds it to a name (NULL: a new one) in the open block.
const node *builder_bound(builder *b, node *n, const char *name);
// An operand is poison: so is what would use it.
bool builder_has_poison(const node *const *in, uint32_t count);

void builder_release_names(builder *b, uint32_t from); // names taken since then are free again
// The symbolic variables of a match_cast become known, with what it tells about its value.
void builder_cast(builder *b, const node *cast);
infer_ctx builder_infer(const builder *b);
const ann *builder_drop(builder *b, const ann *a, uint32_t from); // without variables defined since defined[from]

// The attribute row's default, from its text.
const attr *builder_preset(module *m, const op_attr *row);
// A value in the form of its row (a list of one for one int, a dtype for its name); NULL if it does not fit.
const attr *builder_attr(arena *mem, const op_attr *row, const attr *value);
#endif
