// machine_call.c - calls from loop programs: other programs of the module, and host functions.
#include "interp/machine.h"
#include "interp/value.h"
#include <stdlib.h>
#include <string.h>

// For memory of arguments, which outlives the call.
static void borrowed(void *user, void *data) { (void)user, (void)data; }

// A tensor over the elements of a view from `at` on.
static bool wrap(machine *m, thread *t, const view *v, int64_t at, dtype type, uint32_t rank, const int64_t *dim,
                 tensor **out) {
    size_t bits = dtype_bits(type), before = 0;
    if (at < 0 || at > v->room || bits % 8)
        return machine_fail(m, t, "buffer %s can't be passed from element %lld on", v->buf->name, (long long)at);
    before = (size_t)at * v->lanes * (bits / 8);
    rx_status status;
    size_t room = (size_t)v->room * (bits / 8), bytes;
    if (v->owner) {
        status = storage_tensor(v->owner, v->base + before, type, rank, dim, out);
    } else {
        status = tensor_wrap(type, rank, dim, v->data + before, borrowed, NULL, out);
        bytes = status == RX_OK ? (*out)->bytes : 0;
        if (status == RX_OK && (before > room || bytes > room - before)) {
            tensor_release(*out);
            status = RX_INVALID_ARGUMENT;
        }
    }
    return status == RX_OK || machine_fail(m, t, "buffer %s is too small for what is passed", v->buf->name);
}

// Tensors have no strides, so only compact views can be passed.
static bool is_compact(const view *v) {
    int64_t step = 1;
    for (uint32_t i = v->rank; i-- > 0;) {
        if (v->dim[i] > 1 && v->stride[i] != step) return false;
        step *= v->dim[i] > 0 ? v->dim[i] : 1;
    }
    return true;
}

// An argument is passed on as it came.
static bool whole_view(machine *m, thread *t, const view *v, tensor **out) {
    if (v->argument && v->argument->rank == v->rank && v->offset == 0 && dtype_equal(v->argument->type, v->buf->type))
        return *out = tensor_retain(v->argument), true;
    if (!is_compact(v)) return machine_fail(m, t, "buffer %s is not compact and can't be passed", v->buf->name);
    return wrap(m, t, v, v->offset, v->buf->type, v->rank, v->dim, out);
}

// A whole buffer, a pointer into one (all that follows), or a described array.
static bool buffer_argument(machine *m, thread *t, const call_arg *a, tensor **out) {
    const view *v = t->slot[a->at];
    int64_t dim[TENSOR_MAX_RANK];
    if (!v) return machine_fail(m, t, "a buffer is passed outside of its scope");
    if (a->offset == NO_REGISTER && !a->dim) return whole_view(m, t, v, out);
    int64_t at = v->offset + (a->offset == NO_REGISTER ? 0 : t->reg[a->offset].i);
    if (!a->dim) { // a pointer: all that follows, in a row
        dim[0] = at >= 0 && at <= v->room / v->lanes ? v->room / v->lanes - at : 0;
        return wrap(m, t, v, at, v->buf->type, 1, dim, out);
    }
    if (a->rank > TENSOR_MAX_RANK) return machine_fail(m, t, "an array of more than %d dims", TENSOR_MAX_RANK);
    for (uint32_t i = 0; i < a->rank; i++) dim[i] = t->reg[a->dim[i]].i;
    return wrap(m, t, v, at, a->type, a->rank, dim, out);
}

static bool take(machine *m, thread *t, const call_arg *a, value *out) {
    switch (a->kind) {
    case ARG_SCALAR:
        out->kind = VALUE_PRIM;
        out->as.prim.type = a->type;
        out->as.prim.scalar = t->reg[a->at];
        return true;
    case ARG_STRING:
        out->kind = VALUE_STRING;
        out->as.text.bytes = a->text;
        out->as.text.size = strlen(a->text);
        return true;
    case ARG_BUFFER: break;
    }
    if (!buffer_argument(m, t, a, &out->as.tensor)) return false;
    out->kind = VALUE_TENSOR;
    return true;
}

// Packed functions return nothing or a status; text takes it as int32.
static bool give(machine *m, thread *t, const call *c, const value *result) {
    if (c->result == NO_REGISTER) return true;
    if (result->kind == VALUE_PRIM) return t->reg[c->result] = result->as.prim.scalar, true;
    if (c->type.kind == DTYPE_I32) return t->reg[c->result].i = 0, true; // a packed call's status
    return machine_fail(m, t, "%s returned no number", c->name);
}

// Tensors over views are made for the call and die with it.
bool machine_call(machine *m, thread *t, const call *c) {
    value *arg = calloc(c->args + 1, sizeof *arg), result = {.kind = VALUE_NULL};
    bool done = arg || machine_fail(m, t, "no memory");
    uint32_t taken = 0;
    while (done && taken < c->args && take(m, t, &c->arg[taken], &arg[taken])) taken++;
    done = done && taken == c->args;
    loc at = m->p->origin[t->pc] ? m->p->origin[t->pc]->at : m->p->f->at;
    if (done)
        done = c->func ? interp_loop(m->r, c->func, arg, c->args, &result, at)
                       : host_run(m->r, c->name, arg, c->args, &result, at);
    done = done && give(m, t, c, &result);
    for (uint32_t i = 0; i < taken; i++) value_drop(&arg[i]);
    value_drop(&result);
    free(arg);
    return done;
}
