// layout.c - transform_layout, storage_align: how an intermediate lies in memory.
//
//   A[i, j]      transform_layout(b, 0, lambda i, j: (j // 16, i, j % 16))      A[j // 16, i, j % 16]
//
// All that write or read the buffer follow. Where 16 does not divide a dim the buffer grows, and what is new nobody
// reads.
#include "base/count_noun.h"
#include "base/size.h"
#include "loop/walk.h"
#include "schedule/inside.h"

typedef struct relaying {
    schedule *sch;
    const char *primitive;
    const buffer *old;
    const buffer *now;
    const expr *const *var; // of the index map: one per dim of the old buffer
    const expr *const *to;  // results: one per dim of the new one
    uint32_t count;
} relaying;

// The intermediate that the block writes as its number `write`; NULL after refusing.
static const buffer *intermediate(schedule *sch, const char *primitive, const stmt_list *path, uint32_t write) {
    region_list reads = {0}, writes = {0};
    const block *b = path_end(path)->as.block;
    block_regions(sch->s, sch->mem, b, &reads, &writes);
    if (write >= writes.len) {
        refuse(sch, primitive, "block %s writes %s, there is no number %u", b->name, COUNTED(writes.len, "buffer"),
               write);
        return NULL;
    }
    const buffer *buf = writes.at[write].buf;
    if (!is_parameter(sch, buf) && !buf->stride && !buf->elem_offset) return buf;
    refuse(sch, primitive, "%s is a parameter, or lies in another buffer", buf->name);
    return NULL;
}

// Stores alone may use the buffer: no condition, bound, region of match_buffer, vector of several elements.
static bool used_by_stores_alone(schedule *sch, const char *primitive, const buffer *buf) {
    stmt_walk w = stmt_walk_from(sch->mem, sch->func->body);
    while (stmt_walk_next(&w)) {
        expr_list direct = {0};
        map loaded = MAP_IN(sch->mem);
        if (w.leaving) continue;
        stmt_expressions(w.st, sch->mem, &direct);
        for (uint32_t i = 0; i < direct.len; i++) expr_loaded_buffers(direct.at[i], &loaded);
        bool used = w.st->kind != STMT_STORE && map_has(&loaded, MAP_KEY(buf));
        for (uint32_t i = 0; w.st->kind == STMT_BLOCK && i < w.st->as.block->matches; i++)
            used |= w.st->as.block->match[i].source.buf == buf;
        if (used) return refuse(sch, primitive, "%s is used outside of assignments", buf->name);
    }
    return !summary_of(sch, sch->func->body)->opaque ||
           refuse(sch, primitive, "the program holds %s", summary_of(sch, sch->func->body)->opaque);
}

// --- The index map: each variable as it is, or as var // c and var % c.

static bool is_part(const expr *e, const expr *var, expr_op op, int64_t *c) {
    return e->op == op && e->in[0] == var && expr_const_int(e->in[1], c) && *c > 0;
}

// Whether the results tell the variable: they hold it, or its quotient and remainder by one number.
static bool tells(const relaying *x, const expr *var) {
    for (uint32_t i = 0; i < x->count; i++) {
        int64_t c, d;
        if (x->to[i] == var) return true;
        for (uint32_t k = 0; is_part(x->to[i], var, EXPR_FLOOR_DIV, &c) && k < x->count; k++)
            if (is_part(x->to[k], var, EXPR_FLOOR_MOD, &d) && c == d) return true;
    }
    return false;
}

// The extent of a result; NULL: it is none of the forms above.
static const expr *extent_of(const relaying *x, const expr *e) {
    expr_session *s = x->sch->s;
    int64_t c;
    for (uint32_t i = 0; i < x->old->rank; i++) {
        const expr *dim = expr_cast(s, x->var[i]->type, x->old->dim[i]);
        if (e == x->var[i]) return dim;
        if (is_part(e, x->var[i], EXPR_FLOOR_MOD, &c)) return expr_int(s, e->type, c);
        if (!is_part(e, x->var[i], EXPR_FLOOR_DIV, &c)) continue;
        const expr *up = expr_binary(s, EXPR_ADD, dim, expr_int(s, e->type, c - 1));
        return expr_simplify(s, expr_binary(s, EXPR_FLOOR_DIV, up, expr_int(s, e->type, c)), x->sch->facts);
    }
    return expr_is_int(e, 0) ? expr_int(s, e->type, 1) : NULL;
}

