// tensorize.c - tensorize: a loop nest becomes what a processor has instructions for. Each kind is matched by what the
// nest does, so that a wrong use is refused, and is left as an annotation that the emitter follows.
#include "schedule/inside.h"
#include <string.h>

static const char primitive[] = "tensorize";

enum { SIDE_MOST = 32 };

// The loop at the path's end, the loop in it, and the block in that.
typedef struct nest {
    const stmt *outer, *inner, *leaf;
    block_shape shape;
} nest;

static bool find_nest(schedule *sch, const stmt_list *path, nest *n) {
    n->outer = path_end(path);
    n->inner = n->outer->as.loop.body;
    const char *name = n->outer->as.loop.var->as.var->name;
    n->leaf = n->inner->kind == STMT_FOR ? n->inner->as.loop.body : NULL;
    if (!n->leaf || n->leaf->kind != STMT_BLOCK || !is_leaf(sch, n->leaf))
        return refuse(sch, primitive, "inside loop %s stands no single loop around a block", name);
    const block *b = n->leaf->as.block;
    if (!block_understand(sch, b, &n->shape) || n->shape.reduction || b->init || b->body != n->shape.store ||
        n->shape.store->as.store.predicate)
        return refuse(sch, primitive, "block %s is not one assignment of an element", b->name);
    return true;
}

// By how much the index, in terms of the loops, moves with the variable; false if that is no constant.
static bool step_of(schedule *sch, const expr *index, const expr *var, int64_t *step) {
    linear l;
    *step = 0;
    if (!expr_uses_var(index, var)) return true;
    if (!linear_in(sch, index, var, &l) || expr_uses_var(l.rest, var)) return false;
    *step = l.step;
    return true;
}

// --- transpose: read along the outer loop, written along the inner one.

static bool moves_alone(schedule *sch, const access *a, const expr *var, const char *block_name) {
    int64_t step;
    bool last = a->count && step_of(sch, a->index[a->count - 1], var, &step) && step == 1;
    for (uint32_t d = 0; d + 1 < a->count; d++) last = last && !expr_uses_var(a->index[d], var);
    return last || refuse(sch, primitive, "block %s does not move in %s by one element with loop %s", block_name,
                          a->buf->name, var->as.var->name);
}

static bool is_transpose(schedule *sch, const stmt_list *path, const nest *n) {
    int64_t side, lanes;
    const expr *read = n->outer->as.loop.var, *written = n->inner->as.loop.var;
    const char *name = n->leaf->as.block->name;
    bool square = expr_const_int(n->outer->as.loop.extent, &side) && expr_const_int(n->inner->as.loop.extent, &lanes) &&
                  side == lanes;
    if (!square || side < 2 || side > SIDE_MOST || (side & (side - 1)))
        return refuse(sch, primitive, "loops %s and %s do not have the same extent, a power of two up to %d",
                      read->as.var->name, written->as.var->name, SIDE_MOST);
    accesses all = accesses_below(sch, path);
    for (uint32_t i = 0; i < all.list.len; i++) {
        const access *a = &all.list.at[i];
        if (a->writes ? !moves_alone(sch, a, written, name) : !moves_alone(sch, a, read, name)) return false;
        if (!a->writes && a->buf == n->shape.out)
            return refuse(sch, primitive, "block %s reads %s, which it writes", name, a->buf->name);
    }
    return true;
}

static bool transpose(schedule *sch, loop_ref l, const stmt_list *path, const nest *n) {
    loop_ref inner = loop_handle(sch, n->inner->as.loop.var);
    return is_transpose(sch, path, n) && schedule_unroll(sch, l) && schedule_vectorize(sch, inner) &&
           schedule_annotate_loop(sch, l, "transposed", attr_int(sch->mem, 1));
}

static const struct {
    const char *name;
    bool (*apply)(schedule *sch, loop_ref l, const stmt_list *path, const nest *n);
} kinds[] = {
    {"transpose", transpose}, // a square is turned in registers
};

// The primitives it consists of leave no lines of their own.
bool schedule_tensorize(schedule *sch, loop_ref l, const char *kind) {
    stmt_list path = {0};
    nest n;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (strcmp(kinds[i].name, kind) != 0) continue;
        if (!must_loop(sch, l, primitive, &path) || !find_nest(sch, &path, &n)) return false;
        const char *name = loop_name(sch, l);
        size_t trace = sch->trace.len;
        uint32_t names = sch->names;
        schedule_checkpoint(sch);
        if (!kinds[i].apply(sch, l, &path, &n)) {
            schedule_rollback(sch);
            return false;
        }
        schedule_commit(sch);
        trace_cut(sch, trace, names);
        trace_line(sch, "tensorize(%s, \"%s\")", name, kind);
        return true;
    }
    return refuse(sch, primitive, "there is no kind %s; known is transpose", kind);
}
