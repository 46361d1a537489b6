// host.h - functions of the runtime that lowered modules call by name (vm.builtin.match_shape, …), for the interpreter.
#ifndef INTERP_HOST_H
#define INTERP_HOST_H
#include "interp/value.h"

typedef struct host_call {
    run *r;
    const char *name;
    const value *arg;
    uint32_t count;
    loc at;
} host_call;

typedef struct host_function {
    const char *name;
    bool (*call)(const host_call *c, value *result); // false after reporting
} host_function;

const host_function *host_find(const char *name); // NULL if there is none
bool host_fail(const host_call *c, const char *format, ...) RX_PRINTF(2, 3);
#endif
