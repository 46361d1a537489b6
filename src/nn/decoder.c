// decoder.c - the decoder: embedding, blocks of attention and MLP around a stream of residuals, norm, logits.
#include "nn/decoder.h"
#include "base/count_noun.h"
#include "nn/nn_inside.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct decoder_block {
    nn_norm before_attention, before_mlp;
    nn_norm after_attention, after_mlp; // without weights: none
    nn_attention attention;
    nn_mlp mlp;
    nn_mixture mixture; // in place of the MLP, if it has experts
} decoder_block;

typedef struct decoder {
    const decoder_config *c;
    nn_embedding embedding;
    decoder_block *block;
    nn_norm last;
    nn_linear head; // without a weight: tied
} decoder;

// --- Rotary embedding.

// Llama 3: wavelengths longer than original / low are divided by `factor`, shorter than original / high stay, between
// them the two are blended.
static double llama3_factor(const decoder_config *c, double frequency) {
    double wave = 2 * acos(-1.0) / frequency;
    if (wave < c->original_context / c->high_factor) return 1;
    if (wave > c->original_context / c->low_factor) return c->factor;
    double smooth = (c->original_context / wave - c->low_factor) / (c->high_factor - c->low_factor);
    return 1 / ((1 - smooth) / c->factor + smooth);
}

static const double *llama3_factors(nn *n, const decoder_config *c, int64_t pairs) {
    double *factor = ARENA_NEW(n->mem, double, (size_t)pairs);
    for (int64_t i = 0; i < pairs; i++)
        factor[i] = llama3_factor(c, pow(c->rope_base, -2.0 * (double)i / (double)(2 * pairs)));
    return factor;
}

// The pair, as a number with a fraction, that turns so many times within the original context.
static double pair_of_turns(const decoder_config *c, double turns, int64_t pairs) {
    return (double)pairs * log(c->original_context / (turns * 2 * acos(-1.0))) / log(c->rope_base);
}

// YaRN (Peng et al. 2023, section 3.2, with the ramp over pairs that its authors' code has): pairs that turn `fast`
// times or more stay, those that turn `slow` times or less are divided by `factor`, between them the frequencies are
// blended.
static const double *yarn_factors(nn *n, const decoder_config *c, int64_t pairs) {
    double *factor = ARENA_NEW(n->mem, double, (size_t)pairs);
    double low = pair_of_turns(c, c->fast, pairs), high = pair_of_turns(c, c->slow, pairs);
    if (!c->unrounded) low = floor(low), high = ceil(high);
    low = fmax(low, 0);
    high = fmin(high, (double)(2 * pairs - 1)); // of the elements, as in that code
    if (high == low) high += 0.001;
    for (int64_t i = 0; i < pairs; i++) {
        double divided = fmin(fmax(((double)i - low) / (high - low), 0), 1);
        factor[i] = 1 / (divided / c->factor + 1 - divided);
    }
    return factor;
}

// One file serves one length of context: whether it is beyond the original one decides for all conversations.
static nn_rope new_rope(nn *n, const decoder_config *c, int64_t context) {
    int64_t pairs = (c->rope_dims ? c->rope_dims : c->head_size) / 2;
    bool far = c->scaling == ROPE_LONG && (double)context > c->original_context;
    const char *table = c->scaling != ROPE_LONG ? "rope_freqs.weight"
                        : far                   ? "rope_factors_long.weight"
                                                : "rope_factors_short.weight";
    nn_rope r = {.base = c->rope_base,
                 .dims = c->rope_dims,
                 .interleaved = c->interleaved,
                 .scale = c->scaling == ROPE_LINEAR ? 1 / c->factor : 1,
                 .amplitude = c->amplitude};
    // GGUF files bring factors as tensors.
    if (c->scaling != ROPE_YARN && nn_stored(nn_root(n), table))
        r.factors = nn_weight_new(nn_root(n), table, &pairs, 1);
    if (c->scaling == ROPE_LLAMA3) r.factor = llama3_factors(n, c, pairs);
    if (c->scaling == ROPE_YARN) r.factor = yarn_factors(n, c, pairs);
    if (c->scaling == ROPE_LONG) r.factor = far ? c->far_factor : c->near_factor;
    return r;
}

// --- Layers.

// The same kind everywhere in a model, but for its size.
static nn_norm new_norm(nn_scope s, const char *name, const decoder_config *c, int64_t size) {
    if (c->layer_norms) return nn_layer_norm_new(nn_in(s, name), size, c->epsilon);
    nn_norm l = nn_rms_norm_new(nn_in(s, name), size, c->epsilon);
    l.one_more = c->one_more;
    return l;
}

