// precision.c - what is known of values before and after a pass, compared by name.
//
// Only what is left out counts: dims may be written differently, variables renamed, a value replaced by one of another
// kind under the same name.
#include "pass/precision.h"

bool precision_coarser(const ann *is, const ann *was) {
    // A closure that LambdaLift makes explicit is an Object in TVM's form, and so is the nothing that calls return.
    bool nothing = was->kind == ANN_TUPLE && !was->count;
    if (is->kind == ANN_OBJECT) return was->kind != ANN_OBJECT && was->kind != ANN_CALLABLE && !nothing;
    if (is->kind != was->kind) return false;
    if (is->kind == ANN_TUPLE) {
        for (uint32_t i = 0; i < is->count && i < was->count; i++)
            if (precision_coarser(is->field[i], was->field[i])) return true;
        return false;
    }
    if (is->kind == ANN_CALLABLE) return false;
    if (is->type.kind == DTYPE_VOID && was->type.kind != DTYPE_VOID) return true;
    if (is->rank == RANK_UNKNOWN && was->rank != RANK_UNKNOWN) return true;
    return is->rank == was->rank && is->rank > 0 && was->dim && !is->dim && !is->shape;
}

void precision_note(const module *m, arena *mem, known_funcs *out) {
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind != FUNC_GRAPH || !f->graph) continue;
        known_func known = {.f = f->graph, .values = TEXT_MAP_IN(mem)};
        node_list nodes = {0};
        graph_nodes(f->graph, mem, &nodes);
        for (uint32_t k = 0; k < nodes.len; k++)
            if (nodes.at[k]->name) text_map_put(&known.values, nodes.at[k]->name, (void *)(uintptr_t)nodes.at[k]->type);
        VEC_PUSH(mem, out, known);
    }
}

static bool kept(const ann *is, const ann *was, arena *mem, const char *pass, const char *name, loc at, diag *d) {
    if (!was || is == was || !precision_coarser(is, was)) return true;
    return diag_error(d, at, "%s lost what was known of %s: it was %s, now it is %s", pass, name, ann_to_text(mem, was),
                      ann_to_text(mem, is));
}

static bool function_kept(const known_func *before, const graph_func *f, arena *mem, const char *pass, diag *d) {
    node_list nodes = {0};
    bool good = kept(f->result_type, before->f->result_type, mem, pass, f->name, f->at, d);
    graph_nodes(f, mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        const ann *was = n->name ? text_map_find(&before->values, n->name) : NULL;
        good &= kept(n->type, was, mem, pass, n->name, n->at, d);
    }
    return good;
}

bool precision_kept(const known_funcs *before, const module *m, arena *mem, const char *pass, diag *d) {
    bool good = true;
    for (uint32_t i = 0; i < before->len; i++) {
        const module_func *now = module_find(m, before->at[i].f->name);
        if (!now || now->kind != FUNC_GRAPH || !now->graph || now->graph == before->at[i].f) continue;
        good &= function_kept(&before->at[i], now->graph, mem, pass, d);
    }
    return good;
}
