// edges.c - the table of edges.def.
#include "ops/edges.h"
#include <string.h>

static const op_edge edges[] = {
#define EDGE(operators, says, shown) {.names = operators, .rule = says, .example = shown},
#include "ops/edges.def"
#undef EDGE
};

const op_edge *op_edges(size_t *count) {
    *count = COUNT(edges);
    return edges;
}

// A whole word of the list: "nn.gelu" is none of "nn.gelu_tanh nn.silu".
bool op_edge_holds(const op_edge *e, const op *o) {
    size_t size = strlen(o->name);
    for (const char *p = e->names; *p; p += strspn(p, " ")) {
        size_t word = strcspn(p, " ");
        if (word == size && memcmp(p, o->name, size) == 0) return true;
        p += word;
    }
    return false;
}

bool op_edge_calls(const op_edge *e, const op *o) {
    const char *call = e->example ? strstr(e->example, "| R.") : NULL;
    size_t size = strlen(o->name);
    return call && strncmp(call + 4, o->name, size) == 0 && call[4 + size] == '(';
}
