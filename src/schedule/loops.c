// loops.c - primitives on loops alone: split, fuse, reorder, parallel, vectorize, unroll, annotate.
#include "base/size.h"
#include "schedule/inside.h"

// --- split

static const expr *product(schedule *sch, dtype type, const int64_t *factor, uint32_t count) {
    int64_t all = 1;
    for (uint32_t i = 0; i < count; i++)
        if (factor[i] && !int_mul(all, factor[i], &all)) return NULL;
    return expr_int(sch->s, type, all);
}

// The factors as expressions, the inferred one rounded up; false after refusing.
static bool read_factors(schedule *sch, const stmt *loop, const int64_t *factor, uint32_t count, const expr **out) {
    uint32_t inferred = count;
    for (uint32_t i = 0; i < count; i++) {
        if (factor[i] < 0) return refuse(sch, "split", "factor %lld is negative", (long long)factor[i]);
        if (!factor[i] && inferred < count) return refuse(sch, "split", "only one factor may be left to infer");
        if (!factor[i]) inferred = i;
    }
    dtype type = loop->as.loop.var->type;
    const expr *known = product(sch, type, factor, count), *extent = loop->as.loop.extent;
    if (!known) return refuse(sch, "split", "the product of the factors overflows");
    for (uint32_t i = 0; i < count; i++) out[i] = factor[i] ? expr_int(sch->s, type, factor[i]) : NULL;
    if (inferred == count) {
        if (prove_less_equal(sch->s, extent, known, sch->facts)) return true;
        return refuse(sch, "split", "the factors cover %s iterations, the loop has %s", expr_to_text(sch->mem, known),
                      expr_to_text(sch->mem, extent));
    }
    const expr *up =
        expr_binary(sch->s, EXPR_ADD, extent, expr_binary(sch->s, EXPR_SUB, known, expr_int(sch->s, type, 1)));
    out[inferred] = expr_simplify(sch->s, expr_binary(sch->s, EXPR_FLOOR_DIV, up, known), sch->facts);
    return true;
}

bool schedule_split(schedule *sch, loop_ref l, const int64_t *factor, uint32_t count, loop_ref *out) {
    stmt_list path = {0};
    if (!must_loop(sch, l, "split", &path)) return false;
    const stmt *loop = path_end(&path);
    const expr *old = loop->as.loop.var, **extent = ARENA_NEW(sch->mem, const expr *, count + 1);
    if (count < 2) return refuse(sch, "split", "want at least two factors, got %u", count);
    if (loop->as.loop.kind != FOR_SERIAL)
        return refuse(sch, "split", "loop %s is not serial any more", old->as.var->name);
    if (!read_factors(sch, loop, factor, count, extent)) return false;
    const expr **var = ARENA_NEW(sch->mem, const expr *, count), *index = NULL, *all = extent[0];
    facts *f = path_facts(sch, &path);
    for (uint32_t i = 0; i < count; i++) {
        var[i] = expr_new_var(sch->s, arena_format(sch->mem, "%s_%u", old->as.var->name, i), old->type);
        facts_range(f, var[i], expr_int(sch->s, old->type, 0), extent[i]);
        index = index ? expr_binary(sch->s, EXPR_ADD, expr_binary(sch->s, EXPR_MUL, index, extent[i]), var[i]) : var[i];
        if (i) all = expr_binary(sch->s, EXPR_MUL, all, extent[i]);
    }
    const expr *value =
        expr_is_int(loop->as.loop.min, 0) ? index : expr_binary(sch->s, EXPR_ADD, loop->as.loop.min, index);
    map with = MAP_IN(sch->mem);
    map_put(&with, MAP_KEY(old), (void *)(uintptr_t)expr_simplify(sch->s, value, f));
    const stmt *body = loop->as.loop.body;
    bool exact = prove_equal(sch->s, all, loop->as.loop.extent, f);
    if (!exact) body = guard(sch, body, expr_binary(sch->s, EXPR_LT, index, loop->as.loop.extent));
    body = rebind(sch, body, &with, f);
    for (uint32_t i = count; i-- > 0;)
        body = stmt_for(sch->mem, FOR_SERIAL, var[i], expr_int(sch->s, old->type, 0), extent[i], body);
    tree_replace(sch, &path, body);
    text line = TEXT_IN(sch->mem);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = loop_handle(sch, var[i]);
        text_format(&line, "%sl%u", i ? ", " : "", out[i].id);
    }
    text_format(&line, " = split(l%u, factors=[", l.id);
    for (uint32_t i = 0; i < count; i++)
        factor[i] ? text_format(&line, "%s%lld", i ? ", " : "", (long long)factor[i])
                  : text_format(&line, "%sNone", i ? ", " : "");
    trace_line(sch, "%s])", text_get(&line));
    return true;
}

