// host_vm.c - what lowered modules call of the virtual machine: shapes in a heap of integers, checks, views.
//
// Names and codes are those that TVM's VMShapeLower pass prints.
#include "base/count_noun.h"
#include "interp/builtin_op.h"
#include "interp/host.h"
#include <stdlib.h>
#include <string.h>

// With the name the module calls the function by.
bool host_fail(const host_call *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    diag_error(c->r->d, c->at, "%s: %s", c->name, arena_vformat(c->r->mem, format, args));
    va_end(args);
    return false;
}

// --- Arguments.

// A number, or an integer tensor without dims.
static bool int_at(const host_call *c, uint32_t i, int64_t *out) {
    if (i < c->count && value_number(&c->arg[i], out)) return true;
    return host_fail(c, "want a whole number as argument %u", i + 1);
}

static bool kind_at(const host_call *c, uint32_t i, value_kind kind) {
    value want = {.kind = kind};
    if (i < c->count && c->arg[i].kind == kind) return true;
    return host_fail(c, "want %s as argument %u, got %s", value_describe(&want), i + 1,
                     i < c->count ? value_describe(&c->arg[i]) : "none");
}

// What lowering says of the place: "ErrorContext(fn=main, loc=param[0], …)", the last argument.
static const char *context(const host_call *c) {
    const value *last = c->count ? &c->arg[c->count - 1] : NULL;
    return last && last->kind == VALUE_STRING ? last->as.text.bytes : "";
}

// Makers return a null value when memory ran out.
static bool got(const host_call *c, value v, value *result) {
    *result = v;
    return v.kind != VALUE_NULL || host_fail(c, "no memory");
}

// What has no result returns an empty tuple, as in TVM.
static bool nothing(const host_call *c, value *result) { return got(c, value_of_tuple(NULL, 0), result); }

static bool dims_of(const host_call *c, uint32_t i, const int64_t **dim, uint32_t *rank) {
    const value *v = i < c->count ? &c->arg[i] : NULL;
    if (v && v->kind == VALUE_TENSOR) return *dim = v->as.tensor->dim, *rank = v->as.tensor->rank, true;
    if (v && v->kind == VALUE_SHAPE) return *dim = v->as.shape.dim, *rank = v->as.shape.rank, true;
    return host_fail(c, "want a tensor or a shape as argument %u", i + 1);
}

// --- The heap.

// The heap is an int64 tensor; loop programs (shape_func) compute in it as well.
static bool heap_slot(const host_call *c, uint32_t heap, int64_t at) {
    if (!kind_at(c, heap, VALUE_TENSOR)) return false;
    const tensor *t = c->arg[heap].as.tensor;
    bool fits = t->type.kind == DTYPE_I64 && t->rank == 1 && at >= 0 && at < t->dim[0];
    return fits || host_fail(c, "the heap has no number %lld", (long long)at);
}

static bool alloc_shape_heap(const host_call *c, value *result) {
    int64_t size;
    tensor *t;
    if (!int_at(c, 0, &size)) return false;
    if (size < 0 || size > 1 << 20 || tensor_new(DTYPE_OF(I64), 1, &size, &t) != RX_OK)
        return host_fail(c, "can't make a heap of %s", COUNTED(size, "number"));
    return got(c, value_of_tensor(t), result);
}

typedef enum match_code { MATCH_CONSTANT, MATCH_STORE, MATCH_NOTHING, MATCH_HEAP } match_code;

// One pair (code, number): compare, store, leave, or compare with what was stored.
static bool match_dim(const host_call *c, uint32_t i, int64_t dim, uint32_t which) {
    int64_t how, want;
    if (!int_at(c, i, &how) || !int_at(c, i + 1, &want)) return false;
    if (how == MATCH_NOTHING) return true;
    if (how == MATCH_STORE || how == MATCH_HEAP) {
        if (!heap_slot(c, 1, want)) return false;
        if (how == MATCH_STORE) return tensor_set_int(c->arg[1].as.tensor, (size_t)want, dim), true;
        want = tensor_get_int(c->arg[1].as.tensor, (size_t)want);
    }
    return want == dim ||
           host_fail(c, "%sdimension %u is %lld, want %lld", context(c), which, (long long)dim, (long long)want);
}

