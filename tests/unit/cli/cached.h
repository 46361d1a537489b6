// cached.h - attention over pages, with the program that writes keys and values into them.
#ifndef TESTS_CACHED_H
#define TESTS_CACHED_H
#include "base/arena.h"
#include <stdbool.h>

// Text in `mem` of a module: main(x: [n, 64], z: [m], pages, weights) puts n tokens into a cache, at place m - 1 and
// those behind it, and attends to all up to there. Keys turn whole, by halves, or a half of them by neighbours.
const char *cached_attention_text(arena *mem, bool half, bool interleaved);
#endif
