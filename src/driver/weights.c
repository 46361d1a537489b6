// weights.c - tensors of an .npz or .safetensors file to the weight table, by the names of parameters.
#include "driver/weights.h"
#include "checkpoint/npz.h"
#include "checkpoint/safetensors.h"
#include <string.h>

struct weight_file {
    arena *mem;
    npz *archive;          // or
    safetensors *mapped;   // the other is NULL
    VEC(tensor *) tensors; // released at the end
};

void weights_close(weight_file *w) {
    if (!w) return;
    for (uint32_t i = 0; i < w->tensors.len; i++) tensor_release(w->tensors.at[i]);
    npz_close(w->archive);
    safetensors_close(w->mapped);
    arena_free(w->mem);
}

static weight_file *open_file(const char *path, diag *d) {
    char why[FILE_WHY];
    arena *mem = arena_new();
    weight_file *w = ARENA_NEW(mem, weight_file, 1);
    w->mem = mem;
    rx_status status =
        text_ends(path, ".safetensors") ? safetensors_open(path, &w->mapped, why) : npz_open(path, &w->archive, why);
    if (status == RX_OK) return w;
    diag_error(d, (loc){0}, "%s", why);
    weights_close(w);
    return NULL;
}

// --- Names.

static size_t count_of(const weight_file *w) {
    return w->mapped ? safetensors_count(w->mapped) : npz_count(w->archive);
}

static bool in_file(const weight_file *w, const char *name) {
    if (w->mapped) return safetensors_find(w->mapped, name) != NULL;
    for (size_t i = 0; i < npz_count(w->archive); i++)
        if (strcmp(npz_name(w->archive, i), name) == 0) return true;
    return false;
}

// --- One weight.

static const char *shape_text(arena *mem, const tensor *t) {
    char type[32];
    text out = TEXT_IN(mem);
    text_format(&out, "%s (", dtype_spell(t->type, type));
    for (uint32_t i = 0; i < t->rank; i++) text_format(&out, i ? ", %lld" : "%lld", (long long)t->dim[i]);
    text_put(&out, t->rank == 1 ? ",)" : ")");
    return text_get(&out);
}

static bool fits(expr_session *s, const ann *a, const tensor *t) {
    if (a->kind != ANN_TENSOR) return a->kind == ANN_OBJECT;
    if (a->type.kind != DTYPE_VOID && !dtype_equal(a->type, t->type)) return false;
    if (a->rank != RANK_UNKNOWN && (uint32_t)a->rank != t->rank) return false;
    for (uint32_t i = 0; a->dim && i < t->rank; i++)
        if (!prove_equal(s, a->dim[i], expr_i64(s, t->dim[i]), NULL)) return false;
    return true;
}

// The tensor of a name that is in the file. Mapped ones are not copied.
static rx_status read_tensor(weight_file *w, const char *name, tensor **out, char why[FILE_WHY]) {
    if (!w->mapped) return npz_read(w->archive, name, out, why);
    const safetensors_entry *e = safetensors_find(w->mapped, name);
    rx_status status = tensor_wrap(e->type, e->rank, e->dim, (void *)(uintptr_t)e->data, NULL, NULL, out);
    if (status != RX_OK) npy_fail(why, status, "%s: %s", name, rx_status_name(status));
    return status;
}

static bool add_weight(emission *e, weight_file *w, const graph_func *f, const node *param, const char *path) {
    char why[FILE_WHY];
    tensor *t;
    if (read_tensor(w, param->name, &t, why) != RX_OK) return diag_error(e->d, (loc){0}, "%s: %s", path, why);
    VEC_PUSH(w->mem, &w->tensors, t);
    if (!fits(e->m->exprs, param->type, t))
        return diag_error(e->d, param->at, "%s: parameter %s is %s, but %s has %s", f->name, param->name,
                          ann_to_text(e->mem, param->type), path, shape_text(e->mem, t));
    const exec_weight row = {.name = exec_writer_string(e->w, param->name),
                             .type = t->type,
                             .dims = t->rank,
                             .dim = t->dim,
                             .layout = exec_writer_string(e->w, ""),
                             .bytes = t->bytes,
                             .data = t->data};
    bound_weight *bound = ARENA_NEW(e->mem, bound_weight, 1);
    *bound = (bound_weight){.name = param->name, .value = t, .index = exec_writer_weight(e->w, &row)};
    text_map_put(&e->weights, param->name, bound);
    return true;
}

// --- All of them.

static uint32_t first_weight(const graph_func *f) {
    int64_t inputs;
    bool stated = attr_get_int(attr_find(f->attrs, "num_input"), &inputs);
    return stated && inputs >= 0 && inputs <= f->params ? (uint32_t)inputs : 0;
}

static bool bind_function(emission *e, weight_file *w, const graph_func *f, const char *path) {
    for (uint32_t i = first_weight(f); i < f->params; i++) {
        const node *p = f->param[i];
        const bound_weight *known = text_map_find(&e->weights, p->name);
        if (known && !fits(e->m->exprs, p->type, known->value))
            return diag_error(e->d, p->at, "%s: parameter %s is %s, but %s has %s", f->name, p->name,
                              ann_to_text(e->mem, p->type), path, shape_text(e->mem, known->value));
        if (known || !in_file(w, p->name)) continue;
        if (!add_weight(e, w, f, p, path)) return false;
    }
    return true;
}

bool weights_bind(emission *e, const char *path, weight_file **out) {
    func_list list = {0};
    *out = open_file(path, e->d);
    if (!*out) return false;
    graph_functions(e->m, &list);
    for (uint32_t i = 0; i < list.len; i++)
        if (!list.at[i]->is_private && !bind_function(e, *out, list.at[i], path)) return false;
    return e->weights.len ||
           diag_error(e->d, (loc){0}, "%s: none of its %zu tensors has the name of a parameter", path, count_of(*out));
}
