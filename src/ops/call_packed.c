// call_packed.c - calls of functions that the runtime finds by name, and of closures as values: what they return is
// what the call states.
#include "graph/deduce.h"
#include "ops/ops.h"

// sinfo_args: nothing stated is an Object, several are a tuple.
static const ann *infer_stated(infer_ctx *c, const node *n) {
    if (n->type_args == 0) return ann_object();
    return n->type_args == 1 ? n->type_arg[0] : ann_tuple(c->mem, n->type_arg, n->type_args);
}

static const ann *infer_must_state(infer_ctx *c, const node *n) {
    if (n->type_args) return infer_stated(c, n);
    diag_error(c->d, n->at, "%s: sinfo_args= must say what is returned", n->op->name);
    return NULL;
}

static const ann *infer_destination(infer_ctx *c, const node *n) {
    const ann *const *out;
    uint32_t outs;
    return deduce_destinations(c, n, &out, &outs) ? n->type_arg[0] : NULL;
}

// A result has its argument's place, so that it can't be of another annotation.
static bool takes_place(infer_ctx *c, const node *n, uint32_t i, int64_t input, const ann *out) {
    if (input < -1 || input >= (int64_t)n->count - 1)
        return diag_error(
            c->d, n->at, "call_inplace_packed: inplace_indices: want the number of an argument (of %u) or -1, got %lld",
            n->count - 1, (long long)input);
    const ann *place = input < 0 ? out : n->in[input + 1]->type;
    if (!out || ann_fits(c->exprs, place, out, NULL) != ANN_NO) return true;
    return diag_error(c->d, n->at,
                      "call_inplace_packed: result %u is %s, but argument %lld, whose place it takes, is %s", i + 1,
                      ann_to_text(c->mem, out), (long long)input + 1, ann_to_text(c->mem, place));
}

static const ann *infer_inplace(infer_ctx *c, const node *n) {
    const attr *places = n->attr[0];
    const ann *out = infer_must_state(c, n);
    bool any = false;
    for (uint32_t i = 0; out && i < places->count; i++) {
        int64_t input = places->list[i]->as.i;
        bool part = out->kind == ANN_TUPLE && places->count > 1;
        const ann *result = !part ? out : i < out->count ? out->field[i] : NULL;
        if (!takes_place(c, n, i, input, result)) return NULL;
        any = any || input >= 0;
    }
    if (!out || any) return out;
    diag_error(c->d, n->at,
               "call_inplace_packed: inplace_indices: want an argument that a result is written over; "
               "use call_pure_packed for a call without");
    return NULL;
}

static const ann *infer_make_closure(infer_ctx *c, const node *n) {
    (void)c, (void)n;
    return ann_object();
}

#define CALLEE {.name = "func", .kind = INPUT_FUNC, .doc = "the function"}
#define SPREAD {.name = "args", .kind = INPUT_ANY, .doc = "its arguments", .optional = true}

const op op_call_dps_packed = {
    .name = "call_dps_packed",
    .doc = "Calls a library function that writes into destinations the graph allocates.",
    .input = {CALLEE, {.name = "args", .kind = INPUT_TUPLE, .doc = "its inputs"}},
    .type_args = 1,
    .infer = infer_destination,
    .vm = true,
};
const op op_call_packed = {
    .name = "call_packed",
    .doc = "Calls a runtime function by name; it may have effects.",
    .input = {CALLEE, SPREAD},
    .variadic = true,
    .impure = true,
    .type_args = 1,
    .infer = infer_stated,
    .vm = true,
};
const op op_call_pure_packed = {
    .name = "call_pure_packed",
    .doc = "Calls a runtime function by name that is known to have no effects.",
    .input = {CALLEE, SPREAD},
    .variadic = true,
    .type_args = 1,
    .infer = infer_must_state,
    .vm = true,
};
const op op_call_inplace_packed = {
    .name = "call_inplace_packed",
    .doc =
        "Calls a runtime function that writes results over some of its arguments, which must not be used afterwards.",
    .input = {CALLEE, SPREAD},
    .attr = {{.name = "inplace_indices",
              .kind = OPATTR_INTS,
              .doc = "for each result the argument it is written over, or -1"}},
    .variadic = true,
    .type_args = 1,
    .infer = infer_inplace,
    .vm = true,
};
const op op_call_builtin_with_ctx = {
    .name = "call_builtin_with_ctx",
    .doc = "Calls a function of the virtual machine, which gets the machine itself as well.",
    .input = {CALLEE, {.name = "args", .kind = INPUT_TUPLE, .doc = "its arguments"}},
    .impure = true,
    .type_args = 1,
    .infer = infer_stated,
    .vm = true,
};
const op op_invoke_closure = {
    .name = "invoke_closure",
    .doc = "Calls a closure object.",
    .input = {{.name = "closure", .kind = INPUT_ANY, .doc = "the closure"},
              {.name = "args", .kind = INPUT_TUPLE, .doc = "its arguments"}},
    .impure = true,
    .type_args = 1,
    .infer = infer_must_state,
    .vm = true,
};
const op op_invoke_pure_closure = {
    .name = "invoke_pure_closure",
    .doc = "Calls a closure object that has no effects.",
    .input = {{.name = "closure", .kind = INPUT_ANY, .doc = "the closure"},
              {.name = "args", .kind = INPUT_TUPLE, .doc = "its arguments"}},
    .type_args = 1,
    .infer = infer_must_state,
    .vm = true,
};
const op op_make_closure = {
    .name = "make_closure",
    .doc = "A function of the module together with the values it captures.",
    .input = {CALLEE, {.name = "args", .kind = INPUT_TUPLE, .doc = "the captured values"}},
    .infer = infer_make_closure,
    .vm = true,
};
