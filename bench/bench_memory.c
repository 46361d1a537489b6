// bench_memory.c - activation memory of a decoder over a row of prompt lengths and batch sizes: the paper's Table 2.
//
// usage: bench_memory [LAYERS]     (default 32, the size of Llama-3-8B)
//
// Four ways to come by memory, each for the whole row of shapes:
//   none       every tensor asks the runtime, whose pool keeps freed blocks by their size (as TVM's pooled allocator):
//              another shape has other sizes, so blocks of former shapes are of no use to it
//   unknown    sizes with a symbol can't be compared: only tensors of constant size are planned
//   pool       TVM's planner with upper bounds: a storage per tensor of one size class
//   arena      ours with upper bounds: one block, tensors at offsets; peak/live compares it with what lives at once
// Nothing runs: sizes are evaluated for each shape, lifetimes are those of the lowered function.
#include "driver/driver.h"
#include "graph/sizes.h"
#include "nn/decoder.h"
#include "ops/ops.h"
#include "pass/memory.h"
#include "pass/plan_view.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One call: what the symbols of `forward` are.
typedef struct shape {
    int64_t tokens, sequences, rows;
} shape;

typedef struct row {
    const char *name;
    shape shape[4];
    int64_t most; // tokens, the bound of the plan
    int64_t rows; // bound
} row;

static const row rows[] = {
    {"prefill 128, 256, 512, 1024", {{128, 1, 1}, {256, 1, 1}, {512, 1, 1}, {1024, 1, 1}}, 1024, 1},
    {"decode batch 1, 16, 32, 64", {{1, 1, 1}, {16, 16, 16}, {32, 32, 32}, {64, 64, 64}}, 64, 64},
};

// --- The module, lowered to explicit allocations.

static const decoder_config llama = {.architecture = "LlamaForCausalLM",
                                     .hidden = 4096,
                                     .heads = 32,
                                     .kv_heads = 8,
                                     .head_size = 128,
                                     .inner = 14336,
                                     .vocab = 128256,
                                     .context = 8192,
                                     .epsilon = 1e-5,
                                     .rope_base = 500000};

static const char to_calls[] =
    "Normalize,CanonicalizeBindings,DeadCodeElimination,LegalizeOps,AnnotateTIROpPattern:precise=true,"
    "FuseOps:producers=true,FuseTIR:inline=true,RewriteDataflowReshape,DeadCodeElimination,AnnotateInplace,"
    "ApplySchedules,UseInplaceCalls,LiftWorkspace,ToNonDataflow,RemovePurityChecking,CallTIRRewrite,SplitLaunches,"
    "CanonicalizeBindings,DeadCodeElimination";

static module *decoder(const row *r, int64_t layers, const char *more, arena *mem) {
    decoder_config config = llama;
    const decoder_options o = {.context = 8192, .batch = r->most};
    const driver_bound bound = {"r", 0, r->rows};
    char why[256];
    module *m = module_new();
    diag *d = diag_new(mem);
    pass_list steps = {0};
    config.layers = layers;
    bool ok = decoder_build(m, &config, &o, NULL, d) && driver_apply_bound(m, &bound, d) &&
              pass_parse(arena_format(mem, "%s%s", to_calls, more), mem, &steps, d) &&
              pass_run(m, &steps, arch_parse(mem, "cpu", why), NULL, d);
    text t = TEXT_IN(mem);
    diag_print(d, &t, false);
    if (ok) return m;
    fprintf(stderr, "%s", text_get(&t));
    exit(1);
}

// --- The runtime's pool: blocks by size, never given back.

typedef struct block_class {
    int64_t bytes, free, all;
} block_class;
typedef struct pool {
    arena *mem;
    VEC(block_class) classes;
} pool;

static block_class *class_of(pool *p, int64_t bytes) {
    for (uint32_t i = 0; i < p->classes.len; i++)
        if (p->classes.at[i].bytes == bytes) return &p->classes.at[i];
    VEC_PUSH(p->mem, &p->classes, ((block_class){.bytes = bytes}));
    return &p->classes.at[p->classes.len - 1];
}

static void pool_take(pool *p, int64_t bytes) {
    block_class *c = class_of(p, bytes);
    if (c->free > 0)
        c->free--;
    else
        c->all++;
}

static int64_t pool_total(const pool *p) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < p->classes.len; i++) sum += p->classes.at[i].bytes * p->classes.at[i].all;
    return sum;
}

// --- One function over a row of shapes.

typedef enum choice { ALL_TENSORS, SYMBOLIC_TENSORS } choice;

typedef struct measuring {
    const module *m;
    const graph_func *f;
    liveness l;
    arena *mem;
} measuring;

