// sizes.h - what annotations and function attributes tell about symbolic variables, as facts.
#ifndef GRAPH_SIZES_H
#define GRAPH_SIZES_H
#include "graph/graph.h"

// Every dim of a tensor or shape is at least 0.
void sizes_assume(expr_session *s, facts *f, const ann *a);
// Why there is no such tensor as one in `a`: a dim is provably below 0, or known dims are more than memory can be.
// NULL: nothing is wrong.
const char *sizes_wrong(arena *mem, expr_session *s, const facts *f, const ann *a);
// Dims that stand in both annotations are equal: what R.match_cast states about a value of known shape.
void sizes_assume_equal(expr_session *s, facts *f, const ann *a, const ann *b);
// tir_var_upper_bound and tir_var_lower_bound of `attrs` ({"n": 4096}), for the variables of that name in `vars`
// (MAP_KEY(var) -> anything).
void sizes_assume_bounds(expr_session *s, facts *f, const attr *attrs, const map *vars);
// Facts of a whole function: its parameters and attributes, not what match_cast states inside.
facts *graph_func_facts(const module *m, const graph_func *f);
#endif
