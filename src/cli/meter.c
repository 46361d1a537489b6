// meter.c - a bar that says how far long work is.
#define _POSIX_C_SOURCE 200809L
#include "cli/meter.h"
#include "base/clock.h"
#include "cli/line_screen.h"
#include "cli/verb.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 24, SHORT_PROMPT = 64 };
static const double least_pause = 0.2; // seconds

meter meter_begin(const char *doing, const char *path) {
    const char *slash = strrchr(path, '/');
    meter m = {.shown = isatty(STDERR_FILENO), .percent = -1};
    arena *mem = arena_new();
    const char *name = cli_name(mem, span_of(slash && slash[1] ? slash + 1 : path));
    const char *what = arena_format(mem, "%s %s", doing, name);
    snprintf(m.what, sizeof m.what, "%.*s", (int)line_screen_fit(what, strlen(what), sizeof m.what), what);
    arena_free(mem);
    return m;
}

void meter_show(meter *m, double share, const char *tail) {
    int percent = (int)(share * 100 + 0.5);
    double now = m->shown ? clock_seconds() : 0;
    if (!m->shown || (!*tail && (percent == m->percent || now - m->last < least_pause))) return;
    m->percent = percent, m->last = now;
    char bar[BAR + 1] = "", line[256];
    for (int i = 0; i < BAR; i++) bar[i] = i < (int)(share * (double)BAR) ? '#' : '.';
    int size = snprintf(line, sizeof line, "%s [%s] %3d%% %s", m->what, bar, percent, tail);
    fprintf(stderr, "\r\033[K%.*s", (int)line_screen_fit(line, (size_t)size, line_screen_width(STDERR_FILENO)), line);
    fflush(stderr);
}

void meter_end(meter *m) {
    if (m->shown && m->percent >= 0) fputs("\r\033[K", stderr);
    m->percent = -1;
}

void meter_prompt(meter *m, uint64_t taken, uint64_t count) {
    if (taken >= count)
        meter_end(m);
    else if (count > SHORT_PROMPT)
        meter_show(m, (double)taken / (double)count, "");
}
