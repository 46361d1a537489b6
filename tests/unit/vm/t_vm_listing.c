// t_vm_listing.c - executables as text: printed, read back, run; and what the reader refuses.
#include "exec/listing.h"
#include "fixture.h"
#include <stdlib.h>
#include <string.h>

static growing print(const executable *e) {
    growing text = {0};
    assert_int_equal(exec_print(e, EXEC_NONE, &text), RX_OK);
    return text;
}

static const executable *exec_of(const fixture *f) { return (const executable *)(const void *)f->exe; }

// Text of a text is the same text, and the executable made from it does the same.
static void test_round_trip(void **state) {
    (void)state;
    fixture f = fixture_everything(), g = {0};
    char why[EXEC_WHY] = "";
    fixture_load(&f, NULL);
    growing first = print(exec_of(&f));
    if (exec_parse(first.at, first.len, exec_of(&f), &g.w, why) != RX_OK) fail_msg("%s", why);
    fixture_load(&g, NULL);
    growing second = print(exec_of(&g));
    assert_int_equal(first.len, second.len);
    assert_memory_equal(first.at, second.at, first.len);
    rx_value *arg[] = {counting(2, (int64_t[]){3, 4}, 0), NULL}, *a, *b;
    assert_int_equal(rx_shape_new(1, (int64_t[]){5}, &arg[1]), RX_OK);
    assert_int_equal(rx_context_call(f.ctx, "main", arg, 2, &a), RX_OK);
    if (rx_context_call(g.ctx, "main", arg, 2, &b) != RX_OK) fail_msg("%s", rx_context_message(g.ctx));
    assert_int_equal(rx_value_compare(a, b, 0, 0, why), RX_OK);
    rx_value_release(a);
    rx_value_release(b);
    for (int i = 0; i < 2; i++) rx_value_release(arg[i]);
    growing_free(&first);
    growing_free(&second);
    fixture_free(&g);
    fixture_free(&f);
}

static const char hand_written[] = "# the sum of 0 .. n-1, or a word for n = 0\n"
                                   "constant 0 string \"nothing\"\n"
                                   "annotation 0 shape void 1 (bind s0 \"n\") {} \"R.Shape([n])\"\n"
                                   "\n"
                                   "function 0 main public inputs 1 registers 2 slots 3\n"
                                   "  param s a0\n"
                                   "  symbol n s0 from 0 to 100 multiple 1\n"
                                   "  when [s0], L1\n"
                                   " L2:\n"
                                   "  slot s1, [s1 s2 +]   # s1 += s2\n"
                                   "  slot s2, [s2 1 +]\n"
                                   "  when [s2 s0 <], L3\n" // goes on while it holds
                                   "  goto L2\n"
                                   " L3:\n"
                                   "  call %1, helper, ()\n"
                                   "  prim %1, int64, [s1]\n"
                                   "  ret %1\n"
                                   " L1:\n"
                                   "  const %1, c0\n"
                                   "  ret %1\n"
                                   "end\n"
                                   "function 1 helper inputs 0 registers 1 slots 0\n"
                                   "  ret %0\n"
                                   "end\n"
                                   "metadata \"the source\" \"by hand\\x21\"\n";

static void test_hand_written(void **state) {
    (void)state;
    fixture f = {0};
    char why[EXEC_WHY] = "", text[64];
    if (exec_parse(hand_written, sizeof hand_written - 1, NULL, &f.w, why) != RX_OK) fail_msg("%s", why);
    fixture_load(&f, NULL);
    for (int64_t n = 0; n < 6; n += 5) {
        rx_value *s, *out;
        assert_int_equal(rx_shape_new(1, &n, &s), RX_OK);
        if (rx_context_call(f.ctx, "main", &s, 1, &out) != RX_OK) fail_msg("%s", rx_context_message(f.ctx));
        rx_value_print(out, text, sizeof text);
        assert_string_equal(text, n ? "10" : "'nothing'");
        rx_value_release(s);
        rx_value_release(out);
    }
    size_t size;
    assert_memory_equal(rx_executable_metadata(f.exe, "the source", &size), "by hand!", 8);
    fixture_free(&f);
}

static void expect_refused(const char *text, const char *message) {
    exec_writer *w;
    char why[EXEC_WHY] = "";
    assert_int_equal(exec_parse(text, strlen(text), NULL, &w, why), RX_INVALID_ARGUMENT);
    assert_null(w);
    assert_string_equal(why, message);
}

static void test_refusals(void **state) {
    (void)state;
    expect_refused(
        "nonsense",
        "line 1: want constant, annotation, import, weight, kernel, function, block, metadata or replacement");
    expect_refused("\n\nconstant 1 null\n", "line 3: this is entry 0, not 1");
    expect_refused("constant 0 string \"x", "line 1: a string without an end");
    expect_refused("constant 0 shape (1, 2", "line 1: want ',' or ')'");
    expect_refused("constant 0 null null", "line 1: something is left at the end of the line");
    expect_refused("constant 0 scalar int65 1", "line 1: want a dtype");
    expect_refused("constant 0 tensor float32 (1,) 00x0", "line 1: want hexadecimal digits");
    expect_refused("function 0 f inputs 0 registers 1 slots 0\n  jump %0\nend",
                   "line 2: no instruction is called jump");
    expect_refused("function 0 f inputs 0 registers 1 slots 0\n  ret 0\nend", "line 2: want '%'");
    expect_refused("function 0 f inputs 0 registers 1 slots 0\n  call %0, g, ()\nend",
                   "line 2: nothing is called g here");
    expect_refused("function 0 f inputs 0 registers 1 slots 0\n  ret %0\n", "line 3: want 'end'");
    expect_refused("function 0 f inputs 0 registers 1 slots 1\n  slot s0, [1 2 plus]\nend",
                   "line 2: no instruction of programs is called plus");
    expect_refused("function 0 f inputs 0 registers 1 slots 1\n  slot s0, [1\nend", "line 2: want ']'");
    expect_refused("annotation 0 object void -1 () {}\nannotation 1 object void -1 () {}",
                   "line 2: the same annotation twice");
    expect_refused("weight 0 w float32 (1,) layout \"\" bytes 4",
                   "line 1: the file that goes with this text has no weight of this name and size");
}

// Texts that are cut off or changed anywhere: read or refused, never a crash.
static void test_damaged(void **state) {
    (void)state;
    fixture f = fixture_everything();
    fixture_load(&f, NULL);
    growing text = print(exec_of(&f));
    char *copy = malloc(text.len), why[EXEC_WHY];
    for (size_t i = 0; i < text.len; i++) {
        exec_writer *w;
        memcpy(copy, text.at, text.len);
        copy[i] = (char)"(\"#%s9 \n"[i % 8];
        if (exec_parse(copy, text.len, exec_of(&f), &w, why) == RX_OK) {
            uint8_t *bytes = NULL;
            size_t size;
            (void)!exec_writer_bytes(w, &bytes, &size, why);
            free(bytes);
            exec_writer_free(w);
        }
        if (exec_parse(text.at, i, exec_of(&f), &w, why) == RX_OK) exec_writer_free(w);
    }
    free(copy);
    growing_free(&text);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_hand_written),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
