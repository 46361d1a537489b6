// random_modules.h - random functions over several shapes with two symbols, compiled and interpreted.
#ifndef TESTS_RANDOM_MODULES_H
#define TESTS_RANDOM_MODULES_H
#include <stdint.h>

// Checks `count` modules from `seed` on, for the targets in turn; fails the test with the module's text. RANDOM_MODULES
// in the environment replaces the count.
void random_modules_check(uint64_t seed, uint32_t count);
#endif
