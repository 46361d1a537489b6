// nn.h - a front end for models: layers with named parameters, applied to tensors while a graph function is built.
//
//   nn *n = nn_new(m, "forward", (nn_source){0}, d);
//   const node *x = nn_input(n, "x", "float32", "t, 64");
//   nn_linear up = nn_linear_new(nn_in(nn_root(n), "up"), 64, 256, false);   // makes the parameter "up.weight"
//   const node *y = nn_silu(n, nn_linear_apply(n, &up, x));
//   nn_finish(n, &y, 1);
//
// The order is: inputs, then layers (each declares its parameters under its scope's path), then applications. Layers
// are plain structs, copied freely. Everything lives in the module's arena. Errors are collected in the diagnostics;
// what follows an error is poison and stays silent, so nothing needs to be checked before nn_finish.
#ifndef NN_NN_H
#define NN_NN_H
#include "checkpoint/checkpoint.h"
#include "graph/build.h"

typedef struct nn nn; // one function that is being built

// How a checkpoint calls a layer: `stored` for `path`, where # stands for a number, the same ones in order
// ("model.layers.#.mlp.up_proj", "blk.#.ffn_up"). The parameter's own name (".weight", ".bias") is kept.
typedef struct nn_renaming {
    const char *path, *stored;
} nn_renaming;

// Where parameters come from. Zero: nowhere, they are float32 and of the shape that their layer asks for.
typedef struct nn_source {
    const checkpoint *weights;   // decides how each is stored; a parameter has the name of its tensor
    const nn_renaming *renaming; // ends at a NULL path; NULL: tensors are called as the layers are
} nn_source;

nn *nn_new(module *m, const char *name, nn_source from, diag *d);
builder *nn_builder(nn *n); // for what has no function here
// A tensor input. Dims as text: numbers, symbols, expressions of symbols seen before: "b + 1, 64".
const node *nn_input(nn *n, const char *name, const char *type, const char *dims);
// The most a symbol of an input may be (the attribute tir_var_upper_bound). Before the first application.
void nn_bound(nn *n, const char *symbol, int64_t upper);
const expr *nn_size(nn *n, const char *symbol); // a symbol of an input as an expression
// Ends the function: the results as a tuple (one: itself), put into the module. False if an error was reported.
bool nn_finish(nn *n, const node *const *result, uint32_t count);

// --- Scopes: the path of a layer, "model.layers.3.mlp".
typedef struct nn_scope {
    nn *n;
    const char *path; // "" at the root
} nn_scope;
nn_scope nn_root(nn *n);
nn_scope nn_in(nn_scope s, const char *name); // path.name
nn_scope nn_item(nn_scope s, uint32_t index); // path.index
bool nn_stored(nn_scope s, const char *name); // whether the checkpoint has path.name; without one: no

// --- Parameters.
typedef struct nn_weight {
    const node *param;  // as it is stored; NULL: the layer has none
    const char *format; // of blocks; NULL: plain elements
} nn_weight;
// Declares path.name. A tensor of other dims, or none, is an error.
nn_weight nn_weight_new(nn_scope s, const char *name, const int64_t *dim, uint32_t rank);
// Its values in float32: decoded where they are used, so that they never take more memory than they are stored in.
const node *nn_weight_value(nn *n, nn_weight w);
const node *nn_weight_rows(nn *n, nn_weight w, const node *rows); // of these along dim 0, taken before they are decoded
const node *nn_constant(nn *n, const double *value, uint32_t count); // a float32 vector of few numbers

// --- Layers. The last dim of x is the one that a layer works on.
typedef struct nn_linear {
    nn_weight weight, bias; // [out, in]; [out]
} nn_linear;
nn_linear nn_linear_new(nn_scope s, int64_t in, int64_t out, bool bias);
const node *nn_linear_apply(nn *n, const nn_linear *l, const node *x); // x weight^T + bias

typedef struct nn_embedding {
    nn_weight weight; // [count, size]
} nn_embedding;
nn_embedding nn_embedding_new(nn_scope s, int64_t count, int64_t size);
const node *nn_embedding_apply(nn *n, const nn_embedding *e, const node *ids); // rows of the table
const node *nn_embedding_head(nn *n, const nn_embedding *e, const node *x);    // x weight^T: tied logits

typedef struct nn_norm {
    nn_weight weight, bias; // no bias: RMS norm
    double epsilon;
    bool one_more; // multiplies by 1 + weight
} nn_norm;
nn_norm nn_rms_norm_new(nn_scope s, int64_t size, double epsilon);
nn_norm nn_layer_norm_new(nn_scope s, int64_t size, double epsilon);
const node *nn_norm_apply(nn *n, const nn_norm *l, const node *x);

typedef enum nn_activation { NN_SILU, NN_GELU, NN_GELU_TANH, NN_RELU } nn_activation;
typedef struct nn_mlp {
    nn_linear gate, up, down; // gate without a weight: down(act(up x)), else down(act(gate x) * up x)
    nn_linear gate_up;        // in place of both: [gate | up] of one matrix
    int64_t inner;            // the size of gate and up
    nn_activation act;
} nn_mlp;
nn_mlp nn_gated_mlp_new(nn_scope s, int64_t size, int64_t inner, nn_activation act, bool bias); // gate/up/down_proj
nn_mlp nn_fused_mlp_new(nn_scope s, int64_t size, int64_t inner, nn_activation act, bool bias); // gate_up/down_proj
const node *nn_mlp_apply(nn *n, const nn_mlp *l, const node *x);

