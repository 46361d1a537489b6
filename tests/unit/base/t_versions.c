// t_versions.c - structs of older and newer callers.
#include "base/versions.h"
#include "test.h"
#include <string.h>

typedef struct first {
    size_t struct_size;
    const char *name;
} first;
typedef struct second {
    size_t struct_size;
    const char *name;
    int count;
    double much;
} second;
typedef struct third {
    size_t struct_size;
    const char *name;
    int count;
    double much;
    const char *later;
} third;

// What a library of the second version knows.
static const struct_versions versions = {"second", {sizeof(first), sizeof(second)}};

static void test_read(void **state) {
    (void)state;
    char why[STRUCT_WHY];
    second out;
    assert_true(struct_read(&versions, &out, NULL, why));
    assert_null(out.name);
    assert_int_equal(out.struct_size, sizeof out);
    // An older caller's struct lacks a field, which is its default then.
    out.much = 7;
    assert_true(struct_read(&versions, &out, &(first){sizeof(first), "old"}, why));
    assert_string_equal(out.name, "old");
    assert_true(out.much == 0);
    assert_true(struct_read(&versions, &out, &(second){sizeof(second), "now", 3, 4}, why));
    assert_int_equal(out.count, 3);
    // A newer caller may leave alone what isn't known here.
    assert_true(struct_read(&versions, &out, &(third){sizeof(third), "new", 5, 6, NULL}, why));
    assert_int_equal(out.count, 5);
    assert_false(struct_read(&versions, &out, &(third){sizeof(third), "new", 5, 6, "x"}, why));
    assert_string_equal(why, "second: a field is set that this version of the library doesn't have");
}

// Sizes that are no version's: too small, inside of a field, between two versions, of something that isn't a size.
static void test_sizes(void **state) {
    (void)state;
    char why[STRUCT_WHY];
    second out;
    for (size_t size = 0; size < sizeof(second); size++) {
        second in = {.struct_size = size};
        if (size == sizeof(first)) continue;
        assert_false(struct_read(&versions, &out, &in, why));
        assert_false(struct_fill(&versions, &in, &out, NULL));
    }
    assert_non_null(strstr(why, "set it to sizeof(second), which is 32"));
    assert_false(struct_check(&versions, STRUCT_MOST_BYTES + 1, why));
    assert_false(struct_check(&versions, SIZE_MAX, NULL));
    assert_true(struct_check(&versions, sizeof(second) + 1, why));
}

static void test_fill(void **state) {
    (void)state;
    char why[STRUCT_WHY];
    const second full = {sizeof full, "full", 3, 4};
    second old = {.struct_size = sizeof(first), .much = 9};
    assert_true(struct_fill(&versions, &old, &full, why));
    assert_string_equal(old.name, "full");
    assert_true(old.much == 9 && old.struct_size == sizeof(first));
    third new = {.struct_size = sizeof new, .later = "garbage"};
    assert_true(struct_fill(&versions, &new, &full, why));
    assert_true(new.much == 4 && new.struct_size == sizeof new);
    assert_null(new.later);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