// Layers with a window may turn at a pace of their own, unstretched (Gemma 3).
static nn_attention new_attention(nn_scope s, const decoder_config *c, const nn_rope *rope, bool local) {
    nn_attention like = {.heads = c->heads,
                         .kv_heads = c->kv_heads,
                         .head_size = c->head_size,
                         .window = local ? c->window : 0,
                         .scale = c->score_scale,
                         .soft_cap = c->score_cap,
                         .rope = *rope};
    if (local && c->local_base > 0) like.rope = (nn_rope){.base = c->local_base, .interleaved = c->interleaved};
    if (c->head_norms) {
        like.q_norm = new_norm(s, "q_norm", c, c->head_size);
        like.k_norm = new_norm(s, "k_norm", c, c->head_size);
    }
    like.by_heads = c->by_heads;
    return c->fused ? nn_fused_attention_new(s, c->hidden, &like, c->qkv_bias)
                    : nn_attention_new(s, c->hidden, &like, c->qkv_bias, c->out_bias);
}

static nn_mlp new_mlp(nn_scope s, const decoder_config *c) {
    if (c->plain_mlp)
        return (nn_mlp){.up = nn_linear_new(nn_in(s, "up_proj"), c->hidden, c->inner, true),
                        .down = nn_linear_new(nn_in(s, "down_proj"), c->inner, c->hidden, true),
                        .act = c->act};
    return c->fused ? nn_fused_mlp_new(s, c->hidden, c->inner, c->act, c->mlp_bias)
                    : nn_gated_mlp_new(s, c->hidden, c->inner, c->act, c->mlp_bias);
}

static nn_mixture new_mixture(nn_scope s, const decoder_config *c) {
    const nn_mixture like = {.experts = c->experts, .used = c->used_experts, .normalize = c->normalized, .act = c->act};
    return nn_mixture_new(s, c->hidden, c->expert_inner, c->shared_inner, &like);
}

// Names are those of Hugging Face's Llama; nn_renaming tells what others call them. With norms on both sides of
// attention and MLP, post_attention_layernorm is the one behind it, without them the one before the MLP.
static decoder_block new_block(nn_scope s, const decoder_config *c, const nn_rope *rope, uint32_t layer) {
    bool local = c->window > 0 && (!c->pattern || (layer + 1) % c->pattern);
    decoder_block b = {.before_attention = new_norm(s, "input_layernorm", c, c->hidden),
                       .attention = new_attention(nn_in(s, "self_attn"), c, rope, local)};
    if (c->experts && !(c->dense && c->dense[layer]))
        b.mixture = new_mixture(nn_in(s, "mlp"), c);
    else
        b.mlp = new_mlp(nn_in(s, "mlp"), c);
    if (c->post_norms) {
        b.after_attention = new_norm(s, "post_attention_layernorm", c, c->hidden);
        b.before_mlp = new_norm(s, "pre_feedforward_layernorm", c, c->hidden);
        b.after_mlp = new_norm(s, "post_feedforward_layernorm", c, c->hidden);
    } else {
        b.before_mlp = new_norm(s, "post_attention_layernorm", c, c->hidden);
    }
    return b;
}

// Parameters are declared in the order of this function: it is that of the weights in the file.
static decoder new_decoder(nn *n, const decoder_config *c, int64_t context) {
    nn_scope root = nn_root(n), model = nn_in(root, "model"), layers = nn_in(model, "layers");
    decoder m = {.c = c, .block = ARENA_NEW(n->mem, decoder_block, (size_t)c->layers)};
    m.embedding = nn_embedding_new(nn_in(model, "embed_tokens"), c->vocab, c->hidden);
    const nn_rope rope = new_rope(n, c, context);
    for (uint32_t i = 0; i < c->layers && !nn_hopeless(n); i++) m.block[i] = new_block(nn_item(layers, i), c, &rope, i);
    m.last = new_norm(model, "norm", c, c->hidden);
    if (!c->tied) m.head = nn_linear_new(nn_in(root, "lm_head"), c->hidden, c->vocab, false);
    return m;
}

static const node *normed(nn *n, const nn_norm *norm, const node *x) {
    return norm->weight.param ? nn_norm_apply(n, norm, x) : x;
}

static const node *apply_block(nn *n, const decoder_block *b, const node *x, nn_batch *batch, uint32_t layer,
                               bool parallel) {
    const node *from = x; // of the MLP, where that does not wait for attention
    const node *seen = nn_attention_apply(n, &b->attention, normed(n, &b->before_attention, x), batch, layer);
    x = nn_add(n, x, normed(n, &b->after_attention, seen));
    const node *before = normed(n, &b->before_mlp, parallel ? from : x);
    const node *thought =
        b->mixture.experts ? nn_mixture_apply(n, &b->mixture, before) : nn_mlp_apply(n, &b->mlp, before);
    return nn_add(n, x, normed(n, &b->after_mlp, thought));
}

