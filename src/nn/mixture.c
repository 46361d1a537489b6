// mixture.c - mixtures of experts.
#include "nn/nn_inside.h"

// GGUF has all experts in one tensor, safetensors each in its own.
static nn_experts new_experts(nn_scope s, const char *name, int64_t experts, int64_t in, int64_t out) {
    nn_scope stacked = nn_in(s, name);
    if (nn_stored(stacked, "weight"))
        return (nn_experts){.all = nn_weight_new(stacked, "weight", (const int64_t[]){experts, out, in}, 3)};
    nn_weight *one = ARENA_NEW(s.n->mem, nn_weight, (size_t)experts);
    for (uint32_t i = 0; i < experts && !nn_hopeless(s.n); i++)
        one[i] = nn_weight_new(nn_in(nn_item(s, i), name), "weight", (const int64_t[]){out, in}, 2);
    return (nn_experts){.one = one};
}

nn_mixture nn_mixture_new(nn_scope s, int64_t size, int64_t inner, int64_t shared, const nn_mixture *like) {
    nn_mixture m = *like;
    nn_scope experts = nn_in(s, "experts");
    m.router = nn_linear_new(nn_in(s, "gate"), size, m.experts, false);
    m.gate = new_experts(experts, "gate_proj", m.experts, size, inner);
    m.up = new_experts(experts, "up_proj", m.experts, size, inner);
    m.down = new_experts(experts, "down_proj", m.experts, inner, size);
    if (shared) {
        m.shared = nn_gated_mlp_new(nn_in(s, "shared_expert"), size, shared, m.act, false);
        m.shared_gate = nn_linear_new(nn_in(s, "shared_expert_gate"), size, 1, false);
    }
    return m;
}

// Stacked as they are stored: where they are one by one, that happens while the file is written.
static const node *matrices(nn *n, const nn_experts *e, int64_t experts) {
    if (!e->one) return nn_weight_value(n, e->all);
    const node **each = ARENA_NEW(n->mem, const node *, (size_t)experts);
    for (int64_t i = 0; i < experts; i++) each[i] = e->one[i].param;
    const node *tuple = build_tuple(n->b, NULL, each, (uint32_t)experts);
    return nn_weight_decoded(n, nn_call(n, "stack", &tuple, 1, NULL, 0), e->one[0]);
}

// x [t, in], or [t, k, in], times the matrices of each token's experts.
static const node *through(nn *n, const nn_mixture *l, const nn_experts *e, const node *x, const node *chosen) {
    const node *in[] = {x, matrices(n, e, l->experts), chosen};
    return nn_call(n, "rx.grouped_matmul", in, 3, NULL, 0);
}

// An expert for every token; how much of it counts is decided by a gate of one number.
static const node *shared_part(nn *n, const nn_mixture *l, const node *x) {
    const node *gate = nn_linear_apply(n, &l->shared_gate, x);
    return nn_multiply(n, nn_call(n, "sigmoid", &gate, 1, NULL, 0), nn_mlp_apply(n, &l->shared, x));
}

// route gives the weights [t, used] and the experts' numbers [t, used] of each token.
const node *nn_mixture_apply(nn *n, const nn_mixture *l, const node *x) {
    const named_attr attrs[] = {{"k", attr_int(n->mem, l->used)}, {"normalize", attr_bool(n->mem, l->normalize)}};
    const node *scores = nn_linear_apply(n, &l->router, x), *route = nn_call(n, "rx.moe_route", &scores, 1, attrs, 2);
    if (node_is_poison(route)) return route;
    const node *weight = build_item(n->b, NULL, route, 0), *chosen = build_item(n->b, NULL, route, 1);
    const node *gate = nn_activate(n, l->act, through(n, l, &l->gate, x, chosen));
    const node *inner = nn_multiply(n, gate, through(n, l, &l->up, x, chosen));
    const node *both[] = {through(n, l, &l->down, inner, chosen), weight};
    const node *operands = build_tuple(n->b, NULL, both, 2);
    const named_attr sum = {"subscripts", attr_string(n->mem, "tkh,tk->th", 10)};
    const node *y = nn_call(n, "einsum", &operands, 1, &sum, 1);
    return l->shared.up.weight.param ? nn_add(n, y, shared_part(n, l, x)) : y;
}
