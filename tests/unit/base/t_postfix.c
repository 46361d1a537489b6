// t_postfix.c - postfix programs: checked before they run, exact, overflow and division by zero reported.
#include "base/postfix.h"
#include "test.h"
#include <string.h>

typedef struct program {
    uint8_t byte[1024];
    size_t size;
} program;

static void put(program *p, postfix_op op) { p->byte[p->size++] = (uint8_t)op; }

static void put_bytes(program *p, postfix_op op, uint64_t operand, unsigned bytes) {
    put(p, op);
    for (unsigned i = 0; i < bytes; i++) p->byte[p->size++] = (uint8_t)(operand >> (8 * i));
}

static void put_const(program *p, int64_t value) { put_bytes(p, POSTFIX_CONST, (uint64_t)value, 8); }
static void put_small(program *p, int8_t value) { put_bytes(p, POSTFIX_SMALL, (uint8_t)value, 1); }
static void put_slot(program *p, uint32_t slot) { put_bytes(p, POSTFIX_SLOT, slot, 4); }

static const int64_t slots[] = {7, -3, INT64_MIN};

static postfix_result run(const program *p, int64_t *out) {
    assert_true(postfix_check(p->byte, p->size, 3));
    return postfix_run(p->byte, p->size, slots, out);
}

static void operations(void **state) {
    static const struct {
        postfix_op op;
        int64_t a, b, want;
        postfix_result result;
    } rows[] = {
        {POSTFIX_ADD, 2, 3, 5, POSTFIX_DONE},
        {POSTFIX_ADD, INT64_MAX, 1, 0, POSTFIX_OVERFLOW},
        {POSTFIX_SUB, 2, 3, -1, POSTFIX_DONE},
        {POSTFIX_SUB, INT64_MIN, 1, 0, POSTFIX_OVERFLOW},
        {POSTFIX_MUL, -4, 3, -12, POSTFIX_DONE},
        {POSTFIX_MUL, INT64_MIN, -1, 0, POSTFIX_OVERFLOW},
        {POSTFIX_FLOOR_DIV, -7, 2, -4, POSTFIX_DONE},
        {POSTFIX_FLOOR_DIV, 1, 0, 0, POSTFIX_ZERO_DIVISOR},
        {POSTFIX_FLOOR_DIV, INT64_MIN, -1, 0, POSTFIX_OVERFLOW},
        {POSTFIX_FLOOR_MOD, -7, 2, 1, POSTFIX_DONE},
        {POSTFIX_FLOOR_MOD, 7, -2, -1, POSTFIX_DONE},
        {POSTFIX_FLOOR_MOD, INT64_MIN, -1, 0, POSTFIX_DONE},
        {POSTFIX_FLOOR_MOD, 1, 0, 0, POSTFIX_ZERO_DIVISOR},
        {POSTFIX_TRUNC_DIV, -7, 2, -3, POSTFIX_DONE},
        {POSTFIX_TRUNC_DIV, INT64_MIN, -1, 0, POSTFIX_OVERFLOW},
        {POSTFIX_TRUNC_MOD, -7, 2, -1, POSTFIX_DONE},
        {POSTFIX_TRUNC_MOD, INT64_MIN, -1, 0, POSTFIX_DONE},
        {POSTFIX_TRUNC_MOD, 1, 0, 0, POSTFIX_ZERO_DIVISOR},
        {POSTFIX_MIN, 2, -3, -3, POSTFIX_DONE},
        {POSTFIX_MAX, 2, -3, 2, POSTFIX_DONE},
        {POSTFIX_EQ, 2, 2, 1, POSTFIX_DONE},
        {POSTFIX_NE, 2, 2, 0, POSTFIX_DONE},
        {POSTFIX_LT, 2, 3, 1, POSTFIX_DONE},
        {POSTFIX_LE, 3, 3, 1, POSTFIX_DONE},
        {POSTFIX_AND, 2, 4, 1, POSTFIX_DONE},
        {POSTFIX_AND, 2, 0, 0, POSTFIX_DONE},
        {POSTFIX_OR, 0, 4, 1, POSTFIX_DONE},
        {POSTFIX_BIT_AND, 12, 10, 8, POSTFIX_DONE},
        {POSTFIX_BIT_OR, 12, 10, 14, POSTFIX_DONE},
        {POSTFIX_BIT_XOR, 12, 10, 6, POSTFIX_DONE},
        {POSTFIX_SHIFT_LEFT, -3, 4, -48, POSTFIX_DONE},
        {POSTFIX_SHIFT_LEFT, 1, 62, (int64_t)1 << 62, POSTFIX_DONE},
        {POSTFIX_SHIFT_LEFT, 2, 62, 0, POSTFIX_OVERFLOW},
        {POSTFIX_SHIFT_LEFT, 1, 63, 0, POSTFIX_OVERFLOW},
        {POSTFIX_SHIFT_LEFT, 1, -1, 0, POSTFIX_OVERFLOW},
        {POSTFIX_SHIFT_RIGHT, -5, 1, -3, POSTFIX_DONE},
        {POSTFIX_SHIFT_RIGHT, -5, 63, -1, POSTFIX_DONE},
        {POSTFIX_SHIFT_RIGHT, 1, 64, 0, POSTFIX_OVERFLOW},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        program p = {.size = 0};
        int64_t out = -12345;
        put_const(&p, rows[i].a);
        put_const(&p, rows[i].b);
        put(&p, rows[i].op);
        assert_int_equal(run(&p, &out), rows[i].result);
        assert_int_equal(out, rows[i].result == POSTFIX_DONE ? rows[i].want : -12345);
    }
}

