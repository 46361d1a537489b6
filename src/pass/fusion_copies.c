// fusion_copies.c - a decode with several readers: one copy for each, where that costs less than writing it out.
//
//   before:  w = decode(q)              after:  w = decode(q)
//            a = matmul(x, w)                   a = matmul(x, w)
//            b = matmul(y, w)                   w1 = decode(q)
//                                               b = matmul(y, w1)
//
// Each copy then has one reader and fuses with it (paper, Figure 9). The rule counts memory traffic: reading the packed
// form once per reader must be no more than writing the unpacked form once. A gather reads a part alone and counts for
// nothing. Every reader must be a program that the copy can go into: were one left, the unpacked form would be written
// anyway.
#include "ops/ops.h"
#include "pass/clone.h"
#include "pass/fusion.h"

typedef struct copying {
    module *m;
    fusion g;
    clone c;
    builder *scratch;
    map copied;  // MAP_KEY(decode) -> non-NULL
    map readers; // MAP_KEY(call) -> non-NULL: calls that read one
} copying;

static const loop_func *program_of(const copying *z, const node *call) {
    const module_func *f = module_find(z->m, call->in[0]->as.text.bytes);
    return f ? f->loop : NULL;
}

// Does the reader take the value as a tensor in a program that it can go into? Adds to *whole if it reads all of it.
// Elementwise readers follow matmuls, whose loops have no place for it then.
static bool can_read(const copying *z, const fusion_point *reader, const node *value, uint32_t *whole) {
    bool fits = reader->kind == PATTERN_INJECTIVE || reader->kind == PATTERN_OUT_FUSIBLE;
    if (!fits || reader->n->op != &op_call_tir || map_has(&z->copied, MAP_KEY(reader->n))) return false;
    const node *args = reader->n->in[1];
    for (uint32_t i = 0; i < args->count; i++)
        if (args->in[i] == value) *whole += !loop_gathers(z->m->mem, program_of(z, reader->n), i);
    return true;
}

// The readers, each once, in *out; false if copies for them don't pay.
static bool copies_pay(const copying *z, uint32_t i, node_list *out) {
    const fusion_point *p = &z->g.point.at[i];
    uint32_t whole = 0;
    if (p->outside || p->kind > PATTERN_INJECTIVE || p->work != WORK_UNPACKS) return false;
    for (uint32_t k = p->first_edge; k != UINT32_MAX; k = z->g.edge.at[k].next) {
        const fusion_point *reader = &z->g.point.at[z->g.edge.at[k].to];
        if (out->len && out->at[out->len - 1] == reader->n) continue; // read twice
        if (out->len == z->g.limits.copies || !can_read(z, reader, p->n, &whole)) return false;
        VEC_PUSH(z->m->mem, out, reader->n);
    }
    return out->len > 1 && loop_unpacks(z->m->exprs, z->m->mem, program_of(z, p->n), whole);
}

static void choose(copying *z) {
    for (uint32_t i = z->g.point.len; i-- > 0;) {
        node_list readers = {0};
        if (!copies_pay(z, i, &readers)) continue;
        map_put(&z->copied, MAP_KEY(z->g.point.at[i].n), z);
        map_put(&z->c.drop, MAP_KEY(z->g.point.at[i].n), z);
        for (uint32_t k = 0; k < readers.len; k++) map_put(&z->readers, MAP_KEY(readers.at[k]), z);
    }
}

// The call again over copies of its own, which are bound right before it.
static void copy_for(copying *z, const node *call) {
    const node *args = call->in[1];
    const node **arg = ARENA_NEW(z->m->mem, const node *, args->count);
    node_list *own = ARENA_NEW(z->m->mem, node_list, 1);
    map made = MAP_IN(z->m->mem); // of one that is read twice
    for (uint32_t i = 0; i < args->count; i++) {
        arg[i] = args->in[i];
        if (!map_has(&z->copied, MAP_KEY(arg[i]))) continue;
        const node *copy = map_find(&made, MAP_KEY(arg[i]));
        if (!copy) {
            copy = build_copy(z->scratch, arg[i], arg[i]->in);
            VEC_PUSH(z->m->mem, own, copy);
            map_put(&made, MAP_KEY(arg[i]), (void *)(uintptr_t)copy);
        }
        arg[i] = copy;
    }
    const node *in[] = {call->in[0], build_tuple(z->scratch, NULL, arg, args->count),
                        call->count > 2 ? call->in[2] : NULL};
    map_put(&z->c.before, MAP_KEY(call), own);
    map_put(&z->c.instead, MAP_KEY(call), (void *)(uintptr_t)build_copy(z->scratch, call, in));
}

const graph_func *fusion_copies(module *m, const graph_func *f, fusion_limits limits, diag *d) {
    if (!limits.producers || limits.copies < 2) return f;
    copying z = {.m = m, .g = fusion_of(m, f, limits), .c = clone_tables(m), .scratch = build_func(m, "scratch", d)};
    z.copied = z.readers = MAP_IN(m->mem);
    choose(&z);
    if (!z.copied.len) return f;
    for (uint32_t i = 0; i < z.readers.len; i++) copy_for(&z, (const node *)(uintptr_t)z.readers.entry[i].key);
    return clone_func(&z.c, m, f, d);
}
