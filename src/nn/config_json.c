// config_json.c - the configuration of a decoder from config.json, in the words of Hugging Face's hub and of
// transformers 5.
#include "nn/config.h"
#include <math.h>
#include <string.h>

typedef struct config_reader {
    const json_value *root;
    const char *path;
    diag *d;
    bool ok;
} config_reader;

// As in config_gguf.c: the first wrong key doesn't hide the second.
static bool fail(config_reader *r, const char *key, const char *wanted) {
    return r->ok = diag_error(r->d, (loc){0}, "%s: config.json: %s: want %s", r->path, key, wanted);
}

// "WANTED, got VALUE"; NULL: there is none.
static bool fail_got(config_reader *r, const char *key, const char *wanted, const json_value *v) {
    static const char *const kind[] = {
        [JSON_NULL] = "null", [JSON_BOOL] = "a truth value", [JSON_LIST] = "a list", [JSON_OBJECT] = "an object"};
    arena *mem = r->d->mem;
    if (!v) return fail(r, key, "it to be there");
    const char *got = v->kind == JSON_NUMBER   ? arena_format(mem, "%g", v->number)
                      : v->kind == JSON_STRING ? arena_format(mem, "\"%.40s\"", v->text)
                                               : kind[v->kind];
    return fail(r, key, arena_format(mem, "%s, got %s", wanted, got));
}

// A whole number from 1 to `most`. `otherwise` 0: it must be there.
static int64_t count_of(config_reader *r, const char *key, int64_t most, int64_t otherwise) {
    if (!json_find(r->root, key) && otherwise) return otherwise;
    int64_t value = json_int(r->root, key, 0);
    if (value >= 1 && value <= most) return value;
    fail_got(r, key, arena_format(r->d->mem, "a whole number from 1 to %lld", (long long)most),
             json_find(r->root, key));
    return 1;
}

// Whether a key that is there holds what it should; not to read another kind would be another model.
static bool holds(config_reader *r, const json_value *object, const char *key, json_kind kind, const char *wanted) {
    const json_value *v = json_find(object, key);
    return !v || v->kind == kind || fail_got(r, key, wanted, v);
}

static double number_of(config_reader *r, const json_value *object, const char *key, double otherwise) {
    return holds(r, object, key, JSON_NUMBER, "a number") ? json_number(object, key, otherwise) : otherwise;
}

static bool truth_of(config_reader *r, const json_value *object, const char *key, bool otherwise) {
    return holds(r, object, key, JSON_BOOL, "true or false") ? json_truth(object, key, otherwise) : otherwise;
}

static const char *text_of(config_reader *r, const json_value *object, const char *key, const char *otherwise) {
    return holds(r, object, key, JSON_STRING, "a text") ? json_text(object, key, otherwise) : otherwise;
}

static double positive(config_reader *r, const json_value *object, const char *key, double otherwise) {
    const json_value *v = json_find(object, key);
    double value = v && v->kind != JSON_NUMBER ? 0 : json_number(object, key, otherwise);
    if (value > 0 && value < 1e30) return value;
    return fail_got(r, key, "a positive number", v), 1;
}

// "architectures" decides; files that lack it have a model_type.
static const decoder_family *find_family(config_reader *r) {
    const json_value *list = json_find(r->root, "architectures");
    const char *type = text_of(r, r->root, "model_type", "");
    bool named = list && list->kind == JSON_LIST && list->count == 1 && list->item[0].kind == JSON_STRING;
    const char *name = named ? list->item[0].text : "";
    for (const decoder_family *f = decoder_families; f->name; f++)
        if (strcmp(f->name, name) == 0 || (!*name && strcmp(f->type, type) == 0)) return f;
    const char *said = *name ? name : *type ? type : "(none given)";
    diag_error(r->d, (loc){0}, "%s: architecture %s is not known here; known are %s", r->path, said,
               decoder_known(r->d->mem, false));
    return r->ok = false, NULL;
}

// Where several keys say it, the newest: hidden_activation came with Gemma's correction.
static void read_activation(config_reader *r, decoder_config *out) {
    static const struct {
        const char *name;
        nn_activation act;
    } known[] = {{"silu", NN_SILU},          {"swish", NN_SILU}, {"gelu", NN_GELU}, {"gelu_pytorch_tanh", NN_GELU_TANH},
                 {"gelu_new", NN_GELU_TANH}, {"relu", NN_RELU}};
    const char *name = text_of(r, r->root, "hidden_activation", text_of(r, r->root, "hidden_act", NULL));
    // Gemma's first configurations say gelu and mean its formula with tanh.
    if (!name || (out->act == NN_GELU_TANH && strcmp(name, "gelu") == 0)) return;
    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(known[i].name, name) == 0) {
            out->act = known[i].act;
            return;
        }
    fail(r, "hidden_act", "silu, gelu, gelu_pytorch_tanh or relu");
}

