// weights.c - tensors of an .npz file or a checkpoint to the weight table, by the names of parameters.
//
// A weight that is used as it is has its bytes in the file of weights until they are written. Weights that a function
// computes from others (LiftTransformParams) are filled in while the output is written, one after the other.
#include "driver/weights.h"
#include "base/count_noun.h"
#include "base/size.h"
#include "checkpoint/npz.h"
#include "ops/ops.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weight_file {
    arena *mem;
    const char *path;
    npz *archive;          // or
    checkpoint *mapped;    // the other is NULL
    VEC(tensor *) tensors; // released at the end
};

void weights_close(weight_file *w) {
    if (!w) return;
    for (uint32_t i = 0; i < w->tensors.len; i++) tensor_release(w->tensors.at[i]);
    npz_close(w->archive);
    checkpoint_close(w->mapped);
    arena_free(w->mem);
}

weight_file *weights_open(const char *path, diag *d) {
    char why[FILE_WHY];
    arena *mem = arena_new();
    weight_file *w = ARENA_NEW(mem, weight_file, 1);
    w->mem = mem;
    w->path = arena_copy(mem, path, strlen(path));
    rx_status status = checkpoint_is(path) ? checkpoint_open(path, &w->mapped, why) : npz_open(path, &w->archive, why);
    if (status == RX_OK) return w;
    diag_refused(d, status, "%s", why);
    weights_close(w);
    return NULL;
}

const checkpoint *weights_checkpoint(const weight_file *w) { return w->mapped; }

// --- Names.

static size_t count_of(const weight_file *w) { return w->mapped ? checkpoint_count(w->mapped) : npz_count(w->archive); }

static bool in_file(const weight_file *w, const char *name) {
    if (w->mapped) return checkpoint_find(w->mapped, name) != NULL;
    for (size_t i = 0; i < npz_count(w->archive); i++)
        if (strcmp(npz_name(w->archive, i), name) == 0) return true;
    return false;
}

// --- Checking.

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

// The tensor of a name that is in the file: a new reference. Mapped ones are not copied.
static rx_status read_tensor(const weight_file *w, const char *name, tensor **out, char why[FILE_WHY]) {
    if (!w->mapped) return npz_read(w->archive, name, out, why);
    rx_status status = checkpoint_stored(checkpoint_find(w->mapped, name), out);
    if (status != RX_OK) why_fail(why, status, "%s: %s: %s", w->path, name, rx_status_name(status));
    return status;
}

static bool check_param(const weight_file *w, module *m, const graph_func *f, const node *param, diag *d) {
    char why[FILE_WHY];
    tensor *t;
    if (read_tensor(w, param->name, &t, why) != RX_OK) return diag_error(d, (loc){0}, "%s", why);
    bool ok = fits(m->exprs, param->type, t) ||
              diag_error(d, param->at, "%s: parameter %s is %s, but %s has %s", f->name, param->name,
                         ann_to_text(m->mem, param->type), w->path, shape_text(m->mem, t));
    tensor_release(t);
    return ok;
}

// --- Before the pipeline.

static uint32_t first_weight(const graph_func *f) {
    int64_t inputs;
    bool stated = attr_get_int(attr_find(f->attrs, "num_input"), &inputs);
    return stated && inputs >= 0 && inputs <= f->params ? (uint32_t)inputs : 0;
}

static bool announce_in(const weight_file *w, module *m, graph_func *f, bool lift, uint32_t *found, diag *d) {
    VEC(const attr *) names = {0};
    for (uint32_t i = first_weight(f); i < f->params; i++) {
        const node *p = f->param[i];
        if (!in_file(w, p->name)) continue;
        if (!check_param(w, m, f, p, d)) return false;
        VEC_PUSH(m->mem, &names, attr_string(m->mem, p->name, strlen(p->name)));
    }
    *found += names.len;
    if (names.len && lift)
        f->attrs = attr_with(m->mem, f->attrs, "rx.bound_weights", attr_list(m->mem, names.at, names.len));
    return true;
}

bool weights_announce(weight_file *w, module *m, bool lift, diag *d) {
    func_list list = {0};
    uint32_t found = 0;
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++)
        if (!list.at[i]->is_private && !announce_in(w, m, list.at[i], lift, &found, d)) return false;
    return found || diag_error(d, (loc){0}, "%s: none of its %s has the name of a parameter", w->path,
                               COUNTED(count_of(w), "tensor"));
}

// --- The weight table.

static void note(emission *e, const graph_func *f, const char *param, uint32_t index, bool waits) {
    bound_weight *b = ARENA_NEW(e->mem, bound_weight, 1);
    *b = (bound_weight){.name = param, .index = index, .waits = waits};
    text_map_put(&e->weights, arena_format(e->mem, "%s.%s", f->name, param), b);
}

