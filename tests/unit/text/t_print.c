// t_print.c - printing of what no text has said: programs and graphs built by hand, odd names, odd places of scopes.
// Whatever is built reads back equal.
#include "graph/build.h"
#include "test.h"
#include "text_support.h"
#include <stdio.h>
#include <string.h>

typedef struct fixture {
    arena *mem;
    module *m;
    expr_session *s;
    diag *d;
} fixture;

static int set_up(void **state) {
    arena *mem = arena_new();
    fixture *f = ARENA_NEW(mem, fixture, 1);
    *f = (fixture){.mem = mem, .m = module_new(), .d = diag_new(mem)};
    f->s = f->m->exprs;
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    module_free(f->m);
    arena_free(f->mem);
    return 0;
}

// The module's print, after checking that it reads back equal.
static const char *check_print(fixture *f) {
    char *printed = print_text(f->mem, f->m);
    module *again = read_text(f->mem, "<printed>", printed, strlen(printed), NULL);
    text difference = TEXT_IN(f->mem);
    bool equal = again && module_equal(f->m, again, &difference);
    if (!equal) fprintf(stderr, "%s%s", printed, text_get(&difference));
    module_free(again);
    assert_true(equal);
    return printed;
}

// --- Loop programs.
static const expr *i32(fixture *f, int64_t v) { return expr_int(f->s, DTYPE_OF(I32), v); }

static const stmt *store(fixture *f, const buffer *b, int64_t at, const expr *v) {
    const expr *index = i32(f, at);
    return stmt_store(f->m->mem, b, &index, 1, v);
}

static buffer *make_buffer(fixture *f, const char *name) {
    const expr *dim = i32(f, 16);
    return buffer_new(f->s, name, DTYPE_OF(I32), &dim, 1, "global");
}

static void put_program(fixture *f, const buffer *b, const stmt *body) {
    loop_func *p = ARENA_NEW(f->m->mem, loop_func, 1);
    loop_param *q = ARENA_NEW(f->m->mem, loop_param, 1);
    *q = (loop_param){.var = expr_new_var(f->s, b->name, DTYPE_OF(HANDLE)), .buf = b};
    *p = (loop_func){.name = "f", .params = 1, .param = q, .body = body};
    module_put_loop(f->m, p);
}

// What stands behind an opener in its sequence is not inside it.
static void scopes_end_where_they_end(void **state) {
    fixture *f = *state;
    buffer *b = make_buffer(f, "A");
    arena *mem = f->m->mem;
    const expr *x = expr_new_var(f->s, "x", DTYPE_OF(I32));
    const stmt *let = stmt_let(mem, x, i32(f, 3), store(f, b, 0, x));
    stmt check = {.kind = STMT_ASSERT};
    check.as.assertion.condition = expr_binary(f->s, EXPR_LT, i32(f, 1), i32(f, 2));
    check.as.assertion.kind = "ValueError";
    check.as.assertion.message = "with \"quotes\"";
    check.as.assertion.body = store(f, b, 1, i32(f, 1));
    stmt attribute = {.kind = STMT_ATTR};
    attribute.as.attribute.node = attr_none();
    attribute.as.attribute.key = "pragma";
    attribute.as.attribute.value = i32(f, 7);
    attribute.as.attribute.body = store(f, b, 2, i32(f, 2));
    const stmt *list[] = {let, stmt_copy(mem, &check), stmt_copy(mem, &attribute), store(f, b, 3, i32(f, 3))};
    put_program(f, b, stmt_seq(mem, list, 4));
    const char *printed = check_print(f);
    assert_non_null(strstr(printed, "with T.let(x, 3):"));
    assert_non_null(strstr(printed, "with T.Assert(T.LT(1, 2), (\"ValueError\", [\"with \\\"quotes\\\"\"])):"));
}

static void memory_ends_where_it_ends(void **state) {
    fixture *f = *state;
    buffer *b = make_buffer(f, "A"), *inner = make_buffer(f, "B");
    arena *mem = f->m->mem;
    stmt declare = {.kind = STMT_DECL_BUFFER}, allocate = {.kind = STMT_ALLOCATE};
    declare.as.declare.buf = inner;
    declare.as.declare.body = store(f, inner, 0, i32(f, 1));
    allocate.as.allocate.var = inner->data;
    allocate.as.allocate.type = inner->type;
    allocate.as.allocate.scope = "global";
    allocate.as.allocate.rank = 1;
    allocate.as.allocate.extent = inner->dim;
    allocate.as.allocate.body = stmt_copy(mem, &declare);
    const stmt *list[] = {stmt_copy(mem, &allocate), store(f, b, 0, i32(f, 2))};
    put_program(f, b, stmt_seq(mem, list, 2));
    assert_non_null(strstr(check_print(f), "with T.allocate([16], \"int32\", \"global\") as B:"));
}

