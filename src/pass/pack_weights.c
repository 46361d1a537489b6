// pack_weights.c - PackWeights: large weights of floats that come with the module are laid out for products.
//
//   before:  y = R.einsum((x, w), "ay,zy->az")     after:  p = R.rx.pack_panels(w, rows=True)
//                                                          y = R.rx.panel_matmul(x, p, columns=…)
//
// Also R.matmul(x, w), R.matmul(x, R.permute_dims(w)), and of R.astype(w, "float32"): the weight stays as small as it
// is. Looks at weights that rx.bound_weights names and of which nothing but such products is made: another reader
// would keep the weight in memory twice. Laying them out is lifted out of the calls afterwards (LiftTransformParams).
#include "base/size.h"
#include "ops/ops.h"
#include "pass/clone.h"
#include "pass/pass.h"
#include "pass/product.h"

enum { WORTH_PACKING = 128 << 10 }; // bytes: smaller ones stay in the caches however they lie

// How a weight is read.
typedef struct reading {
    bool products, otherwise;
    bool rows, columns; // by products with its transpose; with itself
} reading;

typedef struct packing_pass {
    module *m;
    const graph_func *f;
    builder *scratch;
    clone c;
    map bound;  // MAP_KEY(parameter) -> reading *
    map panels; // MAP_KEY(parameter) -> its R.rx.pack_panels in the block at hand
} packing_pass;

typedef struct product {
    const node *x, *w; // w: a parameter
    bool rows;
    int64_t columns;
} product;

static const node *stored(const node *w) {
    bool widened =
        w->op == &op_astype && dtype_equal(w->type->type, DTYPE_OF(F32)) && dtype_is_float(w->in[0]->type->type);
    return widened ? w->in[0] : w;
}

static bool worth_packing(const ann *w) {
    int64_t rows, columns, bytes;
    if (w->kind != ANN_TENSOR || w->rank != 2 || !w->dim || !dtype_is_float(w->type)) return false;
    if (!expr_const_int(w->dim[0], &rows) || !expr_const_int(w->dim[1], &columns) || rows < 1 || columns < 1)
        return false;
    return int_mul(rows, columns, &bytes) && int_mul(bytes, dtype_bits(w->type) / 8, &bytes) && bytes >= WORTH_PACKING;
}

static bool find_product(const packing_pass *z, const node *n, product *out) {
    const node *w = product_weight(n, &out->x, &out->rows);
    if (!w || !map_has(&z->bound, MAP_KEY(stored(w)))) return false;
    const ann *x = out->x->type;
    bool floats = x->kind == ANN_TENSOR && dtype_equal(x->type, DTYPE_OF(F32)) &&
                  dtype_equal(w->type->type, DTYPE_OF(F32)) && dtype_equal(n->type->type, DTYPE_OF(F32));
    out->w = stored(w);
    return floats && x->rank >= 2 && x->dim && worth_packing(out->w->type) &&
           expr_const_int(out->w->type->dim[out->rows ? 0 : 1], &out->columns);
}

// --- Who reads what.

static void read_otherwise(packing_pass *z, const node *n) {
    reading *r = map_find(&z->bound, MAP_KEY(n));
    if (r) r->otherwise = true;
    for (uint32_t i = 0; !n->name && i < n->count; i++) read_otherwise(z, n->in[i]);
}

static void find_readings(packing_pass *z, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            product p;
            bool on_the_way = n->op == &op_astype || n->op == &op_permute_dims; // judged by who reads it
            if (run->dataflow && find_product(z, n, &p)) {
                reading *r = map_find(&z->bound, MAP_KEY(p.w));
                r->products = true;
                *(p.rows ? &r->rows : &r->columns) = true;
                read_otherwise(z, p.x);
                continue;
            }
            for (uint32_t o = 0; o < n->count && !(run->dataflow && on_the_way); o++) {
                read_otherwise(z, n->in[o]);
                const node *w = n->in[o]->op == &op_permute_dims ? n->in[o]->in[0] : n->in[o];
                read_otherwise(z, stored(w));
            }
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) find_readings(z, &n->as.branch[side]);
            if (n->op->form == FORM_CLOSURE) find_readings(z, &n->as.func->body);
        }
    read_otherwise(z, body->result);
}

static bool packs(const packing_pass *z, const node *w) {
    const reading *r = map_find(&z->bound, MAP_KEY(w));
    return r->products && !r->otherwise && r->rows != r->columns;
}

// --- What it becomes.

static void rewrite_product(packing_pass *z, const node *n, const product *p) {
    node_list *out = ARENA_NEW(z->m->mem, node_list, 1);
    const node *panels = map_find(&z->panels, MAP_KEY(p->w));
    if (!panels) {
        // A name of its own, so that it is told from the values of other passes.
        const named_attr rows = {"rows", attr_bool(z->m->mem, p->rows)};
        panels = build_op_with(z->scratch, "panels", &op_rx_pack_panels, &p->w, 1, &rows, 1);
        map_put(&z->panels, MAP_KEY(p->w), (void *)(uintptr_t)panels);
        VEC_PUSH(z->m->mem, out, panels);
    }
    const node *in[] = {p->x, panels};
    const named_attr columns = {"columns", attr_int(z->m->mem, p->columns)};
    const node *y = build_op_with(z->scratch, "lv", &op_rx_panel_matmul, in, 2, &columns, 1);
    map_put(&z->c.before, MAP_KEY(n), out);
    map_put(&z->c.instead, MAP_KEY(n), (void *)(uintptr_t)y);
}

static void rewrite_body(packing_pass *z) {
    for (const binding_block *run = z->f->body.first; run; run = run->next) {
        z->panels = MAP_IN(z->m->mem);
        for (uint32_t i = 0; run->dataflow && i < run->len; i++) {
            product p;
            if (find_product(z, run->bound[i], &p) && packs(z, p.w)) rewrite_product(z, run->bound[i], &p);
        }
    }
}

// --- The pass.

static bool find_bound(packing_pass *z) {
    z->bound = MAP_IN(z->m->mem);
    for (uint32_t i = 0; i < z->f->params; i++)
        if (is_bound_weight(z->f, z->f->param[i]->name))
            map_put(&z->bound, MAP_KEY(z->f->param[i]), ARENA_NEW(z->m->mem, reading, 1));
    return z->bound.len > 0;
}

static bool run(module *m, const pass_ctx *c) {
    uint32_t errors = c->d->errors;
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        packing_pass z = {.m = m, .f = list.at[i]};
        if (!find_bound(&z)) continue;
        z.scratch = scratch_like(m, z.f, c->d);
        z.c = clone_tables(m);
        find_readings(&z, &z.f->body);
        rewrite_body(&z);
        if (z.c.instead.len) module_put_graph(m, clone_func(&z.c, m, z.f, c->d));
    }
    return c->d->errors == errors;
}

const pass pass_pack_weights = {
    .name = "PackWeights",
    .doc = "large weights of floats that come with the module are laid out for products",
    .run = run,
};
