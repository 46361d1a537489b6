// builtin.c - the table of builtins; how they fail and make their results.
#include "builtin/builtin.h"
#include "builtin/runs.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const builtin known[] = {
#define BUILTIN(function, name, version, ins, args, outs, allocates, doc)                                              \
    {name, version, ins, args, outs, allocates, function, doc},
#include "builtin/builtins.def"
};

// A dozen names: a search from the front costs nothing, as names are resolved once per context.
const builtin *builtin_find(const char *name) {
    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(known[i].name, name) == 0) return &known[i];
    return NULL;
}

uint32_t builtin_count(void) { return COUNT(known); }

const builtin *builtin_at(uint32_t index) { return index < COUNT(known) ? &known[index] : NULL; }

// --- What the rows share.

rx_status builtin_fail(builtin_call *c, rx_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (c->why) vsnprintf(c->why, BUILTIN_WHY, format, args);
    va_end(args);
    return status;
}

rx_status builtin_make(builtin_call *c, uint32_t out, dtype t, uint32_t rank, const int64_t *dim) {
    rx_status status = c->make ? c->make(c->user, t, rank, dim, &c->out[out]) : tensor_new(t, rank, dim, &c->out[out]);
    return status == RX_OK ? RX_OK : builtin_fail(c, status, "no memory for its result");
}
