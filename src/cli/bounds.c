// bounds.c - reads --bound.
#include "cli/bounds.h"
#include <stdlib.h>
#include <string.h>

// A number, or nothing where that stands for `preset`. NULL after another text.
static const char *read_number(const char *at, int64_t preset, int64_t *out) {
    char *end;
    *out = preset;
    if (*at == '.' || !*at) return at;
    *out = strtoll(at, &end, 10);
    return end == at || *out < 0 ? NULL : end;
}

// "n=1..4096", "n=..4096", "n=16..", "n=4096". False after a message.
static bool read_bound(const cli_args *a, const char *spelling, driver_bound *out) {
    const char *equals = strchr(spelling, '=');
    const char *at = equals && equals != spelling ? read_number(equals + 1, 0, &out->lower) : NULL;
    out->upper = out->lower;
    if (at && strncmp(at, "..", 2) == 0)
        at = read_number(at + 2, INT64_MAX, &out->upper);
    else
        out->lower = 0;
    if (!at || *at || out->lower > out->upper || !equals[1]) {
        cli_usage(a, "--bound: want SYMBOL=LOWER..UPPER, such as n=1..4096, got '%s'", spelling);
        return false;
    }
    out->symbol = arena_copy(a->mem, spelling, (size_t)(equals - spelling));
    return true;
}

static bool is_bounded(const driver_bound *list, uint32_t count, const char *symbol) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].symbol, symbol) == 0) return true;
    return false;
}

bool cli_bounds(const cli_args *a, driver_options *o) {
    uint32_t count;
    const char *const *given = cli_values(a, "bound", &count);
    driver_bound *list = ARENA_NEW(a->mem, driver_bound, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!read_bound(a, given[i], &list[i])) return false;
        if (is_bounded(list, i, list[i].symbol))
            return cli_usage(a, "--bound %s: %s is bounded already", given[i], list[i].symbol), false;
    }
    o->bound = list;
    o->bounds = count;
    return true;
}
