// pad_einsum.c - pad_einsum: a contraction runs on to multiples of its tile in every variable, over padded copies.
//
//   for i, j, k:                               for i, k in the padded range: A_pad[i, k] = i < n ? A[i, k] : 0
//       C[i, j] += A[i, k] * B[k, j]     ->    for i, j, k in the padded range: C_pad[i, j] += A_pad[i, k] * B_pad[k,
//       j]
//                                              for i, j: C[i, j] = C_pad[i, j]
//
// Steps beyond a reduction's end add zeros. (pad.c does it for one spatial variable without copies.)
#include "base/count_noun.h"
#include "schedule/inside.h"

static const char primitive[] = "pad_einsum";

enum { FACTOR_MOST = 1 << 20 };

typedef struct copied {
    const buffer *from, *to;
} copied;

typedef struct einsum {
    schedule *sch;
    stmt_list path;
    uint32_t scope, top; // path.at[scope]: the block around; path.at[top]: the outermost statement of the nest
    const block *b;
    block_shape shape;
    const expr **extent; // of the block's variables, padded; NULL: as it is
    VEC(copied) reads;
    const buffer *out; // padded; NULL: the result needs none
} einsum;

static const char *name_of(const einsum *x) { return x->b->name; }

static uint32_t iter_at(const einsum *x, const expr *var) {
    uint32_t i = 0;
    while (i < x->b->iters && x->b->iter[i].var != var) i++;
    return i;
}

// --- What is such a contraction.

static bool plain_indices(einsum *x) {
    expr_walk w = expr_walk_from(x->sch->mem, x->shape.store->as.store.value);
    for (const expr *e; (e = expr_walk_next(&w));)
        for (uint32_t d = 0; e->op == EXPR_LOAD && d < e->count; d++) {
            int64_t k;
            if (expr_const_int(e->in[d], &k) || iter_at(x, e->in[d]) < x->b->iters) continue;
            return refuse(x->sch, primitive, "block %s reads %s at more than plain variables", name_of(x),
                          e->as.buffer->name);
        }
    return true;
}

static bool trivial_bindings(einsum *x) {
    const char *unknown;
    for (uint32_t i = 0; i < x->b->iters; i++) {
        const iter *it = &x->b->iter[i];
        const stmt *loop = NULL;
        for (uint32_t k = x->top; k + 1 < x->path.len; k++)
            if (x->path.at[k]->kind == STMT_FOR && x->path.at[k]->as.loop.var == it->value) loop = x->path.at[k];
        if (!loop || loop->as.loop.extent != it->dom.extent || !expr_is_int(it->dom.min, 0))
            return refuse(x->sch, primitive, "%s of block %s is not bound to a loop over its range",
                          it->var->as.var->name, name_of(x));
    }
    return runs_over_domain(x->sch, &x->path, x->scope, &unknown) ||
           refuse(x->sch, primitive, "the loops of block %s do not run over the whole range of %s", name_of(x),
                  unknown);
}

// Whether the value is zero where all that is read at `var` is.
static bool zero_with(const expr *e, const expr *var) {
    if (e->op == EXPR_MUL) return zero_with(e->in[0], var) || zero_with(e->in[1], var);
    if (e->op == EXPR_CAST) return zero_with(e->in[0], var);
    for (uint32_t d = 0; e->op == EXPR_LOAD && d < e->count; d++)
        if (e->in[d] == var) return true;
    return false;
}

static bool adds_zeros(einsum *x) {
    const expr *value = x->shape.store->as.store.value;
    for (uint32_t i = 0; i < x->b->iters; i++) {
        if (x->b->iter[i].kind != ITER_REDUCE || !x->extent[i]) continue;
        if (value->op != EXPR_ADD || !zero_with(value->in[1], x->b->iter[i].var))
            return refuse(x->sch, primitive, "block %s is no sum of products over %s", name_of(x),
                          x->b->iter[i].var->as.var->name);
    }
    return true;
}

