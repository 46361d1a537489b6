// bench_prove.c - how fast canonical forms, simplification and proofs are, on one core.
//
//   bench_prove                 canonical forms of a million distinct small expressions; nodes and proofs a second
//   bench_prove --emit N        prints N claims, one a line: CONDITION ; GIVEN, GIVEN (bench/prove_tvm.py reads them,
//   too) bench_prove --claims FILE   proves the claims of a file: how many, how fast; simplifies both sides
//
// The claims: 60 % equalities of a random expression with itself, rewritten by laws of arithmetic; 30 % the
// inequalities and divisions of tiled loops and padded sizes with random constants; 10 % random comparisons, mostly
// false.
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "expr/parse.h"
#include "expr/prove.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { VARS = 6, DISTINCT = 1000000, FILE_LIMIT = 1 << 26, LINE_ROOM = 2048 };

typedef struct bench {
    expr_session *s;
    const expr *var[VARS];
    text_map names;
    uint64_t state, calls; // of builders
} bench;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t draw(bench *b, uint64_t below) {
    b->state ^= b->state << 13;
    b->state ^= b->state >> 7;
    b->state ^= b->state << 17;
    return (b->state >> 8) % below;
}

static bench bench_open(uint64_t seed) {
    static const char *const name[VARS] = {"n", "m", "k", "i", "j", "t"};
    bench b = {.s = expr_open(), .state = seed};
    b.names = TEXT_MAP_IN(expr_arena(b.s));
    for (int i = 0; i < VARS; i++) {
        b.var[i] = expr_new_var(b.s, name[i], DTYPE_OF(I64));
        text_map_put(&b.names, name[i], (void *)(uintptr_t)b.var[i]);
    }
    return b;
}

static const expr *op2(bench *b, expr_op op, const expr *x, const expr *y) {
    b->calls++;
    return expr_binary(b->s, op, x, y);
}

static const expr *number(bench *b, int64_t k) {
    b->calls++;
    return expr_i64(b->s, k);
}

static const expr *any_var(bench *b) { return b->var[draw(b, VARS)]; }

// ---- canonical forms ----

// Three operations over variables and numbers, as dims and indices have them.
static const expr *small_expression(bench *b) {
    const expr *x = op2(b, EXPR_MUL, any_var(b), number(b, (int64_t)draw(b, 512) + 2));
    const expr *y = op2(b, draw(b, 2) ? EXPR_ADD : EXPR_SUB, x, any_var(b));
    switch (draw(b, 4)) {
    case 0: return op2(b, EXPR_ADD, y, number(b, (int64_t)draw(b, 4096)));
    case 1: return op2(b, EXPR_MUL, y, number(b, (int64_t)draw(b, 4096)));
    case 2: return op2(b, EXPR_FLOOR_DIV, y, number(b, (int64_t)draw(b, 4096) + 2));
    default: return op2(b, EXPR_SUB, y, op2(b, EXPR_MUL, any_var(b), number(b, (int64_t)draw(b, 4096))));
    }
}

typedef struct spent {
    double building, canon;
    uint64_t calls, nodes, seed;
} spent;

// Adds to `t` what `count` distinct expressions cost in a session of their own.
static void time_session(const expr **e, uint32_t count, spent *t) {
    bench b = bench_open(t->seed++);
    double start = now();
    for (uint32_t i = 0; i < count; i++) {
        uint32_t known = expr_count(b.s);
        do e[i] = small_expression(&b);
        while (expr_count(b.s) == known); // an old one
    }
    double built = now();
    for (uint32_t i = 0; i < count; i++) expr_canon(b.s, e[i]);
    t->building += built - start;
    t->canon += now() - built;
    t->nodes += expr_count(b.s);
    t->calls += b.calls;
    expr_close(b.s);
}

// Sessions of the size of a compilation stay in the caches; one with a million expressions waits for memory.
static void bench_canon(uint32_t each) {
    const expr **e = calloc(each, sizeof *e);
    spent t = {.seed = 7};
    if (!e) exit(1);
    for (uint32_t i = 0; i < DISTINCT; i += each) time_session(e, each, &t);
    double both = t.building + t.canon;
    printf("%7u a session: build %.2f, canon %.2f, both %.2f million distinct expressions/s", each,
           (double)DISTINCT / t.building / 1e6, (double)DISTINCT / t.canon / 1e6, (double)DISTINCT / both / 1e6);
    printf("; %.2f million builder calls/s; %.1f nodes an expression\n", (double)t.calls / both / 1e6,
           (double)t.nodes / (double)DISTINCT);
    free(e);
}

// ---- claims ----

