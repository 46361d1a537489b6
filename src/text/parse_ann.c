// parse_ann.c - annotations: R.Tensor((n, 4), dtype="float32"), R.Shape, R.Prim, R.Tuple, R.Callable, R.Object.
#include "base/count_noun.h"
#include "text/reader.h"
#include <string.h>

static const char *const names[] = {"Tensor", "DTensor", "Shape", "Prim", "Tuple", "Callable", "Object"};

bool is_ann_name(const char *name) {
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

const char *ann_name(uint32_t i) { return i < COUNT(names) ? names[i] : NULL; }

// ndim=-1 is TVM's "unknown".
static bool read_rank(reader *r, const value *v, int32_t *rank) {
    int64_t n = RANK_UNKNOWN;
    if (v && !to_int(r, v, &n, "ndim")) return false;
    if (n < RANK_UNKNOWN || n > 1000) return diag_error(r->d, v->at, "ndim: want -1 to 1000, got %lld", (long long)n);
    *rank = (int32_t)n;
    return true;
}

// The tensor over a shape-valued variable: R.Tensor(s, dtype="float32").
static const ann *tensor_of_shape(reader *r, const value *shape, dtype type) {
    const node *n = shape->as.n;
    if (n->op == &op_shape) return ann_tensor(r->mem, type, n->as.shape.dim, n->as.shape.rank);
    if (n->type->kind == ANN_SHAPE) return ann_tensor_shape_var(r->mem, type, n);
    diag_error(r->d, shape->at, "R.Tensor: want dims or a shape, got a value that is no shape");
    return NULL;
}

// From dims, from a value that is a shape, or from the rank alone.
static const ann *tensor_ann(reader *r, const value *shape, dtype type, int32_t rank, loc at) {
    const expr *const *dim;
    uint32_t dims;
    if (!shape || shape->kind == VAL_NONE) return ann_tensor_rank(r->mem, type, rank);
    if (shape->kind == VAL_NODE) return tensor_of_shape(r, shape, type);
    if (!to_dims(r, shape, &dim, &dims, "R.Tensor")) return NULL;
    if (rank == RANK_UNKNOWN || (uint32_t)rank == dims) return ann_tensor(r->mem, type, dim, dims);
    diag_error(r->d, at, "R.Tensor: %s, but ndim=%d", COUNTED(dims, "dim"), rank);
    return NULL;
}

// The device is kept as written: "cuda:0" refers to the module's global infos.
static const ann *with_device(reader *r, const ann *a, const value *device) {
    const char *name = to_string(r, device, "vdevice");
    ann *copy = ARENA_NEW(r->mem, ann, 1);
    if (!name) return NULL;
    *copy = *a;
    copy->device = name;
    return copy;
}

// R.Tensor("float32") alone: a string is a dtype, not dims.
static const ann *read_tensor(reader *r, arguments *a) {
    const value *shape = arg_at(a, 0, "shape"), *type = arg_at(a, 1, "dtype"), *device = arg_at(a, 2, "vdevice");
    const value *ndim = arg_at(a, 3, "ndim");
    dtype t = {0};
    int32_t rank;
    if (shape && shape->kind == VAL_STRING && !type) {
        type = shape;
        shape = NULL;
    }
    if ((type && !to_dtype(r, type, &t, "R.Tensor")) || !read_rank(r, ndim, &rank)) return NULL;
    const ann *result = tensor_ann(r, shape, t, rank, a->at);
    return result && device && device->kind != VAL_NONE ? with_device(r, result, device) : result;
}

// R.DTensor(shape, dtype, device_mesh, placement): a tensor whose parts lie on several machines. Both places are kept
// as they are written.
static const ann *read_spread_tensor(reader *r, arguments *a) {
    const value *shape = arg_need(r, a, 0, "shape"), *type = arg_need(r, a, 1, "dtype");
    const value *mesh = arg_need(r, a, 2, "device_mesh"), *placement = arg_need(r, a, 3, "placement");
    dtype t = {0};
    if (!shape || !type || !mesh || !placement || !to_dtype(r, type, &t, "R.DTensor")) return NULL;
    const ann *known = tensor_ann(r, shape, t, RANK_UNKNOWN, a->at);
    if (!known) return NULL;
    ann *spread = ARENA_NEW(r->mem, ann, 1);
    *spread = *known;
    spread->mesh = to_string(r, mesh, "device_mesh");
    spread->placement = to_string(r, placement, "placement");
    return spread->mesh && spread->placement ? spread : NULL;
}

// R.Shape([n, 4]), R.Shape(ndim=2), R.Shape.
static const ann *read_shape(reader *r, arguments *a) {
    const value *dims = arg_at(a, 0, "values"), *ndim = arg_at(a, 1, "ndim");
    const expr *const *dim;
    uint32_t count;
    int32_t rank;
    if (!read_rank(r, ndim, &rank)) return NULL;
    if (!dims || dims->kind == VAL_NONE) return ann_shape_rank(r->mem, rank);
    return to_dims(r, dims, &dim, &count, "R.Shape") ? ann_shape(r->mem, dim, count) : NULL;
}

// A value says its type; both must agree where both are written.
static const ann *read_prim(reader *r, arguments *a) {
    const value *type = arg_at(a, 0, "dtype"), *v = arg_at(a, 1, "value");
    dtype t = {0};
    if (type && !to_dtype(r, type, &t, "R.Prim")) return NULL;
    if (!type && !v) {
        diag_error(r->d, a->at, "R.Prim: want a dtype or value=");
        return NULL;
    }
    if (!v || v->kind == VAL_NONE) return ann_prim(r->mem, t, NULL);
    const expr *e = v->kind == VAL_STRING ? read_quoted_dim(r, v) : to_expr(r, v, type ? t : DTYPE_OF(I64), "R.Prim");
    if (!e) return NULL;
    if (!type || dtype_equal(e->type, t)) return ann_prim(r->mem, e->type, e);
    diag_error(r->d, a->at, "R.Prim: dtype and value have different types");
    return NULL;
}

// Scratch: the annotation copies them.
static const ann *const *read_fields(reader *r, const value *list, uint32_t count, const char *what) {
    const ann **field = ARENA_NEW(r->scratch, const ann *, count);
    for (uint32_t i = 0; i < count; i++)
        if (!(field[i] = to_ann(r, &list[i], what))) return NULL;
    return field;
}

// R.Tuple(a, b) and R.Tuple([a, b]).
static const ann *read_tuple(reader *r, arguments *a) {
    value_list list = {a->value, a->count};
    for (uint32_t i = 0; i < a->count; i++) arg_at(a, i, NULL);
    if (list.count == 1 && (list.at[0].kind == VAL_LIST || list.at[0].kind == VAL_TUPLE)) list = list.at[0].as.list;
    const ann *const *field = read_fields(r, list.at, list.count, "R.Tuple");
    return field ? ann_tuple(r->mem, field, list.count) : NULL;
}

static const ann *opaque_callable(reader *r, const ann *result, bool pure) {
    ann *a = ARENA_NEW(r->mem, ann, 1);
    *a = (ann){.kind = ANN_CALLABLE, .any_params = true, .result = result, .pure = pure, .rank = RANK_UNKNOWN};
    return a;
}

// Without parameters nothing is known of them, and the call may do anything: impure.
static const ann *read_callable(reader *r, arguments *a) {
    const value *params = arg_at(a, 0, "params"), *ret = arg_at(a, 1, "ret"), *purity = arg_at(a, 2, "purity");
    const ann *result = NULL;
    bool known = params && params->kind != VAL_NONE, pure = known;
    arg_at(a, 3, "derive_func");
    if (ret && ret->kind != VAL_NONE && !(result = to_ann(r, ret, "R.Callable"))) return NULL;
    if (purity && purity->kind != VAL_NONE && !to_bool(r, purity, &pure, "purity")) return NULL;
    if (!known) return opaque_callable(r, result, pure);
    value_list list = params->kind == VAL_TUPLE || params->kind == VAL_LIST ? params->as.list : (value_list){params, 1};
    const ann *const *param = read_fields(r, list.at, list.count, "R.Callable");
    return param ? ann_callable(r->mem, param, list.count, result, pure) : NULL;
}

// Also without brackets: R.Object, R.Tensor.
value ann_value(reader *r, const char *name, arguments *a) {
    const ann *result = NULL;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->value[i].kind == VAL_POISON) return poison_at(a->at);
    if (strcmp(name, "Tensor") == 0)
        result = read_tensor(r, a);
    else if (strcmp(name, "DTensor") == 0)
        result = read_spread_tensor(r, a);
    else if (strcmp(name, "Shape") == 0)
        result = read_shape(r, a);
    else if (strcmp(name, "Prim") == 0)
        result = read_prim(r, a);
    else if (strcmp(name, "Tuple") == 0)
        result = read_tuple(r, a);
    else if (strcmp(name, "Callable") == 0)
        result = read_callable(r, a);
    else
        result = ann_object();
    if (!result || !args_done(r, a)) return poison_at(a->at);
    return (value){.kind = VAL_ANN, .at = a->at, .as.a = result};
}

const ann *read_annotation(reader *r) {
    value v = read_expression(r);
    return r->failed || v.kind == VAL_POISON ? NULL : to_ann(r, &v, "annotation");
}
