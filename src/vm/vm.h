// vm.h - the inside of the virtual machine: values, contexts, and how the programs of this repository reach them.
//
// The public face is relax/runtime.h; an rx_value is an `object` here, an rx_executable an `executable`.
#ifndef VM_VM_H
#define VM_VM_H
#include "exec/exec.h"
#include "relax/runtime.h"
#include "tensor/tensor.h"

typedef struct rx_value object;

// What a register can hold. Everything from VALUE_TENSOR on is an object with a reference count.
typedef enum value_kind {
    VALUE_NULL,
    VALUE_PRIM, // a scalar: dtype and 64 bits
    VALUE_TENSOR,
    VALUE_STORAGE,
    VALUE_SHAPE,
    VALUE_STRING,
    VALUE_TUPLE,
    VALUE_LIST,
    VALUE_CLOSURE,
    VALUE_KINDS
} value_kind;

// 16 bytes. A value owns one reference to its object.
typedef struct value {
    uint8_t kind;   // value_kind
    uint8_t type;   // PRIM: dtype_kind
    uint16_t lanes; // PRIM: lanes of the dtype
    union {
        int64_t bits;
        object *obj;
    };
} value;

// Host tensors of the compiler's side <-> values. The value keeps a reference to t.
RX_MUST_USE rx_status vm_value_of_tensor(tensor *t, rx_value **out);
// A tensor over the value's memory (which it keeps alive); NULL if the value is no tensor or there is no memory.
tensor *vm_tensor_of_value(rx_value *v);

// The executable behind a public handle, for inspect and friends. Borrowed.
const executable *vm_executable(const rx_executable *e);
#endif