// value, heap, rank, (code, number) per dim, context
static bool match_shape(const host_call *c, value *result) {
    const int64_t *dim = NULL;
    uint32_t rank = 0;
    int64_t want;
    if (!dims_of(c, 0, &dim, &rank) || !int_at(c, 2, &want)) return false;
    if (want != rank) return host_fail(c, "%s%s, want %lld", context(c), COUNTED(rank, "dim"), (long long)want);
    for (uint32_t i = 0; i < rank; i++)
        if (!match_dim(c, 3 + 2 * i, dim[i], i)) return false;
    return nothing(c, result);
}

// A scalar is matched like one dim.
static bool match_prim_value(const host_call *c, value *result) {
    int64_t number;
    if (!int_at(c, 0, &number) || !match_dim(c, 2, number, 0)) return false;
    return nothing(c, result);
}

// A pair (from the heap?, number).
static bool made_number(const host_call *c, uint32_t i, int64_t *out) {
    int64_t how, number;
    if (!int_at(c, i, &how) || !int_at(c, i + 1, &number)) return false;
    if (how == 0) return *out = number, true;
    if (!heap_slot(c, 0, number)) return false;
    return *out = tensor_get_int(c->arg[0].as.tensor, (size_t)number), true;
}

// heap, rank, (from the heap?, number) per dim
static bool make_shape(const host_call *c, value *result) {
    int64_t rank, dim[TENSOR_MAX_RANK];
    if (!int_at(c, 1, &rank)) return false;
    if (rank < 0 || rank > TENSOR_MAX_RANK) return host_fail(c, "a shape of %s", COUNTED(rank, "dim"));
    for (uint32_t i = 0; i < rank; i++)
        if (!made_number(c, 2 + 2 * i, &dim[i])) return false;
    return got(c, value_of_shape(dim, (uint32_t)rank), result);
}

static bool make_prim_value(const host_call *c, value *result) {
    int64_t number;
    return made_number(c, 1, &number) && got(c, value_of_int(DTYPE_OF(I64), number), result);
}

// --- Checks.

// A rank of -1 and a void dtype mean that nothing is known.
static bool check_tensor_info(const host_call *c, value *result) {
    int64_t rank;
    char a[32], b[32];
    if (!kind_at(c, 0, VALUE_TENSOR) || !int_at(c, 1, &rank) || !kind_at(c, 2, VALUE_DTYPE)) return false;
    const tensor *t = c->arg[0].as.tensor;
    if (rank >= 0 && rank != t->rank)
        return host_fail(c, "%s%s, want %lld", context(c), COUNTED(t->rank, "dim"), (long long)rank);
    dtype want = c->arg[2].as.type;
    if (want.kind != DTYPE_VOID && !dtype_equal(want, t->type))
        return host_fail(c, "%s%s, want %s", context(c), dtype_spell(t->type, a), dtype_spell(want, b));
    return nothing(c, result);
}

static bool check_shape_info(const host_call *c, value *result) {
    int64_t rank;
    if (!kind_at(c, 0, VALUE_SHAPE) || !int_at(c, 1, &rank)) return false;
    if (rank >= 0 && rank != c->arg[0].as.shape.rank)
        return host_fail(c, "%s%s, want %lld", context(c), COUNTED(c->arg[0].as.shape.rank, "dim"), (long long)rank);
    return nothing(c, result);
}

static bool check_prim_value_info(const host_call *c, value *result) {
    return kind_at(c, 0, VALUE_PRIM) && nothing(c, result);
}

static bool check_tuple_info(const host_call *c, value *result) {
    int64_t count;
    if (!kind_at(c, 0, VALUE_TUPLE) || !int_at(c, 1, &count)) return false;
    if (count != c->arg[0].as.tuple.count)
        return host_fail(c, "%s%s, want %lld", context(c), COUNTED(c->arg[0].as.tuple.count, "field"),
                         (long long)count);
    return nothing(c, result);
}

static bool check_func_info(const host_call *c, value *result) {
    return kind_at(c, 0, VALUE_FUNC) && nothing(c, result);
}

