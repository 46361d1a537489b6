// test.h - what every unit test includes: cmocka, with the headers it forgets to include itself.
#ifndef TESTS_TEST_H
#define TESTS_TEST_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the five above first.
#include <cmocka.h>
#endif