// One factor for every pair of elements that turns.
static const double *read_factors(config_reader *r, const json_value *scaling, const char *key, int64_t count) {
    const json_value *list = json_find(scaling, key);
    double *out = ARENA_NEW(r->d->mem, double, (size_t)count);
    bool ok = list && list->kind == JSON_LIST && list->count == (uint64_t)count;
    for (int64_t i = 0; ok && i < count; i++) {
        out[i] = list->item[i].number;
        ok = list->item[i].kind == JSON_NUMBER && out[i] > 0;
    }
    if (!ok) fail(r, key, "a positive number for every pair of a head");
    return out;
}

// Phi-3: the amplitude follows from how far the context was stretched, unless it is given.
static void read_long_rope(config_reader *r, const json_value *scaling, decoder_config *out) {
    static const char key[] = "original_max_position_embeddings";
    int64_t pairs = (out->rope_dims ? out->rope_dims : out->head_size) / 2;
    out->scaling = ROPE_LONG;
    out->original_context = positive(r, json_find(scaling, key) ? scaling : r->root, key, (double)out->context);
    out->near_factor = read_factors(r, scaling, "short_factor", pairs);
    out->far_factor = read_factors(r, scaling, "long_factor", pairs);
    double longer = (double)out->context / out->original_context;
    double usual = longer > 1 && out->original_context > 1 ? sqrt(1 + log(longer) / log(out->original_context)) : 1;
    out->amplitude = positive(r, scaling, "attention_factor", usual);
}

// 0.1 m ln(s) + 1: how much larger scores have to be when positions lie s times as close (the YaRN paper's
// section 3.4).
static double yarn_scale(double factor, double m) { return factor > 1 ? 0.1 * m * log(factor) + 1 : 1; }

static void read_yarn(config_reader *r, const json_value *scaling, decoder_config *out) {
    static const char key[] = "original_max_position_embeddings";
    out->scaling = ROPE_YARN;
    out->original_context = positive(r, scaling, key, (double)out->context);
    out->factor = positive(r, scaling, "factor", (double)out->context / out->original_context);
    out->fast = positive(r, scaling, "beta_fast", 32);
    out->slow = positive(r, scaling, "beta_slow", 1);
    out->unrounded = !truth_of(r, scaling, "truncate", true);
    double here = number_of(r, scaling, "mscale", 0), all = number_of(r, scaling, "mscale_all_dim", 0);
    double usual =
        here > 0 && all > 0 ? yarn_scale(out->factor, here) / yarn_scale(out->factor, all) : yarn_scale(out->factor, 1);
    out->amplitude = positive(r, scaling, "attention_factor", usual);
}

// rope_theta and rope_scaling beside each other (the hub), or both in rope_parameters (transformers 5), where layers
// with a window may have their own.
static void read_rope(config_reader *r, decoder_config *out) {
    const json_value *both = json_find(r->root, "rope_parameters"), *local = json_find(both, "sliding_attention");
    if (local) out->local_base = positive(r, local, "rope_theta", 10000);
    if (json_find(both, "full_attention")) both = json_find(both, "full_attention");
    const json_value *scaling = both ? both : json_find(r->root, "rope_scaling");
    const char *type = text_of(r, scaling, "rope_type", text_of(r, scaling, "type", "default"));
    out->rope_base = positive(r, both && json_find(both, "rope_theta") ? both : r->root, "rope_theta",
                              number_of(r, r->root, "rotary_emb_base", 10000));
    double part = positive(r, r->root, "partial_rotary_factor", number_of(r, r->root, "rotary_pct", 1));
    if (part < 1) out->rope_dims = (int64_t)((double)out->head_size * part);
    if (strcmp(type, "default") == 0) return;
    if (strcmp(type, "linear") == 0) {
        out->scaling = ROPE_LINEAR;
        out->factor = positive(r, scaling, "factor", 0);
    } else if (strcmp(type, "llama3") == 0) {
        out->scaling = ROPE_LLAMA3;
        out->factor = positive(r, scaling, "factor", 0);
        out->low_factor = positive(r, scaling, "low_freq_factor", 0);
        out->high_factor = positive(r, scaling, "high_freq_factor", 0);
        out->original_context = positive(r, scaling, "original_max_position_embeddings", 0);
        if (out->high_factor <= out->low_factor) fail(r, "high_freq_factor", "more than low_freq_factor");
    } else if (strcmp(type, "longrope") == 0 || strcmp(type, "su") == 0) {
        read_long_rope(r, scaling, out);
    } else if (strcmp(type, "yarn") == 0) {
        read_yarn(r, scaling, out);
    } else {
        fail(r, "rope_scaling", "one of the types default, linear, llama3, longrope, yarn");
    }
}

static void read_sizes(config_reader *r, decoder_config *out) {
    out->hidden = count_of(r, "hidden_size", 1 << 20, 0);
    out->layers = count_of(r, "num_hidden_layers", 1 << 12, 0);
    out->heads = count_of(r, "num_attention_heads", 1 << 12, 0);
    out->kv_heads = count_of(r, "num_key_value_heads", 1 << 12, out->heads);
    out->inner = count_of(r, "intermediate_size", 1 << 24, 0);
    out->vocab = count_of(r, "vocab_size", 1 << 24, 0);
    out->context = count_of(r, "max_position_embeddings", 1 << 30, 2048);
    if (!json_find(r->root, "head_dim") && out->hidden % out->heads)
        fail(r, "num_attention_heads", "a divisor of hidden_size");
    out->head_size = count_of(r, "head_dim", 2048, out->hidden / out->heads ? out->hidden / out->heads : 1);
}

