// blockize.c - blockize: what a loop holds becomes one block, whose variables say which part it is.
//
//   for i0, i1 in 4, 16:                               for i0 in 4:
//       with block("B"): v = i0 * 16 + i1; …    ->         with block("B_o"): o = i0
//                                                              for i1 in 16:
//                                                                  with block("B"): v = o * 16 + i1; …
//
// So a tile is a unit for what follows: its place is told by its variables alone.
#include "schedule/inside.h"

static const char primitive[] = "blockize";

typedef struct blockizing {
    schedule *sch;
    stmt_list path;  // to the loop
    stmt_list below; // from the loop to the block
    const block *leaf;
    stmt_list loops; // below, the loop itself included
} blockizing;

static bool find_leaf(blockizing *z) {
    const stmt *st = path_end(&z->path);
    const char *name = st->as.loop.var->as.var->name;
    for (; st->kind == STMT_FOR; st = st->as.loop.body) {
        VEC_PUSH(z->sch->mem, &z->below, st);
        VEC_PUSH(z->sch->mem, &z->loops, st);
        if (st->as.loop.kind == FOR_THREAD || st->as.loop.kind == FOR_PARALLEL)
            return refuse(z->sch, primitive, "loop %s inside is bound to threads", st->as.loop.var->as.var->name);
    }
    VEC_PUSH(z->sch->mem, &z->below, st);
    if (st->kind != STMT_BLOCK || !is_leaf(z->sch, st))
        return refuse(z->sch, primitive, "loop %s holds more than loops around one block", name);
    z->leaf = st->as.block;
    return true;
}

// The variable's value as part * size + what the loops below give: *part, its range, and the size.
static bool split_value(blockizing *z, const iter *it, bool *used, facts *f, iter *outer, const expr **inner) {
    schedule *sch = z->sch;
    stretch of;
    int64_t size = 0;
    const char *name = it->var->as.var->name;
    if (!stretch_of(sch, it->value, &z->loops, used, &of) || !expr_is_int(it->dom.min, 0))
        return refuse(sch, primitive, "what the loops below give %s of block %s is no run of values", name,
                      z->leaf->name);
    bool whole = prove_equal(sch->s, of.extent, it->dom.extent, f) && expr_is_int(of.low, 0);
    const expr *zero = expr_int(sch->s, it->var->type, 0), *one = expr_int(sch->s, it->var->type, 1);
    if (!whole && (!expr_const_int(of.extent, &size) || size < 1 || !prove_divides(sch->s, size, of.low, f) ||
                   !prove_divides(sch->s, size, it->dom.extent, f)))
        return refuse(sch, primitive, "the tiles of %s of block %s do not divide its range", name, z->leaf->name);
    outer->var = expr_new_var(sch->s, arena_format(sch->mem, "%s_o", name), it->var->type);
    outer->kind = it->kind;
    outer->dom.min = zero;
    if (whole) {
        *outer = (iter){outer->var, it->kind, {zero, one}, zero};
        *inner = it->value;
        return true;
    }
    const expr *by = expr_int(sch->s, it->var->type, size);
    outer->dom.extent = expr_simplify(sch->s, expr_binary(sch->s, EXPR_FLOOR_DIV, it->dom.extent, by), f);
    outer->value = expr_simplify(sch->s, expr_binary(sch->s, EXPR_FLOOR_DIV, of.low, by), f);
    const expr *rest = expr_simplify(sch->s, expr_binary(sch->s, EXPR_SUB, it->value, of.low), f);
    *inner = expr_binary(sch->s, EXPR_ADD, expr_binary(sch->s, EXPR_MUL, outer->var, by), rest);
    return true;
}

// A reduction that goes on outside of the block has to have started before it.
static bool may_start(blockizing *z, const iter *outer) {
    bool outside = false;
    for (uint32_t i = 0; i < z->leaf->iters; i++)
        outside = outside || (z->leaf->iter[i].kind == ITER_REDUCE && !expr_is_int(outer[i].dom.extent, 1));
    return !z->leaf->init || !outside ||
           refuse(z->sch, primitive, "the reduction of block %s goes on outside; decompose_reduction first",
                  z->leaf->name);
}

static const stmt *made_block(blockizing *z, const iter *outer, const expr *const *inner, const char *name) {
    schedule *sch = z->sch;
    iter *own = ARENA_NEW(sch->mem, iter, z->leaf->iters + 1), *kept = ARENA_NEW(sch->mem, iter, z->leaf->iters + 1);
    block leaf = *z->leaf, b = {.name = name, .iter = kept};
    for (uint32_t i = 0; i < leaf.iters; i++) {
        own[i] = leaf.iter[i];
        own[i].value = inner[i];
        if (!expr_is_int(outer[i].dom.extent, 1)) kept[b.iters++] = outer[i];
    }
    leaf.iter = own;
    b.body = path_replaced(sch, &z->below, block_changed(sch, &leaf));
    return stmt_block(sch->mem, &b);
}

block_ref schedule_blockize(schedule *sch, loop_ref l) {
    blockizing z = {.sch = sch};
    if (!must_loop(sch, l, primitive, &z.path) || !find_leaf(&z)) return (block_ref){0};
    facts *f = path_facts(sch, &z.path);
    iter *outer = ARENA_NEW(sch->mem, iter, z.leaf->iters + 1);
    const expr **inner = ARENA_NEW(sch->mem, const expr *, z.leaf->iters + 1);
    bool *used = ARENA_NEW(sch->mem, bool, z.loops.len + 1);
    if (z.leaf->where) {
        refuse(sch, primitive, "block %s has a guard", z.leaf->name);
        return (block_ref){0};
    }
    for (uint32_t i = 0; i < z.leaf->iters; i++)
        if (!split_value(&z, &z.leaf->iter[i], used, f, &outer[i], &inner[i])) return (block_ref){0};
    if (!may_start(&z, outer)) return (block_ref){0};
    const char *name = unique_block(sch, arena_format(sch->mem, "%s_o", z.leaf->name)), *loop = loop_name(sch, l);
    tree_replace(sch, &z.path, made_block(&z, outer, inner, name));
    block_ref out = block_handle(sch, name);
    trace_line(sch, "%s = blockize(%s)", new_block_name(sch, out), loop);
    return out;
}
