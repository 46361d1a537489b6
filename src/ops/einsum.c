// einsum.c - R.einsum and R.outer: sums of products named by letters.
#include "base/count_noun.h"
#include "ops/table.h"
#include <string.h>

enum { MAX_OPERANDS = 8 };

// "ij,jk->ik" taken apart. Without an arrow the result has the letters that occur once, in alphabetical order.
typedef struct equation {
    char in[MAX_OPERANDS][32], out[64];
    uint32_t count;
    bool ellipsis[MAX_OPERANDS], out_ellipsis;
} equation;

// One side's letters, blanks and `...` left out. False for anything else.
static bool read_letters(const char *from, size_t size, char *out, size_t room, bool *ellipsis) {
    size_t len = 0;
    *ellipsis = false;
    for (size_t i = 0; i < size; i++) {
        if (from[i] == ' ') continue;
        if (size - i >= 3 && memcmp(from + i, "...", 3) == 0 && !*ellipsis) {
            *ellipsis = true;
            out[len++] = '.'; // marks its place
            i += 2;
            continue;
        }
        bool letter = (from[i] >= 'a' && from[i] <= 'z') || (from[i] >= 'A' && from[i] <= 'Z');
        if (!letter || len + 2 >= room) return false;
        out[len++] = from[i];
    }
    out[len] = '\0';
    return true;
}

static void implied_output(equation *e) {
    size_t len = 0;
    for (uint32_t i = 0; i < e->count; i++) e->out_ellipsis |= e->ellipsis[i];
    if (e->out_ellipsis) e->out[len++] = '.';
    for (char letter = 'A'; letter <= 'z'; letter++) {
        uint32_t times = 0;
        for (uint32_t i = 0; i < e->count; i++)
            for (const char *p = e->in[i]; *p; p++) times += *p == letter;
        if (times == 1) e->out[len++] = letter;
    }
    e->out[len] = '\0';
}

static bool read_equation(const node *n, equation *e) {
    const attr *a = node_attr(n, "subscripts");
    const char *from = a->as.text, *end = from + a->size, *arrow = NULL;
    *e = (equation){0};
    for (const char *p = from; p + 1 < end; p++)
        if (p[0] == '-' && p[1] == '>') arrow = p;
    const char *left_end = arrow ? arrow : end;
    for (const char *p = from; p <= left_end;) {
        const char *comma = p;
        while (comma < left_end && *comma != ',') comma++;
        if (e->count == MAX_OPERANDS) return false;
        if (!read_letters(p, (size_t)(comma - p), e->in[e->count], sizeof e->in[0], &e->ellipsis[e->count]))
            return false;
        e->count++;
        p = comma + 1;
    }
    if (!arrow) return implied_output(e), true;
    return read_letters(arrow + 2, (size_t)(end - arrow - 2), e->out, sizeof e->out, &e->out_ellipsis);
}

// Letters to dims, while every operand's dims are known.
typedef struct letter_dims {
    const expr *of[128];
    shape_guess dots; // of all ellipses, broadcast
    bool known;
} letter_dims;

// Every letter has one dim; of a 1 and another dim the other one, as in NumPy. Ellipses broadcast among operands.
static bool learn_operand(infer_ctx *c, const node *n, const equation *e, uint32_t i, letter_dims *d) {
    const ann *a = infer_in(n, 0)->field[i];
    size_t letters = strlen(e->in[i]) - (e->ellipsis[i] ? 1 : 0);
    if (has_rank(a) && (e->ellipsis[i] ? (size_t)a->rank < letters : (size_t)a->rank != letters))
        return infer_error(c, n, "operand %u has %s, \"%s\" names %zu", i, COUNTED(a->rank, "dim"), e->in[i], letters),
               false;
    if (!has_dims(a)) return d->known = false, true;
    uint32_t at = 0;
    for (const char *p = e->in[i]; *p; p++) {
        if (*p == '.') {
            shape_guess here = {.rank = a->rank - (int32_t)letters, .known = true}, before = d->dots;
            for (int32_t k = 0; k < here.rank; k++) here.dim[k] = a->dim[at++];
            if (!infer_broadcast(c, n, &before, &here, &d->dots)) return false;
            continue;
        }
        const expr *dim = a->dim[at++], **known = &d->of[(unsigned char)*p];
        if (*known && !dim_is(c, dim, 1) && !dim_is(c, *known, 1) && dims_differ(c, *known, dim))
            return infer_error(c, n, "`%c` is %s and %s", *p, expr_to_text(c->mem, *known), expr_to_text(c->mem, dim)),
                   false;
        if (!*known || dim_is(c, *known, 1)) *known = dim;
    }
    return true;
}