static const expr *random_expr(bench *b, int depth) {
    static const expr_op ops[] = {EXPR_ADD,       EXPR_ADD,       EXPR_SUB, EXPR_MUL,
                                  EXPR_FLOOR_DIV, EXPR_FLOOR_MOD, EXPR_MIN, EXPR_MAX};
    if (!depth || draw(b, 5) == 0) return draw(b, 4) ? any_var(b) : number(b, (int64_t)draw(b, 16));
    expr_op op = ops[draw(b, sizeof ops / sizeof *ops)];
    const expr *x = random_expr(b, depth - 1);
    bool by_number = op == EXPR_FLOOR_DIV || op == EXPR_FLOOR_MOD || (op == EXPR_MUL && draw(b, 4));
    return op2(b, op, x, by_number ? number(b, (int64_t)draw(b, 15) + 2) : random_expr(b, depth - 1));
}

// The same value, written otherwise, by one law of arithmetic.
static const expr *rewritten_root(bench *b, const expr *e) {
    const expr *t = any_var(b), *c = number(b, (int64_t)draw(b, 7) + 2), *x = e->count ? e->in[0] : e,
               *y = e->count ? e->in[1] : e;
    switch (draw(b, 8)) {
    case 0: return op2(b, EXPR_ADD, op2(b, EXPR_MUL, op2(b, EXPR_FLOOR_DIV, e, c), c), op2(b, EXPR_FLOOR_MOD, e, c));
    case 1: return op2(b, EXPR_SUB, op2(b, EXPR_ADD, t, e), t);
    default: break;
    }
    if (e->op == EXPR_ADD || e->op == EXPR_MUL || e->op == EXPR_MIN || e->op == EXPR_MAX) {
        if (e->op == EXPR_MUL && x->op == EXPR_ADD)
            return op2(b, EXPR_ADD, op2(b, EXPR_MUL, x->in[0], y), op2(b, EXPR_MUL, x->in[1], y));
        if (e->op == EXPR_MIN && draw(b, 2)) return op2(b, EXPR_SUB, op2(b, EXPR_ADD, x, y), op2(b, EXPR_MAX, x, y));
        return op2(b, (expr_op)e->op, y, x);
    }
    if (e->op == EXPR_SUB) return op2(b, EXPR_ADD, x, op2(b, EXPR_MUL, y, number(b, -1)));
    if (e->op == EXPR_FLOOR_MOD) return op2(b, EXPR_SUB, x, op2(b, EXPR_MUL, op2(b, EXPR_FLOOR_DIV, x, y), y));
    if (e->op == EXPR_FLOOR_DIV)
        return op2(b, EXPR_SUB, op2(b, EXPR_FLOOR_DIV, op2(b, EXPR_ADD, x, op2(b, EXPR_MUL, t, y)), y), t);
    return e;
}

static const expr *rewritten(bench *b, const expr *e, int depth) {
    if (!e->count || !depth) return e;
    const expr *x = rewritten(b, e->in[0], depth - 1), *y = rewritten(b, e->in[1], depth - 1);
    const expr *same = op2(b, (expr_op)e->op, x, y);
    return draw(b, 2) ? rewritten_root(b, same) : same;
}

static void emit_equality(bench *b) {
    arena *mem = arena_new();
    const expr *e = random_expr(b, 4), *other = rewritten(b, e, 4);
    printf("%s == %s ;\n", expr_to_text(mem, e), expr_to_text(mem, other));
    arena_free(mem);
}

// Tiles of c, padded sizes, flattened indices.
static void emit_loop_claim(bench *b) {
    int c = (int)draw(b, 63) + 2, d = (int)draw(b, 15) + 2;
    switch (draw(b, 12)) {
    case 0: printf("(n + %d)//%d*%d >= n ; n >= 0\n", c - 1, c, c); break;
    case 1: printf("(n + %d)//%d*%d - n <= %d ; n >= 0\n", c - 1, c, c, c - 1); break;
    case 2: printf("(i*%d + j)//%d == i ; 0 <= j, j < %d\n", c, c, c); break;
    case 3: printf("(i*%d + j)%%%d == j ; 0 <= j, j < %d\n", c, c, c); break;
    case 4: printf("i*%d + j < n ; 0 <= i, i < n//%d, 0 <= j, j < %d\n", c, c, c); break;
    case 5:
        printf("i*%d + j < (n + %d)//%d*%d ; 0 <= i, i < (n + %d)//%d, 0 <= j, j < %d\n", c, c - 1, c, c, c - 1, c, c);
        break;
    case 6: printf("n*%d %% %d == 0 ; n %% %d == 0\n", d, c * d, c); break;
    case 7: printf("((i*%d + j)*%d + k)//%d == i ; 0 <= j, j < %d, 0 <= k, k < %d\n", c, d, c * d, c, d); break;
    case 8: printf("min(i*%d + %d, n) - i*%d <= %d ; n >= 0\n", c, c, c, c); break;
    case 9: printf("n*m*%d <= %d*m ; n <= %d, m >= 0\n", c, c * d, d); break;
    case 10: printf("(n//%d)*%d == n ; n %% %d == 0\n", c, c, c * d); break;
    default: printf("i*m + j < n*m ; 0 <= i, i < n, 0 <= j, j < m\n"); break;
    }
}

