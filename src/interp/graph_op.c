// graph_op.c - operators: made into a loop program, which runs; or one of the special ones.
#include "base/count_noun.h"
#include "interp/builtin_op.h"
#include <stdlib.h>
#include <string.h>

// --- Outputs.

// Dims of a result: expressions over symbolic variables, or those of a shape that is a value.
static bool shape_of_ann(frame *fr, const ann *type, int64_t *dim, uint32_t *rank, loc at) {
    value shape;
    if (!type->shape) {
        *rank = (uint32_t)type->rank;
        if (type->rank < 0 || *rank > TENSOR_MAX_RANK || (!type->dim && *rank))
            return frame_fail(fr, at, "the shape of the result is not known: %s", ann_to_text(fr->r->mem, type));
        return frame_dims(fr, type->dim, *rank, dim, at);
    }
    if (!frame_value(fr, type->shape, &shape)) return false;
    bool fits = shape.kind == VALUE_SHAPE && shape.as.shape.rank <= TENSOR_MAX_RANK;
    *rank = fits ? shape.as.shape.rank : 0;
    if (*rank) memcpy(dim, shape.as.shape.dim, *rank * sizeof *dim);
    value_drop(&shape);
    return fits || frame_fail(fr, at, "want a shape");
}

// Memory that counts as unwritten until the program writes it.
static bool make_output(frame *fr, const ann *type, value *out, loc at) {
    int64_t dim[TENSOR_MAX_RANK];
    uint32_t rank;
    if (type->kind != ANN_TENSOR || type->type.kind == DTYPE_VOID)
        return frame_fail(fr, at, "can't make a value of %s", ann_to_text(fr->r->mem, type));
    if (!shape_of_ann(fr, type, dim, &rank, at)) return false;
    tensor *t = interp_tensor(fr->r, type->type, rank, dim, at);
    if (t) *out = value_of_tensor(t);
    return t != NULL;
}

bool frame_outputs(frame *fr, const ann *type, value *out, loc at) {
    *out = (value){.kind = VALUE_NULL};
    if (type->kind != ANN_TUPLE) return make_output(fr, type, out, at);
    value *item = calloc(type->count + 1, sizeof *item);
    uint32_t done = 0;
    while (item && done < type->count && frame_outputs(fr, type->field[done], &item[done], at)) done++;
    bool made = item && done == type->count;
    if (item) *out = value_of_tuple(item, done);
    free(item);
    if (!made) value_drop(out);
    return made;
}

// --- A call whose operands are only known coarsely, over what they are now.

// What is known of a value at run time: everything. Functions keep what was known before.
static const ann *ann_of_value(run *r, const value *v, const ann *known) {
    expr_session *x = r->m->exprs;
    const expr *dim[TENSOR_MAX_RANK];
    if (v->kind == VALUE_TENSOR) {
        for (uint32_t i = 0; i < v->as.tensor->rank; i++) dim[i] = expr_i64(x, v->as.tensor->dim[i]);
        return ann_tensor(r->mem, v->as.tensor->type, dim, v->as.tensor->rank);
    }
    if (v->kind == VALUE_SHAPE && v->as.shape.rank <= TENSOR_MAX_RANK) {
        for (uint32_t i = 0; i < v->as.shape.rank; i++) dim[i] = expr_i64(x, v->as.shape.dim[i]);
        return ann_shape(r->mem, dim, v->as.shape.rank);
    }
    if (v->kind != VALUE_TUPLE) return known;
    const ann **field = ARENA_NEW(r->mem, const ann *, v->as.tuple.count);
    bool fits = known->kind == ANN_TUPLE && known->count == v->as.tuple.count;
    for (uint32_t i = 0; i < v->as.tuple.count; i++)
        field[i] = ann_of_value(r, &v->as.tuple.item[i], fits ? known->field[i] : ann_object());
    return ann_tuple(r->mem, field, v->as.tuple.count);
}

// Nodes are immutable: what becomes concrete is another node.
static node *copy_node(arena *mem, const node *n) {
    node *copy = arena_take(mem, 1, sizeof *n + n->count * sizeof n->in[0]);
    memcpy(copy, n, sizeof *n + n->count * sizeof n->in[0]);
    return copy;
}

