// t_arch.c - target names and their features.
#include "arch/arch.h"
#include "base/cpu.h"
#include "test.h"
#include <string.h>

static void levels_have_their_features(void **state) {
    (void)state;
    arena *mem = arena_new();
    char why[256] = "";
    const arch *v3 = arch_parse(mem, "cpu:x86-64-v3", why);
    assert_non_null(v3);
    assert_int_equal(v3->vector_bytes, 32);
    assert_true(v3->fma);
    assert_false(v3->avx512);
    assert_string_equal(v3->name, "cpu:x86-64-v3");
    const arch *v4 = arch_parse(mem, "cpu:x86-64-v4,+avx512vnni", why);
    assert_non_null(v4);
    assert_true(v4->vnni);
    assert_string_equal(v4->name, "cpu:x86-64-v4,+avx512vnni");
    assert_non_null(strstr(v4->llvm_features, "+avx512vnni"));
    assert_true(v4->required & CPU_BIT(AVX512F));
    arena_free(mem);
}

static void host_is_one_of_the_levels(void **state) {
    (void)state;
    arena *mem = arena_new();
    char why[256] = "";
    const arch *host = arch_parse(mem, "cpu", why);
    assert_non_null(host);
    assert_int_equal(host->required & ~cpu_host_features(), 0);
    assert_non_null(arch_parse(mem, host->name, why)); // its full name reads back
    arena_free(mem);
}

static void wrong_names_are_refused(void **state) {
    (void)state;
    arena *mem = arena_new();
    char why[256] = "";
    assert_null(arch_parse(mem, "cpu:pentium", why));
    assert_non_null(strstr(why, "unknown target 'pentium'"));
    assert_non_null(strstr(why, "cpu:x86-64-v4"));
    assert_null(arch_parse(mem, "cpu:x86-64-v3,avx2", why));
    assert_non_null(strstr(why, "got 'avx2'"));
    assert_null(arch_parse(mem, "cpu:x86-64-v3,+", why));
    assert_null(arch_parse(mem, "cuda", why));
    arena_free(mem);
}

static void defaults_are_v3_and_v4(void **state) {
    (void)state;
    arena *mem = arena_new();
    const arch *a[4];
    assert_int_equal(arch_defaults(mem, false, a, 4), 2);
    assert_string_equal(a[1]->name, "cpu:x86-64-v4");
    assert_int_equal(arch_defaults(mem, true, a, 4), 2);
    assert_string_equal(a[0]->name, "cpu:x86-64-v3");
    assert_string_equal(a[1]->name, "cpu:x86-64-v4,+avx512vnni");
    assert_true(a[1]->vnni);
    arena_free(mem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_have_their_features),
        cmocka_unit_test(host_is_one_of_the_levels),
        cmocka_unit_test(wrong_names_are_refused),
        cmocka_unit_test(defaults_are_v3_and_v4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
