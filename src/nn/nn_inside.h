// nn_inside.h - the state of a function that is being built; for the files of this folder alone.
#ifndef NN_NN_INSIDE_H
#define NN_NN_INSIDE_H
#include "nn/nn.h"

struct nn {
    builder *b;
    module *m;
    arena *mem; // the module's
    diag *d;
    nn_source from;
    text_map symbols;  // name -> const expr *
    text_map programs; // what an append program is like -> its name
    text_map declared; // tensors of the checkpoint that parameters are named after
    uint32_t inputs;   // parameters before the first weight
    uint32_t errors;   // of the diagnostics when it began
    bool applying;     // the first binding was made
};

// What is stored like w, in float32.
const node *nn_weight_decoded(nn *n, const node *stored, nn_weight w);
// More is wrong already than will be shown: making layers may stop. What was not made must not be applied.
bool nn_hopeless(const nn *n);
// Opens the dataflow block that all bindings go into.
void nn_begin(nn *n);

// What attention is given, by number.
enum { NN_QUERIES, NN_KEYS, NN_VALUES, NN_PROJECTIONS };
// Where queries, keys or values of a token lie: from this column on of one of the sources, head after head.
typedef struct nn_rows {
    uint32_t source;
    int64_t first;
} nn_rows;
// What happens to them before attention.
typedef struct nn_placing {
    dtype type;                          // of the cache
    int64_t page, heads, kv_heads, size; // size: of a head
    int64_t turned;                      // elements of a head that turn; 0: none
    bool interleaved;                    // as in nn_rope
    bool gives_query;                    // the queries are a result, too
    uint32_t sources;                    // the results of one to three projections, float32 [t, width]
    int64_t width[NN_PROJECTIONS];
    nn_rows from[NN_PROJECTIONS];
} nn_placing;
// The name of the program that writes keys and values into their places of the pages [g, page, kv_heads, size]. It
// takes k_pages, v_pages, the sources, cosines and sines [t, turned / 2] if any turn, slots, and, if it gives one, the
// place of the queries [t, heads, size]: at most NN_APPEND_MOST.
enum { NN_APPEND_MOST = 2 + NN_PROJECTIONS + 2 + 1 + 1 };
const char *nn_append_program(nn *n, const nn_placing *p);

// Whether the products of one x with both layers can be one product: their weights are stored alike, in blocks.
bool nn_linear_joins(const nn_linear *a, const nn_linear *b);
// That product: the results side by side.
const node *nn_linear_joined(nn *n, const nn_linear *const *l, uint32_t count, const node *x);
#endif