// A weight as it is in the file. Functions that name the same one share it.
static bool bind_direct(emission *e, weight_file *w, text_map *shared, const graph_func *f, const node *param) {
    char why[FILE_WHY];
    tensor *t;
    uintptr_t known = (uintptr_t)text_map_find(shared, param->name);
    if (known) return note(e, f, param->name, (uint32_t)(known - 1), false), true;
    if (read_tensor(w, param->name, &t, why) != RX_OK) return diag_error(e->d, (loc){0}, "%s", why);
    VEC_PUSH(w->mem, &w->tensors, t);
    const exec_weight row = {.name = exec_writer_string(e->w, param->name),
                             .type = t->type,
                             .dims = t->rank,
                             .dim = t->dim,
                             .layout = exec_writer_string(e->w, ""),
                             .bytes = t->bytes,
                             .data = t->data};
    uint32_t index = exec_writer_weight(e->w, &row);
    text_map_put(shared, param->name, (void *)(uintptr_t)(index + 1));
    note(e, f, param->name, index, false);
    return true;
}

// A weight that a transformation gives: what is known of it is its annotation.
static bool bind_waiting(emission *e, text_map *taken, const graph_func *f, const node *param, const char *name) {
    const ann *a = param->type;
    if (text_map_find(taken, name)) name = arena_format(e->mem, "%s.%s", f->name, param->name);
    int64_t *dim = ARENA_NEW(e->mem, int64_t, TENSOR_MAX_RANK), count = 1;
    size_t bytes = 0;
    bool known = a->kind == ANN_TENSOR && a->rank >= 0 && a->rank <= TENSOR_MAX_RANK;
    for (int32_t i = 0; known && i < a->rank; i++)
        known = a->dim && expr_const_int(a->dim[i], &dim[i]) && int_mul(count, dim[i], &count);
    if (!known || !dtype_bytes(a->type, count, &bytes))
        return diag_error(e->d, param->at, "%s: the shape of weight %s is not known when the file is written", f->name,
                          param->name);
    const exec_weight row = {.name = exec_writer_string(e->w, name),
                             .type = a->type,
                             .dims = (uint32_t)a->rank,
                             .dim = dim,
                             .layout = exec_writer_string(e->w, ""),
                             .bytes = bytes};
    text_map_put(taken, name, e);
    note(e, f, param->name, exec_writer_weight(e->w, &row), true);
    return true;
}

// --- What a transformation gives, in the order it does: the numbers of its results.

static const graph_func *transform_of(const emission *e, const graph_func *f) {
    const attr *name = attr_find(f->attrs, "rx.transformed_by");
    const module_func *t = name ? module_find(e->m, name->as.text) : NULL;
    return t ? t->graph : NULL;
}

typedef VEC(uint32_t) number_list;

static void list_results(const emission *e, const graph_func *transform, number_list *out) {
    node_list nodes = {0};
    graph_nodes(transform, e->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        int64_t number;
        bool call = n->op == &op_call_packed && n->count == 3 && n->in[0]->op->form == FORM_EXTERN;
        if (call && strcmp(n->in[0]->as.text.bytes, "set_item") == 0 && n->in[1]->type->value &&
            expr_const_int(n->in[1]->type->value, &number))
            VEC_PUSH(e->mem, out, (uint32_t)number);
    }
}

static bool bind_transformed(emission *e, text_map *taken, const graph_func *f, const graph_func *transform) {
    number_list results = {0};
    const attr *names = attr_find(transform->attrs, "rx.made");
    list_results(e, transform, &results);
    for (uint32_t i = 0; i < results.len; i++) {
        uint32_t number = results.at[i];
        const node *param = f->param[f->params - results.len + number];
        const char *name = names && number < names->count ? names->list[number]->as.text : param->name;
        if (!bind_waiting(e, taken, f, param, name)) return false;
    }
    return true;
}

static bool is_transform(const graph_func *f) { return attr_is_true(f->attrs, "rx.transform"); }

// Transformations are no part of the file, nor is what they alone call.
static text_map *reachable(const emission *e, bool transforms) {
    text_map *names = ARENA_NEW(e->mem, text_map, 1);
    func_list list = {0};
    *names = TEXT_MAP_IN(e->mem);
    graph_functions(e->m, &list);
    for (uint32_t i = 0; i < list.len; i++)
        if (!list.at[i]->is_private && is_transform(list.at[i]) == transforms)
            text_map_put(names, list.at[i]->name, list.at[i]);
    reach_functions(e->m, names);
    return names;
}

bool weights_bind(emission *e, weight_file *w) {
    text_map shared = TEXT_MAP_IN(e->mem);
    func_list list = {0};
    e->only = reachable(e, false);
    graph_functions(e->m, &list);
    for (uint32_t i = 0; w && i < list.len; i++) {
        const graph_func *f = list.at[i], *transform = transform_of(e, f);
        if (f->is_private || is_transform(f) || attr_find(f->attrs, "rx.made_for")) continue;
        for (uint32_t p = first_weight(f); !transform && p < f->params; p++)
            if (in_file(w, f->param[p]->name) && !bind_direct(e, w, &shared, f, f->param[p])) return false;
        if (transform && !bind_transformed(e, &shared, f, transform)) return false;
    }
    return true;
}

