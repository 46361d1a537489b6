// config_gguf.c - the configuration of a decoder from the keys of a GGUF file ("llama.block_count").
//
// llama.cpp's converter permutes the rows of q and k so that rotary embedding turns neighbours, and turns llama3's
// scaling into the tensor rope_freqs.weight. A sliding window has no key in this architecture.
#include "nn/config.h"
#include <math.h>
#include <string.h>

static const nn_renaming common_names[] = {{"model.embed_tokens", "token_embd"},
                                           {"model.layers.#.input_layernorm", "blk.#.attn_norm"},
                                           {"model.layers.#.self_attn.q_proj", "blk.#.attn_q"},
                                           {"model.layers.#.self_attn.k_proj", "blk.#.attn_k"},
                                           {"model.layers.#.self_attn.v_proj", "blk.#.attn_v"},
                                           {"model.layers.#.self_attn.o_proj", "blk.#.attn_output"},
                                           {"model.layers.#.self_attn.q_norm", "blk.#.attn_q_norm"},
                                           {"model.layers.#.self_attn.k_norm", "blk.#.attn_k_norm"},
                                           {"model.layers.#.mlp.gate_proj", "blk.#.ffn_gate"},
                                           {"model.layers.#.mlp.up_proj", "blk.#.ffn_up"},
                                           {"model.layers.#.mlp.down_proj", "blk.#.ffn_down"},
                                           {"model.layers.#.self_attn.qkv_proj", "blk.#.attn_qkv"},
                                           {"model.layers.#.mlp.gate_up_proj", "blk.#.ffn_up"},
                                           {"model.layers.#.mlp.gate", "blk.#.ffn_gate_inp"},
                                           {"model.layers.#.mlp.experts.gate_proj", "blk.#.ffn_gate_exps"},
                                           {"model.layers.#.mlp.experts.up_proj", "blk.#.ffn_up_exps"},
                                           {"model.layers.#.mlp.experts.down_proj", "blk.#.ffn_down_exps"},
                                           {"model.layers.#.mlp.shared_expert_gate", "blk.#.ffn_gate_inp_shexp"},
                                           {"model.layers.#.mlp.shared_expert.gate_proj", "blk.#.ffn_gate_shexp"},
                                           {"model.layers.#.mlp.shared_expert.up_proj", "blk.#.ffn_up_shexp"},
                                           {"model.layers.#.mlp.shared_expert.down_proj", "blk.#.ffn_down_shexp"},
                                           {"model.norm", "output_norm"},
                                           {"lm_head", "output"}};
// ffn_norm is the norm before the MLP, which Hugging Face names by its place behind attention where there is no other
// one there.
static const nn_renaming plain_names[] = {{"model.layers.#.post_attention_layernorm", "blk.#.ffn_norm"}};
static const nn_renaming post_names[] = {{"model.layers.#.post_attention_layernorm", "blk.#.post_attention_norm"},
                                         {"model.layers.#.pre_feedforward_layernorm", "blk.#.ffn_norm"},
                                         {"model.layers.#.post_feedforward_layernorm", "blk.#.post_ffw_norm"}};

static const nn_renaming *names_of(const decoder_family *f, arena *mem) {
    size_t common = COUNT(common_names), own = f->post_norms ? COUNT(post_names) : COUNT(plain_names);
    nn_renaming *out = ARENA_NEW(mem, nn_renaming, common + own + 1);
    memcpy(out, common_names, sizeof common_names);
    memcpy(out + common, f->post_norms ? post_names : plain_names, own * sizeof *out);
    return out;
}

typedef struct key_reader {
    const checkpoint *c;
    const gguf *file;
    const char *prefix; // general.architecture
    arena *mem;
    diag *d;
    bool ok;
} key_reader;

// Reading goes on with a harmless value, so that all that is wrong is said at once.
static bool fail(key_reader *r, const char *key, const char *wanted) {
    return r->ok = diag_error(r->d, (loc){0}, "%s: %s.%s: want %s", checkpoint_path(r->c), r->prefix, key, wanted);
}

static bool find(const key_reader *r, const char *key, gguf_pair *out) {
    return gguf_find(r->file, arena_format(r->mem, "%s.%s", r->prefix, key), out);
}