// "sliding_window_pattern", or the same told layer by layer.
static void read_window(config_reader *r, const decoder_family *f, decoder_config *out) {
    const json_value *types = json_find(r->root, "layer_types");
    const json_value *window = f->window ? json_find(r->root, "sliding_window") : NULL;
    out->window = window ? json_int(r->root, "sliding_window", -1) : 0;
    if (out->window < 0) fail_got(r, "sliding_window", "a number of tokens", window);
    if (!f->window && truth_of(r, r->root, "use_sliding_window", false)) fail(r, "use_sliding_window", "false");
    if (f->pattern) out->pattern = count_of(r, "sliding_window_pattern", 1 << 12, f->pattern);
    for (uint32_t i = 0; out->window && types && types->kind == JSON_LIST && i < types->count; i++) {
        bool local = !out->pattern || (i + 1) % out->pattern;
        const char *want = local ? "sliding_attention" : "full_attention";
        if (types->item[i].kind == JSON_STRING && strcmp(types->item[i].text, want) == 0) continue;
        fail(r, "layer_types", "the order of layers that this architecture has");
        return;
    }
}

// query_pre_attn_scalar stands in for the head size under the root.
static void read_caps(config_reader *r, decoder_config *out) {
    double before = number_of(r, r->root, "query_pre_attn_scalar", 0);
    if (before > 0) out->score_scale = 1 / sqrt(before);
    out->score_cap = number_of(r, r->root, "attn_logit_softcapping", 0);
    out->logit_cap = number_of(r, r->root, "final_logit_softcapping", 0);
    out->local_base = number_of(r, r->root, "rope_local_base_freq", out->local_base);
    if (out->score_cap < 0 || out->logit_cap < 0) fail(r, "softcapping", "a positive number");
}

// Which layers have an MLP all the same: those listed, and all but every so many-th.
static void read_dense(config_reader *r, decoder_config *out) {
    const json_value *list = json_find(r->root, "mlp_only_layers");
    int64_t step = count_of(r, "decoder_sparse_step", 1 << 12, 1);
    bool *dense = ARENA_NEW(r->d->mem, bool, (size_t)out->layers);
    for (int64_t i = 0; i < out->layers; i++) dense[i] = (i + 1) % step != 0;
    for (uint32_t i = 0; list && list->kind == JSON_LIST && i < list->count; i++) {
        double layer = list->item[i].number;
        if (layer >= 0 && layer < (double)out->layers) dense[(int64_t)layer] = true;
    }
    out->dense = dense;
}

// Experts may have another inner size than the dense layers among them.
static void read_mixture(config_reader *r, decoder_config *out) {
    const char *number = json_find(r->root, "num_experts") ? "num_experts" : "num_local_experts";
    out->experts = count_of(r, number, 1 << 12, 0);
    out->used_experts = count_of(r, "num_experts_per_tok", 1 << 12, 0);
    out->expert_inner = count_of(r, "moe_intermediate_size", 1 << 24, out->inner);
    if (json_find(r->root, "shared_expert_intermediate_size"))
        out->shared_inner = count_of(r, "shared_expert_intermediate_size", 1 << 24, 0);
    out->normalized = truth_of(r, r->root, "norm_topk_prob", out->normalized);
    if (r->ok) read_dense(r, out);
}

bool decoder_read_json(const checkpoint *c, arena *mem, decoder_config *out, diag *d) {
    config_reader r = {.root = checkpoint_config(c), .path = checkpoint_path(c), .d = d, .ok = true};
    if (!r.root) return diag_error(d, (loc){0}, "%s: there is no config.json, which says what the model is", r.path);
    const decoder_family *f = find_family(&r);
    if (!f) return false;
    decoder_begin(f, out);
    out->architecture = arena_copy(mem, f->name, strlen(f->name));
    read_sizes(&r, out);
    read_activation(&r, out);
    if (r.ok) read_rope(&r, out);
    read_window(&r, f, out);
    read_caps(&r, out);
    out->renaming = f->renaming;
    if (f->mixture) read_mixture(&r, out);
    out->epsilon = positive(&r, r.root, f->neox ? "layer_norm_eps" : "rms_norm_eps", f->neox ? 1e-5 : 1e-6);
    out->parallel = out->parallel && truth_of(&r, r.root, "use_parallel_residual", true);
    if (f->scaled_embedding) out->embedding_scale = sqrt((double)out->hidden);
    out->out_bias = truth_of(&r, r.root, "attention_bias", false);
    out->qkv_bias = out->qkv_bias || out->out_bias;
    out->mlp_bias = truth_of(&r, r.root, "mlp_bias", false);
    out->tied = out->tied || truth_of(&r, r.root, "tie_word_embeddings", false) ||
                !checkpoint_find(c, f->neox ? "embed_out.weight" : "lm_head.weight");
    return r.ok;
}