// --- fuse

// Whether `inner` is all there is inside `outer` and its range does not depend on it.
static bool nested_directly(schedule *sch, const char *primitive, const stmt *outer, const stmt *inner) {
    const char *o = outer->as.loop.var->as.var->name, *i = inner->as.loop.var->as.var->name;
    if (outer->as.loop.body != inner) return refuse(sch, primitive, "loop %s is not directly inside loop %s", i, o);
    if (expr_uses_var(inner->as.loop.extent, outer->as.loop.var) ||
        expr_uses_var(inner->as.loop.min, outer->as.loop.var))
        return refuse(sch, primitive, "the range of loop %s depends on loop %s", i, o);
    return true;
}

static loop_ref fuse_two(schedule *sch, loop_ref a, loop_ref b) {
    stmt_list path = {0}, inner_path = {0};
    const loop_ref none = {0};
    if (!must_loop(sch, a, "fuse", &path) || !must_loop(sch, b, "fuse", &inner_path)) return none;
    const stmt *outer = path_end(&path), *inner = path_end(&inner_path);
    if (!nested_directly(sch, "fuse", outer, inner)) return none;
    if (outer->as.loop.kind != FOR_SERIAL || inner->as.loop.kind != FOR_SERIAL) {
        refuse(sch, "fuse", "only serial loops fuse");
        return none;
    }
    const expr *x = outer->as.loop.var, *y = inner->as.loop.var, *m = inner->as.loop.extent;
    const char *name = arena_format(sch->mem, "%s_%s_fused", x->as.var->name, y->as.var->name);
    const expr *fused = expr_new_var(sch->s, name, x->type), *zero = expr_int(sch->s, x->type, 0);
    const expr *extent = expr_simplify(sch->s, expr_binary(sch->s, EXPR_MUL, outer->as.loop.extent, m), sch->facts);
    facts *f = path_facts(sch, &path);
    facts_range(f, fused, zero, extent);
    map with = MAP_IN(sch->mem);
    const expr *high = expr_binary(sch->s, EXPR_ADD, outer->as.loop.min, expr_binary(sch->s, EXPR_FLOOR_DIV, fused, m));
    const expr *low = expr_binary(sch->s, EXPR_ADD, inner->as.loop.min, expr_binary(sch->s, EXPR_FLOOR_MOD, fused, m));
    map_put(&with, MAP_KEY(x), (void *)(uintptr_t)expr_simplify(sch->s, high, f));
    map_put(&with, MAP_KEY(y), (void *)(uintptr_t)expr_simplify(sch->s, low, f));
    const stmt *body = rebind(sch, inner->as.loop.body, &with, f);
    tree_replace(sch, &path, stmt_for(sch->mem, FOR_SERIAL, fused, zero, extent, body));
    return loop_handle(sch, fused);
}

loop_ref schedule_fuse(schedule *sch, const loop_ref *l, uint32_t count) {
    loop_ref now = count ? l[0] : (loop_ref){0};
    text names = TEXT_IN(sch->mem);
    schedule_checkpoint(sch);
    for (uint32_t i = 0; i < count; i++) text_format(&names, "%sl%u", i ? ", " : "", l[i].id);
    for (uint32_t i = 1; i < count && now.id; i++) now = fuse_two(sch, now, l[i]);
    if (!now.id) {
        schedule_rollback(sch);
        return now;
    }
    sch->checkpoints.len--;
    trace_line(sch, "l%u = fuse(%s)", now.id, text_get(&names));
    return now;
}

// --- reorder

