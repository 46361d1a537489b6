// annotate_inplace.c - AnnotateInplace: which inputs a program may write its result over.
//
//   before:  def add(a, b, c):                        after:  def add(a, b, c):
//                for i in range(n):                               T.func_attr({"rx.inplace": [0, 1]})
//                    c[i] = a[i] + b[i]                           for i in range(n):
//                                                                     c[i] = a[i] + b[i]
//
// Needs programs that are not scheduled yet. Keeps everything. The result is the last buffer; an input may lie where it
// lies if each of its elements is read only where the element at the same place is written, once, and nothing else
// touches either. Schedules keep that: they move and tile the block that writes the result, but never run an instance
// of it twice, and read for it no other elements than before. (Deciding is done here and replacing in UseInplaceCalls,
// behind the schedules: a program that reads what it writes suits fewer of their rules. A matmul with its residual
// added was 3 times slower that way, 256 rows of 512.)
#include "loop/walk.h"
#include "pass/pass.h"
#include "pass/programs.h"

// What is known of the two buffers' accesses.
typedef struct access_check {
    module *m;
    const buffer *in, *out;
    const stmt *store;  // the only one to `out`; NULL: none seen
    const block *block; // around it
    uint32_t stores;
    bool bad;
} access_check;

static bool is_plain_buffer(const buffer *b) { return !b->stride && !b->elem_offset; }

static bool same_shape(module *m, const buffer *a, const buffer *b) {
    if (a->rank != b->rank || !dtype_equal(a->type, b->type)) return false;
    for (uint32_t i = 0; i < a->rank; i++)
        if (!prove_equal(m->exprs, a->dim[i], b->dim[i], NULL)) return false;
    return is_plain_buffer(a) && is_plain_buffer(b);
}

// --- Where the store stands: in one block of spatial variables, each of them one loop's.

static bool is_loop_of(const stmt_walk *w, const expr *var) {
    for (uint32_t i = 0; i < stmt_walk_depth(w); i++) {
        const stmt *st = stmt_walk_open(w, i);
        if (st->kind == STMT_FOR && st->as.loop.kind == FOR_SERIAL && st->as.loop.var == var) return true;
    }
    return false;
}

// Loops, the root block, the block at hand and conditions: nothing that runs a statement twice for the same values.
static bool check_around(access_check *c, const stmt_walk *w) {
    uint32_t loops = 0;
    for (uint32_t i = 0; i < stmt_walk_depth(w); i++) {
        const stmt *st = stmt_walk_open(w, i);
        loops += st->kind == STMT_FOR;
        if (st->kind == STMT_BLOCK && st->as.block->iters && c->block) return false;
        if (st->kind == STMT_BLOCK && st->as.block->iters) c->block = st->as.block;
        if (st->kind == STMT_FOR && c->block) return false;
        if (st->kind != STMT_FOR && st->kind != STMT_BLOCK && st->kind != STMT_SEQ && st->kind != STMT_IF) return false;
    }
    return c->block ? loops == c->block->iters : loops == 0;
}

// The store's indices are the block's variables, each once, so that no element is written twice.
static bool check_indices(const access_check *c, const stmt_walk *w) {
    const block *b = c->block;
    uint32_t count = c->store->as.store.count, iters = b ? b->iters : 0;
    if (count != iters) return false;
    for (uint32_t i = 0; i < iters; i++) {
        bool used = false;
        for (uint32_t k = 0; k < count; k++) used = used || c->store->as.store.index[k] == b->iter[i].var;
        if (!used || b->iter[i].kind != ITER_SPATIAL || !is_loop_of(w, b->iter[i].value)) return false;
    }
    for (uint32_t i = 0; i < iters; i++)
        for (uint32_t k = 0; k < i; k++)
            if (b->iter[i].value == b->iter[k].value) return false;
    return true;
}

// --- Accesses.

static void look_at_store(access_check *c, const stmt_walk *w) {
    const buffer *to = w->st->as.store.buf;
    c->bad = c->bad || to == c->in;
    if (to != c->out) return;
    c->store = w->st;
    c->block = NULL;
    c->bad = c->bad || ++c->stores > 1 || !check_around(c, w) || !check_indices(c, w);
}

// Loads of the input: in the value of the one store, at its indices.
static bool is_own_load(const stmt *st, const buffer *in, const buffer *out, const expr *load) {
    if (load->as.buffer != in || st->kind != STMT_STORE || st->as.store.buf != out) return false;
    for (uint32_t i = 0; i < load->count; i++)
        if (load->in[i] != st->as.store.index[i]) return false;
    return load->count == st->as.store.count;
}

static void look_at_loads(access_check *c, const stmt *st, const expr *e) {
    expr_walk w = expr_walk_from(c->m->mem, e);
    for (const expr *part; (part = expr_walk_next(&w));) {
        bool either = part->op == EXPR_LOAD && (part->as.buffer == c->in || part->as.buffer == c->out);
        c->bad = c->bad || (either && !is_own_load(st, c->in, c->out, part));
        c->bad = c->bad || part == c->in->data || part == c->out->data; // its address goes elsewhere
    }
}

static void look_at(access_check *c, const stmt_walk *w) {
    const stmt *st = w->st;
    expr_list list = {0};
    if (st->kind == STMT_STORE) look_at_store(c, w);
    c->bad = c->bad || st->kind == STMT_EVALUATE || st->kind == STMT_DECL_BUFFER || st->kind == STMT_WHILE;
    c->bad = c->bad || (st->kind == STMT_BLOCK && st->as.block->matches);
    stmt_expressions(st, c->m->mem, &list);
    for (uint32_t i = 0; i < list.len; i++) look_at_loads(c, st, list.at[i]);
}

static bool is_allowed(module *m, const loop_func *f, uint32_t in, uint32_t out) {
    access_check c = {.m = m, .in = f->param[in].buf, .out = f->param[out].buf};
    if (!f->s_tir || !c.in || !c.out || !same_shape(m, c.in, c.out)) return false;
    for (stmt_walk w = stmt_walk_from(m->mem, f->body); !c.bad && stmt_walk_next(&w);)
        if (!w.leaving) look_at(&c, &w);
    return !c.bad && c.store;
}

// --- The pass.

static const attr *allowed_inputs(module *m, const loop_func *f) {
    VEC(const attr *) list = {0};
    uint32_t out = f->params;
    for (uint32_t i = 0; i < f->params; i++)
        if (f->param[i].buf) out = i;
    for (uint32_t i = 0; i < out && out < f->params; i++)
        if (f->param[i].buf && is_allowed(m, f, i, out)) VEC_PUSH(m->mem, &list, attr_int(m->mem, i));
    return list.len ? attr_list(m->mem, list.at, list.len) : NULL;
}

static bool annotate_inplace(module *m, const pass_ctx *c) {
    (void)c;
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        const attr *inputs = f->kind == FUNC_LOOP && f->loop->s_tir ? allowed_inputs(m, f->loop) : NULL;
        if (!inputs) continue;
        loop_func *now = ARENA_NEW(m->mem, loop_func, 1);
        *now = *f->loop;
        now->attrs = attr_with(m->mem, now->attrs, "rx.inplace", inputs);
        module_put_loop(m, now);
    }
    return true;
}

const pass pass_annotate_inplace = {
    .name = "AnnotateInplace",
    .doc = "finds the inputs that programs may write their result over",
    .run = annotate_inplace,
};
