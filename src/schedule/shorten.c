// shorten.c - shorten: a loop ends behind the last of what it makes that is read.
//
//   for i_1 in range(4):                                   for i_1 in range(min(4, max((n - i_0 * 8 + 1) // 2, 0))):
//       for i_2 in range(2): T[i_1 * 2 + i_2] = …              for i_2 in range(2): T[i_1 * 2 + i_2] = …
//   for a in range(8):                               ->    for a in range(8):
//       with where(i_0 * 8 + a < n): Y[…] = T[a]               with where(i_0 * 8 + a < n): Y[…] = T[a]
//
// What a tile computes beyond the last row, so that it is whole, is not computed then. The loop makes elements of one
// intermediate; each of its readers has a guard on the index it reads at.
#include "schedule/inside.h"

static const char primitive[] = "shorten";

typedef struct shortening {
    schedule *sch;
    stmt_list path; // to the loop
    accesses inside, all;
    stmt_list blocks, every; // inside; all there are
    const buffer *made;
    uint32_t dim;      // that the loop moves along
    int64_t step;      // by so many elements an iteration
    const expr *limit; // elements below this are read; NULL: not known yet
} shortening;

static const stmt *loop_of(const shortening *h) { return path_end(&h->path); }

static bool is_inside(const shortening *h, const stmt *leaf) {
    for (uint32_t i = 0; i < h->blocks.len; i++)
        if (h->blocks.at[i] == leaf) return true;
    return false;
}

// Elements step * x + 0 … step - 1 of some dim.
static bool find_dim(shortening *h, const access *a) {
    const expr *var = loop_of(h)->as.loop.var;
    for (h->dim = 0; h->dim < a->count; h->dim++) {
        linear at;
        reach rest;
        if (!expr_uses_var(a->index[h->dim], var)) continue;
        if (!linear_in(h->sch, a->index[h->dim], var, &at) || at.step < 1) return false;
        h->step = at.step;
        const expr *others = expr_simplify(h->sch->s, at.rest, h->sch->facts);
        return linear_reach(h->sch, others, &h->inside.loops, &rest) && expr_is_int(rest.base, 0) && rest.low >= 0 &&
               rest.high < at.step;
    }
    return false;
}

// All that is written inside is one intermediate, and read there where it is written.
static bool find_made(shortening *h) {
    const access *written = NULL;
    for (uint32_t i = 0; i < h->inside.list.len; i++) {
        const access *a = &h->inside.list.at[i];
        if (!a->writes) continue;
        if (written && (a->buf != written->buf || a->index[h->dim] != written->index[h->dim])) return false;
        if (!written && (is_parameter(h->sch, a->buf) || !find_dim(h, a))) return false;
        written = a;
    }
    for (uint32_t i = 0; written && i < h->inside.list.len; i++) {
        const access *a = &h->inside.list.at[i];
        if (a->buf == written->buf && a->index[h->dim] != written->index[h->dim]) return false;
    }
    h->made = written ? written->buf : NULL;
    return written != NULL;
}

static bool is_around(const shortening *h, const stmt *st) {
    for (uint32_t i = 0; i + 1 < h->path.len; i++) {
        const stmt *at = h->path.at[i];
        if (at == st || (at->kind == STMT_FOR && st->kind == STMT_FOR && at->as.loop.var == st->as.loop.var))
            return true;
    }
    return false;
}

// Whether the value is made of what is known where the loop stands.
static bool is_known(const shortening *h, const expr *e) {
    expr_walk w = expr_walk_from(h->sch->mem, e);
    for (const expr *x; (x = expr_walk_next(&w));)
        if (x->op == EXPR_LOAD || x->op == EXPR_CALL) return false;
    for (uint32_t i = 0; i < h->all.loops.len; i++)
        if (expr_uses_var(e, h->all.loops.at[i]->as.loop.var) && !is_around(h, h->all.loops.at[i])) return false;
    for (uint32_t i = 0; i < h->every.len; i++)
        for (uint32_t k = 0; k < h->every.at[i]->as.block->iters; k++)
            if (expr_uses_var(e, h->every.at[i]->as.block->iter[k].var) && !is_around(h, h->every.at[i])) return false;
    return true;
}

// start + index < end: what the guard lets through of an index.
static const expr *limit_of(const shortening *h, const expr *where, const expr *index) {
    expr_session *s = h->sch->s;
    index = expr_simplify(s, index, h->sch->facts);
    if (!where || index->op != EXPR_VAR) return NULL;
    if (where->op == EXPR_AND) {
        const expr *found = limit_of(h, where->in[0], index);
        return found ? found : limit_of(h, where->in[1], index);
    }
    linear at;
    if (where->op != EXPR_LT || !linear_in(h->sch, where->in[0], index, &at) || at.step != 1) return NULL;
    if (!is_known(h, at.rest) || !is_known(h, where->in[1])) return NULL;
    return expr_binary(s, EXPR_SUB, where->in[1], at.rest);
}

static bool find_limit(shortening *h) {
    for (uint32_t i = 0; i < h->all.list.len; i++) {
        const access *a = &h->all.list.at[i];
        if (a->buf != h->made || a->writes || is_inside(h, a->leaf)) continue;
        const expr *limit = a->leaf ? limit_of(h, a->leaf->as.block->where, a->index[h->dim]) : NULL;
        if (!limit || (h->limit && h->limit != limit)) return false;
        h->limit = limit;
    }
    return h->limit != NULL;
}

static void install(const shortening *h) {
    expr_session *s = h->sch->s;
    const expr *step = expr_int(s, h->limit->type, h->step), *more = expr_int(s, h->limit->type, h->step - 1);
    const expr *count = expr_binary(s, EXPR_FLOOR_DIV, expr_binary(s, EXPR_ADD, h->limit, more), step);
    count = expr_binary(s, EXPR_MAX, count, expr_int(s, h->limit->type, 0));
    stmt *now = (stmt *)(uintptr_t)stmt_copy(h->sch->mem, loop_of(h));
    now->as.loop.extent = expr_simplify(s, expr_binary(s, EXPR_MIN, now->as.loop.extent, count), h->sch->facts);
    tree_replace(h->sch, &h->path, now);
}

bool schedule_shorten(schedule *sch, loop_ref l) {
    shortening h = {.sch = sch};
    stmt_list root = {0};
    if (!must_loop(sch, l, primitive, &h.path)) return false;
    const char *var = loop_of(&h)->as.loop.var->as.var->name, *name = loop_name(sch, l);
    if (loop_of(&h)->as.loop.kind != FOR_SERIAL || !expr_is_int(loop_of(&h)->as.loop.min, 0))
        return refuse(sch, primitive, "loop %s does not run in order from 0", var);
    VEC_PUSH(sch->mem, &root, sch->func->body);
    h.inside = accesses_below(sch, &h.path);
    h.all = accesses_below(sch, &root);
    blocks_below(sch, loop_of(&h)->as.loop.body, &h.blocks);
    blocks_below(sch, sch->func->body, &h.every);
    if (h.all.opaque) return refuse(sch, primitive, "there is %s in the program", h.all.opaque);
    if (!find_made(&h))
        return refuse(sch, primitive, "loop %s does not make elements of one intermediate, one behind the other", var);
    if (!find_limit(&h)) return refuse(sch, primitive, "no guard says how much of %s is read", h.made->name);
    install(&h);
    trace_line(sch, "shorten(%s)", name);
    return true;
}
