// progress.c - the bar of a compilation.
#define _POSIX_C_SOURCE 200809L
#include "cli/progress.h"
#include "base/attributes.h"
#include "cli/line_screen.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 24 };

// How much of the work is done when a stage begins and is over; measured on SmolLM2-135M. Other stages are passes.
static const struct {
    const char *stage;
    double begin, done;
} stages[] = {{"parse", 0, 0.02},  {"import", 0, 0.02},     {"bytecode", 0.25, 0.25}, {"kernels", 0.25, 0.5},
              {"link", 0.5, 0.55}, {"weights", 0.55, 0.98}, {"write", 0.98, 1}};
static const double pass_share = 0.005;

static void draw(const progress *p, const char *stage) {
    char bar[BAR + 1];
    for (int i = 0; i < BAR; i++) bar[i] = i < (int)(p->done * (int)BAR) ? '#' : '.';
    bar[BAR] = 0;
    char line[256];
    int size = snprintf(line, sizeof line, "compiling %s [%s] %3.0f%% %s", p->what, bar, p->done * 100, stage);
    fprintf(stderr, "\r\033[K%.*s", (int)line_screen_fit(line, (size_t)size, line_screen_width(STDERR_FILENO)), line);
    fflush(stderr);
}

progress progress_begin(const char *what, const char *output, const char *folder) {
    const char *slash = strrchr(what, '/');
    progress p = {.shown = isatty(STDERR_FILENO)};
    arena *mem = arena_new();
    const char *name = cli_name(mem, span_of(slash && slash[1] ? slash + 1 : what));
    snprintf(p.what, sizeof p.what, "%.*s", (int)line_screen_fit(name, strlen(name), sizeof p.what), name);
    arena_free(mem);
    p.held = interrupt_hold(true); // before the bar, which shows that it is
    p.watch = interrupt_watch_begin(output, folder);
    if (p.shown) draw(&p, "");
    return p;
}

progress progress_silent(const char *output) {
    progress p = {.held = interrupt_hold(true)};
    p.watch = interrupt_watch_begin(output, NULL);
    return p;
}

void progress_show(void *bar, const char *stage, double share) {
    progress *p = bar;
    double done = p->done + pass_share;
    if (done > stages[2].done) done = stages[2].done;
    for (size_t i = 0; i < COUNT(stages); i++)
        if (strcmp(stages[i].stage, stage) == 0) done = stages[i].begin + share * (stages[i].done - stages[i].begin);
    if (done > p->done) p->done = done;
    if (p->shown) draw(p, stage);
}

bool progress_interrupted(void *bar) {
    progress *p = bar;
    if (!p->signal) p->signal = interrupt_came();
    return p->signal != 0;
}

int progress_end(progress *bar) {
    enum { KILLED = 128 }; // what shells add the signal's number to
    if (bar->shown) fputs("\r\033[K", stderr);
    bar->shown = false;
    interrupt_watch_end(bar->watch);
    interrupt_release(bar->held);
    if (bar->signal) fprintf(stderr, "relax: interrupted; nothing was written\n");
    return bar->signal ? KILLED + bar->signal : CLI_DONE;
}
