// meter.h - a bar on stderr that says how far long work is; nothing where stderr is no terminal.
#ifndef CLI_METER_H
#define CLI_METER_H
#include <stdbool.h>
#include <stdint.h>

typedef struct meter {
    char what[96]; // "compiling model.gguf", fit to be shown
    bool shown;
    int percent; // that is on the screen; -1: nothing is
    double last; // when it was drawn
} meter;

// Nothing is drawn yet. Of a path the last part is shown.
meter meter_begin(const char *doing, const char *path);
// `share` of 1 is done; `tail` stands behind the bar, "" for none. Without one it is drawn a few times a second at
// most, so that it may be called in the middle of what is timed.
void meter_show(meter *m, double share, const char *tail);
// Takes the bar away: before any message, and at the end. Again is no harm.
void meter_end(meter *m);

// Of a prompt that is taken in: `taken` of `count` tokens, and gone with the last. Short ones get none.
void meter_prompt(meter *m, uint64_t taken, uint64_t count);
#endif
