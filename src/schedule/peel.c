// peel.c - peel: iterations of a loop in which no guard inside fails run a copy without guards.
//
//   for i_0:                                        for i_0:
//       for i_1 in range(8):                            if i_0 * 8 + 7 < n:
//           with where(i_0 * 8 + i_1 < n): B      ->        for i_1 in range(8): B
//                                                       else:
//                                                           for i_1 in range(8):
//                                                               with where(i_0 * 8 + i_1 < n): B_tail
//
// Given a block, its guards alone decide; guards of others that hold then, too, go as well.
//
// So full tiles cost nothing for the partial one, and each kind can be scheduled its own way.
#include "loop/span.h"
#include "schedule/inside.h"
#include <string.h>

typedef struct peeling {
    schedule *sch;
    span_scope in;            // of the loops below
    const char *of;           // the block whose guards decide; NULL: all blocks
    map met;                  // MAP_KEY(part of a guard) -> what makes it hold all over
    const expr *when;         // all that is asked for; NULL: none yet
    VEC(const stmt *) blocks; // below, in program order
    VEC(block_ref) tail;
} peeling;

static bool is_varying(const peeling *p, const expr *e) {
    for (uint32_t i = 0; i < p->in.vars.len; i++)
        if (expr_uses_var(e, (const expr *)(uintptr_t)p->in.vars.entry[i].key)) return true;
    return false;
}

// The condition under which a < b (or a <= b) holds for all iterations below; NULL where it can't be told.
static const expr *all_over(peeling *p, const expr *part) {
    expr_session *s = p->sch->s;
    expr_op op = part->op;
    if (op != EXPR_LT && op != EXPR_LE && op != EXPR_GT && op != EXPR_GE) return NULL;
    if (!expr_is_index(part->in[0])) return NULL;
    bool up = op == EXPR_LT || op == EXPR_LE;
    span a = span_of(&p->in, part->in[up ? 0 : 1]), b = span_of(&p->in, part->in[up ? 1 : 0]);
    if (!a.high || !b.low || is_varying(p, a.high) || is_varying(p, b.low)) return NULL;
    const expr *holds = expr_binary(s, op == EXPR_LT || op == EXPR_GT ? EXPR_LT : EXPR_LE, a.high, b.low);
    holds = simpler_guard(p->sch, holds, p->in.facts);
    return holds ? holds : expr_bool(s, true);
}

static bool is_asked(const peeling *p, const expr *when) {
    for (const expr *all = p->when; all; all = all->op == EXPR_AND ? all->in[0] : NULL)
        if (all == when || (all->op == EXPR_AND && all->in[1] == when)) return true;
    return false;
}

// Notes each part of the guard that can hold all over; `decides`: the condition asks for it.
static void gather_part(peeling *p, const expr *where, bool decides) {
    if (!where || map_has(&p->met, MAP_KEY(where))) return;
    if (where->op == EXPR_AND) {
        gather_part(p, where->in[0], decides);
        gather_part(p, where->in[1], decides);
        return;
    }
    const expr *when = all_over(p, where);
    bool always = when && expr_is_int(when, 1);
    if (!when || (!decides && !always && !is_asked(p, when))) return;
    map_put(&p->met, MAP_KEY(where), (void *)(uintptr_t)when);
    if (!always && !is_asked(p, when)) p->when = p->when ? expr_binary(p->sch->s, EXPR_AND, p->when, when) : when;
}

static void gather(peeling *p, const stmt *st) {
    if (st->kind == STMT_FOR)
        span_put(&p->in, st->as.loop.var, span_of_range(&p->in, (range){st->as.loop.min, st->as.loop.extent}));
    if (st->kind == STMT_BLOCK) {
        VEC_PUSH(p->sch->mem, &p->blocks, st);
        return;
    }
    for (uint32_t i = 0; stmt_child(st, i); i++) gather(p, stmt_child(st, i));
}

static void find_condition(peeling *p) {
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < p->blocks.len; i++) {
            const block *b = p->blocks.at[i]->as.block;
            bool decides = !p->of || strcmp(p->of, b->name) == 0;
            if (decides == (pass == 0)) gather_part(p, b->where, decides);
        }
}

// --- The two copies.

static const expr *rest_of(const peeling *p, const expr *where) {
    if (!where || map_has(&p->met, MAP_KEY(where))) return NULL;
    if (where->op != EXPR_AND) return where;
    const expr *a = rest_of(p, where->in[0]), *b = rest_of(p, where->in[1]);
    return a && b ? expr_binary(p->sch->s, EXPR_AND, a, b) : a ? a : b;
}

static const stmt *map_children(peeling *p, const stmt *st, const stmt *(*each)(peeling *, const stmt *)) {
    uint32_t n = 0;
    while (stmt_child(st, n)) n++;
    const stmt **child = ARENA_NEW(p->sch->mem, const stmt *, n + 1);
    for (uint32_t i = 0; i < n; i++) child[i] = each(p, stmt_child(st, i));
    return stmt_with_children(p->sch->mem, st, child);
}

static const stmt *unguarded(peeling *p, const stmt *st) {
    if (st->kind != STMT_BLOCK) return map_children(p, st, unguarded);
    block b = *st->as.block;
    b.where = rest_of(p, b.where);
    return stmt_block(p->sch->mem, &b);
}

static const stmt *renamed(peeling *p, const stmt *st) {
    if (st->kind == STMT_FOR) map_put(&p->sch->loop_vars, MAP_KEY(st->as.loop.var), p->sch);
    st = map_children(p, st, renamed);
    if (st->kind != STMT_BLOCK) return st;
    block b = *st->as.block;
    b.name = unique_block(p->sch, arena_format(p->sch->mem, "%s_tail", b.name));
    if (is_leaf(p->sch, st)) VEC_PUSH(p->sch->mem, &p->tail, block_handle(p->sch, b.name));
    return stmt_block(p->sch->mem, &b);
}

uint32_t schedule_peel(schedule *sch, loop_ref l, block_ref of, block_ref *out, uint32_t room) {
    stmt_list path = {0}, block_path = {0};
    if (!must_loop(sch, l, "peel", &path) || (of.id && !must_block(sch, of, "peel", &block_path))) return 0;
    const stmt *loop = path_end(&path), *body = loop->as.loop.body;
    peeling p = {.sch = sch, .met = MAP_IN(sch->mem)};
    p.in = span_scope_new(sch->s, sch->mem, path_facts(sch, &path));
    p.of = of.id ? path_end(&block_path)->as.block->name : NULL;
    gather(&p, body);
    find_condition(&p);
    if (!p.when) {
        refuse(sch, "peel", "no guard inside loop %s depends on it in a way that can be told",
               loop->as.loop.var->as.var->name);
        return 0;
    }
    const char *name = loop_name(sch, l), *which = of.id ? block_name(sch, of) : NULL;
    const stmt *tail = renamed(&p, stmt_refresh(sch->s, sch->mem, body));
    tree_replace(sch, &path, loop_with_body(sch, loop, stmt_if(sch->mem, p.when, unguarded(&p, body), tail)));
    text line = TEXT_IN(sch->mem);
    for (uint32_t i = 0; i < p.tail.len; i++) {
        if (i < room) out[i] = p.tail.at[i];
        text_format(&line, "%s%s", i ? ", " : "", new_block_name(sch, p.tail.at[i]));
    }
    trace_line(sch, "%s = peel(%s%s%s)", text_get(&line), name, which ? ", " : "", which ? which : "");
    return p.tail.len;
}
