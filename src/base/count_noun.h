// count_noun.h - a number and what is counted, for messages: "1 dim", "3 dims", "0 indices".
#ifndef BASE_COUNT_NOUN_H
#define BASE_COUNT_NOUN_H
#include <stdbool.h>
#include <stdint.h>

enum { COUNT_NOUN = 48 }; // room for any number and a noun

// COUNTED(n, "dim"): an argument for "%s", of a number of any integer type, which is looked at twice. The text lives as
// long as the block it is written in.
#define COUNTED(n, noun) count_noun((char[COUNT_NOUN]){0}, (int64_t)(n), (n) > 0, noun)

// Writes into `room` and returns it. A positive number beyond int64 has its 64 bits in `n`. `noun` is the word for one.
const char *count_noun(char room[COUNT_NOUN], int64_t n, bool positive, const char *noun);
#endif