// Constants stay themselves, since operators look into them; shapes and numbers become what they are now.
static const node *leaf_of_value(run *r, const value *v, const node *old) {
    op_form form = old->op->form;
    if (form == FORM_CONSTANT || form == FORM_STRING || form == FORM_DTYPE) return old;
    const ann *type = ann_of_value(r, v, old->type);
    node *leaf = copy_node(r->mem, old);
    leaf->type = type;
    if (v->kind == VALUE_SHAPE && type->dim) {
        leaf->op = &op_shape;
        leaf->as.shape.dim = type->dim;
        leaf->as.shape.rank = v->as.shape.rank;
    } else if (v->kind == VALUE_PRIM) {
        dtype t = v->as.prim.type;
        bool real = dtype_is_float(t);
        leaf->op = &op_prim;
        leaf->as.value =
            real ? expr_float(r->m->exprs, t, v->as.prim.scalar.f) : expr_int(r->m->exprs, t, v->as.prim.scalar.i);
        leaf->type = ann_prim(r->mem, t, leaf->as.value);
    } else if (form == FORM_TUPLE && v->kind == VALUE_TUPLE) {
        for (uint32_t i = 0; i < old->count; i++)
            *(const node **)(uintptr_t)&leaf->in[i] = leaf_of_value(r, &v->as.tuple.item[i], old->in[i]);
    }
    return leaf;
}

enum { SIGNATURE_MAX = 1 << 16 }; // bytes

// What tells apart the calls of one node.
static void put_signature(text *key, const value *v) {
    if (key->len > SIGNATURE_MAX) return;
    const int64_t *dim = v->kind == VALUE_TENSOR ? v->as.tensor->dim : v->as.shape.dim;
    uint32_t rank = v->kind == VALUE_TENSOR ? v->as.tensor->rank : v->kind == VALUE_SHAPE ? v->as.shape.rank : 0;
    if (v->kind == VALUE_TENSOR) text_format(key, "t%u,%u", v->as.tensor->type.kind, v->as.tensor->type.lanes);
    if (v->kind == VALUE_PRIM) text_format(key, "p%u:%lld", v->as.prim.type.kind, (long long)v->as.prim.scalar.i);
    if (v->kind == VALUE_TUPLE) text_format(key, "(%u", v->as.tuple.count);
    for (uint32_t i = 0; i < rank; i++) text_format(key, ":%lld", (long long)dim[i]);
    for (uint32_t i = 0; v->kind == VALUE_TUPLE && i < v->as.tuple.count; i++) put_signature(key, &v->as.tuple.item[i]);
    text_put_char(key, ';');
}

enum { CONCRETE_STEPS = 1000 }; // what deducing and lowering one call counts as

// Deduces again with constant dims; the lowered program is then one for these sizes alone.
static const node *make_concrete(frame *fr, const node *n, const value *in) {
    run *r = fr->r;
    node *now = copy_node(r->mem, n);
    if (!interp_steps(r, CONCRETE_STEPS, n->at)) return NULL;
    for (uint32_t i = 0; i < n->count; i++) *(const node **)(uintptr_t)&now->in[i] = leaf_of_value(r, &in[i], n->in[i]);
    infer_ctx c = {.m = (module *)(uintptr_t)r->m, .mem = r->mem, .exprs = r->m->exprs, .d = r->d};
    now->type = n->op->infer(&c, now);
    return now->type ? now : NULL;
}

// Kept by operands' signatures, so that a loop over the same sizes lowers once.
static const node *concrete(frame *fr, const node *n, const value *in) {
    text key = TEXT_IN(fr->mem);
    text_format(&key, "%llx ", (unsigned long long)MAP_KEY(n));
    for (uint32_t i = 0; i < n->count; i++) put_signature(&key, &in[i]);
    if (key.len > SIGNATURE_MAX) return frame_fail(fr, n->at, "%s: too many operands", n->op->name), NULL;
    const node *now = text_map_find(&fr->r->concrete, text_get(&key));
    if (now) return now;
    now = make_concrete(fr, n, in);
    if (now) text_map_put(&fr->r->concrete, text_get(&key), (void *)(uintptr_t)now);
    return now;
}

