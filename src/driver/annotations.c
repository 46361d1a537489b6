// annotations.c - annotations into the executable's table: what is checked, and which symbols get their values.
#include "driver/emit.h"
#include "exec/verify.h"
#include "ops/ops.h"
#include <string.h>

// One annotation on its way.
typedef struct writing {
    function_emission *f;
    bool binds;   // a first mention binds its symbol's slot
    bool is_size; // what is looked at is a dim
    bool open;    // a dim was left open
    loc at;
    uint32_t depth, nodes; // tuples around; all parts so far
} writing;

static uint32_t text_of(const writing *x, const char *s) { return exec_writer_string(x->f->e->w, s); }

// Can e be computed from symbols that have values?
static bool has_value(function_emission *f, const expr *e) {
    expr_list vars = {0};
    expr_free_vars(e, f->e->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (!map_has(&f->bound, MAP_KEY(vars.at[i]))) return false;
    return true;
}

static void bind(const writing *x, const expr *var) {
    map_put(&x->f->bound, MAP_KEY(var), x->f);
    VEC_PUSH(x->f->e->mem, &x->f->symbols, ((emitted_symbol){.var = var, .is_size = x->is_size}));
}

// A dim whose symbols have no values yet is left open: whoever binds them checks it afterwards (emit_match).
static bool write_dim(writing *x, const expr *dim, exec_dim *out) {
    const char *spelling = op_dim_text(x->f->e->mem, dim);
    *out = (exec_dim){.kind = DIM_ANY, .text = EXEC_NONE};
    if (dim->op == EXPR_VAR && !map_has(&x->f->bound, MAP_KEY(dim))) {
        if (!x->binds) return true;
        bind(x, dim);
        *out = (exec_dim){.kind = DIM_BIND, .index = slot_of(x->f, dim), .text = text_of(x, spelling)};
        return true;
    }
    if (!has_value(x->f, dim)) return x->open = true;
    out->kind = DIM_CHECK;
    out->text = text_of(x, spelling);
    return program_of(x->f, dim, x->at, &out->index);
}

static bool write_dims(writing *x, const ann *a, exec_annotation *out) {
    if (a->shape && !a->dim) { // R.Tensor(s): what s is known to be
        const char *of = a->shape->name ? a->shape->name : "a shape";
        a = a->shape->type;
        if (x->binds && !a->dim && a->rank != 0)
            return diag_error(x->f->e->d, x->at,
                              "%s: whether a tensor has the shape %s can't be checked: its dims are not known; name "
                              "them, as in R.match_cast(%s, R.Shape([\"a\", \"b\"]))",
                              x->f->f->name, of, of);
    }
    out->rank = a->rank;
    if (!a->dim) return true;
    out->dims = (uint32_t)a->rank;
    exec_dim *dim = ARENA_NEW(x->f->e->mem, exec_dim, out->dims);
    out->dim = dim;
    x->is_size = true;
    for (uint32_t i = 0; i < out->dims; i++)
        if (!write_dim(x, a->dim[i], &dim[i])) return false;
    return true;
}

static bool write_value(writing *x, const ann *a, exec_annotation *out) {
    if (!a->value || !expr_is_index(a->value)) return true;
    exec_dim *dim = ARENA_NEW(x->f->e->mem, exec_dim, 1);
    out->dims = 1;
    out->dim = dim;
    x->is_size = false;
    return write_dim(x, a->value, dim);
}

static bool write(writing *x, const ann *a, uint32_t *out);

static bool write_fields(writing *x, const ann *const *field, uint32_t count, const ann *last, exec_annotation *out) {
    if (x->depth == EXEC_MAX_ANNOTATION_DEPTH || (x->nodes += count) >= EXEC_MAX_ANNOTATION_NODES)
        return diag_error(
            x->f->e->d, x->at,
            "%s: a tuple is nested more than %d deep or has more than %d parts in all: a file has no room "
            "for it; return and pass flatter ones",
            x->f->f->name, EXEC_MAX_ANNOTATION_DEPTH, EXEC_MAX_ANNOTATION_NODES);
    x->depth++;
    uint32_t *list = ARENA_NEW(x->f->e->mem, uint32_t, count + 1);
    out->field = list;
    out->fields = count + (last != NULL);
    for (uint32_t i = 0; i < count; i++)
        if (!write(x, field[i], &list[i])) return false;
    bool ok = !last || write(x, last, &list[count]);
    x->depth--;
    return ok;
}

// The machine checks of a function only that it is one: its symbols are its own.
static bool write_callable(writing *x, exec_annotation *out) { return write_fields(x, NULL, 0, ann_object(), out); }

// "llvm:0": a file is for one device, the processor.
static bool is_reachable(const writing *x, const ann *a) {
    static const char *const reachable[] = {"llvm", "c", "cpu"};
    if (!a->device) return true;
    size_t size = strcspn(a->device, ":");
    for (size_t i = 0; i < COUNT(reachable); i++)
        if (strlen(reachable[i]) == size && memcmp(a->device, reachable[i], size) == 0) return true;
    return diag_error(x->f->e->d, x->at,
                      "%s: a tensor is said to be on %s, but a file is for one device: the processor "
                      "(llvm); leave the device out",
                      x->f->f->name, a->device);
}

static bool write(writing *x, const ann *a, uint32_t *out) {
    x->nodes += a->rank > 0 && a->dim ? (uint32_t)a->rank : 0;
    exec_annotation entry = {.type = a->type, .rank = RANK_UNKNOWN};
    entry.text = text_of(x, ann_to_text(x->f->e->mem, a));
    bool ok = true;
    switch (a->kind) {
    case ANN_OBJECT: entry.kind = ANNOTATION_OBJECT; break;
    case ANN_PRIM:
        entry.kind = ANNOTATION_PRIM;
        ok = write_value(x, a, &entry);
        break;
    case ANN_SHAPE:
        entry.kind = ANNOTATION_SHAPE;
        ok = write_dims(x, a, &entry);
        break;
    case ANN_TENSOR:
        entry.kind = ANNOTATION_TENSOR;
        ok = is_reachable(x, a) && write_dims(x, a, &entry);
        break;
    case ANN_TUPLE:
        entry.kind = ANNOTATION_TUPLE;
        ok = write_fields(x, a->field, a->count, NULL, &entry);
        break;
    case ANN_CALLABLE:
        entry.kind = ANNOTATION_CALLABLE;
        ok = write_callable(x, &entry);
        break;
    }
    *out = ok ? exec_writer_annotation(x->f->e->w, &entry) : 0;
    return ok;
}

bool annotation_of(function_emission *f, const ann *a, bool binds, loc at, uint32_t *out, bool *open) {
    writing x = {.f = f, .binds = binds, .at = at};
    bool ok = write(&x, a, out);
    *open = x.open;
    return ok;
}

bool emit_match(function_emission *f, uint32_t reg, const ann *a, const char *name, loc at) {
    // A second time where a dim stands before the one that binds its symbol: (n + 1, n).
    for (int times = 0; times < 2; times++) {
        uint32_t annotation;
        bool open;
        if (!annotation_of(f, a, true, at, &annotation, &open)) return false;
        instruction(f, OP_MATCH);
        operand(f, reg);
        operand(f, annotation);
        operand(f, text_constant(f, name, strlen(name)));
        if (!open) return true;
    }
    return diag_error(f->e->d, at, "%s: %s: a dim of %s needs a symbol that nothing gives a value to", f->f->name, name,
                      ann_to_text(f->e->mem, a));
}

const ann *dims_of(function_emission *f, const node *n, uint32_t reg) {
    const ann *a = n->type;
    if (a->kind != ANN_TENSOR || a->dim || a->rank == 0) return a;
    if (a->rank == RANK_UNKNOWN) {
        diag_error(f->e->d, n->at, "%s: how many dims %s has is not known; say so with R.match_cast", f->f->name,
                   n->name ? n->name : "an argument");
        return NULL;
    }
    const expr **dim = ARENA_NEW(f->e->mem, const expr *, (size_t)a->rank);
    for (int32_t i = 0; i < a->rank; i++) {
        const char *name = arena_format(f->e->mem, "%s_%d", n->name ? n->name : "dim", i);
        dim[i] = expr_new_var(f->e->m->exprs, name, DTYPE_OF(I64));
    }
    const ann *known = ann_tensor(f->e->mem, a->type, dim, (uint32_t)a->rank);
    return emit_match(f, reg, known, n->name ? n->name : "argument", n->at) ? known : NULL;
}
