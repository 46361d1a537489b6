// merge.c - merge: two loops that follow each other become one that does both things in turn.
//
//   for i: A[i] = X[i] + 1                 for i:
//   for j: s += A[j]               ->          A[i] = X[i] + 1
//                                              s += A[i]
//
// Legal where an iteration of one and another iteration of the other never meet in memory.
#include "schedule/inside.h"

static const char primitive[] = "merge";

typedef struct merging {
    schedule *sch;
    stmt_list first, second; // paths to the loops; their ends are children of one sequence
    uint32_t at, to;         // their places in it
    map of_first;            // MAP_KEY(a block of the first loop's body, as merged) -> non-NULL
} merging;

static const stmt *sequence_of(const merging *m) { return m->first.at[m->first.len - 2]; }
static const char *name_of(const stmt *loop) { return loop->as.loop.var->as.var->name; }

static bool find_places(merging *m) {
    const stmt *a = path_end(&m->first), *b = path_end(&m->second);
    bool together = a != b && m->first.len == m->second.len && m->first.len >= 2;
    together = together && sequence_of(m)->kind == STMT_SEQ && sequence_of(m) == m->second.at[m->second.len - 2];
    if (!together)
        return refuse(m->sch, primitive, "loops %s and %s do not follow each other in one place", name_of(a),
                      name_of(b));
    const stmt *seq = sequence_of(m);
    for (uint32_t i = 0; i < seq->as.seq.count; i++) {
        if (seq->as.seq.list[i] == a) m->at = i;
        if (seq->as.seq.list[i] == b) m->to = i;
    }
    if (m->at < m->to) return true;
    return refuse(m->sch, primitive, "loop %s stands before loop %s", name_of(b), name_of(a));
}

static bool same_range(merging *m) {
    const stmt *a = path_end(&m->first), *b = path_end(&m->second);
    facts *f = path_facts(m->sch, &m->first);
    const stmt *const both[] = {a, b};
    for (uint32_t i = 0; i < 2; i++)
        if (both[i]->as.loop.kind != FOR_SERIAL || both[i]->as.loop.annotations)
            return refuse(m->sch, primitive, "loop %s is not serial, or has annotations", name_of(both[i]));
    bool same =
        dtype_equal(a->as.loop.var->type, b->as.loop.var->type) && a->as.loop.min == b->as.loop.min &&
        (a->as.loop.extent == b->as.loop.extent || prove_equal(m->sch->s, a->as.loop.extent, b->as.loop.extent, f));
    return same || refuse(m->sch, primitive, "loops %s and %s do not run over the same range", name_of(a), name_of(b));
}

// The second loop moves up past what stands between.
static bool can_pass(merging *m) {
    const stmt *seq = sequence_of(m), *moved = path_end(&m->second);
    const summary *mine = summary_of(m->sch, moved);
    for (uint32_t i = m->at + 1; i < m->to; i++) {
        const stmt *passed = seq->as.seq.list[i];
        if (summary_of(m->sch, passed)->opaque)
            return refuse(m->sch, primitive, "%s stands between", summary_of(m->sch, passed)->opaque);
        for (uint32_t k = 0; k < mine->use.len; k++) {
            const usage *u = &mine->use.at[k];
            if (u->writes ? touches(m->sch, passed, u->buf) : writes_buffer(m->sch, passed, u->buf))
                return refuse(m->sch, primitive, "what stands between uses %s as well", u->buf->name);
        }
    }
    return true;
}

static const stmt *with_variable(merging *m, const stmt *loop, const expr *var) {
    map with = MAP_IN(m->sch->mem);
    map_put(&with, MAP_KEY(loop->as.loop.var), (void *)(uintptr_t)var);
    return stmt_replace(m->sch->s, m->sch->mem, loop->as.loop.body, &with, NULL);
}

static const stmt *merged(merging *m, const expr *var) {
    const stmt *a = path_end(&m->first);
    stmt_list blocks = {0};
    const stmt *both[] = {with_variable(m, a, var), with_variable(m, path_end(&m->second), var)};
    blocks_below(m->sch, both[0], &blocks);
    for (uint32_t i = 0; i < blocks.len; i++) map_put(&m->of_first, MAP_KEY(blocks.at[i]), m);
    const stmt *body = stmt_seq(m->sch->mem, both, 2);
    return stmt_for(m->sch->mem, FOR_SERIAL, var, a->as.loop.min, a->as.loop.extent, body);
}

static bool independent(merging *m, const stmt *loop) {
    stmt_list path = {0};
    conflict c;
    for (uint32_t i = 0; i + 1 < m->first.len; i++) VEC_PUSH(m->sch->mem, &path, m->first.at[i]);
    VEC_PUSH(m->sch->mem, &path, loop);
    accesses all = accesses_below(m->sch, &path);
    if (all.opaque) return refuse(m->sch, primitive, "loop %s holds %s", name_of(path_end(&m->first)), all.opaque);
    for (uint32_t i = 0; i < all.list.len; i++)
        if (!all.list.at[i].leaf) return refuse(m->sch, primitive, "a statement stands outside of any block");
    if (!parts_conflict(m->sch, &path, &all, loop, &m->of_first, &c)) return true;
    return refuse(m->sch, primitive, "%s", describe_conflict(m->sch, loop, &c));
}

static void install(merging *m, const stmt *loop) {
    const stmt *seq = sequence_of(m);
    const stmt **list = ARENA_NEW(m->sch->mem, const stmt *, seq->as.seq.count);
    uint32_t n = 0;
    for (uint32_t i = 0; i < seq->as.seq.count; i++)
        if (i != m->to) list[n++] = i == m->at ? loop : seq->as.seq.list[i];
    m->first.len--;
    tree_replace(m->sch, &m->first, stmt_seq(m->sch->mem, list, n));
}

loop_ref schedule_merge(schedule *sch, loop_ref a, loop_ref b) {
    merging m = {.sch = sch, .of_first = MAP_IN(sch->mem)};
    if (!must_loop(sch, a, primitive, &m.first) || !must_loop(sch, b, primitive, &m.second)) return (loop_ref){0};
    if (!find_places(&m) || !same_range(&m) || !can_pass(&m)) return (loop_ref){0};
    const stmt *first = path_end(&m.first);
    const expr *var = new_loop_var(sch, name_of(first), first->as.loop.var->type);
    const stmt *loop = merged(&m, var);
    if (!independent(&m, loop)) return (loop_ref){0};
    const char *one = loop_name(sch, a), *two = loop_name(sch, b);
    install(&m, loop);
    loop_ref out = loop_handle(sch, var);
    trace_line(sch, "%s = merge(%s, %s)", new_loop_name(sch, out), one, two);
    return out;
}
