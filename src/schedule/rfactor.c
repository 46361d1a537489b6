// rfactor.c - rfactor: a loop of a reduction gets partial results of its own, which a second reduction joins.
//
//   for i, k0, k1:                                      for i, k0, k1: B_rf[i, k1] += A[i, k0 * 16 + k1]
//       B[i] += A[i, k0 * 16 + k1]              ->      for i, k1: B[i] += B_rf[i, k1]
//
// The partial results of one i don't wait for each other: they are lanes of a vector, or run on several threads.
// Where a guard leaves steps out, the partial results start in a block of their own, so that one without any step
// holds the identity; unless each provably has one.
#include "schedule/inside.h"

static const char primitive[] = "rfactor";

typedef struct factoring {
    schedule *sch;
    stmt_list path;      // of the block
    uint32_t scope, top; // path.at[scope]: the block around; path.at[top]: the outermost loop of the block's own nest
    uint32_t from;       // path.at[from]: the loop
    const stmt *in;      // the loop that the nests stay in; NULL: as far out as they get
    const block *b;
    block_shape shape;
    const expr *operand; // what is joined to the result
    expr_op op;
    uint32_t axis; // of the partial results
    const buffer *partial;
    const expr *lane; // the loop's number as a variable of the new block
    map steps;        // loop variable -> the reduction variable made of it
} factoring;

// --- May it be done?

static bool is_zero_or_one(const expr *e, expr_op op) {
    int64_t want = op == EXPR_MUL;
    return e->op == EXPR_FLOAT ? e->as.fval == (double)want : expr_is_int(e, want);
}

// The update is C = C op x, where x is free of C, and the order of steps does not matter.
static bool find_operand(factoring *x) {
    const stmt *store = x->shape.store;
    const expr *value = store->as.store.value;
    const buffer *out = x->shape.out;
    const expr *own = expr_load(x->sch->s, out, out->type, x->shape.written, x->shape.rank);
    if (!expr_joins(value) || (value->in[0] != own && value->in[1] != own))
        return refuse(x->sch, primitive, "block %s does not add, multiply, or take the extreme of what it has so far",
                      x->b->name);
    x->op = (expr_op)value->op;
    x->operand = value->in[value->in[0] == own];
    map loaded = MAP_IN(x->sch->mem);
    expr_loaded_buffers(x->operand, &loaded);
    if (map_has(&loaded, MAP_KEY(out)))
        return refuse(x->sch, primitive, "block %s reads %s beside updating it", x->b->name, out->name);
    bool order_free = x->op == EXPR_MAX || x->op == EXPR_MIN; // any start value will do, however often it is joined
    if (!order_free && !is_zero_or_one(x->b->init->as.store.value, x->op))
        return refuse(x->sch, primitive, "block %s does not start from %d", x->b->name, x->op == EXPR_MUL);
    return true;
}

static bool moves(const factoring *x, iter_kind kind, const expr *var) {
    for (uint32_t i = 0; i < x->b->iters; i++)
        if (x->b->iter[i].kind == kind && expr_uses_var(x->b->iter[i].value, var)) return true;
    return false;
}

// The whole reduction is in the block's own nest, and each loop there is part of it or runs over elements.
static bool nest_fits(const factoring *x) {
    for (uint32_t i = 0; i + 1 < x->path.len; i++) {
        const stmt *st = x->path.at[i];
        if (st->kind != STMT_FOR) continue;
        const expr *var = st->as.loop.var;
        bool reduce = moves(x, ITER_REDUCE, var), spatial = moves(x, ITER_SPATIAL, var);
        if (i < x->top && reduce)
            return refuse(x->sch, primitive, "the reduction of block %s goes on outside of its own loops", x->b->name);
        if (i < x->top) continue;
        if (reduce && spatial)
            return refuse(x->sch, primitive, "loop %s moves the reduction and what it is about", var->as.var->name);
        if (!reduce && !spatial && !expr_is_int(st->as.loop.extent, 1))
            return refuse(x->sch, primitive, "block %s runs anew in every iteration of loop %s", x->b->name,
                          var->as.var->name);
        if (reduce && !expr_is_int(st->as.loop.min, 0))
            return refuse(x->sch, primitive, "loop %s does not start at 0", var->as.var->name);
    }
    const stmt *loop = x->path.at[x->from];
    return (x->from >= x->top && moves(x, ITER_REDUCE, loop->as.loop.var)) ||
           refuse(x->sch, primitive, "loop %s is not part of the reduction of block %s",
                  loop->as.loop.var->as.var->name, x->b->name);
}