// What a key holds, as messages say it.
static const char *said(const key_reader *r, const gguf_pair *p) {
    int64_t whole;
    double number;
    if (p->is_array) return "an array";
    if (gguf_int(p, 0, &whole)) return arena_format(r->mem, "%lld", (long long)whole);
    if (gguf_float(p, 0, &number)) return arena_format(r->mem, "%g", number);
    return arena_format(r->mem, "a value of type %s", gguf_value_name(p->type));
}

// A whole number from 1 to `most`, or a list of the same one for every layer. `otherwise` 0: it must be there.
static int64_t count_of(key_reader *r, const char *key, int64_t most, int64_t otherwise) {
    gguf_pair p;
    int64_t value = 0, other;
    if (!find(r, key, &p)) return otherwise ? otherwise : (fail(r, key, "it to be there"), 1);
    bool ok = p.count && gguf_int(&p, 0, &value) && value >= 1 && value <= most;
    for (uint64_t i = 1; ok && i < p.count; i++) {
        if (gguf_int(&p, i, &other) && other == value) continue;
        return fail(r, key, "the same number for all layers"), 1;
    }
    if (ok) return value;
    fail(r, key, arena_format(r->mem, "a whole number from 1 to %lld, got %s", (long long)most, said(r, &p)));
    return 1;
}

static double positive(key_reader *r, const char *key, double otherwise) {
    gguf_pair p;
    double value = otherwise;
    bool there = find(r, key, &p);
    if (there && (p.is_array || !gguf_float(&p, 0, &value))) value = 0;
    if (value > 0 && value < 1e30) return value;
    fail(r, key, there ? arena_format(r->mem, "a positive number, got %s", said(r, &p)) : "it to be there");
    return 1;
}

static bool truth_of(const key_reader *r, const char *key, bool otherwise) {
    gguf_pair p;
    bool value;
    return find(r, key, &p) && !p.is_array && gguf_bool(&p, 0, &value) ? value : otherwise;
}

static const char *text_of(const key_reader *r, const char *key, const char *otherwise) {
    gguf_pair p;
    text_span s;
    return gguf_find(r->file, key, &p) && gguf_text(&p, &s) ? arena_copy(r->mem, s.at, s.size) : otherwise;
}

// The amplitude grows with the factor, whatever rope.scaling.attn_factor says beside it.
static void read_yarn(key_reader *r, decoder_config *out) {
    out->scaling = ROPE_YARN;
    out->original_context = positive(r, "rope.scaling.original_context_length", (double)out->context);
    out->factor = positive(r, "rope.scaling.factor", 0);
    out->fast = positive(r, "rope.scaling.yarn_beta_fast", 32);
    out->slow = positive(r, "rope.scaling.yarn_beta_slow", 1);
    double grown = out->factor > 1 ? 1 + 0.1 * log(out->factor) : 1;
    out->amplitude = positive(r, "rope.scaling.attn_factor", 1) * grown;
}

static void read_rope(key_reader *r, decoder_config *out) {
    const char *scaling = text_of(r, arena_format(r->mem, "%s.rope.scaling.type", r->prefix), "none");
    out->rope_base = positive(r, "rope.freq_base", 10000);
    int64_t dims = count_of(r, "rope.dimension_count", 2048, out->head_size);
    if (dims != out->head_size) out->rope_dims = dims;
    if (checkpoint_find(r->c, "rope_factors_long.weight")) {
        out->scaling = ROPE_LONG;
        out->original_context = positive(r, "rope.scaling.original_context_length", (double)out->context);
        out->amplitude = positive(r, "rope.scaling.attn_factor", 1);
    } else if (strcmp(scaling, "linear") == 0) {
        out->scaling = ROPE_LINEAR;
        out->factor = positive(r, "rope.scaling.factor", 0);
    } else if (strcmp(scaling, "yarn") == 0) {
        read_yarn(r, out);
    } else if (strcmp(scaling, "none") != 0) {
        fail(r, "rope.scaling.type", "none, linear or yarn");
    }
}

