// external.h - functions that the program registers and bytecode calls by name.
#ifndef VM_EXTERNAL_H
#define VM_EXTERNAL_H
#include "vm/context.h"

// Calls f with the registers r[reg[0 .. count-1]]; *out is what it returns.
RX_MUST_USE rx_status external_call(rx_context *c, const vm_import *f, const char *name, const uint32_t *reg,
                                    uint32_t count, const vm_value *r, vm_value *out);
// False if the registry (may be NULL) has no function of this name.
// Borrowed pointers: a context copies them, so the registry may go away.
bool registry_find(const rx_registry *r, const char *name, rx_external **call, void **user);
#endif
