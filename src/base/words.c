// words.c - small questions about text: the nearest word, sizes and times for people.
#include "base/attributes.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 64 }; // longer ones get no suggestion

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string alignment).
// Neither is longer than LONGEST_WORD.
static unsigned edit_distance(const char *a, size_t a_size, const char *b, size_t b_size) {
    unsigned rows[3][LONGEST_WORD + 1] = {0};
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    for (unsigned j = 0; j <= b_size; j++) now[j] = j;
    for (unsigned i = 1; i <= a_size; i++) {
        // Three rows turn: the one before last becomes the new one.
        unsigned *oldest = before;
        before = last;
        last = now;
        now = oldest;
        now[0] = i;
        for (unsigned j = 1; j <= b_size; j++) {
            now[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return now[b_size];
}

const char *text_nearest(const char *word, const char *const *known, size_t count) {
    size_t size = strlen(word);
    if (size > LONGEST_WORD) return NULL;
    const char *best = NULL;
    unsigned best_distance = (unsigned)(size + 1) / 3 + 1; // "near enough": a third of the word
    for (size_t i = 0; i < count; i++) {
        size_t known_size = strlen(known[i]);
        if (known_size > LONGEST_WORD) continue;
        unsigned distance = edit_distance(word, size, known[i], known_size);
        // Ties go to the first. A word as far away as it is long shares nothing with what was asked.
        if (distance >= best_distance || distance >= known_size) continue;
        best = known[i];
        best_distance = distance;
    }
    return best;
}

static const char *last_part(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

const char *text_nearest_dotted(const char *name, const char *const *known, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(last_part(known[i]), last_part(name)) == 0) return known[i];
    return text_nearest(name, known, count);
}

// "1.5" or "870": one digit behind the point below 100, and none that is 0.
static void put_number(double value, const char *unit, char out[32]) {
    // 99.95 and more would round to "100.0".
    double rounded = fabs(value) < 99.95 ? round(value * 10) / 10 : round(value);
    bool whole = rounded == floor(rounded);
    snprintf(out, 32, "%.*f %s", whole ? 0 : 1, rounded, unit);
}

const char *text_bytes(uint64_t bytes, char out[32]) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;
    // What would be written as 1024 is written as 1 of the next unit.
    for (; value >= 1023.5 && unit + 1 < COUNT(units); unit++) value /= 1024;
    put_number(value, units[unit], out);
    return out;
}

const char *text_seconds(double seconds, char out[32]) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    // Past every unit: plain, so that the digits fit into `out`.
    if (!isfinite(seconds) || fabs(seconds) > 1e15) {
        snprintf(out, 32, "%g s", seconds);
        return out;
    }
    double value = seconds * 1e9;
    size_t unit = 0;
    for (; fabs(value) >= 999.5 && unit + 1 < COUNT(units); unit++) value /= 1000;
    put_number(value, units[unit], out);
    return out;
}