// --- Calls.

// The last argument, a shape, becomes whole numbers at the end.
static bool call_tir_dyn(const host_call *c, value *result) {
    if (!kind_at(c, 0, VALUE_FUNC) || !kind_at(c, c->count - 1, VALUE_SHAPE)) return false;
    const value *shape = &c->arg[c->count - 1];
    uint32_t plain = c->count - 2, rank = shape->as.shape.rank;
    value *arg = calloc(plain + rank + 1, sizeof *arg);
    if (!arg) return host_fail(c, "no memory");
    memcpy(arg, c->arg + 1, plain * sizeof *arg);
    for (uint32_t i = 0; i < rank; i++) arg[plain + i] = value_of_int(DTYPE_OF(I64), shape->as.shape.dim[i]);
    bool done = interp_call(c->r, &c->arg[0], arg, plain + rank, result, c->at);
    free(arg);
    return done;
}

// The interpreter caches nothing: each run of a function allocates anew.
static bool get_cached_alloc(const host_call *c, value *result) {
    return kind_at(c, 0, VALUE_FUNC) && interp_call(c->r, &c->arg[0], NULL, 0, result, c->at);
}

// Capturing is running.
static bool run_or_capture(const host_call *c, value *result) {
    if (!kind_at(c, 0, VALUE_FUNC) || !kind_at(c, 1, VALUE_TUPLE)) return false;
    const value *args = &c->arg[1];
    return interp_call(c->r, &c->arg[0], args->as.tuple.item, args->as.tuple.count, result, c->at);
}

static bool invoke_closure(const host_call *c, value *result) {
    return kind_at(c, 0, VALUE_FUNC) && interp_call(c->r, &c->arg[0], c->arg + 1, c->count - 1, result, c->at);
}

static void release_bound(interp_closure *c) { value_drop(&c->bound); }

// vm.builtin.make_closure(f, captured...): f's last parameters are what is captured.
static bool make_closure(const host_call *c, value *result) {
    if (!kind_at(c, 0, VALUE_FUNC)) return false;
    interp_closure made = *c->arg[0].as.func;
    if (made.captures) return host_fail(c, "want a function of the module");
    value *item = calloc(c->count, sizeof *item);
    if (!item) return host_fail(c, "no memory");
    for (uint32_t i = 1; i < c->count; i++) item[i - 1] = value_keep(c->arg[i]);
    bool done = got(c, value_of_tuple(item, c->count - 1), &made.bound);
    free(item);
    return done && got(c, value_of_closure(&made, release_bound), result);
}

// --- Values.

static bool null_value(const host_call *c, value *result) {
    (void)c;
    return *result = (value){.kind = VALUE_NULL}, true;
}

static bool copy(const host_call *c, value *result) {
    if (!c->count) return host_fail(c, "want an argument");
    return *result = value_keep(c->arg[0]), true;
}

// A bool tensor to a number, as `if` wants it in lowered modules.
static bool read_if_cond(const host_call *c, value *result) {
    int64_t truth;
    return int_at(c, 0, &truth) && got(c, value_of_int(DTYPE_OF(BOOL), truth != 0), result);
}

// The items are kept: the arguments stay the caller's.
static bool make_tuple(const host_call *c, value *result) {
    value *item = calloc(c->count + 1, sizeof *item);
    if (!item) return host_fail(c, "no memory");
    for (uint32_t i = 0; i < c->count; i++) item[i] = value_keep(c->arg[i]);
    bool done = got(c, value_of_tuple(item, c->count), result);
    free(item);
    return done;
}

static bool tuple_getitem(const host_call *c, value *result) {
    int64_t i;
    if (!kind_at(c, 0, VALUE_TUPLE) || !int_at(c, 1, &i)) return false;
    if (i < 0 || i >= c->arg[0].as.tuple.count) return host_fail(c, "no field %lld", (long long)i);
    return *result = value_keep(c->arg[0].as.tuple.item[i]), true;
}

static bool shape_of(const host_call *c, value *result) {
    const int64_t *dim = NULL;
    uint32_t rank = 0;
    return dims_of(c, 0, &dim, &rank) && got(c, value_of_shape(dim, rank), result);
}

