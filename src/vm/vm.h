// vm.h - what the programs of this repository need from the virtual machine beyond relax/runtime.h.
#ifndef VM_VM_H
#define VM_VM_H
#include "exec/exec.h"
#include "relax/runtime.h"
#include "tensor/tensor.h"

// Host tensors of the compiler's side <-> values. The value keeps a reference to t.
RX_MUST_USE rx_status vm_value_of_tensor(tensor *t, rx_value **out);
// A tensor over the value's memory (which it keeps alive); NULL if the value is no tensor or there is no memory.
tensor *vm_tensor_of_value(rx_value *v);

// A scalar; `bits` as registers hold it: integers extended to 64 bits, floats encoded.
RX_MUST_USE rx_status vm_value_of_bits(dtype t, int64_t bits, rx_value **out);
// rx_shape_new, but the dims may be below 0: what a program made of numbers, for R.reshape.
RX_MUST_USE rx_status vm_value_of_shape(uint32_t rank, const int64_t *dim, rx_value **out);

// The parameters that a caller gives: all but the weights of the file. Their number among the first `limit`, and where
// in f->param the caller's parameter `i` stands (EXEC_NONE past the last).
uint32_t vm_caller_params(const exec_function *f, uint32_t limit);
uint32_t vm_caller_param(const exec_function *f, uint32_t i);

// The executable behind a public handle, for inspect and friends. Borrowed.
// Lives as long as the handle.
const executable *vm_executable(const rx_executable *e);
#endif