// --- Lowered operators.

// Could this be a buffer of a program?
static bool known_whole(const ann *a) {
    if (a->kind == ANN_TUPLE) {
        for (uint32_t i = 0; i < a->count; i++)
            if (!known_whole(a->field[i])) return false;
        return true;
    }
    if (a->kind == ANN_SHAPE) return a->dim || a->rank == 0;
    if (a->kind != ANN_TENSOR) return true;
    return a->type.kind != DTYPE_VOID && a->rank >= 0 && (a->dim || a->rank == 0);
}

static bool operands_known(const node *n) {
    for (uint32_t i = 0; i < n->count; i++)
        if (!known_whole(n->in[i]->type)) return false;
    return true;
}

static bool node_known(const node *n) { return operands_known(n) && known_whole(n->type); }

// Symbolic where possible: that tests the lowering that the compiler does.
const node *frame_known_node(frame *fr, const node *n, const value *in) {
    return node_known(n) ? n : concrete(fr, n, in);
}

// Kept per node: sizes vary from call to call without another lowering.
static const lowered *lower(frame *fr, const node *n) {
    lowered *l = map_find(&fr->r->lowered, MAP_KEY(n));
    if (l) return l;
    run *r = fr->r;
    l = ARENA_NEW(r->mem, lowered, 1);
    lower_ctx c = {.m = (module *)(uintptr_t)r->m, .mem = r->mem, .exprs = r->m->exprs, .d = r->d};
    c.name = arena_format(r->mem, "%s", n->op->name);
    if (!op_lower_call(&c, n, l)) return NULL;
    map_put(&r->lowered, MAP_KEY(n), l);
    return l;
}

// A program takes the fields of a tuple one after another.
static uint32_t put_all(const value *out, value *to) {
    if (out->kind != VALUE_TUPLE) return *to = *out, 1;
    for (uint32_t i = 0; i < out->as.tuple.count; i++) to[i] = out->as.tuple.item[i];
    return out->as.tuple.count;
}

// Symbolic variables of the caller that the program's own dims do not bind.
static bool put_scalars(frame *fr, const lowered *l, value *to, loc at) {
    for (uint32_t i = 0; i < l->tir_vars; i++) {
        to[i] = value_of_int(l->tir_var[i]->type, 0);
        if (!frame_scalar(fr, l->tir_var[i], &to[i].as.prim.scalar, at)) return false;
    }
    return true;
}

// The order of every lowering: inputs, outputs, scalars.
static bool run_lowered(frame *fr, const node *n, const lowered *l, const value *in, value *out) {
    uint32_t outs = out->kind == VALUE_TUPLE ? out->as.tuple.count : 1;
    value *arg = ARENA_NEW(fr->mem, value, l->args + outs + l->tir_vars);
    uint32_t len = 0;
    for (uint32_t i = 0; i < l->args; i++) {
        const value *v = &in[l->arg[i].operand];
        if (l->arg[i].field >= 0 && (v->kind != VALUE_TUPLE || (uint32_t)l->arg[i].field >= v->as.tuple.count))
            return frame_fail(fr, n->at, "%s: operand %u is %s", n->op->name, l->arg[i].operand, value_describe(v));
        arg[len++] = l->arg[i].field < 0 ? *v : v->as.tuple.item[l->arg[i].field];
    }
    len += put_all(out, arg + len);
    if (!put_scalars(fr, l, arg + len, n->at)) return false;
    return interp_loop(fr->r, l->func, arg, len + l->tir_vars, NULL, n->at);
}

// Outputs are made before the program runs, as compiled code does; unwritten elements are reported as such.
static bool eval_lowered(frame *fr, const node *n, const value *in, value *out) {
    const node *now = frame_known_node(fr, n, in);
    const lowered *l = now ? lower(fr, now) : NULL;
    if (!l || !frame_outputs(fr, now->type, out, n->at)) return false;
    if (run_lowered(fr, n, l, in, out)) return true;
    value_drop(out);
    return false;
}

// --- The same memory under another shape.

static void drop_source(void *user, void *data) {
    (void)data;
    tensor_release(user);
}

