// layout_transform.c - R.layout_transform: elements moved to where an index map says.
#include "base/count_noun.h"
#include "ops/compute_nest.h"
#include "ops/table.h"

static const expr *extent_of(infer_ctx *c, const expr *e, const map *extents);

static const expr *extent_of_pair(infer_ctx *c, const expr *e, const map *extents) {
    const expr *a = extent_of(c, e->in[0], extents), *one = dim_int(c, 1);
    int64_t by;
    if (!a) return NULL;
    bool number = expr_const_int(e->in[1], &by) && by > 0;
    if (e->op == EXPR_ADD) {
        const expr *b = extent_of(c, e->in[1], extents);
        return b ? dim_op(c, EXPR_SUB, dim_op(c, EXPR_ADD, a, b), one) : NULL;
    }
    if (!number) return NULL;
    const expr *times = dim_int(c, by);
    if (e->op == EXPR_MUL) return dim_op(c, EXPR_ADD, dim_op(c, EXPR_MUL, dim_op(c, EXPR_SUB, a, one), times), one);
    if (e->op == EXPR_FLOOR_DIV) return dim_op(c, EXPR_FLOOR_DIV, dim_op(c, EXPR_ADD, a, dim_int(c, by - 1)), times);
    if (e->op != EXPR_FLOOR_MOD) return NULL;
    return prove_less_equal(c->exprs, a, times, c->facts) ? a : times;
}

// One more than the largest value of e; NULL where that can't be told.
static const expr *extent_of(infer_ctx *c, const expr *e, const map *extents) {
    int64_t value;
    if (expr_const_int(e, &value)) return value < 0 ? NULL : dim_int(c, value + 1);
    if (e->op == EXPR_VAR) return map_find(extents, MAP_KEY(e));
    if (e->op == EXPR_CAST) return extent_of(c, e->in[0], extents);
    return e->count == 2 ? extent_of_pair(c, e, extents) : NULL;
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const attr *im = node_attr(n, "index_map");
    const expr *dim[INFER_MAX_RANK];
    map extents = MAP_IN(c->mem);
    if (im->kind != ATTR_INDEX_MAP) return infer_error(c, n, "index_map: want T.index_map(lambda ...)");
    const attr *vars = im->list[0], *results = im->list[1];
    if (results->count > INFER_MAX_RANK) return infer_error(c, n, "index_map: too many dims");
    if (has_rank(x) && x->rank != (int32_t)vars->count)
        return infer_error(c, n, "index_map: takes %s, x has %s", COUNTED(vars->count, "index"),
                           COUNTED(x->rank, "dim"));
    if (!has_dims(x)) return infer_rank(c, x, x->type, (int32_t)results->count);
    for (uint32_t i = 0; i < vars->count; i++)
        map_put(&extents, MAP_KEY(vars->list[i]->as.e), (void *)(uintptr_t)x->dim[i]);
    for (uint32_t i = 0; i < results->count; i++) {
        dim[i] = extent_of(c, results->list[i]->as.e, &extents);
        if (!dim[i]) return infer_rank(c, x, x->type, (int32_t)results->count);
    }
    return infer_tensor(c, x, x->type, dim, results->count);
}

// An index of the statement, running over one dim.
static const expr *add_index(nest *z, const char *prefix, uint32_t i, const expr *extent) {
    arena *mem = z->p->mem;
    index_element e = {.name = arena_format(mem, "%s%u", prefix, i), .extent = extent, .spatial = true};
    e.var = expr_new_var(z->p->s, arena_format(mem, "v_%s", e.name), DTYPE_OF(I64));
    VEC_PUSH(mem, &z->element, e);
    VEC_PUSH(mem, &z->order, i);
    return e.var;
}

static const stmt *store_nest(nest *z, const char *name, const buffer *to, const expr *const *at, const expr *value) {
    const stmt *store = stmt_store(z->p->mem, to, at, to->rank, value);
    return nest_loops(z, &(block){.name = name, .body = store});
}

static const stmt *fill_border(program *p, const buffer *to, const attr *pad) {
    nest z = {.p = p};
    const expr *at[INFER_MAX_RANK];
    double value = 0;
    int64_t whole = 0;
    for (uint32_t i = 0; i < to->rank; i++) at[i] = add_index(&z, "o", i, to->dim[i]);
    bool is_whole = attr_get_int(pad, &whole), is_none = !attr_get_real(pad, &value);
    const expr *border = is_whole || is_none ? expr_i64(p->s, whole) : expr_float(p->s, DTYPE_OF(F64), value);
    border = expr_cast(p->s, to->type, border);
    return store_nest(&z, "T_pad", to, at, border);
}

static const stmt *move_elements(program *p, const buffer *from, const buffer *to, const attr *index_map) {
    nest z = {.p = p};
    map with = MAP_IN(p->mem);
    const expr *index[INFER_MAX_RANK], *at[INFER_MAX_RANK];
    for (uint32_t i = 0; i < from->rank; i++) {
        const expr *var = index_map->list[0]->list[i]->as.e;
        index[i] = add_index(&z, "i", i, from->dim[i]);
        map_put(&with, MAP_KEY(var), (void *)(uintptr_t)expr_cast(p->s, var->type, index[i]));
    }
    for (uint32_t i = 0; i < to->rank; i++)
        at[i] = expr_cast(p->s, DTYPE_OF(I64), expr_substitute(p->s, index_map->list[1]->list[i]->as.e, &with));
    return store_nest(&z, to->name, to, at, expr_load(p->s, from, from->type, index, from->rank));
}

// out[f(i...)] = x[i...], after filling out with the pad value where some of it is reached by no element.
static const loop_func *lower(const lower_ctx *c, const node *n) {
    static const char *const result[] = {"T_layout_transform"};
    operand_list operands = {0};
    if (!operand_buffers(c, n, &operands)) return NULL;
    const ann *x = operands.at[0].type, *to = n->type;
    const buffer **buf = operand_globals(c, &operands, result);
    program p = {.c = c, .n = n, .mem = c->mem, .s = c->exprs};
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    const stmt *parts[] = {fill_border(&p, buf[1], node_attr(n, "pad_value")),
                           move_elements(&p, buf[0], buf[1], node_attr(n, "index_map"))};
    const expr *before = dims_product(&ctx, x->dim, (uint32_t)x->rank);
    const expr *after = dims_product(&ctx, to->dim, (uint32_t)to->rank);
    bool whole = prove_equal(c->exprs, before, after, NULL);
    return compute_program(c, &operands, buf, whole ? parts[1] : stmt_seq(c->mem, parts, 2), NULL, 0);
}

const op op_layout_transform = {
    .name = "layout_transform",
    .doc = "The element at each index moves to where the index map sends it; what nothing reaches is padding.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {ATTR("index_map", ANY, NULL, "T.index_map(lambda i, j: (...)), one to one"),
             ATTR("pad_value", ANY, "None", "of padding; None: 0", .range = "[-inf, inf]"),
             ATTR("axis_separators", INTS, "[]", "between dims that stay apart in memory"),
             ATTR("input_axis_separators", INTS, "[]", "the same for the input")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,8] | R.layout_transform(x, index_map=T.index_map(lambda i, j: (j // 4, i, j % 4)))"},
};