static bool make_buffer(relaying *x) {
    const expr **dim = ARENA_NEW(x->sch->mem, const expr *, x->count + 1);
    for (uint32_t i = 0; i < x->count; i++) {
        dim[i] = extent_of(x, x->to[i]);
        if (!dim[i])
            return refuse(x->sch, x->primitive, "the index map may hold variables, var // c, var %% c and 0, not %s",
                          expr_to_text(x->sch->mem, x->to[i]));
    }
    for (uint32_t i = 0; i < x->old->rank; i++)
        if (!tells(x, x->var[i]))
            return refuse(x->sch, x->primitive, "the index map puts several elements in one place: %s is lost",
                          x->var[i]->as.var->name);
    x->now = buffer_new(x->sch->s, x->old->name, x->old->type, dim, x->count, x->old->scope);
    return true;
}

// --- Following.

static const expr *const *moved(const relaying *x, const expr *const *index) {
    const expr **now = ARENA_NEW(x->sch->mem, const expr *, x->count + 1);
    map with = MAP_IN(x->sch->mem);
    for (uint32_t i = 0; i < x->old->rank; i++)
        map_put(&with, MAP_KEY(x->var[i]), (void *)(uintptr_t)expr_cast(x->sch->s, x->var[i]->type, index[i]));
    for (uint32_t i = 0; i < x->count; i++)
        now[i] = expr_simplify(x->sch->s, expr_substitute(x->sch->s, x->to[i], &with), x->sch->facts);
    return now;
}

// The loads of the old buffer become loads of the new one, innermost first.
static const expr *follow(const relaying *x, const expr *e) {
    for (;;) {
        map with = MAP_IN(x->sch->mem);
        expr_walk w = expr_walk_from(x->sch->mem, e);
        for (const expr *l; (l = expr_walk_next(&w));) {
            if (l->op != EXPR_LOAD || l->as.buffer != x->old) continue;
            map inside = MAP_IN(x->sch->mem);
            for (uint32_t i = 0; i < l->count; i++) expr_loaded_buffers(l->in[i], &inside);
            if (map_has(&inside, MAP_KEY(x->old))) continue;
            const expr *now = expr_load(x->sch->s, x->now, l->type, moved(x, l->in), x->count);
            map_put(&with, MAP_KEY(l), (void *)(uintptr_t)now);
        }
        if (!with.len) return e;
        e = expr_substitute(x->sch->s, e, &with);
    }
}

static const stmt *follow_store(const relaying *x, const stmt *st) {
    stmt *now = (stmt *)(uintptr_t)stmt_copy(x->sch->mem, st);
    const expr **index = ARENA_NEW(x->sch->mem, const expr *, st->as.store.count + 1);
    for (uint32_t i = 0; i < st->as.store.count; i++) index[i] = follow(x, st->as.store.index[i]);
    now->as.store.index = index;
    now->as.store.value = follow(x, st->as.store.value);
    now->as.store.predicate = st->as.store.predicate ? follow(x, st->as.store.predicate) : NULL;
    if (st->as.store.buf != x->old) return now;
    now->as.store.buf = x->now;
    now->as.store.index = moved(x, index);
    now->as.store.count = x->count;
    return now;
}

static const stmt *follow_stmt(const relaying *x, const stmt *st) {
    uint32_t n = 0;
    while (stmt_child(st, n)) n++;
    const stmt **child = ARENA_NEW(x->sch->mem, const stmt *, n + 1);
    for (uint32_t i = 0; i < n; i++) child[i] = follow_stmt(x, stmt_child(st, i));
    st = stmt_with_children(x->sch->mem, st, child);
    if (st->kind == STMT_STORE) return follow_store(x, st);
    if (st->kind != STMT_BLOCK) return st;
    block b = *st->as.block;
    const buffer **alloc = ARENA_NEW(x->sch->mem, const buffer *, b.allocs + 1);
    for (uint32_t i = 0; i < b.allocs; i++) alloc[i] = b.alloc[i] == x->old ? x->now : b.alloc[i];
    b.alloc = alloc;
    return block_changed(x->sch, &b);
}

const stmt *with_index(schedule *sch, const stmt *st, const buffer *old, const buffer *now, const expr *last) {
    const expr **var = ARENA_NEW(sch->mem, const expr *, old->rank + 1),
               **to = ARENA_NEW(sch->mem, const expr *, now->rank);
    for (uint32_t i = 0; i < old->rank; i++) to[i] = var[i] = expr_new_var(sch->s, "i", old->dim[i]->type);
    to[old->rank] = last;
    const relaying x = {.sch = sch, .old = old, .now = now, .var = var, .to = to, .count = now->rank};
    return follow_stmt(&x, st);
}

