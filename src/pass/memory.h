// memory.h - what the memory and lowering passes share: sizes in bytes, the allocation operators as calls.
#ifndef PASS_MEMORY_H
#define PASS_MEMORY_H
#include "pass/support.h"

// Is this call that of a program or function with destinations (call_tir, call_tir_inplace, call_dps_packed)?
bool is_call_tir(const node *n);

// Once operators are lowered: is the result the operand's memory under other dims? What LegalizeOps left of reshape and
// its like is no program any more.
bool is_view(const node *n);

// R.call_packed("rx.builtin.NAME", tensors, scalars, destinations) for an operator that is a builtin of the runtime.
// `out`: one per destination of builtin_form_of, NULL where it is not wanted. `type`: what is stated of the result.
struct builtin_form;
#define BUILTIN_PREFIX "rx.builtin."
const node *build_builtin_call(builder *b, const char *name, const struct builtin_form *form, const node *const *in,
                               const node *const *out, const ann *type);

// a * b as TVM builds it: constants are folded, 1 and 0 vanish, nothing else is rewritten.
const expr *times(expr_session *s, const expr *a, const expr *b);
// Bytes of a tensor with these dims, `first` (the bytes of an element) multiplied by the dims in order.
const expr *tensor_bytes(expr_session *s, dtype type, const expr *const *dim, uint32_t rank);

// R.builtin.alloc_tensor(...) for an annotation with dims or a shape variable.
const node *build_alloc_tensor(builder *b, const char *name, const ann *type);
#endif
