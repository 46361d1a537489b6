// progress.h - a bar on stderr that says how far a compilation is; nothing where stderr is no terminal.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H
#include <stdbool.h>

typedef struct progress {
    const char *what; // what is compiled; borrowed
    bool shown;
    double done; // 0 to 1
} progress;

progress progress_begin(const char *what);
void progress_show(void *bar, const char *stage, double share); // a driver_options.progress
void progress_end(progress *bar);                               // takes it away
#endif