static bool can_pad(einsum *x) {
    schedule *sch = x->sch;
    x->b = path_end(&x->path)->as.block;
    x->top = x->path.len - 1;
    while (x->top > 0 && x->path.at[x->top - 1]->kind == STMT_FOR) x->top--;
    x->scope = x->top;
    while (x->scope > 0 && x->path.at[x->scope - 1]->kind != STMT_BLOCK) x->scope--;
    if (!x->scope--) return refuse(sch, primitive, "block %s does not stand inside another block", name_of(x));
    if (!block_understand(sch, x->b, &x->shape) || x->b->body != x->shape.store || x->b->where ||
        x->shape.store->as.store.predicate || (x->shape.reduction && !x->b->init))
        return refuse(sch, primitive, "block %s is not one assignment of an element, or is guarded", name_of(x));
    if (in_the_way(&x->path, x->scope, x->path.len))
        return refuse(sch, primitive, "%s stands around block %s", in_the_way(&x->path, x->scope, x->path.len),
                      name_of(x));
    return plain_indices(x) && trivial_bindings(x);
}

// --- Padded buffers.

static bool find_extents(einsum *x, const int64_t *factor, uint32_t count) {
    schedule *sch = x->sch;
    if (count != x->b->iters)
        return refuse(sch, primitive, "block %s has %s, %s are given", name_of(x), COUNTED(x->b->iters, "variable"),
                      COUNTED(count, "factor"));
    x->extent = ARENA_NEW(sch->mem, const expr *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const expr *n = x->b->iter[i].dom.extent;
        if (factor[i] < 1 || factor[i] > FACTOR_MOST)
            return refuse(sch, primitive, "the factor %lld is no size", (long long)factor[i]);
        if (prove_divides(sch->s, factor[i], n, sch->facts)) continue;
        const expr *f = expr_int(sch->s, n->type, factor[i]);
        const expr *up = expr_binary(sch->s, EXPR_ADD, n, expr_int(sch->s, n->type, factor[i] - 1));
        up = expr_binary(sch->s, EXPR_MUL, expr_binary(sch->s, EXPR_FLOOR_DIV, up, f), f);
        x->extent[i] = expr_simplify(sch->s, up, sch->facts);
    }
    return adds_zeros(x);
}

// The buffer with the dims that padded variables run over grown; NULL: none is.
static const buffer *grown(const einsum *x, const buffer *buf, const expr *const *index) {
    const expr **dim = ARENA_NEW(x->sch->mem, const expr *, buf->rank + 1);
    bool any = false;
    for (uint32_t d = 0; d < buf->rank; d++) {
        uint32_t i = iter_at(x, index[d]);
        bool more = i < x->b->iters && x->extent[i];
        dim[d] = more ? expr_cast(x->sch->s, buf->dim[d]->type, x->extent[i]) : buf->dim[d];
        any |= more;
    }
    const char *name = arena_format(x->sch->mem, "%s_pad", buf->name);
    return any ? buffer_new(x->sch->s, name, buf->type, dim, buf->rank, "global") : NULL;
}

// Each buffer that is read gets one padded copy: it must be read at the same variables everywhere.
static bool pad_reads(einsum *x) {
    expr_walk w = expr_walk_from(x->sch->mem, x->shape.store->as.store.value);
    for (const expr *e; (e = expr_walk_next(&w));) {
        if (e->op != EXPR_LOAD || e->as.buffer == x->shape.out) continue;
        const buffer *to = grown(x, e->as.buffer, e->in);
        for (uint32_t i = 0; i < x->reads.len && to; i++)
            if (x->reads.at[i].from == e->as.buffer)
                return refuse(x->sch, primitive, "block %s reads %s twice", name_of(x), e->as.buffer->name);
        const copied c = {e->as.buffer, to};
        if (to) VEC_PUSH(x->sch->mem, &x->reads, c);
    }
    x->out = grown(x, x->shape.out, x->shape.written);
    return true;
}

// --- The new nests.

