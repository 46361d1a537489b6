// builtins.h - builtins that work on the VM's values: shapes, lists, tuples. (Those on tensors alone:
// builtin/builtin.h.)
#ifndef VM_BUILTINS_H
#define VM_BUILTINS_H
#include "vm/object.h"

// A builtin is stateless and thread-safe; what it makes lies in the heap of the context it is called for.
enum { VM_BUILTIN_ARGS = 8 };

typedef struct vm_builtin {
    const char *name;
    uint32_t version;
    // How many arguments it takes: always the same number, at most VM_BUILTIN_ARGS.
    uint32_t args;
    // Arguments are borrowed and have been counted; *out is null at first and is the caller's afterwards.
    rx_status (*run)(rx_context *c, const vm_value *const *arg, vm_value *out);
    const char *doc;
} vm_builtin;

// NULL if there is none of this name.
const vm_builtin *vm_builtin_find(const char *name);

// Rows of that table (messages.c): a format and the tuple of its values; for the assertion a condition before them.
rx_status vm_print(rx_context *c, const vm_value *const *arg, vm_value *out);
rx_status vm_assert(rx_context *c, const vm_value *const *arg, vm_value *out);
#endif
