// builtin_op.c - operators that are functions of the runtime: sort, unique, nonzero, …
//
// A descriptor names the function and, in parentheses, the attributes and operands that are its scalars.
#include "interp/builtin_op.h"
#include "builtin/builtin.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_INS = 8, MAX_ARGS = 8 };

// What runs out of the way of the user's words: unique(x; index, inverse, counts, axis).
static const struct {
    const char *name, *scalars;
} by_operand[] = {{"unique", "return_index, return_inverse, return_counts, axis"}};

typedef struct builtin_plan {
    const builtin *b;
    const char *scalars; // names, separated by commas; "" for none
} builtin_plan;

static bool find_plan(frame *fr, const node *n, builtin_plan *out) {
    const char *spec = n->op->call ? n->op->call : n->op->alloc;
    size_t size = strcspn(spec, "(");
    const char *name = arena_copy(fr->mem, spec, size);
    out->b = builtin_find(name);
    out->scalars = spec[size] ? arena_copy(fr->mem, spec + size + 1, strlen(spec) - size - 2) : "";
    for (size_t i = 0; !spec[size] && i < COUNT(by_operand); i++)
        if (strcmp(by_operand[i].name, name) == 0) out->scalars = by_operand[i].scalars;
    return out->b || frame_fail(fr, n->at, "the runtime has no function %s", name);
}

// --- Scalars.

static uint32_t input_row(const op *o, const char *name) {
    uint32_t i = 0;
    while (i < op_inputs(o) && strcmp(o->input[i].name, name) != 0) i++;
    return i;
}

// An operand left out is 0; an axis left out means the flat tensor.
static bool scalar_operand(frame *fr, const node *n, const value *in, const char *name, int64_t *out) {
    uint32_t row = input_row(n->op, name);
    if (row >= op_inputs(n->op)) return frame_fail(fr, n->at, "%s has no %s", n->op->name, name);
    *out = strcmp(name, "axis") == 0 ? INT64_MIN : 0;
    if (row >= n->count || in[row].kind == VALUE_NULL) return true;
    return value_number(&in[row], out) || frame_fail(fr, n->at, "%s: want a number as %s", n->op->name, name);
}

static bool has_attr(const op *o, const char *name) {
    for (uint32_t i = 0; i < op_attrs(o); i++)
        if (strcmp(o->attr[i].name, name) == 0) return true;
    return false;
}

static bool take_scalars(frame *fr, const node *n, const value *in, const char *names, int64_t *arg, uint32_t *args) {
    for (const char *at = names; *at && *args < MAX_ARGS;) {
        size_t size = strcspn(at, ",");
        const char *name = arena_copy(fr->mem, at, size);
        int64_t *out = &arg[(*args)++];
        if (!has_attr(n->op, name)) {
            if (!scalar_operand(fr, n, in, name, out)) return false;
        } else if (!attr_get_int(node_attr(n, name), out)) {
            return frame_fail(fr, n->at, "%s: %s is no number", n->op->name, name);
        }
        at += size + strspn(at + size, ", ");
    }
    return true;
}

// --- Calls.

bool host_builtin(run *r, const builtin *b, builtin_call *c, loc at) {
    char why[BUILTIN_WHY] = "";
    c->why = why;
    c->outs = b->outs;
    if (c->ins != b->ins || c->args != b->args)
        return diag_error(r->d, at, "%s: want %u tensors and %u numbers, got %u and %u", b->name, b->ins, b->args,
                          c->ins, c->args);
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

// Which of topk's results are wanted; the others are left out.
static uint32_t first_output(const node *n) {
    if (!has_attr(n->op, "ret_type")) return 0;
    const attr *a = node_attr(n, "ret_type");
    return a->kind == ATTR_STRING && strcmp(a->as.text, "indices") == 0 ? 1 : 0;
}

static bool eval_destination(frame *fr, const node *n, const value *in, const builtin *b, builtin_call *c, value *out) {
    tensor *given[BUILTIN_MAX_OUT] = {0};
    const node *now = frame_known_node(fr, n, in);
    if (!now || !frame_outputs(fr, now->type, out, n->at)) return false;
    uint32_t first = first_output(n);
    if (out->kind == VALUE_TENSOR) given[first] = out->as.tensor;
    for (uint32_t i = 0; out->kind == VALUE_TUPLE && i < out->as.tuple.count && i < BUILTIN_MAX_OUT; i++)
        given[i] = out->as.tuple.item[i].as.tensor;
    c->out = given;
    if (host_builtin(fr->r, b, c, n->at)) {
        for (uint32_t i = 0; i < BUILTIN_MAX_OUT; i++)
            if (given[i]) storage_all_written(given[i]);
        return true;
    }
    value_drop(out);
    return false;
}

bool eval_builtin(frame *fr, const node *n, const value *in, value *out) {
    builtin_plan plan;
    const tensor *ins[MAX_INS];
    int64_t arg[MAX_ARGS];
    builtin_call c = {.in = ins, .arg = arg};
    if (!find_plan(fr, n, &plan) || !take_scalars(fr, n, in, plan.scalars, arg, &c.args)) return false;
    for (uint32_t i = 0; i < n->count && c.ins < MAX_INS; i++)
        if (in[i].kind == VALUE_TENSOR) ins[c.ins++] = in[i].as.tensor;
    if (plan.b->allocates) return eval_allocating(fr, n, plan.b, &c, out);
    return eval_destination(fr, n, in, plan.b, &c, out);
}
