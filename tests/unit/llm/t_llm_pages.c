// t_llm_pages.c - pages: filled in order, shared by forks, copied before a write, given back when cut.
#include "llm/pages.h"
#include "test.h"

enum { PAGE = 4, PAGES = 6 };

static void reserve(page_list *l, page_pool *p, size_t more, uint32_t copied) {
    uint32_t from, short_of;
    const uint32_t token[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    assert_int_equal(page_list_reserve(l, p, more, PAGE, &from, &short_of), RX_OK);
    assert_int_equal(from, copied);
    page_list_append(l, token, more);
}

static void fills_in_order(void **state) {
    (void)state;
    page_pool p;
    page_list l = {0};
    assert_true(page_pool_init(&p, PAGES));
    reserve(&l, &p, 3, PAGE_NONE);
    assert_int_equal(l.pages, 1);
    reserve(&l, &p, 1, PAGE_NONE);
    assert_int_equal(l.pages, 1);
    reserve(&l, &p, 9, PAGE_NONE);
    assert_int_equal(l.pages, 4);
    assert_int_equal(l.length, 13);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(l.page[i], i);
    page_list_cut(&l, &p, 4, PAGE);
    assert_int_equal(l.pages, 1);
    assert_int_equal(p.spares, PAGES - 1);
    page_list_cut(&l, &p, 100, PAGE); // longer than it is: nothing happens
    assert_int_equal(l.length, 4);
    page_list_free(&l, &p);
    assert_int_equal(p.spares, PAGES);
    page_pool_free(&p);
}

static void copies_shared_pages(void **state) {
    (void)state;
    page_pool p;
    page_list a = {0}, b;
    assert_true(page_pool_init(&p, PAGES));
    reserve(&a, &p, 6, PAGE_NONE); // pages 0 and 1, the second half full
    assert_true(page_list_fork(&a, &p, &b));
    assert_int_equal(p.spares, PAGES - 2);
    reserve(&b, &p, 1, 1); // b writes into page 1: it gets a copy
    assert_int_equal(b.page[0], 0);
    assert_int_equal(b.page[1], 2);
    reserve(&a, &p, 1, PAGE_NONE); // now a is alone on its page
    assert_int_equal(a.page[1], 1);
    // A full shared page that is cut into is copied too.
    page_list_cut(&b, &p, 2, PAGE);
    reserve(&b, &p, 1, 0);
    assert_int_not_equal(b.page[0], 0);
    page_list_free(&a, &p);
    page_list_free(&b, &p);
    assert_int_equal(p.spares, PAGES);
    page_pool_free(&p);
}

static void refuses_what_does_not_fit(void **state) {
    (void)state;
    page_pool p;
    page_list l = {0}, other;
    uint32_t from, short_of;
    assert_true(page_pool_init(&p, PAGES));
    reserve(&l, &p, 10, PAGE_NONE);
    assert_int_equal(page_list_reserve(&l, &p, PAGES * PAGE - 9, PAGE, &from, &short_of), RX_OUT_OF_MEMORY);
    assert_int_equal(short_of, 1);
    assert_int_equal(l.pages, 3);
    assert_int_equal(page_list_reserve(&l, &p, SIZE_MAX, PAGE, &from, &short_of), RX_OUT_OF_MEMORY);
    assert_int_equal(l.length, 10);
    reserve(&l, &p, PAGES * PAGE - 11, PAGE_NONE); // one place is left on the last page
    assert_true(page_list_fork(&l, &p, &other));
    assert_int_equal(page_list_reserve(&other, &p, 1, PAGE, &from, &short_of), RX_OUT_OF_MEMORY); // no page to copy to
    assert_int_equal(short_of, 1);
    page_list_free(&other, &p);
    reserve(&l, &p, 1, PAGE_NONE);
    page_list_free(&l, &p);
    page_pool_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_in_order),
        cmocka_unit_test(copies_shared_pages),
        cmocka_unit_test(refuses_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
