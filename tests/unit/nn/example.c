// example.c - a new decoder in the layer API: layer norms with biases, attention and MLP side by side in each block
// (as in GPT-NeoX), tied logits.
#include "example.h"

// 1. The modules: plain structs of layers.
typedef struct block_layers {
    nn_norm attention_norm, mlp_norm;
    nn_attention attention;
    nn_mlp mlp;
} block_layers;

typedef struct decoder_layers {
    nn_embedding embedding;
    block_layers block[EXAMPLE_LAYERS];
    nn_norm last;
} decoder_layers;

// 2. Making them declares their parameters: "layers.0.attention.q_proj.weight".
static block_layers new_block(nn_scope s) {
    const nn_attention like = {.heads = EXAMPLE_HEADS,
                               .kv_heads = EXAMPLE_HEADS,
                               .head_size = EXAMPLE_SIZE / EXAMPLE_HEADS,
                               .rope.base = 10000};
    block_layers b = {.attention_norm = nn_layer_norm_new(nn_in(s, "attention_norm"), EXAMPLE_SIZE, 1e-5),
                      .attention = nn_attention_new(nn_in(s, "attention"), EXAMPLE_SIZE, &like, true, true),
                      .mlp_norm = nn_layer_norm_new(nn_in(s, "mlp_norm"), EXAMPLE_SIZE, 1e-5)};
    b.mlp.act = NN_GELU;
    b.mlp.up = nn_linear_new(nn_in(s, "mlp.up"), EXAMPLE_SIZE, 4 * EXAMPLE_SIZE, true);
    b.mlp.down = nn_linear_new(nn_in(s, "mlp.down"), 4 * EXAMPLE_SIZE, EXAMPLE_SIZE, true);
    return b;
}

// 3. Applying them makes the graph.
static const node *apply_block(nn *n, const block_layers *b, const node *x, nn_batch *batch, uint32_t layer) {
    const node *seen = nn_attention_apply(n, &b->attention, nn_norm_apply(n, &b->attention_norm, x), batch, layer);
    const node *thought = nn_mlp_apply(n, &b->mlp, nn_norm_apply(n, &b->mlp_norm, x));
    return nn_add(n, x, nn_add(n, seen, thought));
}

bool example_decoder(module *m, nn_source from, diag *d) {
    nn *n = nn_new(m, "forward", from, d);
    const nn_cache cache = {.layers = EXAMPLE_LAYERS,
                            .page = EXAMPLE_PAGE,
                            .kv_heads = EXAMPLE_HEADS,
                            .head_size = EXAMPLE_SIZE / EXAMPLE_HEADS};
    nn_batch batch = nn_batch_new(n, &cache);
    nn_bound(n, "t", 64);

    nn_scope root = nn_root(n);
    decoder_layers model = {.embedding = nn_embedding_new(nn_in(root, "embedding"), EXAMPLE_VOCAB, EXAMPLE_SIZE)};
    for (uint32_t i = 0; i < EXAMPLE_LAYERS; i++) model.block[i] = new_block(nn_item(nn_in(root, "layers"), i));
    model.last = nn_layer_norm_new(nn_in(root, "last"), EXAMPLE_SIZE, 1e-5);

    const node *x = nn_embedding_apply(n, &model.embedding, batch.tokens);
    for (uint32_t i = 0; i < EXAMPLE_LAYERS; i++) x = apply_block(n, &model.block[i], x, &batch, i);
    x = nn_norm_apply(n, &model.last, nn_take(n, x, batch.rows));
    const node *result[1 + 2 * EXAMPLE_LAYERS] = {nn_embedding_head(n, &model.embedding, x)};
    for (uint32_t i = 0; i < EXAMPLE_LAYERS; i++) {
        result[1 + i] = batch.keys[i];
        result[1 + EXAMPLE_LAYERS + i] = batch.values[i];
    }
    return nn_finish(n, result, 1 + 2 * EXAMPLE_LAYERS);
}