// The part of a guard that partial results start under: what is about the elements alone; *mixed: not to be told apart.
static const expr *start_guard(const factoring *x, const expr *where, bool *mixed) {
    if (!where) return NULL;
    if (where->op == EXPR_AND) {
        const expr *a = start_guard(x, where->in[0], mixed), *b = start_guard(x, where->in[1], mixed);
        return a && b ? expr_binary(x->sch->s, EXPR_AND, a, b) : a ? a : b;
    }
    bool spatial = false, other = false;
    for (uint32_t i = x->top; i + 1 < x->path.len; i++) {
        const expr *var = x->path.at[i]->as.loop.var;
        if (!expr_uses_var(where, var)) continue;
        spatial |= moves(x, ITER_SPATIAL, var);
        other |= moves(x, ITER_REDUCE, var);
    }
    *mixed |= spatial && other;
    return other ? NULL : where;
}

static bool is_serial_loop(const stmt *st) { return st->kind == STMT_FOR && st->as.loop.kind == FOR_SERIAL; }

static bool can_factor(factoring *x, int64_t axis) {
    schedule *sch = x->sch;
    const char *name = x->b->name;
    bool mixed = false;
    x->top = x->path.len - 1;
    while (x->top > 0 && is_serial_loop(x->path.at[x->top - 1]) && x->path.at[x->top - 1] != x->in) x->top--;
    x->scope = x->top;
    while (x->scope > 0 && x->path.at[x->scope - 1]->kind != STMT_BLOCK) x->scope--;
    if (!x->scope--) return refuse(sch, primitive, "block %s does not stand inside another block", name);
    const char *way = in_the_way(&x->path, x->scope, x->path.len);
    if (way) return refuse(sch, primitive, "%s stands around block %s", way, name);
    if (!block_understand(sch, x->b, &x->shape) || !x->shape.reduction || !x->b->init || x->b->body != x->shape.store ||
        x->shape.store->as.store.predicate)
        return refuse(sch, primitive, "block %s is not a reduction into one element of one buffer", name);
    if (axis < -1 || axis > x->shape.rank)
        return refuse(sch, primitive, "the axis is %lld, but must be -1 to %u", (long long)axis, x->shape.rank);
    x->axis = axis < 0 ? x->shape.rank : (uint32_t)axis;
    if (!nest_fits(x) || !find_operand(x)) return false;
    start_guard(x, x->b->where, &mixed);
    return !mixed || first_step_runs(sch, &x->path, x->b->where, NULL) ||
           refuse(sch, primitive, "the guard of block %s mixes the reduction with what it is about", name);
}

// --- The partial results.

static const expr *const *with_lane(const factoring *x, const expr *const *of, const expr *lane) {
    const expr **out = ARENA_NEW(x->sch->mem, const expr *, x->shape.rank + 1);
    for (uint32_t d = 0, n = 0; n <= x->shape.rank; n++) out[n] = n == x->axis ? lane : of[d++];
    return out;
}

static void make_partial(factoring *x) {
    const buffer *out = x->shape.out;
    const stmt *loop = x->path.at[x->from];
    const expr *extent = loop->as.loop.extent;
    if (out->rank) extent = expr_simplify(x->sch->s, expr_cast(x->sch->s, out->dim[0]->type, extent), x->sch->facts);
    const char *name = arena_format(x->sch->mem, "%s_rf", out->name);
    x->partial = buffer_new(x->sch->s, name, out->type, with_lane(x, out->dim, extent), out->rank + 1, "global");
    x->lane = expr_new_var(x->sch->s, arena_format(x->sch->mem, "v%s", loop->as.loop.var->as.var->name),
                           loop->as.loop.var->type);
}

// --- The block of the partial results.

