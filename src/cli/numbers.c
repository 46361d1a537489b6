// numbers.c - reads lists of token ids.
#include "cli/numbers.h"
#include "llm/fail.h"
#include <stdlib.h>
#include <string.h>

uint32_t *numbers_read(const char *at, size_t size, uint32_t most, size_t *count, char *why) {
    const char *end = at + size;
    uint32_t *list = malloc((size / 2 + 1) * sizeof *list); // a number and what parts it from the next are two bytes
    *count = 0;
    if (!list) return llm_no_memory(why, "ids"), NULL;
    while (at < end) {
        if (*at && strchr(" \t\r\n,[]", *at)) {
            at++;
            continue;
        }
        uint64_t id = 0;
        const char *begin = at;
        while (at < end && *at >= '0' && *at <= '9' && id <= most) id = id * 10 + (uint64_t)(*at++ - '0');
        if (at == begin || id > most) {
            int shown = end - begin < 20 ? (int)(end - begin) : 20;
            why_fail(why, RX_INVALID_ARGUMENT, "want token ids, got '%.*s'", shown, begin);
            return free(list), NULL;
        }
        list[(*count)++] = (uint32_t)id;
    }
    return list;
}
