// check_failed.c - where a broken invariant ends the program.
#define _POSIX_C_SOURCE 200809L
#include "base/attributes.h"
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_BUG = 3 };

void check_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "%s:%d: a bug in relax: expected %s\nPlease report it with the input that caused it.\n", file, line,
            condition);
    fflush(stderr);
    // No exit handlers and no half-written results: what they would see can't be trusted any more.
    _Exit(EXIT_BUG);
}
