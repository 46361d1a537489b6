// rx_check_index.c - R.rx.check_index: indices as they are, refused while the module runs if one is out of range.
//
// GuardPrograms puts it in front of operators that choose by indices which come from outside.
#include "ops/table.h"
#include "tensor/index_range.h"

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *at = infer_in(n, 0), *extents = infer_in(n, 1);
    int64_t length;
    if (!infer_want_integers(c, n, 0)) return NULL;
    if (extents->rank == 0) return infer_error(c, n, "extents: want at least one number");
    if (extents->rank <= 1 || !has_dims(at)) return at;
    bool places = at->rank > 0 && expr_const_int(at->dim[at->rank - 1], &length) && length == extents->rank;
    return places ? at : infer_error(c, n, "indices: want %d as the last dim, got %s", extents->rank, dims_text(c, at));
}

// Of dim k where the last of the block's variables says which.
static const expr *extent_at(const lower_ctx *c, const ann *extents, const expr *last) {
    const expr *e = extents->dim[0];
    for (int32_t k = 1; k < extents->rank; k++)
        e = expr_select(c->exprs, expr_binary(c->exprs, EXPR_EQ, last, expr_i64(c->exprs, k)), extents->dim[k], e);
    return e;
}

// A large number without sign is a negative one with it.
static const expr *in_range(const lower_ctx *c, const expr *index, const expr *extent) {
    expr_session *s = c->exprs;
    bool is_signed = dtype_family_of(index->type) == FAMILY_INT;
    const expr *i = expr_cast(s, DTYPE_OF(I64), index), *zero = expr_i64(s, 0);
    const expr *low = is_signed ? expr_binary(s, EXPR_SUB, zero, extent) : zero;
    return expr_binary(s, EXPR_AND, expr_binary(s, EXPR_LE, low, i), expr_binary(s, EXPR_LT, i, extent));
}

static const char *sentence(const lower_ctx *c, const node *n, bool is_signed) {
    const ann *extents = n->in[1]->type;
    const char *what = node_attr(n, "what")->as.text;
    if (extents->rank > 1) return arena_format(c->mem, "%s: " INDEX_SENTENCE, what);
    const expr *e = extents->dim[0];
    const char *size = expr_to_text(c->mem, e);
    const char *low = e->op == EXPR_VAR || e->op == EXPR_INT ? "-%s <= " : "-(%s) <= ";
    low = is_signed ? arena_format(c->mem, low, size) : "";
    return arena_format(c->mem, "%s: " INDEX_SENTENCE ": want %sindex < %s", what, low, size);
}

static const stmt *checked(const lower_ctx *c, const node *n, const buffer *const *buf, const expr *const *at) {
    uint32_t rank = buf[0]->rank;
    const expr *index = expr_load(c->exprs, buf[0], buf[0]->type, at, rank);
    stmt st = {.kind = STMT_ASSERT, .at = n->at};
    st.as.assertion.condition = in_range(c, index, extent_at(c, n->in[1]->type, rank ? at[rank - 1] : NULL));
    st.as.assertion.kind = "RuntimeError";
    st.as.assertion.message = sentence(c, n, dtype_family_of(index->type) == FAMILY_INT);
    st.as.assertion.body = stmt_store(c->mem, buf[1], at, rank, index);
    return stmt_copy(c->mem, &st);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    operand_list operands = {0};
    if (!operand_buffers(c, n, &operands)) return NULL;
    const buffer **buf = operand_globals(c, &operands, NULL);
    uint32_t rank = buf[0]->rank;
    iter *iters = ARENA_NEW(c->mem, iter, rank + 1);
    const expr **at = ARENA_NEW(c->mem, const expr *, rank + 1), **loop = ARENA_NEW(c->mem, const expr *, rank + 1);
    for (uint32_t i = 0; i < rank; i++) {
        at[i] = expr_new_var(c->exprs, arena_format(c->mem, "v_ax%u", i), DTYPE_OF(I64));
        loop[i] = expr_new_var(c->exprs, arena_format(c->mem, "ax%u", i), DTYPE_OF(I64));
        iters[i] = (iter){at[i], ITER_SPATIAL, {expr_i64(c->exprs, 0), buf[0]->dim[i]}, loop[i]};
    }
    block b = {.name = "check_index", .iters = rank, .iter = iters, .body = checked(c, n, buf, at)};
    const stmt *st = stmt_block(c->mem, &b);
    for (uint32_t i = rank; i-- > 0;)
        st = stmt_for(c->mem, FOR_SERIAL, loop[i], expr_i64(c->exprs, 0), buf[0]->dim[i], st);
    return compute_program(c, &operands, buf, st, NULL, 0);
}

const op op_rx_check_index = {
    .name = "rx.check_index",
    .doc = "The indices as they are; one that is out of range is refused while the module runs.",
    .input = {IN("indices", TENSOR, "integers; negative ones count from the end"),
              IN("extents", SHAPE,
                 "how many elements there are to choose from; several: of each number in the last dim")},
    .attr = {ATTR("what", STRING, "\"indices\"", "what they are, for the message")},
    .infer = infer,
    .lower = lower,
    .samples = {"i=i64[n] | R.rx.check_index(i, R.shape([8]))",
                "i=i32[n,2] | R.rx.check_index(i, R.shape([9, 8]), what=\"gather_nd: indices\")"},
};
