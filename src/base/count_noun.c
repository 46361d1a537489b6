// count_noun.c - a number and what is counted, for messages.
#include "base/count_noun.h"
#include "base/attributes.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// What is more than the noun and an s.
static const struct {
    const char *one, *many;
} irregular[] = {{"axis", "axes"}, {"index", "indices"}};

const char *count_noun(char room[COUNT_NOUN], int64_t n, bool positive, const char *noun) {
    const char *many = NULL, *minus = positive || n >= 0 ? "" : "-";
    uint64_t size = *minus ? -(uint64_t)n : (uint64_t)n;
    for (size_t i = 0; i < COUNT(irregular); i++)
        if (strcmp(irregular[i].one, noun) == 0) many = irregular[i].many;
    snprintf(room, COUNT_NOUN, "%s%" PRIu64 " %s%s", minus, size, n != 1 && many ? many : noun,
             n == 1 || many ? "" : "s");
    return room;
}
