// clock.c - reads the monotonic clock.
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"
#include <stdlib.h>
#include <time.h>

// It always exists on the systems we build for, so the call can't fail.
uint64_t clock_nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

double clock_seconds(void) { return (double)clock_nanoseconds() * 1e-9; }

static int by_length(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void clock_sort(double *seconds, size_t count) { qsort(seconds, count, sizeof *seconds, by_length); }
