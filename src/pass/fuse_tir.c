// fuse_tir.c - FuseTIR: the programs a Primitive function calls become one program.
//
//   before:  lv = cls.fused_matmul_add(x, w, b)     a function of two R.call_tir, made by FuseOps
//   after:   lv = R.call_tir(cls.fused_matmul_add, (x, w, b), out_sinfo=…)
//            and one loop program; what lay between the calls is allocated inside it
//
// Needs functions with the attribute Primitive that do nothing but R.call_tir; others stay as they are. Keeps values.
// Symbols are unified through the shapes of the call; those that no buffer's dim binds become scalar parameters. What
// nobody calls any more is removed, as TVM does.
#include "pass/clone.h"
#include "pass/edits.h"
#include "pass/inline_producers.h"
#include "pass/merge_programs.h"

static bool merge_all(module *m, text_map *merged, bool inlines, diag *d) {
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        const char *why;
        if (!attr_is_true(list.at[i]->attrs, "Primitive")) continue;
        const loop_func *f = merge_programs(m, list.at[i], &why);
        if (f && inlines) f = inline_producers(m->exprs, m->mem, f);
        if (f)
            text_map_put(merged, f->name, (void *)(uintptr_t)f);
        else
            diag_warning(d, list.at[i]->at, "FuseTIR: %s stays as it is: %s", list.at[i]->name, why);
    }
    return true;
}

// The arguments of the program: tensors as they are, tuples by their fields, the dims of shapes as scalars.
typedef struct flat_args {
    VEC(const node *) tensor;
    expr_list scalar;
} flat_args;

static bool flatten_arg(module *m, const node *n, flat_args *out) {
    if (n->type->kind == ANN_TENSOR) {
        VEC_PUSH(m->mem, &out->tensor, n);
        return true;
    }
    if (n->type->kind == ANN_PRIM && n->type->value) {
        VEC_PUSH(m->mem, &out->scalar, n->type->value);
        return true;
    }
    if (n->type->kind == ANN_SHAPE && n->type->dim) {
        for (int32_t i = 0; i < n->type->rank; i++) VEC_PUSH(m->mem, &out->scalar, n->type->dim[i]);
        return true;
    }
    if (n->op->form != FORM_TUPLE) return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (!flatten_arg(m, n->in[i], out)) return false;
    return true;
}

static const new_call *call_of(module *m, const node *n, diag *d) {
    flat_args args = {0};
    for (uint32_t i = 1; i < n->count; i++)
        if (!flatten_arg(m, n->in[i], &args)) {
            diag_error(d, n->at,
                       "FuseTIR: argument %u of %s: want a tensor, a tuple written in place, or known scalars", i,
                       n->in[0]->as.text.bytes);
            return NULL;
        }
    new_call *call = ARENA_NEW(m->mem, new_call, 1);
    *call = (new_call){.func = n->in[0]->as.text.bytes,
                       .arg = args.tensor.at,
                       .args = args.tensor.len,
                       .dim = args.scalar.at,
                       .dims = args.scalar.len,
                       .program = n->type};
    return call;
}

static bool rewrite_calls(module *m, const graph_func *f, const text_map *merged, diag *d) {
    clone c = clone_tables(m);
    node_list nodes = {0};
    every_node(f, m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        bool fused = n->op->form == FORM_CALL && n->in[0]->op->form == FORM_GLOBAL &&
                     text_map_find(merged, n->in[0]->as.text.bytes);
        const new_call *call = fused ? call_of(m, n, d) : NULL;
        if (fused && !call) return false;
        if (call) map_put(&c.calls, MAP_KEY(n), (void *)(uintptr_t)call);
    }
    if (c.calls.len) module_put_graph(m, clone_func(&c, m, f, d));
    return true;
}

static bool run(module *m, const pass_ctx *c) {
    text_map merged = TEXT_MAP_IN(m->mem);
    uint32_t errors = c->d->errors;
    bool inlines;
    if (!pass_get_bool(c, &pass_fuse_tir, "inline", &inlines)) return false;
    if (!merge_all(m, &merged, inlines, c->d)) return false;
    for (uint32_t i = 0; i < merged.len; i++) module_put_loop(m, merged.entry[i].value);
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++)
        if (!rewrite_calls(m, list.at[i], &merged, c->d)) return false;
    eliminate_dead_code(m, &(word_list){0}, c->d);
    return c->d->errors == errors;
}

const pass pass_fuse_tir = {
    .name = "FuseTIR",
    .doc = "makes one loop program of the programs a fused function calls",
    .option = {{"inline", "false", "intermediates that are cheap or read once become expressions where they are read"}},
    .run = run,
};
