// split.c - split and fuse: one loop becomes several nested ones, and back.
//
//   for i in range(n): A[i] = …    ->    for i_0 in range((n + 15) // 16):
//                                            for i_1 in range(16):
//                                                with where(i_0 * 16 + i_1 < n): A[i_0 * 16 + i_1] = …
#include "base/size.h"
#include "schedule/inside.h"

static bool must_be_plain(schedule *sch, const char *primitive, const stmt *loop) {
    const char *name = loop->as.loop.var->as.var->name;
    if (loop->as.loop.kind != FOR_SERIAL) return refuse(sch, primitive, "loop %s is not serial any more", name);
    if (loop->as.loop.annotations && loop->as.loop.annotations->count)
        return refuse(sch, primitive, "loop %s has annotations, which would be lost", name);
    return true;
}

// --- split

static const expr *product(schedule *sch, dtype type, const int64_t *factor, uint32_t count) {
    int64_t all = 1;
    for (uint32_t i = 0; i < count; i++)
        if (factor[i] && !int_mul(all, factor[i], &all)) return NULL;
    return dtype_bits(type) == 32 && all > INT32_MAX ? NULL : expr_int(sch->s, type, all);
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
        return refuse(sch, "split", "the factors cover %s iterations, but loop %s may have more: %s",
                      expr_to_text(sch->mem, known), loop->as.loop.var->as.var->name, expr_to_text(sch->mem, extent));
    }
    const expr *up =
        expr_binary(sch->s, EXPR_ADD, extent, expr_binary(sch->s, EXPR_SUB, known, expr_int(sch->s, type, 1)));
    out[inferred] = expr_simplify(sch->s, expr_binary(sch->s, EXPR_FLOOR_DIV, up, known), sch->facts);
    return true;
}

typedef struct cutting {
    const expr **extent, **var;
    const expr *index; // of the old loop, from 0
    const expr *all;   // iterations of the new loops
} cutting;

static void make_vars(schedule *sch, const expr *old, uint32_t count, cutting *c, facts *f) {
    c->var = ARENA_NEW(sch->mem, const expr *, count);
    for (uint32_t i = 0; i < count; i++) {
        const expr *e = c->extent[i];
        c->var[i] = new_loop_var(sch, arena_format(sch->mem, "%s_%u", old->as.var->name, i), old->type);
        facts_range(f, c->var[i], expr_int(sch->s, old->type, 0), e);
        c->index = i ? expr_binary(sch->s, EXPR_ADD, expr_binary(sch->s, EXPR_MUL, c->index, e), c->var[i]) : c->var[i];
        c->all = i ? expr_binary(sch->s, EXPR_MUL, c->all, e) : e;
    }
}

static void trace_split(schedule *sch, const char *of, const int64_t *factor, uint32_t count, const loop_ref *out) {
    text line = TEXT_IN(sch->mem);
    for (uint32_t i = 0; i < count; i++) text_format(&line, "%s%s", i ? ", " : "", new_loop_name(sch, out[i]));
    text_format(&line, " = split(%s, factors=[", of);
    for (uint32_t i = 0; i < count; i++) {
        if (i) text_put(&line, ", ");
        if (factor[i])
            text_format(&line, "%lld", (long long)factor[i]);
        else
            text_put(&line, "None");
    }
    trace_line(sch, "%s])", text_get(&line));
}

bool schedule_split(schedule *sch, loop_ref l, const int64_t *factor, uint32_t count, loop_ref *out) {
    stmt_list path = {0};
    cutting c = {.extent = ARENA_NEW(sch->mem, const expr *, count + 1)};
    if (!must_loop(sch, l, "split", &path)) return false;
    const stmt *loop = path_end(&path), *body = loop->as.loop.body;
    const expr *old = loop->as.loop.var, *min = loop->as.loop.min;
    if (count < 2) return refuse(sch, "split", "want at least two factors, got %u", count);
    if (!must_be_plain(sch, "split", loop) || !read_factors(sch, loop, factor, count, c.extent)) return false;
    const char *name = loop_name(sch, l);
    facts *f = path_facts(sch, &path);
    make_vars(sch, old, count, &c, f);
    map with = MAP_IN(sch->mem);
    const expr *value = expr_is_int(min, 0) ? c.index : expr_binary(sch->s, EXPR_ADD, min, c.index);
    map_put(&with, MAP_KEY(old), (void *)(uintptr_t)expr_simplify(sch->s, value, f));
    if (!prove_equal(sch->s, c.all, loop->as.loop.extent, f))
        body = guard(sch, body, expr_binary(sch->s, EXPR_LT, c.index, loop->as.loop.extent));
    body = rebind(sch, body, &with, f);
    for (uint32_t i = count; i-- > 0;)
        body = stmt_for(sch->mem, FOR_SERIAL, c.var[i], expr_int(sch->s, old->type, 0), c.extent[i], body);
    tree_replace(sch, &path, body);
    for (uint32_t i = 0; i < count; i++) out[i] = loop_handle(sch, c.var[i]);
    trace_split(sch, name, factor, count, out);
    return true;
}

