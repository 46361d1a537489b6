// graph_support.c - the fixture, the operators and the helpers of the graph tests.
#include "graph_support.h"
#include <string.h>

int open_fixture(void **state) {
    fixture *f = test_calloc(1, sizeof *f);
    f->m = module_new();
    f->mem = f->m->mem;
    f->d = diag_new(f->mem);
    f->src = (source){.name = "test.py", .bytes = "", .size = 0};
    f->n = var(f, "n");
    f->k = var(f, "k");
    f->b = build_func(f->m, "main", f->d);
    f->b->at = (loc){&f->src, 1, 1};
    *state = f;
    return 0;
}

int close_fixture(void **state) {
    fixture *f = *state;
    module_free(f->m);
    test_free(f);
    return 0;
}

// --- Operators.

static const ann *infer_same(infer_ctx *c, const node *n) {
    (void)c;
    return n->in[0]->type;
}

static const ann *infer_matmul(infer_ctx *c, const node *n) {
    const ann *a = n->in[0]->type, *b = n->in[1]->type;
    if (!a->dim || !b->dim) return ann_tensor_rank(c->mem, a->type, 2);
    if (!prove_equal(c->exprs, a->dim[1], b->dim[0], c->facts)) {
        diag_error(c->d, n->at, "test_matmul: inner dims differ");
        return NULL;
    }
    return ann_tensor(c->mem, a->type, (const expr *const[]){a->dim[0], b->dim[1]}, 2);
}

#define X {.name = "x", .kind = INPUT_TENSOR, .doc = "a tensor"}
const op op_test_same = {.name = "test_same",
                         .doc = "Same type as the first.",
                         .input = {X, {.name = "y", .kind = INPUT_TENSOR, .doc = "ignored", .optional = true}},
                         .infer = infer_same};
const op op_test_matmul = {.name = "test_matmul",
                           .doc = "Matrix product.",
                           .input = {X, {.name = "w", .kind = INPUT_TENSOR, .doc = "a matrix"}},
                           .attr = {{.name = "out_dtype", .kind = OPATTR_DTYPE, .preset = "\"void\"", .doc = "result"}},
                           .infer = infer_matmul};
const op op_test_softmax = {.name = "test_softmax",
                            .doc = "Softmax.",
                            .input = {X},
                            .attr = {{.name = "axis", .kind = OPATTR_INT, .preset = "-1", .doc = "axis"},
                                     {.name = "scales", .kind = OPATTR_INTS, .preset = "[1, 2]", .doc = "a list"},
                                     {.name = "eps", .kind = OPATTR_FLOAT, .preset = "1e-5", .doc = "a number"},
                                     {.name = "layout", .kind = OPATTR_STRING, .preset = "\"NCHW\"", .doc = "a text"},
                                     {.name = "keep", .kind = OPATTR_BOOL, .preset = "False", .doc = "a flag"}},
                            .infer = infer_same};
const op op_test_effect = {
    .name = "test_effect", .doc = "Has an effect.", .input = {X}, .infer = infer_same, .impure = true};

// --- Helpers.

const expr *i64(fixture *f, int64_t value) { return expr_i64(f->m->exprs, value); }

const expr *var(fixture *f, const char *name) { return expr_new_var(f->m->exprs, name, DTYPE_OF(I64)); }

const expr *plus(fixture *f, const expr *a, int64_t b) { return expr_binary(f->m->exprs, EXPR_ADD, a, i64(f, b)); }

const expr *times(fixture *f, const expr *a, const expr *b) { return expr_binary(f->m->exprs, EXPR_MUL, a, b); }

static const expr **take_dims(fixture *f, uint32_t rank, va_list args) {
    const expr **dim = ARENA_NEW(f->mem, const expr *, rank);
    for (uint32_t i = 0; i < rank; i++) dim[i] = va_arg(args, const expr *);
    return dim;
}

const ann *f32(fixture *f, uint32_t rank, ...) {
    va_list args;
    va_start(args, rank);
    const ann *a = ann_tensor(f->mem, DTYPE_OF(F32), take_dims(f, rank, args), rank);
    va_end(args);
    return a;
}

const ann *shape(fixture *f, uint32_t rank, ...) {
    va_list args;
    va_start(args, rank);
    const ann *a = ann_shape(f->mem, take_dims(f, rank, args), rank);
    va_end(args);
    return a;
}

void check_ann(const ann *a, const char *text_wanted) {
    arena *mem = arena_new();
    assert_string_equal(ann_to_text(mem, a), text_wanted);
    arena_free(mem);
}

void check_one_error(fixture *f, const char *part) {
    assert_int_equal(f->d->errors, 1);
    if (!strstr(f->d->record[0].message, part)) assert_string_equal(f->d->record[0].message, part);
}

const loop_func *put_copy_program(fixture *f, const char *name) {
    expr_session *s = f->m->exprs;
    const expr *m = var(f, "m"), *i = var(f, "i"), *j = var(f, "j"), *vi = var(f, "vi"), *vj = var(f, "vj");
    const expr *const dims[] = {m, i64(f, 4)}, *const index[] = {vi, vj};
    const buffer *x = buffer_new(s, "x", DTYPE_OF(F32), dims, 2, "global");
    const buffer *y = buffer_new(s, "y", DTYPE_OF(F32), dims, 2, "global");
    const iter iters[] = {{.var = vi, .dom = {i64(f, 0), m}, .value = i},
                          {.var = vj, .dom = {i64(f, 0), dims[1]}, .value = j}};
    const stmt *store = stmt_store(f->mem, y, index, 2, expr_load(s, x, DTYPE_OF(F32), index, 2));
    const stmt *st = stmt_block(f->mem, &(block){.name = "copy", .iters = 2, .iter = iters, .body = store});
    st = stmt_for(f->mem, FOR_SERIAL, j, i64(f, 0), dims[1], st);
    st = stmt_for(f->mem, FOR_SERIAL, i, i64(f, 0), m, st);
    loop_param *param = ARENA_NEW(f->mem, loop_param, 2);
    param[0] = (loop_param){.var = expr_new_var(s, "var_x", DTYPE_OF(HANDLE)), .buf = x};
    param[1] = (loop_param){.var = expr_new_var(s, "var_y", DTYPE_OF(HANDLE)), .buf = y};
    loop_func *func = ARENA_NEW(f->mem, loop_func, 1);
    *func = (loop_func){.name = name, .is_private = true, .s_tir = true, .params = 2, .param = param, .body = st};
    func->at = f->b->at;
    module_put_loop(f->m, func);
    return func;
}
