// scheduled.h - modules before and after scheduling: equal results, equal traces.
#ifndef TESTS_SCHEDULED_H
#define TESTS_SCHEDULED_H
#include "schedule/schedule.h"
#include "text/script.h"

typedef struct scheduled_check {
    const char *passes; // what lowers the module before its programs are scheduled
    const char *target;
    double rtol, atol; // of results; 0, 0: by their types
    arena *mem;
    uint32_t programs, compared; // counts
    text report;                 // what went wrong
} scheduled_check;

// Lowers the module, schedules all its programs by the rules, and runs `main` both ways on random inputs; parallel
// loops once forwards, once backwards. Each trace, replayed, gives the same program. False after a difference.
bool scheduled_equals(scheduled_check *c, const source *src);
#endif
