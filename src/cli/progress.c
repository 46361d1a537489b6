// progress.c - how far a compilation is.
#include "cli/progress.h"
#include "base/attributes.h"
#include <stdio.h>
#include <string.h>

// How much of the work is done when a stage begins and is over; measured on SmolLM2-135M. Other stages are passes.
static const struct {
    const char *stage;
    double begin, done;
} stages[] = {{"parse", 0, 0.02},  {"import", 0, 0.02},     {"bytecode", 0.25, 0.25}, {"kernels", 0.25, 0.5},
              {"link", 0.5, 0.55}, {"weights", 0.55, 0.98}, {"write", 0.98, 1}};
static const double pass_share = 0.005;

progress progress_begin(const char *what, const char *output, const char *folder) {
    progress p = {.meter = meter_begin("compiling", what)};
    p.held = interrupt_hold(true); // before the bar, which shows that it is
    p.watch = interrupt_watch_begin(output, folder);
    meter_show(&p.meter, 0, "");
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
    meter_show(&p->meter, p->done, stage);
}

bool progress_interrupted(void *bar) {
    progress *p = bar;
    if (!p->signal) p->signal = interrupt_came();
    return p->signal != 0;
}

int progress_end(progress *bar) {
    enum { KILLED = 128 }; // what shells add the signal's number to
    meter_end(&bar->meter);
    interrupt_watch_end(bar->watch);
    interrupt_release(bar->held);
    if (bar->signal) fprintf(stderr, "relax: interrupted; nothing was written\n");
    return bar->signal ? KILLED + bar->signal : CLI_DONE;
}