static const expr *of_partial(const factoring *x) {
    return expr_load(x->sch->s, x->partial, x->partial->type, with_lane(x, x->shape.written, x->lane),
                     x->partial->rank);
}

// A reduction variable that the factored loop moved is written out; what else moved it becomes reduction variables.
static void write_out(factoring *x, const iter *it, map *with, block *b, iter *iters) {
    map parts = MAP_IN(x->sch->mem);
    for (uint32_t i = x->top; i + 1 < x->path.len; i++) {
        const stmt *loop = x->path.at[i];
        if (!expr_uses_var(it->value, loop->as.loop.var)) continue;
        const expr *var = loop->as.loop.var, *step = i == x->from ? x->lane : map_find(&x->steps, MAP_KEY(var));
        if (!step) {
            step = expr_new_var(x->sch->s, arena_format(x->sch->mem, "v%s", var->as.var->name), var->type);
            map_put(&x->steps, MAP_KEY(var), (void *)(uintptr_t)step);
            iters[b->iters++] = (iter){step, ITER_REDUCE, {loop->as.loop.min, loop->as.loop.extent}, var};
        }
        map_put(&parts, MAP_KEY(var), (void *)(uintptr_t)step);
    }
    map_put(with, MAP_KEY(it->var), (void *)(uintptr_t)expr_substitute(x->sch->s, it->value, &parts));
}

static block make_block(factoring *x) {
    schedule *sch = x->sch;
    const stmt *loop = x->path.at[x->from];
    map with = MAP_IN(sch->mem);
    iter *iters = ARENA_NEW(sch->mem, iter, x->b->iters + x->path.len + 1);
    x->steps = MAP_IN(sch->mem);
    block out = {.name = unique_block(sch, arena_format(sch->mem, "%s_rf", x->b->name)), .where = x->b->where};
    iters[out.iters++] = (iter){x->lane, ITER_SPATIAL, {loop->as.loop.min, loop->as.loop.extent}, loop->as.loop.var};
    for (uint32_t i = 0; i < x->b->iters; i++) {
        const iter *it = &x->b->iter[i];
        if (!expr_uses_var(it->value, loop->as.loop.var))
            iters[out.iters++] = *it;
        else
            write_out(x, it, &with, &out, iters);
    }
    const expr *const *index = with_lane(x, x->shape.written, x->lane);
    const expr *operand = expr_substitute(sch->s, x->operand, &with);
    const expr *value = expr_binary(sch->s, x->op, of_partial(x), operand);
    out.iter = iters;
    out.body = stmt_store(sch->mem, x->partial, index, x->partial->rank, value);
    out.init = stmt_store(sch->mem, x->partial, index, x->partial->rank, x->b->init->as.store.value);
    return out;
}

// The block that joins them: over the loops that move elements, and one over the partial results.
static const stmt *joining_nest(factoring *x, const stmt_list *nest) {
    schedule *sch = x->sch;
    bool mixed = false;
    const stmt *loop = x->path.at[x->from];
    map with = MAP_IN(sch->mem);
    block b = init_block(sch, x->b);
    iter *iters = ARENA_NEW(sch->mem, iter, b.iters + 1);
    for (uint32_t i = 0, n = 0; i < x->b->iters; i++) {
        if (x->b->iter[i].kind != ITER_SPATIAL) continue;
        iters[n] = b.iter[n];
        map_put(&with, MAP_KEY(x->b->iter[i].var), (void *)(uintptr_t)b.iter[n++].var);
    }
    const expr *lane = expr_new_var(sch->s, x->lane->as.var->name, x->lane->type);
    const expr *var = new_loop_var(sch, arena_format(sch->mem, "%s_rf", loop->as.loop.var->as.var->name), lane->type);
    iters[b.iters++] = (iter){lane, ITER_REDUCE, {loop->as.loop.min, loop->as.loop.extent}, var};
    map_put(&with, MAP_KEY(x->lane), (void *)(uintptr_t)lane);
    const expr *own = expr_load(sch->s, x->shape.out, x->shape.out->type, x->shape.written, x->shape.rank);
    const stmt *store = stmt_store(sch->mem, x->shape.out, x->shape.written, x->shape.rank,
                                   expr_binary(sch->s, x->op, own, of_partial(x)));
    b.name = x->b->name;
    b.iter = iters;
    b.where = start_guard(x, x->b->where, &mixed);
    b.init = b.body;
    b.body = stmt_replace(sch->s, sch->mem, store, &with, NULL);
    // The loop over partial results stands where the innermost loop was.
    const stmt *around = init_nest(sch, nest, 0, &b);
    stmt_list down = {0};
    for (const stmt *st = around;; st = st->as.loop.body) {
        VEC_PUSH(sch->mem, &down, st);
        if (st->kind == STMT_BLOCK) break;
    }
    const stmt *inner = stmt_for(sch->mem, FOR_SERIAL, var, loop->as.loop.min, loop->as.loop.extent, path_end(&down));
    return path_replaced(sch, &down, inner);
}

