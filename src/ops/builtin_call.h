// builtin_call.h - the runtime's builtin that an operator stands for, with its arguments.
//
// The operator's `call` or `alloc` text says it: "topk(axis, largest; values, indices)". Tensor operands come first,
// then the scalars named in the brackets (attributes or scalar operands; "axis=none" gives what stands for a missing
// one, "layout?NHWC" whether that is the attribute's value, "size.1" one of a list, "axis#" a list of axes as bits),
// then, for `call`, the destinations. Destinations have names where an attribute ret_type chooses among them, or where
// conditions do: "data:!indices|sigma", or "places:several", that the result is a tuple.
#ifndef OPS_BUILTIN_CALL_H
#define OPS_BUILTIN_CALL_H
#include "graph/op.h"

enum { BUILTIN_CALL_MAX = 12 };

typedef struct builtin_scalar {
    int32_t operand; // the operand that gives it; -1: value
    int64_t value;
} builtin_scalar;

typedef struct builtin_form {
    const char *name; // "topk"
    uint32_t tensors; // leading operands
    uint32_t scalars;
    builtin_scalar scalar[BUILTIN_CALL_MAX];
    uint32_t outs;                 // `call`: destinations; `alloc`: 0
    bool wanted[BUILTIN_CALL_MAX]; // which of them are computed; a null value stands for the others
} builtin_form;

// Of a call of an operator with `call` or `alloc`. Operands may be left out at the end.
builtin_form builtin_form_of(arena *mem, const node *n);
#endif