// The loops from the outermost to the innermost of the given ones, each the only thing in the one before.
static bool chain(schedule *sch, const stmt *top, const stmt *bottom, stmt_list *out) {
    for (const stmt *at = top;; at = at->as.loop.body) {
        if (at->kind != STMT_FOR)
            return refuse(sch, "reorder", "between loops %s and %s stands more than loops",
                          top->as.loop.var->as.var->name, bottom->as.loop.var->as.var->name);
        VEC_PUSH(sch->mem, out, at);
        if (at == bottom) return true;
    }
}

// A block whose instances may run in any order: its variables are spatial or reductions.
static bool reorderable(schedule *sch, const char *primitive, const stmt *body) {
    stmt_list blocks = {0};
    blocks_below(sch, body, &blocks);
    for (uint32_t i = 0; i < blocks.len; i++) {
        const block *b = blocks.at[i]->as.block;
        for (uint32_t k = 0; k < b->iters; k++)
            if (b->iter[k].kind == ITER_SCAN || b->iter[k].kind == ITER_OPAQUE)
                return refuse(sch, primitive, "block %s must run in order: %s is neither spatial nor a reduction",
                              b->name, b->iter[k].var->as.var->name);
    }
    return blocks.len || refuse(sch, primitive, "there is no block inside, so nothing says that the order is free");
}

static bool ranges_independent(schedule *sch, const stmt_list *order) {
    for (uint32_t i = 0; i < order->len; i++)
        for (uint32_t k = i; k < order->len; k++)
            if (expr_uses_var(order->at[i]->as.loop.extent, order->at[k]->as.loop.var) ||
                expr_uses_var(order->at[i]->as.loop.min, order->at[k]->as.loop.var))
                return refuse(sch, "reorder", "the range of loop %s depends on loop %s",
                              order->at[i]->as.loop.var->as.var->name, order->at[k]->as.loop.var->as.var->name);
    return true;
}

static bool is_given(const stmt_list *given, const stmt *loop) {
    for (uint32_t i = 0; i < given->len; i++)
        if (given->at[i] == loop) return true;
    return false;
}

bool schedule_reorder(schedule *sch, const loop_ref *l, uint32_t count) {
    stmt_list given = {0}, top = {0}, bottom = {0}, run = {0}, order = {0};
    text names = TEXT_IN(sch->mem);
    for (uint32_t i = 0; i < count; i++) {
        stmt_list path = {0};
        if (!must_loop(sch, l[i], "reorder", &path)) return false;
        if (is_given(&given, path_end(&path))) return refuse(sch, "reorder", "loop l%u is given twice", l[i].id);
        VEC_PUSH(sch->mem, &given, path_end(&path));
        if (!top.len || path.len < top.len) top = path;
        if (!bottom.len || path.len > bottom.len) bottom = path;
        text_format(&names, "%sl%u", i ? ", " : "", l[i].id);
    }
    if (count < 2) return true;
    const stmt *body = path_end(&bottom)->as.loop.body;
    if (!chain(sch, path_end(&top), path_end(&bottom), &run) || !reorderable(sch, "reorder", body)) return false;
    uint32_t next = 0;
    for (uint32_t i = 0; i < run.len; i++)
        VEC_PUSH(sch->mem, &order, is_given(&given, run.at[i]) ? given.at[next++] : run.at[i]);
    if (next != given.len) return refuse(sch, "reorder", "the loops are not nested in one another");
    if (!ranges_independent(sch, &order)) return false;
    for (uint32_t i = order.len; i-- > 0;) {
        stmt *loop = (stmt *)(uintptr_t)stmt_copy(sch->mem, order.at[i]);
        loop->as.loop.body = body;
        body = loop;
    }
    tree_replace(sch, &top, body);
    trace_line(sch, "reorder(%s)", text_get(&names));
    return true;
}

// --- parallel, vectorize, unroll, annotate

// Whether the buffer is allocated in the program and touched nowhere but inside the loop: then each iteration has its
// own.
static bool is_private(schedule *sch, const stmt *loop, const buffer *buf) {
    stmt_list blocks = {0}, path = {0};
    bool allocated = false, reads, writes;
    blocks_below(sch, sch->func->body, &blocks);
    for (uint32_t i = 0; i < blocks.len; i++)
        for (uint32_t a = 0; a < blocks.at[i]->as.block->allocs; a++)
            allocated |= blocks.at[i]->as.block->alloc[a] == buf;
    if (!allocated || !path_to_loop(sch, loop->as.loop.var, &path)) return false;
    for (uint32_t i = 0; i + 1 < path.len; i++)
        for (uint32_t c = 0; stmt_child(path.at[i], c); c++)
            if (stmt_child(path.at[i], c) != path.at[i + 1] &&
                touches(sch, stmt_child(path.at[i], c), buf, &reads, &writes))
                return false;
    return true;
}