static void release_source(void *user, void *data) {
    (void)data;
    tensor_release(user);
}

// As R.reshape with a known shape, but the number of elements is checked here.
static bool reshape(const host_call *c, value *result) {
    if (!kind_at(c, 0, VALUE_TENSOR) || !kind_at(c, 1, VALUE_SHAPE)) return false;
    tensor *t = c->arg[0].as.tensor, *out = NULL;
    const value *shape = &c->arg[1];
    storage *s = storage_of(t);
    rx_status status;
    if (s)
        status = storage_tensor(s, (size_t)((uint8_t *)t->data - s->data), t->type, shape->as.shape.rank,
                                shape->as.shape.dim, &out);
    else
        status = tensor_wrap(t->type, shape->as.shape.rank, shape->as.shape.dim, t->data, release_source, t, &out);
    if (status == RX_OK && !s) tensor_retain(t);
    if (status == RX_OK && out->bytes == t->bytes) return *result = value_of_tensor(out), true;
    if (status == RX_OK) tensor_release(out);
    return host_fail(c, "%s don't fit the shape", COUNTED(tensor_count(t), "element"));
}

// relax.run.unique(x, sorted, index?, inverse?, counts?, axis?); relax.run.nonzero(x): as the operators are called.
static bool run_allocating(const host_call *c, const char *name, uint32_t first, value *result) {
    const builtin *b = builtin_find(name);
    tensor *made[BUILTIN_MAX_OUT] = {0};
    int64_t arg[4] = {0, 0, 0, INT64_MIN};
    if (!kind_at(c, 0, VALUE_TENSOR)) return false;
    for (uint32_t i = 0; i < b->args && first + i < c->count; i++)
        if (!int_at(c, first + i, &arg[i])) return false;
    builtin_call call = {.in = (const tensor *const[]){c->arg[0].as.tensor}, .ins = 1, .arg = arg, .args = b->args};
    call.out = made;
    return host_builtin(c->r, b, &call, c->at) && host_results(c->r, made, b->outs, result, c->at);
}

static bool run_unique(const host_call *c, value *result) { return run_allocating(c, "unique", 2, result); }
static bool run_nonzero(const host_call *c, value *result) { return run_allocating(c, "nonzero", 1, result); }

// --- The table.

static const host_function host[] = {
    {"vm.builtin.alloc_shape_heap", alloc_shape_heap},
    {"vm.builtin.match_shape", match_shape},
    {"vm.builtin.match_prim_value", match_prim_value},
    {"vm.builtin.make_shape", make_shape},
    {"vm.builtin.make_prim_value", make_prim_value},
    {"vm.builtin.check_tensor_info", check_tensor_info},
    {"vm.builtin.check_shape_info", check_shape_info},
    {"vm.builtin.check_prim_value_info", check_prim_value_info},
    {"vm.builtin.check_tuple_info", check_tuple_info},
    {"vm.builtin.check_func_info", check_func_info},
    {"vm.builtin.call_tir_dyn", call_tir_dyn},
    {"vm.builtin.cuda_graph.get_cached_alloc", get_cached_alloc},
    {"vm.builtin.cuda_graph.run_or_capture", run_or_capture},
    {"vm.builtin.make_closure", make_closure},
    {"vm.builtin.invoke_closure", invoke_closure},
    {"vm.builtin.null_value", null_value},
    {"vm.builtin.copy", copy},
    {"vm.builtin.read_if_cond", read_if_cond},
    {"vm.builtin.make_tuple", make_tuple},
    {"vm.builtin.tuple_getitem", tuple_getitem},
    {"vm.builtin.shape_of", shape_of},
    {"vm.builtin.reshape", reshape},
    {"relax.run.unique", run_unique},
    {"relax.run.nonzero", run_nonzero},
};

// From the front: lowered modules are run by tests, not in production.
const host_function *host_find(const char *name) {
    for (size_t i = 0; i < COUNT(host); i++)
        if (strcmp(host[i].name, name) == 0) return &host[i];
    return NULL;
}
