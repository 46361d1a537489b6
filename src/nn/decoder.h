// decoder.h - decoder-only transformers as one description that a checkpoint's configuration fills in.
//
// The module has one public function (b sequences of t tokens one after another; see nn_batch):
//
//   forward(tokens: (t,), positions: (t,), starts: (b + 1,), page_table: (b, p), slots: (t,), rows: (r,),
//           k_pages_0: (g, page, kv heads, head size), …, v_pages_0, …, weights…)
//     -> (logits: (r, vocab), k_pages_0, …, v_pages_0, …)
//
// The pages are written in place: they are donated, and come back as results.
#ifndef NN_DECODER_H
#define NN_DECODER_H
#include "nn/nn.h"

// How the frequencies of rotary embedding are stretched beyond the trained context.
typedef enum rope_scaling {
    ROPE_PLAIN,
    ROPE_LINEAR,
    ROPE_LLAMA3,
    ROPE_LONG, // factors of their own, others beyond the original context
    ROPE_YARN, // slow pairs are divided, fast ones stay, between them a ramp over the pairs
} rope_scaling;

// Zero is "there is none" for every field.
typedef struct decoder_config {
    const char *architecture; // as the checkpoint calls it, "LlamaForCausalLM" or "llama"
    const nn_renaming *renaming;
    int64_t hidden, layers, heads, kv_heads, head_size, inner, vocab;
    int64_t context; // tokens it was trained for
    int64_t window;  // of attention: tokens that one sees, itself included
    int64_t pattern; // with a window: every so many layers the last one has none
    double epsilon;
    int64_t experts, used_experts, expert_inner, shared_inner; // of a mixture in place of the MLP
    bool normalized;                                           // weights of the experts used sum to 1
    bool layer_norms;                                          // with biases, in place of RMS norms
    bool plain_mlp;                                            // down(act(up x)), with biases
    bool parallel;                                             // attention and MLP side by side
    bool by_heads;     // fused matrices have q, k and v of each head after the other
    const bool *dense; // per layer: has an MLP all the same; NULL: none
    nn_activation act;
    bool qkv_bias, out_bias, mlp_bias;
    bool head_norms;             // on queries and keys, before they turn
    bool post_norms;             // also behind attention and MLP
    bool one_more;               // norms multiply by 1 + weight
    bool fused;                  // q, k and v are one matrix, gate and up another
    bool tied;                   // logits come from the embedding's table
    double embedding_scale;      // of the embedding
    double score_scale;          // of attention; 0: 1 / sqrt(head_size)
    double score_cap, logit_cap; // cap * tanh(x / cap)
    double rope_base;
    double local_base; // of layers with a window, which are not stretched; 0: as the others
    bool interleaved;
    rope_scaling scaling;
    double factor, low_factor, high_factor, original_context; // of the scaling
    double fast, slow;                                        // ROPE_YARN: turns within the original context; where
    bool unrounded;                                           // the ramp ends: between pairs as well
    double amplitude;                                         // of what is turned; 0: 1
    int64_t rope_dims;                                        // of a head that turn; 0: all
    const double *near_factor, *far_factor; // ROPE_LONG, one per pair; NULL: tensors rope_factors_short and _long
} decoder_config;

// Reads config.json, or the keys of a GGUF file. False after reporting what is missing, out of range or not known here.
bool decoder_read_config(const checkpoint *c, arena *mem, decoder_config *out, diag *d);

// Zero is the default of every field.
typedef struct decoder_options {
    int64_t context; // most tokens of a sequence; 0: what it was trained for, at most DECODER_CONTEXT
    int64_t batch;   // most tokens of one call; 0: DECODER_BATCH
    int64_t rows;    // most of them whose logits are wanted; 0: DECODER_ROWS, at most as many as tokens
    int64_t page;    // tokens of a page of the cache; 0: DECODER_PAGE
    bool half_cache; // keys and values of the cache are float16, not float32
    bool hidden;     // also gives hidden states as results: after the embedding, each block, the last norm: (t, hidden)
} decoder_options;
enum { DECODER_CONTEXT = 4096, DECODER_BATCH = 512, DECODER_ROWS = 64, DECODER_PAGE = 16 };

// Puts `forward` into the module, with the checkpoint's tensors as its weights (NULL: float32 ones of these sizes).
// Every tensor of the checkpoint must be used, but for those known to carry nothing. False after reporting.
bool decoder_build(module *m, const decoder_config *config, const decoder_options *options, const checkpoint *from,
                   diag *d);
#endif
