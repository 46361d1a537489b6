// config.c - the families of decoders, and what holds for a configuration whichever way the checkpoint states it.
#include "nn/config.h"
#include "base/count_noun.h"
#include <string.h>

// Names of safetensors that differ from Llama's.
static const nn_renaming mixtral_names[] = {
    {"model.layers.#.mlp.gate", "model.layers.#.block_sparse_moe.gate"},
    {"model.layers.#.mlp.experts.#.gate_proj", "model.layers.#.block_sparse_moe.experts.#.w1"},
    {"model.layers.#.mlp.experts.#.down_proj", "model.layers.#.block_sparse_moe.experts.#.w2"},
    {"model.layers.#.mlp.experts.#.up_proj", "model.layers.#.block_sparse_moe.experts.#.w3"},
    {0}};

// Attention's matrices are one here, whose rows go head by head: [q | k | v] of the first head, then of the next.
static const nn_renaming neox_names[] = {
    {"model.embed_tokens", "gpt_neox.embed_in"},
    {"model.layers.#.input_layernorm", "gpt_neox.layers.#.input_layernorm"},
    {"model.layers.#.post_attention_layernorm", "gpt_neox.layers.#.post_attention_layernorm"},
    {"model.layers.#.self_attn.qkv_proj", "gpt_neox.layers.#.attention.query_key_value"},
    {"model.layers.#.self_attn.o_proj", "gpt_neox.layers.#.attention.dense"},
    {"model.layers.#.mlp.up_proj", "gpt_neox.layers.#.mlp.dense_h_to_4h"},
    {"model.layers.#.mlp.down_proj", "gpt_neox.layers.#.mlp.dense_4h_to_h"},
    {"model.norm", "gpt_neox.final_layer_norm"},
    {"lm_head", "embed_out"},
    {0}};

// In the order in which they are searched: of several with one name in GGUF, the first.
const decoder_family decoder_families[] = {
    {.name = "LlamaForCausalLM", .type = "llama", .gguf = "llama", .interleaved = true},
    // GGUF has no key for the window of this family; its files say llama.
    {.name = "MistralForCausalLM", .type = "mistral", .gguf = "llama", .window = true},
    {.name = "Qwen2ForCausalLM", .type = "qwen2", .gguf = "qwen2", .qkv_bias = true},
    {.name = "Qwen3ForCausalLM", .type = "qwen3", .gguf = "qwen3", .head_norms = true},
    {.name = "GemmaForCausalLM",
     .type = "gemma",
     .gguf = "gemma",
     .scaled_embedding = true,
     .one_more = true,
     .gelu = true,
     .tied = true},
    {.name = "Gemma2ForCausalLM",
     .type = "gemma2",
     .gguf = "gemma2",
     .window = true,
     .pattern = 2,
     .scaled_embedding = true,
     .one_more = true,
     .post_norms = true,
     .gelu = true,
     .tied = true},
    {.name = "Gemma3ForCausalLM",
     .type = "gemma3_text",
     .gguf = "gemma3",
     .window = true,
     .pattern = 6,
     .head_norms = true,
     .scaled_embedding = true,
     .one_more = true,
     .post_norms = true,
     .gelu = true,
     .tied = true},
    {.name = "Phi3ForCausalLM", .type = "phi3", .gguf = "phi3", .window = true, .fused = true},
    // Llama's blocks with a mixture in place of the MLP; GGUF tells them apart by expert_count.
    {.name = "MixtralForCausalLM",
     .type = "mixtral",
     .gguf = "llama",
     .interleaved = true,
     .renaming = mixtral_names,
     .window = true,
     .mixture = true,
     .normalized = true},
    {.name = "GPTNeoXForCausalLM",
     .type = "gpt_neox",
     .gguf = "gptneox",
     .renaming = neox_names,
     .qkv_bias = true,
     .fused = true,
     .neox = true},
    {.name = "Qwen2MoeForCausalLM", .type = "qwen2_moe", .gguf = "qwen2moe", .qkv_bias = true, .mixture = true},
    {.name = "Qwen3MoeForCausalLM",
     .type = "qwen3_moe",
     .gguf = "qwen3moe",
     .head_norms = true,
     .mixture = true,
     .normalized = true},
    {0}};

void decoder_begin(const decoder_family *f, decoder_config *out) {
    *out = (decoder_config){.normalized = f->normalized,
                            .qkv_bias = f->qkv_bias,
                            .head_norms = f->head_norms,
                            .one_more = f->one_more,
                            .post_norms = f->post_norms,
                            .fused = f->fused,
                            .act = f->gelu   ? NN_GELU_TANH
                                   : f->neox ? NN_GELU
                                             : NN_SILU,
                            .layer_norms = f->neox,
                            .plain_mlp = f->neox,
                            .by_heads = f->neox,
                            .parallel = f->neox,
                            .pattern = f->pattern,
                            .tied = f->tied};
}

// "llama" stands for several rows, and is said once.
const char *decoder_known(arena *mem, bool in_gguf) {
    text t = TEXT_IN(mem);
    for (const decoder_family *f = decoder_families; f->name; f++) {
        const char *name = in_gguf ? f->gguf : f->name;
        bool again = in_gguf && f != decoder_families && strcmp(name, decoder_families[0].gguf) == 0;
        if (!again) text_format(&t, t.len ? ", %s" : "%s", name);
    }
    return text_get(&t);
}

// What has to hold whichever file said it: the graph is built without asking again.
static bool check(const checkpoint *c, const decoder_config *k, diag *d) {
    const char *path = checkpoint_path(c);
    if (k->heads % k->kv_heads)
        return diag_error(d, (loc){0}, "%s: %s of attention can't share %s of keys and values evenly", path,
                          COUNTED(k->heads, "head"), COUNTED(k->kv_heads, "head"));
    // The rows of such a matrix have room for one key and value per query.
    if (k->by_heads && k->heads != k->kv_heads)
        return diag_error(d, (loc){0}, "%s: heads whose q, k and v are one matrix can't be grouped", path);
    if (k->used_experts > k->experts)
        return diag_error(d, (loc){0}, "%s: a token can't use %lld of %lld experts", path, (long long)k->used_experts,
                          (long long)k->experts);
    if (k->head_size % 2 || k->rope_dims % 2 || k->rope_dims > k->head_size)
        return diag_error(
            d, (loc){0}, "%s: rotary embedding turns pairs: want an even number of at most all %s of a head, got %lld",
            path, COUNTED(k->head_size, "element"), (long long)(k->rope_dims ? k->rope_dims : k->head_size));
    return true;
}

bool decoder_read_config(const checkpoint *c, arena *mem, decoder_config *out, diag *d) {
    *out = (decoder_config){0};
    if (!checkpoint_count(c))
        return diag_error(d, (loc){0}, "%s: there are no tensors: a vocabulary alone, which `relax tokenize` reads",
                          checkpoint_path(c));
    bool ok = checkpoint_gguf(c) ? decoder_read_gguf(c, mem, out, d) : decoder_read_json(c, mem, out, d);
    return ok && check(c, out, d);
}
