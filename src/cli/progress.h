// progress.h - a bar on stderr that says how far a compilation is (nothing where stderr is no terminal), and Ctrl-C,
// which ends it in good order: without a file, without temporary ones.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H
#include "cli/interrupt.h"
#include "cli/meter.h"
#include "cli/verb.h"

typedef struct progress {
    meter meter;
    double done; // 0 to 1
    bool held;   // SIGINT was before the compilation
    int signal;  // that ended it; 0: none
    interrupt_watch *watch;
} progress;

// Signals wait from here; `output` is made, in `folder` where that is a temporary one made for it, else NULL.
progress progress_begin(const char *what, const char *output, const char *folder);
progress progress_silent(const char *output);                   // the same without a bar
void progress_show(void *bar, const char *stage, double share); // a driver_options.progress
bool progress_interrupted(void *bar);                           // a driver_options.interrupted
// Takes the bar away and lets signals through. CLI_DONE; if one ended the compilation, its exit code after a message.
int progress_end(progress *bar);
#endif