// Bounds are far above any model, and low enough that products of two fit into 64 bits.
static void read_sizes(key_reader *r, decoder_config *out) {
    const checkpoint_tensor *table = checkpoint_find(r->c, "token_embd.weight");
    out->hidden = count_of(r, "embedding_length", 1 << 20, 0);
    out->layers = count_of(r, "block_count", 1 << 12, 0);
    out->heads = count_of(r, "attention.head_count", 1 << 12, 0);
    out->kv_heads = count_of(r, "attention.head_count_kv", 1 << 12, out->heads);
    out->inner = count_of(r, "feed_forward_length", 1 << 24, 0);
    out->context = count_of(r, "context_length", 1 << 30, 2048);
    // Files without a tokenizer may lack vocab_size.
    out->vocab = count_of(r, "vocab_size", 1 << 24, table && table->rank == 2 && table->dim[0] > 0 ? table->dim[0] : 0);
    // Without attention.key_length a head is its share of the stream.
    int64_t even = out->hidden / out->heads;
    out->head_size = count_of(r, "attention.key_length", 2048, even ? even : 1);
    if (count_of(r, "attention.value_length", 2048, out->head_size) != out->head_size)
        fail(r, "attention.value_length", "the length of a key");
}

// A number that may be missing: 0.
// Caps and the like, where absence means that there is none.
static double maybe(key_reader *r, const char *key) {
    gguf_pair p;
    return find(r, key, &p) ? positive(r, key, 0) : 0;
}

static void read_window(key_reader *r, const decoder_family *f, decoder_config *out) {
    gguf_pair p;
    if (!f->window || !find(r, "attention.sliding_window", &p)) return;
    if (p.is_array || !gguf_int(&p, 0, &out->window) || out->window < 0)
        fail(r, "attention.sliding_window", "a number of tokens");
    if (f->pattern) out->pattern = count_of(r, "attention.sliding_window_pattern", 1 << 12, f->pattern);
    // Where layers with a window turn at a pace of their own, it is this one unless it is given.
    if (f->head_norms) out->local_base = positive(r, "rope.freq_base_swa", 10000);
}

// What no key says is told by the tensors that are there.
static void read_tensors(const checkpoint *c, decoder_config *out) {
    out->qkv_bias = out->qkv_bias || checkpoint_find(c, "blk.0.attn_q.bias");
    out->out_bias = checkpoint_find(c, "blk.0.attn_output.bias") != NULL;
    out->mlp_bias = checkpoint_find(c, "blk.0.ffn_up.bias") != NULL;
    out->tied = !checkpoint_find(c, "output.weight");
}

// Of families with one name the first: those with experts apart.
static const decoder_family *find_family(const char *name, bool mixture) {
    for (const decoder_family *f = decoder_families; f->name; f++)
        if (strcmp(f->gguf, name) == 0 && f->mixture == mixture) return f;
    return NULL;
}

static void read_mixture(key_reader *r, decoder_config *out) {
    out->experts = count_of(r, "expert_count", 1 << 12, 0);
    out->used_experts = count_of(r, "expert_used_count", 1 << 12, 0);
    out->expert_inner = count_of(r, "expert_feed_forward_length", 1 << 24, out->inner);
    if (checkpoint_find(r->c, "blk.0.ffn_gate_shexp.weight"))
        out->shared_inner = count_of(r, "expert_shared_feed_forward_length", 1 << 24, out->inner);
}

bool decoder_read_gguf(const checkpoint *c, arena *mem, decoder_config *out, diag *d) {
    key_reader r = {.c = c, .file = checkpoint_gguf(c), .mem = mem, .d = d, .ok = true};
    gguf_pair experts;
    int64_t mixed = 0; // 0 experts are none
    r.prefix = text_of(&r, "general.architecture", "");
    const decoder_family *f =
        find_family(r.prefix, find(&r, "expert_count", &experts) && !(gguf_int(&experts, 0, &mixed) && mixed == 0));
    if (!f)
        return diag_error(d, (loc){0}, "%s: architecture %s is not known here; known are %s", checkpoint_path(c),
                          *r.prefix ? r.prefix : "(none given)", decoder_known(mem, true));
    decoder_begin(f, out);
    out->architecture = r.prefix;
    out->renaming = names_of(f, mem);
    out->interleaved = f->interleaved;
    out->one_more = out->by_heads = false; // done by the converter
    read_sizes(&r, out);
    read_rope(&r, out);
    read_window(&r, f, out);
    read_tensors(c, out);
    if (f->mixture) read_mixture(&r, out);
    out->epsilon = positive(&r, f->neox ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon", 1e-5);
    out->parallel = out->parallel && truth_of(&r, "use_parallel_residual", true);
    out->score_cap = maybe(&r, "attn_logit_softcapping");
    out->logit_cap = maybe(&r, "final_logit_softcapping");
    if (f->scaled_embedding) out->embedding_scale = sqrt((double)out->hidden);
    return r.ok;
}
