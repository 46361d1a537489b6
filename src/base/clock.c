// clock.c - reads the monotonic clock.
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"
#include <time.h>

// It always exists on the systems we build for, so the call can't fail.
uint64_t clock_nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

double clock_seconds(void) { return (double)clock_nanoseconds() * 1e-9; }
