// t_map.c - hash maps, the interner and the hash function.
#include "base/map.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the five above.
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { MANY = 100000 };

static uint64_t nth_key(uint64_t i) { return i % 2 ? i * 4096 : ~(i << 40); } // alike in many bits

static void many_keys_are_found_in_order(void **state) {
    (void)state;
    arena *mem = arena_new();
    map m = MAP_IN(mem);
    static int values[MANY];
    assert_null(map_find(&m, 0));
    for (uint32_t i = 0; i < MANY; i++) map_put(&m, nth_key(i), &values[i]);
    assert_int_equal(m.len, MANY);
    assert_true((uint64_t)m.len * 10 <= (uint64_t)m.slots * 7);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_ptr_equal(map_find(&m, nth_key(i)), &values[i]);
        assert_int_equal(m.entry[i].key, nth_key(i));
        assert_false(map_has(&m, nth_key(i) + 1));
    }
    arena_free(mem);
}

static void replacing_keeps_the_place(void **state) {
    (void)state;
    arena *mem = arena_new();
    map m = MAP_IN(mem);
    int a, b, c;
    map_put(&m, 0, &a);
    map_put(&m, UINT64_MAX, &b);
    map_put(&m, 0, &c);
    assert_int_equal(m.len, 2);
    assert_ptr_equal(m.entry[0].value, &c);
    assert_ptr_equal(map_find(&m, UINT64_MAX), &b);
    map_put(&m, MAP_KEY(&a), NULL);
    assert_true(map_has(&m, MAP_KEY(&a)));
    assert_null(map_find(&m, MAP_KEY(&a)));
    arena_free(mem);
}

static void many_texts_are_found_in_order(void **state) {
    (void)state;
    arena *mem = arena_new();
    text_map m = TEXT_MAP_IN(mem);
    static int values[MANY];
    char key[32];
    assert_null(text_map_find(&m, "x"));
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "layer.%d.weight", i);
        text_map_put(&m, key, &values[i]); // `key` is overwritten: the map must have copied it
    }
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "layer.%d.weight", i);
        assert_ptr_equal(text_map_find(&m, key), &values[i]);
        assert_string_equal(m.entry[i].key, key);
        assert_int_equal(m.entry[i].size, strlen(key));
        assert_null(text_map_find_n(&m, key, strlen(key) - 1));
    }
    text_map_put(&m, "layer.0.weight", &values[7]);
    assert_int_equal(m.len, MANY);
    assert_ptr_equal(m.entry[0].value, &values[7]);
    arena_free(mem);
}

static void equal_names_are_one_pointer(void **state) {
    (void)state;
    arena *mem = arena_new();
    text_map names = TEXT_MAP_IN(mem);
    const char *n = text_intern(&names, "name", 1), *name = text_intern(&names, "names", 4);
    assert_string_equal(n, "n");
    assert_string_equal(name, "name");
    assert_ptr_equal(text_intern(&names, &"xn"[1], 1), n);
    assert_ptr_not_equal(n, name);
    const char *empty = text_intern(&names, NULL, 0);
    assert_string_equal(empty, "");
    assert_ptr_equal(text_intern(&names, "zzz", 0), empty);
    assert_null(text_map_find(&names, "name"));
    assert_int_equal(names.len, 3);
    arena_free(mem);
}

static void hashes_are_fixed_and_spread(void **state) {
    (void)state;
    // Pinned: the hash is part of file formats, so it must never change.
    assert_true(hash_bytes("", 0, 0) == 0x6a90dc371946776bu);
    assert_true(hash_bytes("relax", 5, 0) == 0xf0e819209eb90a7cu);
    assert_true(hash_bytes("0123456789abcdef", 16, 1) == 0x245b455767c7863cu);
    assert_true(hash_mix(1, 2) == 0x9ccfd640c98a8c36u);
    assert_true(hash_bytes("a", 1, 0) != hash_bytes("a\0", 2, 0));
    assert_true(hash_mix(1, 2) != hash_mix(2, 1));
    // Flipping one bit of the input flips about half of the output.
    unsigned flipped = 0;
    unsigned char bytes[] = "twelve bytes";
    uint64_t plain = hash_bytes(bytes, 12, 0);
    for (unsigned bit = 0; bit < 96; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        flipped += (unsigned)__builtin_popcountll(plain ^ hash_bytes(bytes, 12, 0));
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    assert_in_range(flipped, 96 * 28, 96 * 36);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_keys_are_found_in_order),  cmocka_unit_test(replacing_keeps_the_place),
        cmocka_unit_test(many_texts_are_found_in_order), cmocka_unit_test(equal_names_are_one_pointer),
        cmocka_unit_test(hashes_are_fixed_and_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