// One variable launched twice gets a line of its own.
static void shared_threads_have_a_line(void **state) {
    fixture *f = *state;
    buffer *b = make_buffer(f, "A");
    arena *mem = f->m->mem;
    const expr *tx = expr_new_var(f->s, "tx", DTYPE_OF(I32));
    const stmt *list[2];
    for (int i = 0; i < 2; i++) {
        stmt launch = {.kind = STMT_ATTR};
        launch.as.attribute.node = attr_none();
        launch.as.attribute.key = "thread_extent";
        launch.as.attribute.value = i32(f, 16);
        launch.as.attribute.var = tx;
        launch.as.attribute.thread = "threadIdx.x";
        launch.as.attribute.body = stmt_store(mem, b, &tx, 1, i32(f, i));
        list[i] = stmt_copy(mem, &launch);
    }
    put_program(f, b, stmt_seq(mem, list, 2));
    assert_non_null(strstr(check_print(f), "tx = T.env_thread(\"threadIdx.x\")\n"));
}

static void branches_and_empty_bodies(void **state) {
    fixture *f = *state;
    buffer *b = make_buffer(f, "A");
    arena *mem = f->m->mem;
    const expr *i = expr_new_var(f->s, "for", DTYPE_OF(I32)), *bound = i32(f, 5);
    const stmt *nothing = stmt_seq(mem, NULL, 0), *last = NULL;
    for (int k = 0; k < 3; k++)
        last = stmt_if(mem, expr_binary(f->s, EXPR_LT, i, i32(f, k)), k ? store(f, b, k, i) : nothing, last);
    const stmt *loop = stmt_for(mem, FOR_SERIAL, i, i32(f, 2), bound, last);
    put_program(f, b, loop);
    const char *printed = check_print(f);
    assert_non_null(strstr(printed, "for for_ in range(2, 7):"));
    assert_non_null(strstr(printed, "elif for_ < 1:"));
    assert_non_null(strstr(printed, "pass\n"));
}

static void masked_stores(void **state) {
    fixture *f = *state;
    buffer *b = make_buffer(f, "A");
    const expr *lanes = expr_ramp(f->s, i32(f, 0), i32(f, 1), 4), *value = expr_broadcast(f->s, i32(f, 1), 4);
    stmt masked = *stmt_store(f->m->mem, b, &lanes, 1, value);
    masked.as.store.predicate = expr_broadcast(f->s, expr_bool(f->s, true), 4);
    put_program(f, b, stmt_copy(f->m->mem, &masked));
    assert_non_null(strstr(check_print(f), "A.vstore([T.Ramp(0, 1, 4)], T.Broadcast(1, 4), predicate="));
}

// A long run of flat openers costs no recursion.
static void long_chains(void **state) {
    fixture *f = *state;
    enum { LENGTH = 20000 };
    buffer *b = make_buffer(f, "A");
    const expr *x = i32(f, 0);
    const stmt *body = NULL;
    const expr **var = ARENA_NEW(f->mem, const expr *, LENGTH);
    for (int i = 0; i < LENGTH; i++) var[i] = expr_new_var(f->s, "x", DTYPE_OF(I32));
    body = store(f, b, 0, var[LENGTH - 1]);
    for (int i = LENGTH; i-- > 0;)
        body = stmt_let(f->m->mem, var[i], i ? expr_binary(f->s, EXPR_ADD, var[i - 1], i32(f, 1)) : x, body);
    put_program(f, b, body);
    assert_non_null(strstr(check_print(f), "x_19999: T.let[T.int32] = x_19998 + 1"));
}

// --- Graph functions.
static const ann *vector(fixture *f, const expr *dim) { return ann_tensor(f->m->mem, DTYPE_OF(F32), &dim, 1); }

static void odd_names_become_names(void **state) {
    fixture *f = *state;
    builder *b = build_func(f->m, "main", f->d);
    const expr *n = expr_new_var(f->s, "batch size", DTYPE_OF(I64));
    const node *x = build_param(b, "model.layers.0/weight:0", vector(f, n));
    const node *y = build_op(b, "class", op_find("exp"), &x, 1), *z = build_op(b, "0", op_find("exp"), &y, 1);
    const node *w = build_op(b, "", op_find("exp"), &z, 1);
    module_put_graph(f->m, build_finish(b, w));
    const char *printed = check_print(f);
    assert_non_null(strstr(printed, "model_layers_0_weight_0: R.Tensor((\"batch_size\",), dtype=\"float32\")"));
    assert_non_null(strstr(printed, "class_: "));
    assert_non_null(strstr(printed, "v_0: "));
}

