// clock.h - how long things take. Thread-safe.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H
#include <stddef.h>
#include <stdint.h>

// Since some moment before the program began, of a clock that no adjustment of the date moves.
uint64_t clock_nanoseconds(void);
double clock_seconds(void); // the same; differences are good to a microsecond for years

// The shortest first: the median is at [count / 2].
void clock_sort(double *seconds, size_t count);
#endif