// for each index of `to`: to[index] = from[index]; where `to` is the larger one, zero outside of it
static const stmt *copy_nest(einsum *x, const buffer *to, const buffer *from, bool grows) {
    schedule *sch = x->sch;
    expr_session *s = sch->s;
    uint32_t rank = to->rank;
    iter *iters = ARENA_NEW(sch->mem, iter, rank + 1);
    const expr **index = ARENA_NEW(sch->mem, const expr *, rank + 1),
               **var = ARENA_NEW(sch->mem, const expr *, rank + 1);
    const expr *inside = NULL;
    for (uint32_t d = 0; d < rank; d++) {
        dtype type = to->dim[d]->type;
        var[d] = new_loop_var(sch, arena_format(sch->mem, "ax%u", d), type);
        index[d] = expr_new_var(s, arena_format(sch->mem, "v%u", d), type);
        iters[d] = (iter){index[d], ITER_SPATIAL, {expr_int(s, type, 0), to->dim[d]}, var[d]};
        if (to->dim[d] == from->dim[d] || !grows) continue;
        const expr *in = expr_binary(s, EXPR_LT, index[d], from->dim[d]);
        inside = inside ? expr_binary(s, EXPR_AND, inside, in) : in;
    }
    const expr *value = expr_load(s, from, from->type, index, rank);
    const expr *zero = dtype_is_float(from->type) ? expr_float(s, from->type, 0) : expr_int(s, from->type, 0);
    const expr *choice[] = {inside, value, zero};
    if (inside) value = expr_call(s, intrinsic_get(INTRIN_IF_THEN_ELSE), from->type, choice, 3);
    block b = {.name = unique_block(sch, grows ? to->name : from->name), .iters = rank, .iter = iters};
    b.body = stmt_store(sch->mem, to, index, rank, value);
    const stmt *st = stmt_block(sch->mem, &b);
    for (uint32_t d = rank; d-- > 0;)
        st = stmt_for(sch->mem, FOR_SERIAL, var[d], expr_int(s, var[d]->type, 0), to->dim[d], st);
    return st;
}

// The contraction's own nest over padded ranges and buffers.
static const stmt *padded_nest(einsum *x) {
    schedule *sch = x->sch;
    map buffers = MAP_IN(sch->mem);
    for (uint32_t i = 0; i < x->reads.len; i++)
        map_put(&buffers, MAP_KEY(x->reads.at[i].from), (void *)(uintptr_t)x->reads.at[i].to);
    if (x->out) map_put(&buffers, MAP_KEY(x->shape.out), (void *)(uintptr_t)x->out);
    block b = *stmt_replace(sch->s, sch->mem, path_end(&x->path), NULL, &buffers)->as.block;
    iter *iters = ARENA_NEW(sch->mem, iter, b.iters + 1);
    for (uint32_t i = 0; i < b.iters; i++) {
        iters[i] = b.iter[i];
        if (x->extent[i]) iters[i].dom.extent = x->extent[i];
    }
    b.iter = iters;
    const stmt *st = block_changed(sch, &b);
    for (uint32_t k = x->path.len - 1; k-- > x->top;) {
        stmt *loop = (stmt *)(uintptr_t)loop_with_body(sch, x->path.at[k], st);
        for (uint32_t i = 0; i < b.iters; i++)
            if (x->extent[i] && iters[i].value == loop->as.loop.var) loop->as.loop.extent = x->extent[i];
        st = loop;
    }
    return st;
}

static void install(einsum *x) {
    schedule *sch = x->sch;
    VEC(const stmt *) list = {0};
    stmt_list below = {0};
    block around = *x->path.at[x->scope]->as.block;
    const buffer **alloc = ARENA_NEW(sch->mem, const buffer *, around.allocs + x->reads.len + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < around.allocs; i++) alloc[count++] = around.alloc[i];
    for (uint32_t i = 0; i < x->reads.len; i++) {
        alloc[count++] = x->reads.at[i].to;
        VEC_PUSH(sch->mem, &list, copy_nest(x, x->reads.at[i].to, x->reads.at[i].from, true));
    }
    VEC_PUSH(sch->mem, &list, padded_nest(x));
    if (x->out) {
        alloc[count++] = x->out;
        VEC_PUSH(sch->mem, &list, copy_nest(x, x->shape.out, x->out, false));
    }
    for (uint32_t i = x->scope; i <= x->top; i++) VEC_PUSH(sch->mem, &below, x->path.at[i]);
    around = *path_replaced(sch, &below, stmt_seq(sch->mem, list.at, list.len))->as.block;
    around.alloc = alloc;
    around.allocs = count;
    x->path.len = x->scope + 1;
    tree_replace(sch, &x->path, stmt_block(sch->mem, &around));
}

bool schedule_pad_einsum(schedule *sch, block_ref b, const int64_t *factor, uint32_t count) {
    einsum x = {.sch = sch};
    text list = TEXT_IN(sch->mem);
    if (!must_block(sch, b, primitive, &x.path) || !can_pad(&x) || !find_extents(&x, factor, count)) return false;
    if (!pad_reads(&x)) return false;
    const char *which = block_name(sch, b);
    for (uint32_t i = 0; i < count; i++) text_format(&list, "%s%lld", i ? ", " : "", (long long)factor[i]);
    install(&x);
    trace_line(sch, "pad_einsum(%s, [%s])", which, text_get(&list));
    return true;
}
