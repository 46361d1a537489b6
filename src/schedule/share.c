// share.c - share: an intermediate lies where the result goes that is made of it last.
//
//   alloc E[n, 4096]                                for i:
//   for i:                                              for k: Y[i, k] = exp(X[i, k])
//       for k: E[i, k] = exp(X[i, k])           ->      for k: s[i] += Y[i, k]
//       for k: s[i] += E[i, k]                          for k: Y[i, k] = Y[i, k] / s[i]
//       for k: Y[i, k] = E[i, k] / s[i]
//
// One buffer less goes through the caches, and memory for Y is fetched while there is something to compute. Legal where
// each element of Y is made of the same element of E alone, behind all other uses of E, and iterations don't meet.
#include "schedule/inside.h"

static const char primitive[] = "share";

typedef struct sharing {
    schedule *sch;
    stmt_list made, used; // paths to the block that makes the intermediate, and to the one that makes the result of it
    block_shape from, into; // what they write
    uint32_t together;      // length of what the paths share: down to a sequence
} sharing;

static const char *name_of(const stmt_list *path) { return path_end(path)->as.block->name; }

static bool is_plain(const buffer *b) { return !b->stride && !b->elem_offset; }

static bool same_place(sharing *x) {
    const buffer *e = x->from.out, *y = x->into.out;
    bool same = e != y && e->rank == y->rank && dtype_equal(e->type, y->type) && is_plain(e) && is_plain(y);
    for (uint32_t i = 0; same && i < e->rank; i++)
        same = e->dim[i] == y->dim[i] || prove_equal(x->sch->s, e->dim[i], y->dim[i], x->sch->facts);
    if (!same) return refuse(x->sch, primitive, "%s and %s don't have the same type and dims", e->name, y->name);
    return !is_parameter(x->sch, e) || refuse(x->sch, primitive, "%s is a parameter", e->name);
}

// The result's block runs once for each element of it.
static bool makes_all(sharing *x) {
    const block *b = path_end(&x->used)->as.block;
    const char *variable = b->name;
    bool all = !x->into.reduction && !b->init && runs_over_domain(x->sch, &x->used, 0, &variable);
    for (uint32_t i = 0; all && i < x->into.rank; i++)
        for (uint32_t k = 0; k < b->iters; k++) {
            const iter *it = &b->iter[k];
            if (it->var != x->into.written[i]) continue;
            all = all && expr_is_int(it->dom.min, 0) &&
                  prove_equal(x->sch->s, it->dom.extent, x->into.out->dim[i], x->sch->facts);
        }
    return all || refuse(x->sch, primitive, "block %s does not write all of %s, each element once", b->name,
                         x->into.out->name);
}

// Nobody else touches the result, and its block reads the intermediate where it writes.
static bool keeps_to_elements(sharing *x) {
    stmt_list root = {0};
    VEC_PUSH(x->sch->mem, &root, x->sch->func->body);
    accesses all = accesses_below(x->sch, &root);
    const stmt *last = path_end(&x->used);
    const access *written = NULL;
    for (uint32_t i = 0; i < all.list.len; i++) {
        const access *a = &all.list.at[i];
        if (a->buf != x->into.out) continue;
        if (a->leaf != last || !a->writes)
            return refuse(x->sch, primitive, "%s is used by more than the block %s that writes it", a->buf->name,
                          last->as.block->name);
        written = a;
    }
    for (uint32_t i = 0; i < all.list.len && written; i++) {
        const access *a = &all.list.at[i];
        bool same = a->count == written->count;
        for (uint32_t k = 0; same && k < a->count; k++) same = a->index[k] == written->index[k];
        if (a->buf == x->from.out && a->leaf == last && !same)
            return refuse(x->sch, primitive, "block %s reads other elements of %s than it writes", last->as.block->name,
                          a->buf->name);
    }
    return true;
}

static bool find_sequence(sharing *x) {
    while (x->together < x->made.len && x->together < x->used.len && x->made.at[x->together] == x->used.at[x->together])
        x->together++;
    const stmt *seq = x->together ? x->made.at[x->together - 1] : NULL;
    return (seq && seq->kind == STMT_SEQ && x->together < x->used.len) ||
           refuse(x->sch, primitive, "blocks %s and %s don't follow each other", name_of(&x->made), name_of(&x->used));
}

