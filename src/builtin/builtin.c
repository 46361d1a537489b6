// builtin.c - the table of builtins.
#include "builtin/builtin.h"
#include "builtin/runs.h"
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
