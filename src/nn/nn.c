// nn.c - the function that layers are applied in: inputs, scopes, parameters, the end.
#include "expr/parse.h"
#include "nn/nn_inside.h"
#include <ctype.h>
#include <string.h>

// Errors from before are remembered as a number: only new ones make nn_finish fail.
nn *nn_new(module *m, const char *name, nn_source from, diag *d) {
    nn *n = ARENA_NEW(m->mem, nn, 1);
    *n = (nn){.b = build_func(m, name, d), .m = m, .mem = m->mem, .d = d, .from = from, .errors = d->errors};
    n->symbols = TEXT_MAP_IN(m->mem);
    n->programs = TEXT_MAP_IN(m->mem);
    n->declared = TEXT_MAP_IN(m->mem);
    return n;
}

builder *nn_builder(nn *n) { return n->b; }

// --- Inputs.

// The next of "b + 1, 64": up to the comma; false at the end.
// Symbols are shared between inputs: the `t` of tokens is the `t` of positions.
static bool next_dim(nn *n, const char **at, const expr **out) {
    size_t size = strcspn(*at, ",");
    source *src = ARENA_NEW(n->mem, source, 1);
    *src = (source){.name = "<dims>", .bytes = *at, .size = size};
    if (!**at) return false;
    *out = expr_parse(n->m->exprs, src, &n->symbols, n->d);
    *at += size + ((*at)[size] == ',');
    return *out != NULL;
}

const node *nn_input(nn *n, const char *name, const char *type, const char *dims) {
    const expr *dim[TENSOR_MAX_RANK];
    uint32_t rank = 0;
    dtype t = {0};
    // Inputs come first: the parameters up to num_input are the user's, those behind are weights.
    CHECK(dtype_parse(type, strlen(type), &t) && n->inputs == n->b->f->params);
    while (rank < TENSOR_MAX_RANK && next_dim(n, &dims, &dim[rank])) rank++;
    n->inputs++;
    return build_param(n->b, name, ann_tensor(n->mem, t, dim, rank));
}

const expr *nn_size(nn *n, const char *symbol) {
    const expr *e = text_map_find(&n->symbols, symbol);
    CHECK(e);
    return e;
}

// Bounds are attributes of the function, which later passes and the file's signature take them from.
void nn_bound(nn *n, const char *symbol, int64_t upper) {
    static const char table[] = "tir_var_upper_bound";
    CHECK(!n->applying);
    graph_func *f = n->b->f;
    const attr *bounds = attr_with(n->mem, attr_find(f->attrs, table), symbol, attr_int(n->mem, upper));
    f->attrs = attr_with(n->mem, f->attrs, table, bounds);
}

// At the first application the parameters are complete: what follows is one dataflow block.
void nn_begin(nn *n) {
    if (n->applying) return;
    n->b->f->attrs = attr_with(n->mem, n->b->f->attrs, "num_input", attr_int(n->mem, n->inputs));
    build_block(n->b, true);
    n->applying = true;
}

bool nn_finish(nn *n, const node *const *result, uint32_t count) {
    nn_begin(n);
    for (uint32_t i = 0; i < count; i++) build_output(n->b, result[i]);
    const node *all = count == 1 ? result[0] : build_tuple(n->b, NULL, result, count);
    if (n->d->errors > n->errors) return false;
    module_put_graph(n->m, build_finish(n->b, all));
    return true;
}

// --- Scopes.

nn_scope nn_root(nn *n) { return (nn_scope){n, ""}; }

nn_scope nn_in(nn_scope s, const char *name) {
    return (nn_scope){s.n, arena_format(s.n->mem, *s.path ? "%s.%s" : "%s%s", s.path, name)};
}

nn_scope nn_item(nn_scope s, uint32_t index) { return nn_in(s, arena_format(s.n->mem, "%u", index)); }

// A layer's and an expert's.
enum { MOST_NUMBERS = 2 };
typedef struct numbers {
    const char *at[MOST_NUMBERS];
    int size[MOST_NUMBERS];
    uint32_t count;
} numbers;

// Whether the path is the pattern with numbers in place of #.
static bool path_fits(const char *pattern, const char *path, numbers *out) {
    out->count = 0;
    for (; *pattern; pattern++) {
        if (*pattern != '#') {
            if (*path++ != *pattern) return false;
            continue;
        }
        int size = 0;
        while (isdigit((unsigned char)path[size])) size++;
        if (!size || out->count == MOST_NUMBERS) return false;
        out->at[out->count] = path;
        out->size[out->count++] = size;
        path += size;
    }
    return !*path;
}

// The first row that fits counts; a path without one is stored under its own name.
static const char *stored_path(const nn *n, const char *path) {
    numbers found;
    for (const nn_renaming *row = n->from.renaming; row && row->path; row++) {
        if (!path_fits(row->path, path, &found)) continue;
        text t = TEXT_IN(n->mem);
        uint32_t next = 0;
        for (const char *c = row->stored; *c; c++) {
            if (*c == '#' && next < found.count)
                text_put_n(&t, found.at[next], (size_t)found.size[next]), next++;
            else
                text_put_char(&t, *c);
        }
        return text_get(&t);
    }
    return path;
}