static bool check_types(infer_ctx *c, const node *n, dtype *type) {
    const ann *t = infer_in(n, 0);
    char first[32], other[32];
    *type = t->count ? t->field[0]->type : (dtype){0};
    for (uint32_t i = 1; i < t->count; i++) {
        dtype here = t->field[i]->type;
        if (type->kind && here.kind && !dtype_equal(*type, here))
            return infer_error(c, n, "want operands of one dtype, got %s and %s", dtype_spell(*type, first),
                               dtype_spell(here, other)),
                   false;
        if (!here.kind) *type = here;
    }
    return true;
}

static const ann *infer_einsum(infer_ctx *c, const node *n) {
    const ann *t = infer_in(n, 0);
    equation e;
    dtype type;
    letter_dims d = {.dots = {.known = true}, .known = true};
    const expr *dim[INFER_MAX_RANK];
    uint32_t rank = 0;
    if (!read_equation(n, &e)) return infer_error(c, n, "subscripts: want letters such as \"ij,jk->ik\"");
    if (e.count != t->count)
        return infer_error(c, n, "subscripts name %s, got %u", COUNTED(e.count, "operand"), t->count);
    if (!check_types(c, n, &type)) return NULL;
    for (uint32_t i = 0; i < e.count; i++)
        if (!learn_operand(c, n, &e, i, &d)) return NULL;
    for (const char *p = e.out; *p; p++) {
        if (*p == '.' && !d.known) return infer_rank(c, t->field[0], type, RANK_UNKNOWN);
        for (int32_t k = 0; *p == '.' && k < d.dots.rank; k++) dim[rank++] = d.dots.dim[k];
        if (*p == '.') continue;
        dim[rank++] = d.of[(unsigned char)*p];
        if (d.known && !d.of[(unsigned char)*p]) return infer_error(c, n, "`%c` is in the result alone", *p);
    }
    bool known = d.known && d.dots.known;
    return known ? infer_tensor(c, t->field[0], type, dim, rank) : infer_rank(c, t->field[0], type, (int32_t)rank);
}

// Letters become indices of their own names, with a mark behind so that no operand is called the same.
static void put_indices(text *out, const char *letters) {
    for (const char *p = letters; *p; p++)
        text_format(out, "%s%c%s", p == letters ? "" : ", ", *p == '.' ? 'e' : *p, *p == '.' ? "_..." : "_");
}

// "out[i_, k_] += operands0[i_, j_] * operands1[j_, k_]".
static const loop_func *lower_einsum(const lower_ctx *c, const node *n) {
    equation e;
    text meaning = TEXT_IN(c->mem);
    if (!read_equation(n, &e)) return diag_error(c->d, n->at, "einsum: subscripts cannot be read"), NULL;
    text_put(&meaning, "out[");
    put_indices(&meaning, e.out);
    text_put(&meaning, "] += ");
    for (uint32_t i = 0; i < e.count; i++) {
        text_format(&meaning, "%soperands%u[", i ? " * " : "", i);
        put_indices(&meaning, e.in[i]);
        text_put(&meaning, "]");
    }
    return compute_build(c, n, text_get(&meaning), NULL, 0);
}

// Vectors alone: of more dims NumPy would flatten, TVM refuses.
static const ann *infer_outer(infer_ctx *c, const node *n) {
    const ann *a = infer_in(n, 0), *b = infer_in(n, 1);
    dtype type;
    if (!infer_want_rank(c, n, 0, 1) || !infer_want_rank(c, n, 1, 1) || !infer_known_dtype(c, n, 0, 1, &type))
        return NULL;
    if (!has_dims(a) || !has_dims(b)) return infer_rank(c, a, type, 2);
    const expr *dim[] = {a->dim[0], b->dim[0]};
    return infer_tensor(c, a, type, dim, 2);
}

const op op_einsum = {
    .name = "einsum",
    .doc = "Sums of products: letters name dims, those that the result lacks are summed over.",
    .input = {IN("operands", TENSORS, "of one dtype")},
    .attr = {ATTR_AT("subscripts", STRING, NULL, "such as \"ij,jk->ik\"")},
    .infer = infer_einsum,
    .lower = lower_einsum,
    .samples = {"x=f32[n,3] y=f32[3,4] | R.einsum((x, y), subscripts=\"ij,jk->ik\")",
                "x=f32[n,n] | R.einsum((x,), subscripts=\"ii->i\")"},
};
const op op_outer = {
    .name = "outer",
    .doc = "The products of all pairs of elements of two vectors.",
    .input = {IN("x1", TENSOR, "one dim"), IN("x2", TENSOR, "one dim")},
    .infer = infer_outer,
    .compute = "out[i, j] = x1[i] * x2[j]",
    .samples = {"x=f32[n] y=f32[3] | R.outer(x, y)"},
};