// --- fuse

static bool nested_directly(schedule *sch, const stmt *outer, const stmt *inner) {
    const char *o = outer->as.loop.var->as.var->name, *i = inner->as.loop.var->as.var->name;
    if (outer->as.loop.body != inner) return refuse(sch, "fuse", "loop %s is not all there is inside loop %s", i, o);
    if (expr_uses_var(inner->as.loop.extent, outer->as.loop.var) ||
        expr_uses_var(inner->as.loop.min, outer->as.loop.var))
        return refuse(sch, "fuse", "the range of loop %s depends on loop %s", i, o);
    return true;
}

// The type that counts the iterations of both: 32 bits only where that is known to be enough.
static dtype counting_type(schedule *sch, const stmt *outer, const stmt *inner) {
    dtype a = outer->as.loop.var->type, b = inner->as.loop.var->type;
    if (dtype_equal(a, b) && dtype_bits(a) == 64) return a;
    interval x = expr_bounds(sch->s, outer->as.loop.extent, sch->facts);
    interval y = expr_bounds(sch->s, inner->as.loop.extent, sch->facts);
    int64_t all;
    bool small = dtype_equal(a, b) && x.has_high && y.has_high && int_mul(x.high, y.high, &all) && all <= INT32_MAX;
    return small ? a : DTYPE_OF(I64);
}

static loop_ref fuse_two(schedule *sch, loop_ref a, loop_ref b) {
    stmt_list path = {0}, inner_path = {0};
    const loop_ref none = {0};
    if (!must_loop(sch, a, "fuse", &path) || !must_loop(sch, b, "fuse", &inner_path)) return none;
    const stmt *outer = path_end(&path), *inner = path_end(&inner_path);
    // No two iterations of nested parallel loops meet: nor do those of both together.
    bool parallel = outer->as.loop.kind == FOR_PARALLEL && inner->as.loop.kind == FOR_PARALLEL;
    if (!nested_directly(sch, outer, inner)) return none;
    if (!parallel && (!must_be_plain(sch, "fuse", outer) || !must_be_plain(sch, "fuse", inner))) return none;
    expr_session *s = sch->s;
    const expr *x = outer->as.loop.var, *y = inner->as.loop.var;
    dtype type = counting_type(sch, outer, inner);
    const expr *m = expr_cast(s, type, inner->as.loop.extent), *zero = expr_int(s, type, 0);
    const expr *fused =
        new_loop_var(sch, arena_format(sch->mem, "%s_%s_fused", x->as.var->name, y->as.var->name), type);
    const expr *extent =
        expr_simplify(s, expr_binary(s, EXPR_MUL, expr_cast(s, type, outer->as.loop.extent), m), sch->facts);
    facts *f = path_facts(sch, &path);
    facts_range(f, fused, zero, extent);
    const expr *high = expr_cast(s, x->type, expr_binary(s, EXPR_FLOOR_DIV, fused, m));
    const expr *low = expr_cast(s, y->type, expr_binary(s, EXPR_FLOOR_MOD, fused, m));
    map with = MAP_IN(sch->mem);
    high = expr_simplify(s, expr_binary(s, EXPR_ADD, outer->as.loop.min, high), f);
    low = expr_simplify(s, expr_binary(s, EXPR_ADD, inner->as.loop.min, low), f);
    map_put(&with, MAP_KEY(x), (void *)(uintptr_t)high);
    map_put(&with, MAP_KEY(y), (void *)(uintptr_t)low);
    const stmt *body = rebind(sch, inner->as.loop.body, &with, f);
    tree_replace(sch, &path, stmt_for(sch->mem, parallel ? FOR_PARALLEL : FOR_SERIAL, fused, zero, extent, body));
    return loop_handle(sch, fused);
}

loop_ref schedule_fuse(schedule *sch, const loop_ref *l, uint32_t count) {
    loop_ref now = count ? l[0] : (loop_ref){0};
    text names = TEXT_IN(sch->mem);
    stmt_list path = {0};
    if (count == 1) return now;
    schedule_checkpoint(sch);
    for (uint32_t i = 0; i < count && now.id; i++) {
        if (!must_loop(sch, l[i], "fuse", &path)) now.id = 0;
        if (now.id) text_format(&names, "%s%s", i ? ", " : "", loop_name(sch, l[i]));
    }
    for (uint32_t i = 1; i < count && now.id; i++) now = fuse_two(sch, now, l[i]);
    if (!now.id) {
        schedule_rollback(sch);
        return now;
    }
    schedule_commit(sch);
    trace_line(sch, "%s = fuse(%s)", new_loop_name(sch, now), text_get(&names));
    return now;
}
