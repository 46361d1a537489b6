// numbers.h - lists of token ids on the command line.
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H
#include <stddef.h>
#include <stdint.h>

// Numbers in decimal with spaces or commas between; brackets around them are fine. Malloc'd; NULL after a sentence in
// `why` (512 bytes).
uint32_t *numbers_read(const char *at, size_t size, uint32_t most, size_t *count, char *why);
#endif
