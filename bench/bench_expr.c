// bench_expr.c - how fast expressions are built, found again, replaced, evaluated, printed and read, on one core.
//
// Each line: what, millions per second. A build is one call of a builder; nodes of other work are those it visits.
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"
#include "base/postfix.h"
#include "expr/parse.h"
#include <stdio.h>
#include <string.h>

enum { FIRST = 2000000, VARS = 8, TEXTS = 100000 };

static void report(const char *what, double count, double start) {
    printf("%-34s %8.2f M/s\n", what, count / (clock_seconds() - start) * 1e-6);
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

typedef struct bench {
    expr_session *s;
    const expr *var[VARS];
    const expr *node[FIRST];
} bench;

// Builds over a growing pool of nodes; the same seed builds the same nodes, which are then found.
static void build_nodes(bench *b, uint64_t seed) {
    static const expr_op ops[] = {EXPR_ADD, EXPR_MUL, EXPR_SUB, EXPR_FLOOR_DIV, EXPR_FLOOR_MOD, EXPR_MIN, EXPR_MAX};
    for (uint32_t i = 0; i < FIRST; i++) {
        uint64_t r = next_random(&seed);
        const expr *left = i < VARS ? b->var[i] : b->node[r % i];
        const expr *right = i < VARS || r & 1 << 20 ? b->var[r >> 21 & (VARS - 1)] : b->node[next_random(&seed) % i];
        b->node[i] = expr_binary(b->s, ops[(r >> 25) % COUNT(ops)], left, right);
    }
}

static void bench_builds(bench *b) {
    double start = clock_seconds();
    build_nodes(b, 1);
    report("builds of new nodes", FIRST, start);
    start = clock_seconds();
    build_nodes(b, 1);
    report("builds of known nodes", FIRST, start);
    start = clock_seconds();
    for (uint32_t i = 0; i < FIRST; i++) (void)expr_i64(b->s, i & 1023);
    report("builds of small constants", FIRST, start);
}

// ((((v * 3 + v) // 5 + v) % 7 ...: a shape as indices have them.
static const expr *index_like(bench *b, uint32_t seed) {
    const expr *e = b->var[seed & (VARS - 1)];
    for (uint32_t i = 0; i < 8; i++) {
        e = expr_binary(b->s, EXPR_MUL, e, expr_i64(b->s, 2 + (seed >> i & 7)));
        e = expr_binary(b->s, EXPR_ADD, e, b->var[(seed >> i) & (VARS - 1)]);
    }
    return e;
}

static void bench_substitution(bench *b, arena *mem) {
    enum { ROUNDS = 50000 };
    map with = MAP_IN(mem);
    map_put(&with, MAP_KEY(b->var[1]), (void *)(uintptr_t)b->var[2]);
    map_put(&with, MAP_KEY(b->var[3]), (void *)(uintptr_t)expr_i64(b->s, 5));
    double start = clock_seconds();
    for (uint32_t i = 0; i < ROUNDS; i++) (void)expr_substitute(b->s, index_like(b, i), &with);
    report("nodes substituted (and built)", (double)ROUNDS * 17.0, start);
}

static void bench_evaluation(bench *b, arena *mem) {
    enum { ROUNDS = 500000 };
    expr_env env = expr_env_new(mem, b->s);
    for (int i = 0; i < VARS; i++) expr_env_set(&env, b->var[i], (scalar){.i = i + 1});
    const expr *e = index_like(b, 12345);
    scalar out;
    int64_t sum = 0;
    double start = clock_seconds();
    for (uint32_t i = 0; i < ROUNDS; i++)
        if (expr_eval(e, &env, &out) == EXPR_DONE) sum += out.i;
    report("nodes evaluated", (double)ROUNDS * 33.0, start);

    map slot = MAP_IN(mem);
    int64_t slots[VARS];
    uint8_t *code;
    size_t size;
    for (uintptr_t i = 0; i < VARS; i++) {
        map_put(&slot, MAP_KEY(b->var[i]), (void *)(i + 1));
        slots[i] = (int64_t)i + 1;
    }
    if (!expr_to_postfix(e, &slot, mem, &code, &size)) return;
    start = clock_seconds();
    for (uint32_t i = 0; i < ROUNDS; i++) {
        int64_t value;
        if (postfix_run(code, size, slots, &value) == POSTFIX_DONE) sum -= value;
    }
    report("postfix instructions run", (double)ROUNDS * 33.0, start);
    if (sum) printf("evaluation and postfix differ by %lld\n", (long long)sum);
}

static void bench_text(bench *b, arena *mem) {
    text_map vars = TEXT_MAP_IN(mem);
    size_t bytes = 0;
    double start = clock_seconds();
    for (uint32_t i = 0; i < TEXTS; i++) {
        text t = TEXT_IN(mem);
        expr_print(&t, index_like(b, i), NULL);
        bytes += t.len;
    }
    report("bytes printed", (double)bytes, start);
    char *words = expr_to_text(mem, index_like(b, 12345));
    source src = {.name = "<bench>", .bytes = words, .size = strlen(words)};
    diag *d = diag_new(mem);
    start = clock_seconds();
    for (uint32_t i = 0; i < TEXTS; i++) (void)expr_parse(b->s, &src, &vars, d);
    report("bytes read", (double)TEXTS * (double)src.size, start);
}

int main(void) {
    arena *mem = arena_new();
    bench *b = ARENA_NEW(mem, bench, 1);
    b->s = expr_open();
    for (int i = 0; i < VARS; i++) b->var[i] = expr_new_var(b->s, "v", DTYPE_OF(I64));
    bench_builds(b);
    bench_substitution(b, mem);
    bench_evaluation(b, mem);
    bench_text(b, mem);
    expr_close(b->s);
    arena_free(mem);
    return 0;
}