// It keeps the memory alive, and what is known of written bytes stays known.
tensor *frame_tensor_over(frame *fr, tensor *t, dtype type, uint32_t rank, const int64_t *dim, size_t at, loc place) {
    storage *s = storage_of(t);
    tensor *out = NULL;
    rx_status status;
    if (s) {
        status = storage_tensor(s, (size_t)((uint8_t *)t->data - s->data) + at, type, rank, dim, &out);
    } else {
        status = tensor_wrap(type, rank, dim, (uint8_t *)t->data + at, drop_source, t, &out);
        if (status == RX_OK) tensor_retain(t);
    }
    if (status == RX_OK && at <= t->bytes && out->bytes <= t->bytes - at) return out;
    tensor_release(out);
    frame_fail(fr, place, "a view of %s does not fit its memory of %s", "a tensor", COUNTED(t->bytes, "byte"));
    return NULL;
}

// Reshape and its kin: the annotation of the result says all.
static bool eval_view(frame *fr, const node *n, const value *in, value *out) {
    const node *now = frame_known_node(fr, n, in);
    int64_t dim[TENSOR_MAX_RANK];
    uint32_t rank;
    if (!now || !shape_of_ann(fr, now->type, dim, &rank, n->at)) return false;
    if (in[0].kind != VALUE_TENSOR) return frame_fail(fr, n->at, "%s: want a tensor", n->op->name);
    tensor *t = frame_tensor_over(fr, in[0].as.tensor, now->type->type, rank, dim, 0, n->at);
    if (t) *out = value_of_tensor(t);
    return t != NULL;
}

// --- Dims that must be equal and that deduction could not decide.

// Kept per node: which dims they are does not change from call to call.
static const op_questions *undecided(run *r, const node *n) {
    op_questions *open = map_find(&r->undecided, MAP_KEY(n));
    if (open) return open;
    open = ARENA_NEW(r->mem, op_questions, 1);
    infer_ctx c = {.m = (module *)(uintptr_t)r->m, .mem = r->mem, .exprs = r->m->exprs};
    if (operands_known(n)) op_undecided(&c, n, open);
    map_put(&r->undecided, MAP_KEY(n), open);
    return open;
}

// "matmul: m * 2 is 6, but n is 5", as compiled code says where it checks the same.
static bool check_undecided(frame *fr, const node *n) {
    const op_questions *open = undecided(fr->r, n);
    for (uint32_t i = 0; i < open->len; i++) {
        const op_question *q = &open->at[i];
        int64_t got;
        if (!frame_dims(fr, &q->got, 1, &got, n->at)) return false;
        const value v = value_of_int(q->got->type, got);
        const ann *want = ann_prim(fr->mem, q->got->type, q->want);
        path what = {.name = arena_format(fr->mem, "%s: %s", q->op, op_dim_text(fr->mem, q->got))};
        if (!match_values(fr, &what, &want, &v, 1, n->at)) return false;
    }
    return true;
}

// --- All operators.

// The descriptor says which kind of meaning an operator has; the table of special ones comes first.
static bool eval_with(frame *fr, const node *n, value *in, value *out) {
    bool done;
    if (!check_undecided(fr, n) || !check_indices(fr, n, in)) return false;
    if (eval_special(fr, n, in, out, &done)) return done;
    if (n->op->refused) return frame_fail(fr, n->at, "%s has no meaning here", n->op->name);
    if (n->op->call || n->op->alloc) return eval_builtin(fr, n, in, out);
    if (n->op->view) return eval_view(fr, n, in, out);
    if (n->op->compute || n->op->lower) return eval_lowered(fr, n, in, out);
    return frame_fail(fr, n->at, "the interpreter has no meaning for R.%s", n->op->name);
}

bool eval_operator(frame *fr, const node *n, value *out) {
    value *in = calloc(n->count + 1, sizeof *in);
    uint32_t taken = 0;
    if (!in) return frame_fail(fr, n->at, "no memory");
    while (taken < n->count && frame_value(fr, n->in[taken], &in[taken])) taken++;
    bool done = taken == n->count && eval_with(fr, n, in, out);
    for (uint32_t i = 0; i < taken; i++) value_drop(&in[i]);
    free(in);
    return done;
}
