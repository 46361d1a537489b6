// clock.h - how long things take. Thread-safe.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H
#include <stdint.h>

// Since some moment before the program began, of a clock that no adjustment of the date moves.
uint64_t clock_nanoseconds(void);
double clock_seconds(void); // the same; differences are good to a microsecond for years
#endif