static void emit_random(bench *b) {
    static const char *const compares[] = {"==", "<=", "<", "!="};
    arena *mem = arena_new();
    const expr *x = random_expr(b, 3), *y = random_expr(b, 3);
    printf("%s %s %s ; n >= 0, m >= 1\n", expr_to_text(mem, x), compares[draw(b, 4)], expr_to_text(mem, y));
    arena_free(mem);
}

static void emit_claims(int count) {
    bench b = bench_open(11);
    for (int i = 0; i < count; i++) {
        uint64_t kind = draw(&b, 10);
        if (kind < 6)
            emit_equality(&b);
        else if (kind < 9)
            emit_loop_claim(&b);
        else
            emit_random(&b);
    }
    expr_close(b.s);
}

typedef struct claim {
    const expr *condition;
    facts *given;
} claim;

static const expr *read_one(bench *b, const char *words, size_t size) {
    source src = {.name = "claims", .bytes = words, .size = size};
    diag *d = diag_new(expr_arena(b->s));
    const expr *e = expr_parse(b->s, &src, &b->names, d);
    if (!e) {
        fprintf(stderr, "can't read: %.*s\n", (int)size, words);
        exit(1);
    }
    return e;
}

static bool is_blank(const char *words, size_t size) { return strspn(words, " ") >= size; }

// CONDITION ; GIVEN, GIVEN (a comma inside brackets belongs to a call)
static claim read_claim(bench *b, const char *line, size_t size) {
    size_t end = (size_t)((const char *)memchr(line, ';', size) - line);
    claim c = {.condition = read_one(b, line, end), .given = facts_new(b->s)};
    for (size_t at = end + 1; at < size;) {
        const char *comma = memchr(line + at, ',', size - at);
        size_t part = comma ? (size_t)(comma - line) - at : size - at;
        if (!is_blank(line + at, part)) facts_assume(c.given, read_one(b, line + at, part));
        at += part + 1;
    }
    return c;
}

// Writes 1 or 0 per claim to `answers`, if it is not NULL.
static void prove_claims(const char *path, const char *answers) {
    char *bytes, why[FILE_WHY];
    size_t size, count = 0, proved = 0, simplified = 0;
    if (file_read(path, FILE_LIMIT, &bytes, &size, why) != RX_OK) {
        fprintf(stderr, "%s\n", why);
        exit(1);
    }
    bench b = bench_open(1);
    claim *claims = calloc(size + 1, sizeof *claims);
    if (!claims) exit(1);
    for (char *line = bytes, *end; (end = strchr(line, '\n')); line = end + 1)
        claims[count++] = read_claim(&b, line, (size_t)(end - line));
    FILE *out = answers ? fopen(answers, "w") : NULL;
    double start = now(), slowest = 0;
    for (size_t i = 0; i < count; i++) {
        double from = now();
        bool yes = prove_true(b.s, claims[i].condition, claims[i].given);
        if (now() - from > slowest) slowest = now() - from;
        proved += yes;
        if (out) fprintf(out, "%d\n", yes);
    }
    double done = now();
    for (size_t i = 0; i < count; i++)
        simplified += expr_simplify(b.s, claims[i].condition->in[0], NULL) != claims[i].condition->in[0];
    double last = now();
    if (out) fclose(out);
    printf("prove     %zu of %zu claims, %.0f a second, slowest %.1f ms\n", proved, count,
           (double)count / (done - start), slowest * 1e3);
    printf("simplify  %zu of %zu left sides changed, %.0f a second\n", simplified, count,
           (double)count / (last - done));
    free(claims);
    free(bytes);
    expr_close(b.s);
}

// The heap stays between sessions, as in a process that compiles more than one module: else the kernel takes and gives
// back every session's pages, which costs as much as all the work (a page fault of a virtual machine: 3 us).
static void keep_heap(void) {
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // its upper limit
#endif
}

int main(int argc, char **argv) {
    keep_heap();
    if (argc == 3 && strcmp(argv[1], "--emit") == 0)
        emit_claims(atoi(argv[2]));
    else if (argc >= 3 && strcmp(argv[1], "--claims") == 0)
        prove_claims(argv[2], argc > 3 ? argv[3] : NULL);
    for (uint32_t each = 1000; argc == 1 && each <= DISTINCT; each *= 10) bench_canon(each);
    return 0;
}