static int64_t value_of(const measuring *x, const expr *e, const shape *s) {
    expr_list vars = {0};
    scalar value;
    expr_env env = expr_env_new(x->mem, x->m->exprs);
    expr_free_vars(e, x->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        const char *name = vars.at[i]->as.var->name;
        int64_t n = strcmp(name, "t") == 0   ? s->tokens
                    : strcmp(name, "b") == 0 ? s->sequences
                    : strcmp(name, "r") == 0 ? s->rows
                                             : 64; // pages: of the cache, no activation
        expr_env_set(&env, vars.at[i], (scalar){.i = n});
    }
    return expr_eval(e, &env, &value) == EXPR_DONE ? value.i : 0;
}

static const expr *size_of(const measuring *x, const live_tensor *t) {
    const expr *const *dim;
    uint32_t rank;
    dtype type = alloc_type(t->alloc, &dim, &rank);
    return tensor_bytes(x->m->exprs, type, dim, rank);
}

static bool is_asked_for(const measuring *x, const live_tensor *t, choice which) {
    if (t->alloc->op != &op_builtin_alloc_tensor) return false; // it lies in a storage
    return which == ALL_TENSORS || !expr_const_int(size_of(x, t), &(int64_t){0});
}

static void call(const measuring *x, pool *p, const shape *s, choice which) {
    for (uint32_t at = 0; at <= x->l.end; at++) {
        for (uint32_t i = 0; i < x->l.tensors.len; i++) {
            const live_tensor *t = &x->l.tensors.at[i];
            int64_t bytes;
            if ((t->from != at && t->to != at) || !is_asked_for(x, t, which)) continue;
            bytes = (value_of(x, size_of(x, t), s) + 63) / 64 * 64;
            if (t->from == at) pool_take(p, bytes);
            if (t->to == at) class_of(p, bytes)->free++;
        }
    }
}

static measuring measure(const module *m, arena *mem) {
    const graph_func *f = module_find(m, "forward")->graph;
    return (measuring){.m = m, .f = f, .l = liveness_of(mem, f), .mem = mem};
}

// Bytes that a row of calls has taken at its end, with the storages of the plan for its largest shape.
static int64_t bytes_of(const module *m, const row *r, choice which, arena *mem) {
    measuring x = measure(m, mem);
    pool p = {.mem = mem};
    plan_view v = plan_view_of(m, x.f, 512, mem);
    int64_t storages = 0;
    for (uint32_t i = 0; i < v.storages.len; i++) storages += value_of(&x, v.storages.at[i].bytes, &r->shape[3]);
    for (size_t i = 0; i < COUNT(r->shape); i++) call(&x, &p, &r->shape[i], which);
    return storages + pool_total(&p);
}

// Tensors of constant size planned, each of the others on its own.
static int64_t unknown(const module *m, const row *r, arena *mem) {
    measuring x = measure(m, mem);
    int64_t constant = 0, now = 0;
    for (uint32_t at = 0; at <= x.l.end; at++)
        for (uint32_t i = 0; i < x.l.tensors.len; i++) {
            const live_tensor *t = &x.l.tensors.at[i];
            int64_t bytes;
            if (!expr_const_int(size_of(&x, t), &bytes)) continue;
            if (t->from == at) now += bytes;
            if (now > constant) constant = now;
            if (t->to == at) now -= bytes;
        }
    return constant + bytes_of(m, r, SYMBOLIC_TENSORS, mem);
}

static double mib(int64_t bytes) { return (double)bytes / (1 << 20); }

static void print_row(const row *r, int64_t layers) {
    static const char pool_steps[] = ",StaticPlanBlockMemory", arena_steps[] = ",StaticPlanBlockMemory:planner=arena";
    arena *mem = arena_new();
    module *plain = decoder(r, layers, "", mem), *pooled = decoder(r, layers, pool_steps, mem);
    module *placed = decoder(r, layers, arena_steps, mem);
    plan_view v = plan_view_of(placed, module_find(placed, "forward")->graph, 512, mem);
    printf("%-28s %9.1f %9.1f %9.1f %9.1f %9.3f\n", r->name, mib(bytes_of(plain, r, ALL_TENSORS, mem)),
           mib(unknown(plain, r, mem)), mib(bytes_of(pooled, r, ALL_TENSORS, mem)),
           mib(bytes_of(placed, r, ALL_TENSORS, mem)), (double)v.peak_bytes / (double)v.lower_bound);
    module_free(plain);
    module_free(pooled);
    module_free(placed);
    arena_free(mem);
}

int main(int argc, char **argv) {
    int64_t layers = argc > 1 ? atoll(argv[1]) : 32;
    if (layers < 1) return fprintf(stderr, "usage: bench_memory [LAYERS]\n"), 2;
    printf("MiB, float32, %lld layers %11s %9s %9s %9s %9s\n", (long long)layers, "none", "unknown", "pool", "arena",
           "peak/live");
    for (size_t i = 0; i < COUNT(rows); i++) print_row(&rows[i], layers);
    return 0;
}
