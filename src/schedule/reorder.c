// reorder.c - reorder: loops of one nest change places.
//
//   for i, k:                      for k, i:
//       C[i] += A[i, k]     ->         C[i] += A[i, k]
//
// Legal where iterations that meet in memory differ in one of the loops at most: their order stays. The order of a
// reduction's steps is free.
#include "schedule/inside.h"

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

static bool ranges_independent(schedule *sch, const stmt_list *order) {
    for (uint32_t i = 0; i < order->len; i++)
        for (uint32_t k = i; k < order->len; k++)
            if (expr_uses_var(order->at[i]->as.loop.extent, order->at[k]->as.loop.var) ||
                expr_uses_var(order->at[i]->as.loop.min, order->at[k]->as.loop.var))
                return refuse(sch, "reorder", "the range of loop %s depends on loop %s",
                              order->at[i]->as.loop.var->as.var->name, order->at[k]->as.loop.var->as.var->name);
    return true;
}

// At most one of the loops may carry a dependence.
static bool order_is_free(schedule *sch, const stmt_list *top, const stmt_list *run) {
    accesses all = accesses_below(sch, top);
    conflict c;
    uint32_t carrying = 0;
    if (all.opaque) return refuse(sch, "reorder", "there is %s inside, so the order must stay", all.opaque);
    for (uint32_t i = 0; i < run->len; i++) {
        if (run->at[i]->as.loop.kind != FOR_SERIAL) continue; // its iterations are known not to meet
        if (!iterations_conflict(sch, top, &all, run->at[i], true, &c)) continue;
        if (carrying++) return refuse(sch, "reorder", "%s", describe_conflict(sch, run->at[i], &c));
    }
    return true;
}

static bool is_given(const stmt_list *given, const stmt *loop) {
    for (uint32_t i = 0; i < given->len; i++)
        if (given->at[i] == loop) return true;
    return false;
}

// The run of loops with the given ones in their new order at the places they take.
static bool new_order(schedule *sch, const stmt_list *given, const stmt_list *run, stmt_list *order) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < run->len; i++)
        VEC_PUSH(sch->mem, order, is_given(given, run->at[i]) ? given->at[next++] : run->at[i]);
    return next == given->len || refuse(sch, "reorder", "the loops are not nested in one another");
}

static bool same_order(const stmt_list *a, const stmt_list *b) {
    for (uint32_t i = 0; i < a->len; i++)
        if (a->at[i] != b->at[i]) return false;
    return true;
}

bool schedule_reorder(schedule *sch, const loop_ref *l, uint32_t count) {
    stmt_list given = {0}, top = {0}, bottom = {0}, run = {0}, order = {0};
    text names = TEXT_IN(sch->mem);
    for (uint32_t i = 0; i < count; i++) {
        stmt_list path = {0};
        if (!must_loop(sch, l[i], "reorder", &path)) return false;
        if (is_given(&given, path_end(&path)))
            return refuse(sch, "reorder", "loop %s is given twice", path_end(&path)->as.loop.var->as.var->name);
        VEC_PUSH(sch->mem, &given, path_end(&path));
        if (!top.len || path.len < top.len) top = path;
        if (!bottom.len || path.len > bottom.len) bottom = path;
    }
    if (count < 2) return true;
    const stmt *body = path_end(&bottom)->as.loop.body;
    if (!chain(sch, path_end(&top), path_end(&bottom), &run) || !new_order(sch, &given, &run, &order)) return false;
    if (same_order(&run, &order)) return true;
    if (!ranges_independent(sch, &order) || !order_is_free(sch, &top, &run)) return false;
    for (uint32_t i = 0; i < count; i++) text_format(&names, "%s%s", i ? ", " : "", loop_name(sch, l[i]));
    for (uint32_t i = order.len; i-- > 0;) body = loop_with_body(sch, order.at[i], body);
    tree_replace(sch, &top, body);
    trace_line(sch, "reorder(%s)", text_get(&names));
    return true;
}