// A block that does not move with the loop may write only what each iteration has for itself.
static bool writes_private(schedule *sch, const char *primitive, const stmt *loop, const block *b) {
    region_list reads = {0}, writes = {0};
    block_regions(sch->s, sch->mem, b, &reads, &writes);
    for (uint32_t i = 0; i < writes.len; i++)
        if (!is_private(sch, loop, writes.at[i].buf))
            return refuse(sch, primitive, "all iterations of loop %s write the same elements of %s (block %s)",
                          loop->as.loop.var->as.var->name, writes.at[i].buf->name, b->name);
    return true;
}

// Iterations of the loop must write different elements: every block below moves with it, along spatial variables only.
static bool independent(schedule *sch, const char *primitive, const stmt *loop) {
    stmt_list blocks = {0};
    const expr *var = loop->as.loop.var;
    if (!reorderable(sch, primitive, loop->as.loop.body)) return false;
    blocks_below(sch, loop->as.loop.body, &blocks);
    for (uint32_t i = 0; i < blocks.len; i++) {
        const block *b = blocks.at[i]->as.block;
        bool moves = !b->iters;
        for (uint32_t k = 0; k < b->iters; k++) {
            if (!expr_uses_var(b->iter[k].value, var)) continue;
            if (b->iter[k].kind != ITER_SPATIAL)
                return refuse(sch, primitive, "loop %s carries the reduction %s of block %s", var->as.var->name,
                              b->iter[k].var->as.var->name, b->name);
            moves = true;
        }
        if (!moves && !writes_private(sch, primitive, loop, b)) return false;
    }
    return true;
}

static bool set_kind(schedule *sch, loop_ref l, const char *primitive, for_kind kind, bool any_order) {
    stmt_list path = {0};
    if (!must_loop(sch, l, primitive, &path)) return false;
    const stmt *loop = path_end(&path);
    if (loop->as.loop.kind != FOR_SERIAL)
        return refuse(sch, primitive, "loop %s is not serial any more", loop->as.loop.var->as.var->name);
    if (any_order && !independent(sch, primitive, loop)) return false;
    stmt *now = (stmt *)(uintptr_t)stmt_copy(sch->mem, loop);
    now->as.loop.kind = kind;
    tree_replace(sch, &path, now);
    trace_line(sch, "%s(l%u)", primitive, l.id);
    return true;
}

bool schedule_parallel(schedule *sch, loop_ref l) { return set_kind(sch, l, "parallel", FOR_PARALLEL, true); }
bool schedule_unroll(schedule *sch, loop_ref l) { return set_kind(sch, l, "unroll", FOR_UNROLLED, false); }

bool schedule_vectorize(schedule *sch, loop_ref l) {
    const stmt *loop = schedule_loop_of(sch, l);
    int64_t extent;
    if (loop && !expr_const_int(loop->as.loop.extent, &extent))
        return refuse(sch, "vectorize", "the extent of loop %s is not constant; split it first",
                      loop->as.loop.var->as.var->name);
    return set_kind(sch, l, "vectorize", FOR_VECTORIZED, true);
}

bool schedule_annotate_loop(schedule *sch, loop_ref l, const char *key, const attr *value) {
    stmt_list path = {0};
    if (!must_loop(sch, l, "annotate", &path)) return false;
    stmt *now = (stmt *)(uintptr_t)stmt_copy(sch->mem, path_end(&path));
    now->as.loop.annotations = attr_with(sch->mem, now->as.loop.annotations, key, value);
    tree_replace(sch, &path, now);
    text spelled = TEXT_IN(sch->mem);
    attr_print(&spelled, value, NULL);
    trace_line(sch, "annotate(l%u, \"%s\", %s)", l.id, key, text_get(&spelled));
    return true;
}
