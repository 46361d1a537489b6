// renew.h - programs made of others have variables and buffers of their own, so that no two share any.
#ifndef PASS_RENEW_H
#define PASS_RENEW_H
#include "pass/programs.h"

// What stands for the variables and buffers of a program in another one.
typedef struct renewal {
    module *m;
    map vars;    // MAP_KEY(variable) -> const expr *
    map buffers; // MAP_KEY(buffer) -> const buffer *
} renewal;

// New variables for the symbols of dims and for scalar parameters.
renewal renewal_of(module *m, const loop_func *f);
// A buffer like `old` over what stands for its dims; nothing is noted.
const buffer *renew_buffer(const renewal *r, const buffer *old, const char *scope);
// A parameter like `old`, which has a buffer. It stands for that from then on, its handle and elements' variable, too.
loop_param renew_param(renewal *r, const loop_param *old);
// The statement with everything that it binds new as well.
const stmt *renew_body(const renewal *r, const stmt *body);
#endif