static void strings_keep_their_bytes(void **state) {
    fixture *f = *state;
    builder *b = build_func(f->m, "main", f->d);
    const node *x = build_param(b, "x", ann_object());
    const char bytes[] = "nul \0 quote \" back \\ line\n tab\t \x01 \xc3\xa4";
    const node *s = build_bind(b, "s", build_string(b, bytes, sizeof bytes - 1), NULL);
    const node *pair[] = {x, s};
    b->f->attrs = attr_with(f->m->mem, NULL, "text", attr_string(f->m->mem, bytes, sizeof bytes - 1));
    module_put_graph(f->m, build_finish(b, build_tuple(b, NULL, pair, 2)));
    check_print(f);
}

static void constants_keep_their_bits(void **state) {
    fixture *f = *state;
    static const dtype_kind kinds[] = {DTYPE_F16, DTYPE_F32,  DTYPE_F64, DTYPE_BF16, DTYPE_I8,     DTYPE_U64,
                                       DTYPE_I4,  DTYPE_BOOL, DTYPE_I64, DTYPE_U8,   DTYPE_F8_E5M2};
    builder *b = build_func(f->m, "main", f->d);
    const node *x = build_param(b, "x", ann_object());
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        tensor *t = NULL;
        assert_int_equal(tensor_new((dtype){.kind = (uint8_t)kinds[i], .lanes = 1}, 2, (const int64_t[]){3, 5}, &t),
                         RX_OK);
        tensor_fill_random(t, i);
        build_bind(b, "c", build_constant(b, t), NULL);
        tensor_release(t);
    }
    module_put_graph(f->m, build_finish(b, x));
    check_print(f);
}

static void special_constants(void **state) {
    fixture *f = *state;
    builder *b = build_func(f->m, "main", f->d);
    const node *x = build_param(b, "x", ann_object());
    static const double value[] = {1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, -0.0};
    tensor *t = NULL, *none = NULL;
    assert_int_equal(tensor_new(DTYPE_OF(F32), 1, (const int64_t[]){4}, &t), RX_OK);
    for (size_t i = 0; i < 4; i++) tensor_set_float(t, i, value[i]);
    assert_int_equal(tensor_new(DTYPE_OF(I32), 3, (const int64_t[]){2, 0, 3}, &none), RX_OK);
    build_bind(b, "c", build_constant(b, t), NULL);
    build_bind(b, "d", build_constant(b, none), NULL);
    tensor_release(t);
    tensor_release(none);
    module_put_graph(f->m, build_finish(b, x));
    check_print(f);
}

static void options_pick_a_function_and_show_places(void **state) {
    fixture *f = *state;
    static const char source_text[] =
        "@I.ir_module\nclass Module:\n    @R.function\n    def a(x: R.Tensor((4,), \"float32\")):\n"
        "        y = R.exp(x)\n        return y\n\n    @R.function\n"
        "    def b(x: R.Tensor((4,), \"float32\")):\n        return x\n";
    module *m = read_text(f->mem, "t.py", source_text, strlen(source_text), NULL);
    text out = TEXT_IN(f->mem);
    script_print(&out, m, &(script_options){.func = "a", .show_places = true});
    assert_string_equal(text_get(&out),
                        "@R.function\n"
                        "def a(x: R.Tensor((4,), dtype=\"float32\")) -> R.Tensor((4,), dtype=\"float32\"):  # t.py:4\n"
                        "    y: R.Tensor((4,), dtype=\"float32\") = R.exp(x)  # t.py:5\n"
                        "    return y\n");
    module_free(m);
}

static void empty_modules(void **state) {
    fixture *f = *state;
    assert_string_equal(check_print(f), "# from tvm.script import ir as I\n# from tvm.script import relax as R\n\n"
                                        "@I.ir_module\nclass Module:\n    pass\n");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(scopes_end_where_they_end),
        CASE(memory_ends_where_it_ends),
        CASE(shared_threads_have_a_line),
        CASE(branches_and_empty_bodies),
        CASE(masked_stores),
        CASE(long_chains),
        CASE(odd_names_become_names),
        CASE(strings_keep_their_bytes),
        CASE(constants_keep_their_bits),
        CASE(special_constants),
        CASE(empty_modules),
        CASE(options_pick_a_function_and_show_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
