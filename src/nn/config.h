// config.h - the families of decoders, and the two places that a configuration is read from; for the files of this
// folder alone.
#ifndef NN_CONFIG_H
#define NN_CONFIG_H
#include "nn/decoder.h"

// What a family's configuration leaves unsaid. Zero is Llama's way.
typedef struct decoder_family {
    const char *name;            // in "architectures" of config.json
    const char *type;            // its "model_type"
    const char *gguf;            // general.architecture
    const nn_renaming *renaming; // of the layers in safetensors, ends at a NULL path; NULL: as decoder.c calls them
    bool interleaved;            // GGUF files have the rows of q and k for turning neighbours
    bool window;                 // sliding_window counts
    int64_t pattern;             // with it: every so many layers one sees all
    bool qkv_bias;               // always
    bool head_norms;             // on queries and keys
    bool scaled_embedding;       // by the root of the hidden size
    bool one_more;               // norms multiply by 1 + weight (GGUF files have it added)
    bool post_norms;             // norms behind attention and MLP as well
    bool fused;                  // q, k and v are one matrix, gate and up another
    bool neox;                   // layer norms, biases, a plain MLP, maybe beside attention; q, k and v head by head
    bool mixture;                // of experts
    bool normalized;             // their weights, where the configuration does not say
    bool gelu;                   // the gate, by the tanh formula
    bool tied;                   // always
} decoder_family;
// Rows until a NULL name; of equal `gguf`, the first one.
extern const decoder_family decoder_families[];

// Both start from what the family says and return false after reporting. Text in *out lives in `mem`.
// _json: from config.json; _gguf: from the keys under general.architecture.
bool decoder_read_json(const checkpoint *c, arena *mem, decoder_config *out, diag *d);
bool decoder_read_gguf(const checkpoint *c, arena *mem, decoder_config *out, diag *d);
void decoder_begin(const decoder_family *f, decoder_config *out);
// "Llama…, Mistral…" for messages: the names, or those of GGUF.
const char *decoder_known(arena *mem, bool in_gguf);
#endif
