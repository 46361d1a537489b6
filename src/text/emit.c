// emit.c - values become nodes: bound under their name, or as operands.
#include "text/reader.h"

// The annotation of what the builder has no place for one: it counts if the value fits it.
static const node *annotate(reader *r, const node *n, const ann *written) {
    if (!written || node_is_poison(n)) return n;
    if (ann_fits(r->exprs, n->type, written, r->b->facts) == ANN_NO) {
        diag_error(r->d, n->at, "annotated as %s, but it is %s", ann_to_text(r->scratch, written),
                   ann_to_text(r->scratch, n->type));
        return build_poison(r->b);
    }
    node *fresh = (node *)(uintptr_t)n; // built a moment ago, seen by nobody
    fresh->written = fresh->type = written;
    return n;
}

static const node *emit_pending(reader *r, const pending *p, const char *name, const ann *written) {
    call_parts parts = p->parts;
    if (parts.op == &op_item) return annotate(r, build_item(r->b, name, parts.in[0], p->index), written);
    if (parts.op == &op_match_cast)
        return annotate(r, build_match_cast(r->b, name, parts.in[0], parts.written), written);
    parts.written = written;
    return build_call(r->b, name, &parts);
}

static const node *emit_tuple(reader *r, const value *v, const char *name, const ann *written) {
    const node **in = ARENA_NEW(r->scratch, const node *, v->as.list.count);
    for (uint32_t i = 0; i < v->as.list.count; i++)
        if (!(in[i] = to_node(r, &v->as.list.at[i], INPUT_ANY, "element"))) return NULL;
    return annotate(r, build_tuple(r->b, name, in, v->as.list.count), written);
}

// A Python number is a tensor without dims: x = 1.0 is x = R.const(1.0).
static const node *number_node(reader *r, const value *v) {
    arguments a = {.at = v->at, .callee = "R.const", .count = 1, .value = ARENA_NEW(r->scratch, value, 1)};
    a.value[0] = *v;
    a.key = ARENA_NEW(r->scratch, const char *, 1);
    a.used = ARENA_NEW(r->scratch, bool, 1);
    value constant = read_constant(r, &a);
    return constant.kind == VAL_NODE ? constant.as.n : NULL;
}

const node *emit_value(reader *r, const value *v, const char *name, const ann *written) {
    r->b->at = v->at;
    if (v->kind == VAL_CALL) return emit_pending(r, v->as.call, name, written);
    if (v->kind == VAL_TUPLE) return emit_tuple(r, v, name, written);
    bool is_number = v->kind == VAL_INT || v->kind == VAL_FLOAT || v->kind == VAL_BOOL;
    bool is_scalar = is_number && written && written->kind == ANN_PRIM;
    const node *n = is_number && !is_scalar ? number_node(r, v) : to_node(r, v, INPUT_ANY, "value");
    return n ? build_bind(r->b, name, n, written) : NULL;
}

const node *emit_operand(reader *r, const value *v) {
    loc before = r->b->at;
    r->b->at = v->at;
    const node *n = emit_pending(r, v->as.call, r->b->block && r->b->block->dataflow ? "lv" : "gv", NULL);
    r->b->at = before;
    return n;
}
