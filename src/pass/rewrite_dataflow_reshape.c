// rewrite_dataflow_reshape.c - RewriteDataflowReshape: programs that only give elements another shape become views.
//
//   before:  lv = R.call_tir(cls.reshape, (x,), out_sinfo=R.Tensor((n * 4,), "float32"))
//   after:   lv = R.reshape(x, R.shape([n * 4]))
//
// Needs dataflow blocks. Keeps values and everything else. Outputs of a block stay: they would share memory with what
// the user holds. A program qualifies if it copies each element to the same place in row-major order, which is proved
// on its indices.
#include "loop/walk.h"
#include "ops/ops.h"
#include "pass/programs.h"

// The only store of a program that copies one buffer to another.
typedef struct copying {
    const block *at;
    const stmt *store;
} copying;

// Loops around one block around one store of a load: nothing else.
static bool find_copy(const stmt *st, copying *out) {
    for (;;) {
        if (st->kind == STMT_FOR) {
            st = st->as.loop.body;
        } else if (st->kind == STMT_BLOCK && !st->as.block->init && !st->as.block->allocs && !st->as.block->matches &&
                   !st->as.block->where) {
            out->at = st->as.block;
            st = st->as.block->body;
        } else {
            break;
        }
    }
    out->store = st;
    return st->kind == STMT_STORE && out->at && !st->as.store.predicate && st->as.store.value->op == EXPR_LOAD;
}

// The place of an element in row-major order.
static const expr *flat_index(expr_session *s, const buffer *b, const expr *const *index) {
    const expr *flat = expr_i64(s, 0);
    for (uint32_t i = 0; i < b->rank; i++) {
        flat = expr_binary(s, EXPR_MUL, flat, expr_cast(s, DTYPE_OF(I64), b->dim[i]));
        flat = expr_binary(s, EXPR_ADD, flat, expr_cast(s, DTYPE_OF(I64), index[i]));
    }
    return flat;
}

static const expr *elements_of(expr_session *s, const buffer *b) {
    const expr *all = expr_i64(s, 1);
    for (uint32_t i = 0; i < b->rank; i++) all = expr_binary(s, EXPR_MUL, all, expr_cast(s, DTYPE_OF(I64), b->dim[i]));
    return all;
}

static facts *facts_of(expr_session *s, const loop_func *f, const block *b) {
    facts *known = facts_new(s);
    for (uint32_t i = 0; i < f->params; i++)
        for (uint32_t d = 0; f->param[i].buf && d < f->param[i].buf->rank; d++) {
            const expr *dim = f->param[i].buf->dim[d];
            facts_assume(known, expr_binary(s, EXPR_GE, dim, expr_int(s, dim->type, 0)));
        }
    for (uint32_t i = 0; i < b->iters; i++) {
        const iter *it = &b->iter[i];
        facts_range(known, it->var, it->dom.min, it->dom.extent);
    }
    return known;
}

bool program_is_view(module *m, const loop_func *f) {
    expr_session *s = m->exprs;
    copying c = {0};
    if (f->params != 2 || !f->param[0].buf || !f->param[1].buf || !find_copy(f->body, &c)) return false;
    const buffer *from = f->param[0].buf, *to = f->param[1].buf;
    const expr *load = c.store->as.store.value;
    if (c.store->as.store.buf != to || load->as.buffer != from || !dtype_equal(from->type, to->type)) return false;
    const expr *read = flat_index(s, from, load->in), *written = flat_index(s, to, c.store->as.store.index);
    const facts *known = facts_of(s, f, c.at);
    return prove_equal(s, read, written, known) && prove_equal(s, elements_of(s, from), elements_of(s, to), known);
}

// --- Calls.

typedef struct reshaping {
    map outputs; // MAP_KEY(bound node) -> non-NULL: visible outside of its block
    map inside;  // MAP_KEY(bound node) -> non-NULL: bound in a dataflow block
} reshaping;

static void note_body(reshaping *r, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next) {
        for (uint32_t i = 0; i < run->outputs; i++) map_put(&r->outputs, MAP_KEY(run->output[i]), r);
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            if (run->dataflow) map_put(&r->inside, MAP_KEY(n), r);
            if (n->op->form == FORM_CLOSURE) note_body(r, &n->as.func->body);
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) note_body(r, &n->as.branch[side]);
        }
    }
}

static const node *reshape(builder *b, const node *old, const node *const *in, void *user) {
    const reshaping *r = user;
    if (old->op != &op_call_tir || old->count != 2 || !map_has(&r->inside, MAP_KEY(old))) return NULL;
    const ann *out = old->type_arg[0];
    const node *args = in[1];
    if (map_has(&r->outputs, MAP_KEY(old)) || out->kind != ANN_TENSOR || !out->dim) return NULL;
    if (args->op->form != FORM_TUPLE || args->count != 1) return NULL;
    const module_func *f = module_find(b->m, in[0]->as.text.bytes);
    if (!f || f->kind != FUNC_LOOP || !program_is_view(b->m, f->loop)) return NULL;
    const node *both[] = {args->in[0], build_shape(b, out->dim, (uint32_t)out->rank)};
    return build_op(b, old->name, &op_reshape, both, COUNT(both));
}

static bool rewrite_dataflow_reshape(module *m, const pass_ctx *c) {
    reshaping r = {.outputs = MAP_IN(m->mem), .inside = MAP_IN(m->mem)};
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) note_body(&r, &list.at[i]->body);
    return rebuild_functions(m, reshape, &r, c->d);
}

const pass pass_rewrite_dataflow_reshape = {
    .name = "RewriteDataflowReshape",
    .doc = "turns programs that only reshape into views",
    .run = rewrite_dataflow_reshape,
};