void weights_share(emission *e) { e->only = reachable(e, false); }

bool weights_wait(const emission *e) {
    for (uint32_t i = 0; i < e->weights.len; i++)
        if (((const bound_weight *)e->weights.entry[i].value)->waits) return true;
    return false;
}

// --- Running transformations.

typedef struct transforming {
    emission *e; // of the file that is written
    weight_file *w;
    const driver_options *o;
    const graph_func *f, *transform;
    uint32_t results;
    size_t read;            // bytes of weights since their memory was given back last
    char fault[DRIVER_WHY]; // why a weight could not be read or written; else it is the program that failed
} transforming;

// Weights that were read stay in memory until it is given back.
static void forget_weights(transforming *x, size_t more) {
    if (x->w->mapped && x->read > WEIGHTS_IN_MEMORY) {
        checkpoint_forget(x->w->mapped);
        x->read = 0;
    }
    x->read += more;
}

static bool find_weight(transforming *x, uint32_t index, tensor **out, char *why) {
    const attr *names = attr_find(x->transform->attrs, "rx.weights");
    if (index >= names->count) return why_fail(why, RX_INVALID_ARGUMENT, "no weight %u", index), false;
    if (read_tensor(x->w, names->list[index]->as.text, out, why) != RX_OK) return false;
    forget_weights(x, (*out)->bytes);
    return true;
}

static bool get_weight(void *user, uint32_t index, tensor **out, char *why) {
    transforming *x = user;
    bool ok = find_weight(x, index, out, why);
    if (!ok) snprintf(x->fault, sizeof x->fault, "%s", why);
    return ok;
}

static bool put_weight(const transforming *x, uint32_t index, const tensor *t, char *why) {
    uint8_t *at;
    if (x->o->interrupted && x->o->interrupted(x->o->progress_user))
        return why_fail(why, RX_CANCELLED, "interrupted"), false;
    if (index >= x->results) return why_fail(why, RX_INVALID_ARGUMENT, "no result %u", index), false;
    const node *param = x->f->param[x->f->params - x->results + index];
    const bound_weight *b = text_map_find(&x->e->weights, arena_format(x->e->mem, "%s.%s", x->f->name, param->name));
    if (!fits(x->e->m->exprs, param->type, t))
        return why_fail(why, RX_INTERNAL, "%s came out as %s", param->name, shape_text(x->e->mem, t)), false;
    if (exec_writer_map_weight(x->e->w, b->index, &at) != RX_OK)
        return why_fail(why, RX_IO, "%s", exec_writer_why(x->e->w)), false;
    if (t->bytes) memcpy(at, t->data, t->bytes);
    if (x->o->progress) x->o->progress(x->o->progress_user, "weights", (index + 1.0) / x->results);
    return true;
}

static bool set_weight(void *user, uint32_t index, const tensor *t, char *why) {
    transforming *x = user;
    bool ok = put_weight(x, index, t, why);
    if (!ok) snprintf(x->fault, sizeof x->fault, "%s", why);
    return ok;
}

static bool run_transforms(emission *e, weight_file *w, const driver_options *o, const uint8_t *bytes, size_t size) {
    func_list list = {0};
    graph_functions(e->m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        transforming x = {.e = e, .w = w, .o = o, .f = list.at[i], .transform = transform_of(e, list.at[i])};
        number_list results = {0};
        char why[DRIVER_WHY];
        if (!x.transform) continue;
        list_results(e, x.transform, &results);
        x.results = results.len;
        const driver_items items = {.user = &x, .get = get_weight, .set = set_weight};
        if (!o->run(bytes, size, x.transform->name, &items, why))
            return diag_error(e->d, (loc){0}, *x.fault ? "%s" : "transforming the weights: %s",
                              *x.fault ? x.fault : why);
    }
    return true;
}

bool weights_transform(emission *e, weight_file *w, const driver_options *o) {
    char why[256], exec_why[EXEC_WHY];
    const arch *host = arch_parse(e->mem, "cpu:host", why);
    emission t = emission_open(e->m, e->d), *only = &t;
    stage_clock clock = {0};
    target_linker *linker = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (!host) return diag_error(e->d, (loc){0}, "%s", why);
    bool ok = t.w != NULL || diag_refused(e->d, RX_OUT_OF_MEMORY, "out of memory");
    t.only = reachable(e, true);
    ok = ok && emit_module(&t) && kernels_compile(&only, o, &host, 1, &linker, &clock);
    target_linker_free(linker);
    if (ok && exec_writer_bytes(t.w, &bytes, &size, exec_why) != RX_OK) ok = diag_error(e->d, (loc){0}, "%s", exec_why);
    ok = ok && run_transforms(e, w, o, bytes, size);
    free(bytes);
    exec_writer_free(t.w);
    return ok;
}