// Whether each partial result has a step, its first one.
static bool all_have_steps(factoring *x) {
    const stmt *loop = x->path.at[x->from];
    return first_step_runs(x->sch, &x->path, x->b->where, loop->as.loop.var);
}

// The nest with the new block in place of the old one; behind a start of its own where partial results may be without
// steps; and the block that joins the partial results behind both.
static const stmt *all_nests(factoring *x, block *b) {
    schedule *sch = x->sch;
    stmt_list nest = {0};
    bool mixed = false;
    const stmt *part[3];
    uint32_t n = 0;
    for (uint32_t i = x->top; i < x->path.len; i++) VEC_PUSH(sch->mem, &nest, x->path.at[i]);
    if (b->where && !all_have_steps(x)) {
        block start = init_block(sch, b);
        start.where = start_guard(x, b->where, &mixed);
        part[n++] = init_nest(sch, &nest, 0, &start);
        b->init = NULL;
    }
    part[n++] = path_replaced(sch, &nest, stmt_block(sch->mem, b));
    part[n++] = joining_nest(x, &nest);
    return stmt_seq(sch->mem, part, n);
}

// The block around with the partial results among its allocations, and the nests in place of the old one.
static void install(factoring *x, const stmt *nests) {
    schedule *sch = x->sch;
    block around = *x->path.at[x->scope]->as.block;
    const buffer **alloc = ARENA_NEW(sch->mem, const buffer *, around.allocs + 1);
    for (uint32_t i = 0; i < around.allocs; i++) alloc[i] = around.alloc[i];
    alloc[around.allocs] = x->partial;
    stmt_list below = {0};
    for (uint32_t i = x->scope; i <= x->top; i++) VEC_PUSH(sch->mem, &below, x->path.at[i]);
    around = *path_replaced(sch, &below, nests)->as.block;
    around.alloc = alloc;
    around.allocs++;
    x->path.len = x->scope + 1;
    tree_replace(sch, &x->path, stmt_block(sch->mem, &around));
}

block_ref schedule_rfactor(schedule *sch, block_ref b, loop_ref l, int64_t axis, loop_ref in) {
    factoring x = {.sch = sch};
    stmt_list loop = {0}, inside = {0};
    if (!must_block(sch, b, primitive, &x.path) || !must_loop(sch, l, primitive, &loop)) return (block_ref){0};
    if (in.id && !must_loop(sch, in, primitive, &inside)) return (block_ref){0};
    if (in.id) x.in = path_end(&inside);
    x.b = path_end(&x.path)->as.block;
    x.from = loop.len - 1;
    if (x.from >= x.path.len || x.path.at[x.from] != path_end(&loop)) {
        refuse(sch, primitive, "loop %s is not around block %s", path_end(&loop)->as.loop.var->as.var->name, x.b->name);
        return (block_ref){0};
    }
    if (!can_factor(&x, axis)) return (block_ref){0};
    make_partial(&x);
    block now = make_block(&x);
    const char *which = block_name(sch, b), *lanes = loop_name(sch, l), *kept = in.id ? loop_name(sch, in) : NULL;
    install(&x, all_nests(&x, &now));
    block_ref out = block_handle(sch, now.name);
    trace_line(sch, "%s = rfactor(%s, %s, %lld%s%s)", new_block_name(sch, out), which, lanes, (long long)axis,
               kept ? ", " : "", kept ? kept : "");
    return out;
}