bool schedule_transform_layout(schedule *sch, block_ref b, uint32_t write, const attr *index_map) {
    relaying x = {.sch = sch, .primitive = "transform_layout"};
    stmt_list path = {0};
    text spelled = TEXT_IN(sch->mem);
    if (!must_block(sch, b, x.primitive, &path)) return false;
    x.old = intermediate(sch, x.primitive, &path, write);
    if (!x.old || !used_by_stores_alone(sch, x.primitive, x.old)) return false;
    const attr *vars = index_map->list[0], *results = index_map->list[1];
    if (vars->count != x.old->rank)
        return refuse(sch, x.primitive, "%s has %s, but the index map %s", x.old->name, COUNTED(x.old->rank, "dim"),
                      COUNTED(vars->count, "variable"));
    const expr **var = ARENA_NEW(sch->mem, const expr *, vars->count + 1),
               **to = ARENA_NEW(sch->mem, const expr *, results->count + 1);
    for (uint32_t i = 0; i < vars->count; i++) var[i] = vars->list[i]->as.e;
    for (uint32_t i = 0; i < results->count; i++) to[i] = results->list[i]->as.e;
    x.var = var;
    x.to = to;
    x.count = results->count;
    if (!make_buffer(&x)) return false;
    const char *which = block_name(sch, b);
    sch->func->body = follow_stmt(&x, sch->func->body);
    for (uint32_t i = 0; i < vars->count; i++) text_format(&spelled, "%s%s", i ? ", " : "", var[i]->as.var->name);
    text_put(&spelled, ": (");
    for (uint32_t i = 0; i < x.count; i++) text_format(&spelled, "%s%s", i ? ", " : "", expr_to_text(sch->mem, to[i]));
    trace_line(sch, "transform_layout(%s, %u, lambda %s))", which, write, text_get(&spelled));
    return true;
}

// --- storage_align

// The last dims' size becomes offset modulo the factor: the dim behind the axis grows.
static bool grow(schedule *sch, const buffer *buf, uint32_t axis, int64_t factor, int64_t offset, const expr **dim) {
    int64_t inner = 1, n, size = 0;
    for (uint32_t i = axis + 2; i < buf->rank; i++)
        if (!expr_const_int(buf->dim[i], &n) || !int_mul(inner, n, &inner)) inner = 0;
    if (!inner || !expr_const_int(buf->dim[axis + 1], &n))
        return refuse(sch, "storage_align", "the dims of %s behind axis %u are not constant", buf->name, axis);
    for (int64_t more = 0; more < factor; more++)
        if (int_mul(n + more, inner, &size) && size % factor == offset) {
            dim[axis + 1] = expr_int(sch->s, buf->dim[axis + 1]->type, n + more);
            return true;
        }
    return refuse(sch, "storage_align", "no size of axis %u of %s makes its rows %lld modulo %lld", axis + 1, buf->name,
                  (long long)offset, (long long)factor);
}

bool schedule_storage_align(schedule *sch, block_ref b, uint32_t write, uint32_t axis, int64_t factor, int64_t offset) {
    stmt_list path = {0};
    const char *primitive = "storage_align";
    if (!must_block(sch, b, primitive, &path)) return false;
    const buffer *old = intermediate(sch, primitive, &path, write);
    if (!old) return false;
    if (old->rank < 2 || axis + 1 >= old->rank)
        return refuse(sch, primitive, "axis %u of %s has no axis behind it", axis, old->name);
    if (factor < 1 || factor > 1 << 20 || offset < 0 || offset >= factor)
        return refuse(sch, primitive, "want 0 <= offset < factor, got %lld and %lld", (long long)offset,
                      (long long)factor);
    const expr **dim = ARENA_NEW(sch->mem, const expr *, old->rank);
    for (uint32_t i = 0; i < old->rank; i++) dim[i] = old->dim[i];
    if (!grow(sch, old, axis, factor, offset, dim)) return false;
    map buffers = MAP_IN(sch->mem);
    buffer *now = buffer_new(sch->s, old->name, old->type, dim, old->rank, old->scope);
    now->align = old->align;
    map_put(&buffers, MAP_KEY(old), now);
    const char *which = block_name(sch, b);
    sch->func->body = stmt_replace(sch->s, sch->mem, sch->func->body, NULL, &buffers);
    trace_line(sch, "storage_align(%s, %u, %u, %lld, %lld)", which, write, axis, (long long)factor, (long long)offset);
    return true;
}
