// ggml_attention.c - attention by llama.cpp's library, for bench/layers.py: built beside its headers and libraries.
#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "ggml.h"
#include <stdint.h>
#include <string.h>

typedef struct work {
    int64_t tokens, places, heads, kv_heads, size;
    float scale;
    int half, fused, threads;
    const void *q, *k, *v, *mask; // heads before tokens, floats (k, v: halves if `half`); mask: halves
} work;

static struct ggml_cgraph *graph;
static ggml_backend_t backend;
static struct ggml_tensor *result;

static struct ggml_tensor *filled(struct ggml_context *c, enum ggml_type type, int64_t a, int64_t b, int64_t n,
                                  const void *data) {
    struct ggml_tensor *t = ggml_new_tensor_3d(c, type, a, b, n);
    memcpy(t->data, data, ggml_nbytes(t));
    return t;
}

// As llama.cpp builds it without and with flash attention; without, values lie transposed in its cache.
static struct ggml_tensor *attention(struct ggml_context *c, const work *w) {
    enum ggml_type cache = w->half ? GGML_TYPE_F16 : GGML_TYPE_F32;
    struct ggml_tensor *q = filled(c, GGML_TYPE_F32, w->size, w->tokens, w->heads, w->q);
    struct ggml_tensor *k = filled(c, cache, w->size, w->places, w->kv_heads, w->k);
    struct ggml_tensor *mask = filled(c, GGML_TYPE_F16, w->places, w->tokens, 1, w->mask);
    if (w->fused) {
        struct ggml_tensor *v = filled(c, cache, w->size, w->places, w->kv_heads, w->v);
        return ggml_flash_attn_ext(c, q, k, v, mask, w->scale, 0, 0);
    }
    struct ggml_tensor *v = filled(c, cache, w->places, w->size, w->kv_heads, w->v);
    struct ggml_tensor *scores = ggml_soft_max_ext(c, ggml_mul_mat(c, k, q), mask, w->scale, 0);
    return ggml_cont(c, ggml_permute(c, ggml_mul_mat(c, v, scores), 0, 2, 1, 3));
}

// The result's floats, [tokens, heads, size], written by each run.
const float *ggml_attention_make(const work *w) {
    struct ggml_init_params p = {(size_t)1 << 30, NULL, false};
    struct ggml_context *c = ggml_init(p);
    result = attention(c, w);
    graph = ggml_new_graph(c);
    ggml_build_forward_expand(graph, result);
    backend = ggml_backend_cpu_init();
    ggml_backend_cpu_set_n_threads(backend, w->threads);
    return result->data;
}

void ggml_attention_run(void) { ggml_backend_graph_compute(backend, graph); }