// --- Mixture of experts: each token goes through the few gated MLPs that a router finds most probable for it.
typedef struct nn_experts {
    nn_weight all;        // [experts, out, in], or
    const nn_weight *one; // each [out, in]
} nn_experts;
typedef struct nn_mixture {
    nn_linear router;
    nn_experts gate, up, down;
    nn_mlp shared;         // for all tokens, times sigmoid(shared_gate x); without a weight: none
    nn_linear shared_gate; // to one number
    int64_t experts, used;
    bool normalize; // the weights of those used sum to 1
    nn_activation act;
} nn_mixture;
// Sizes are those of an expert and of the shared one (0: none); makes gate, experts.0.gate_proj (or all experts as one
// tensor, experts.gate_proj), shared_expert and shared_expert_gate. Fields of `like` that are no layers are copied.
nn_mixture nn_mixture_new(nn_scope s, int64_t size, int64_t inner, int64_t shared, const nn_mixture *like);
const node *nn_mixture_apply(nn *n, const nn_mixture *l, const node *x); // x [t, size]

// --- Attention over a cache in pages.
// Rotary position embedding: pairs of elements turn by position * scale / (base^(2 i / dims) * factors[i]).
typedef struct nn_rope {
    double base;          // 0: nothing turns
    int64_t dims;         // that turn; 0: all of a head
    bool interleaved;     // pairs are neighbours; else element i and i + dims / 2
    double scale;         // of positions; 0: 1
    double amplitude;     // of the turned part; 0: 1
    nn_weight factors;    // [dims / 2] from the checkpoint, or without a param:
    const double *factor; // the same as numbers; NULL: ones
} nn_rope;
// Cosines and sines of all angles of some positions [t]: [t, dims / 2] each.
typedef struct nn_angles {
    const node *cos, *sin;
} nn_angles;

// What a ragged step of a decoder is given, all integers int32: the tokens of b sequences one after another, the place
// of each in its sequence, where each sequence begins (b + 1 numbers), which pages of the cache it has, into which
// place of the cache (page * page size + place in it) each token's keys and values go, and for which tokens results are
// wanted. Then one tensor of key pages and one of value pages per layer: [pages, page size, kv_heads, head_size].
typedef struct nn_batch {
    const node *tokens, *positions, *starts, *page_table, *slots, *rows;
    const node **keys, **values; // per layer: the newest state
    uint32_t layers;
    nn_rope rope; // what `angles` belong to: layers that turn alike share them
    int64_t rope_size;
    nn_angles angles;
} nn_batch;
typedef struct nn_cache {
    uint32_t layers;
    int64_t page, kv_heads, head_size;
    bool half; // of float16, else of float32
} nn_cache;
// Declares these inputs, with the symbols t, b, p (pages of a sequence), r and g (pages in all).
nn_batch nn_batch_new(nn *n, const nn_cache *c);

typedef struct nn_attention {
    nn_linear q, k, v, o;
    nn_linear qkv;          // in place of the first three: [q | k | v] of one matrix
    bool by_heads;          // with it: [q | k | v] of each head after the other
    nn_norm q_norm, k_norm; // of each head before it turns; without a weight: none
    int64_t heads, kv_heads, head_size;
    int64_t window;  // a token sees so many places back, its own included; 0: all
    double scale;    // of scores; 0: 1 / sqrt(head_size)
    double soft_cap; // scores become cap * tanh(score / cap); 0: as they are
    nn_rope rope;
} nn_attention;
// Makes q_proj, k_proj, v_proj and o_proj for the sizes given in `like` and copies its other fields.
nn_attention nn_attention_new(nn_scope s, int64_t size, const nn_attention *like, bool qkv_bias, bool out_bias);
nn_attention nn_fused_attention_new(nn_scope s, int64_t size, const nn_attention *like, bool bias); // qkv_, o_proj
// Puts keys and values of x [t, size] into the cache of a layer and attends to it.
const node *nn_attention_apply(nn *n, const nn_attention *a, const node *x, nn_batch *batch, uint32_t layer);

// --- Operators. Any operator by its name after "R."; attributes that are not given have their defaults.
const node *nn_call(nn *n, const char *op, const node *const *in, uint32_t count, const named_attr *attrs,
                    uint32_t given);
const node *nn_add(nn *n, const node *a, const node *b);
const node *nn_multiply(nn *n, const node *a, const node *b);
const node *nn_activate(nn *n, nn_activation act, const node *x);
const node *nn_silu(nn *n, const node *x);
const node *nn_scale(nn *n, const node *x, double factor);
const node *nn_cap(nn *n, const node *x, double cap); // cap * tanh(x / cap)
// The last dim cut into `parts` of these sizes.
void nn_split(nn *n, const node *x, const int64_t *size, uint32_t parts, const node **out);
const node *nn_take(nn *n, const node *table, const node *rows); // along dim 0
// Dims up to `keep` stay, those behind become `dim`.
const node *nn_reshape_from(nn *n, const node *x, uint32_t keep, const int64_t *dim, uint32_t count);
#endif