// All other uses of the intermediate are in the sequence, in front of what makes the result.
static bool uses_come_before(sharing *x) {
    const buffer *e = x->from.out;
    const stmt *seq = x->made.at[x->together - 1];
    bool behind = false, good = true;
    for (uint32_t d = 0; d + 1 < x->together; d++)
        for (uint32_t i = 0; stmt_child(x->made.at[d], i); i++)
            good = good && (stmt_child(x->made.at[d], i) == x->made.at[d + 1] ||
                            !touches(x->sch, stmt_child(x->made.at[d], i), e));
    for (uint32_t i = 0; i < seq->as.seq.count; i++) {
        good = good && !(behind && touches(x->sch, seq->as.seq.list[i], e));
        behind |= seq->as.seq.list[i] == x->used.at[x->together];
    }
    stmt_list blocks = {0};
    blocks_below(x->sch, x->used.at[x->together], &blocks);
    for (uint32_t i = 0; i < blocks.len; i++)
        good = good && (!is_leaf(x->sch, blocks.at[i]) || blocks.at[i] == path_end(&x->used) ||
                        !touches(x->sch, blocks.at[i], e));
    return good || refuse(x->sch, primitive, "%s is used again once block %s runs", e->name, name_of(&x->used));
}

// An iteration reads what it wrote itself.
static bool made_anew(sharing *x) {
    stmt_list path = {0};
    uint32_t loop = 0;
    for (uint32_t i = 0; i < x->together; i++)
        if (x->made.at[i]->kind == STMT_FOR) loop = i + 1;
    for (uint32_t i = 0; i < loop; i++) VEC_PUSH(x->sch->mem, &path, x->made.at[i]);
    return !loop || written_first(x->sch, &path, x->from.out) ||
           refuse(x->sch, primitive, "an iteration may read of %s what another one wrote", x->from.out->name);
}

static bool can_share(sharing *x) {
    const char *way = in_the_way(&x->used, 0, x->used.len), *opaque = summary_of(x->sch, x->sch->func->body)->opaque;
    const block *a = path_end(&x->made)->as.block, *b = path_end(&x->used)->as.block;
    if (way || opaque) return refuse(x->sch, primitive, "the program holds %s", way ? way : opaque);
    if (!block_understand(x->sch, a, &x->from) || !block_understand(x->sch, b, &x->into))
        return refuse(x->sch, primitive, "block %s or block %s does not write one element of one buffer", a->name,
                      b->name);
    // Such inputs are read where the result's block runs, which is too late then.
    if (attr_find(x->sch->func->attrs, "rx.inplace"))
        return refuse(x->sch, primitive, "%s may lie where an input does", x->into.out->name);
    return same_place(x) && find_sequence(x) && keeps_to_elements(x) && makes_all(x) && uses_come_before(x) &&
           made_anew(x);
}

static const stmt *without_alloc(schedule *sch, const stmt *st, const buffer *buf) {
    uint32_t n = stmt_children(st), kept = 0;
    const stmt **child = ARENA_NEW(sch->mem, const stmt *, n + 1);
    for (uint32_t i = 0; i < n; i++) child[i] = without_alloc(sch, stmt_child(st, i), buf);
    st = stmt_with_children(sch->mem, st, child);
    if (st->kind != STMT_BLOCK || !st->as.block->allocs) return st;
    block b = *st->as.block;
    const buffer **alloc = ARENA_NEW(sch->mem, const buffer *, b.allocs);
    for (uint32_t i = 0; i < b.allocs; i++)
        if (b.alloc[i] != buf) alloc[kept++] = b.alloc[i];
    if (kept == b.allocs) return st;
    b.alloc = alloc;
    b.allocs = kept;
    return stmt_block(sch->mem, &b);
}

// Iterations of the loops around both blocks don't meet in what is one buffer now.
static bool iterations_apart(sharing *x) {
    stmt_list path = {0};
    conflict c;
    if (!path_to_block(x->sch, name_of(&x->used), &path)) return false;
    for (uint32_t n = x->together; n > 0; n--) {
        if (path.at[n - 1]->kind != STMT_FOR) continue;
        path.len = n;
        accesses all = accesses_below(x->sch, &path);
        if (iterations_conflict(x->sch, &path, &all, path.at[n - 1], false, &c))
            return refuse(x->sch, primitive, "%s", describe_conflict(x->sch, path.at[n - 1], &c));
    }
    return true;
}

bool schedule_share(schedule *sch, block_ref made, block_ref used) {
    sharing x = {.sch = sch};
    map buffers = MAP_IN(sch->mem);
    if (!must_block(sch, made, primitive, &x.made) || !must_block(sch, used, primitive, &x.used) || !can_share(&x))
        return false;
    const char *one = block_name(sch, made), *two = block_name(sch, used);
    schedule_checkpoint(sch);
    map_put(&buffers, MAP_KEY(x.from.out), (void *)(uintptr_t)x.into.out);
    sch->func->body = without_alloc(sch, sch->func->body, x.from.out);
    sch->func->body = stmt_replace(sch->s, sch->mem, sch->func->body, NULL, &buffers);
    if (!iterations_apart(&x)) {
        schedule_rollback(sch);
        return false;
    }
    schedule_commit(sch);
    trace_line(sch, "share(%s, %s)", one, two);
    return true;
}
