// builtin_op.c - operators that are functions of the runtime: sort, unique, nonzero, …
#include "interp/builtin_op.h"
#include "base/count_noun.h"
#include "interp/host.h"
#include "ops/builtin_call.h"

static bool take_scalars(frame *fr, const node *n, const value *in, const builtin_form *form, int64_t *arg) {
    for (uint32_t i = 0; i < form->scalars; i++) {
        int32_t operand = form->scalar[i].operand;
        arg[i] = form->scalar[i].value;
        if (operand < 0 || in[operand].kind == VALUE_NULL) continue;
        if (!value_number(&in[operand], &arg[i]))
            return frame_fail(fr, n->at, "%s: want a number as %s", n->op->name, n->op->input[operand].name);
    }
    return true;
}

// --- Calls.

// The counts are checked, since the runtime's functions trust them.
bool host_builtin(run *r, const builtin *b, builtin_call *c, loc at) {
    char why[BUILTIN_WHY] = "";
    c->why = why;
    c->outs = b->outs;
    if (c->ins != b->ins || c->args != b->args)
        return diag_error(r->d, at, "%s: want %s and %s, got %u and %u", b->name, COUNTED(b->ins, "tensor"),
                          COUNTED(b->args, "number"), c->ins, c->args);
    if (b->run(c) == RX_OK) return true;
    return diag_error(r->d, at, "%s: %s", b->name, *why ? why : "failed");
}

// The tensors that were made: one, or a tuple of them.
bool host_results(run *r, tensor **made, uint32_t count, value *out, loc at) {
    value item[BUILTIN_MAX_OUT];
    uint32_t len = 0;
    for (uint32_t i = 0; i < count; i++)
        if (made[i]) item[len++] = value_of_tensor(made[i]);
    *out = len == 1 ? item[0] : value_of_tuple(item, len);
    return out->kind != VALUE_NULL || diag_error(r->d, at, "no memory");
}

static bool eval_allocating(frame *fr, const node *n, const builtin *b, builtin_call *c, value *out) {
    tensor *made[BUILTIN_MAX_OUT] = {0};
    c->out = made;
    return host_builtin(fr->r, b, c, n->at) && host_results(fr->r, made, b->outs, out, n->at);
}

// The destinations that are wanted, in their places.
static bool place(frame *fr, const node *n, const builtin_form *form, const value *made, tensor **given) {
    uint32_t next = 0, count = made->kind == VALUE_TUPLE ? made->as.tuple.count : 1;
    for (uint32_t i = 0; i < form->outs && i < BUILTIN_MAX_OUT; i++) {
        if (!form->wanted[i]) continue;
        if (next == count) return frame_fail(fr, n->at, "%s: want more than %s", n->op->name, COUNTED(count, "result"));
        given[i] = made->kind == VALUE_TUPLE ? made->as.tuple.item[next].as.tensor : made->as.tensor;
        next++;
    }
    return true;
}

// The runtime's function writes every element of what it is given.
static bool eval_destination(frame *fr, const node *n, const value *in, const builtin_form *form, const builtin *b,
                             builtin_call *c, value *out) {
    tensor *given[BUILTIN_MAX_OUT] = {0};
    const node *now = frame_known_node(fr, n, in);
    if (!now || !frame_outputs(fr, now->type, out, n->at)) return false;
    c->out = given;
    if (place(fr, n, form, out, given) && host_builtin(fr->r, b, c, n->at)) {
        for (uint32_t i = 0; i < BUILTIN_MAX_OUT; i++)
            if (given[i]) storage_all_written(given[i]);
        return true;
    }
    value_drop(out);
    return false;
}

// Tensors lead, as in every builtin; the descriptor says which scalars follow.
bool eval_builtin(frame *fr, const node *n, const value *in, value *out) {
    builtin_form form = builtin_form_of(fr->mem, n);
    const builtin *b = builtin_find(form.name);
    const tensor *ins[BUILTIN_CALL_MAX];
    int64_t arg[BUILTIN_CALL_MAX];
    builtin_call c = {.in = ins, .arg = arg, .args = form.scalars};
    if (!b) return frame_fail(fr, n->at, "the runtime has no function %s", form.name);
    if (!take_scalars(fr, n, in, &form, arg)) return false;
    for (; c.ins < form.tensors && c.ins < BUILTIN_CALL_MAX; c.ins++) {
        if (in[c.ins].kind != VALUE_TENSOR) return frame_fail(fr, n->at, "%s: want a tensor", n->op->name);
        ins[c.ins] = in[c.ins].as.tensor;
    }
    if (b->allocates) return eval_allocating(fr, n, b, &c, out);
    return eval_destination(fr, n, in, &form, b, &c, out);
}

// --- What lowered modules call: R.call_packed("rx.builtin.NAME", tensors, numbers, destinations).

static bool want_kind(const host_call *c, uint32_t i, value_kind kind, const char *what) {
    return (i < c->count && c->arg[i].kind == kind) || host_fail(c, "want %s as argument %u", what, i);
}

bool host_runtime(const host_call *c, const builtin *b, value *result) {
    const tensor *in[BUILTIN_CALL_MAX];
    tensor *out[BUILTIN_MAX_OUT] = {0};
    int64_t arg[BUILTIN_CALL_MAX];
    uint32_t outs = b->allocates ? 0 : b->outs, at = 0;
    if (c->count != b->ins + b->args + outs)
        return host_fail(c, "want %s, got %u", COUNTED(b->ins + b->args + outs, "argument"), c->count);
    for (uint32_t i = 0; i < b->ins; i++, at++) {
        if (!want_kind(c, at, VALUE_TENSOR, "a tensor")) return false;
        in[i] = c->arg[at].as.tensor;
    }
    for (uint32_t i = 0; i < b->args; i++, at++)
        if (!value_number(&c->arg[at], &arg[i])) return host_fail(c, "want a number as argument %u", at);
    for (uint32_t i = 0; i < outs; i++, at++) {
        if (c->arg[at].kind == VALUE_TUPLE && !c->arg[at].as.tuple.count) continue; // not wanted
        if (!want_kind(c, at, VALUE_TENSOR, "a tensor")) return false;
        out[i] = c->arg[at].as.tensor;
    }
    builtin_call call = {.in = in, .ins = b->ins, .arg = arg, .args = b->args, .out = out};
    if (!host_builtin(c->r, b, &call, c->at)) return false;
    for (uint32_t i = 0; i < outs; i++)
        if (out[i]) storage_all_written(out[i]);
    return !b->allocates || host_results(c->r, out, b->outs, result, c->at);
}