static const char *stored_name(const nn *n, const char *path, const char *name) {
    const char *layer = stored_path(n, path);
    return arena_format(n->mem, *layer ? "%s.%s" : "%s%s", layer, name);
}

bool nn_stored(nn_scope s, const char *name) {
    const checkpoint *c = s.n->from.weights;
    return c && checkpoint_find(c, stored_name(s.n, s.path, name));
}

// --- Parameters.

// Past the limit nothing more is printed, so that a model of a thousand layers isn't built to report each of its
// tensors.
bool nn_hopeless(const nn *n) { return n->d->errors - n->errors > DIAG_LIMIT; }

static const char *dims_text(nn *n, const int64_t *dim, uint32_t rank) {
    text t = TEXT_IN(n->mem);
    text_put_char(&t, '(');
    for (uint32_t i = 0; i < rank; i++) text_format(&t, i ? ", %lld" : "%lld", (long long)dim[i]);
    text_put(&t, rank == 1 ? ",)" : ")");
    return text_get(&t);
}

// Dims are compared before the type: they tell more of what is wrong.
static bool fits(nn *n, const checkpoint_tensor *t, const int64_t *dim, uint32_t rank) {
    bool same = t->rank == rank && memcmp(t->dim, dim, rank * sizeof *dim) == 0;
    if (!same)
        return diag_error(n->d, (loc){0}, "%s: %s is %s, the model wants %s", checkpoint_path(n->from.weights), t->name,
                          dims_text(n, t->dim, t->rank), dims_text(n, dim, rank));
    if (t->unreadable)
        return diag_error(n->d, (loc){0}, "%s: %s is stored as %s, which can't be decoded here",
                          checkpoint_path(n->from.weights), t->name, t->unreadable);
    if (t->format || dtype_is_float(t->type)) return true;
    char spelled[32];
    return diag_error(n->d, (loc){0}, "%s: %s has elements of %s, want floats", checkpoint_path(n->from.weights),
                      t->name, dtype_spell(t->type, spelled));
}

// As it lies in the file: of blocks, bytes.
static const ann *stored_ann(nn *n, dtype type, const int64_t *dim, uint32_t rank) {
    const expr *list[TENSOR_MAX_RANK];
    for (uint32_t i = 0; i < rank; i++) list[i] = expr_i64(n->m->exprs, dim[i]);
    return ann_tensor(n->mem, type, list, rank);
}

// The parameter has the tensor's name, by which the weight table of the compiled file is filled.
nn_weight nn_weight_new(nn_scope s, const char *name, const int64_t *dim, uint32_t rank) {
    nn *n = s.n;
    CHECK(!n->applying && rank <= TENSOR_MAX_RANK);
    const char *wanted = stored_name(n, s.path, name);
    if (!n->from.weights)
        return (nn_weight){.param = build_param(n->b, wanted, stored_ann(n, DTYPE_OF(F32), dim, rank))};
    const checkpoint_tensor *t = checkpoint_find(n->from.weights, wanted);
    tensor *stored = NULL;
    if (!t) diag_error(n->d, (loc){0}, "%s: there is no tensor %s", checkpoint_path(n->from.weights), wanted);
    if (t) text_map_put(&n->declared, t->name, n); // also one that doesn't fit: that is said once
    if (!t || !fits(n, t, dim, rank) || checkpoint_stored(t, &stored) != RX_OK)
        return (nn_weight){.param = build_poison(n->b)};
    nn_weight w = {.param = build_param(n->b, t->name, stored_ann(n, stored->type, stored->dim, stored->rank)),
                   .format = t->format};
    tensor_release(stored);
    return w;
}

// Decoding is part of the graph. Fusion merges it into the product that uses it (docs/fusion.md), so the values are
// never in memory as a whole.
const node *nn_weight_decoded(nn *n, const node *stored, nn_weight w) {
    if (w.format) {
        const named_attr format = {"format", attr_string(n->mem, w.format, strlen(w.format))};
        return nn_call(n, "rx.dequantize", &stored, 1, &format, 1);
    }
    if (node_is_poison(stored) || dtype_equal(stored->type->type, DTYPE_OF(F32))) return stored;
    const named_attr type = {"dtype", attr_dtype(n->mem, DTYPE_OF(F32))};
    return nn_call(n, "astype", &stored, 1, &type, 1);
}

const node *nn_weight_value(nn *n, nn_weight w) { return nn_weight_decoded(n, w.param, w); }

const node *nn_weight_rows(nn *n, nn_weight w, const node *rows) {
    return nn_weight_decoded(n, nn_take(n, w.param, rows), w);
}

const node *nn_constant(nn *n, const double *value, uint32_t count) {
    tensor *t;
    int64_t dim = count;
    if (tensor_new(DTYPE_OF(F32), 1, &dim, &t) != RX_OK)
        return diag_refused(n->d, RX_OUT_OF_MEMORY, "out of memory"), build_poison(n->b);
    for (uint32_t i = 0; i < count; i++) tensor_set_float(t, i, value[i]);
    const node *c = build_constant(n->b, t);
    tensor_release(t);
    return c;
}
