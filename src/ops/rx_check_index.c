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

// --- The program.
//
//   for c in T.parallel((n + 1023) // 1024):
//       good[()] = 1
//       for j in range(min(1024, n - c * 1024)):            (no jump for each index: these run in vectors)
//           good[()] = min(good[()], in range)
//           out[c * 1024 + j] = indices[c * 1024 + j]
//       if good[()] == 0:
//           for j in range(min(1024, n - c * 1024)):
//               assert in range, "…"

enum {
    RUN = 1024,    // indices that are looked at together
    RUN_LEAST = 16 // … where there are as many; else each is asserted
};

typedef struct checking {
    const lower_ctx *c;
    const node *n;
    const buffer *const *buf; // indices, result
    const expr **at;          // of an index
    const expr *j, *extent;   // the loop over a run, which moves the last of them
    buffer *good;             // whether all of a run are in range
} checking;

static const expr *index_at(const checking *k) {
    return expr_load(k->c->exprs, k->buf[0], k->buf[0]->type, k->at, k->buf[0]->rank);
}

static const expr *condition_at(const checking *k) {
    uint32_t rank = k->buf[0]->rank;
    return in_range(k->c, index_at(k), extent_at(k->c, k->n->in[1]->type, rank ? k->at[rank - 1] : NULL));
}

static const stmt *copy(const checking *k) {
    return stmt_store(k->c->mem, k->buf[1], k->at, k->buf[1]->rank, index_at(k));
}

static const stmt *asserted(const checking *k) {
    stmt st = {.kind = STMT_ASSERT, .at = k->n->at};
    st.as.assertion.condition = condition_at(k);
    st.as.assertion.kind = "RuntimeError";
    st.as.assertion.message = sentence(k->c, k->n, dtype_family_of(k->buf[0]->type) == FAMILY_INT);
    st.as.assertion.body = copy(k);
    return stmt_copy(k->c->mem, &st);
}

static const stmt *over_run(const checking *k, const stmt *body) {
    return stmt_for(k->c->mem, FOR_SERIAL, k->j, expr_i64(k->c->exprs, 0), k->extent, body);
}

static const stmt *look_at_run(checking *k) {
    arena *mem = k->c->mem;
    expr_session *s = k->c->exprs;
    dtype type = DTYPE_OF(I32);
    const expr *one = expr_int(s, type, 1), *good = expr_load(s, k->good, type, NULL, 0);
    const expr *now = expr_binary(s, EXPR_MIN, good, expr_cast(s, type, condition_at(k)));
    const stmt *each[] = {stmt_store(mem, k->good, NULL, 0, now), copy(k)};
    const expr *bad = expr_binary(s, EXPR_EQ, good, expr_int(s, type, 0));
    const stmt *all[] = {stmt_store(mem, k->good, NULL, 0, one), over_run(k, stmt_seq(mem, each, 2)),
                         stmt_if(mem, bad, over_run(k, asserted(k)), NULL)};
    return stmt_seq(mem, all, COUNT(all));
}

// The last dim in runs, or the one index.
static const stmt *block_of(checking *k, block *b) {
    arena *mem = k->c->mem;
    const buffer **alloc = ARENA_NEW(mem, const buffer *, 1);
    b->body = k->j ? look_at_run(k) : asserted(k);
    alloc[0] = k->good;
    b->alloc = alloc;
    b->allocs = k->j != NULL;
    return stmt_block(mem, b);
}

// Several extents are told apart by an index's place, which must be a variable.
static bool in_runs(const checking *k) {
    int64_t length;
    const buffer *b = k->buf[0];
    return k->n->in[1]->type->rank <= 1 && !(expr_const_int(b->dim[b->rank - 1], &length) && length < RUN_LEAST);
}

// The variable of dim i, which for the last one counts runs, among the block's.
static void add_dim(checking *k, block *b, iter *iters, uint32_t i) {
    expr_session *s = k->c->exprs;
    bool last = i + 1 == k->buf[0]->rank && in_runs(k);
    const expr *dim = expr_cast(s, DTYPE_OF(I64), k->buf[0]->dim[i]), *run = expr_i64(s, RUN);
    const expr *var = expr_new_var(s, arena_format(k->c->mem, last ? "v_run" : "v_ax%u", i), DTYPE_OF(I64));
    const expr *loop = expr_new_var(s, arena_format(k->c->mem, last ? "run" : "ax%u", i), DTYPE_OF(I64));
    const expr *up = expr_binary(s, EXPR_ADD, dim, expr_i64(s, RUN - 1));
    const expr *count = last ? expr_simplify(s, expr_binary(s, EXPR_FLOOR_DIV, up, run), NULL) : dim;
    iters[b->iters++] = (iter){var, ITER_SPATIAL, {expr_i64(s, 0), count}, loop};
    k->at[i] = var;
    if (!last) return;
    const expr *start = expr_binary(s, EXPR_MUL, var, run);
    k->j = expr_new_var(s, "j", DTYPE_OF(I64));
    k->extent = expr_binary(s, EXPR_MIN, run, expr_binary(s, EXPR_SUB, dim, start));
    k->at[i] = expr_binary(s, EXPR_ADD, start, k->j);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    operand_list operands = {0};
    if (!operand_buffers(c, n, &operands)) return NULL;
    const buffer **buf = operand_globals(c, &operands, NULL);
    uint32_t rank = buf[0]->rank;
    checking k = {.c = c, .n = n, .buf = buf, .at = ARENA_NEW(c->mem, const expr *, rank + 1)};
    k.good = buffer_new(c->exprs, "good", DTYPE_OF(I32), NULL, 0, "local");
    iter *iters = ARENA_NEW(c->mem, iter, rank + 1);
    block b = {.name = "check_index", .iter = iters};
    for (uint32_t i = 0; i < rank; i++) add_dim(&k, &b, iters, i);
    const stmt *st = block_of(&k, &b);
    for (uint32_t i = rank; i-- > 0;)
        st = stmt_for(c->mem, i ? FOR_SERIAL : FOR_PARALLEL, iters[i].value, expr_i64(c->exprs, 0), iters[i].dom.extent,
                      st);
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