// Results: logits, the pages, and hidden states where wanted. The last norm is applied to all tokens then.
static bool apply(nn *n, const decoder *m, nn_batch *batch, bool hidden) {
    uint32_t layers = batch->layers, count = 1;
    const node **result = ARENA_NEW(n->mem, const node *, 3 * layers + 2), **state = result + 1 + 2 * layers;
    const node *x = nn_embedding_apply(n, &m->embedding, batch->tokens);
    if (m->c->embedding_scale > 0) x = nn_scale(n, x, m->c->embedding_scale);
    for (uint32_t i = 0; i < layers; i++) {
        state[i] = x;
        x = apply_block(n, &m->block[i], x, batch, i, m->c->parallel);
    }
    if (hidden) x = state[layers] = nn_norm_apply(n, &m->last, x);
    // The last norm and the logits, the largest product of all, are for the wanted rows only.
    x = nn_take(n, x, batch->rows);
    if (!hidden) x = nn_norm_apply(n, &m->last, x);
    result[0] = m->c->tied ? nn_embedding_head(n, &m->embedding, x) : nn_linear_apply(n, &m->head, x);
    if (m->c->logit_cap > 0) result[0] = nn_cap(n, result[0], m->c->logit_cap);
    for (uint32_t i = 0; i < layers; i++) result[count++] = batch->keys[i];
    for (uint32_t i = 0; i < layers; i++) result[count++] = batch->values[i];
    return nn_finish(n, result, hidden ? count + layers + 1 : count);
}

// --- What the checkpoint has beyond it.

// Buffers that old exports stored, and tables that follow from the configuration.
static bool carries_nothing(const decoder_config *c, const char *name) {
    return text_ends(name, ".rotary_emb.inv_freq") || text_ends(name, ".attention.bias") ||
           text_ends(name, ".masked_bias") || text_ends(name, ".position_ids") ||
           (c->scaling == ROPE_LONG && text_starts(name, "rope_factors_")) ||
           (c->tied && strcmp(name, "lm_head.weight") == 0);
}

// A tensor that nobody asked for would be a part of the model that is left out: wrong numbers, silently.
static bool all_used(nn *n, const decoder_config *c) {
    const checkpoint *from = n->from.weights;
    bool ok = true;
    for (size_t i = 0; from && i < checkpoint_count(from); i++) {
        const char *name = checkpoint_at(from, i)->name;
        if (text_map_find(&n->declared, name) || carries_nothing(c, name)) continue;
        ok = diag_error(n->d, (loc){0}, "%s: tensor %s has no place in a model of architecture %s",
                        checkpoint_path(from), name, c->architecture);
    }
    return ok;
}

// Without an option no more than DECODER_CONTEXT: the cache of a model trained for 128k tokens would not fit into a
// laptop.
static int64_t context_of(const decoder_config *c, const decoder_options *o) {
    int64_t trained = c->context && c->context < DECODER_CONTEXT ? c->context : DECODER_CONTEXT;
    return o->context ? o->context : trained;
}

// A row of logits is as long as the vocabulary: for every token of a batch they would be most of the activations, and
// only the last token of each sequence needs them to go on.
static void set_bounds(nn *n, const decoder_config *c, const decoder_options *o) {
    int64_t batch = o->batch ? o->batch : DECODER_BATCH, page = o->page ? o->page : DECODER_PAGE;
    int64_t rows = o->rows ? o->rows : DECODER_ROWS;
    nn_bound(n, "t", batch);
    nn_bound(n, "b", batch);
    nn_bound(n, "r", rows < batch ? rows : batch);
    nn_bound(n, "p", (context_of(c, o) + page - 1) / page);
}

// Positions past the trained ones are computed, but nobody taught the model what they mean.
static void check_context(const decoder_config *c, const decoder_options *o, const checkpoint *from, diag *d) {
    if (c->context > 0 && o->context > c->context)
        diag_warning(d, (loc){0},
                     "%s: a context of %" PRId64
                     " is asked for, but the model was trained for %s: what it says further on may make no sense",
                     from ? checkpoint_path(from) : c->architecture, o->context, COUNTED(c->context, "token"));
}

bool decoder_build(module *m, const decoder_config *c, const decoder_options *o, const checkpoint *from, diag *d) {
    nn *n = nn_new(m, "forward", (nn_source){from, c->renaming}, d);
    const nn_cache cache = {.layers = (uint32_t)c->layers,
                            .page = o->page ? o->page : DECODER_PAGE,
                            .kv_heads = c->kv_heads,
                            .head_size = c->head_size,
                            .half = o->half_cache};
    nn_batch batch = nn_batch_new(n, &cache);
    check_context(c, o, from, d);
    set_bounds(n, c, o);
    uint32_t errors = d->errors;
    decoder model = new_decoder(n, c, context_of(c, o));
    if (!all_used(n, c) || d->errors > errors) return false;
    return apply(n, &model, &batch, o->hidden);
}
