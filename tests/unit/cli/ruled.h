// ruled.h - a program for each schedule rule, run with all sizes that tiles, tails and lanes can meet.
#ifndef TESTS_RULED_H
#define TESTS_RULED_H
#include "compiled.h"

// Each program with dims from 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 257, equal to the interpreter, and the same
// bits on any number of threads; with a runner those alone whose sums are cut into pieces for threads.
// `all`: programs that the interpreter takes long for meet 64, 100 and 257 as well.
void rules_on(const char *target, const char *runner, bool all, compiled_tally *t);
// Whether code for the target runs here, or with a runner; else says that it is skipped.
bool target_runs(const char *target, const char *runner);
#endif