static void slots_numbers_and_choice(void **state) {
    (void)state;
    program p = {.size = 0};
    int64_t out = 0;
    put_slot(&p, 1); // -3
    put(&p, POSTFIX_NOT);
    put_small(&p, -128);
    put_slot(&p, 0); // 7
    put(&p, POSTFIX_SELECT);
    assert_int_equal(run(&p, &out), POSTFIX_DONE);
    assert_int_equal(out, 7);
    static const char *const words[] = {"s1", "not", "-128", "s0", "select"};
    size_t at = 0, i = 0;
    for (char word[POSTFIX_WORD]; at < p.size; at += postfix_size(p.byte + at))
        assert_string_equal(postfix_word(p.byte + at, word), words[i++]);
    assert_int_equal(i, COUNT(words));
}

static bool checks(const program *p) { return postfix_check(p->byte, p->size, 3); }

static void refuses_what_is_malformed(void **state) {
    (void)state;
    program p = {.size = 0};
    assert_false(checks(&p)); // no value
    put_small(&p, 1);
    assert_true(checks(&p));
    for (size_t cut = 1; cut < p.size; cut++) assert_false(postfix_check(p.byte, cut, 3));
    put_small(&p, 1);
    assert_false(checks(&p)); // two values
    put(&p, POSTFIX_ADD);
    assert_true(checks(&p));
    put(&p, POSTFIX_ADD);
    assert_false(checks(&p)); // an operand is missing
    p.size = 0;
    put_slot(&p, 3);
    assert_false(checks(&p)); // no such slot
    assert_true(postfix_check(p.byte, p.size, 4));
    p.size = 0;
    put(&p, POSTFIX_OPS);
    assert_false(checks(&p)); // no such instruction
    p.byte[0] = 255;
    assert_false(checks(&p));
}

static void refuses_a_deeper_stack(void **state) {
    (void)state;
    program p = {.size = 0};
    for (int i = 0; i < POSTFIX_MAX_STACK; i++) put_small(&p, 1);
    program deeper = p;
    for (int i = 1; i < POSTFIX_MAX_STACK; i++) put(&p, POSTFIX_ADD);
    int64_t out = 0;
    assert_int_equal(run(&p, &out), POSTFIX_DONE);
    assert_int_equal(out, POSTFIX_MAX_STACK);
    put_small(&deeper, 1);
    for (int i = 0; i < POSTFIX_MAX_STACK; i++) put(&deeper, POSTFIX_ADD);
    assert_false(checks(&deeper));
}

// Random bytes: what the check accepts runs within its bounds (under the sanitizers) and prints.
static void random_bytes(void **state) {
    (void)state;
    uint64_t seed = 3, accepted = 0;
    for (int round = 0; round < 200000; round++) {
        program p = {.size = 0};
        int64_t out;
        char word[POSTFIX_WORD];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t size = 1 + (seed >> 60);
        for (uint64_t bits = seed; p.size < size; bits = bits * 0x9E3779B97F4A7C15u + 1)
            p.byte[p.size++] = (uint8_t)((bits >> 56) % (POSTFIX_OPS + 1));
        if (!postfix_check(p.byte, p.size, 3)) continue;
        accepted++;
        (void)!postfix_run(p.byte, p.size, slots, &out);
        size_t at = 0;
        for (; at < p.size; at += postfix_size(p.byte + at)) assert_true(*postfix_word(p.byte + at, word));
        assert_int_equal(at, p.size);
    }
    assert_true(accepted > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations),
        cmocka_unit_test(slots_numbers_and_choice),
        cmocka_unit_test(refuses_what_is_malformed),
        cmocka_unit_test(refuses_a_deeper_stack),
        cmocka_unit_test(random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
